// One definition per op kind, gathered from the families' files.
#pragma once

#include "op/op_def.h"

namespace spmdc::ops {

#define SPMDC_OP(name, mnemonic) extern const op::OpDef k##name;
#include "ir/op_kind.def"
#undef SPMDC_OP

}  // namespace spmdc::ops
