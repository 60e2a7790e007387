// reduce on host arrays: known monoids by loops over rows, other bodies by combining neighbouring rows.
//
// The operands are laid out as [rows, kept] first: the reduced dims major, the kept ones minor.
#include "ops/reduce_eval.h"

#include "llvm/ADT/STLExtras.h"
#include "ops/body_eval.h"
#include "ops/elementwise_fn.h"
#include "ops/reduce.h"
#include "ops/strided.h"
#include "ops/typed.h"

namespace spmdc::ops {
namespace {

using mesh::Monoid;
using tensor::DType;
using tensor::Literal;

struct Layout {
  tensor::Dims order;      // reduced dims, then kept ones
  tensor::Dims kept_dims;  // of the results
  int64_t rows = 1, kept = 1;
};

Layout MakeLayout(llvm::ArrayRef<int64_t> dims, const tensor::Dims& reduced) {
  Layout layout;
  layout.order = reduced;
  for (int64_t d = 0; d < static_cast<int64_t>(dims.size()); ++d) {
    if (!llvm::is_contained(reduced, d)) {
      layout.order.push_back(d);
      layout.kept_dims.push_back(dims[static_cast<size_t>(d)]);
    }
  }
  for (int64_t d : reduced) {
    layout.rows *= dims[static_cast<size_t>(d)];
  }
  layout.kept = tensor::NumElements(layout.kept_dims);
  return layout;
}

// Sums and products of floats run in the next wider type, so that the order of the terms hardly counts.
template <typename T>
struct Accumulator {
  using type = T;
};
template <>
struct Accumulator<float> {
  using type = double;
};
template <>
struct Accumulator<std::complex<float>> {
  using type = std::complex<double>;
};

template <typename T, typename Fn>
Literal Fold(const Literal& x, const Literal& init, const Layout& layout) {
  using A = typename Accumulator<T>::type;
  Fn fn;
  std::vector<A> sums(static_cast<size_t>(layout.kept), static_cast<A>(init.data<T>()[0]));
  const T* row = x.data<T>().data();
  for (int64_t r = 0; r < layout.rows; ++r) {
    for (A& sum : sums) {
      sum = fn(sum, static_cast<A>(*row++));
    }
  }
  Literal result = Literal::Unwritten(x.dtype(), layout.kept_dims);
  llvm::MutableArrayRef<T> out = result.mutable_data<T>();
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<T>(sums[i]);
  }
  return result;
}

template <typename Fn>
Literal FoldAs(const Literal& x, const Literal& init, const Layout& layout) {
  return VisitComputeType(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using A = typename Accumulator<T>::type;
    if constexpr (std::is_invocable_v<Fn, A, A>) {
      return Fold<T, Fn>(x, init, layout);
    } else {
      SPMDC_CHECK(false, "a monoid on an element type that has no such op");
      return Literal();
    }
  });
}

Literal FoldMonoid(Monoid monoid, const Literal& x, const Literal& init, const Layout& layout) {
  switch (monoid) {
    case Monoid::Sum:
      return FoldAs<fn::Add>(x, init, layout);
    case Monoid::Product:
      return FoldAs<fn::Multiply>(x, init, layout);
    case Monoid::Min:
      return FoldAs<fn::Minimum>(x, init, layout);
    case Monoid::Max:
      return FoldAs<fn::Maximum>(x, init, layout);
    case Monoid::And:
      return FoldAs<fn::And>(x, init, layout);
    case Monoid::Or:
      return FoldAs<fn::Or>(x, init, layout);
    default:
      return FoldAs<fn::Xor>(x, init, layout);
  }
}

// Every second row of [rows, kept], from the given one.
Literal SecondRows(const Literal& x, int64_t first, int64_t count, int64_t kept) {
  return CopyStrided(x, {count, kept}, {2 * kept, 1}, first * kept);
}

Literal Full(const Literal& x, llvm::ArrayRef<int64_t> dims) {
  tensor::Dims zeros(dims.size(), 0);
  return x.size() == 1 ? CopyStrided(x, dims, zeros) : x.WithDims(dims);
}

using Columns = llvm::SmallVector<Literal, 2>;

// Combines neighbouring rows until one is left; an odd last row waits for the next round.
void HalveRows(op::EvalContext& cx, ir::FuncId body, Columns& arrays, Layout layout) {
  for (int64_t rows = layout.rows; rows > 1;) {
    int64_t half = rows / 2;
    Columns args;
    for (int64_t first : {0, 1}) {
      for (const Literal& x : arrays) {
        args.push_back(SecondRows(x, first, half, layout.kept));
      }
    }
    Columns combined = ApplyToArrays(cx, body, args);
    for (size_t i = 0; i < arrays.size(); ++i) {
      Literal next = Full(combined[i], {half, layout.kept});
      if (rows % 2 != 0) {
        Literal joined = Literal::Unwritten(next.dtype(), {half + 1, layout.kept});
        llvm::ArrayRef<char> last = arrays[i].raw().take_back(next.raw().size() / static_cast<size_t>(half));
        char* at = std::copy(next.raw().begin(), next.raw().end(), joined.mutable_raw());
        std::copy(last.begin(), last.end(), at);
        next = std::move(joined);
      }
      arrays[i] = std::move(next);
    }
    rows = half + rows % 2;
  }
}

// Any elementwise body, on all kept elements at once.
void ReduceByArrays(op::EvalContext& cx, ir::FuncId body, Columns arrays, const Columns& inits, const Layout& layout) {
  Columns results;
  if (layout.rows == 0) {
    results = inits;
  } else {
    HalveRows(cx, body, arrays, layout);
    Columns args;
    for (const Literal& init : inits) {
      args.push_back(Full(init, {1, layout.kept}));
    }
    args.append(arrays.begin(), arrays.end());
    results = ApplyToArrays(cx, body, args);
  }
  for (const Literal& result : results) {
    cx.results.push_back(Full(result, layout.kept_dims));
  }
}

// Any body at all, one call an element.
void ReduceByElements(op::EvalContext& cx, ir::FuncId body, const Columns& arrays, const Columns& inits,
                      const Layout& layout) {
  size_t n = arrays.size();
  for (const Literal& x : arrays) {
    cx.results.emplace_back(x.dtype(), layout.kept_dims);
  }
  for (int64_t k = 0; k < layout.kept; ++k) {
    Columns state = inits;
    for (int64_t r = 0; r < layout.rows; ++r) {
      Columns args = state;
      for (const Literal& x : arrays) {
        args.push_back(CopyStrided(x, {}, {}, r * layout.kept + k));
      }
      state = cx.call(body, args);
    }
    for (size_t i = 0; i < n; ++i) {
      size_t width = state[i].raw().size();
      std::copy(state[i].raw().begin(), state[i].raw().end(),
                cx.results[i].mutable_raw() + static_cast<size_t>(k) * width);
    }
  }
}

}  // namespace

bool EvalReduce(op::EvalContext& cx) {
  size_t n = cx.operands.size() / 2;
  ir::FuncId body = cx.function.bodies(cx.inst)[0];
  Layout layout = MakeLayout(cx.operand(0).dims(), cx.attrs<ReduceAttrs>().dims);
  Columns arrays, inits;
  bool known = true;
  for (size_t i = 0; i < n; ++i) {
    arrays.push_back(Transposed(cx.operand(i), layout.order));
    inits.push_back(cx.operand(n + i));
    known = known && op::RecognizeMonoid(cx.module, body, i) != Monoid::None;
  }
  if (known) {
    for (size_t i = 0; i < n; ++i) {
      Monoid monoid = op::RecognizeMonoid(cx.module, body, i);
      Literal result = FoldMonoid(monoid, ToCompute(arrays[i]), ToCompute(inits[i]), layout);
      cx.results.push_back(FromCompute(std::move(result), arrays[i].dtype()));
    }
  } else if (IsElementwiseBody(cx.module, body)) {
    ReduceByArrays(cx, body, std::move(arrays), inits, layout);
  } else {
    ReduceByElements(cx, body, arrays, inits, layout);
  }
  return true;
}

}  // namespace spmdc::ops
