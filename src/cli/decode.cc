// The command decode: a text that is given as such, or in a file, and what it means.
#include "decode/decode.h"

#include "cli/commands.h"
#include "cli/session.h"
#include "specs/placement.h"
#include "specs/spec_text.h"

namespace spmdc::cli {
namespace {

// Names of files have no brackets, blanks or equals signs where a text stands in their place.
bool LooksLikeText(llvm::StringRef argument) { return argument.find_first_of("{}[]()<>= ,") != llvm::StringRef::npos; }

specs::Text AddText(driver::Compilation& c, const char* name, const std::string& text) {
  source::FileId file = c.sources().Add(name, text);
  return {c.sources().text(file), {file, 0, static_cast<uint32_t>(text.size())}};
}

// What the options say beside the text; nothing after an error.
std::optional<decode::Beside> ReadBeside(const Options& options, driver::Compilation& c) {
  decode::Beside beside;
  beside.devices = options.devices;
  if (!options.mesh.empty()) {
    auto spec = specs::ParseMesh(AddText(c, "--mesh", options.mesh), diag::Kind::BadOption, c.diags());
    beside.mesh = spec ? specs::MakeMesh(*spec, nullptr, c.diags()) : std::nullopt;
    bool native = options.from == "spmd" ||
                  (options.from == "auto" && driver::Recognize(c.sources().text(c.file())) == driver::Format::Native);
    if (spec && native) {
      c.specs().meshes.assign(1, std::move(*spec));
    }
  }
  if (!options.shape.empty()) {
    beside.shape = decode::ParseShape(c.sources().Add("--shape", options.shape), c.diags());
  }
  return c.diags().has_errors() ? std::nullopt : std::optional(std::move(beside));
}

// `as_given`: of a program, log lines are cut to their instructions.
std::optional<decode::Decoded> Decoded(const Options& options, const std::string& as_given, Io& io,
                                       driver::Compilation& c) {
  std::optional<decode::Beside> beside = ReadBeside(options, c);
  if (!beside) {
    return std::nullopt;
  }
  if (options.from == "auto" && decode::IsSpelling(as_given)) {
    source::FileId file = c.sources().Add(c.sources().name(c.file()).str(), as_given);
    return decode::DecodeSpelling(file, *beside, c.diags());
  }
  return c.Run(io.err) ? std::optional(decode::DecodeProgram(*c.Last(), beside->mesh)) : std::nullopt;
}

}  // namespace

int Decode(const Options& options, Io& io) {
  std::string name = options.file == "-" ? "<stdin>" : options.file;
  llvm::ErrorOr<std::string> text = io.ReadInput(options.file);
  if (!text && LooksLikeText(options.file)) {
    text = options.file;
    name = "<argument>";
  }
  if (!text) {
    return TellOne(options, io, diag::Kind::NoInput,
                   "cannot read '" + options.file + "': " + text.getError().message());
  }
  driver::Compilation c(name, *text, DriverOptions(options, driver::Stage::Types));
  std::optional<decode::Decoded> decoded = Decoded(options, *text, io, c);
  int exit_code = Tell(options, io, c.diags());
  if (!decoded || exit_code != 0) {
    return exit_code;
  }
  std::error_code error = io.WriteOutput(
      options.output, options.json ? decode::ToJson(*decoded, options.all) : decode::ToText(*decoded, options.all));
  return error ? TellOne(options, io, diag::Kind::NoOutput, "cannot write '" + options.output + "': " + error.message())
               : 0;
}

}  // namespace spmdc::cli
