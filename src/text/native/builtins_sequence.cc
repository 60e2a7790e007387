// Python's functions that walk sequences: zip, enumerate, sorted, map, filter, iter, functools.
#include "llvm/ADT/STLExtras.h"
#include "text/native/evaluator.h"

namespace spmdc::text::native {
namespace {

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
  if (!c.ev.Work(columns.empty() ? 0 : static_cast<int64_t>(rows))) {
    return Value::Error();
  }
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
  if (!start || !c.ev.Work(static_cast<int64_t>(items.size()))) {
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

// map, and filter (data 1).
Value MapFilter(Call& c) {
  if (c.args.size() < 2 || !c.kwargs.empty() || (c.builtin.data == 1 && c.args.size() != 2)) {
    return c.ev.Fail(diag::Kind::Arguments, std::string(c.builtin.name) + "() takes a function and sequences");
  }
  std::vector<std::vector<Value>> columns;
  size_t rows = SIZE_MAX;
  for (const Value& arg : llvm::ArrayRef<Value>(c.args).drop_front()) {
    columns.emplace_back();
    if (!c.ev.Iterate(arg, columns.back())) {
      return Value::Error();
    }
    rows = std::min(rows, columns.back().size());
  }
  std::vector<Value> out;
  for (size_t i = 0; i < rows && c.ev.Step(); ++i) {
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
  return c.ev.has_failed() ? Value::Error() : c.ev.heap().List(std::move(out));
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
  if (!c.ev.TouchItems(items.size())) {
    return Value::Error();
  }
  Value first = items.front();
  items.erase(items.begin());
  return first;
}

Value Partial(Call& c) {
  if (c.args.empty()) {
    return c.ev.Fail(diag::Kind::Arguments, "partial() needs a function");
  }
  // A partial of a partial is one of its function, as in Python: a chain of them is no deeper than one.
  auto* p = c.ev.heap().New<PartialObj>();
  if (c.args[0].is(VK::Partial)) {
    *p = c.args[0].as<PartialObj>();
  } else {
    p->function = c.args[0];
  }
  p->args.insert(p->args.end(), c.args.begin() + 1, c.args.end());
  for (const auto& [name, value] : c.kwargs) {
    auto known = llvm::find_if(p->kwargs, [&n = name](const auto& entry) { return n == entry.first; });
    if (known != p->kwargs.end()) {
      known->second = value;
    } else {
      p->kwargs.push_back({name.str(), value});
    }
  }
  auto bytes = static_cast<int64_t>(p->args.size() * sizeof(Value) + p->kwargs.size() * sizeof(p->kwargs[0]));
  c.ev.heap().AddBytes(bytes);
  return c.ev.Touch(bytes) && c.ev.Afford(0) ? Value::Object(VK::Partial, p) : Value::Error();
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

const Builtin kSequenceTable[] = {
    {kBare, "zip", Zip},
    {kBare, "enumerate", Enumerate},
    {kBare, "reversed", Reversed},
    {kBare, "sorted", Sorted},
    {kBare, "map", MapFilter, 0},
    {kBare, "filter", MapFilter, 1},
    {kBare, "iter", Iter},
    {kBare, "next", Next},
    {kFunctools | kBare, "partial", Partial},
    {kFunctools, "reduce", Reduce},
};

}  // namespace

llvm::ArrayRef<Builtin> SequenceBuiltins() { return kSequenceTable; }

}  // namespace spmdc::text::native
