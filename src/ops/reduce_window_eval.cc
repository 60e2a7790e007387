// reduce_window on host arrays: known monoids dim by dim, other bodies by combining shifted arrays.
#include "llvm/ADT/STLExtras.h"
#include "ops/array_copy.h"
#include "ops/body_eval.h"
#include "ops/elementwise_fn.h"
#include "ops/reduce_window.h"
#include "ops/strided.h"
#include "ops/typed.h"

namespace spmdc::ops {
namespace {

using mesh::Monoid;
using tensor::DType;
using tensor::Literal;

// The windows of one dim of an array laid out as [outer, size, inner].
struct WindowLine {
  int64_t outer = 1, size = 1, inner = 1, results = 1;
  WindowDim window;
};

template <typename T, typename Fn>
void Combine(T* to, const T* with, int64_t count) {
  Fn fn;
  for (int64_t i = 0; i < count; ++i) {
    to[i] = static_cast<T>(fn(to[i], with[i]));
  }
}

// Every window by itself; a scan takes each result from the one before.
template <typename T, typename Fn>
void SlideRow(const T* x, T* out, const WindowLine& line) {
  const WindowDim& w = line.window;
  ScanWay scan = ScanOf(w, line.size);
  if (scan != ScanWay::None) {
    bool forward = scan == ScanWay::Forward;
    for (int64_t k = 0; k < line.size; ++k) {
      int64_t at = forward ? k : line.size - 1 - k, before = forward ? at - 1 : at + 1;
      std::copy(x + at * line.inner, x + (at + 1) * line.inner, out + at * line.inner);
      if (k > 0) {
        Combine<T, Fn>(out + at * line.inner, out + before * line.inner, line.inner);
      }
    }
    return;
  }
  for (int64_t g = 0; g < line.results; ++g) {
    for (int64_t k = 0; k < w.size; ++k) {
      int64_t place = g * w.stride - w.low + k * w.dilation;
      int64_t at = place / w.base_dilation;
      if (place >= 0 && place % w.base_dilation == 0 && at < line.size) {
        Combine<T, Fn>(out + g * line.inner, x + at * line.inner, line.inner);
      }
    }
  }
}

template <typename Fn>
Literal Slide(const Literal& x, const Literal& identity, size_t dim, const WindowDim& window) {
  WindowLine line;
  line.window = window;
  tensor::Dims dims(x.dims().begin(), x.dims().end());
  line.size = dims[dim];
  line.results = window.Count(line.size);
  for (size_t d = 0; d < dims.size(); ++d) {
    (d < dim ? line.outer : line.inner) *= d == dim ? 1 : dims[d];
  }
  dims[dim] = line.results;
  Literal result = Filled(dims, identity);
  if (result.size() == 0) {
    return result;
  }
  VisitComputeType(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_invocable_v<Fn, T, T>) {
      const T* in = x.data<T>().data();
      T* out = result.mutable_data<T>().data();
      for (int64_t o = 0; o < line.outer; ++o) {
        SlideRow<T, Fn>(in + o * line.size * line.inner, out + o * line.results * line.inner, line);
      }
    } else {
      SPMDC_CHECK(false, "a monoid on an element type that has no such op");
    }
  });
  return result;
}

using SlideFn = Literal (*)(const Literal&, const Literal&, size_t, const WindowDim&);

SlideFn SlideOf(Monoid monoid) {
  switch (monoid) {
    case Monoid::Sum:
      return Slide<fn::Add>;
    case Monoid::Product:
      return Slide<fn::Multiply>;
    case Monoid::Min:
      return Slide<fn::Minimum>;
    case Monoid::Max:
      return Slide<fn::Maximum>;
    case Monoid::And:
      return Slide<fn::And>;
    case Monoid::Or:
      return Slide<fn::Or>;
    default:
      return Slide<fn::Xor>;
  }
}

// Dim by dim, and at last the seed. Padding and gaps hold the seed too: where it is the identity they are left out. Sums of floats run in f64, so that the order of the terms hardly counts.
Literal ByDims(op::EvalContext& cx, Monoid monoid, const Literal& x, const Literal& seed,
               llvm::ArrayRef<WindowDim> windows) {
  DType work = ComputeType(x.dtype());
  if ((monoid == Monoid::Sum || monoid == Monoid::Product) && work == DType::F32) {
    work = DType::F64;
  }
  Literal sum = ConvertLiteral(x, work).Materialize();
  Literal identity = op::Identity(monoid, work);
  SlideFn slide = SlideOf(monoid);
  llvm::SmallVector<WindowDim, 4> over(windows.begin(), windows.end());
  if (!(ConvertLiteral(seed, work) == identity)) {
    sum = UnderWindows(sum, ConvertLiteral(seed, work), windows);
    for (WindowDim& window : over) {
      window.low = window.high = 0;
      window.base_dilation = 1;
    }
  }
  for (size_t d = 0; d < over.size(); ++d) {
    if (!over[d].is_trivial()) {
      sum = slide(sum, identity, d, over[d]);
    }
  }
  // Windows of one seed each: a dim of size 1 in front, doubled by the seed.
  Literal seeds = Filled(sum.dims(), ConvertLiteral(seed, work));
  tensor::Dims joined = {2, sum.size()};
  Literal both(work, joined);
  std::copy(seeds.raw().begin(), seeds.raw().end(), both.mutable_raw());
  std::copy(sum.raw().begin(), sum.raw().end(), both.mutable_raw() + seeds.raw().size());
  WindowDim pair;
  pair.size = 2;
  Literal result = slide(both, identity, 0, pair).WithDims(sum.dims());
  return ConvertLiteral(result, cx.dtype(x.dtype()));
}

// Any body: the arrays that the windows' first positions make, then their second ones, and so on.
void ByPositions(op::EvalContext& cx, ir::FuncId body, llvm::ArrayRef<WindowDim> windows) {
  size_t n = cx.operands.size() / 2;
  llvm::SmallVector<Literal, 2> state, under;
  for (size_t i = 0; i < n; ++i) {
    under.push_back(UnderWindows(cx.operand(i), cx.operand(n + i), windows));
    state.push_back(Filled(cx.result_type(i).dims, cx.operand(n + i)));
  }
  tensor::Dims sizes, index(windows.size(), 0), steps = tensor::Strides(under[0].dims()), strides;
  for (size_t d = 0; d < windows.size(); ++d) {
    sizes.push_back(windows[d].size);
    strides.push_back(steps[d] * windows[d].stride);
  }
  if (state[0].size() == 0) {
    cx.results.append(state.begin(), state.end());
    return;
  }
  do {
    int64_t offset = 0;
    for (size_t d = 0; d < windows.size(); ++d) {
      offset += index[d] * windows[d].dilation * steps[d];
    }
    llvm::SmallVector<Literal, 4> args = {state.begin(), state.end()};
    for (const Literal& x : under) {
      args.push_back(CopyStrided(x, state[0].dims(), strides, offset));
    }
    auto next = ApplyToArrays(cx, body, args);
    for (size_t i = 0; i < n; ++i) {
      state[i] = next[i].size() == state[i].size() ? next[i] : Filled(state[i].dims(), next[i]);
    }
  } while (tensor::NextIndex(index, sizes));
  cx.results.append(state.begin(), state.end());
}

}  // namespace

bool EvalReduceWindow(op::EvalContext& cx) {
  auto windows = cx.attrs<ReduceWindowAttrs>().windows();
  ir::FuncId body = cx.function.bodies(cx.inst)[0];
  Monoid monoid = cx.inst.num_results == 1 ? op::RecognizeMonoid(cx.module, body, 0) : Monoid::None;
  if (monoid != Monoid::None) {
    cx.results.push_back(ByDims(cx, monoid, cx.operand(0), cx.operand(1), windows));
    return true;
  }
  if (!IsElementwiseBody(cx.module, body)) {
    return false;
  }
  ByPositions(cx, body, windows);
  return true;
}

}  // namespace spmdc::ops
