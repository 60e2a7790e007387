// Groups by union of ids, and their first common sharding.
#include "propagate/groups.h"

#include <map>

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "ops/opaque.h"

namespace spmdc::propagate {

namespace {

using Members = llvm::SmallVector<int32_t, 4>;

std::map<int64_t, Members> CollectGroups(const View& view) {
  llvm::EquivalenceClasses<int64_t> ids;
  std::map<int32_t, int64_t> first_id;  // per value
  std::vector<std::pair<int32_t, int64_t>> all;
  view.WalkPostOrder(view.entry, [&](int32_t o) {
    if (view.op(o).group < 0) {
      return;
    }
    int32_t v = view.op(o).operands[0];
    auto [it, inserted] = first_id.try_emplace(v, view.op(o).group);
    ids.unionSets(it->second, view.op(o).group);
    if (inserted) {
      all.push_back({v, view.op(o).group});
    }
  });
  std::map<int64_t, Members> groups;
  for (const auto& [v, id] : all) {
    groups[ids.getLeaderValue(id)].push_back(v);
  }
  return groups;
}

bool SaysNothing(const mesh::Sharding& sharding) {
  return sharding.replicated.empty() && sharding.unreduced.empty() &&
         llvm::all_of(sharding.dims, [](const mesh::DimSharding& dim) { return dim.open && dim.axes.empty(); });
}

struct Given {
  int32_t common = kNone;  // a member with the sharding that the group has
  int32_t other = kNone;   // the first one that is given another
};

Given FindGiven(const View& view, const Members& members) {
  Given given;
  for (int32_t v : members) {
    mesh::ShardingId sharding = view.ShardingOf(v);
    if (!sharding.valid() || (members.size() > 1 && SaysNothing(view.shardings[sharding]))) {
      continue;
    }
    if (given.common == kNone) {
      given.common = v;
    } else if (given.other == kNone && sharding != view.ShardingOf(given.common)) {
      given.other = v;
    }
  }
  return given;
}

source::Span SpanOf(const View& view, int32_t v) {
  int32_t annotation = view.value(view.Decider(v)).annotation;
  return annotation == kNone ? source::Span() : view.annotations[ir::AnnotationId{annotation}].span;
}

void TellConflict(const View& view, const Given& given, diag::Engine& diags) {
  if (given.other != kNone) {
    diags
        .Warning(diag::Kind::ConstraintConflict, SpanOf(view, given.other),
                 "members of one sharding group are given different shardings: each keeps its own, and the group only "
                 "holds for what is made of them")
        .Note(SpanOf(view, given.common), "the other sharding");
  }
}

int32_t FollowByOpenConstraint(View& view, int32_t v, mesh::MeshId mesh) {
  ViewOp op;
  op.kind = ViewOp::Kind::Added;
  int32_t use = view.value(v).uses.empty() ? kNone : view.value(v).uses.front().op;
  if (use != kNone) {
    op.func = view.op(use).func;
    op.inst = view.op(use).inst;
  }
  op.constraint = true;
  op.required = view.shardings.Intern(mesh::Replicated(mesh, view.rank(v), /*open=*/true));
  op.operands.push_back(v);
  int32_t o = view.AddOp(std::move(op));
  view.InsertAfterValue(o, v);
  ViewValue result;
  result.type = view.value(v).type;
  result.def = o;
  result.sharding = view.op(o).required;
  int32_t follower = view.AddValue(std::move(result));
  view.op(o).results.push_back(follower);
  view.ReplaceUses(v, follower, [](const ViewUse&) { return true; });
  view.RegisterUses(o);
  return follower;
}

}  // namespace

void TellGroupConflicts(const View& view, diag::Engine& diags) {
  for (const auto& [id, members] : CollectGroups(view)) {
    TellConflict(view, FindGiven(view, members), diags);
  }
}

void FormGroups(View& view, diag::Engine& diags) {
  for (auto& [id, members] : CollectGroups(view)) {
    Given given = FindGiven(view, members);
    TellConflict(view, given, diags);
    if (given.common != kNone) {
      mesh::ShardingId sharding = view.ShardingOf(given.common);
      for (int32_t& v : members) {
        if (given.other != kNone) {
          v = FollowByOpenConstraint(view, v, view.shardings[sharding].mesh);
        } else {
          ViewValue& decider = view.value(view.Decider(v));
          decider.annotation =
              decider.sharding == sharding ? decider.annotation : view.value(view.Decider(given.common)).annotation;
          decider.sharding = sharding;
        }
      }
    }
    std::vector<int32_t> deciders;
    for (int32_t v : members) {
      deciders.push_back(view.Decider(v));
    }
    view.groups.push_back(std::move(deciders));
  }
}

}  // namespace spmdc::propagate
