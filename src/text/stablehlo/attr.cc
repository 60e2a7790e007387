// Attributes: numbers, strings, symbols, arrays, dictionaries, `#dialect` attributes and aliases.
#include <charconv>

#include "support/starts_with.h"
#include "text/stablehlo/parser.h"

namespace spmdc::text::stablehlo {

using op::MlirAttr;
using Kind = MlirAttr::Kind;

const MlirAttr* Dict::Find(llvm::StringRef name) const {
  for (const auto& [key, value] : fields) {
    if (key == name) {
      return &value;
    }
  }
  return nullptr;
}

std::optional<MlirAttr> Parser::ReadAttr() {
  Nested nested(*this);
  if (nested.too_deep()) {
    return std::nullopt;
  }
  ++attr_nesting_;
  std::optional<MlirAttr> attr = ReadAttrBody();
  --attr_nesting_;
  return attr;
}

std::optional<MlirAttr> Parser::ReadAttrBody() {
  char c = lex_.Peek();
  size_t begin = lex_.pos();
  std::optional<MlirAttr> attr;
  switch (c) {
    case '[':
      attr = ReadArrayAttr();
      break;
    case '{':
      attr = ReadBracedAttr();
      break;
    case '#':
      attr = ReadHashAttr();
      break;
    case '@':
      attr = ReadSymbolAttr();
      break;
    case '"': {
      llvm::StringRef quoted = lex_.Quoted();
      if (quoted.empty()) {
        FailExpected("the end of a string on its line");
        return std::nullopt;
      }
      attr = MlirAttr{Kind::String};
      attr->text = Unquote(quoted);
      break;
    }
    case '<': {
      llvm::StringRef inside = lex_.text().substr(begin + 1).ltrim();
      if (!StartsWith(inside, "@") && !StartsWith(inside, "mesh<")) {
        lex_.Take('<');
        attr = ReadDialectAttr("");
        if (attr && !Expect(">")) {
          return std::nullopt;
        }
      } else if (auto sharding = ReadSdySharding()) {
        attr = MlirAttr{Kind::Sharding};
        attr->sharding = *sharding;
      }
      break;
    }
    case '!':
    case '(': {
      llvm::SmallVector<ir::TypeId, 4> from, to;
      if (c == '(') {
        if (ReadFunctionType(from, to)) {
          attr = MlirAttr{Kind::Type};
        }
      } else if (auto id = ReadType()) {
        attr = MlirAttr{Kind::Type};
        attr->type = type(*id);
      }
      break;
    }
    default:
      attr = IsDigit(c) || c == '-' || c == '+' ? ReadNumberAttr() : ReadWordAttr();
      break;
  }
  if (attr) {
    attr->span = {file_, static_cast<uint32_t>(begin), lex_.last_end()};
  }
  return attr;
}

std::optional<MlirAttr> Parser::ReadArrayAttr() {
  MlirAttr attr{Kind::Array};
  lex_.Take('[');
  while (!lex_.Take(']')) {
    auto item = ReadAttr();
    if (!item || (lex_.Peek() != ']' && !Expect(","))) {
      return std::nullopt;
    }
    attr.items.push_back(std::move(*item));
  }
  return attr;
}

// `{a = 1, b}`: a Dict; `{"x", "y"}`: an Array of strings.
std::optional<MlirAttr> Parser::ReadBracedAttr() {
  lex_.Take('{');
  MlirAttr attr{Kind::Dict};
  while (!lex_.Take('}')) {
    llvm::StringRef key = lex_.Quoted();
    bool quoted = !key.empty();
    key = quoted ? key.drop_front().drop_back() : lex_.Word();
    if (key.empty()) {
      FailExpected("a name of an attribute");
      return std::nullopt;
    }
    MlirAttr value{Kind::Unit};
    if (lex_.Take('=')) {
      auto read = ReadAttr();
      if (!read) {
        return std::nullopt;
      }
      value = std::move(*read);
    } else if (quoted) {
      attr.kind = Kind::Array;
      value.kind = Kind::String;
      value.text = Unquote(llvm::StringRef(key.data() - 1, key.size() + 2));
      attr.items.push_back(value);
    }
    if (!quoted || attr.kind == Kind::Dict) {
      attr.fields.emplace_back(key.str(), std::move(value));
    }
    if (lex_.Peek() != '}' && !Expect(",")) {
      return std::nullopt;
    }
  }
  return attr;
}

std::optional<MlirAttr> Parser::ReadSymbolAttr() {
  MlirAttr attr{Kind::Symbol};
  size_t begin = lex_.pos();
  lex_.Take('@');
  llvm::StringRef name = lex_.PeekAhead(0) == '"' ? lex_.Quoted() : lex_.Name();
  if (name.empty()) {
    FailExpected("a name behind `@`");
    return std::nullopt;
  }
  attr.text = name[0] == '"' ? Unquote(name) : name.str();
  attr.span = SpanOf(lex_.Slice(begin, lex_.pos()));
  return attr;
}

std::optional<MlirAttr> Parser::ReadNumberAttr() {
  llvm::StringRef number = lex_.Number();
  if (number.empty()) {
    FailExpected("an attribute");
    return std::nullopt;
  }
  MlirAttr attr{Kind::Int};
  bool is_hex = number.contains('x');
  bool is_float = !is_hex && number.find_first_of(".eE") != llvm::StringRef::npos;
  if (is_float) {
    attr.kind = Kind::Float;
    std::from_chars(number.begin(), number.end(), attr.number);
    attr.integer = static_cast<int64_t>(attr.number < 9e18 && attr.number > -9e18 ? attr.number : 0);
  } else {
    uint64_t bits = 0;
    llvm::StringRef digits = number.ltrim("+-");
    if (digits.getAsInteger(0, bits)) {
      Fail(diag::Kind::Attribute, SpanOf(number), "`" + number.str() + "` does not fit 64 bits");
      return std::nullopt;
    }
    attr.integer = static_cast<int64_t>(number[0] == '-' ? 0 - bits : bits);
    attr.number = static_cast<double>(attr.integer);
  }
  if (lex_.Take(':')) {
    auto id = ReadType();
    if (!id) {
      return std::nullopt;
    }
    if (tensor::IsFloat(type(*id).dtype)) {
      attr.kind = Kind::Float;
      attr.number = is_hex ? tensor::DecodeFloat(type(*id).dtype, static_cast<uint64_t>(attr.integer)) : attr.number;
    }
    attr.type = type(*id);
  }
  return attr;
}

std::optional<MlirAttr> Parser::ReadWordAttr() {
  llvm::StringRef rest = lex_.text().substr(lex_.pos());
  if (StartsWith(rest, "array<")) {
    return ReadIntArrayAttr();
  }
  if (StartsWith(rest, "dense<")) {
    return ReadDenseAttr();
  }
  if (StartsWith(rest, "dense_resource<")) {
    return ReadResourceAttr();
  }
  if (StartsWith(rest, "tensor<") || StartsWith(rest, "complex<")) {
    auto id = ReadType();
    if (!id) {
      return std::nullopt;
    }
    MlirAttr attr{Kind::Type};
    attr.type = type(*id);
    return attr;
  }
  llvm::StringRef word = lex_.Word();
  if (word.empty()) {
    FailExpected("an attribute");
    return std::nullopt;
  }
  MlirAttr attr{Kind::Enum};
  attr.text = word.str();
  if (word == "true" || word == "false") {
    attr.kind = Kind::Bool;
    attr.integer = word == "true" ? 1 : 0;
  } else if (word == "unit") {
    attr.kind = Kind::Unit;
  } else if (word == "loc" && lex_.Peek() == '(') {
    lex_.SkipBalanced();
  } else if (auto dtype = tensor::FromStablehloName(word)) {
    attr.kind = Kind::Type;
    attr.type = ir::ArrayType(*dtype, {});
  }
  return attr;
}

// `array<i64: 1, 2>`, `array<i1: true>`, `array<i64>`.
std::optional<MlirAttr> Parser::ReadIntArrayAttr() {
  lex_.set_pos(lex_.pos() + 6);
  MlirAttr attr{Kind::Array};
  auto element = ReadType();
  if (!element) {
    return std::nullopt;
  }
  attr.type = type(*element);
  if (!lex_.Take(':')) {
    return Expect(">") ? std::optional(attr) : std::nullopt;
  }
  while (!lex_.Take('>')) {
    MlirAttr item{Kind::Int};
    llvm::StringRef number = lex_.Number();
    if (!number.empty()) {
      if (number.getAsInteger(0, item.integer)) {
        item.kind = Kind::Float;
        std::from_chars(number.begin(), number.end(), item.number);
      }
    } else if (lex_.Take("true")) {
      item.integer = 1;
    } else if (!lex_.Take("false")) {
      FailExpected("a number");
      return std::nullopt;
    }
    attr.items.push_back(std::move(item));
    if (lex_.Peek() != '>' && !Expect(",")) {
      return std::nullopt;
    }
  }
  return attr;
}

std::optional<MlirAttr> Parser::ReadAlias(llvm::StringRef name) {
  auto alias = aliases_.find(name);
  if (alias == aliases_.end()) {
    Fail(diag::Kind::Name, SpanOf(name), "attribute alias `#" + name.str() + "` is not defined");
    return std::nullopt;
  }
  if (!CountAlias(name, alias->second)) {
    return std::nullopt;
  }
  size_t back = lex_.pos();
  lex_.set_pos(static_cast<size_t>(alias->second.data() - lex_.text().data()));
  auto attr = ReadAttr();
  lex_.TakeAt(back);
  return attr;
}

// `#alias`, `#dialect<...>`, `#dialect.name<...>`.
std::optional<MlirAttr> Parser::ReadHashAttr() {
  lex_.Take('#');
  llvm::StringRef name = lex_.Name();
  if (lex_.PeekAhead(0) != '<') {
    return ReadAlias(name);
  }
  if (name == "sdy.sharding") {
    auto sharding = ReadSdySharding();
    if (!sharding) {
      return std::nullopt;
    }
    MlirAttr attr{Kind::Sharding};
    attr.sharding = *sharding;
    return attr;
  }
  if (name == "sdy.mesh") {  // read where the mesh is defined
    MlirAttr attr{Kind::Enum};
    return lex_.SkipBalanced() || FailExpected("`>`") ? std::optional(attr) : std::nullopt;
  }
  lex_.Take('<');
  auto attr = ReadDialectAttr(name);
  return attr && Expect(">") ? attr : std::nullopt;
}

// Between the angle brackets of `#name<...>`: `k = v, ...`, `[...]`, `kind VALUE`, `manual_axes{"x"}`, or something that
// no op asks for, kept as text.
std::optional<MlirAttr> Parser::ReadDialectAttr(llvm::StringRef name) {
  size_t begin = lex_.pos();
  if (lex_.Peek() == '[' && name == "sdy.sharding_per_value") {
    return ReadArrayAttr();
  }
  MlirAttr attr{Kind::Dict};
  attr.text = name.str();
  llvm::StringRef word = lex_.Word();
  if (!word.empty() && lex_.Peek() == '{') {
    return ReadBracedAttr();
  }
  if (!word.empty() && IsLetter(lex_.Peek())) {
    attr.kind = Kind::Enum;
    attr.text = lex_.Word().str();
    return attr;
  }
  if (!word.empty() && lex_.Peek() == '>') {
    attr.kind = Kind::Enum;
    attr.text = word.str();
    return attr;
  }
  bool is_dict = !word.empty() && lex_.Peek() == '=';
  lex_.set_pos(begin);
  if (!is_dict) {
    lex_.set_pos(begin - 1);  // back on `<`
    if (lex_.Peek() == '>' || !lex_.SkipBalanced()) {
      FailExpected("`>`");
      return std::nullopt;
    }
    lex_.set_pos(lex_.pos() - 1);
    attr.kind = Kind::Enum;
    attr.text = lex_.Slice(begin, lex_.pos()).str();
    return attr;
  }
  while (lex_.Peek() != '>') {
    llvm::StringRef key = lex_.Word();
    if (key.empty() || !Expect("=")) {
      if (key.empty()) {
        FailExpected("a name of a field");
      }
      return std::nullopt;
    }
    auto value = ReadAttr();
    if (!value) {
      return std::nullopt;
    }
    attr.fields.emplace_back(key.str(), std::move(*value));
    if (lex_.Peek() != '>' && !Expect(",")) {
      return std::nullopt;
    }
  }
  return attr;
}

// Behind the opening bracket of `{k = v, flag}` or `<{...}>`, through the closing one.
bool Parser::ReadDict(Dict& dict, char close) {
  while (!lex_.Take(close)) {
    if (!ReadDictEntry(dict) || (lex_.Peek() != close && !Expect(","))) {
      return false;
    }
  }
  return true;
}

bool Parser::ReadDictEntry(Dict& dict) {
  lex_.Peek();
  size_t begin = lex_.pos();
  llvm::StringRef quoted = lex_.Quoted();  // empty where its end is missing
  llvm::StringRef key = quoted.empty() ? lex_.Word() : quoted.drop_front().drop_back();
  if (key.empty()) {
    return FailExpected("a name of an attribute");
  }
  if (!ReadDictValue(dict, key)) {
    return false;
  }
  if (dict.keep_text && !key.contains('.')) {
    dict.text += (dict.text.empty() ? "" : ", ") + ExpandAliases(lex_.Slice(begin, lex_.last_end()));
  }
  return true;
}

// Aliases that name others twice, and those others twice, stand for more text than anybody can hold.
bool Parser::CountAlias(llvm::StringRef name, llvm::StringRef value) {
  constexpr size_t kLeast = size_t{1} << 20, kTimes = 16;
  alias_bytes_ += value.size() + 1;
  return alias_bytes_ <= kLeast + kTimes * lex_.text().size() ||
         Fail(diag::Kind::TooLarge, SpanOf(name),
              "the aliases of this text stand for more than " + std::to_string(kTimes) + " times its size");
}

// Aliases stand for nothing once their definitions are gone.
std::string Parser::ExpandAliases(llvm::StringRef text) {
  Nested nested(*this);
  if (text.find_first_of("#!") == llvm::StringRef::npos || nested.too_deep()) {
    return text.str();
  }
  std::string out;
  Lexer lex(text);
  while (lex.pos() < text.size()) {
    size_t begin = lex.pos();
    char c = text[begin];
    lex.set_pos(begin + 1);
    if (c == '"') {
      lex.set_pos(begin);
      lex.set_pos(lex.Quoted().empty() ? begin + 1 : lex.pos());
    } else if (c == '#' || c == '!') {
      llvm::StringRef name = lex.Name();
      const auto& aliases = c == '#' ? aliases_ : type_aliases_;
      auto alias = aliases.find(name);
      if (lex.PeekAhead(0) != '<' && alias != aliases.end() && CountAlias(alias->first, alias->second)) {
        out += ExpandAliases(alias->second);
        continue;
      }
    }
    out += lex.Slice(begin, lex.pos());
  }
  return out;
}

// ` = value` if it is next, else the key alone says it.
bool Parser::ReadDictValue(Dict& dict, llvm::StringRef key) {
  if (!lex_.Take('=')) {
    MlirAttr unit{Kind::Unit};
    unit.span = SpanOf(key);
    if (key.contains('.')) {
      dict.side.entries.emplace_back(key.str(), "");
    } else {
      dict.fields.emplace_back(key, std::move(unit));
    }
    return true;
  }
  if (key == "sdy.sharding") {
    return ReadShardingEntry(dict);
  }
  if (key == "mhlo.sharding") {
    return ReadHloShardingEntry(dict);
  }
  if (key == "mhlo.frontend_attributes") {
    return ReadFrontendAttributes(dict);
  }
  if (key == "arg_attrs" || key == "res_attrs") {
    return ReadDictList(key == "arg_attrs" ? dict.arg_attrs : dict.res_attrs);
  }
  if (key == "function_type") {
    return ReadFunctionType(dict.arg_types, dict.result_types);
  }
  lex_.Peek();
  size_t begin = lex_.pos();
  // Attributes with a dialect's prefix belong to no op: kept as text.
  bool discardable = key.contains('.');
  auto value = discardable && lex_.Peek() == '{' && SkipAttr() ? std::optional(MlirAttr{Kind::Unit}) : ReadAttr();
  if (!value) {
    return false;
  }
  value->span = {file_, static_cast<uint32_t>(begin), lex_.last_end()};
  if (discardable) {
    dict.side.entries.emplace_back(key.str(), ExpandAliases(lex_.Slice(begin, lex_.last_end())));
  }
  dict.fields.emplace_back(key, std::move(*value));
  return true;
}

// A discardable attribute that was kept as text, once somebody asks for it.
bool Parser::ReadKeptAttr(MlirAttr& attr) {
  size_t back = lex_.pos();
  lex_.set_pos(attr.span.begin);
  auto value = ReadAttr();
  if (!value) {
    return false;
  }
  lex_.set_pos(back);
  attr = std::move(*value);
  return true;
}

// `[{...}, {...}]`
bool Parser::ReadDictList(std::vector<Dict>& dicts) {
  if (!Expect("[")) {
    return false;
  }
  while (!lex_.Take(']')) {
    if (!Expect("{") || !ReadDict(dicts.emplace_back()) || (lex_.Peek() != ']' && !Expect(","))) {
      return false;
    }
  }
  return true;
}

bool Parser::SkipAttr() {
  size_t begin = lex_.pos();
  if (lex_.SkipBalanced()) {
    return true;
  }
  lex_.set_pos(begin);
  return false;
}

}  // namespace spmdc::text::stablehlo
