// The fixpoint: nodes are visited until no sharding grows any more.
//
// A work list, not sweeps: all nodes once in the order of the text, and again those whose tensors changed, the last told
// first. The order decides conflicts, so it is the order of MLIR's greedy rewriter. A node that has been looked at since
// its tensors changed last is not looked at again.
#pragma once

#include <optional>
#include <tuple>
#include <vector>

#include "propagate/basic.h"
#include "propagate/graph.h"
#include "support/key_table.h"

namespace spmdc::propagate {

// Which step is made at a node. Shardy's pipeline, and so this tool's, uses the aggressive one throughout.
enum class Strategy : uint8_t { Basic, Aggressive };

// How far axes may move through a node.
struct NodeDirection {
  Direction pass_through = Direction::Both;  // along its pass-through factors
  Direction others = Direction::Both;
};
using DirectionOf = llvm::function_ref<NodeDirection(const Node&)>;

class Engine {
 public:
  explicit Engine(Graph& graph);

  // Moves shardings until none grows, from the entry's results to its values before and back after.
  void Run(Strategy strategy, DirectionOf direction);
  // Sets a state from outside.
  void SetState(int32_t tensor, mesh::ShardingId state);

 private:
  void PropagateResults(Strategy strategy);
  // What a visit does to one tensor of its node.
  struct Change {
    size_t tensor = 0;
    mesh::ShardingId now;
    Trail trail;
  };
  using Effect = std::vector<Change>;

  bool Visit(int32_t node, Strategy strategy, NodeDirection direction);
  Effect EffectOf(const Node& node, Strategy strategy, NodeDirection direction);
  // What a visit does depends on, in key_: nodes of repeated layers do what the first of them did.
  void MakeKey(const Node& node, Strategy strategy, NodeDirection direction);
  bool Project(llvm::ArrayRef<int32_t> tensors, const PropagationRule& rule, const ManualEdge* manual);
  llvm::SmallBitVector Step(Strategy strategy, const PropagationRule& rule, NodeDirection direction, bool elementwise);
  // The new sharding of a tensor after a step; nothing if it is none.
  std::optional<mesh::Sharding> After(size_t index, const ManualEdge* manual);
  void Apply(const Effect& effect, int32_t node);
  // Whether a node is visited again in the same run when one of its tensors changes. Edges to the arguments of calls and of
  // manual regions are so only where the argument changes, as in Shardy.
  bool Follows(const Node& node, int32_t tensor) const;
  void Wake(int32_t tensor);
  // The other members of a tensor's group take its sharding.
  void ShareWithGroup(int32_t tensor, mesh::ShardingId state);
  void Push(int32_t node);

  Graph& graph_;
  Projection projection_;
  mesh::MeshId mesh_;     // of the node that is visited
  mesh::Sharding outer_;  // scratch: the sharding of a manual edge's target as its sources see it
  llvm::SmallVector<const mesh::Sharding*, 8> shardings_;
  llvm::SmallVector<Direction, 8> directions_;
  llvm::SmallVector<int32_t, 16> key_;
  KeyTable keys_;
  std::vector<Effect> effects_;  // by number of the key
  std::vector<int32_t> stack_;
  // Per result of the entry: the strategy and both states with which nothing moved.
  std::vector<std::optional<std::tuple<Strategy, mesh::ShardingId, mesh::ShardingId>>> settled_results_;
  std::vector<char> waits_;      // per node: it is on the stack
  std::vector<uint32_t> clean_;  // per node: a bit for each pair of directions under which it would change nothing
  int32_t visiting_ = kNone;
};

}  // namespace spmdc::propagate
