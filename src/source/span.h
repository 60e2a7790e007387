// Spans: where in which text something stands. Byte offsets; lines and columns are computed when they are printed.
#pragma once

#include <cstdint>

#include "support/ids.h"

namespace spmdc::source {

using FileId = Id<struct FileTag>;

// Bytes [begin, end) of a file. A default span stands for "nowhere in a text".
struct Span {
  FileId file;
  uint32_t begin = 0;
  uint32_t end = 0;

  bool valid() const { return file.valid(); }
  friend bool operator==(const Span&, const Span&) = default;
};

// From the start of a to the end of b; both in one file.
inline Span Join(Span a, Span b) {
  if (!a.valid()) {
    return b;
  }
  if (!b.valid() || a.file != b.file) {
    return a;
  }
  return {a.file, a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

}  // namespace spmdc::source
