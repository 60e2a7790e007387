// Groups what is alike by everything but names, and sorts the groups.
#include "explain/digest.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace spmdc::explain {
namespace {

constexpr size_t kAtLeast = 8;
constexpr double kShareThatMatters = 0.95;

auto KeyOf(const ReportedCollective& c) {
  const cost::CollectiveCost& cost = *c.cost;
  std::string source = c.source ? c.source->file + ":" + std::to_string(c.source->line) : std::string();
  return std::tuple(c.kind, c.local_type, c.mesh_axes, cost.group_size, cost.group_count, cost.trips, cost.counts,
                    cost.wire_bytes, c.reason, source);
}

}  // namespace

std::vector<Alike> ByBytes(llvm::ArrayRef<ReportedCollective> collectives) {
  std::vector<Alike> groups;
  std::map<decltype(KeyOf(collectives[0])), size_t> index;
  for (const ReportedCollective& c : collectives) {
    auto [at, added] = index.try_emplace(KeyOf(c), groups.size());
    if (added) {
      groups.emplace_back();
    }
    Alike& group = groups[at->second];
    group.all.push_back(&c);
    group.wire_bytes += c.cost->counts ? c.cost->wire_bytes : 0;
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Alike& a, const Alike& b) { return a.wire_bytes > b.wire_bytes; });
  return groups;
}

size_t CountThatMatter(llvm::ArrayRef<Alike> by_bytes) {
  double total = 0, told = 0;
  for (const Alike& group : by_bytes) {
    total += group.wire_bytes;
  }
  size_t count = 0;
  while (count < by_bytes.size() && (count < kAtLeast || told < kShareThatMatters * total)) {
    told += by_bytes[count++].wire_bytes;
  }
  return count;
}

}  // namespace spmdc::explain
