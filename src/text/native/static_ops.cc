// Comparing static values, and walking them: order, truth, length and elements.
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

// -1, 0, 1, or nothing where the values have no order.
std::optional<int> Order(Evaluator& ev, const Value& a, const Value& b) {
  if (a.is_int() && b.is_int()) {
    return a.as_int() < b.as_int() ? -1 : a.as_int() > b.as_int() ? 1 : 0;
  }
  if (IsWhole(a) && IsWhole(b)) {
    return ev.Touch(WholeOf(a).getBitWidth() + WholeOf(b).getBitWidth()) ? std::optional(WholeOrder(a, b))
                                                                         : std::nullopt;
  }
  if (a.is(VK::Wide) || b.is(VK::Wide)) {
    const Value& other = a.is(VK::Wide) ? b : a;
    Value x = a.is(VK::Wide) ? Value::Float(NearestFloat(WholeOf(a))) : a;
    Value y = b.is(VK::Wide) ? Value::Float(NearestFloat(WholeOf(b))) : b;
    return other.is(VK::Float) ? Order(ev, x, y) : std::nullopt;
  }
  if (a.is_number() && b.is_number() && !a.is(VK::Complex) && !b.is(VK::Complex)) {
    double x = a.as_float(), y = b.as_float();
    return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
  }
  if (a.is(VK::Str) && b.is(VK::Str)) {
    if (!ev.Touch(static_cast<int64_t>(std::min(Text(a).size(), Text(b).size())))) {
      return std::nullopt;
    }
    int c = Text(a).compare(Text(b));
    return c < 0 ? -1 : c > 0 ? 1 : 0;
  }
  if (a.kind == b.kind && a.is_sequence()) {
    const auto& x = Items(a);
    const auto& y = Items(b);
    for (size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
      if (!ev.Same(x[i], y[i])) {
        return ev.has_failed() ? std::nullopt : Order(ev, x[i], y[i]);
      }
      if (i % 16 == 15 && !ev.Step()) {
        return std::nullopt;
      }
    }
    return x.size() < y.size() ? -1 : x.size() > y.size() ? 1 : 0;
  }
  return std::nullopt;
}

}  // namespace

Value Evaluator::Compare(Operator op, const Value& a, const Value& b) {
  if (a.failed() || b.failed() || !IsDecided(*this, a) || !IsDecided(*this, b)) {
    return Value::Error();
  }
  if (op == Operator::Is || op == Operator::IsNot) {
    bool by_value = (a.is_number() && !a.is(VK::Complex)) || a.is(VK::Wide) || a.is(VK::Str);
    bool same = a.kind == b.kind && (by_value ? Same(a, b) : a.i == b.i);
    return has_failed() ? Value::Error() : Value::Bool(same == (op == Operator::Is));
  }
  if (op == Operator::In || op == Operator::NotIn) {
    bool found = false;
    if (b.is(VK::Str)) {
      if (!a.is(VK::Str)) {
        return TypeError("'in <string>' requires string as left operand, not " + TypeName(a));
      }
      if (!TouchSearch(native::Text(b), native::Text(a))) {
        return Value::Error();
      }
      found = native::Text(b).find(native::Text(a)) != std::string::npos;
    } else if (b.is(VK::Range) && a.is_int()) {
      const auto& r = b.as<RangeObj>();
      int64_t v = a.as_int();
      found = (r.step > 0 ? v >= r.start && v < r.stop : v <= r.start && v > r.stop) && (v - r.start) % r.step == 0;
    } else {
      std::vector<Value> items;
      if (!Iterate(b, items)) {
        return Value::Error();
      }
      found = FindItem(items, a) != nullptr;
    }
    return has_failed() ? Value::Error() : Value::Bool(found == (op == Operator::In));
  }
  bool array = a.is(VK::Array) || b.is(VK::Array);
  bool other_is_plain = [&] {
    const Value& other = a.is(VK::Array) ? b : a;
    return other.is_number() || other.is(VK::Wide) || other.is(VK::Array) || other.is(VK::NdArray);
  }();
  if (array && (other_is_plain || (op != Operator::Eq && op != Operator::Ne))) {
    return ArrayCompare(*this, op, a, b);
  }
  if ((a.is(VK::NdArray) || b.is(VK::NdArray)) && !array) {
    return NumpyCompare(*this, op, a, b);
  }
  if (op == Operator::Eq || op == Operator::Ne) {
    bool same = Same(a, b);
    return has_failed() ? Value::Error() : Value::Bool(same == (op == Operator::Eq));
  }
  if (a.is(VK::Set) && b.is(VK::Set)) {
    auto covers = [&](const SetObj& big, const SetObj& small) {
      return llvm::all_of(small.items, [&](const Value& v) { return FindItem(big.items, v) != nullptr; });
    };
    const auto& x = a.as<SetObj>();
    const auto& y = b.as<SetObj>();
    bool strict = (op == Operator::Lt || op == Operator::Gt) && x.items.size() == y.items.size();
    bool less = op == Operator::Lt || op == Operator::Le;
    bool answer = !strict && (less ? covers(y, x) : covers(x, y));
    return has_failed() ? Value::Error() : Value::Bool(answer);
  }
  std::optional<int> order = Order(*this, a, b);
  if (has_failed()) {
    return Value::Error();
  }
  if (!order) {
    return TypeError("'" + Spelling(op).str() + "' not supported between instances of '" + TypeName(a) + "' and '" +
                     TypeName(b) + "'");
  }
  int o = *order;
  return Value::Bool(op == Operator::Lt   ? o == -1
                     : op == Operator::Le ? o == -1 || o == 0
                     : op == Operator::Gt ? o == 1
                                          : o == 1 || o == 0);
}

std::optional<bool> Evaluator::Truth(const Value& v) {
  switch (v.kind) {
    case VK::Error:
      return std::nullopt;
    case VK::None:
    case VK::Missing:
      return false;
    case VK::Bool:
      return v.b;
    case VK::Int:
      return v.i != 0;
    case VK::Float:
      return v.f != 0;
    case VK::Complex:
      return v.as<ComplexObj>().value != 0.0;
    case VK::Str:
      return !Text(v).empty();
    case VK::Tuple:
    case VK::List:
      return *Length(v) > 0;
    case VK::Dict:
      return !v.as<DictObj>().items.empty();
    case VK::Set:
      return !v.as<SetObj>().items.empty();
    case VK::Range:
      return v.as<RangeObj>().size() != 0;
    case VK::Spec:
      return !v.as<SpecObj>().spec.entries.empty();
    case VK::NdArray: {
      const tensor::Literal& value = v.as<NdArrayObj>().value();
      if (value.size() != 1) {
        TypeError("the truth value of an array with " + std::to_string(value.size()) + " elements is ambiguous");
        return std::nullopt;
      }
      return value.GetComplex(0) != 0.0;
    }
    case VK::Array:
      return ArrayTruth(*this, v);
    default:
      return true;
  }
}

bool Evaluator::Iterate(const Value& v, std::vector<Value>& out) {
  switch (v.kind) {
    case VK::Error:
      return false;
    case VK::Tuple:
    case VK::List:
      if (!TouchItems(static_cast<size_t>(*Length(v)))) {
        return false;
      }
      out = Items(v);
      return true;
    case VK::Set:
      out = v.as<SetObj>().items;
      return TouchItems(out.size());
    case VK::Dict:
      if (!TouchItems(v.as<DictObj>().items.size())) {
        return false;
      }
      for (const auto& [key, value] : v.as<DictObj>().items) {
        out.push_back(key);
      }
      return true;
    case VK::Range: {
      const auto& r = v.as<RangeObj>();
      if (r.size() > kMaxRepeat) {
        return !Fail(diag::Kind::TooLarge, "this range has too many elements to walk through").failed();
      }
      if (!TouchItems(static_cast<size_t>(r.size())) || !Afford(r.size() * static_cast<int64_t>(sizeof(Value)))) {
        return false;
      }
      for (int64_t i = 0; i < r.size(); ++i) {
        out.push_back(Value::Int(r.start + i * r.step));
      }
      return true;
    }
    case VK::Str:
      if (!Afford(static_cast<int64_t>(native::Text(v).size() * (sizeof(Value) + sizeof(StrObj))))) {
        return false;
      }
      for (char c : native::Text(v)) {
        out.push_back(heap_.Str(std::string(1, c)));
      }
      return true;
    case VK::Spec:
      for (const mesh::SpecEntry& entry : v.as<SpecObj>().spec.entries) {
        out.push_back(SpecEntryValue(*this, entry));
      }
      return true;
    case VK::NdArray: {
      std::optional<int64_t> length = Length(v);
      for (int64_t i = 0; length && i < *length; ++i) {
        out.push_back(GetItem(v, Value::Int(i)));
      }
      return length.has_value();
    }
    case VK::Array: {
      std::optional<int64_t> length = Length(v);
      for (int64_t i = 0; length && i < *length; ++i) {
        out.push_back(GetItem(v, Value::Int(i)));
        if (failed_) {
          return false;
        }
      }
      return length.has_value();
    }
    default:
      return !TypeError("'" + TypeName(v) + "' object is not iterable").failed();
  }
}

bool Evaluator::ForEach(const Value& v, llvm::function_ref<bool(const Value&)> each) {
  if (v.is(VK::List) && !v.as<SeqObj>().devices) {
    for (size_t i = 0; i < Items(v).size(); ++i) {
      Value item = Items(v)[i];
      if (!Step() || !each(item)) {
        return false;
      }
    }
    return true;
  }
  if (v.is(VK::Range)) {  // not spelled out
    const RangeObj r = v.as<RangeObj>();
    for (int64_t i = 0; i < r.size(); ++i) {
      if (!Step() || !each(Value::Int(r.start + i * r.step))) {
        return false;
      }
    }
    return true;
  }
  std::vector<Value> items;
  if (!Iterate(v, items)) {
    return false;
  }
  bool sized = v.is(VK::Dict) || v.is(VK::Set);
  for (const Value& item : items) {
    if (!Step() || !each(item)) {
      return false;
    }
    if (sized && Length(v) != static_cast<int64_t>(items.size())) {
      return !TypeError(TypeName(v) + " changed size during iteration").failed();
    }
  }
  return true;
}

std::optional<int64_t> Evaluator::Length(const Value& v) {
  switch (v.kind) {
    case VK::Error:
      return std::nullopt;
    case VK::Str:
      return static_cast<int64_t>(native::Text(v).size());
    case VK::Tuple:
    case VK::List: {
      auto& sequence = v.as<SeqObj>();
      return sequence.devices ? sequence.devices->size() : static_cast<int64_t>(sequence.items().size());
    }
    case VK::Dict:
      return static_cast<int64_t>(v.as<DictObj>().items.size());
    case VK::Set:
      return static_cast<int64_t>(v.as<SetObj>().items.size());
    case VK::Range:
      return v.as<RangeObj>().size();
    case VK::Spec:
      return static_cast<int64_t>(v.as<SpecObj>().spec.entries.size());
    case VK::NdArray:
    case VK::Array: {
      llvm::ArrayRef<int64_t> dims =
          v.is(VK::Array) ? llvm::ArrayRef<int64_t>(v.as<ArrayObj>().type.dims) : v.as<NdArrayObj>().dims();
      if (dims.empty()) {
        TypeError(v.is(VK::Array) ? "iteration over a 0-d array" : "len() of unsized object");
        return std::nullopt;
      }
      return dims[0];
    }
    default:
      TypeError("object of type '" + TypeName(v) + "' has no len()");
      return std::nullopt;
  }
}

}  // namespace spmdc::text::native
