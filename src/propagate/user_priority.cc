// Parking and restoring of dims with priorities.
#include "propagate/user_priority.h"

#include <map>

#include "llvm/ADT/STLExtras.h"
#include "propagate/op_priority.h"

namespace spmdc::propagate {
namespace {

// A tensor, or a result of the entry, and the sharding the user gave it.
struct Parked {
  int32_t tensor = kNone;
  int32_t result = kNone;
  mesh::ShardingId sharding;
};

class Priorities {
 public:
  Priorities(Graph& graph, Engine& engine) : graph_(graph), engine_(engine) {}

  // Takes all dims of priority above 0 out.
  void Park() {
    for (size_t t = 0; t < graph_.tensors.size(); ++t) {
      if (graph_.tensors[t].state.valid()) {
        ParkOne({static_cast<int32_t>(t), kNone, graph_.tensors[t].state});
      }
    }
    for (size_t i = 0; i < graph_.results.size(); ++i) {
      if (graph_.results[i].state.valid() && graph_.results[i].tensor != kNone) {
        ParkOne({kNone, static_cast<int32_t>(i), graph_.results[i].state});
      }
    }
  }

  void RunAll() {
    PropagateByOps(engine_);
    for (const auto& [priority, parked] : parked_) {
      for (const Parked& p : parked) {
        Restore(p, priority);
      }
      PropagateByOps(engine_);
    }
  }

 private:
  void Set(const Parked& p, const mesh::Sharding& sharding) {
    mesh::ShardingId id = graph_.view.shardings.Intern(sharding);
    if (p.tensor != kNone) {
      engine_.SetState(p.tensor, id);
    } else {
      graph_.results[static_cast<size_t>(p.result)].state = id;
    }
  }

  void ParkOne(const Parked& p) {
    mesh::Sharding now = graph_.view.shardings[p.sharding];
    llvm::SmallVector<int32_t, 4> seen;
    for (mesh::DimSharding& dim : now.dims) {
      int32_t priority = dim.priority;
      if (priority == 0) {
        continue;
      }
      now.replicated.append(dim.axes.begin(), dim.axes.end());
      dim = {};
      if (!llvm::is_contained(seen, priority)) {
        seen.push_back(priority);
        parked_[priority].push_back(p);
      }
    }
    if (!seen.empty()) {
      llvm::sort(now.replicated);
      Set(p, now);
    }
  }

  void Restore(const Parked& p, int32_t priority) {
    const mesh::Sharding& given = graph_.view.shardings[p.sharding];
    mesh::ShardingId state = p.tensor != kNone ? graph_.tensors[static_cast<size_t>(p.tensor)].state
                                               : graph_.results[static_cast<size_t>(p.result)].state;
    mesh::Sharding now = graph_.view.shardings[state];
    for (size_t d = 0; d < now.dims.size(); ++d) {
      if (given.dims[d].priority != priority) {
        continue;
      }
      now.dims[d] = given.dims[d];
      now.dims[d].priority = 0;
      llvm::erase_if(now.replicated, [&](mesh::AxisRef axis) { return llvm::is_contained(given.dims[d].axes, axis); });
    }
    Set(p, now);
  }

  Graph& graph_;
  Engine& engine_;
  std::map<int32_t, std::vector<Parked>> parked_;  // by priority
};

}  // namespace

void PropagateByPriority(Graph& graph) {
  Engine engine(graph);
  Priorities priorities(graph, engine);
  priorities.Park();
  priorities.RunAll();
}

}  // namespace spmdc::propagate
