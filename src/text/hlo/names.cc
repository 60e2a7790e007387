// Spelling and uniqueness of names.
#include "text/hlo/names.h"

#include <array>

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "tensor/dtype.h"

namespace spmdc::text::hlo {
namespace {

constexpr size_t kLongestKeyword = llvm::StringRef("last_tile_dim_replicate").size();

// Words that HLO's lexer takes for something else where a name is expected.
bool IsKeyword(llvm::StringRef name) {
  if (name.size() > kLongestKeyword || name.contains('.')) {
    return false;
  }
  return llvm::StringSwitch<bool>(name)
             .Cases("true", "false", "inf", "nan", "HloModule", "ENTRY", "ROOT", "maximal", "replicated", "manual",
                    true)
             .Cases("last_tile_dim_replicate", "last_tile_dims", "shard_as", "shard_like", "unknown", "unreduced", true)
             .Default(false) ||
         tensor::FromHloName(name).has_value();
}

// What stands in names for each character.
constexpr std::array<char, 256> kInNames = [] {
  std::array<char, 256> stands{};
  for (size_t c = 0; c < stands.size(); ++c) {
    bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
    stands[c] = kept ? static_cast<char>(c) : c == '#' ? '.' : '_';
  }
  return stands;
}();

void AppendSpelling(llvm::StringRef name, llvm::SmallVectorImpl<char>& text) {
  size_t start = text.size();
  bool needs_letter = name.empty() || !(llvm::isAlpha(name[0]) || name[0] == '_');
  if (needs_letter) {
    text.push_back('v');
  }
  text.append(name.begin(), name.end());
  for (char& c : llvm::MutableArrayRef<char>(text.end() - name.size(), name.size())) {
    c = kInNames[static_cast<unsigned char>(c)];
  }
  // No keyword starts with the letter that was put in front.
  if (!needs_letter && IsKeyword(llvm::StringRef(text.data() + start, text.size() - start))) {
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
