// The search behind Resharder: A* over states whose axes are cut into atoms that both shardings share. Atoms of
// different sizes are cut where a part of one may take the other's place.
//
// A state lists the atoms of every dim, major to minor, and the atoms that are still unreduced. With k atoms and r dims
// there are at most (r+2)^k orderless states; programs have k <= 4, r <= 4. Moves, by bytes received with b the bytes of a
// local block and g the product of the moved atoms: slice 0, all-gather b(g-1), all-to-all b(g-1)/g, permute b,
// all-reduce 2b(g-1)/g, reduce-scatter b(g-1)/g, to-partial 0.
//
// What is still to send is at least the part of the goal's block that a device cannot hold, whatever the order of the atoms:
// per dim it holds at most the smaller of the two blocks. No move brings more than it sends, so the first path found is
// the cheapest; and the many free slices that lead away from the goal are not followed.
//
// Uneven dims: blocks are ceil(N/count). A finer split is a split of the coarser one's blocks only if its block size
// divides the coarser's; otherwise a dim is left and entered through its unsplit state.
#include "plan/reshard.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <queue>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "op/collective.h"
#include "op/rule.h"

namespace spmdc::plan {

mesh::Sharding Placement(const mesh::Sharding& sharding) {
  mesh::Sharding placement = mesh::Replicated(sharding.mesh, sharding.dims.size());
  for (size_t d = 0; d < sharding.dims.size(); ++d) {
    placement.dims[d].axes = sharding.dims[d].axes;
  }
  placement.unreduced = sharding.unreduced;
  placement.unreduced_kind = sharding.unreduced.empty() ? mesh::Monoid::Sum : sharding.unreduced_kind;
  return mesh::DropUnits(placement);
}

namespace {

using ops::Move;
using Atoms = llvm::SmallVector<uint8_t, 4>;

struct State {
  llvm::SmallVector<Atoms, 4> dims;
  uint64_t unreduced = 0;  // a set of atoms
  friend bool operator==(const State&, const State&) = default;
  // The same in bytes: equal states, equal keys.
  llvm::SmallString<64> Key() const {
    llvm::SmallString<64> key;
    for (const Atoms& list : dims) {
      key.push_back(static_cast<char>(list.size()));
      key.append(list.begin(), list.end());
    }
    for (uint64_t rest = unreduced; rest != 0; rest >>= 8) {
      key.push_back(static_cast<char>(rest));
    }
    return key;
  }
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

// States beyond this many are not worth looking at: the path through the unsplit dims is taken.
constexpr size_t kMaxStates = 20000;

class Search {
 public:
  Search(const mesh::Mesh& mesh, const mesh::Sharding& from, const mesh::Sharding& to, llvm::ArrayRef<int64_t> dims,
         int64_t element_bytes)
      : from_sharding_(from), sizes_(dims), element_bytes_(element_bytes) {
    mesh::AxisList uses = Uses(from);
    mesh::AxisList more = Uses(to);
    uses.append(more.begin(), more.end());
    mesh::AxisList boundaries = WithExchangeable(mesh, AtomsOf(uses, uses), uses);
    atoms_ = AtomsOf(uses, boundaries);
    start_ = Read(from, boundaries);
    goal_ = Read(to, boundaries);
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
    Visit({start_}, {}, -1);
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
      for (Edge& edge : Edges(state)) {
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
    State state;
    auto index = [&](const mesh::AxisRef& atom) {
      return static_cast<uint8_t>(llvm::find(atoms_, atom) - atoms_.begin());
    };
    for (const mesh::DimSharding& dim : sharding.dims) {
      Atoms list;
      for (const mesh::AxisRef& atom : mesh::CutAtBoundaries(dim.axes, uses)) {
        list.push_back(index(atom));
      }
      state.dims.push_back(list);
    }
    for (const mesh::AxisRef& atom : mesh::CutAtBoundaries(sharding.unreduced, uses)) {
      state.unreduced |= uint64_t{1} << index(atom);
    }
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
    mesh::Sharding sharding = mesh::Replicated(from_sharding_.mesh, state.dims.size());
    for (size_t d = 0; d < state.dims.size(); ++d) {
      sharding.dims[d].axes = Axes(state.dims[d]);
    }
    mesh::AxisList unreduced;
    for (uint8_t a = 0; a < atoms_.size(); ++a) {
      if ((state.unreduced >> a & 1) != 0) {
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
  int64_t LocalSize(const State& state, size_t d) const { return mesh::LocalSize(sizes_[d], Size(state.dims[d])); }
  int64_t LocalBytes(const State& state) const {
    int64_t bytes = element_bytes_;
    for (size_t d = 0; d < state.dims.size(); ++d) {
      bytes *= LocalSize(state, d);
    }
    return bytes;
  }
  // What every path from here to the goal sends at least.
  int64_t StillToSend(const State& state) const {
    int64_t held = element_bytes_, wanted = element_bytes_;
    for (size_t d = 0; d < state.dims.size(); ++d) {
      int64_t block = LocalSize(goal_, d);
      held *= std::min(block, LocalSize(state, d));
      wanted *= block;
    }
    return wanted - held;
  }
  // Whether blocks of a dim split `coarse` ways are made of whole blocks of the dim split coarse * factor ways.
  bool Nested(size_t d, int64_t coarse, int64_t factor) const {
    return coarse == 1 || mesh::LocalSize(sizes_[d], coarse) == factor * mesh::LocalSize(sizes_[d], coarse * factor);
  }
  bool IsUsed(const State& state, uint8_t atom) const {
    return (state.unreduced >> atom & 1) != 0 ||
           llvm::any_of(state.dims, [&](const Atoms& list) { return llvm::is_contained(list, atom); });
  }
  bool GoalSplitsBy(uint8_t atom) const {
    return llvm::any_of(goal_.dims, [&](const Atoms& list) { return llvm::is_contained(list, atom); });
  }

  std::vector<Edge> Edges(const State& state) const {
    std::vector<Edge> edges;
    AddSlices(state, edges);
    AddGoalSlices(state, edges);
    AddGathers(state, edges);
    AddAllToAlls(state, edges);
    AddPermutes(state, edges);
    AddReductions(state, edges);
    return edges;
  }

  void AddSlices(const State& state, std::vector<Edge>& edges) const {
    for (uint8_t atom = 0; atom < atoms_.size(); ++atom) {
      if (IsUsed(state, atom)) {
        continue;
      }
      if ((goal_.unreduced >> atom & 1) != 0) {
        Edge edge{state, Move::ToPartial, 0, 0, {atom}, 0};
        edge.to.unreduced |= uint64_t{1} << atom;
        edges.push_back(std::move(edge));
      }
      if (!GoalSplitsBy(atom)) {
        continue;
      }
      for (size_t d = 0; d < state.dims.size(); ++d) {
        if (Nested(d, Size(state.dims[d]), atoms_[atom].size)) {
          Edge edge{state, Move::Slice, static_cast<int64_t>(d), 0, {atom}, 0};
          edge.to.dims[d].push_back(atom);
          edges.push_back(std::move(edge));
        }
      }
    }
  }

  // Several of the goal's atoms at once: an uneven dim may have no blocks in between.
  void AddGoalSlices(const State& state, std::vector<Edge>& edges) const {
    for (size_t d = 0; d < state.dims.size(); ++d) {
      const Atoms& have = state.dims[d];
      const Atoms& want = goal_.dims[d];
      if (have.size() >= want.size() || !std::equal(have.begin(), have.end(), want.begin())) {
        continue;
      }
      Edge edge{state, Move::Slice, static_cast<int64_t>(d), 0, {}, 0};
      for (size_t i = have.size(); i < want.size() && !IsUsed(state, want[i]); ++i) {
        edge.atoms.push_back(want[i]);
        edge.to.dims[d].push_back(want[i]);
        if (edge.atoms.size() > 1 && Nested(d, Size(have), Size(edge.atoms))) {
          edges.push_back(edge);
        }
      }
    }
  }

  void AddGathers(const State& state, std::vector<Edge>& edges) const {
    int64_t bytes = LocalBytes(state);
    for (size_t d = 0; d < state.dims.size(); ++d) {
      for (size_t n = 1; n <= state.dims[d].size(); ++n) {
        Atoms moved(state.dims[d].end() - n, state.dims[d].end());
        Edge edge{state, Move::AllGather, static_cast<int64_t>(d), 0, moved, 0};
        edge.to.dims[d].truncate(state.dims[d].size() - n);
        int64_t group = Size(moved);
        if (Nested(d, Size(edge.to.dims[d]), group)) {
          edge.bytes = static_cast<int64_t>(op::WireBytes(op::CollectiveKind::AllGather, group, bytes, bytes * group));
          edges.push_back(std::move(edge));
        }
      }
    }
  }

  void AddAllToAlls(const State& state, std::vector<Edge>& edges) const {
    for (size_t i = 0; i < state.dims.size(); ++i) {
      for (size_t n = 1; n <= state.dims[i].size(); ++n) {
        Atoms moved(state.dims[i].end() - n, state.dims[i].end());
        int64_t group = Size(moved);
        for (size_t j = 0; j < state.dims.size(); ++j) {
          Edge edge{state, Move::AllToAll, static_cast<int64_t>(i), static_cast<int64_t>(j), moved, 0};
          edge.to.dims[i].truncate(state.dims[i].size() - n);
          edge.to.dims[j].append(moved.begin(), moved.end());
          if (i == j || !Nested(i, Size(edge.to.dims[i]), group) || !Nested(j, Size(state.dims[j]), group)) {
            continue;
          }
          // What is sent is the block with to_dim padded to a multiple of the group.
          int64_t bytes = LocalBytes(state) / std::max<int64_t>(1, LocalSize(state, j)) * LocalSize(edge.to, j) * group;
          edge.bytes = static_cast<int64_t>(op::WireBytes(op::CollectiveKind::AllToAll, group, bytes, bytes));
          edges.push_back(std::move(edge));
        }
      }
    }
  }

  // A permute keeps how many ways each dim is split, and may change which atoms split it.
  void AddPermutes(const State& state, std::vector<Edge>& edges) const {
    auto add = [&](llvm::ArrayRef<size_t> dims, bool own) {
      std::optional<State> to = TowardsGoal(state, dims, own);
      if (to && !(*to == state)) {
        edges.push_back({std::move(*to), Move::Permute, 0, 0, {}, LocalBytes(state)});
      }
    };
    llvm::SmallVector<size_t, 4> all;
    for (size_t d = 0; d < state.dims.size(); ++d) {
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
    State to;
    to.unreduced = state.unreduced;
    to.dims.resize(state.dims.size());
    llvm::SmallVector<int64_t, 4> room;
    for (size_t d = 0; d < state.dims.size(); ++d) {
      room.push_back(Size(state.dims[d]));
    }
    auto take = [&](size_t d, uint8_t atom) {
      int64_t size = atoms_[atom].size;
      if (IsUsed(to, atom) || room[d] % size != 0) {
        return false;
      }
      to.dims[d].push_back(atom);
      room[d] /= size;
      return true;
    };
    for (size_t d : dims) {
      for (uint8_t atom : goal_.dims[d]) {
        if ((own && !llvm::is_contained(state.dims[d], atom)) || !take(d, atom)) {
          break;
        }
      }
    }
    for (size_t d = 0; d < state.dims.size(); ++d) {
      llvm::for_each(state.dims[d], [&](uint8_t atom) { take(d, atom); });
    }
    for (size_t d = 0; d < state.dims.size(); ++d) {
      for (uint8_t atom = 0; atom < atoms_.size() && room[d] > 1; ++atom) {
        take(d, atom);
      }
      if (room[d] > 1) {
        return std::nullopt;
      }
    }
    return to;
  }

  void AddReductions(const State& state, std::vector<Edge>& edges) const {
    uint64_t reducible = state.unreduced & ~goal_.unreduced;
    if (reducible == 0) {
      return;
    }
    int64_t bytes = LocalBytes(state);
    auto add_all_reduce = [&](uint64_t set) {
      Edge edge{state, Move::AllReduce, 0, 0, {}, 0};
      for (uint8_t atom = 0; atom < atoms_.size(); ++atom) {
        if ((set >> atom & 1) != 0) {
          edge.atoms.push_back(atom);
        }
      }
      edge.to.unreduced &= ~set;
      edge.bytes = static_cast<int64_t>(op::WireBytes(op::CollectiveKind::AllReduce, Size(edge.atoms), bytes, bytes));
      edges.push_back(std::move(edge));
    };
    add_all_reduce(reducible);
    for (uint8_t atom = 0; atom < atoms_.size(); ++atom) {
      if ((reducible >> atom & 1) != 0 && reducible != uint64_t{1} << atom) {
        add_all_reduce(uint64_t{1} << atom);
      }
    }
    for (size_t d = 0; d < state.dims.size(); ++d) {
      AddScatters(state, d, reducible, edges);
    }
  }

  // Reduce-scatters onto a dim: of the atoms that the goal has there next.
  void AddScatters(const State& state, size_t d, uint64_t reducible, std::vector<Edge>& edges) const {
    const Atoms& have = state.dims[d];
    const Atoms& want = goal_.dims[d];
    if (have.size() >= want.size() || !std::equal(have.begin(), have.end(), want.begin())) {
      return;
    }
    Edge edge{state, Move::ReduceScatter, static_cast<int64_t>(d), 0, {}, 0};
    for (size_t i = have.size(); i < want.size() && (reducible >> want[i] & 1) != 0; ++i) {
      edge.atoms.push_back(want[i]);
      edge.to.dims[d].push_back(want[i]);
      edge.to.unreduced &= ~(uint64_t{1} << want[i]);
      int64_t group = Size(edge.atoms);
      if (Nested(d, Size(have), group)) {
        int64_t bytes = LocalBytes(edge.to) * group;  // with the dim padded to a multiple of the group
        edge.bytes = static_cast<int64_t>(op::WireBytes(op::CollectiveKind::ReduceScatter, group, bytes, bytes));
        edges.push_back(edge);
      }
    }
  }

  const mesh::Sharding& from_sharding_;
  llvm::ArrayRef<int64_t> sizes_;
  int64_t element_bytes_;
  mesh::AxisList atoms_;
  State start_, goal_;
  mesh::Monoid kind_ = mesh::Monoid::Sum;
  std::vector<Node> nodes_;
  llvm::StringMap<int32_t> index_;  // of nodes, by their states
};

// Whether all uses in both shardings are digits of one split of each axis; (1)3 and (2)3 of an axis of 6 are not.
bool HaveCommonAtoms(const mesh::Mesh& mesh, const mesh::Sharding& a, const mesh::Sharding& b) {
  mesh::AxisList uses_b = Uses(b);
  return llvm::all_of(Uses(a), [&](const mesh::AxisRef& x) {
    return llvm::all_of(uses_b, [&](const mesh::AxisRef& y) { return mesh::CanCoexist(mesh, x, y); });
  });
}

// Where no atoms are common (meshes of the same devices in another order, sub-axes that do not nest): one permute where the
// meshes differ and the blocks are the same, else through copies.
bool Relocate(ir::Tables& tables, Resharder& resharder, const mesh::Sharding& from, const mesh::Sharding& to,
              llvm::ArrayRef<int64_t> dims, int64_t element_bytes, Path& path) {
  auto counts_equal = [&] {
    for (size_t d = 0; d < dims.size(); ++d) {
      if (mesh::ShardCount(from.dims[d]) != mesh::ShardCount(to.dims[d])) {
        return false;
      }
    }
    return from.unreduced.empty() && to.unreduced.empty();
  };
  auto id = [&](const mesh::Sharding& s) { return tables.shardings.Intern(s); };
  auto whole = [&](mesh::MeshId mesh) { return mesh::Replicated(mesh, dims.size()); };
  auto through = [&](const mesh::Sharding& between_from, const mesh::Sharding& between_to) {
    const Path* out = resharder.Find(id(from), id(between_from), dims, element_bytes);
    const Path* in = resharder.Find(id(between_to), id(to), dims, element_bytes);
    for (const Path* part : {out, in}) {
      if (part == nullptr) {
        return false;
      }
      path.steps.append(part->steps.begin(), part->steps.end());
      path.wire_bytes += part->wire_bytes;
      path.collectives += part->collectives;
    }
    return true;
  };
  // A mesh without axes stands for any devices: what is whole there is whole on every mesh.
  auto anywhere = [&](mesh::MeshId mesh) { return tables.meshes[mesh].axes.empty() && !tables.meshes[mesh].maximal; };
  if (from.mesh != to.mesh && anywhere(from.mesh)) {
    return through(from, whole(to.mesh));
  }
  if (from.mesh != to.mesh && anywhere(to.mesh)) {
    return through(whole(from.mesh), to);
  }
  if (tables.meshes[from.mesh].size() != tables.meshes[to.mesh].size()) {
    return false;
  }
  if (from.is_fully_replicated() && to.is_fully_replicated()) {
    return true;
  }
  if (from.mesh != to.mesh && counts_equal()) {
    int64_t bytes = element_bytes * tensor::NumElements(mesh::LocalDims(from, dims));
    path.steps.push_back({{Move::Permute, 0, 0, {}}, to, bytes});
    path.wire_bytes = bytes;
    path.collectives = 1;
    return true;
  }
  return through(whole(from.mesh), whole(to.mesh));
}

}  // namespace

const Path* Resharder::Find(mesh::ShardingId from_id, mesh::ShardingId to_id, llvm::ArrayRef<int64_t> dims,
                            int64_t element_bytes) {
  static const Path kStay;
  if (from_id == to_id) {
    return &kStay;
  }
  llvm::SmallVector<int32_t, 16> key{from_id.index, to_id.index};
  op::AppendKey(element_bytes, key);
  for (int64_t dim : dims) {
    op::AppendKey(dim, key);
  }
  auto [number, is_new] = keys_.Insert(key);
  if (is_new) {
    paths_.resize(keys_.size());
    auto path = std::make_unique<Path>();
    const mesh::Sharding& from = tables_.shardings[from_id];
    const mesh::Sharding& to = tables_.shardings[to_id];
    bool relocates = from.mesh != to.mesh || !HaveCommonAtoms(tables_.meshes[from.mesh], from, to);
    bool found = relocates ? Relocate(tables_, *this, from, to, dims, element_bytes, *path)
                           : Search(tables_.meshes[from.mesh], from, to, dims, element_bytes).Run(*path);
    paths_[static_cast<size_t>(number)] = found ? std::move(path) : nullptr;
  }
  return paths_[static_cast<size_t>(number)].get();
}

}  // namespace spmdc::plan
