// Methods of texts.
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "support/starts_with.h"
#include "text/native/numpy.h"
#include "text/native/python_methods.h"

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

}  // namespace

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

llvm::ArrayRef<Builtin> StrMethods() { return kStrMethods; }

}  // namespace spmdc::text::native
