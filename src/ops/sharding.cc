// sharding_constraint and reshard: ops that say where values are.
#include "ops/sharding.h"

#include "ops/control_text.h"
#include "ops/dims.h"
#include "ops/reshard.h"
#include "ops/table.h"

namespace spmdc::ops {
namespace {

bool InferConstraint(op::InferContext& cx) {
  const auto& attrs = cx.attrs<ShardingConstraintAttrs>();
  if (attrs.sharding.valid()) {
    const mesh::Sharding& sharding = cx.tables().shardings[attrs.sharding];
    const mesh::Mesh& mesh = cx.tables().meshes[sharding.mesh];
    std::string wrong = mesh::Verify(mesh, sharding, cx.operand(0).rank());
    if (!wrong.empty()) {
      return cx.Fail(diag::Kind::SpecRank, "the sharding " + mesh::ToSdy(mesh, sharding) + " does not fit " +
                                               cx.Show(cx.operand(0)) + ": " + wrong);
    }
  }
  ir::Type type = cx.operand(0);
  type.sharding = {};
  cx.Result(std::move(type));
  return true;
}

// JAX's reshard and pcast are this op with out_sharding: the type's sharding becomes that; the value still varies over the
// manual axes over which it did, but for those that now hold terms of a sum. Otherwise the type stays.
bool ExplicitConstraint(op::ExplicitContext& cx) {
  mesh::Sharding result = cx.operand(0);
  if (cx.infer.out_sharding.valid()) {
    mesh::AxisList varying = result.varying;
    result = cx.infer.tables().shardings[cx.infer.out_sharding];
    varying = mesh::Subtract(varying, result.unreduced);
    varying.append(result.varying.begin(), result.varying.end());
    result.varying = mesh::AsSet(varying);
  }
  cx.results.push_back(std::move(result));
  return true;
}

void RulePointwise(op::RuleBuilder& b) { b.Elementwise(); }

// The same value, wherever it is.
bool EvalIdentity(op::EvalContext& cx) {
  cx.results.push_back(cx.operand(0));
  return true;
}

bool LocalizeIdentity(op::LocalizeContext& cx) {
  cx.Results(cx.operands());
  return true;
}

bool InferReshard(op::InferContext& cx) {
  const auto& attrs = cx.attrs<ReshardAttrs>();
  auto rank = static_cast<int64_t>(cx.operand(0).rank());
  bool uses_dim = attrs.move == Move::Slice || attrs.move == Move::AllGather || attrs.move == Move::AllToAll ||
                  attrs.move == Move::ReduceScatter;
  bool bad = uses_dim && (attrs.dim < 0 || attrs.dim >= rank);
  bad =
      bad || (attrs.move == Move::AllToAll && (attrs.to_dim < 0 || attrs.to_dim >= rank || attrs.to_dim == attrs.dim));
  if (bad) {
    return cx.Fail(diag::Kind::AxisRange, "dims " + std::to_string(attrs.dim) + " and " + std::to_string(attrs.to_dim) +
                                              " do not fit " + cx.Show(cx.operand(0)));
  }
  cx.Result(cx.operand(0));
  return true;
}

bool ExplicitReshard(op::ExplicitContext& cx) {
  cx.results.push_back(cx.operand(0));
  return true;
}

bool WordsOfConstraint(op::WordsContext& cx) {
  return cx.Change<ShardingConstraintAttrs>(
      [&](ShardingConstraintAttrs& attrs) { attrs.sharding = op::WithWords(*cx.module.tables, attrs.sharding); });
}

}  // namespace

const op::OpDef kShardingConstraint = {
    .kind = ir::OpKind::ShardingConstraint,
    .dialect = "sdy",
    .min_operands = 1,
    .max_operands = 1,
    .make_attrs = ir::NewAttrs<ShardingConstraintAttrs>,
    .elementwise = true,
    .linear = op::Linear::Unary,
    .precedence = op::Precedence::PassThrough,
    .takes_out_sharding = true,
    .is_constraint = true,
    .flops = 0,
    .infer = InferConstraint,
    .rule = RulePointwise,
    .explicit_types = ExplicitConstraint,
    .localize = LocalizeIdentity,
    .eval = EvalIdentity,
    .on_words = WordsOfConstraint,
    .parse_stablehlo = ParseConstraint,
    .from_generic = GenericConstraint,
    .print_stablehlo = PrintMlirConstraint,
    .native_name = "lax.with_sharding_constraint",
    .print_native = PrintNativeConstraint,
};

const op::OpDef kReshard = {
    .kind = ir::OpKind::Reshard,
    .dialect = "sdy",
    .min_operands = 1,
    .max_operands = 1,
    .make_attrs = ir::NewAttrs<ReshardAttrs>,
    .precedence = op::Precedence::None,
    .flops = 0,
    .infer = InferReshard,
    .explicit_types = ExplicitReshard,
    .localize = LocalizeReshard,
    .eval = EvalIdentity,
    .parse_stablehlo = ParseConstraint,
    .from_generic = GenericConstraint,
    .native_name = "spmdc.reshard",
};

}  // namespace spmdc::ops
