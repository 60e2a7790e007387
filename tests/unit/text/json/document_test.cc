// JSON with positions: what is read, what is refused and where, and that reading goes on behind an error.
#include "text/json/document.h"

#include "gtest/gtest.h"

namespace spmdc::text::json {
namespace {

struct Reading {
  source::SourceManager sources;
  diag::Engine diags{&sources};
  std::optional<Node> root;

  explicit Reading(const std::string& text) { root = ReadDocument(sources.Add("t.json", text), diags); }

  // `line:column message`, one a line.
  std::string Errors() const {
    std::string out;
    for (const diag::Diagnostic* d : diags.Sorted()) {
      source::LineColumn at = sources.Locate(d->span);
      out += std::to_string(at.line) + ":" + std::to_string(at.column) + " " + d->message + "\n";
    }
    return out;
  }
};

TEST(Document, ValuesAndWhereTheyStand) {
  Reading r(R"({"a": [1, -2.5e3, true, null], "b": {"c": "x\u00e9\ud83d\ude00\n"}})");
  ASSERT_TRUE(r.root) << r.Errors();
  const Node* a = r.root->Find("a");
  ASSERT_NE(a, nullptr);
  ASSERT_EQ(a->items.size(), 4u);
  EXPECT_EQ(a->items[1].text, "-2.5e3");
  EXPECT_EQ(r.sources.text(a->items[1].span), "-2.5e3");
  EXPECT_TRUE(a->items[2].truth);
  const Node* c = r.root->Find("b")->Find("c");
  EXPECT_EQ(c->text, "x\xC3\xA9\xF0\x9F\x98\x80\n");
  EXPECT_FALSE(c->exact);
  EXPECT_EQ(r.root->members[1].key, "b");
}

TEST(Document, WhatIsNoJson) {
  auto errors = [](const std::string& text) { return Reading(text).Errors(); };
  EXPECT_EQ(errors(""), "1:1 expected a value, found the end of the file\n");
  EXPECT_EQ(errors("{} x"), "1:4 expected the end of the file, found 'x'\n");
  EXPECT_EQ(errors("{\"a\": 1"), "1:8 expected ',' or '}', found the end of the file\n");
  EXPECT_EQ(errors("[1,]"), "1:4 expected a value, found ']'\n");
  EXPECT_EQ(errors("{a: 1}"), "1:2 expected a key in double quotes, found 'a'\n");
  EXPECT_EQ(errors("[01]"), "1:2 '01' is no number\n");
  EXPECT_EQ(errors("[1.]"), "1:2 '1.' is no number\n");
  EXPECT_EQ(errors("[-]"), "1:2 '-' is no number\n");
  EXPECT_EQ(errors("[tru]"), "1:2 expected a value, found 'tru'\n");
  EXPECT_EQ(errors("[\"a\nb\"]"), "1:2 the string does not end\n");
  EXPECT_EQ(errors("[\"\\x\"]"), "1:3 no escape of JSON\n");
  EXPECT_EQ(errors("[\"\\ud800\"]"), "1:3 half of a surrogate pair\n");
  EXPECT_EQ(errors("[\"\\udc00\"]"), "1:3 no escape of JSON\n");
  EXPECT_EQ(errors(std::string("[\"a\0b\"]", 7)), "1:4 the byte 0 within a string is written \\u0000\n");
  EXPECT_EQ(errors(std::string("\0", 1)), "1:1 expected a value, found the byte 0\n");
  EXPECT_EQ(errors("\xEF\xBB\xBF{}"), "1:1 expected a value, found the byte 239\n");
}

TEST(Document, SeveralErrorsInOneRun) {
  Reading r(
      "{\n"
      "  \"a\": nil,\n"
      "  \"b\": [1, 2,, {\"x\": ,}, 'c'],\n"
      "  \"d\": 1\n"
      "  \"e\": 2,\n"
      "  \"a\": 3, \"f\": 4, \"f\": 5,\n"
      "  \"g\": 6 7\n"
      "}\n");
  EXPECT_FALSE(r.root);
  EXPECT_EQ(r.Errors(),
            "2:8 expected a value, found 'nil'\n"
            "3:14 expected a value, found ','\n"
            "3:22 expected a value, found ','\n"
            "3:23 expected a key in double quotes, found '}'\n"
            "3:26 expected a value, found '''\n"
            "5:3 expected ',' or '}', found '\"'\n"
            "6:19 the key 'f' stands twice in this object\n"
            "7:10 expected ',' or '}', found '7'\n");
}

TEST(Document, DeepNestingEnds) {
  std::string open(1000000, '[');
  Reading r(open);
  EXPECT_EQ(r.Errors(), "1:65 arrays and objects are nested more than 64 deep\n");
  Reading fine(std::string(64, '[') + std::string(64, ']'));
  EXPECT_TRUE(fine.root) << fine.Errors();
}

TEST(Document, ManyErrorsEnd) {
  std::string text = "[";
  for (int i = 0; i < 100000; ++i) {
    text += "x,";
  }
  Reading r(text);
  EXPECT_LE(r.diags.error_count(), 100u);
}

TEST(Document, LongFilesTakeTimeInProportion) {
  std::string text = "{";
  for (int i = 0; i < 200000; ++i) {
    text += "\"k" + std::to_string(i) + "\": \"v\",";
  }
  Reading r(text + "\"end\": {}}");
  ASSERT_TRUE(r.root) << r.Errors();
  EXPECT_EQ(r.root->members.size(), 200001u);
}

}  // namespace
}  // namespace spmdc::text::json
