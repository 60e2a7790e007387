// The geometry of gather and scatter: StableHLO specification, gather (constraints C1 to C22) and scatter.
#include "ops/addressing.h"

#include "llvm/ADT/STLExtras.h"
#include "ops/dims.h"

namespace spmdc::ops {

Addressing AddressingOf(const GatherAttrs& attrs) {
  Addressing a;
  a.window_dims = attrs.offset_dims;
  a.collapsed = attrs.collapsed_slice_dims;
  a.operand_batching = attrs.operand_batching_dims;
  a.indices_batching = attrs.start_indices_batching_dims;
  a.index_map = attrs.start_index_map;
  a.index_vector_dim = attrs.index_vector_dim;
  a.window_sizes = attrs.slice_sizes;
  return a;
}

Addressing AddressingOf(const ScatterAttrs& attrs, const ir::Type& operand, const ir::Type& updates) {
  Addressing a;
  a.window_dims = attrs.update_window_dims;
  a.collapsed = attrs.inserted_window_dims;
  a.operand_batching = attrs.input_batching_dims;
  a.indices_batching = attrs.scatter_indices_batching_dims;
  a.index_map = attrs.scatter_dims_to_operand_dims;
  a.index_vector_dim = attrs.index_vector_dim;
  a.window_sizes.assign(operand.rank(), 1);
  tensor::Dims dims = OperandWindowDims(a, operand.rank());
  for (size_t i = 0; i < dims.size() && i < a.window_dims.size(); ++i) {
    auto window_dim = static_cast<size_t>(a.window_dims[i]);
    if (window_dim < updates.rank()) {
      a.window_sizes[static_cast<size_t>(dims[i])] = updates.dims[window_dim];
    }
  }
  return a;
}

tensor::Dims OperandWindowDims(const Addressing& a, size_t operand_rank) {
  tensor::Dims dims;
  for (int64_t d = 0; d < static_cast<int64_t>(operand_rank); ++d) {
    if (!llvm::is_contained(a.collapsed, d) && !llvm::is_contained(a.operand_batching, d)) {
      dims.push_back(d);
    }
  }
  return dims;
}

tensor::Dims IndexBatchDims(const Addressing& a, size_t indices_rank) {
  tensor::Dims dims;
  for (int64_t d = 0; d < static_cast<int64_t>(indices_rank); ++d) {
    if (d != a.index_vector_dim) {
      dims.push_back(d);
    }
  }
  return dims;
}

tensor::Dims WindowBatchDims(const Addressing& a, size_t window_rank) {
  tensor::Dims dims;
  for (int64_t d = 0; d < static_cast<int64_t>(window_rank); ++d) {
    if (!llvm::is_contained(a.window_dims, d)) {
      dims.push_back(d);
    }
  }
  return dims;
}

tensor::Dims ComponentOf(const Addressing& a, size_t operand_rank) {
  tensor::Dims component(operand_rank, -1);
  for (size_t k = 0; k < a.index_map.size(); ++k) {
    component[static_cast<size_t>(a.index_map[k])] = static_cast<int64_t>(k);
  }
  return component;
}

namespace {

// In range, none twice, and increasing where that is asked.
std::string CheckList(llvm::StringRef name, llvm::ArrayRef<int64_t> dims, size_t rank, bool increasing) {
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 0 || dims[i] >= static_cast<int64_t>(rank)) {
      return name.str() + " " + ShowList(dims) + " names dim " + std::to_string(dims[i]) + " of " +
             std::to_string(rank);
    }
    if (llvm::is_contained(dims.take_front(i), dims[i])) {
      return name.str() + " " + ShowList(dims) + " names dim " + std::to_string(dims[i]) + " twice";
    }
    if (increasing && i > 0 && dims[i] < dims[i - 1]) {
      return name.str() + " " + ShowList(dims) + " is not in increasing order";
    }
  }
  return "";
}

std::string CheckSizes(const Addressing& a, const ir::Type& operand, llvm::ArrayRef<llvm::StringRef> names) {
  if (a.window_sizes.size() != operand.rank()) {
    return "slice_sizes " + ShowList(a.window_sizes) + " has " + std::to_string(a.window_sizes.size()) +
           " entries, but the operand has " + std::to_string(operand.rank()) + " dims";
  }
  for (size_t d = 0; d < operand.rank(); ++d) {
    bool single = llvm::is_contained(a.collapsed, static_cast<int64_t>(d)) ||
                  llvm::is_contained(a.operand_batching, static_cast<int64_t>(d));
    if (a.window_sizes[d] < 0 || a.window_sizes[d] > operand.dims[d]) {
      return "a window of " + std::to_string(a.window_sizes[d]) + " does not fit dim " + std::to_string(d) +
             " of size " + std::to_string(operand.dims[d]);
    }
    if (single && a.window_sizes[d] > 1) {
      return "dim " + std::to_string(d) + " of " + names[1].str() + " or " + names[2].str() + " has a window of size " +
             std::to_string(a.window_sizes[d]) + ", expected 1";
    }
  }
  return "";
}

}  // namespace

std::string CheckAddressing(const Addressing& a, const ir::Type& operand, const ir::Type& indices,
                            llvm::ArrayRef<llvm::StringRef> names) {
  if (!tensor::IsInteger(indices.dtype)) {
    return "indices have element type " + tensor::HloName(indices.dtype).str() + ", expected integers";
  }
  if (a.index_vector_dim < 0 || a.index_vector_dim > static_cast<int64_t>(indices.rank())) {
    return "index_vector_dim " + std::to_string(a.index_vector_dim) + " is no dim of the indices";
  }
  size_t rank = operand.rank();
  size_t window_rank = a.window_dims.size() + IndexBatchDims(a, indices.rank()).size();
  const std::string problems[] = {
      CheckList(names[0], a.window_dims, window_rank, true), CheckList(names[1], a.collapsed, rank, true),
      CheckList(names[2], a.operand_batching, rank, true),
      CheckList(names[3], a.indices_batching, indices.rank(), false), CheckList(names[4], a.index_map, rank, false)};
  for (const std::string& problem : problems) {
    if (!problem.empty()) {
      return problem;
    }
  }
  int64_t components = a.has_index_vector(indices.rank()) ? indices.dims[static_cast<size_t>(a.index_vector_dim)] : 1;
  if (static_cast<int64_t>(a.index_map.size()) != components) {
    return names[4].str() + " " + ShowList(a.index_map) + " has " + std::to_string(a.index_map.size()) +
           " entries, but an index has " + std::to_string(components) + " components";
  }
  if (a.operand_batching.size() != a.indices_batching.size()) {
    return names[2].str() + " " + ShowList(a.operand_batching) + " and " + names[3].str() + " " +
           ShowList(a.indices_batching) + " differ in length";
  }
  for (size_t i = 0; i < a.operand_batching.size(); ++i) {
    int64_t d = a.operand_batching[i], e = a.indices_batching[i];
    if (e == a.index_vector_dim || llvm::is_contained(a.collapsed, d) || llvm::is_contained(a.index_map, d)) {
      return "batching dim " + std::to_string(d) + " is also collapsed or indexed";
    }
    if (operand.dims[static_cast<size_t>(d)] != indices.dims[static_cast<size_t>(e)]) {
      return "batching dims of sizes " + std::to_string(operand.dims[static_cast<size_t>(d)]) + " and " +
             std::to_string(indices.dims[static_cast<size_t>(e)]) + ", expected one size";
    }
  }
  if (OperandWindowDims(a, rank).size() != a.window_dims.size()) {
    return names[0].str() + " " + ShowList(a.window_dims) + " has " + std::to_string(a.window_dims.size()) +
           " entries, but " + std::to_string(OperandWindowDims(a, rank).size()) +
           " dims of the operand are neither collapsed nor batching";
  }
  return CheckSizes(a, operand, names);
}

}  // namespace spmdc::ops
