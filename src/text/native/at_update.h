// x.at[index].set(y), .add(y), ...
#pragma once

#include "text/native/scatter.h"

namespace spmdc::text::native {

struct AtOptions {
  bool indices_are_sorted = false, unique_indices = false;
  Value out_sharding;
};

// `parts`: one per dim or None, the index spelled out without `...` (indexing.cc).
Value UpdateAt(Evaluator& ev, ScatterKind kind, const Value& array, llvm::ArrayRef<Value> parts, const Value& values,
               const AtOptions& options);

// An index as s32, negative ones counted from the end of a dim of this size.
Value NormalizedIndex(Evaluator& ev, const Value& index, int64_t size);

}  // namespace spmdc::text::native
