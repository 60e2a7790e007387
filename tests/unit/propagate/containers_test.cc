// Tests of the small containers that propagation keeps its graphs in.
#include "gtest/gtest.h"
#include "propagate/small_list.h"
#include "support/key_table.h"

namespace spmdc::propagate {
namespace {

TEST(SmallList, GrowsFromInlineToHeapAndIsCopied) {
  SmallList<int32_t> list;
  for (int32_t i = 0; i < 100; ++i) {
    list.push_back(i);
    ASSERT_EQ(list.size(), static_cast<size_t>(i) + 1);
    ASSERT_EQ(list.front(), 0);
    ASSERT_EQ(list.back(), i);
  }
  SmallList<int32_t> copy = list;
  list.clear();
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(copy[57], 57);
  copy.erase(copy.begin() + 2, copy.end());
  list = copy;
  EXPECT_EQ(llvm::ArrayRef<int32_t>(list), llvm::ArrayRef<int32_t>({0, 1}));
  SmallList<int32_t> moved = std::move(copy);
  moved.resize(4, 7);
  EXPECT_EQ(llvm::ArrayRef<int32_t>(moved), llvm::ArrayRef<int32_t>({0, 1, 7, 7}));
}

TEST(KeyTable, NumbersKeysInTheOrderInWhichTheyCome) {
  KeyTable table;
  EXPECT_EQ(table.Find({1, 2}), KeyTable::kUnknown);
  for (int32_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(table.Insert({i, i * i}), std::pair(i, true));
  }
  EXPECT_EQ(table.Insert({30, 900}), std::pair(30, false));
  EXPECT_EQ(table.Find({999, 999 * 999}), 999);
  EXPECT_EQ(table.Find({30}), KeyTable::kUnknown);
  EXPECT_EQ(table.Insert({}), std::pair(1000, true));
  EXPECT_EQ(table.size(), 1001U);
}

}  // namespace
}  // namespace spmdc::propagate
