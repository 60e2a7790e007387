// Batch dims that indices hide: x[arange(n), i] addresses row k of x in its k-th index.
#pragma once

#include <optional>

#include "ir/module.h"
#include "op/merge.h"
#include "ops/addressing.h"

namespace spmdc::ops {

struct ImplicitBatch {
  Addressing addressing;  // with the batch dims named
  // The components of the indices that do not only count, to be joined if they are several.
  llvm::SmallVector<ir::ValueId, 4> components;
};

// An op in the place of one that is addressed by all components: `operands[indices]` are those that are left.
op::Merged WithComponents(const ir::Module& module, const ir::Function& f, const ir::Inst& inst, size_t indices,
                          const ImplicitBatch& found, ir::AttrsId attrs);

// What a gather or scatter of `operand` by `indices` says, where components of the indices count along one of their dims and
// the operand or the indices are split there. Such an op needs no elements of other devices once the dim is named as a
// batch dim; until then, nothing tells that from indices that may be anywhere. Nothing if no component counts, or all do.
std::optional<ImplicitBatch> FindImplicitBatch(const ir::Module& module, const ir::Function& f, ir::ValueId operand,
                                               ir::ValueId indices, Addressing addressing);

}  // namespace spmdc::ops
