// Sharding in types of elementwise ops: JAX's broadcasting rule, and its algebra of unreduced and reduced axes.
#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "op/reshard_fix.h"
#include "ops/dims.h"
#include "ops/typing.h"

namespace spmdc::ops {

bool GiveSharding(op::ExplicitContext& cx, mesh::Sharding sharding) {
  sharding.varying = JoinVarying(cx);
  cx.results.push_back(std::move(sharding));
  return true;
}

bool UsesAxesOnce(const mesh::Sharding& sharding) {
  mesh::AxisList seen;
  for (const mesh::DimSharding& dim : sharding.dims) {
    for (mesh::AxisRef ref : dim.axes) {
      if (mesh::Overlaps(ref, seen)) {
        return false;
      }
      seen.push_back(ref);
    }
  }
  return true;
}

const mesh::Sharding* OutSharding(const op::ExplicitContext& cx) {
  return cx.infer.out_sharding.valid() ? &cx.infer.tables().shardings[cx.infer.out_sharding] : nullptr;
}

std::string OperandSpecs(const op::ExplicitContext& cx) {
  std::string text;
  for (size_t i = 0, n = cx.infer.operands.size(); i < n; ++i) {
    text += i == 0 ? "" : i + 1 == n ? " and " : ", ";
    text += mesh::ToSpec(cx.mesh(), cx.operand(i));
  }
  return text;
}

bool JoinReduced(op::ExplicitContext& cx, mesh::AxisList& reduced) {
  for (size_t i = 0; i < cx.infer.operands.size(); ++i) {
    mesh::Sharding s = cx.operand(i);
    if (!s.reduced.empty() && !reduced.empty() && s.reduced != reduced) {
      return cx.Fail(diag::Kind::UnreducedUse, "operands are reduced over different mesh axes: " + OperandSpecs(cx),
                     "make all operands reduced over the same axes");
    }
    if (!s.reduced.empty()) {
      reduced = s.reduced;
    }
  }
  if (reduced.empty()) {
    return true;
  }
  std::string over = "'" + mesh::ToString(cx.mesh(), reduced) + "'";
  for (size_t i = 0; i < cx.infer.operands.size(); ++i) {
    mesh::Sharding s = cx.operand(i);
    std::string found = cx.infer.Show(cx.infer.operands[i]);
    mesh::AxisList split = s.varying;
    for (const mesh::DimSharding& dim : s.dims) {
      split.append(dim.axes.begin(), dim.axes.end());
    }
    if (mesh::Overlaps(split, reduced)) {
      return cx.Fail(diag::Kind::UnreducedUse,
                     "operand " + std::to_string(i) + " (" + found + ") is sharded over " + over +
                         ", over which another operand is reduced",
                     "reshard the reduced operand to be sharded over these axes");
    }
    if (!mesh::Covers(s.reduced, reduced) && !mesh::Covers(s.unreduced, reduced)) {
      return cx.Fail(diag::Kind::UnreducedUse,
                     "operand " + std::to_string(i) + " (" + found + ") is replicated over " + over +
                         ", over which another operand is reduced",
                     "reshard it to a spec with reduced axes " + over);
    }
  }
  return true;
}

bool NoUnreduced(op::ExplicitContext& cx) {
  for (size_t i = 0; i < cx.infer.operands.size(); ++i) {
    mesh::Sharding s = cx.operand(i);
    if (!s.unreduced.empty()) {
      return cx.Fail(diag::Kind::UnreducedUse,
                     "operand " + std::to_string(i) + " (" + cx.infer.Show(cx.infer.operands[i]) +
                         ") is unreduced over '" + mesh::ToString(cx.mesh(), s.unreduced) +
                         "', and this op does not take sums that are still spread over devices",
                     "reshard the operand to a spec without unreduced axes first");
    }
  }
  return true;
}

bool NoUnreducedNorReduced(op::ExplicitContext& cx) {
  for (size_t i = 0; i < cx.infer.operands.size(); ++i) {
    mesh::Sharding s = cx.operand(i);
    if (!s.reduced.empty()) {
      return cx.Fail(diag::Kind::UnreducedUse,
                     "operand " + std::to_string(i) + " (" + cx.infer.Show(cx.infer.operands[i]) +
                         ") is reduced over '" + mesh::ToString(cx.mesh(), s.reduced) +
                         "', which this op does not take",
                     "reshard the operand to a spec without reduced axes first");
    }
  }
  return NoUnreduced(cx);
}

namespace {

// What to do about an operand that names other axes on a dim than an operand before it.
std::string Other(op::ExplicitContext& cx, size_t operand, size_t dim, const mesh::AxisList& known) {
  for (size_t i = 0; i < operand; ++i) {
    mesh::Sharding s = cx.operand(i);
    if (s.dims.size() > dim && s.dims[dim].axes == known) {
      return op::EitherFix(cx, i, operand);
    }
  }
  return "reshard one operand to the other's spec";
}

// Per dim: the axes that any operand names; all that name some must name the same. Scalars take no part.
bool JoinDims(op::ExplicitContext& cx, mesh::Sharding& result) {
  for (size_t i = 0; i < cx.infer.operands.size(); ++i) {
    mesh::Sharding s = cx.operand(i);
    if (s.dims.size() != result.dims.size()) {
      continue;
    }
    for (size_t d = 0; d < s.dims.size(); ++d) {
      mesh::AxisList& known = result.dims[d].axes;
      if (known.empty()) {
        known = s.dims[d].axes;
      } else if (!s.dims[d].axes.empty() && s.dims[d].axes != known) {
        return cx.Fail(diag::Kind::BroadcastClash,
                       "operands are sharded differently: dim " + std::to_string(d) + " over '" +
                           mesh::ToString(cx.mesh(), known) + "' in one and over '" +
                           mesh::ToString(cx.mesh(), s.dims[d].axes) + "' in another; the specs are " +
                           OperandSpecs(cx),
                       Other(cx, i, d, known));
      }
    }
  }
  return true;
}

// Dims and reduced axes of the result. A result that uses an axis twice is refused by whoever asked; that comes first.
bool JoinOperands(op::ExplicitContext& cx, mesh::Sharding& result) {
  result = cx.replicated_result(0);
  return JoinDims(cx, result) && (!UsesAxesOnce(result) || JoinReduced(cx, result.reduced));
}

}  // namespace

bool UnaryTypes(op::ExplicitContext& cx) { return NoUnreduced(cx) && GiveSharding(cx, cx.operand(0)); }

bool NaryTypes(op::ExplicitContext& cx) {
  mesh::Sharding result;
  return JoinOperands(cx, result) && (!UsesAxesOnce(result) || NoUnreduced(cx)) && GiveSharding(cx, std::move(result));
}

// Sums spread over devices add up if both are spread over the same axes.
bool AddTypes(op::ExplicitContext& cx) {
  mesh::Sharding result;
  if (!JoinOperands(cx, result)) {
    return false;
  }
  if (!UsesAxesOnce(result)) {
    return GiveSharding(cx, std::move(result));
  }
  mesh::AxisList lhs = cx.operand(0).unreduced, rhs = cx.operand(1).unreduced;
  if (!lhs.empty() && !rhs.empty() && lhs != rhs) {
    return cx.Fail(diag::Kind::UnreducedUse,
                   "lhs is unreduced over '" + mesh::ToString(cx.mesh(), lhs) + "' and rhs over '" +
                       mesh::ToString(cx.mesh(), rhs) + "', expected the same axes",
                   "reduce both with reshard, or make them unreduced over the same axes");
  }
  if (lhs.empty() != rhs.empty()) {
    std::string one = rhs.empty() ? "lhs" : "rhs", other = rhs.empty() ? "rhs" : "lhs";
    return cx.Fail(diag::Kind::UnreducedUse,
                   one + " is unreduced over '" + mesh::ToString(cx.mesh(), rhs.empty() ? lhs : rhs) + "' while " +
                       other + " is not; adding them would communicate",
                   "reduce " + one + " with reshard first");
  }
  result.unreduced = lhs;
  return GiveSharding(cx, std::move(result));
}

// A product is linear in one factor: if that one is unreduced, the other must be reduced over the same axes.
bool MultiplyTypes(op::ExplicitContext& cx) {
  mesh::Sharding result;
  if (!JoinOperands(cx, result)) {
    return false;
  }
  if (!UsesAxesOnce(result)) {
    return GiveSharding(cx, std::move(result));
  }
  mesh::Sharding lhs = cx.operand(0), rhs = cx.operand(1);
  if (!lhs.unreduced.empty() && !rhs.unreduced.empty()) {
    return cx.Fail(diag::Kind::UnreducedUse,
                   "both factors are unreduced: " + OperandSpecs(cx) + "; a product of sums is not the sum of products",
                   "reduce one factor with reshard first");
  }
  bool left = !lhs.unreduced.empty();
  const mesh::AxisList& unreduced = left ? lhs.unreduced : rhs.unreduced;
  if (!unreduced.empty() && (left ? rhs : lhs).reduced != unreduced) {
    return cx.Fail(diag::Kind::UnreducedUse,
                   (left ? "lhs" : "rhs") + std::string(" is unreduced over '") + mesh::ToString(cx.mesh(), unreduced) +
                       "', so " + (left ? "rhs" : "lhs") + " must be reduced over the same axes; got " +
                       OperandSpecs(cx),
                   "reshard " + std::string(left ? "rhs" : "lhs") + " to a spec with these reduced axes, or reduce " +
                       (left ? "lhs" : "rhs"));
  }
  if (!unreduced.empty()) {
    result.unreduced = unreduced;
    result.reduced.clear();
  }
  return GiveSharding(cx, std::move(result));
}

bool KeepTypes(op::ExplicitContext& cx) { return GiveSharding(cx, cx.operand(0)); }

// The cases' common sharding, also of unreduced and reduced axes.
bool SelectTypes(op::ExplicitContext& cx) {
  mesh::Sharding on_true = cx.operand(1), on_false = cx.operand(2), which = cx.operand(0);
  auto placement = [](mesh::Sharding s) {
    s.varying.clear();
    return s;
  };
  if (placement(on_true) != placement(on_false)) {
    return cx.Fail(diag::Kind::OperandShardingsDiffer,
                   "the cases are sharded differently: " + mesh::ToSpec(cx.mesh(), on_true) + " and " +
                       mesh::ToSpec(cx.mesh(), on_false),
                   op::EitherFix(cx, 1, 2));
  }
  if (!which.dims.empty() && which.dims != on_true.dims) {
    return cx.Fail(diag::Kind::OperandShardingsDiffer,
                   "the predicate must be a scalar or be sharded as the cases; got " + mesh::ToSpec(cx.mesh(), which) +
                       " and " + mesh::ToSpec(cx.mesh(), on_true),
                   op::EitherFix(cx, 0, 1));
  }
  return GiveSharding(cx, std::move(on_true));
}

bool ClampTypes(op::ExplicitContext& cx) { return NoUnreducedNorReduced(cx) && GiveSharding(cx, cx.operand(1)); }

}  // namespace spmdc::ops
