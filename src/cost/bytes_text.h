// Numbers of bytes as reports say them.
#pragma once

#include <string>

namespace spmdc::cost {

// 262144 -> "256 KiB", 1536 -> "1.50 KiB".
std::string BytesText(double value);

}  // namespace spmdc::cost
