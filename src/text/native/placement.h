// Where values are put: constraints, reshard, device_put.
#pragma once

#include "text/native/tracer.h"

namespace spmdc::text::native {

// The type's Explicit sharding becomes the given one (JAX's reshard); the whole of it is a constraint.
Value ReshardTo(Evaluator& ev, const Value& array, const ShardingObj& sharding, const std::string& function);
// The array with an Explicit sharding of the program's tables.
Value ShardedLike(Evaluator& ev, const Value& array, mesh::ShardingId sharding);
// Arguments of which nothing was said take the Explicit sharding that the other arrays share, if all have the same rank.
bool AlignUnplaced(Evaluator& ev, llvm::MutableArrayRef<Value> arrays);
// A constraint over Auto axes; Explicit axes of the type stay.
Value Constrain(Evaluator& ev, const Value& array, const ShardingObj& sharding);
// in_shardings or out_shardings of a jit inside a trace, laid over a tree of values.
Value ConstrainTree(Evaluator& ev, const Value& tree, const Value& shardings, const std::string& what);
// Refuses a sharding whose rank or whose division does not fit a type.
bool CheckFits(Evaluator& ev, const ShardingObj& sharding, const ir::Type& type, const std::string& what,
               bool must_divide = true);

}  // namespace spmdc::text::native
