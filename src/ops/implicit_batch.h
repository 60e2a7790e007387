// Batch dims that indices hide: x[arange(n), i] addresses row k of x in its k-th index.
#pragma once

#include <optional>

#include "ir/module.h"
#include "ops/addressing.h"

namespace spmdc::ops {

struct ImplicitBatch {
  Addressing addressing;  // with the batch dims named
  ir::ValueId indices;    // without the components that only count
};

// What a gather or scatter of `operand` by `indices` says, where components of the indices count along one of their dims and
// the operand or the indices are split there. Such an op needs no elements of other devices once the dim is named as a
// batch dim; until then, nothing tells that from indices that may be anywhere. Nothing if no component counts, or the rest
// of the components is no value of the program.
std::optional<ImplicitBatch> FindImplicitBatch(const ir::Module& module, const ir::Function& f, ir::ValueId operand,
                                               ir::ValueId indices, Addressing addressing);

}  // namespace spmdc::ops
