// Values inside shard_map that vary over manual axes.
#pragma once

#include "text/native/tracer.h"

namespace spmdc::text::native {

// The array as one that varies over axes: its type says so, nothing moves.
// The same value with another sharding in its type, which says how its terms or copies on the manual axes stand to one another;
// nothing moves.
Value Restated(Evaluator& ev, const Value& x, const mesh::Sharding& type_sharding);
Value Vary(Evaluator& ev, const Value& x, const mesh::AxisList& axes);
// `out_sharding=` for a new array that is sharded as values of a type are: none where a region has no Explicit axes.
mesh::ShardingId OutLike(Evaluator& ev, const ir::Type& type);
// The array as one that varies at least as values of a type do.
Value VaryLike(Evaluator& ev, const Value& x, const ir::Type& type);

// A copy of a mesh with other types for some axes; types and constraints stay on the original.
MeshObj* Retyped(Evaluator& ev, MeshObj* mesh, const mesh::AxisList& axes, mesh::AxisType type);

}  // namespace spmdc::text::native
