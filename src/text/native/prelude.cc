// The prelude's text. `@export('jnp nn', ...)` makes a function known in those modules; others are the prelude's own.
#include "text/native/prelude.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace spmdc::text::native {
namespace {

// What operators and methods are made of, and what other parts use: every program has it.
constexpr llvm::StringLiteral kAlways[] = {
#include "text/native/prelude.inc"
};
// Parts that only programs have which name something of them.
constexpr llvm::StringLiteral kNamed[] = {
#include "text/native/prelude_named.inc"
};

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

void AddWords(llvm::StringRef text, llvm::StringSet<>& words) {
  while (!text.empty()) {
    text = text.drop_until(IsOfWord);
    llvm::StringRef word = text.take_while(IsOfWord);
    words.insert(word);
    text = text.drop_front(word.size());
  }
}

// The functions of a part, by all their names.
std::vector<std::string> NamesOf(llvm::StringRef part) {
  std::vector<PreludeExport> exports;
  AddExports(part, exports);
  std::vector<std::string> names;
  for (const PreludeExport& exported : exports) {
    names.push_back(exported.name);
  }
  for (llvm::StringRef rest = part.split("\ndef ").second; !rest.empty(); rest = rest.split("\ndef ").second) {
    names.push_back(rest.take_while(IsOfWord).str());
  }
  return names;
}

}  // namespace

std::string PreludeText(llvm::StringRef program) {
  std::string text;
  llvm::StringSet<> words;
  AddWords(program, words);
  for (llvm::StringRef part : kAlways) {
    text += part;
  }
  std::vector<bool> taken(std::size(kNamed));
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < std::size(kNamed); ++i) {
      auto named = [&](const std::string& name) { return words.count(name) != 0; };
      if (!taken[i] && llvm::any_of(NamesOf(kNamed[i]), named)) {
        taken[i] = again = true;
        AddWords(kNamed[i], words);
        text += kNamed[i];
      }
    }
  }
  return text;
}

std::vector<PreludeExport> PreludeExports() {
  std::vector<PreludeExport> exports;
  for (llvm::StringRef part : kAlways) {
    AddExports(part, exports);
  }
  for (llvm::StringRef part : kNamed) {
    AddExports(part, exports);
  }
  return exports;
}

}  // namespace spmdc::text::native
