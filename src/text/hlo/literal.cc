// Reads constants.
#include "text/hlo/literal.h"

#include <cstring>
#include <vector>

#include "llvm/ADT/StringExtras.h"
#include "support/starts_with.h"
#include "tensor/number_text.h"

namespace spmdc::text::hlo {
namespace {

using tensor::DClass;
using tensor::DType;
using tensor::Literal;

class LiteralReader {
 public:
  LiteralReader(llvm::StringRef text, const ir::Type& type)
      : rest_(text),
        type_(type),
        part_(tensor::RealPart(type.dtype)),
        width_(static_cast<size_t>(tensor::ByteWidth(part_))) {}

  std::vector<char> bytes;
  std::string problem;
  llvm::StringRef at;

  bool ReadAll() {
    bytes.reserve(static_cast<size_t>(std::min<int64_t>(type_.bytes(), static_cast<int64_t>(rest_.size()) * 16)));
    return List(0) && (!Peek() || Bad("the end of the literal"));
  }

 private:
  // Blanks and comments (`/*i0=3*/`).
  bool Peek() {
    rest_ = rest_.ltrim();
    while (StartsWith(rest_, "/*")) {
      size_t end = rest_.find("*/");
      rest_ = end == llvm::StringRef::npos ? llvm::StringRef() : rest_.substr(end + 2).ltrim();
    }
    return !rest_.empty();
  }
  bool Bad(std::string expected) {
    at = rest_.substr(0, 1);
    problem = "expected " + std::move(expected);
    return false;
  }
  bool Take(char c) {
    if (!Peek() || rest_[0] != c) {
      return false;
    }
    rest_ = rest_.drop_front();
    return true;
  }

  bool List(size_t dim) {
    if (dim == type_.rank()) {
      return Scalar();
    }
    if (!Take('{')) {
      return Bad("`{`");
    }
    int64_t count = 0;
    for (; !Take('}'); ++count) {
      if (count > 0 && !Take(',')) {
        return Bad("`,` or `}`");
      }
      if (!List(dim + 1)) {
        return false;
      }
    }
    if (count != type_.dims[dim]) {
      return Bad(std::to_string(type_.dims[dim]) + " elements along dim " + std::to_string(dim) + ", found " +
                 std::to_string(count));
    }
    return true;
  }

  bool Scalar() {
    if (!tensor::IsComplex(type_.dtype)) {
      return Number();
    }
    return (Take('(') || Bad("`(`")) && Number() && (Take(',') || Bad("`,`")) && Number() && (Take(')') || Bad("`)`"));
  }

  bool Number() {
    Peek();
    llvm::StringRef word = rest_.substr(0, rest_.find_first_of(",}) \n\t("));
    char buffer[8] = {};
    bool is_nan = word == "nan" || word == "-nan";
    bool good = tensor::IsFloat(part_) ? Float(word, buffer) : Integer(word, buffer);
    if (word.empty() || !good) {
      return Bad("a number of type " + tensor::HloName(type_.dtype).str());
    }
    rest_ = rest_.drop_front(word.size());
    // The payload of a NaN.
    if (is_nan && StartsWith(rest_, "(")) {
      rest_ = rest_.substr(std::min(rest_.find(')'), rest_.size() - 1) + 1);
    }
    bytes.insert(bytes.end(), buffer, buffer + width_);
    return true;
  }

  bool Store(std::optional<uint64_t> bits, char* out) const {
    if (bits) {
      std::memcpy(out, &*bits, width_);
    }
    return bits.has_value();
  }

  bool Float(llvm::StringRef word, char* out) const {
    auto bits = tensor::FloatBits(word, part_, tensor::Overflow::Refused);
    return Store(bits, out);
  }

  bool Integer(llvm::StringRef word, char* out) const {
    if (word == "true" || word == "false") {
      out[0] = word == "true" ? 1 : 0;
      return tensor::Class(part_) == DClass::Pred;
    }
    auto bits = tensor::IntegerBits(word, 10, part_);
    return Store(bits, out);
  }

  llvm::StringRef rest_;
  const ir::Type& type_;
  DType part_;
  size_t width_;
};

}  // namespace

std::optional<Literal> ParseLiteral(llvm::StringRef text, const ir::Type& type, std::string& problem,
                                    llvm::StringRef& at) {
  if (!type.is_array()) {
    problem = "a constant cannot have this type";
    at = text;
    return std::nullopt;
  }
  if (text.trim() == "{...}") {
    return Literal::Unknown(type.dtype, type.dims);
  }
  LiteralReader reader(text, type);
  if (!reader.ReadAll()) {
    problem = reader.problem;
    at = reader.at;
    return std::nullopt;
  }
  return type.rank() == 0 ? Literal::Splat(type.dtype, type.dims, std::move(reader.bytes))
                          : Literal::Dense(type.dtype, type.dims, std::move(reader.bytes));
}

}  // namespace spmdc::text::hlo
