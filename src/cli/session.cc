// From options to a compilation and back to streams and an exit code.
#include "cli/session.h"

#include "cli/specs_input.h"
#include "diag/render_json.h"
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

driver::Options DriverOptions(const Options& options, driver::Stage stop_after) {
  driver::Options out;
  out.from = FormatNamed(options.from);
  out.entry = options.entry;
  out.devices = options.devices;
  out.propagation = options.propagation;
  out.program = options.program;
  out.stop_after = stop_after;
  return out;
}

bool UseColor(const Options& options, const Io& io) {
  return options.color == "always" || (options.color == "auto" && io.err_is_terminal);
}

int Tell(const Options& options, Io& io, const diag::Engine& diags) {
  bool warnings = !options.quiet;
  io.err << (options.diagnostics == "json" ? diag::RenderJson(diags, warnings)
                                           : diag::RenderText(diags, UseColor(options, io), warnings));
  return diags.exit_code();
}

int TellOne(const Options& options, Io& io, diag::Kind kind, const std::string& message) {
  source::SourceManager none;
  diag::Engine diags(&none);
  diags.Error(kind, {}, message);
  return Tell(options, io, diags);
}

Session::Session(const Options& options, Io& io, driver::Stage stop_after) : options_(options), io_(io) {
  llvm::ErrorOr<std::string> text = io.ReadInput(options.file);
  compilation_ = std::make_unique<driver::Compilation>(options.file == "-" ? "<stdin>" : options.file,
                                                       text ? std::move(*text) : "", driver::Options());
  if (!text) {
    compilation_->diags().Error(diag::Kind::NoInput, {},
                                "cannot read '" + options.file + "': " + text.getError().message());
    return;
  }
  if (ReadSpecs(options_, io, *compilation_)) {
    compilation_->options() = DriverOptions(options_, stop_after);
    Run();
  }
}

void Session::Run() {
  if (options_.diagnostics != "json") {
    ok_ = compilation_->Run(io_.err);
    return;
  }
  // Every line of standard error is an object then, also what the program prints.
  std::string printed;
  llvm::raw_string_ostream prints(printed);
  ok_ = compilation_->Run(prints);
  prints.flush();
  llvm::SmallVector<llvm::StringRef, 8> lines;
  llvm::StringRef(printed).split(lines, '\n');
  for (size_t i = 0; i + 1 < lines.size() || (i < lines.size() && !lines[i].empty()); ++i) {
    io_.err << diag::JsonLine("print", lines[i]);
  }
}

void Session::TellTimes() {
  double total = 0;
  auto tell = [&](double milliseconds, llvm::StringRef what) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%10.3f ms  ", milliseconds) << what;
    io_.err << (options_.diagnostics == "json" ? diag::JsonLine("time", llvm::StringRef(text).trim()) : text + "\n");
  };
  for (const driver::StageTime& time : compilation_->times()) {
    tell(time.milliseconds, driver::Name(time.stage));
    total += time.milliseconds;
  }
  tell(total, "total");
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
    TellTimes();
  }
  return told != 0 ? told : exit_code_;
}

explain::Report Session::Report() const {
  const driver::Compilation& c = *compilation_;
  return explain::MakeReport({c.sources(), c.diags(), c.Last(), c.Propagated(), c.PerDevice(), options_.propagation,
                              c.At(driver::Stage::Types)});
}

}  // namespace spmdc::cli
