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
  s.varying.append(axes.begin(), axes.end());
  s.varying = mesh::AsSet(s.varying);
  ops::ShardingConstraintAttrs attrs;
  attrs.sharding = ev.tracer().tables().shardings.Intern(mesh::Replicated(id, type.rank(), true));
  return ev.tracer().Emit(OpKind::ShardingConstraint, x, ev.tracer().Attrs(attrs), x.as<ArrayObj>().weak,
                          ev.tracer().tables().shardings.Intern(s));
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
