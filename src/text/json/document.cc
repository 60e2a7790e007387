// A recursive descent over the five rules of JSON, with recovery behind a value that is none.
#include "text/json/document.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ConvertUTF.h"
#include "support/starts_with.h"

namespace spmdc::text::json {
namespace {

class Parser {
 public:
  Parser(source::FileId file, diag::Engine& diags)
      : file_(file), text_(diags.sources().text(file)), diags_(diags), errors_before_(diags.error_count()) {}

  std::optional<Node> Run() {
    Node root;
    bool good = Value(root, 0);
    Skip();
    if (good && at_ < text_.size()) {
      FailExpected("the end of the file");
    }
    return diags_.error_count() == errors_before_ ? std::optional(std::move(root)) : std::nullopt;
  }

 private:
  llvm::StringRef rest() const { return text_.drop_front(at_); }
  source::Span SpanOf(size_t begin, size_t end) const {
    return {file_, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
  }
  void Skip() {
    while (at_ < text_.size() && llvm::StringRef(" \t\r\n").contains(text_[at_])) {
      ++at_;
    }
  }
  bool AtByte(char c) {
    Skip();
    return at_ < text_.size() && text_[at_] == c;
  }
  bool Take(char c) {
    bool there = AtByte(c);
    at_ += there ? 1 : 0;
    return there;
  }
  bool Fail(source::Span span, std::string message, diag::Kind kind = diag::Kind::InputFile) {
    diags_.Error(kind, span, std::move(message));
    constexpr size_t kEnough = 100;
    gave_up_ |= diags_.error_count() - errors_before_ >= kEnough;
    return false;
  }
  bool FailExpected(llvm::StringRef what) {
    Skip();
    llvm::StringRef word = rest().take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    llvm::StringRef found = (word.empty() ? rest().take_front(1) : word).take_front(40);
    bool printable = !found.empty() && llvm::all_of(found, llvm::isPrint);
    std::string shown = found.empty() ? "the end of the file"
                        : printable   ? "'" + found.str() + "'"
                                      : "the byte " + std::to_string(static_cast<unsigned char>(found[0]));
    return Fail(SpanOf(at_, at_ + found.size()), "expected " + what.str() + ", found " + shown);
  }

  bool Value(Node& node, int depth) {
    Skip();
    char c = at_ < text_.size() ? text_[at_] : '\0';
    size_t begin = at_;
    bool good = false;
    if (c == '{' || c == '[') {
      if (depth == kMaxNesting) {
        gave_up_ = true;
        return Fail(SpanOf(begin, begin + 1),
                    "arrays and objects are nested more than " + std::to_string(kMaxNesting) + " deep",
                    diag::Kind::TooDeep);
      }
      ++at_;
      good = c == '{' ? Object(node, depth + 1) : Array(node, depth + 1);
    } else if (c == '"') {
      good = String(node);
    } else if (c == '-' || llvm::isDigit(c)) {
      good = Number(node);
    } else {
      good = Word(node);
    }
    node.span = SpanOf(begin, at_);
    return good;
  }

  bool Word(Node& node) {
    for (llvm::StringRef word : {"null", "true", "false"}) {
      if (StartsWith(rest(), word) && (rest().size() == word.size() || !llvm::isAlnum(rest()[word.size()]))) {
        at_ += word.size();
        node.kind = word == "null" ? Node::Kind::Null : Node::Kind::Bool;
        node.truth = word == "true";
        return true;
      }
    }
    return FailExpected("a value");
  }

  bool Number(Node& node) {
    size_t begin = at_;
    auto digits = [&] {
      size_t start = at_;
      while (at_ < text_.size() && llvm::isDigit(text_[at_])) {
        ++at_;
      }
      return at_ > start;
    };
    auto take = [&](llvm::StringRef any) {
      bool there = at_ < text_.size() && any.contains(text_[at_]);
      at_ += there ? 1 : 0;
      return there;
    };
    take("-");
    size_t whole = at_;
    bool good = digits() && (text_[whole] != '0' || at_ == whole + 1);
    good = good && (!take(".") || digits());
    if (good && take("eE")) {
      take("+-");
      good = digits();
    }
    node.kind = Node::Kind::Number;
    node.text = text_.slice(begin, at_).str();
    return good || Fail(SpanOf(begin, at_), "'" + node.text.substr(0, 40) + "' is no number");
  }

  bool String(Node& node) {
    size_t begin = at_++;
    node.kind = Node::Kind::String;
    node.exact = true;
    while (at_ < text_.size() && text_[at_] != '"') {
      auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '\n' || c == '\r') {
        break;
      }
      if (c < ' ') {
        return Fail(SpanOf(at_, at_ + 1), "the byte " + std::to_string(c) + " within a string is written \\u00" +
                                              llvm::toHex(rest().take_front(1), true));
      }
      if (c == '\\') {
        node.exact = false;
        if (!Escape(node.text)) {
          return false;
        }
      } else {
        node.text += text_[at_++];
      }
    }
    if (!(at_ < text_.size() && text_[at_] == '"')) {
      return Fail(SpanOf(begin, at_), "the string does not end");
    }
    ++at_;
    return true;
  }

  bool Escape(std::string& out) {
    size_t begin = at_;
    char c = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    constexpr llvm::StringLiteral kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    size_t letter = c == '\0' ? llvm::StringRef::npos : kLetters.find(c);
    if (letter != llvm::StringRef::npos) {
      out += kMeanings[letter];
      at_ += 2;
      return true;
    }
    unsigned code = 0, low = 0;
    if (c != 'u' || !Hex(code) || code - 0xDC00U < 0x400U) {
      return Fail(SpanOf(begin, std::min(begin + 2, text_.size())), "no escape of JSON");
    }
    if (code - 0xD800U < 0x400U) {
      if (!StartsWith(rest(), "\\u") || !Hex(low) || low - 0xDC00U >= 0x400U) {
        return Fail(SpanOf(begin, at_), "half of a surrogate pair");
      }
      code = 0x10000U + ((code - 0xD800U) << 10U) + (low - 0xDC00U);
    }
    char buffer[4];
    char* end = buffer;
    llvm::ConvertCodePointToUTF8(code, end);
    out.append(buffer, end);
    return true;
  }

  // \uXXXX
  bool Hex(unsigned& code) {
    llvm::StringRef digits = rest().substr(2, 4);
    if (digits.size() != 4 || !llvm::all_of(digits, llvm::isHexDigit) || digits.getAsInteger(16, code)) {
      return false;
    }
    at_ += 6;
    return true;
  }

  bool Array(Node& node, int depth) {
    node.kind = Node::Kind::Array;
    bool more = !Take(']');
    while (more) {
      node.items.emplace_back();
      bool good = Value(node.items.back(), depth);
      if (!Next(']', good, more)) {
        return false;
      }
    }
    return true;
  }

  bool Object(Node& node, int depth) {
    node.kind = Node::Kind::Object;
    llvm::StringMap<source::Span> keys;
    bool more = !Take('}');
    while (more) {
      bool good = MemberOf(node, keys, depth);
      if (!Next('}', good, more)) {
        return false;
      }
    }
    return true;
  }

  // Takes what stands behind an element: a comma, and there is one more, or the closing bracket. False where reading ends.
  bool Next(char close, bool good, bool& more) {
    if (good && !AtByte(',') && !AtByte(close)) {
      good = FailExpected(std::string("',' or '") + close + "'");
    }
    if (!good && !Recover(close)) {
      return false;
    }
    more = Take(',');
    return more || Take(close);
  }

  bool MemberOf(Node& node, llvm::StringMap<source::Span>& keys, int depth) {
    Node key;
    if (!AtByte('"')) {
      return FailExpected("a key in double quotes");
    }
    if (!Value(key, depth)) {
      return false;
    }
    if (!Take(':')) {
      return FailExpected("':' and a value");
    }
    Member member{std::move(key.text), key.span, {}};
    if (!Value(member.value, depth)) {
      return false;
    }
    auto [first, inserted] = keys.try_emplace(member.key, member.key_span);
    if (!inserted) {
      diags_.Error(diag::Kind::InputFile, member.key_span, "the key '" + member.key + "' stands twice in this object")
          .Note(first->second, "the first one");
      return true;
    }
    node.members.push_back(std::move(member));
    return true;
  }

  // Moves to the comma or closing bracket behind a value that is wrong. False if there is none: reading ends.
  bool Recover(char close) {
    int open = 0;
    while (!gave_up_ && at_ < text_.size()) {
      char c = text_[at_];
      if (c == '"') {
        size_t end = text_.find_first_of("\"\n", at_ + 1);
        at_ = end == llvm::StringRef::npos ? text_.size() : end + 1;
        continue;
      }
      if (open == 0 && (c == ',' || c == close)) {
        return true;
      }
      open += c == '{' || c == '[' ? 1 : 0;
      open -= c == '}' || c == ']' ? 1 : 0;
      if (open < 0) {
        break;
      }
      ++at_;
    }
    gave_up_ = true;
    return false;
  }

  source::FileId file_;
  llvm::StringRef text_;
  diag::Engine& diags_;
  size_t errors_before_;
  size_t at_ = 0;
  bool gave_up_ = false;
};

}  // namespace

const Node* Node::Find(llvm::StringRef key) const {
  auto found = llvm::find_if(members, [&](const Member& m) { return m.key == key; });
  return found == members.end() ? nullptr : &found->value;
}

llvm::StringRef Describe(Node::Kind kind) {
  constexpr llvm::StringLiteral kWords[] = {"null", "a boolean", "a number", "a string", "a list", "an object"};
  return kWords[static_cast<size_t>(kind)];
}

std::optional<Node> ReadDocument(source::FileId file, diag::Engine& diags) { return Parser(file, diags).Run(); }

}  // namespace spmdc::text::json
