// Values that are ranges of one other value, however they are written.
#pragma once

#include <optional>

#include "ir/module.h"
#include "op/merge.h"

namespace spmdc::ops {

// The take_ranges that an instruction amounts to: slices of one value that are joined along the dim they cut, by concatenate
// or by putting one into the value itself, or a slice of what is joined so. Only if the value is split along the dim and no
// smaller than what is made of it: moved one by one, each slice would first be spread over all devices.
std::optional<op::Merged> MergeRanges(const ir::Module& module, const ir::Function& f, const ir::Inst& inst);

}  // namespace spmdc::ops
