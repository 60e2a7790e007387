// Shardings of elements of several numbers.
#include "op/words.h"

#include "ir/tables.h"

namespace spmdc::op {

mesh::ShardingId WithWords(ir::Tables& tables, mesh::ShardingId elements) {
  if (!elements.valid()) {
    return elements;
  }
  mesh::Sharding numbers = tables.shardings[elements];
  numbers.dims.emplace_back();
  return tables.shardings.Intern(numbers);
}

}  // namespace spmdc::op
