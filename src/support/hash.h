// A hash of whole numbers, one multiplication each: for keys that are looked up so often that hashing them shows.
#pragma once

#include <cstdint>

namespace spmdc {

class Hash {
 public:
  void Add(uint64_t number) {
    state_ = (state_ ^ number) * 0xFF51AFD7ED558CCDULL;  // MurmurHash3's multiplier
    state_ ^= state_ >> 32;
  }
  uint64_t value() const { return state_; }

 private:
  uint64_t state_ = 0x9E3779B97F4A7C15ULL;  // 2^64 / the golden ratio
};

}  // namespace spmdc
