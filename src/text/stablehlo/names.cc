// Spelling and uniqueness of names.
#include "text/stablehlo/names.h"

#include "llvm/ADT/STLExtras.h"
#include "text/stablehlo/lexer.h"

namespace spmdc::text::stablehlo {

std::string ValueSpelling(llvm::StringRef name) {
  if (!name.empty() && llvm::all_of(name, IsDigit)) {
    return name.str();
  }
  std::string text;
  if (name.empty() || IsDigit(name[0])) {
    text = "v";
  }
  for (char c : name) {
    text += IsNameChar(c) ? c : '_';
  }
  return text;
}

std::string SymbolText(llvm::StringRef name) {
  if (!name.empty() && IsLetter(name[0]) && llvm::all_of(name, IsWordChar)) {
    return "@" + name.str();
  }
  std::string text = "@\"";
  for (char c : name) {
    if (c == '"' || c == '\\') {
      text += '\\';
    }
    text += c;
  }
  return text + "\"";
}

std::string NameSet::Take(llvm::StringRef wanted) {
  std::string name = wanted.str();
  // Behind a number nothing may stand.
  std::string stem = (!wanted.empty() && IsDigit(wanted[0]) ? "v" : "") + name + "_";
  for (int i = 1; !used_.insert(name).second; ++i) {
    name = stem + std::to_string(i);
  }
  taken_.push_back(name);
  return name;
}

void NameSet::Release(size_t mark) {
  for (size_t i = mark; i < taken_.size(); ++i) {
    used_.erase(taken_[i]);
  }
  taken_.resize(mark);
}

}  // namespace spmdc::text::stablehlo
