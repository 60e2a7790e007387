// sort on host arrays: a bitonic network, so that the comparator runs on whole arrays. Equal elements keep their order: where
// the comparator puts neither first, the places do, and then no two elements are equal to the network.
#include <bit>
#include <cstring>
#include <numeric>

#include "llvm/ADT/STLExtras.h"
#include "ops/body_eval.h"
#include "ops/sort.h"
#include "ops/strided.h"

namespace spmdc::ops {
namespace {

using tensor::Literal;
using Arrays = llvm::SmallVector<Literal, 4>;

// Arrays of [length, rows]: the sorted dim is outermost.
class Network {
 public:
  Network(op::EvalContext& cx, ir::FuncId body, Arrays arrays, int64_t length, int64_t rows)
      : cx_(cx), body_(body), arrays_(std::move(arrays)), length_(length), rows_(rows) {
    padded_ = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(length)));
    order_.resize(static_cast<size_t>(padded_ * rows));
    for (int64_t k = 0; k < padded_; ++k) {
      std::fill_n(order_.begin() + k * rows_, rows_, static_cast<int32_t>(k));
    }
  }

  // order[k * rows + r]: which element of row r comes k-th.
  const std::vector<int32_t>& Run() {
    for (int64_t width = 2; width <= padded_; width *= 2) {
      for (int64_t distance = width / 2; distance > 0; distance /= 2) {
        Stage(width, distance);
      }
    }
    return order_;
  }

 private:
  // Compares element k with element k + distance for every k that has that bit clear; halves of `width` alternate in
  // direction.
  void Stage(int64_t width, int64_t distance) {
    std::vector<int64_t> firsts;
    for (int64_t k = 0; k < padded_; ++k) {
      if ((k & distance) == 0) {
        firsts.push_back(k);
      }
    }
    std::vector<int32_t> left, right;
    for (int64_t k : firsts) {
      left.insert(left.end(), order_.begin() + k * rows_, order_.begin() + (k + 1) * rows_);
      right.insert(right.end(), order_.begin() + (k + distance) * rows_, order_.begin() + (k + distance + 1) * rows_);
    }
    std::vector<bool> before = Before(left, right);
    for (size_t i = 0; i < firsts.size(); ++i) {
      bool up = (firsts[i] & width) == 0;
      for (int64_t r = 0; r < rows_; ++r) {
        if (before[i * static_cast<size_t>(rows_) + static_cast<size_t>(r)] != up) {
          std::swap(order_[static_cast<size_t>(firsts[i] * rows_ + r)],
                    order_[static_cast<size_t>((firsts[i] + distance) * rows_ + r)]);
        }
      }
    }
  }

  // Whether left comes before right, element by element. Places behind the end come last.
  std::vector<bool> Before(const std::vector<int32_t>& left, const std::vector<int32_t>& right) {
    Literal less = Compare(left, right), greater = Compare(right, left);
    std::vector<bool> before(left.size());
    for (size_t i = 0; i < left.size(); ++i) {
      auto at = static_cast<int64_t>(i);
      bool exist = left[i] < length_ && right[i] < length_;
      before[i] = exist && less.GetInt(at) != 0 ? true : exist && greater.GetInt(at) != 0 ? false : left[i] < right[i];
    }
    return before;
  }

  Literal Compare(const std::vector<int32_t>& a, const std::vector<int32_t>& b) {
    Arrays args;
    for (const Literal& x : arrays_) {
      args.push_back(Take(x, a));
      args.push_back(Take(x, b));
    }
    return IsElementwiseBody(cx_.module, body_) ? ApplyToArrays(cx_, body_, args)[0] : CompareOneByOne(args);
  }

  Literal CompareOneByOne(const Arrays& args) {
    Literal result(tensor::DType::Pred, args[0].dims());
    for (int64_t i = 0, n = result.size(); i < n; ++i) {
      Arrays scalars;
      for (const Literal& x : args) {
        scalars.push_back(CopyStrided(x, {}, {}, i));
      }
      result.SetInt(i, cx_.call(body_, scalars)[0].GetInt(0));
    }
    return result;
  }

  Literal Take(const Literal& x, const std::vector<int32_t>& places) {
    auto width = static_cast<size_t>(tensor::ByteWidth(x.dtype()));
    Literal result(x.dtype(), {static_cast<int64_t>(places.size())});
    const char* from = x.raw().data();
    char* to = result.mutable_raw();
    for (size_t i = 0; i < places.size(); ++i) {
      int64_t place = std::min<int64_t>(places[i], length_ - 1);
      int64_t row = static_cast<int64_t>(i) % rows_;
      std::memcpy(to + i * width, from + static_cast<size_t>(place * rows_ + row) * width, width);
    }
    return result;
  }

  op::EvalContext& cx_;
  ir::FuncId body_;
  Arrays arrays_;
  int64_t length_, rows_, padded_ = 1;
  std::vector<int32_t> order_;
};

Literal Reorder(const Literal& x, const std::vector<int32_t>& order, int64_t rows) {
  Literal result(x.dtype(), x.dims());
  auto width = static_cast<size_t>(tensor::ByteWidth(x.dtype()));
  char* to = result.mutable_raw();
  for (size_t i = 0, n = static_cast<size_t>(x.size()); i < n; ++i) {
    size_t row = i % static_cast<size_t>(rows);
    std::memcpy(to + i * width,
                x.raw().data() + (static_cast<size_t>(order[i]) * static_cast<size_t>(rows) + row) * width, width);
  }
  return result;
}

}  // namespace

Arrays SortTogether(op::EvalContext& cx, ir::FuncId comparator, llvm::ArrayRef<const Literal*> arrays, size_t dim) {
  llvm::ArrayRef<int64_t> dims = arrays[0]->dims();
  int64_t length = dims[dim], total = tensor::NumElements(dims);
  Arrays sorted;
  if (total == 0) {
    for (const Literal* x : arrays) {
      sorted.push_back(*x);
    }
    return sorted;
  }
  tensor::Dims front = {static_cast<int64_t>(dim)}, back(dims.size());
  for (size_t d = 0; d < dims.size(); ++d) {
    if (d != dim) {
      front.push_back(static_cast<int64_t>(d));
    }
  }
  for (size_t i = 0; i < front.size(); ++i) {
    back[static_cast<size_t>(front[i])] = static_cast<int64_t>(i);
  }
  Arrays columns;
  for (const Literal* x : arrays) {
    columns.push_back(Transposed(x->Materialize(), front));
  }
  int64_t rows = total / length;
  Network network(cx, comparator, columns, length, rows);
  const std::vector<int32_t>& order = network.Run();
  for (const Literal& x : columns) {
    sorted.push_back(Transposed(Reorder(x, order, rows), back));
  }
  return sorted;
}

bool EvalSort(op::EvalContext& cx) {
  auto dim = static_cast<size_t>(cx.attrs<SortAttrs>().dim);
  for (Literal& x : SortTogether(cx, cx.function.bodies(cx.inst)[0], cx.operands, dim)) {
    cx.results.push_back(std::move(x));
  }
  return true;
}

}  // namespace spmdc::ops
