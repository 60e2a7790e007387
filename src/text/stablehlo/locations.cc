// Where the text says its ops come from: `loc("f.py":3:4)`, name stacks, call sites, and the table of aliases.
//
// An op's own name location is the name stack; a name directly around a file position, as call sites have, is the function.
#include "support/starts_with.h"
#include "text/stablehlo/parser.h"

namespace spmdc::text::stablehlo {

// Lines `#name = ...` and `!name = ...` stand before or behind the module: found first, read when they are used.
bool Parser::CollectAliases() {
  bool good = CollectAliases('#', "attribute", aliases_);
  return CollectAliases('!', "type", type_aliases_) && good;
}

// A definition begins its line; what it stands for is read to its end by whoever uses it.
bool Parser::CollectAliases(char sigil, llvm::StringRef what,
                            llvm::DenseMap<llvm::StringRef, llvm::StringRef>& aliases) {
  llvm::StringRef text = lex_.text();
  bool good = true;
  for (size_t at = text.find(sigil); at != llvm::StringRef::npos; at = text.find(sigil, at + 1)) {
    if (at > 0 && text[at - 1] != '\n') {
      continue;
    }
    llvm::StringRef rest = text.substr(at + 1);
    llvm::StringRef name = rest.take_while(IsNameChar);
    llvm::StringRef value = rest.drop_front(name.size()).ltrim(" \t");
    if (name.empty() || !value.consume_front("=")) {
      continue;
    }
    if (!aliases.try_emplace(name, value.split('\n').first.trim()).second) {
      good = Fail(diag::Kind::Redefinition, SpanOf(text.substr(at, name.size() + 1)),
                  what.str() + " alias `" + std::string(1, sigil) + name.str() + "` is defined twice");
    }
  }
  return good;
}

bool Parser::ReadOptionalLoc(ir::SourceId* source, std::string* name) {
  if (lex_.Peek() != 'l' || !StartsWith(lex_.text().substr(lex_.pos()), "loc(")) {
    return true;
  }
  lex_.set_pos(lex_.pos() + 4);
  if (lex_.Take('#')) {
    llvm::StringRef alias = lex_.Name();
    ir::SourceId id = SourceOfAlias(alias);
    if (source != nullptr) {
      *source = id;
    }
    if (name != nullptr && id.valid()) {
      *name = module_.tables->sources[id].op_name;
    }
    return Expect(")");
  }
  ir::SourceInfo info;
  if (!ReadLocBody(info, 0) || !Expect(")")) {
    return false;
  }
  if (name != nullptr) {
    *name = info.op_name;
  }
  if (source != nullptr && info != ir::SourceInfo()) {
    *source = module_.tables->sources.Intern(std::move(info));
  }
  return true;
}

ir::SourceId Parser::SourceOfAlias(llvm::StringRef name) {
  auto known = source_of_alias_.find(name);
  if (known != source_of_alias_.end()) {
    return known->second;
  }
  source_of_alias_[name] = {};  // an alias that leads to itself says nothing
  auto alias = aliases_.find(name);
  if (alias == aliases_.end()) {
    return {};
  }
  size_t back = lex_.pos();
  lex_.set_pos(static_cast<size_t>(alias->second.data() - lex_.text().data()));
  ir::SourceInfo info;
  bool good = lex_.Take("loc") && lex_.Take('(') && ReadLocBody(info, 0);
  lex_.set_pos(back);
  ir::SourceId id = good && info != ir::SourceInfo() ? module_.tables->sources.Intern(info) : ir::SourceId();
  source_of_alias_[name] = id;
  return id;
}

namespace {

// `"f.py":3:4`, behind the string: `:3:4`, `:3:4 to :9`, `:3:4 to 5:9`.
void ReadPosition(Lexer& lex, ir::SourceInfo& info) {
  auto number = [&](int64_t& value) {
    llvm::StringRef digits = lex.Digits();
    if (!digits.empty()) {
      digits.getAsInteger(10, value);
    }
  };
  number(info.line);
  if (lex.Take(':')) {
    number(info.column);
  }
  if (lex.Take("to")) {
    int64_t end = 0;
    number(end);
    if (lex.Take(':')) {
      number(end);
    }
  }
}

}  // namespace

bool Parser::ReadLocAlias(ir::SourceInfo& info, int depth) {
  llvm::StringRef name = lex_.Name();
  auto alias = aliases_.find(name);
  if (alias == aliases_.end()) {
    return true;
  }
  size_t back = lex_.pos();
  lex_.set_pos(static_cast<size_t>(alias->second.data() - lex_.text().data()));
  bool good = !lex_.Take("loc") || !lex_.Take('(') || ReadLocBody(info, depth);
  lex_.set_pos(back);
  return good;
}

// Behind a string: `"f.py":3:4`, `"name"(location)`, `"name"`.
bool Parser::ReadNamedLoc(llvm::StringRef quoted, ir::SourceInfo& info, int depth) {
  if (lex_.Take(':')) {
    info.file = Unquote(quoted);
    ReadPosition(lex_, info);
    return true;
  }
  if (!lex_.Take('(')) {
    info.op_name = Unquote(quoted);
    return true;
  }
  if (!ReadLocBody(info, depth + 1) || !Expect(")")) {
    return false;
  }
  bool names_function = depth > 0 && !info.file.empty() && info.function.empty();
  (names_function ? info.function : info.op_name) = Unquote(quoted);
  return true;
}

// Inside the parentheses. depth 0: the location of an op itself.
bool Parser::ReadLocBody(ir::SourceInfo& info, int depth) {
  Nested nested(*this);
  if (nested.too_deep()) {
    return false;
  }
  if (lex_.Take('#')) {
    return ReadLocAlias(info, depth);
  }
  llvm::StringRef quoted = lex_.Quoted();
  if (!quoted.empty()) {
    return ReadNamedLoc(quoted, info, depth);
  }
  llvm::StringRef word = lex_.Word();
  if (word == "unknown") {
    return true;
  }
  ir::SourceInfo caller;
  if (word == "callsite") {
    if (!Expect("(") || !ReadLocBody(info, depth + 1) || !Expect("at") || !ReadLocBody(caller, depth + 1) ||
        !Expect(")")) {
      return false;
    }
  } else if (word == "fused") {
    if (lex_.Peek() == '<' && !lex_.SkipBalanced()) {
      return FailExpected("`>`");
    }
    if (!Expect("[")) {
      return false;
    }
    while (!lex_.Take(']')) {
      ir::SourceInfo part;
      if (!ReadLocBody(part, depth) || (lex_.Peek() != ']' && !Expect(","))) {
        return false;
      }
      if (info.file.empty()) {
        std::swap(info.op_name, part.op_name);
        info = part.file.empty() ? info : part;
        info.op_name = info.op_name.empty() ? part.op_name : info.op_name;
      }
    }
  } else {
    return FailExpected("a location");
  }
  if (info.file.empty()) {
    caller.op_name = info.op_name.empty() ? caller.op_name : info.op_name;
    info = caller;
  }
  return true;
}

}  // namespace spmdc::text::stablehlo
