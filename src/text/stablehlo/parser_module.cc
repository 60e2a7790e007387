// Module level: meshes, functions with their boundaries, and what is decided once everything is read.
#include "llvm/ADT/STLExtras.h"
#include "ops/control.h"
#include "source/lines.h"
#include "support/starts_with.h"
#include "text/stablehlo/parser.h"

namespace spmdc::text::stablehlo {

Parser::Parser(source::FileId file, diag::Engine& diags, llvm::StringRef entry)
    : file_(file),
      diags_(diags),
      wanted_entry_(entry),
      lex_(diags.sources().text(file)),
      module_(std::make_shared<ir::Tables>()) {}

source::Span Parser::SpanOf(llvm::StringRef piece) const {
  auto begin = static_cast<uint32_t>(piece.data() - lex_.text().data());
  return {file_, begin, begin + static_cast<uint32_t>(piece.size())};
}

source::Span Parser::SpanHere() {
  lex_.Peek();
  return {file_, lex_.pos(), std::min<uint32_t>(lex_.pos() + 1, static_cast<uint32_t>(lex_.text().size()))};
}

bool Parser::Fail(diag::Kind kind, source::Span span, std::string message, std::string help) {
  auto handle = diags_.Error(kind, span, std::move(message));
  if (!help.empty()) {
    handle.Help(std::move(help));
  }
  return false;
}

bool Parser::FailExpected(llvm::StringRef what) {
  if (lex_.AtEnd()) {
    if (!truncated_told_) {
      truncated_told_ = true;
      Fail(diag::Kind::Truncated, SpanHere(), "the file ends where " + what.str() + " is expected");
    }
    return false;
  }
  llvm::StringRef rest = lex_.text().substr(lex_.pos());
  size_t size = rest.find_first_of(" \n\t,()");
  llvm::StringRef found = rest.substr(0, std::clamp<size_t>(size, 1, 24));
  return Fail(diag::Kind::Syntax, SpanOf(found), "expected " + what.str() + ", found `" + found.str() + "`");
}

std::optional<ir::Module> Parser::Run() {
  if (lex_.AtEnd()) {
    Fail(diag::Kind::NoInput, {file_, 0, 0}, "the file is empty");
    return std::nullopt;
  }
  if (CollectAliases()) {
    CollectHloShardings();
    ReadModule();
  }
  if (diags_.has_errors()) {
    return std::nullopt;
  }
  FinishModule();
  if (diags_.has_errors()) {
    return std::nullopt;
  }
  return std::move(module_);
}

// `module @name attributes {...} { ops }`, the generic form of it, or the ops alone.
void Parser::ReadModule() {
  while (lex_.Peek() == '#' || lex_.Peek() == '!') {
    lex_.SkipOp();
  }
  size_t begin = lex_.pos();
  llvm::StringRef generic = lex_.Quoted();
  if (generic == "\"builtin.module\"") {
    Dict dict;
    if (!Expect("(") || !Expect(")") || (lex_.Take('<') && (!Expect("{") || !ReadDict(dict) || !Expect(">"))) ||
        !Expect("(") || !Expect("{")) {
      return;
    }
    if (const op::MlirAttr* name = dict.Find("sym_name")) {
      module_.name = name->text;
    }
    // The attributes stand behind the ops, which they speak of.
    size_t body = lex_.pos() - 1;
    lex_.set_pos(body);
    bool attributes = lex_.SkipBalanced() && lex_.Take(')') && lex_.Take('{');
    if (attributes && !ReadModuleAttrs()) {
      return;
    }
    lex_.set_pos(body + 1);
    ReadModuleBody();
    if (Expect("}")) {
      Expect(")");
    }
    return;
  }
  lex_.set_pos(begin);
  if (!lex_.Take("module") && !lex_.Take("builtin.module")) {
    ReadModuleBody();
    if (!lex_.AtEnd()) {
      FailExpected("an op of a module");
    }
    return;
  }
  if (lex_.Peek() == '@') {
    auto symbol = ReadSymbolAttr();
    if (!symbol) {
      return;
    }
    module_.name = symbol->text;
  }
  if ((lex_.Take("attributes") && (!Expect("{") || !ReadModuleAttrs())) || !Expect("{")) {
    return;
  }
  ReadModuleBody();
  if (Expect("}")) {
    ReadOptionalLoc(nullptr);
  }
}

// The attributes of the module behind their opening brace.
bool Parser::ReadModuleAttrs() {
  Dict dict;
  if (!ReadDict(dict)) {
    return false;
  }
  if (const op::MlirAttr* count = dict.Find("mhlo.num_partitions")) {
    if (count->integer < 1 || count->integer > INT32_MAX) {
      return Fail(diag::Kind::Attribute, count->span, "mhlo.num_partitions: expected a number of devices");
    }
    num_partitions_ = count->integer;
    partitions_span_ = count->span;
  }
  if (const op::MlirAttr* count = dict.Find("mhlo.num_replicas")) {
    num_replicas_ = std::clamp<int64_t>(count->integer, 1, INT32_MAX);
    replicas_span_ = count->span;
  }
  if (!dict.side.entries.empty()) {
    module_.side = module_.tables->sides.Intern(std::move(dict.side));
  }
  return llvm::all_of(dict.carried, [&](const auto& field) {
    if (field.first == "xla.sdy.tuple_args_shardings") {
      tuple_args_ = field.second;
    } else if (field.first == "xla.sdy.tuple_results_shardings") {
      tuple_results_ = field.second;
    }
    return field.first != "xla.sdy.meshes" || ReadCarriedMeshes(field.second);
  });
}

void Parser::ReadModuleBody() {
  while (true) {
    char c = lex_.Peek();
    if (c == '}' || lex_.AtEnd()) {
      return;
    }
    if (c == '#' || c == '!') {
      lex_.SkipOp();
      continue;
    }
    if (StartsWith(lex_.text().substr(lex_.pos()), "{-#")) {
      lex_.set_pos(lex_.text().size());  // the resources at the end of the file
      return;
    }
    if ((c == '%' || AtOpOfDialect()) && function_names_.empty()) {
      ReadFragment();
      return;
    }
    size_t begin = lex_.pos();
    if (!ReadModuleOp()) {
      RecoverModuleOp(begin);
    }
  }
}

// From an op of the module that is wrong to the next line that begins one: what its brackets enclose is not to be trusted.
void Parser::RecoverModuleOp(size_t begin) {
  lex_.set_pos(begin);
  do {
    lex_.SkipLine();
    lex_.SkipSpace();
    llvm::StringRef rest = lex_.text().substr(lex_.pos());
    for (llvm::StringRef word : {"func.func", "\"func.func\"", "func ", "sdy.mesh", "\"sdy.mesh\"", "{-#"}) {
      if (StartsWith(rest, word)) {
        return;
      }
    }
  } while (!lex_.AtEnd());
  truncated_told_ = true;  // the module's own bracket has been passed over
}

bool Parser::ReadModuleOp() {
  llvm::StringRef quoted = lex_.Quoted();
  if (!quoted.empty()) {
    return ReadGenericModuleOp(quoted.drop_front().drop_back());
  }
  llvm::StringRef word = lex_.Word();
  if (word == "func.func" || word == "func") {
    return ReadFunc();
  }
  if (word == "sdy.mesh") {
    return ReadMesh();
  }
  if (!word.contains('.')) {
    lex_.set_pos(lex_.pos() - word.size());
    return FailExpected("an op of a module");
  }
  return Fail(diag::Kind::UnknownOp, SpanOf(word), "op `" + word.str() + "` is not supported in a module");
}

// `sdy.mesh @mesh = <["x"=2]> {...}`
bool Parser::ReadMesh() {
  auto symbol = lex_.Peek() == '@' ? ReadSymbolAttr() : std::nullopt;
  if (!symbol) {
    return FailExpected("the name of the mesh");
  }
  if (!Expect("=")) {
    return false;
  }
  lex_.Peek();
  size_t begin = lex_.pos();
  if (!lex_.SkipBalanced()) {
    return FailExpected("`>` at the end of the mesh");
  }
  AddMesh(symbol->text, lex_.Slice(begin, lex_.pos()));
  Dict dict;
  return (!lex_.Take('{') || ReadDict(dict)) && ReadOptionalLoc(nullptr);
}

ir::FuncId Parser::FunctionByName(llvm::StringRef name, source::Span use) {
  auto [it, fresh] = function_of_name_.try_emplace(name);
  if (fresh) {
    it->second.id = module_.functions.Add(ir::Function());
    it->second.use = use;
  }
  return it->second.id;
}

// Behind `func.func`.
bool Parser::ReadFunc() {
  bool is_private = lex_.Take("private") || lex_.Take("nested");
  bool is_public = !is_private && lex_.Take("public");
  auto symbol = lex_.Peek() == '@' ? ReadSymbolAttr() : std::nullopt;
  if (!symbol) {
    return FailExpected("the name of a function");
  }
  Scope scope;
  size_t num_lines = source::CountIndentedLines(lex_.text(), symbol->span.begin);
  scope.function.insts.reserve(num_lines);
  scope.function.values.reserve(num_lines);
  scope.id = FunctionByName(symbol->text, symbol->span);
  scope.function.name = symbol->text;
  scope.function.span = symbol->span;
  NamedFunction& entry = function_of_name_[symbol->text];
  if (entry.defined) {
    return Fail(diag::Kind::Redefinition, symbol->span, "function @" + symbol->text + " is defined twice");
  }
  entry.defined = true;
  entry.is_public = is_public;
  function_names_.push_back(symbol->text);
  llvm::SmallVector<ir::TypeId, 4> result_types;
  Dict dict;
  if (!ReadFuncArgs(scope) || (lex_.Take("->") && !ReadFuncResults(scope, result_types)) ||
      (lex_.Take("attributes") && (!Expect("{") || !ReadDict(dict)))) {
    return false;
  }
  if (lex_.Peek() != '{' && !lex_.AtEnd()) {
    return Fail(diag::Kind::UnsupportedFeature, symbol->span, "function @" + symbol->text + " has no body");
  }
  return ReadFuncBody(scope, result_types) && ReadOptionalLoc(nullptr);
}

// `(%arg0: type {attrs} loc(...), ...)`
bool Parser::ReadFuncArgs(Scope& scope) {
  if (!Expect("(")) {
    return false;
  }
  while (!lex_.Take(')')) {
    if (!lex_.Take('%')) {
      return FailExpected("an argument");
    }
    llvm::StringRef name = lex_.ValueName();
    std::optional<ir::TypeId> type_id;
    Dict dict;
    std::string shown;
    if (!Expect(":") || !(type_id = ReadType()) || (lex_.Take('{') && !ReadDict(dict)) ||
        !ReadOptionalLoc(nullptr, &shown)) {
      return false;
    }
    ir::BoundaryInfo info = Boundary(std::move(dict), SpanOf(name), type(*type_id).rank());
    info.name = shown;
    Define(scope, name, {AddArg(scope, name, *type_id, std::move(info))});
    if (lex_.Peek() != ')' && !Expect(",")) {
      return false;
    }
  }
  return true;
}

// `type`, or `(type {attrs}, ...)`.
bool Parser::ReadFuncResults(Scope& scope, llvm::SmallVectorImpl<ir::TypeId>& types) {
  bool list = lex_.Take('(');
  while (!list || !lex_.Take(')')) {
    lex_.Peek();
    size_t begin = lex_.pos();
    Dict dict;
    llvm::SmallVector<ir::TypeId, 1> read;  // several of a tuple
    bool is_tuple = StartsWith(lex_.text().substr(begin), "tuple<");
    if (is_tuple) {
      lex_.Take("tuple<");
    }
    std::optional<ir::TypeId> type_id = is_tuple ? std::nullopt : ReadType();
    if (type_id) {
      read.push_back(*type_id);
    }
    source::Span span = SpanOf(lex_.Slice(begin, lex_.pos()));
    if ((is_tuple ? !lex_.Take('>') && (!ReadFlatTypes(read) || !Expect(">")) : !type_id) ||
        (list && lex_.Take('{') && !ReadDict(dict)) || !ReadOptionalLoc(nullptr)) {
      return false;
    }
    types.append(read.begin(), read.end());
    for (ir::TypeId id : read) {
      scope.function.result_info.push_back(Boundary(is_tuple ? Dict() : std::move(dict), span, type(id).rank()));
    }
    if (!list) {
      return true;
    }
    if (lex_.Peek() != ')' && !Expect(",")) {
      return false;
    }
  }
  return true;
}

ir::BoundaryInfo Parser::Boundary(Dict dict, source::Span span, size_t rank) {
  ir::BoundaryInfo info;
  info.span = span;
  if (dict.shardings.size() == 1) {
    info.sharding = OfRank(dict.shardings[0], rank);
  } else if (!dict.shardings.empty()) {
    Fail(diag::Kind::Annotation, dict.sharding_span,
         std::to_string(dict.shardings.size()) + " shardings for one value");
  } else if (const op::MlirAttr* text = dict.Find("mhlo.sharding"); text != nullptr && !has_carried_meshes_) {
    info.sharding = HloSharding(text->text, rank, text->span).value_or(mesh::ShardingId());
  }
  info.pinned = info.sharding.valid();
  if (const op::MlirAttr* name = dict.Find("jax.result_info")) {
    info.name = name->text;
  }
  if (const op::MlirAttr* alias = dict.Find("tf.aliasing_output")) {
    info.alias = alias->integer;
  }
  llvm::erase_if(dict.side.entries, [](const auto& entry) {
    return entry.first == "jax.result_info" || entry.first == "tf.aliasing_output";
  });
  if (!dict.side.entries.empty()) {
    info.side = module_.tables->sides.Intern(std::move(dict.side));
  }
  return info;
}

// `{ ops }`, with the results checked against the signature.
bool Parser::ReadFuncBody(Scope& scope, llvm::ArrayRef<ir::TypeId> result_types) {
  if (!Expect("{")) {
    return false;
  }
  if (lex_.Peek() == '^' && !ReadBlockArgs(scope)) {
    return false;
  }
  ReadOps(scope);
  if (lex_.Peek() == '^') {
    return Fail(diag::Kind::UnsupportedFeature, SpanHere(), "a function of several blocks is not supported");
  }
  if (!Expect("}")) {
    return false;
  }
  if (scope.broken) {
    return true;  // told already
  }
  ir::Function& function = scope.function;
  if (!scope.ended || function.results.size() != result_types.size()) {
    return Fail(diag::Kind::OperandCount, function.span,
                "function @" + function.name + " declares " + std::to_string(result_types.size()) +
                    " results and returns " + std::to_string(function.results.size()));
  }
  for (size_t i = 0; i < result_types.size(); ++i) {
    const ir::Value& value = function.values[function.results[i]];
    if (value.type != result_types[i]) {
      return Fail(diag::Kind::ResultType, function.result_info[i].span,
                  "result " + std::to_string(i) + " of @" + function.name + " is declared " +
                      ir::ToString(*module_.tables, result_types[i]) + ", but %" + value.name + " is " +
                      ir::ToString(*module_.tables, value.type));
    }
  }
  module_.functions[scope.id] = std::move(function);
  return true;
}

// Behind the quoted name: `() <{properties}> ({ region }) {attributes} : () -> ()`.
bool Parser::ReadGenericModuleOp(llvm::StringRef name) {
  Dict dict;
  llvm::StringRef properties = lex_.text().substr(lex_.pos());
  if (!Expect("(") || !Expect(")") || (lex_.Take('<') && (!Expect("{") || !ReadDict(dict) || !Expect(">")))) {
    return false;
  }
  const op::MlirAttr* symbol = dict.Find("sym_name");
  if (symbol == nullptr) {
    return Fail(diag::Kind::UnknownOp, SpanOf(name), "op `" + name.str() + "` is not supported in a module");
  }
  properties = properties.take_front(lex_.pos() - SpanOf(properties).begin);
  if (name == "sdy.mesh") {
    size_t at = properties.find("#sdy.mesh<");
    if (at == llvm::StringRef::npos) {
      return Fail(diag::Kind::Attribute, SpanOf(name), "a mesh without its axes");
    }
    size_t back = lex_.pos();
    size_t begin = SpanOf(properties.substr(at)).begin + 9;
    lex_.set_pos(begin);
    lex_.SkipBalanced();
    AddMesh(symbol->text, lex_.Slice(begin, lex_.pos()));
    lex_.set_pos(back);
  } else if (name != "func.func") {
    return Fail(diag::Kind::UnknownOp, SpanOf(name), "op `" + name.str() + "` is not supported in a module");
  } else if (!ReadGenericFunc(dict, *symbol)) {
    return false;
  }
  llvm::SmallVector<ir::TypeId, 1> from, to;
  return (!lex_.Take('{') || ReadDict(dict)) && Expect(":") && ReadFunctionType(from, to) && ReadOptionalLoc(nullptr);
}

// `({ ^bb0(%arg0: type): ops })`; types, names and annotations of the boundary are in the properties.
bool Parser::ReadGenericFunc(const Dict& dict, const op::MlirAttr& symbol) {
  Scope scope;
  scope.id = FunctionByName(symbol.text, symbol.span);
  scope.function.name = symbol.text;
  scope.function.span = symbol.span;
  NamedFunction& entry = function_of_name_[symbol.text];
  if (entry.defined) {
    return Fail(diag::Kind::Redefinition, symbol.span, "function @" + symbol.text + " is defined twice");
  }
  entry.defined = true;
  const op::MlirAttr* visibility = dict.Find("sym_visibility");
  entry.is_public = visibility != nullptr && visibility->text == "public";
  function_names_.push_back(symbol.text);
  for (size_t i = 0; i < dict.result_types.size(); ++i) {
    scope.function.result_info.push_back(Boundary(i < dict.res_attrs.size() ? dict.res_attrs[i] : Dict(), symbol.span,
                                                  type(dict.result_types[i]).rank()));
  }
  if (!Expect("(") || !ReadFuncBody(scope, dict.result_types) || !Expect(")")) {
    return false;
  }
  ir::Function& function = module_.functions[scope.id];
  for (size_t i = 0; i < function.args.size() && i < dict.arg_attrs.size(); ++i) {
    source::Span span = function.arg_info[i].span;
    function.arg_info[i] = Boundary(dict.arg_attrs[i], span, module_.type(function, function.args[i]).rank());
  }
  return true;
}

}  // namespace spmdc::text::stablehlo
