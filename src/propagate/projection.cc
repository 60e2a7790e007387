// From dims to factors and back.
#include "propagate/projection.h"

#include <numeric>

#include "support/check.h"

namespace spmdc::propagate {

using mesh::AxisList;
using mesh::AxisRef;

AxisRef PrefixWithoutOverlap(AxisRef a, AxisRef b) {
  if (a.axis != b.axis) {
    return a;
  }
  AxisRef nothing = {a.axis, a.pre, 0};
  int64_t low = std::min(a.pre, b.pre);
  int64_t inner_low = std::max(a.pre, b.pre);
  int64_t inner_high = std::min(a.next_pre(), b.next_pre());
  int64_t high = std::max(a.next_pre(), b.next_pre());
  if (inner_low >= inner_high) {
    // Disjoint: the gap between them has to be a digit.
    return inner_low % inner_high == 0 ? a : nothing;
  }
  bool coexist = inner_low % low == 0 && inner_high % inner_low == 0 && high % inner_high == 0;
  if (!coexist || a.pre >= b.pre) {
    return nothing;
  }
  return {a.axis, a.pre, b.pre / a.pre};
}

AxisRef PrefixWithoutOverlap(AxisRef a, llvm::ArrayRef<AxisRef> others) {
  for (AxisRef other : others) {
    a = PrefixWithoutOverlap(a, other);
    if (a.size == 0) {
      break;
    }
  }
  return a;
}

bool IsPrefixRef(AxisRef a, AxisRef b) { return a.axis == b.axis && a.pre == b.pre && a.size <= b.size; }

PrefixStatus ComparePrefix(llvm::ArrayRef<AxisRef> first, llvm::ArrayRef<AxisRef> second) {
  if (first.empty()) {
    return second.empty() ? PrefixStatus::Equal : PrefixStatus::StrictPrefix;
  }
  if (first.size() > second.size()) {
    return PrefixStatus::NotAPrefix;
  }
  size_t last = first.size() - 1;
  if (first.drop_back() != second.take_front(last)) {
    return PrefixStatus::NotAPrefix;
  }
  if (first.size() == second.size() && first[last] == second[last]) {
    return PrefixStatus::Equal;
  }
  return IsPrefixRef(first[last], second[last]) ? PrefixStatus::StrictPrefix : PrefixStatus::NotAPrefix;
}

void Projection::Build(const op::Rule& rule, llvm::ArrayRef<const mesh::Sharding*> tensors) {
  rule_ = &rule;
  shardings_.assign(tensors.begin(), tensors.end());
  SPMDC_CHECK(tensors.size() == rule.operands.size() + rule.results.size(), "a rule of another op");
  size_t needed = tensors.size() * rule.factors.size();
  if (cells_.size() < needed) {
    cells_.resize(needed);
  }
  for (size_t i = 0; i < needed; ++i) {
    cells_[i].axes.clear();
    cells_[i].overflow.clear();
    cells_[i].present = false;
  }
  for (size_t t = 0; t < tensors.size(); ++t) {
    BuildTensor(t);
  }
}

namespace {

// What is left of a dim's axes while they are dealt out.
class Dealer {
 public:
  explicit Dealer(llvm::ArrayRef<AxisRef> axes) : rest_(axes) {
    if (!rest_.empty()) {
      current_ = rest_.front();
    }
  }
  bool empty() const { return rest_.empty(); }

  // Gives a factor of the given size as much as divides it; what of the factor is left unsharded.
  int64_t Deal(int64_t factor_size, AxisList& to) {
    while (!rest_.empty()) {
      int64_t common = std::gcd(factor_size, current_.size);
      if (common == 1 && current_.size != 1) {
        break;
      }
      to.push_back({current_.axis, current_.pre, current_.size == 1 ? 1 : common});
      factor_size /= common;
      if (current_.size > common) {
        current_ = {current_.axis, current_.pre * common, current_.size / common};
      } else {
        Next();
      }
    }
    return factor_size;
  }

  void DealAll(AxisList& to) {
    while (!rest_.empty()) {
      mesh::Append(to, current_);
      Next();
    }
  }

 private:
  void Next() {
    rest_ = rest_.drop_front();
    if (!rest_.empty()) {
      current_ = rest_.front();
    }
  }

  llvm::ArrayRef<AxisRef> rest_;
  AxisRef current_;  // what is left of the first one
};

}  // namespace

void Projection::BuildTensor(size_t tensor) {
  const op::TensorFactors& factors = factors_of(tensor);
  const mesh::Sharding* sharding = shardings_[tensor];
  SPMDC_CHECK(sharding == nullptr || sharding->dims.size() == factors.dims.size(), "a sharding of another rank");
  for (size_t d = 0; d < factors.dims.size(); ++d) {
    bool closed = sharding != nullptr && !sharding->dims[d].open;
    Dealer dealer(sharding == nullptr ? llvm::ArrayRef<AxisRef>() : llvm::ArrayRef<AxisRef>(sharding->dims[d].axes));
    bool overflowed = false;
    for (int32_t f : factors.dims[d]) {
      FactorSharding& cell = at(tensor, static_cast<size_t>(f));
      cell.present = true;
      cell.minor_most = f == factors.dims[d].back();
      cell.closed = closed || overflowed;
      if (overflowed) {
        // Behind an overflow the dim takes nothing; factors after the next one are not looked at at all.
        break;
      }
      if (cell.minor_most) {
        dealer.DealAll(cell.axes);
        break;
      }
      int64_t left = dealer.Deal(rule_->factors[static_cast<size_t>(f)].size, cell.axes);
      if (left > 1 && !dealer.empty()) {
        overflowed = true;
        dealer.DealAll(cell.overflow);
      }
    }
  }
}

mesh::Sharding Projection::ToSharding(size_t tensor, mesh::MeshId mesh) const {
  const op::TensorFactors& factors = factors_of(tensor);
  const mesh::Sharding* old = shardings_[tensor];
  mesh::Sharding sharding;
  if (old != nullptr) {
    sharding.replicated = old->replicated;
    sharding.unreduced = old->unreduced;
    sharding.unreduced_kind = old->unreduced_kind;
    sharding.reduced = old->reduced;
    sharding.varying = old->varying;
  }
  sharding.mesh = mesh;
  sharding.dims.resize(factors.dims.size());
  for (size_t d = 0; d < factors.dims.size(); ++d) {
    mesh::DimSharding& dim = sharding.dims[d];
    dim.open = true;
    if (factors.dims[d].empty()) {
      // The op says nothing about this dim.
      if (old != nullptr) {
        dim = old->dims[d];
      }
      continue;
    }
    for (int32_t f : factors.dims[d]) {
      const FactorSharding& cell = at(tensor, static_cast<size_t>(f));
      dim.open = dim.open && !cell.closed;
      mesh::Append(dim.axes, cell.axes);
      mesh::Append(dim.axes, cell.overflow);
      if (!cell.overflow.empty() || mesh::Product(cell.axes) < rule_->factors[static_cast<size_t>(f)].size) {
        break;
      }
    }
  }
  return sharding;
}

}  // namespace spmdc::propagate
