// What the flat form says of a whole program: annotations say where values are, its first line what is decided.
#pragma once

#include "text/native/tracer.h"

namespace spmdc::text::native {

// Where an annotation such as `f32[8] @ P('x')` puts a value of this rank; no id if it says nothing.
mesh::ShardingId PlacementOf(Evaluator& ev, const Value& annotation, size_t rank);
// Puts the value of the program that an array stands for where its annotation says.
void PlaceByAnnotation(Evaluator& ev, const Value& value, const Value& annotation);

// The aliases that the first line says; false after a diagnostic.
bool AliasAsSaid(Evaluator& ev, ir::Function& entry);

}  // namespace spmdc::text::native
