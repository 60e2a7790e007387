// The prelude's text. `@export('jnp nn', ...)` makes a function known in those modules; others are the prelude's own.
#include "text/native/prelude.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace spmdc::text::native {

std::string PreludeText() {
  std::string text;
  for (const char* part : {
#include "text/native/prelude.inc"
       }) {
    text += part;
  }
  return text;
}

std::vector<PreludeExport> PreludeExports() {
  std::string text = PreludeText();
  std::vector<PreludeExport> exports;
  // Split at quotes: 1 is the modules; the name is at 3, or else behind the `def` of the next line.
  llvm::StringRef rest = text;
  for (size_t at = rest.find("@export("); at != llvm::StringRef::npos; at = rest.find("@export(")) {
    rest = rest.drop_front(at);
    llvm::SmallVector<llvm::StringRef, 5> quoted;
    rest.take_until([](char c) { return c == '\n'; }).split(quoted, '\'');
    llvm::StringRef own = rest.split("def ").second.take_until([](char c) { return c == '('; });
    exports.push_back({quoted[1].str(), (quoted.size() > 3 ? quoted[3] : own).str()});
    rest = rest.drop_front(1);
  }
  return exports;
}

}  // namespace spmdc::text::native
