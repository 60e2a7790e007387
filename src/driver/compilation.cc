// The table of contents of the compiler: one call a stage, each from a const program to a new one.
#include "driver/compilation.h"

#include <chrono>

#include "driver/apply_specs.h"
#include "driver/foreign_text.h"
#include "driver/log_lines.h"
#include "driver/number_devices.h"
#include "driver/remesh.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "mesh/text_cursor.h"
#include "op/op_def.h"
#include "op/verify.h"
#include "ops/sharding.h"
#include "partition/partition.h"
#include "plan/plan.h"
#include "propagate/clone.h"
#include "propagate/propagate.h"
#include "support/plural.h"
#include "support/starts_with.h"
#include "text/hlo/reader.h"
#include "text/native/decided.h"
#include "text/native/reader.h"
#include "text/stablehlo/reader.h"

namespace spmdc::driver {
namespace {

constexpr llvm::StringRef kStageNames[] = {"parse", "types", "propagate", "plan", "partition"};

// The text without leading blanks and comments of any of the languages.
llvm::StringRef SkipComments(llvm::StringRef text) {
  while (true) {
    text = text.ltrim();
    if (!StartsWith(text, "//") && !(StartsWith(text, "#") && !StartsWith(text, "#loc"))) {
      return text;
    }
    text = text.split('\n').second;
  }
}

// Editors of some systems put a byte order mark before UTF-8.
std::string WithoutMark(std::string text) {
  if (StartsWith(text, "\xEF\xBB\xBF")) {
    text.erase(0, 3);
  }
  return text;
}

}  // namespace

llvm::StringRef Name(Stage stage) { return kStageNames[static_cast<size_t>(stage)]; }

std::optional<Stage> StageNamed(llvm::StringRef name) {
  for (size_t i = 0; i < std::size(kStageNames); ++i) {
    if (kStageNames[i] == name) {
      return static_cast<Stage>(i);
    }
  }
  return std::nullopt;
}

namespace {

// The language of a text that begins as only one of them can; nothing for others.
std::optional<Format> PlainLanguage(llvm::StringRef start) {
  auto begins = [&](llvm::ArrayRef<llvm::StringRef> words) {
    return llvm::any_of(words, [&](llvm::StringRef word) { return StartsWith(start, word); });
  };
  if (begins({"HloModule", "ENTRY"})) {
    return Format::Hlo;
  }
  if (begins({"module {", "module @", "module attributes", "builtin.module", "func.func", "sdy.mesh", "#loc",
              "\"builtin.module\"", "!"})) {
    return Format::Stablehlo;
  }
  if (begins({"def ", "import ", "from ", "mesh = ", "spmdc.flat("})) {
    return Format::Native;
  }
  return std::nullopt;
}

llvm::StringRef LanguageName(Format format) {
  return format == Format::Hlo ? "HLO text" : format == Format::Stablehlo ? "StableHLO text" : "the native language";
}

llvm::StringRef OptionName(Format format) {
  return format == Format::Hlo ? "hlo" : format == Format::Stablehlo ? "stablehlo" : "spmd";
}

// `[ROOT] [%]name = f32[8]...` or `[%]name [(...) -> ...] {`: HLO without its header.
bool IsHloFragment(llvm::StringRef start) {
  llvm::StringRef line = start.split('\n').first.rtrim();
  line.consume_front("ROOT ");
  bool percent = line.consume_front("%");
  llvm::StringRef name = line.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '-'; });
  llvm::StringRef rest = line.drop_front(name.size()).ltrim();
  if (name.empty()) {
    return false;
  }
  if (rest.consume_front("=")) {
    rest = rest.ltrim(" (");
    llvm::StringRef type = rest.take_while([](char c) { return llvm::isAlnum(c); });
    return tensor::FromHloName(type).has_value() && StartsWith(rest.drop_front(type.size()), "[");
  }
  return EndsWith(rest, "{") && (rest.size() == 1 || percent || rest.contains("->"));
}

}  // namespace

Format Recognize(llvm::StringRef text) {
  llvm::StringRef start = SkipComments(text);
  if (std::optional<Format> plain = PlainLanguage(start)) {
    return *plain;
  }
  // An op of MLIR begins with its results, or with its name where it has none or they are left out.
  bool mlir = !text::stablehlo::DialectOfOp(start).empty() ||
              (StartsWith(start, "%") && start.split('\n').first.contains(" : "));
  return IsHloFragment(start) || (StartsWith(start, "%") && !mlir) ? Format::Hlo
         : mlir                                                    ? Format::Stablehlo
                                                                   : Format::Native;
}

namespace {

// What planning wrote has its moves in it: planned once more, they would be made twice.
bool CheckUnplanned(const ir::Module& program, diag::Engine& diags) {
  for (const ir::Function& function : program.functions) {
    for (const ir::Inst& inst : function.insts) {
      if (op::Def(inst.op).make_attrs == ir::NewAttrs<ops::ReshardAttrs>) {
        diags
            .Error(diag::Kind::UnsupportedFeature, inst.span,
                   "this is a move that planning put in: a planned program can be read and printed, not compiled again")
            .Help("compile the program that it was made from");
        return false;
      }
    }
  }
  return true;
}

// A device's program is for devices 0 to n-1. Types and propagation ask for no devices: they take any mesh.
bool CheckDevices(const ir::Module& program, diag::Engine& diags) {
  // Exchanges between neighbours list them, as does the text of their permutes.
  constexpr int64_t kMostDevices = int64_t{1} << 24;
  if (program.num_devices > kMostDevices) {
    diags.Error(diag::Kind::UnsupportedFeature, program.functions[program.entry].span,
                "the program is for " + std::to_string(program.num_devices) +
                    " devices, and programs are partitioned for " + std::to_string(kMostDevices) + " at most");
    return false;
  }
  const ir::Tables& tables = *program.tables;
  auto is_there = [&](const mesh::Mesh& mesh) {
    return mesh.maximal ? mesh.device_ids[0] < program.num_devices : mesh.size() == 1 || mesh::Verify(mesh).empty();
  };
  llvm::SmallVector<mesh::MeshId, 4> elsewhere;
  for (size_t i = 0; i < tables.meshes.size(); ++i) {
    mesh::MeshId id{static_cast<int32_t>(i)};
    if (!is_there(tables.meshes[id])) {
      elsewhere.push_back(id);
    }
  }
  // The tables also hold what programs before this one used.
  llvm::DenseSet<mesh::MeshId> used;
  if (!elsewhere.empty()) {
    ForEachSharding(program, [&](mesh::ShardingId id, source::Span) {
      used.insert(id.valid() ? tables.shardings[id].mesh : mesh::MeshId());
    });
  }
  for (mesh::MeshId id : elsewhere) {
    const mesh::Mesh& mesh = tables.meshes[id];
    if (used.contains(id)) {
      std::string which = mesh.maximal ? "device " + std::to_string(mesh.device_ids[0]) : "some devices only";
      diags
          .Error(diag::Kind::UnsupportedFeature, program.functions[program.entry].span,
                 "the mesh " + mesh::Describe(mesh) + " is on " + which + ", expected devices 0 to " +
                     std::to_string((mesh.maximal ? program.num_devices : mesh.size()) - 1))
          .Help("number the devices from 0: what a program computes does not depend on their numbers");
      return false;
    }
  }
  return true;
}

}  // namespace

Compilation::Compilation(std::string name, std::string text, Options options)
    : options_(std::move(options)),
      diags_(&sources_),
      file_(sources_.Add(std::move(name), WithoutLogPrefixes(WithoutMark(std::move(text))))) {}

const ir::Module* Compilation::Last() const {
  for (size_t i = std::size(programs_); i-- > 0;) {
    if (programs_[i] != nullptr) {
      return programs_[i].get();
    }
  }
  return nullptr;
}

const ir::Module* Compilation::PerDevice() const {
  const ir::Module* last = Last();
  return last != nullptr && last->per_device ? last : nullptr;
}

bool Compilation::Run(llvm::raw_ostream& prints) {
  for (Stage stage : {Stage::Parse, Stage::Types, Stage::Propagate, Stage::Plan, Stage::Partition}) {
    if (stage > options_.stop_after) {
      break;
    }
    // What is one device's program already has no shardings to decide.
    const ir::Module* last = Last();
    if (stage > Stage::Types && last->per_device) {
      break;
    }
    auto start = std::chrono::steady_clock::now();
    std::shared_ptr<const ir::Module> program = Advance(stage, prints);
    std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    times_.push_back({stage, took.count()});
    if (program == nullptr || diags_.has_errors()) {
      return false;
    }
    programs_[static_cast<size_t>(stage)] = std::move(program);
  }
  return true;
}

std::shared_ptr<const ir::Module> Compilation::Advance(Stage stage, llvm::raw_ostream& prints) {
  auto keep = [](std::optional<ir::Module> program) {
    return program ? std::make_shared<const ir::Module>(std::move(*program)) : nullptr;
  };
  auto verified = [&](std::shared_ptr<const ir::Module> program) {
    return program != nullptr && op::Verify(*program, diags_) ? program : nullptr;
  };
  switch (stage) {
    case Stage::Parse:
      return keep(Read(prints));
    case Stage::Types: {
      auto program = programs_[static_cast<size_t>(Stage::Parse)];
      program = read_is_verified_ ? program : verified(program);
      return program != nullptr && propagate::CheckCallTree(*program, diags_) ? program : nullptr;
    }
    case Stage::Propagate: {
      if (!CheckUnplanned(*At(Stage::Types), diags_) || !op::CheckStatic(*At(Stage::Types), "partitioned", diags_)) {
        return nullptr;
      }
      propagate::Options options;
      options.mode = propagate::ModeNamed(options_.propagation);
      return keep(propagate::Propagate(*At(Stage::Types), options, diags_));
    }
    // From here on every value has a sharding.
    case Stage::Plan:
      if (!CheckDevices(*At(Stage::Propagate), diags_)) {
        return nullptr;
      }
      // What is planned wrongly is no right program of one device, which is verified.
      return options_.stop_after == Stage::Plan
                 ? verified(keep(plan::Plan(*At(Stage::Propagate), plan::FewestBytes(), diags_)))
                 : keep(plan::Plan(*At(Stage::Propagate), plan::FewestBytes(), diags_));
    // From here on a value is what one device stores.
    case Stage::Partition:
      return verified(keep(partition::Partition(*At(Stage::Plan), diags_)));
  }
  return nullptr;
}

// A text that is plainly in another language than the user says is told as that, not as what its reader stumbles over.
bool Compilation::CheckLanguage(Format said) {
  llvm::StringRef text = sources_.text(file_);
  llvm::StringRef start = SkipComments(text);
  std::optional<Format> plain = PlainLanguage(start);
  if (!plain || *plain == said) {
    return true;
  }
  auto begin = static_cast<uint32_t>(start.data() - text.data());
  llvm::StringRef word = start.take_until([](char c) { return c == ' ' || c == '\n' || c == '(' || c == '{'; });
  diags_
      .Error(diag::Kind::Syntax, {file_, begin, begin + static_cast<uint32_t>(word.size())},
             "expected " + LanguageName(said).str() + ", found `" + word.str() + "`")
      .Help("this looks like " + LanguageName(*plain).str() + ": --from=" + OptionName(*plain).str());
  return false;
}

std::optional<ir::Module> Compilation::Read(llvm::raw_ostream& prints) {
  llvm::StringRef text = sources_.text(file_);
  if (text.trim().empty()) {
    diags_.Error(diag::Kind::NoInput, {file_, 0, 0}, "the text is empty, expected a program");
    return std::nullopt;
  }
  llvm::StringRef start = SkipComments(text);
  if (std::optional<Foreign> foreign = ForeignText(start)) {
    auto begin = static_cast<uint32_t>(start.data() - text.data());
    diags_
        .Error(diag::Kind::Syntax, {file_, begin, begin},
               "expected a program, found a text that is " + foreign->what.str())
        .Help(foreign->help.str());
    return std::nullopt;
  }
  Format format = options_.from == Format::Auto ? Recognize(text) : options_.from;
  if (!CheckLanguage(format)) {
    return std::nullopt;
  }
  std::optional<ir::Module> module = ReadText(format, prints);
  if (module && options_.program != "auto") {
    module->per_device = options_.program == "device";
  }
  if (module && text::native::IsDecided(*module) && !specs_.empty()) {
    diags_
        .Error(diag::Kind::UnsupportedFeature, {file_, 0, 0},
               "the text says where everything is (decided=True), and specs are for programs in which that is open")
        .Help("compile the program that it was made from under other specs");
    return std::nullopt;
  }
  if (module && format == Format::Native && !NumberDevices(*module, diags_)) {
    return std::nullopt;
  }
  // The readers of HLO and StableHLO have verified what they read, and native text is typed here.
  read_is_verified_ = format != Format::Native && specs_.empty() && options_.program == "auto";
  // The native reader asks the specs itself: its types depend on them.
  bool apply = module && format != Format::Native && !specs_.empty();
  if ((apply && !ApplyBoundary(specs_, *module, diags_)) || (module && !ConstrainValues(specs_, *module, diags_))) {
    return std::nullopt;
  }
  if (module && format != Format::Native && options_.devices != 0 && options_.devices != module->num_devices) {
    diags_
        .Error(diag::Kind::DeviceCount, {file_, 0, 0},
               "the program is for " + std::to_string(module->num_devices) + " devices, and " +
                   std::to_string(options_.devices) + " are asked for")
        .Help("--devices, or the options of a specs file, say for how many; a text that has a mesh needs neither");
    return std::nullopt;
  }
  return module;
}

// Whether the devices that are said are enough for the meshes that are.
bool Compilation::AreEnoughDevices() {
  for (const specs::MeshSpec& spec : specs_.meshes) {
    tensor::Dims sizes;
    for (const specs::MeshAxis& axis : spec.axes) {
      sizes.push_back(axis.size);
    }
    int64_t size = mesh::CheckedProduct(sizes).value_or(0);  // too many for a mesh is told where it is made
    if (options_.devices != 0 && size > options_.devices) {
      diags_.Error(
          diag::Kind::DeviceCount, spec.span,
          "the mesh has " + Counted(size, "device") + ", and --devices says " + std::to_string(options_.devices));
      return false;
    }
  }
  return true;
}

std::optional<ir::Module> Compilation::ReadText(Format format, llvm::raw_ostream& prints) {
  if (!AreEnoughDevices()) {
    return std::nullopt;
  }
  if (format == Format::Native) {
    text::native::ReadOptions options;
    options.entry = options_.entry;
    options.devices = options_.devices;
    options.specs = specs_.empty() ? nullptr : &specs_;
    return text::native::Read(file_, options, diags_, prints);
  }
  return format == Format::Stablehlo ? text::stablehlo::Read(file_, diags_, options_.entry)
                                     : text::hlo::Read(file_, diags_, {options_.entry, options_.devices});
}

}  // namespace spmdc::driver
