// The functions of Python's math module, on static numbers.
#include <cmath>
#include <tuple>

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "text/native/evaluator.h"

namespace spmdc::text::native {
namespace {

// math.*: one or two floats to a float.
using RealFunction = double (*)(double);
using BinaryMath = double (*)(double, double);
const std::pair<llvm::StringRef, RealFunction> kUnaryMath[] = {
    {"sqrt", std::sqrt},    {"exp", std::exp},       {"log2", std::log2}, {"log10", std::log10},
    {"log1p", std::log1p},  {"expm1", std::expm1},   {"sin", std::sin},   {"cos", std::cos},
    {"tan", std::tan},      {"asin", std::asin},     {"acos", std::acos}, {"atan", std::atan},
    {"sinh", std::sinh},    {"cosh", std::cosh},     {"tanh", std::tanh}, {"asinh", std::asinh},
    {"acosh", std::acosh},  {"atanh", std::atanh},   {"erf", std::erf},   {"erfc", std::erfc},
    {"gamma", std::tgamma}, {"lgamma", std::lgamma}, {"fabs", std::fabs},
};
const std::pair<llvm::StringRef, BinaryMath> kBinaryMath[] = {
    {"pow", std::pow}, {"atan2", std::atan2}, {"fmod", std::fmod}, {"copysign", std::copysign}, {"hypot", std::hypot},
};

std::optional<double> ToFloat(Evaluator& ev, const Value& v, const std::string& function) {
  if (v.is(VK::NdArray) && v.as<NdArrayObj>().value().size() == 1) {
    return v.as<NdArrayObj>().value().GetReal(0);
  }
  if (v.is(VK::Array)) {
    ev.Fail(diag::Kind::StaticInt,
            "a traced array has no value while the file is read, and " + function + "() needs one",
            "use jnp." + function);
    return std::nullopt;
  }
  if (!v.is_number() || v.is(VK::Complex)) {
    ev.TypeError("must be real number, not " + TypeName(v));
    return std::nullopt;
  }
  return v.as_float();
}

// What Python's math makes of a result that is no number, or infinite, for finite arguments.
Value Real(Evaluator& ev, double result, llvm::ArrayRef<double> x) {
  if (std::isfinite(result) || !llvm::all_of(x, [](double v) { return std::isfinite(v); })) {
    return std::isnan(result) && llvm::none_of(x, [](double v) { return std::isnan(v); })
               ? ev.TypeError("math domain error")
               : Value::Float(result);
  }
  return ev.TypeError(std::isnan(result) ? "math domain error" : "math range error");
}

Value Math(Call& c) {
  if (!c.kwargs.empty()) {
    return c.ev.Fail(diag::Kind::Arguments, "math." + std::string(c.builtin.name) + "() takes no keyword arguments");
  }
  llvm::StringRef name = c.builtin.name;
  std::vector<double> x;
  for (const Value& arg : c.args) {
    std::optional<double> value = ToFloat(c.ev, arg, c.builtin.name);
    if (!value) {
      return Value::Error();
    }
    x.push_back(*value);
  }
  for (const auto& [known, f] : kUnaryMath) {
    if (known == name && x.size() == 1) {
      return Real(c.ev, f(x[0]), x);
    }
  }
  for (const auto& [known, f] : kBinaryMath) {
    if (known == name && x.size() == 2) {
      return Real(c.ev, f(x[0], x[1]), x);
    }
  }
  if (name == "log" && (x.size() == 1 || x.size() == 2)) {
    if (x[0] <= 0) {
      return c.ev.TypeError("math domain error");
    }
    return Value::Float(x.size() == 1 ? std::log(x[0]) : std::log(x[0]) / std::log(x[1]));
  }
  bool rounds = name == "floor" || name == "ceil" || name == "trunc";
  if (rounds && x.size() == 1) {
    if (c.args[0].is_int()) {
      return Value::Int(c.args[0].as_int());
    }
    if (!(std::abs(x[0]) < 9.2e18)) {
      return std::isfinite(x[0]) ? c.ev.TooBig()
                                 : c.ev.TypeError("cannot convert float " + FloatText(x[0]) + " to integer");
    }
    return Value::Int(static_cast<int64_t>(name == "floor"  ? std::floor(x[0])
                                           : name == "ceil" ? std::ceil(x[0])
                                                            : std::trunc(x[0])));
  }
  if (name == "isnan" || name == "isinf" || name == "isfinite") {
    return x.size() == 1 ? Value::Bool(name == "isnan"   ? std::isnan(x[0])
                                       : name == "isinf" ? std::isinf(x[0])
                                                         : std::isfinite(x[0]))
                         : c.ev.Fail(diag::Kind::Arguments, "one argument is expected");
  }
  return c.ev.Fail(diag::Kind::Arguments, "math." + name.str() + "() got " + std::to_string(x.size()) + " arguments");
}

std::optional<std::vector<int64_t>> Ints(Call& c) {
  std::vector<int64_t> out;
  for (const Value& arg : c.args) {
    std::optional<int64_t> i = c.kwargs.empty() ? c.ev.ToInt(arg, "the argument") : std::nullopt;
    if (!i) {
      return std::nullopt;
    }
    out.push_back(*i);
  }
  return out;
}

Value WrongArguments(Call& c) {
  return c.ev.has_failed() ? Value::Error()
                           : c.ev.Fail(diag::Kind::Arguments,
                                       "math." + std::string(c.builtin.name) + "() got arguments it cannot take");
}

uint64_t Magnitude(int64_t i) { return i < 0 ? uint64_t{0} - static_cast<uint64_t>(i) : static_cast<uint64_t>(i); }

uint64_t Gcd(uint64_t a, uint64_t b) {
  while (b != 0) {
    std::tie(a, b) = std::pair(b, a % b);
  }
  return a;
}

// An integer of up to 128 bits, before it is known whether 64 hold it.
llvm::APInt Wide(uint64_t i) { return {128, i}; }

Value Narrow(Evaluator& ev, const llvm::APInt& i) {
  return i.getActiveBits() > 63 ? ev.TooBig() : Value::Int(static_cast<int64_t>(i.getZExtValue()));
}

// gcd, and lcm (data 1), of any number of integers.
Value GcdLcm(Call& c) {
  std::optional<std::vector<int64_t>> n = Ints(c);
  if (!n) {
    return WrongArguments(c);
  }
  bool lcm = c.builtin.data == 1;
  auto total = static_cast<uint64_t>(lcm ? 1 : 0);
  for (int64_t i : *n) {
    uint64_t g = Gcd(total, Magnitude(i));
    if (!lcm || g == 0) {
      total = g;
      continue;
    }
    Value next = Narrow(c.ev, Wide(total / g) * Wide(Magnitude(i)));
    if (next.failed()) {
      return next;
    }
    total = static_cast<uint64_t>(next.i);
  }
  return Narrow(c.ev, Wide(total));
}

Value Prod(Call& c) {
  Value v[2];
  std::vector<Value> items;
  if (!c.Bind("iterable, /, *, start=", v) || !c.ev.Iterate(v[0], items)) {
    return Value::Error();
  }
  Value total = v[1].given() ? v[1] : Value::Int(1);
  for (const Value& item : items) {
    total = c.ev.Binary(Operator::Mul, total, item);
  }
  return total;
}

// factorial, and isqrt (data 1).
Value OneInt(Call& c) {
  std::optional<std::vector<int64_t>> n = Ints(c);
  if (!n || n->size() != 1 || (*n)[0] < 0) {
    return WrongArguments(c);
  }
  int64_t x = (*n)[0];
  if (c.builtin.data == 0) {
    Value total = Value::Int(1);
    for (int64_t i = 2; i <= std::min<int64_t>(x, 30) && !total.failed(); ++i) {
      total = c.ev.Binary(Operator::Mul, total, Value::Int(i));
    }
    return total;
  }
  auto root = static_cast<int64_t>(std::sqrt(static_cast<double>(x)));
  while (root > x / std::max<int64_t>(root, 1)) {
    --root;
  }
  while (root + 1 <= x / (root + 1)) {
    ++root;
  }
  return Value::Int(root);
}

Value Comb(Call& c) {
  std::optional<std::vector<int64_t>> n = Ints(c);
  if (!n || n->size() != 2 || (*n)[0] < 0 || (*n)[1] < 0) {
    return WrongArguments(c);
  }
  int64_t all = (*n)[0], chosen = (*n)[1];
  if (chosen > all) {
    return Value::Int(0);
  }
  // At least doubled in every round: 63 rounds at most.
  Value total = Value::Int(1);
  for (int64_t i = 0; i < std::min(chosen, all - chosen) && !total.failed(); ++i) {
    llvm::APInt product = Wide(static_cast<uint64_t>(total.i)) * Wide(static_cast<uint64_t>(all - i));
    total = Narrow(c.ev, product.udiv(Wide(static_cast<uint64_t>(i + 1))));
  }
  return total;
}

const Builtin kMathTable[] = {
    {kMath, "sqrt", Math},     {kMath, "exp", Math},        {kMath, "log", Math},
    {kMath, "log2", Math},     {kMath, "log10", Math},      {kMath, "log1p", Math},
    {kMath, "expm1", Math},    {kMath, "sin", Math},        {kMath, "cos", Math},
    {kMath, "tan", Math},      {kMath, "asin", Math},       {kMath, "acos", Math},
    {kMath, "atan", Math},     {kMath, "sinh", Math},       {kMath, "cosh", Math},
    {kMath, "tanh", Math},     {kMath, "asinh", Math},      {kMath, "acosh", Math},
    {kMath, "atanh", Math},    {kMath, "erf", Math},        {kMath, "erfc", Math},
    {kMath, "gamma", Math},    {kMath, "lgamma", Math},     {kMath, "fabs", Math},
    {kMath, "pow", Math},      {kMath, "atan2", Math},      {kMath, "fmod", Math},
    {kMath, "copysign", Math}, {kMath, "hypot", Math},      {kMath, "floor", Math},
    {kMath, "ceil", Math},     {kMath, "trunc", Math},      {kMath, "isnan", Math},
    {kMath, "isinf", Math},    {kMath, "isfinite", Math},   {kMath, "gcd", GcdLcm, 0},
    {kMath, "lcm", GcdLcm, 1}, {kMath, "prod", Prod},       {kMath, "factorial", OneInt, 0},
    {kMath, "comb", Comb},     {kMath, "isqrt", OneInt, 1},
};

}  // namespace

llvm::ArrayRef<Builtin> MathBuiltins() { return kMathTable; }

}  // namespace spmdc::text::native
