// Diagnostics as people read them in a terminal: position, sentence, the line with a caret, notes, help.
#include <algorithm>
#include <map>

#include "diag/engine.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/Unicode.h"
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

// The part of a line that is shown, and the caret's place in it. SourceMgr draws no caret on lines with other than ASCII bytes:
// it is given as many question marks as a character has columns, which give way to the character afterwards.
struct Window {
  std::string ascii, shown;
  int column = 0;                       // from 0
  std::pair<unsigned, unsigned> range;  // underlined columns
};

// Bytes of the character that begins the text, 1 for what is no character.
size_t CharacterLength(llvm::StringRef text) {
  const auto* bytes = reinterpret_cast<const llvm::UTF8*>(text.begin());
  const auto* end = reinterpret_cast<const llvm::UTF8*>(text.end());
  return llvm::isLegalUTF8Sequence(bytes, end) ? llvm::getNumBytesForUTF8(*bytes) : 1;
}

void Append(llvm::StringRef character, Window& window) {
  int columns = llvm::sys::unicode::columnWidthUTF8(character);
  if (columns >= 0 && character.size() > 1) {
    window.ascii.append(static_cast<size_t>(columns), '?');
    window.shown += character;
    return;
  }
  if (character == "\t") {
    constexpr size_t kTabStop = 8;
    size_t spaces = kTabStop - window.ascii.size() % kTabStop;
    window.ascii.append(spaces, ' ');
    window.shown.append(spaces, ' ');
    return;
  }
  bool plain = columns >= 0 && character.size() == 1;
  window.ascii += plain ? character : llvm::StringRef("?");
  window.shown += plain ? character : llvm::StringRef("?");
}

Window Cut(llvm::StringRef line, size_t begin, size_t end) {
  size_t from = line.size() > kMaxLine && begin > kMaxLine / 2 ? std::min(begin - kMaxLine / 2, line.size() - 1) : 0;
  while (from > 0 && (static_cast<unsigned char>(line[from]) & 0xC0U) == 0x80U) {
    --from;
  }
  size_t to = std::min(from + kMaxLine, line.size());
  Window window;
  window.ascii = window.shown = from > 0 ? "..." : "";
  auto column = [&] { return static_cast<unsigned>(window.ascii.size()); };
  end = std::max(begin, std::min(end, line.size()));
  for (size_t at = from; at < to; at += CharacterLength(line.drop_front(at))) {
    window.column = at <= begin ? static_cast<int>(column()) : window.column;
    window.range.second = at <= end ? column() : window.range.second;
    Append(line.substr(at, CharacterLength(line.drop_front(at))), window);
  }
  window.column = begin >= to ? static_cast<int>(column()) : window.column;
  window.range = {static_cast<unsigned>(window.column), end >= to ? column() : window.range.second};
  if (to < line.size()) {
    window.ascii += "...";
    window.shown += "...";
  }
  return window;
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
  llvm::SMDiagnostic drawn(none, llvm::SMLoc(), "", 1, window.column, kind, message, window.ascii, ranges);
  std::string text;
  ColorStream drawing(text, color);
  drawn.print(nullptr, drawing, color);
  drawing.flush();
  size_t place = text.rfind("\n" + window.ascii + "\n");
  os << (place == std::string::npos ? text : text.replace(place + 1, window.ascii.size(), window.shown));
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
