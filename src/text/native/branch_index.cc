// Recognises indices that need no clamp.
#include "text/native/branch_index.h"

#include "ops/constant.h"

namespace spmdc::text::native {
namespace {

const ir::Inst* DefOf(const ir::Function& f, ir::ValueId value) {
  ir::InstId def = f.values[value].def;
  return def.valid() ? &f.insts[def] : nullptr;
}

bool IsConstant(const ir::Module& module, const ir::Function& f, ir::ValueId value, int64_t wanted) {
  const ir::Inst* def = DefOf(f, value);
  if (def == nullptr || def->op != ir::OpKind::Constant) {
    return false;
  }
  const tensor::Literal& literal = module.attrs<ops::ConstantAttrs>(*def).value;
  return !literal.is_unknown() && literal.size() == 1 && literal.GetInt(0) == wanted;
}

}  // namespace

bool IsClampedIndex(const ir::Module& module, ir::FuncId function, ir::ValueId value, int64_t n) {
  const ir::Function& f = module.functions[function];
  const ir::Inst* def = DefOf(f, value);
  if (def == nullptr) {
    return false;
  }
  llvm::ArrayRef<ir::ValueId> operands = f.operands(*def);
  if (def->op == ir::OpKind::Clamp) {
    return IsConstant(module, f, operands[0], 0) && IsConstant(module, f, operands[2], n - 1);
  }
  return def->op == ir::OpKind::Convert && n == 2 && module.type(f, operands[0]).dtype == tensor::DType::Pred;
}

}  // namespace spmdc::text::native
