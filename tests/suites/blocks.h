// Which block of an array every device holds: what two shardings are compared by, however they are spelled.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace spmdc::suites {

struct Blocks {
  std::vector<int64_t> counts;                // per dim
  std::vector<std::vector<int64_t>> devices;  // per device, the block's number along every dim
  friend bool operator==(const Blocks&, const Blocks&) = default;
};

struct NamedAxis {
  std::string name;
  int64_t size = 1;
};

// Of dims with axes, major to minor, `x` or `x:(1)2`; device_ids as a mesh lists them, empty for the plain order.
Blocks BlocksOfAxes(const std::vector<std::vector<std::string>>& dims, const std::vector<NamedAxis>& mesh,
                    const std::vector<int64_t>& device_ids);
// Of HLO's text for one array; nothing where it names no blocks (manual, one device, unknown).
std::optional<Blocks> BlocksOfTiles(const std::string& text, size_t rank, int64_t num_devices);
// The leaves of `{{...}, {...}}`, or the text itself.
std::vector<std::string> SplitTuple(const std::string& text);

}  // namespace spmdc::suites
