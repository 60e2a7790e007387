// Groups by union of ids, and their first common sharding.
#include "propagate/groups.h"

#include <map>

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "ops/opaque.h"

namespace spmdc::propagate {

std::optional<int64_t> GroupOf(const ir::Module& module, const ir::Inst& inst) {
  if (op::Def(inst.op).make_attrs != ir::NewAttrs<ops::OpaqueAttrs> || inst.num_operands != 1) {
    return std::nullopt;
  }
  const auto& attrs = module.attrs<ops::OpaqueAttrs>(inst);
  if (attrs.name != "sdy.sharding_group") {
    return std::nullopt;
  }
  // `group_id=3`, or `{group_id = 3 : i64}` in the generic form.
  llvm::StringRef text = attrs.text;
  text = text.substr(text.find("group_id")).ltrim("group_id").ltrim(" =");
  int64_t id = 0;
  if (text.consumeInteger(10, id)) {
    return std::nullopt;
  }
  return id;
}

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

// A member with the sharding that the group has, if any; whether others disagree.
int32_t FindCommon(const View& view, const Members& members, bool& conflict) {
  int32_t common = kNone;
  for (int32_t v : members) {
    mesh::ShardingId sharding = view.ShardingOf(v);
    if (!sharding.valid() || (members.size() > 1 && SaysNothing(view.shardings[sharding]))) {
      continue;
    }
    if (common == kNone) {
      common = v;
    } else if (sharding != view.ShardingOf(common)) {
      conflict = true;
    }
  }
  return common;
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

void FormGroups(View& view) {
  for (auto& [id, members] : CollectGroups(view)) {
    bool conflict = false;
    int32_t common = FindCommon(view, members, conflict);
    if (common != kNone) {
      mesh::ShardingId sharding = view.ShardingOf(common);
      for (int32_t& v : members) {
        if (conflict) {
          v = FollowByOpenConstraint(view, v, view.shardings[sharding].mesh);
        } else {
          ViewValue& decider = view.value(view.Decider(v));
          decider.annotation =
              decider.sharding == sharding ? decider.annotation : view.value(view.Decider(common)).annotation;
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
