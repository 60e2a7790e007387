// Dense literals: splats, nested lists, hex strings, and resources at the end of the file.
#include <cstring>

#include "llvm/ADT/StringExtras.h"
#include "support/starts_with.h"
#include "tensor/number_text.h"
#include "text/stablehlo/parser.h"

namespace spmdc::text::stablehlo {
namespace {

using tensor::DClass;
using tensor::DType;
using tensor::Literal;

// Writes numbers as elements of one type.
class ElementWriter {
 public:
  explicit ElementWriter(DType dtype)
      : dtype_(dtype), part_(tensor::RealPart(dtype)), width_(static_cast<size_t>(tensor::ByteWidth(part_))) {}

  // `1`, `-2.5e+00`, `0x7F800000` (bits of a float), `true`.
  bool Write(llvm::StringRef word, std::vector<char>& bytes) const {
    char buffer[8] = {};
    if (word == "true" || word == "false") {
      buffer[0] = word == "true" ? 1 : 0;
      bytes.insert(bytes.end(), buffer, buffer + width_);
      return tensor::Class(dtype_) == DClass::Pred;
    }
    bool good = tensor::IsFloat(part_) ? Float(word, buffer) : Integer(word, buffer);
    bytes.insert(bytes.end(), buffer, buffer + width_);
    return good;
  }

 private:
  bool Float(llvm::StringRef word, char* out) const {
    uint64_t bits = 0;
    if (StartsWith(word, "0x")) {
      if (word.drop_front(2).getAsInteger(16, bits) || (width_ < 8 && bits >> (8 * width_) != 0)) {
        return false;
      }
      std::memcpy(out, &bits, width_);
      return true;
    }
    auto value = tensor::FloatBits(word, part_, tensor::Overflow::Infinity);
    bits = value.value_or(0);
    std::memcpy(out, &bits, width_);
    return value.has_value();
  }

  bool Integer(llvm::StringRef word, char* out) const {
    auto value = tensor::IntegerBits(word, 0, part_);
    uint64_t bits = value.value_or(0);
    std::memcpy(out, &bits, width_);
    return value.has_value();
  }

  DType dtype_;
  DType part_;
  size_t width_;
};

// The bytes that a string of hex digits stands for; nothing if it is none.
std::optional<std::vector<char>> HexBytes(llvm::StringRef digits) {
  if (digits.size() % 2 != 0) {
    return std::nullopt;
  }
  std::vector<char> bytes(digits.size() / 2);
  for (size_t i = 0; i < bytes.size(); ++i) {
    unsigned high = llvm::hexDigitValue(digits[2 * i]);
    unsigned low = llvm::hexDigitValue(digits[2 * i + 1]);
    if (high > 15 || low > 15) {
      return std::nullopt;
    }
    bytes[i] = static_cast<char>(high * 16 + low);
  }
  return bytes;
}

// Raw elements as MLIR stores them: whole elements, or eight of i1 in a byte.
std::optional<Literal> FromRaw(std::vector<char> bytes, const ir::Type& type) {
  size_t width = static_cast<size_t>(tensor::ByteWidth(type.dtype));
  size_t count = static_cast<size_t>(type.num_elements());
  if (bytes.size() == count * width) {
    if (type.dtype == DType::Pred) {
      for (char& c : bytes) {
        c = c != 0;
      }
    }
    return Literal::Dense(type.dtype, type.dims, std::move(bytes));
  }
  if (type.dtype == DType::Pred && bytes.size() == (count + 7) / 8) {
    std::vector<char> spread(count);
    for (size_t i = 0; i < count; ++i) {
      spread[i] = static_cast<char>(static_cast<unsigned char>(bytes[i / 8]) >> (i % 8) & 1);
    }
    return Literal::Dense(type.dtype, type.dims, std::move(spread));
  }
  if (bytes.size() == width) {
    return Literal::Splat(type.dtype, type.dims, std::move(bytes));
  }
  return std::nullopt;
}

// Nested lists of numbers; complex numbers are `(re, im)`.
class ListReader {
 public:
  ListReader(llvm::StringRef text, const ir::Type& type)
      : rest_(text), type_(type), writer_(type.dtype), complex_(tensor::IsComplex(type.dtype)) {
    bytes.reserve(static_cast<size_t>(std::min<int64_t>(type.bytes(), static_cast<int64_t>(text.size()) * 8)));
  }

  std::vector<char> bytes;
  // Empty, or what is wrong and where.
  std::string problem;
  llvm::StringRef at;

  bool ReadAll() {
    if (!Peek()) {
      return Bad("a number");
    }
    splat_ = rest_[0] != '[';
    return splat_ ? Scalar() && AtEnd() : List(0) && AtEnd();
  }
  bool is_splat() const { return splat_; }

 private:
  bool Peek() {
    rest_ = rest_.ltrim();
    return !rest_.empty();
  }
  bool AtEnd() { return !Peek() || Bad("the end of the literal"); }
  bool Bad(const std::string& expected) {
    at = rest_.substr(0, 1);
    problem = "expected " + expected;
    return false;
  }
  bool Take(char c) {
    if (!Peek() || rest_[0] != c) {
      return false;
    }
    rest_ = rest_.drop_front();
    return true;
  }
  bool Number() {
    Peek();
    size_t size = rest_.find_first_of(",]) \n\t(");
    llvm::StringRef word = rest_.substr(0, size);
    if (word.empty() || !writer_.Write(word, bytes)) {
      return Bad("a number of type " + tensor::StablehloName(type_.dtype).str());
    }
    rest_ = rest_.drop_front(word.size());
    return true;
  }
  bool Scalar() {
    if (!complex_) {
      return Number();
    }
    return (Take('(') || Bad("`(`")) && Number() && (Take(',') || Bad("`,`")) && Number() && (Take(')') || Bad("`)`"));
  }
  bool List(size_t dim) {
    llvm::StringRef open = rest_;
    if (dim >= type_.dims.size()) {
      return Bad("a number: the type has " + std::to_string(type_.dims.size()) + " dims");
    }
    Take('[');
    int64_t count = 0;
    for (; !Take(']'); ++count) {
      if (count > 0 && !Take(',')) {
        return Bad("`,` or `]`");
      }
      Peek();
      bool inner = dim + 1 < type_.dims.size();
      if (inner && (rest_.empty() || rest_[0] != '[')) {
        return Bad("`[`");
      }
      if (!(inner ? List(dim + 1) : Scalar())) {
        return false;
      }
    }
    if (count != type_.dims[dim]) {
      rest_ = open;
      return Bad(std::to_string(type_.dims[dim]) + " elements along dim " + std::to_string(dim) + ", found " +
                 std::to_string(count));
    }
    return true;
  }

  llvm::StringRef rest_;
  const ir::Type& type_;
  ElementWriter writer_;
  bool complex_;
  bool splat_ = false;
};

}  // namespace

// The text between `dense<` and `>`.
std::optional<Literal> Parser::ReadElements(llvm::StringRef elements, const ir::Type& type) {
  auto bad = [&](llvm::StringRef at, std::string message) {
    Fail(diag::Kind::LiteralForm, SpanOf(at), std::move(message));
    return std::nullopt;
  };
  if (!type.is_array()) {
    return bad(elements, "a literal cannot have this type");
  }
  elements = elements.trim();
  if (elements.empty()) {
    if (type.num_elements() != 0) {
      return bad(elements, "the literal has no elements, its type has " + std::to_string(type.num_elements()));
    }
    return Literal(type.dtype, type.dims);
  }
  if (StartsWith(elements, "\"0x")) {
    auto bytes = HexBytes(elements.drop_front(3).drop_back());
    std::optional<Literal> literal = bytes ? FromRaw(std::move(*bytes), type) : std::nullopt;
    if (!literal) {
      return bad(elements.take_front(16),
                 "the hex digits are not the elements of " + ir::ToString(*module_.tables, type));
    }
    return literal;
  }
  ListReader list(elements, type);
  if (!list.ReadAll()) {
    return bad(list.at, list.problem);
  }
  return list.is_splat() ? Literal::Splat(type.dtype, type.dims, std::move(list.bytes))
                         : Literal::Dense(type.dtype, type.dims, std::move(list.bytes));
}

std::optional<op::MlirAttr> Parser::ReadDenseAttr() {
  size_t begin = lex_.pos() + 6;
  lex_.set_pos(begin - 1);  // on `<`
  if (!lex_.SkipBalanced()) {
    FailExpected("`>` at the end of a literal");
    return std::nullopt;
  }
  llvm::StringRef elements = lex_.Slice(begin, lex_.pos() - 1);
  if (!Expect(":")) {
    return std::nullopt;
  }
  auto id = ReadType();
  if (!id) {
    return std::nullopt;
  }
  op::MlirAttr attr{op::MlirAttr::Kind::Dense};
  attr.type = type(*id);
  constexpr size_t kShort = 64;  // most literals are single numbers, and the same ones again and again
  bool is_short = elements.size() <= kShort;
  if (is_short) {
    auto known = literal_of_text_.find({elements, *id});
    if (known != literal_of_text_.end()) {
      attr.literal = known->second;
      return attr;
    }
  }
  auto literal = ReadElements(elements, *attr.type);
  if (!literal) {
    return std::nullopt;
  }
  if (is_short) {
    literal_of_text_[{elements, *id}] = *literal;
  }
  attr.literal = std::move(*literal);
  return attr;
}

// `name: "0x04000000..."`, each on a line of its own, behind the module.
void Parser::CollectResources() {
  constexpr llvm::StringLiteral kBefore = ": \"0x";
  resources_.emplace();
  llvm::StringRef text = lex_.text().substr(std::min(lex_.text().rfind("{-#"), lex_.text().size()));
  size_t at = FindText(text, kBefore);
  while (at != llvm::StringRef::npos) {
    size_t begin = at;
    while (begin > 0 && IsNameChar(text[begin - 1])) {
      --begin;
    }
    llvm::StringRef digits = text.substr(at + kBefore.size());
    digits = digits.substr(0, digits.find('"'));
    resources_->try_emplace(text.slice(begin, at), digits);
    at = FindText(text, kBefore, at + kBefore.size() + digits.size());
  }
}

// `dense_resource<name> : type`: the bytes stand at the end of the file, behind a header of four bytes, or are elided.
std::optional<op::MlirAttr> Parser::ReadResourceAttr() {
  lex_.set_pos(lex_.pos() + 14);  // on `<`
  if (!lex_.Take('<')) {
    return std::nullopt;
  }
  llvm::StringRef quoted = lex_.Quoted();  // empty where its end is missing
  llvm::StringRef name = quoted.empty() ? lex_.Name() : quoted.drop_front().drop_back();
  if (!Expect(">") || !Expect(":")) {
    return std::nullopt;
  }
  auto id = ReadType();
  if (!id) {
    return std::nullopt;
  }
  op::MlirAttr attr{op::MlirAttr::Kind::Dense};
  attr.type = type(*id);
  attr.literal = Literal::Unknown(attr.type->dtype, attr.type->dims);
  if (!resources_) {
    CollectResources();
  }
  auto found = resources_->find(name);
  if (found != resources_->end()) {
    llvm::StringRef digits = found->second;
    auto bytes = HexBytes(digits.drop_front(std::min<size_t>(8, digits.size())));
    auto literal = bytes ? FromRaw(std::move(*bytes), *attr.type) : std::nullopt;
    if (!literal) {
      Fail(diag::Kind::LiteralForm, SpanOf(name),
           "resource `" + name.str() + "` does not hold the elements of " + ir::ToString(*module_.tables, *attr.type));
      return std::nullopt;
    }
    attr.literal = std::move(*literal);
  }
  return attr;
}

}  // namespace spmdc::text::stablehlo
