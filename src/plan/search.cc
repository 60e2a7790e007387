// The search: A* over states whose axes are cut into atoms that both shardings share. Atoms of
// different sizes are cut where a part of one may take the other's place.
//
// A state lists the atoms of every dim, major to minor, and the atoms that are still unreduced. With k atoms and r dims
// there are at most (r+2)^k orderless states; programs have k <= 4, r <= 4. Moves, by bytes received with b the bytes of a
// local block and g the product of the moved atoms: slice 0, all-gather b(g-1) (of few elements an all-reduce), all-to-all b(g-1)/g, permute b,
// all-reduce 2b(g-1)/g, reduce-scatter b(g-1)/g, to-partial 0.
//
// What is still to send is at least the part of the goal's block that a device cannot hold, whatever the order of the atoms:
// per dim it holds at most the smaller of the two blocks. No move brings more than it sends, so the first path found is
// the cheapest; and the many free slices that lead away from the goal are not followed.
//
// Uneven dims: blocks are ceil(N/count). A finer split is a split of the coarser one's blocks only if its block size
// divides the coarser's; otherwise a dim is left and entered through its unsplit state.
#include "plan/search.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <queue>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Allocator.h"
#include "op/collective.h"

namespace spmdc::plan {
namespace {

using ops::Move;
using AtomSet = uint64_t;
using Atoms = llvm::SmallVector<uint8_t, 8>;

AtomSet SetOf(uint8_t atom) { return AtomSet{1} << atom; }

// Kept in one row of bytes, so that a copy is a copy of bytes and equal states have equal keys: the set of unreduced atoms,
// where the atoms of each dim end, the atoms.
class State {
 public:
  explicit State(size_t rank) : rank_(rank), bytes_(sizeof(AtomSet) + rank, 0) {}

  size_t rank() const { return rank_; }
  AtomSet unreduced() const {
    AtomSet set;
    std::memcpy(&set, bytes_.data(), sizeof(set));
    return set;
  }
  void set_unreduced(AtomSet set) { std::memcpy(bytes_.data(), &set, sizeof(set)); }
  llvm::ArrayRef<uint8_t> dim(size_t d) const { return atoms().slice(Begin(d), End(d) - Begin(d)); }
  void Append(size_t d, uint8_t atom) {
    bytes_.insert(bytes_.begin() + sizeof(AtomSet) + rank_ + End(d), atom);
    MoveEnds(d, 1);
  }
  // Drops the last `count` atoms of a dim.
  void Drop(size_t d, size_t count) {
    auto end = bytes_.begin() + sizeof(AtomSet) + rank_ + End(d);
    bytes_.erase(end - count, end);
    MoveEnds(d, -static_cast<int>(count));
  }
  // The atoms that split a dim or are unreduced.
  AtomSet Used() const {
    AtomSet used = unreduced();
    for (uint8_t atom : atoms()) {
      used |= SetOf(atom);
    }
    return used;
  }
  llvm::StringRef Key() const { return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()}; }
  friend bool operator==(const State& a, const State& b) { return a.Key() == b.Key(); }

 private:
  llvm::ArrayRef<uint8_t> atoms() const { return llvm::ArrayRef<uint8_t>(bytes_).drop_front(sizeof(AtomSet) + rank_); }
  size_t End(size_t d) const { return bytes_[sizeof(AtomSet) + d]; }
  size_t Begin(size_t d) const { return d == 0 ? 0 : End(d - 1); }
  void MoveEnds(size_t d, int by) {
    for (; d < rank_; ++d) {
      bytes_[sizeof(AtomSet) + d] = static_cast<uint8_t>(bytes_[sizeof(AtomSet) + d] + by);
    }
  }

  size_t rank_;
  llvm::SmallVector<uint8_t, 32> bytes_;
};

struct PathCost {
  int64_t bytes = 0, collectives = 0, steps = 0;
  friend auto operator<=>(const PathCost&, const PathCost&) = default;
};

struct Edge {
  State to;
  Move move = Move::Slice;
  int64_t dim = 0, to_dim = 0;
  Atoms atoms;
  int64_t bytes = 0;
};

// Every use of an axis, as it stands: neighbours of different dims are not put together.
mesh::AxisList Uses(const mesh::Sharding& sharding) {
  mesh::AxisList uses(sharding.unreduced);
  for (const mesh::DimSharding& dim : sharding.dims) {
    uses.append(dim.axes.begin(), dim.axes.end());
  }
  return uses;
}

// The pieces of uses between boundaries, each once.
mesh::AxisList AtomsOf(llvm::ArrayRef<mesh::AxisRef> uses, llvm::ArrayRef<mesh::AxisRef> boundaries) {
  mesh::AxisList atoms;
  for (const mesh::AxisRef& use : uses) {
    for (const mesh::AxisRef& atom : mesh::CutAtBoundaries({use}, boundaries)) {
      if (!llvm::is_contained(atoms, atom)) {
        atoms.push_back(atom);
      }
    }
  }
  return atoms;
}

// Boundaries and those that cut from each atom a part, major or minor, of the size that it has in common with another atom:
// an axis of 4 whose half can change places with an axis of 2. Finer cuts make more states, so many atoms stay whole.
mesh::AxisList WithExchangeable(const mesh::Mesh& mesh, llvm::ArrayRef<mesh::AxisRef> atoms,
                                mesh::AxisList boundaries) {
  constexpr size_t kMaxAtomsToCut = 6;
  if (atoms.size() > kMaxAtomsToCut) {
    return boundaries;
  }
  for (const mesh::AxisRef& atom : atoms) {
    for (const mesh::AxisRef& other : atoms) {
      int64_t common = std::gcd(atom.size, other.size);
      if (common == 1 || common == atom.size) {
        continue;
      }
      for (int64_t pre : {atom.pre, atom.pre * (atom.size / common)}) {
        mesh::AxisRef part{atom.axis, pre, common};
        if (llvm::all_of(boundaries, [&](const mesh::AxisRef& b) { return mesh::CanCoexist(mesh, part, b); })) {
          boundaries.push_back(part);
        }
      }
    }
  }
  return boundaries;
}

// The part of the wanted block that a device with another block of the same value cannot hold; blocks by dim.
template <typename Have, typename Want>
int64_t BytesMissing(size_t rank, int64_t element_bytes, Have have, Want want) {
  int64_t held = element_bytes, wanted = element_bytes;
  for (size_t d = 0; d < rank; ++d) {
    held *= std::min<int64_t>(want(d), have(d));
    wanted *= want(d);
  }
  return wanted - held;
}

// States beyond this many are not worth looking at: the path through the unsplit dims is taken.
constexpr size_t kMaxStates = 20000;

class Search {
 public:
  Search(const mesh::Mesh& mesh, const mesh::Sharding& from, const mesh::Sharding& to, llvm::ArrayRef<int64_t> dims,
         int64_t element_bytes)
      : from_sharding_(from),
        sizes_(dims),
        element_bytes_(element_bytes),
        start_(from.dims.size()),
        goal_(from.dims.size()) {
    mesh::AxisList uses = Uses(from);
    mesh::AxisList more = Uses(to);
    uses.append(more.begin(), more.end());
    mesh::AxisList boundaries = WithExchangeable(mesh, AtomsOf(uses, uses), uses);
    atoms_ = AtomsOf(uses, boundaries);
    start_ = Read(from, boundaries);
    goal_ = Read(to, boundaries);
    for (size_t d = 0; d < goal_.rank(); ++d) {
      goal_blocks_.push_back(LocalSize(goal_, d));
      for (uint8_t atom : goal_.dim(d)) {
        goal_splits_ |= SetOf(atom);
      }
    }
    kind_ = from.unreduced.empty() ? to.unreduced_kind : from.unreduced_kind;
  }

  // False if there is no path.
  bool Run(Path& path) {
    struct Item {
      PathCost least;  // of a path through the node
      int32_t node;
      bool operator<(const Item& other) const { return std::tie(other.least, other.node) < std::tie(least, node); }
    };
    std::priority_queue<Item> queue;
    Visit(Edge{start_}, {}, -1);
    queue.push({{}, 0});
    while (!queue.empty()) {
      Item item = queue.top();
      queue.pop();
      Node& node = nodes_[static_cast<size_t>(item.node)];
      if (node.done) {
        continue;
      }
      node.done = true;
      if (node.state() == goal_) {
        Trace(item.node, path);
        return true;
      }
      State state = node.state();  // nodes move when more come
      PathCost so_far = node.cost;
      FindEdges(state);
      for (Edge& edge : edges_) {
        bool sends = edge.bytes > 0;
        PathCost cost{so_far.bytes + edge.bytes, so_far.collectives + (sends ? 1 : 0), so_far.steps + 1};
        int32_t reached = Visit(std::move(edge), cost, item.node);
        if (reached >= 0) {
          cost.bytes += StillToSend(nodes_[static_cast<size_t>(reached)].state());
          queue.push({cost, reached});
        }
      }
    }
    return false;
  }

 private:
  struct Node {
    Edge edge;  // the cheapest so far that leads here
    PathCost cost;
    int32_t previous = -1;
    bool done = false;
    const State& state() const { return edge.to; }
  };

  State Read(const mesh::Sharding& sharding, llvm::ArrayRef<mesh::AxisRef> uses) const {
    State state(sharding.dims.size());
    auto index = [&](const mesh::AxisRef& atom) {
      return static_cast<uint8_t>(llvm::find(atoms_, atom) - atoms_.begin());
    };
    for (size_t d = 0; d < sharding.dims.size(); ++d) {
      for (const mesh::AxisRef& atom : mesh::CutAtBoundaries(sharding.dims[d].axes, uses)) {
        state.Append(d, index(atom));
      }
    }
    AtomSet unreduced = 0;
    for (const mesh::AxisRef& atom : mesh::CutAtBoundaries(sharding.unreduced, uses)) {
      unreduced |= SetOf(index(atom));
    }
    state.set_unreduced(unreduced);
    return state;
  }

  mesh::AxisList Axes(llvm::ArrayRef<uint8_t> atoms) const {
    mesh::AxisList list;
    for (uint8_t atom : atoms) {
      mesh::Append(list, atoms_[atom]);
    }
    return list;
  }

  mesh::Sharding Write(const State& state) const {
    mesh::Sharding sharding = mesh::Replicated(from_sharding_.mesh, state.rank());
    for (size_t d = 0; d < state.rank(); ++d) {
      sharding.dims[d].axes = Axes(state.dim(d));
    }
    mesh::AxisList unreduced;
    for (uint8_t a = 0; a < atoms_.size(); ++a) {
      if ((state.unreduced() & SetOf(a)) != 0) {
        unreduced.push_back(atoms_[a]);
      }
    }
    sharding.unreduced = mesh::AsSet(unreduced);
    sharding.unreduced_kind = unreduced.empty() ? mesh::Monoid::Sum : kind_;
    return sharding;
  }

  // The index of the node if its cost improved, else -1.
  int32_t Visit(Edge edge, PathCost cost, int32_t previous) {
    auto [it, fresh] = index_.try_emplace(edge.to.Key(), static_cast<int32_t>(nodes_.size()));
    if (fresh) {
      if (nodes_.size() >= kMaxStates) {
        index_.erase(it);
        return -1;
      }
      nodes_.push_back({std::move(edge), cost, previous, false});
      return it->second;
    }
    Node& node = nodes_[static_cast<size_t>(it->second)];
    if (node.done || !(cost < node.cost)) {
      return -1;
    }
    node.cost = cost;
    node.previous = previous;
    node.edge = std::move(edge);
    return it->second;
  }

  void Trace(int32_t at, Path& path) const {
    for (; nodes_[static_cast<size_t>(at)].previous >= 0; at = nodes_[static_cast<size_t>(at)].previous) {
      const Node& node = nodes_[static_cast<size_t>(at)];
      Step step;
      step.attrs.move = node.edge.move;
      step.attrs.dim = node.edge.dim;
      step.attrs.to_dim = node.edge.to_dim;
      step.attrs.axes = Axes(node.edge.atoms);
      step.result = Write(node.state());
      step.wire_bytes = node.edge.bytes;
      path.wire_bytes += node.edge.bytes;
      path.collectives += node.edge.bytes > 0 ? 1 : 0;
      path.steps.insert(path.steps.begin(), std::move(step));
    }
  }

  int64_t Size(llvm::ArrayRef<uint8_t> atoms) const {
    int64_t product = 1;
    for (uint8_t atom : atoms) {
      product *= atoms_[atom].size;
    }
    return product;
  }
  int64_t LocalSize(const State& state, size_t d) const { return mesh::LocalSize(sizes_[d], Size(state.dim(d))); }
  int64_t LocalBytes(const State& state) const {
    int64_t bytes = element_bytes_;
    for (size_t d = 0; d < state.rank(); ++d) {
      bytes *= LocalSize(state, d);
    }
    return bytes;
  }
  // What every path from here to the goal sends at least.
  int64_t StillToSend(const State& state) const {
    return BytesMissing(
        state.rank(), element_bytes_, [&](size_t d) { return LocalSize(state, d); },
        [&](size_t d) { return goal_blocks_[d]; });
  }
  // Whether blocks of a dim split `coarse` ways are made of whole blocks of the dim split coarse * factor ways.
  bool Nested(size_t d, int64_t coarse, int64_t factor) const {
    return coarse == 1 || mesh::LocalSize(sizes_[d], coarse) == factor * mesh::LocalSize(sizes_[d], coarse * factor);
  }

  // All that leads on from a state, in edges_.
  void FindEdges(const State& state) {
    edges_.clear();
    AddSlices(state);
    AddGoalSlices(state);
    AddGathers(state);
    AddAllToAlls(state);
    AddPermutes(state);
    AddReductions(state);
  }
  // An edge whose `to` is still where it starts.
  Edge& Add(const State& state, Move move, size_t dim, size_t to_dim, llvm::ArrayRef<uint8_t> atoms) {
    edges_.push_back(
        {state, move, static_cast<int64_t>(dim), static_cast<int64_t>(to_dim), Atoms(atoms.begin(), atoms.end()), 0});
    return edges_.back();
  }

  void AddSlices(const State& state) {
    AtomSet used = state.Used();
    for (uint8_t atom = 0; atom < atoms_.size(); ++atom) {
      if ((used & SetOf(atom)) != 0) {
        continue;
      }
      if ((goal_.unreduced() & SetOf(atom)) != 0) {
        Add(state, Move::ToPartial, 0, 0, {atom}).to.set_unreduced(state.unreduced() | SetOf(atom));
      }
      for (size_t d = 0; d < state.rank() && (goal_splits_ & SetOf(atom)) != 0; ++d) {
        if (Nested(d, Size(state.dim(d)), atoms_[atom].size)) {
          Add(state, Move::Slice, d, 0, {atom}).to.Append(d, atom);
        }
      }
    }
  }

  // The goal's atoms of a dim behind those that split it now, if those are the goal's first.
  llvm::ArrayRef<uint8_t> NextOfGoal(const State& state, size_t d) const {
    llvm::ArrayRef<uint8_t> have = state.dim(d), want = goal_.dim(d);
    bool starts = have.size() < want.size() && want.take_front(have.size()) == have;
    return starts ? want.drop_front(have.size()) : llvm::ArrayRef<uint8_t>();
  }

  // Several of the goal's atoms at once: an uneven dim may have no blocks in between.
  void AddGoalSlices(const State& state) {
    AtomSet used = state.Used();
    for (size_t d = 0; d < state.rank(); ++d) {
      llvm::ArrayRef<uint8_t> next = NextOfGoal(state, d);
      for (size_t n = 1; n <= next.size() && (used & SetOf(next[n - 1])) == 0; ++n) {
        llvm::ArrayRef<uint8_t> moved = next.take_front(n);
        if (n > 1 && Nested(d, Size(state.dim(d)), Size(moved))) {
          Edge& edge = Add(state, Move::Slice, d, 0, moved);
          llvm::for_each(moved, [&](uint8_t atom) { edge.to.Append(d, atom); });
        }
      }
    }
  }

  // Calls visit(dim, atoms, their size) for the last atoms of each dim that can leave it.
  template <typename Visit>
  void ForEachLeaving(const State& state, Visit visit) const {
    for (size_t d = 0; d < state.rank(); ++d) {
      llvm::ArrayRef<uint8_t> have = state.dim(d);
      for (size_t n = 1; n <= have.size(); ++n) {
        int64_t group = Size(have.take_back(n));
        if (Nested(d, Size(have.drop_back(n)), group)) {
          visit(d, have.take_back(n), group);
        }
      }
    }
  }

  void AddGathers(const State& state) {
    int64_t bytes = LocalBytes(state);
    ForEachLeaving(state, [&](size_t d, llvm::ArrayRef<uint8_t> moved, int64_t group) {
      Edge& edge = Add(state, Move::AllGather, d, 0, moved);
      edge.to.Drop(d, moved.size());
      bool sparse = ops::IsMostlyPadding(LocalSize(edge.to, d), LocalSize(state, d), group);
      int64_t there = sparse ? LocalBytes(edge.to) : bytes;
      op::CollectiveKind kind = sparse ? op::CollectiveKind::AllReduce : op::CollectiveKind::AllGather;
      edge.bytes = static_cast<int64_t>(op::WireBytes(kind, group, there, there * group));
    });
  }

  void AddAllToAlls(const State& state) {
    int64_t local = LocalBytes(state);
    ForEachLeaving(state, [&](size_t i, llvm::ArrayRef<uint8_t> moved, int64_t group) {
      for (size_t j = 0; j < state.rank(); ++j) {
        int64_t split = Size(state.dim(j));
        if (i == j || !Nested(j, split, group)) {
          continue;
        }
        Edge& edge = Add(state, Move::AllToAll, i, j, moved);
        edge.to.Drop(i, moved.size());
        llvm::for_each(moved, [&](uint8_t atom) { edge.to.Append(j, atom); });
        // What is sent is the block with to_dim padded to a multiple of the group.
        int64_t block = mesh::LocalSize(sizes_[j], split), part = mesh::LocalSize(sizes_[j], split * group);
        int64_t bytes = local / std::max<int64_t>(1, block) * part * group;
        edge.bytes = static_cast<int64_t>(op::WireBytes(op::CollectiveKind::AllToAll, group, bytes, bytes));
      }
    });
  }

  // A permute keeps how many ways each dim is split, and may change which atoms split it.
  void AddPermutes(const State& state) {
    auto add = [&](llvm::ArrayRef<size_t> dims, bool own) {
      std::optional<State> to = TowardsGoal(state, dims, own);
      if (to && !(*to == state)) {
        edges_.push_back({std::move(*to), Move::Permute, 0, 0, {}, LocalBytes(state)});
      }
    };
    llvm::SmallVector<size_t, 4> all;
    for (size_t d = 0; d < state.rank(); ++d) {
      all.push_back(d);
      add({d}, false);
    }
    add(all, false);
    add(all, true);
  }

  // The state whose `dims` start with as many of the goal's atoms as fit into their split; with `own`, of those that split
  // the dim already. Behind them, and in other dims, stay atoms of the dim; places of atoms that left are filled with atoms
  // that became free. Nothing if no such atoms fit.
  std::optional<State> TowardsGoal(const State& state, llvm::ArrayRef<size_t> dims, bool own) const {
    State to(state.rank());
    to.set_unreduced(state.unreduced());
    AtomSet used = state.unreduced();
    llvm::SmallVector<int64_t, 4> room;
    for (size_t d = 0; d < state.rank(); ++d) {
      room.push_back(Size(state.dim(d)));
    }
    auto take = [&](size_t d, uint8_t atom) {
      int64_t size = atoms_[atom].size;
      if ((used & SetOf(atom)) != 0 || room[d] % size != 0) {
        return false;
      }
      to.Append(d, atom);
      used |= SetOf(atom);
      room[d] /= size;
      return true;
    };
    for (size_t d : dims) {
      for (uint8_t atom : goal_.dim(d)) {
        if ((own && !llvm::is_contained(state.dim(d), atom)) || !take(d, atom)) {
          break;
        }
      }
    }
    for (size_t d = 0; d < state.rank(); ++d) {
      llvm::for_each(state.dim(d), [&](uint8_t atom) { take(d, atom); });
    }
    for (size_t d = 0; d < state.rank(); ++d) {
      for (uint8_t atom = 0; atom < atoms_.size() && room[d] > 1; ++atom) {
        take(d, atom);
      }
      if (room[d] > 1) {
        return std::nullopt;
      }
    }
    return to;
  }

  void AddReductions(const State& state) {
    AtomSet reducible = state.unreduced() & ~goal_.unreduced();
    if (reducible == 0) {
      return;
    }
    int64_t bytes = LocalBytes(state);
    auto add_all_reduce = [&](AtomSet set) {
      Atoms atoms;
      for (uint8_t atom = 0; atom < atoms_.size(); ++atom) {
        if ((set & SetOf(atom)) != 0) {
          atoms.push_back(atom);
        }
      }
      Edge& edge = Add(state, Move::AllReduce, 0, 0, atoms);
      edge.to.set_unreduced(state.unreduced() & ~set);
      edge.bytes = static_cast<int64_t>(op::WireBytes(op::CollectiveKind::AllReduce, Size(atoms), bytes, bytes));
    };
    add_all_reduce(reducible);
    for (uint8_t atom = 0; atom < atoms_.size(); ++atom) {
      if ((reducible & SetOf(atom)) != 0 && reducible != SetOf(atom)) {
        add_all_reduce(SetOf(atom));
      }
    }
    for (size_t d = 0; d < state.rank(); ++d) {
      AddScatters(state, d, reducible);
    }
  }

  // Reduce-scatters onto a dim: of the atoms that the goal has there next.
  void AddScatters(const State& state, size_t d, AtomSet reducible) {
    llvm::ArrayRef<uint8_t> next = NextOfGoal(state, d);
    State to = state;
    for (size_t n = 1; n <= next.size() && (reducible & SetOf(next[n - 1])) != 0; ++n) {
      to.Append(d, next[n - 1]);
      to.set_unreduced(to.unreduced() & ~SetOf(next[n - 1]));
      int64_t group = Size(next.take_front(n));
      if (Nested(d, Size(state.dim(d)), group)) {
        int64_t bytes = LocalBytes(to) * group;  // with the dim padded to a multiple of the group
        Edge& edge = Add(to, Move::ReduceScatter, d, 0, next.take_front(n));
        edge.bytes = static_cast<int64_t>(op::WireBytes(op::CollectiveKind::ReduceScatter, group, bytes, bytes));
      }
    }
  }

  const mesh::Sharding& from_sharding_;
  llvm::ArrayRef<int64_t> sizes_;
  int64_t element_bytes_;
  mesh::AxisList atoms_;
  State start_, goal_;
  llvm::SmallVector<int64_t, 4> goal_blocks_;  // elements of a device's block of the goal, by dim
  AtomSet goal_splits_ = 0;                    // the atoms that split a dim of the goal
  mesh::Monoid kind_ = mesh::Monoid::Sum;
  std::vector<Node> nodes_;
  llvm::StringMap<int32_t, llvm::BumpPtrAllocator> index_;  // of nodes, by their states
  std::vector<Edge> edges_;                                 // out of the state that is looked at
};

}  // namespace

bool HaveCommonAtoms(const mesh::Mesh& mesh, const mesh::Sharding& a, const mesh::Sharding& b) {
  mesh::AxisList uses_b = Uses(b);
  return llvm::all_of(Uses(a), [&](const mesh::AxisRef& x) {
    return llvm::all_of(uses_b, [&](const mesh::AxisRef& y) { return mesh::CanCoexist(mesh, x, y); });
  });
}

int64_t LeastBytes(const mesh::Sharding& from, const mesh::Sharding& to, llvm::ArrayRef<int64_t> dims,
                   int64_t element_bytes) {
  auto block = [&](const mesh::Sharding& sharding, size_t d) {
    return mesh::LocalSize(dims[d], mesh::ShardCount(sharding.dims[d]));
  };
  return BytesMissing(
      dims.size(), element_bytes, [&](size_t d) { return block(from, d); }, [&](size_t d) { return block(to, d); });
}

bool FindPath(const mesh::Mesh& mesh, const mesh::Sharding& from, const mesh::Sharding& to,
              llvm::ArrayRef<int64_t> dims, int64_t element_bytes, Path& path) {
  return Search(mesh, from, to, dims, element_bytes).Run(path);
}

}  // namespace spmdc::plan
