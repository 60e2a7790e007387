// Numbers in the fewest digits that read back to the same bits, and the brackets around them.
#include "ops/literal_text.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>

namespace spmdc::ops {
namespace {

using tensor::DClass;
using tensor::DType;
using tensor::Literal;

// As printf's %.*g.
std::string Format(double value, int digits) {
  char buffer[64];
  return {buffer, std::to_chars(std::begin(buffer), std::end(buffer), value, std::chars_format::general, digits).ptr};
}

// How many digits tell all numbers of a narrow float type apart: 1 + (mantissa bits + 1) log10(2), rounded up.
int MaxDigits(DType dtype) {
  double significant_bits = -std::log2(tensor::Epsilon(dtype));  // epsilon is half the distance from 1 to the next
  return static_cast<int>(std::ceil(1 + significant_bits * 0.30103));
}

// XLA's: the short form if it reads back to the same number, else the long one; narrow floats always long.
std::string FloatText(DType dtype, double value) {
  if (std::isnan(value)) {
    return std::signbit(value) ? "-nan" : "nan";
  }
  if (std::isinf(value)) {
    return value < 0 ? "-inf" : "inf";
  }
  if (dtype == DType::F32) {
    std::string text = Format(value, 6);
    return std::strtof(text.c_str(), nullptr) == static_cast<float>(value) ? text : Format(value, 9);
  }
  if (dtype == DType::F64) {
    std::string text = Format(value, 15);
    return std::strtod(text.c_str(), nullptr) == value ? text : Format(value, 17);
  }
  return Format(value, MaxDigits(dtype));
}

std::string IntText(const Literal& literal, int64_t i) {
  int64_t value = literal.GetInt(i);
  return literal.dtype() == DType::U64 ? std::to_string(static_cast<uint64_t>(value)) : std::to_string(value);
}

std::string HloElement(const Literal& literal, int64_t i, bool scalar) {
  switch (tensor::Class(literal.dtype())) {
    case DClass::Pred:
      return literal.GetInt(i) != 0 ? (scalar ? "true" : "1") : (scalar ? "false" : "0");
    case DClass::Float:
      return FloatText(literal.dtype(), literal.GetReal(i));
    case DClass::Complex: {
      DType part = tensor::RealPart(literal.dtype());
      std::complex<double> value = literal.GetComplex(i);
      return "(" + FloatText(part, value.real()) + ", " + FloatText(part, value.imag()) + ")";
    }
    default:
      return IntText(literal, i);
  }
}

// Python's: always with a point or an exponent, so that it is a float.
std::string PythonFloat(DType dtype, double value) {
  if (std::isnan(value)) {
    return "nan";
  }
  std::string text = FloatText(dtype, value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string PythonElement(const Literal& literal, int64_t i) {
  switch (tensor::Class(literal.dtype())) {
    case DClass::Pred:
      return literal.GetInt(i) != 0 ? "True" : "False";
    case DClass::Float:
      return PythonFloat(literal.dtype(), literal.GetReal(i));
    case DClass::Complex: {
      DType part = tensor::RealPart(literal.dtype());
      std::complex<double> value = literal.GetComplex(i);
      return "complex(" + PythonFloat(part, value.real()) + ", " + PythonFloat(part, value.imag()) + ")";
    }
    default:
      return IntText(literal, i);
  }
}

// MLIR's: a float has a point, and what is no number is spelled by its bits.
std::string MlirFloat(DType dtype, double value) {
  if (std::isnan(value) || std::isinf(value)) {
    uint64_t bits = 0;
    auto narrow = static_cast<float>(value);
    if (dtype == DType::F64) {
      std::memcpy(&bits, &value, sizeof value);
    } else if (dtype == DType::F32) {
      std::memcpy(&bits, &narrow, sizeof narrow);
    } else {
      bits = tensor::EncodeFloat(dtype, value);
    }
    char buffer[24];
    std::snprintf(buffer, sizeof buffer, "0x%0*llX", static_cast<int>(2 * tensor::ByteWidth(dtype)),
                  static_cast<unsigned long long>(bits));
    return buffer;
  }
  std::string text = FloatText(dtype, value);
  if (text.find('.') == std::string::npos) {
    text.insert(std::min(text.find('e'), text.size()), ".0");
  }
  return text;
}

std::string MlirElement(const Literal& literal, int64_t i) {
  switch (tensor::Class(literal.dtype())) {
    case DClass::Pred:
      return literal.GetInt(i) != 0 ? "true" : "false";
    case DClass::Float:
      return MlirFloat(literal.dtype(), literal.GetReal(i));
    case DClass::Complex: {
      DType part = tensor::RealPart(literal.dtype());
      std::complex<double> value = literal.GetComplex(i);
      return "(" + MlirFloat(part, value.real()) + "," + MlirFloat(part, value.imag()) + ")";
    }
    default:
      return IntText(literal, i);
  }
}

std::string HexText(llvm::ArrayRef<char> bytes) {
  constexpr llvm::StringRef kDigits = "0123456789ABCDEF";
  std::string text = "\"0x";
  text.reserve(2 * bytes.size() + 4);
  for (char byte : bytes) {
    auto bits = static_cast<unsigned char>(byte);
    text += kDigits[bits / 16];
    text += kDigits[bits % 16];
  }
  return text + "\"";
}

// Which blanks stand within the brackets of a list of `count` items, given how deep the list is.
using Blank = llvm::StringRef (*)(bool whole, bool innermost, int64_t count);

// XLA's: none in an array of one dim, and none in innermost lists of at most one element.
llvm::StringRef HloBlank(bool whole, bool innermost, int64_t count) {
  return innermost && (whole || count <= 1) ? "" : " ";
}
llvm::StringRef PythonBlank(bool, bool, int64_t) { return ""; }

class Printer {
 public:
  Printer(llvm::StringRef brackets, Blank blank, std::function<std::string(int64_t)> element)
      : brackets_(brackets), blank_(blank), element_(std::move(element)) {}

  std::string Print(llvm::ArrayRef<int64_t> dims) {
    Append(dims, true);
    return std::move(text_);
  }

 private:
  void Append(llvm::ArrayRef<int64_t> dims, bool whole) {
    if (dims.empty()) {
      text_ += element_(next_++);
      return;
    }
    llvm::StringRef blank = blank_(whole, dims.size() == 1, dims[0]);
    text_ += brackets_[0] + blank.str();
    for (int64_t i = 0; i < dims[0]; ++i) {
      text_ += i == 0 ? "" : ", ";
      Append(dims.drop_front(), false);
    }
    text_ += blank.str() + brackets_[1];
  }

  llvm::StringRef brackets_;
  Blank blank_;
  std::function<std::string(int64_t)> element_;
  std::string text_;
  int64_t next_ = 0;
};

}  // namespace

std::string HloText(const Literal& literal) {
  if (literal.is_unknown()) {
    return "{...}";
  }
  bool scalar = literal.dims().empty();
  return Printer("{}", HloBlank, [&](int64_t i) { return HloElement(literal, i, scalar); }).Print(literal.dims());
}

std::string MlirText(const Literal& literal) {
  constexpr int64_t kMostListed = 64;
  if (literal.is_unknown()) {
    return "dense_resource<__elided__>";
  }
  if (literal.size() == 0) {
    return "dense<>";
  }
  if (literal.is_splat()) {
    return "dense<" + MlirElement(literal, 0) + ">";
  }
  bool whole_bytes = tensor::BitWidth(literal.dtype()) == 8 * tensor::ByteWidth(literal.dtype());
  if (literal.size() > kMostListed && whole_bytes) {
    return "dense<" + HexText(literal.raw()) + ">";
  }
  Printer printer("[]", PythonBlank, [&](int64_t i) { return MlirElement(literal, i); });
  return "dense<" + printer.Print(literal.dims()) + ">";
}

std::string PythonText(const Literal& literal) {
  if (literal.is_splat()) {
    return PythonElement(literal, 0);
  }
  return Printer("[]", PythonBlank, [&](int64_t i) { return PythonElement(literal, i); }).Print(literal.dims());
}

}  // namespace spmdc::ops
