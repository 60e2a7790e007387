// Spelling and uniqueness of names.
#include "text/hlo/names.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "tensor/dtype.h"

namespace spmdc::text::hlo {
namespace {

// Words that HLO's lexer takes for something else where a name is expected.
bool IsKeyword(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
             .Cases("true", "false", "inf", "nan", "HloModule", "ENTRY", "ROOT", "maximal", "replicated", "manual",
                    true)
             .Cases("last_tile_dim_replicate", "last_tile_dims", "shard_as", "shard_like", "unknown", "unreduced", true)
             .Default(false) ||
         tensor::FromHloName(name).has_value();
}

}  // namespace

std::string Spelling(llvm::StringRef name) {
  std::string text;
  text.reserve(name.size() + 1);
  if (name.empty() || !(llvm::isAlpha(name[0]) || name[0] == '_')) {
    text += 'v';
  }
  for (char c : name) {
    bool kept = llvm::isAlnum(c) || c == '_' || c == '.' || c == '-';
    text += kept ? c : c == '#' ? '.' : '_';
  }
  if (IsKeyword(text)) {
    text += '_';
  }
  return text;
}

std::string NameSet::Take(llvm::StringRef wanted) {
  std::string name = Spelling(wanted);
  if (used_.try_emplace(name, 1).second) {
    return name;
  }
  std::string candidate;
  do {
    candidate = name + "." + std::to_string(used_[name]++);
  } while (!used_.try_emplace(candidate, 1).second);
  return candidate;
}

}  // namespace spmdc::text::hlo
