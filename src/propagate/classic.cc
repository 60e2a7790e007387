// Rounds over the places that may change.
#include "propagate/classic.h"

#include <map>

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "propagate/classic_flow.h"
#include "propagate/classic_keys.h"

namespace spmdc::propagate {

namespace {

using Kind = ClassicPlace::Kind;
using Take = op::Classic::Take;

class Runner {
 public:
  Runner(ClassicGraph& graph, int64_t num_devices)
      : g_(graph), view_(graph.view), merge_(num_devices), flow_(graph, merge_), keys_(graph, flow_) {}

  void RunAll() {
    CollectGroups();
    for (int level = 0; level < 4; ++level) {
      RunLevel(level);
    }
    if (!groups_.empty()) {
      AlignGroups();
      groups_.clear();
      RunLevel(3);
    }
    RestoreBoundary();
    g_.Spread();
  }

 private:
  const ir::Type& type(int32_t v) const { return view_.module.tables->types[view_.value(v).type]; }
  const mesh::Sharding* Known(int32_t v) const { return g_.Find(g_.StateOfValue(v)); }

  void RunLevel(int level) {
    level_ = level;
    forward_.clear();
    forward_.resize(static_cast<unsigned>(g_.places.size()), true);
    backward_ = forward_;
    do {
      changed_ = false;
      ShareInGroups();
      for (size_t c = 0; c + 1 < g_.computations.size(); ++c) {
        auto begin = static_cast<unsigned>(g_.computations[c]), end = static_cast<unsigned>(g_.computations[c + 1]);
        for (int p = Next(forward_, begin, end); p >= 0; p = Next(forward_, static_cast<unsigned>(p) + 1, end)) {
          forward_.reset(static_cast<unsigned>(p));
          TakeFromOperands(g_.places[static_cast<size_t>(p)]);
        }
        for (int p = Last(begin, end); p >= 0; p = Last(begin, static_cast<unsigned>(p))) {
          backward_.reset(static_cast<unsigned>(p));
          TakeFromUsers(g_.places[static_cast<size_t>(p)]);
        }
      }
    } while (changed_);
  }

  static int Next(const llvm::BitVector& bits, unsigned begin, unsigned end) {
    return begin < end ? bits.find_first_in(begin, end) : -1;
  }
  int Last(unsigned begin, unsigned end) const { return begin < end ? backward_.find_last_in(begin, end) : -1; }

  // --- Groups of values that are to be sharded alike -----------------------------------------------------------------

  void CollectGroups() {
    for (const ViewOp& op : view_.ops) {
      if (op.group >= 0 && op.region != kNone) {
        groups_[op.group].push_back(op.operands[0]);
      }
    }
  }

  void ShareInGroups() {
    for (const auto& [id, members] : groups_) {
      for (int32_t v : members) {
        for (int32_t other : members) {
          const mesh::Sharding* known = Known(other);
          if (other != v && known != nullptr) {
            Improve(g_.StateOfValue(v), type(v).dims, {*known, {g_.StateOfValue(other)}}, false, kNone);
          }
        }
      }
    }
  }

  // In the end all have what their shardings make together, or the first one's where these do not join.
  void AlignGroups() {
    for (const auto& [id, members] : groups_) {
      std::optional<mesh::Sharding> common;
      int32_t first = kNone;
      bool joins = true;
      for (int32_t v : members) {
        const mesh::Sharding* known = Known(v);
        if (known == nullptr) {
          continue;
        }
        joins = joins && (!common || *common == *known || ClassicMerge::IsReplicated(*known) ||
                          merge_.MergeIfCompatible(*known, ClassicMerge::NumBlocks(*common), *common));
        first = first == kNone ? v : first;
        common = common ? common : *known;
      }
      for (int32_t v : members) {
        if (common) {
          mesh::Sharding aligned = joins ? *common : *Known(first);
          Set(g_.StateOfValue(v), aligned, {g_.StateOfValue(first)}, kNone);
        }
      }
    }
  }

  // --- States --------------------------------------------------------------------------------------------------------

  bool Improve(int32_t state, llvm::ArrayRef<int64_t> dims, const ClassicOffer& offer, bool may_reshard, int32_t o) {
    if (g_.fixed[static_cast<size_t>(state)] != 0) {
      return false;
    }
    auto better = merge_.Improve(offer.sharding, g_.Find(state), dims, {level_ > 0, may_reshard});
    if (better) {
      Set(state, *better, offer.sources, o);
    }
    return better.has_value();
  }

  void Set(int32_t state, const mesh::Sharding& sharding, llvm::ArrayRef<int32_t> sources, int32_t o) {
    changed_ = true;
    g_.graph.origins.RecordFrom(static_cast<size_t>(state), sharding, sources, o);
    g_.states[static_cast<size_t>(state)] = view_.shardings.Intern(sharding);
    if (static_cast<size_t>(state) >= g_.num_values()) {
      const ViewOp& end = view_.op(view_.region(view_.entry).last);
      WakeSource(end.operands[static_cast<size_t>(state) - g_.num_values()]);
      return;
    }
    for (int32_t v = state;;) {
      WakeAround(v);
      v = g_.next_alias[static_cast<size_t>(v)];
      if (v == state) {
        break;
      }
    }
  }

  void WakeAround(int32_t v) {
    for (const ViewUse& use : view_.value(v).uses) {
      if (g_.RegionOf(use.op) == op::Region::Branch) {
        WakeArguments(use);
        continue;
      }
      int32_t place = g_.place_of_op[static_cast<size_t>(use.op)];
      const ClassicPlace& first = g_.places[static_cast<size_t>(place)];
      bool each = first.kind == Kind::Carry || first.kind == Kind::Return;
      forward_.set(static_cast<unsigned>(place + (each ? use.operand : 0)));
    }
    int32_t def = view_.value(v).def;
    if (def == kNone) {
      WakeHanded(v);
      return;
    }
    const ViewOp& op = view_.op(def);
    const auto* it = llvm::find(op.results, v);
    auto index = static_cast<size_t>(it - op.results.begin());
    switch (g_.RegionOf(def)) {
      case op::Region::Loop:
        WakeSource(op.operands[index]);
        WakeSource(view_.op(view_.region(op.regions[1]).last).operands[index]);
        break;
      case op::Region::Branch:
        for (int32_t r : op.regions) {
          WakeSource(view_.op(view_.region(r).last).operands[index]);
        }
        break;
      default:
        for (int32_t operand : op.operands) {
          WakeSource(operand);
        }
    }
  }

  void WakeArguments(const ViewUse& use) {
    for (int32_t r : view_.op(use.op).regions) {
      if (use.operand > 0) {
        int32_t arg = view_.region(r).args[static_cast<size_t>(use.operand) - 1];
        forward_.set(static_cast<unsigned>(g_.place_of_value[static_cast<size_t>(arg)]));
      }
    }
  }
  void WakeHanded(int32_t arg) {
    const ViewRegion& region = view_.region(view_.value(arg).region);
    if (region.op != kNone && g_.RegionOf(region.op) == op::Region::Branch) {
      auto index = static_cast<size_t>(llvm::find(region.args, arg) - region.args.begin());
      WakeSource(view_.op(region.op).operands[index + 1]);
    }
  }

  // A value's user changed: it looks at its users again.
  void WakeSource(int32_t v) {
    int32_t place = g_.place_of_value[static_cast<size_t>(v)];
    if (place != kNone) {
      backward_.set(static_cast<unsigned>(place));
    }
  }

  // --- Forward -------------------------------------------------------------------------------------------------------

  void TakeFromOperands(const ClassicPlace& place) {
    switch (place.kind) {
      case Kind::Arg:
        TakeHanded(place);
        return;
      case Kind::Choice:
        return;
      case Kind::Carry: {
        const ViewOp& op = view_.op(place.id);
        int32_t operand = op.operands[static_cast<size_t>(place.index)];
        if (const mesh::Sharding* known = Known(operand)) {
          int32_t state = g_.StateOfValue(view_.region(op.regions[1]).args[static_cast<size_t>(place.index)]);
          Improve(state, type(operand).dims, {*known, {g_.StateOfValue(operand)}}, true, place.id);
        }
        return;
      }
      case Kind::Return:
        TakeReturned(place);
        return;
      case Kind::Op:
        if (flow_.DefOf(place.id) != nullptr && g_.RegionOf(place.id) == op::Region::None) {
          InferOpOnce(place.id);
        }
        return;
    }
  }

  // --- Repeated layers -----------------------------------------------------------------------------------------------

  // Whether every device has a block of its own: nothing is better.
  bool IsComplete(int32_t v) {
    mesh::ShardingId id = g_.states[static_cast<size_t>(g_.StateOfValue(v))];
    if (!id.valid()) {
      return false;
    }
    Completeness& known = complete_[id];
    if (known == Completeness::Unknown) {
      const mesh::Sharding& s = view_.shardings[id];
      bool complete = s.varying.empty() && !ClassicMerge::IsReplicated(s) && !merge_.IsPartial(s);
      known = complete ? Completeness::Yes : Completeness::No;
    }
    return known == Completeness::Yes;
  }

  // An op whose tensors are as those of one that took nothing takes nothing.
  void InferOpOnce(int32_t o) {
    const auto& results = view_.op(o).results;
    if (llvm::all_of(results, [&](int32_t v) { return IsComplete(v); })) {
      return;
    }
    if (keys_.OfOp(o, level_)) {
      Settle([&] { InferOp(o); });
    } else {
      InferOp(o);
    }
  }
  void InferValueOnce(int32_t v) {
    if (IsComplete(v)) {
      return;
    }
    if (keys_.OfValue(v, level_)) {
      Settle([&] { InferValue(v); });
    } else {
      InferValue(v);
    }
  }

  template <typename Infer>
  void Settle(Infer infer) {
    if (keys_.IsSettled()) {
      return;
    }
    bool before = changed_;
    changed_ = false;
    infer();
    if (!changed_) {
      keys_.Settle();
    }
    changed_ = changed_ || before;
  }

  // Arguments of branches.
  void TakeHanded(const ClassicPlace& place) {
    int32_t owner = view_.region(view_.value(place.id).region).op;
    if (level_ == 0 || owner == kNone || g_.RegionOf(owner) != op::Region::Branch) {
      return;
    }
    int32_t operand = view_.op(owner).operands[static_cast<size_t>(place.index) + 1];
    if (const mesh::Sharding* known = Known(operand)) {
      Improve(g_.StateOfValue(place.id), type(place.id).dims, {*known, {g_.StateOfValue(operand)}}, false, owner);
    }
  }

  // What is returned replaces what was known where it has more blocks; the two are not joined.
  void TakeReturned(const ClassicPlace& place) {
    auto index = static_cast<size_t>(place.index);
    int32_t v = view_.op(place.id).operands[index];
    int32_t state = g_.StateOfReturn(place.id, index);
    const mesh::Sharding* returned = Known(v);
    if (state == kNone || returned == nullptr || g_.fixed[static_cast<size_t>(state)] != 0) {
      return;
    }
    const mesh::Sharding* known = g_.Find(state);
    if (known == nullptr || merge_.IsMoreSpecific(*returned, *known)) {
      Set(state, *returned, {g_.StateOfValue(v)}, place.id);
    }
  }

  void InferOp(int32_t o) {
    const ViewOp& op = view_.op(o);
    if (op.results.empty()) {
      return;
    }
    if (op.constraint) {
      RefineFrom(o, g_.StateOfValue(op.operands[0]), Known(op.operands[0]));
      return;
    }
    const mesh::Sharding* known = Known(op.results[0]);
    if (known != nullptr && merge_.IsManual(*known)) {
      return;
    }
    if (TakeManual(o, known)) {
      return;
    }
    if (!flow_.Passes(o)) {
      TakeCopies(o);
      return;
    }
    if (!flow_.MayPass(o, level_, /*forward=*/true)) {
      return;
    }
    if (flow_.DefOf(o)->classic.take == Take::Contraction) {
      InferContraction(o);
      return;
    }
    llvm::SmallVector<size_t, 4> sources = flow_.Sources(o, level_);
    for (size_t r = 0; r < op.results.size(); ++r) {
      for (size_t k : sources) {
        auto offer = flow_.FromOperand(o, k, r);
        bool nothing = flow_.DefOf(o)->precedence == op::Precedence::Broadcast && offer &&
                       ClassicMerge::IsReplicated(*Known(op.operands[k]));
        if (offer && !nothing) {
          Improve(g_.StateOfValue(op.results[r]), type(op.results[r]).dims, *offer, MayReshard(o, k), o);
        }
      }
    }
  }

  bool MayReshard(int32_t o, size_t k) const {
    const ViewOp& op = view_.op(o);
    const op::OpDef& def = *flow_.DefOf(o);
    if (op.results.size() > 1) {
      return true;
    }
    bool joins = def.elementwise && level_ > 0 && op.operands.size() > 1;
    bool base = def.classic.take == Take::LastFirst && k == 0;
    return def.classic.may_reshard && !joins && !base && flow_.InnerUses(op.results[0]) == 1;
  }

  // An operand that lives on each device alone makes the results do so too.
  bool TakeManual(int32_t o, const mesh::Sharding* known) {
    const ViewOp& op = view_.op(o);
    if (known != nullptr && !ClassicMerge::IsReplicated(*known)) {
      return false;
    }
    for (int32_t v : op.operands) {
      const mesh::Sharding* s = Known(v);
      if (s == nullptr || !merge_.IsManual(*s)) {
        continue;
      }
      for (int32_t result : op.results) {
        if (g_.fixed[static_cast<size_t>(g_.StateOfValue(result))] == 0) {
          Set(g_.StateOfValue(result), Manual(*s, view_.rank(result)), {}, o);
        }
      }
      return true;
    }
    return false;
  }

  static mesh::Sharding Manual(const mesh::Sharding& like, size_t rank) {
    mesh::Sharding manual = mesh::Replicated(like.mesh, rank);
    manual.varying = like.varying;
    return manual;
  }

  // An op that passes nothing on holds copies where an operand does.
  void TakeCopies(int32_t o) {
    const ViewOp& op = view_.op(o);
    if (op.results.size() != 1 || flow_.DefOf(o)->side_effect || view_.rank(op.results[0]) == 0) {
      return;
    }
    for (int32_t v : op.operands) {
      const mesh::Sharding* s = Known(v);
      if (s != nullptr && ClassicMerge::IsReplicated(*s)) {
        ClassicOffer copies = {mesh::Replicated(s->mesh, view_.rank(op.results[0])), {}};
        Improve(g_.StateOfValue(op.results[0]), type(op.results[0]).dims, copies, false, o);
        return;
      }
    }
  }

  void InferContraction(int32_t o) {
    const ViewOp& op = view_.op(o);
    int32_t state = g_.StateOfValue(op.results[0]);
    const auto& dims = type(op.results[0]).dims;
    if (g_.fixed[static_cast<size_t>(state)] != 0) {
      return;
    }
    std::optional<ClassicOffer> offers[2];
    bool improves[2] = {false, false};
    for (size_t k = 0; k < 2; ++k) {
      offers[k] = flow_.FromOperand(o, k, 0);
      auto better =
          offers[k] ? merge_.Improve(offers[k]->sharding, g_.Find(state), dims, {level_ > 0, false}) : std::nullopt;
      improves[k] = better.has_value();
      if (better) {
        offers[k]->sharding = std::move(*better);
      }
    }
    if (!improves[0] && !improves[1]) {
      return;
    }
    size_t first = improves[0] && improves[1] ? FirstOperand(o, *offers[0], *offers[1]) : (improves[0] ? 0 : 1);
    Set(state, offers[first]->sharding, offers[first]->sources, o);
    if (improves[1 - first]) {
      Improve(state, dims, *offers[1 - first], false, o);
    }
  }

  // Whether two offers make something else if the other one comes first.
  bool OrderCounts(int32_t result, const mesh::Sharding& a, const mesh::Sharding& b) const {
    const auto& dims = type(result).dims;
    ClassicMerge::How how = {level_ > 0, false};
    return a != b && merge_.Improve(b, &a, dims, how).value_or(a) != merge_.Improve(a, &b, dims, how).value_or(b);
  }

  // Which of two operands a contraction's result follows.
  size_t FirstOperand(int32_t o, const ClassicOffer& a, const ClassicOffer& b) const {
    const ViewOp& op = view_.op(o);
    if (OrderCounts(op.results[0], a.sharding, b.sharding)) {
      if (std::optional<mesh::Sharding> wanted = flow_.LookAhead(op.results[0])) {
        bool by_a = NestsIn(*wanted, a.sharding, type(op.results[0]).dims);
        bool by_b = NestsIn(*wanted, b.sharding, type(op.results[0]).dims);
        if (by_a != by_b) {
          return by_a ? 0 : 1;
        }
      }
    }
    return type(op.operands[0]).bytes() < type(op.operands[1]).bytes() ? 1 : 0;
  }

  // Whether the only user of a value goes over to blocks of manual axes, and the sharding uses one of these.
  bool EntersManual(int32_t v, const mesh::Sharding& sharding) const {
    const auto& uses = view_.value(v).uses;
    if (uses.size() != 1 || view_.op(uses[0].op).results.empty()) {
      return false;
    }
    const mesh::Sharding* inner = Known(view_.op(uses[0].op).results[0]);
    return inner != nullptr && llvm::any_of(sharding.dims, [&](const mesh::DimSharding& dim) {
             return mesh::Overlaps(dim.axes, inner->varying);
           });
  }

  // A constraint that leaves dims open is refined on these.
  void RefineFrom(int32_t o, int32_t source, const mesh::Sharding* from) {
    const ViewOp& op = view_.op(o);
    if (level_ == 0 || from == nullptr || op.results.empty() || view_.rank(op.results[0]) == 0) {
      return;
    }
    llvm::SmallVector<int64_t, 4> open;
    const mesh::Sharding& required = view_.shardings[op.required];
    for (size_t d = 0; d < required.dims.size(); ++d) {
      if (required.dims[d].open) {
        open.push_back(static_cast<int64_t>(d));
      }
    }
    int32_t state = g_.StateOfValue(op.results[0]);
    mesh::Sharding refined = *g_.Find(state);
    mesh::Sharding kept = KeepDims(*from, open);
    if (EntersManual(op.results[0], kept)) {
      return;
    }
    if (!open.empty() && merge_.MergeIfCompatible(kept, ClassicMerge::NumBlocks(refined) + 1, refined)) {
      Set(state, refined, {source}, o);
    }
  }

  // --- Backward ------------------------------------------------------------------------------------------------------

  void TakeFromUsers(const ClassicPlace& place) {
    switch (place.kind) {
      case Kind::Arg:
        InferValueOnce(place.id);
        return;
      case Kind::Carry:
      case Kind::Choice:
        if (static_cast<size_t>(place.index) < view_.op(place.id).results.size()) {
          InferValueOnce(view_.op(place.id).results[static_cast<size_t>(place.index)]);
        }
        return;
      case Kind::Return:
        return;
      case Kind::Op:
        for (int32_t v : view_.op(place.id).results) {
          InferValueOnce(v);
        }
        return;
    }
  }

  void InferValue(int32_t v) {
    if (view_.rank(v) == 0) {
      return;
    }
    int32_t def = view_.value(v).def;
    if (def != kNone && view_.op(def).constraint) {
      for (const ViewUse& use : view_.value(v).uses) {
        if (auto offer = flow_.FromUser(use, level_)) {
          RefineFrom(def, offer->sources.empty() ? kNone : offer->sources[0], &offer->sharding);
        }
      }
      return;
    }
    if (g_.fixed[static_cast<size_t>(g_.StateOfValue(v))] != 0) {
      return;
    }
    if (def != kNone && g_.RegionOf(def) == op::Region::None) {
      bool broadcast = flow_.DefOf(def) != nullptr && flow_.DefOf(def)->precedence == op::Precedence::Broadcast;
      if (TakeManualFromUsers(v) || !flow_.Passes(def) || (broadcast && level_ < 2)) {
        return;
      }
    }
    bool many = ClassicKeys::HasManyUses(view_.value(v));
    keys_.ForgetUses();
    for (const ViewUse& use : view_.value(v).uses) {
      const mesh::Sharding* known = Known(v);
      if (known != nullptr && merge_.IsManual(*known)) {
        return;
      }
      if (many && keys_.IsRepeated(use)) {
        continue;
      }
      if (auto offer = flow_.FromUser(use, level_)) {
        Improve(g_.StateOfValue(v), type(v).dims, *offer, false, use.op);
      }
    }
  }

  bool TakeManualFromUsers(int32_t v) {
    const mesh::Sharding* known = Known(v);
    if (g_.fixed[static_cast<size_t>(g_.StateOfValue(v))] != 0 ||
        (known != nullptr && !ClassicMerge::IsReplicated(*known))) {
      return false;
    }
    for (const ViewUse& use : view_.value(v).uses) {
      auto offer = flow_.FromUser(use, level_);
      if (offer && merge_.IsManual(offer->sharding)) {
        Set(g_.StateOfValue(v), Manual(offer->sharding, view_.rank(v)), {}, use.op);
        return true;
      }
    }
    return false;
  }

  // --- The boundary --------------------------------------------------------------------------------------------------

  // What was given stays; what was decided and does not divide is held in copies.
  void RestoreBoundary() {
    for (int32_t v : view_.region(view_.entry).args) {
      Restore(g_.StateOfValue(v), view_.value(v).sharding, type(v).dims, view_.value(v).annotation);
    }
    const ViewOp& end = view_.op(view_.region(view_.entry).last);
    for (size_t i = 0; i < view_.result_shardings.size(); ++i) {
      Restore(g_.StateOfResult(i), view_.result_shardings[i], type(end.operands[i]).dims, view_.result_annotations[i]);
    }
  }

  void Restore(int32_t state, mesh::ShardingId given, llvm::ArrayRef<int64_t> dims, int32_t annotation) {
    if (given.valid()) {
      g_.states[static_cast<size_t>(state)] = given;
      g_.graph.origins.Place(static_cast<size_t>(state), view_.shardings[given], annotation);
      return;
    }
    const mesh::Sharding* known = g_.Find(state);
    if (known != nullptr && !mesh::IsEven(*known, dims)) {
      HoldCopies(state, dims.size());
      // The only result of a program is the value itself.
      const ViewOp& end = view_.op(view_.region(view_.entry).last);
      if (state == g_.StateOfResult(0) && end.operands.size() == 1) {
        HoldCopies(g_.StateOfValue(end.operands[0]), dims.size());
      }
    }
  }
  void HoldCopies(int32_t state, size_t rank) {
    g_.states[static_cast<size_t>(state)] = view_.shardings.Intern(mesh::Replicated(view_.module.mesh, rank));
  }

  ClassicGraph& g_;
  View& view_;
  ClassicMerge merge_;
  ClassicFlow flow_;
  std::map<int64_t, llvm::SmallVector<int32_t, 4>> groups_;  // values by the id of their group
  int level_ = 0;
  bool changed_ = false;
  ClassicKeys keys_;
  llvm::BitVector forward_, backward_;  // the places that may change
  enum class Completeness : uint8_t { Unknown, No, Yes };
  IdMap<mesh::ShardingId, Completeness> complete_;
};

}  // namespace

void PropagateClassic(ClassicGraph& graph, int64_t num_devices) { Runner(graph, num_devices).RunAll(); }

}  // namespace spmdc::propagate
