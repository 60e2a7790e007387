// Where arguments and results are, as the user of the boundary has them.
#pragma once

#include "ir/module.h"

namespace spmdc::ir {

// The type of an argument or a result as the user has it: of keys, theirs.
inline Type ShownType(Type type, const BoundaryInfo& info) {
  if (info.key && !type.dims.empty()) {
    type.dtype = *info.key;
    type.dims.pop_back();
  }
  return type;
}

// The sharding of an argument or a result as the user has it: without the dim of the words of keys.
inline mesh::Sharding ShownSharding(mesh::Sharding sharding, const BoundaryInfo& info) {
  if (info.key && !sharding.dims.empty()) {
    sharding.dims.pop_back();
  }
  return sharding;
}

}  // namespace spmdc::ir
