// Writing down a rule: what an op's `rule` is handed.
#pragma once

#include "ir/module.h"
#include "op/rule.h"

namespace spmdc::op {

// Absent from this tensor.
inline constexpr int64_t kNoDim = -1;

class RuleBuilder {
 public:
  // Writes into `rule`, which must be empty: rules are large, and are made where they stay.
  RuleBuilder(const ir::Module& module, llvm::ArrayRef<ir::Type> operands, llvm::ArrayRef<ir::Type> results,
              ir::AttrsId attrs, llvm::ArrayRef<ir::FuncId> bodies, Rule& rule);

  llvm::ArrayRef<ir::Type> operands;
  llvm::ArrayRef<ir::Type> results;
  llvm::ArrayRef<ir::FuncId> bodies;
  const ir::Module& module;
  template <typename T>
  const T& attrs() const {
    return module.tables->attrs.Get<T>(attrs_);
  }

  // A new factor. Order counts: propagation breaks ties by it.
  int32_t Factor(int64_t size, FactorKind kind, bool blocked = false);
  // Appends a factor as the next minor one of a dim.
  void Operand(size_t i, int64_t dim, int32_t factor);
  void Result(size_t i, int64_t dim, int32_t factor);
  // One factor on one dim of each operand and of each result (kNoDim: absent), in the order given.
  int32_t Factor(int64_t size, FactorKind kind, llvm::ArrayRef<int64_t> operand_dims,
                 llvm::ArrayRef<int64_t> result_dims, bool blocked = false);
  // The op's lowering copes with a sharded factor by itself.
  void SelfCombining(int32_t factor) { rule_.factors[static_cast<size_t>(factor)].self_combining = true; }
  // A factor that the lowering wants split as another one is, or not at all.
  void Follows(int32_t factor, int32_t leader) {
    SelfCombining(factor);
    rule_.factors[static_cast<size_t>(factor)].follows = leader;
  }
  // One Map factor per dim of the result, on all array operands of the result's rank and on all results.
  void Elementwise();
  // How results combine and what operands' padding holds along Reduce factors; default Sum, Sum.
  void Combine(size_t result, mesh::Monoid monoid) { rule_.result_monoid[result] = monoid; }
  void Fill(size_t operand, mesh::Monoid monoid) { rule_.operand_fill[operand] = monoid; }

 private:
  ir::AttrsId attrs_;
  Rule& rule_;
};

}  // namespace spmdc::op
