// Sharding in types by the rule alone: what JAX's rules come to for ops that have no rule of their own.
//
// Axes of Map factors must agree among the operands that name any; Reduce factors vanish; New factors are unsharded; every
// other kind needs its dims unsharded. jax-semantics of sharding in types: each op's sharding rule in jax/_src/lax.
#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "op/reshard_fix.h"

namespace spmdc::op {
namespace {

// The axes each factor has, read off the operands.
struct AgreedAxes {
  mesh::AxisList axes;
  size_t operand = 0;  // which operand said so
  size_t dim = 0;
};

std::string Specs(ExplicitContext& cx) {
  std::string text;
  for (size_t i = 0; i < cx.infer.operands.size(); ++i) {
    text +=
        (i == 0 ? "" : (i + 1 == cx.infer.operands.size() ? " and " : ", ")) + mesh::ToSpec(cx.mesh(), cx.operand(i));
  }
  return text;
}

bool ReadDim(ExplicitContext& cx, size_t i, size_t d, const mesh::AxisList& axes,
             llvm::MutableArrayRef<AgreedAxes> factors) {
  const auto& composed = cx.rule.operands[i].dims[d];
  if (axes.empty()) {
    return true;
  }
  std::string where = "dim " + std::to_string(d) + " of " + cx.infer.Show(cx.infer.operands[i]);
  if (composed.size() != 1) {
    return cx.Fail(diag::Kind::OutShardingNeeded, "the sharding of " + where + " cannot be carried to the result",
                   "reshard the operand first, or say out_sharding= where the function takes it");
  }
  int32_t f = composed[0];
  FactorKind kind = cx.rule.factors[static_cast<size_t>(f)].kind;
  if (kind != FactorKind::Map && kind != FactorKind::Reduce) {
    return cx.Fail(diag::Kind::DimMustBeUnsharded, where + " must be unsharded", UnshardFix(cx, i, d));
  }
  AgreedAxes& known = factors[static_cast<size_t>(f)];
  if (known.axes.empty()) {
    known = {axes, i, d};
    return true;
  }
  if (known.axes == axes) {
    return true;
  }
  diag::Kind code = cx.infer.def.elementwise ? diag::Kind::BroadcastClash : diag::Kind::OperandShardingsDiffer;
  return cx.Fail(code,
                 "operands are sharded differently: dim " + std::to_string(d) + " is on '" +
                     mesh::ToString(cx.mesh(), known.axes) + "' in one and on '" + mesh::ToString(cx.mesh(), axes) +
                     "' in another; the specs are " + Specs(cx),
                 "reshard one operand to the other's spec");
}

// Sums over devices pass through linear ops only.
bool JoinUnreduced(ExplicitContext& cx, mesh::AxisList& unreduced, mesh::AxisList& reduced) {
  Linear linear = cx.infer.def.linear;
  size_t with = 0;
  for (size_t i = 0; i < cx.infer.operands.size(); ++i) {
    mesh::Sharding s = cx.operand(i);
    if (!s.reduced.empty()) {
      reduced = s.reduced;
    }
    if (s.unreduced.empty()) {
      continue;
    }
    if (linear == Linear::No || (with > 0 && s.unreduced != unreduced) || (with > 0 && linear == Linear::Multi)) {
      return cx.Fail(diag::Kind::UnreducedUse,
                     "an operand is unreduced over '" + mesh::ToString(cx.mesh(), s.unreduced) +
                         "', and the op is not linear in it; got " + Specs(cx),
                     "reshard the operand to a spec without unreduced axes first");
    }
    unreduced = s.unreduced;
    ++with;
  }
  if (with > 0 && linear == Linear::Adding && with != cx.infer.operands.size()) {
    return cx.Fail(diag::Kind::UnreducedUse,
                   "one operand is unreduced over '" + mesh::ToString(cx.mesh(), unreduced) + "' and another is not",
                   "reduce the first, or make the other unreduced over the same axes");
  }
  return true;
}

}  // namespace

bool InferExplicitDefault(ExplicitContext& cx) {
  llvm::SmallVector<AgreedAxes, 6> factors(cx.rule.factors.size());
  mesh::AxisList unreduced, reduced, varying;
  for (size_t i = 0; i < cx.infer.operands.size(); ++i) {
    mesh::Sharding sharding = cx.operand(i);
    for (size_t d = 0; d < sharding.dims.size(); ++d) {
      if (!ReadDim(cx, i, d, sharding.dims[d].axes, factors)) {
        return false;
      }
    }
    mesh::AxisList both = varying;
    both.append(sharding.varying.begin(), sharding.varying.end());
    varying = mesh::AsSet(both);
  }
  if (!JoinUnreduced(cx, unreduced, reduced)) {
    return false;
  }
  for (size_t i = 0; i < cx.infer.results.size(); ++i) {
    mesh::Sharding result = cx.replicated_result(i);
    for (size_t d = 0; d < result.dims.size(); ++d) {
      const auto& composed = cx.rule.results[i].dims[d];
      if (composed.size() == 1) {
        result.dims[d].axes = factors[static_cast<size_t>(composed[0])].axes;
      }
    }
    result.unreduced = unreduced;
    result.varying = varying;
    if (i == 0 && cx.infer.out_sharding.valid() && cx.infer.def.takes_out_sharding) {
      result = cx.infer.tables().shardings[cx.infer.out_sharding];
      result.varying = varying;
    }
    cx.results.push_back(std::move(result));
  }
  return true;
}

}  // namespace spmdc::op
