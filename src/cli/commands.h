// What each command does with its options; one function a command, named as the user names it.
#pragma once

#include "cli/options.h"
#include "cli/run.h"

namespace spmdc::cli {

// Each returns the exit code; what is wrong has been written to io.err.
int Compile(const Options& options, Io& io);
int Explain(const Options& options, Io& io);
int RunProgram(const Options& options, Io& io);
int Check(const Options& options, Io& io);

// The JSON report about a command line that is wrong, for those who asked for JSON.
std::string UsageReport(const std::string& message, const std::string& help);

}  // namespace spmdc::cli
