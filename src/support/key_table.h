// Numbers for keys: short lists of integers, each counted once.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "support/hash.h"

namespace spmdc {

class KeyTable {
 public:
  static constexpr int32_t kUnknown = -1;

  // The number of a key (0, 1, ... in the order in which they came), and whether it is new.
  std::pair<int32_t, bool> Insert(llvm::ArrayRef<int32_t> key) {
    uint64_t hash = HashOf(key);
    if (entries_.size() * 2 >= slots_.size()) {
      Grow();
    }
    size_t slot = FindSlot(key, hash);
    if (slots_[slot] != kUnknown) {
      return {slots_[slot], false};
    }
    slots_[slot] = static_cast<int32_t>(entries_.size());
    entries_.push_back({hash, static_cast<uint32_t>(numbers_.size()), static_cast<uint32_t>(key.size())});
    numbers_.insert(numbers_.end(), key.begin(), key.end());
    return {slots_[slot], true};
  }
  // kUnknown where it was not inserted.
  int32_t Find(llvm::ArrayRef<int32_t> key) const {
    return slots_.empty() ? kUnknown : slots_[FindSlot(key, HashOf(key))];
  }
  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    uint64_t hash;
    uint32_t first, size;  // in numbers_
  };

  static uint64_t HashOf(llvm::ArrayRef<int32_t> key) {
    Hash hash;
    hash.Add(key.size());
    size_t i = 0;
    for (; i + 1 < key.size(); i += 2) {
      hash.Add(static_cast<uint64_t>(static_cast<uint32_t>(key[i])) << 32 | static_cast<uint32_t>(key[i + 1]));
    }
    if (i < key.size()) {
      hash.Add(static_cast<uint32_t>(key[i]));
    }
    return hash.value();
  }

  // The slot that holds the key, or the free one where it belongs.
  size_t FindSlot(llvm::ArrayRef<int32_t> key, uint64_t hash) const {
    size_t mask = slots_.size() - 1;
    for (size_t slot = hash & mask;; slot = (slot + 1) & mask) {
      if (slots_[slot] == kUnknown) {
        return slot;
      }
      const Entry& entry = entries_[static_cast<size_t>(slots_[slot])];
      if (entry.hash == hash && llvm::ArrayRef<int32_t>(numbers_).slice(entry.first, entry.size) == key) {
        return slot;
      }
    }
  }

  void Grow() {
    slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, kUnknown);
    for (size_t i = 0; i < entries_.size(); ++i) {
      size_t slot = entries_[i].hash & (slots_.size() - 1);
      while (slots_[slot] != kUnknown) {
        slot = (slot + 1) & (slots_.size() - 1);
      }
      slots_[slot] = static_cast<int32_t>(i);
    }
  }

  std::vector<Entry> entries_;
  std::vector<int32_t> numbers_;
  std::vector<int32_t> slots_;  // a power of two of them, at most half of them used
};

}  // namespace spmdc
