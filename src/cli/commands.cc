// The commands: each runs the stages it needs and writes what they made.
#include "cli/commands.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "check/golden.h"
#include "cli/session.h"
#include "cost/memory.h"
#include "explain/advice.h"
#include "explain/why.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "op/verify.h"
#include "run/inputs.h"
#include "run/run.h"
#include "support/plural.h"
#include "support/starts_with.h"
#include "text/hlo/writer.h"
#include "text/json/specs_file.h"
#include "text/native/decided.h"
#include "text/native/writer.h"
#include "text/stablehlo/writer.h"

namespace spmdc::cli {
namespace {

driver::Stage StopAfter(const Options& options) {
  return driver::StageNamed(options.stop_after).value_or(driver::Stage::Partition);
}

mesh::GroupForm Groups(const Options& options) {
  return options.replica_groups == "list"   ? mesh::GroupForm::List
         : options.replica_groups == "iota" ? mesh::GroupForm::Iota
         : options.replica_groups == "mesh" ? mesh::GroupForm::Mesh
                                            : mesh::GroupForm::Auto;
}

// A program of one device is HLO; what is not partitioned yet is printed in the native language.
void WriteProgram(Session& session, const Options& options) {
  const ir::Module& program = *session.compilation()->Last();
  bool native = options.emit == "spmd" || (options.emit.empty() && !program.per_device);
  if (native) {
    if (op::CheckStatic(program, "written in the native language", session.compilation()->diags())) {
      session.Write(text::native::Write(program));
    }
  } else if (options.emit == "stablehlo") {
    if (text::stablehlo::CheckWritable(program, session.compilation()->diags())) {
      session.Write(text::stablehlo::Write(program));
    }
  } else if (text::hlo::CheckWritable(program, session.compilation()->diags())) {
    session.Write(text::hlo::Write(program, {Groups(options)}));
  }
}

}  // namespace

int Compile(const Options& options, Io& io) {
  Session session(options, io, StopAfter(options));
  if (options.emit == "json") {
    session.Write(explain::ToJson(session.Report()));
  } else if (session.ok()) {
    WriteProgram(session, options);
  }
  return session.Finish();
}

UsageDiagnostic::UsageDiagnostic(const std::string& message, const std::string& help) {
  diags.Error(diag::Kind::BadOption, {}, message).Help(help);
}

std::string UsageReport(const UsageDiagnostic& wrong) {
  return explain::ToJson(explain::MakeReport({wrong.sources, wrong.diags}));
}

namespace {

// Names that are no value's are told with those most like them.
bool CheckNames(const Options& options, const ir::Module& program, diag::Engine& diags) {
  for (const std::string& name : options.value) {
    if (explain::FindValues(program, name).empty()) {
      std::string nearest = llvm::join(explain::NearestNames(program, name, 3), ", ");
      diags.Error(diag::Kind::BadOption, {}, "no value is called '" + name + "'").Help("names like it: " + nearest);
      return false;
    }
  }
  return true;
}

int ComparePropagation(const Options& options, Io& io) {
  Options one = options, other = options;
  one.propagation = "shardy";
  other.propagation = "gspmd";
  for (Options* options_of : {&one, &other}) {
    options_of->given.push_back("--propagation");  // whatever a specs file says
  }
  Session a(one, io, StopAfter(options));
  if (a.compilation()->Propagated() == nullptr) {
    return a.Finish();
  }
  Session b(other, io, StopAfter(options));
  if (b.compilation()->Propagated() == nullptr) {
    return b.Finish();
  }
  a.Write(explain::CompareText(a.Report(), b.Report()));
  int first = a.Finish(), second = b.Finish();
  return first != 0 ? first : second;
}

std::string ExplainText(const Options& options, const explain::Report& report) {
  return options.rules               ? explain::RulesText(report)
         : options.trace_propagation ? explain::TraceText(report)
         : options.value.empty()     ? explain::ToText(report, options.all)
                                     : explain::ValuesText(report, options.value);
}

}  // namespace

int Explain(const Options& options, Io& io) {
  bool alone = !options.json && (options.rules || options.trace_propagation || !options.value.empty());
  if (options.rules + options.trace_propagation + options.compare_propagation + (options.value.empty() ? 0 : 1) > 1) {
    return TellOne(
        options, io, diag::Kind::BadOption,
        "--rules, --trace-propagation, --compare-propagation and --value are reports of their own: one a run");
  }
  if (options.compare_propagation) {
    if (options.json) {
      return TellOne(
          options, io, diag::Kind::BadOption,
          "--compare-propagation is a text; compare the --json of --propagation=shardy and --propagation=gspmd");
    }
    return ComparePropagation(options, io);
  }
  // What values are is known after propagation, even where a later stage refuses the program.
  driver::Stage stage = StopAfter(options);
  Session session(options, io, alone ? std::min(stage, driver::Stage::Propagate) : stage);
  explain::Report report = session.Report();
  if (!alone) {
    explain::AddAdvice(report);
  }
  if (options.json) {
    session.Write(explain::ToJson(report));
  } else if (session.ok() && CheckNames(options, *report.program, session.compilation()->diags())) {
    session.Write(ExplainText(options, report));
  }
  return session.Finish();
}

namespace {

// The program that inputs and whole results are of, and the one that devices run.
struct Runnable {
  const ir::Module& global;
  const ir::Module& per_device;
};

// Random arguments, and the user's in their places; `random` marks those that stay random.
bool MakeInputs(const Options& options, const Io& io, const ir::Module& global, int64_t seed, run::Inputs& inputs,
                std::vector<char>& random, diag::Engine& diags) {
  run::InputFiles files;
  files.archive = options.inputs;
  for (const std::string& text : options.input) {
    auto [name, file] = llvm::StringRef(text).split('=');
    if (file.empty()) {
      diags.Error(diag::Kind::BadOption, {}, "--input takes ARG=FILE.npy, got '" + text + "'");
      return false;
    }
    files.named.emplace_back(name.str(), file.str());
  }
  inputs = run::RandomInputs(global, static_cast<uint64_t>(seed));
  random.assign(inputs.size(), 1);
  auto read = [&](llvm::StringRef path) { return io.files.Read(path); };
  return run::ReadInputs(global, files, read, inputs, random, diags);
}

// The memory that is left for comparing when what both runs keep at once is taken off this machine's; nothing, with a
// diagnostic, if there is none: arrays that do not fit would end the process.
std::optional<int64_t> MemoryToSpare(const Runnable& programs, diag::Engine& diags) {
  constexpr double kGiB = 1024.0 * 1024 * 1024;
  double need = 2 * static_cast<double>(cost::MeasureMemory(programs.global).peak_bytes) +
                static_cast<double>(cost::MeasureMemory(programs.per_device).peak_bytes) *
                    static_cast<double>(programs.per_device.num_devices) +
                run::BookkeepingBytes(programs.per_device);
  double have = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  if (need <= have) {
    return static_cast<int64_t>((have - need) / 2);
  }
  const ir::Function& entry = programs.global.functions[programs.global.entry];
  diags
      .Error(
          diag::Kind::UnsupportedFeature, entry.span,
          llvm::formatv("running needs at least {0:f1} GiB, and this machine has {1:f1} GiB", need / kGiB, have / kGiB))
      .Help("run a smaller variant of the program; compile and explain take any size");
  return std::nullopt;
}

// What a check did, and what it could not look at.
std::string Summary(const run::CheckResult& checked, int64_t devices) {
  std::string text =
      llvm::formatv("same numbers on {0}: {1} with {2} compared, {3} a device, {4} sent by one device\n",
                    Counted(devices, "device"), Counted(checked.values, "value"), Counted(checked.elements, "element"),
                    Counted(checked.collectives, "collective"), Counted(std::llround(checked.wire_bytes), "byte"));
  if (checked.not_kept > 0) {
    text += "note: not compared for want of memory: " + Counted(checked.not_kept, "value") + "\n";
  }
  if (checked.made_positive > 0) {
    text +=
        "note: made positive, for roots and logarithms of them: " + Counted(checked.made_positive, "random argument") +
        "\n";
  }
  if (checked.all_nan > 0) {
    text += "note: NaN everywhere, so that these inputs tested little: " + Counted(checked.all_nan, "result") + "\n";
  }
  return text;
}

std::string Summary(const run::DeviceRun& ran, int64_t devices) {
  return llvm::formatv("ran on {0}: {1} a device, {2} sent by one device\n", Counted(devices, "device"),
                       Counted(ran.collectives, "collective"), Counted(std::llround(ran.wire_bytes), "byte"));
}

// Appends to `told`. False after a diagnostic.
bool RunOnce(const Options& options, Io& io, const Runnable& programs, int64_t trace_bytes, int64_t seed,
             std::string& told, diag::Engine& diags) {
  run::RunOptions run_options;
  run_options.anchor = !options.no_anchor;
  run_options.trace_bytes = trace_bytes;
  run::Inputs inputs;
  if (!MakeInputs(options, io, programs.global, seed, inputs, run_options.random, diags)) {
    return false;
  }
  std::vector<tensor::Literal> results;
  int64_t devices = programs.per_device.num_devices;
  if (options.check) {
    run::CheckResult checked = run::CheckPartition(programs.global, programs.per_device, inputs, run_options, diags);
    if (!checked.ok) {
      return false;
    }
    told += Summary(checked, devices);
    results = std::move(checked.results);
  } else {
    auto ran = run::RunDevices(programs.global, programs.per_device, inputs, run_options, diags);
    if (!ran) {
      return false;
    }
    told += Summary(*ran, devices);
    results = std::move(ran->results);
  }
  auto write = [&](llvm::StringRef path, llvm::StringRef bytes) { return io.files.Write(path, bytes); };
  return options.save.empty() || run::SaveResults(options.save, results, write, diags);
}

source::Span EntrySpan(const ir::Module& program) { return program.functions[program.entry].span; }

// A command that needs a whole program has got one device's, or what looks like it.
void RefuseDeviceProgram(Session& session, std::string message) {
  session.compilation()
      ->diags()
      .Error(diag::Kind::UnsupportedFeature, EntrySpan(*session.compilation()->Last()), std::move(message))
      .Help("if it is a whole program all the same: --program=global");
}

}  // namespace

int RunProgram(const Options& options, Io& io) {
  Session session(options, io, driver::Stage::Partition);
  if (!session.ok()) {
    return session.Finish();
  }
  const driver::Compilation& c = *session.compilation();
  if (c.Propagated() == nullptr) {
    RefuseDeviceProgram(session, "the text is one device's program; run takes the whole program");
    return session.Finish();
  }
  Runnable programs{*c.Propagated(), *c.PerDevice()};
  diag::Engine& diags = session.compilation()->diags();
  std::optional<int64_t> spare = MemoryToSpare(programs, diags);
  std::string told;
  for (int64_t i = 0; spare && i < options.iterations; ++i) {
    if (!RunOnce(options, io, programs, *spare, options.seed + i, told, diags)) {
      break;
    }
  }
  if (!told.empty()) {
    session.Write(told);
  }
  return session.Finish();
}

namespace {

// `, with the same --mesh, --in`: what was given that the program which is reported on depends on.
std::string SameOptions(const Options& options) {
  constexpr llvm::StringLiteral kDeciding[] = {"--from", "--entry", "--devices", "--program",    "--specs",
                                               "--mesh", "--in",    "--out",     "--propagation"};
  std::string names;
  for (llvm::StringRef name : kDeciding) {
    if (llvm::is_contained(options.given, name)) {
      names += (names.empty() ? ", with the same " : ", ") + name.str();
    }
  }
  return names;
}

}  // namespace

int Check(const Options& options, Io& io) {
  if (options.golden.empty()) {
    return TellOne(options, io, diag::Kind::BadOption, "check needs --golden=FILE, the report to compare with");
  }
  Session session(options, io, driver::Stage::Partition);
  if (!session.ok()) {
    return session.Finish();
  }
  diag::Engine& diags = session.compilation()->diags();
  std::string report = explain::ToFacts(session.Report());
  llvm::ErrorOr<std::string> golden = io.files.Read(options.golden);
  if (golden && !golden->empty() && !StartsWith(*golden, check::kGoldenHead)) {
    diags.Error(diag::Kind::InputFile, {}, "'" + options.golden + "' is no report of check, and is left as it is")
        .Help("name another file with --golden; --update writes it");
    return session.Finish();
  }
  if (options.update) {
    if (std::error_code error = io.files.Write(options.golden, check::GoldenFile(report))) {
      diags.Error(diag::Kind::NoOutput, {}, "cannot write '" + options.golden + "': " + error.message());
    }
    return session.Finish();
  }
  if (!golden) {
    diags.Error(diag::Kind::NoInput, {}, "cannot read '" + options.golden + "': " + golden.getError().message())
        .Help("--update writes it");
    return session.Finish();
  }
  std::string difference = check::CompareGolden(*golden, report);
  if (!difference.empty()) {
    session.Write(difference);
    diags.Error(diag::Kind::GoldenDiffers, {}, "the report differs from '" + options.golden + "'")
        .Help("if the change is wanted: spmdc check " + options.file + " --golden " + options.golden + " --update" +
              SameOptions(options));
  }
  return session.Finish();
}

int WriteSpecs(const Options& options, Io& io) {
  Session session(options, io, driver::Stage::Types);
  if (!session.ok()) {
    return session.Finish();
  }
  const ir::Module& program = *session.compilation()->Last();
  if (program.per_device) {
    RefuseDeviceProgram(session, "the text is one device's program, and specs are for whole programs");
  } else if (text::native::IsDecided(program)) {
    session.compilation()->diags().Error(
        diag::Kind::UnsupportedFeature, EntrySpan(program),
        "the text says where everything is (decided=True): specs would change nothing");
  } else {
    session.Write(text::json::WriteSpecsFile(program));
  }
  return session.Finish();
}

}  // namespace spmdc::cli
