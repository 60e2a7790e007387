// Specs as a command line gives them: a file, and options that stand above it.
#pragma once

#include "cli/options.h"
#include "cli/run.h"
#include "driver/compilation.h"

namespace spmdc::cli {

// Reads --specs, --mesh, --in and --out into the compilation; the file's "options" go into `options`, where the command line
// does not say otherwise. False after a diagnostic of the compilation.
bool ReadSpecs(Options& options, Io& io, driver::Compilation& compilation);

}  // namespace spmdc::cli
