// What --diagnostics=json writes is what its schema in docs/ says, line by line.
#include "diag/fix.h"
#include "diag/render_json.h"
#include "gtest/gtest.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include "schema.h"

namespace spmdc::text::json {
namespace {

class DiagnosticsSchema : public testing::Test {
 protected:
  DiagnosticsSchema() {
    auto buffer = llvm::MemoryBuffer::getFile("docs/diagnostics.schema.json");
    EXPECT_TRUE(buffer);
    schema_ = buffer ? (*buffer)->getBuffer().str() : "";
  }
  void Check(const std::string& lines, size_t count) {
    llvm::SmallVector<llvm::StringRef> all;
    llvm::StringRef(lines).split(all, '\n', -1, /*KeepEmpty=*/false);
    EXPECT_EQ(all.size(), count) << lines;
    for (llvm::StringRef line : all) {
      EXPECT_EQ(Violation(schema_, line.str()), "") << line.str();
    }
  }
  std::string schema_;
};

TEST_F(DiagnosticsSchema, HoldsForDiagnosticsOfEveryForm) {
  source::SourceManager sources;
  source::FileId file = sources.Add("a \"b\".spmd", "one\ntwo \xFF three\n");
  diag::Engine diags(&sources);
  diags.Error(diag::Kind::Syntax, {file, 4, 7}, "found \"x\"\n\\ and \x01 and \xFF")
      .Note({}, "nowhere")
      .Note({file, 0, 3}, "there")
      .Help("write y");
  diags.Warning(diag::Kind::Annotation, {}, "about no text");
  diags.Error(diag::Kind::ContractingAmbiguous, {file, 0, 15}, "two lines")
      .Help(diag::ToHelp({"out_sharding=P()", "all-reduce", 64}));
  diags.Error(diag::Kind::Truncated, {file, 15, 15}, "at the end");
  Check(diag::RenderJson(diags), 4);
  Check(diag::RenderJson(diags, /*warnings=*/false), 3);
}

TEST_F(DiagnosticsSchema, HoldsForOtherLines) {
  Check(diag::JsonLine("print", "a \"b\" \xFF") + diag::JsonLine("time", "1 ms parse"), 2);
}

TEST_F(DiagnosticsSchema, RefusesOtherObjects) {
  EXPECT_NE(Violation(schema_, "{}"), "");
  EXPECT_NE(Violation(schema_, R"({"severity": "note", "message": "x"})"), "");
}

TEST_F(DiagnosticsSchema, CountsLinesAndColumnsFromOneAndEndsBehindTheLastByte) {
  source::SourceManager sources;
  source::FileId file = sources.Add("a", "one\ntwo\n");
  diag::Engine diags(&sources);
  diags.Error(diag::Kind::Syntax, {file, 2, 6}, "m");
  std::string line = diag::RenderJson(diags);
  EXPECT_NE(line.find(R"("file":"a","line":1,"column":3,"end_line":2,"end_column":3,)"), std::string::npos) << line;
}

}  // namespace
}  // namespace spmdc::text::json
