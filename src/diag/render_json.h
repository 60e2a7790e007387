// Diagnostics for editors and CI, as JSON.
#pragma once

#include <string>

#include "diag/engine.h"

namespace spmdc::diag {

// One JSON object a line, all of them; its keys are in docs/diagnostics.schema.json.
std::string RenderJson(const Engine& engine, bool warnings = true);
// A line of the same stream that is no diagnostic: what the program prints (`print`), how long a stage took (`time`).
std::string JsonLine(llvm::StringRef severity, llvm::StringRef message);

}  // namespace spmdc::diag
