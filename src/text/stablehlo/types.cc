// Types: `tensor<8x16xf32>`, `tensor<complex<f32>>`, `!stablehlo.token`, and lists of them.
#include "support/starts_with.h"
#include "text/stablehlo/parser.h"

namespace spmdc::text::stablehlo {
namespace {

// `index` stands where MLIR's own attributes count, and not for values.
std::optional<tensor::DType> ElementType(llvm::StringRef name) {
  if (name == "index") {
    return tensor::DType::S64;
  }
  if (auto dtype = tensor::FromStablehloName(name)) {
    return dtype;
  }
  // Signed integers may be spelled with their sign.
  if (StartsWith(name, "si")) {
    return tensor::FromStablehloName(name.drop_front());
  }
  return std::nullopt;
}

// A dim `?` before its bound is read.
constexpr int64_t kUnknownSize = -1;

// The element type in front of `>` or `,`: `f32`, `complex<f32>`.
std::optional<tensor::DType> ElementTypeOrNone(llvm::StringRef name) {
  auto dtype = ElementType(name);
  return dtype && *dtype != tensor::DType::Token && *dtype != tensor::DType::Opaque ? dtype : std::nullopt;
}

}  // namespace

void Parser::FailUnknownSize(llvm::StringRef body, llvm::StringRef at) {
  Fail(diag::Kind::UnsupportedFeature, SpanOf(at), "type `tensor<" + body.str() + ">` has a dim of unknown size",
       "lower the program with static shapes, or say how large it is at most: #stablehlo.bounds<8, ?>");
}

// Behind the element type: `, #stablehlo.bounds<8, ?>` says how large the dims of unknown size are at most.
bool Parser::TakeBounds(llvm::StringRef body, llvm::StringRef& rest, ir::Type& type) {
  if (!llvm::is_contained(type.dims, kUnknownSize)) {
    return true;
  }
  auto [element, text] = rest.split(',');
  text = text.trim();
  llvm::SmallVector<llvm::StringRef, 4> bounds;
  if (text.consume_front("#stablehlo.bounds<") && text.consume_back(">")) {
    text.split(bounds, ',');
  }
  bool too_many = bounds.size() > type.rank();
  bounds.resize(type.rank(), "?");
  type.bounded.resize(type.rank());
  for (size_t d = 0; d < type.rank(); ++d) {
    llvm::StringRef bound = bounds[d].trim();
    bool unknown = type.dims[d] == kUnknownSize;
    int64_t size = 0;
    if (unknown && bound == "?") {
      FailUnknownSize(body, body);
      return false;
    }
    if (too_many || (bound != "?" && (!unknown || bound.getAsInteger(10, size) || size < 0))) {
      Fail(diag::Kind::Syntax, SpanOf(body),
           "type `tensor<" + body.str() + ">`: expected the largest size of each `?`");
      return false;
    }
    type.dims[d] = unknown ? size : type.dims[d];
    type.bounded[d] = unknown ? 1 : 0;
  }
  rest = element.rtrim();
  return true;
}

// The text between `tensor<` and `>`: dims, each with an `x` behind, then the element type.
std::optional<ir::Type> Parser::ParseTensorText(llvm::StringRef body) {
  ir::Type result;
  llvm::StringRef rest = body;
  while (!rest.empty() && (IsDigit(rest[0]) || rest[0] == '?' || rest[0] == '*')) {
    size_t cross = rest.find('x');
    llvm::StringRef dim = rest.substr(0, cross);
    if (cross == llvm::StringRef::npos) {
      Fail(diag::Kind::Syntax, SpanOf(rest), "type `tensor<" + body.str() + ">` has no element type");
      return std::nullopt;
    }
    int64_t size = 0;
    if (dim == "?") {
      size = kUnknownSize;
    } else if (dim == "*") {
      FailUnknownSize(body, dim);
      return std::nullopt;
    } else if (dim.getAsInteger(10, size)) {
      Fail(diag::Kind::Syntax, SpanOf(dim), "`" + dim.str() + "` is no size of a dim");
      return std::nullopt;
    }
    result.dims.push_back(size);
    rest = rest.substr(cross + 1);
  }
  if (!TakeBounds(body, rest, result)) {
    return std::nullopt;
  }
  int64_t total = 1;
  for (int64_t size : result.dims) {
    // No dim counts as nothing here: strides are products too. 16 is the size of the largest element.
    if (__builtin_mul_overflow(total, std::max<int64_t>(size, 1), &total) || total > INT64_MAX / 16) {
      Fail(diag::Kind::TooLarge, SpanOf(body), "type `tensor<" + body.str() + ">` has too many elements to count");
      return std::nullopt;
    }
  }
  if (rest == "index" && attr_nesting_ == 0) {
    Fail(diag::Kind::UnsupportedFeature, SpanOf(rest), "values of element type `index` are not StableHLO",
         "numbers of elements are integers, as in tensor<2xi64>");
    return std::nullopt;
  }
  if (auto dtype = ElementTypeOrNone(rest)) {
    result.dtype = *dtype;
    return result;
  }
  bool known_form = StartsWith(rest, "!quant.") || rest.contains(',');
  Fail(known_form ? diag::Kind::UnsupportedFeature : diag::Kind::Syntax, SpanOf(rest),
       (known_form ? "tensors with `" : "unknown element type `") + rest.str() +
           (known_form ? "` are not supported" : "`"));
  return std::nullopt;
}

std::optional<ir::TypeId> Parser::ReadTensorType() {
  size_t begin = lex_.pos();  // at `tensor<`
  llvm::StringRef rest = lex_.text().substr(begin);
  for (const auto& [known, id] : recent_types_) {
    // Types differ in their first dims or their ends: mostly at the first look.
    if (!known.empty() && rest.size() >= known.size() && rest[known.size() - 1] == '>' && StartsWith(rest, known)) {
      lex_.TakeAt(begin + known.size());
      return id;
    }
  }
  // Most are dims and an element type of letters and digits.
  size_t end = begin + 7;
  while (end < lex_.text().size() && IsWordChar(lex_.text()[end])) {
    ++end;
  }
  lex_.set_pos(begin + 6);
  if (end < lex_.text().size() && lex_.text()[end] == '>') {
    lex_.TakeAt(end + 1);
  } else if (!lex_.SkipBalanced()) {
    FailExpected("`>` at the end of a type");
    return std::nullopt;
  }
  llvm::StringRef text = lex_.Slice(begin, lex_.pos());
  bool counts = EndsWith(text, "index>");  // what it means depends on where it stands
  auto [it, fresh] = type_of_text_.try_emplace(text);
  if (fresh || counts) {
    auto parsed = ParseTensorText(text.drop_front(7).drop_back());
    if (!parsed) {
      type_of_text_.erase(it);
      return std::nullopt;
    }
    it->second = module_.tables->types.Intern(std::move(*parsed));
  }
  if (!counts) {
    recent_types_[1] = recent_types_[0];
    recent_types_[0] = {text, it->second};
  }
  return it->second;
}

// Behind `!`, what is no type of StableHLO: what an alias stands for.
std::optional<ir::TypeId> Parser::ReadTypeAlias(llvm::StringRef name) {
  Nested nested(*this);
  auto alias = type_aliases_.find(name);
  if (alias == type_aliases_.end()) {
    Fail(diag::Kind::Name, SpanOf(name), "type alias `!" + name.str() + "` is not defined");
    return std::nullopt;
  }
  if (nested.too_deep() || !CountAlias(name, alias->second)) {
    return std::nullopt;
  }
  size_t back = lex_.pos();
  lex_.set_pos(SpanOf(alias->second).begin);
  std::optional<ir::TypeId> type = ReadType();
  lex_.TakeAt(back);
  return type;
}

std::optional<ir::TypeId> Parser::ReadType() {
  char c = lex_.Peek();
  llvm::StringRef rest = lex_.text().substr(lex_.pos());
  if (StartsWith(rest, "tensor<")) {
    return ReadTensorType();
  }
  size_t begin = lex_.pos();
  ir::Type scalar;
  if (c == '!') {
    lex_.Take('!');
    llvm::StringRef name = lex_.Word();
    if (name == "stablehlo.token" || name == "mhlo.token") {
      scalar.dtype = tensor::DType::Token;
      return module_.tables->types.Intern(scalar);
    }
    if (!name.empty() && !name.contains('.') && lex_.PeekAhead(0) != '<') {
      return ReadTypeAlias(name);
    }
    if (lex_.PeekAhead(0) == '<') {
      lex_.SkipBalanced();
    }
    Fail(diag::Kind::UnsupportedFeature, SpanOf(lex_.Slice(begin, lex_.pos())),
         "type `!" + name.str() + "` is not supported");
    return std::nullopt;
  }
  llvm::StringRef word = lex_.Word();
  if (lex_.PeekAhead(0) == '<' && !word.empty()) {
    lex_.SkipBalanced();
    word = lex_.Slice(begin, lex_.pos());
  }
  if (auto dtype = ElementTypeOrNone(word)) {
    scalar.dtype = *dtype;
    return module_.tables->types.Intern(scalar);
  }
  if (StartsWith(word, "tuple<") || StartsWith(word, "memref<") || StartsWith(word, "vector<")) {
    Fail(diag::Kind::UnsupportedFeature, SpanOf(word), "type `" + word.str() + "` is not supported");
    return std::nullopt;
  }
  lex_.set_pos(begin);
  FailExpected("a type");
  return std::nullopt;
}

bool Parser::AddType(llvm::SmallVectorImpl<ir::TypeId>& types) {
  auto id = ReadType();
  if (!id) {
    return false;
  }
  types.push_back(*id);
  return true;
}

bool Parser::ReadTypeList(llvm::SmallVectorImpl<ir::TypeId>& types) {
  do {
    if (!AddType(types)) {
      return false;
    }
  } while (lex_.Take(','));
  return true;
}

bool Parser::ReadFlatTypes(llvm::SmallVectorImpl<ir::TypeId>& types) {
  Nested nested(*this);
  if (nested.too_deep()) {
    return false;
  }
  do {
    bool tuple = lex_.Take("tuple<");
    if (tuple ? !lex_.Take('>') && (!ReadFlatTypes(types) || !Expect(">")) : !AddType(types)) {
      return false;
    }
  } while (lex_.Take(','));
  return true;
}

bool Parser::ReadParenthesizedTypes(llvm::SmallVectorImpl<ir::TypeId>& types) {
  if (!Expect("(")) {
    return false;
  }
  return lex_.Take(')') || (ReadTypeList(types) && Expect(")"));
}

bool Parser::ReadResultTypes(llvm::SmallVectorImpl<ir::TypeId>& types, bool* took_tuple) {
  if (took_tuple != nullptr && lex_.Peek() == 't' && lex_.Take("tuple<")) {
    *took_tuple = true;
    return lex_.Take('>') || (ReadTypeList(types) && Expect(">"));
  }
  if (lex_.Peek() == '(') {
    return ReadParenthesizedTypes(types);
  }
  auto id = ReadType();
  if (id) {
    types.push_back(*id);
  }
  return id.has_value();
}

bool Parser::ReadFunctionType(llvm::SmallVectorImpl<ir::TypeId>& from, llvm::SmallVectorImpl<ir::TypeId>& to,
                              bool* took_tuple) {
  return ReadParenthesizedTypes(from) && Expect("->") && ReadResultTypes(to, took_tuple);
}

}  // namespace spmdc::text::stablehlo
