// Attributes of collectives.
#pragma once

#include "ir/attrs.h"
#include "op/collective.h"

namespace spmdc::ops {

// AllReduce, AllGather, ReduceScatter, AllToAll. AllReduce and ReduceScatter have a body of two scalars.
struct CollectiveAttrs {
  op::Groups groups;
  int64_t dim = 0;         // all_gather_dim, scatter_dimension, split_dimension
  int64_t concat_dim = 0;  // AllToAll
  int64_t channel = 0;
  bool use_global_device_ids = true;
  void Visit(ir::FieldVisitor& v) {
    groups.Visit(v);
    v.Field("dim", dim);
    v.Field("concat_dim", concat_dim);
    v.Field("channel", channel);
    v.Field("use_global_device_ids", use_global_device_ids);
  }
};

// Groups that are cosets of some mesh's axes are said by the axes.
op::Groups GroupsOfLists(const ir::Tables& tables, std::vector<llvm::SmallVector<int64_t, 8>> lists);

// CollectivePermute: device numbers, or the rule that makes them. With `mesh` set, the device whose digits `from` make the
// number k sends to the devices whose digits `to` make k (on to_mesh), or, with pairs {k, l}, to those whose digits `from`
// make l; other digits stay.
struct PermuteAttrs {
  std::vector<tensor::Dims> pairs;  // {source, target}: device numbers as a text had them; with `mesh`, block numbers
  mesh::MeshId mesh, to_mesh;
  mesh::AxisList from, to;
  int64_t channel = 0;
  void Visit(ir::FieldVisitor& v) {
    v.Field("source_target_pairs", pairs);
    v.Field("mesh", mesh);
    v.Field("to_mesh", to_mesh);
    v.Field("from", from);
    v.Field("to", to);
    v.Field("channel", channel);
  }
};
// The pairs, written out. O(devices).
std::vector<std::pair<int64_t, int64_t>> ExpandPairs(const ir::Tables& tables, const PermuteAttrs& attrs);

}  // namespace spmdc::ops
