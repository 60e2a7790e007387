// By target, as Shardy registers them; what is not listed is a wall.
#include "ops/custom_call_rule.h"

#include "llvm/ADT/STLExtras.h"
#include "ops/custom_call_text.h"
#include "ops/typed.h"
#include "support/starts_with.h"

namespace spmdc::ops {

namespace {

using op::FactorKind;

// One factor per dim, on every tensor that has the result's dims.
void Pointwise(op::RuleBuilder& b) {
  const tensor::Dims& like = b.results[0].dims;
  for (size_t d = 0; d < like.size(); ++d) {
    int32_t factor = b.Factor(like[d], FactorKind::Map);
    for (size_t i = 0; i < b.operands.size(); ++i) {
      if (b.operands[i].dims == like) {
        b.Operand(i, static_cast<int64_t>(d), factor);
      }
    }
    for (size_t i = 0; i < b.results.size(); ++i) {
      if (b.results[i].dims == like) {
        b.Result(i, static_cast<int64_t>(d), factor);
      }
    }
  }
}

// The best along one dim, of values and their indices; scalars say what is there without any.
void PartialReduce(op::RuleBuilder& b) {
  size_t rank = b.operands[0].rank();
  auto on = [&](llvm::ArrayRef<ir::Type> types, int64_t dim) {
    llvm::SmallVector<int64_t, 4> dims;
    for (const ir::Type& type : types) {
      dims.push_back(type.rank() == rank ? dim : op::kNoDim);
    }
    return dims;
  };
  llvm::SmallVector<int64_t, 4> no_operand(b.operands.size(), op::kNoDim), no_result(b.results.size(), op::kNoDim);
  for (size_t d = 0; d < rank; ++d) {
    auto dim = static_cast<int64_t>(d);
    int64_t from = b.operands[0].dims[d], to = b.results[0].dims[d];
    if (from == to) {
      b.Factor(from, FactorKind::Map, on(b.operands, dim), on(b.results, dim));
      continue;
    }
    b.Factor(from, FactorKind::Map, on(b.operands, dim), no_result);
    b.Factor(to, FactorKind::Whole, no_operand, on(b.results, dim), /*blocked=*/true);
  }
}

// Batches of matrices: results have the batch dims too. `rows` and `columns` are the factors of the matrices' dims.
void Matrices(op::RuleBuilder& b, llvm::ArrayRef<llvm::SmallVector<int64_t, 2>> result_dims, FactorKind kind) {
  size_t batch = b.operands[0].rank() - 2;
  for (size_t d = 0; d < b.operands[0].rank(); ++d) {
    llvm::SmallVector<int64_t, 2> dims;
    for (size_t i = 0; i < b.results.size(); ++i) {
      dims.push_back(d < batch ? static_cast<int64_t>(d) : result_dims[i][d - batch]);
    }
    b.Factor(b.operands[0].dims[d], d < batch ? FactorKind::Map : kind, {static_cast<int64_t>(d)}, dims);
  }
}

// Eigenvectors and eigenvalues. The columns of the vectors are the values' order.
void Eigh(op::RuleBuilder& b) {
  auto batch = static_cast<int64_t>(b.operands[0].rank()) - 2;
  if (b.results.size() == 2 && b.results[0].dims == b.operands[0].dims &&
      b.results[1].rank() + 1 == b.operands[0].rank()) {
    Matrices(b, {{batch, batch + 1}, {op::kNoDim, batch}}, FactorKind::Map);
  }
}

// A matrix in the operand's dims, and the scale of each of its columns.
void Qr(op::RuleBuilder& b) {
  auto batch = static_cast<int64_t>(b.operands[0].rank()) - 2;
  if (b.results.size() == 2 && b.results[0].dims == b.operands[0].dims &&
      b.results[1].rank() + 1 == b.operands[0].rank()) {
    Matrices(b, {{batch, batch + 1}, {op::kNoDim, op::kNoDim}}, FactorKind::Whole);
    b.Result(1, batch, b.Factor(b.results[1].dims.back(), FactorKind::Whole));
  }
}

// Layouts in HLO are of types, which say the dims too: such a call keeps its dims.
bool NamesItsDims(const OpaqueAttrs& attrs) {
  return llvm::StringRef(attrs.text).contains("operand_layout_constraints=");
}

// Propagation does not pass through: Shardy has no rule for such calls.
void Batches(op::RuleBuilder& b, size_t count) {
  for (size_t d = 0; d < count; ++d) {
    auto dim = static_cast<int64_t>(d);
    auto has = [&](const ir::Type& type) { return type.rank() >= count && type.dims[d] == b.operands[0].dims[d]; };
    if (!llvm::all_of(b.operands, has) || !llvm::all_of(b.results, has)) {
      return;
    }
    llvm::SmallVector<int64_t, 4> operands(b.operands.size(), dim), results(b.results.size(), dim);
    b.Factor(b.operands[0].dims[d], FactorKind::Map, operands, results, /*blocked=*/true);
  }
}

// Each element by itself, if it is one at all.
constexpr llvm::StringLiteral kElementwise[] = {
    "annotate_device_placement",
    "InspectSharding",
    "LayoutConstraint",
    "mhlo.erf",
    "MoveToDevice",
    "MoveToHost",
    "X64Combine",
    "X64SplitHigh",
    "X64SplitLow",
};
// Matrices in the last two dims. Shardy's rule of those is pointwise all the same.
constexpr llvm::StringLiteral kMatrices[] = {
    "Cholesky",
    "CompactWyHelper",
    "InvertDiagBlocksLowerTriangular",
    "InvertDiagBlocksUpperTriangular",
};
constexpr llvm::StringLiteral kFactorings[] = {"Eigh", "Qr", "QrDecompositionBlock"};

}  // namespace

bool GivesItsOperand(const OpaqueAttrs& attrs) {
  return IsPropagationBarrier(attrs) || IsPlacement(attrs) || TargetOf(attrs) == "InspectSharding" ||
         TargetOf(attrs) == "LayoutConstraint";
}

bool IsPlacement(const OpaqueAttrs& attrs) {
  llvm::StringRef target = TargetOf(attrs);
  return target == "annotate_device_placement" || target == "MoveToHost" || target == "MoveToDevice";
}

void RuleOfCustomCall(op::RuleBuilder& b) {
  if (IsPropagationBarrier(b.attrs<OpaqueAttrs>())) {
    Pointwise(b);
    return;
  }
  llvm::StringRef target = TargetOf(b.attrs<OpaqueAttrs>());
  if (target.empty() || b.operands.empty() || b.results.empty()) {
    return;
  }
  if (llvm::is_contained(kElementwise, target) || llvm::is_contained(kMatrices, target)) {
    Pointwise(b);
  } else if (target == "PartialReduce" && b.results[0].rank() == b.operands[0].rank()) {
    PartialReduce(b);
  } else if (target == "Eigh" && b.operands[0].rank() >= 2) {
    Eigh(b);
  } else if ((target == "Qr" || target == "QrDecompositionBlock") && b.operands[0].rank() >= 2) {
    Qr(b);
  } else {
    Batches(b, static_cast<size_t>(b.attrs<OpaqueAttrs>().batch_dims));
  }
}

bool RunsOnParts(const op::ShardedInst& s) {
  const auto& attrs = s.attrs<OpaqueAttrs>();
  llvm::StringRef target = TargetOf(attrs);
  bool all = IsPropagationBarrier(attrs) || llvm::is_contained(kElementwise, target);
  bool matrices = llvm::is_contained(kMatrices, target) || llvm::is_contained(kFactorings, target);
  auto fits = [&](const op::TensorFactors& tensor) {
    size_t rank = tensor.dims.size();
    size_t parts = matrices && rank >= 2 ? rank - 2 : static_cast<size_t>(attrs.batch_dims);
    for (size_t d = 0; d < rank; ++d) {
      if (!s.DimAxes(tensor, d).empty() && (NamesItsDims(attrs) || (!all && d >= parts))) {
        return false;
      }
    }
    return true;
  };
  return llvm::all_of(s.rule.operands, fits) && llvm::all_of(s.rule.results, fits);
}

bool IsComputation(const OpaqueAttrs& attrs) {
  llvm::StringRef target = TargetOf(attrs);
  bool to_compiler = target == "Sharding" || StartsWith(target, "SPMD") || StartsWith(target, "xla.sdy.");
  return !target.empty() && !to_compiler;
}

}  // namespace spmdc::ops
