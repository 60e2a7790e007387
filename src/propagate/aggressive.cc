// Ranking the factors, and each tensor's own settlement.
#include "propagate/aggressive.h"

#include <tuple>

#include "llvm/ADT/STLExtras.h"

namespace spmdc::propagate {

using mesh::AxisList;
using mesh::AxisRef;

namespace {

// Where a factor's axes come from: the largest tensor that is sharded by at least these axes.
struct Source {
  int64_t size = -1;
  int64_t tensor = -1;
};

void FindSources(const Projection& projection, llvm::ArrayRef<AxisList> axes, llvm::SmallVectorImpl<Source>& sources) {
  sources.assign(axes.size(), Source());
  for (size_t t = 0; t < projection.num_tensors(); ++t) {
    int64_t size = 1;
    for (size_t f = 0; f < axes.size(); ++f) {
      if (projection.at(t, f).present) {
        size *= projection.rule().factors[f].size;
      }
    }
    for (size_t f = 0; f < axes.size(); ++f) {
      const FactorSharding& cell = projection.at(t, f);
      if (cell.present && !axes[f].empty() && size > sources[f].size &&
          ComparePrefix(axes[f], cell.axes) != PrefixStatus::NotAPrefix) {
        sources[f] = {size, static_cast<int64_t>(t)};
      }
    }
  }
}

// Factors in the order in which they may take axes: larger source first; in elementwise ops the more sharded factor first;
// then the order of sources and factors.
llvm::SmallVector<size_t, 8> RankFactors(const Projection& projection, llvm::ArrayRef<AxisList> axes,
                                         bool elementwise) {
  llvm::SmallVector<Source, 8> sources;
  FindSources(projection, axes, sources);
  llvm::SmallVector<size_t, 8> order;
  for (size_t f = 0; f < axes.size(); ++f) {
    if (!axes[f].empty()) {
      order.push_back(f);
    }
  }
  auto key = [&](size_t f) {
    return std::make_tuple(-sources[f].size, elementwise ? -mesh::Product(axes[f]) : 0, sources[f].tensor, f);
  };
  llvm::sort(order, [&](size_t a, size_t b) { return key(a) < key(b); });
  return order;
}

// The axes of a factor that a tensor can take in its present state; empty if they do not lengthen what it has.
AxisList AxesFor(const Projection& projection, size_t tensor, size_t factor, const AxisList& wanted) {
  const FactorSharding& cell = projection.at(tensor, factor);
  AxisList axes;
  if (!cell.present) {
    return axes;
  }
  axes = wanted;
  TruncateAxes(axes, [&](AxisRef axis, int64_t sharded_size) {
    return PrefixWithinFactor(axis, projection.sharding(tensor), cell, sharded_size,
                              projection.rule().factors[factor].size);
  });
  if (ComparePrefix(cell.axes, axes) != PrefixStatus::StrictPrefix) {
    axes.clear();
    return axes;
  }
  TruncateAxes(axes, [&](AxisRef axis, int64_t) { return PrefixAcrossFactors(axis, projection, tensor, factor); });
  return axes;
}

// In an elementwise op, an operand takes from another operand only what a result has too: if a result cannot be sharded
// that far, both operands would have to be moved.
void LimitToResults(const Projection& projection, size_t factor, AxisList& axes) {
  for (size_t t = projection.num_operands(); t < projection.num_tensors(); ++t) {
    const FactorSharding& cell = projection.at(t, factor);
    if (cell.present && ComparePrefix(cell.axes, axes) == PrefixStatus::StrictPrefix) {
      axes = cell.axes;
    }
  }
}

}  // namespace

llvm::SmallBitVector AggressiveStep(Projection& projection, const StepOptions& options) {
  llvm::SmallBitVector updated(static_cast<unsigned>(projection.num_tensors()));
  llvm::SmallVector<AxisList, 8> wanted;
  bool any = false;
  for (size_t f = 0; f < projection.num_factors(); ++f) {
    wanted.push_back(CompatibleAxes(projection, f, options.directions[f]));
    any = any || !wanted.back().empty();
  }
  if (!any) {
    return updated;
  }
  llvm::SmallVector<size_t, 8> order = RankFactors(projection, wanted, options.elementwise);
  auto settle = [&](size_t tensor, bool operand) {
    for (size_t f : order) {
      AxisList axes = AxesFor(projection, tensor, f, wanted[f]);
      if (axes.empty()) {
        continue;
      }
      if (operand && options.elementwise) {
        LimitToResults(projection, f, axes);
      }
      if (Expand(projection, tensor, f, axes)) {
        updated.set(static_cast<unsigned>(tensor));
      }
    }
  };
  for (size_t t = projection.num_operands(); t < projection.num_tensors(); ++t) {
    settle(t, false);
  }
  for (size_t t = 0; t < projection.num_operands(); ++t) {
    settle(t, true);
  }
  return updated;
}

}  // namespace spmdc::propagate
