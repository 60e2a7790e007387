// Block numbers by arithmetic on device numbers, apart from the compiler's own code for it.
#include "suites/blocks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "support/starts_with.h"

namespace spmdc::suites {

namespace {

struct Digit {
  int64_t stride = 1, size = 1;
};

Digit DigitOf(llvm::StringRef axis, const std::vector<NamedAxis>& mesh) {
  auto [name, part] = axis.rsplit(":(");
  int64_t stride = 1;
  for (const NamedAxis& known : llvm::reverse(mesh)) {
    if (known.name != (part.empty() ? axis : name)) {
      stride *= known.size;
      continue;
    }
    if (part.empty()) {
      return {stride, known.size};
    }
    int64_t pre = 1, size = 1;
    part.split(')').first.getAsInteger(10, pre);
    part.split(')').second.getAsInteger(10, size);
    return {stride * (known.size / (pre * size)), size};
  }
  return {};
}

std::vector<int64_t> Ints(llvm::StringRef list) {
  std::vector<int64_t> values;
  llvm::SmallVector<llvm::StringRef, 8> parts;
  list.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    int64_t value = 0;
    if (!part.trim().getAsInteger(10, value)) {
      values.push_back(value);
    }
  }
  return values;
}

// The device numbers in the order of `[tiles]<=[dims]T(transpose)`.
std::vector<int64_t> IotaOrder(const std::vector<int64_t>& dims, const std::vector<int64_t>& transpose, int64_t total) {
  std::vector<int64_t> stride(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;) {
    stride[i - 1] = stride[i] * dims[i];
  }
  std::vector<int64_t> order;
  for (int64_t p = 0; p < total; ++p) {
    int64_t rest = p, device = 0;
    for (size_t i = dims.size(); i-- > 0;) {
      size_t k = transpose.empty() ? i : static_cast<size_t>(transpose[i]);
      device += rest % dims[k] * stride[k];
      rest /= dims[k];
    }
    order.push_back(device);
  }
  return order;
}

}  // namespace

Blocks BlocksOfAxes(const std::vector<std::vector<std::string>>& dims, const std::vector<NamedAxis>& mesh,
                    const std::vector<int64_t>& device_ids) {
  int64_t total = 1;
  for (const NamedAxis& axis : mesh) {
    total *= axis.size;
  }
  Blocks blocks;
  blocks.devices.assign(static_cast<size_t>(total), {});
  for (const auto& axes : dims) {
    std::vector<Digit> digits;
    int64_t count = 1;
    for (const std::string& axis : axes) {
      digits.push_back(DigitOf(axis, mesh));
      count *= digits.back().size;
    }
    blocks.counts.push_back(count);
    for (int64_t p = 0; p < total; ++p) {
      int64_t number = 0;
      for (Digit digit : digits) {
        number = number * digit.size + p / digit.stride % digit.size;
      }
      auto device = static_cast<size_t>(device_ids.empty() ? p : device_ids[static_cast<size_t>(p)]);
      blocks.devices[device].push_back(number);
    }
  }
  return blocks;
}

std::optional<Blocks> BlocksOfTiles(const std::string& text, size_t rank, int64_t num_devices) {
  llvm::StringRef s = text;
  if (s.contains("manual") || s.contains("maximal") || s.contains("unknown")) {
    return std::nullopt;
  }
  Blocks blocks;
  blocks.counts.assign(rank, 1);
  blocks.devices.assign(static_cast<size_t>(num_devices), std::vector<int64_t>(rank, 0));
  size_t at = s.find("devices=[");
  if (at == llvm::StringRef::npos) {
    return blocks;
  }
  auto [tile_text, rest] = s.substr(at).drop_front(9).split(']');
  std::vector<int64_t> tiles = Ints(tile_text), order;
  int64_t total = 1;
  for (int64_t tile : tiles) {
    total *= tile;
  }
  if (rest.consume_front("<=[")) {
    auto [dims, tail] = rest.split(']');
    std::vector<int64_t> transpose;
    if (tail.consume_front("T(")) {
      transpose = Ints(tail.split(')').first);
    }
    order = IotaOrder(Ints(dims), transpose, total);
  } else {
    order = Ints(rest.split(' ').first.split('}').first);
  }
  for (size_t p = 0; p < order.size(); ++p) {
    auto number = static_cast<int64_t>(p);
    for (size_t d = tiles.size(); d-- > 0;) {
      if (d < rank) {
        blocks.devices[static_cast<size_t>(order[p])][d] = number % tiles[d];
        blocks.counts[d] = tiles[d];
      }
      number /= tiles[d];
    }
  }
  return blocks;
}

std::vector<std::string> SplitTuple(const std::string& text) {
  if (!StartsWith(text, "{{")) {
    return {text};
  }
  std::vector<std::string> leaves;
  int depth = 0;
  for (char c : llvm::StringRef(text).drop_front().drop_back()) {
    if (c == '{' && depth++ == 0) {
      leaves.emplace_back();
    }
    if (depth > 0) {
      leaves.back() += c;
    }
    depth -= c == '}' ? 1 : 0;
  }
  return leaves;
}

}  // namespace spmdc::suites
