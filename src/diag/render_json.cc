// Diagnostics for editors and CI: one JSON object a line, as docs/diagnostics.schema.json says.
#include "diag/render_json.h"

#include "diag/fix.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace spmdc::diag {
namespace {

// A position: columns count bytes from 1, the end is behind the last one. Null where it is about no text.
void WritePlace(const source::SourceManager& sources, source::Span span, llvm::json::OStream& json) {
  auto number = [&](llvm::StringRef key, bool known, uint32_t value) {
    json.attribute(key, known ? llvm::json::Value(static_cast<int64_t>(value)) : llvm::json::Value(nullptr));
  };
  bool known = span.valid();
  source::LineColumn begin = sources.Locate(span), end = begin;
  if (known) {
    end = sources.Locate(span.file, std::max(span.begin, span.end));
  }
  json.attribute("file",
                 known ? llvm::json::Value(llvm::json::fixUTF8(sources.name(span.file))) : llvm::json::Value(nullptr));
  number("line", known, begin.line);
  number("column", known, begin.column);
  number("end_line", known, end.line);
  number("end_column", known, end.column);
}

void WriteFixes(llvm::ArrayRef<std::string> help, llvm::json::OStream& json) {
  for (const std::string& line : help) {
    if (std::optional<Fix> fix = FromHelp(line)) {
      json.object([&] {
        json.attribute("edit", llvm::json::fixUTF8(fix->edit));
        json.attribute("effect", llvm::json::fixUTF8(fix->effect));
        json.attribute("wire_bytes", fix->wire_bytes);
      });
    }
  }
}

void WriteOne(const source::SourceManager& sources, const Diagnostic& d, llvm::json::OStream& json) {
  json.object([&] {
    json.attribute("code", Code(d.kind));
    json.attribute("severity", d.severity == Severity::Error ? "error" : "warning");
    json.attribute("exit_code", d.severity == Severity::Error ? ExitCode(d.kind) : 0);
    WritePlace(sources, d.span, json);
    json.attribute("message", llvm::json::fixUTF8(d.message));
    json.attributeArray("notes", [&] {
      for (const Note& note : d.notes) {
        json.object([&] {
          WritePlace(sources, note.span, json);
          json.attribute("message", llvm::json::fixUTF8(note.text));
        });
      }
    });
    json.attributeArray("help", [&] {
      for (const std::string& line : d.help) {
        json.value(llvm::json::fixUTF8(line));
      }
    });
    json.attributeArray("fixes", [&] { WriteFixes(d.help, json); });
  });
}

}  // namespace

std::string JsonLine(llvm::StringRef severity, llvm::StringRef message) {
  std::string out;
  llvm::raw_string_ostream os(out);
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("severity", severity);
    json.attribute("message", llvm::json::fixUTF8(message));
  });
  json.flush();
  os << "\n";
  os.flush();
  return out;
}

std::string RenderJson(const Engine& engine, bool warnings) {
  std::string out;
  llvm::raw_string_ostream os(out);
  for (const Diagnostic* d : engine.Sorted()) {
    if (d->severity == Severity::Error || warnings) {
      llvm::json::OStream json(os);
      WriteOne(engine.sources(), *d, json);
      json.flush();
      os << "\n";
    }
  }
  os.flush();
  return out;
}

}  // namespace spmdc::diag
