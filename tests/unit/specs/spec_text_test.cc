// The short texts of specs, read and written.
#include "specs/spec_text.h"

#include "gtest/gtest.h"
#include "specs/placement.h"

namespace spmdc::specs {
namespace {

struct Parsing {
  source::SourceManager sources;
  diag::Engine diags{&sources};

  Text Add(const std::string& text) {
    source::FileId file = sources.Add("t", text);
    return {sources.text(file), {file, 0, static_cast<uint32_t>(text.size())}};
  }
  // `column: message` of the first error.
  std::string Error() const {
    if (diags.all().empty()) {
      return "";
    }
    const diag::Diagnostic& d = diags.all()[0];
    return std::to_string(sources.Locate(d.span).column) + ": " + d.message;
  }
};

mesh::Mesh Example() {
  mesh::Mesh mesh;
  mesh.name = "mesh";
  mesh.axes = {{"x", 4, mesh::AxisType::Auto}, {"y", 2, mesh::AxisType::Auto}, {"z z", 2, mesh::AxisType::Auto}};
  return mesh;
}

// As sdy prints what the text says of an array of rank 3, or the error.
std::string Read(const std::string& text) {
  Parsing p;
  std::optional<Placement> placement = ParsePlacement(p.Add(text), diag::Kind::BadOption, p.diags);
  if (!placement) {
    return p.Error();
  }
  mesh::Mesh mesh = Example();
  llvm::SmallVector<int64_t, 3> dims = {8, 8, 8};
  std::optional<mesh::Sharding> sharding = MakeSharding(*placement, mesh, {}, {"it", dims}, p.diags);
  return sharding ? mesh::ToSdy(mesh, *sharding) : p.Error();
}

TEST(SpecText, SpellingsOfOneSpec) {
  const std::string want = R"(<@mesh, [{"x"}, {}, {"y", "z z"}]>)";
  EXPECT_EQ(Read("P(x, _, (y, 'z z'))"), want);
  EXPECT_EQ(Read("P('x', None, ['y', \"z z\"])"), want);
  EXPECT_EQ(Read(" PartitionSpec( 'x' ,None,('y','z z',), ) "), want);
}

TEST(SpecText, OpenDimsPartsAndSets) {
  EXPECT_EQ(Read("P(?)"), R"(<@mesh, [{?}, {}, {}]>)");
  EXPECT_EQ(Read("P(P.UNCONSTRAINED, UNCONSTRAINED)"), R"(<@mesh, [{?}, {?}, {}]>)");
  EXPECT_EQ(Read("P(x:(1)2, 'x:(2)2')"), R"(<@mesh, [{"x":(1)2}, {"x":(2)2}, {}]>)");
  EXPECT_EQ(Read("P((x:(1)2, x:(2)2))"), R"(<@mesh, [{"x"}, {}, {}]>)");
  EXPECT_EQ(Read("P(x, replicated={y}, unreduced={'z z'})"),
            R"(<@mesh, [{"x"}, {}, {}], replicated={"y"}, unreduced={"z z"}>)");
  EXPECT_EQ(Read("P()"), R"(<@mesh, [{}, {}, {}]>)");
}

TEST(SpecText, WhatIsWrongAndWhere) {
  EXPECT_EQ(Read("Q(x)"), "1: expected a spec such as P(data, _), found 'Q'");
  EXPECT_EQ(Read("P(x"), "4: expected ',' or ')', found the end");
  EXPECT_EQ(Read("P(x y)"), "5: expected ',' or ')', found 'y'");
  EXPECT_EQ(Read("P(x) z"), "6: expected the end of the spec, found 'z'");
  EXPECT_EQ(Read("P(()"), "5: expected ',' or ')', found the end");
  EXPECT_EQ(Read("P(('x)"), "4: the quote does not end");
  EXPECT_EQ(Read("P(x:(0)2)"), "6: the size of what is in front of the part must be at least 1, got 0");
  EXPECT_EQ(Read("P(x:(99999999999999999999)2)"),
            "6: the size of what is in front of the part is no number that a mesh can have: 99999999999999999999");
  EXPECT_EQ(Read("P(x:(4611686018427387904)4)"), "3: axis 'x' of size 4 has no part (4611686018427387904)4");
  EXPECT_EQ(Read("P(_, xx)"), "6: axis 'xx' for it is not in the mesh, which has x=4 x y=2 x z z=2");
  EXPECT_EQ(Read("P(x, (y, x))"), "10: axis 'x' is used twice for it");
  EXPECT_EQ(Read("P(x, x:(2)2)"), "6: axis 'x' is used twice for it");
  EXPECT_EQ(Read("P(_, _, _, y)"), "12: the spec is for rank 4 or more, and it has rank 3");
  EXPECT_EQ(Read("P(reduced={y})"), "12: reduced axes must be Explicit, but axis 'y' is Auto");
}

TEST(SpecText, OptionsAreSplitInFrontOfTheSpec) {
  Parsing p;
  std::optional<Entry> entry = ParseOption(p.Add(" t['a=b'] =P(x, unreduced={y})"), p.diags);
  ASSERT_TRUE(entry) << p.Error();
  EXPECT_EQ(entry->pattern, "t['a=b']");
  EXPECT_EQ(p.sources.text(entry->span), "t['a=b']");
  EXPECT_EQ(p.sources.text(entry->placement.span), "P(x, unreduced={y})");
  entry = ParseOption(p.Add("x=null"), p.diags);
  ASSERT_TRUE(entry) << p.Error();
  EXPECT_TRUE(entry->placement.undecided);
}

TEST(MeshText, AxesSizesAndTypes) {
  Parsing p;
  std::optional<MeshSpec> mesh =
      ParseMesh(p.Add("data=4 : explicit, 'a b'=2:auto,c=1"), diag::Kind::BadOption, p.diags);
  ASSERT_TRUE(mesh) << p.Error();
  ASSERT_EQ(mesh->axes.size(), 3u);
  EXPECT_EQ(mesh->axes[0].type, mesh::AxisType::Explicit);
  EXPECT_EQ(mesh->axes[1].name, "a b");
  EXPECT_EQ(mesh->axes[1].type, mesh::AxisType::Auto);
  EXPECT_FALSE(mesh->axes[2].type);
}

TEST(MeshText, WhatIsWrongAndWhere) {
  auto error = [](const std::string& text) {
    Parsing p;
    EXPECT_FALSE(ParseMesh(p.Add(text), diag::Kind::BadOption, p.diags));
    return p.Error();
  };
  EXPECT_EQ(error(""), "1: expected the name of a mesh axis, found the end");
  EXPECT_EQ(error("x"), "2: expected '=' and a size, found the end");
  EXPECT_EQ(error("x=-4"), "3: the size of axis 'x' must be at least 1, got -4");
  EXPECT_EQ(error("x=4,,y=2"), "5: expected the name of a mesh axis, found ','");
  EXPECT_EQ(error("x=4:manual"), "5: expected auto or explicit, found 'manual'");
  std::string many;
  for (int i = 0; i < 100; ++i) {
    many += (i > 0 ? ",a" : "a") + std::to_string(i) + "=1";
  }
  EXPECT_NE(error(many).find("a mesh has at most 64 axes"), std::string::npos);
}

TEST(SpecText, IsWrittenAsItIsRead) {
  mesh::Mesh mesh = Example();
  for (const char* text : {"P()", "P('x', None)", "P(('x', 'y'), UNCONSTRAINED)", "P('x:(1)2', 'z z')"}) {
    Parsing p;
    std::optional<Placement> placement = ParsePlacement(p.Add(text), diag::Kind::BadOption, p.diags);
    ASSERT_TRUE(placement) << p.Error();
    llvm::SmallVector<int64_t, 2> dims(placement->dims.size(), 8);
    std::optional<mesh::Sharding> sharding = MakeSharding(*placement, mesh, {}, {"it", dims}, p.diags);
    ASSERT_TRUE(sharding) << p.Error();
    EXPECT_EQ(SpecText(mesh, *sharding), text);
    sharding->replicated = {{1, 1, 2}};
    EXPECT_EQ(SpecText(mesh, *sharding), std::nullopt);
  }
}

}  // namespace
}  // namespace spmdc::specs
