// reshard, with_sharding_constraint, device_put, typeof, ShapeDtypeStruct.
#include "text/native/placement.h"

#include "llvm/ADT/STLExtras.h"
#include "ops/sharding.h"
#include "text/native/device_uses.h"
#include "text/native/numpy.h"
#include "text/native/sharding_api.h"
#include "text/native/tree.h"

namespace spmdc::text::native {

bool CheckFits(Evaluator& ev, const ShardingObj& sharding, const ir::Type& type, const std::string& what,
               bool must_divide) {
  if (sharding.exact) {
    return sharding.sharding.dims.size() == type.rank() ||
           !ev.Fail(diag::Kind::SpecRank, what + ": a sharding of " +
                                              Counted(static_cast<int64_t>(sharding.sharding.dims.size()), "dim") +
                                              " does not fit the type " + ShowType(ev, type))
                .failed();
  }
  auto tell = [&](const mesh::SpecError& e) { return !ev.Fail(e.kind, what + ": " + e.message, e.help).failed(); };
  auto made = mesh::MakeSharding(sharding.mesh->mesh, {}, sharding.spec, type.rank());
  if (const auto* error = std::get_if<mesh::SpecError>(&made)) {
    return tell(*error);
  }
  if (!must_divide || ev.flat()) {
    return true;
  }
  if (auto error = mesh::CheckDivisible(sharding.mesh->mesh, std::get<mesh::Sharding>(made), type.dims, what)) {
    return !ev.Fail(error->kind, error->message, error->help).failed();
  }
  return true;
}

Value ReshardTo(Evaluator& ev, const Value& array, const ShardingObj& sharding, const std::string& function) {
  const ir::Type& type = TypeOfArray(array);
  if (!CheckFits(ev, sharding, type, function)) {
    return Value::Error();
  }
  NoteDevices(ev, sharding.mesh, function + " inside jit");
  ops::ShardingConstraintAttrs attrs;
  attrs.sharding = InternSharding(ev, sharding, type.rank());
  mesh::ShardingId asked;
  if (sharding.mesh->mesh.has_explicit_axes()) {
    asked = ev.tracer().tables().shardings.Intern(OnRank(ev, sharding, type.rank(), true));
  }
  return ev.tracer().Emit(ir::OpKind::ShardingConstraint, array, ev.tracer().Attrs(attrs), array.as<ArrayObj>().weak,
                          asked);
}

Value ShardedLike(Evaluator& ev, const Value& array, mesh::ShardingId sharding) {
  const mesh::Sharding s = ev.tracer().tables().shardings[sharding];
  Value wanted = ShardingValue(ev, ev.tracer().MeshValue(s.mesh), s);
  wanted.as<ShardingObj>().mesh->abstract = true;
  return ReshardTo(ev, array, wanted.as<ShardingObj>(), "reshard");
}

bool AlignUnplaced(Evaluator& ev, llvm::MutableArrayRef<Value> arrays) {
  const Value* placed = llvm::find_if(arrays, [](const Value& a) { return !a.as<ArrayObj>().unplaced; });
  if (placed == arrays.end() || !TypeOfArray(*placed).sharding.valid()) {
    return true;
  }
  const ir::Type like = TypeOfArray(*placed);
  for (Value& a : arrays) {
    if (a.as<ArrayObj>().unplaced && TypeOfArray(a).rank() == like.rank()) {
      a = ShardedLike(ev, a, like.sharding);
      if (a.failed()) {
        return false;
      }
    }
  }
  return true;
}

Value Constrain(Evaluator& ev, const Value& array, const ShardingObj& sharding) {
  const ir::Type& type = TypeOfArray(array);
  mesh::Sharding full = OnRank(ev, sharding, type.rank(), false);
  // Explicit axes of the type are part of the constraint: they are major to the Auto ones named here.
  if (type.sharding.valid()) {
    const mesh::Sharding& own = ev.tracer().tables().shardings[type.sharding];
    for (size_t d = 0; d < full.dims.size(); ++d) {
      mesh::AxisList axes = own.dims[d].axes;
      if (!mesh::Overlaps(axes, full.dims[d].axes)) {
        mesh::Append(axes, full.dims[d].axes);
        full.dims[d].axes = axes;
      }
    }
    full.unreduced = own.unreduced;
  }
  NoteDevices(ev, sharding.mesh, "sharding_constraint inside jit");
  ops::ShardingConstraintAttrs attrs;
  attrs.sharding = ev.tracer().tables().shardings.Intern(full);
  return ev.tracer().Emit(ir::OpKind::ShardingConstraint, array, ev.tracer().Attrs(attrs), array.as<ArrayObj>().weak);
}

Value ConstrainTree(Evaluator& ev, const Value& tree, const Value& shardings, const std::string& what) {
  std::vector<Value> options;
  if (!SpreadPrefix(ev, shardings, tree, what, options)) {
    return Value::Error();
  }
  size_t i = 0;
  return MapTree(ev, tree, "", [&](const Value& leaf, const std::string&) {
    const Value& option = options[i++];
    if (option.none() || !IsArrayLike(leaf)) {
      return leaf;
    }
    ShardingObj* sharding = ToSharding(ev, option, what);
    Value array = sharding == nullptr ? Value::Error() : ToArray(ev, leaf);
    return array.failed() ? array : ReshardTo(ev, array, *sharding, what);
  });
}

namespace {

// A sharding that names a mesh of its own; on which devices it is, CheckDevices asks in the end.
bool IsOnOtherMesh(Evaluator& ev, const Value& sharding) {
  MeshObj* context = ev.tracer().context_mesh();
  return context != nullptr && sharding.is(VK::Sharding) &&
         !mesh::SameDevices(context->mesh, sharding.as<ShardingObj>().mesh->mesh);
}

// reshard(x, shardings): trees of both.
Value Reshard(Call& c) {
  Value v[2];
  std::vector<Value> options;
  if (!c.Bind("xs, out_shardings", v) || !SpreadPrefix(c.ev, v[1], v[0], "the shardings of reshard", options)) {
    return Value::Error();
  }
  size_t i = 0;
  return MapTree(c.ev, v[0], "", [&](const Value& leaf, const std::string&) {
    Value array = ToArray(c.ev, leaf);
    if (array.failed()) {
      return array;
    }
    const Value& option = options[i++];
    if (option.none()) {
      return c.ev.Fail(diag::Kind::SpecForm, "reshard needs a PartitionSpec or a NamedSharding, got None");
    }
    ShardingObj* sharding = ToSharding(c.ev, WithoutTrailing(c.ev, option, TypeOfArray(array).rank()), "reshard");
    mesh::ShardingId checked;
    if (sharding == nullptr ||
        (!IsOnOtherMesh(c.ev, option) && !OutSharding(c.ev, option, TypeOfArray(array).rank(), "reshard", checked))) {
      return Value::Error();
    }
    return ReshardTo(c.ev, array, *sharding, "reshard");
  });
}

// On a mesh whose axes are all Explicit a constraint is an assertion about the type.
bool AssertExplicit(Evaluator& ev, const Value& array, const ShardingObj& want) {
  const ir::Type& type = TypeOfArray(array);
  mesh::Sharding have = mesh::Replicated({}, type.rank());
  if (type.sharding.valid()) {
    have = ev.tracer().tables().shardings[type.sharding];
  }
  mesh::Sharding wanted = OnRank(ev, want, type.rank(), false);
  for (size_t d = 0; d < have.dims.size(); ++d) {
    if (!(have.dims[d].axes == wanted.dims[d].axes)) {
      return !ev.Fail(diag::Kind::ConstraintAssert,
                      "with_sharding_constraint is an assertion where all mesh axes are Explicit, and the array has " +
                          mesh::ToString(SpecOf(want.mesh->mesh, have)) + ", not " + mesh::ToString(want.spec),
                      "use reshard to change the sharding")
                  .failed();
    }
  }
  return true;
}

Value ConstrainLeaf(Evaluator& ev, const Value& leaf, const Value& option) {
  const std::string what = "with_sharding_constraint";
  Value array = ToArray(ev, leaf);
  if (array.failed()) {
    return array;
  }
  Value spec = option;
  if (spec.none()) {
    MeshObj* mesh = ev.tracer().context_mesh();
    if (mesh == nullptr || !mesh->mesh.has_explicit_axes()) {
      return array;
    }
    spec = ev.heap().Spec({});
  }
  ShardingObj* sharding = ToSharding(ev, spec, what);
  // Inside a program dims over Auto axes may be uneven: shards are padded.
  if (sharding == nullptr || !CheckFits(ev, *sharding, TypeOfArray(array), what, /*must_divide=*/false)) {
    return Value::Error();
  }
  const mesh::Mesh& mesh = sharding->mesh->mesh;
  MeshObj* context = ev.tracer().context_mesh();
  if (context != nullptr && !mesh::SameDevices(context->mesh, mesh) && context->mesh.axes.size() != 0 &&
      mesh.has_explicit_axes()) {
    return ev.Fail(diag::Kind::MeshMismatch,
                   "the context mesh " + MeshText(*context) + " is not the mesh of the sharding passed to " + what);
  }
  bool all_explicit = !mesh.axes.empty() &&
                      llvm::all_of(mesh.axes, [](const mesh::Axis& a) { return a.type == mesh::AxisType::Explicit; });
  bool says_nothing = mesh::NamesNoAxis(sharding->sharding);
  if (all_explicit && (context != nullptr || says_nothing)) {
    return context == nullptr || AssertExplicit(ev, array, *sharding) ? array : Value::Error();
  }
  for (const mesh::DimSharding& dim : sharding->sharding.dims) {
    for (const mesh::AxisRef& ref : dim.axes) {
      if (mesh.axes[static_cast<size_t>(ref.axis)].type != mesh::AxisType::Auto) {
        return ev.Fail(diag::Kind::AxisTypeWrong,
                       "the spec passed to " + what + " may name Auto axes only, and '" + mesh::ToString(mesh, ref) +
                           "' of " + mesh::ToString(sharding->spec) + " is " +
                           mesh::Name(mesh.axes[static_cast<size_t>(ref.axis)].type).str(),
                       "use reshard for Explicit axes");
      }
    }
  }
  return Constrain(ev, array, *sharding);
}

Value WithShardingConstraint(Call& c) {
  Value v[2];
  std::vector<Value> options;
  if (!c.Bind("x, shardings", v) ||
      !SpreadPrefix(c.ev, v[1], v[0], "the shardings of with_sharding_constraint", options)) {
    return Value::Error();
  }
  size_t i = 0;
  return MapTree(c.ev, v[0], "",
                 [&](const Value& leaf, const std::string&) { return ConstrainLeaf(c.ev, leaf, options[i++]); });
}

// At the top level an array is put on one device; in a trace that says nothing.
Value OnDevice(Evaluator& ev, const Value& array, int64_t device) {
  if (!ev.tracer().at_top_level()) {
    return array;
  }
  auto* mesh = ev.heap().New<MeshObj>();
  mesh->mesh.maximal = true;
  mesh->mesh.device_ids = {device};
  auto* copy = ev.heap().New<ArrayObj>();
  *copy = array.as<ArrayObj>();
  copy->placed = Value::Object(VK::Mesh, mesh);
  return Value::Object(VK::Array, copy);
}

// At the top level an array is put somewhere; in a trace its type changes.
Value PutLeaf(Evaluator& ev, const Value& leaf, const Value& option) {
  Value array = ToArray(ev, leaf);
  if (array.failed() || option.none()) {
    return array;
  }
  if (option.is(VK::Device)) {
    return OnDevice(ev, array, option.i);
  }
  ShardingObj* sharding = ToSharding(ev, option, "device_put");
  if (sharding == nullptr) {
    return Value::Error();
  }
  Value put = array;
  if (sharding->mesh->mesh.has_explicit_axes() || !ev.tracer().at_top_level()) {
    put = ReshardTo(ev, array, *sharding, "device_put");
  } else if (!CheckFits(ev, *sharding, TypeOfArray(array), "device_put")) {
    return Value::Error();
  }
  if (put.failed()) {
    return put;
  }
  auto* copy = ev.heap().New<ArrayObj>();
  *copy = put.as<ArrayObj>();
  copy->known = array.as<ArrayObj>().known;
  copy->weak = array.as<ArrayObj>().weak;
  if (ev.tracer().at_top_level()) {
    copy->placed = Value::Object(VK::Sharding, sharding);
  }
  return Value::Object(VK::Array, copy);
}

Value DevicePut(Call& c) {
  Value v[6];
  std::vector<Value> options;
  if (!c.Bind("x, device=, *, src=, donate=, may_alias=, use_cpp=", v) ||
      !SpreadPrefix(c.ev, v[1], v[0], "the shardings of device_put", options)) {
    return Value::Error();
  }
  size_t i = 0;
  return MapTree(c.ev, v[0], "",
                 [&](const Value& leaf, const std::string&) { return PutLeaf(c.ev, leaf, options[i++]); });
}

Value TypeOfValue(Call& c) {
  Value v[1];
  return c.Bind("x", v) ? AvalOf(c.ev, v[0]) : Value::Error();
}

Value ShapeDtype(Call& c) {
  Value v[6];
  if (!c.Bind("shape, dtype, *, sharding=, weak_type=, manual_axis_type=, is_ref=", v)) {
    return Value::Error();
  }
  auto* s = c.ev.heap().New<StructObj>();
  std::optional<tensor::DType> dtype = c.ev.ToDType(v[1], true);
  if (!dtype || !c.ev.ToShape(v[0], s->dims) || !c.ev.ToBool(v[3], "weak_type", false, s->weak)) {
    return Value::Error();
  }
  s->dtype = Canonical(c.ev, *dtype);
  s->sharding = v[2].none() ? Value() : v[2];
  if (s->sharding.given()) {
    ShardingObj* sharding = ToSharding(c.ev, s->sharding, "ShapeDtypeStruct");
    if (sharding == nullptr ||
        !CheckFits(c.ev, *sharding, ir::ArrayType(s->dtype, s->dims), "ShapeDtypeStruct", /*must_divide=*/false)) {
      return Value::Error();
    }
    s->sharding = Value::Object(VK::Sharding, sharding);
  }
  return Value::Object(VK::Struct, s);
}

const Builtin kPlacementTable[] = {
    {kBare | kSharding | kJax, "reshard", Reshard}, {kBare | kLax, "with_sharding_constraint", WithShardingConstraint},
    {kBare | kJax, "device_put", DevicePut},        {kBare | kJax, "typeof", TypeOfValue},
    {kBare | kJax, "ShapeDtypeStruct", ShapeDtype},
};

}  // namespace

llvm::ArrayRef<Builtin> PlacementBuiltins() { return kPlacementTable; }

}  // namespace spmdc::text::native
