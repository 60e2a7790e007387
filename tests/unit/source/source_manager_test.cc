// Lines and columns of texts, the empty and the unfinished included.
#include "source/source_manager.h"

#include "gtest/gtest.h"

namespace spmdc::source {
namespace {

TEST(SourceManager, LinesAndColumnsCountFromOne) {
  SourceManager sources;
  FileId file = sources.Add("a.spmd", "one\ntwo\n\nfour");
  auto at = [&](uint32_t offset) {
    LineColumn place = sources.Locate(file, offset);
    return std::pair(place.line, place.column);
  };
  EXPECT_EQ(at(0), std::pair(1u, 1u));
  EXPECT_EQ(at(3), std::pair(1u, 4u));  // the newline belongs to its line
  EXPECT_EQ(at(4), std::pair(2u, 1u));
  EXPECT_EQ(at(8), std::pair(3u, 1u));
  EXPECT_EQ(at(13), std::pair(4u, 5u));  // the end of the text
  EXPECT_EQ(sources.Line(file, 2), "two");
  EXPECT_EQ(sources.Line(file, 3), "");
  EXPECT_EQ(sources.Line(file, 4), "four");
  EXPECT_EQ(sources.Line(file, 5), "");
  EXPECT_EQ(sources.Line(file, 0), "");
}

TEST(SourceManager, EmptyTextAndCarriageReturns) {
  SourceManager sources;
  FileId empty = sources.Add("empty", "");
  EXPECT_EQ(sources.Locate(empty, 0).line, 1u);
  EXPECT_EQ(sources.Line(empty, 1), "");
  FileId dos = sources.Add("dos", "a\r\nb\r\n");
  EXPECT_EQ(sources.Line(dos, 1), "a");
  EXPECT_EQ(sources.Line(dos, 2), "b");
}

TEST(SourceManager, TextsKeepTheirAddress) {
  SourceManager sources;
  FileId first = sources.Add("first", "x = 1");
  llvm::StringRef text = sources.text(first);
  for (int i = 0; i < 100; ++i) {
    sources.Add("more", "y");
  }
  EXPECT_EQ(sources.text(first).data(), text.data());
  EXPECT_EQ(sources.text(Span{first, 4, 5}), "1");
  EXPECT_EQ(sources.text(Span()), "");
  EXPECT_EQ(sources.name(first), "first");
}

TEST(Span, JoinCoversBoth) {
  FileId file{0};
  EXPECT_EQ(Join({file, 5, 7}, {file, 1, 3}), (Span{file, 1, 7}));
  EXPECT_EQ(Join({}, {file, 1, 3}), (Span{file, 1, 3}));
  EXPECT_EQ(Join({file, 1, 3}, {}), (Span{file, 1, 3}));
  EXPECT_EQ(Join({file, 1, 3}, {FileId{1}, 0, 9}), (Span{file, 1, 3}));
}

}  // namespace
}  // namespace spmdc::source
