// The longest path through a function, counted in exchanges.
#include "explain/halos.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"

namespace spmdc::explain {
namespace {

constexpr int64_t kShortest = 3;

bool IsExchange(const ir::Module& module, const ReportedCollective& c) {
  const ir::Inst& inst = module.functions[c.cost->function].insts[c.cost->inst];
  return c.inserted && c.cost->what.kind == op::CollectiveKind::Permute && inst.cause.valid() &&
         module.causes[inst.cause].why == ir::Cause::Why::Exchange;
}

// Per value: how many of the exchanges lie on the way to it, from what is no exchange's.
HaloChain LongestChain(const ir::Function& function, llvm::ArrayRef<const ReportedCollective*> exchanges) {
  HaloChain chain{exchanges[0]->cost->axes, 0, exchanges.front(), exchanges.back()};
  IdMap<ir::ValueId, int64_t> depth(function.values.size());
  const auto* next = exchanges.begin();
  for (ir::InstId i : function.insts.ids()) {
    const ir::Inst& inst = function.insts[i];
    int64_t deepest = 0;
    for (ir::ValueId v : function.operands(inst)) {
      deepest = std::max(deepest, depth.Get(v));
    }
    if (next != exchanges.end() && (*next)->cost->inst == i) {
      ++deepest;
      ++next;
    } else if (op::Def(inst.op).collective != nullptr || inst.num_bodies != 0) {
      deepest = 0;  // what comes of other devices' blocks, or of a loop, cannot be computed twice
    }
    for (uint32_t r = 0; r < inst.num_results; ++r) {
      depth[function.result(inst, r)] = deepest;
    }
    chain.length = std::max(chain.length, deepest);
  }
  return chain;
}

}  // namespace

std::vector<HaloChain> FindHaloChains(const Report& report) {
  std::vector<HaloChain> chains;
  std::vector<llvm::SmallVector<const ReportedCollective*, 8>> groups;
  for (const ReportedCollective& c : report.collectives) {
    if (!IsExchange(*report.subject.per_device, c)) {
      continue;
    }
    auto group = llvm::find_if(groups, [&](const auto& g) {
      return g[0]->cost->function == c.cost->function && g[0]->cost->axes == c.cost->axes;
    });
    if (group == groups.end()) {
      group = groups.emplace(groups.end());
    }
    group->push_back(&c);
  }
  for (const auto& group : groups) {
    HaloChain chain = LongestChain(report.subject.per_device->functions[group[0]->cost->function], group);
    if (chain.length >= kShortest) {
      chains.push_back(std::move(chain));
    }
  }
  return chains;
}

}  // namespace spmdc::explain
