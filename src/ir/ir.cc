// Hashing, printing of types, appending to functions, fresh names.
#include "ir/module.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "support/hash.h"

namespace spmdc::ir {

llvm::StringRef Mnemonic(OpKind kind) {
  static constexpr llvm::StringRef kMnemonics[] = {
#define SPMDC_OP(name, mnemonic) mnemonic,
#include "ir/op_kind.def"
#undef SPMDC_OP
  };
  return kMnemonics[static_cast<size_t>(kind)];
}

llvm::hash_code hash_value(const Type& type) {
  Hash hash;
  hash.Add(static_cast<uint64_t>(type.dtype));
  hash.Add(static_cast<uint32_t>(type.sharding.index));
  for (int64_t dim : type.dims) {
    hash.Add(static_cast<uint64_t>(dim));
  }
  hash.Add(type.bounded.size());
  for (auto dim : type.bounded) {
    hash.Add(static_cast<uint64_t>(dim));
  }
  return hash.value();
}

llvm::hash_code hash_value(const SourceInfo& info) {
  // The name and the place tell most of them apart. A StringRef is hashed as one piece, a std::string char by char.
  return llvm::hash_combine(llvm::StringRef(info.op_name), info.line, info.column);
}

llvm::hash_code hash_value(const SideData& data) {
  llvm::hash_code code(data.entries.size());
  for (const auto& [name, text] : data.entries) {
    code = llvm::hash_combine(code, llvm::StringRef(name), llvm::StringRef(text));
  }
  return code;
}

std::string ToString(const Tables& tables, const Type& type) {
  if (!type.is_array()) {
    return tensor::HloName(type.dtype).str();
  }
  const mesh::Sharding* sharding = type.sharding.valid() ? &tables.shardings[type.sharding] : nullptr;
  const mesh::Mesh* mesh = sharding != nullptr ? &tables.meshes[sharding->mesh] : nullptr;
  return mesh::TypeWithSharding(tensor::HloName(type.dtype), type.dims, mesh, sharding);
}

ValueId Function::AddArg(Value value, BoundaryInfo info) {
  value.def = InstId::None();
  value.index = static_cast<uint32_t>(args.size());
  ValueId id = values.Add(std::move(value));
  args.push_back(id);
  arg_info.push_back(std::move(info));
  return id;
}

Function Function::EmptyCopy() const {
  Function copy;
  copy.name = name;
  copy.span = span;
  copy.enclosing = enclosing;
  copy.clone_of = clone_of;
  copy.instance = instance;
  copy.manual_axes = manual_axes;
  copy.result_info = result_info;
  copy.args.reserve(args.size());
  copy.arg_info.reserve(args.size());
  copy.insts.reserve(insts.size());
  copy.values.reserve(values.size());
  copy.operand_pool.reserve(operand_pool.size());
  return copy;
}

InstId Function::AddInst(const Inst& inst, llvm::ArrayRef<ValueId> operands, llvm::ArrayRef<FuncId> bodies,
                         llvm::ArrayRef<Value> new_results) {
  return AddInst(inst, operands, bodies, llvm::SmallVector<Value, 2>(new_results.begin(), new_results.end()));
}

InstId Function::AddInst(const Inst& inst, llvm::ArrayRef<ValueId> operands, llvm::ArrayRef<FuncId> bodies,
                         llvm::SmallVectorImpl<Value>&& new_results) {
  // Filled in where it stays: a copy right behind the writing of its fields waits for them.
  InstId id = insts.Add(inst);
  Inst& added = insts[id];
  added.first_operand = static_cast<uint32_t>(operand_pool.size());
  added.num_operands = static_cast<uint32_t>(operands.size());
  // One by one: they are few, and mostly no bodies.
  for (ValueId operand : operands) {
    operand_pool.push_back(operand);
  }
  added.first_body = static_cast<uint32_t>(body_pool.size());
  added.num_bodies = static_cast<uint32_t>(bodies.size());
  for (FuncId body : bodies) {
    body_pool.push_back(body);
  }
  added.first_result = ValueId{static_cast<int32_t>(values.size())};
  added.num_results = static_cast<uint32_t>(new_results.size());
  for (size_t i = 0; i < new_results.size(); ++i) {
    Value& value = values[values.Add(std::move(new_results[i]))];
    value.def = id;
    value.index = static_cast<uint32_t>(i);
  }
  return id;
}

struct NameTable::Impl {
  explicit Impl(size_t expected) : used(static_cast<unsigned>(expected)) {}
  llvm::StringMap<int, llvm::BumpPtrAllocator> used;  // name -> the next suffix to try
};

NameTable::NameTable(size_t expected) : impl_(std::make_shared<Impl>(expected)) {}

NameTable::NameTable(const Function& function) : NameTable(function.values.size()) {
  for (const Value& value : function.values) {
    impl_->used.try_emplace(value.name, 1);
  }
}

std::string NameTable::Unique(llvm::StringRef wanted) {
  auto [known, is_free] = impl_->used.try_emplace(wanted, 1);
  std::string candidate = wanted.str();
  for (int& next = known->second; !is_free;) {
    candidate.resize(wanted.size());
    candidate += "_" + std::to_string(next++);
    is_free = impl_->used.try_emplace(candidate, 1).second;
  }
  return candidate;
}

namespace {

// Spells fields as text.
class TextVisitor final : public FieldVisitor {
 public:
  explicit TextVisitor(llvm::raw_ostream& os) : os_(os) {}
  void Field(llvm::StringRef name, bool& value) override { Start(name) << (value ? "True" : "False"); }
  void Field(llvm::StringRef name, int64_t& value) override { Start(name) << value; }
  void Field(llvm::StringRef name, double& value) override { Start(name) << llvm::format("%.17g", value); }
  void Field(llvm::StringRef name, std::string& value) override { Start(name) << "'" << value << "'"; }
  void Field(llvm::StringRef name, tensor::Dims& value) override { Tuple(Start(name), value); }
  void Field(llvm::StringRef name, std::vector<tensor::Dims>& value) override {
    Start(name) << "(";
    for (const tensor::Dims& dims : value) {
      Tuple(os_, dims) << ", ";
    }
    os_ << ")";
  }
  void Field(llvm::StringRef name, tensor::DType& value) override { Start(name) << tensor::HloName(value); }
  void Field(llvm::StringRef name, tensor::Literal& value) override {
    Start(name) << tensor::HloName(value.dtype());
    Tuple(os_, tensor::Dims(value.dims().begin(), value.dims().end()));
    os_ << (value.is_unknown() ? "unknown" : value.is_splat() ? "splat " : "");
    for (char c : value.raw()) {
      os_ << static_cast<int>(c) << ".";
    }
  }
  void Field(llvm::StringRef name, mesh::MeshId& value) override { Start(name) << "mesh " << value.index; }
  void Field(llvm::StringRef name, mesh::AxisList& value) override {
    Start(name) << "(";
    for (const mesh::AxisRef& ref : value) {
      os_ << ref.axis << ":(" << ref.pre << ")" << ref.size << ",";
    }
    os_ << ")";
  }
  void Field(llvm::StringRef name, mesh::ShardingId& value) override { Start(name) << "sharding " << value.index; }
  void Field(llvm::StringRef name, llvm::SmallVector<mesh::ShardingId, 4>& value) override {
    Start(name) << "(";
    for (mesh::ShardingId id : value) {
      os_ << "sharding " << id.index << ", ";
    }
    os_ << ")";
  }
  void Enum(llvm::StringRef name, int& value, llvm::ArrayRef<llvm::StringRef> names) override {
    Start(name) << "'" << names[static_cast<size_t>(value)] << "'";
  }

 private:
  llvm::raw_ostream& Start(llvm::StringRef name) {
    os_ << (first_ ? "" : ", ") << name << "=";
    first_ = false;
    return os_;
  }
  static llvm::raw_ostream& Tuple(llvm::raw_ostream& os, const tensor::Dims& dims) {
    os << "(";
    for (int64_t d : dims) {
      os << d << ", ";
    }
    return os << ")";
  }
  llvm::raw_ostream& os_;
  bool first_ = true;
};

}  // namespace

std::string FieldsText(AttrsHolder& attrs) {
  std::string text;
  llvm::raw_string_ostream os(text);
  TextVisitor visitor(os);
  attrs.Visit(visitor);
  os.flush();
  return text;
}

}  // namespace spmdc::ir
