// JSON whose every value knows where it stands, for files that people write: errors point at the value that is wrong.
//
// As RFC 8259, and stricter in one point: a key may stand only once in an object.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diag/engine.h"

namespace spmdc::text::json {

// Arrays and objects nested deeper than this are refused (kind `too-deep`).
inline constexpr int kMaxNesting = 64;

struct Member;

struct Node {
  enum class Kind : uint8_t { Null, Bool, Number, String, Array, Object };
  Kind kind = Kind::Null;
  bool truth = false;           // Bool
  std::string text;             // String: its characters; Number: as written
  std::vector<Node> items;      // Array
  std::vector<Member> members;  // Object
  source::Span span;
  bool exact = false;  // String: the bytes between the quotes are its characters

  bool is(Kind k) const { return kind == k; }
  // The member of this key; null if there is none.
  const Node* Find(llvm::StringRef key) const;
};

struct Member {
  std::string key;
  source::Span key_span;
  Node value;
};

// "a string", "an object", ...
llvm::StringRef Describe(Node::Kind kind);

// The document of a file. Errors of the kind `input-file` are told one by one; a value that is wrong is left out, and
// reading goes on behind it. Nothing if there was any.
std::optional<Node> ReadDocument(source::FileId file, diag::Engine& diags);

}  // namespace spmdc::text::json
