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
  ir::Function& function = module_.functions[function_];
  llvm::SmallVector<ir::Value, 2> values;
  for (size_t i = 0; i < cx.results.size(); ++i) {
    ir::Value value;
    value.type = module_.tables->types.Intern(cx.results[i]);
    size_t index = function.values.size() + i;
    value.name = name.empty() ? "v" + std::to_string(index) : name.str();
    if (cx.results.size() > 1 && !name.empty()) {
      value.name += "#" + std::to_string(i);
    }
    value.span = tag_.span;
    values.push_back(std::move(value));
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
  for (size_t i = 0; i < cx.results.size(); ++i) {
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
