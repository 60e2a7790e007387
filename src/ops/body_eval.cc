// A small interpreter of straight-line elementwise code over arrays.
#include "ops/body_eval.h"

#include "op/op_def.h"
#include "ops/constant.h"

namespace spmdc::ops {

bool IsElementwiseBody(const ir::Module& module, ir::FuncId body) {
  for (const ir::Inst& inst : module.functions[body].insts) {
    const op::OpDef& def = op::Def(inst.op);
    bool constant = inst.num_operands == 0 && def.constant_like;
    bool elided = inst.op == ir::OpKind::Constant && module.attrs<ConstantAttrs>(inst).value.is_unknown();
    if (elided || def.eval == nullptr || (!def.elementwise && !constant)) {
      return false;
    }
  }
  return true;
}

llvm::SmallVector<tensor::Literal, 2> ApplyToArrays(op::EvalContext& cx, ir::FuncId body,
                                                    llvm::ArrayRef<tensor::Literal> args) {
  const ir::Function& f = cx.module.functions[body];
  IdMap<ir::ValueId, tensor::Literal> values(f.values.size());
  for (size_t i = 0; i < args.size(); ++i) {
    values[f.args[i]] = args[i];
  }
  for (const ir::Inst& inst : f.insts) {
    llvm::SmallVector<const tensor::Literal*, 4> operands;
    for (ir::ValueId v : f.operands(inst)) {
      operands.push_back(&values[v]);
    }
    op::EvalContext inner(cx.module, f, inst, operands, cx.device, cx.call);
    inner.widened = cx.widened;
    SPMDC_CHECK(op::Def(inst.op).eval(inner), "an elementwise body that cannot be evaluated");
    for (size_t i = 0; i < inst.num_results; ++i) {
      values[f.result(inst, i)] = std::move(inner.results[i]);
    }
  }
  llvm::SmallVector<tensor::Literal, 2> results;
  for (ir::ValueId v : f.results) {
    results.push_back(values[v]);
  }
  return results;
}

}  // namespace spmdc::ops
