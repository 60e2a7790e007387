// Stores: append-only tables addressed by typed ids, and columns over them.
#pragma once

#include <vector>

#include "support/check.h"
#include "support/ids.h"

namespace spmdc {

// A table of T, addressed by IdT. No reference into a store lives across an Add to it.
template <typename IdT, typename T>
class Store {
 public:
  IdT Add(const T& value) {
    items_.push_back(value);
    return IdT{static_cast<int32_t>(items_.size()) - 1};
  }
  IdT Add(T&& value) {
    items_.push_back(std::move(value));
    return IdT{static_cast<int32_t>(items_.size()) - 1};
  }
  T& operator[](IdT id) {
    SPMDC_CHECK(id.index >= 0 && static_cast<size_t>(id.index) < items_.size(), "id of another store");
    return items_[static_cast<size_t>(id.index)];
  }
  const T& operator[](IdT id) const {
    SPMDC_CHECK(id.index >= 0 && static_cast<size_t>(id.index) < items_.size(), "id of another store");
    return items_[static_cast<size_t>(id.index)];
  }
  size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  void reserve(size_t n) { items_.reserve(n); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

  // The ids of all items, in order: for (ValueId v : store.ids()).
  class IdRange {
   public:
    struct Iterator {
      int32_t i;
      IdT operator*() const { return IdT{i}; }
      Iterator& operator++() {
        ++i;
        return *this;
      }
      bool operator!=(const Iterator& other) const { return i != other.i; }
    };
    explicit IdRange(size_t n) : n_(static_cast<int32_t>(n)) {}
    Iterator begin() const { return {0}; }
    Iterator end() const { return {n_}; }

   private:
    int32_t n_;
  };
  IdRange ids() const { return IdRange(items_.size()); }

 private:
  std::vector<T> items_;
};

// A column: one T per id of some store, T() where nothing was set.
template <typename IdT, typename T>
class IdMap {
 public:
  IdMap() = default;
  explicit IdMap(size_t n, T value = T()) : items_(n, value), default_(value) {}
  // Grows as needed.
  T& operator[](IdT id) {
    SPMDC_CHECK(id.index >= 0, "no id");
    if (static_cast<size_t>(id.index) >= items_.size()) {
      items_.resize(static_cast<size_t>(id.index) + 1, default_);
    }
    return items_[static_cast<size_t>(id.index)];
  }
  const T& Get(IdT id) const {
    return id.index >= 0 && static_cast<size_t>(id.index) < items_.size() ? items_[static_cast<size_t>(id.index)]
                                                                          : default_;
  }
  size_t size() const { return items_.size(); }

 private:
  std::vector<T> items_;
  T default_ = T();
};

}  // namespace spmdc
