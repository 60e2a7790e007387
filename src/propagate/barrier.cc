// Directions of barriers.
#include "propagate/barrier.h"

#include "op/op_def.h"
#include "ops/opaque.h"

namespace spmdc::propagate {

std::optional<Direction> BarrierOf(const ir::Module& module, const ir::Inst& inst) {
  if (op::Def(inst.op).make_attrs != ir::NewAttrs<ops::OpaqueAttrs> || inst.num_operands != 1 ||
      inst.num_results != 1) {
    return std::nullopt;
  }
  std::optional<ops::BarrierDirection> direction = ops::BarrierDirectionOf(module.attrs<ops::OpaqueAttrs>(inst));
  if (!direction) {
    return std::nullopt;
  }
  switch (*direction) {
    case ops::BarrierDirection::Forward:
      return Direction::Forward;
    case ops::BarrierDirection::Backward:
      return Direction::Backward;
    case ops::BarrierDirection::None:
      break;
  }
  return Direction::None;
}

}  // namespace spmdc::propagate
