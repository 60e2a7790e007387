// The projection of an op's shardings from dims to factors and back.
//
//   reshape f32[8,6] -> f32[4,12]: dim 0 of the operand is the factors i=4, j=2; sharded on x=8 it is i: x:(1)4, j: x:(4)2
//
// A dim's axes are dealt out to its factors, major to minor; an axis that straddles a factor's boundary is cut there. What
// cannot be dealt out, because axis and rest of the factor share no divisor, overflows: it blocks the later factors.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "mesh/sharding.h"
#include "op/rule.h"

namespace spmdc::propagate {

// The axes of one factor in one tensor.
struct FactorSharding {
  mesh::AxisList axes;
  mesh::AxisList overflow;  // axes of the dim that no factor could take: they stay where they are
  bool present = false;     // the tensor has the factor
  bool closed = false;      // no axis may be appended
  bool minor_most = false;  // of its dim: need not be divided evenly
};

// All tensors of one op by factor: operands first, then results.
class Projection {
 public:
  // One sharding per tensor; null where nothing is known yet (all dims empty and open). The rule and the shardings must
  // outlive the projection. A projection may be built again and again; it keeps its memory.
  void Build(const op::Rule& rule, llvm::ArrayRef<const mesh::Sharding*> tensors);

  const op::Rule& rule() const { return *rule_; }
  size_t num_operands() const { return rule_->operands.size(); }
  size_t num_tensors() const { return shardings_.size(); }
  size_t num_factors() const { return rule_->factors.size(); }
  FactorSharding& at(size_t tensor, size_t factor) { return cells_[tensor * num_factors() + factor]; }
  const FactorSharding& at(size_t tensor, size_t factor) const { return cells_[tensor * num_factors() + factor]; }
  const op::TensorFactors& factors_of(size_t tensor) const {
    return tensor < num_operands() ? rule_->operands[tensor] : rule_->results[tensor - num_operands()];
  }
  // The sharding the tensor was built from; null if it had none.
  const mesh::Sharding* sharding(size_t tensor) const { return shardings_[tensor]; }

  // The tensor's sharding as its factors have it now. Axes behind a factor that is not sharded completely are dropped:
  // such a layout would be strided.
  mesh::Sharding ToSharding(size_t tensor, mesh::MeshId mesh) const;

 private:
  void BuildTensor(size_t tensor);

  const op::Rule* rule_ = nullptr;
  llvm::SmallVector<const mesh::Sharding*, 8> shardings_;
  std::vector<FactorSharding> cells_;  // tensor-major; longer than needed after a larger op
};

// a.pre .. a.pre*a.size without the digits from the first one on that b shares with it; size 0 if nothing is left, or if
// the two cannot be digits of one split of the axis.
mesh::AxisRef PrefixWithoutOverlap(mesh::AxisRef a, mesh::AxisRef b);
mesh::AxisRef PrefixWithoutOverlap(mesh::AxisRef a, llvm::ArrayRef<mesh::AxisRef> others);
// Whether a's digits are the major digits of b (equal ones included).
bool IsPrefixRef(mesh::AxisRef a, mesh::AxisRef b);

enum class PrefixStatus : uint8_t { NotAPrefix, StrictPrefix, Equal };
// How `first` stands to `second`; only the last axis of `first` may be a part of an axis.
PrefixStatus ComparePrefix(llvm::ArrayRef<mesh::AxisRef> first, llvm::ArrayRef<mesh::AxisRef> second);

}  // namespace spmdc::propagate
