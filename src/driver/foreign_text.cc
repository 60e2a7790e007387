// The files are known by how they begin.
#include "driver/foreign_text.h"

#include "llvm/ADT/StringExtras.h"
#include "support/starts_with.h"

namespace spmdc::driver {

namespace {

constexpr llvm::StringLiteral kDumps =
    "XLA dumps programs with --xla_dump_hlo_as_text, in files ending in before_optimizations.txt and the like";
constexpr llvm::StringLiteral kLowering =
    "jax.jit(f).lower(...).as_text() prints the program as StableHLO, which is read here";

struct Beginning {
  llvm::StringLiteral text;
  Foreign foreign;
};

}  // namespace

std::optional<Foreign> ForeignText(llvm::StringRef text) {
  const Beginning kBeginnings[] = {
      {"BufferAssignment:", {"XLA's buffer assignment", kDumps}},
      {"Total bytes used:", {"XLA's list of buffers", kDumps}},
      {"HloLiveRange ", {"XLA's live ranges of buffers", kDumps}},
      {"Memory Space:", {"XLA's report on memory", kDumps}},
      {"; ModuleID = ", {"LLVM's code of a kernel", kDumps}},
      {"{ lambda ", {"a jaxpr", kLowering}},
  };
  constexpr size_t kShown = 4096;
  if (text.take_front(kShown).contains('\0')) {
    return Foreign{"binary", kDumps};
  }
  text = text.ltrim();
  for (const Beginning& beginning : kBeginnings) {
    if (StartsWith(text, beginning.text)) {
      return beginning.foreign;
    }
  }
  llvm::StringRef word = text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (StartsWith(word, "xla_") && StartsWith(text.drop_front(word.size()), ": ")) {
    return Foreign{"XLA's list of options", kDumps};
  }
  return std::nullopt;
}

}  // namespace spmdc::driver
