// Diagnostics as people read them in a terminal: position, sentence, the line with a caret, notes, help.
#include <algorithm>
#include <map>

#include "diag/engine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace spmdc::diag {
namespace {

constexpr size_t kMaxErrors = 20;
// Of one kind; what is ignored in one place mostly is in many.
constexpr size_t kMaxWarnings = 5;
// Longer lines are cut around the caret: program texts put a whole function signature on one line.
constexpr size_t kMaxLine = 160;

// A string that takes colors: LLVM asks the stream whether it shows them.
class ColorStream : public llvm::raw_string_ostream {
 public:
  ColorStream(std::string& text, bool color) : raw_string_ostream(text), color_(color) { enable_colors(color); }
  bool has_colors() const override { return color_; }

 private:
  bool color_;
};

// The part of a line that is shown, and the caret's place in it.
struct Window {
  std::string text;
  int column;                           // from 0
  std::pair<unsigned, unsigned> range;  // underlined columns
};

Window Cut(llvm::StringRef line, size_t begin, size_t end) {
  size_t from = 0;
  if (line.size() > kMaxLine && begin > kMaxLine / 2) {
    from = std::min(begin - kMaxLine / 2, line.size() - 1);
  }
  std::string prefix = from > 0 ? "..." : "";
  std::string text = prefix + line.substr(from, kMaxLine).str() + (from + kMaxLine < line.size() ? "..." : "");
  // SourceMgr draws no caret on lines with other than ASCII bytes; a question mark keeps the columns.
  for (char& c : text) {
    if ((static_cast<unsigned char>(c) & 0x80U) != 0 || (c < ' ' && c != '\t')) {
      c = '?';
    }
  }
  size_t shift = prefix.size();
  auto place = [&](size_t at) { return static_cast<unsigned>(std::min(at - from + shift, text.size())); };
  return {text, static_cast<int>(place(begin)), {place(begin), place(std::max(begin, std::min(end, line.size())))}};
}

void Print(const Engine& engine, source::Span span, llvm::SourceMgr::DiagKind kind, const std::string& message,
           bool color, llvm::raw_ostream& os) {
  if (!span.valid()) {
    llvm::StringRef word = kind == llvm::SourceMgr::DK_Error     ? "error"
                           : kind == llvm::SourceMgr::DK_Warning ? "warning"
                                                                 : "note";
    os << "spmdc: " << word << ": " << message << "\n";
    return;
  }
  const source::SourceManager& sources = engine.sources();
  source::LineColumn at = sources.Locate(span);
  llvm::StringRef line = sources.Line(span.file, at.line);
  size_t begin = at.column - 1;
  Window window = Cut(line, begin, begin + (span.end - span.begin));
  llvm::SmallVector<std::pair<unsigned, unsigned>, 1> ranges;
  if (window.range.second > window.range.first) {
    ranges.push_back(window.range);
  }
  // The window may be cut, so the position is written here; without a file name SourceMgr draws only line and caret.
  os << sources.name(span.file) << ":" << at.line << ":" << at.column << ": ";
  llvm::SourceMgr none;
  llvm::SMDiagnostic drawn(none, llvm::SMLoc(), "", 1, window.column, kind, message, window.text, ranges);
  drawn.print(nullptr, os, color);
}

}  // namespace

std::string RenderText(const Engine& engine, bool color, bool warnings) {
  std::string out;
  ColorStream os(out, color);
  size_t errors = 0;
  std::map<Kind, size_t> warned;
  for (const Diagnostic* d : engine.Sorted()) {
    bool is_error = d->severity == Severity::Error;
    if (!is_error && !warnings) {
      continue;
    }
    if (is_error ? ++errors > kMaxErrors : ++warned[d->kind] > kMaxWarnings) {
      continue;
    }
    Print(engine, d->span, is_error ? llvm::SourceMgr::DK_Error : llvm::SourceMgr::DK_Warning,
          d->message + " [" + Code(d->kind).str() + "]", color, os);
    for (const Note& note : d->notes) {
      Print(engine, note.span, llvm::SourceMgr::DK_Note, note.text, color, os);
    }
    for (const std::string& help : d->help) {
      os << "help: " << help << "\n";
    }
  }
  if (errors > kMaxErrors) {
    os << "spmdc: " << errors - kMaxErrors << " more errors\n";
  }
  for (const auto& [kind, count] : warned) {
    if (count > kMaxWarnings) {
      os << "spmdc: " << count - kMaxWarnings << " more warnings [" << Code(kind) << "]\n";
    }
  }
  os.flush();
  return out;
}

}  // namespace spmdc::diag
