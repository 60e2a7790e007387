// The algebra of axis uses against coordinates counted out at every position.
#include "mesh/axes.h"

#include <map>
#include <set>

#include "gtest/gtest.h"
#include "small_meshes.h"

namespace spmdc::mesh {
namespace {

using test::AllLists;
using test::AllRefs;
using test::Coexist;
using test::Column;
using test::MakeMesh;

// How many pairs of values two columns take together.
size_t Pairs(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  std::set<std::pair<int64_t, int64_t>> pairs;
  for (size_t i = 0; i < a.size(); ++i) {
    pairs.insert({a[i], b[i]});
  }
  return pairs.size();
}

// Whether column b is a function of column a.
bool Determines(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  return Pairs(a, b) == std::set<int64_t>(a.begin(), a.end()).size();
}

std::vector<int64_t> Divided(std::vector<int64_t> column, int64_t by) {
  for (int64_t& value : column) {
    value /= by;
  }
  return column;
}

struct Case {
  Mesh mesh;
  std::vector<AxisList> lists;
  std::vector<std::vector<int64_t>> columns;
};

// Meshes whose pairs of lists are few enough to be tried all.
std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (const Mesh& mesh : {MakeMesh({4}), MakeMesh({6}), MakeMesh({12}), MakeMesh({2, 3}), MakeMesh({4, 2}),
                           MakeMesh({2, 6}), MakeMesh({2, 1, 4}), MakeMesh({2, 2, 2}), MakeMesh({8, 3})}) {
    Case& added = cases.emplace_back(Case{mesh, AllLists(mesh, 2), {}});
    for (const AxisList& list : added.lists) {
      added.columns.push_back(Column(mesh, list));
    }
  }
  return cases;
}

TEST(Axes, CoordinatesCountUp) {
  for (const Mesh& mesh : test::SmallMeshes(24)) {
    for (const AxisList& list : AllLists(mesh, 2)) {
      std::vector<int64_t> column = Column(mesh, list);
      for (int64_t i = 0; i < mesh.size(); ++i) {
        ASSERT_EQ(Coordinate(mesh, list, i), column[static_cast<size_t>(i)]) << Describe(mesh) << ToString(mesh, list);
      }
    }
  }
}

TEST(Axes, PositionStrideStepsTheDigit) {
  for (const Mesh& mesh : test::SmallMeshes(24)) {
    for (AxisRef ref : AllRefs(mesh)) {
      int64_t stride = PositionStride(mesh, ref);
      for (int64_t i = 0; i < mesh.size(); ++i) {
        int64_t digit = test::BruteCoordinate(mesh, {ref}, i);
        if (digit + 1 < ref.size) {
          ASSERT_EQ(test::BruteCoordinate(mesh, {ref}, i + stride), digit + 1);
        }
      }
    }
  }
}

TEST(Axes, OverlapIsSharedInformation) {
  for (const Case& c : Cases()) {
    for (size_t i = 0; i < c.lists.size(); ++i) {
      for (size_t j = 0; j < c.lists.size(); ++j) {
        if (Coexist(c.mesh, c.lists[i], c.lists[j])) {
          auto independent = static_cast<size_t>(Product(c.lists[i]) * Product(c.lists[j]));
          ASSERT_EQ(Overlaps(c.lists[i], c.lists[j]), Pairs(c.columns[i], c.columns[j]) != independent)
              << ToString(c.mesh, c.lists[i]) << " and " << ToString(c.mesh, c.lists[j]);
        }
      }
    }
  }
}

TEST(Axes, CoversMeansDetermines) {
  for (const Case& c : Cases()) {
    for (size_t i = 0; i < c.lists.size(); ++i) {
      for (size_t j = 0; j < c.lists.size(); ++j) {
        if (Coexist(c.mesh, c.lists[i], c.lists[j])) {
          ASSERT_EQ(Covers(c.lists[i], c.lists[j]), Determines(c.columns[i], c.columns[j]))
              << ToString(c.mesh, c.lists[i]) << " and " << ToString(c.mesh, c.lists[j]);
        }
      }
    }
  }
}

TEST(Axes, SubtractLeavesWhatTheOtherDoesNotSay) {
  for (const Case& c : Cases()) {
    for (size_t i = 0; i < c.lists.size(); ++i) {
      for (size_t j = 0; j < c.lists.size(); ++j) {
        if (!Coexist(c.mesh, c.lists[i], c.lists[j])) {
          continue;
        }
        AxisList rest = Subtract(c.lists[i], c.lists[j]);
        std::vector<int64_t> column = Column(c.mesh, rest);
        // The rest is part of a, independent of b, and together with b says as much as a and b.
        ASSERT_TRUE(Determines(c.columns[i], column));
        ASSERT_EQ(Pairs(column, c.columns[j]), static_cast<size_t>(Product(rest) * Product(c.lists[j])));
        ASSERT_EQ(Pairs(column, c.columns[j]), Pairs(c.columns[i], c.columns[j]));
      }
    }
  }
}

TEST(Axes, IntersectIsWhatBothSay) {
  for (const Case& c : Cases()) {
    for (size_t i = 0; i < c.lists.size(); ++i) {
      for (size_t j = 0; j < c.lists.size(); ++j) {
        if (!Coexist(c.mesh, c.lists[i], c.lists[j])) {
          continue;
        }
        AxisList both = Intersect(c.lists[i], c.lists[j]);
        std::vector<int64_t> column = Column(c.mesh, both);
        ASSERT_TRUE(Determines(c.columns[i], column));
        ASSERT_TRUE(Determines(c.columns[j], column));
        ASSERT_EQ(static_cast<size_t>(Product(c.lists[i]) * Product(c.lists[j]) / Product(both)),
                  Pairs(c.columns[i], c.columns[j]));
      }
    }
  }
}

TEST(Axes, CommonPrefixIsTheLongestCommonLeadingNumber) {
  for (const Case& c : Cases()) {
    for (size_t i = 0; i < c.lists.size(); ++i) {
      for (size_t j = 0; j < c.lists.size(); ++j) {
        int64_t a = Product(c.lists[i]);
        int64_t b = Product(c.lists[j]);
        int64_t longest = 1;
        for (int64_t k = 2; k <= a && k <= b; ++k) {
          if (a % k == 0 && b % k == 0 && Divided(c.columns[i], a / k) == Divided(c.columns[j], b / k)) {
            longest = k;
          }
        }
        AxisList prefix = CommonPrefix(c.lists[i], c.lists[j]);
        ASSERT_EQ(Product(prefix), longest) << ToString(c.mesh, c.lists[i]) << " and " << ToString(c.mesh, c.lists[j]);
        ASSERT_EQ(Column(c.mesh, prefix), Divided(c.columns[i], a / longest));
        ASSERT_EQ(IsPrefix(c.lists[i], c.lists[j]), longest == a);
      }
    }
  }
}

TEST(Axes, DropPrefixIsTheMinorPart) {
  for (const Case& c : Cases()) {
    for (size_t i = 0; i < c.lists.size(); ++i) {
      for (const AxisList& prefix : c.lists) {
        if (!IsPrefix(prefix, c.lists[i])) {
          continue;
        }
        AxisList rest = DropPrefix(c.lists[i], prefix);
        std::vector<int64_t> major = Column(c.mesh, prefix);
        std::vector<int64_t> minor = Column(c.mesh, rest);
        for (size_t p = 0; p < major.size(); ++p) {
          ASSERT_EQ(major[p] * Product(rest) + minor[p], c.columns[i][p]);
        }
        AxisList whole = prefix;
        Append(whole, rest);
        ASSERT_EQ(whole, c.lists[i]);
      }
    }
  }
}

TEST(Axes, AtomsAreEqualOrDisjoint) {
  for (const Case& c : Cases()) {
    for (size_t i = 0; i < c.lists.size(); ++i) {
      for (size_t j = 0; j < c.lists.size(); ++j) {
        if (!Coexist(c.mesh, c.lists[i], c.lists[j])) {
          continue;
        }
        AxisList a = CutAtBoundaries(c.lists[i], c.lists[j]);
        AxisList b = CutAtBoundaries(c.lists[j], c.lists[i]);
        ASSERT_EQ(Column(c.mesh, a), c.columns[i]);
        for (AxisRef x : a) {
          for (AxisRef y : b) {
            ASSERT_TRUE(x == y || !Overlaps(x, y));
          }
        }
      }
    }
  }
}

TEST(Axes, SetsUniteOverlaps) {
  EXPECT_EQ(AsSet({{0, 2, 2}, {0, 1, 2}}), AxisList({{0, 1, 4}}));
  EXPECT_EQ(AsSet({{0, 2, 4}, {0, 1, 4}}), AxisList({{0, 1, 8}}));
  EXPECT_EQ(AsSet({{1, 1, 2}, {0, 4, 2}, {0, 1, 2}}), AxisList({{0, 1, 2}, {0, 4, 2}, {1, 1, 2}}));
  EXPECT_EQ(AsSet({{0, 1, 4}, {0, 1, 4}}), AxisList({{0, 1, 4}}));
  EXPECT_EQ(AsSet({{0, 1, 4}, {0, 2, 2}}), AxisList({{0, 1, 4}}));
}

TEST(Axes, UsesThatCannotCoexist) {
  Mesh mesh = MakeMesh({6});
  EXPECT_FALSE(CanCoexist(mesh, {0, 1, 2}, {0, 1, 3}));
  EXPECT_FALSE(CanCoexist(mesh, {0, 1, 2}, {0, 3, 2}));
  EXPECT_TRUE(CanCoexist(mesh, {0, 1, 2}, {0, 2, 3}));
  // What such uses leave of each other shares no digit with the other.
  EXPECT_EQ(Subtract({AxisRef{0, 1, 2}}, {AxisRef{0, 1, 3}}), AxisList());
  EXPECT_EQ(Intersect({AxisRef{0, 1, 2}}, {AxisRef{0, 1, 3}}), AxisList());
  EXPECT_FALSE(Covers({AxisRef{0, 1, 3}}, {AxisRef{0, 1, 2}}));
}

TEST(Axes, UnitsStayInListsAndHoldNoDigit) {
  AxisRef unit{1, 1, 1};
  AxisList list = {{0, 1, 2}, unit};
  AxisList joined = {{0, 1, 2}};
  Append(joined, AxisList{unit, {0, 2, 2}});
  EXPECT_EQ(joined, AxisList({{0, 1, 2}, unit, {0, 2, 2}}));
  EXPECT_EQ(DropUnits(joined), AxisList({{0, 1, 4}}));
  EXPECT_TRUE(Overlaps(unit, list));
  EXPECT_FALSE(Overlaps(unit, AxisRef{0, 1, 2}));
  EXPECT_EQ(Subtract(list, {unit}), AxisList({{0, 1, 2}}));
  EXPECT_EQ(Subtract(list, {AxisRef{0, 1, 2}}), AxisList({unit}));
  EXPECT_EQ(Intersect(list, {unit}), AxisList({unit}));
  EXPECT_EQ(CommonPrefix(list, {AxisRef{0, 1, 2}}), AxisList({{0, 1, 2}}));
  EXPECT_TRUE(Covers(list, {unit}));
  EXPECT_FALSE(Covers({AxisRef{0, 1, 2}}, {unit}));
  AxisList pieces;
  Append(pieces, AxisRef{0, 4, 1});
  EXPECT_TRUE(pieces.empty());
}

TEST(Axes, Texts) {
  Mesh mesh = MakeMesh({4, 2});
  EXPECT_EQ(ToString(mesh, AxisRef{0, 1, 4}), "a");
  EXPECT_EQ(ToString(mesh, AxisRef{0, 2, 2}), "a:(2)2");
  EXPECT_EQ(ToString(mesh, AxisList{{1, 1, 2}, {0, 1, 2}}), "b,a:(1)2");
}

}  // namespace
}  // namespace spmdc::mesh
