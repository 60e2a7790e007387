// The files are known by how they begin.
#include "driver/foreign_text.h"

#include <utility>

#include "llvm/ADT/StringExtras.h"
#include "support/starts_with.h"

namespace spmdc::driver {

llvm::StringRef ForeignText(llvm::StringRef text) {
  constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> kBeginnings[] = {
      {"BufferAssignment:", "XLA's buffer assignment"},  {"Total bytes used:", "XLA's list of buffers"},
      {"HloLiveRange ", "XLA's live ranges of buffers"}, {"Memory Space:", "XLA's report on memory"},
      {"; ModuleID = ", "LLVM's code of a kernel"},
  };
  constexpr size_t kShown = 4096;
  if (text.take_front(kShown).contains('\0')) {
    return "binary";
  }
  text = text.ltrim();
  for (const auto& [beginning, what] : kBeginnings) {
    if (StartsWith(text, beginning)) {
      return what;
    }
  }
  llvm::StringRef word = text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  return StartsWith(word, "xla_") && StartsWith(text.drop_front(word.size()), ": ") ? "XLA's list of options" : "";
}

}  // namespace spmdc::driver
