// Interning: equal values get equal ids, so that comparing two types or shardings is comparing two integers.
#pragma once

#include <algorithm>
#include <deque>
#include <vector>

#include "llvm/ADT/Hashing.h"
#include "support/check.h"
#include "support/ids.h"

namespace spmdc {

// T needs operator== and hash_value (found by argument-dependent lookup). References stay valid for the table's life.
template <typename IdT, typename T>
class Interner {
 public:
  IdT Intern(const T& value) { return FindOrAdd(value); }
  IdT Intern(T&& value) { return FindOrAdd(std::move(value)); }
  const T& operator[](IdT id) const {
    SPMDC_CHECK(id.index >= 0 && static_cast<size_t>(id.index) < items_.size(), "id of another table");
    return items_[static_cast<size_t>(id.index)];
  }
  size_t size() const { return items_.size(); }

 private:
  // Of the hash the low half: enough to tell most items apart without looking at them.
  struct Slot {
    uint32_t hash = 0;
    IdT id;  // none: the slot is free
  };

  template <typename U>
  IdT FindOrAdd(U&& value) {
    if (2 * items_.size() >= slots_.size()) {
      Grow();
    }
    auto hash = static_cast<uint32_t>(static_cast<size_t>(hash_value(value)));
    size_t at = hash & (slots_.size() - 1);
    for (; slots_[at].id.valid(); at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].hash == hash && items_[static_cast<size_t>(slots_[at].id.index)] == value) {
        return slots_[at].id;
      }
    }
    slots_[at] = {hash, IdT{static_cast<int32_t>(items_.size())}};
    items_.push_back(std::forward<U>(value));
    return slots_[at].id;
  }

  void Grow() {
    std::vector<Slot> old(std::max<size_t>(16, 2 * slots_.size()));
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.id.valid()) {
        size_t at = slot.hash & (slots_.size() - 1);
        while (slots_[at].id.valid()) {
          at = (at + 1) & (slots_.size() - 1);
        }
        slots_[at] = slot;
      }
    }
  }

  std::deque<T> items_;
  std::vector<Slot> slots_;  // open addressing; a power of two, at most half of them taken
};

}  // namespace spmdc
