// A text read by one of the readers, for their tests.
#pragma once

#include <optional>
#include <string>

#include "diag/engine.h"
#include "ir/module.h"

namespace spmdc::text {

struct ReadProgram {
  using Reader = std::optional<ir::Module> (*)(source::FileId, diag::Engine&);

  source::SourceManager sources;
  diag::Engine diags{&sources};
  std::optional<ir::Module> module;

  ReadProgram(Reader reader, std::string name, std::string text) {
    module = reader(sources.Add(std::move(name), std::move(text)), diags);
  }
  // LINE: message [code] of every diagnostic.
  std::string Messages() const {
    std::string out;
    for (const diag::Diagnostic* d : diags.Sorted()) {
      out +=
          std::to_string(sources.Locate(d->span).line) + ": " + d->message + " [" + diag::Code(d->kind).str() + "]\n";
    }
    return out;
  }
};

}  // namespace spmdc::text
