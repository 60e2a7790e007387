// The fixpoint: nodes are visited until no sharding grows any more.
//
// A work list, not sweeps: all nodes once in the order of the text, and again those whose tensors changed, the last told
// first. The order decides conflicts, so it is the order of MLIR's greedy rewriter. A node that has been looked at since
// its tensors changed last is not looked at again.
#pragma once

#include <string>
#include <unordered_set>

#include "propagate/basic.h"
#include "propagate/graph.h"

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
  bool Visit(int32_t node, Strategy strategy, NodeDirection direction);
  // What a visit that changes nothing depends on, as bytes in key_: nodes of repeated layers are told by it at once.
  void MakeKey(const Node& node, Strategy strategy, NodeDirection direction);
  bool Project(llvm::ArrayRef<int32_t> tensors, const PropagationRule& rule, const ManualEdge* manual);
  llvm::SmallBitVector Step(Strategy strategy, const PropagationRule& rule, NodeDirection direction, bool elementwise);
  bool Store(size_t index, int32_t tensor, const ManualEdge* manual, int32_t node);
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
  std::string key_;
  std::unordered_set<std::string> settled_;  // keys under which nothing changes
  std::vector<int32_t> stack_;
  std::vector<char> waits_;      // per node: it is on the stack
  std::vector<uint32_t> clean_;  // per node: a bit for each pair of directions under which it would change nothing
  int32_t visiting_ = kNone;
};

}  // namespace spmdc::propagate
