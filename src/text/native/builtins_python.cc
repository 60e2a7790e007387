// Python's built-in types and what asks about them: numbers, texts, containers, ranges, slices; print.
#include <algorithm>
#include <cmath>

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "support/starts_with.h"
#include "text/native/concrete.h"
#include "text/native/evaluator.h"
#include "text/native/numpy.h"
#include "text/native/tracer.h"
#include "text/native/wide_int.h"

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

// A top-level array of one element as its value.
bool TakeValue(Call& c, Value& v) {
  Value known = v.is(VK::Array) && TypeOfArray(v).num_elements() == 1 ? ConcreteValue(c.ev, v) : Value();
  v = known.given() ? known : v;
  return !v.failed();
}

// What int() reads: digits between which single underscores stand, behind a base's own prefix.
std::string DigitsOf(llvm::StringRef text, int64_t base) {
  std::string out = text.lower();
  llvm::StringRef prefix = base == 16 ? "0x" : base == 8 ? "0o" : base == 2 ? "0b" : "";
  if (!prefix.empty() && StartsWith(out, prefix)) {
    out = out.substr(out.size() > 2 && out[2] == '_' ? 3 : 2);
  }
  bool well_placed = !out.empty() && out.front() != '_' && out.back() != '_' && !llvm::StringRef(out).contains("__");
  if (well_placed) {
    out.erase(std::remove(out.begin(), out.end(), '_'), out.end());
  }
  return out;
}

Value Int(Call& c) {
  Value v[2];
  if (!c.Bind("x=, base=", v) || !TakeValue(c, v[0])) {
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
    llvm::StringRef text = llvm::StringRef(Text(v[0])).trim();
    bool negative = text.consume_front("-");
    if (!negative) {
      text.consume_front("+");
    }
    bool known = base == 0 || (base >= 2 && base <= 36);
    std::string digits = DigitsOf(text, base);
    Value whole = known ? WholeOfDigits(c.ev, digits, static_cast<unsigned>(base), negative) : Value();
    return whole.given()
               ? whole
               : c.ev.TypeError("invalid literal for int() with base " + std::to_string(base) + ": " + Repr(v[0]));
  }
  if (v[0].is(VK::Float) || (v[0].is(VK::NdArray) && v[0].as<NdArrayObj>().value().size() == 1)) {
    double f = v[0].is(VK::Float) ? v[0].f : v[0].as<NdArrayObj>().value().GetReal(0);
    return Whole(c.ev, f);
  }
  if (v[0].is(VK::Wide)) {
    return v[0];
  }
  std::optional<int64_t> n = c.ev.ToInt(v[0], "the argument of int()");
  return n ? Value::Int(*n) : Value::Error();
}

Value Float(Call& c) {
  Value v[1];
  if (!c.Bind("x=", v) || !TakeValue(c, v[0])) {
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
  if (v[0].is(VK::NdArray) && v[0].as<NdArrayObj>().value().size() == 1) {
    return Value::Float(v[0].as<NdArrayObj>().value().GetReal(0));
  }
  if (v[0].is(VK::Array)) {
    return c.ev.Fail(diag::Kind::StaticInt, "a traced array with type " + ArrayText(v[0].as<ArrayObj>()) +
                                                " has no value while the file is read, and float() needs one");
  }
  if (v[0].is(VK::Wide)) {
    double f = NearestFloat(WholeOf(v[0]));
    return std::isinf(f) ? c.ev.TypeError("int too large to convert to float") : Value::Float(f);
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
  double real = 0, imag = 0;  // parts apart: a product with 1j would make NaN of infinities
  for (int i = 0; i < 2; ++i) {
    if (!v[i].given()) {
      continue;
    }
    if (!TakeValue(c, v[i])) {
      return Value::Error();
    }
    if (v[i].is(VK::NdArray) && v[i].as<NdArrayObj>().value().size() == 1) {
      v[i] = Element(c.ev, v[i].as<NdArrayObj>().value(), 0);
    }
    if (!v[i].is_number()) {
      return c.ev.TypeError("complex() argument must be a number, not '" + TypeName(v[i]) + "'");
    }
    std::complex<double> part = v[i].is(VK::Complex) ? v[i].as<ComplexObj>().value : v[i].as_float();
    real += i == 0 ? part.real() : -part.imag();
    imag += i == 0 ? part.imag() : part.real();
  }
  return c.ev.heap().Complex({real, imag});
}

Value StrOf(Call& c) {
  Value v[1];
  std::optional<std::string> text;
  if (c.Bind("obj=", v)) {
    text = v[0].given() ? c.ev.Written(v[0]) : "";
  }
  return text ? c.ev.heap().Str(std::move(*text)) : Value::Error();
}

Value ReprOf(Call& c) {
  Value v[1];
  std::optional<std::string> text = c.Bind("obj", v) ? c.ev.Written(v[0], /*repr=*/true) : std::nullopt;
  return text ? c.ev.heap().Str(std::move(*text)) : Value::Error();
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
  bool good = llvm::all_of(items, [&](const Value& item) { return c.ev.AddToSet(*set, item); });
  return good ? Value::Object(VK::Set, set) : Value::Error();
}

Value Dict(Call& c) {
  auto* dict = c.ev.heap().New<DictObj>();
  Value result = Value::Object(VK::Dict, dict);
  if (c.args.size() > 1) {
    return c.ev.Fail(diag::Kind::Arguments, "dict() takes at most one positional argument");
  }
  if (c.args.size() == 1 && c.args[0].is(VK::Dict)) {
    dict->items = c.args[0].as<DictObj>().items;
    c.ev.heap().AddBytes(static_cast<int64_t>(2 * dict->items.size() * sizeof(Value)));
    if (!c.ev.TouchItems(2 * dict->items.size())) {
      return Value::Error();
    }
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
  bool good = llvm::all_of(c.kwargs, [&](const auto& entry) {
    return c.ev.SetItem(result, c.ev.heap().Str(entry.first.str()), entry.second);
  });
  return good ? result : Value::Error();
}

bool IsOfType(const Value& v, llvm::StringRef name) {
  return name == "Array"                          ? v.is(VK::Array)
         : name == "ndarray"                      ? v.is(VK::NdArray) && !v.as<NdArrayObj>().scalar
         : name == "int"                          ? IsWhole(v)
         : name == "PartitionSpec" || name == "P" ? v.is(VK::Spec)
                                                  : name == TypeName(v);
}

// A tuple of types, which may hold tuples of types, is looked through from its first to its last.
Value IsInstanceOf(Call& c) {
  Value v[2];
  if (!c.Bind("obj, type", v)) {
    return Value::Error();
  }
  std::vector<Value> open{v[1]};
  while (!open.empty()) {
    Value type = open.back();
    open.pop_back();
    if (!c.ev.Step()) {
      return Value::Error();
    }
    if (type.is(VK::Tuple)) {
      open.insert(open.end(), Items(type).rbegin(), Items(type).rend());
    } else if (!type.is(VK::Builtin)) {
      return c.ev.TypeError("isinstance() arg 2 must be a type or a tuple of types");
    } else if (IsOfType(v[0], type.builtin->name)) {
      return Value::Bool(true);
    }
  }
  return Value::Bool(false);
}

Value Callable(Call& c) {
  Value v[1];
  if (!c.Bind("obj", v)) {
    return Value::Error();
  }
  return Value::Bool(v[0].is(VK::Function) || v[0].is(VK::Builtin) || v[0].is(VK::Method) || v[0].is(VK::Partial) ||
                     v[0].is(VK::Jitted) || v[0].is(VK::DType));
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

Value Type(Call& c) {
  Value v[1];
  if (!c.Bind("obj", v)) {
    return Value::Error();
  }
  Value found = c.ev.FindIn(kBare, TypeName(v[0]));
  return found.given() ? found : c.ev.heap().Str("<class '" + TypeName(v[0]) + "'>");
}

Value Print(Call& c) {
  Value v[5];
  if (!c.Bind("*values, sep=, end=, file=, flush=", v)) {
    return Value::Error();
  }
  std::string line;
  std::string separator = v[1].is(VK::Str) ? Text(v[1]) : " ";
  std::string end = v[2].is(VK::Str) ? Text(v[2]) : "\n";
  for (size_t i = 0; i < c.args.size(); ++i) {
    std::optional<std::string> text = c.ev.Written(c.args[i]);
    if (!text || !c.ev.Afford(static_cast<int64_t>(line.size() + text->size()))) {
      return Value::Error();
    }
    line += (i == 0 ? "" : separator) + *text;
  }
  // What is printed is kept by somebody.
  c.ev.heap().AddBytes(static_cast<int64_t>(line.size()));
  if (!c.ev.silent) {
    c.ev.print_out() << line << end;
  }
  return Value::None();
}

const Builtin kPython[] = {
    {kBare, "len", Len},
    {kBare, "range", Range},
    {kBare, "int", Int},
    {kBare, "float", Float},
    {kBare, "bool", Bool},
    {kBare, "complex", ComplexNumber},
    {kBare, "str", StrOf},
    {kBare, "repr", ReprOf},
    {kBare, "tuple", Container, 0},
    {kBare, "list", Container, 1},
    {kBare, "set", Container, 2},
    {kBare, "frozenset", Container, 3},
    {kBare, "dict", Dict},
    {kBare, "isinstance", IsInstanceOf},
    {kBare, "callable", Callable},
    {kBare, "divmod", DivMod},
    {kBare, "slice", MakeSlice},
    {kBare, "type", Type},
    {kBare, "print", Print},
};

}  // namespace

llvm::ArrayRef<Builtin> PythonBuiltins() { return kPython; }

}  // namespace spmdc::text::native
