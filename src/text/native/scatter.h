// Scatters, which lax.scatter and x.at[...] make.
#pragma once

#include "ops/gather.h"
#include "text/native/tracer.h"

namespace spmdc::text::native {

enum class ScatterKind : uint8_t { Set, Add, Subtract, Multiply, Min, Max };

// operand with updates put, added, ... at the indices. All are arrays; updates have the operand's dtype.
Value EmitScatter(Evaluator& ev, ScatterKind kind, const Value& operand, const Value& indices, Value updates,
                  ops::ScatterAttrs attrs, mesh::ShardingId out_sharding);

}  // namespace spmdc::text::native
