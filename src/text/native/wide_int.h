// Python's integers beyond 64 bits. One that fits into 64 bits is always a VK::Int.
#pragma once

#include "llvm/ADT/APInt.h"
#include "text/native/evaluator.h"

namespace spmdc::text::native {

// Bool, Int or Wide.
inline bool IsWhole(const Value& v) { return v.is_int() || v.is(VK::Wide); }
// An integer that int32 does not hold; one of 0 to 2**64 - 1.
bool IsBeyondInt32(const Value& v);
bool FitsUnsigned(const Value& v);
// An integer of any size, signed, in as many bits as it needs and some more.
llvm::APInt WholeOf(const Value& v);
// The value of a signed integer; Error, with a diagnostic, where it is larger than any program needs.
Value Whole(Evaluator& ev, const llvm::APInt& value);
// Digits in a base (0: as their prefix says), without a sign; Missing where they are none.
Value WholeOfDigits(Evaluator& ev, llvm::StringRef digits, unsigned base, bool negative = false);
// A float's integral part.
Value Whole(Evaluator& ev, double value);
// The nearest float; infinite where there is none.
double NearestFloat(const llvm::APInt& value);
// Python's binary operator on integers, or its unary ones.
Value WholeBinary(Evaluator& ev, Operator op, const Value& a, const Value& b);
Value WholeUnary(Evaluator& ev, Operator op, const Value& a);
// -1, 0 or 1.
int WholeOrder(const Value& a, const Value& b);
// The magnitude's digits in base 2, 8, 10 or 16; and what making them takes, in bytes that could be looked at meanwhile.
std::string WholeDigits(const Value& v, unsigned base, bool lower = true);
int64_t TouchedByDigits(const Value& v);

}  // namespace spmdc::text::native
