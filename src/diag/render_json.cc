// Diagnostics for editors and CI: one JSON object a line, as docs/diagnostics.schema.json says.
#include "diag/render_json.h"

#include <nlohmann/json.hpp>

#include "diag/fix.h"

namespace spmdc::diag {
namespace {

using Json = nlohmann::ordered_json;

// A position: columns count bytes from 1, the end is behind the last one. Null where it is about no text.
void AddPlace(const source::SourceManager& sources, source::Span span, Json& out) {
  if (!span.valid()) {
    for (const char* key : {"file", "line", "column", "end_line", "end_column"}) {
      out[key] = nullptr;
    }
    return;
  }
  source::LineColumn begin = sources.Locate(span);
  source::LineColumn end = sources.Locate(span.file, std::max(span.begin, span.end));
  out["file"] = sources.name(span.file).str();
  out["line"] = begin.line;
  out["column"] = begin.column;
  out["end_line"] = end.line;
  out["end_column"] = end.column;
}

Json Notes(const source::SourceManager& sources, const Diagnostic& d) {
  Json notes = Json::array();
  for (const Note& note : d.notes) {
    Json one;
    AddPlace(sources, note.span, one);
    one["message"] = note.text;
    notes.push_back(std::move(one));
  }
  return notes;
}

Json Fixes(llvm::ArrayRef<std::string> help) {
  Json fixes = Json::array();
  for (const std::string& line : help) {
    if (std::optional<Fix> fix = FromHelp(line)) {
      fixes.push_back({{"edit", fix->edit}, {"effect", fix->effect}, {"wire_bytes", fix->wire_bytes}});
    }
  }
  return fixes;
}

// Bytes that are no UTF-8 become U+FFFD.
std::string Line(const Json& object) {
  return object.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string JsonLine(llvm::StringRef severity, llvm::StringRef message) {
  return Line({{"severity", severity.str()}, {"message", message.str()}});
}

std::string RenderJson(const Engine& engine, bool warnings) {
  std::string out;
  for (const Diagnostic* d : engine.Sorted()) {
    bool is_error = d->severity == Severity::Error;
    if (!is_error && !warnings) {
      continue;
    }
    Json one;
    one["code"] = Code(d->kind).str();
    one["severity"] = is_error ? "error" : "warning";
    one["exit_code"] = is_error ? ExitCode(d->kind) : 0;
    AddPlace(engine.sources(), d->span, one);
    one["message"] = d->message;
    one["notes"] = Notes(engine.sources(), *d);
    one["help"] = d->help;
    one["fixes"] = Fixes(d->help);
    out += Line(one);
  }
  return out;
}

}  // namespace spmdc::diag
