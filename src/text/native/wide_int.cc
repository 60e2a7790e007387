// Arithmetic of integers beyond 64 bits, in Python's rules: division rounds down, bits are those of two's complement.
#include "text/native/wide_int.h"

#include <cmath>

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/SmallString.h"
#include "support/starts_with.h"

namespace spmdc::text::native {
namespace {

using llvm::APInt;

// More than any program needs; texts of longer ones take long to make.
constexpr unsigned kMaxBits = 1U << 14;
// What multiplying two words takes, in bytes that could be looked at meanwhile.
constexpr int64_t kBytesPerProduct = 16;

class WideArithmetic {
 public:
  WideArithmetic(Evaluator& ev, const Value& a, const Value& b) : ev_(ev), a_(WholeOf(a)), b_(WholeOf(b)) {
    unsigned bits = std::max(a_.getBitWidth(), b_.getBitWidth()) + 1;
    x_ = a_.sext(bits);
    y_ = b_.sext(bits);
  }

  Value Run(Operator op) {
    // Products and quotients by hand: each word of the one with each of the other.
    bool products = op == Operator::Mul || op == Operator::Div || op == Operator::FloorDiv || op == Operator::Mod;
    if (products && !ev_.Touch(kBytesPerProduct * int64_t{a_.getNumWords()} * int64_t{b_.getNumWords()} +
                               kBytesPerProduct * int64_t{a_.getNumWords()})) {
      return Value::Error();
    }
    switch (op) {
      case Operator::Add:
        return Whole(ev_, x_ + y_);
      case Operator::Sub:
        return Whole(ev_, x_ - y_);
      case Operator::Mul: {
        unsigned bits = a_.getBitWidth() + b_.getBitWidth();
        return Whole(ev_, a_.sext(bits) * b_.sext(bits));
      }
      case Operator::And:
        return Whole(ev_, x_ & y_);
      case Operator::Or:
        return Whole(ev_, x_ | y_);
      case Operator::Xor:
        return Whole(ev_, x_ ^ y_);
      case Operator::Pow:
        return Power();
      case Operator::ShiftLeft:
      case Operator::ShiftRight:
        return Shift(op == Operator::ShiftLeft);
      case Operator::Div:
      case Operator::FloorDiv:
      case Operator::Mod:
        return Divide(op);
      default:
        return ev_.TypeError("unsupported operand types for " + Spelling(op).str() + ": 'int' and 'int'");
    }
  }

 private:
  Value TooLarge() { return ev_.Fail(diag::Kind::TooLarge, "this integer would have too many digits"); }

  Value Power() {
    if (b_.isNegative()) {
      return Value::Float(std::pow(NearestFloat(a_), NearestFloat(b_)));
    }
    // 0, 1 and -1 stay small whatever the exponent.
    unsigned digits = std::max(x_.abs().getActiveBits(), 1U) - 1;
    if (digits > 0 && b_.getLimitedValue(2 * kMaxBits) * digits > kMaxBits + digits) {
      return TooLarge();
    }
    // As wide as the result, which the last squarings of the base may leave: nothing is made of those.
    APInt exponent = digits > 0 ? b_ : APInt(2, b_[0] ? 1 : 2);
    unsigned bits = (digits + 1) * static_cast<unsigned>(exponent.getLimitedValue(2 * kMaxBits)) + 2;
    int64_t words = 1 + bits / 64;
    if (!ev_.Touch(2 * kBytesPerProduct * words * words * exponent.getActiveBits())) {
      return Value::Error();
    }
    APInt base = a_.sextOrTrunc(bits), result(bits, 1);
    for (APInt n = exponent; !n.isZero(); n.lshrInPlace(1)) {
      if (n[0]) {
        result *= base;
      }
      base *= base;
    }
    return Whole(ev_, result);
  }

  Value Shift(bool left) {
    if (b_.isNegative()) {
      return ev_.TypeError("negative shift count");
    }
    uint64_t by = b_.getLimitedValue(kMaxBits + 1);
    if (!left) {
      return Whole(ev_, a_.ashr(static_cast<unsigned>(std::min<uint64_t>(by, a_.getBitWidth() - 1))));
    }
    if (a_.isZero()) {
      return Value::Int(0);
    }
    return by > kMaxBits ? TooLarge() : Whole(ev_, a_.sext(a_.getBitWidth() + static_cast<unsigned>(by)) << by);
  }

  Value Divide(Operator op) {
    if (b_.isZero()) {
      return ev_.TypeError("division by zero");
    }
    if (op == Operator::Div) {
      return Quotient();
    }
    APInt q, r;
    APInt::sdivrem(x_, y_, q, r);
    if (!r.isZero() && r.isNegative() != y_.isNegative()) {
      q -= 1;
      r += y_;
    }
    return Whole(ev_, op == Operator::FloorDiv ? q : r);
  }

  // The float nearest to the exact quotient: enough of its bits, the last one telling of what is behind them.
  Value Quotient() {
    APInt a = x_.abs(), b = y_.abs();
    int shift = std::max(0, 66 + static_cast<int>(b.getActiveBits()) - static_cast<int>(a.getActiveBits()));
    unsigned bits = x_.getBitWidth() + static_cast<unsigned>(shift);
    APInt q, r;
    APInt::udivrem(a.zextOrTrunc(bits).shl(static_cast<unsigned>(shift)), b.zextOrTrunc(bits), q, r);
    q = q.zext(bits + 1);
    if (!r.isZero()) {
      q.setBit(0);
    }
    double value = std::ldexp(NearestFloat(q), -shift);
    return std::isinf(value) ? ev_.TypeError("integer division result too large for a float")
                             : Value::Float(x_.isNegative() != y_.isNegative() ? -value : value);
  }

  Evaluator& ev_;
  APInt a_, b_;  // as wide as each needs
  APInt x_, y_;  // of one width, with a bit to spare
};

}  // namespace

APInt WholeOf(const Value& v) {
  return v.is(VK::Wide) ? v.as<WideObj>().value : APInt(64, static_cast<uint64_t>(v.as_int()), /*isSigned=*/true);
}

bool IsBeyondInt32(const Value& v) { return v.is(VK::Wide) || (v.is(VK::Int) && (v.i > INT32_MAX || v.i < INT32_MIN)); }

bool FitsUnsigned(const Value& v) {
  APInt value = WholeOf(v);
  return !value.isNegative() && value.getActiveBits() <= 64;
}

Value Whole(Evaluator& ev, const APInt& value) {
  unsigned bits = value.getBitWidth() - value.getNumSignBits() + 1;
  if (bits <= 64) {
    return Value::Int(value.getSExtValue());
  }
  if (bits > kMaxBits + 64) {
    return ev.Fail(diag::Kind::TooLarge, "this integer would have too many digits");
  }
  if (!ev.Work(1 + bits / 256)) {
    return Value::Error();
  }
  auto* wide = ev.heap().New<WideObj>();
  ev.heap().AddBytes(bits / 8);
  wide->value = value.sextOrTrunc(bits);
  return Value::Object(VK::Wide, wide);
}

Value WholeOfDigits(Evaluator& ev, llvm::StringRef digits, unsigned base, bool negative) {
  // A digit says at least three bits in bases from 8 on, which prefixes of other bases than 2 stand for.
  bool by_bits = base == 2 || (base > 2 && base < 8) || StartsWith(digits.lower(), "0b");
  if (digits.size() > kMaxBits / (by_bits ? 1 : 3) + 2) {
    return ev.Fail(diag::Kind::TooLarge, "this integer has too many digits");
  }
  auto count = static_cast<int64_t>(digits.size());
  if (!ev.Touch(count * count)) {
    return Value::Error();
  }
  APInt value;
  if (digits.empty() || digits.getAsInteger(base, value)) {
    return {};
  }
  value = value.zext(value.getBitWidth() + 1);
  return Whole(ev, negative ? -value : value);
}

Value Whole(Evaluator& ev, double value) {
  if (!std::isfinite(value)) {
    return ev.TypeError("cannot convert float " + FloatText(value) + " to integer");
  }
  llvm::APSInt whole(1100, /*isUnsigned=*/false);
  bool exact = false;
  (void)llvm::APFloat(value).convertToInteger(whole, llvm::APFloat::rmTowardZero, &exact);
  return Whole(ev, whole);
}

double NearestFloat(const APInt& value) {
  llvm::APFloat result(llvm::APFloat::IEEEdouble());
  (void)result.convertFromAPInt(value, /*IsSigned=*/true, llvm::APFloat::rmNearestTiesToEven);
  return result.convertToDouble();
}

Value WholeBinary(Evaluator& ev, Operator op, const Value& a, const Value& b) {
  return WideArithmetic(ev, a, b).Run(op);
}

Value WholeUnary(Evaluator& ev, Operator op, const Value& a) {
  APInt value = WholeOf(a);
  value = value.sext(value.getBitWidth() + 1);
  return Whole(ev, op == Operator::Neg ? -value : op == Operator::Invert ? ~value : value);
}

int WholeOrder(const Value& a, const Value& b) {
  APInt x = WholeOf(a), y = WholeOf(b);
  unsigned bits = std::max(x.getBitWidth(), y.getBitWidth());
  x = x.sextOrTrunc(bits);
  y = y.sextOrTrunc(bits);
  return x.slt(y) ? -1 : x.sgt(y) ? 1 : 0;
}

namespace {

std::string Digits64(uint64_t value, unsigned base) {
  llvm::SmallString<64> text;
  APInt(64, value).toStringUnsigned(text, base);
  return text.str().str();
}

}  // namespace

int64_t TouchedByDigits(const Value& v) {
  int64_t words = WholeOf(v).getNumWords();
  return 4 * kBytesPerProduct * words * words;
}

std::string WholeDigits(const Value& v, unsigned base, bool lower) {
  APInt value = WholeOf(v);
  value = value.sext(value.getBitWidth() + 1).abs();
  // Many digits at a time: a division takes as long whatever it divides by.
  uint64_t many = base;
  size_t width = 1;
  for (; many <= UINT64_MAX / base / base; ++width) {
    many *= base;
  }
  std::string text;
  do {
    uint64_t low = 0;
    APInt::udivrem(value, many, value, low);
    std::string part = low == 0 ? "" : Digits64(low, base);
    text.insert(0, value.isZero() ? part : std::string(width - part.size(), '0') + part);
  } while (!value.isZero());
  text = text.empty() ? "0" : text;
  return lower ? llvm::StringRef(text).lower() : llvm::StringRef(text).upper();
}

}  // namespace spmdc::text::native
