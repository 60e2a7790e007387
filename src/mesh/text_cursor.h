// A cursor over a short text: the bit of lexing that shardings, meshes and replica groups share.
#pragma once

#include <optional>
#include <string>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "mesh/hlo_sharding.h"
#include "support/starts_with.h"

namespace spmdc::mesh {

// Skips spaces and /* comments */ before every token. The first error stays; everything fails after it.
class TextCursor {
 public:
  explicit TextCursor(llvm::StringRef text) : text_(text) {}

  size_t position() {
    SkipSpace();
    return at_;
  }
  // Behind the last token, without the space that follows.
  size_t end() const { return at_; }
  llvm::StringRef text() const { return text_; }
  llvm::StringRef rest() {
    SkipSpace();
    return text_.drop_front(at_);
  }
  void Advance(size_t bytes) { at_ += bytes; }

  bool Peek(llvm::StringRef token) { return !failed() && StartsWith(rest(), token); }
  bool Eat(llvm::StringRef token) {
    if (!Peek(token)) {
      return false;
    }
    at_ += token.size();
    return true;
  }
  bool Expect(llvm::StringRef token) { return Eat(token) || Fail("expected '" + token.str() + "', found " + Found()); }
  // A word that is not the front of a longer one.
  bool EatWord(llvm::StringRef word) {
    if (!Peek(word) || (rest().size() > word.size() && IsWordByte(rest()[word.size()]))) {
      return false;
    }
    at_ += word.size();
    return true;
  }
  // A number of at least `least`.
  bool Int(int64_t& value, int64_t least, llvm::StringRef what) {
    size_t start = position();
    llvm::StringRef digits = rest().take_while([](char c) { return llvm::isDigit(c); });
    if (digits.empty()) {
      return Fail("expected " + what.str() + ", found " + Found());
    }
    if (digits.getAsInteger(10, value)) {
      return Fail(what.str() + " is too large: " + digits.str());
    }
    if (value < least) {
      return FailAt(start, what.str() + " must be at least " + std::to_string(least) + ", got " + digits.str());
    }
    at_ += digits.size();
    return true;
  }
  // 1,2,3 up to the closing token, which is eaten. The opening one is eaten already.
  template <typename Vector>
  bool IntList(Vector& values, int64_t least, llvm::StringRef what, llvm::StringRef close) {
    if (Eat(close)) {
      return true;
    }
    do {
      int64_t value = 0;
      if (!Int(value, least, what)) {
        return false;
      }
      values.push_back(value);
    } while (Eat(","));
    return Expect(close);
  }
  // 'name', "name" or a bare word. A backslash in quotes takes the character behind it as it is.
  bool Name(std::string& name, llvm::StringRef what) {
    llvm::StringRef here = rest();
    if (failed() || here.empty()) {
      return Fail("expected " + what.str() + ", found " + Found());
    }
    if (here[0] == '\'' || here[0] == '"') {
      size_t close = 1;
      name.clear();
      for (; close < here.size() && here[close] != here[0]; ++close) {
        bool escape = here[close] == '\\' && close + 1 < here.size();
        close += escape ? 1 : 0;
        name += here[close];
      }
      if (close == here.size()) {
        return Fail("the quote of " + what.str() + " does not end");
      }
      at_ += close + 1;
      return true;
    }
    llvm::StringRef word = here.take_while(IsWordByte);
    if (word.empty()) {
      return Fail("expected " + what.str() + ", found " + Found());
    }
    name = word.str();
    at_ += word.size();
    return true;
  }

  bool failed() const { return error_.has_value(); }
  bool Fail(std::string message) { return FailAt(position(), std::move(message)); }
  bool FailAt(size_t offset, std::string message, TextError::What what = TextError::What::Form) {
    if (!error_) {
      error_ = TextError{offset, std::move(message), what};
    }
    return false;
  }
  const std::optional<TextError>& error() const { return error_; }
  std::string Found() {
    llvm::StringRef here = rest();
    if (here.empty()) {
      return "the end of the text";
    }
    llvm::StringRef word = here.take_while(IsWordByte);
    return "'" + (word.empty() ? here.take_front(1) : word.take_front(40)).str() + "'";
  }

 private:
  static bool IsWordByte(char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '-' || c == '$'; }
  void SkipSpace() {
    for (;;) {
      while (at_ < text_.size() && llvm::isSpace(text_[at_])) {
        ++at_;
      }
      if (!StartsWith(text_.drop_front(at_), "/*")) {
        return;
      }
      size_t close = text_.find("*/", at_ + 2);
      at_ = close == llvm::StringRef::npos ? text_.size() : close + 2;
    }
  }

  llvm::StringRef text_;
  size_t at_ = 0;
  std::optional<TextError> error_;
};

// The product of sizes, or nothing above 2^40: no mesh is that large, and sums of such numbers stay in 64 bits.
inline std::optional<int64_t> CheckedProduct(llvm::ArrayRef<int64_t> sizes) {
  constexpr int64_t kMost = int64_t{1} << 40;
  int64_t product = 1;
  for (int64_t size : sizes) {
    if (size < 1 || size > kMost / product) {
      return std::nullopt;
    }
    product *= size;
  }
  return product;
}

// Orders of devices that no axes can express are kept as lists, of at most this many.
inline constexpr int64_t kMostListedDevices = int64_t{1} << 20;

// `'x':(1)2`: a use of an axis of the mesh, the quotes as either language writes them. Shared by HLO's and sdy's texts.
bool ParseAxisRef(TextCursor& in, const Mesh& mesh, AxisRef& ref);
// `{'x', 'y':(1)2}` behind the opening brace; with `open`, a `?` may stand last. `used` are the axes of the sharding's other
// lists, which this one must not use again; its own are added.
bool ParseAxisList(TextCursor& in, const Mesh& mesh, AxisList& list, bool* open, AxisList& used);
// `'x'=2,'y'=4]` behind the opening bracket.
bool ParseAxes(TextCursor& in, Mesh& mesh);
// `unreduced={...}`, `unreduced=max{...}`: the kind in front of the brace, if any.
bool ParseMonoid(TextCursor& in, Monoid& monoid);
// mesh['x'=2,'y'=4], device_ids=(0,2,1,3), all behind the word "mesh".
bool ParseHloMesh(TextCursor& in, Mesh& mesh);
// Checks that device_ids is a permutation, and drops the identity; errors stand at `start`.
bool CheckDeviceIds(TextCursor& in, size_t start, Mesh& mesh);
// `[dims]T(perm)` behind the opening bracket, checked.
bool ParseIota(TextCursor& in, llvm::SmallVectorImpl<int64_t>& dims, llvm::SmallVectorImpl<int64_t>& transpose);

}  // namespace spmdc::mesh
