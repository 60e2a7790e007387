// Tests of decoding floats of every type.
#include "run/numbers.h"

#include <gtest/gtest.h>

#include <vector>

#include "literals.h"

namespace spmdc::run {
namespace {

using tensor::DType;

TEST(HasNaN, IsTrueOfNaNAlone) {
  for (DType dtype : {DType::F32, DType::BF16, DType::F16, DType::F64, DType::C64}) {
    EXPECT_FALSE(HasNaN(Of(dtype, {1, -2, kInf, -kInf, 0}))) << tensor::HloName(dtype).str();
    EXPECT_TRUE(HasNaN(Of(dtype, {1, -2, kInf, kNaN}))) << tensor::HloName(dtype).str();
    EXPECT_TRUE(HasNaN(Of(dtype, {-kNaN, 1}))) << tensor::HloName(dtype).str();
  }
  EXPECT_FALSE(HasNaN(Of(DType::S32, {1, -1})));
}

TEST(VisitNumbers, SeesEachNumberOnceInOrder) {
  std::vector<double> numbers(2500);
  for (size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<double>(i);
  }
  std::vector<double> seen;
  EXPECT_TRUE(VisitNumbers(Of(DType::F32, numbers), [&](llvm::ArrayRef<double> some) {
    seen.insert(seen.end(), some.begin(), some.end());
    return true;
  }));
  EXPECT_EQ(seen, numbers);
}

TEST(VisitNumbers, EndsWhereTheVisitorIsDone) {
  int visits = 0;
  EXPECT_FALSE(
      VisitNumbers(Of(DType::F32, std::vector<double>(5000)), [&](llvm::ArrayRef<double>) { return ++visits < 2; }));
  EXPECT_EQ(visits, 2);
}

TEST(LargestFinite, LeavesOutWhatIsNotFinite) {
  EXPECT_EQ(LargestFinite(Of(DType::F32, {1, -3, kInf, kNaN, 2})), 3);
  EXPECT_EQ(LargestFinite(Of(DType::F32, {kNaN, -kInf})), 0);
}

}  // namespace
}  // namespace spmdc::run
