// Two propagations side by side.
#include <cmath>

#include "explain/why.h"
#include "llvm/Support/raw_ostream.h"
#include "mesh/sharding.h"

namespace spmdc::explain {

namespace {

bool SamePlace(const ir::Module& a, mesh::ShardingId x, const ir::Module& b, mesh::ShardingId y) {
  if (!x.valid() || !y.valid()) {
    return x.valid() == y.valid();
  }
  const mesh::Sharding& left = a.tables->shardings[x];
  const mesh::Sharding& right = b.tables->shardings[y];
  return mesh::IsEquivalent(a.tables->meshes[left.mesh], left, b.tables->meshes[right.mesh], right);
}

void WriteSide(const Report& report, ir::ValueRef value, llvm::raw_ostream& os) {
  const ir::Value& v = report.program->functions[value.func].values[value.value];
  os << report.subject.propagation << ": " << SpecOf(*report.program, v.sharding) << "\n" << WhyText(report, value);
}

void WriteCost(const Report& report, llvm::raw_ostream& os) {
  os << report.subject.propagation << " sends ";
  if (report.communication) {
    os << std::llround(report.communication->wire_bytes) << " B per device in " << report.collectives.size()
       << " collectives, peak " << report.memory->peak_bytes << " B\n";
  } else {
    os << "an unknown amount: the program was not partitioned\n";
  }
}

}  // namespace

std::string CompareText(const Report& a, const Report& b) {
  std::string text;
  llvm::raw_string_ostream os(text);
  int64_t total = 0, different = 0;
  for (ir::FuncId f : a.program->functions.ids()) {
    const ir::Function& left = a.program->functions[f];
    const ir::Function& right = b.program->functions[f];
    for (ir::ValueId v : left.values.ids()) {
      ++total;
      if (SamePlace(*a.program, left.values[v].sharding, *b.program, right.values[v].sharding)) {
        continue;
      }
      if (different++ == 0) {
        os << "first at '" << left.values[v].name << "' in " << left.name << ", "
           << WhereText(a.subject.sources, left.values[v].span) << "\n";
        WriteSide(a, {f, v}, os);
        WriteSide(b, {f, v}, os);
      }
    }
  }
  os << different << " of " << total << " values differ\n";
  WriteCost(a, os);
  WriteCost(b, os);
  return text;
}

}  // namespace spmdc::explain
