// Values of JAX's sharding API: what they are made of, their members, and their place in the program's tables.
#include "text/native/sharding_api.h"

#include "llvm/ADT/STLExtras.h"
#include "text/native/numpy.h"
#include "text/native/tracer.h"

namespace spmdc::text::native {

Value SpecEntryValue(Evaluator& ev, const mesh::SpecEntry& entry) {
  if (entry.unconstrained) {
    return Value::Of(VK::Unconstrained);
  }
  if (entry.axes.empty()) {
    return Value::None();
  }
  if (entry.axes.size() == 1) {
    return ev.heap().Str(entry.axes[0]);
  }
  std::vector<Value> names;
  for (const std::string& axis : entry.axes) {
    names.push_back(ev.heap().Str(axis));
  }
  return ev.heap().Tuple(std::move(names));
}

bool EqualSpecs(const mesh::PartitionSpec& a, const mesh::PartitionSpec& b) {
  auto same = [](const mesh::SpecEntry& x, const mesh::SpecEntry& y) {
    return x.unconstrained == y.unconstrained && x.axes == y.axes;
  };
  return a.entries.size() == b.entries.size() &&
         std::equal(a.entries.begin(), a.entries.end(), b.entries.begin(), same) && a.unreduced == b.unreduced &&
         a.reduced == b.reduced;
}

Value AddSpecs(Evaluator& ev, const Value& a, const Value& b) {
  std::vector<Value> entries, more;
  if (!ev.Iterate(a, entries) || !ev.Iterate(b, more)) {
    return Value::Error();
  }
  entries.insert(entries.end(), more.begin(), more.end());
  return ev.CallFunction(ev.FindIn(kSharding, "PartitionSpec"), entries);
}

Value TypeWithSpec(Evaluator& ev, const Value& type, const Value& spec) {
  auto* form = ev.heap().New<TypeFormObj>();
  if (type.is(VK::DType)) {
    form->dtype = type.dtype();
  } else {
    *form = type.as<TypeFormObj>();
  }
  if (form->spec.given()) {
    return ev.TypeError("a type can be given its sharding only once");
  }
  if (!spec.is(VK::Spec) && !spec.is(VK::Sharding)) {
    return ev.TypeError("the right side of `@` in a type must be P(...) or NamedSharding(...), got " + Repr(spec));
  }
  form->spec = spec;
  form->placed_by_spec = true;
  return Value::Object(VK::TypeForm, form);
}

std::string TypeFormText(const TypeFormObj& type) {
  std::string dims;
  for (int64_t d : type.dims) {
    dims += (dims.empty() ? "" : ", ") + std::to_string(d);
  }
  return tensor::HloName(type.dtype).str() + "[" + dims + "]" + (type.spec.given() ? " @ " + Repr(type.spec) : "");
}

Value WithoutTrailing(Evaluator& ev, const Value& v, size_t rank) {
  bool spec = v.is(VK::Spec);
  if (!spec && (!v.is(VK::Sharding) || v.as<ShardingObj>().exact)) {
    return v;
  }
  mesh::PartitionSpec cut = spec ? v.as<SpecObj>().spec : v.as<ShardingObj>().spec;
  size_t before = cut.entries.size();
  while (cut.entries.size() > rank && cut.entries.back().axes.empty() && !cut.entries.back().unconstrained) {
    cut.entries.pop_back();
  }
  if (cut.entries.size() == before) {
    return v;
  }
  if (spec) {
    return ev.heap().Spec(std::move(cut));
  }
  ShardingObj* sharding = MakeNamedSharding(ev, v.as<ShardingObj>().mesh, cut);
  return sharding == nullptr ? Value::Error() : Value::Object(VK::Sharding, sharding);
}

namespace {

bool Tell(Evaluator& ev, const mesh::SpecError& error) {
  return !ev.Fail(error.kind, error.message, error.help).failed();
}

}  // namespace

ShardingObj* MakeNamedSharding(Evaluator& ev, MeshObj* mesh, const mesh::PartitionSpec& spec) {
  auto made = mesh::MakeSharding(mesh->mesh, {}, spec, std::nullopt);
  if (const auto* error = std::get_if<mesh::SpecError>(&made)) {
    Tell(ev, *error);
    return nullptr;
  }
  auto* sharding = ev.heap().New<ShardingObj>();
  sharding->mesh = mesh;
  sharding->spec = spec;
  sharding->sharding = std::get<mesh::Sharding>(std::move(made));
  return sharding;
}

bool IsDecided(Evaluator& ev, const Value& v) {
  bool undecided = v.is(VK::Sharding) && v.as<ShardingObj>().undecided;
  return !undecided ||
         !ev.Fail(diag::Kind::NotInLanguage,
                  "the sharding of this array is decided by propagation, after the file has been read",
                  "say it with out_shardings= or device_put; `spmdc explain` shows what propagation decides")
              .failed();
}

ShardingObj* ToSharding(Evaluator& ev, const Value& v, const std::string& what) {
  ev.uses_shardings = true;
  if (v.is(VK::Sharding)) {
    return IsDecided(ev, v) ? &v.as<ShardingObj>() : nullptr;
  }
  if (!v.is(VK::Spec)) {
    ev.TypeError(what + " needs a PartitionSpec or a NamedSharding, got " + Repr(v));
    return nullptr;
  }
  MeshObj* mesh = ev.tracer().context_mesh();
  if (mesh == nullptr) {
    ev.Fail(diag::Kind::NoMesh,
            "the PartitionSpec " + Repr(v) + " passed to " + what + " needs a mesh, and none is set",
            "use NamedSharding(mesh, " + Repr(v) + "), or set_mesh(mesh)");
    return nullptr;
  }
  return MakeNamedSharding(ev, mesh, v.as<SpecObj>().spec);
}

mesh::Sharding OnRank(Evaluator& ev, const ShardingObj& sharding, size_t rank, bool only_explicit) {
  mesh::Sharding out = sharding.sharding;
  const MeshObj* base = sharding.mesh->base != nullptr ? sharding.mesh->base : sharding.mesh;
  out.mesh = ev.tracer().tables().meshes.Intern(base->mesh);
  out.dims.resize(rank);
  if (only_explicit) {
    for (mesh::DimSharding& dim : out.dims) {
      mesh::AxisList kept;
      for (const mesh::AxisRef& ref : dim.axes) {
        if (sharding.mesh->mesh.axes[static_cast<size_t>(ref.axis)].type == mesh::AxisType::Explicit) {
          kept.push_back(ref);
        }
      }
      dim.axes = kept;
      dim.open = false;
    }
  }
  return out;
}

mesh::ShardingId InternSharding(Evaluator& ev, const ShardingObj& sharding, size_t rank) {
  return ev.tracer().tables().shardings.Intern(OnRank(ev, sharding, rank, false));
}

mesh::PartitionSpec SpecOf(const mesh::Mesh& mesh, const mesh::Sharding& sharding) {
  mesh::PartitionSpec spec;
  auto name = [&](const mesh::AxisRef& ref) { return mesh.axes[static_cast<size_t>(ref.axis)].name; };
  for (const mesh::DimSharding& dim : sharding.dims) {
    mesh::SpecEntry entry;
    entry.unconstrained = dim.open;
    for (const mesh::AxisRef& ref : dim.axes) {
      entry.axes.push_back(name(ref));
    }
    spec.entries.push_back(entry);
  }
  for (const mesh::AxisRef& ref : sharding.unreduced) {
    spec.unreduced.push_back(name(ref));
  }
  for (const mesh::AxisRef& ref : sharding.reduced) {
    spec.reduced.push_back(name(ref));
  }
  llvm::sort(spec.unreduced);
  llvm::sort(spec.reduced);
  return spec;
}

Value ShardingValue(Evaluator& ev, MeshObj* mesh, const mesh::Sharding& sharding) {
  auto* out = ev.heap().New<ShardingObj>();
  out->mesh = mesh;
  out->sharding = sharding;
  out->spec = SpecOf(mesh->mesh, sharding);
  return Value::Object(VK::Sharding, out);
}

namespace {

Value AxisNames(Evaluator& ev, llvm::ArrayRef<std::string> names, bool set) {
  std::vector<Value> out;
  for (const std::string& name : names) {
    out.push_back(ev.heap().Str(name));
  }
  if (!set) {
    return ev.heap().Tuple(std::move(out));
  }
  auto* obj = ev.heap().New<SetObj>();
  obj->items = std::move(out);
  obj->frozen = true;
  return Value::Object(VK::Set, obj);
}

Value Method(Evaluator& ev, const Value& self, llvm::ArrayRef<Builtin> table, llvm::StringRef name) {
  const auto* found = llvm::find_if(table, [&](const Builtin& b) { return name == b.name; });
  if (found == table.end()) {
    return Value();
  }
  auto* method = ev.heap().New<MethodObj>();
  method->self = self;
  method->builtin = found;
  return Value::Object(VK::Method, method);
}

Value Devices(Evaluator& ev, const mesh::Mesh& mesh) {
  tensor::Dims dims;
  for (const mesh::Axis& axis : mesh.axes) {
    dims.push_back(axis.size);
  }
  if (mesh.device_ids.empty()) {
    return ev.heap().Devices({0, dims, tensor::Strides(dims)});
  }
  tensor::Literal ids(tensor::DType::S64, dims);
  for (int64_t i = 0; i < mesh.size(); ++i) {
    ids.SetInt(i, mesh.DeviceAt(i));
  }
  return ev.heap().Array(std::move(ids), /*devices=*/true);
}

// abstract_mesh.update_axis_types({'x': AxisType.Auto})
Value UpdateAxisTypes(Call& c) {
  Value v[2];
  if (!c.Bind("self, types", v)) {
    return Value::Error();
  }
  if (!v[1].is(VK::Dict)) {
    return c.ev.TypeError("update_axis_types() needs a dict from axis names to axis types");
  }
  auto* mesh = c.ev.heap().New<MeshObj>();
  *mesh = v[0].as<MeshObj>();
  for (const auto& [name, type] : v[1].as<DictObj>().items) {
    std::optional<int32_t> axis = name.is(VK::Str) ? mesh->mesh.FindAxis(Text(name)) : std::nullopt;
    if (!axis || !type.is(VK::AxisType)) {
      return c.ev.Fail(diag::Kind::UnknownAxis, "mesh axis " + Repr(name) + " is not in the mesh, or its type is none");
    }
    mesh->mesh.axes[static_cast<size_t>(*axis)].type = static_cast<mesh::AxisType>(type.i);
  }
  return Value::Object(VK::Mesh, mesh);
}

const Builtin kMeshMethods[] = {{0, "update_axis_types", UpdateAxisTypes}};

// s.is_equivalent_to(other, ndim)
Value IsEquivalentTo(Call& c) {
  Value v[3];
  if (!c.Bind("self, other, ndim", v)) {
    return Value::Error();
  }
  std::optional<int64_t> rank = c.ev.ToInt(v[2], "ndim");
  if (!rank) {
    return Value::Error();
  }
  if (!v[1].is(VK::Sharding)) {
    return c.ev.TypeError("is_equivalent_to() needs a sharding, got " + Repr(v[1]));
  }
  const auto& a = v[0].as<ShardingObj>();
  const auto& b = v[1].as<ShardingObj>();
  // Dims that neither spec has are whole in both.
  auto longest = static_cast<int64_t>(std::max(a.sharding.dims.size(), b.sharding.dims.size()));
  auto n = static_cast<size_t>(std::clamp<int64_t>(*rank, 0, longest));
  return Value::Bool(
      mesh::IsEquivalent(a.mesh->mesh, OnRank(c.ev, a, n, false), b.mesh->mesh, OnRank(c.ev, b, n, false)));
}

// Pads the sharding to a shape's rank; refuses one that is too long or does not divide.
bool FitShape(Evaluator& ev, const ShardingObj& s, const Value& shape, bool divisible, tensor::Dims& dims,
              mesh::Sharding& out) {
  if (!ev.ToShape(shape, dims)) {
    return false;
  }
  auto made = mesh::MakeSharding(s.mesh->mesh, {}, s.spec, dims.size());
  if (const auto* error = std::get_if<mesh::SpecError>(&made)) {
    return Tell(ev, *error);
  }
  out = std::get<mesh::Sharding>(made);
  if (divisible) {
    if (auto error = mesh::CheckDivisible(s.mesh->mesh, out, dims, "")) {
      return Tell(ev, *error);
    }
  }
  return true;
}

Value ShardShape(Call& c) {
  Value v[2];
  tensor::Dims dims;
  mesh::Sharding s;
  if (!c.Bind("self, global_shape", v) || !FitShape(c.ev, v[0].as<ShardingObj>(), v[1], true, dims, s)) {
    return Value::Error();
  }
  return c.ev.heap().Ints(mesh::LocalDims(s, dims));
}

Value DevicesIndicesMap(Call& c) {
  Value v[2];
  tensor::Dims dims;
  mesh::Sharding s;
  if (!c.Bind("self, global_shape", v) || !FitShape(c.ev, v[0].as<ShardingObj>(), v[1], true, dims, s)) {
    return Value::Error();
  }
  const mesh::Mesh& mesh = v[0].as<ShardingObj>().mesh->mesh;
  auto slices_each = static_cast<int64_t>(dims.size() + 1);
  if (!c.ev.Work(2 * mesh.size() * slices_each) ||
      !c.ev.Afford(mesh.size() * slices_each * static_cast<int64_t>(sizeof(SliceObj) + sizeof(SeqObj)))) {
    return Value::Error();
  }
  auto* dict = c.ev.heap().New<DictObj>();
  for (int64_t position = 0; position < mesh.size(); ++position) {
    std::vector<Value> slices;
    auto ranges = mesh::ShardRange(mesh, s, dims, position);
    for (size_t d = 0; d < ranges.size(); ++d) {
      auto* slice = c.ev.heap().New<SliceObj>();
      bool split = mesh::ShardCount(s.dims[d]) > 1;
      slice->start = split ? Value::Int(ranges[d].first) : Value::None();
      slice->stop = split ? Value::Int(ranges[d].second) : Value::None();
      slice->step = Value::None();
      slices.push_back(Value::Object(VK::Slice, slice));
    }
    dict->items.push_back({Value::Tagged(VK::Device, mesh.DeviceAt(position)), c.ev.heap().Tuple(std::move(slices))});
  }
  return Value::Object(VK::Dict, dict);
}

// sharding.update(spec=, mesh=)
Value UpdateSharding(Call& c) {
  Value v[3];
  if (!c.Bind("self, *, spec=, mesh=", v)) {
    return Value::Error();
  }
  const auto& s = v[0].as<ShardingObj>();
  MeshObj* mesh = v[2].is(VK::Mesh) ? &v[2].as<MeshObj>() : s.mesh;
  ShardingObj* made = MakeNamedSharding(c.ev, mesh, v[1].is(VK::Spec) ? v[1].as<SpecObj>().spec : s.spec);
  return made == nullptr ? Value::Error() : Value::Object(VK::Sharding, made);
}

const Builtin kShardingMethods[] = {
    {0, "is_equivalent_to", IsEquivalentTo},
    {0, "shard_shape", ShardShape},
    {0, "devices_indices_map", DevicesIndicesMap},
    {0, "update", UpdateSharding},
};

// spec.update(partitions=, unreduced=, reduced=)
Value UpdateSpec(Call& c) {
  Value v[4];
  if (!c.Bind("self, *, partitions=, unreduced=, reduced=", v)) {
    return Value::Error();
  }
  std::vector<Value> entries;
  if (!c.ev.Iterate(v[1].given() ? v[1] : v[0], entries)) {
    return Value::Error();
  }
  const auto& spec = v[0].as<SpecObj>().spec;
  return c.ev.CallFunction(c.ev.FindIn(kSharding, "PartitionSpec"), entries,
                           {{"unreduced", v[2].given() ? v[2] : AxisNames(c.ev, spec.unreduced, true)},
                            {"reduced", v[3].given() ? v[3] : AxisNames(c.ev, spec.reduced, true)}});
}

const Builtin kSpecMethods[] = {{0, "update", UpdateSpec}};

}  // namespace

Value MeshAttr(Evaluator& ev, const Value& v, llvm::StringRef name) {
  const auto& obj = v.as<MeshObj>();
  std::vector<Value> names, sizes, types;
  auto* shape = ev.heap().New<DictObj>();
  shape->ordered = true;
  for (const mesh::Axis& axis : obj.mesh.axes) {
    names.push_back(ev.heap().Str(axis.name));
    sizes.push_back(Value::Int(axis.size));
    types.push_back(Value::AxisType(axis.type));
    shape->items.push_back({names.back(), sizes.back()});
  }
  if (name == "shape") {
    return Value::Object(VK::Dict, shape);
  }
  if (name == "axis_names") {
    return ev.heap().Tuple(std::move(names));
  }
  if (name == "axis_sizes") {
    return ev.heap().Tuple(std::move(sizes));
  }
  if (name == "axis_types") {
    return ev.heap().Tuple(std::move(types));
  }
  if (name == "size") {
    return Value::Int(obj.mesh.axes.empty() ? 0 : obj.mesh.size());
  }
  if (name == "empty") {
    return Value::Bool(obj.mesh.axes.empty());
  }
  if (name == "devices" && !obj.abstract) {
    return Devices(ev, obj.mesh);
  }
  if (name == "shape_tuple") {
    std::vector<Value> pairs;
    for (size_t i = 0; i < names.size(); ++i) {
      pairs.push_back(ev.heap().Tuple({names[i], sizes[i]}));
    }
    return ev.heap().Tuple(std::move(pairs));
  }
  for (const auto& [word, type] :
       {std::pair("auto", mesh::AxisType::Auto), std::pair("explicit", mesh::AxisType::Explicit),
        std::pair("manual", mesh::AxisType::Manual)}) {
    std::vector<Value> of_type;
    for (size_t i = 0; i < names.size(); ++i) {
      if (obj.mesh.axes[i].type == type) {
        of_type.push_back(names[i]);
      }
    }
    if (name == std::string(word) + "_axes") {
      return ev.heap().Tuple(std::move(of_type));
    }
    if (name == std::string("are_all_axes_") + word) {
      return Value::Bool(of_type.size() == names.size());
    }
  }
  if (name == "is_multi_process" && !obj.abstract) {
    return Value::Bool(false);
  }
  if (name == "abstract_mesh") {
    auto* mesh = ev.heap().New<MeshObj>();
    *mesh = obj;
    mesh->abstract = true;
    return Value::Object(VK::Mesh, mesh);
  }
  return obj.abstract ? Method(ev, v, kMeshMethods, name) : Value();
}

Value SpecAttr(Evaluator& ev, const Value& v, llvm::StringRef name) {
  const auto& spec = v.as<SpecObj>().spec;
  if (name == "partitions") {
    std::vector<Value> entries;
    ev.Iterate(v, entries);
    return ev.heap().Tuple(std::move(entries));
  }
  if (name == "unreduced") {
    return AxisNames(ev, spec.unreduced, true);
  }
  if (name == "reduced") {
    return AxisNames(ev, spec.reduced, true);
  }
  if (name == "UNCONSTRAINED") {
    return Value::Of(VK::Unconstrained);
  }
  if (name == "count" || name == "index") {
    return ev.GetAttr(SpecAttr(ev, v, "partitions"), name);
  }
  return Method(ev, v, kSpecMethods, name);
}

Value ShardingAttr(Evaluator& ev, const Value& v, llvm::StringRef name) {
  const auto& s = v.as<ShardingObj>();
  if (!IsDecided(ev, v)) {
    return Value::Error();
  }
  if (name == "is_fully_addressable" || name == "has_addressable_devices") {
    return Value::Bool(!s.mesh->abstract);
  }
  if (name == "mesh") {
    return Value::Object(VK::Mesh, s.mesh);
  }
  if (name == "spec") {
    return ev.heap().Spec(s.spec);
  }
  if (name == "is_fully_replicated") {
    return Value::Bool(mesh::Product(mesh::UsedAxes(s.sharding)) == 1);
  }
  if (name == "num_devices") {
    return Value::Int(s.mesh->mesh.size());
  }
  if (name == "memory_kind") {
    return ev.heap().Str("device");
  }
  if ((name == "device_set" || name == "addressable_devices") && !s.mesh->abstract) {
    auto* set = ev.heap().New<SetObj>();
    Value grid = Devices(ev, s.mesh->mesh);
    grid = ev.CallFunction(ev.GetAttr(grid, "flatten"), {});
    return ev.Iterate(grid, set->items) ? Value::Object(VK::Set, set) : Value::Error();
  }
  if (name == "replicated_axes") {
    mesh::AxisList used = mesh::UsedAxes(s.sharding);
    std::vector<std::string> names;
    for (size_t i = 0; i < s.mesh->mesh.axes.size(); ++i) {
      if (!mesh::Overlaps(mesh::AxisRef{static_cast<int32_t>(i), 1, s.mesh->mesh.axes[i].size}, used)) {
        names.push_back(s.mesh->mesh.axes[i].name);
      }
    }
    return AxisNames(ev, names, true);
  }
  return Method(ev, v, kShardingMethods, name);
}

}  // namespace spmdc::text::native
