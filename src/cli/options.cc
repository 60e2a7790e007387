// The table of commands and options, and the one place that parses a command line (with CLI11).
#include "cli/options.h"

#include <CLI/CLI.hpp>
#include <optional>

#include "diag/engine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "support/check.h"

namespace spmdc::cli {
namespace {

constexpr CommandInfo kCommands[] = {
    {kCompile, "compile", "print the per-device program",
     "Runs the whole pipeline and prints the program of one device as HLO text, or with --stop-after the program at "
     "that "
     "stage."},
    {kExplain, "explain", "report every collective with its cause",
     "Reports types and shardings with who decided each, every collective with its axes, groups, bytes and cause, and "
     "totals per axis."},
    {kRun, "run", "execute the program on virtual devices",
     "Executes the per-device program on as many virtual devices as the mesh has. With --check it also runs the "
     "unpartitioned program and compares every value."},
    {kCheck, "check", "compare the report with a golden file",
     "Exits with 1 if what the program communicates differs from the golden file: shardings of arguments and results, "
     "every collective, totals, memory. Names and lines within the program may change."},
    {kSpecs, "specs", "write a starting specs file",
     "Writes a specs file for --specs: the program's mesh, its arguments and results with their types and the "
     "shardings "
     "they have. As it is written it changes nothing."},
    {kDecode, "decode", "say what a sharding or a collective means",
     "Reads a sharding, replica groups, or instructions of HLO or StableHLO text, as XLA, Shardy and JAX print them, "
     "and "
     "shows which device holds what, who exchanges with whom and how many bytes, and the other ways to write it. TEXT "
     "is the text itself or a file with it.",
     "TEXT"},
};

// Commands that work with the shardings, not only with the text.
constexpr unsigned kShards = kCompile | kExplain | kRun | kCheck;

// Commands that take a program.
constexpr unsigned kPrograms = kAll & ~kDecode;

// In the order of --help.
const OptionInfo kOptions[] = {
    {"--from", "", "auto|spmd|hlo|stablehlo", "the language of FILE; auto goes by its content", kAll, &Options::from},
    {"--specs", "", "FILE.json",
     "where the mesh, arguments and results are said in place of what the program says of them; `spmdc specs` writes a "
     "starting file",
     kPrograms, &Options::specs},
    {"--mesh", "", "AXES",
     "the mesh to run on, as data=4,model=2 or data=4:explicit,model=2:auto; it takes the place of the program's", kAll,
     &Options::mesh},
    {"--in", "", "NAME=SPEC",
     "where an argument is, as x=P(data,_); NAME is a name, an index, a tree's name or a glob; may be repeated",
     kPrograms, &Options::in},
    {"--out", "", "NAME=SPEC", "where a result is, as 0=P(data,_); may be repeated", kPrograms, &Options::out},
    {"--propagation", "", "shardy|sdy|gspmd|none",
     "how shardings spread from the annotations: as XLA decides for JAX, as Shardy decides for the text as it stands, "
     "as XLA's older algorithm (GSPMD) decides, or not at all",
     kShards, &Options::propagation},
    {"--program", "", "auto|global|device",
     "whether the text is a whole program or one device's; auto sees it by what partition writes", kPrograms,
     &Options::program},
    {"--entry", "", "NAME", "the function to start from", kPrograms, &Options::entry},
    {"--devices", "", "N", "the number of devices, for programs that name no mesh", kAll, &Options::devices,
     /*least=*/1},
    {"--shape", "", "TYPE", "the array that a sharding is of, as f32[256,512]", kDecode, &Options::shape},
    {"--stop-after", "", "parse|types|propagate|plan|partition", "stop behind a stage", kCompile | kExplain,
     &Options::stop_after},
    {"--emit", "", "hlo|stablehlo|spmd|json", "the language of the output", kCompile, &Options::emit},
    {"--replica-groups", "", "auto|list|iota|mesh", "how device groups are spelled in HLO text", kCompile,
     &Options::replica_groups},
    {"--all", "", "", "leave nothing out of long lists; in a report, tell everything in program order",
     kExplain | kDecode, &Options::all},
    {"--value", "", "NAME", "report this value only; may be repeated", kExplain, &Options::value},
    {"--rules", "", "", "print the rule of every op, and the shardings of its tensors", kExplain, &Options::rules},
    {"--trace-propagation", "", "", "print how shardings spread, step by step", kExplain, &Options::trace_propagation},
    {"--compare-propagation", "", "",
     "propagate as XLA does for JAX and as GSPMD does, and print the first value where they part and what each costs",
     kExplain, &Options::compare_propagation},
    {"--json", "", "", "print JSON", kExplain | kDecode, &Options::json},
    {"--check", "", "", "compare with the unpartitioned program, value by value", kRun, &Options::check},
    {"--seed", "", "N", "the seed of the random inputs", kRun, &Options::seed},
    {"--input", "", "ARG=FILE.npy", "the value of an argument, by name or index; may be repeated", kRun,
     &Options::input},
    {"--inputs", "", "FILE.npz", "the values of all arguments", kRun, &Options::inputs},
    {"--save", "", "DIR", "write the results to DIR, as out0.npy, out1.npy and so on", kRun, &Options::save},
    {"--iterations", "", "N", "run that many times, with a seed of its own each", kRun, &Options::iterations,
     /*least=*/1},
    {"--no-anchor", "", "", "let differences add up: do not go on from the unpartitioned values", kRun,
     &Options::no_anchor},
    {"--golden", "", "FILE", "the report to compare with", kCheck, &Options::golden},
    {"--update", "", "", "write the golden file instead of comparing", kCheck, &Options::update},
    {"--output", "-o", "FILE", "write there instead of to standard output", kAll, &Options::output},
    {"--diagnostics", "", "text|json", "the form of errors and warnings; json writes one object a line", kAll,
     &Options::diagnostics},
    {"--color", "", "auto|always|never", "color errors and warnings; auto does on a terminal", kAll, &Options::color},
    {"--time", "", "", "print how long each stage took to standard error", kPrograms, &Options::time},
    {"--quiet", "", "", "print errors only: no warnings", kAll, &Options::quiet},
};

// Placeholders are in capitals, words to choose from are not.
bool IsChoice(const OptionInfo& option) {
  return !option.argument.empty() && option.argument[0] >= 'a' && option.argument[0] <= 'z';
}

// "one of a, b, c"
std::string ChoicesOf(const OptionInfo& option) {
  llvm::SmallVector<llvm::StringRef, 8> words;
  option.argument.split(words, '|');
  return "one of " + llvm::join(words, ", ");
}

// Puts the text of an option's value where it belongs; a message if it is none.
std::string Store(const OptionInfo& option, const std::string& text, Options& options) {
  if (IsChoice(option)) {
    llvm::SmallVector<llvm::StringRef, 8> words;
    option.argument.split(words, '|');
    if (!llvm::is_contained(words, text)) {
      return "'" + text + "' is no value of " + option.name.str() + "; it takes " + ChoicesOf(option);
    }
  }
  if (auto* number = std::get_if<int64_t Options::*>(&option.target)) {
    int64_t value = 0;
    if (llvm::StringRef(text).getAsInteger(10, value) || value < option.least) {
      return "'" + text + "' is no value of " + option.name.str() + "; it takes a whole number from " +
             std::to_string(option.least);
    }
    options.*(*number) = value;
  } else if (auto* list = std::get_if<std::vector<std::string> Options::*>(&option.target)) {
    (options.*(*list)).push_back(text);
  } else {
    options.*std::get<std::string Options::*>(option.target) = text;
  }
  return "";
}

UsageError Unexpected(const CommandInfo& command, const std::string& argument) {
  std::string help = "`spmdc " + command.name.str() + " --help` lists the options";
  if (argument.empty() || argument[0] != '-') {
    return {"unexpected argument '" + argument + "'; " + command.name.str() + " takes one " + command.operand.str(),
            help};
  }
  std::string name = llvm::StringRef(argument).split('=').first.str();
  std::vector<std::string> names;
  for (const OptionInfo& option : kOptions) {
    if ((option.commands & command.bit) != 0) {
      names.push_back(option.name.str());
    } else if (option.name == name) {
      return {"option " + name + " is not for `spmdc " + command.name.str() + "`", help};
    }
  }
  std::string nearest = diag::Nearest(name, names);
  return {"unknown option " + name, nearest.empty() ? help : "did you mean " + nearest + "?"};
}

UsageError NeedsArgument(const OptionInfo& option) {
  return {"option " + option.name.str() + " needs an argument",
          "write " + option.name.str() + "=" + option.argument.str()};
}

// What CLI11 would understand otherwise: a flag that is given a value, as true or false; `--option=` without one, as if the
// next word were it.
std::optional<UsageError> WrongAssignment(llvm::ArrayRef<std::string> args) {
  for (const OptionInfo& option : kOptions) {
    if (!option.argument.empty() && llvm::is_contained(args, option.name.str() + "=")) {
      return NeedsArgument(option);
    }
    if (option.argument.empty() && llvm::any_of(args, [&](llvm::StringRef arg) {
          return arg.split('=').first == option.name && arg != option.name;
        })) {
      return UsageError{"option " + option.name.str() + " takes no argument", "write " + option.name.str()};
    }
  }
  return std::nullopt;
}

// CLI11's messages differ between its versions; all that is left to them is an argument too few or too many.
UsageError Rewrite(const CommandInfo& command, const CLI::ParseError& error) {
  llvm::StringRef what = error.what();
  for (const OptionInfo& option : kOptions) {
    size_t at = what.find(option.name);
    if ((option.commands & command.bit) == 0 || at == llvm::StringRef::npos ||
        llvm::isAlnum(what.drop_front(at + option.name.size()).str().c_str()[0])) {
      continue;
    }
    return NeedsArgument(option);
  }
  return {what.str(), "`spmdc " + command.name.str() + " --help` lists the options"};
}

}  // namespace

llvm::ArrayRef<CommandInfo> Commands() { return kCommands; }
llvm::ArrayRef<OptionInfo> AllOptions() { return kOptions; }

std::string SetOption(llvm::StringRef name, const std::string& text, Options& options) {
  const auto* option = llvm::find_if(kOptions, [&](const OptionInfo& o) { return o.name == name; });
  SPMDC_CHECK(option != std::end(kOptions), "an option that is not in the table");
  return Store(*option, text, options);
}

const CommandInfo* FindCommand(llvm::StringRef name) {
  for (const CommandInfo& command : kCommands) {
    if (command.name == name) {
      return &command;
    }
  }
  return nullptr;
}

std::variant<Options, UsageError> ParseOptions(const CommandInfo& command, llvm::ArrayRef<std::string> args) {
  if (auto error = WrongAssignment(args)) {
    return *error;
  }
  Options options;
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::vector<std::pair<const OptionInfo*, std::vector<std::string>>> values;
  values.reserve(std::size(kOptions));  // CLI11 keeps the addresses
  for (const OptionInfo& option : kOptions) {
    if ((option.commands & command.bit) == 0) {
      continue;
    }
    std::string names = (option.letter.empty() ? "" : option.letter.str() + ",") + option.name.str();
    if (option.argument.empty()) {
      app.add_flag(names, options.*std::get<bool Options::*>(option.target));
    } else {
      values.push_back({&option, {}});
      app.add_option(names, values.back().second)->allow_extra_args(false);
    }
  }
  app.add_option("FILE", options.file);
  try {
    app.parse(std::vector<std::string>(args.rbegin(), args.rend()));
  } catch (const CLI::ParseError& error) {
    return Rewrite(command, error);
  }
  for (const std::string& extra : app.remaining()) {
    return Unexpected(command, extra);
  }
  for (const auto& [option, texts] : values) {
    if (!texts.empty()) {
      options.given.push_back(option->name.str());
    }
    for (const std::string& text : texts) {
      if (std::string wrong = Store(*option, text, options); !wrong.empty()) {
        return UsageError{wrong, "write " + option->name.str() + "=" + option->argument.str()};
      }
    }
  }
  if (options.file.empty()) {
    std::string operand = command.operand.str();
    return UsageError{command.name.str() + " needs a " + operand,
                      "write `spmdc " + command.name.str() + " " + operand + "`, or - for standard input"};
  }
  return options;
}

}  // namespace spmdc::cli
