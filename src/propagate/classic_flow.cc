// Shardings through one op, along its rule.
#include "propagate/classic_flow.h"

#include "llvm/ADT/STLExtras.h"
#include "propagate/prepasses.h"

namespace spmdc::propagate {

namespace {

using Take = op::Classic::Take;

// How far a chain of single users is followed.
constexpr int kLookAheadLimit = 4096;

const op::TensorFactors& FactorsOf(const op::Rule& rule, size_t tensor) {
  return tensor < rule.operands.size() ? rule.operands[tensor] : rule.results[tensor - rule.operands.size()];
}

bool ShareFactor(const op::Rule& rule, size_t a, size_t b) {
  for (const auto& dim : FactorsOf(rule, a).dims) {
    for (int32_t factor : dim) {
      if (FactorsOf(rule, b).has(factor)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

bool ClassicFlow::Passes(int32_t o) const {
  const op::OpDef* def = DefOf(o);
  return def != nullptr && g_.rule_of_op[static_cast<size_t>(o)] != kNone && def->classic.take != Take::Nothing;
}

bool ClassicFlow::MayPass(int32_t o, int level, bool forward) const {
  switch (DefOf(o)->precedence) {
    case op::Precedence::PassThrough:
    case op::Precedence::DynamicSlice:
      return forward || level > 0 || DefOf(o)->precedence == op::Precedence::PassThrough;
    case op::Precedence::Broadcast:
      return level >= (forward ? 3 : 2);
    case op::Precedence::Default:
    case op::Precedence::None:
      return level >= 1;
  }
  return false;
}

// What a computation returns alone is its root, and not a use of it; of several, the tuple is, and not one of them. A branch
// returns a tuple always. The one result of a program that has a sharding is taken out of a tuple again: that tuple is a user
// like others.
bool ClassicFlow::IsRoot(int32_t o) const {
  const ViewOp& op = view_.op(o);
  const ViewRegion& region = view_.region(op.region);
  bool entry = op.region == view_.entry;
  if (entry && view_.result_shardings.size() == 1 && view_.result_shardings[0].valid()) {
    return false;
  }
  if (op.kind == ViewOp::Kind::Return) {
    return true;
  }
  const auto& returned = view_.op(region.last).operands;
  bool branch = !entry && g_.RegionOf(region.op) == op::Region::Branch;
  return returned.size() == 1 && !branch && view_.value(returned[0]).def == o;
}

size_t ClassicFlow::InnerUses(int32_t v) const {
  return static_cast<size_t>(llvm::count_if(view_.value(v).uses, [&](const ViewUse& use) { return !IsRoot(use.op); }));
}

mesh::Sharding ClassicFlow::ByRule(const op::Rule& rule, size_t from, size_t to, size_t rank,
                                   const mesh::Sharding& s) const {
  mesh::Sharding carried = mesh::Replicated(s.mesh, rank);
  carried.varying = s.varying;
  const op::TensorFactors& source = FactorsOf(rule, from);
  const op::TensorFactors& target = FactorsOf(rule, to);
  for (size_t d = 0; d < s.dims.size(); ++d) {
    if (s.dims[d].axes.empty() || source.dims[d].size() != 1) {
      continue;
    }
    for (size_t t = 0; t < target.dims.size(); ++t) {
      if (target.dims[t].size() == 1 && target.dims[t][0] == source.dims[d][0]) {
        carried.dims[t].axes = s.dims[d].axes;
        break;
      }
    }
  }
  return carried;
}

std::optional<mesh::Sharding> ClassicFlow::Carry(int32_t o, size_t from, size_t to, const mesh::Sharding& s) const {
  const ViewOp& op = view_.op(o);
  const op::OpDef& def = *DefOf(o);
  const op::Rule& rule = *g_.graph.rules[static_cast<size_t>(g_.rule_of_op[static_cast<size_t>(o)])].rule;
  op::ClassicCarry carry = {view_.module, view_.module.functions[op.func], view_.inst(op), from, to, s};
  const ir::Type& target = carry.type(to);
  if (s.dims.empty() || target.rank() == 0 || (def.classic.barred != nullptr && def.classic.barred(carry))) {
    return std::nullopt;
  }
  if (def.classic.carry != nullptr && !merge_.IsManual(s)) {
    return def.classic.carry(carry);
  }
  if (!def.classic.same_dims) {
    // What a contraction sums over leaves copies, which count too.
    bool passes = def.classic.take == Take::Contraction || ShareFactor(rule, from, to);
    return passes ? std::optional<mesh::Sharding>(ByRule(rule, from, to, target.rank(), s)) : std::nullopt;
  }
  const ir::Type& source = carry.type(from);
  if (source.rank() != target.rank()) {
    return std::nullopt;
  }
  mesh::Sharding carried = s;
  // A dim that is cut at a place known at run time only is wanted whole.
  bool cuts = def.precedence == op::Precedence::DynamicSlice;
  for (size_t d = 0; cuts && d < source.rank(); ++d) {
    if (source.dims[d] != target.dims[d]) {
      carried.dims[d].axes.clear();
    }
  }
  return carried;
}

std::optional<ClassicOffer> ClassicFlow::FromOperand(int32_t o, size_t k, size_t r) const {
  const ViewOp& op = view_.op(o);
  const mesh::Sharding* known = Known(op.operands[k]);
  if (known == nullptr || view_.rank(op.results[r]) == 0) {
    return std::nullopt;
  }
  std::optional<mesh::Sharding> carried = Carry(o, k, op.operands.size() + r, *known);
  if (!carried) {
    return std::nullopt;
  }
  return ClassicOffer{std::move(*carried), {g_.StateOfValue(op.operands[k])}};
}

llvm::SmallVector<size_t, 4> ClassicFlow::Sources(int32_t o, int level) const {
  const ViewOp& op = view_.op(o);
  const op::OpDef& def = *DefOf(o);
  llvm::SmallVector<size_t, 4> order;
  for (size_t k = 0; k < op.operands.size(); ++k) {
    if (view_.rank(op.operands[k]) != 0 && Known(op.operands[k]) != nullptr) {
      order.push_back(k);
    }
  }
  bool one = def.classic.take == Take::MostSpecific || (def.elementwise && level == 0);
  if (one && !order.empty()) {
    size_t best = order[0];
    for (size_t k : order) {
      best = merge_.IsMoreSpecific(*Known(op.operands[k]), *Known(op.operands[best])) ? k : best;
    }
    return {best};
  }
  if (def.classic.take == Take::LastFirst) {
    std::reverse(order.begin(), order.end());
  }
  return order;
}

std::optional<ClassicOffer> ClassicFlow::FromReturn(const ViewUse& use) const {
  const ViewOp& end = view_.op(use.op);
  int32_t owner = view_.region(end.region).op;
  if (owner != kNone && g_.RegionOf(owner) == op::Region::Manual) {
    const mesh::AxisList& manual = view_.module.functions[end.func].manual_axes;
    ClassicOffer offer = {EraseManual(ManualResultSharding(view_, owner, static_cast<size_t>(use.operand)), manual),
                          {}};
    offer.sharding.varying = manual;
    return offer;
  }
  int32_t state = g_.StateOfReturn(use.op, static_cast<size_t>(use.operand));
  const mesh::Sharding* known = state == kNone ? nullptr : g_.Find(state);
  return known == nullptr ? std::nullopt : std::optional<ClassicOffer>({*known, {state}});
}

// The most specific of what the branches found for their argument.
std::optional<ClassicOffer> ClassicFlow::FromBranches(const ViewUse& use) const {
  std::optional<ClassicOffer> best;
  for (int32_t r : view_.op(use.op).regions) {
    if (use.operand == 0) {
      continue;
    }
    int32_t state = g_.StateOfValue(view_.region(r).args[static_cast<size_t>(use.operand) - 1]);
    const mesh::Sharding* known = g_.Find(state);
    if (known != nullptr && (!best || merge_.IsMoreSpecific(*known, best->sharding))) {
      best = ClassicOffer{*known, {state}};
    }
  }
  return best;
}

std::optional<ClassicOffer> ClassicFlow::FromUser(const ViewUse& use, int level) const {
  const ViewOp& op = view_.op(use.op);
  auto k = static_cast<size_t>(use.operand);
  if (op.kind == ViewOp::Kind::Return) {
    return FromReturn(use);
  }
  switch (g_.RegionOf(use.op)) {
    case op::Region::Loop: {
      int32_t state = g_.StateOfValue(view_.region(op.regions[1]).args[k]);
      const mesh::Sharding* known = g_.Find(state);
      return known == nullptr ? std::nullopt : std::optional<ClassicOffer>({*known, {state}});
    }
    case op::Region::Manual:
      return ClassicOffer{ManualOperandSharding(view_, use.op, k), {}};
    case op::Region::Branch:
      return FromBranches(use);
    case op::Region::Call:
      return std::nullopt;
    case op::Region::None:
    case op::Region::Apply:
      break;
  }
  if (op.results.empty()) {
    return std::nullopt;
  }
  size_t r = std::min(k, op.results.size() - 1);
  const mesh::Sharding* known = Known(op.results[r]);
  return known == nullptr ? std::nullopt : ThroughOp(use, *known, r, level);
}

std::optional<ClassicOffer> ClassicFlow::ThroughOp(const ViewUse& use, const mesh::Sharding& result, size_t r,
                                                   int level) const {
  const ViewOp& op = view_.op(use.op);
  auto k = static_cast<size_t>(use.operand);
  int32_t from = g_.StateOfValue(op.results[r]);
  if (!Passes(use.op)) {
    // Between values of one shape it passes all the same.
    const auto& types = view_.module.tables->types;
    bool same = types[view_.value(op.results[r]).type].dims == types[view_.value(op.operands[k]).type].dims;
    return same && level >= 1 ? std::optional<ClassicOffer>({result, {from}}) : std::nullopt;
  }
  if (!MayPass(use.op, level, /*forward=*/false)) {
    return std::nullopt;
  }
  std::optional<mesh::Sharding> carried = Carry(use.op, op.operands.size() + r, k, result);
  if (!carried && !DefOf(use.op)->classic.operands_join) {
    return std::nullopt;
  }
  ClassicOffer offer;
  bool any = carried.has_value();
  if (any) {
    offer = {std::move(*carried), {from}};
  }
  if (DefOf(use.op)->classic.operands_join) {
    for (size_t other = 0; other < op.operands.size(); ++other) {
      const mesh::Sharding* known = other == k ? nullptr : Known(op.operands[other]);
      std::optional<mesh::Sharding> joined = known == nullptr ? std::nullopt : Carry(use.op, other, k, *known);
      if (!joined) {
        continue;
      }
      if (!any || merge_.Merge(offer.sharding, *joined, level > 0)) {
        offer.sharding = std::move(*joined);
        any = true;
      }
      offer.sources.push_back(g_.StateOfValue(op.operands[other]));
    }
  }
  return any ? std::optional<ClassicOffer>(std::move(offer)) : std::nullopt;
}

std::optional<mesh::Sharding> ClassicFlow::LookAhead(int32_t v) const {
  llvm::SmallVector<ViewUse, 8> chain;
  std::optional<ClassicOffer> offer;
  for (int32_t at = v; static_cast<int>(chain.size()) < kLookAheadLimit;) {
    if (view_.value(at).uses.size() != 1) {
      return std::nullopt;
    }
    ViewUse use = view_.value(at).uses.front();
    chain.push_back(use);
    offer = FromUser(use, 3);
    const ViewOp& op = view_.op(use.op);
    bool plain = op.kind != ViewOp::Kind::Return && op.results.size() == 1 && op.regions.empty();
    if (offer || !plain || Known(op.results[0]) != nullptr) {
      break;
    }
    at = op.results[0];
  }
  // Back along the chain: what each user would ask for if it had what its own user asks for.
  for (size_t i = chain.size(); offer && i-- > 1;) {
    offer = ThroughOp(chain[i - 1], offer->sharding, 0, 3);
  }
  return offer ? std::optional<mesh::Sharding>(std::move(offer->sharding)) : std::nullopt;
}

}  // namespace spmdc::propagate
