// Fixes in help lines: what is written reads back, and other lines are none.
#include "diag/fix.h"

#include "gtest/gtest.h"

namespace spmdc::diag {
namespace {

TEST(Fix, IsReadBack) {
  for (const Fix& fix : {Fix{"out_sharding=P('x', None)", "all-reduce of f32[8,4] over 'y'", 128},
                         Fix{"out_sharding=P(unreduced={'y'})", "no communication, the sum stays spread", 0}}) {
    std::optional<Fix> read = FromHelp(ToHelp(fix));
    ASSERT_TRUE(read) << ToHelp(fix);
    EXPECT_EQ(read->edit, fix.edit);
    EXPECT_EQ(read->effect, fix.effect);
    EXPECT_EQ(read->wire_bytes, fix.wire_bytes);
  }
}

TEST(Fix, OtherHelpIsNone) {
  for (const char* help : {"", "did you mean 'x'?", "say one: --mesh=data=4", "names like it: a=b", "a=b", "=b: c",
                           "write --output=FILE", "a b=c: d"}) {
    EXPECT_FALSE(FromHelp(help)) << help;
  }
}

}  // namespace
}  // namespace spmdc::diag
