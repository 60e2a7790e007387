// Visiting a node: project, step, write back, wake whoever looks at what changed.
#include "propagate/engine.h"

#include "llvm/ADT/STLExtras.h"
#include "propagate/aggressive.h"

namespace spmdc::propagate {

Engine::Engine(Graph& graph)
    : graph_(graph),
      settled_results_(graph.results.size()),
      waits_(graph.nodes.size(), 0),
      clean_(graph.nodes.size(), 0) {
  stack_.reserve(graph.nodes.size());
}

void Engine::Push(int32_t node) {
  if (waits_[static_cast<size_t>(node)] == 0) {
    waits_[static_cast<size_t>(node)] = 1;
    stack_.push_back(node);
  }
}

bool Engine::Follows(const Node& node, int32_t tensor) const {
  return !node.into_argument || graph_.tensors_of(node).back() == tensor;
}

void Engine::Wake(int32_t tensor) {
  for (int32_t node : graph_.waiting_for(tensor)) {
    clean_[static_cast<size_t>(node)] = 0;
    if (visiting_ != kNone && node != visiting_ && Follows(graph_.nodes[static_cast<size_t>(node)], tensor)) {
      Push(node);
    }
  }
}

void Engine::SetState(int32_t tensor, mesh::ShardingId state) {
  graph_.tensors[static_cast<size_t>(tensor)].state = state;
  Wake(tensor);
}

void Engine::Run(Strategy strategy, DirectionOf direction) {
  PropagateResults(strategy);
  for (auto n = static_cast<int32_t>(graph_.nodes.size()); n-- > 0;) {
    Push(n);
  }
  while (!stack_.empty()) {
    int32_t node = stack_.back();
    stack_.pop_back();
    waits_[static_cast<size_t>(node)] = 0;
    NodeDirection way = direction(graph_.nodes[static_cast<size_t>(node)]);
    uint32_t bit = 1U << (static_cast<uint32_t>(way.pass_through) * 4 + static_cast<uint32_t>(way.others));
    uint32_t& clean = clean_[static_cast<size_t>(node)];
    if ((clean & bit) != 0 || (way.pass_through == Direction::None && way.others == Direction::None)) {
      continue;
    }
    visiting_ = node;
    if (!Visit(node, strategy, way)) {
      clean |= bit;
    }
    visiting_ = kNone;
  }
  PropagateResults(strategy);
}

void Engine::MakeKey(const Node& node, Strategy strategy, NodeDirection direction) {
  key_.clear();
  key_.push_back(node.rule);
  key_.push_back((static_cast<int32_t>(strategy) << 16) | (static_cast<int32_t>(direction.pass_through) << 8) |
                 (static_cast<int32_t>(direction.others) << 1) | (node.elementwise ? 1 : 0));
  for (int32_t tensor : graph_.tensors_of(node)) {
    key_.push_back(tensor == kNone ? -2 : graph_.tensors[static_cast<size_t>(tensor)].state.index);
  }
}

bool Engine::Visit(int32_t n, Strategy strategy, NodeDirection direction) {
  const Node& node = graph_.nodes[static_cast<size_t>(n)];
  if (node.manual != kNone) {
    Effect effect = EffectOf(node, strategy, direction);
    Apply(effect, n);
    return !effect.empty();
  }
  MakeKey(node, strategy, direction);
  auto [number, is_new] = keys_.Insert(key_);
  if (is_new) {
    effects_.push_back(EffectOf(node, strategy, direction));
  }
  Apply(effects_[static_cast<size_t>(number)], n);
  return !effects_[static_cast<size_t>(number)].empty();
}

Engine::Effect Engine::EffectOf(const Node& node, Strategy strategy, NodeDirection direction) {
  const PropagationRule& rule = graph_.rules[static_cast<size_t>(node.rule)];
  const ManualEdge* manual =
      node.manual == kNone ? nullptr : &graph_.view.manual_edges[static_cast<size_t>(node.manual)];
  llvm::ArrayRef<int32_t> tensors = graph_.tensors_of(node);
  Effect effect;
  if (!Project(tensors, rule, manual)) {
    return effect;
  }
  llvm::SmallBitVector grown = Step(strategy, rule, direction, node.elementwise);
  for (unsigned t : grown.set_bits()) {
    if (auto now = After(t, t + 1 == tensors.size() ? manual : nullptr)) {
      effect.push_back({t, graph_.view.shardings.Intern(*now), MakeTrail(projection_, t, *now)});
    }
  }
  return effect;
}

void Engine::Apply(const Effect& effect, int32_t node) {
  llvm::ArrayRef<int32_t> tensors = graph_.tensors_of(graph_.nodes[static_cast<size_t>(node)]);
  for (const Change& change : effect) {
    graph_.origins.Record(change.tensor, tensors, change.trail, node);
    SetState(tensors[change.tensor], change.now);
    ShareWithGroup(tensors[change.tensor], change.now);
  }
}

// Whether there is anything to propagate: some axis, and one mesh. A mesh without axes stands for any.
bool Engine::Project(llvm::ArrayRef<int32_t> tensors, const PropagationRule& rule, const ManualEdge* manual) {
  shardings_.clear();
  mesh_ = {};
  bool any_axis = false;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const mesh::Sharding* sharding = tensors[i] == kNone ? nullptr : graph_.state(tensors[i]);
    if (sharding != nullptr && manual != nullptr && i + 1 == tensors.size()) {
      const mesh::Sharding& outer = graph_.view.shardings[manual->outer];
      outer_ = manual->into ? AddManual(outer, *sharding, manual->manual) : EraseManual(*sharding, manual->manual);
      sharding = &outer_;
    }
    shardings_.push_back(sharding);
    if (sharding == nullptr) {
      continue;
    }
    for (const mesh::DimSharding& dim : sharding->dims) {
      any_axis = any_axis || !dim.axes.empty();
    }
    if (!mesh_.valid() || graph_.view.module.tables->meshes[mesh_].axes.empty()) {
      mesh_ = sharding->mesh;
    } else if (sharding->mesh != mesh_ && !graph_.view.module.tables->meshes[sharding->mesh].axes.empty()) {
      return false;
    }
  }
  if (any_axis) {
    projection_.Build(*rule.rule, shardings_);
  }
  return any_axis;
}

llvm::SmallBitVector Engine::Step(Strategy strategy, const PropagationRule& rule, NodeDirection direction,
                                  bool elementwise) {
  directions_.clear();
  for (size_t f = 0; f < rule.pass_through.size(); ++f) {
    Direction along = rule.pass_through[f] ? direction.pass_through : direction.others;
    directions_.push_back(rule.blocked[f] ? Direction::None : along);
  }
  StepOptions options = {directions_, elementwise};
  return strategy == Strategy::Basic ? BasicStep(projection_, options) : AggressiveStep(projection_, options);
}

std::optional<mesh::Sharding> Engine::After(size_t index, const ManualEdge* manual) {
  mesh::Sharding now = projection_.ToSharding(index, mesh_);
  const mesh::Sharding* before = projection_.sharding(index);
  bool no_axes = llvm::all_of(now.dims, [](const mesh::DimSharding& dim) { return dim.axes.empty(); });
  if (before == nullptr ? no_axes : now == *before) {
    // The new axes lie behind a factor that is not sharded completely.
    return std::nullopt;
  }
  if (manual != nullptr) {
    const mesh::Sharding& outer = graph_.view.shardings[manual->outer];
    now = manual->into ? EraseManual(now, manual->manual) : AddManual(outer, now, manual->manual);
  }
  return now;
}

void Engine::ShareWithGroup(int32_t tensor, mesh::ShardingId state) {
  int32_t group = graph_.tensors[static_cast<size_t>(tensor)].group;
  if (group == kNone) {
    return;
  }
  for (int32_t member : graph_.view.groups[static_cast<size_t>(group)]) {
    if (member != tensor) {
      graph_.origins.Copy(static_cast<size_t>(tensor), static_cast<size_t>(member));
      SetState(member, state);
    }
  }
}

void Engine::PropagateResults(Strategy strategy) {
  for (size_t i = 0; i < graph_.results.size(); ++i) {
    EntryResult& result = graph_.results[i];
    if (result.tensor == kNone) {
      continue;
    }
    std::tuple seen(strategy, graph_.tensors[static_cast<size_t>(result.tensor)].state, result.state);
    if (settled_results_[i] == seen) {
      continue;
    }
    const PropagationRule& rule = graph_.rules[static_cast<size_t>(result.rule)];
    auto log = static_cast<int32_t>(graph_.tensors.size() + i);
    const mesh::Sharding* states[] = {graph_.state(result.tensor),
                                      result.state.valid() ? &graph_.view.shardings[result.state] : nullptr};
    const mesh::Sharding* known = states[0] != nullptr ? states[0] : states[1];
    if (known == nullptr || (states[0] != nullptr && states[1] != nullptr && states[0]->mesh != states[1]->mesh)) {
      continue;
    }
    projection_.Build(*rule.rule, states);
    llvm::SmallBitVector grown = Step(strategy, rule, {}, false);
    settled_results_[i] = grown.none() ? std::optional(seen) : std::nullopt;
    for (unsigned t : grown.set_bits()) {
      mesh::Sharding now = projection_.ToSharding(t, known->mesh);
      graph_.origins.Record(t, {result.tensor, log}, MakeTrail(projection_, t, now), kNone);
      mesh::ShardingId id = graph_.view.shardings.Intern(now);
      if (t == 0) {
        SetState(result.tensor, id);
        ShareWithGroup(result.tensor, id);
      } else {
        result.state = id;
      }
    }
  }
}

}  // namespace spmdc::propagate
