// Methods of texts, sequences, dicts and sets.
#include "text/native/python_methods.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "support/starts_with.h"
#include "text/native/numpy.h"

namespace spmdc::text::native {
namespace {

// A method gets the object as its first argument.
std::string& Self(Call& c) { return c.args[0].as<StrObj>().text; }

std::optional<std::string> TextArg(Call& c, const Value& v) {
  if (!v.is(VK::Str)) {
    c.ev.TypeError(std::string(c.builtin.name) + "() needs a str, not '" + TypeName(v) + "'");
    return std::nullopt;
  }
  return Text(v);
}

// split, rsplit is not told apart: without a limit both give the same.
Value Split(Call& c) {
  Value v[3];
  if (!c.Bind("self, sep=, maxsplit=", v)) {
    return Value::Error();
  }
  int limit = -1;
  if (v[2].given()) {
    std::optional<int64_t> n = c.ev.ToInt(v[2], "maxsplit");
    if (!n) {
      return Value::Error();
    }
    limit = static_cast<int>(*n);
  }
  llvm::SmallVector<llvm::StringRef, 8> parts;
  std::vector<Value> out;
  if (v[1].none()) {
    llvm::SplitString(Self(c), parts);
  } else {
    std::optional<std::string> separator = TextArg(c, v[1]);
    if (!separator) {
      return Value::Error();
    }
    if (separator->empty()) {
      return c.ev.TypeError("empty separator");
    }
    llvm::StringRef(Self(c)).split(parts, *separator, limit);
  }
  for (llvm::StringRef part : parts) {
    out.push_back(c.ev.heap().Str(part.str()));
  }
  return c.ev.heap().List(std::move(out));
}

Value Join(Call& c) {
  Value v[2];
  std::vector<Value> items;
  if (!c.Bind("self, iterable", v) || !c.ev.Iterate(v[1], items)) {
    return Value::Error();
  }
  std::string out;
  for (size_t i = 0; i < items.size(); ++i) {
    std::optional<std::string> text = TextArg(c, items[i]);
    if (!text) {
      return Value::Error();
    }
    out += (i == 0 ? "" : Self(c)) + *text;
    if (!c.ev.Afford(static_cast<int64_t>(out.size()))) {
      return Value::Error();
    }
  }
  return c.ev.heap().Str(std::move(out));
}

// startswith, endswith (1).
Value StartsEnds(Call& c) {
  Value v[2];
  if (!c.Bind("self, affix", v)) {
    return Value::Error();
  }
  std::vector<Value> affixes{v[1]};
  if (v[1].is(VK::Tuple)) {
    affixes = Items(v[1]);
  }
  for (const Value& affix : affixes) {
    std::optional<std::string> text = TextArg(c, affix);
    if (!text) {
      return Value::Error();
    }
    llvm::StringRef self = Self(c);
    if (c.builtin.data == 0 ? StartsWith(self, *text) : EndsWith(self, *text)) {
      return Value::Bool(true);
    }
  }
  return Value::Bool(false);
}

Value Replace(Call& c) {
  Value v[3];
  if (!c.Bind("self, old, new", v)) {
    return Value::Error();
  }
  std::optional<std::string> from = TextArg(c, v[1]), to = TextArg(c, v[2]);
  if (!from || !to) {
    return Value::Error();
  }
  std::string out;
  llvm::StringRef rest = Self(c);
  while (!from->empty() && rest.contains(*from)) {
    auto [before, after] = rest.split(*from);
    out += before.str() + *to;
    rest = after;
    if (!c.ev.Work(4) || !c.ev.Afford(static_cast<int64_t>(out.size()))) {
      return Value::Error();
    }
  }
  return c.ev.heap().Str(out + rest.str());
}

// upper 0, lower 1, strip 2, lstrip 3, rstrip 4, title 5, capitalize 6.
Value Change(Call& c) {
  Value v[2];
  if (!c.Bind("self, chars=", v)) {
    return Value::Error();
  }
  llvm::StringRef self = Self(c);
  llvm::StringRef chars = v[1].is(VK::Str) ? llvm::StringRef(Text(v[1])) : " \t\n\v\f\r";
  switch (c.builtin.data) {
    case 0:
      return c.ev.heap().Str(self.upper());
    case 1:
      return c.ev.heap().Str(self.lower());
    case 2:
      return c.ev.heap().Str(self.trim(chars).str());
    case 3:
      return c.ev.heap().Str(self.ltrim(chars).str());
    case 4:
      return c.ev.heap().Str(self.rtrim(chars).str());
    default: {
      std::string out = self.lower();
      bool word = false;
      for (char& ch : out) {
        ch = !word ? llvm::toUpper(ch) : ch;
        word = c.builtin.data == 6 || llvm::isAlpha(ch);
      }
      return c.ev.heap().Str(std::move(out));
    }
  }
}

// Zeros before the digits, behind a sign.
Value ZFill(Call& c) {
  Value v[2];
  std::optional<int64_t> width = c.Bind("self, width", v) ? c.ev.ToInt(v[1], "the width") : std::nullopt;
  if (!width || !c.ev.Afford(*width)) {
    return Value::Error();
  }
  std::string text = Self(c);
  bool sign = !text.empty() && (text[0] == '-' || text[0] == '+');
  int64_t missing = *width - static_cast<int64_t>(text.size());
  if (missing > 0) {
    text.insert(sign ? 1 : 0, static_cast<size_t>(missing), '0');
  }
  return c.ev.heap().Str(std::move(text));
}

// isdigit 0, isalpha 1, isupper 2, islower 3.
Value Ask(Call& c) {
  llvm::StringRef self = Self(c);
  bool (*test[])(char) = {[](char x) { return llvm::isDigit(x); }, [](char x) { return llvm::isAlpha(x); },
                          [](char x) { return x >= 'A' && x <= 'Z'; }, [](char x) { return x >= 'a' && x <= 'z'; }};
  return Value::Bool(!self.empty() && llvm::all_of(self, test[c.builtin.data]));
}

Value Find(Call& c) {
  Value v[2];
  if (!c.Bind("self, sub", v)) {
    return Value::Error();
  }
  std::optional<std::string> text = TextArg(c, v[1]);
  if (!text) {
    return Value::Error();
  }
  size_t at = Self(c).find(*text);
  return Value::Int(at == std::string::npos ? -1 : static_cast<int64_t>(at));
}

// "{} {name} {0}".format(...)
Value Format(Call& c) {
  std::string out;
  llvm::StringRef text = Self(c);
  size_t next = 1;
  while (!text.empty()) {
    size_t brace = text.find_first_of("{}");
    out += text.substr(0, brace).str();
    if (brace == llvm::StringRef::npos) {
      break;
    }
    if (brace + 1 < text.size() && text[brace + 1] == text[brace]) {
      out += text[brace];
      text = text.drop_front(brace + 2);
      continue;
    }
    size_t close = text.find('}', brace);
    if (text[brace] == '}' || close == llvm::StringRef::npos) {
      return c.ev.TypeError("single brace in format string");
    }
    auto [name, spec] = text.slice(brace + 1, close).split(':');
    size_t position = 0;
    Value value;
    if (name.empty()) {
      position = next++;
    } else if (!name.getAsInteger(10, position)) {
      ++position;
    } else {
      for (const auto& [key, argument] : c.kwargs) {
        value = key == name ? argument : value;
      }
    }
    if (position != 0 && position < c.args.size()) {
      value = c.args[position];
    }
    if (!value.given()) {
      return c.ev.TypeError("format() has no argument '" + name.str() + "'");
    }
    std::optional<std::string> formatted = FormatValue(c.ev, value, spec);
    if (!formatted) {
      return Value::Error();
    }
    out += *formatted;
    if (!c.ev.Afford(static_cast<int64_t>(out.size()))) {
      return Value::Error();
    }
    text = text.drop_front(close + 1);
  }
  return c.ev.heap().Str(std::move(out));
}

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
      Value item = items[static_cast<size_t>(i)];
      items.erase(items.begin() + i);
      return item;
    }
    case 4: {
      auto found = llvm::find_if(items, [&](const Value& x) { return Equal(x, arg(1)); });
      if (found == items.end()) {
        return c.ev.TypeError("list.remove(x): x not in list");
      }
      items.erase(found);
      return Value::None();
    }
    case 5:
      std::reverse(items.begin(), items.end());
      return Value::None();
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
      return c.ev.heap().List(items);
  }
}

// index, count (1): of sequences and texts.
Value IndexCount(Call& c) {
  Value v[2];
  std::vector<Value> items;
  if (!c.Bind("self, value", v)) {
    return Value::Error();
  }
  if (v[0].is(VK::Str)) {
    std::optional<std::string> text = TextArg(c, v[1]);
    if (!text) {
      return Value::Error();
    }
    size_t at = Self(c).find(*text);
    if (c.builtin.data == 1) {
      return Value::Int(static_cast<int64_t>(llvm::StringRef(Self(c)).count(*text)));
    }
    return at == std::string::npos ? c.ev.TypeError("substring not found") : Value::Int(static_cast<int64_t>(at));
  }
  if (!c.ev.Iterate(v[0], items)) {
    return Value::Error();
  }
  if (c.builtin.data == 1) {
    return Value::Int(llvm::count_if(items, [&](const Value& x) { return Equal(x, v[1]); }));
  }
  for (size_t i = 0; i < items.size(); ++i) {
    if (Equal(items[i], v[1])) {
      return Value::Int(static_cast<int64_t>(i));
    }
  }
  return c.ev.TypeError(Repr(v[1]) + " is not in " + TypeName(v[0]));
}

// keys 0, values 1, items 2, get 3, pop 4, update 5, setdefault 6, copy 7, clear 8.
Value DictMethod(Call& c) {
  auto& dict = c.args[0].as<DictObj>();
  std::vector<Value> out;
  if (c.builtin.data <= 2) {
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
    for (const auto& [key, value] : other.as<DictObj>().items) {
      c.ev.SetItem(c.args[0], key, value);
    }
    return Value::None();
  }
  if (c.builtin.data == 7) {
    auto* copy = c.ev.heap().New<DictObj>();
    copy->items = dict.items;
    return Value::Object(VK::Dict, copy);
  }
  if (c.builtin.data == 8) {
    dict.items.clear();
    return Value::None();
  }
  Value v[3];
  if (!c.Bind("self, key, default=", v)) {
    return Value::Error();
  }
  auto found = llvm::find_if(dict.items, [&](const auto& entry) { return Equal(entry.first, v[1]); });
  if (found != dict.items.end()) {
    Value value = found->second;
    if (c.builtin.data == 4) {
      dict.items.erase(found);
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
    auto found = llvm::find_if(items, [&](const Value& x) { return Equal(x, v[1]); });
    if (found != items.end()) {
      items.erase(found);
    }
    return Value::None();
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

const Builtin kStrMethods[] = {
    {0, "split", Split},
    {0, "join", Join},
    {0, "startswith", StartsEnds, 0},
    {0, "endswith", StartsEnds, 1},
    {0, "replace", Replace},
    {0, "upper", Change, 0},
    {0, "lower", Change, 1},
    {0, "strip", Change, 2},
    {0, "lstrip", Change, 3},
    {0, "rstrip", Change, 4},
    {0, "title", Change, 5},
    {0, "capitalize", Change, 6},
    {0, "isdigit", Ask, 0},
    {0, "isalpha", Ask, 1},
    {0, "isupper", Ask, 2},
    {0, "islower", Ask, 3},
    {0, "find", Find},
    {0, "zfill", ZFill},
    {0, "format", Format},
    {0, "index", IndexCount, 0},
    {0, "count", IndexCount, 1},
};
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
      table = kStrMethods;
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
