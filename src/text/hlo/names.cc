// Spelling and uniqueness of names.
#include "text/hlo/names.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "tensor/dtype.h"

namespace spmdc::text::hlo {
namespace {

constexpr size_t kLongestKeyword = llvm::StringRef("last_tile_dim_replicate").size();

// Words that HLO's lexer takes for something else where a name is expected.
bool IsKeyword(llvm::StringRef name) {
  if (name.contains('.') || name.size() > kLongestKeyword) {
    return false;
  }
  return llvm::StringSwitch<bool>(name)
             .Cases("true", "false", "inf", "nan", "HloModule", "ENTRY", "ROOT", "maximal", "replicated", "manual",
                    true)
             .Cases("last_tile_dim_replicate", "last_tile_dims", "shard_as", "shard_like", "unknown", "unreduced", true)
             .Default(false) ||
         tensor::FromHloName(name).has_value();
}

void AppendSpelling(llvm::StringRef name, llvm::SmallVectorImpl<char>& text) {
  size_t start = text.size();
  if (name.empty() || !(llvm::isAlpha(name[0]) || name[0] == '_')) {
    text.push_back('v');
  }
  for (char c : name) {
    bool kept = llvm::isAlnum(c) || c == '_' || c == '.' || c == '-';
    text.push_back(kept ? c : c == '#' ? '.' : '_');
  }
  if (IsKeyword(llvm::StringRef(text.data() + start, text.size() - start))) {
    text.push_back('_');
  }
}

}  // namespace

std::string Spelling(llvm::StringRef name) {
  llvm::SmallString<64> text;
  AppendSpelling(name, text);
  return text.str().str();
}

llvm::StringRef NameSet::Take(llvm::StringRef wanted) {
  llvm::SmallString<64> name = sigil_;
  AppendSpelling(wanted, name);
  auto [given, fresh] = used_.try_emplace(name, 1);
  if (fresh) {
    return given->first();
  }
  name += '.';
  size_t stem = name.size();
  for (int& next = given->second;;) {
    name.resize(stem);
    name += std::to_string(next++);
    auto [candidate, is_free] = used_.try_emplace(name, 1);
    if (is_free) {
      return candidate->first();
    }
  }
}

}  // namespace spmdc::text::hlo
