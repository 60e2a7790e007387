// reduce: several arrays at once, through a body; typing, rule, lowering, evaluation, spellings.
#include "ops/reduce.h"

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "ops/reduce_eval.h"
#include "ops/table.h"

namespace spmdc::ops {
namespace {

using op::FactorKind;
using op::kNoDim;

// --- Inference -------------------------------------------------------------------------------------------------------

bool CheckDims(op::InferContext& cx, const tensor::Dims& dims) {
  int64_t last = -1;
  for (int64_t d : dims) {
    if (d < 0 || d >= static_cast<int64_t>(cx.operand(0).rank())) {
      return cx.Fail(diag::Kind::ShapeRule,
                     "reduces dim " + std::to_string(d) + ", which " + cx.Show(cx.operand(0)) + " does not have");
    }
    if (d <= last) {
      return cx.Fail(diag::Kind::ShapeRule, "the reduced dims must be increasing; dim " + std::to_string(d) +
                                                " comes behind dim " + std::to_string(last));
    }
    last = d;
  }
  return true;
}

bool CheckOperands(op::InferContext& cx, size_t n) {
  if (cx.operands.size() != 2 * n || n == 0) {
    return cx.Fail(diag::Kind::OperandCount, "got " + std::to_string(cx.operands.size()) +
                                                 " operands, expected arrays and as many initial values");
  }
  for (size_t i = 0; i < n; ++i) {
    const ir::Type& x = cx.operand(i);
    const ir::Type& init = cx.operand(n + i);
    if (x.dims != cx.operand(0).dims) {
      return cx.Fail(diag::Kind::BroadcastShape,
                     "got " + cx.Show(cx.operand(0)) + " and " + cx.Show(x) + ", expected arrays of one shape");
    }
    if (init.rank() != 0 || init.dtype != x.dtype) {
      return cx.Fail(diag::Kind::DtypeRule, "the initial value of " + cx.Show(x) + " is " + cx.Show(init) +
                                                ", expected a scalar of that element type");
    }
  }
  return true;
}

bool CheckBody(op::InferContext& cx, size_t n) {
  if (cx.num_body_args(0) != 2 * n || cx.num_body_results(0) != n) {
    return cx.Fail(diag::Kind::OperandCount, "the body takes " + std::to_string(cx.num_body_args(0)) +
                                                 " values and gives " + std::to_string(cx.num_body_results(0)) +
                                                 ", expected " + std::to_string(2 * n) + " and " + std::to_string(n));
  }
  for (size_t i = 0; i < n; ++i) {
    ir::Type scalar = ir::ArrayType(cx.operand(i).dtype, {});
    const ir::Type* found[] = {&cx.body_arg(0, i), &cx.body_arg(0, n + i), &cx.body_result(0, i)};
    for (const ir::Type* type : found) {
      if (type->dtype != scalar.dtype || type->rank() != 0) {
        return cx.Fail(diag::Kind::DtypeRule, "the body works on " + cx.Show(*type) + ", expected " + cx.Show(scalar));
      }
    }
  }
  return true;
}

bool InferReduce(op::InferContext& cx) {
  const tensor::Dims& reduced = cx.attrs<ReduceAttrs>().dims;
  size_t n = cx.operands.size() / 2;
  if (!CheckOperands(cx, n) || !CheckDims(cx, reduced) || !CheckBody(cx, n)) {
    return false;
  }
  for (size_t i = 0; i < n; ++i) {
    tensor::Dims dims;
    for (size_t d = 0; d < cx.operand(i).rank(); ++d) {
      if (!llvm::is_contained(reduced, static_cast<int64_t>(d))) {
        dims.push_back(cx.operand(i).dims[d]);
      }
    }
    cx.Result(cx.operand(i).dtype, dims);
  }
  return true;
}

// --- Rule ------------------------------------------------------------------------------------------------------------

void ReduceRule(op::RuleBuilder& builder) {
  const tensor::Dims& reduced = builder.attrs<ReduceAttrs>().dims;
  size_t n = builder.results.size();
  int64_t result_dim = 0;
  for (size_t d = 0; d < builder.operands[0].rank(); ++d) {
    bool gone = llvm::is_contained(reduced, static_cast<int64_t>(d));
    int32_t factor = builder.Factor(builder.operands[0].dims[d], gone ? FactorKind::Reduce : FactorKind::Map);
    for (size_t i = 0; i < n; ++i) {
      builder.Operand(i, static_cast<int64_t>(d), factor);
      builder.Result(i, gone ? kNoDim : result_dim, factor);
    }
    result_dim += gone ? 0 : 1;
  }
  for (size_t i = 0; i < n; ++i) {
    mesh::Monoid monoid = op::RecognizeMonoid(builder.module, builder.bodies[0], i);
    builder.Combine(i, monoid);
    builder.Fill(i, monoid);
  }
}

// A reduction of one array that sums.
op::Linear ReduceLinear(const ir::Module& module, const ir::Function& function, const ir::Inst& inst) {
  bool sums = inst.num_results == 1 && op::RecognizeMonoid(module, function.bodies(inst)[0], 0) == mesh::Monoid::Sum;
  return sums ? op::Linear::Unary : op::Linear::No;
}

constexpr op::OpDef ReduceDef() {
  op::OpDef def;
  def.kind = ir::OpKind::Reduce;
  def.min_operands = 2;
  def.max_operands = -1;
  def.min_bodies = def.max_bodies = 1;
  def.make_attrs = ir::NewAttrs<ReduceAttrs>;
  def.region = op::Region::Apply;
  def.linear_of = ReduceLinear;
  def.takes_out_sharding = true;
  def.infer = InferReduce;
  def.rule = ReduceRule;
  def.eval = EvalReduce;
  def.hlo_opcode = "reduce";
  return def;
}

}  // namespace

constinit const op::OpDef kReduce = ReduceDef();

}  // namespace spmdc::ops
