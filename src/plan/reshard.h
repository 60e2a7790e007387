// Getting a value from one sharding to another: the cheapest sequence of typed moves.
//
//   f32[8@x,4] -> f32[8,4@x]     one all-to-all
//   f32[8,4]{U:x} -> f32[8@x,4]  one reduce-scatter
//
// A shortest-path search over shardings. Cost is counted in bytes that one device sends, then in collectives, then in
// steps. There is no "replicate everything" move; gathering all and slicing is a path like any other.
#pragma once

#include <memory>
#include <vector>

#include "ir/module.h"
#include "ops/sharding.h"
#include "support/key_table.h"

namespace spmdc::plan {

struct Step {
  ops::ReshardAttrs attrs;
  mesh::Sharding result;  // the value's sharding behind the step
  int64_t wire_bytes = 0;
};

struct Path {
  llvm::SmallVector<Step, 2> steps;
  int64_t wire_bytes = 0;
  int64_t collectives = 0;
};

// What a sharding says about where bytes are: open marks, priorities, pins and axes of size 1 dropped.
mesh::Sharding Placement(const mesh::Sharding& sharding);

// Finds paths and remembers them. Both shardings are placements; dims are the whole value's, bytes one element's.
class Resharder {
 public:
  explicit Resharder(ir::Tables& tables) : tables_(tables) {}
  // Null if no sequence of moves leads there: other device counts, or partial sums over axes the target uses otherwise.
  const Path* Find(mesh::ShardingId from, mesh::ShardingId to, llvm::ArrayRef<int64_t> dims, int64_t element_bytes);
  // Bytes that no path can do without, told without a search; of other devices' meshes 0.
  int64_t LeastBytes(mesh::ShardingId from, mesh::ShardingId to, llvm::ArrayRef<int64_t> dims,
                     int64_t element_bytes) const;

 private:
  ir::Tables& tables_;
  KeyTable keys_;                             // both shardings, dims, bytes
  std::vector<std::unique_ptr<Path>> paths_;  // by the key's number; null: no path
};

}  // namespace spmdc::plan
