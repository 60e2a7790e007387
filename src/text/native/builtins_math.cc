// The functions of Python's math module, on static numbers.
#include <cmath>

#include "llvm/ADT/STLExtras.h"
#include "text/native/wide_int.h"

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
  if (v.is(VK::Wide) && std::isinf(NearestFloat(WholeOf(v)))) {
    ev.TypeError("int too large to convert to float");
    return std::nullopt;
  }
  if (v.is(VK::Wide)) {
    return NearestFloat(WholeOf(v));
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
    if (IsWhole(c.args[0])) {
      return Whole(c.ev, WholeOf(c.args[0]));
    }
    return Whole(c.ev, name == "floor" ? std::floor(x[0]) : name == "ceil" ? std::ceil(x[0]) : std::trunc(x[0]));
  }
  if (name == "isnan" || name == "isinf" || name == "isfinite") {
    return x.size() == 1 ? Value::Bool(name == "isnan"   ? std::isnan(x[0])
                                       : name == "isinf" ? std::isinf(x[0])
                                                         : std::isfinite(x[0]))
                         : c.ev.Fail(diag::Kind::Arguments, "one argument is expected");
  }
  return c.ev.Fail(diag::Kind::Arguments, "math." + name.str() + "() got " + std::to_string(x.size()) + " arguments");
}

Value IsClose(Call& c) {
  Value v[4];
  if (!c.Bind("a, b, *, rel_tol=, abs_tol=", v)) {
    return Value::Error();
  }
  double x[4] = {0, 0, 1e-9, 0};
  for (int i = 0; i < 4; ++i) {
    if (v[i].given() && (!v[i].is_number() || v[i].is(VK::Complex))) {
      return c.ev.TypeError("must be real number, not " + TypeName(v[i]));
    }
    x[i] = v[i].given() ? v[i].as_float() : x[i];
  }
  double apart = std::abs(x[0] - x[1]), size = std::max(std::abs(x[0]), std::abs(x[1]));
  return Value::Bool(x[0] == x[1] || (std::isfinite(size) && apart <= std::max(x[2] * size, x[3])));
}

// The arguments, if all are integers.
std::optional<std::vector<Value>> Wholes(Call& c) {
  bool whole = c.kwargs.empty() && llvm::all_of(c.args, IsWhole);
  return whole ? std::optional(std::vector<Value>(c.args.begin(), c.args.end())) : std::nullopt;
}

Value WrongArguments(Call& c) {
  return c.ev.Fail(diag::Kind::Arguments, "math." + std::string(c.builtin.name) + "() got arguments it cannot take");
}

bool IsNegative(const Value& v) { return WholeOrder(v, Value::Int(0)) < 0; }

// gcd, and lcm (data 1), of any number of integers.
Value GcdLcm(Call& c) {
  std::optional<std::vector<Value>> n = Wholes(c);
  if (!n) {
    return WrongArguments(c);
  }
  bool lcm = c.builtin.data == 1;
  Value total = Value::Int(lcm ? 1 : 0);
  for (const Value& i : *n) {
    Value magnitude = IsNegative(i) ? c.ev.Unary(Operator::Neg, i) : i;
    Value g = total, rest = magnitude;
    while (!c.ev.has_failed() && WholeOrder(rest, Value::Int(0)) != 0) {
      Value next = c.ev.Binary(Operator::Mod, g, rest);
      g = rest;
      rest = next;
    }
    bool zero = !c.ev.has_failed() && WholeOrder(g, Value::Int(0)) == 0;
    Value parts = !lcm || zero ? g : c.ev.Binary(Operator::FloorDiv, total, g);
    total = !lcm || zero ? g : c.ev.Binary(Operator::Mul, parts, magnitude);
    if (c.ev.has_failed()) {
      return Value::Error();
    }
  }
  return Whole(c.ev, WholeOf(total));
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

Value Factorial(Call& c) {
  std::optional<std::vector<Value>> n = Wholes(c);
  if (!n || n->size() != 1 || IsNegative((*n)[0])) {
    return WrongArguments(c);
  }
  Value total = Value::Int(1);
  uint64_t last = WholeOf((*n)[0]).getLimitedValue();
  for (uint64_t i = 2; i <= last && !total.failed(); ++i) {
    total = c.ev.Binary(Operator::Mul, total, Value::Int(static_cast<int64_t>(i)));
  }
  return total;
}

Value IntegerRoot(Call& c) {
  std::optional<std::vector<Value>> n = Wholes(c);
  if (!n || n->size() != 1 || IsNegative((*n)[0])) {
    return WrongArguments(c);
  }
  llvm::APInt x = WholeOf((*n)[0]);
  // Divisions by hand, as often as there are bits in the number of bits.
  constexpr int64_t kBytesPerProduct = 1024;
  if (!c.ev.Touch(kBytesPerProduct * int64_t{x.getNumWords()} * int64_t{x.getNumWords()})) {
    return Value::Error();
  }
  x = x.zext(2 * x.getBitWidth());
  llvm::APInt root = x.sqrt();
  while ((root * root).ugt(x)) {
    root -= 1;
  }
  return Whole(c.ev, root);
}

Value Comb(Call& c) {
  std::optional<std::vector<Value>> n = Wholes(c);
  if (!n || n->size() != 2 || IsNegative((*n)[0]) || IsNegative((*n)[1])) {
    return WrongArguments(c);
  }
  const Value& all = (*n)[0];
  if (WholeOrder((*n)[1], all) > 0) {
    return Value::Int(0);
  }
  Value others = c.ev.Binary(Operator::Sub, all, (*n)[1]);
  const Value& fewer = WholeOrder(others, (*n)[1]) < 0 ? others : (*n)[1];
  uint64_t rounds = WholeOf(fewer).getLimitedValue();
  // Grows in every round, and may not grow for ever.
  Value total = Value::Int(1);
  for (uint64_t i = 0; i < rounds && !total.failed(); ++i) {
    Value left = c.ev.Binary(Operator::Sub, all, Value::Int(static_cast<int64_t>(i)));
    Value product = c.ev.Binary(Operator::Mul, total, left);
    total = c.ev.Binary(Operator::FloorDiv, product, Value::Int(static_cast<int64_t>(i + 1)));
  }
  return total;
}

const Builtin kMathTable[] = {
    {kMath, "sqrt", Math},       {kMath, "exp", Math},
    {kMath, "log", Math},        {kMath, "log2", Math},
    {kMath, "log10", Math},      {kMath, "log1p", Math},
    {kMath, "expm1", Math},      {kMath, "sin", Math},
    {kMath, "cos", Math},        {kMath, "tan", Math},
    {kMath, "asin", Math},       {kMath, "acos", Math},
    {kMath, "atan", Math},       {kMath, "sinh", Math},
    {kMath, "cosh", Math},       {kMath, "tanh", Math},
    {kMath, "asinh", Math},      {kMath, "acosh", Math},
    {kMath, "atanh", Math},      {kMath, "erf", Math},
    {kMath, "erfc", Math},       {kMath, "gamma", Math},
    {kMath, "lgamma", Math},     {kMath, "fabs", Math},
    {kMath, "pow", Math},        {kMath, "atan2", Math},
    {kMath, "fmod", Math},       {kMath, "copysign", Math},
    {kMath, "hypot", Math},      {kMath, "floor", Math},
    {kMath, "ceil", Math},       {kMath, "trunc", Math},
    {kMath, "isnan", Math},      {kMath, "isinf", Math},
    {kMath, "isfinite", Math},   {kMath, "gcd", GcdLcm, 0},
    {kMath, "isclose", IsClose}, {kMath, "lcm", GcdLcm, 1},
    {kMath, "prod", Prod},       {kMath, "factorial", Factorial},
    {kMath, "comb", Comb},       {kMath, "isqrt", IntegerRoot},
};

}  // namespace

llvm::ArrayRef<Builtin> MathBuiltins() { return kMathTable; }

}  // namespace spmdc::text::native
