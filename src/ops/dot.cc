// dot_general: typing, rule, spellings.
#include "ops/dot.h"

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "ops/dot_eval.h"
#include "ops/table.h"

namespace spmdc::ops {
namespace {

using op::FactorKind;
using op::kNoDim;

// The dims of an operand that are neither contracted nor batch.
tensor::Dims FreeDims(size_t rank, const tensor::Dims& contracting, const tensor::Dims& batch) {
  tensor::Dims free;
  for (int64_t d = 0; d < static_cast<int64_t>(rank); ++d) {
    if (!llvm::is_contained(contracting, d) && !llvm::is_contained(batch, d)) {
      free.push_back(d);
    }
  }
  return free;
}

// --- Inference -------------------------------------------------------------------------------------------------------

bool CheckOperandDims(op::InferContext& cx, size_t operand, const tensor::Dims& contracting,
                      const tensor::Dims& batch) {
  const ir::Type& x = cx.operand(operand);
  std::string side = operand == 0 ? "lhs" : "rhs";
  tensor::Dims seen;
  for (const tensor::Dims* dims : {&batch, &contracting}) {
    for (int64_t d : *dims) {
      std::string what = side + (dims == &batch ? " batch" : " contracting") + " dim " + std::to_string(d);
      if (d < 0 || d >= static_cast<int64_t>(x.rank())) {
        return cx.Fail(diag::Kind::AxisRange, what + " is outside " + cx.Show(x));
      }
      if (llvm::is_contained(seen, d)) {
        return cx.Fail(diag::Kind::ShapeRule, what + " is named twice");
      }
      seen.push_back(d);
    }
  }
  return true;
}

// Paired dims have equal sizes.
bool CheckPairs(op::InferContext& cx, llvm::StringRef what, const tensor::Dims& lhs, const tensor::Dims& rhs) {
  const ir::Type& a = cx.operand(0);
  const ir::Type& b = cx.operand(1);
  if (lhs.size() != rhs.size()) {
    return cx.Fail(diag::Kind::ContractingSize, "got " + std::to_string(lhs.size()) + " lhs and " +
                                                    std::to_string(rhs.size()) + " rhs " + what.str() +
                                                    " dims, expected as many on both sides");
  }
  for (size_t i = 0; i < lhs.size(); ++i) {
    int64_t m = a.dims[static_cast<size_t>(lhs[i])], n = b.dims[static_cast<size_t>(rhs[i])];
    if (m != n) {
      return cx.Fail(diag::Kind::ContractingSize, what.str() + " dim " + std::to_string(lhs[i]) + " of " + cx.Show(a) +
                                                      " has size " + std::to_string(m) + " and dim " +
                                                      std::to_string(rhs[i]) + " of " + cx.Show(b) + " has size " +
                                                      std::to_string(n) + ", expected equal sizes");
    }
  }
  return true;
}

bool InferDot(op::InferContext& cx) {
  const auto& attrs = cx.attrs<DotGeneralAttrs>();
  const ir::Type& a = cx.operand(0);
  const ir::Type& b = cx.operand(1);
  for (const ir::Type* x : {&a, &b}) {
    if (!x->is_array()) {
      return cx.Fail(diag::Kind::DtypeRule, "got " + cx.Show(*x) + ", expected an array");
    }
  }
  if (!CheckOperandDims(cx, 0, attrs.lhs_contracting, attrs.lhs_batch) ||
      !CheckOperandDims(cx, 1, attrs.rhs_contracting, attrs.rhs_batch) ||
      !CheckPairs(cx, "contracting", attrs.lhs_contracting, attrs.rhs_contracting) ||
      !CheckPairs(cx, "batch", attrs.lhs_batch, attrs.rhs_batch)) {
    return false;
  }
  bool complex = tensor::IsComplex(a.dtype) || tensor::IsComplex(b.dtype);
  if (tensor::Class(attrs.result_dtype) == tensor::DClass::Other ||
      (complex && !tensor::IsComplex(attrs.result_dtype))) {
    return cx.Fail(diag::Kind::DtypeRule, "cannot make " + tensor::HloName(attrs.result_dtype).str() + " elements of " +
                                              cx.Show(a) + " and " + cx.Show(b));
  }
  tensor::Dims dims;
  for (int64_t d : attrs.lhs_batch) {
    dims.push_back(a.dims[static_cast<size_t>(d)]);
  }
  for (int64_t d : FreeDims(a.rank(), attrs.lhs_contracting, attrs.lhs_batch)) {
    dims.push_back(a.dims[static_cast<size_t>(d)]);
  }
  for (int64_t d : FreeDims(b.rank(), attrs.rhs_contracting, attrs.rhs_batch)) {
    dims.push_back(b.dims[static_cast<size_t>(d)]);
  }
  cx.Result(attrs.result_dtype, dims);
  return true;
}

// --- Rule ------------------------------------------------------------------------------------------------------------

void DotRule(op::RuleBuilder& builder) {
  const auto& attrs = builder.attrs<DotGeneralAttrs>();
  const ir::Type& a = builder.operands[0];
  const ir::Type& b = builder.operands[1];
  int64_t result_dim = 0;
  for (size_t i = 0; i < attrs.lhs_batch.size(); ++i) {
    builder.Factor(a.dims[static_cast<size_t>(attrs.lhs_batch[i])], FactorKind::Map,
                   {attrs.lhs_batch[i], attrs.rhs_batch[i]}, {result_dim++});
  }
  for (int64_t d : FreeDims(a.rank(), attrs.lhs_contracting, attrs.lhs_batch)) {
    builder.Factor(a.dims[static_cast<size_t>(d)], FactorKind::Map, {d, kNoDim}, {result_dim++});
  }
  for (int64_t d : FreeDims(b.rank(), attrs.rhs_contracting, attrs.rhs_batch)) {
    builder.Factor(b.dims[static_cast<size_t>(d)], FactorKind::Map, {kNoDim, d}, {result_dim++});
  }
  for (size_t i = 0; i < attrs.lhs_contracting.size(); ++i) {
    builder.Factor(a.dims[static_cast<size_t>(attrs.lhs_contracting[i])], FactorKind::Reduce,
                   {attrs.lhs_contracting[i], attrs.rhs_contracting[i]}, {kNoDim});
  }
  if (attrs.result_dtype == tensor::DType::Pred) {  // sums of pred are or
    builder.Combine(0, mesh::Monoid::Or);
  }
}

constexpr op::OpDef DotDef() {
  op::OpDef def;
  def.kind = ir::OpKind::DotGeneral;
  def.min_operands = def.max_operands = 2;
  def.make_attrs = ir::NewAttrs<DotGeneralAttrs>;
  def.linear = op::Linear::Multi;
  def.takes_out_sharding = true;
  def.flops = 2;
  def.infer = InferDot;
  def.rule = DotRule;
  def.eval = EvalDotGeneral;
  def.hlo_opcode = "dot";
  def.native_name = "lax.dot_general";
  return def;
}

}  // namespace

constinit const op::OpDef kDotGeneral = DotDef();

}  // namespace spmdc::ops
