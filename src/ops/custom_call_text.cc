// Each language's attributes of a custom call, side by side:
//
//   custom_call_target="f"                           call_target_name = "f"
//   api_version=API_VERSION_TYPED_FFI                api_version = 4 : i32
//   custom_call_has_side_effect=true                 has_side_effect = true
//   operand_layout_constraints={f32[8,4]{0,1}}       operand_layouts = [dense<[0, 1]> : tensor<2xindex>]
//   output_to_operand_aliasing={{1}: (0, {})}        output_operand_aliases = [#stablehlo.output_operand_alias<...>]
//   called_computations={@0, @1}                     called_computations = [@0, @1]
//   backend_config={a = 1 : i64}, backend_config="text"      the same
#include "ops/custom_call_text.h"

#include "llvm/ADT/StringExtras.h"
#include "support/starts_with.h"

namespace spmdc::ops {
namespace {

constexpr llvm::StringLiteral kVersions[] = {"API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL",
                                             "API_VERSION_STATUS_RETURNING", "API_VERSION_STATUS_RETURNING_UNIFIED",
                                             "API_VERSION_TYPED_FFI"};

// Behind the quote that opens at `at`, or the end.
size_t EndOfString(llvm::StringRef text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    at += text[at] == '\\' ? 1 : 0;
  }
  return std::min(at + 1, text.size());
}

// The pieces between commas outside brackets and strings, trimmed.
llvm::SmallVector<llvm::StringRef, 8> Pieces(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 8> pieces;
  size_t begin = 0;
  int depth = 0;
  for (size_t at = 0; at <= text.size();) {
    char c = at < text.size() ? text[at] : ',';
    if (c == '"') {
      at = EndOfString(text, at);
      continue;
    }
    bool arrow = c == '>' && at > 0 && text[at - 1] == '-';
    depth += c == '(' || c == '[' || c == '{' || c == '<' ? 1 : 0;
    depth -= c == ')' || c == ']' || c == '}' || (c == '>' && !arrow) ? 1 : 0;
    if (at == text.size() || (c == ',' && depth == 0)) {
      llvm::StringRef piece = text.slice(begin, at).trim();
      if (!piece.empty()) {
        pieces.push_back(piece);
      }
      begin = at + 1;
    }
    ++at;
  }
  return pieces;
}

// Without the brackets around it.
llvm::StringRef Inside(llvm::StringRef text) {
  text = text.trim();
  return text.size() < 2 ? llvm::StringRef() : text.drop_front().drop_back();
}

// What a quoted text spells: \n, \t, \", \\, and bytes as MLIR (two hexadecimal digits) or HLO (three octal ones) has them;
// nothing for other escapes.
std::optional<std::string> Unquoted(llvm::StringRef quoted, bool mlir) {
  llvm::StringRef body = Inside(quoted);
  std::string text;
  for (size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '\\' || i + 1 == body.size()) {
      text += body[i];
      continue;
    }
    char c = body[++i];
    unsigned byte = 0;
    llvm::StringRef digits = body.substr(i, mlir ? 2 : 3);
    if (digits.size() == (mlir ? 2U : 3U) && !digits.getAsInteger(mlir ? 16 : 8, byte)) {
      text += static_cast<char>(byte);
      i += digits.size() - 1;
    } else if (llvm::StringRef("\"\\'nt").contains(c)) {
      text += c == 'n' ? '\n' : c == 't' ? '\t' : c;
    } else {
      return std::nullopt;
    }
  }
  return text;
}

std::string QuotedHlo(llvm::StringRef text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '\n' || c == '\t') {
      quoted += c == '\n' ? "\\n" : "\\t";
    } else if (c == '"' || c == '\\') {
      quoted += {'\\', c};
    } else if (!llvm::isPrint(c)) {
      auto byte = static_cast<unsigned char>(c);
      quoted += {'\\', static_cast<char>('0' + byte / 64), static_cast<char>('0' + byte / 8 % 8),
                 static_cast<char>('0' + byte % 8)};
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string QuotedMlir(llvm::StringRef text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '\\') {
      quoted += "\\\\";
    } else if (c == '"' || !llvm::isPrint(c)) {
      quoted += "\\" + llvm::toHex(llvm::StringRef(&c, 1));
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

// `dense<[0, 1]> : tensor<2xindex>` as `{0,1}`, `dense<> : tensor<0xindex>` as ``.
std::string HloLayout(llvm::StringRef dense) {
  llvm::StringRef list = dense.split('<').second.split('>').first;
  std::string layout = list.str();
  llvm::erase_if(layout, [](char c) { return c == ' ' || c == '[' || c == ']'; });
  return layout.empty() ? "" : "{" + layout + "}";
}

// `{0,1}` as `dense<[0, 1]> : tensor<2xindex>`. Nothing if it says more than an order.
std::optional<std::string> MlirLayout(llvm::StringRef layout, size_t rank) {
  std::string list;
  if (rank == 0) {
    return "dense<> : tensor<0xindex>";
  }
  if (layout.empty()) {
    for (size_t d = rank; d-- > 0;) {
      list += (list.empty() ? "" : ", ") + std::to_string(d);
    }
  } else if (layout.contains(':')) {
    return std::nullopt;
  } else {
    for (llvm::StringRef dim : Pieces(Inside(layout))) {
      list += (list.empty() ? "" : ", ") + dim.str();
    }
  }
  return (rank == 1 ? "dense<" + list : "dense<[" + list + "]") + "> : tensor<" + std::to_string(rank) + "xindex>";
}

// A number of the fields of `#stablehlo.output_operand_alias<...>`.
llvm::StringRef Field(llvm::StringRef text, llvm::StringRef name) {
  for (llvm::StringRef piece : Pieces(text)) {
    auto [key, value] = piece.split('=');
    if (key.trim() == name) {
      return value.trim();
    }
  }
  return "";
}

std::string Joined(llvm::ArrayRef<std::string> parts) { return llvm::join(parts.begin(), parts.end(), ", "); }

std::optional<std::string> HloAliases(llvm::StringRef list) {
  llvm::SmallVector<std::string, 2> parts;
  for (llvm::StringRef alias : Pieces(Inside(list))) {
    llvm::StringRef fields = alias.split('<').second;
    fields.consume_back(">");
    llvm::StringRef output = Field(fields, "output_tuple_indices"), tuple = Field(fields, "operand_tuple_indices");
    if (!StartsWith(output, "[") || !StartsWith(tuple, "[")) {
      return std::nullopt;
    }
    parts.push_back("{" + Inside(output).str() + "}: (" + Field(fields, "operand_index").str() + ", {" +
                    Inside(tuple).str() + "})");
  }
  return "{" + Joined(parts) + "}";
}

// `{{1}: (0, {})}`
std::optional<std::string> MlirAliases(llvm::StringRef list) {
  llvm::SmallVector<std::string, 2> parts;
  for (llvm::StringRef alias : Pieces(Inside(list))) {
    auto [output, operand] = alias.split(':');
    auto pieces = Pieces(Inside(operand));
    if (pieces.size() != 2) {
      return std::nullopt;
    }
    parts.push_back("#stablehlo.output_operand_alias<output_tuple_indices = [" + Inside(output).str() +
                    "], operand_index = " + pieces[0].str() + ", operand_tuple_indices = [" + Inside(pieces[1]).str() +
                    "]>");
  }
  return "[" + Joined(parts) + "]";
}

std::optional<std::string> HloConstraints(llvm::StringRef list, llvm::ArrayRef<ir::Type> operands) {
  auto layouts = Pieces(Inside(list));
  if (layouts.size() != operands.size()) {
    return std::nullopt;
  }
  llvm::SmallVector<std::string, 4> shapes;
  for (size_t i = 0; i < layouts.size(); ++i) {
    std::string dims;
    for (int64_t dim : operands[i].dims) {
      dims += (dims.empty() ? "" : ",") + std::to_string(dim);
    }
    shapes.push_back(tensor::HloName(operands[i].dtype).str() + "[" + dims + "]" + HloLayout(layouts[i]));
  }
  return "{" + Joined(shapes) + "}";
}

std::optional<std::string> MlirConstraints(llvm::StringRef list) {
  llvm::SmallVector<std::string, 4> layouts;
  for (llvm::StringRef shape : Pieces(Inside(list))) {
    auto [dims, layout] = shape.split(']');
    size_t rank = Pieces(dims.split('[').second).size();
    std::optional<std::string> text = MlirLayout(layout, rank);
    if (!text || StartsWith(shape, "(")) {
      return std::nullopt;
    }
    layouts.push_back(*text);
  }
  return "[" + Joined(layouts) + "]";
}

// A string in the other language's quotes; a dictionary stays as it is.
std::optional<std::string> TextAsHlo(llvm::StringRef value) {
  std::optional<std::string> text = StartsWith(value, "\"") ? Unquoted(value, /*mlir=*/true) : std::nullopt;
  return StartsWith(value, "{") ? std::optional(value.str()) : text ? std::optional(QuotedHlo(*text)) : std::nullopt;
}

// What stands in braces in HLO is MLIR's dictionary where the call is typed, else a text.
std::optional<std::string> TextAsMlir(llvm::StringRef value, bool typed) {
  if (StartsWith(value, "{")) {
    return typed ? value.str() : QuotedMlir(value);
  }
  std::optional<std::string> text = StartsWith(value, "\"") ? Unquoted(value, /*mlir=*/false) : std::nullopt;
  return text ? std::optional(QuotedMlir(*text)) : std::nullopt;
}

struct Attribute {
  std::string name;
  std::optional<std::string> value;  // none: the other language has no word for it
  bool silent = false;               // the other language says nothing for it
};

Attribute HloAttribute(llvm::StringRef name, llvm::StringRef value, llvm::ArrayRef<ir::Type> operands) {
  int64_t version = 0;
  if (name == "call_target_name") {
    return {"custom_call_target", TextAsHlo(value)};
  }
  if (name == "api_version" && !value.split(' ').first.getAsInteger(10, version) && version >= 0 && version <= 4) {
    return {"api_version", kVersions[version].str(), version <= 1};
  }
  if (name == "has_side_effect") {
    return {"custom_call_has_side_effect", value.str(), value == "false"};
  }
  if (name == "operand_layouts") {
    return {"operand_layout_constraints", HloConstraints(value, operands)};
  }
  if (name == "output_operand_aliases") {
    return {"output_to_operand_aliasing", HloAliases(value), value == "[]"};
  }
  if (name == "backend_config") {
    return {"backend_config", TextAsHlo(value), value == "\"\""};
  }
  if (name == "called_computations") {
    return {name.str(), "{" + Inside(value).str() + "}", value == "[]"};
  }
  bool silent = name == "result_layouts";
  return {"", silent ? std::optional<std::string>("") : std::nullopt, silent};
}

Attribute MlirAttribute(llvm::StringRef name, llvm::StringRef value, bool typed) {
  if (name == "custom_call_target") {
    return {"call_target_name", TextAsMlir(value, typed)};
  }
  if (name == "api_version") {
    const auto* known = llvm::find(kVersions, value);
    bool found = known != std::end(kVersions);
    return {"api_version",
            found ? std::optional(std::to_string(known - std::begin(kVersions)) + " : i32") : std::nullopt};
  }
  if (name == "custom_call_has_side_effect") {
    return {"has_side_effect", value.str(), value == "false"};
  }
  if (name == "operand_layout_constraints") {
    return {"operand_layouts", MlirConstraints(value)};
  }
  if (name == "output_to_operand_aliasing") {
    return {"output_operand_aliases", MlirAliases(value), value == "{}"};
  }
  if (name == "called_computations") {
    return {name.str(), "[" + Inside(value).str() + "]", value == "{}"};
  }
  return {"backend_config", name == "backend_config" ? TextAsMlir(value, typed) : std::nullopt};
}

// `name = value` or `name=value`, but for those of which nothing is said.
std::optional<std::string> Translated(llvm::ArrayRef<llvm::StringRef> pieces, llvm::StringRef equals,
                                      llvm::function_ref<Attribute(llvm::StringRef, llvm::StringRef)> translate) {
  llvm::SmallVector<std::string, 8> parts;
  for (llvm::StringRef piece : pieces) {
    auto [name, value] = piece.split('=');
    Attribute attribute = translate(name.trim(), value.trim());
    if (!attribute.value) {
      return std::nullopt;
    }
    if (!attribute.silent) {
      parts.push_back(attribute.name + equals.str() + *attribute.value);
    }
  }
  return Joined(parts);
}

// The fields of `<{a = 1, b = 2}>`.
llvm::SmallVector<llvm::StringRef, 8> Properties(const OpaqueAttrs& attrs) {
  llvm::StringRef text = attrs.text;
  text.consume_front("<{");
  text.consume_back("}>");
  return Pieces(text);
}

}  // namespace

std::optional<int64_t> CallSettings::Integer(llvm::StringRef name) const {
  for (llvm::StringRef piece : Pieces(Inside(text_))) {
    auto [key, value] = piece.split('=');
    value = value.split(':').first.trim();
    int64_t number = 0;
    if (key.trim() == name && (value == "true" || value == "false")) {
      return value == "true" ? 1 : 0;
    }
    if (key.trim() == name && !value.getAsInteger(10, number)) {
      return number;
    }
  }
  return std::nullopt;
}

llvm::StringRef TargetOf(const OpaqueAttrs& attrs) {
  for (llvm::StringRef key : {"call_target_name = \"", "custom_call_target=\""}) {
    size_t at = llvm::StringRef(attrs.text).find(key);
    if (at != llvm::StringRef::npos) {
      return llvm::StringRef(attrs.text).substr(at + key.size()).take_until([](char c) { return c == '"'; });
    }
  }
  return {};
}

CallSettings SettingsOf(const OpaqueAttrs& attrs, llvm::StringRef side) {
  for (llvm::StringRef piece : side.empty() ? Pieces(attrs.text) : llvm::SmallVector<llvm::StringRef, 8>()) {
    if (piece.consume_front("backend_config=")) {
      return CallSettings(piece);
    }
  }
  return CallSettings(side);
}

std::optional<std::string> CustomCallAsHlo(const OpaqueAttrs& attrs, llvm::ArrayRef<ir::Type> operands) {
  if (attrs.name != "stablehlo.custom_call") {
    return std::nullopt;
  }
  auto text = Translated(Properties(attrs), "=", [&](llvm::StringRef name, llvm::StringRef value) {
    return HloAttribute(name, value, operands);
  });
  return text ? std::optional(", " + *text) : std::nullopt;
}

std::optional<std::string> CustomCallAsStablehlo(const OpaqueAttrs& attrs, llvm::StringRef layouts) {
  auto [operand_tree, result_tree] = llvm::StringRef(attrs.types).split("->");
  bool flat = operand_tree.ltrim('.').empty() && !Inside(result_tree.empty() ? "()" : result_tree).contains('(');
  if (attrs.name != "custom-call" || !flat) {
    return std::nullopt;
  }
  bool typed = llvm::StringRef(attrs.text).contains("API_VERSION_TYPED_FFI");
  auto text = Translated(Pieces(attrs.text), " = ", [&](llvm::StringRef name, llvm::StringRef value) {
    return MlirAttribute(name, value, typed);
  });
  bool constrained = llvm::StringRef(attrs.text).contains("operand_layout_constraints=");
  if (!text || (!constrained && layouts.empty())) {
    return text;
  }
  // StableHLO asks for all layouts or for none.
  llvm::SmallVector<std::string, 4> results;
  for (const ir::Type& type : attrs.result_types) {
    std::optional<std::string> layout = MlirLayout(layouts.split(';').first, type.rank());
    if (!layout) {
      return std::nullopt;
    }
    results.push_back(*layout);
    layouts = layouts.split(';').second;
  }
  return constrained ? std::optional(*text + ", result_layouts = [" + Joined(results) + "]") : std::nullopt;
}

std::string NumberCalled(llvm::StringRef properties, size_t count) {
  std::string numbers;
  for (size_t i = 0; i < count; ++i) {
    numbers += (i == 0 ? "@" : ", @") + std::to_string(i);
  }
  llvm::StringRef inside = properties;
  inside.consume_front("<{");
  inside.consume_back("}>");
  llvm::SmallVector<std::string, 8> parts;
  for (llvm::StringRef piece : Pieces(inside)) {
    bool called = piece.split('=').first.trim() == "called_computations";
    parts.push_back(called ? "called_computations = [" + numbers + "]" : piece.str());
  }
  return "<{" + Joined(parts) + "}>";
}

std::string ResultLayouts(const OpaqueAttrs& attrs) {
  std::string layouts;
  bool usual = true;
  for (llvm::StringRef piece : Properties(attrs)) {
    auto [name, value] = piece.split('=');
    if (name.trim() != "result_layouts") {
      continue;
    }
    auto list = Pieces(Inside(value));
    for (size_t i = 0; i < list.size() && i < attrs.result_types.size(); ++i) {
      std::string layout = HloLayout(list[i]);
      usual = usual && list[i] == *MlirLayout("", attrs.result_types[i].rank());
      layouts += layout + ";";
    }
  }
  return usual ? "" : layouts;
}

}  // namespace spmdc::ops
