// Boolean arrays in indices.
#pragma once

#include "text/native/tracer.h"

namespace spmdc::text::native {

// Puts the places where masks are true, an array of integers per dim of a mask, in place of the masks among the parts of an
// index into an array of this type. Masks that are not known while the file is read stay. False after a diagnostic.
bool SpellMasks(Evaluator& ev, const ir::Type& type, std::vector<Value>& parts);

// A True or False among the parts of an index is a dim of the array more, of size 1, of which one element or none is picked:
// gives the array those dims, in place, and puts arrays of integers in place of the bools. False after a diagnostic.
bool SpellBools(Evaluator& ev, Value& array, Value& index);

}  // namespace spmdc::text::native
