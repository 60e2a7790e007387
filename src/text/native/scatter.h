// Scatters, which lax.scatter and x.at[...] make.
#pragma once

#include "ops/gather.h"
#include "text/native/tracer.h"

namespace spmdc::text::native {

enum class ScatterKind : uint8_t { Set, Add, Subtract, Multiply, Min, Max };

// operand with updates put, added, ... at the indices. All are arrays; updates have the operand's dtype.
Value EmitScatter(Evaluator& ev, ScatterKind kind, const Value& operand, const Value& indices, Value updates,
                  ops::ScatterAttrs attrs, mesh::ShardingId out_sharding);

// A gather's result, with `fill` where a slice lies outside the operand: `inside` is a pred per batch of indices, whose dims
// are the result's dims `batch`. No fill: NaN, or for integers the least (signed) or the largest number.
Value FillOutside(Evaluator& ev, const Value& result, Value inside, llvm::ArrayRef<int64_t> batch, const Value& fill);

}  // namespace spmdc::text::native
