// Lexer: one pass over the bytes, a stack of indentations and one of open brackets.
#include "text/native/lexer.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "support/starts_with.h"

namespace spmdc::text::native {
namespace {

bool IsNameStart(char c) { return llvm::isAlpha(c) || c == '_'; }
bool IsNamePart(char c) { return llvm::isAlnum(c) || c == '_'; }
bool IsNonAscii(char c) { return (static_cast<unsigned char>(c) & 0x80U) != 0; }

class Lexer {
 public:
  Lexer(source::FileId file, uint32_t begin, uint32_t end, bool expression, diag::Engine& diags)
      : file_(file), text_(diags.sources().text(file)), diags_(diags), at_(begin), end_(end), expression_(expression) {}

  LexResult Run();

 private:
  struct Open {
    char close;
    uint32_t at;
  };

  char Peek(uint32_t ahead = 0) const { return at_ + ahead < end_ ? text_[at_ + ahead] : '\0'; }
  bool joined() const { return expression_ || !open_.empty(); }
  void Add(Tok kind, uint32_t begin) { tokens_.push_back({kind, begin, at_}); }
  diag::Handle Error(uint32_t begin, uint32_t end, std::string message) {
    return diags_.Error(diag::Kind::Syntax, {file_, begin, end}, std::move(message));
  }
  void Indentation();
  void EndLine();
  void LexToken();
  void LexName();
  void LexNumber();
  void LexDecimal();
  void LexRadix(bool (*is_digit)(char), const char* what);
  void Digits(bool (*is_digit)(char));
  bool LexString(uint32_t begin, llvm::StringRef prefix);
  bool SkipStringBody(char quote, bool triple, bool format);
  void LexPunctuation();
  bool Bracket(Tok kind, uint32_t begin);
  void Finish();

  source::FileId file_;
  llvm::StringRef text_;
  diag::Engine& diags_;
  uint32_t at_;
  uint32_t end_;
  bool expression_;
  std::vector<Token> tokens_;
  uint32_t unclosed_ = UINT32_MAX;
  llvm::SmallVector<Open, 8> open_;
  // Columns of the open blocks, tabs counted to the next multiple of 8, and counted as one: both must agree (Python).
  llvm::SmallVector<std::pair<uint32_t, uint32_t>, 8> indents_{{0, 0}};
};

LexResult Lexer::Run() {
  if (!expression_) {
    if (StartsWith(text_.substr(at_), "\xEF\xBB\xBF")) {
      at_ += 3;
    }
    Indentation();
  }
  while (at_ < end_) {
    LexToken();
  }
  Finish();
  return {std::move(tokens_), unclosed_};
}

void Lexer::Finish() {
  if (!open_.empty() && !expression_) {
    std::string bracket = text_.substr(open_.back().at, 1).str();
    unclosed_ = open_.back().at;
    Error(unclosed_, unclosed_ + 1, "`" + bracket + "` is never closed");
  }
  open_.clear();
  if (!expression_) {
    EndLine();
    for (size_t i = 1; i < indents_.size(); ++i) {
      Add(Tok::Dedent, at_);
    }
  }
  Add(Tok::End, at_);
}

void Lexer::EndLine() {
  if (!tokens_.empty() && tokens_.back().kind != Tok::Newline && tokens_.back().kind != Tok::Dedent &&
      tokens_.back().kind != Tok::Indent) {
    Add(Tok::Newline, at_);
  }
}

// Reads the blanks at the start of a line, skipping lines without code, and opens or closes blocks.
void Lexer::Indentation() {
  uint32_t column = 0;
  uint32_t alternative = 0;
  uint32_t begin = at_;
  for (;; ++at_) {
    char c = Peek();
    if (c == ' ') {
      ++column;
      ++alternative;
    } else if (c == '\t') {
      column = (column / 8 + 1) * 8;
      ++alternative;
    } else if (c == '\f') {
      column = alternative = 0;
    } else if (c == '\n' || (c == '\r' && at_ < end_)) {
      column = alternative = 0;
      begin = at_ + 1;
    } else if (c == '#') {
      while (at_ + 1 < end_ && text_[at_ + 1] != '\n') {
        ++at_;
      }
    } else {
      break;
    }
    if (at_ >= end_) {
      break;
    }
  }
  if (at_ >= end_) {
    return;
  }
  if (column > indents_.back().first) {
    if (alternative <= indents_.back().second) {
      Error(begin, at_, "tabs and spaces are mixed in this indentation");
    }
    indents_.push_back({column, alternative});
    Add(Tok::Indent, begin);
    return;
  }
  while (indents_.size() > 1 && column < indents_.back().first) {
    indents_.pop_back();
    tokens_.push_back({Tok::Dedent, at_, at_});
  }
  // The outermost block is deeper than a line only behind an indentation that has been told.
  if (column > indents_.back().first) {
    Error(begin, at_, "this indentation matches no block around it");
  }
  if (column != indents_.back().first) {
    indents_.back() = {column, alternative};
  }
}

void Lexer::LexToken() {
  char c = Peek();
  if (c == ' ' || c == '\t' || c == '\f' || c == '\r') {
    ++at_;
  } else if (c == '#') {
    at_ = static_cast<uint32_t>(std::min<size_t>(text_.find('\n', at_), end_));
  } else if (c == '\n') {
    if (joined()) {
      ++at_;
    } else {
      EndLine();
      ++at_;
      Indentation();
    }
  } else if (c == '\\') {
    uint32_t next = Peek(1) == '\r' ? at_ + 2 : at_ + 1;
    if (next < end_ && text_[next] == '\n') {
      at_ = next + 1;
    } else {
      Error(at_, at_ + 1, "a backslash must stand at the end of its line");
      ++at_;
    }
  } else if (IsNameStart(c)) {
    LexName();
  } else if (llvm::isDigit(c) || (c == '.' && llvm::isDigit(Peek(1)))) {
    LexNumber();
  } else if (c == '"' || c == '\'') {
    LexString(at_, "");
  } else {
    LexPunctuation();
  }
}

void Lexer::LexName() {
  uint32_t begin = at_;
  while (at_ < end_ && IsNamePart(text_[at_])) {
    ++at_;
  }
  llvm::StringRef name = text_.slice(begin, at_);
  if ((Peek() == '"' || Peek() == '\'') && name.size() <= 2 && LexString(begin, name)) {
    return;
  }
  static const llvm::StringRef kKeywords[] = {
#define NATIVE_KEYWORD(name, text) text,
#include "text/native/tokens.def"
  };
  Tok kind = Tok::Name;
  if (name.size() <= 8) {
    for (size_t i = 0; i < std::size(kKeywords); ++i) {
      if (name[0] == kKeywords[i][0] && name == kKeywords[i]) {
        kind = static_cast<Tok>(static_cast<size_t>(Tok::KwFalse) + i);
      }
    }
  }
  Add(kind, begin);
}

void Lexer::Digits(bool (*is_digit)(char)) {
  while (is_digit(Peek()) || (Peek() == '_' && is_digit(Peek(1)))) {
    ++at_;
  }
}

void Lexer::LexRadix(bool (*is_digit)(char), const char* what) {
  uint32_t begin = at_;
  at_ += 2;
  if (Peek() == '_') {
    ++at_;
  }
  uint32_t first = at_;
  Digits(is_digit);
  bool bad = at_ == first || IsNamePart(Peek());
  while (at_ < end_ && IsNamePart(text_[at_])) {
    ++at_;
  }
  if (bad) {
    Error(begin, at_, std::string("invalid ") + what + " number");
  }
  Add(bad ? Tok::Error : Tok::Int, begin);
}

void Lexer::LexNumber() {
  char second = llvm::toLower(Peek(1));
  if (Peek() == '0' && second == 'x') {
    LexRadix([](char c) { return llvm::isHexDigit(c); }, "hexadecimal");
  } else if (Peek() == '0' && second == 'o') {
    LexRadix([](char c) { return c >= '0' && c <= '7'; }, "octal");
  } else if (Peek() == '0' && second == 'b') {
    LexRadix([](char c) { return c == '0' || c == '1'; }, "binary");
  } else {
    LexDecimal();
  }
}

void Lexer::LexDecimal() {
  auto is_digit = [](char c) { return llvm::isDigit(c); };
  uint32_t begin = at_;
  Tok kind = Tok::Int;
  Digits(is_digit);
  llvm::StringRef whole = text_.slice(begin, at_);
  if (Peek() == '.') {
    kind = Tok::Float;
    ++at_;
    Digits(is_digit);
  }
  if (llvm::toLower(Peek()) == 'e') {
    uint32_t sign = Peek(1) == '+' || Peek(1) == '-' ? 1 : 0;
    if (llvm::isDigit(Peek(1 + sign))) {
      kind = Tok::Float;
      at_ += 1 + sign;
      Digits(is_digit);
    }
  }
  if (llvm::toLower(Peek()) == 'j') {
    kind = Tok::Imag;
    ++at_;
  }
  // Python lets a keyword follow a number at once: `1if x else 2`.
  uint32_t word = at_;
  while (word < end_ && IsNamePart(text_[word])) {
    ++word;
  }
  bool keyword = llvm::StringSwitch<bool>(text_.slice(at_, word))
                     .Cases("and", "else", "for", "if", "in", "is", "or", "not", true)
                     .Default(word == at_);
  if (!keyword) {
    at_ = word;
    Error(begin, at_, "invalid number `" + text_.slice(begin, at_).str() + "`");
    Add(Tok::Error, begin);
    return;
  }
  if (kind == Tok::Int && whole.size() > 1 && whole[0] == '0' &&
      whole.find_first_not_of("0_") != llvm::StringRef::npos) {
    Error(begin, at_, "leading zeros are not permitted in a decimal number").Help("write 0o... for an octal number");
  }
  Add(kind, begin);
}

// Whether the letters are a string prefix; then the string is lexed.
bool Lexer::LexString(uint32_t begin, llvm::StringRef prefix) {
  std::string lower = prefix.lower();
  bool bytes = lower == "b" || lower == "br" || lower == "rb";
  bool format = lower == "f" || lower == "fr" || lower == "rf";
  if (!bytes && !format && !lower.empty() && lower != "r" && lower != "u") {
    return false;
  }
  char quote = Peek();
  bool triple = Peek(1) == quote && Peek(2) == quote;
  uint32_t open = at_;
  at_ += triple ? 3 : 1;
  bool closed = SkipStringBody(quote, triple, format);
  if (!closed) {
    Error(begin, triple ? open + 3 : at_,
          triple ? "this triple-quoted string is never closed" : "this string is not closed on its line");
  } else if (bytes) {
    Error(begin, at_, "bytes are not part of the language");
  }
  Add(closed && !bytes ? (format ? Tok::FString : Tok::String) : Tok::Error, begin);
  return true;
}

// Advances behind the closing quotes. Within the replacement fields of an f-string, quotes open inner strings.
bool Lexer::SkipStringBody(char quote, bool triple, bool format) {
  while (at_ < end_) {
    char c = text_[at_];
    if (c == '\\') {
      at_ = std::min(at_ + 2, end_);
    } else if (c == '\n' && !triple) {
      return false;
    } else if (c == quote && (!triple || (Peek(1) == quote && Peek(2) == quote))) {
      at_ += triple ? 3 : 1;
      return true;
    } else if (format && c == '{') {
      if (Peek(1) == '{') {
        at_ += 2;
        continue;
      }
      size_t line_end = triple ? end_ : std::min<size_t>(text_.find('\n', at_), end_);
      size_t close = EndOfField(text_, at_ + 1, line_end);
      format = close != llvm::StringRef::npos;  // without an end, the rest is plain text
      at_ = format ? static_cast<uint32_t>(close) + 1 : at_ + 1;
    } else {
      ++at_;
    }
  }
  return false;
}

void Lexer::LexPunctuation() {
  static const llvm::StringRef kMarks[] = {
#define NATIVE_PUNCTUATION(name, text) text,
#include "text/native/tokens.def"
  };
  uint32_t begin = at_;
  llvm::StringRef rest = text_.slice(at_, end_);
  // Most marks are one character, and begin no longer one.
  bool single = llvm::StringRef("()[]{},~;").contains(rest[0]);
  constexpr size_t kFirstSingle = static_cast<size_t>(Tok::LeftParen) - static_cast<size_t>(Tok::Ellipsis);
  for (size_t i = single ? kFirstSingle : 0; i < std::size(kMarks); ++i) {
    if (rest[0] == kMarks[i][0] && StartsWith(rest, kMarks[i])) {
      at_ += static_cast<uint32_t>(kMarks[i].size());
      Tok kind = static_cast<Tok>(static_cast<size_t>(Tok::Ellipsis) + i);
      Add(Bracket(kind, begin) ? kind : Tok::Error, begin);
      return;
    }
  }
  // One message for a run of bytes that cannot begin a token.
  if (IsNonAscii(Peek())) {
    while (at_ < end_ && IsNonAscii(text_[at_])) {
      ++at_;
    }
    Error(begin, at_, "only ASCII letters may stand outside strings and comments");
  } else {
    ++at_;
    std::string mark = llvm::isPrint(text_[begin]) ? " `" + text_.substr(begin, 1).str() + "`" : "";
    Error(begin, at_, "unexpected character" + mark);
  }
  Add(Tok::Error, begin);
}

// False, with an error, for a bracket that closes nothing or another one.
bool Lexer::Bracket(Tok kind, uint32_t begin) {
  if (kind == Tok::LeftParen) {
    open_.push_back({')', begin});
  } else if (kind == Tok::LeftBracket) {
    open_.push_back({']', begin});
  } else if (kind == Tok::LeftBrace) {
    open_.push_back({'}', begin});
  } else if (kind == Tok::RightParen || kind == Tok::RightBracket || kind == Tok::RightBrace) {
    char c = text_[begin];
    if (open_.empty()) {
      Error(begin, begin + 1, std::string("`") + c + "` closes nothing");
      return false;
    }
    if (open_.back().close != c) {
      Error(begin, begin + 1, std::string("`") + c + "` does not close `" + text_[open_.back().at] + "`")
          .Note({file_, open_.back().at, open_.back().at + 1}, "opened here");
      open_.pop_back();
      return false;
    }
    open_.pop_back();
  }
  return true;
}

}  // namespace

LexResult Lex(source::FileId file, diag::Engine& diags) {
  auto size = static_cast<uint32_t>(diags.sources().text(file).size());
  return Lexer(file, 0, size, false, diags).Run();
}

std::vector<Token> LexExpression(source::FileId file, uint32_t begin, uint32_t end, diag::Engine& diags) {
  return Lexer(file, begin, end, true, diags).Run().tokens;
}

}  // namespace spmdc::text::native
