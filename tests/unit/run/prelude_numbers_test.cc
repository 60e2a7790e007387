// What functions of the prelude compute where numbers are at an end: infinities, NaN, zeros with a sign.
#include <cmath>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"
#include "run/run.h"
#include "text/native/reader.h"

namespace spmdc::run {
namespace {

// The elements of the first result of `main` with this body, which has no arguments.
std::vector<double> Numbers(const std::string& expression) {
  source::SourceManager sources;
  diag::Engine diags(&sources);
  std::string printed;
  llvm::raw_string_ostream out(printed);
  std::string program = "def main():\n    return " + expression + "\n";
  std::optional<ir::Module> module = text::native::Read(sources.Add("t.spmd", program), {}, diags, out);
  if (!module) {
    ADD_FAILURE() << expression << " is refused";
    return {};
  }
  auto results = RunGlobal(*module, {}, {}, diags);
  std::vector<double> numbers;
  for (int64_t i = 0; results && i < (*results)[0].size(); ++i) {
    numbers.push_back((*results)[0].GetReal(i));
  }
  return numbers;
}

TEST(Numbers, CloseToAnInfinityIsOnlyItself) {
  EXPECT_EQ(Numbers("jnp.isclose(jnp.array([1.0, -inf, inf, inf]), jnp.array([inf, inf, inf, 1.0]))"),
            (std::vector<double>{0, 0, 1, 0}));
  EXPECT_EQ(Numbers("jnp.isclose(jnp.array([nan, nan]), jnp.array([nan, 1.0]), equal_nan=True)"),
            (std::vector<double>{1, 0}));
}

TEST(Numbers, HypotOfAnInfinity) {
  EXPECT_EQ(Numbers("jnp.hypot(jnp.array([inf, -inf, 3.0]), jnp.array([inf, nan, 4.0]))"),
            (std::vector<double>{INFINITY, INFINITY, 5}));
}

TEST(Numbers, ZeroHasASign) {
  EXPECT_EQ(Numbers("jnp.signbit(jnp.array([-0.0, 0.0, -1.0]))"), (std::vector<double>{1, 0, 1}));
  EXPECT_EQ(Numbers("jnp.copysign(jnp.array([1.0, -1.0]), jnp.array([-0.0, 0.0]))"), (std::vector<double>{-1, 1}));
}

TEST(Numbers, HeavisideOfNaN) {
  std::vector<double> numbers = Numbers("jnp.heaviside(jnp.array([nan, 0.0, -2.0, 2.0]), 0.5)");
  ASSERT_EQ(numbers.size(), 4u);
  EXPECT_TRUE(std::isnan(numbers[0]));
  EXPECT_EQ(std::vector<double>(numbers.begin() + 1, numbers.end()), (std::vector<double>{0.5, 0, 1}));
}

TEST(Numbers, BitsAreCountedOfTheAbsoluteValue) {
  EXPECT_EQ(Numbers("jnp.bitwise_count(jnp.array([-7, 7, 0]))"), (std::vector<double>{3, 3, 0}));
}

TEST(Numbers, OrdersAndShifts) {
  std::string x = "jnp.reshape(jnp.arange(6.0), (2, 3))";
  EXPECT_EQ(Numbers("jnp.ravel(" + x + ", order='F')"), (std::vector<double>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(Numbers("jnp.roll(" + x + ", (1, 1), 1)"), (std::vector<double>{1, 2, 0, 4, 5, 3}));
  EXPECT_EQ(Numbers("jnp.roll(" + x + ", jnp.array(4), 1)"), (std::vector<double>{2, 0, 1, 5, 3, 4}));
}

TEST(Numbers, PlacesOutsideAreFilled) {
  EXPECT_EQ(Numbers("jnp.arange(3.0).at[-4].get(mode='fill', fill_value=7.0)"), (std::vector<double>{7}));
  EXPECT_EQ(Numbers("jnp.arange(3.0).at[-3].get(mode='fill', fill_value=7.0)"), (std::vector<double>{0}));
}

TEST(Numbers, MaskedLogitsAreNegativeInfinities) {
  EXPECT_EQ(Numbers("jax.nn.log_softmax(jnp.zeros(2), where=jnp.array([True, False]))"),
            (std::vector<double>{0, -INFINITY}));
}

}  // namespace
}  // namespace spmdc::run
