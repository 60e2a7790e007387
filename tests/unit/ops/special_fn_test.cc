// Special functions against numbers that are right to the last digit, and XLA's answers at the edges.
#include "ops/special_fn.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"
#include "llvm/ADT/ArrayRef.h"

namespace spmdc::ops::fn {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Known {
  double x, y;
};

// As near as XLA's approximations come: some roundings in double, some more in float.
void ExpectKnown(llvm::ArrayRef<Known> known, double (*wide)(double), float (*single)(float),
                 double wide_error = 1e-14) {
  for (const Known& k : known) {
    EXPECT_NEAR(wide(k.x), k.y, wide_error * std::fabs(k.y)) << k.x;
    EXPECT_NEAR(single(static_cast<float>(k.x)), k.y, 5e-6 * std::fabs(k.y)) << k.x;
  }
}

TEST(SpecialFn, Lgamma) {
  ExpectKnown({{0.25, 1.2880225246980774},
               {0.5, 0.57236494292469997},
               {1.5, -0.12078223763524526},
               {3.7, 1.4280723266653881},
               {10.25, 13.368023671476045},
               {100.0, 359.1342053695754},
               {-0.5, 1.2655121234846454},
               {-2.25, 0.55550154502064741}},
              Lgamma<double>, Lgamma<float>);
  EXPECT_NEAR(Lgamma(1.0), 0, 1e-14);
  for (double pole : {0.0, -0.0, -1.0, -40.0, kInf, -kInf}) {
    EXPECT_EQ(Lgamma(pole), kInf) << pole;
  }
  EXPECT_TRUE(std::isnan(Lgamma(kNan)));
}

TEST(SpecialFn, Digamma) {
  ExpectKnown({{0.25, -4.2274535333762655},
               {1.0, -0.57721566490153287},
               {2.5, 0.70315664064524319},
               {10.25, 2.277704790686724},
               {1000.0, 6.907255195648812},
               {-0.5, 0.036489973978576513},
               {-2.25, 4.1585835646579721}},
              Digamma<double>, Digamma<float>, 1e-13);
  EXPECT_EQ(Digamma(kInf), kInf);
  for (double pole : {0.0, -1.0, -40.0, -kInf, kNan}) {
    EXPECT_TRUE(std::isnan(Digamma(pole))) << pole;
  }
}

TEST(SpecialFn, ErfInv) {
  ExpectKnown({{0.001, 0.00088622715746655202},
               {0.1, 0.088855990494257686},
               {-0.5, -0.47693627620446988},
               {0.9, 1.1630871536766743},
               {0.999, 2.3267537655135242}},
              ErfInv<double>, ErfInv<float>, 1e-13);
  EXPECT_NEAR(ErfInv(0.999999), 3.4589107372754988, 1e-10);  // 1 - x^2 loses digits here
  EXPECT_EQ(ErfInv(1.0), kInf);
  EXPECT_EQ(ErfInv(-1.0), -kInf);
  EXPECT_TRUE(std::signbit(ErfInv(-0.0)));
  for (double outside : {1.5, -2.0, kInf, kNan}) {
    EXPECT_TRUE(std::isnan(ErfInv(outside))) << outside;
  }
}

TEST(SpecialFn, BesselI1e) {
  ExpectKnown({{0.001, 0.00049950031235422132},
               {0.5, 0.15642080318487173},
               {-3.0, -0.19682671329730084},
               {8.0, 0.13414249329269812},
               {9.0, 0.12722498393589121},
               {40.0, 0.062482229074442057},
               {10000.0, 0.0039892731959836622}},
              BesselI1e<double>, BesselI1e<float>);
  EXPECT_EQ(BesselI1e(kInf), 0);
  EXPECT_TRUE(std::signbit(BesselI1e(-kInf)));
  EXPECT_TRUE(std::isnan(BesselI1e(kNan)));
}

TEST(SpecialFn, Zeta) {
  EXPECT_NEAR(Zeta(2.0, 1.0), 1.6449340668482266, 1e-14);
  EXPECT_NEAR(Zeta(1.5, 0.25), 10.213055360466601, 1e-13);
  EXPECT_NEAR(Zeta(3.0F, 10.5F), 0.0049875721238575839, 1e-9);
  EXPECT_EQ(Zeta(1.0, 3.0), kInf);
  EXPECT_EQ(Zeta(2.0, 0.0), kInf);
  EXPECT_EQ(Zeta(4.0, -3.0), kInf);
  EXPECT_TRUE(std::isnan(Zeta(3.0, -3.0)));
  EXPECT_TRUE(std::isnan(Zeta(0.5, 2.0)));
  EXPECT_TRUE(std::isnan(Zeta(2.5, -1.5)));
}

TEST(SpecialFn, Polygamma) {
  EXPECT_NEAR(Polygamma(1.0, 1.0), 1.6449340668482266, 1e-14);
  EXPECT_NEAR(Polygamma(2.0, 0.25), -129.32773993753688, 1e-11);
  EXPECT_NEAR(Polygamma(5.0F, 3.5F), 0.087049178567183458, 1e-6);
  EXPECT_EQ(Polygamma(0.0, 2.5), Digamma(2.5));
  EXPECT_TRUE(std::isnan(Polygamma(-1.0, 2.5)));
  EXPECT_TRUE(std::isnan(Polygamma(0.5, 2.5)));
}

}  // namespace
}  // namespace spmdc::ops::fn
