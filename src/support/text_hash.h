// A hash of text, eight bytes at a time: for tables of names and lines, which are asked once for each word of a program.
#pragma once

#include <cstring>

#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/StringRef.h"
#include "support/hash.h"

namespace spmdc {

inline uint64_t HashText(llvm::StringRef text) {
  Hash hash;
  uint64_t word = 0;
  constexpr size_t kWord = sizeof(word);
  const char* at = text.begin();
  for (; static_cast<size_t>(text.end() - at) >= kWord; at += kWord) {
    std::memcpy(&word, at, kWord);
    hash.Add(word);
  }
  if (at != text.end()) {
    if (text.size() >= kWord) {
      std::memcpy(&word, text.end() - kWord, kWord);  // some bytes twice
    } else {
      for (; at != text.end(); ++at) {
        word = word << 8 | static_cast<unsigned char>(*at);
      }
    }
    hash.Add(word);
  }
  hash.Add(text.size());  // last: the end of a text, in which names differ, comes to count in all bits
  return hash.value();
}

// Keys of an llvm::DenseMap that are texts.
struct TextKeyInfo : llvm::DenseMapInfo<llvm::StringRef> {
  static unsigned getHashValue(llvm::StringRef text) { return static_cast<unsigned>(HashText(text)); }
};

}  // namespace spmdc
