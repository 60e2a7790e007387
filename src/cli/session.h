// One compilation as a command line asks for it: the input read, the stages run, what is wrong told.
#pragma once

#include <memory>
#include <string>

#include "cli/options.h"
#include "cli/run.h"
#include "driver/compilation.h"
#include "explain/report.h"

namespace spmdc::cli {

class Session {
 public:
  // Reads FILE and runs the stages up to `stop_after`.
  Session(const Options& options, Io& io, driver::Stage stop_after);

  // Without a program if FILE cannot be read.
  driver::Compilation* compilation() { return compilation_.get(); }
  // Whether all stages that were asked for are there.
  bool ok() const { return ok_; }
  explain::Report Report() const;
  // Writes a command's text where --output says.
  void Write(llvm::StringRef text);
  // Tells errors, warnings and times; the exit code. Call once, at the end.
  int Finish();

 private:
  void Run();
  void TellTimes();

  Options options_;  // with what a specs file says
  Io& io_;
  std::unique_ptr<driver::Compilation> compilation_;
  bool ok_ = false;
  int exit_code_ = 0;
};

// What the command line says of a compilation.
driver::Options DriverOptions(const Options& options, driver::Stage stop_after);
// Tells what is wrong in the form that --diagnostics says; the exit code.
int Tell(const Options& options, Io& io, const diag::Engine& diags);
// Tells an error that is about no text; its exit code.
int TellOne(const Options& options, Io& io, diag::Kind kind, const std::string& message);

}  // namespace spmdc::cli
