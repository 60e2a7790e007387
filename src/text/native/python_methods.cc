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
  if (!c.ev.Touch(static_cast<int64_t>(Self(c).size()))) {
    return Value::Error();
  }
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
    if (!c.ev.TouchSearch(Self(c), *separator)) {
      return Value::Error();
    }
    llvm::StringRef(Self(c)).split(parts, *separator, limit);
  }
  if (!c.ev.Work(static_cast<int64_t>(parts.size()))) {
    return Value::Error();
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
    if (!c.ev.Touch(static_cast<int64_t>(Self(c).size() + text->size())) ||
        !c.ev.Afford(static_cast<int64_t>(out.size()))) {
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
    if (!c.ev.Touch(static_cast<int64_t>(text->size()))) {
      return Value::Error();
    }
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
  if (!c.ev.TouchSearch(Self(c), *from)) {
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
  if (!c.ev.Touch(static_cast<int64_t>(self.size()))) {
    return Value::Error();
  }
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
  if (!c.ev.Touch(static_cast<int64_t>(self.size()))) {
    return Value::Error();
  }
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
  if (!text || !c.ev.TouchSearch(Self(c), *text)) {
    return Value::Error();
  }
  size_t at = Self(c).find(*text);
  return Value::Int(at == std::string::npos ? -1 : static_cast<int64_t>(at));
}

// "{} {name[0].attr!r:>{width}}".format(...)
class Formatter {
 public:
  explicit Formatter(Call& c) : c_(c) {}

  std::optional<std::string> Run(llvm::StringRef text, int depth) {
    std::string out;
    while (!text.empty()) {
      size_t brace = text.find_first_of("{}");
      out += text.substr(0, brace).str();
      if (brace == llvm::StringRef::npos) {
        break;
      }
      if (depth == 0 && brace + 1 < text.size() && text[brace + 1] == text[brace]) {
        out += text[brace];
        text = text.drop_front(brace + 2);
        continue;
      }
      size_t close = EndOf(text, brace + 1);
      if (text[brace] == '}' || close == llvm::StringRef::npos || depth > 1) {
        return Fail(depth > 1 ? "Max string recursion exceeded" : "single brace in format string");
      }
      std::optional<std::string> field = Field(text.slice(brace + 1, close), depth);
      if (!field) {
        return std::nullopt;
      }
      out += *field;
      if (!c_.ev.Afford(static_cast<int64_t>(out.size()))) {
        return std::nullopt;
      }
      text = text.drop_front(close + 1);
    }
    return out;
  }

 private:
  std::nullopt_t Fail(std::string message) {
    c_.ev.TypeError(std::move(message));
    return std::nullopt;
  }

  // Where a field ends, whose spec may have fields of its own.
  static size_t EndOf(llvm::StringRef text, size_t at) {
    size_t depth = 0;
    for (; at < text.size(); ++at) {
      if (text[at] == '}' && depth == 0) {
        return at;
      }
      depth += text[at] == '{' ? 1 : 0;
      depth -= text[at] == '}' ? 1 : 0;
    }
    return llvm::StringRef::npos;
  }

  std::optional<std::string> Field(llvm::StringRef field, int depth) {
    size_t end = std::min(field.find_first_of(":!"), field.size());
    Value value = Lookup(field.substr(0, end));
    if (value.failed()) {
      return std::nullopt;
    }
    field = field.drop_front(end);
    if (field.consume_front("!")) {
      char how = field.empty() ? 0 : field[0];
      if (how != 'r' && how != 's' && how != 'a') {
        return Fail("unknown conversion specifier in format string");
      }
      field = field.drop_front();
      std::optional<std::string> text = c_.ev.Written(value, /*repr=*/how != 's');
      if (!text) {
        return std::nullopt;
      }
      value = c_.ev.heap().Str(std::move(*text));
    }
    if (!field.empty() && !field.consume_front(":")) {
      return Fail("expected ':' after conversion specifier");
    }
    std::optional<std::string> spec = Run(field, depth + 1);
    return spec ? FormatValue(c_.ev, value, *spec) : std::nullopt;
  }

  // `0`, `name`, nothing for the next; behind it attributes and indices.
  Value Lookup(llvm::StringRef path) {
    size_t end = std::min(path.find_first_of(".["), path.size());
    llvm::StringRef name = path.substr(0, end);
    size_t position = 0;
    Value value;
    if (name.empty()) {
      position = next_++;
    } else if (!name.getAsInteger(10, position)) {
      ++position;
    } else {
      for (const auto& [key, argument] : c_.kwargs) {
        value = key == name ? argument : value;
      }
    }
    if (position != 0 && position < c_.args.size()) {
      value = c_.args[position];
    }
    if (!value.given()) {
      return c_.ev.TypeError("format() has no argument '" + name.str() + "'");
    }
    for (path = path.drop_front(end); !path.empty() && !value.failed();) {
      bool item = path[0] == '[';
      size_t stop = std::min(item ? path.find(']') : path.find_first_of(".[", 1), path.size());
      llvm::StringRef key = path.slice(1, stop);
      int64_t index = 0;
      value = !item                          ? c_.ev.GetAttr(value, key)
              : !key.getAsInteger(10, index) ? c_.ev.GetItem(value, Value::Int(index))
                                             : c_.ev.GetItem(value, c_.ev.heap().Str(key.str()));
      path = path.drop_front(std::min(stop + (item ? 1 : 0), path.size()));
    }
    return value;
  }

  Call& c_;
  size_t next_ = 1;
};

Value Format(Call& c) {
  if (!c.ev.Touch(4 * static_cast<int64_t>(Self(c).size()))) {
    return Value::Error();
  }
  std::optional<std::string> out = Formatter(c).Run(Self(c), 0);
  return out ? c.ev.heap().Str(std::move(*out)) : Value::Error();
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
    if (!c.ev.TouchSearch(Self(c), *text)) {
      return Value::Error();
    }
    size_t at = Self(c).find(*text);
    if (c.builtin.data == 1) {
      // An empty text stands between any two characters.
      auto count = static_cast<int64_t>(text->empty() ? Self(c).size() + 1 : 0);
      for (; !text->empty() && at != std::string::npos; at = Self(c).find(*text, at + text->size())) {
        ++count;
      }
      return c.ev.Work(count / 8) ? Value::Int(count) : Value::Error();
    }
    return at == std::string::npos ? c.ev.TypeError("substring not found") : Value::Int(static_cast<int64_t>(at));
  }
  if (!c.ev.Iterate(v[0], items)) {
    return Value::Error();
  }
  if (c.builtin.data == 1) {
    int64_t count = llvm::count_if(items, [&](const Value& x) { return !c.ev.has_failed() && c.ev.Same(x, v[1]); });
    return c.ev.has_failed() || !c.ev.TouchItems(2 * items.size()) ? Value::Error() : Value::Int(count);
  }
  if (const Value* found = c.ev.FindItem(items, v[1]); found != nullptr) {
    return Value::Int(found - items.data());
  }
  return c.ev.TypeError(Repr(v[1]) + " is not in " + TypeName(v[0]));
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
