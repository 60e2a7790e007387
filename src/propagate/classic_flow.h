// What one op hands on in the classic propagation (GSPMD): from operands to results, and from users back.
//
// All of it follows from the op's rule, its Precedence and op::Classic. A level (0 to 3) says how daring the run is: first
// what passes through unchanged, then everything but broadcasts, then these backward, last forward.
#pragma once

#include "op/op_def.h"
#include "propagate/classic_graph.h"
#include "propagate/classic_merge.h"

namespace spmdc::propagate {

// A sharding that a state may take, and the states it comes from.
struct ClassicOffer {
  mesh::Sharding sharding;
  llvm::SmallVector<int32_t, 2> sources;
};

class ClassicFlow {
 public:
  ClassicFlow(ClassicGraph& graph, const ClassicMerge& merge) : g_(graph), view_(graph.view), merge_(merge) {}

  // What a use asks of its value; nothing where the op that uses it has no sharding or does not pass it on.
  std::optional<ClassicOffer> FromUser(const ViewUse& use, int level) const;
  // What result r of an op would take from operand k as it is now.
  std::optional<ClassicOffer> FromOperand(int32_t o, size_t k, size_t r) const;
  // The operands that the results of an op take from, in order.
  llvm::SmallVector<size_t, 4> Sources(int32_t o, int level) const;
  // Whether shardings pass through an op at all; and from which level on, forward.
  bool Passes(int32_t o) const;
  bool MayPass(int32_t o, int level, bool forward) const;
  // The sharding that the only user of a result would ask for, looked up along a chain of single users.
  std::optional<mesh::Sharding> LookAhead(int32_t v) const;
  // How many users a result has besides the root of its computation.
  size_t InnerUses(int32_t v) const;
  const op::OpDef* DefOf(int32_t o) const { return g_.def_of_op[static_cast<size_t>(o)]; }

 private:
  const mesh::Sharding* Known(int32_t v) const { return g_.Find(g_.StateOfValue(v)); }
  bool IsRoot(int32_t o) const;
  std::optional<mesh::Sharding> Carry(int32_t o, size_t from, size_t to, const mesh::Sharding& sharding) const;
  mesh::Sharding ByRule(const op::Rule& rule, size_t from, size_t to, size_t rank, const mesh::Sharding& s) const;
  std::optional<ClassicOffer> FromReturn(const ViewUse& use) const;
  std::optional<ClassicOffer> FromBranches(const ViewUse& use) const;
  std::optional<ClassicOffer> ThroughOp(const ViewUse& use, const mesh::Sharding& result, size_t r, int level) const;

  ClassicGraph& g_;
  View& view_;
  const ClassicMerge& merge_;
};

}  // namespace spmdc::propagate
