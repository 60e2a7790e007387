// One step on one op. The expected shardings of the aggressive step were obtained from Shardy itself.
#include <random>

#include "gtest/gtest.h"
#include "propagate/aggressive.h"
#include "rules.h"

namespace spmdc::propagate::testing {
namespace {

using StepFunction = llvm::SmallBitVector (*)(Projection&, const StepOptions&);

struct StepCase {
  const mesh::Mesh& mesh;
  const op::Rule& rule;
  Direction direction = Direction::Both;
  bool elementwise = false;
};

// The tensors' dims after a step, separated by ` | `; "" for a tensor without sharding before.
std::string After(StepFunction step, const StepCase& c, std::initializer_list<const char*> tensors) {
  std::vector<mesh::Sharding> shardings;
  for (const char* text : tensors) {
    shardings.push_back(MakeSharding(c.mesh, text));
  }
  std::vector<const mesh::Sharding*> pointers;
  for (size_t i = 0; i < shardings.size(); ++i) {
    pointers.push_back(*(tensors.begin() + i) == std::string() ? nullptr : &shardings[i]);
  }
  Projection projection;
  projection.Build(c.rule, pointers);
  std::vector<Direction> directions(c.rule.factors.size(), c.direction);
  step(projection, {directions, c.elementwise});
  std::string text;
  for (size_t i = 0; i < pointers.size(); ++i) {
    text += (i == 0 ? "" : " | ") + Show(c.mesh, projection.ToSharding(i, mesh::MeshId{0}));
  }
  return text;
}

op::Rule Dot(int64_t i, int64_t j, int64_t k) {
  op::Rule rule = MakeRule("i,k;k,j->i,j", {{'i', i}, {'j', j}, {'k', k}});
  rule.factors[2].kind = op::FactorKind::Reduce;
  return rule;
}

TEST(AggressiveStep, OfTwoFactorsTheFirstOrTheLargerOneTakesTheAxis) {
  mesh::Mesh mesh = MakeMesh({{"x", 2}, {"y", 2}});
  op::Rule square = Dot(8, 8, 8);
  EXPECT_EQ(After(AggressiveStep, {mesh, square}, {"x?,?", "?,x?", ""}), "x?,? | ?,x? | x?,?");
  op::Rule wide = Dot(8, 64, 8);
  EXPECT_EQ(After(AggressiveStep, {mesh, wide}, {"x?,?", "?,x?", ""}), "x?,? | ?,x? | ?,x?");
}

TEST(BasicStep, OfTwoFactorsNeitherTakesTheAxis) {
  mesh::Mesh mesh = MakeMesh({{"x", 2}, {"y", 2}});
  op::Rule rule = Dot(8, 8, 8);
  EXPECT_EQ(After(BasicStep, {mesh, rule}, {"x?,?", "?,x?", ""}), "x?,? | ?,x? | ?,?");
  EXPECT_EQ(After(BasicStep, {mesh, rule}, {"x?,y?", "?,?", ""}), "x?,y? | y?,? | x?,?");
}

TEST(AggressiveStep, MovesPartsOfAxes) {
  mesh::Mesh mesh = MakeMesh({{"x", 8}});
  op::Rule rule = MakeRule("ij,k->i,jk", {{'i', 4}, {'j', 2}, {'k', 6}});
  EXPECT_EQ(After(AggressiveStep, {mesh, rule}, {"x?,?", ""}), "x?,? | x:(1)4?,x:(4)2?");
}

TEST(AggressiveStep, StopsAtOverflow) {
  mesh::Mesh six = MakeMesh({{"x", 6}});
  op::Rule rule = MakeRule("ij->i,j", {{'i', 4}, {'j', 2}});
  EXPECT_EQ(After(AggressiveStep, {six, rule}, {"x?", ""}), "x? | x:(1)2?,?");
  mesh::Mesh three = MakeMesh({{"x", 3}, {"y", 2}});
  EXPECT_EQ(After(AggressiveStep, {three, rule}, {"x y?", ""}), "x y? | ?,?");
}

TEST(AggressiveStep, OperandsThatPartAgreeOnTheCommonPrefix) {
  mesh::Mesh mesh = MakeMesh({{"x", 2}, {"y", 2}, {"z", 2}});
  op::Rule rule = MakeRule("i,j;i,j->i,j", {{'i', 8}, {'j', 8}});
  EXPECT_EQ(After(AggressiveStep, {mesh, rule}, {"x y?,?", "x z?,?", ""}), "x y?,? | x z?,? | x?,?");
  mesh::Mesh parts = MakeMesh({{"x", 4}, {"y", 2}});
  EXPECT_EQ(After(AggressiveStep, {parts, rule}, {"x:(1)2?,?", "x y?,?", ""}), "x y?,? | x y?,? | x y?,?");
  EXPECT_EQ(After(AggressiveStep, {parts, rule}, {"x:(1)2 y?,?", "x?,?", ""}), "x:(1)2 y?,? | x?,? | x:(1)2?,?");
}

TEST(AggressiveStep, Directions) {
  mesh::Mesh mesh = MakeMesh({{"x", 2}, {"y", 2}});
  op::Rule rule = MakeRule("i->i", {{'i', 8}});
  EXPECT_EQ(After(AggressiveStep, {mesh, rule, Direction::Forward}, {"x?", "?"}), "x? | x?");
  EXPECT_EQ(After(AggressiveStep, {mesh, rule, Direction::Forward}, {"?", "x?"}), "? | x?");
  EXPECT_EQ(After(AggressiveStep, {mesh, rule, Direction::Backward}, {"?", "x?"}), "x? | x?");
  EXPECT_EQ(After(AggressiveStep, {mesh, rule, Direction::Backward}, {"x?", "?"}), "x? | ?");
  EXPECT_EQ(After(AggressiveStep, {mesh, rule, Direction::None}, {"x?", "?"}), "x? | ?");
  EXPECT_EQ(After(AggressiveStep, {mesh, rule, Direction::Both}, {"x?", "x y?"}), "x y? | x y?");
}

TEST(AggressiveStep, ClosedAndPinnedStay) {
  mesh::Mesh mesh = MakeMesh({{"x", 2}, {"y", 2}});
  op::Rule rule = MakeRule("i,j->i,j", {{'i', 8}, {'j', 8}});
  EXPECT_EQ(After(AggressiveStep, {mesh, rule}, {"x?,y?", "{},?"}), "x?,y? | ,y?");
  mesh::Sharding from = MakeSharding(mesh, "x y?,?");
  mesh::Sharding to = MakeSharding(mesh, "?,?");
  to.replicated = {mesh::Whole(mesh, 1)};
  Projection projection;
  projection.Build(rule, {&from, &to});
  std::vector<Direction> both(2, Direction::Both);
  EXPECT_EQ(AggressiveStep(projection, {both, false}).count(), 1U);
  EXPECT_EQ(Show(mesh, projection.ToSharding(1, mesh::MeshId{0})), "x?,?");
}

TEST(AggressiveStep, ElementwiseOperandsTakeFromEachOtherWhatTheResultHas) {
  mesh::Mesh mesh = MakeMesh({{"x", 2}, {"y", 2}});
  op::Rule rule = MakeRule("i;i->i", {{'i', 8}});
  EXPECT_EQ(After(AggressiveStep, {mesh, rule, Direction::Both, true}, {"x?", "?", "{}"}), "x? | ? | ");
  EXPECT_EQ(After(AggressiveStep, {mesh, rule, Direction::Both, false}, {"x?", "?", "{}"}), "x? | x? | ");
}

// Shardings only grow, closed dims do not, and no axis is used twice in a tensor. A second step of a step that changed
// nothing changes nothing.
TEST(AggressiveStep, OnlyGrows) {
  mesh::Mesh mesh = MakeMesh({{"a", 2}, {"b", 4}, {"c", 3}});
  op::Rule rule = MakeRule("ij,k;k,l->i,jl", {{'i', 4}, {'j', 6}, {'k', 8}, {'l', 2}});
  std::mt19937 random(11);
  for (int round = 0; round < 2000; ++round) {
    std::vector<mesh::Sharding> shardings(3);
    for (mesh::Sharding& sharding : shardings) {
      sharding.mesh = mesh::MeshId{0};
      sharding.dims.resize(2);
      std::vector<int32_t> axes = {0, 1, 2};
      std::shuffle(axes.begin(), axes.end(), random);
      for (int32_t axis : axes) {
        if (size_t d = random() % 4; d < 2) {
          sharding.dims[d].axes.push_back(mesh::Whole(mesh, axis));
        }
      }
      sharding.dims[0].open = random() % 3 != 0;
      sharding.dims[1].open = random() % 3 != 0;
    }
    Projection projection;
    projection.Build(rule, {&shardings[0], &shardings[1], &shardings[2]});
    std::vector<Direction> both(4, Direction::Both);
    AggressiveStep(projection, {both, round % 2 == 0});
    for (size_t t = 0; t < 3; ++t) {
      mesh::Sharding now = projection.ToSharding(t, mesh::MeshId{0});
      EXPECT_EQ(mesh::Verify(mesh, now, 2), "");
      for (size_t d = 0; d < 2; ++d) {
        EXPECT_TRUE(mesh::IsPrefix(shardings[t].dims[d].axes, now.dims[d].axes));
        if (!shardings[t].dims[d].open) {
          EXPECT_EQ(shardings[t].dims[d].axes, now.dims[d].axes);
        }
      }
    }
  }
}

// Which number an axis has does not matter to what is decided.
TEST(AggressiveStep, IndependentOfAxisNumbers) {
  mesh::Mesh one = MakeMesh({{"x", 2}, {"y", 4}});
  mesh::Mesh other = MakeMesh({{"y", 4}, {"x", 2}});
  op::Rule rule = Dot(8, 8, 8);
  for (auto tensors : {std::initializer_list<const char*>{"x?,?", "y?,x?", "?,?"},
                       {"x y?,?", "?,y?", "?,x?"},
                       {"?,y?", "?,x?", "y?,?"}}) {
    EXPECT_EQ(After(AggressiveStep, {one, rule}, tensors), After(AggressiveStep, {other, rule}, tensors));
  }
}

}  // namespace
}  // namespace spmdc::propagate::testing
