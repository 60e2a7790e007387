// Typed ids: four bytes that name an object in a store, comparable, hashable, valid across growth of the store.
#pragma once

#include <cstdint>

#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/Hashing.h"

namespace spmdc {

// Tag keeps the ids of different stores apart. The default value names nothing.
template <typename Tag>
struct Id {
  int32_t index = -1;

  static constexpr Id None() { return {}; }
  constexpr bool valid() const { return index >= 0; }
  friend constexpr bool operator==(Id a, Id b) { return a.index == b.index; }
  friend constexpr auto operator<=>(Id a, Id b) { return a.index <=> b.index; }
  friend llvm::hash_code hash_value(Id id) { return llvm::hash_value(id.index); }
};

}  // namespace spmdc

template <typename Tag>
struct llvm::DenseMapInfo<spmdc::Id<Tag>> {
  static spmdc::Id<Tag> getEmptyKey() { return {-2}; }
  static spmdc::Id<Tag> getTombstoneKey() { return {-3}; }
  static unsigned getHashValue(spmdc::Id<Tag> id) { return static_cast<unsigned>(id.index) * 37U; }
  static bool isEqual(spmdc::Id<Tag> a, spmdc::Id<Tag> b) { return a == b; }
};
