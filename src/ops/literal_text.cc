// Numbers in the fewest digits that read back to the same bits, and the brackets around them.
#include "ops/literal_text.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

namespace spmdc::ops {
namespace {

using tensor::DClass;
using tensor::DType;
using tensor::Literal;

std::string Format(double value, int digits) {
  char buffer[64];
  int length = std::snprintf(buffer, sizeof(buffer), "%.*g", digits, value);
  return {buffer, static_cast<size_t>(length)};
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

struct Brackets {
  llvm::StringRef open, close;  // of the innermost lists
  llvm::StringRef outer_open, outer_close;
};

void Append(std::string& text, llvm::ArrayRef<int64_t> dims, const Brackets& brackets, int64_t& next,
            const std::function<std::string(int64_t)>& element) {
  if (dims.empty()) {
    text += element(next++);
    return;
  }
  bool outer = dims.size() > 1;
  text += outer ? brackets.outer_open : brackets.open;
  for (int64_t i = 0; i < dims[0]; ++i) {
    text += i == 0 ? "" : ", ";
    Append(text, dims.drop_front(), brackets, next, element);
  }
  text += outer ? brackets.outer_close : brackets.close;
}

}  // namespace

std::string HloText(const Literal& literal) {
  if (literal.is_unknown()) {
    return "{...}";
  }
  std::string text;
  int64_t next = 0;
  bool scalar = literal.dims().empty();
  Append(text, literal.dims(), {"{", "}", "{ ", " }"}, next, [&](int64_t i) { return HloElement(literal, i, scalar); });
  return text;
}

std::string PythonText(const Literal& literal) {
  if (literal.is_splat()) {
    return PythonElement(literal, 0);
  }
  std::string text;
  int64_t next = 0;
  Append(text, literal.dims(), {"[", "]", "[", "]"}, next, [&](int64_t i) { return PythonElement(literal, i); });
  return text;
}

}  // namespace spmdc::ops
