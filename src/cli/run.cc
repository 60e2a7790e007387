// From arguments to a command: the table of contents of the tool.
#include "cli/run.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "diag/render_json.h"
#include "llvm/ADT/STLExtras.h"

namespace spmdc::cli {
namespace {

constexpr int kUsageExit = 2;

// Whoever asked for JSON gets it, although no options could be read.
bool AsksForJson(llvm::ArrayRef<std::string> args) {
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "--diagnostics=json" || (args[i] == "json" && i > 0 && args[i - 1] == "--diagnostics")) {
      return true;
    }
  }
  return false;
}

int Usage(Io& io, llvm::ArrayRef<std::string> args, const std::string& message, const std::string& help) {
  UsageDiagnostic wrong(message, help);
  if (llvm::is_contained(args, "--json")) {
    io.out << UsageReport(wrong);
  }
  if (AsksForJson(args)) {
    io.err << diag::RenderJson(wrong.diags);
    return kUsageExit;
  }
  io.err << "spmdc: error: " << message << "\n";
  io.err << "help: " << help << "\n";
  return kUsageExit;
}

int UnknownCommand(Io& io, llvm::ArrayRef<std::string> args) {
  const std::string& word = args.front();
  std::vector<std::string> names;
  for (const CommandInfo& command : Commands()) {
    names.push_back(command.name.str());
  }
  std::string nearest = diag::Nearest(word, names);
  std::string what = word[0] == '-' ? "unknown option " + word : "unknown command '" + word + "'";
  return Usage(io, args, what, nearest.empty() ? "`spmdc --help` lists the commands" : "did you mean " + nearest + "?");
}

int Dispatch(const CommandInfo& command, const Options& options, Io& io) {
  switch (command.bit) {
    case kCompile:
      return Compile(options, io);
    case kExplain:
      return Explain(options, io);
    case kRun:
      return RunProgram(options, io);
    case kCheck:
      return Check(options, io);
    case kSpecs:
      return WriteSpecs(options, io);
    case kDecode:
      return Decode(options, io);
    case kAll:
      break;
  }
  SPMDC_CHECK(false, "a command without a function");
}

}  // namespace

int Run(llvm::ArrayRef<std::string> args, Io& io) {
  if (args.empty()) {
    io.err << Help();
    return kUsageExit;
  }
  const std::string& word = args.front();
  if (word == "--help" || word == "-h" || word == "help") {
    io.out << Help();
    return 0;
  }
  if (word == "--version") {
    io.out << Version();
    return 0;
  }
  if (word == "--print-man") {
    io.out << ManPage();
    return 0;
  }
  const CommandInfo* command = FindCommand(word);
  if (command == nullptr) {
    return UnknownCommand(io, args);
  }
  args = args.drop_front();
  if (llvm::is_contained(args, "--help") || llvm::is_contained(args, "-h")) {
    io.out << Help(*command);
    return 0;
  }
  auto parsed = ParseOptions(*command, args);
  if (auto* error = std::get_if<UsageError>(&parsed)) {
    return Usage(io, args, error->message, error->help);
  }
  return Dispatch(*command, std::get<Options>(parsed), io);
}

}  // namespace spmdc::cli
