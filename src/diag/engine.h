// Diagnostics: what is wrong with a program, collected while it is read and compiled, told once at the end.
//
//   diags.Error(Kind::UnknownAxis, span, "mesh axis 'z' is not in the mesh").Help("the mesh has the axes x, y");
//
// A message is one sentence without a final period: what was found, what was expected. Program text stands in backticks
// or quotes. Help lines say what to write instead.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "source/source_manager.h"

namespace spmdc::diag {

enum class Kind : uint16_t {
#define DIAG_KIND(name, code, exit) name,
#include "diag/kinds.def"
#undef DIAG_KIND
};

// The slug in brackets, e.g. "unknown-axis".
llvm::StringRef Code(Kind kind);
// The exit code that an error of this kind leads to.
int ExitCode(Kind kind);
llvm::ArrayRef<Kind> AllKinds();

enum class Severity : uint8_t { Error, Warning };

struct Note {
  source::Span span;  // may be none
  std::string text;
};

struct Diagnostic {
  Kind kind = Kind::Syntax;
  Severity severity = Severity::Error;
  source::Span span;  // may be none: about the whole run
  std::string message;
  std::vector<Note> notes;
  std::vector<std::string> help;
};

// Names one diagnostic of an engine, to add to it.
class Handle {
 public:
  Handle(std::vector<Diagnostic>* all, size_t index) : all_(all), index_(index) {}
  Handle& Note(source::Span span, std::string text) {
    (*all_)[index_].notes.push_back({span, std::move(text)});
    return *this;
  }
  Handle& Help(std::string text) {
    (*all_)[index_].help.push_back(std::move(text));
    return *this;
  }

 private:
  std::vector<Diagnostic>* all_;
  size_t index_;
};

class Engine {
 public:
  explicit Engine(const source::SourceManager* sources) : sources_(sources) {}

  Handle Error(Kind kind, source::Span span, std::string message) {
    return Emit(kind, Severity::Error, span, std::move(message));
  }
  Handle Warning(Kind kind, source::Span span, std::string message) {
    return Emit(kind, Severity::Warning, span, std::move(message));
  }
  bool has_errors() const { return errors_ != 0; }
  size_t error_count() const { return errors_; }
  // 0 without errors, else the code of the first error in order of position.
  int exit_code() const;
  // In order of position; within a position in order of emission.
  std::vector<const Diagnostic*> Sorted() const;
  llvm::ArrayRef<Diagnostic> all() const { return all_; }
  const source::SourceManager& sources() const { return *sources_; }

 private:
  Handle Emit(Kind kind, Severity severity, source::Span span, std::string message);
  const source::SourceManager* sources_;
  std::vector<Diagnostic> all_;
  size_t errors_ = 0;
};

// Writes FILE:LINE:COL: error: text [code], the line, a caret, notes and help lines. At most 20 errors, then a count.
// Warnings only if asked for.
std::string RenderText(const Engine& engine, bool color, bool warnings = true);
// The nearest of candidates to word by edit distance, or empty if none is near: for "did you mean".
std::string Nearest(llvm::StringRef word, llvm::ArrayRef<std::string> candidates);

}  // namespace spmdc::diag
