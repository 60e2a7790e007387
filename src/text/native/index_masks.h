// Boolean arrays in indices.
#pragma once

#include "text/native/tracer.h"

namespace spmdc::text::native {

// Puts the places where masks are true, an array of integers per dim of a mask, in place of the masks among the parts of an
// index into an array of this type. Masks that are not known while the file is read stay. False after a diagnostic.
bool SpellMasks(Evaluator& ev, const ir::Type& type, std::vector<Value>& parts);

}  // namespace spmdc::text::native
