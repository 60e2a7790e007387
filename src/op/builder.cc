// Appending instructions: infer, make the values, append.
#include "op/builder.h"

#include "op/op_def.h"

namespace spmdc::op {

std::optional<llvm::SmallVector<ir::ValueId, 2>> Builder::Add(ir::OpKind op, llvm::ArrayRef<ir::ValueId> operands,
                                                              ir::AttrsId attrs, llvm::ArrayRef<ir::FuncId> bodies,
                                                              mesh::ShardingId out_sharding, llvm::StringRef name) {
  llvm::SmallVector<ir::Type, 4> types;
  for (ir::ValueId v : operands) {
    if (!v.valid()) {
      return std::nullopt;
    }
    types.push_back(type(v));
  }
  InferContext cx(module_, Def(op), types, attrs, bodies, out_sharding, tag_.span, diags_);
  if (!InferTypes(cx)) {
    return std::nullopt;
  }
  llvm::SmallVector<ir::TypeId, 2> made;
  for (ir::Type& type : cx.results) {
    made.push_back(module_.tables->types.Intern(std::move(type)));
  }
  return AddTyped(op, operands, attrs, made, bodies, out_sharding, name);
}

llvm::SmallVector<ir::ValueId, 2> Builder::AddTyped(ir::OpKind op, llvm::ArrayRef<ir::ValueId> operands,
                                                    ir::AttrsId attrs, llvm::ArrayRef<ir::TypeId> types,
                                                    llvm::ArrayRef<ir::FuncId> bodies, mesh::ShardingId out_sharding,
                                                    llvm::StringRef name) {
  ir::Function& function = module_.functions[function_];
  llvm::SmallVector<ir::Value, 2> values(types.size());
  for (size_t i = 0; i < types.size(); ++i) {
    ir::Value& value = values[i];
    value.type = types[i];
    value.name = name.empty() ? "v" + std::to_string(function.values.size() + i) : name.str();
    if (types.size() > 1 && !name.empty()) {
      value.name += "#" + std::to_string(i);
    }
    value.span = tag_.span;
  }
  ir::Inst inst;
  inst.op = op;
  inst.attrs = attrs;
  inst.out_sharding = out_sharding;
  inst.span = tag_.span;
  inst.source = tag_.source;
  inst.side = tag_.side;
  inst.cause = tag_.cause;
  ir::InstId id = function.AddInst(inst, operands, bodies, std::move(values));
  llvm::SmallVector<ir::ValueId, 2> results;
  for (size_t i = 0; i < types.size(); ++i) {
    results.push_back(function.result(function.insts[id], i));
  }
  return results;
}

ir::ValueId Builder::Add1(ir::OpKind op, llvm::ArrayRef<ir::ValueId> operands, ir::AttrsId attrs,
                          llvm::ArrayRef<ir::FuncId> bodies, mesh::ShardingId out_sharding, llvm::StringRef name) {
  auto results = Add(op, operands, attrs, bodies, out_sharding, name);
  return results ? (*results)[0] : ir::ValueId::None();
}

}  // namespace spmdc::op
