// Arrays of devices that follow a rule, not spelled out: what reshaping, transposing and slicing make of 0, 1, 2, ...
#pragma once

#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "tensor/literal.h"

namespace spmdc::text::native {

// The device at an index is first + sum of index[d] * strides[d]. No device occurs twice.
struct DeviceGrid {
  int64_t first = 0;
  tensor::Dims dims, strides;

  // Devices 0, 1, ..., count - 1 in a row.
  static DeviceGrid Row(int64_t count) { return {0, {count}, {1}}; }
  int64_t size() const { return tensor::NumElements(dims); }
  // Devices are 0, 1, 2, ... in row-major order.
  bool is_identity() const;
  // The same devices in the same row-major order under other dims; none where they follow no rule any more.
  std::optional<DeviceGrid> Reshaped(llvm::ArrayRef<int64_t> new_dims) const;
  DeviceGrid Transposed(llvm::ArrayRef<int64_t> permutation) const;
  // Every entry's number, row-major. The only thing here that costs as much as there are devices.
  tensor::Literal Spelled() const;
};

}  // namespace spmdc::text::native
