// Boxes are walked row by row: the last dim is the inner loop.
#include "ops/array_copy.h"

#include <algorithm>
#include <cstring>

namespace spmdc::ops {

void CopyElements(const char* from, llvm::ArrayRef<int64_t> from_strides, char* to, llvm::ArrayRef<int64_t> to_strides,
                  llvm::ArrayRef<int64_t> box, int64_t width) {
  if (tensor::NumElements(box) == 0) {
    return;
  }
  auto bytes = static_cast<size_t>(width);
  if (box.empty()) {
    std::memcpy(to, from, bytes);
    return;
  }
  size_t last = box.size() - 1;
  tensor::Dims outer(box.begin(), box.end() - 1);
  tensor::Dims index(last, 0);
  int64_t run = box[last];
  bool contiguous = from_strides[last] == 1 && to_strides[last] == 1;
  do {
    int64_t source = 0, target = 0;
    for (size_t d = 0; d < last; ++d) {
      source += index[d] * from_strides[d];
      target += index[d] * to_strides[d];
    }
    if (contiguous) {
      std::memcpy(to + target * width, from + source * width, bytes * static_cast<size_t>(run));
      continue;
    }
    for (int64_t i = 0; i < run; ++i) {
      std::memcpy(to + (target + i * to_strides[last]) * width, from + (source + i * from_strides[last]) * width,
                  bytes);
    }
  } while (!outer.empty() && tensor::NextIndex(index, outer));
}

void CopyBox(const tensor::Literal& from, llvm::ArrayRef<int64_t> from_start, llvm::ArrayRef<int64_t> from_step,
             tensor::Literal& to, llvm::ArrayRef<int64_t> to_start, llvm::ArrayRef<int64_t> box) {
  if (tensor::NumElements(box) == 0) {
    return;
  }
  tensor::Dims from_strides = tensor::Strides(from.dims()), to_strides = tensor::Strides(to.dims());
  int64_t source = 0, target = 0;
  for (size_t d = 0; d < box.size(); ++d) {
    source += from_start[d] * from_strides[d];
    target += to_start[d] * to_strides[d];
    from_strides[d] *= from_step[d];
  }
  int64_t width = tensor::ByteWidth(from.dtype());
  CopyElements(from.raw().data() + source * width, from_strides, to.mutable_raw() + target * width, to_strides, box,
               width);
}

void CopyBox(const tensor::Literal& from, llvm::ArrayRef<int64_t> from_start, tensor::Literal& to,
             llvm::ArrayRef<int64_t> to_start, llvm::ArrayRef<int64_t> box) {
  CopyBox(from, from_start, tensor::Dims(box.size(), 1), to, to_start, box);
}

tensor::Literal PadLiteral(const tensor::Literal& x, const tensor::Literal& fill, llvm::ArrayRef<int64_t> low,
                           llvm::ArrayRef<int64_t> high, llvm::ArrayRef<int64_t> interior) {
  tensor::Literal operand = x.Materialize();
  size_t rank = operand.dims().size();
  tensor::Dims dims;
  for (size_t d = 0; d < rank; ++d) {
    int64_t n = operand.dims()[d];
    dims.push_back(low[d] + high[d] + n + (n > 0 ? n - 1 : 0) * interior[d]);
  }
  tensor::Literal result = Filled(dims, fill);
  tensor::Dims extents(rank), from_strides = tensor::Strides(operand.dims()), to_strides = tensor::Strides(dims);
  int64_t source = 0, target = 0;
  for (size_t d = 0; d < rank; ++d) {
    int64_t step = interior[d] + 1;
    int64_t first = low[d] >= 0 ? 0 : (-low[d] + step - 1) / step;
    int64_t end = dims[d] - low[d] <= 0 ? 0 : std::min(operand.dims()[d], (dims[d] - low[d] + step - 1) / step);
    extents[d] = std::max<int64_t>(end - first, 0);
    source += first * from_strides[d];
    target += (low[d] + first * step) * to_strides[d];
    to_strides[d] *= step;
  }
  if (tensor::NumElements(extents) > 0) {
    int64_t width = tensor::ByteWidth(operand.dtype());
    CopyElements(operand.raw().data() + source * width, from_strides, result.mutable_raw() + target * width, to_strides,
                 extents, width);
  }
  return result;
}

tensor::Literal Filled(llvm::ArrayRef<int64_t> dims, const tensor::Literal& scalar) {
  return tensor::Literal::Splat(scalar.dtype(), dims, {scalar.raw().begin(), scalar.raw().end()}).Materialize();
}

}  // namespace spmdc::ops
