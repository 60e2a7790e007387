// Types that say over which manual axes a value varies.
#include "text/native/varying.h"

#include "llvm/ADT/STLExtras.h"
#include "ops/sharding.h"
#include "text/native/evaluator.h"

namespace spmdc::text::native {

using ir::OpKind;

Value Vary(Evaluator& ev, const Value& x, const mesh::AxisList& axes) {
  if (x.failed() || axes.empty() || !ev.tracer().current().checks_varying) {
    return x;
  }
  const ir::Type& type = TypeOfArray(x);
  mesh::MeshId id = ev.tracer().tables().meshes.Intern(ev.tracer().current().manual_mesh->mesh);
  mesh::Sharding s =
      type.sharding.valid() ? ev.tracer().tables().shardings[type.sharding] : mesh::Replicated(id, type.rank());
  if (llvm::all_of(axes, [&](const mesh::AxisRef& ref) { return llvm::is_contained(s.varying, ref); })) {
    return x;
  }
  bool terms = !mesh::Intersect(s.unreduced, axes).empty();
  if (terms || !mesh::Intersect(s.reduced, axes).empty()) {
    return ev.Fail(diag::Kind::VaryingMismatch,
                   "a value of type " + ShowType(ev, type) + " is " + (terms ? "unreduced" : "reduced") +
                       " over these axes, and cannot be made to vary over them in passing",
                   terms ? "sum it with psum first" : "cast it with pcast(x, axes, to='varying')");
  }
  s.varying.append(axes.begin(), axes.end());
  s.varying = mesh::AsSet(s.varying);
  return Restated(ev, x, s);
}

Value Restated(Evaluator& ev, const Value& x, const mesh::Sharding& type_sharding) {
  auto& shardings = ev.tracer().tables().shardings;
  ops::ShardingConstraintAttrs attrs;
  attrs.sharding = shardings.Intern(mesh::Replicated(type_sharding.mesh, TypeOfArray(x).rank(), true));
  return ev.tracer().Emit(OpKind::ShardingConstraint, x, ev.tracer().Attrs(attrs), x.as<ArrayObj>().weak,
                          shardings.Intern(type_sharding));
}

mesh::ShardingId OutLike(Evaluator& ev, const ir::Type& type) {
  // Inside a region the context's axes are those that the region leaves free.
  const MeshObj* context = ev.tracer().current().manual_mesh != nullptr ? ev.tracer().context_mesh() : nullptr;
  if (!type.sharding.valid() || (context != nullptr && !context->mesh.has_explicit_axes())) {
    return {};
  }
  mesh::Sharding s = ev.tracer().tables().shardings[type.sharding];
  s.unreduced.clear();
  s.reduced.clear();
  return ev.tracer().tables().shardings.Intern(s);
}

Value VaryLike(Evaluator& ev, const Value& x, const ir::Type& type) {
  return type.sharding.valid() ? Vary(ev, x, ev.tracer().tables().shardings[type.sharding].varying) : x;
}

MeshObj* Retyped(Evaluator& ev, MeshObj* mesh, const mesh::AxisList& axes, mesh::AxisType type) {
  auto* copy = ev.heap().New<MeshObj>();
  *copy = *mesh;
  copy->base = mesh->base != nullptr ? mesh->base : mesh;
  for (const mesh::AxisRef& ref : axes) {
    copy->mesh.axes[static_cast<size_t>(ref.axis)].type = type;
  }
  return copy;
}

}  // namespace spmdc::text::native
