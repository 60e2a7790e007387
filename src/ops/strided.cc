// The strided copy, by width of elements.
#include "ops/strided.h"

#include <numeric>

namespace spmdc::ops {
namespace {

struct Element16 {
  uint64_t low, high;
};

// Dims of size 1 vanish and neighbours that lie behind one another are joined, so that the inner loop is long.
struct Walk {
  tensor::Dims dims, strides;
  Walk(llvm::ArrayRef<int64_t> all_dims, llvm::ArrayRef<int64_t> all_strides) {
    for (size_t d = 0; d < all_dims.size(); ++d) {
      if (all_dims[d] == 1) {
        continue;
      }
      if (!dims.empty() && strides.back() == all_strides[d] * all_dims[d]) {
        dims.back() *= all_dims[d];
        strides.back() = all_strides[d];
      } else {
        dims.push_back(all_dims[d]);
        strides.push_back(all_strides[d]);
      }
    }
    if (dims.empty()) {
      dims.push_back(1);
      strides.push_back(0);
    }
  }
};

template <typename T>
void Copy(const T* source, const Walk& walk, T* target) {
  size_t outer = walk.dims.size() - 1;
  int64_t count = walk.dims[outer], stride = walk.strides[outer];
  tensor::Dims index(outer, 0);
  llvm::ArrayRef<int64_t> outer_dims = llvm::ArrayRef<int64_t>(walk.dims).take_front(outer);
  do {
    const T* row = source;
    for (size_t d = 0; d < outer; ++d) {
      row += index[d] * walk.strides[d];
    }
    if (stride == 1) {
      std::copy(row, row + count, target);
    } else {
      for (int64_t i = 0; i < count; ++i) {
        target[i] = row[i * stride];
      }
    }
    target += count;
  } while (tensor::NextIndex(index, outer_dims));
}

}  // namespace

tensor::Literal CopyStrided(const tensor::Literal& source, llvm::ArrayRef<int64_t> dims,
                            llvm::ArrayRef<int64_t> strides, int64_t offset) {
  tensor::Literal result = tensor::Literal::Unwritten(source.dtype(), dims);
  if (result.size() == 0) {
    return result;
  }
  Walk walk(dims, strides);
  auto copy = [&](auto element) {
    using T = decltype(element);
    Copy(source.data<T>().data() + offset, walk, result.mutable_data<T>().data());
  };
  switch (tensor::ByteWidth(source.dtype())) {
    case 1:
      copy(uint8_t());
      break;
    case 2:
      copy(uint16_t());
      break;
    case 4:
      copy(uint32_t());
      break;
    case 8:
      copy(uint64_t());
      break;
    default:
      copy(Element16());
      break;
  }
  return result;
}

tensor::Literal Transposed(const tensor::Literal& x, llvm::ArrayRef<int64_t> permutation) {
  tensor::Dims from = tensor::Strides(x.dims()), dims, strides;
  bool moves = false;
  for (size_t d = 0; d < permutation.size(); ++d) {
    size_t source = static_cast<size_t>(permutation[d]);
    dims.push_back(x.dims()[source]);
    strides.push_back(from[source]);
    moves |= source != d;
  }
  return moves ? CopyStrided(x, dims, strides) : x;
}

}  // namespace spmdc::ops
