// Choosing the axes of an instruction's factors by enumerating what its tensors propose.
//
// Almost every instruction is settled by the first candidate: every factor gets the axes its tensors agree on, and nothing
// has to move. Only where tensors disagree are the combinations tried, and each costs what the resharder says.
#include "plan/assignment.h"

#include <limits>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "op/op_def.h"

namespace spmdc::plan {
namespace {

using op::FactorAxes;
using op::FactorKind;

constexpr size_t kMaxCandidates = 512;

// Whether the axes that tensors have on a factor may be a burden there: other factors are tried too.
bool IsBurden(const op::Factor& factor) {
  bool combined = factor.kind == FactorKind::Map && factor.self_combining;
  return factor.kind == FactorKind::Whole || op::NeedsNeighbours(factor.kind) || combined;
}

class Enumerator {
 public:
  Enumerator(const AssignmentProblem& problem, const Policy& policy, Resharder& resharder)
      : p_(problem), policy_(policy), resharder_(resharder), options_(problem.rule.factors.size()) {}

  std::optional<Assignment> Run() {
    if (std::optional<Assignment> settled = AsItIs()) {
      return settled;
    }
    CollectOptions();
    FactorAxes first = Greedy();
    std::optional<Assignment> best = Price(first, {}, -1, std::nullopt);
    if (best && best->cost.wire_bytes == 0 && best->cost.collectives == 0) {
      return best;
    }
    FactorAxes current(p_.rule.factors.size());
    Enumerate(0, current, best);
    // Nothing sharded is possible if anything is.
    FactorAxes none(p_.rule.factors.size());
    Consider(none, best);
    if (best) {
      ConsiderElsewhere(best);
    }
    return best;
  }

 private:
  const mesh::Sharding& Look(mesh::ShardingId id) const { return p_.tables.shardings[id]; }

  void AddOptions(const op::TensorFactors& tensor, mesh::ShardingId id) {
    const mesh::Sharding& sharding = Look(id);
    if (sharding.mesh != p_.mesh) {
      return;
    }
    FactorAxes axes = op::ReadFactors(p_.rule, tensor, sharding);
    for (size_t f = 0; f < axes.size(); ++f) {
      AddOption(f, axes[f]);
    }
  }
  void AddOption(size_t f, const mesh::AxisList& axes) {
    if (!axes.empty() && !llvm::is_contained(options_[f], axes)) {
      options_[f].push_back(axes);
    }
  }

  // Takes over the axes of a tensor's factors that have none so far. False where a dim has several factors.
  bool TakeAxes(const op::TensorFactors& tensor, const mesh::Sharding& sharding, FactorAxes& axes) const {
    if (sharding.mesh != p_.mesh || sharding.dims.size() != tensor.dims.size()) {
      return false;
    }
    for (size_t d = 0; d < tensor.dims.size(); ++d) {
      const mesh::AxisList& own = sharding.dims[d].axes;
      if (own.empty()) {
        continue;
      }
      if (tensor.dims[d].size() != 1) {
        return false;
      }
      mesh::AxisList& of_factor = axes[static_cast<size_t>(tensor.dims[d][0])];
      of_factor = of_factor.empty() ? own : of_factor;
    }
    return true;
  }

  // Whether a sharding is what WriteTensor makes of the factors, and no more than that.
  static bool IsWritten(const op::TensorFactors& tensor, const mesh::Sharding& sharding, const FactorAxes& axes) {
    bool plain = sharding.replicated.empty() && sharding.unreduced.empty() && sharding.reduced.empty() &&
                 sharding.varying.empty() && sharding.dims.size() == tensor.dims.size();
    for (size_t d = 0; plain && d < tensor.dims.size(); ++d) {
      plain = !sharding.dims[d].open && sharding.dims[d].priority == mesh::kNoPriority;
      for (int32_t f : tensor.dims[d]) {
        plain = plain && axes[static_cast<size_t>(f)] == sharding.dims[d].axes;
      }
    }
    return plain;
  }

  // The assignment that every tensor agrees on as it is wanted and had, which is the greedy one; nothing where something
  // has to move, and where that takes more than a look.
  std::optional<Assignment> AsItIs() const {
    Assignment settled;
    settled.factors.resize(p_.rule.factors.size());
    bool taken = !p_.exchange;
    for (size_t j = 0; taken && j < p_.results.size(); ++j) {
      taken = TakeAxes(p_.rule.results[j], Look(p_.results[j]), settled.factors);
    }
    for (size_t i = 0; taken && i < p_.operands.size(); ++i) {
      taken = p_.free_operands[i] || TakeAxes(p_.rule.operands[i], Look(p_.operands[i][0]), settled.factors);
    }
    for (size_t f = 0; taken && f < settled.factors.size(); ++f) {
      bool summed = llvm::any_of(llvm::seq<size_t>(0, p_.results.size()), [&](size_t j) { return IsSummed(f, j); });
      taken = settled.factors[f].empty() || (MayBeSharded(f) && !summed);
    }
    if (!taken) {
      return std::nullopt;
    }
    for (size_t j = 0; j < p_.results.size(); ++j) {
      if (!IsWritten(p_.rule.results[j], Look(p_.results[j]), settled.factors)) {
        return std::nullopt;
      }
    }
    for (size_t i = 0; i < p_.operands.size(); ++i) {
      if (p_.free_operands[i]) {
        auto sharding = op::WriteTensor(p_.rule, p_.rule.operands[i], settled.factors, p_.mesh);
        if (!sharding) {
          return std::nullopt;
        }
        settled.operands.push_back(p_.tables.shardings.Intern(*sharding));
      } else if (IsWritten(p_.rule.operands[i], Look(p_.operands[i][0]), settled.factors)) {
        settled.operands.push_back(p_.operands[i][0]);
      } else {
        return std::nullopt;
      }
    }
    settled.results = p_.results;
    return settled;
  }

  // Results first: where a value is wanted is the better guess for where to make it.
  void CollectOptions() {
    for (size_t j = 0; j < p_.results.size(); ++j) {
      AddOptions(p_.rule.results[j], p_.results[j]);
    }
    for (size_t i = 0; i < p_.operands.size(); ++i) {
      if (!p_.free_operands[i]) {
        for (mesh::ShardingId version : p_.operands[i]) {
          AddOptions(p_.rule.operands[i], version);
        }
      }
    }
    for (size_t f = 0; f < options_.size(); ++f) {
      if (int32_t leader = p_.rule.factors[f].follows; leader >= 0) {
        for (const mesh::AxisList& option : options_[static_cast<size_t>(leader)]) {
          AddOption(f, option);
        }
      }
    }
    for (size_t f = 0; f < options_.size(); ++f) {
      if (IsBurden(p_.rule.factors[f])) {
        burdens_.append(options_[f].begin(), options_[f].end());
      }
      if (!MayBeSharded(f)) {
        options_[f].clear();
      }
    }
  }

  bool MayBeSharded(size_t f) const {
    const op::Factor& factor = p_.rule.factors[f];
    if (factor.self_combining) {
      return true;
    }
    if (op::NeedsNeighbours(factor.kind) && !p_.exchange) {
      return false;
    }
    if (factor.kind == FactorKind::Reduce || factor.kind == FactorKind::Index) {
      return llvm::none_of(p_.rule.result_monoid, [](mesh::Monoid m) { return m == mesh::Monoid::None; });
    }
    // A dim of one element that the result has not, or stretched: split, one device alone would have the element.
    auto has = [&](const op::TensorFactors& tensor) { return tensor.has(static_cast<int32_t>(f)); };
    bool lost = llvm::any_of(p_.rule.operands, has) && llvm::none_of(p_.rule.results, has);
    return factor.kind != FactorKind::Whole && !lost;
  }

  // Axes that are on a factor which must be whole or needs neighbours can move to a dim that the op maps, alone or behind
  // the axes that are there: two all-to-alls are often cheaper than a gather. One move away from the best so far.
  void ConsiderElsewhere(std::optional<Assignment>& best) {
    FactorAxes base = best->factors;
    for (const mesh::AxisList& burden : burdens_) {
      for (size_t g = 0; g < base.size(); ++g) {
        if (p_.rule.factors[g].kind != FactorKind::Map) {
          continue;
        }
        FactorAxes moved = base;
        for (mesh::AxisList& axes : moved) {
          if (mesh::Overlaps(axes, burden)) {
            axes.clear();
          }
        }
        mesh::Append(moved[g], burden);
        if (p_.rule.factors[g].size % mesh::Product(moved[g]) == 0) {
          Consider(moved, best);
        }
      }
    }
  }

  // Whether a result is partial over the axes of a factor.
  bool IsSummed(size_t f, size_t result) const {
    const op::Factor& factor = p_.rule.factors[f];
    return !factor.self_combining &&
           (factor.kind == FactorKind::Reduce ||
            (factor.kind == FactorKind::Index && !p_.rule.results[result].has(static_cast<int32_t>(f))));
  }

  // Two factors may not have an axis in common if a tensor has both, be it that a result is partial over one of them.
  bool Meet(size_t f, size_t g) const {
    auto has = [](const op::TensorFactors& tensor, size_t factor) { return tensor.has(static_cast<int32_t>(factor)); };
    for (const op::TensorFactors& tensor : p_.rule.operands) {
      if (has(tensor, f) && has(tensor, g)) {
        return true;
      }
    }
    for (size_t j = 0; j < p_.rule.results.size(); ++j) {
      const op::TensorFactors& tensor = p_.rule.results[j];
      if ((has(tensor, f) || IsSummed(f, j)) && (has(tensor, g) || IsSummed(g, j))) {
        return true;
      }
    }
    return false;
  }

  bool Clashes(const FactorAxes& axes, size_t f, const mesh::AxisList& wanted) const {
    for (size_t g = 0; g < axes.size(); ++g) {
      if (g != f && mesh::Overlaps(axes[g], wanted) && Meet(f, g)) {
        return true;
      }
    }
    return false;
  }

  // Every factor takes its first proposal that is still free.
  FactorAxes Greedy() const {
    FactorAxes axes(options_.size());
    for (size_t f = 0; f < options_.size(); ++f) {
      for (const mesh::AxisList& option : options_[f]) {
        if (!Clashes(axes, f, option)) {
          axes[f] = option;
          break;
        }
      }
    }
    return axes;
  }

  void Enumerate(size_t f, FactorAxes& current, std::optional<Assignment>& best) {
    if (tried_ >= kMaxCandidates) {
      return;
    }
    if (f == options_.size()) {
      ++tried_;
      Consider(current, best);
      return;
    }
    for (const mesh::AxisList& option : options_[f]) {
      if (!Clashes(current, f, option)) {
        current[f] = option;
        Enumerate(f + 1, current, best);
        current[f].clear();
      }
    }
    Enumerate(f + 1, current, best);
  }

  // The assignment with nothing carried, and with the sums that the result wants unreduced carried through a linear op.
  void Consider(const FactorAxes& axes, std::optional<Assignment>& best) {
    auto keep_better = [&](std::optional<Assignment> candidate) {
      if (candidate && (!best || policy_.Better(candidate->cost, best->cost))) {
        best = std::move(candidate);
      }
    };
    keep_better(Price(axes, {}, -1, best));
    if (p_.results.empty() || p_.linear == op::Linear::No) {
      return;
    }
    const mesh::AxisList& wanted = Look(p_.results[0]).unreduced;
    if (wanted.empty() || llvm::any_of(axes, [&](const mesh::AxisList& a) { return mesh::Overlaps(a, wanted); })) {
      return;
    }
    if (p_.linear == op::Linear::Multi) {
      for (size_t i = 0; i < p_.operands.size(); ++i) {
        keep_better(Price(axes, wanted, static_cast<int>(i), best));
      }
    } else {
      keep_better(Price(axes, wanted, kAllOperands, best));
    }
  }

  static constexpr int kAllOperands = -2;

  // Nothing if a tensor cannot be split so, or once it costs more than the best so far: what tensors cost at least takes the
  // place of what is not searched for yet, so costs only grow.
  std::optional<Assignment> Price(const FactorAxes& axes, const mesh::AxisList& carried, int carrier,
                                  const std::optional<Assignment>& best) {
    Assignment result;
    result.factors = axes;
    if (!Place(carried, carrier, result)) {
      return std::nullopt;
    }
    result.cost = LeastCost(result);
    auto is_worse = [&] { return best && policy_.Better(best->cost, result.cost); };
    if (is_worse()) {
      return std::nullopt;
    }
    for (size_t i = 0; i < p_.operands.size(); ++i) {
      if (!AddOperandCost(i, result.operands[i], result.cost) || is_worse()) {
        return std::nullopt;
      }
    }
    for (size_t j = 0; j < p_.results.size(); ++j) {
      if (!AddResultCost(j, result.results[j], result.cost) || is_worse()) {
        return std::nullopt;
      }
    }
    if (p_.exchange) {
      std::optional<op::Exchanged> exchanged = p_.exchange(axes);
      if (!exchanged) {
        return std::nullopt;
      }
      result.exchanged = *exchanged;
      result.cost.wire_bytes += exchanged->bytes;
      result.cost.collectives += exchanged->collectives;
    }
    return result;
  }

  // Where operands are needed and results come out; false if a tensor cannot be split so.
  bool Place(const mesh::AxisList& carried, int carrier, Assignment& result) const {
    for (size_t i = 0; i < p_.operands.size(); ++i) {
      auto sharding = op::WriteTensor(p_.rule, p_.rule.operands[i], result.factors, p_.mesh);
      if (!sharding) {
        return false;
      }
      if (carrier == kAllOperands || carrier == static_cast<int>(i)) {
        sharding->unreduced = carried;
      }
      result.operands.push_back(p_.tables.shardings.Intern(*sharding));
    }
    for (size_t j = 0; j < p_.results.size(); ++j) {
      auto sharding = op::WriteTensor(p_.rule, p_.rule.results[j], result.factors, p_.mesh);
      if (!sharding) {
        return false;
      }
      sharding->unreduced = Partial(j, result.factors, carried);
      sharding->unreduced_kind = sharding->unreduced.empty() ? mesh::Monoid::Sum : p_.rule.result_monoid[j];
      result.results.push_back(p_.tables.shardings.Intern(*sharding));
    }
    return true;
  }

  // What is known of the cost before any path is.
  Cost LeastCost(const Assignment& placed) const {
    Cost cost;
    cost.points = 1;
    for (size_t f = 0; f < placed.factors.size(); ++f) {
      cost.points *= static_cast<double>(mesh::LocalSize(p_.rule.factors[f].size, mesh::Product(placed.factors[f])));
    }
    for (size_t i = 0; i < p_.operands.size(); ++i) {
      cost.wire_bytes += LeastOperandBytes(i, placed.operands[i]);
      cost.local_bytes += LocalBytes(Look(placed.operands[i]), OperandType(i));
    }
    for (size_t j = 0; j < p_.results.size(); ++j) {
      cost.wire_bytes += LeastResultBytes(j, placed.results[j]);
      cost.local_bytes += LocalBytes(Look(placed.results[j]), ResultType(j));
    }
    return cost;
  }
  int64_t LeastOperandBytes(size_t i, mesh::ShardingId needed) const {
    int64_t least = std::numeric_limits<int64_t>::max();
    for (mesh::ShardingId version : p_.operands[i]) {
      const ir::Type& type = OperandType(i);
      least = std::min(least, resharder_.LeastBytes(version, needed, type.dims, tensor::ByteWidth(type.dtype)));
    }
    return p_.free_operands[i] ? 0 : least;
  }
  int64_t LeastResultBytes(size_t j, mesh::ShardingId made) const {
    const ir::Type& type = ResultType(j);
    return resharder_.LeastBytes(made, p_.results[j], type.dims, tensor::ByteWidth(type.dtype));
  }

  const ir::Type& OperandType(size_t i) const { return p_.tables.types[p_.operand_types[i]]; }
  const ir::Type& ResultType(size_t j) const { return p_.tables.types[p_.result_types[j]]; }

  // In place of the least that it had to be. False if the operand cannot be brought there.
  bool AddOperandCost(size_t i, mesh::ShardingId needed, Cost& cost) {
    if (p_.free_operands[i]) {
      return true;
    }
    const ir::Type& type = OperandType(i);
    const Path* best = nullptr;
    for (mesh::ShardingId version : p_.operands[i]) {
      const Path* path = resharder_.Find(version, needed, type.dims, tensor::ByteWidth(type.dtype));
      if (path != nullptr && (best == nullptr || path->wire_bytes < best->wire_bytes)) {
        best = path;
      }
    }
    if (best == nullptr) {
      return false;
    }
    cost.wire_bytes -= LeastOperandBytes(i, needed);
    Add(*best, cost);
    return true;
  }
  bool AddResultCost(size_t j, mesh::ShardingId made, Cost& cost) {
    const ir::Type& type = ResultType(j);
    const Path* path = resharder_.Find(made, p_.results[j], type.dims, tensor::ByteWidth(type.dtype));
    if (path == nullptr) {
      return false;
    }
    cost.wire_bytes -= LeastResultBytes(j, made);
    Add(*path, cost);
    return true;
  }

  static void Add(const Path& path, Cost& cost) {
    cost.wire_bytes += path.wire_bytes;
    cost.collectives += path.collectives;
  }

  static int64_t LocalBytes(const mesh::Sharding& sharding, const ir::Type& type) {
    return tensor::NumElements(mesh::LocalDims(sharding, type.dims)) * tensor::ByteWidth(type.dtype);
  }

  // A result is partial over the axes of Reduce factors, and of Index factors that it does not have itself.
  mesh::AxisList Partial(size_t j, const FactorAxes& axes, const mesh::AxisList& carried) const {
    mesh::AxisList list = carried;
    for (size_t f = 0; f < axes.size(); ++f) {
      if (IsSummed(f, j)) {
        list.append(axes[f].begin(), axes[f].end());
      }
    }
    return mesh::AsSet(list);
  }

  const AssignmentProblem& p_;
  const Policy& policy_;
  Resharder& resharder_;
  llvm::SmallVector<llvm::SmallVector<mesh::AxisList, 3>, 6> options_;
  llvm::SmallVector<mesh::AxisList, 2> burdens_;
  size_t tried_ = 0;
};

void AppendIds(const llvm::SmallVectorImpl<mesh::ShardingId>& ids, llvm::SmallVectorImpl<int32_t>& key) {
  key.push_back(static_cast<int32_t>(ids.size()));
  for (mesh::ShardingId id : ids) {
    key.push_back(id.index);
  }
}

// All that the choice depends on, but for the exchange.
llvm::SmallVector<int32_t, 32> KeyOf(const AssignmentProblem& p) {
  llvm::SmallVector<int32_t, 32> key{static_cast<int32_t>(p.linear), p.mesh.index, p.rule_number};
  for (const auto* types : {&p.operand_types, &p.result_types}) {
    for (ir::TypeId type : *types) {
      key.push_back(type.index);
    }
  }
  for (size_t i = 0; i < p.operands.size(); ++i) {
    key.push_back(p.free_operands[i] ? 1 : 0);
    AppendIds(p.operands[i], key);
  }
  AppendIds(p.results, key);
  return key;
}

}  // namespace

const Assignment* Assigner::Assign(const AssignmentProblem& problem) {
  if (problem.exchange) {
    std::optional<Assignment> found = Enumerator(problem, policy_, resharder_).Run();
    exchanging_.push_back(found ? std::make_unique<Assignment>(std::move(*found)) : nullptr);
    return exchanging_.back().get();
  }
  auto [number, is_new] = keys_.Insert(KeyOf(problem));
  if (is_new) {
    std::optional<Assignment> found = Enumerator(problem, policy_, resharder_).Run();
    known_.push_back(found ? std::make_unique<Assignment>(std::move(*found)) : nullptr);
  }
  return known_[static_cast<size_t>(number)].get();
}

}  // namespace spmdc::plan
