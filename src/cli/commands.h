// What each command does with its options; one function a command, named as the user names it.
#pragma once

#include "cli/options.h"
#include "cli/run.h"
#include "diag/engine.h"

namespace spmdc::cli {

// Each returns the exit code; what is wrong has been written to io.err.
int Compile(const Options& options, Io& io);
int Explain(const Options& options, Io& io);
int RunProgram(const Options& options, Io& io);
int Check(const Options& options, Io& io);
int WriteSpecs(const Options& options, Io& io);
int Decode(const Options& options, Io& io);

// A command line that is wrong, as an error about no text.
struct UsageDiagnostic {
  UsageDiagnostic(const std::string& message, const std::string& help);
  source::SourceManager sources;
  diag::Engine diags{&sources};
};
// The JSON report about it, for those who asked for JSON.
std::string UsageReport(const UsageDiagnostic& wrong);

}  // namespace spmdc::cli
