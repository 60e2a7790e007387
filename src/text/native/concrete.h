// Values of arrays made at the top level, computed while the file is read where the program asks for them.
#pragma once

#include "text/native/tracer.h"

namespace spmdc::text::native {

// The value of an array as a static one (an NdArray). Missing where it has none while the file is read: of a traced array, one
// made by regions over devices, or one that takes too long to compute.
Value ConcreteValue(Evaluator& ev, const Value& array);

}  // namespace spmdc::text::native
