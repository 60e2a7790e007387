// Products of matrices against sums in f64: sizes around panels and registers, small ones and those that oneDNN gets.
#include "ops/matmul.h"

#include <random>

#include "gtest/gtest.h"

namespace spmdc::ops {
namespace {

using tensor::DType;
using tensor::Literal;

Literal Random(DType dtype, const tensor::Dims& dims, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<double> numbers(static_cast<size_t>(tensor::NumElements(dims)));
  for (double& x : numbers) {
    x = static_cast<double>(random() % 2048) / 1024 - 1;  // exact in every float type here
  }
  return Literal::Numbers(dtype, dims, numbers);
}

class MatmulOfSizes : public testing::TestWithParam<std::tuple<DType, MatrixSizes>> {};

TEST_P(MatmulOfSizes, IsTheSumOfProducts) {
  auto [dtype, sizes] = GetParam();
  Literal a = Random(dtype, {sizes.batch, sizes.rows, sizes.k}, 1);
  Literal b = Random(dtype, {sizes.batch, sizes.k, sizes.columns}, 2);
  Literal c = MultiplyMatrices(a, b, sizes);
  ASSERT_EQ(c.dims(), llvm::ArrayRef<int64_t>({sizes.batch, sizes.rows, sizes.columns}));
  double allowed = static_cast<double>(sizes.k) * tensor::Epsilon(dtype);
  for (int64_t at = 0; at < c.size(); ++at) {
    int64_t column = at % sizes.columns, row = at / sizes.columns;  // of all batches' rows
    const int64_t first = row / sizes.rows * sizes.k * sizes.columns + column;
    double sum = 0;
    for (int64_t k = 0; k < sizes.k; ++k) {
      sum += a.GetReal(row * sizes.k + k) * b.GetReal(first + k * sizes.columns);
    }
    ASSERT_NEAR(c.GetReal(at), sum, allowed) << at;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, MatmulOfSizes,
                         testing::Combine(testing::Values(DType::F32, DType::F64),
                                          testing::Values(MatrixSizes{1, 1, 1, 1}, MatrixSizes{2, 5, 3, 17},
                                                          MatrixSizes{1, 13, 0, 4}, MatrixSizes{1, 7, 64, 15},
                                                          MatrixSizes{3, 61, 59, 67}, MatrixSizes{1, 1, 400, 401},
                                                          MatrixSizes{1, 128, 96, 80})));

// Whatever multiplies, NaN and infinity go where they belong.
TEST(Matmul, NaNStaysInItsRow) {
  MatrixSizes sizes{1, 64, 64, 64};
  Literal a = Random(DType::F32, {1, 64, 64}, 1), b = Random(DType::F32, {1, 64, 64}, 2);
  a.mutable_data<float>()[64 * 5 + 7] = std::numeric_limits<float>::quiet_NaN();
  Literal c = MultiplyMatrices(a, b, sizes);
  for (int64_t at = 0; at < c.size(); ++at) {
    EXPECT_EQ(std::isnan(c.GetReal(at)), at / 64 == 5) << at;
  }
}

}  // namespace
}  // namespace spmdc::ops
