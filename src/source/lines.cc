// Counting of indented lines.
#include "source/lines.h"

namespace spmdc::source {
namespace {

size_t Indentation(llvm::StringRef text, size_t line_start) {
  size_t at = line_start;
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) {
    ++at;
  }
  return at < text.size() && text[at] != '\n' ? at - line_start : 0;
}

}  // namespace

size_t CountIndentedLines(llvm::StringRef text, size_t at) {
  constexpr size_t kFar = 64;  // so that a line with many functions is not gone through for each of them
  size_t start = at;
  while (start > 0 && text[start - 1] != '\n') {
    if (at - --start == kFar) {
      return 0;
    }
  }
  size_t own = Indentation(text, start);
  size_t count = 0;
  for (size_t end = text.find('\n', at); end != llvm::StringRef::npos; end = text.find('\n', end + 1)) {
    if (Indentation(text, end + 1) <= own) {
      break;
    }
    ++count;
  }
  return count;
}

}  // namespace spmdc::source
