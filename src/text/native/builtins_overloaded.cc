// The eight functions that are Python's on static values and jnp's on arrays: sum, max, min, all, any, abs, round, pow.
#include <cmath>

#include "llvm/ADT/STLExtras.h"
#include "text/native/evaluator.h"
#include "text/native/tracer.h"
#include "text/native/wide_int.h"

namespace spmdc::text::native {
namespace {

// What a generator yields is no argument of jnp's functions.
bool IsGenerator(const Value& v) { return v.is(VK::List) && v.as<SeqObj>().type_name == "generator"; }

bool AnyArray(const Value& v, int depth = 0) {
  if (v.is(VK::Array)) {
    return true;
  }
  if (depth > 8 || IsGenerator(v)) {
    return false;
  }
  if (v.is_sequence()) {
    return llvm::any_of(Items(v), [&](const Value& x) { return AnyArray(x, depth + 1); });
  }
  return v.is(VK::Dict) &&
         llvm::any_of(v.as<DictObj>().items, [&](const auto& entry) { return AnyArray(entry.second, depth + 1); });
}

// The call as jnp's, if it has arrays or keywords of jnp.
std::optional<Value> AsJnp(Call& c) {
  static constexpr llvm::StringRef kKeywords[] = {"axis", "keepdims", "out_sharding", "where", "initial", "dtype"};
  bool arrays =
      llvm::any_of(c.args, [](const Value& v) { return AnyArray(v); }) || llvm::any_of(c.kwargs, [](const auto& k) {
        return AnyArray(k.second) || llvm::is_contained(kKeywords, k.first);
      });
  if (!arrays) {
    return std::nullopt;
  }
  return c.ev.CallFunction(c.ev.FindIn(kJnp, c.builtin.name), c.args, c.kwargs);
}

// What containers hold is added up by Python, arrays too.
Value SumOf(Call& c) {
  bool container = !c.args.empty() && (c.args[0].is_sequence() || c.args[0].is(VK::Dict));
  if (auto result = container ? std::nullopt : AsJnp(c)) {
    return *result;
  }
  Value v[2];
  std::vector<Value> items;
  if (!c.Bind("iterable, start=", v) || !c.ev.Iterate(v[0], items)) {
    return Value::Error();
  }
  Value total = v[1].given() ? v[1] : Value::Int(0);
  for (const Value& item : items) {
    total = c.ev.Step() ? c.ev.Binary(Operator::Add, total, item) : Value::Error();
  }
  return total;
}

// max, and min (data 1).
Value MaxMin(Call& c) {
  if (auto result = AsJnp(c)) {
    return *result;
  }
  std::vector<Value> items(c.args.begin(), c.args.end());
  Value v[3];
  if (!c.Bind("*args, key=, default=", v)) {
    return Value::Error();
  }
  Value key = v[1], fallback = v[2];
  if (c.args.size() == 1) {
    items.clear();
    if (!c.ev.Iterate(c.args[0], items)) {
      return Value::Error();
    }
  }
  if (items.empty()) {
    return fallback.given() ? fallback : c.ev.TypeError(std::string(c.builtin.name) + "() arg is an empty sequence");
  }
  Value best = items[0];
  Value best_key = key.none() ? best : c.ev.CallFunction(key, best);
  for (size_t i = 1; i < items.size() && c.ev.Step(); ++i) {
    Value item_key = key.none() ? items[i] : c.ev.CallFunction(key, items[i]);
    Value better = c.ev.Compare(c.builtin.data == 0 ? Operator::Gt : Operator::Lt, item_key, best_key);
    std::optional<bool> truth = better.failed() ? std::nullopt : c.ev.Truth(better);
    if (!truth) {
      return Value::Error();
    }
    if (*truth) {
      best = items[i];
      best_key = item_key;
    }
  }
  return c.ev.has_failed() ? Value::Error() : best;
}

// all, and any (data 1).
Value AllAny(Call& c) {
  if (auto result = AsJnp(c)) {
    return *result;
  }
  Value v[1];
  std::vector<Value> items;
  if (!c.Bind("iterable", v) || !c.ev.Iterate(v[0], items)) {
    return Value::Error();
  }
  for (const Value& item : items) {
    std::optional<bool> truth = c.ev.Step() ? c.ev.Truth(item) : std::nullopt;
    if (!truth) {
      return Value::Error();
    }
    if (*truth == (c.builtin.data == 1)) {
      return Value::Bool(c.builtin.data == 1);
    }
  }
  return Value::Bool(c.builtin.data == 0);
}

Value Abs(Call& c) {
  if (auto result = AsJnp(c)) {
    return *result;
  }
  Value v[1];
  if (!c.Bind("x", v)) {
    return Value::Error();
  }
  if (v[0].is_int()) {
    return v[0].as_int() < 0 ? c.ev.Unary(Operator::Neg, v[0]) : Value::Int(v[0].as_int());
  }
  if (v[0].is(VK::Wide)) {
    return WholeOrder(v[0], Value::Int(0)) < 0 ? c.ev.Unary(Operator::Neg, v[0]) : v[0];
  }
  if (v[0].is(VK::Float)) {
    return Value::Float(std::abs(v[0].f));
  }
  if (v[0].is(VK::Complex)) {
    return Value::Float(std::abs(v[0].as<ComplexObj>().value));
  }
  return c.ev.TypeError("bad operand type for abs(): '" + TypeName(v[0]) + "'");
}

// An integer to so many digits, to the even one of two that are as near.
Value RoundWhole(Call& c, const Value& number, const Value& ndigits) {
  std::optional<int64_t> digits = c.ev.ToInt(ndigits, "ndigits");
  if (!digits || *digits >= 0) {
    return digits ? Value::Int(number.as_int()) : Value::Error();
  }
  if (*digits < -18) {
    return Value::Int(0);
  }
  Value unit = c.ev.Binary(Operator::Pow, Value::Int(10), Value::Int(-*digits));
  Value down = c.ev.Binary(Operator::FloorDiv, number, unit);
  int64_t twice = 2 * c.ev.Binary(Operator::Mod, number, unit).i;  // below 2 * 10**18
  bool up = twice > unit.i || (twice == unit.i && down.i % 2 != 0);
  return c.ev.Binary(Operator::Mul, Value::Int(down.i + (up ? 1 : 0)), unit);
}

Value Round(Call& c) {
  if (auto result = AsJnp(c)) {
    return *result;
  }
  Value v[2];
  if (!c.Bind("number, ndigits=", v)) {
    return Value::Error();
  }
  if (v[0].is_int() && !v[1].none()) {
    return RoundWhole(c, v[0], v[1]);
  }
  if (v[0].is_int()) {
    return Value::Int(v[0].as_int());
  }
  if (v[0].is(VK::Wide)) {
    return v[0];
  }
  if (!v[0].is(VK::Float)) {
    return c.ev.TypeError("type " + TypeName(v[0]) + " cannot be rounded");
  }
  if (v[1].none()) {
    return Whole(c.ev, std::nearbyint(v[0].f));
  }
  std::optional<int64_t> digits = c.ev.ToInt(v[1], "ndigits");
  if (!digits) {
    return Value::Error();
  }
  char text[64];
  snprintf(text, sizeof text, "%.*f", static_cast<int>(std::min<int64_t>(std::max<int64_t>(*digits, 0), 17)), v[0].f);
  return Value::Float(strtod(text, nullptr));
}

Value Pow(Call& c) {
  if (auto result = AsJnp(c)) {
    return *result;
  }
  Value v[3];
  if (!c.Bind("base, exp, mod=", v)) {
    return Value::Error();
  }
  if (v[2].none()) {
    return c.ev.Binary(Operator::Pow, v[0], v[1]);
  }
  // By squares, so that no product is longer than the modulus twice.
  bool whole = IsWhole(v[0]) && IsWhole(v[1]) && IsWhole(v[2]);
  if (!whole || WholeOrder(v[1], Value::Int(0)) < 0) {
    return c.ev.TypeError("pow() with a modulus needs integers, and an exponent that is not negative");
  }
  Value base = c.ev.Binary(Operator::Mod, v[0], v[2]), result = c.ev.Binary(Operator::Mod, Value::Int(1), v[2]);
  for (llvm::APInt n = WholeOf(v[1]); !n.isZero() && !c.ev.has_failed(); n.lshrInPlace(1)) {
    if (n[0]) {
      result = c.ev.Binary(Operator::Mod, c.ev.Binary(Operator::Mul, result, base), v[2]);
    }
    base = c.ev.Binary(Operator::Mod, c.ev.Binary(Operator::Mul, base, base), v[2]);
  }
  return c.ev.has_failed() ? Value::Error() : result;
}

const Builtin kOverloadedTable[] = {
    {kBare, "sum", SumOf},     {kBare, "max", MaxMin, 0}, {kBare, "min", MaxMin, 1}, {kBare, "all", AllAny, 0},
    {kBare, "any", AllAny, 1}, {kBare, "abs", Abs},       {kBare, "round", Round},   {kBare, "pow", Pow},
};

}  // namespace

llvm::ArrayRef<Builtin> OverloadedBuiltins() { return kOverloadedTable; }

}  // namespace spmdc::text::native
