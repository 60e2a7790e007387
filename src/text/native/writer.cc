// Flat native text: meshes, then one def per body (innermost first), then the entry.
//
//   mesh = make_mesh((2, 2), ('x', 'y'))
//   def main(a: f32[8@x, 4], b: f32[4, 6@y]):
//       v0: f32[8@x, 6@y] = lax.dot_general(a, b, dimension_numbers=(((1,), (0,)), ((), ())))
//       return v0
#include "text/native/writer.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "mesh/spec.h"
#include "op/op_def.h"
#include "text/native/token.h"

namespace spmdc::text::native {
namespace {

// Names that a value must not hide, since the text uses them.
const llvm::StringRef kReserved[] = {"jnp",   "lax", "np",      "jax",       "mesh", "P",
                                     "spmdc", "jit", "reshard", "shard_map", "main"};

std::string Identifier(llvm::StringRef wanted) {
  std::string out;
  for (char c : wanted) {
    out += llvm::isAlnum(c) || c == '_' ? c : '_';
  }
  out = llvm::StringRef(out).rtrim('_').str();
  if (out.empty() || llvm::isDigit(out[0])) {
    out.insert(0, "v");
  }
  bool keyword = false;
  for (int k = static_cast<int>(Tok::KwFalse); k <= static_cast<int>(Tok::KwYield); ++k) {
    keyword |= Spelling(static_cast<Tok>(k)) == out;
  }
  bool dtype = tensor::FromHloName(out).has_value();
  return keyword || dtype || llvm::is_contained(kReserved, llvm::StringRef(out)) ? out + "_" : out;
}

std::string TupleText(llvm::ArrayRef<std::string> parts) {
  std::string out;
  for (const std::string& part : parts) {
    out += (out.empty() ? "" : ", ") + part;
  }
  return "(" + out + (parts.size() == 1 ? ",)" : ")");
}

class ModuleWriter {
 public:
  explicit ModuleWriter(const ir::Module& module) : module_(module) {}
  std::string Run();

 private:
  friend class InstPrinter;
  void NameMeshes();
  void NameFunctions(ir::FuncId id);
  std::string MeshLine(const mesh::Mesh& mesh, const std::string& name);
  std::string FunctionText(ir::FuncId id);
  std::string Annotation(const ir::Type& type, const mesh::Sharding* placed);
  std::string Header(const ir::Function& f, const std::string& name, bool entry);
  std::optional<std::string> SpecText(const mesh::Sharding& sharding) const;

  const ir::Module& module_;
  llvm::DenseMap<ir::FuncId, std::string> function_names_;
  std::vector<ir::FuncId> order_;  // bodies before their users
  llvm::StringSet<> names_;
  llvm::DenseMap<mesh::MeshId, std::string> mesh_names_;
  std::vector<std::pair<mesh::MeshId, std::string>> meshes_;
  bool flat_ = false;  // needs the line `spmdc.flat(1)`
};

// Prints one instruction; the ops fill in what is theirs.
class InstPrinter final : public op::NativePrinter {
 public:
  InstPrinter(ModuleWriter& writer, const ir::Function& f, const ir::Inst& inst,
              const IdMap<ir::ValueId, std::string>& names)
      : writer_(writer), function_(f), inst_(inst), names_(names) {}

  const ir::Module& module() const override { return writer_.module_; }
  const ir::Function& function() const override { return function_; }
  const ir::Inst& inst() const override { return inst_; }
  void Callee(std::string name) override { callee_ = std::move(name); }
  void Args(std::string text) override { args_ = std::move(text); }
  std::string Operand(size_t i) const override {
    ir::ValueId v = function_.operands(inst_)[i];
    used_.push_back(v);
    return names_.Get(v);
  }
  void Keyword(llvm::StringRef name, std::string text) override { keywords_.push_back(name.str() + "=" + text); }
  void Tuple(llvm::StringRef name, llvm::ArrayRef<int64_t> values) override {
    std::vector<std::string> parts;
    for (int64_t v : values) {
      parts.push_back(std::to_string(v));
    }
    Keyword(name, TupleText(parts));
  }
  std::string Body(ir::FuncId body) override { return writer_.function_names_.lookup(body); }

  // The call, and which operands it names.
  std::string Print();
  llvm::ArrayRef<ir::ValueId> used() const { return used_; }

 private:
  void PrintFields();

  ModuleWriter& writer_;
  const ir::Function& function_;
  const ir::Inst& inst_;
  const IdMap<ir::ValueId, std::string>& names_;
  std::string callee_;
  std::optional<std::string> args_;
  std::vector<std::string> keywords_;
  mutable std::vector<ir::ValueId> used_;
};

// Attributes as keywords, in the order of their struct.
class KeywordVisitor final : public ir::FieldVisitor {
 public:
  explicit KeywordVisitor(op::NativePrinter& printer) : p_(printer) {}
  void Field(llvm::StringRef name, bool& v) override { p_.Keyword(name, v ? "True" : "False"); }
  void Field(llvm::StringRef name, int64_t& v) override { p_.Keyword(name, std::to_string(v)); }
  void Field(llvm::StringRef name, double& v) override { p_.Keyword(name, std::to_string(v)); }
  void Field(llvm::StringRef name, std::string& v) override { p_.Keyword(name, "'" + v + "'"); }
  void Field(llvm::StringRef name, tensor::Dims& v) override { p_.Tuple(name, v); }
  void Field(llvm::StringRef name, std::vector<tensor::Dims>& v) override {
    std::vector<std::string> parts;
    for (const tensor::Dims& dims : v) {
      std::vector<std::string> numbers;
      for (int64_t d : dims) {
        numbers.push_back(std::to_string(d));
      }
      parts.push_back(TupleText(numbers));
    }
    p_.Keyword(name, TupleText(parts));
  }
  void Field(llvm::StringRef name, tensor::DType& v) override { p_.Keyword(name, tensor::HloName(v).str()); }
  void Field(llvm::StringRef, tensor::Literal&) override {}
  void Field(llvm::StringRef name, mesh::MeshId& v) override {
    if (v.valid()) {
      p_.Keyword(name, p_.module().tables->meshes[v].name);
    }
  }
  void Field(llvm::StringRef name, mesh::AxisList& v) override {
    std::vector<std::string> axes;
    for (const mesh::AxisRef& ref : v) {
      axes.push_back("(" + std::to_string(ref.axis) + ", " + std::to_string(ref.pre) + ", " + std::to_string(ref.size) +
                     ")");
    }
    p_.Keyword(name, TupleText(axes));
  }
  void Field(llvm::StringRef name, mesh::ShardingId& v) override { p_.Keyword(name, Sdy(v)); }
  void Field(llvm::StringRef name, llvm::SmallVector<mesh::ShardingId, 4>& v) override {
    std::vector<std::string> parts;
    for (mesh::ShardingId id : v) {
      parts.push_back(Sdy(id));
    }
    p_.Keyword(name, TupleText(parts));
  }
  void Enum(llvm::StringRef name, int& v, llvm::ArrayRef<llvm::StringRef> names) override {
    p_.Keyword(name, "'" + names[static_cast<size_t>(v)].str() + "'");
  }

 private:
  std::string Sdy(mesh::ShardingId id) {
    if (!id.valid()) {
      return "None";
    }
    const mesh::Sharding& s = p_.module().tables->shardings[id];
    std::string text = mesh::ToSdy(p_.module().tables->meshes[s.mesh], s);
    std::replace(text.begin(), text.end(), '"', '\'');
    return "\"" + text + "\"";
  }
  op::NativePrinter& p_;
};

void InstPrinter::PrintFields() {
  if (inst_.attrs.valid()) {
    KeywordVisitor visitor(*this);
    writer_.module_.tables->attrs.Copy(inst_.attrs)->Visit(visitor);
  }
}

std::string InstPrinter::Print() {
  const op::OpDef& def = op::Def(inst_.op);
  callee_ = def.native_name.str();
  bool generic = callee_.empty() && def.print_native == nullptr;
  if (generic) {
    callee_ = "spmdc.op";
  }
  if (def.print_native != nullptr) {
    def.print_native(*this);
  } else {
    PrintFields();
  }
  if (inst_.out_sharding.valid() && callee_ != "reshard") {
    const mesh::Sharding& s = writer_.module_.tables->shardings[inst_.out_sharding];
    Keyword("out_sharding", mesh::ToSpec(writer_.module_.tables->meshes[s.mesh], s));
  }
  if (!args_) {
    std::string text = generic ? "'" + ir::Mnemonic(inst_.op).str() + "'" : "";
    for (size_t i = 0; i < inst_.num_operands; ++i) {
      text += (text.empty() ? "" : ", ") + Operand(i);
    }
    args_ = text;
  }
  if (generic && inst_.num_bodies > 0) {
    std::vector<std::string> bodies;
    for (ir::FuncId body : function_.bodies(inst_)) {
      bodies.push_back(Body(body));
    }
    keywords_.insert(keywords_.begin(), "bodies=" + TupleText(bodies));
  }
  writer_.flat_ |= llvm::StringRef(callee_).startswith("spmdc.");
  std::string call = callee_ + "(" + *args_;
  for (const std::string& keyword : keywords_) {
    call += (call.back() == '(' ? "" : ", ") + keyword;
  }
  return call + ")";
}

void ModuleWriter::NameMeshes() {
  auto add = [&](mesh::MeshId id) {
    if (!id.valid() || mesh_names_.count(id) != 0) {
      return;
    }
    std::string name = Identifier(module_.tables->meshes[id].name);
    name = llvm::StringRef(name).rtrim('_').str();
    std::string unique = name;
    for (int i = 1; !names_.insert(unique).second; ++i) {
      unique = name + "_" + std::to_string(i);
    }
    mesh_names_[id] = unique;
    meshes_.push_back({id, unique});
  };
  add(module_.mesh);
  for (const ir::Function& f : module_.functions) {
    for (const ir::Value& v : f.values) {
      const ir::Type& type = module_.type(v);
      add(type.sharding.valid() ? module_.tables->shardings[type.sharding].mesh : mesh::MeshId());
    }
    for (const auto* infos : {&f.arg_info, &f.result_info}) {
      for (const ir::BoundaryInfo& info : *infos) {
        add(info.sharding.valid() ? module_.tables->shardings[info.sharding].mesh : mesh::MeshId());
      }
    }
  }
}

std::string ModuleWriter::MeshLine(const mesh::Mesh& mesh, const std::string& name) {
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
  for (int64_t id : mesh.device_ids) {
    ids += (ids.empty() ? "" : ", ") + std::to_string(id);
  }
  return name + " = Mesh(np.array(devices())[[" + ids + "]].reshape(" + TupleText(sizes) + "), " + TupleText(names) +
         axis_types + ")\n";
}

// Bodies are named and printed before the function that uses them.
void ModuleWriter::NameFunctions(ir::FuncId id) {
  if (function_names_.count(id) != 0) {
    return;
  }
  const ir::Function& f = module_.functions[id];
  std::string name = id == module_.entry ? "main" : Identifier(f.name.empty() ? "body" : f.name);
  std::string unique = name;
  for (int i = 1; !names_.insert(unique).second; ++i) {
    unique = name + "_" + std::to_string(i);
  }
  function_names_[id] = unique;
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
  bool plain = s.replicated.empty() && s.varying.empty();
  for (const mesh::DimSharding& dim : s.dims) {
    plain &= !(dim.open && !dim.axes.empty()) && dim.priority == mesh::kNoPriority;
    for (const mesh::AxisRef& ref : dim.axes) {
      plain &= mesh::IsWhole(mesh, ref);
    }
  }
  return plain ? std::optional(mesh::ToSpec(mesh, s)) : std::nullopt;
}

// f32[8@x, 4]; with sets in braces as a string; with a placement over Auto axes as `f32[8, 4] @ P(...)`.
std::string ModuleWriter::Annotation(const ir::Type& type, const mesh::Sharding* placed) {
  const mesh::Sharding* own = type.sharding.valid() ? &module_.tables->shardings[type.sharding] : nullptr;
  const mesh::Mesh* mesh = own != nullptr ? &module_.tables->meshes[own->mesh] : nullptr;
  std::string text = mesh::TypeWithSharding(tensor::HloName(type.dtype), type.dims, mesh, own);
  if (llvm::StringRef(text).contains('{')) {
    return "\"" + text + "\"";
  }
  bool all_said =
      placed == nullptr || (own != nullptr && placed->dims == own->dims) ||
      (own == nullptr && mesh::NamesNoAxis(*placed) && module_.tables->meshes[placed->mesh].has_explicit_axes());
  if (!all_said) {
    text = mesh::TypeWithSharding(tensor::HloName(type.dtype), type.dims, nullptr, nullptr);
  }
  std::string spaced;
  int depth = 0;
  for (char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    spaced += c == ',' ? ", " : std::string(1, c);
  }
  if (type.rank() == 0) {
    spaced = tensor::HloName(type.dtype).str();
  }
  if (!all_said) {
    std::optional<std::string> spec = SpecText(*placed);
    if (!spec) {
      flat_ = true;
      std::string sdy = mesh::ToSdy(module_.tables->meshes[placed->mesh], *placed);
      std::replace(sdy.begin(), sdy.end(), '"', '\'');
      return "spmdc.placed(" + spaced + ", \"" + sdy + "\")";
    }
    return spaced + " @ " + *spec;
  }
  return spaced;
}

std::string ModuleWriter::Header(const ir::Function& f, const std::string& name, bool entry) {
  std::string out;
  std::vector<std::string> specs;
  bool placed = false;
  for (const ir::BoundaryInfo& info : f.result_info) {
    std::optional<std::string> spec = entry && !module_.per_device && info.sharding.valid()
                                          ? SpecText(module_.tables->shardings[info.sharding])
                                          : std::nullopt;
    placed |= spec.has_value();
    specs.push_back(spec.value_or("None"));
  }
  if (placed) {
    out += "@jit(out_shardings=" + (specs.size() == 1 ? specs[0] : TupleText(specs)) + ")\n";
  }
  return out + "def " + name + "(";
}

std::string ModuleWriter::FunctionText(ir::FuncId id) {
  const ir::Function& f = module_.functions[id];
  bool entry = id == module_.entry;
  llvm::StringSet<> taken;
  for (const auto& [mesh, name] : meshes_) {
    taken.insert(name);
  }
  for (const auto& [func, name] : function_names_) {
    taken.insert(name);
  }
  IdMap<ir::ValueId, std::string> names;
  for (ir::ValueId v : f.values.ids()) {
    std::string name = Identifier(f.values[v].name);
    std::string unique = name;
    for (int i = 1; !taken.insert(unique).second; ++i) {
      unique = name + "_" + std::to_string(i);
    }
    names[v] = unique;
  }
  std::string out = Header(f, function_names_.lookup(id), entry);
  for (size_t i = 0; i < f.args.size(); ++i) {
    // An annotation speaks of whole values, and those of one device's program are blocks.
    bool annotated = entry && !module_.per_device && i < f.arg_info.size();
    mesh::ShardingId placed = annotated ? f.arg_info[i].sharding : mesh::ShardingId();
    out += (i == 0 ? "" : ", ") + names[f.args[i]] + ": " +
           Annotation(module_.type(f, f.args[i]), placed.valid() ? &module_.tables->shardings[placed] : nullptr);
  }
  out += "):\n";
  std::vector<std::string> lines;
  llvm::DenseSet<ir::ValueId> used;
  for (ir::ValueId v : f.results) {
    used.insert(v);
  }
  for (const ir::Inst& inst : f.insts) {
    InstPrinter printer(*this, f, inst, names);
    std::string call = printer.Print();
    for (ir::ValueId v : printer.used()) {
      used.insert(v);
    }
    std::string targets;
    for (uint32_t r = 0; r < inst.num_results; ++r) {
      targets += (r == 0 ? "" : ", ") + names[f.result(inst, r)];
    }
    if (inst.num_results == 1) {
      targets += ": " + Annotation(module_.type(f, f.result(inst)), nullptr);
    }
    lines.push_back("    " + (inst.num_results == 0 ? "" : targets + " = ") + call + "\n");
  }
  size_t line = 0;
  for (const ir::Inst& inst : f.insts) {
    // Constants that no line names are part of the op that uses them (seeds of sums).
    bool hidden = op::Def(inst.op).constant_like && inst.num_operands == 0 && inst.num_results == 1 &&
                  used.count(f.result(inst)) == 0;
    out += hidden ? "" : lines[line];
    ++line;
  }
  std::vector<std::string> results;
  for (ir::ValueId v : f.results) {
    results.push_back(names[v]);
  }
  return out + "    return " + (results.size() == 1 ? results[0] : TupleText(results)) + "\n";
}

std::string ModuleWriter::Run() {
  NameMeshes();
  NameFunctions(module_.entry);
  std::string functions;
  for (ir::FuncId id : order_) {
    functions += functions.empty() ? "" : "\n";
    functions += FunctionText(id);
  }
  std::string out = flat_ ? "spmdc.flat(1)\n" : "";
  for (const auto& [id, name] : llvm::reverse(meshes_)) {
    out += MeshLine(module_.tables->meshes[id], name);
  }
  return out + functions;
}

}  // namespace

std::string Write(const ir::Module& module) { return ModuleWriter(module).Run(); }

}  // namespace spmdc::text::native
