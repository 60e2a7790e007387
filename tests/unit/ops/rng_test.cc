// rng_bit_generator against the bits that XLA makes of the same state.
#include "ops/rng.h"

#include "gtest/gtest.h"
#include "one_op.h"

namespace spmdc::ops {
namespace {

using tensor::DType;
using tensor::Literal;

struct Bits {
  RngAlgorithm algorithm;
  std::vector<int64_t> state;
  DType dtype;
  std::vector<int64_t> expected, next;
};

void ExpectBits(const Bits& c) {
  OneOp p;
  auto words = static_cast<int64_t>(c.state.size()), count = static_cast<int64_t>(c.expected.size());
  auto made = p.builder->Add(ir::OpKind::RngBitGenerator, {p.Arg(DType::U64, {words})},
                             p.Attrs(RngBitGeneratorAttrs{c.algorithm, c.dtype, {count}}));
  ASSERT_TRUE(made.has_value());
  std::vector<Literal> results = p.EvalAll((*made)[0], {Literal::Integers(DType::U64, {words}, c.state)});
  EXPECT_EQ(results.at(0), Literal::Integers(DType::U64, {words}, c.next));
  EXPECT_EQ(results.at(1), Literal::Integers(c.dtype, {count}, c.expected));
}

constexpr int64_t kKey = 4294967303, kCounter = 12884901930;

TEST(Rng, Philox) {
  std::vector<int64_t> words = {2371708085, 1310132293, 1111397311, 968926247, 907298695};
  ExpectBits({RngAlgorithm::Philox, {kKey, kCounter}, DType::U32, words, {kKey, kCounter + 2}});
  ExpectBits({RngAlgorithm::Default, {kKey, kCounter}, DType::U32, words, {kKey, kCounter + 2}});
  // A part of each word.
  ExpectBits({RngAlgorithm::Philox, {kKey, kCounter}, DType::U8, {181, 69, 191, 39, 135}, {kKey, kCounter + 2}});
  // A counter of 128 bits, and its carry.
  ExpectBits({RngAlgorithm::Philox,
              {kKey, -2, 21474836579},
              DType::U32,
              {1009333598, 3038538121, 2562602873, 1940933338, 4089510435, 971262308, 1078225034, 3109989233,
               3636487263, 2883856086},
              {kKey, 1, 21474836580}});
}

TEST(Rng, ThreeFry) {
  ExpectBits({RngAlgorithm::ThreeFry,
              {kKey, kCounter},
              DType::U32,
              {4226746082, 907623199, 2884833069, 1596117296, 594174270},
              {kKey, kCounter + 3}});
  ExpectBits({RngAlgorithm::ThreeFry,
              {kKey, kCounter},
              DType::U64,
              {3898211961022645986, 6855271589784784685},
              {kKey, kCounter + 2}});
}

}  // namespace
}  // namespace spmdc::ops
