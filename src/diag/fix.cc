// Writing and reading the one form of fixes.
#include "diag/fix.h"

#include "llvm/ADT/StringExtras.h"

namespace spmdc::diag {
namespace {

constexpr llvm::StringLiteral kBytes = " bytes per device";

}  // namespace

std::string ToHelp(const Fix& fix) {
  return fix.edit + ": " + fix.effect +
         (fix.wire_bytes != 0 ? ", " + std::to_string(fix.wire_bytes) + kBytes.str() : "");
}

std::optional<Fix> FromHelp(llvm::StringRef help) {
  auto [edit, effect] = help.split(": ");
  llvm::StringRef name = edit.split('=').first;
  bool is_name = !name.empty() && llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (!is_name || name.size() == edit.size() || effect.empty()) {
    return std::nullopt;
  }
  Fix fix{edit.str(), effect.str(), 0};
  if (effect.consume_back(kBytes)) {
    auto [before, bytes] = effect.rsplit(", ");
    if (!bytes.getAsInteger(10, fix.wire_bytes)) {
      fix.effect = before.str();
    }
  }
  return fix;
}

}  // namespace spmdc::diag
