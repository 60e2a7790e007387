// The prelude's text. `@export('jnp nn', ...)` makes a function known in those modules; others are the prelude's own.
#include "text/native/prelude.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "support/starts_with.h"

namespace spmdc::text::native {
namespace {

constexpr llvm::StringLiteral kTexts[] = {
#include "text/native/prelude.inc"
};
// What operators call, which the program does not name.
constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> kOperators[] = {
    {"**", "power"}, {"//", "floor_divide"}, {"%", "remainder"}, {" @ ", "matmul_of_any"}};

// Split at quotes: 1 is the modules; the name is at 3, or else behind the `def` of the next line.
void AddExports(llvm::StringRef rest, std::vector<PreludeExport>& exports) {
  for (size_t at = rest.find("@export("); at != llvm::StringRef::npos; at = rest.find("@export(")) {
    rest = rest.drop_front(at);
    llvm::SmallVector<llvm::StringRef, 5> quoted;
    rest.take_until([](char c) { return c == '\n'; }).split(quoted, '\'');
    llvm::StringRef own = rest.split("def ").second.take_until([](char c) { return c == '('; });
    exports.push_back({quoted[1].str(), (quoted.size() > 3 ? quoted[3] : own).str()});
    rest = rest.drop_front(1);
  }
}

bool IsOfWord(char c) { return llvm::isAlnum(c) || c == '_'; }

}  // namespace

Prelude::Prelude(llvm::StringRef program, bool whole) {
  for (llvm::StringRef text : kTexts) {
    Index(text);
  }
  selected_.assign(parts_.size(), whole);
  if (!whole) {
    for (const auto& [spelling, called] : kOperators) {
      Select(program.contains(spelling) ? called : "");
    }
    Select(program);
  }
}

// Cuts a text into its statements: each begins at the margin, a decorator with what it decorates.
void Prelude::Index(llvm::StringRef text) {
  size_t begin = 0;
  bool decorated = false;
  for (size_t line = 0; line < text.size();) {
    size_t end = std::min(text.find('\n', line), text.size());
    char first = line < end ? text[line] : ' ';
    bool starts = first == '@' || IsOfWord(first);
    if (starts && !decorated) {
      Add(text.slice(begin, line));
      begin = line;
    }
    decorated = starts ? first == '@' : decorated;
    line = end + 1;
  }
  Add(text.drop_front(begin));
}

void Prelude::Add(llvm::StringRef statement) {
  std::vector<PreludeExport> exports;
  AddExports(statement, exports);
  bool defines = StartsWith(statement, "def ") || statement.contains("\ndef ");
  llvm::StringRef own = defines ? statement.split("def ").second : statement;
  own = own.take_while(IsOfWord);
  if (own.empty()) {
    return;  // what stands above the first statement
  }
  by_name_[own].push_back(parts_.size());
  for (const PreludeExport& exported : exports) {
    if (exported.name != own) {
      by_name_[exported.name].push_back(parts_.size());
    }
  }
  parts_.push_back(statement);
}

void Prelude::Select(llvm::StringRef text) {
  std::vector<llvm::StringRef> open{text};
  while (!open.empty()) {
    llvm::StringRef rest = open.back();
    open.pop_back();
    while (!(rest = rest.drop_until(IsOfWord)).empty()) {
      llvm::StringRef word = rest.take_while(IsOfWord);
      rest = rest.drop_front(word.size());
      auto found = by_name_.find(word);
      for (size_t part : found == by_name_.end() ? llvm::ArrayRef<size_t>() : llvm::ArrayRef<size_t>(found->second)) {
        if (!selected_[part]) {
          selected_[part] = true;
          open.push_back(parts_[part]);
        }
      }
    }
  }
}

std::string Prelude::Text() const {
  std::string text;
  for (size_t i = 0; i < parts_.size(); ++i) {
    text += selected_[i] ? parts_[i] : "";
  }
  return text;
}

bool Prelude::Lacks(llvm::StringRef name) const {
  auto found = by_name_.find(name);
  return found != by_name_.end() && llvm::any_of(found->second, [&](size_t part) { return !selected_[part]; });
}

std::vector<PreludeExport> PreludeExports() {
  std::vector<PreludeExport> exports;
  for (llvm::StringRef text : kTexts) {
    AddExports(text, exports);
  }
  return exports;
}

}  // namespace spmdc::text::native
