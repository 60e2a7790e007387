// PartitionSpecs: texts as JAX prints them, each refusal with its kind and facts, and the shardings they make.
#include "mesh/spec.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace spmdc::mesh {
namespace {

using testing::HasSubstr;

Mesh XY(AxisType x, AxisType y) {
  Mesh mesh;
  mesh.name = "mesh";
  mesh.axes.push_back({"x", 4, x});
  mesh.axes.push_back({"y", 2, y});
  return mesh;
}

SpecEntry Dim(llvm::ArrayRef<const char*> axes) {
  SpecEntry entry;
  entry.axes.append(axes.begin(), axes.end());
  entry.tuple = axes.size() > 1;
  return entry;
}

SpecEntry Unconstrained() {
  SpecEntry entry;
  entry.unconstrained = true;
  return entry;
}

PartitionSpec Spec(llvm::ArrayRef<SpecEntry> entries, llvm::ArrayRef<const char*> unreduced = {},
                   llvm::ArrayRef<const char*> reduced = {}) {
  PartitionSpec spec;
  spec.entries.append(entries.begin(), entries.end());
  spec.unreduced.append(unreduced.begin(), unreduced.end());
  spec.reduced.append(reduced.begin(), reduced.end());
  return spec;
}

SpecError Refused(const Mesh& mesh, const PartitionSpec& spec, std::optional<size_t> rank = std::nullopt) {
  auto made = MakeSharding(mesh, MeshId{0}, spec, rank);
  EXPECT_TRUE(std::holds_alternative<SpecError>(made)) << ToString(spec);
  const SpecError* error = std::get_if<SpecError>(&made);
  return error != nullptr ? *error : SpecError{diag::Kind::Syntax, "", ""};
}

Sharding Made(const Mesh& mesh, const PartitionSpec& spec, std::optional<size_t> rank = std::nullopt) {
  auto made = MakeSharding(mesh, MeshId{0}, spec, rank);
  const SpecError* error = std::get_if<SpecError>(&made);
  EXPECT_EQ(error, nullptr) << (error != nullptr ? error->message : "");
  return error != nullptr ? Sharding{} : std::get<Sharding>(made);
}

TEST(Spec, TextsOfJax) {
  EXPECT_EQ(ToString(Spec({})), "P()");
  EXPECT_EQ(ToString(Spec({Dim({"x"})})), "P('x',)");
  EXPECT_EQ(ToString(Spec({Dim({})})), "P(None,)");
  EXPECT_EQ(ToString(Spec({Dim({"x"}), Dim({})})), "P('x', None)");
  EXPECT_EQ(ToString(Spec({Dim({"x", "y"})})), "P(('x', 'y'),)");
  EXPECT_EQ(ToString(Spec({Unconstrained(), Dim({"x"})})), "P(UNCONSTRAINED, 'x')");
  EXPECT_EQ(ToString(Spec({}, {}, {"x"})), "P(reduced={'x'})");
  EXPECT_EQ(ToString(Spec({Dim({"x"})}, {"y"})), "P('x', unreduced={'y'})");
  EXPECT_EQ(ToString(Spec({Dim({})}, {"x"}, {"y"})), "P(None, unreduced={'x'}, reduced={'y'})");
}

TEST(Spec, MakesTheShardingItSays) {
  Mesh mesh = XY(AxisType::Explicit, AxisType::Auto);
  Sharding sharding = Made(mesh, Spec({Unconstrained(), Dim({"y", "x"})}), 3);
  ASSERT_EQ(sharding.dims.size(), 3U);
  EXPECT_TRUE(sharding.dims[0].open);
  EXPECT_FALSE(sharding.dims[1].open);
  EXPECT_EQ(sharding.dims[1].axes, AxisList({{1, 1, 2}, {0, 1, 4}}));
  EXPECT_TRUE(sharding.dims[2].axes.empty());
  EXPECT_EQ(ToSpec(mesh, sharding), "P(UNCONSTRAINED, ('y', 'x'), None)");
  mesh = XY(AxisType::Explicit, AxisType::Explicit);
  sharding = Made(mesh, Spec({Dim({})}, {"y"}, {"x"}));
  EXPECT_EQ(sharding.unreduced, AxisList({{1, 1, 2}}));
  EXPECT_EQ(sharding.reduced, AxisList({{0, 1, 4}}));
}

TEST(Spec, AxesOfSizeOneStayInTheType) {
  Mesh mesh = XY(AxisType::Explicit, AxisType::Explicit);
  mesh.axes[1].size = 1;
  Sharding sharding = Made(mesh, Spec({Dim({"x"}), Dim({"y"})}));
  EXPECT_EQ(TypeWithSharding("f32", {4, 3}, &mesh, &sharding), "f32[4@x,3@y]");
  EXPECT_EQ(CheckDivisible(mesh, sharding, {4, 3}, "").has_value(), false);
  EXPECT_EQ(Refused(mesh, Spec({Dim({"y"}), Dim({"y"})})).kind, diag::Kind::DuplicateAxis);
}

TEST(Spec, Refusals) {
  Mesh mesh = XY(AxisType::Explicit, AxisType::Auto);
  SpecError error = Refused(mesh, Spec({Dim({"x"}), Dim({"x"})}));
  EXPECT_EQ(error.kind, diag::Kind::DuplicateAxis);
  EXPECT_EQ(error.message,
            "mesh axis 'x' is used more than once in P('x', 'x'), but a mesh axis can split at most one dim");
  error = Refused(mesh, Spec({Dim({"x", "y"}), Dim({"y", "x"})}));
  EXPECT_THAT(error.message, HasSubstr("mesh axes 'x', 'y' are used"));
  error = Refused(mesh, Spec({Dim({"z"})}));
  EXPECT_EQ(error.kind, diag::Kind::UnknownAxis);
  EXPECT_EQ(error.message, "mesh axis 'z' of P('z',) is not in the mesh, which has the axes 'x', 'y'");
  // As in JAX, a repeated axis is told before one that does not exist.
  EXPECT_EQ(Refused(mesh, Spec({Dim({"z"}), Dim({"z"})})).kind, diag::Kind::DuplicateAxis);
  error = Refused(mesh, Spec({Dim({})}, {"z"}));
  EXPECT_EQ(error.kind, diag::Kind::UnknownAxis);
  error = Refused(mesh, Spec({Dim({})}, {"y"}));
  EXPECT_EQ(error.kind, diag::Kind::UnreducedAxisType);
  EXPECT_THAT(error.message, HasSubstr("axis 'y' of P(None, unreduced={'y'}) is Auto"));
  EXPECT_THAT(error.message, HasSubstr("x=4 (Explicit), y=2 (Auto)"));
  EXPECT_EQ(Refused(mesh, Spec({}, {}, {"y"})).kind, diag::Kind::UnreducedAxisType);
  EXPECT_EQ(Refused(mesh, Spec({}, {"x"}, {"x"})).kind, diag::Kind::SpecForm);
  EXPECT_EQ(Refused(mesh, Spec({Dim({"x"})}, {"x"})).kind, diag::Kind::SpecForm);
  EXPECT_EQ(Refused(mesh, Spec({Dim({"x"})}, {}, {"x"})).kind, diag::Kind::SpecForm);
  error = Refused(XY(AxisType::Explicit, AxisType::Explicit), Spec({Unconstrained()}));
  EXPECT_EQ(error.kind, diag::Kind::Unconstrained);
  EXPECT_THAT(error.message, HasSubstr("P(UNCONSTRAINED,) has P.UNCONSTRAINED, but no axis of the mesh is Auto"));
}

TEST(Spec, RankAndDivisibility) {
  Mesh mesh = XY(AxisType::Explicit, AxisType::Explicit);
  SpecError error = Refused(mesh, Spec({Dim({}), Dim({"x"})}), 1);
  EXPECT_EQ(error.kind, diag::Kind::SpecRank);
  EXPECT_EQ(error.message, "P(None, 'x') is for values of rank at least 2, but the value has rank 1");
  EXPECT_EQ(Refused(mesh, Spec({Dim({"x"})}), 0).help, "the spec of a scalar is P()");
  Sharding sharding = Made(mesh, Spec({Dim({"x", "y"}), Dim({})}));
  EXPECT_EQ(CheckDivisible(mesh, sharding, {16, 3}, "argument 0").has_value(), false);
  EXPECT_EQ(CheckDivisible(mesh, sharding, {0, 3}, "argument 0").has_value(), false);
  std::optional<SpecError> indivisible = CheckDivisible(mesh, sharding, {6, 24}, "argument 0 of jit");
  ASSERT_TRUE(indivisible.has_value());
  EXPECT_EQ(indivisible->kind, diag::Kind::Indivisible);
  EXPECT_EQ(indivisible->message,
            "argument 0 of jit: P(('x', 'y'), None) splits dim 0 of size 6 into 8 parts, which does not divide it "
            "(full shape (6, 24), parts per dim (8, 1))");
  EXPECT_THAT(indivisible->help, HasSubstr("a multiple of 8, such as 8"));
}

}  // namespace
}  // namespace spmdc::mesh
