// Python's format(): specs of f-strings and of str.format, and the % operator of texts.
#include <cmath>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "text/native/concrete.h"
#include "text/native/numpy.h"
#include "text/native/wide_int.h"

namespace spmdc::text::native {
namespace {

// [[fill]align][sign][#][0][width][, or _][.precision][type]
struct FormatSpec {
  char fill = ' ';
  char align = 0;
  char sign = '-';
  size_t width = 0;
  char grouping = 0;    // what stands between groups of digits: , or _
  bool prefix = false;  // 0x and the like
  int precision = -1;
  char type = 0;
};

constexpr size_t kMaxWidth = 10000;

bool ParseSpec(llvm::StringRef text, FormatSpec& spec) {
  auto is_align = [](char c) { return c == '<' || c == '>' || c == '^' || c == '='; };
  if (text.size() > 1 && is_align(text[1])) {
    spec.fill = text[0];
    spec.align = text[1];
    text = text.drop_front(2);
  } else if (!text.empty() && is_align(text[0])) {
    spec.align = text[0];
    text = text.drop_front();
  }
  if (!text.empty() && (text[0] == '+' || text[0] == '-' || text[0] == ' ')) {
    spec.sign = text[0];
    text = text.drop_front();
  }
  spec.prefix = text.consume_front("#");
  if (text.consume_front("0") && spec.align == 0) {
    spec.fill = '0';
    spec.align = '=';
  }
  size_t digits = std::min(text.find_if_not(llvm::isDigit), text.size());
  if (digits > 0 && (text.substr(0, digits).getAsInteger(10, spec.width) || spec.width > kMaxWidth)) {
    return false;
  }
  text = text.drop_front(digits);
  if (!text.empty() && (text[0] == ',' || text[0] == '_')) {
    spec.grouping = text[0];
    text = text.drop_front();
  }
  if (text.consume_front(".")) {
    digits = std::min(text.find_if_not(llvm::isDigit), text.size());
    if (digits == 0 || text.substr(0, digits).getAsInteger(10, spec.precision) || spec.precision > 500) {
      return false;
    }
    text = text.drop_front(digits);
  }
  if (!text.empty()) {
    spec.type = text[0];
    text = text.drop_front();
  }
  return text.empty();
}

bool InBaseOfTwo(char type) { return type == 'x' || type == 'X' || type == 'b' || type == 'o'; }

// Digits in groups: of three, in other bases of four.
std::string Grouped(std::string digits, const FormatSpec& spec) {
  if (spec.grouping == 0) {
    return digits;
  }
  bool other_base = InBaseOfTwo(spec.type);
  size_t group = other_base ? 4 : 3;
  size_t point = other_base ? std::string::npos : digits.find_first_of(".e");
  size_t end = point == std::string::npos ? digits.size() : point;
  for (size_t i = end; i > group; i -= group) {
    digits.insert(i - group, 1, spec.grouping);
  }
  return digits;
}

std::string Pad(std::string text, const FormatSpec& spec, char default_align) {
  if (text.size() >= spec.width) {
    return text;
  }
  size_t missing = spec.width - text.size();
  char align = spec.align == 0 ? default_align : spec.align;
  size_t left = align == '<' ? 0 : align == '^' ? missing / 2 : missing;
  if (align == '=') {
    size_t sign = !text.empty() && llvm::StringRef("-+ ").contains(text[0]) ? 1 : 0;
    sign += spec.prefix && InBaseOfTwo(spec.type) ? 2 : 0;
    return text.substr(0, sign) + std::string(missing, spec.fill) + text.substr(sign);
  }
  return std::string(left, spec.fill) + text + std::string(missing - left, spec.fill);
}

// The number without its sign, by type.
std::optional<std::string> Digits(const Value& v, const FormatSpec& spec) {
  char type = spec.type;
  if (v.is(VK::Wide)) {
    unsigned base = type == 'x' || type == 'X' ? 16 : type == 'b' ? 2 : type == 'o' ? 8 : 10;
    return type == 0 || llvm::StringRef("dxXbo").contains(type) ? std::optional(WholeDigits(v, base, type != 'X'))
                                                                : Digits(Value::Float(NearestFloat(WholeOf(v))), spec);
  }
  if (v.is_int() && (type == 0 || type == 'd' || type == 'x' || type == 'X' || type == 'b' || type == 'o')) {
    int64_t i = v.as_int();
    uint64_t magnitude = i < 0 ? uint64_t{0} - static_cast<uint64_t>(i) : static_cast<uint64_t>(i);
    if (type == 'x' || type == 'X') {
      return llvm::utohexstr(magnitude, type == 'x');
    }
    if (type == 'b' || type == 'o') {
      unsigned shift = type == 'b' ? 1 : 3;
      std::string out;
      do {
        out.insert(out.begin(), static_cast<char>('0' + (magnitude & ((1U << shift) - 1))));
        magnitude >>= shift;
      } while (magnitude != 0);
      return out;
    }
    return std::to_string(magnitude);
  }
  double d = std::abs(v.as_float());
  if (type == 0 && spec.precision < 0) {
    return FloatText(d);
  }
  char c = type == 0 ? 'g' : type == '%' ? 'f' : type;
  if (llvm::StringRef("eEfFgG").find(c) == llvm::StringRef::npos) {
    return std::nullopt;
  }
  std::string pattern = std::string("%.*") + c;
  char buffer[1024];
  snprintf(buffer, sizeof buffer, pattern.c_str(), spec.precision < 0 ? 6 : spec.precision, type == '%' ? d * 100 : d);
  return std::string(buffer) + (type == '%' ? "%" : "");
}

}  // namespace

std::optional<std::string> FormatValue(Evaluator& ev, const Value& value, llvm::StringRef spec_text) {
  if (spec_text.empty()) {
    return ev.Written(value);
  }
  FormatSpec spec;
  if (!ParseSpec(spec_text, spec)) {
    ev.TypeError("invalid format specifier '" + spec_text.str() + "'");
    return std::nullopt;
  }
  Value v = value;
  if (v.is(VK::Array) && TypeOfArray(v).rank() == 0) {  // of the top level: as the number it is
    Value known = ConcreteValue(ev, v);
    if (known.failed()) {
      return std::nullopt;
    }
    v = known.given() ? known : v;
  }
  if (v.is(VK::NdArray) && v.as<NdArrayObj>().value().size() == 1) {
    v = Element(ev, v.as<NdArrayObj>().value(), 0);
  }
  if (v.is(VK::Wide) && !ev.Touch(TouchedByDigits(v))) {
    return std::nullopt;
  }
  if ((v.is_number() || v.is(VK::Wide)) && !v.is(VK::Complex) && !(v.is(VK::Bool) && spec.type == 0)) {
    std::optional<std::string> digits = Digits(v, spec);
    if (!digits) {
      ev.TypeError("unknown format code '" + std::string(1, spec.type) + "' for object of type '" + TypeName(v) + "'");
      return std::nullopt;
    }
    bool negative = IsWhole(v) ? WholeOrder(v, Value::Int(0)) < 0 : std::signbit(v.f);
    std::string sign = negative ? "-" : spec.sign == '-' ? "" : std::string(1, spec.sign);
    std::string prefix = spec.prefix && InBaseOfTwo(spec.type) ? std::string("0") + spec.type : "";
    return Pad(sign + prefix + Grouped(*digits, spec), spec, '>');
  }
  if (spec.type != 0 && spec.type != 's') {
    ev.TypeError("unknown format code '" + std::string(1, spec.type) + "' for object of type '" + TypeName(v) + "'");
    return std::nullopt;
  }
  std::optional<std::string> text = ev.Written(v);
  if (!text) {
    return std::nullopt;
  }
  if (spec.precision >= 0 && text->size() > static_cast<size_t>(spec.precision)) {
    text->resize(static_cast<size_t>(spec.precision));
  }
  return Pad(*text, spec, '<');
}

Value PercentFormat(Evaluator& ev, const std::string& format, const Value& values) {
  std::vector<Value> items = values.is(VK::Tuple) ? Items(values) : std::vector<Value>{values};
  std::string out;
  size_t next = 0;
  if (!ev.Touch(4 * static_cast<int64_t>(format.size()))) {
    return Value::Error();
  }
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out += format[i];
      continue;
    }
    size_t end = format.find_first_of("diouxXeEfFgGrs%", i + 1);
    if (end == std::string::npos) {
      return ev.TypeError("incomplete format");
    }
    char type = format[end];
    std::string spec = format.substr(i + 1, end - i - 1);
    i = end;
    if (type == '%') {
      out += '%';
      continue;
    }
    if (next >= items.size()) {
      return ev.TypeError("not enough arguments for format string");
    }
    Value item = items[next++];
    bool text = type == 's' || type == 'r';
    if (text) {
      std::optional<std::string> written = ev.Written(item, type == 'r');
      if (!written) {
        return Value::Error();
      }
      item = ev.heap().Str(std::move(*written));
      if (!spec.empty()) {
        spec = spec[0] == '-' ? "<" + spec.substr(1) : ">" + spec;
      }
    } else {
      spec += type == 'i' || type == 'u' ? 'd' : type;
    }
    std::optional<std::string> formatted = FormatValue(ev, item, spec);
    if (!formatted) {
      return Value::Error();
    }
    out += *formatted;
    if (!ev.Afford(static_cast<int64_t>(out.size()))) {
      return Value::Error();
    }
  }
  return next < items.size() ? ev.TypeError("not all arguments converted during string formatting")
                             : ev.heap().Str(std::move(out));
}

}  // namespace spmdc::text::native
