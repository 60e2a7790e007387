// Methods of sequences, dicts and sets.
#include "text/native/python_methods.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "support/starts_with.h"
#include "text/native/numpy.h"

namespace spmdc::text::native {
namespace {

// append 0, extend 1, insert 2, pop 3, remove 4, reverse 5, sort 6, clear 7, copy 8.
Value ListMethod(Call& c) {
  std::vector<Value>& items = Items(c.args[0]);
  auto arg = [&](size_t i) { return i < c.args.size() ? c.args[i] : Value(); };
  size_t given = c.args.size() - 1;
  static const size_t kMin[] = {1, 1, 2, 0, 1, 0, 0, 0, 0};
  static const size_t kMax[] = {1, 1, 2, 1, 1, 0, 0, 0, 0};
  auto data = static_cast<size_t>(c.builtin.data);
  if (given < kMin[data] || given > kMax[data]) {
    return c.ev.Fail(diag::Kind::Arguments,
                     std::string(c.builtin.name) + "() got " + std::to_string(given) + " arguments");
  }
  auto size = static_cast<int64_t>(items.size());
  switch (data) {
    case 0:
      c.ev.heap().AddBytes(sizeof(Value));
      items.push_back(arg(1));
      return Value::None();
    case 1: {
      std::vector<Value> more;
      if (!c.ev.Iterate(arg(1), more)) {
        return Value::Error();
      }
      if (!c.ev.Afford(2 * static_cast<int64_t>((items.size() + more.size()) * sizeof(Value)))) {
        return Value::Error();
      }
      c.ev.heap().AddBytes(static_cast<int64_t>(more.size() * sizeof(Value)));
      items.insert(items.end(), more.begin(), more.end());
      return Value::None();
    }
    case 2: {
      std::optional<int64_t> at = c.ev.ToInt(arg(1), "the index");
      if (!at) {
        return Value::Error();
      }
      int64_t i = std::min(std::max<int64_t>(*at < 0 ? *at + size : *at, 0), size);
      if (!c.ev.TouchItems(static_cast<size_t>(size - i))) {
        return Value::Error();
      }
      c.ev.heap().AddBytes(sizeof(Value));
      items.insert(items.begin() + i, arg(2));
      return Value::None();
    }
    case 3: {
      std::optional<int64_t> at = given == 1 ? c.ev.ToInt(arg(1), "the index") : -1;
      if (!at) {
        return Value::Error();
      }
      int64_t i = *at < 0 ? *at + size : *at;
      if (i < 0 || i >= size) {
        return c.ev.TypeError("pop index out of range");
      }
      if (!c.ev.TouchItems(static_cast<size_t>(size - i))) {
        return Value::Error();
      }
      Value item = items[static_cast<size_t>(i)];
      items.erase(items.begin() + i);
      return item;
    }
    case 4: {
      const Value* found = c.ev.FindItem(items, arg(1));
      if (found == nullptr) {
        return c.ev.TypeError("list.remove(x): x not in list");
      }
      items.erase(items.begin() + (found - items.data()));
      return Value::None();
    }
    case 5:
      std::reverse(items.begin(), items.end());
      return c.ev.TouchItems(items.size()) ? Value::None() : Value::Error();
    case 6: {
      Value sorted = c.ev.CallFunction(c.ev.FindIn(kBare, "sorted"), c.args[0], c.kwargs);
      if (!sorted.failed()) {
        items = Items(sorted);
      }
      return sorted.failed() ? sorted : Value::None();
    }
    case 7:
      items.clear();
      return Value::None();
    default:
      return c.ev.TouchItems(items.size()) ? c.ev.heap().List(items) : Value::Error();
  }
}

// keys 0, values 1, items 2, get 3, pop 4, update 5, setdefault 6, copy 7, clear 8.
Value DictMethod(Call& c) {
  auto& dict = c.args[0].as<DictObj>();
  std::vector<Value> out;
  if (c.builtin.data <= 2) {
    if (!c.ev.TouchItems(2 * dict.items.size())) {
      return Value::Error();
    }
    for (const auto& [key, value] : dict.items) {
      out.push_back(c.builtin.data == 0 ? key : c.builtin.data == 1 ? value : c.ev.heap().Tuple({key, value}));
    }
    return c.ev.heap().List(std::move(out));
  }
  if (c.builtin.data == 5) {
    Call make{c.ev, c.builtin, {}, c.kwargs};
    for (size_t i = 1; i < c.args.size(); ++i) {
      make.args.push_back(c.args[i]);
    }
    Value other = c.ev.CallFunction(c.ev.FindIn(kBare, "dict"), make.args, make.kwargs);
    if (other.failed()) {
      return other;
    }
    bool good = llvm::all_of(other.as<DictObj>().items,
                             [&](const auto& entry) { return c.ev.SetItem(c.args[0], entry.first, entry.second); });
    return good ? Value::None() : Value::Error();
  }
  if (c.builtin.data == 7) {
    auto* copy = c.ev.heap().New<DictObj>();
    copy->items = dict.items;
    c.ev.heap().AddBytes(static_cast<int64_t>(2 * dict.items.size() * sizeof(Value)));
    return c.ev.TouchItems(2 * dict.items.size()) ? Value::Object(VK::Dict, copy) : Value::Error();
  }
  if (c.builtin.data == 8) {
    dict.items.clear();
    return Value::None();
  }
  Value v[3];
  if (!c.Bind("self, key, default=", v)) {
    return Value::Error();
  }
  const auto* found = c.ev.FindEntry(dict.items, v[1]);
  if (c.ev.has_failed()) {
    return Value::Error();
  }
  if (found != nullptr) {
    Value value = found->second;
    if (c.builtin.data == 4) {
      dict.items.erase(dict.items.begin() + (found - dict.items.data()));
    }
    return value;
  }
  if (c.builtin.data == 4 && !v[2].given()) {
    return c.ev.TypeError("there is no key " + Repr(v[1]) + " in this dict");
  }
  Value fallback = v[2].given() ? v[2] : Value::None();
  return c.builtin.data == 6 && !c.ev.SetItem(c.args[0], v[1], fallback) ? Value::Error() : fallback;
}

// add 0, union 1, intersection 2, difference 3, issubset 4, issuperset 5, discard 6.
Value SetMethod(Call& c) {
  Value v[2];
  if (!c.Bind("self, other", v)) {
    return Value::Error();
  }
  if (c.builtin.data == 0) {
    return c.ev.AddToSet(v[0].as<SetObj>(), v[1]) ? Value::None() : Value::Error();
  }
  if (c.builtin.data == 6) {
    auto& items = v[0].as<SetObj>().items;
    const Value* found = c.ev.FindItem(items, v[1]);
    if (found != nullptr) {
      items.erase(items.begin() + (found - items.data()));
    }
    return c.ev.has_failed() ? Value::Error() : Value::None();
  }
  Value other = c.ev.CallFunction(c.ev.FindIn(kBare, "set"), v[1]);
  if (c.builtin.data >= 4) {
    return c.ev.Compare(c.builtin.data == 4 ? Operator::Le : Operator::Ge, v[0], other);
  }
  return c.ev.Binary(c.builtin.data == 1   ? Operator::Or
                     : c.builtin.data == 2 ? Operator::And
                                           : Operator::Sub,
                     v[0], other);
}

const Builtin kListMethods[] = {
    {0, "append", ListMethod, 0}, {0, "extend", ListMethod, 1}, {0, "insert", ListMethod, 2},
    {0, "pop", ListMethod, 3},    {0, "remove", ListMethod, 4}, {0, "reverse", ListMethod, 5},
    {0, "sort", ListMethod, 6},   {0, "clear", ListMethod, 7},  {0, "copy", ListMethod, 8},
    {0, "index", IndexCount, 0},  {0, "count", IndexCount, 1},
};
const Builtin kTupleMethods[] = {{0, "index", IndexCount, 0}, {0, "count", IndexCount, 1}};
const Builtin kDictMethods[] = {
    {0, "keys", DictMethod, 0},       {0, "values", DictMethod, 1}, {0, "items", DictMethod, 2},
    {0, "get", DictMethod, 3},        {0, "pop", DictMethod, 4},    {0, "update", DictMethod, 5},
    {0, "setdefault", DictMethod, 6}, {0, "copy", DictMethod, 7},   {0, "clear", DictMethod, 8},
};
const Builtin kSetMethods[] = {
    {0, "add", SetMethod, 0},        {0, "union", SetMethod, 1},    {0, "intersection", SetMethod, 2},
    {0, "difference", SetMethod, 3}, {0, "issubset", SetMethod, 4}, {0, "issuperset", SetMethod, 5},
    {0, "discard", SetMethod, 6},
};

}  // namespace

Value PythonMethod(Evaluator& ev, const Value& object, llvm::StringRef name) {
  llvm::ArrayRef<Builtin> table;
  switch (object.kind) {
    case VK::Str:
      table = StrMethods();
      break;
    case VK::List:
      table = kListMethods;
      break;
    case VK::Tuple:
    case VK::Range:
      table = kTupleMethods;
      break;
    case VK::Dict:
      table = kDictMethods;
      break;
    case VK::Set:
      table = kSetMethods;
      break;
    default:
      return Value();
  }
  const auto* found = llvm::find_if(table, [&](const Builtin& b) { return name == b.name; });
  if (found == table.end()) {
    return Value();
  }
  auto* method = ev.heap().New<MethodObj>();
  method->self = object;
  method->builtin = found;
  return Value::Object(VK::Method, method);
}

}  // namespace spmdc::text::native
