// From options to a compilation and back to streams and an exit code.
#include "cli/session.h"

#include "explain/report.h"
#include "llvm/Support/Format.h"

namespace spmdc::cli {
namespace {

driver::Format FormatNamed(llvm::StringRef name) {
  return name == "spmd"        ? driver::Format::Native
         : name == "hlo"       ? driver::Format::Hlo
         : name == "stablehlo" ? driver::Format::Stablehlo
                               : driver::Format::Auto;
}

}  // namespace

bool UseColor(const Options& options, const Io& io) {
  return options.color == "always" || (options.color == "auto" && io.err_is_terminal);
}

int Tell(const Options& options, Io& io, const diag::Engine& diags) {
  io.err << diag::RenderText(diags, UseColor(options, io), /*warnings=*/!options.quiet);
  return diags.exit_code();
}

int TellOne(const Options& options, Io& io, diag::Kind kind, const std::string& message) {
  source::SourceManager none;
  diag::Engine diags(&none);
  diags.Error(kind, {}, message);
  return Tell(options, io, diags);
}

Session::Session(const Options& options, Io& io, driver::Stage stop_after) : options_(options), io_(io) {
  driver::Options driver_options;
  driver_options.from = FormatNamed(options.from);
  driver_options.entry = options.entry;
  driver_options.devices = options.devices;
  driver_options.propagation = options.propagation;
  driver_options.program = options.program;
  driver_options.stop_after = stop_after;
  llvm::ErrorOr<std::string> text = io.ReadInput(options.file);
  compilation_ = std::make_unique<driver::Compilation>(options.file == "-" ? "<stdin>" : options.file,
                                                       text ? std::move(*text) : "", driver_options);
  if (!text) {
    compilation_->diags().Error(diag::Kind::NoInput, {},
                                "cannot read '" + options.file + "': " + text.getError().message());
    return;
  }
  ok_ = compilation_->Run(io.err);
}

void Session::Write(llvm::StringRef text) {
  if (std::error_code error = io_.WriteOutput(options_.output, text)) {
    exit_code_ =
        TellOne(options_, io_, diag::Kind::NoOutput, "cannot write '" + options_.output + "': " + error.message());
  }
}

int Session::Finish() {
  int told = Tell(options_, io_, compilation_->diags());
  if (options_.time) {
    double total = 0;
    for (const driver::StageTime& time : compilation_->times()) {
      io_.err << llvm::format("%10.3f ms  ", time.milliseconds) << driver::Name(time.stage) << "\n";
      total += time.milliseconds;
    }
    io_.err << llvm::format("%10.3f ms  total\n", total);
  }
  return told != 0 ? told : exit_code_;
}

explain::Report Session::Report() const {
  const driver::Compilation& c = *compilation_;
  return explain::MakeReport({c.sources(), c.diags(), c.Last(), c.Propagated(), c.PerDevice(), options_.propagation});
}

}  // namespace spmdc::cli
