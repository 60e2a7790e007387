// One compilation: a text, the stages it goes through, and every stage's program, kept.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "diag/engine.h"
#include "ir/module.h"
#include "llvm/Support/raw_ostream.h"
#include "source/source_manager.h"
#include "specs/specs.h"

namespace spmdc::driver {

enum class Format { Auto, Native, Hlo, Stablehlo };
enum class Stage { Parse, Types, Propagate, Plan, Partition };
llvm::StringRef Name(Stage stage);  // "parse", ...
std::optional<Stage> StageNamed(llvm::StringRef name);

// What a text is written in, by its first words.
Format Recognize(llvm::StringRef text);

struct Options {
  Format from = Format::Auto;
  std::string entry;                   // native language: the function to enter; empty: as the language says
  int64_t devices = 0;                 // native language: how many `devices()` has; 0: as the language says
  std::string propagation = "shardy";  // shardy | sdy | gspmd | none
  std::string program = "auto";        // auto | global | device
  Stage stop_after = Stage::Partition;
};

struct StageTime {
  Stage stage;
  double milliseconds;
};

class Compilation {
 public:
  // `name` is what messages call the text.
  Compilation(std::string name, std::string text, Options options);

  // Runs the stages up to `stop_after`. False after errors; the stages before them are there all the same. `prints` gets
  // what the program itself prints while it is read.
  bool Run(llvm::raw_ostream& prints);

  // Null if the stage was not reached. A per-device text stays at Stage::Types.
  const ir::Module* At(Stage stage) const { return programs_[static_cast<size_t>(stage)].get(); }
  // The last program there is; null if the text could not be read.
  const ir::Module* Last() const;
  // The program with a sharding on every value; null before.
  const ir::Module* Propagated() const { return At(Stage::Propagate); }
  const ir::Module* PerDevice() const;

  // What is said beside the text, before Run; its texts are added to sources().
  specs::Specs& specs() { return specs_; }
  Options& options() { return options_; }
  const Options& options() const { return options_; }
  source::SourceManager& sources() { return sources_; }
  const source::SourceManager& sources() const { return sources_; }
  diag::Engine& diags() { return diags_; }
  const diag::Engine& diags() const { return diags_; }
  llvm::ArrayRef<StageTime> times() const { return times_; }
  source::FileId file() const { return file_; }

 private:
  std::shared_ptr<const ir::Module> Advance(Stage stage, llvm::raw_ostream& prints);
  std::optional<ir::Module> Read(llvm::raw_ostream& prints);
  bool AreEnoughDevices();
  std::optional<ir::Module> ReadText(Format format, llvm::raw_ostream& prints);
  bool CheckLanguage(Format said);

  Options options_;
  specs::Specs specs_;
  source::SourceManager sources_;
  diag::Engine diags_;
  source::FileId file_;
  // A stage that changes nothing shares its program with the stage before it.
  std::shared_ptr<const ir::Module> programs_[5];
  bool read_is_verified_ = false;  // the program of Stage::Parse
  std::vector<StageTime> times_;
};

}  // namespace spmdc::driver
