// Evaluation of slices, gathers, scatters and collectives against their definitions, element by element.
#include <gtest/gtest.h>

#include <algorithm>

#include "bench.h"
#include "ops/addressing.h"
#include "ops/gather.h"
#include "ops/slice.h"

namespace spmdc::ops::test {
namespace {

using ir::OpKind;
using tensor::Dims;
using tensor::DType;
using tensor::Literal;

int64_t At(const Literal& x, llvm::ArrayRef<int64_t> index) {
  Dims strides = tensor::Strides(x.dims());
  int64_t at = 0;
  for (size_t d = 0; d < index.size(); ++d) {
    at += index[d] * strides[d];
  }
  return x.GetInt(at);
}

// Every index of dims, in order.
void ForEach(llvm::ArrayRef<int64_t> dims, llvm::function_ref<void(const Dims&)> f) {
  Dims index(dims.size(), 0);
  if (tensor::NumElements(dims) == 0) {
    return;
  }
  do {
    f(index);
  } while (!index.empty() && tensor::NextIndex(index, dims));
}

template <typename Attrs>
Literal RunOp(OpKind kind, Attrs attrs, llvm::ArrayRef<Literal> args) {
  Bench bench;
  llvm::SmallVector<ir::ValueId, 4> operands;
  for (const Literal& arg : args) {
    operands.push_back(bench.Arg(arg.dtype(), arg.dims()));
  }
  ir::ValueId result = bench.Add(kind, operands, std::move(attrs));
  EXPECT_TRUE(result.valid()) << bench.FirstError();
  bench.Result(result);
  return result.valid() ? Evaluate(bench.module, bench.main, args)[0] : Literal();
}

Literal Counting(llvm::ArrayRef<int64_t> dims) {
  Literal x(DType::S32, dims);
  for (int64_t i = 0; i < x.size(); ++i) {
    x.SetInt(i, i + 1);
  }
  return x;
}

TEST(SliceEval, TakesEveryStride) {
  Literal x = Counting({5, 7});
  Literal y = RunOp(OpKind::Slice, SliceAttrs{{1, 0}, {5, 7}, {2, 3}}, {x});
  ASSERT_EQ(llvm::ArrayRef<int64_t>(y.dims()), llvm::ArrayRef<int64_t>({2, 3}));
  ForEach(y.dims(), [&](const Dims& i) { EXPECT_EQ(At(y, i), At(x, {1 + 2 * i[0], 3 * i[1]})); });
}

TEST(PadEval, EveryLowHighAndInterior) {
  Literal x = Counting({4}), value = Literal::Integer(DType::S32, {}, -1);
  for (int64_t low : {-5, -4, -2, -1, 0, 1, 3}) {
    for (int64_t high : {-5, -3, -1, 0, 2}) {
      for (int64_t interior : {0, 1, 2}) {
        int64_t size = low + high + 4 + 3 * interior;
        if (size < 0) {
          continue;
        }
        Literal y = RunOp(OpKind::Pad, PadAttrs{{low}, {high}, {interior}}, {x, value});
        ASSERT_EQ(y.size(), size);
        for (int64_t i = 0; i < size; ++i) {
          int64_t from = i - low;
          bool real = from >= 0 && from % (interior + 1) == 0 && from / (interior + 1) < 4;
          EXPECT_EQ(y.GetInt(i), real ? 1 + from / (interior + 1) : -1) << low << " " << high << " " << interior;
        }
      }
    }
  }
}

TEST(PieceEval, ConcatenateAndReverse) {
  Literal a = Counting({2, 3}), b = Counting({2, 2});
  Literal joined = RunOp(OpKind::Concatenate, ConcatenateAttrs{1}, {a, b, a});
  ForEach(joined.dims(), [&](const Dims& i) {
    int64_t want = i[1] < 3 ? At(a, i) : i[1] < 5 ? At(b, {i[0], i[1] - 3}) : At(a, {i[0], i[1] - 5});
    EXPECT_EQ(At(joined, i), want);
  });
  Literal x = Counting({2, 3, 4});
  Literal y = RunOp(OpKind::Reverse, ReverseAttrs{{0, 2}}, {x});
  ForEach(y.dims(), [&](const Dims& i) { EXPECT_EQ(At(y, i), At(x, {1 - i[0], i[1], 3 - i[2]})); });
}

TEST(PieceEval, SplatsAndEmptyArrays) {
  Literal splat = Literal::Integer(DType::S32, {3, 2}, 7);
  EXPECT_EQ(RunOp(OpKind::Slice, SliceAttrs{{1, 1}, {2, 2}, {1, 1}}, {splat}).GetInt(0), 7);
  EXPECT_EQ(RunOp(OpKind::Slice, SliceAttrs{{1, 1}, {1, 2}, {1, 1}}, {splat}).size(), 0);
  EXPECT_EQ(RunOp(OpKind::Reverse, ReverseAttrs{{0}}, {Literal(DType::S32, {0, 2})}).size(), 0);
}

// A random gather or scatter geometry: which operand dims are batching, collapsed, addressed; where the windows' dims are.
struct Geometry {
  Dims operand, indices, windows;
  GatherAttrs attrs;
};

Geometry RandomGeometry(std::mt19937& random) {
  Geometry g;
  auto pick = [&](uint64_t n) { return static_cast<int64_t>(random() % n); };
  Dims batch_sizes;
  int64_t rank = 1 + pick(4);
  Dims batch = {1 + pick(3), 1 + pick(3)};
  batch.resize(static_cast<size_t>(pick(3)));
  g.attrs.index_vector_dim = pick(batch.size() + 1);
  Dims window_sizes;
  for (int64_t d = 0; d < rank; ++d) {
    int64_t size = 1 + pick(5);
    int64_t role = pick(4);  // 0: batching, 1: collapsed, 2 and 3: a window
    if (role == 0 && g.attrs.operand_batching_dims.size() < batch.size()) {
      size = batch[g.attrs.operand_batching_dims.size()];
      g.attrs.operand_batching_dims.push_back(d);
    } else if (role == 1) {
      g.attrs.collapsed_slice_dims.push_back(d);
    } else {
      window_sizes.push_back(pick(3) == 0 ? size : 1 + pick(static_cast<uint64_t>(size)));
    }
    bool batching = llvm::is_contained(g.attrs.operand_batching_dims, d);
    if (!batching && pick(3) != 0) {
      g.attrs.start_index_map.insert(g.attrs.start_index_map.begin() + pick(g.attrs.start_index_map.size() + 1), d);
    }
    g.operand.push_back(size);
    bool window = !batching && !llvm::is_contained(g.attrs.collapsed_slice_dims, d);
    g.attrs.slice_sizes.push_back(window ? window_sizes.back() : 1);
  }
  g.indices = batch;
  g.indices.insert(g.indices.begin() + g.attrs.index_vector_dim, static_cast<int64_t>(g.attrs.start_index_map.size()));
  for (size_t i = 0; i < g.attrs.operand_batching_dims.size(); ++i) {
    int64_t e = static_cast<int64_t>(i);
    g.attrs.start_indices_batching_dims.push_back(e >= g.attrs.index_vector_dim ? e + 1 : e);
  }
  // The windows' dims and the batch dims, mixed.
  size_t window = 0, number = 0;
  while (window < window_sizes.size() || number < batch.size()) {
    bool take_window = number == batch.size() || (window < window_sizes.size() && pick(2) == 0);
    if (take_window) {
      g.attrs.offset_dims.push_back(static_cast<int64_t>(g.windows.size()));
    }
    g.windows.push_back(take_window ? window_sizes[window++] : batch[number++]);
  }
  return g;
}

// The start that the indices say for the window that an element of the windows belongs to, and its place in the window.
void Locate(const Geometry& g, const Literal& indices, const Dims& element, Dims& start, Dims& inside) {
  Addressing a = AddressingOf(g.attrs);
  start.assign(g.operand.size(), 0);
  inside.assign(g.operand.size(), 0);
  Dims number, at(g.indices.size(), 0);
  size_t window = 0;
  Dims operand_dims = OperandWindowDims(a, g.operand.size());
  for (size_t d = 0; d < element.size(); ++d) {
    if (llvm::is_contained(g.attrs.offset_dims, static_cast<int64_t>(d))) {
      inside[static_cast<size_t>(operand_dims[window++])] = element[d];
    } else {
      number.push_back(element[d]);
    }
  }
  size_t k = 0;
  for (size_t e = 0; e < g.indices.size(); ++e) {
    if (static_cast<int64_t>(e) != g.attrs.index_vector_dim) {
      at[e] = number[k++];
    }
  }
  for (size_t c = 0; c < g.attrs.start_index_map.size(); ++c) {
    at[static_cast<size_t>(g.attrs.index_vector_dim)] = static_cast<int64_t>(c);
    start[static_cast<size_t>(g.attrs.start_index_map[c])] = At(indices, at);
  }
  for (size_t i = 0; i < g.attrs.operand_batching_dims.size(); ++i) {
    start[static_cast<size_t>(g.attrs.operand_batching_dims[i])] =
        at[static_cast<size_t>(g.attrs.start_indices_batching_dims[i])];
  }
}

TEST(GatherEval, RandomGeometries) {
  std::mt19937 random(41);
  for (int trial = 0; trial < 400; ++trial) {
    Geometry g = RandomGeometry(random);
    Literal x = Counting(g.operand), indices = Random(random, DType::S32, g.indices, -3, 7);
    Literal y = RunOp(OpKind::Gather, g.attrs, {x, indices});
    ASSERT_EQ(llvm::ArrayRef<int64_t>(y.dims()), llvm::ArrayRef<int64_t>(g.windows)) << trial;
    ForEach(y.dims(), [&](const Dims& i) {
      Dims start, inside;
      Locate(g, indices, i, start, inside);
      for (size_t d = 0; d < start.size(); ++d) {
        start[d] = std::clamp<int64_t>(start[d], 0, g.operand[d] - g.attrs.slice_sizes[d]) + inside[d];
      }
      ASSERT_EQ(At(y, i), At(x, start)) << trial;
    });
  }
}

TEST(ScatterEval, RandomGeometries) {
  std::mt19937 random(43);
  for (int trial = 0; trial < 400; ++trial) {
    Geometry g = RandomGeometry(random);
    ScatterAttrs attrs;
    attrs.update_window_dims = g.attrs.offset_dims;
    attrs.inserted_window_dims = g.attrs.collapsed_slice_dims;
    attrs.input_batching_dims = g.attrs.operand_batching_dims;
    attrs.scatter_indices_batching_dims = g.attrs.start_indices_batching_dims;
    attrs.scatter_dims_to_operand_dims = g.attrs.start_index_map;
    attrs.index_vector_dim = g.attrs.index_vector_dim;
    Literal x = Counting(g.operand), indices = Random(random, DType::S32, g.indices, -2, 5);
    Literal updates = Random(random, DType::S32, g.windows, 1, 99);
    Bench bench;
    ir::ValueId y = bench.Add(
        OpKind::Scatter,
        {bench.Arg(DType::S32, g.operand), bench.Arg(DType::S32, g.indices), bench.Arg(DType::S32, g.windows)}, attrs,
        {bench.Body(OpKind::Add, DType::S32)});
    ASSERT_TRUE(y.valid()) << bench.FirstError();
    bench.Result(y);
    Literal want = x.Materialize();
    ForEach(g.windows, [&](const Dims& i) {
      Dims start, inside;
      Locate(g, indices, i, start, inside);
      Dims strides = tensor::Strides(g.operand);
      int64_t at = 0;
      for (size_t d = 0; d < start.size(); ++d) {
        if (start[d] < 0 || start[d] > g.operand[d] - g.attrs.slice_sizes[d]) {
          return;
        }
        at += (start[d] + inside[d]) * strides[d];
      }
      want.SetInt(at, want.GetInt(at) + At(updates, i));
    });
    EXPECT_EQ(Evaluate(bench.module, bench.main, {x, indices, updates})[0], want) << trial;
  }
}

// A body that is no monoid is called for every element, in order.
TEST(ScatterEval, BodiesOfAnyKind) {
  Bench bench;
  ScatterAttrs attrs;
  attrs.inserted_window_dims = attrs.scatter_dims_to_operand_dims = {0};
  attrs.index_vector_dim = 1;
  llvm::SmallVector<ir::ValueId, 3> operands = {bench.Arg(DType::S32, {3}), bench.Arg(DType::S32, {3, 1}),
                                                bench.Arg(DType::S32, {3})};
  Literal x = Counting({3}), ids = Literal::Integers(DType::S32, {3, 1}, {1, 1, 5});
  Literal updates = Literal::Integers(DType::S32, {3}, {10, 20, 30});
  for (auto [op, want] : {std::pair<OpKind, int64_t>{OpKind::Subtract, 2 - 10 - 20}, {OpKind::Opaque, 20}}) {
    bench.function().results.clear();
    bench.Result(bench.Add(OpKind::Scatter, operands, attrs, {bench.Body(op, DType::S32)}));
    Literal y = Evaluate(bench.module, bench.main, {x, ids, updates})[0];
    EXPECT_EQ(y.GetInt(0), 1);
    EXPECT_EQ(y.GetInt(1), want);
    EXPECT_EQ(y.GetInt(2), 3);
  }
}

// --- collectives ---

std::vector<Literal> Collect(op::CollectiveKind kind, std::vector<Literal> members, int64_t dim, int64_t concat = 0,
                             mesh::Monoid monoid = mesh::Monoid::Sum) {
  op::Collective c;
  c.kind = kind;
  c.dim = dim;
  c.concat_dim = concat;
  c.monoid = monoid;
  std::vector<const Literal*> operands;
  for (const Literal& member : members) {
    operands.push_back(&member);
  }
  return EvalCollective(c, operands);
}

TEST(CollectiveEval, EveryKind) {
  Literal a = Literal::Integers(DType::S32, {2, 2}, {1, 2, 3, 4}),
          b = Literal::Integers(DType::S32, {2, 2}, {5, 6, 7, 8});
  Literal sum = Literal::Integers(DType::S32, {2, 2}, {6, 8, 10, 12});
  EXPECT_EQ(Collect(op::CollectiveKind::AllReduce, {a, b}, 0), std::vector<Literal>({sum, sum}));
  Literal joined = Literal::Integers(DType::S32, {2, 4}, {1, 2, 5, 6, 3, 4, 7, 8});
  EXPECT_EQ(Collect(op::CollectiveKind::AllGather, {a, b}, 1), std::vector<Literal>({joined, joined}));
  EXPECT_EQ(Collect(op::CollectiveKind::ReduceScatter, {a, b}, 0),
            std::vector<Literal>(
                {Literal::Integers(DType::S32, {1, 2}, {6, 8}), Literal::Integers(DType::S32, {1, 2}, {10, 12})}));
  // Rows are cut, columns joined: device 0 gets the first rows.
  EXPECT_EQ(Collect(op::CollectiveKind::AllToAll, {a, b}, 0, 1),
            std::vector<Literal>({Literal::Integers(DType::S32, {1, 4}, {1, 2, 5, 6}),
                                  Literal::Integers(DType::S32, {1, 4}, {3, 4, 7, 8})}));
}

// 256 + 1 + 1 in bf16 steps stays 256; in f32 with one rounding it is 258.
TEST(CollectiveEval, NarrowFloatsAreRoundedOnce) {
  Literal big = Literal::Number(DType::BF16, {1}, 256), one = Literal::Number(DType::BF16, {1}, 1);
  EXPECT_EQ(Collect(op::CollectiveKind::AllReduce, {big, one, one}, 0)[0].GetReal(0), 258);
}

TEST(CollectiveEval, IntegersWrapAndPredsCombine) {
  Literal most = Literal::Integer(DType::S8, {1}, 127), one = Literal::Integer(DType::S8, {1}, 1);
  EXPECT_EQ(Collect(op::CollectiveKind::AllReduce, {most, one}, 0)[0].GetInt(0), -128);
  Literal large = Literal::Integer(DType::U64, {1}, -1), small = Literal::Integer(DType::U64, {1}, 3);
  EXPECT_EQ(Collect(op::CollectiveKind::AllReduce, {large, small}, 0, 0, mesh::Monoid::Max)[0].GetInt(0), -1);
  Literal yes = Literal::Integer(DType::Pred, {1}, 1);
  EXPECT_EQ(Collect(op::CollectiveKind::AllReduce, {yes, yes}, 0)[0].GetInt(0), 1);
}

TEST(CollectiveEval, PermuteBringsZerosFromNobody) {
  op::Collective c;
  c.kind = op::CollectiveKind::Permute;
  c.pairs = {{0, 1}, {1, 2}};
  Literal a = Counting({2}), b = Literal::Integer(DType::S32, {2}, 9), d = b;
  std::vector<const Literal*> operands = {&a, &b, &d};
  EXPECT_EQ(EvalPermute(c, operands, 0), Literal(DType::S32, {2}));
  EXPECT_EQ(EvalPermute(c, operands, 1), a);
  EXPECT_EQ(EvalPermute(c, operands, 2), b);
}

}  // namespace
}  // namespace spmdc::ops::test
