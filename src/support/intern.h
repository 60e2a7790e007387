// Interning: equal values get equal ids, so that comparing two types or shardings is comparing two integers.
#pragma once

#include <deque>
#include <unordered_map>

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "support/check.h"
#include "support/ids.h"

namespace spmdc {

// T needs operator== and hash_value (found by argument-dependent lookup). References stay valid for the table's life.
template <typename IdT, typename T>
class Interner {
 public:
  IdT Intern(const T& value) {
    auto& bucket = index_[static_cast<size_t>(hash_value(value))];
    for (IdT id : bucket) {
      if (items_[static_cast<size_t>(id.index)] == value) {
        return id;
      }
    }
    IdT id{static_cast<int32_t>(items_.size())};
    items_.push_back(value);
    bucket.push_back(id);
    return id;
  }
  const T& operator[](IdT id) const {
    SPMDC_CHECK(id.index >= 0 && static_cast<size_t>(id.index) < items_.size(), "id of another table");
    return items_[static_cast<size_t>(id.index)];
  }
  size_t size() const { return items_.size(); }

 private:
  std::deque<T> items_;
  std::unordered_map<size_t, llvm::SmallVector<IdT, 1>> index_;
};

}  // namespace spmdc
