// Typed access to literals for evaluation: which C++ type stands for an element type, and a visit by it.
#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>

#include "tensor/literal.h"

namespace spmdc::ops {

// An element of type pred; a type of its own so that it is not taken for u8.
struct PredBit {
  uint8_t value = 0;
  explicit operator bool() const { return value != 0; }
  friend bool operator==(PredBit a, PredBit b) { return (a.value != 0) == (b.value != 0); }
};

template <typename T>
inline constexpr bool kIsComplex = false;
template <typename T>
inline constexpr bool kIsComplex<std::complex<T>> = true;
template <typename T>
concept FloatElement = std::is_floating_point_v<T>;
template <typename T>
concept ComplexElement = kIsComplex<T>;
template <typename T>
concept InexactElement = FloatElement<T> || ComplexElement<T>;
template <typename T>
concept IntElement = std::is_integral_v<T>;

template <typename T>
struct TypeTag {
  using type = T;
};

// The type that elements are computed in: f32 for narrower floats, s8 and u8 for narrower integers, else the type itself.
tensor::DType ComputeType(tensor::DType dtype);
// The literal in its type to compute in; shared if it is in it already.
tensor::Literal ToCompute(const tensor::Literal& literal);
// Back to the element type: floats round to nearest even, integers wrap.
tensor::Literal FromCompute(tensor::Literal computed, tensor::DType dtype);
// convert of XLA, with loops of their own for the common pairs of types.
tensor::Literal ConvertLiteral(const tensor::Literal& literal, tensor::DType to);

// Calls fn(TypeTag<T>) with the C++ type of a type that ComputeType gives.
template <typename Fn>
auto VisitComputeType(tensor::DType dtype, Fn fn) {
  using tensor::DType;
  switch (dtype) {
    case DType::Pred:
      return fn(TypeTag<PredBit>());
    case DType::S8:
      return fn(TypeTag<int8_t>());
    case DType::S16:
      return fn(TypeTag<int16_t>());
    case DType::S32:
      return fn(TypeTag<int32_t>());
    case DType::S64:
      return fn(TypeTag<int64_t>());
    case DType::U8:
      return fn(TypeTag<uint8_t>());
    case DType::U16:
      return fn(TypeTag<uint16_t>());
    case DType::U32:
      return fn(TypeTag<uint32_t>());
    case DType::U64:
      return fn(TypeTag<uint64_t>());
    case DType::F32:
      return fn(TypeTag<float>());
    case DType::F64:
      return fn(TypeTag<double>());
    case DType::C64:
      return fn(TypeTag<std::complex<float>>());
    case DType::C128:
      return fn(TypeTag<std::complex<double>>());
    default:
      SPMDC_CHECK(false, "a type that is not computed in");
      return fn(TypeTag<float>());
  }
}

}  // namespace spmdc::ops
