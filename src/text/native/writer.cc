// Flat native text: meshes, then one def per body (innermost first), then the entry.
//
//   mesh = make_mesh((2, 2), ('x', 'y'))
//   def main(a: f32[8@x, 4], b: f32[4, 6@y]):
//       v0: f32[8@x, 6@y] = lax.dot_general(a, b, dimension_numbers=(((1,), (0,)), ((), ())))
//       return v0
#include "text/native/writer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "mesh/sdy_sharding.h"
#include "mesh/spec.h"
#include "text/native/decided.h"
#include "text/native/donation.h"
#include "text/native/numpy.h"
#include "text/native/token.h"
#include "text/native/writer_impl.h"

namespace spmdc::text::native {
namespace {

// Names that a value must not hide, since the text uses them.
const llvm::StringRef kReserved[] = {"jnp",     "lax",       "np",   "jax",     "mesh",    "P",   "spmdc", "jit",
                                     "reshard", "shard_map", "main", "devices", "carried", "inf", "nan"};

std::string Identifier(llvm::StringRef wanted) {
  std::string out;
  for (char c : wanted) {
    out += llvm::isAlnum(c) || c == '_' ? c : '_';
  }
  out = llvm::StringRef(out).rtrim('_').str();
  if (out.empty() || llvm::isDigit(out[0])) {
    out.insert(0, "v");
  }
  bool dtype = tensor::FromHloName(out).has_value();
  return IsPythonKeyword(out) || dtype || llvm::is_contained(kReserved, llvm::StringRef(out)) ? out + "_" : out;
}

bool IsAllExplicit(const mesh::Mesh& mesh) {
  return llvm::all_of(mesh.axes, [](const mesh::Axis& axis) { return axis.type == mesh::AxisType::Explicit; });
}

bool HasJaxType(tensor::DType dtype) {
  return Canonical(dtype) == dtype && tensor::Class(dtype) != tensor::DClass::Other;
}

// Finds the meshes that attributes name.
class MeshCollector final : public ir::FieldVisitor {
 public:
  MeshCollector(llvm::function_ref<void(mesh::MeshId)> mesh, llvm::function_ref<void(mesh::ShardingId)> sharding)
      : mesh_(mesh), sharding_(sharding) {}
  void Field(llvm::StringRef, bool&) override {}
  void Field(llvm::StringRef, int64_t&) override {}
  void Field(llvm::StringRef, double&) override {}
  void Field(llvm::StringRef, std::string&) override {}
  void Field(llvm::StringRef, tensor::Dims&) override {}
  void Field(llvm::StringRef, std::vector<tensor::Dims>&) override {}
  void Field(llvm::StringRef, tensor::DType&) override {}
  void Field(llvm::StringRef, tensor::Literal&) override {}
  void Field(llvm::StringRef, mesh::MeshId& id) override { mesh_(id); }
  void Field(llvm::StringRef, mesh::AxisList&) override {}
  void Field(llvm::StringRef, mesh::ShardingId& id) override { sharding_(id); }
  void Field(llvm::StringRef, llvm::SmallVector<mesh::ShardingId, 4>& ids) override {
    for (mesh::ShardingId id : ids) {
      sharding_(id);
    }
  }
  void Enum(llvm::StringRef, int&, llvm::ArrayRef<llvm::StringRef>) override {}

 private:
  llvm::function_ref<void(mesh::MeshId)> mesh_;
  llvm::function_ref<void(mesh::ShardingId)> sharding_;
};

// A type or a value of the boundary, which has it as keys if that is said of it.
std::string OfKeys(const std::string& data, const ir::BoundaryInfo& info) {
  if (!info.key) {
    return data;
  }
  llvm::StringRef name = tensor::HloName(*info.key);
  name.consume_front("key<");
  name.consume_back(">");
  return "spmdc.keys(" + data + ", '" + name.str() + "')";
}

}  // namespace

bool IsPythonKeyword(llvm::StringRef word) {
  bool keyword = false;
  for (int k = static_cast<int>(Tok::KwFalse); k <= static_cast<int>(Tok::KwYield); ++k) {
    keyword |= Spelling(static_cast<Tok>(k)) == word;
  }
  return keyword;
}

std::string TupleText(llvm::ArrayRef<std::string> parts) {
  std::string out;
  for (const std::string& part : parts) {
    out += (out.empty() ? "" : ", ") + part;
  }
  return "(" + out + (parts.size() == 1 ? ",)" : ")");
}

std::string ModuleWriter::SdyString(const mesh::Sharding& sharding) const {
  mesh::Mesh named = module_.tables->meshes[sharding.mesh];
  named.name = mesh_names_.lookup(sharding.mesh);
  std::string text = mesh::ToSdy(named, sharding);
  std::replace(text.begin(), text.end(), '"', '\'');
  return "\"" + text + "\"";
}

ModuleWriter::ModuleWriter(const ir::Module& module, bool exact, const llvm::DenseSet<ir::FuncId>* called,
                           Reread& reread)
    : module_(module), exact_(exact), called_(called), reread_(reread) {}

std::string ModuleWriter::GlobalName(llvm::StringRef wanted) {
  std::string name = names_.Unique(wanted);
  global_names_.insert(name);
  return name;
}

void ModuleWriter::NameMeshes() {
  auto add = [&](mesh::MeshId id) {
    if (!id.valid() || mesh_names_.count(id) != 0 ||
        (module_.tables->meshes[id].axes.empty() && !module_.tables->meshes[id].maximal)) {
      return;
    }
    std::string name = llvm::StringRef(Identifier(module_.tables->meshes[id].name)).rtrim('_').str();
    std::string unique = GlobalName(name);
    needs_exact_ |= unique != "mesh";
    mesh_names_[id] = unique;
    meshes_.push_back({id, unique});
  };
  auto add_of = [&](mesh::ShardingId id) {
    if (id.valid()) {
      add(module_.tables->shardings[id].mesh);
    }
  };
  add(module_.mesh);
  for (const ir::Function& f : module_.functions) {
    for (const ir::Value& v : f.values) {
      add_of(module_.type(v).sharding);
      add_of(v.sharding);
    }
    for (const auto* infos : {&f.arg_info, &f.result_info}) {
      for (const ir::BoundaryInfo& info : *infos) {
        add_of(info.sharding);
      }
    }
    for (const ir::Inst& inst : f.insts) {
      if (inst.attrs.valid()) {
        MeshCollector collector(add, add_of);
        module_.tables->attrs.Copy(inst.attrs)->Visit(collector);
      }
    }
  }
}

// A type that names axes which the mesh does not have as Explicit, as inside explicit_axes.
bool ModuleWriter::NamesOtherAxes(const ir::Type& type) const {
  if (!type.sharding.valid()) {
    return false;
  }
  const mesh::Sharding& s = module_.tables->shardings[type.sharding];
  const mesh::Mesh& mesh = module_.tables->meshes[s.mesh];
  return llvm::any_of(s.dims, [&](const mesh::DimSharding& dim) {
    return llvm::any_of(dim.axes, [&](const mesh::AxisRef& ref) {
      return mesh.axes[static_cast<size_t>(ref.axis)].type != mesh::AxisType::Explicit;
    });
  });
}

// What JAX's own words cannot say of values: exact types, and where inner values are.
void ModuleWriter::LookAtValues() {
  // Where all axes are Explicit, types alone decide; nothing is decided again when they are read.
  needs_exact_ |= module_.per_device ||
                  (IsDecided(module_) && module_.mesh.valid() && !IsAllExplicit(module_.tables->meshes[module_.mesh]));
  for (const ir::Function& f : module_.functions) {
    for (const ir::Value& v : f.values) {
      needs_exact_ |=
          !HasJaxType(module_.type(v).dtype) || NamesOtherAxes(module_.type(v)) ||
          (v.def.valid() && v.sharding.valid() && !IsSaid(module_.type(v), module_.tables->shardings[v.sharding]));
    }
    for (const auto* infos : {&f.arg_info, &f.result_info}) {
      needs_exact_ |= llvm::any_of(*infos, [](const ir::BoundaryInfo& info) { return info.weak || info.key; });
    }
  }
}

std::string ModuleWriter::FlatLine() const {
  int64_t devices = module_.mesh.valid() ? module_.tables->meshes[module_.mesh].size() : 1;
  std::vector<std::string> aliases;
  const std::vector<ir::BoundaryInfo>& infos = module_.functions[module_.entry].arg_info;
  for (size_t i = 0; i < infos.size(); ++i) {
    if (infos[i].alias >= 0) {
      aliases.push_back("(" + std::to_string(i) + ", " + std::to_string(infos[i].alias) + ")");
    }
  }
  return std::string("spmdc.flat(1") + (module_.per_device ? ", per_device=True" : "") +
         (IsDecided(module_) && !module_.per_device ? ", decided=True" : "") +
         (module_.num_devices != devices ? ", devices=" + std::to_string(module_.num_devices) : "") +
         (aliases.empty() ? "" : ", aliases=" + TupleText(aliases)) + ")\n";
}

std::string ModuleWriter::MeshLine(mesh::MeshId id, const std::string& name) {
  const mesh::Mesh& mesh = module_.tables->meshes[id];
  if (mesh.maximal) {
    std::string text = mesh::ToSdyMesh(mesh);
    std::replace(text.begin(), text.end(), '"', '\'');
    return name + " = spmdc.mesh(\"" + text + "\")\n";
  }
  std::vector<std::string> sizes, names, types;
  bool all_explicit = true;
  for (const mesh::Axis& axis : mesh.axes) {
    sizes.push_back(std::to_string(axis.size));
    names.push_back("'" + axis.name + "'");
    types.push_back(mesh::Name(axis.type).str());
    all_explicit &= axis.type == mesh::AxisType::Explicit;
  }
  std::string axis_types = ", axis_types=" + TupleText(types);
  if (mesh.device_ids.empty()) {
    return name + " = make_mesh(" + TupleText(sizes) + ", " + TupleText(names) + (all_explicit ? "" : axis_types) +
           ")\n";
  }
  std::string ids;
  int64_t most = 0;
  for (int64_t device : mesh.device_ids) {
    ids += (ids.empty() ? "" : ", ") + std::to_string(device);
    most = std::max(most, device);
  }
  // The first reshape says how many devices there are.
  return name + " = Mesh(np.array(devices()).reshape(" + std::to_string(most + 1) + ")[[" + ids + "]].reshape(" +
         TupleText(sizes) + "), " + TupleText(names) + axis_types + ")\n";
}

// Bodies are named and printed before the function that uses them.
void ModuleWriter::NameFunctions(ir::FuncId id) {
  bool entry = id == module_.entry;
  if (function_names_.count(id) != 0 || (called_ != nullptr && !entry && !called_->contains(id))) {
    return;
  }
  const ir::Function& f = module_.functions[id];
  std::string name = entry ? "main" : Identifier(f.name.empty() ? "body" : f.name);
  function_names_[id] = GlobalName(name);
  for (const ir::Inst& inst : f.insts) {
    for (ir::FuncId body : f.bodies(inst)) {
      NameFunctions(body);
    }
  }
  order_.push_back(id);
}

// The spec that says all of a sharding, or nothing.
std::optional<std::string> ModuleWriter::SpecText(const mesh::Sharding& s) const {
  const mesh::Mesh& mesh = module_.tables->meshes[s.mesh];
  bool plain = s.replicated.empty() && s.varying.empty() && !mesh.maximal && s.unreduced_kind == mesh::Monoid::Sum;
  for (const mesh::AxisRef& ref : s.unreduced) {
    plain &= mesh.axes[static_cast<size_t>(ref.axis)].type == mesh::AxisType::Explicit;
  }
  for (const mesh::DimSharding& dim : s.dims) {
    plain &= !dim.open && dim.priority == mesh::kNoPriority;
    for (const mesh::AxisRef& ref : dim.axes) {
      plain &= mesh::IsWhole(mesh, ref);
    }
  }
  if (!plain) {
    return std::nullopt;
  }
  std::string spec = mesh::ToSpec(mesh, s);
  return s.mesh == module_.mesh ? spec : "NamedSharding(" + mesh_names_.lookup(s.mesh) + ", " + spec + ")";
}

std::string ModuleWriter::ShardingText(const mesh::Sharding& sharding) {
  mesh::Sharding s = OnProgramMesh(sharding);
  std::optional<std::string> spec = SpecText(s);
  needs_exact_ |= !spec || s.mesh != module_.mesh;
  if (spec) {
    return *spec;
  }
  return "spmdc.sharding(" + SdyString(s) + ")";
}

bool ModuleWriter::IsNowhere(const mesh::Sharding& sharding) const {
  const mesh::Mesh& mesh = module_.tables->meshes[sharding.mesh];
  return mesh.axes.empty() && !mesh.maximal;
}

// A placement on a mesh without axes is one on no axis of the program's.
mesh::Sharding ModuleWriter::OnProgramMesh(const mesh::Sharding& sharding) const {
  mesh::Sharding out = sharding;
  out.mesh = IsNowhere(sharding) && module_.mesh.valid() ? module_.mesh : sharding.mesh;
  return out;
}

// A placement on no axes says nothing where there is no mesh; nor does one that the reader makes of the type alone.
bool ModuleWriter::IsSaid(const ir::Type& type, const mesh::Sharding& placed, bool is_argument) const {
  const mesh::Mesh& mesh = module_.tables->meshes[placed.mesh];
  if (IsNowhere(placed)) {
    return true;
  }
  if (module_.per_device || !placed.replicated.empty()) {
    return false;
  }
  bool all_explicit = IsAllExplicit(mesh);
  if (type.sharding.valid()) {
    const mesh::Sharding& own = module_.tables->shardings[type.sharding];
    bool as_typed = placed.dims == own.dims && placed.mesh == own.mesh && placed.unreduced == own.unreduced;
    return as_typed && (all_explicit || is_argument || IsDecided(module_));
  }
  // Arguments without a word are undecided over Auto axes.
  bool undecided = is_argument && !all_explicit && !IsDecided(module_);
  bool as_read = llvm::all_of(placed.dims, [&](const mesh::DimSharding& dim) { return dim.open == undecided; });
  return mesh::NamesNoAxis(placed) && mesh.has_explicit_axes() && placed.mesh == module_.mesh && as_read &&
         (all_explicit || is_argument || IsDecided(module_));
}

// f32[8@x, 4]; with sets in braces as a string; with a placement as `f32[8, 4] @ P(...)`, or as spmdc.placed(type, sharding)
// where no spec says it.
std::string ModuleWriter::Annotation(const ir::Type& type, const mesh::Sharding* placement, bool weak,
                                     bool is_argument) {
  const mesh::Sharding* own = type.sharding.valid() ? &module_.tables->shardings[type.sharding] : nullptr;
  const mesh::Mesh* mesh = own != nullptr ? &module_.tables->meshes[own->mesh] : nullptr;
  std::string tight = mesh::TypeWithSharding(tensor::HloName(type.dtype), type.dims, mesh, own);
  std::string spaced;
  for (char c : tight) {
    spaced += c == ',' ? ", " : std::string(1, c);
  }
  std::string plain = type.rank() == 0 && HasJaxType(type.dtype) ? tensor::HloName(type.dtype).str() : spaced;
  if (weak || llvm::StringRef(tight).contains('{') || !HasJaxType(type.dtype)) {
    plain = (weak ? "\"~" : "\"") + tight + "\"";
  }
  std::optional<mesh::Sharding> placed = placement == nullptr ? std::nullopt : std::optional(OnProgramMesh(*placement));
  if (!placed || IsSaid(type, *placed, is_argument)) {
    return plain;
  }
  std::optional<std::string> spec = SpecText(*placed);
  needs_exact_ |= placed->mesh != module_.mesh || !mesh::IsEven(*placed, type.dims);
  if (spec && plain[0] != '"') {
    std::string bare = mesh::TypeWithSharding(tensor::HloName(type.dtype), type.dims, nullptr, nullptr);
    std::string out;
    for (char c : bare) {
      out += c == ',' ? ", " : std::string(1, c);
    }
    return (type.rank() == 0 ? tensor::HloName(type.dtype).str() : out) + " @ " + *spec;
  }
  needs_exact_ = true;
  return "spmdc.placed(" + plain + ", " + SdyString(*placed) + ")";
}

// The line above the entry that says where its results go, and whose memory they may take.
std::string ModuleWriter::Decorator(const ir::Function& f) {
  std::vector<std::string> specs;
  bool placed = false;
  for (size_t i = 0; i < f.result_info.size(); ++i) {
    const ir::BoundaryInfo& info = f.result_info[i];
    const mesh::Sharding* s = info.sharding.valid() ? &module_.tables->shardings[info.sharding] : nullptr;
    const ir::Type& type = module_.type(f, f.results[i]);
    // Where Explicit axes are placed elsewhere than the type says, JAX's jit would move the result; so does an uneven split.
    needs_exact_ |= s != nullptr && ((module_.tables->meshes[s->mesh].has_explicit_axes() && !IsSaid(type, *s)) ||
                                     !mesh::IsEven(*s, type.dims));
    bool said = s == nullptr || IsNowhere(OnProgramMesh(*s));
    placed |= !said;
    mesh::Sharding spec = said ? mesh::Sharding() : *s;
    if (type.sharding.valid()) {  // where a value is says nothing of what it is reduced over, and jit's specs do
      spec.reduced = module_.tables->shardings[type.sharding].reduced;
    }
    specs.push_back(said ? "None" : ShardingText(spec));
  }
  std::string out = placed ? "out_shardings=" + (specs.size() == 1 ? specs[0] : TupleText(specs)) : "";
  if (!exact_) {
    std::string donated = Donated(f);
    out += (out.empty() || donated.empty() ? "" : ", ") + donated;
  }
  return out.empty() ? "" : "@jit(" + out + ")\n";
}

// The arguments that give their memory away, in JAX's words, if JAX would find the results that take it.
std::string ModuleWriter::Donated(const ir::Function& entry) {
  std::vector<bool> donated;
  std::vector<int64_t> wanted;
  std::vector<std::string> numbers;
  for (const ir::BoundaryInfo& info : entry.arg_info) {
    if (info.alias >= 0) {
      numbers.push_back(std::to_string(donated.size()));
    }
    donated.push_back(info.alias >= 0);
    wanted.push_back(info.alias);
  }
  needs_exact_ |= DonationAliases(module_, entry, donated) != wanted;
  return numbers.empty() ? "" : "donate_argnums=" + TupleText(numbers);
}

IdMap<ir::ValueId, std::string> ModuleWriter::ValueNames(const ir::Function& f) const {
  ir::NameTable taken;
  IdMap<ir::ValueId, std::string> names;
  for (ir::ValueId v : f.values.ids()) {
    std::string name = Identifier(f.values[v].name);
    do {
      names[v] = taken.Unique(name);
    } while (global_names_.count(names[v]) != 0);
  }
  return names;
}

std::string ModuleWriter::Params(const ir::Function& f, bool entry, const IdMap<ir::ValueId, std::string>& names) {
  std::string out;
  for (size_t i = 0; i < f.args.size(); ++i) {
    const ir::BoundaryInfo* info = i < f.arg_info.size() ? &f.arg_info[i] : nullptr;
    mesh::ShardingId placed = entry && info != nullptr ? info->sharding : f.values[f.args[i]].sharding;
    needs_exact_ |= !entry && placed.valid() && !IsSaid(module_.type(f, f.args[i]), module_.tables->shardings[placed]);
    std::string type =
        Annotation(module_.type(f, f.args[i]), placed.valid() ? &module_.tables->shardings[placed] : nullptr,
                   info != nullptr && info->weak, entry);
    out += (i == 0 ? "" : ", ") + names.Get(f.args[i]) + ": " + (entry && info != nullptr ? OfKeys(type, *info) : type);
  }
  return out;
}

// `a: type = call`; the types of several results stand behind the call.
std::string ModuleWriter::Line(const ir::Function& f, const ir::Inst& inst,
                               const IdMap<ir::ValueId, std::string>& names, llvm::DenseSet<ir::ValueId>& used) {
  std::string call = CallText(*this, f, inst, names, used);
  std::string targets, types;
  for (uint32_t r = 0; r < inst.num_results; ++r) {
    ir::ValueId v = f.result(inst, r);
    std::string typed = names.Get(v) + ": " + Annotation(module_.type(f, v), module_.sharding(f.values[v]));
    targets += (r == 0 ? "" : ", ") + (inst.num_results == 1 ? typed : names.Get(v));
    types += exact_ && inst.num_results > 1 ? "    " + typed + "\n" : "";
  }
  return "    " + (inst.num_results == 0 ? "" : targets + " = ") + call + "\n" + types;
}

std::string ModuleWriter::Results(const ir::Function& f, bool entry, const IdMap<ir::ValueId, std::string>& names) {
  std::vector<std::string> results;
  for (size_t i = 0; i < f.results.size(); ++i) {
    bool weak = entry && i < f.result_info.size() && f.result_info[i].weak;
    std::string name = names.Get(f.results[i]);
    name = weak ? "spmdc.weak(" + name + ")" : name;
    results.push_back(entry && i < f.result_info.size() ? OfKeys(name, f.result_info[i]) : name);
  }
  return "    return " + (results.size() == 1 ? results[0] : TupleText(results)) + "\n";
}

std::string ModuleWriter::FunctionText(ir::FuncId id) {
  const ir::Function& f = module_.functions[id];
  bool entry = id == module_.entry;
  IdMap<ir::ValueId, std::string> names = ValueNames(f);
  std::string out =
      (entry ? Decorator(f) : "") + "def " + function_names_.lookup(id) + "(" + Params(f, entry, names) + "):\n";
  std::vector<std::string> lines;
  llvm::DenseSet<ir::ValueId> used(f.results.begin(), f.results.end());
  for (const ir::Inst& inst : f.insts) {
    lines.push_back(Line(f, inst, names, used));
  }
  size_t line = 0;
  for (const ir::Inst& inst : f.insts) {
    // Constants that no line names are part of the op that uses them (seeds of sums).
    bool hidden = op::Def(inst.op).constant_like && inst.num_operands == 0 && inst.num_results == 1 &&
                  used.count(f.result(inst)) == 0;
    out += hidden ? "" : lines[line];
    ++line;
  }
  return out + Results(f, entry, names);
}

std::string ModuleWriter::Run() {
  LookAtValues();
  NameMeshes();
  NameFunctions(module_.entry);
  std::string functions;
  for (ir::FuncId id : order_) {
    functions += functions.empty() ? "" : "\n";
    functions += FunctionText(id);
  }
  std::string out = exact_ ? FlatLine() : "";
  for (const auto& [id, name] : llvm::reverse(meshes_)) {
    out += MeshLine(id, name);
  }
  return out + functions;
}

std::string Write(const ir::Module& module) {
  // The first passes find out whether JAX's words will do, and which calls the reader would take for something else; the last
  // one prints the bodies that are called, and no others.
  Reread reread(module);
  bool exact = false;
  while (true) {
    ModuleWriter writer(module, exact, nullptr, reread);
    std::string text = writer.Run();
    if (!exact && writer.needs_exact()) {
      exact = true;
      reread.Forget();
      continue;
    }
    if (writer.ReadsOther()) {
      continue;
    }
    return writer.called().size() + 1 == module.functions.size()
               ? text
               : ModuleWriter(module, exact, &writer.called(), reread).Run();
  }
}

}  // namespace spmdc::text::native
