// Dims to factors and back.
#include "propagate/projection.h"

#include <random>

#include "gtest/gtest.h"
#include "rules.h"

namespace spmdc::propagate::testing {
namespace {

std::string Axes(const mesh::Mesh& mesh, const Projection& projection, size_t tensor, size_t factor) {
  const FactorSharding& cell = projection.at(tensor, factor);
  std::string text = mesh::ToString(mesh, cell.axes);
  return cell.overflow.empty() ? text : text + " + " + mesh::ToString(mesh, cell.overflow);
}

TEST(Projection, CutsAnAxisAtTheBorderOfAFactor) {
  mesh::Mesh mesh = MakeMesh({{"x", 8}});
  op::Rule rule = MakeRule("ij,k->i,jk", {{'i', 4}, {'j', 2}, {'k', 6}});
  mesh::Sharding sharding = MakeSharding(mesh, "x?,?");
  Projection projection;
  projection.Build(rule, {&sharding, nullptr});
  EXPECT_EQ(Axes(mesh, projection, 0, 0), "x:(1)4");
  EXPECT_EQ(Axes(mesh, projection, 0, 1), "x:(4)2");
  EXPECT_EQ(Axes(mesh, projection, 0, 2), "");
  EXPECT_FALSE(projection.at(0, 0).minor_most);
  EXPECT_TRUE(projection.at(0, 1).minor_most);
  EXPECT_TRUE(projection.at(1, 0).present);
  EXPECT_FALSE(projection.at(1, 0).closed);
}

TEST(Projection, WhatSharesNoDivisorOverflowsAndBlocks) {
  mesh::Mesh mesh = MakeMesh({{"x", 6}, {"y", 2}});
  op::Rule rule = MakeRule("ij->i,j", {{'i', 4}, {'j', 2}});
  mesh::Sharding sharding = MakeSharding(mesh, "x y?");
  Projection projection;
  projection.Build(rule, {&sharding, nullptr});
  EXPECT_EQ(Axes(mesh, projection, 0, 0), "x:(1)2 + x:(2)3,y");
  EXPECT_EQ(Axes(mesh, projection, 0, 1), "");
  EXPECT_TRUE(projection.at(0, 1).closed);
  EXPECT_EQ(Show(mesh, projection.ToSharding(0, sharding.mesh)), "x y?");
}

TEST(Projection, DropsAxesBehindAFactorThatIsNotFull) {
  mesh::Mesh mesh = MakeMesh({{"x", 2}, {"y", 2}});
  op::Rule rule = MakeRule("i,j->ij", {{'i', 4}, {'j', 2}});
  Projection projection;
  projection.Build(rule, {nullptr, nullptr});
  projection.at(1, 0).axes = {mesh::Whole(mesh, 0)};
  projection.at(1, 1).axes = {mesh::Whole(mesh, 1)};
  EXPECT_EQ(Show(mesh, projection.ToSharding(1, mesh::MeshId{0})), "x?");
}

TEST(Projection, KeepsPinsPartialSumsAndDimsWithoutFactors) {
  mesh::Mesh mesh = MakeMesh({{"x", 2}, {"y", 2}, {"z", 2}});
  op::Rule rule = MakeRule("i,->i", {{'i', 4}});
  mesh::Sharding sharding = MakeSharding(mesh, "?,x");
  sharding.replicated = {mesh::Whole(mesh, 1)};
  sharding.unreduced = {mesh::Whole(mesh, 2)};
  Projection projection;
  projection.Build(rule, {&sharding, nullptr});
  EXPECT_EQ(projection.ToSharding(0, sharding.mesh), sharding);
}

// A sharding comes back unchanged from its factors wherever the axes divide the factors.
TEST(Projection, RoundTrip) {
  mesh::Mesh mesh = MakeMesh({{"a", 2}, {"b", 4}, {"c", 8}, {"d", 3}});
  std::mt19937 random(7);
  op::Rule rule = MakeRule("ijk,l->i,jkl", {{'i', 8}, {'j', 16}, {'k', 9}, {'l', 6}});
  for (int round = 0; round < 500; ++round) {
    mesh::Sharding sharding;
    sharding.mesh = mesh::MeshId{0};
    sharding.dims.resize(2);
    std::vector<int32_t> axes = {0, 1, 2, 3};
    std::shuffle(axes.begin(), axes.end(), random);
    for (int32_t axis : axes) {
      size_t d = random() % 3;
      if (d < 2) {
        sharding.dims[d].axes.push_back(mesh::Whole(mesh, axis));
      }
    }
    sharding.dims[0].open = random() % 2 == 0;
    Projection projection;
    projection.Build(rule, {&sharding, nullptr});
    EXPECT_EQ(Show(mesh, projection.ToSharding(0, sharding.mesh)), Show(mesh, sharding).c_str());
  }
}

TEST(Prefix, WithoutOverlap) {
  mesh::Mesh mesh = MakeMesh({{"x", 12}, {"y", 2}});
  auto cut = [&](const char* a, const char* b) {
    mesh::AxisRef rest = PrefixWithoutOverlap(MakeAxis(mesh, a), MakeAxis(mesh, b));
    return rest.size == 0 ? std::string("-") : mesh::ToString(mesh, rest);
  };
  EXPECT_EQ(cut("x", "y"), "x");
  EXPECT_EQ(cut("x", "x"), "-");
  EXPECT_EQ(cut("x", "x:(2)2"), "x:(1)2");
  EXPECT_EQ(cut("x:(2)2", "x"), "-");
  EXPECT_EQ(cut("x:(1)2", "x:(2)3"), "x:(1)2");
  // 2 and 3 from the same place are no digits of one split; neither are 2 and what begins behind 3.
  EXPECT_EQ(cut("x:(1)2", "x:(1)3"), "-");
  EXPECT_EQ(cut("x:(1)2", "x:(3)2"), "-");
}

TEST(Prefix, OfLists) {
  mesh::Mesh mesh = MakeMesh({{"x", 4}, {"y", 2}});
  auto compare = [&](const char* a, const char* b) {
    return ComparePrefix(MakeSharding(mesh, a).dims[0].axes, MakeSharding(mesh, b).dims[0].axes);
  };
  EXPECT_EQ(compare("", ""), PrefixStatus::Equal);
  EXPECT_EQ(compare("", "x"), PrefixStatus::StrictPrefix);
  EXPECT_EQ(compare("x y", "x y"), PrefixStatus::Equal);
  EXPECT_EQ(compare("x", "x y"), PrefixStatus::StrictPrefix);
  EXPECT_EQ(compare("x:(1)2", "x y"), PrefixStatus::StrictPrefix);
  EXPECT_EQ(compare("x:(1)2 y", "x y"), PrefixStatus::NotAPrefix);
  EXPECT_EQ(compare("y", "x y"), PrefixStatus::NotAPrefix);
  EXPECT_EQ(compare("x y", "x"), PrefixStatus::NotAPrefix);
}

}  // namespace
}  // namespace spmdc::propagate::testing
