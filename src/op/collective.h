// What a collective does, said once for the runner, the report and the back ends: who talks to whom, about how many bytes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ir/module.h"

namespace spmdc::op {

enum class CollectiveKind : uint8_t { AllReduce, AllGather, ReduceScatter, AllToAll, Permute };
// "all-reduce", "all-gather", "reduce-scatter", "all-to-all", "collective-permute".
llvm::StringRef Name(CollectiveKind kind);

// Groups as axes of a mesh, or as lists where a text gave lists that are no axes' cosets.
struct Groups {
  mesh::MeshId mesh;
  mesh::AxisList axes;  // member order: mixed-radix number of these digits, major to minor
  std::vector<llvm::SmallVector<int64_t, 8>> lists;

  bool is_axes() const { return lists.empty(); }
  void Visit(ir::FieldVisitor& v);
};
// Of the largest group: an all-reduce may have groups of several sizes.
int64_t GroupSize(const ir::Tables& tables, const Groups& groups, int64_t num_devices);
int64_t GroupCount(const ir::Tables& tables, const Groups& groups, int64_t num_devices);
// The members of the group a device belongs to, in member order; empty if it belongs to none. O(group).
llvm::SmallVector<int64_t, 8> GroupOf(const ir::Tables& tables, const Groups& groups, int64_t num_devices,
                                      int64_t device);

struct Collective {
  CollectiveKind kind = CollectiveKind::AllReduce;
  Groups groups;  // all but Permute
  // Permute: the device each device sends to. Lists as in the text, or two orders of the same digits: the block numbered k
  // by `from` goes to the device numbered k by `to` (each an axis list of its mesh; see PermutePairs).
  std::vector<std::pair<int64_t, int64_t>> pairs;
  mesh::Monoid monoid = mesh::Monoid::Sum;  // AllReduce, ReduceScatter
  int64_t dim = 0;                          // AllGather, ReduceScatter: the dim; AllToAll: split dim
  int64_t concat_dim = 0;                   // AllToAll
  int64_t channel = 0;
};

// What one device sends for one execution, by ring formulas with n members: all-reduce 2(n-1)/n of the operand,
// all-gather (n-1)/n of the result, reduce-scatter and all-to-all (n-1)/n of the operand, permute the operand (0 if every
// pair is a self-pair). Parts of bytes count: those of a scalar in a loop add up.
double WireBytes(CollectiveKind kind, int64_t group_size, int64_t operand_bytes, int64_t result_bytes);

}  // namespace spmdc::op
