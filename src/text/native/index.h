// An index of an array, and what it picks.
#pragma once

#include "text/native/tracer.h"

namespace spmdc::text::native {

struct Index {
  std::vector<Value> parts;  // one per dim or None, without `...`
  bool arrays = false;       // integer arrays or traced scalars occur
};

// The index spelled out: a slice for every dim that is not mentioned. False after a diagnostic.
bool Expand(Evaluator& ev, const ir::Type& type, const Value& index, Index& out);
// x[index]. A traced scalar is taken as a dynamic slice where a mode for indices outside does not ask for a gather.
Value PickItem(Evaluator& ev, const Value& array, Index expanded, const Value& out_sharding, bool may_slice);

}  // namespace spmdc::text::native
