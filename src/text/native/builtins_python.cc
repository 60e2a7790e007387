// Python's built-in functions, math and functools, on static values; those of section 1 go to jnp for arrays.
#include <cmath>

#include "llvm/ADT/STLExtras.h"
#include "text/native/evaluator.h"
#include "text/native/numpy.h"
#include "text/native/tracer.h"

namespace spmdc::text::native {
namespace {

Value Len(Call& c) {
  Value v[1];
  std::optional<int64_t> n = c.Bind("obj", v) ? c.ev.Length(v[0]) : std::nullopt;
  return n ? Value::Int(*n) : Value::Error();
}

Value Range(Call& c) {
  if (c.args.empty() || c.args.size() > 3 || !c.kwargs.empty()) {
    return c.ev.Fail(diag::Kind::Arguments, "range() takes 1 to 3 arguments");
  }
  int64_t parts[3] = {0, 0, 1};
  for (size_t i = 0; i < c.args.size(); ++i) {
    std::optional<int64_t> n = c.ev.ToInt(c.args[i], "an argument of range()");
    if (!n) {
      return Value::Error();
    }
    parts[c.args.size() == 1 ? 1 : i] = *n;
  }
  if (parts[2] == 0) {
    return c.ev.TypeError("range() arg 3 must not be zero");
  }
  auto* r = c.ev.heap().New<RangeObj>();
  r->start = parts[0];
  r->stop = parts[1];
  r->step = parts[2];
  return Value::Object(VK::Range, r);
}

Value Int(Call& c) {
  Value v[2];
  if (!c.Bind("x=, base=", v)) {
    return Value::Error();
  }
  if (!v[0].given()) {
    return Value::Int(0);
  }
  if (v[0].is(VK::Str)) {
    int64_t base = 10;
    if (v[1].given()) {
      std::optional<int64_t> b = c.ev.ToInt(v[1], "the base");
      if (!b) {
        return Value::Error();
      }
      base = *b;
    }
    int64_t value = 0;
    llvm::StringRef text = llvm::StringRef(Text(v[0])).trim();
    bool bad = base < 0 || base > 36 || text.ltrim('+').getAsInteger(static_cast<unsigned>(base), value);
    return bad ? c.ev.TypeError("invalid literal for int() with base " + std::to_string(base) + ": " + Repr(v[0]))
               : Value::Int(value);
  }
  if (v[0].is(VK::Float) || (v[0].is(VK::NdArray) && v[0].as<NdArrayObj>().value.size() == 1)) {
    double f = v[0].is(VK::Float) ? v[0].f : v[0].as<NdArrayObj>().value.GetReal(0);
    if (!(std::abs(f) < 9.2e18)) {
      return c.ev.TypeError("cannot convert float " + FloatText(f) + " to integer");
    }
    return Value::Int(static_cast<int64_t>(f));
  }
  std::optional<int64_t> n = c.ev.ToInt(v[0], "the argument of int()");
  return n ? Value::Int(*n) : Value::Error();
}

Value Float(Call& c) {
  Value v[1];
  if (!c.Bind("x=", v)) {
    return Value::Error();
  }
  if (!v[0].given()) {
    return Value::Float(0);
  }
  if (v[0].is(VK::Str)) {
    double value = 0;
    std::string text = llvm::StringRef(Text(v[0])).trim().lower();
    if (text == "inf" || text == "+inf" || text == "infinity") {
      return Value::Float(HUGE_VAL);
    }
    if (text == "-inf" || text == "-infinity") {
      return Value::Float(-HUGE_VAL);
    }
    if (text == "nan") {
      return Value::Float(std::nan(""));
    }
    return llvm::StringRef(text).getAsDouble(value) ? c.ev.TypeError("could not convert string to float: " + Repr(v[0]))
                                                    : Value::Float(value);
  }
  if (v[0].is(VK::NdArray) && v[0].as<NdArrayObj>().value.size() == 1) {
    return Value::Float(v[0].as<NdArrayObj>().value.GetReal(0));
  }
  if (v[0].is(VK::Array)) {
    return c.ev.Fail(diag::Kind::StaticInt, "a traced array with type " + ArrayText(v[0].as<ArrayObj>()) +
                                                " has no value while the file is read, and float() needs one");
  }
  if (!v[0].is_number() || v[0].is(VK::Complex)) {
    return c.ev.TypeError("float() argument must be a string or a real number, not '" + TypeName(v[0]) + "'");
  }
  return Value::Float(v[0].as_float());
}

Value Bool(Call& c) {
  Value v[1];
  std::optional<bool> truth = c.Bind("x=", v) ? c.ev.Truth(v[0]) : std::nullopt;
  return truth ? Value::Bool(*truth) : Value::Error();
}

Value ComplexNumber(Call& c) {
  Value v[2];
  if (!c.Bind("real=, imag=", v)) {
    return Value::Error();
  }
  std::complex<double> value = 0;
  for (int i = 0; i < 2; ++i) {
    if (!v[i].given()) {
      continue;
    }
    if (!v[i].is_number()) {
      return c.ev.TypeError("complex() argument must be a number, not '" + TypeName(v[i]) + "'");
    }
    std::complex<double> part = v[i].is(VK::Complex) ? v[i].as<ComplexObj>().value : v[i].as_float();
    value += i == 0 ? part : part * std::complex<double>(0, 1);
  }
  return c.ev.heap().Complex(value);
}

Value StrOf(Call& c) {
  Value v[1];
  return c.Bind("obj=", v) ? c.ev.heap().Str(v[0].given() ? Str(v[0]) : "") : Value::Error();
}

Value ReprOf(Call& c) {
  Value v[1];
  return c.Bind("obj", v) ? c.ev.heap().Str(Repr(v[0])) : Value::Error();
}

// tuple, list (data 1), set (2), frozenset (3).
Value Container(Call& c) {
  Value v[1];
  std::vector<Value> items;
  if (!c.Bind("iterable=", v) || (v[0].given() && !c.ev.Iterate(v[0], items))) {
    return Value::Error();
  }
  if (c.builtin.data <= 1) {
    return c.builtin.data == 0 ? c.ev.heap().Tuple(std::move(items)) : c.ev.heap().List(std::move(items));
  }
  auto* set = c.ev.heap().New<SetObj>();
  set->frozen = c.builtin.data == 3;
  for (const Value& item : items) {
    if (!Hashable(item)) {
      return c.ev.TypeError("unhashable type: '" + TypeName(item) + "'");
    }
    if (llvm::none_of(set->items, [&](const Value& x) { return Equal(x, item); })) {
      set->items.push_back(item);
    }
  }
  return Value::Object(VK::Set, set);
}

Value Dict(Call& c) {
  auto* dict = c.ev.heap().New<DictObj>();
  Value result = Value::Object(VK::Dict, dict);
  if (c.args.size() > 1) {
    return c.ev.Fail(diag::Kind::Arguments, "dict() takes at most one positional argument");
  }
  if (c.args.size() == 1 && c.args[0].is(VK::Dict)) {
    dict->items = c.args[0].as<DictObj>().items;
  } else if (c.args.size() == 1) {
    std::vector<Value> pairs;
    if (!c.ev.Iterate(c.args[0], pairs)) {
      return Value::Error();
    }
    for (const Value& pair : pairs) {
      std::vector<Value> two;
      if (!c.ev.Iterate(pair, two)) {
        return Value::Error();
      }
      if (two.size() != 2) {
        return c.ev.TypeError("dict() needs pairs of a key and a value");
      }
      if (!c.ev.SetItem(result, two[0], two[1])) {
        return Value::Error();
      }
    }
  }
  for (const auto& [name, value] : c.kwargs) {
    c.ev.SetItem(result, c.ev.heap().Str(name.str()), value);
  }
  return result;
}

Value Zip(Call& c) {
  std::vector<std::vector<Value>> columns;
  size_t rows = SIZE_MAX;
  bool strict = false;
  for (const auto& [name, value] : c.kwargs) {
    if (name != "strict" || !c.ev.ToBool(value, "strict", false, strict)) {
      return c.ev.Fail(diag::Kind::Arguments, "zip() got an unexpected keyword argument '" + name.str() + "'");
    }
  }
  for (const Value& arg : c.args) {
    columns.emplace_back();
    if (!c.ev.Iterate(arg, columns.back())) {
      return Value::Error();
    }
    if (strict && columns.back().size() != columns[0].size()) {
      return c.ev.TypeError("zip() argument " + std::to_string(columns.size()) + " has another length than argument 1");
    }
    rows = std::min(rows, columns.back().size());
  }
  std::vector<Value> out;
  for (size_t i = 0; !columns.empty() && i < rows; ++i) {
    std::vector<Value> row;
    for (const auto& column : columns) {
      row.push_back(column[i]);
    }
    out.push_back(c.ev.heap().Tuple(std::move(row)));
  }
  return c.ev.heap().List(std::move(out));
}

Value Enumerate(Call& c) {
  Value v[2];
  std::vector<Value> items;
  if (!c.Bind("iterable, start=", v) || !c.ev.Iterate(v[0], items)) {
    return Value::Error();
  }
  std::optional<int64_t> start = v[1].given() ? c.ev.ToInt(v[1], "start") : 0;
  if (!start) {
    return Value::Error();
  }
  std::vector<Value> out;
  for (size_t i = 0; i < items.size(); ++i) {
    out.push_back(c.ev.heap().Tuple({Value::Int(*start + static_cast<int64_t>(i)), items[i]}));
  }
  return c.ev.heap().List(std::move(out));
}

Value Reversed(Call& c) {
  Value v[1];
  std::vector<Value> items;
  if (!c.Bind("sequence", v) || !c.ev.Iterate(v[0], items)) {
    return Value::Error();
  }
  std::reverse(items.begin(), items.end());
  return c.ev.heap().List(std::move(items));
}

bool SortItems(Evaluator& ev, std::vector<Value>& items, const Value& key, bool reverse) {
  std::vector<std::pair<Value, Value>> keyed;
  for (const Value& item : items) {
    keyed.push_back({key.none() ? item : ev.CallFunction(key, item), item});
    if (keyed.back().first.failed()) {
      return false;
    }
  }
  auto less = [&](const auto& a, const auto& b) {
    Value r = reverse ? ev.Compare(Operator::Lt, b.first, a.first) : ev.Compare(Operator::Lt, a.first, b.first);
    std::optional<bool> truth = r.failed() ? std::nullopt : ev.Truth(r);
    return truth.value_or(false);
  };
  // An insertion sort keeps its order even where the comparison fails half-way.
  for (size_t i = 1; i < keyed.size() && !ev.has_failed(); ++i) {
    for (size_t j = i; j > 0 && ev.Step() && less(keyed[j], keyed[j - 1]); --j) {
      std::swap(keyed[j], keyed[j - 1]);
    }
  }
  for (size_t i = 0; i < items.size(); ++i) {
    items[i] = keyed[i].second;
  }
  return !ev.has_failed();
}

Value Sorted(Call& c) {
  Value v[3];
  std::vector<Value> items;
  bool reverse = false;
  if (!c.Bind("iterable, *, key=, reverse=", v) || !c.ev.Iterate(v[0], items) ||
      !c.ev.ToBool(v[2], "reverse", false, reverse) || !SortItems(c.ev, items, v[1], reverse)) {
    return Value::Error();
  }
  return c.ev.heap().List(std::move(items));
}

bool IsInstance(Evaluator& ev, const Value& v, const Value& type, bool& answer) {
  if (type.is(VK::Tuple)) {
    for (const Value& one : Items(type)) {
      if (!IsInstance(ev, v, one, answer)) {
        return false;
      }
      if (answer) {
        return true;
      }
    }
    return true;
  }
  if (!type.is(VK::Builtin)) {
    return !ev.TypeError("isinstance() arg 2 must be a type or a tuple of types").failed();
  }
  llvm::StringRef name = type.builtin->name;
  answer = name == "Array"                          ? v.is(VK::Array)
           : name == "ndarray"                      ? v.is(VK::NdArray) && !v.as<NdArrayObj>().scalar
           : name == "int"                          ? v.is_int()
           : name == "PartitionSpec" || name == "P" ? v.is(VK::Spec)
                                                    : name == TypeName(v);
  return true;
}

Value IsInstanceOf(Call& c) {
  Value v[2];
  bool answer = false;
  return c.Bind("obj, type", v) && IsInstance(c.ev, v[0], v[1], answer) ? Value::Bool(answer) : Value::Error();
}

Value Callable(Call& c) {
  Value v[1];
  if (!c.Bind("obj", v)) {
    return Value::Error();
  }
  return Value::Bool(v[0].is(VK::Function) || v[0].is(VK::Builtin) || v[0].is(VK::Method) || v[0].is(VK::Partial) ||
                     v[0].is(VK::Jitted) || v[0].is(VK::DType));
}

// map, and filter (data 1).
Value MapFilter(Call& c) {
  if (c.args.size() < 2 || !c.kwargs.empty() || (c.builtin.data == 1 && c.args.size() != 2)) {
    return c.ev.Fail(diag::Kind::Arguments, std::string(c.builtin.name) + "() takes a function and sequences");
  }
  std::vector<std::vector<Value>> columns;
  size_t rows = SIZE_MAX;
  for (const Value& arg : llvm::makeArrayRef(c.args).drop_front()) {
    columns.emplace_back();
    if (!c.ev.Iterate(arg, columns.back())) {
      return Value::Error();
    }
    rows = std::min(rows, columns.back().size());
  }
  std::vector<Value> out;
  for (size_t i = 0; i < rows; ++i) {
    llvm::SmallVector<Value, 4> row;
    for (const auto& column : columns) {
      row.push_back(column[i]);
    }
    bool identity = c.builtin.data == 1 && c.args[0].none();
    Value value = identity ? row[0] : c.ev.CallFunction(c.args[0], row);
    if (value.failed()) {
      return value;
    }
    if (c.builtin.data == 0) {
      out.push_back(value);
      continue;
    }
    std::optional<bool> truth = c.ev.Truth(value);
    if (!truth) {
      return Value::Error();
    }
    if (*truth) {
      out.push_back(row[0]);
    }
  }
  return c.ev.heap().List(std::move(out));
}

Value DivMod(Call& c) {
  Value v[2];
  if (!c.Bind("a, b", v)) {
    return Value::Error();
  }
  Value q = c.ev.Binary(Operator::FloorDiv, v[0], v[1]);
  Value r = c.ev.Binary(Operator::Mod, v[0], v[1]);
  return q.failed() || r.failed() ? Value::Error() : c.ev.heap().Tuple({q, r});
}

Value MakeSlice(Call& c) {
  if (c.args.empty() || c.args.size() > 3 || !c.kwargs.empty()) {
    return c.ev.Fail(diag::Kind::Arguments, "slice() takes 1 to 3 arguments");
  }
  auto* s = c.ev.heap().New<SliceObj>();
  s->start = c.args.size() > 1 ? c.args[0] : Value::None();
  s->stop = c.args.size() > 1 ? c.args[1] : c.args[0];
  s->step = c.args.size() > 2 ? c.args[2] : Value::None();
  return Value::Object(VK::Slice, s);
}

// iter gives a list that next takes from.
Value Iter(Call& c) {
  Value v[1];
  std::vector<Value> items;
  return c.Bind("iterable", v) && c.ev.Iterate(v[0], items) ? c.ev.heap().List(std::move(items)) : Value::Error();
}

Value Next(Call& c) {
  Value v[2];
  if (!c.Bind("iterator, default=", v)) {
    return Value::Error();
  }
  if (!v[0].is(VK::List)) {
    return c.ev.TypeError("'" + TypeName(v[0]) + "' object is not an iterator");
  }
  std::vector<Value>& items = Items(v[0]);
  if (items.empty()) {
    return v[1].given() ? v[1] : c.ev.TypeError("the iterator has no more elements");
  }
  Value first = items.front();
  items.erase(items.begin());
  return first;
}

Value Type(Call& c) {
  Value v[1];
  if (!c.Bind("obj", v)) {
    return Value::Error();
  }
  Value found = c.ev.FindIn(kBare, TypeName(v[0]));
  return found.given() ? found : c.ev.heap().Str("<class '" + TypeName(v[0]) + "'>");
}

Value Print(Call& c) {
  std::string line;
  std::string separator = " ";
  std::string end = "\n";
  for (const auto& [name, value] : c.kwargs) {
    if (name == "sep" && value.is(VK::Str)) {
      separator = Text(value);
    } else if (name == "end" && value.is(VK::Str)) {
      end = Text(value);
    }
  }
  for (size_t i = 0; i < c.args.size(); ++i) {
    line += (i == 0 ? "" : separator) + Str(c.args[i]);
  }
  if (!c.ev.silent) {
    c.ev.print_out() << line << end;
  }
  return Value::None();
}

bool AnyArray(const Value& v, int depth = 0) {
  if (v.is(VK::Array)) {
    return true;
  }
  if (depth > 8) {
    return false;
  }
  if (v.is_sequence()) {
    return llvm::any_of(Items(v), [&](const Value& x) { return AnyArray(x, depth + 1); });
  }
  return v.is(VK::Dict) &&
         llvm::any_of(v.as<DictObj>().items, [&](const auto& entry) { return AnyArray(entry.second, depth + 1); });
}

// The eight names that are Python's on static values and jnp's on arrays.
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

Value SumOf(Call& c) {
  if (auto result = AsJnp(c)) {
    return *result;
  }
  Value v[2];
  std::vector<Value> items;
  if (!c.Bind("iterable, start=", v) || !c.ev.Iterate(v[0], items)) {
    return Value::Error();
  }
  Value total = v[1].given() ? v[1] : Value::Int(0);
  for (const Value& item : items) {
    total = c.ev.Binary(Operator::Add, total, item);
  }
  return total;
}

// max, and min (data 1).
Value MaxMin(Call& c) {
  if (auto result = AsJnp(c)) {
    return *result;
  }
  std::vector<Value> items(c.args.begin(), c.args.end());
  Value key, fallback;
  for (const auto& [name, value] : c.kwargs) {
    (name == "key" ? key : fallback) = value;
  }
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
  for (size_t i = 1; i < items.size(); ++i) {
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
  return best;
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
    std::optional<bool> truth = c.ev.Truth(item);
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
  if (v[0].is(VK::Float)) {
    return Value::Float(std::abs(v[0].f));
  }
  if (v[0].is(VK::Complex)) {
    return Value::Float(std::abs(v[0].as<ComplexObj>().value));
  }
  return c.ev.TypeError("bad operand type for abs(): '" + TypeName(v[0]) + "'");
}

Value Round(Call& c) {
  if (auto result = AsJnp(c)) {
    return *result;
  }
  Value v[2];
  if (!c.Bind("number, ndigits=", v)) {
    return Value::Error();
  }
  if (v[0].is_int()) {
    return Value::Int(v[0].as_int());
  }
  if (!v[0].is(VK::Float)) {
    return c.ev.TypeError("type " + TypeName(v[0]) + " cannot be rounded");
  }
  if (v[1].none()) {
    return std::abs(v[0].f) < 9e18 ? Value::Int(static_cast<int64_t>(std::nearbyint(v[0].f)))
                                   : c.ev.TypeError("cannot convert float to integer");
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
  Value v[2];
  return c.Bind("base, exp", v) ? c.ev.Binary(Operator::Pow, v[0], v[1]) : Value::Error();
}

// math.*: one or two floats to a float.
using Unary = double (*)(double);
using BinaryMath = double (*)(double, double);
const std::pair<llvm::StringRef, Unary> kUnaryMath[] = {
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
  if (v.is(VK::NdArray) && v.as<NdArrayObj>().value.size() == 1) {
    return v.as<NdArrayObj>().value.GetReal(0);
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

Value Math(Call& c) {
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
      double r = f(x[0]);
      return std::isnan(r) && !std::isnan(x[0]) ? c.ev.TypeError("math domain error") : Value::Float(r);
    }
  }
  for (const auto& [known, f] : kBinaryMath) {
    if (known == name && x.size() == 2) {
      return Value::Float(f(x[0], x[1]));
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
    if (!(std::abs(x[0]) < 9e18)) {
      return c.ev.TypeError("cannot convert float to integer");
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

// gcd, lcm (1), prod (2), factorial (3), comb (4), isqrt (5).
Value IntMath(Call& c) {
  std::vector<Value> items(c.args.begin(), c.args.end());
  if (c.builtin.data == 2) {
    Value v[2];
    items.clear();
    if (!c.Bind("iterable, *, start=", v) || !c.ev.Iterate(v[0], items)) {
      return Value::Error();
    }
    Value total = v[1].given() ? v[1] : Value::Int(1);
    for (const Value& item : items) {
      total = c.ev.Binary(Operator::Mul, total, item);
    }
    return total;
  }
  std::vector<int64_t> n;
  for (const Value& item : items) {
    std::optional<int64_t> i = c.ev.ToInt(item, "the argument");
    if (!i) {
      return Value::Error();
    }
    n.push_back(*i);
  }
  auto gcd = [](int64_t a, int64_t b) {
    while (b != 0) {
      std::tie(a, b) = std::pair(b, a % b);
    }
    return a < 0 ? -a : a;
  };
  Value total = Value::Int(c.builtin.data == 0 ? 0 : 1);
  if (c.builtin.data == 0) {
    for (int64_t i : n) {
      total.i = gcd(total.i, i);
    }
    return total;
  }
  if (c.builtin.data == 1) {
    for (int64_t i : n) {
      int64_t g = gcd(total.i, i);
      total = g == 0 ? Value::Int(0) : c.ev.Binary(Operator::Mul, Value::Int(total.i / g), Value::Int(i < 0 ? -i : i));
      if (total.failed()) {
        return total;
      }
    }
    return total;
  }
  if (c.builtin.data == 3 && n.size() == 1 && n[0] >= 0) {
    for (int64_t i = 2; i <= std::min<int64_t>(n[0], 30) && !total.failed(); ++i) {
      total = c.ev.Binary(Operator::Mul, total, Value::Int(i));
    }
    return total;
  }
  if (c.builtin.data == 4 && n.size() == 2 && n[0] >= 0 && n[1] >= 0 && n[0] <= 60) {
    for (int64_t i = 0; i < n[1]; ++i) {
      total.i = n[1] > n[0] ? 0 : total.i * (n[0] - i) / (i + 1);
    }
    return total;
  }
  if (c.builtin.data == 5 && n.size() == 1 && n[0] >= 0) {
    auto root = static_cast<int64_t>(std::sqrt(static_cast<double>(n[0])));
    while (root * root > n[0]) {
      --root;
    }
    while ((root + 1) * (root + 1) <= n[0]) {
      ++root;
    }
    return Value::Int(root);
  }
  return c.ev.Fail(diag::Kind::Arguments, "math." + std::string(c.builtin.name) + "() got arguments it cannot take");
}

Value Partial(Call& c) {
  if (c.args.empty()) {
    return c.ev.Fail(diag::Kind::Arguments, "partial() needs a function");
  }
  auto* p = c.ev.heap().New<PartialObj>();
  p->function = c.args[0];
  p->args.assign(c.args.begin() + 1, c.args.end());
  for (const auto& [name, value] : c.kwargs) {
    p->kwargs.push_back({name.str(), value});
  }
  return Value::Object(VK::Partial, p);
}

Value Reduce(Call& c) {
  Value v[3];
  std::vector<Value> items;
  if (!c.Bind("function, iterable, initial=", v) || !c.ev.Iterate(v[1], items)) {
    return Value::Error();
  }
  if (!v[2].given() && items.empty()) {
    return c.ev.TypeError("reduce() of empty iterable with no initial value");
  }
  Value total = v[2].given() ? v[2] : items[0];
  for (size_t i = v[2].given() ? 0 : 1; i < items.size() && !total.failed(); ++i) {
    total = c.ev.CallFunction(v[0], {total, items[i]});
  }
  return total;
}

const Builtin kPython[] = {
    {kBare, "len", Len},           {kBare, "range", Range},      {kBare, "int", Int},
    {kBare, "float", Float},       {kBare, "bool", Bool},        {kBare, "complex", ComplexNumber},
    {kBare, "str", StrOf},         {kBare, "repr", ReprOf},      {kBare, "tuple", Container, 0},
    {kBare, "list", Container, 1}, {kBare, "set", Container, 2}, {kBare, "frozenset", Container, 3},
    {kBare, "dict", Dict},         {kBare, "zip", Zip},          {kBare, "enumerate", Enumerate},
    {kBare, "reversed", Reversed}, {kBare, "sorted", Sorted},    {kBare, "isinstance", IsInstanceOf},
    {kBare, "callable", Callable}, {kBare, "map", MapFilter, 0}, {kBare, "filter", MapFilter, 1},
    {kBare, "divmod", DivMod},     {kBare, "slice", MakeSlice},  {kBare, "iter", Iter},
    {kBare, "next", Next},         {kBare, "type", Type},        {kBare, "print", Print},
    {kBare, "sum", SumOf},         {kBare, "max", MaxMin, 0},    {kBare, "min", MaxMin, 1},
    {kBare, "all", AllAny, 0},     {kBare, "any", AllAny, 1},    {kBare, "abs", Abs},
    {kBare, "round", Round},       {kBare, "pow", Pow},
};

const Builtin kMathTable[] = {
    {kMath, "sqrt", Math},          {kMath, "exp", Math},         {kMath, "log", Math},
    {kMath, "log2", Math},          {kMath, "log10", Math},       {kMath, "log1p", Math},
    {kMath, "expm1", Math},         {kMath, "sin", Math},         {kMath, "cos", Math},
    {kMath, "tan", Math},           {kMath, "asin", Math},        {kMath, "acos", Math},
    {kMath, "atan", Math},          {kMath, "sinh", Math},        {kMath, "cosh", Math},
    {kMath, "tanh", Math},          {kMath, "asinh", Math},       {kMath, "acosh", Math},
    {kMath, "atanh", Math},         {kMath, "erf", Math},         {kMath, "erfc", Math},
    {kMath, "gamma", Math},         {kMath, "lgamma", Math},      {kMath, "fabs", Math},
    {kMath, "pow", Math},           {kMath, "atan2", Math},       {kMath, "fmod", Math},
    {kMath, "copysign", Math},      {kMath, "hypot", Math},       {kMath, "floor", Math},
    {kMath, "ceil", Math},          {kMath, "trunc", Math},       {kMath, "isnan", Math},
    {kMath, "isinf", Math},         {kMath, "isfinite", Math},    {kMath, "gcd", IntMath, 0},
    {kMath, "lcm", IntMath, 1},     {kMath, "prod", IntMath, 2},  {kMath, "factorial", IntMath, 3},
    {kMath, "comb", IntMath, 4},    {kMath, "isqrt", IntMath, 5}, {kFunctools | kBare, "partial", Partial},
    {kFunctools, "reduce", Reduce},
};

}  // namespace

llvm::ArrayRef<Builtin> PythonBuiltins() { return kPython; }
llvm::ArrayRef<Builtin> MathBuiltins() { return kMathTable; }

}  // namespace spmdc::text::native
