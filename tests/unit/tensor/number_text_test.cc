// Numbers in texts: the bits they stand for, and the range of each type.
#include "tensor/number_text.h"

#include <utility>

#include "gtest/gtest.h"

namespace spmdc::tensor {
namespace {

TEST(NumberText, IntegersEndWhereTheirTypeEnds) {
  auto in_range = [](DType type, std::initializer_list<const char*> good, std::initializer_list<const char*> bad) {
    for (const char* word : good) {
      EXPECT_TRUE(IntegerBits(word, 10, type)) << word;
    }
    for (const char* word : bad) {
      EXPECT_FALSE(IntegerBits(word, 10, type)) << word;
    }
  };
  in_range(DType::S8, {"127", "-128", "-0", "+5"}, {"128", "-129", "1.5", "", "x", "0x7F"});
  in_range(DType::U8, {"255", "-0"}, {"256", "-1", "-255"});
  in_range(DType::S4, {"7", "-8"}, {"8", "-9"});
  in_range(DType::S64, {"9223372036854775807", "-9223372036854775808"}, {"9223372036854775808"});
  in_range(DType::U64, {"18446744073709551615"}, {"18446744073709551616", "-1"});
  in_range(DType::Pred, {"0", "1", "2"}, {"-1"});
}

TEST(NumberText, HexadecimalDigitsAreBits) {
  EXPECT_EQ(IntegerBits("0xFF", 0, DType::S8), 0xFFu);
  EXPECT_FALSE(IntegerBits("0x100", 0, DType::S8));
  EXPECT_FALSE(IntegerBits("255", 0, DType::S8));
}

TEST(NumberText, FloatsTooLargeAreRefusedOrInfinite) {
  for (auto [type, word] : {std::pair<DType, const char*>{DType::F16, "65520"},
                            {DType::BF16, "1e39"},
                            {DType::F32, "3.5e38"},
                            {DType::F64, "1e400"},
                            {DType::F8E5M2, "70000"},
                            {DType::F8E4M3FN, "480"}}) {
    EXPECT_FALSE(FloatBits(word, type, Overflow::Refused)) << word;
    EXPECT_TRUE(FloatBits(word, type, Overflow::Infinity)) << word;
  }
  EXPECT_EQ(FloatBits("1e39", DType::F32, Overflow::Infinity), 0x7F800000u);
  EXPECT_EQ(FloatBits("65519", DType::F16, Overflow::Refused), 0x7BFFu);
  EXPECT_EQ(FloatBits("-inf", DType::F32, Overflow::Refused), 0xFF800000u);
}

TEST(NumberText, FloatsTooSmallAreZero) {
  EXPECT_EQ(FloatBits("1e-60", DType::F32, Overflow::Refused), 0u);
  EXPECT_EQ(FloatBits("1e-400", DType::F64, Overflow::Refused), 0u);
  EXPECT_FALSE(FloatBits("1e", DType::F64, Overflow::Refused));
}

}  // namespace
}  // namespace spmdc::tensor
