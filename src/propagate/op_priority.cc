// The levels of ops.
#include "propagate/op_priority.h"

namespace spmdc::propagate {

namespace {

// What levels 0 and 1 allow, along any factor.
Direction Early(int level, const Node& node) {
  if (level == 0 && node.shared_operand) {
    return Direction::None;
  }
  switch (node.precedence) {
    case op::Precedence::PassThrough:
      return Direction::Both;
    case op::Precedence::DynamicSlice:
      return Direction::Forward;
    default:
      return Direction::None;
  }
}

}  // namespace

NodeDirection DirectionAt(int level, const Node& node) {
  if (node.barrier) {
    return {node.allowed, node.allowed};
  }
  if (node.precedence == op::Precedence::None) {
    return {Direction::None, Direction::None};
  }
  Direction early = Early(level, node);
  if (level < 2) {
    return {early, early};
  }
  if (level == 4) {
    return {Direction::Both, Direction::Both};
  }
  Direction late = node.precedence == op::Precedence::Broadcast ? Direction::Backward : Direction::Both;
  return {Union(early, late), level == 2 ? early : Union(early, late)};
}

void PropagateByOps(Engine& engine) {
  for (int level = 0; level < kOpLevels; ++level) {
    engine.Run(Strategy::Aggressive, [level](const Node& node) { return DirectionAt(level, node); });
  }
}

}  // namespace spmdc::propagate
