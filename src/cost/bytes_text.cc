// The largest unit that leaves a number of at least one.
#include "cost/bytes_text.h"

#include <cstdint>
#include <iterator>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"

namespace spmdc::cost {

std::string BytesText(double value) {
  constexpr llvm::StringRef kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  size_t unit = 0;
  while (value >= 1024 && unit + 1 < std::size(kUnits)) {
    value /= 1024;
    ++unit;
  }
  bool whole = value == static_cast<double>(static_cast<int64_t>(value));
  return whole ? llvm::formatv("{0} {1}", static_cast<int64_t>(value), kUnits[unit]).str()
               : llvm::formatv("{0:f2} {1}", value, kUnits[unit]).str();
}

}  // namespace spmdc::cost
