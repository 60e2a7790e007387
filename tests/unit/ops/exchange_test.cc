// Exchanges along sharded dims, held to the global program: every small size, count and shift.
#include <gtest/gtest.h>

#include "bench.h"
#include "ops/exchange.h"
#include "ops/slice.h"

namespace spmdc::ops::test {
namespace {

using ir::OpKind;
using tensor::Dims;
using tensor::DType;
using tensor::Literal;

// One op along dim 0 of an s32[n,2] that lies in blocks over an axis of `count`; the result lies so too.
template <typename T>
std::string Along(int64_t n, int64_t count, OpKind kind, T attrs, size_t arrays = 1, bool scalar = false) {
  std::mt19937 random(5);
  Bench bench({{"x", count}, {"y", 2}});
  llvm::SmallVector<ir::ValueId, 3> operands;
  std::vector<Literal> args;
  for (size_t i = 0; i < arrays; ++i) {
    operands.push_back(bench.Arg(DType::S32, {n, 2}, bench.Sharded({"x", ""})));
    args.push_back(Random(random, DType::S32, {n, 2}, -50, 50));
  }
  if (scalar) {
    operands.push_back(bench.Arg(DType::S32, {}, bench.Sharded({})));
    args.push_back(Literal::Integer(DType::S32, {}, 7));
  }
  bench.Result(bench.Place(bench.Add(kind, operands, attrs), bench.Sharded({"x", ""})));
  return ComparePartitioned(bench, args);
}

TEST(Exchange, SlicesOfEverySize) {
  for (int64_t count : {2, 3, 4}) {
    for (int64_t n = 1; n <= 9; ++n) {
      for (int64_t start = 0; start < n; ++start) {
        for (int64_t limit = start + 1; limit <= n; ++limit) {
          for (int64_t stride : {1, 2, 3}) {
            EXPECT_EQ(Along(n, count, OpKind::Slice, SliceAttrs{{start, 0}, {limit, 2}, {stride, 1}}), "")
                << n << " over " << count << ": " << start << ":" << limit << ":" << stride;
          }
        }
      }
    }
  }
}

TEST(Exchange, PadsOfEveryKind) {
  for (int64_t count : {2, 3, 4}) {
    for (int64_t n : {1, 2, 5, 8}) {
      for (int64_t low : {-1, 0, 1, 5}) {
        for (int64_t high : {-1, 0, 2, 9}) {
          for (int64_t interior : {0, 1, 2}) {
            if (low + high + n > 0) {
              EXPECT_EQ(Along(n, count, OpKind::Pad, PadAttrs{{low, 0}, {high, 0}, {interior, 0}}, 1, true), "")
                  << n << " over " << count << ": " << low << ", " << high << ", " << interior;
            }
          }
        }
      }
    }
  }
}

TEST(Exchange, JoinsAndTurns) {
  for (int64_t count : {2, 3, 4}) {
    for (int64_t n = 1; n <= 9; ++n) {
      EXPECT_EQ(Along(n, count, OpKind::Reverse, ReverseAttrs{{0}}), "") << n << " over " << count;
      EXPECT_EQ(Along(n, count, OpKind::Concatenate, ConcatenateAttrs{0}, 2), "") << n << " over " << count;
      EXPECT_EQ(Along(n, count, OpKind::Concatenate, ConcatenateAttrs{0}, 3), "") << n << " over " << count;
    }
  }
}

TEST(Exchange, AShiftByOneSendsOneElement) {
  ExchangePlan plan = PlanExchange(BlocksOf(1000, 10), EvenNeed(10, 1, 100, 100));
  EXPECT_EQ(plan.way, ExchangePlan::Way::Shift);
  EXPECT_EQ(plan.sent, 1);
  EXPECT_EQ(plan.collectives, 1);
  // The last device needs nothing that exists: nine pairs.
  EXPECT_EQ(plan.strips[0].pairs.size(), 9U);
}

TEST(Exchange, PartsOfABlockForTwoDevicesTakeTwoPermutes) {
  // The first half of a dim, spread over all: device k needs half of block k / 2.
  ExchangePlan plan = PlanExchange(BlocksOf(64, 8), EvenNeed(8, 0, 4, 4));
  EXPECT_EQ(plan.way, ExchangePlan::Way::Permute);
  EXPECT_EQ(plan.sent, 8);
  EXPECT_EQ(plan.collectives, 2);
}

TEST(Exchange, WhatCostsAllIsGathered) {
  ExchangePlan plan = PlanExchange(BlocksOf(8, 4), EvenNeed(4, -7, 2, 8));
  EXPECT_EQ(plan.way, ExchangePlan::Way::Gather);
  EXPECT_EQ(plan.sent, 6);
}

}  // namespace
}  // namespace spmdc::ops::test
