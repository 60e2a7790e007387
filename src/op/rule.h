// Sharding rules: an op as an einsum-like relation between the dims of its operands and results.
//
//   dot_general f32[8,16] x f32[16,4]:  ([i, k], [k, j]) -> [i, j]   i=8 map, j=4 map, k=16 reduce(sum)
//
// A factor is one index of the op; every dim is composed of factors, major to minor ([i j] for a dim that a reshape
// splits). A factor's kind alone says how shardings propagate along it, what an Explicit type may do, which part of an
// operand a shard of a result needs, and what it costs to shard it. Rules depend only on types and attributes.
#pragma once

#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "mesh/sharding.h"

namespace spmdc::op {

enum class FactorKind : uint8_t {
  Map,     // the same index everywhere it appears: sharded without communication
  New,     // only in results (iota, broadcast): sharded without communication
  Reduce,  // only in operands: sharded, the results are partial over its axes
  Window,  // affine in an output and a window index (convolution): needs a halo exchange
  Piece,   // piecewise affine (slice, pad, concatenate, reverse, awkward reshapes): needs shifts or a halo
  Index,   // addressed by indices known at run time: each device serves its own block
  Whole,   // needs all of the dim: may not be sharded
  Scan,    // prefix dependence: local scan and carries
};
llvm::StringRef Name(FactorKind kind);
// Whether a block of a result needs parts of the operand blocks of neighbouring devices.
inline bool NeedsNeighbours(FactorKind kind) {
  return kind == FactorKind::Window || kind == FactorKind::Piece || kind == FactorKind::Scan;
}

struct Factor {
  int64_t size = 1;
  FactorKind kind = FactorKind::Map;
  bool blocked = false;  // shardings do not propagate along it
  // May be sharded whatever its kind says, and leaves no partial results: the op's lowering combines the parts by itself, or
  // no part needs another.
  bool self_combining = false;
  // Another factor whose axes it may take too, as planning does without being told: dims of other sizes that the op's
  // lowering serves block by block. -1: none.
  int32_t follows = -1;
};

// The factors of each dim of one tensor, major to minor, as indices into Rule::factors. Tensors that take no part (scalar
// bounds, reduction seeds, tokens) have empty dims lists.
struct TensorFactors {
  llvm::SmallVector<llvm::SmallVector<int32_t, 2>, 4> dims;
  bool has(int32_t factor) const;
};

struct Rule {
  llvm::SmallVector<Factor, 6> factors;
  llvm::SmallVector<TensorFactors, 3> operands;
  llvm::SmallVector<TensorFactors, 1> results;
  // For each result, how partial results combine when a Reduce or Index factor is sharded. None: such factors must not be
  // sharded (the combination is no known monoid).
  llvm::SmallVector<mesh::Monoid, 2> result_monoid;
  // For each operand, the value that padding must hold along a sharded Reduce factor: the identity of this monoid.
  llvm::SmallVector<mesh::Monoid, 4> operand_fill;
  // The rule was given in the text.
  bool custom = false;
};

// Appends all that a rule says to a key: equal rules, equal numbers.
void AppendKey(const Rule& rule, llvm::SmallVectorImpl<int32_t>& key);
// A number as two parts of a key.
void AppendKey(int64_t number, llvm::SmallVectorImpl<int32_t>& key);

// `([i, k], [k, j]) -> [i, j]  i=8 map, j=4 map, k=16 reduce`.
std::string ToString(const Rule& rule);

// How early an op takes part in propagation (Shardy's op priorities).
enum class Precedence : uint8_t {
  PassThrough,   // elementwise, reshape, transpose, data flow: first, in both directions
  DynamicSlice,  // first, but only forward until everything goes
  Broadcast,     // backward with the pass-through factors, forward last of all
  Default,       // everything else: with its pass-through factors, then with all
  None,          // takes no part
};

}  // namespace spmdc::op
