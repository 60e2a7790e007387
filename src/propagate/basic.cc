// Agreement along a factor, and the basic step.
#include "propagate/basic.h"

#include <numeric>

namespace spmdc::propagate {

using mesh::AxisList;
using mesh::AxisRef;

namespace {

// Merges one tensor's list into what was agreed so far. can_expand: the tensor may lengthen it; it becomes false where the
// lists part.
void Agree(AxisList& agreed, llvm::ArrayRef<AxisRef> axes, bool& can_expand) {
  size_t i = 0;
  for (; i < agreed.size() && i < axes.size(); ++i) {
    AxisRef ours = agreed[i];
    AxisRef theirs = axes[i];
    if (ours == theirs) {
      continue;
    }
    bool ours_last = i + 1 == agreed.size();
    bool theirs_last = i + 1 == axes.size();
    if (IsPrefixRef(theirs, ours)) {
      if (theirs_last) {
        continue;
      }
      // Theirs goes on with another axis than ours: they part behind the common digits.
      agreed[i] = theirs;
      agreed.truncate(i + 1);
    } else if (IsPrefixRef(ours, theirs)) {
      if (can_expand && ours_last) {
        agreed[i] = theirs;
        continue;
      }
      agreed.truncate(i + 1);
    } else {
      agreed.truncate(i);
    }
    can_expand = false;
    return;
  }
  if (can_expand && i < axes.size()) {
    agreed.append(axes.begin() + static_cast<ptrdiff_t>(i), axes.end());
  }
}

void AgreeAll(const Projection& projection, size_t factor, size_t begin, size_t end, AxisList& agreed,
              bool& can_expand) {
  for (size_t t = begin; t < end; ++t) {
    const FactorSharding& cell = projection.at(t, factor);
    if (cell.present) {
      Agree(agreed, cell.axes, can_expand);
    }
  }
}

}  // namespace

AxisList CompatibleAxes(const Projection& projection, size_t factor, Direction direction) {
  AxisList agreed;
  if (direction == Direction::None) {
    return agreed;
  }
  bool can_expand = true;
  size_t operands = projection.num_operands();
  bool from_results = direction == Direction::Backward;
  AgreeAll(projection, factor, from_results ? operands : 0, from_results ? projection.num_tensors() : operands, agreed,
           can_expand);
  can_expand = can_expand && direction == Direction::Both;
  AgreeAll(projection, factor, from_results ? 0 : operands, from_results ? operands : projection.num_tensors(), agreed,
           can_expand);
  return agreed;
}

AxisRef PrefixWithinFactor(AxisRef axis, const mesh::Sharding* sharding, const FactorSharding& cell,
                           int64_t sharded_size, int64_t factor_size) {
  AxisRef prefix = axis;
  if (sharding != nullptr) {
    prefix = PrefixWithoutOverlap(prefix, sharding->replicated);
    if (prefix.size != 0) {
      prefix = PrefixWithoutOverlap(prefix, sharding->unreduced);
    }
    if (prefix.size == 0) {
      return prefix;
    }
  }
  for (AxisRef own : cell.axes) {
    if (own.axis == prefix.axis && own.pre <= prefix.pre && own.next_pre() >= prefix.next_pre()) {
      return prefix;
    }
  }
  if (!cell.closed && cell.overflow.empty()) {
    if (cell.minor_most) {
      return prefix;
    }
    if (factor_size % sharded_size == 0) {
      int64_t common = std::gcd(factor_size / sharded_size, prefix.size);
      if (common > 1) {
        return {prefix.axis, prefix.pre, common};
      }
    }
  }
  if (!cell.axes.empty() && IsPrefixRef(cell.axes.back(), prefix)) {
    return cell.axes.back();
  }
  return {axis.axis, axis.pre, 0};
}

AxisRef PrefixAcrossFactors(AxisRef axis, const Projection& projection, size_t tensor, size_t factor) {
  for (size_t other = 0; other < projection.num_factors() && axis.size != 0; ++other) {
    const FactorSharding& cell = projection.at(tensor, other);
    if (other == factor || !cell.present) {
      continue;
    }
    axis = PrefixWithoutOverlap(axis, cell.overflow);
    if (axis.size != 0) {
      axis = PrefixWithoutOverlap(axis, cell.axes);
    }
  }
  return axis;
}

bool Expand(Projection& projection, size_t tensor, size_t factor, llvm::ArrayRef<AxisRef> axes) {
  FactorSharding& cell = projection.at(tensor, factor);
  if (!cell.present || ComparePrefix(cell.axes, axes) != PrefixStatus::StrictPrefix) {
    return false;
  }
  cell.axes.assign(axes.begin(), axes.end());
  return true;
}

llvm::SmallBitVector BasicStep(Projection& projection, const StepOptions& options) {
  llvm::SmallBitVector updated(static_cast<unsigned>(projection.num_tensors()));
  for (size_t f = 0; f < projection.num_factors(); ++f) {
    AxisList axes = CompatibleAxes(projection, f, options.directions[f]);
    TruncateAxes(axes, [&](AxisRef axis, int64_t sharded_size) {
      for (size_t t = 0; t < projection.num_tensors() && axis.size != 0; ++t) {
        axis = PrefixAcrossFactors(axis, projection, t, f);
        const FactorSharding& cell = projection.at(t, f);
        if (cell.present && axis.size != 0) {
          axis =
              PrefixWithinFactor(axis, projection.sharding(t), cell, sharded_size, projection.rule().factors[f].size);
        }
      }
      return axis;
    });
    for (size_t t = 0; t < projection.num_tensors(); ++t) {
      if (Expand(projection, t, f, axes)) {
        updated.set(static_cast<unsigned>(t));
      }
    }
  }
  return updated;
}

}  // namespace spmdc::propagate
