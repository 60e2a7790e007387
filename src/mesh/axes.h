// Uses of mesh axes: whole axes and sub-axes, ordered lists of them, and their algebra.
//
// An axis of size n is read as the digits [pre, size, n/(pre*size)] from major to minor; a use names the middle one, as
// Shardy's "x":(pre)size does. The whole axis is pre=1, size=n. Lists are major to minor. A list is canonical if no
// two neighbours could be one ("x":(1)2, "x":(2)4 is "x":(1)8); all functions here take and return canonical lists.
// Set-like lists (replicated, unreduced, manual, group axes) are kept sorted by (axis, pre).
//
// A mesh axis of size 1 may stand in a list as the whole axis {axis, 1, 1}, a unit: JAX's types and Shardy's texts name
// such axes, and using one twice is an error. It holds no digit and moves no data; sub-axes of size 1 do not exist. Stages
// that only care where data is drop the units first (DropUnits here and in sharding.h).
#pragma once

#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "mesh/mesh.h"

namespace spmdc::mesh {

struct AxisRef {
  int32_t axis = 0;
  int64_t pre = 1;
  int64_t size = 1;

  int64_t next_pre() const { return pre * size; }
  friend bool operator==(const AxisRef&, const AxisRef&) = default;
  friend auto operator<=>(const AxisRef&, const AxisRef&) = default;
};
inline llvm::hash_code hash_value(const AxisRef& ref) { return llvm::hash_combine(ref.axis, ref.pre, ref.size); }

using AxisList = llvm::SmallVector<AxisRef, 2>;

// The whole of an axis.
AxisRef Whole(const Mesh& mesh, int32_t axis);
// Every axis whole, in the mesh's order.
AxisList AllAxes(const Mesh& mesh);
bool IsWhole(const Mesh& mesh, AxisRef ref);
// `data` or `data:(1)2`.
std::string ToString(const Mesh& mesh, AxisRef ref);
// `data,model`, as the report's keys spell it.
std::string ToString(const Mesh& mesh, llvm::ArrayRef<AxisRef> list);

// The product of the sizes.
int64_t Product(llvm::ArrayRef<AxisRef> list);
// Appends with merging, so that the list stays canonical. A piece of size 1 vanishes; of a list the units stay.
void Append(AxisList& list, AxisRef ref);
void Append(AxisList& list, llvm::ArrayRef<AxisRef> more);
// The list without units, merged anew.
AxisList DropUnits(llvm::ArrayRef<AxisRef> list);
// Sorts by (axis, pre) and merges: the canonical form of a set.
AxisList AsSet(llvm::ArrayRef<AxisRef> list);

// Whether two uses share a digit. Uses of one axis whose intervals [pre, pre*size) do not meet are disjoint; a unit
// overlaps itself.
bool Overlaps(AxisRef a, AxisRef b);
bool Overlaps(AxisRef a, llvm::ArrayRef<AxisRef> list);
bool Overlaps(llvm::ArrayRef<AxisRef> a, llvm::ArrayRef<AxisRef> b);
// Whether two uses can both be digits of one mixed-radix split of the axis: every boundary divides the next.
// (1)2 and (1)3 of an axis of 6 cannot coexist; they never share a value.
bool CanCoexist(const Mesh& mesh, AxisRef a, AxisRef b);
// Whether every digit of inner is a digit of outer (both as sets).
bool Covers(llvm::ArrayRef<AxisRef> outer, llvm::ArrayRef<AxisRef> inner);
// a without the digits of b, order kept; pieces of a may be cut. Where uses cannot coexist, only digits of a that share
// nothing with b stay.
AxisList Subtract(llvm::ArrayRef<AxisRef> a, llvm::ArrayRef<AxisRef> b);
// The digits in both, in a's order.
AxisList Intersect(llvm::ArrayRef<AxisRef> a, llvm::ArrayRef<AxisRef> b);

// Whether prefix's digits are the major digits of list; "x":(1)2 is a prefix of "x","y" with x=4.
bool IsPrefix(llvm::ArrayRef<AxisRef> prefix, llvm::ArrayRef<AxisRef> list);
// The longest list that is a prefix of both. Sub-axes are cut where the other list's digit ends (gcd of sizes).
AxisList CommonPrefix(llvm::ArrayRef<AxisRef> a, llvm::ArrayRef<AxisRef> b);
// The part of list behind a prefix of it; the prefix must be one.
AxisList DropPrefix(llvm::ArrayRef<AxisRef> list, llvm::ArrayRef<AxisRef> prefix);

// Cuts every use at every boundary of the uses of the same axis in `uses`, so that afterwards two uses are equal or
// disjoint. The cut lists are not canonical: they are the atoms on which set algebra is on small integers.
AxisList CutAtBoundaries(llvm::ArrayRef<AxisRef> list, llvm::ArrayRef<AxisRef> uses);

// Mesh coordinates: the digit of a use at a position, in [0, ref.size).
int64_t Coordinate(const Mesh& mesh, AxisRef ref, int64_t position);
// The mixed-radix number of a list's digits at a position, in [0, Product(list)).
int64_t Coordinate(const Mesh& mesh, llvm::ArrayRef<AxisRef> list, int64_t position);
// Positions between two devices that differ by one in the digit.
int64_t PositionStride(const Mesh& mesh, AxisRef ref);

}  // namespace spmdc::mesh
