// Short lists of small plain things: 16 bytes, of which 8 hold the elements until there are more.
//
// Ops and values of a view come by the million; most have one or two neighbours.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <type_traits>
#include <utility>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MemAlloc.h"

namespace spmdc::propagate {

template <typename T>
class SmallList {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8 && alignof(T) <= 8, "elements are copied as bytes");
  static constexpr uint32_t kInline = 8 / sizeof(T);

 public:
  using value_type = T;

  SmallList() = default;
  SmallList(const SmallList& other) { append(other.begin(), other.end()); }
  SmallList(SmallList&& other) noexcept { Swap(other); }
  SmallList& operator=(SmallList other) noexcept {
    Swap(other);
    return *this;
  }
  ~SmallList() {
    if (!is_inline()) {
      std::free(begin());
    }
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return is_inline() ? reinterpret_cast<T*>(storage_) : Heap(); }
  const T* begin() const { return const_cast<SmallList*>(this)->begin(); }
  T* end() { return begin() + size_; }
  const T* end() const { return begin() + size_; }
  T& operator[](size_t i) { return begin()[i]; }
  const T& operator[](size_t i) const { return begin()[i]; }
  T& front() { return *begin(); }
  const T& front() const { return *begin(); }
  T& back() { return end()[-1]; }
  const T& back() const { return end()[-1]; }
  operator llvm::ArrayRef<T>() const { return {begin(), size_}; }  // NOLINT: as SmallVector does

  void push_back(T item) {
    Reserve(size_ + 1);
    begin()[size_++] = item;
  }
  template <typename Iterator>
  void append(Iterator first, Iterator last) {
    Reserve(size_ + static_cast<uint32_t>(std::distance(first, last)));
    for (; first != last; ++first) {
      begin()[size_++] = *first;
    }
  }
  template <typename Iterator>
  void assign(Iterator first, Iterator last) {
    clear();
    append(first, last);
  }
  void resize(size_t n, T item) {
    while (size_ < n) {
      push_back(item);
    }
    size_ = static_cast<uint32_t>(n);
  }
  void clear() { size_ = 0; }
  // Elements from `first` on; `last` must be the end.
  void erase(T* first, [[maybe_unused]] T* last) { size_ = static_cast<uint32_t>(first - begin()); }

 private:
  bool is_inline() const { return capacity_ == kInline; }
  T* Heap() const {
    T* heap = nullptr;
    std::memcpy(&heap, storage_, sizeof(heap));
    return heap;
  }
  void Reserve(uint32_t n) {
    if (n <= capacity_) {
      return;
    }
    uint32_t capacity = std::max(n, capacity_ * 2);
    auto* heap = static_cast<T*>(llvm::safe_malloc(capacity * sizeof(T)));
    std::copy(begin(), end(), heap);
    if (!is_inline()) {
      std::free(begin());
    }
    std::memcpy(storage_, &heap, sizeof(heap));
    capacity_ = capacity;
  }
  void Swap(SmallList& other) {
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(storage_, other.storage_);
  }

  uint32_t size_ = 0;
  uint32_t capacity_ = kInline;
  alignas(8) unsigned char storage_[8] = {};  // elements, or a pointer to them
};

}  // namespace spmdc::propagate
