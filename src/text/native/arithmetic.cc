// Python's arithmetic on static values; with an array among the operands it becomes operations of the program.
#include <cmath>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "text/native/evaluator.h"
#include "text/native/numpy.h"
#include "text/native/sharding_api.h"
#include "text/native/tracer.h"
#include "text/native/wide_int.h"

namespace spmdc::text::native {
namespace {

int64_t FloorDiv(int64_t a, int64_t b) {
  int64_t q = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

double FloatMod(double a, double b) {
  double m = std::fmod(a, b);
  return m != 0 && (m < 0) != (b < 0) ? m + b : (m == 0 ? std::copysign(0.0, b) : m);
}

class Arithmetic {
 public:
  Arithmetic(Evaluator& ev, Operator op, const Value& a, const Value& b) : ev_(ev), op_(op), a_(a), b_(b) {}

  Value Run() {
    if (a_.is(VK::Wide) || b_.is(VK::Wide)) {
      return Wides();
    }
    if (a_.is_number() && b_.is_number()) {
      if (a_.is(VK::Complex) || b_.is(VK::Complex)) {
        return Complexes(AsComplex(a_), AsComplex(b_));
      }
      return a_.is_int() && b_.is_int() ? Ints(a_.as_int(), b_.as_int()) : Floats(a_.as_float(), b_.as_float());
    }
    return Containers();
  }

 private:
  Value Overflow() { return WholeBinary(ev_, op_, a_, b_); }
  Value ZeroDivision() { return ev_.TypeError("division by zero"); }
  Value Unsupported() {
    return ev_.TypeError("unsupported operand types for " + Spelling(op_).str() + ": '" + TypeName(a_) + "' and '" +
                         TypeName(b_) + "'");
  }
  // By reference: the operation that sets it may be evaluated after the argument.
  Value Checked(bool overflow, const int64_t& r) { return overflow ? Overflow() : Value::Int(r); }

  // One of the operands is an integer beyond 64 bits.
  Value Wides() {
    if (IsWhole(a_) && IsWhole(b_)) {
      return WholeBinary(ev_, op_, a_, b_);
    }
    const Value& other = a_.is(VK::Wide) ? b_ : a_;
    if (!other.is(VK::Float) && !other.is(VK::Complex)) {
      return Containers();
    }
    double x = a_.is(VK::Wide) ? NearestFloat(WholeOf(a_)) : 0, y = b_.is(VK::Wide) ? NearestFloat(WholeOf(b_)) : 0;
    if (std::isinf(x) || std::isinf(y)) {
      return ev_.TypeError("int too large to convert to float");
    }
    Value a = a_.is(VK::Wide) ? Value::Float(x) : a_, b = b_.is(VK::Wide) ? Value::Float(y) : b_;
    return Arithmetic(ev_, op_, a, b).Run();
  }

  Value Power(int64_t a, int64_t b) {
    if (b < 0) {
      return a == 0 ? ZeroDivision() : Value::Float(std::pow(static_cast<double>(a), static_cast<double>(b)));
    }
    int64_t result = 1;
    for (; b > 0; b >>= 1) {
      if ((b & 1) != 0 && llvm::MulOverflow(result, a, result) != 0) {
        return Overflow();
      }
      if (b > 1 && llvm::MulOverflow(a, a, a) != 0) {
        return Overflow();
      }
    }
    return Value::Int(result);
  }

  Value Ints(int64_t a, int64_t b) {
    int64_t r = 0;
    bool bools = a_.is(VK::Bool) && b_.is(VK::Bool);
    switch (op_) {
      case Operator::Add:
        return Checked(llvm::AddOverflow(a, b, r) != 0, r);
      case Operator::Sub:
        return Checked(llvm::SubOverflow(a, b, r) != 0, r);
      case Operator::Mul:
        return Checked(llvm::MulOverflow(a, b, r) != 0, r);
      case Operator::Div:
        return b == 0 ? ZeroDivision() : Value::Float(static_cast<double>(a) / static_cast<double>(b));
      case Operator::FloorDiv:
        return b == 0    ? ZeroDivision()
               : b == -1 ? Checked(llvm::SubOverflow(int64_t{0}, a, r) != 0, r)
                         : Value::Int(FloorDiv(a, b));
      case Operator::Mod:
        return b == 0 ? ZeroDivision() : b == -1 ? Value::Int(0) : Value::Int(a - FloorDiv(a, b) * b);
      case Operator::Pow:
        return Power(a, b);
      case Operator::And:
        return bools ? Value::Bool(a_.b && b_.b) : Value::Int(a & b);
      case Operator::Or:
        return bools ? Value::Bool(a_.b || b_.b) : Value::Int(a | b);
      case Operator::Xor:
        return bools ? Value::Bool(a_.b != b_.b) : Value::Int(a ^ b);
      case Operator::ShiftLeft:
        if (b < 0) {
          return ev_.TypeError("negative shift count");
        }
        if (a == 0) {
          return Value::Int(0);
        }
        return b >= 63 || (a << b) >> b != a ? Overflow()
                                             : Value::Int(static_cast<int64_t>(static_cast<uint64_t>(a) << b));
      case Operator::ShiftRight:
        return b < 0 ? ev_.TypeError("negative shift count") : Value::Int(a >> std::min<int64_t>(b, 63));
      default:
        return Unsupported();
    }
  }

  Value Floats(double a, double b) {
    switch (op_) {
      case Operator::Add:
        return Value::Float(a + b);
      case Operator::Sub:
        return Value::Float(a - b);
      case Operator::Mul:
        return Value::Float(a * b);
      case Operator::Div:
        return b == 0 ? ZeroDivision() : Value::Float(a / b);
      case Operator::FloorDiv:
        return b == 0 ? ZeroDivision() : Value::Float(std::floor(a / b));
      case Operator::Mod:
        return b == 0 ? ZeroDivision() : Value::Float(FloatMod(a, b));
      case Operator::Pow:
        if (a == 0 && b < 0) {
          return ZeroDivision();
        }
        if (a < 0 && b != std::floor(b)) {
          return ev_.heap().Complex(std::pow(std::complex<double>(a), b));
        }
        return Value::Float(std::pow(a, b));
      default:
        return Unsupported();
    }
  }

  Value Complexes(std::complex<double> a, std::complex<double> b) {
    switch (op_) {
      case Operator::Add:
        return ev_.heap().Complex(a + b);
      case Operator::Sub:
        return ev_.heap().Complex(a - b);
      case Operator::Mul:
        return ev_.heap().Complex(a * b);
      case Operator::Div:
        return b == 0.0 ? ZeroDivision() : ev_.heap().Complex(a / b);
      case Operator::Pow:
        return ev_.heap().Complex(std::pow(a, b));
      default:
        return Unsupported();
    }
  }

  // Containers stay until the file is read: their sizes count as work, so that no loop can fill the memory.
  bool Charge(int64_t elements, int64_t per_step) {
    if (elements > kMaxRepeat) {
      return !ev_.Fail(diag::Kind::TooLarge, "this sequence would be too long").failed();
    }
    return ev_.Work(elements / per_step) && ev_.Afford(elements * kBytesPerStep / per_step);
  }
  static constexpr int64_t kItemsPerStep = 2, kCharsPerStep = 32, kBytesPerStep = 32;

  Value Repeat(const Value& sequence, int64_t times) {
    times = std::max<int64_t>(times, 0);
    if (sequence.is(VK::Str)) {
      const std::string& text = Text(sequence);
      if (static_cast<int64_t>(text.size()) > kMaxRepeat / std::max<int64_t>(times, 1)) {
        return ev_.Fail(diag::Kind::TooLarge, "this string would be too long");
      }
      if (!Charge(static_cast<int64_t>(text.size()) * times, kCharsPerStep)) {
        return Value::Error();
      }
      std::string out;
      for (int64_t i = 0; i < times; ++i) {
        out += text;
      }
      return ev_.heap().Str(std::move(out));
    }
    const std::vector<Value>& items = Items(sequence);
    if (static_cast<int64_t>(items.size()) > kMaxRepeat / std::max<int64_t>(times, 1)) {
      return ev_.Fail(diag::Kind::TooLarge, "this sequence would be too long");
    }
    std::vector<Value> out;
    if (!Charge(static_cast<int64_t>(items.size()) * times, kItemsPerStep)) {
      return Value::Error();
    }
    for (int64_t i = 0; i < times; ++i) {
      out.insert(out.end(), items.begin(), items.end());
    }
    return sequence.is(VK::Tuple) ? ev_.heap().Tuple(std::move(out)) : ev_.heap().List(std::move(out));
  }

  Value Containers() {
    if (op_ == Operator::Add && a_.kind == b_.kind && a_.is_sequence()) {
      if (!Charge(static_cast<int64_t>(Items(a_).size() + Items(b_).size()), kItemsPerStep)) {
        return Value::Error();
      }
      std::vector<Value> items = Items(a_);
      items.insert(items.end(), Items(b_).begin(), Items(b_).end());
      return a_.is(VK::Tuple) ? ev_.heap().Tuple(std::move(items)) : ev_.heap().List(std::move(items));
    }
    if (op_ == Operator::Add && a_.is(VK::Str) && b_.is(VK::Str)) {
      bool fits = Charge(static_cast<int64_t>(Text(a_).size() + Text(b_).size()), kCharsPerStep);
      return fits ? ev_.heap().Str(Text(a_) + Text(b_)) : Value::Error();
    }
    if (op_ == Operator::Mul && (a_.is_sequence() || a_.is(VK::Str)) && b_.is_int()) {
      return Repeat(a_, b_.as_int());
    }
    if (op_ == Operator::Mul && (b_.is_sequence() || b_.is(VK::Str)) && a_.is_int()) {
      return Repeat(b_, a_.as_int());
    }
    if (op_ == Operator::Or && a_.is(VK::Dict) && b_.is(VK::Dict)) {
      auto* out = ev_.heap().New<DictObj>();
      out->items = a_.as<DictObj>().items;
      Value result = Value::Object(VK::Dict, out);
      bool fits = Charge(2 * static_cast<int64_t>(out->items.size()), kItemsPerStep) &&
                  llvm::all_of(b_.as<DictObj>().items,
                               [&](const auto& entry) { return ev_.SetItem(result, entry.first, entry.second); });
      return fits ? result : Value::Error();
    }
    if (a_.is(VK::Set) && b_.is(VK::Set)) {
      return Sets(a_.as<SetObj>(), b_.as<SetObj>());
    }
    if (op_ == Operator::MatMul && (a_.is(VK::TypeForm) || a_.is(VK::DType))) {
      return TypeWithSpec(ev_, a_, b_);
    }
    if (op_ == Operator::Add && (a_.is(VK::Spec) || b_.is(VK::Spec))) {
      return AddSpecs(ev_, a_, b_);
    }
    if (op_ == Operator::Mod && a_.is(VK::Str)) {
      return PercentFormat(ev_, Text(a_), b_);
    }
    return Unsupported();
  }

  Value Sets(const SetObj& a, const SetObj& b) {
    auto in = [&](const SetObj& s, const Value& v) { return ev_.FindItem(s.items, v) != nullptr; };
    auto* out = ev_.heap().New<SetObj>();
    out->frozen = a.frozen;
    for (const Value& v : a.items) {
      bool other = in(b, v);
      if (op_ == Operator::Or || (op_ == Operator::And && other) ||
          ((op_ == Operator::Sub || op_ == Operator::Xor) && !other)) {
        out->items.push_back(v);
      }
    }
    for (const Value& v : b.items) {
      if ((op_ == Operator::Or || op_ == Operator::Xor) && !in(a, v)) {
        out->items.push_back(v);
      }
    }
    if (ev_.has_failed() || !Charge(static_cast<int64_t>(out->items.size()), kItemsPerStep)) {
      return Value::Error();
    }
    return op_ == Operator::Or || op_ == Operator::And || op_ == Operator::Sub || op_ == Operator::Xor
               ? Value::Object(VK::Set, out)
               : Unsupported();
  }

  Evaluator& ev_;
  Operator op_;
  const Value& a_;
  const Value& b_;
};

}  // namespace

Value Evaluator::Binary(Operator op, const Value& a, const Value& b) {
  if (a.failed() || b.failed()) {
    return Value::Error();
  }
  bool formats = op == Operator::Mod && a.is(VK::Str);
  if (!formats && (a.is(VK::Array) || b.is(VK::Array))) {
    return ArrayBinary(*this, op, a, b);
  }
  if (!formats && (a.is(VK::NdArray) || b.is(VK::NdArray))) {
    return NumpyBinary(*this, op, a, b);
  }
  return Arithmetic(*this, op, a, b).Run();
}

Value Evaluator::Unary(Operator op, const Value& a) {
  if (a.failed()) {
    return a;
  }
  if (op == Operator::Not) {
    std::optional<bool> truth = Truth(a);
    return truth ? Value::Bool(!*truth) : Value::Error();
  }
  if (a.is(VK::Array)) {
    return ArrayUnary(*this, op, a);
  }
  if (a.is(VK::NdArray)) {
    return NumpyUnary(*this, op, a);
  }
  if (a.is(VK::Wide) || (a.is(VK::Int) && a.i == INT64_MIN)) {
    return WholeUnary(*this, op, a);
  }
  if (a.is_int()) {
    int64_t v = a.as_int();
    return Value::Int(op == Operator::Neg ? -v : op == Operator::Invert ? ~v : v);
  }
  if (a.is(VK::Float) && op != Operator::Invert) {
    return Value::Float(op == Operator::Neg ? -a.f : a.f);
  }
  if (a.is(VK::Complex) && op != Operator::Invert) {
    return op == Operator::Neg ? heap_.Complex(-a.as<ComplexObj>().value) : a;
  }
  return TypeError("bad operand type for unary " + Spelling(op).str() + ": '" + TypeName(a) + "'");
}

}  // namespace spmdc::text::native
