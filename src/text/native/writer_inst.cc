// One instruction of the flat form: a call in JAX's words where they say all of it, else `spmdc.op(...)`.
#include "llvm/ADT/STLExtras.h"
#include "ops/control.h"
#include "ops/opaque.h"
#include "ops/sharding.h"
#include "support/starts_with.h"
#include "text/native/branch_index.h"
#include "text/native/evaluator.h"
#include "text/native/writer_impl.h"

namespace spmdc::text::native {

class InstPrinter final : public op::NativePrinter {
 public:
  InstPrinter(ModuleWriter& writer, const ir::Function& f, const ir::Inst& inst,
              const IdMap<ir::ValueId, std::string>& names, llvm::DenseSet<ir::ValueId>& used)
      : writer_(writer), function_(f), inst_(inst), names_(names), used_(used) {}

  const ir::Module& module() const override { return writer_.module_; }
  const ir::Function& function() const override { return function_; }
  const ir::Inst& inst() const override { return inst_; }
  void Callee(std::string name) override { callee_ = std::move(name); }
  void Args(std::string text) override { args_ = std::move(text); }
  std::string Operand(size_t i) const override {
    ir::ValueId v = function_.operands(inst_)[i];
    operands_.push_back(v);
    return asking_ ? "a" + std::to_string(i) : names_.Get(v);
  }
  void Keyword(llvm::StringRef name, std::string text) override {
    keywords_.push_back(name.str() + (IsPythonKeyword(name) ? "_=" : "=") + text);
  }
  void Tuple(llvm::StringRef name, llvm::ArrayRef<int64_t> values) override {
    std::vector<std::string> parts;
    for (int64_t v : values) {
      parts.push_back(std::to_string(v));
    }
    Keyword(name, TupleText(parts));
  }
  std::string Body(ir::FuncId body) override {
    bodies_.push_back(body);
    return writer_.function_names_.lookup(body);
  }
  std::string Sdy(mesh::ShardingId id) const {
    return writer_.SdyString(writer_.OnProgramMesh(module().tables->shardings[id]));
  }
  std::string MeshName(mesh::MeshId id) const { return writer_.mesh_names_.lookup(id); }

  std::string Print();

 private:
  bool InJaxWords();
  bool SpellInJaxWords();
  bool ReadsAsThis();
  std::string Spelled() const;
  void Clear();
  void PrintGeneric();
  void PrintConstraint();
  void PrintFields();
  void PrintOutSharding();
  bool IsReadable(llvm::StringRef callee) const;
  bool ChecksVarying() const;
  ir::FuncId FunctionId() const;

  ModuleWriter& writer_;
  const ir::Function& function_;
  const ir::Inst& inst_;
  const IdMap<ir::ValueId, std::string>& names_;
  llvm::DenseSet<ir::ValueId>& used_;
  std::string callee_;
  std::optional<std::string> args_;
  std::vector<std::string> keywords_;
  std::vector<ir::FuncId> bodies_;
  mutable std::vector<ir::ValueId> operands_;
  bool asking_ = false;  // the call is spelled for the reader: operands are parameters
};

namespace {

// Attributes as keywords, in the order of their struct.
class KeywordVisitor final : public ir::FieldVisitor {
 public:
  explicit KeywordVisitor(InstPrinter& printer) : p_(printer) {}
  void Field(llvm::StringRef name, bool& v) override { p_.Keyword(name, v ? "True" : "False"); }
  void Field(llvm::StringRef name, int64_t& v) override { p_.Keyword(name, std::to_string(v)); }
  void Field(llvm::StringRef name, double& v) override { p_.Keyword(name, FloatText(v)); }
  void Field(llvm::StringRef name, std::string& v) override { p_.Keyword(name, StrRepr(v)); }
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
  void Field(llvm::StringRef, tensor::Literal&) override {}  // constants have a spelling of their own
  void Field(llvm::StringRef name, mesh::MeshId& v) override {
    if (v.valid()) {
      p_.Keyword(name, p_.MeshName(v));
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
    return p_.Sdy(id);
  }
  InstPrinter& p_;
};

}  // namespace

void InstPrinter::PrintFields() {
  if (inst_.attrs.valid()) {
    KeywordVisitor visitor(*this);
    writer_.module_.tables->attrs.Copy(inst_.attrs)->Visit(visitor);
  }
}

void InstPrinter::PrintOutSharding() {
  // Collectives say it in words of their own.
  bool said = op::Def(inst_.op).collective != nullptr && callee_ != "spmdc.op";
  if (inst_.out_sharding.valid() && !said) {
    const mesh::Sharding& s = writer_.module_.tables->shardings[inst_.out_sharding];
    std::optional<std::string> spec = writer_.SpecText(s);
    const mesh::Mesh& mesh = writer_.module_.tables->meshes[s.mesh];
    Keyword("out_sharding", spec ? *spec : mesh::ToSpec(mesh, s));
    std::vector<std::string> varying;
    for (const mesh::AxisRef& ref : s.varying) {
      varying.push_back("'" + mesh.axes[static_cast<size_t>(ref.axis)].name + "'");
    }
    if (!varying.empty() && callee_ == "spmdc.op") {
      Keyword("varying", TupleText(varying));
    }
  }
}

// What the reader has no function for is no word, whatever the table of ops calls it; `shard_map(f, ...)` is one, too.
// spmdc.op() stands for what has no words at all.
bool InstPrinter::IsReadable(llvm::StringRef callee) const {
  return callee != "spmdc.op" && IsCallable(callee.split('(').first);
}

// Prints the call as JAX has it. False where JAX has no words, or where they would not be read as this very instruction.
bool InstPrinter::InJaxWords() { return SpellInJaxWords() && ReadsAsThis(); }

void InstPrinter::Clear() {
  args_.reset();
  keywords_.clear();
  bodies_.clear();
  operands_.clear();
}

std::string InstPrinter::Spelled() const {
  std::string call = callee_ + "(" + *args_;
  for (const std::string& keyword : keywords_) {
    call += (call.back() == '(' ? "" : ", ") + keyword;
  }
  return call + ")";
}

// Whether the reader makes this very instruction of the call. Calls with bodies, and those inside which a mesh is manual, are
// read as they are spelled.
bool InstPrinter::ReadsAsThis() {
  constexpr int64_t kFewElements = 16;
  constexpr uint32_t kManyOperands = 1000;  // all alike, and long to ask about
  if (inst_.num_operands > kManyOperands || !bodies_.empty() || op::Def(inst_.op).collective != nullptr ||
      inst_.num_operands == 0) {
    return true;
  }
  Clear();
  asking_ = true;
  SpellInJaxWords();
  const llvm::DenseSet<ir::ValueId> named(operands_.begin(), operands_.end());
  Reading reading;
  reading.function = &function_;
  reading.inst = &inst_;
  reading.call = Spelled();
  for (size_t i = 0; i < inst_.num_operands; ++i) {
    ir::ValueId v = function_.operands(inst_)[i];
    const ir::Value& value = function_.values[v];
    const ir::Inst* def = value.def.valid() ? &function_.insts[value.def] : nullptr;
    bool constant = def != nullptr && op::Def(def->op).constant_like && def->num_operands == 0 && def->num_results == 1;
    if (!named.contains(v)) {
      continue;  // part of the call
    }
    std::string name = "a" + std::to_string(i);
    if (constant && tensor::NumElements(module().type(value).dims) <= kFewElements) {
      llvm::DenseSet<ir::ValueId> none;
      reading.constants += "    " + name + " = " + CallText(writer_, function_, *def, names_, none) + "\n";
      continue;
    }
    reading.params += (reading.params.empty() ? "" : ", ") + name;
    reading.operands.push_back(v);
  }
  asking_ = false;
  if (writer_.reread_.IsOther(std::move(reading))) {
    return false;
  }
  Clear();
  return SpellInJaxWords();
}

bool InstPrinter::SpellInJaxWords() {
  const op::OpDef& def = op::Def(inst_.op);
  bool calls = inst_.num_bodies > 0 && (def.region != op::Region::Apply || def.collective != nullptr);
  bool several_meshes = def.region == op::Region::Manual && writer_.meshes_.size() > 1;
  if (def.region == op::Region::Call || several_meshes || (writer_.exact_ && (calls || def.collective != nullptr))) {
    return false;
  }
  bool unclamped = def.region == op::Region::Branch &&
                   !IsClampedIndex(module(), FunctionId(), function_.operands(inst_)[0], inst_.num_bodies);
  callee_ = def.native_name.str();
  if (unclamped || (callee_.empty() && def.print_native == nullptr)) {
    return false;
  }
  if (def.print_native != nullptr) {
    def.print_native(*this);
  } else {
    PrintFields();
  }
  if (def.region == op::Region::Manual && !ChecksVarying()) {
    callee_.insert(callee_.size() - 1, ", check_vma=False");
  }
  // Bodies of combinations that have a name of their own (sums, maxima) are not spelled out.
  bool combines = !bodies_.empty() && (writer_.exact_ || def.region == op::Region::Apply);
  if (combines || !IsReadable(callee_)) {
    return false;
  }
  if (callee_ != "reshard" && callee_ != "lax.pcast") {
    PrintOutSharding();
  }
  if (!args_) {
    std::string text;
    for (size_t i = 0; i < inst_.num_operands; ++i) {
      text += (i == 0 ? "" : ", ") + Operand(i);
    }
    args_ = text;
  }
  return true;
}

// Whether the types in a manual region carry the axes over which its blocks vary.
bool InstPrinter::ChecksVarying() const {
  const auto& attrs = this->attrs<ops::ManualComputationAttrs>();
  const ir::Function& body = module().functions[function_.bodies(inst_)[0]];
  for (size_t i = 0; i < body.args.size() && i < attrs.in_shardings.size(); ++i) {
    const mesh::Sharding* s =
        attrs.in_shardings[i].valid() ? &module().tables->shardings[attrs.in_shardings[i]] : nullptr;
    bool cut = s != nullptr && !mesh::Intersect(mesh::UsedAxes(*s), attrs.manual_axes).empty();
    const ir::Type& type = module().type(body, body.args[i]);
    if (cut) {
      return type.sharding.valid() && !module().tables->shardings[type.sharding].varying.empty();
    }
  }
  return true;
}

ir::FuncId InstPrinter::FunctionId() const {
  for (ir::FuncId id : module().functions.ids()) {
    if (&module().functions[id] == &function_) {
      return id;
    }
  }
  return {};
}

void InstPrinter::PrintGeneric() {
  Clear();
  callee_ = "spmdc.op";
  bool opaque = inst_.op == ir::OpKind::Opaque;
  std::string args = StrRepr(opaque ? attrs<ops::OpaqueAttrs>().name : ir::Mnemonic(inst_.op).str());
  for (size_t i = 0; i < inst_.num_operands; ++i) {
    args += ", " + Operand(i);
  }
  args_ = args;
  std::vector<std::string> bodies;
  for (ir::FuncId body : function_.bodies(inst_)) {
    bodies.push_back(Body(body));
  }
  if (!bodies.empty()) {
    Keyword("bodies", TupleText(bodies));
  }
  if (opaque) {
    std::vector<std::string> types;
    for (const ir::Type& type : attrs<ops::OpaqueAttrs>().result_types) {
      types.push_back(writer_.Annotation(type, nullptr));
    }
    Keyword("text", StrRepr(attrs<ops::OpaqueAttrs>().text));
    Keyword("result_types", TupleText(types));
  } else {
    PrintFields();
  }
  PrintOutSharding();
}

// A constraint that changes no type, in Shardy's words.
void InstPrinter::PrintConstraint() {
  callee_ = "spmdc.constraint";
  args_ = Operand(0) + ", " + Sdy(attrs<ops::ShardingConstraintAttrs>().sharding);
}

std::string InstPrinter::Print() {
  bool constraint = inst_.op == ir::OpKind::ShardingConstraint && writer_.exact_;
  if (constraint && !inst_.out_sharding.valid() && attrs<ops::ShardingConstraintAttrs>().sharding.valid()) {
    PrintConstraint();
  } else if (constraint || !InJaxWords()) {
    PrintGeneric();
  }
  writer_.needs_exact_ |= StartsWith(callee_, "spmdc.");
  for (ir::FuncId body : bodies_) {
    writer_.now_called_.insert(body);
  }
  used_.insert(operands_.begin(), operands_.end());
  return Spelled();
}

std::string CallText(ModuleWriter& writer, const ir::Function& function, const ir::Inst& inst,
                     const IdMap<ir::ValueId, std::string>& names, llvm::DenseSet<ir::ValueId>& used) {
  return InstPrinter(writer, function, inst, names, used).Print();
}

}  // namespace spmdc::text::native
