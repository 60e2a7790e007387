// What a refusal of types offers: which operand to reshard to what, and what that costs.
#include "op/reshard_fix.h"

#include "llvm/ADT/STLExtras.h"
#include "support/plural.h"

namespace spmdc::op {
namespace {

int64_t Shards(const mesh::Sharding& s) {
  int64_t count = 1;
  for (const mesh::DimSharding& dim : s.dims) {
    count *= mesh::ShardCount(dim);
  }
  return count;
}

std::string Cost(int64_t bytes) { return bytes == 0 ? "nothing is moved" : Counted(bytes, "byte") + " per device"; }

}  // namespace

int64_t ReceivedBytes(const ir::Type& type, const mesh::Sharding& from, const mesh::Sharding& to) {
  int64_t block = type.bytes() / std::max<int64_t>(Shards(to), 1), gathered = 1;
  for (size_t d = 0; d < std::min(from.dims.size(), to.dims.size()); ++d) {
    const mesh::AxisList &old_axes = from.dims[d].axes, &new_axes = to.dims[d].axes;
    size_t same = 0;
    while (same < old_axes.size() && same < new_axes.size() && old_axes[same] == new_axes[same]) {
      ++same;
    }
    gathered *= mesh::Product(llvm::ArrayRef<mesh::AxisRef>(old_axes).drop_front(same));
  }
  return block - block / std::max<int64_t>(gathered, 1);
}

std::string EitherFix(const mesh::Mesh& mesh, const Placed& a, const Placed& b) {
  const Placed *first = &a, *second = &b;
  auto bytes = [](const Placed& from, const Placed& to) {
    return ReceivedBytes(*from.type, *from.sharding, *to.sharding);
  };
  if (bytes(b, a) < bytes(a, b)) {
    std::swap(first, second);
  }
  auto way = [&](const Placed& from, const Placed& to) {
    return from.name + " to " + mesh::ToSpec(mesh, *to.sharding) + ": " + Cost(bytes(from, to));
  };
  return "reshard " + way(*first, *second) + "; or " + way(*second, *first);
}

std::string EitherFix(const ExplicitContext& cx, size_t a, size_t b) {
  mesh::Sharding of_a = cx.operand(a), of_b = cx.operand(b);
  of_a.varying.clear();
  of_b.varying.clear();
  return EitherFix(cx.mesh(), {&cx.infer.operands[a], &of_a, "operand " + std::to_string(a)},
                   {&cx.infer.operands[b], &of_b, "operand " + std::to_string(b)});
}

std::string UnshardFix(const ExplicitContext& cx, size_t operand, size_t dim) {
  mesh::Sharding from = cx.operand(operand), to = from;
  to.dims[dim].axes.clear();
  to.varying.clear();
  return "reshard the operand to " + mesh::ToSpec(cx.mesh(), to) + ": " +
         Cost(ReceivedBytes(cx.infer.operands[operand], from, to));
}

}  // namespace spmdc::op
