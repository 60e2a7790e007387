// gather and scatter on host arrays: StableHLO specification, and XLA's where that leaves room. A gather's starts are
// clamped so that every window fits; a scatter's window that does not fit is dropped as a whole (XLA's evaluator).
#include "ops/gather_eval.h"

#include <algorithm>
#include <limits>

#include "llvm/ADT/STLExtras.h"
#include "ops/addressing.h"
#include "ops/array_copy.h"
#include "ops/combine.h"

namespace spmdc::ops {
namespace {

using tensor::Dims;
using tensor::Literal;

// Walks the windows of a gather or scatter: for each, where it starts in the operand and where its first element is in the
// array of windows.
class WindowWalk {
 public:
  WindowWalk(const Addressing& a, llvm::ArrayRef<int64_t> operand_dims, const Literal& indices,
             llvm::ArrayRef<int64_t> window_dims)
      : a_(a),
        operand_dims_(operand_dims),
        indices_(indices),
        index_strides_(tensor::Strides(indices.dims())),
        window_strides_(tensor::Strides(window_dims)),
        batch_(IndexBatchDims(a, indices.dims().size())),
        numbering_(WindowBatchDims(a, window_dims.size())),
        number_(batch_.size(), 0) {
    for (int64_t d : batch_) {
      counts_.push_back(indices.dims()[static_cast<size_t>(d)]);
    }
    done_ = tensor::NumElements(counts_) == 0;
  }

  bool done() const { return done_; }
  void Next() { done_ = counts_.empty() || !tensor::NextIndex(number_, counts_); }

  // Where the window starts along each dim of the operand, as the indices say.
  Dims Start() const {
    Dims start(operand_dims_.size(), 0);
    int64_t at = 0;
    for (size_t i = 0; i < batch_.size(); ++i) {
      at += number_[i] * index_strides_[static_cast<size_t>(batch_[i])];
    }
    bool has_vector = a_.has_index_vector(indices_.dims().size());
    for (size_t k = 0; k < a_.index_map.size(); ++k) {
      int64_t step =
          has_vector ? static_cast<int64_t>(k) * index_strides_[static_cast<size_t>(a_.index_vector_dim)] : 0;
      start[static_cast<size_t>(a_.index_map[k])] = Index(at + step);
    }
    for (size_t k = 0; k < a_.operand_batching.size(); ++k) {
      size_t i = static_cast<size_t>(llvm::find(batch_, a_.indices_batching[k]) - batch_.begin());
      start[static_cast<size_t>(a_.operand_batching[k])] = number_[i];
    }
    return start;
  }
  // The position of the window's first element in the array of windows.
  int64_t First() const {
    int64_t at = 0;
    for (size_t i = 0; i < numbering_.size(); ++i) {
      at += number_[i] * window_strides_[static_cast<size_t>(numbering_[i])];
    }
    return at;
  }

 private:
  // Unsigned 64-bit numbers beyond the signed ones are beyond any dim too.
  int64_t Index(int64_t at) const {
    int64_t value = indices_.GetInt(at);
    bool huge = value < 0 && tensor::Class(indices_.dtype()) == tensor::DClass::Unsigned;
    return huge ? std::numeric_limits<int64_t>::max() : value;
  }

  const Addressing& a_;
  llvm::ArrayRef<int64_t> operand_dims_;
  const Literal& indices_;
  Dims index_strides_, window_strides_, batch_, numbering_, counts_, number_;
  bool done_ = false;
};

// The window as a box: its extents, and its strides in both arrays.
struct Box {
  Dims extents, operand_strides, window_strides;
};

Box BoxOf(const Addressing& a, llvm::ArrayRef<int64_t> operand_dims, llvm::ArrayRef<int64_t> window_dims) {
  Box box;
  Dims operand_strides = tensor::Strides(operand_dims), window_strides = tensor::Strides(window_dims);
  Dims dims = OperandWindowDims(a, operand_dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    box.extents.push_back(a.window_sizes[static_cast<size_t>(dims[i])]);
    box.operand_strides.push_back(operand_strides[static_cast<size_t>(dims[i])]);
    box.window_strides.push_back(window_strides[static_cast<size_t>(a.window_dims[i])]);
  }
  return box;
}

int64_t Dot(llvm::ArrayRef<int64_t> index, llvm::ArrayRef<int64_t> strides) {
  int64_t sum = 0;
  for (size_t i = 0; i < index.size(); ++i) {
    sum += index[i] * strides[i];
  }
  return sum;
}

}  // namespace

bool EvalGather(op::EvalContext& cx) {
  Addressing a = AddressingOf(cx.attrs<GatherAttrs>());
  Literal operand = cx.operand(0).Materialize();
  const Literal& indices = cx.operand(1);
  Literal result(operand.dtype(), cx.result_type().dims);
  Box box = BoxOf(a, operand.dims(), result.dims());
  Dims strides = tensor::Strides(operand.dims());
  int64_t width = tensor::ByteWidth(operand.dtype());
  char* to = result.mutable_raw();
  for (WindowWalk walk(a, operand.dims(), indices, result.dims()); !walk.done() && result.size() > 0; walk.Next()) {
    Dims start = walk.Start();
    for (size_t d = 0; d < start.size(); ++d) {
      start[d] = std::clamp<int64_t>(start[d], 0, operand.dims()[d] - a.window_sizes[d]);
    }
    CopyElements(operand.raw().data() + Dot(start, strides) * width, box.operand_strides, to + walk.First() * width,
                 box.window_strides, box.extents, width);
  }
  cx.results.push_back(std::move(result));
  return true;
}

namespace {

class Scattering {
 public:
  explicit Scattering(op::EvalContext& cx)
      : cx_(cx), body_(cx.function.bodies(cx.inst)[0]), n_(cx.operands.size() / 2) {
    const ir::Function& f = cx.module.functions[body_];
    for (size_t i = 0; i < n_; ++i) {
      monoids_.push_back(op::RecognizeMonoid(cx.module, body_, i));
      results_.push_back(cx.operand(i).Materialize());
      updates_.push_back(cx.operand(n_ + 1 + i).Materialize());
      replaces_ = replaces_ && f.results[i] == f.args[n_ + i];
      known_ = known_ && monoids_.back() != mesh::Monoid::None;
    }
  }

  void Run() {
    Addressing a =
        AddressingOf(cx_.attrs<ScatterAttrs>(), cx_.module.type(cx_.function, cx_.function.operands(cx_.inst)[0]),
                     cx_.module.type(cx_.function, cx_.function.operands(cx_.inst)[n_ + 1]));
    llvm::ArrayRef<int64_t> dims = cx_.operand(0).dims();
    Box box = BoxOf(a, dims, cx_.operand(n_ + 1).dims());
    Dims strides = tensor::Strides(dims);
    bool any = tensor::NumElements(box.extents) > 0;
    for (WindowWalk walk(a, dims, cx_.operand(n_), cx_.operand(n_ + 1).dims()); any && !walk.done(); walk.Next()) {
      Dims start = walk.Start();
      bool fits = true;
      for (size_t d = 0; d < start.size(); ++d) {
        fits = fits && start[d] >= 0 && start[d] <= dims[d] - a.window_sizes[d];
      }
      if (fits) {
        Window(box, Dot(start, strides), walk.First());
      }
    }
    for (Literal& result : results_) {
      cx_.results.push_back(std::move(result));
    }
  }

 private:
  void Window(const Box& box, int64_t to, int64_t from) {
    Dims index(box.extents.size(), 0);
    do {
      Element(to + Dot(index, box.operand_strides), from + Dot(index, box.window_strides));
    } while (!index.empty() && tensor::NextIndex(index, box.extents));
  }

  void Element(int64_t to, int64_t from) {
    if (replaces_) {
      for (size_t i = 0; i < n_; ++i) {
        int64_t width = tensor::ByteWidth(results_[i].dtype());
        const char* source = updates_[i].raw().data() + from * width;
        std::copy(source, source + width, results_[i].mutable_raw() + to * width);
      }
      return;
    }
    if (known_) {
      for (size_t i = 0; i < n_; ++i) {
        CombineElement(monoids_[i], results_[i], to, updates_[i], from);
      }
      return;
    }
    llvm::SmallVector<Literal, 4> args;
    for (size_t i = 0; i < n_; ++i) {
      args.push_back(Scalar(results_[i], to));
    }
    for (size_t i = 0; i < n_; ++i) {
      args.push_back(Scalar(updates_[i], from));
    }
    llvm::SmallVector<Literal, 2> combined = cx_.call(body_, args);
    for (size_t i = 0; i < n_; ++i) {
      Literal value = combined[i].Materialize();
      std::copy(value.raw().begin(), value.raw().end(),
                results_[i].mutable_raw() + to * tensor::ByteWidth(results_[i].dtype()));
    }
  }

  static Literal Scalar(const Literal& array, int64_t at) {
    int64_t width = tensor::ByteWidth(array.dtype());
    const char* from = array.raw().data() + at * width;
    return Literal::Dense(array.dtype(), {}, {from, from + width});
  }

  op::EvalContext& cx_;
  ir::FuncId body_;
  size_t n_;
  llvm::SmallVector<mesh::Monoid, 2> monoids_;
  llvm::SmallVector<Literal, 2> results_, updates_;
  bool replaces_ = true, known_ = true;
};

}  // namespace

bool EvalScatter(op::EvalContext& cx) {
  Scattering(cx).Run();
  return true;
}

}  // namespace spmdc::ops
