// Conversions between element types and the types that they are computed in.
#include "ops/typed.h"

#include <bit>

namespace spmdc::ops {

using tensor::DType;
using tensor::Literal;

DType ComputeType(DType dtype) {
  switch (tensor::Class(dtype)) {
    case tensor::DClass::Float:
      return dtype == DType::F64 ? dtype : DType::F32;
    case tensor::DClass::Signed:
      return tensor::BitWidth(dtype) < 8 ? DType::S8 : dtype;
    case tensor::DClass::Unsigned:
      return tensor::BitWidth(dtype) < 8 ? DType::U8 : dtype;
    default:
      return dtype;
  }
}

namespace {

float FloatOfBf16(uint16_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

// Round to nearest, ties to even; NaN stays NaN.
uint16_t Bf16OfFloat(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  uint32_t quiet = bits >> 16 | 0x40;
  bool is_nan = (bits & 0x7fffffff) > 0x7f800000;  // in integers, so that loops over it are of vector instructions
  return static_cast<uint16_t>(is_nan ? quiet : rounded);
}

template <typename From, typename To, typename Fn>
Literal Loop(const Literal& literal, DType to, Fn fn) {
  Literal result = Literal::Unwritten(to, literal.dims());
  llvm::ArrayRef<From> in = literal.data<From>();
  llvm::MutableArrayRef<To> out = result.mutable_data<To>();
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = fn(in[i]);
  }
  return result;
}

}  // namespace

Literal ConvertLiteral(const Literal& literal, DType to) {
  DType from = literal.dtype();
  if (from == to) {
    return literal;
  }
  if (literal.is_splat() || literal.is_unknown()) {
    return literal.ConvertTo(to);
  }
  if (from == DType::BF16 && to == DType::F32) {
    return Loop<uint16_t, float>(literal, to, FloatOfBf16);
  }
  if (from == DType::F32 && to == DType::BF16) {
    return Loop<float, uint16_t>(literal, to, Bf16OfFloat);
  }
  if (from == DType::F32 && to == DType::F64) {
    return Loop<float, double>(literal, to, [](float x) { return static_cast<double>(x); });
  }
  if (from == DType::F64 && to == DType::F32) {
    return Loop<double, float>(literal, to, [](double x) { return static_cast<float>(x); });
  }
  if (from == DType::S32 && to == DType::F32) {
    return Loop<int32_t, float>(literal, to, [](int32_t x) { return static_cast<float>(x); });
  }
  if (from == DType::Pred && to == DType::F32) {
    return Loop<uint8_t, float>(literal, to, [](uint8_t x) { return x != 0 ? 1.0f : 0.0f; });
  }
  if (from == DType::Pred && to == DType::S32) {
    return Loop<uint8_t, int32_t>(literal, to, [](uint8_t x) { return x != 0 ? 1 : 0; });
  }
  return literal.ConvertTo(to);
}

Literal ToCompute(const Literal& literal) { return ConvertLiteral(literal, ComputeType(literal.dtype())); }

Literal FromCompute(Literal computed, DType dtype) {
  return computed.dtype() == dtype ? std::move(computed) : ConvertLiteral(computed, dtype);
}

}  // namespace spmdc::ops
