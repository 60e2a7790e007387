// Shardings: where the parts of a value are.
//
//   f32[8@(x,y),4@z] on a mesh x=2, y=2, z=3:  dim 0 has the axes [x, y] (x major), dim 1 has [z]
//
// Every dim has an ordered list of axis uses; a device holds the block whose number is the mixed-radix number of its
// digits. Axes that are not named hold copies. A value that is unreduced over axes holds, on each device along them, a
// term of the monoid's combination. Tile lists exist only in readers and writers (hlo_sharding.h).
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "mesh/axes.h"
#include "mesh/mesh.h"

namespace spmdc::mesh {

// How partial results combine. Tuple: through a body that is no known monoid.
enum class Monoid : uint8_t { Sum, Product, Min, Max, And, Or, Xor, None };
llvm::StringRef Name(Monoid monoid);  // "sum", "max", ...

inline constexpr int32_t kNoPriority = 0;

struct DimSharding {
  AxisList axes;                   // major to minor
  bool open = false;               // propagation may append axes
  int32_t priority = kNoPriority;  // of a user's annotation; 0 is decided first
  friend bool operator==(const DimSharding&, const DimSharding&) = default;
};

struct Sharding {
  MeshId mesh;
  llvm::SmallVector<DimSharding, 4> dims;  // one per dim of the value
  AxisList replicated;                     // pinned: propagation may not use them
  AxisList unreduced;                      // a set, disjoint from dims and replicated
  Monoid unreduced_kind = Monoid::Sum;     // of all unreduced axes; Sum where there are none
  AxisList reduced;                        // JAX's reduced axes of an Explicit type (gradients will be unreduced)
  AxisList varying;                        // in a manual region: manual axes over which the value may differ

  bool is_fully_replicated() const;  // no axis of size above 1 on a dim, nothing unreduced
  friend bool operator==(const Sharding&, const Sharding&) = default;
};
llvm::hash_code hash_value(const Sharding& sharding);

using ShardingId = Id<struct ShardingTag>;
using ShardingTable = Interner<ShardingId, Sharding>;

// All dims without axes; closed or open.
Sharding Replicated(MeshId mesh, size_t rank, bool open = false);
// Axes used by dims, unreduced or pinned, as a set.
AxisList UsedAxes(const Sharding& sharding);
// The same placement without axes of size 1.
Sharding DropUnits(const Sharding& sharding);

// The number of blocks along a dim.
inline int64_t ShardCount(const DimSharding& dim) { return Product(dim.axes); }
// Blocks of ceil(size / count) elements: what one device stores. The last blocks may be short or empty.
int64_t LocalSize(int64_t size, int64_t count);
// The dims one device stores for a value of global dims.
llvm::SmallVector<int64_t, 4> LocalDims(const Sharding& sharding, llvm::ArrayRef<int64_t> dims);
bool IsEven(const Sharding& sharding, llvm::ArrayRef<int64_t> dims);
// The half-open range [begin, end) of each dim that the device at a mesh position owns. Flat split, as XLA: block k of a
// dim is [k*t, min((k+1)*t, size)) with t = LocalSize; empty ranges have begin == end.
llvm::SmallVector<std::pair<int64_t, int64_t>, 4> ShardRange(const Mesh& mesh, const Sharding& sharding,
                                                             llvm::ArrayRef<int64_t> dims, int64_t position);

// JAX's is_equivalent_to: the same block on every device, whatever the spelling; the meshes may differ. Open marks, pins,
// priorities, reduced and varying sets do not count; unreduced sets do. A mesh without axes that is not maximal stands for
// any devices: only fully replicated shardings equal one on it. Costs O(axes) where both meshes order devices alike.
bool IsEquivalent(const Mesh& mesh_a, const Sharding& a, const Mesh& mesh_b, const Sharding& b);

// Sharding as sdy spells it: `<@mesh, [{"x"}, {"y":(1)2, ?}p1], replicated={"z"}, unreduced={}>`.
std::string ToSdy(const Mesh& mesh, const Sharding& sharding);
// JAX's type spelling: `f32[8@(x,y),4]{U:z}` given "f32" and dims.
std::string TypeWithSharding(llvm::StringRef dtype, llvm::ArrayRef<int64_t> dims, const Mesh* mesh,
                             const Sharding* sharding);
// P('x', None, ('y', 'z')): the spec as JAX prints it.
std::string ToSpec(const Mesh& mesh, const Sharding& sharding);

// What is wrong with a sharding for a value of this rank (an axis used twice, sub-axes that cannot coexist, rank);
// empty if nothing.
std::string Verify(const Mesh& mesh, const Sharding& sharding, size_t rank);

}  // namespace spmdc::mesh
