// What the engine works on: tensors with their present shardings, nodes with rules, and who looks again when one changes.
// Flat and made for many visits; built once from the view.
#pragma once

#include <vector>

#include "op/rule_table.h"
#include "propagate/basic.h"
#include "propagate/origins.h"
#include "propagate/view.h"

namespace spmdc::propagate {

struct Tensor {
  mesh::ShardingId state;                       // in View::shardings; none: nothing is known, all dims are open
  int32_t group = kNone;                        // in View::groups
  uint32_t first_waiting = 0, num_waiting = 0;  // in Graph::waiting
};

struct Node {
  int32_t rule = 0;           // in Graph::rules
  uint32_t first_tensor = 0;  // in Graph::node_tensors: operands, then results; kNone where a tensor has no dims
  uint16_t num_operands = 0, num_results = 0;
  op::Precedence precedence = op::Precedence::Default;
  bool elementwise = false;
  bool into_argument = false;   // an edge to the argument of a manual region or of a call
  bool shared_operand = false;  // an operand has other uses
  // A barrier: which way shardings go, on every level.
  bool barrier = false;
  Direction allowed = Direction::Both;
  int32_t manual = kNone;  // an edge across the border of a manual region
  ir::FuncId func;
  ir::InstId inst;
};

// A result of the entry: a value, and where the caller wants it.
struct EntryResult {
  int32_t tensor = kNone;  // none: no dims
  mesh::ShardingId state;
  int32_t rule = 0;
};

// Rules, each kept once, with what propagation asks of a factor.
struct PropagationRule {
  const op::Rule* rule = nullptr;           // in Graph::known_rules
  llvm::SmallVector<bool, 6> pass_through;  // per factor
  llvm::SmallVector<bool, 6> blocked;
};

struct Graph {
  explicit Graph(View& v) : view(v) {}

  View& view;
  std::vector<Tensor> tensors;  // as many as View::values; those an edge decides for are not used
  std::vector<Node> nodes;      // in the order of the text
  std::vector<int32_t> node_tensors;
  std::vector<int32_t> waiting;  // per tensor: nodes to visit when its state changes, in that order
  std::vector<EntryResult> results;
  op::RuleTable known_rules;
  std::vector<PropagationRule> rules;  // numbered as known_rules
  OriginLog origins;

  llvm::ArrayRef<int32_t> tensors_of(const Node& node) const {
    return llvm::ArrayRef<int32_t>(node_tensors)
        .slice(node.first_tensor, static_cast<size_t>(node.num_operands) + node.num_results);
  }
  llvm::ArrayRef<int32_t> waiting_for(int32_t tensor) const {
    const Tensor& t = tensors[static_cast<size_t>(tensor)];
    return llvm::ArrayRef<int32_t>(waiting).slice(t.first_waiting, t.num_waiting);
  }
  const mesh::Sharding* state(int32_t tensor) const {
    mesh::ShardingId id = tensors[static_cast<size_t>(tensor)].state;
    return id.valid() ? &view.shardings[id] : nullptr;
  }
};

Graph BuildGraph(View& view);

// Whether an axis moves along a factor like along a map: a map or new dim, or a dim that is addressed by indices in operand
// and result alike.
bool IsPassThrough(const op::Rule& rule, size_t factor);

}  // namespace spmdc::propagate
