// Each option's text becomes a text of the compilation under the option's name, so that errors show it with a caret.
#include "cli/specs_input.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "specs/spec_text.h"
#include "text/json/specs_file.h"

namespace spmdc::cli {
namespace {

// What a specs file may say of a run: the options that change what the program is, not what is told of it.
constexpr llvm::StringLiteral kFileOptions[] = {"propagation", "program", "entry", "devices", "from"};

class SpecsInput {
 public:
  SpecsInput(Options& options, Io& io, driver::Compilation& c) : options_(options), io_(io), c_(c) {}

  bool Read() {
    if (!options_.specs.empty()) {
      ReadFile();
    }
    if (!options_.mesh.empty()) {
      ReadMesh();
    }
    ReadEntries("--in", options_.in, c_.specs().args);
    ReadEntries("--out", options_.out, c_.specs().results);
    return !c_.diags().has_errors();
  }

 private:
  specs::Text Add(const char* name, const std::string& text) {
    source::FileId file = c_.sources().Add(name, text);
    return {c_.sources().text(file), {file, 0, static_cast<uint32_t>(text.size())}};
  }

  void ReadFile() {
    constexpr size_t kLargest = size_t{64} << 20;
    llvm::ErrorOr<std::string> text = io_.ReadInput(options_.specs);
    if (!text) {
      c_.diags().Error(diag::Kind::NoInput, {}, "cannot read '" + options_.specs + "': " + text.getError().message());
      return;
    }
    if (text->size() > kLargest) {
      c_.diags().Error(diag::Kind::TooLarge, {},
                       "'" + options_.specs + "' has more than 64 MiB, and no specs file has");
      return;
    }
    source::FileId file = c_.sources().Add(options_.specs == "-" ? "<stdin>" : options_.specs, std::move(*text));
    if (auto read = text::json::ReadSpecsFile(file, c_.diags())) {
      c_.specs() = std::move(read->specs);
      for (const text::json::FileOption& option : read->options) {
        SetOption(option);
      }
    }
  }

  void SetOption(const text::json::FileOption& option) {
    std::string name = "--" + option.name;
    if (!llvm::is_contained(kFileOptions, option.name)) {
      std::vector<std::string> names(std::begin(kFileOptions), std::end(kFileOptions));
      std::string nearest = diag::Nearest(option.name, names);
      c_.diags()
          .Error(diag::Kind::InputFile, option.span, "a specs file does not set '" + option.name + "'")
          .Help(nearest.empty() ? "it may set " + llvm::join(names, ", ") : "did you mean '" + nearest + "'?");
    } else if (!llvm::is_contained(options_.given, name)) {
      std::string wrong = cli::SetOption(name, option.value, options_);
      if (!wrong.empty()) {
        c_.diags().Error(diag::Kind::InputFile, option.span, wrong);
      }
    }
  }

  void ReadMesh() {
    specs::Text text = Add("--mesh", options_.mesh);
    if (auto mesh = specs::ParseMesh(text, diag::Kind::BadOption, c_.diags())) {
      c_.specs().meshes.assign(1, std::move(*mesh));
    }
  }

  void ReadEntries(const char* name, llvm::ArrayRef<std::string> texts, std::vector<specs::Entry>& entries) {
    for (const std::string& text : texts) {
      if (auto entry = specs::ParseOption(Add(name, text), c_.diags())) {
        entries.push_back(std::move(*entry));
      }
    }
  }

  Options& options_;
  Io& io_;
  driver::Compilation& c_;
};

}  // namespace

bool ReadSpecs(Options& options, Io& io, driver::Compilation& compilation) {
  return SpecsInput(options, io, compilation).Read();
}

}  // namespace spmdc::cli
