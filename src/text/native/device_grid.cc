// Rules of device arrays: merging and splitting of strides.
#include "text/native/device_grid.h"

#include "llvm/ADT/STLExtras.h"

namespace spmdc::text::native {

bool DeviceGrid::is_identity() const {
  tensor::Dims row_major = tensor::Strides(dims);
  bool same = first == 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    same &= dims[d] == 1 || strides[d] == row_major[d];
  }
  return same;
}

std::optional<DeviceGrid> DeviceGrid::Reshaped(llvm::ArrayRef<int64_t> new_dims) const {
  if (llvm::is_contained(new_dims, 0)) {
    return std::nullopt;  // an array of no devices has no strides
  }
  // Dims that one stride runs through, merged; split again as the new dims ask.
  llvm::SmallVector<std::pair<int64_t, int64_t>, 4> runs;  // size, stride of the last dim
  for (size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] == 1) {
      continue;
    }
    if (!runs.empty() && runs.back().second == dims[d] * strides[d]) {
      runs.back() = {runs.back().first * dims[d], strides[d]};
    } else {
      runs.push_back({dims[d], strides[d]});
    }
  }
  DeviceGrid out;
  out.first = first;
  out.dims.assign(new_dims.begin(), new_dims.end());
  out.strides.assign(new_dims.size(), 0);
  for (size_t d = new_dims.size(); d-- > 0;) {
    if (new_dims[d] == 1) {
      continue;
    }
    if (runs.empty() || runs.back().first % new_dims[d] != 0) {
      return std::nullopt;
    }
    auto& [size, stride] = runs.back();
    out.strides[d] = stride;
    size /= new_dims[d];
    stride *= new_dims[d];
    if (size == 1) {
      runs.pop_back();
    }
  }
  return out;
}

DeviceGrid DeviceGrid::Transposed(llvm::ArrayRef<int64_t> permutation) const {
  DeviceGrid out;
  out.first = first;
  for (int64_t p : permutation) {
    out.dims.push_back(dims[static_cast<size_t>(p)]);
    out.strides.push_back(strides[static_cast<size_t>(p)]);
  }
  return out;
}

tensor::Literal DeviceGrid::Spelled() const {
  tensor::Literal out(tensor::DType::S64, dims);
  tensor::Dims index(dims.size(), 0);
  int64_t at = 0;
  if (size() == 0) {
    return out;
  }
  do {
    int64_t device = first;
    for (size_t d = 0; d < dims.size(); ++d) {
      device += index[d] * strides[d];
    }
    out.SetInt(at++, device);
  } while (tensor::NextIndex(index, dims));
  return out;
}

}  // namespace spmdc::text::native
