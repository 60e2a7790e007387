// Specs files: the reader and the schema in docs/ agree, on files that are right and on files that are wrong.
#include "text/json/specs_file.h"

#include "../stories.h"
#include "gtest/gtest.h"
#include "schema.h"

namespace spmdc::text::json {
namespace {

std::string ReadAll(const std::string& path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(buffer) << path;
  return buffer ? (*buffer)->getBuffer().str() : "";
}

// The errors of the reader, one a line; empty if it takes the file.
std::string Errors(const std::string& text) {
  source::SourceManager sources;
  diag::Engine diags(&sources);
  std::optional<SpecsFile> read = ReadSpecsFile(sources.Add("t.json", text), diags);
  EXPECT_EQ(read.has_value(), !diags.has_errors());
  return diag::RenderText(diags, false);
}

class Schema : public testing::Test {
 protected:
  const std::string schema_ = ReadAll("docs/specs.schema.json");
};

const char* const kRight[] = {
    R"j({"spmdc_specs": 1})j",
    R"j({"spmdc_specs": 1, "program": "main", "mesh": "x=2, y=4:explicit", "in": {}, "out": {}, "values": {}})j",
    R"j({"spmdc_specs": 1, "mesh": {"axes": [["x", 2]], "axis_types": ["auto"], "device_ids": [1, 0]}})j",
    R"j({"spmdc_specs": 1, "mesh": {"axes": [], "device_ids": null}})j",
    R"j({"spmdc_specs": 1, "meshes": [{"name": "a", "axes": [["x", 2]]}, {"name": "b", "axes": []}]})j",
    R"j({"spmdc_specs": 1, "in": {"x": "P(x)", "y*": null, "0": "null", "p['w']": {"sharding": "P()"}}})j",
    R"j({"spmdc_specs": 1, "in": {"x": {"type": "f32[8]", "sharding": {"dims": [["x:(1)2"]]}}}})j",
    R"j({"spmdc_specs": 1, "out": {"0": {"mesh": "m", "dims": [["x"], []], "open": [true, false], "priority": [0, 1]}}})j",
    R"j({"spmdc_specs": 1, "out": {"0": {"dims": [], "replicated": ["y"], "unreduced": [], "unreduced_kind": "max", "reduced": []}}})j",
    R"j({"spmdc_specs": 1, "out": {"0": {"dims": [], "varying": []}}})j",
    R"j({"spmdc_specs": 1, "options": {"propagation": "sdy", "entry": "f", "devices": 8, "from": "hlo"}})j",
};

TEST_F(Schema, AndReaderTakeTheSameFiles) {
  for (const char* text : kRight) {
    EXPECT_EQ(Violation(schema_, text), "") << text;
    EXPECT_EQ(Errors(text), "") << text;
  }
}

const char* const kWrong[] = {
    R"j()j",
    R"j([])j",
    R"j(null)j",
    R"j(3)j",
    R"j({})j",
    R"j({"spmdc_specs": 2})j",
    R"j({"spmdc_specs": "1"})j",
    R"j({"spmdc_specs": 1, "mehs": "x=2"})j",
    R"j({"spmdc_specs": 1, "program": 3})j",
    R"j({"spmdc_specs": 1, "mesh": "x=0"})j",
    R"j({"spmdc_specs": 1, "mesh": "x"})j",
    R"j({"spmdc_specs": 1, "mesh": 8})j",
    R"j({"spmdc_specs": 1, "mesh": {"axes": {"x": 2}}})j",
    R"j({"spmdc_specs": 1, "mesh": {"axes": [["x", "2"]]}})j",
    R"j({"spmdc_specs": 1, "mesh": {"axes": [["", 2]]}})j",
    R"j({"spmdc_specs": 1, "mesh": {"axes": [["x", 2.5]]}})j",
    R"j({"spmdc_specs": 1, "mesh": {"axes": [["x", 2]], "axis_types": ["manual"]}})j",
    R"j({"spmdc_specs": 1, "mesh": {"name": "m"}})j",
    R"j({"spmdc_specs": 1, "mesh": {"axes": [], "size": 1}})j",
    R"j({"spmdc_specs": 1, "mesh": "x=2", "meshes": []})j",
    R"j({"spmdc_specs": 1, "meshes": [{"axes": [["x", 2]]}]})j",
    R"j({"spmdc_specs": 1, "meshes": ["x=2"]})j",
    R"j({"spmdc_specs": 1, "in": []})j",
    R"j({"spmdc_specs": 1, "in": {"": "P()"}})j",
    R"j({"spmdc_specs": 1, "in": {"x": 3}})j",
    R"j({"spmdc_specs": 1, "in": {"x": "x"}})j",
    R"j({"spmdc_specs": 1, "in": {"x": {}}})j",
    R"j({"spmdc_specs": 1, "in": {"x": {"sharding": "P()", "tipe": "f32"}}})j",
    R"j({"spmdc_specs": 1, "in": {"x": {"dims": ["x"]}}})j",
    R"j({"spmdc_specs": 1, "in": {"x": {"dims": [["x"]], "open": [1]}}})j",
    R"j({"spmdc_specs": 1, "in": {"x": {"dims": [["x"]], "priority": [-1]}}})j",
    R"j({"spmdc_specs": 1, "in": {"x": {"dims": [], "unreduced_kind": "mean"}}})j",
    R"j({"spmdc_specs": 1, "in": {"x": {"dims": [], "varying": ["x"]}}})j",
    R"j({"spmdc_specs": 1, "in": {"x": {"dims": [], "spec": []}}})j",
    R"j({"spmdc_specs": 1, "options": {"devices": []}})j",
};

TEST_F(Schema, AndReaderRefuseTheSameFiles) {
  for (const char* text : kWrong) {
    EXPECT_NE(Violation(schema_, text), "") << text;
    EXPECT_NE(Errors(text), "") << text;
  }
}

// Lists that have to be as long as another one, and the insides of specs, are more than a schema says.
const char* const kWrongWithin[] = {
    R"j({"spmdc_specs": 1, "mesh": {"axes": [["x", 2]], "axis_types": []}})j",
    R"j({"spmdc_specs": 1, "in": {"x": {"dims": [["x"]], "open": []}}})j",
    R"j({"spmdc_specs": 1, "in": {"x": "P(x, (y)"}})j",
    R"j({"spmdc_specs": 1, "in": {"x": {"dims": [["x:(0)2"]]}}})j",
    R"j({"spmdc_specs": 1, "meshes": [{"name": "a", "axes": []}, {"name": "a", "axes": []}]})j",
};

TEST_F(Schema, LeavesTheRestToTheReader) {
  for (const char* text : kWrongWithin) {
    EXPECT_EQ(Violation(schema_, text), "") << text;
    EXPECT_NE(Errors(text), "") << text;
  }
}

// The files in the stories, and the one in docs/specs.md.
TEST_F(Schema, HoldsForTheExamples) {
  std::vector<std::string> files;
  for (const Story& story : Stories("testdata/specs", "")) {
    bool wrong = llvm::StringRef(story.path).contains("fail_");
    llvm::StringRef rest = llvm::StringRef(story.text).split("RUN:").first;
    while (!wrong && !rest.empty()) {
      rest = rest.split(".json\n").second;
      if (!rest.empty()) {
        files.push_back(rest.take_front(rest.rfind('}') + 1).split("\n# ---").first.split("\n// ---").first.str());
      }
    }
  }
  std::string page = ReadAll("docs/specs.md");
  files.push_back(llvm::StringRef(page).split("```json").second.split("```").first.str());
  EXPECT_GE(files.size(), 3u);
  for (const std::string& file : files) {
    EXPECT_EQ(Violation(schema_, file), "") << file;
    EXPECT_EQ(Errors(file), "") << file;
  }
}

}  // namespace
}  // namespace spmdc::text::json
