// How an axis came to a value: one neighbour after the other, back to the annotation.
#pragma once

#include <optional>
#include <vector>

#include "ir/module.h"
#include "op/rule.h"

namespace spmdc::explain {

// The rule that propagation goes by.
op::Rule RuleIn(const ir::Module& program, const ir::Function& f, const ir::Inst& inst);
// Of one of an op's tensors: operands first, then results.
const op::TensorFactors& FactorsOf(const op::Rule& rule, size_t tensor);

// The last step on the way of an axis.
struct Hop {
  enum class Way : uint8_t {
    Forward,   // from an operand of the op to a result
    Backward,  // from a result to an operand
    Sideways,  // from one operand to another, or between results
    Across,    // over the border of a region, or along a value that several places feed
  };
  Way way = Way::Across;
  ir::ValueRef from;
  const ir::Origin* origin = nullptr;  // of the axis on `from`
  ir::FuncId func;                     // the op
  ir::InstId inst;
};

class Paths {
 public:
  explicit Paths(const ir::Module& program);

  // Nothing for an axis that an annotation of the value itself placed, and where the record does not tell.
  std::optional<Hop> Last(ir::ValueRef value, const ir::Origin& origin) const;
  // All values that the axis came by, the nearest first.
  std::vector<ir::ValueRef> Back(ir::ValueRef value, const ir::Origin& origin) const;

 private:
  struct Site {
    ir::FuncId func;
    ir::InstId inst;
  };

  std::optional<Hop> ThroughOp(ir::ValueRef value, const ir::Origin& origin) const;
  std::optional<Hop> AcrossBorder(ir::ValueRef value, const ir::Origin& origin) const;
  void AddAround(ir::ValueRef value, std::vector<Hop>& hops) const;
  void AddOfOp(Site site, ir::ValueRef value, std::vector<Hop>& hops) const;
  void AddOfBody(ir::ValueRef value, std::vector<Hop>& hops) const;
  const ir::Origin* Earlier(ir::ValueRef from, const ir::Origin& origin, int32_t dim, int32_t latest) const;

  const ir::Module& program_;
  IdMap<ir::FuncId, Site> owner_;  // of bodies: the op that has them
  // The ops with regions, and the barriers, that use a value.
  IdMap<ir::FuncId, IdMap<ir::ValueId, llvm::SmallVector<ir::InstId, 1>>> borders_;
};

}  // namespace spmdc::explain
