// Mesh, make_mesh, PartitionSpec, NamedSharding, set_mesh and the other constructors of JAX's sharding API.
#include <cmath>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "text/native/entry_specs.h"
#include "text/native/evaluator.h"
#include "text/native/numpy.h"
#include "text/native/python_methods.h"
#include "text/native/sharding_api.h"
#include "text/native/tracer.h"

namespace spmdc::text::native {
namespace {

Value Fail(Call& c, diag::Kind kind, const std::string& message) { return c.ev.Fail(kind, message); }

// devices(backend=None), local_devices(process_index=None, backend=None, host_id=None) (data 1), and their counts.
bool BindBackend(Call& c) {
  Value v[3];
  return c.builtin.data == 1 ? c.Bind("process_index=, backend=, host_id=", v)
                             : c.Bind("backend=", llvm::MutableArrayRef<Value>(v, 1));
}

Value DevicesOf(Call& c) {
  if (!BindBackend(c)) {
    return Value::Error();
  }
  return c.ev.heap().DeviceList(0, c.ev.num_devices(), 1);
}

Value DeviceCount(Call& c) { return BindBackend(c) ? Value::Int(c.ev.num_devices()) : Value::Error(); }

// Options of JAX that say how it works, not what a program means.
constexpr llvm::StringRef kHarmlessOptions =
    " jax_platforms jax_platform_name jax_log_compiles jax_traceback_filtering jax_explain_cache_misses "
    "jax_compilation_cache_dir jax_persistent_cache_min_compile_time_secs jax_enable_compilation_cache ";

// jax.config.update(name, value)
Value ConfigUpdate(Call& c) {
  Value v[2];
  if (!c.Bind("name, val", v)) {
    return Value::Error();
  }
  std::optional<std::string> name = c.ev.ToStr(v[0], "the name of an option");
  if (!name) {
    return Value::Error();
  }
  if (*name == "jax_num_cpu_devices") {
    std::optional<int64_t> devices = c.ev.ToInt(v[1], "jax_num_cpu_devices");
    if (devices && (*devices < 1 || *devices > kMaxDevices)) {
      return Fail(c, diag::Kind::DeviceCount, "jax_num_cpu_devices is a number of devices, got " + Repr(v[1]));
    }
    if (devices) {
      c.ev.SetNumDevices(*devices);
    }
    return devices ? Value::None() : Value::Error();
  }
  // What the language has anyway.
  bool is_so = (*name == "jax_enable_x64" && v[1].is(VK::Bool) && !v[1].b) ||
               (*name == "jax_threefry_partitionable" && v[1].is(VK::Bool) && v[1].b);
  bool harmless = is_so || kHarmlessOptions.contains(" " + *name + " ");
  return harmless ? Value::None()
                  : c.ev.Fail(diag::Kind::NotInLanguage,
                              "jax.config.update('" + *name + "', " + Repr(v[1]) + ") is not supported");
}

// What is known of the machine: it is one process, of the CPU.
Value MachineFact(Call& c) {
  Value v[1];
  if (!c.Bind("backend=", v)) {
    return Value::Error();
  }
  return c.builtin.data == 2 ? c.ev.heap().Str("cpu") : Value::Int(c.builtin.data);
}

bool AxisNameArgs(Call& c, const Value& v, std::vector<std::string>& names) {
  std::vector<Value> items{v};
  if (!v.is(VK::Str)) {
    items.clear();
    if (!c.ev.Iterate(v, items)) {
      return false;
    }
  }
  for (const Value& item : items) {
    std::optional<std::string> name = c.ev.ToStr(item, "the name of a mesh axis");
    if (!name) {
      return false;
    }
    names.push_back(*name);
  }
  return true;
}

// Fills names and types into a mesh whose sizes are set. axis_types: none, one type or one per axis.
bool NameAxes(Call& c, mesh::Mesh& mesh, const std::vector<std::string>& names, const Value& types,
              mesh::AxisType fallback) {
  if (names.size() != mesh.axes.size()) {
    return !Fail(c, diag::Kind::MeshShape,
                 "a mesh of " + Counted(static_cast<int64_t>(mesh.axes.size()), "dim") +
                     " needs as many axis names, got " + std::to_string(names.size()))
                .failed();
  }
  std::vector<Value> given;
  if (types.is(VK::AxisType)) {
    given.push_back(types);
  } else if (types.is(VK::List)) {
    return !Fail(c, diag::Kind::AxisTypes, "axis_types must be a tuple of AxisType, got " + Repr(types)).failed();
  } else if (!types.none() && !c.ev.Iterate(types, given)) {
    return false;
  }
  if (!types.none() && given.size() != names.size()) {
    return !Fail(c, diag::Kind::AxisTypes,
                 "axis_types must have one entry per axis name, got " + std::to_string(given.size()) + " for " +
                     Counted(static_cast<int64_t>(names.size()), "name"))
                .failed();
  }
  llvm::StringSet<> seen;
  for (size_t i = 0; i < names.size(); ++i) {
    if (!seen.insert(names[i]).second) {
      return !Fail(c, diag::Kind::MeshShape, "the mesh axis '" + names[i] + "' is given twice").failed();
    }
    mesh.axes[i].name = names[i];
    mesh.axes[i].type = fallback;
    if (!types.none()) {
      if (!given[i].is(VK::AxisType)) {
        return !Fail(c, diag::Kind::AxisTypes, "axis_types must hold values of AxisType, got " + Repr(given[i]))
                    .failed();
      }
      mesh.axes[i].type = static_cast<mesh::AxisType>(given[i].i);
    }
  }
  return true;
}

Value Finish(Call& c, mesh::Mesh mesh, bool abstract) {
  mesh.name = "mesh";
  mesh::NormalizeDeviceIds(mesh);
  MeshObj* obj = StandIn(c.ev, mesh);
  if (c.ev.has_failed()) {
    return Value::Error();
  }
  if (obj == nullptr) {
    obj = c.ev.heap().New<MeshObj>();
    obj->mesh = std::move(mesh);
  }
  obj->abstract = abstract;
  if (!abstract) {
    c.ev.last_mesh = obj;
  }
  return Value::Object(VK::Mesh, obj);
}

// Device numbers as a mesh's order. A device may occur once.
bool SetDevices(Call& c, mesh::Mesh& mesh, const tensor::Literal& ids) {
  llvm::DenseMap<int64_t, bool> seen;
  bool identity = true;
  for (int64_t i = 0; i < ids.size(); ++i) {
    int64_t id = ids.GetInt(i);
    identity &= id == i;
    if (!seen.try_emplace(id + 1, true).second) {
      return !Fail(c, diag::Kind::DeviceCount, "device " + std::to_string(id) + " occurs twice in the mesh").failed();
    }
    mesh.device_ids.push_back(id);
  }
  // A mesh of the first n devices numbers them as a whole machine of n does.
  if (identity) {
    mesh.device_ids.clear();
  }
  return true;
}

struct DeviceArray {
  tensor::Dims dims;
  std::optional<tensor::Literal> ids;  // none: 0, 1, 2, ...
};

// An array, a list or one device. Nothing after a diagnostic.
std::optional<DeviceArray> DevicesFrom(Call& c, const Value& v) {
  if (std::optional<DeviceGrid> grid = GridOf(v)) {
    // The order of devices that a rule does not say is kept as a list, and looked through for what occurs twice.
    constexpr int64_t kBytesPerDevice = 64;
    if (!grid->is_identity() && !c.ev.Afford(kBytesPerDevice * tensor::NumElements(grid->dims))) {
      return std::nullopt;
    }
    return grid->is_identity() ? DeviceArray{grid->dims, std::nullopt} : DeviceArray{grid->dims, grid->Spelled()};
  }
  bool devices = false;
  std::optional<tensor::Literal> ids =
      ToLiteral(c.ev, v.is(VK::Device) ? c.ev.heap().List({v}) : v, std::nullopt, &devices);
  if (!ids) {
    return std::nullopt;
  }
  if (!devices) {
    c.ev.TypeError("an array of devices is expected, such as np.array(devices()).reshape(4, 2)");
    return std::nullopt;
  }
  tensor::Dims dims(ids->dims().begin(), ids->dims().end());
  return DeviceArray{dims, std::move(ids)};
}

// Axes of these sizes, without names.
bool AddAxes(Call& c, llvm::ArrayRef<int64_t> sizes, mesh::Mesh& mesh) {
  int64_t total = 1;
  for (int64_t size : sizes) {
    if (size <= 0 || size > kMaxDevices || (total *= size) > kMaxDevices) {
      return !Fail(c, diag::Kind::MeshShape,
                   "the sizes of a mesh must be positive, and their product at most " + std::to_string(kMaxDevices) +
                       ", got " + ShapeText(sizes))
                  .failed();
    }
    mesh.axes.push_back({"", size, mesh::AxisType::Auto});
  }
  return true;
}

Value MakeMeshFromArray(Call& c) {
  Value v[3];
  std::vector<std::string> names;
  if (!c.Bind("devices, axis_names, axis_types=", v) || !AxisNameArgs(c, v[1], names)) {
    return Value::Error();
  }
  std::optional<DeviceArray> devices = DevicesFrom(c, v[0]);
  if (!devices) {
    return Value::Error();
  }
  mesh::Mesh mesh;
  if (!AddAxes(c, devices->dims, mesh) || !NameAxes(c, mesh, names, v[2], mesh::AxisType::Auto) ||
      (devices->ids && !SetDevices(c, mesh, *devices->ids))) {
    return Value::Error();
  }
  return Finish(c, std::move(mesh), false);
}

bool Sizes(Call& c, const Value& v, mesh::Mesh& mesh) {
  tensor::Dims sizes;
  std::vector<Value> items;
  if (!c.ev.Iterate(v, items)) {
    return false;
  }
  for (Value& item : items) {
    if (item.is(VK::Float) && std::abs(item.f) < 1e9) {
      item = Value::Int(static_cast<int64_t>(item.f));  // numpy truncates them, and JAX goes by numpy
    }
  }
  if (!c.ev.ToInts(c.ev.heap().Tuple(std::move(items)), "the sizes of a mesh", sizes)) {
    return false;
  }
  return AddAxes(c, sizes, mesh);
}

Value MakeMesh(Call& c) {
  Value v[4];
  mesh::Mesh mesh;
  std::vector<std::string> names;
  if (!c.Bind("axis_shapes, axis_names, axis_types=, *, devices=", v) || !Sizes(c, v[0], mesh) ||
      !AxisNameArgs(c, v[1], names) || !NameAxes(c, mesh, names, v[2], mesh::AxisType::Explicit)) {
    return Value::Error();
  }
  std::optional<DeviceArray> devices;
  int64_t have = c.ev.num_devices();
  if (!v[3].none()) {
    devices = DevicesFrom(c, v[3]);
    if (!devices) {
      return Value::Error();
    }
    have = tensor::NumElements(devices->dims);
  }
  if (mesh.size() > have) {
    return Fail(c, diag::Kind::DeviceCount,
                "a mesh of " + Counted(mesh.size(), "device") + " was asked for, but there " +
                    (have == 1 ? "is " : "are ") + std::to_string(have));
  }
  if (devices && devices->ids) {
    tensor::Literal first(tensor::DType::S64, {mesh.size()});
    for (int64_t i = 0; i < mesh.size(); ++i) {
      first.SetInt(i, devices->ids->GetInt(i));
    }
    if (!SetDevices(c, mesh, first)) {
      return Value::Error();
    }
  }
  return Finish(c, std::move(mesh), false);
}

Value MakeAbstractMesh(Call& c) {
  Value v[4];
  mesh::Mesh mesh;
  std::vector<std::string> names;
  if (!c.Bind("axis_sizes, axis_names, axis_types=, *, abstract_device=", v) || !Sizes(c, v[0], mesh) ||
      !AxisNameArgs(c, v[1], names) || !NameAxes(c, mesh, names, v[2], mesh::AxisType::Auto)) {
    return Value::Error();
  }
  Value made = Finish(c, std::move(mesh), true);
  c.ev.last_mesh = &made.as<MeshObj>();
  return made;
}

bool EntryOf(Call& c, const Value& v, mesh::SpecEntry& entry) {
  if (v.is(VK::None)) {
    return true;
  }
  if (v.is(VK::Unconstrained)) {
    entry.unconstrained = true;
    return true;
  }
  if (v.is(VK::Str)) {
    if (!Text(v).empty()) {  // '' is as good as None
      entry.axes.push_back(Text(v));
    }
    return true;
  }
  if (v.is_sequence()) {
    entry.tuple = true;
    for (const Value& axis : Items(v)) {
      if (!axis.is(VK::Str)) {
        return !Fail(c, diag::Kind::SpecForm, "a tuple in a PartitionSpec holds names of mesh axes, got " + Repr(axis))
                    .failed();
      }
      entry.axes.push_back(Text(axis));
    }
    return true;
  }
  return !Fail(c, diag::Kind::SpecForm,
               "an entry of a PartitionSpec is None, a mesh axis or a tuple of mesh axes, got " + Repr(v))
              .failed();
}

bool SpecSet(Call& c, llvm::StringRef what, const Value& v, llvm::SmallVectorImpl<std::string>& out) {
  if (!v.is(VK::Set)) {
    return !Fail(c, diag::Kind::SpecForm, what.str() + " of a PartitionSpec must be a set of mesh axes, got " + Repr(v))
                .failed();
  }
  for (const Value& item : v.as<SetObj>().items) {
    if (!item.is(VK::Str)) {
      return !Fail(c, diag::Kind::SpecForm,
                   what.str() + " of a PartitionSpec must hold names of mesh axes, got " + Repr(item))
                  .failed();
    }
    out.push_back(Text(item));
  }
  llvm::sort(out);
  return true;
}

Value MakeSpec(Call& c) {
  mesh::PartitionSpec spec;
  for (const Value& arg : c.args) {
    spec.entries.emplace_back();
    if (!EntryOf(c, arg, spec.entries.back())) {
      return Value::Error();
    }
  }
  for (const auto& [name, value] : c.kwargs) {
    if (name != "unreduced" && name != "reduced") {
      return Fail(c, diag::Kind::Arguments, "PartitionSpec() got an unexpected keyword argument '" + name.str() + "'");
    }
    if (!SpecSet(c, name, value, name == "unreduced" ? spec.unreduced : spec.reduced)) {
      return Value::Error();
    }
  }
  if (auto error = mesh::CheckForm(spec)) {
    return c.ev.Fail(error->kind, error->message, error->help);
  }
  return c.ev.heap().Spec(std::move(spec));
}

Value MakeSharding(Call& c) {
  Value v[2];
  if (!c.Bind("mesh, spec", v)) {
    return Value::Error();
  }
  if (!v[0].is(VK::Mesh)) {
    return c.ev.TypeError("NamedSharding() needs a mesh, got " + TypeName(v[0]));
  }
  if (!v[1].is(VK::Spec)) {
    return c.ev.TypeError("NamedSharding() needs a PartitionSpec, got " + Repr(v[1]));
  }
  ShardingObj* made = MakeNamedSharding(c.ev, &v[0].as<MeshObj>(), v[1].as<SpecObj>().spec);
  return made == nullptr ? Value::Error() : Value::Object(VK::Sharding, made);
}

struct ContextObj : Object {
  MeshObj* mesh = nullptr;
  std::optional<MeshObj*> replaced;  // where it became the context mesh at once: the one before
};

Value NewContext(Call& c, MeshObj* mesh) {
  auto* context = c.ev.heap().New<ContextObj>();
  context->mesh = mesh;
  return Value::Object(VK::Context, context);
}

// set_mesh(m) acts at once at the top level; in a `with` statement until its end. use_abstract_mesh (1) only the latter.
Value SetMesh(Call& c) {
  Value v[1];
  if (!c.Bind("mesh", v)) {
    return Value::Error();
  }
  if (!v[0].is(VK::Mesh)) {
    return v[0].is(VK::None) ? NewContext(c, nullptr) : c.ev.TypeError("a mesh is expected, got " + TypeName(v[0]));
  }
  MeshObj* mesh = &v[0].as<MeshObj>();
  Value context = NewContext(c, mesh);
  if (c.builtin.data == 0 && c.ev.tracer().at_top_level()) {
    context.as<ContextObj>().replaced = c.ev.tracer().context_mesh();
    c.ev.tracer().SetMesh(mesh);
  }
  return context;
}

Value NamedScope(Call& c) {
  Value v[1];
  return c.Bind("name", v) ? NewContext(c, nullptr) : Value::Error();
}

Value GetMesh(Call& c) {
  if (!c.Bind("", {})) {
    return Value::Error();
  }
  if (c.builtin.data == 0 && !c.ev.tracer().at_top_level()) {
    return c.ev.Fail(diag::Kind::Python, "get_mesh() has no devices to give while a function is traced",
                     "use get_abstract_mesh()");
  }
  MeshObj* mesh = c.ev.tracer().context_mesh();
  auto* copy = c.ev.heap().New<MeshObj>();
  if (mesh != nullptr) {
    *copy = *mesh;
  }
  copy->abstract = c.builtin.data == 1 || copy->abstract;
  return Value::Object(VK::Mesh, copy);
}

Value AxisTypeClass(Call& c) {
  return c.ev.TypeError("AxisType is not called; its values are Auto, Explicit and Manual");
}

const Builtin kShardingTable[] = {
    {kBare | kJax, "devices", DevicesOf},
    {kBare | kJax, "local_devices", DevicesOf, 1},
    {kJax, "device_count", DeviceCount},
    {kJax, "local_device_count", DeviceCount},
    {kJax, "process_index", MachineFact, 0},
    {kJax, "process_count", MachineFact, 1},
    {kJax, "default_backend", MachineFact, 2},
    {kConfig, "update", ConfigUpdate},
    {kBare | kSharding, "Mesh", MakeMeshFromArray},
    {kBare | kJax, "make_mesh", MakeMesh},
    {kBare | kSharding, "AbstractMesh", MakeAbstractMesh},
    {kBare | kSharding, "PartitionSpec", MakeSpec},
    {kBare | kJax | kSharding, "P", MakeSpec},
    {kBare | kSharding | kJax, "NamedSharding", MakeSharding},
    {kBare | kSharding | kJax, "set_mesh", SetMesh, 0},
    {kBare | kSharding, "use_mesh", SetMesh, 1},
    {kBare | kSharding, "use_abstract_mesh", SetMesh, 1},
    {kBare | kSharding, "get_mesh", GetMesh, 0},
    {kBare | kSharding, "get_abstract_mesh", GetMesh, 1},
    {kBare | kSharding, "AxisType", AxisTypeClass},
    {kBare | kJax, "named_scope", NamedScope},
};

}  // namespace

MeshContext ContextOf(const Value& context) {
  const auto& obj = context.as<ContextObj>();
  return {obj.mesh, obj.replaced};
}

Value BuiltinAttr(Evaluator& ev, const Value& v, llvm::StringRef name) {
  llvm::StringRef builtin = v.builtin->name;
  if ((builtin == "P" || builtin == "PartitionSpec") && name == "UNCONSTRAINED") {
    return Value::Of(VK::Unconstrained);
  }
  if (builtin == "AxisType") {
    return ev.FindIn(kBare, name).is(VK::AxisType) ? ev.FindIn(kBare, name) : Value();
  }
  if (name == "__name__") {
    return ev.heap().Str(builtin.str());
  }
  return Value();
}

llvm::ArrayRef<Builtin> ShardingBuiltins() { return kShardingTable; }

}  // namespace spmdc::text::native
