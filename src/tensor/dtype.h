// Element types: one table with each type's names, width and class.
#pragma once

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace spmdc::tensor {

// In HLO's short names. Token and Opaque are types without elements. The last three are keys of jax.random, by the generator
// they are for: types that programs show. What is computed with is their data, u32 with a dim more.
enum class DType : uint8_t {
  Pred,
  S2,
  S4,
  S8,
  S16,
  S32,
  S64,
  U2,
  U4,
  U8,
  U16,
  U32,
  U64,
  F4E2M1FN,
  F8E3M4,
  F8E4M3,
  F8E4M3B11FNUZ,
  F8E4M3FN,
  F8E4M3FNUZ,
  F8E5M2,
  F8E5M2FNUZ,
  F8E8M0FNU,
  F16,
  BF16,
  F32,
  F64,
  C64,
  C128,
  Token,
  Opaque,
  KeyThreefry,
  KeyRbg,
  KeyUnsafeRbg,
};

enum class DClass : uint8_t { Pred, Signed, Unsigned, Float, Complex, Other };

llvm::StringRef HloName(DType dtype);        // "f32", "s32", "pred"
llvm::StringRef StablehloName(DType dtype);  // "f32", "i32", "ui8", "i1", "complex<f32>"
llvm::StringRef NumpyName(DType dtype);      // "float32", "int32", "bool"
int BitWidth(DType dtype);                   // of one element; 1 for pred
DClass Class(DType dtype);
std::optional<DType> FromHloName(llvm::StringRef name);
std::optional<DType> FromStablehloName(llvm::StringRef name);
// Those that values of programs have: all but keys.
llvm::ArrayRef<DType> AllDTypes();
// The keys, named as JAX names them in HloName and NumpyName: "key<fry>".
llvm::ArrayRef<DType> KeyDTypes();

inline bool IsInteger(DType t) { return Class(t) == DClass::Signed || Class(t) == DClass::Unsigned; }
inline bool IsFloat(DType t) { return Class(t) == DClass::Float; }
inline bool IsComplex(DType t) { return Class(t) == DClass::Complex; }
inline bool IsKey(DType t) { return t >= DType::KeyThreefry; }

// Bytes of one element in host memory and in byte counts: sub-byte types and pred take one byte.
int64_t ByteWidth(DType dtype);
// f32 for c64, f64 for c128; else the type itself.
DType RealPart(DType dtype);
// The next wider type to measure rounding errors with: f64 for every float, c128 for complex, else the type itself.
DType Wider(DType dtype);
// The unit roundoff of a float (or of a complex type's parts): half the distance from 1 to the next number. 0 for others.
double Epsilon(DType dtype);

// A float of at most 32 bits in its own bits, from and to double. Rounds to nearest, ties to even; overflow gives
// infinity or, in types without one, NaN or the largest value, as the type's definition says.
double DecodeFloat(DType dtype, uint64_t bits);
uint64_t EncodeFloat(DType dtype, double value);

}  // namespace spmdc::tensor
