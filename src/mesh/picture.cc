// The picture of a sharding: grids of blocks, rows by the last but one dim and columns by the last, the devices in each.
#include "mesh/picture.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "mesh/digits.h"

namespace spmdc::mesh {
namespace {

constexpr int64_t kMostColumns = 16;
constexpr int64_t kMostDevicesLooked = 64;
constexpr size_t kDeviceTextWidth = 24;

struct Plan {
  const Mesh& mesh;
  llvm::SmallVector<int64_t, 4> dims;
  llvm::SmallVector<int64_t, 4> counts;  // blocks along each dim
  AxisList digits;                       // of all dims, then of the copies
  int64_t copies = 1;                    // devices that hold one block
};

Plan PlanOf(const Mesh& mesh, const Sharding& sharding, llvm::ArrayRef<int64_t> dims) {
  Plan plan{mesh, {dims.begin(), dims.end()}, {}, {}, 1};
  for (const DimSharding& dim : sharding.dims) {
    plan.counts.push_back(ShardCount(dim));
    Append(plan.digits, ToDigits(mesh, dim.axes));
  }
  AxisList rest = OtherDigits(mesh.size(), plan.digits);
  plan.copies = Product(rest);
  Append(plan.digits, rest);
  return plan;
}

// `64:128`, the elements of a block along a dim.
std::string RangeText(const Plan& plan, size_t dim, int64_t block) {
  int64_t size = plan.dims[dim];
  int64_t local = LocalSize(size, plan.counts[dim]);
  int64_t begin = std::min(block * local, size);
  int64_t end = std::min((block + 1) * local, size);
  return begin == end ? "empty" : std::to_string(begin) + ":" + std::to_string(end);
}

// `0-3,8`, cut where it gets long.
std::string DevicesText(const Plan& plan, int64_t block) {
  llvm::SmallVector<int64_t, 64> devices;
  for (int64_t i = 0; i < std::min(plan.copies, kMostDevicesLooked); ++i) {
    devices.push_back(plan.mesh.DeviceAt(NumberAt(plan.mesh.size(), plan.digits, block * plan.copies + i)));
  }
  llvm::sort(devices);
  std::string text;
  for (size_t i = 0; i < devices.size();) {
    size_t last = i;
    while (last + 1 < devices.size() && devices[last + 1] == devices[last] + 1) {
      ++last;
    }
    std::string run = std::to_string(devices[i]);
    if (last > i) {
      run += (last == i + 1 ? "," : "-") + std::to_string(devices[last]);
    }
    bool cut = last + 1 == devices.size() && plan.copies > kMostDevicesLooked;
    if (text.size() + run.size() > kDeviceTextWidth || cut) {
      return text + (cut && text.empty() ? std::to_string(devices[i]) + ",... (" : "... (") +
             std::to_string(plan.copies) + " devices)";
    }
    text += run;
    i = last + 1;
    text += i < devices.size() ? "," : "";
  }
  return text;
}

std::string Padded(llvm::StringRef text, size_t width) {
  return text.str() + std::string(width > text.size() ? width - text.size() : 0, ' ');
}

// The rows and columns of one grid that are drawn.
struct Window {
  int64_t rows = 1;
  int64_t columns = 1;
  int64_t all_rows = 1;
  int64_t all_columns = 1;
};

// One grid: a header of column ranges, a row of cells for every block along the rows' dim.
std::string Grid(const Plan& plan, const Window& window, int64_t first_block) {
  size_t rank = plan.dims.size();
  std::vector<std::vector<std::string>> table;
  if (rank >= 2) {
    std::vector<std::string>& header = table.emplace_back();
    header.push_back("");
    for (int64_t c = 0; c < window.columns; ++c) {
      header.push_back(RangeText(plan, rank - 1, c));
    }
  }
  for (int64_t r = 0; r < window.rows; ++r) {
    std::vector<std::string>& row = table.emplace_back();
    row.push_back(rank == 0 ? "" : RangeText(plan, rank >= 2 ? rank - 2 : 0, r));
    for (int64_t c = 0; c < window.columns; ++c) {
      row.push_back(DevicesText(plan, first_block + r * window.all_columns + c));
    }
  }
  std::vector<size_t> widths(static_cast<size_t>(window.columns) + 1, 0);
  for (const std::vector<std::string>& row : table) {
    for (size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::string line = std::string(widths[0] + 3, ' ') + "+";
  for (size_t i = 1; i < widths.size(); ++i) {
    line += std::string(widths[i] + 2, '-') + "+";
  }
  std::string text;
  for (size_t r = 0; r < table.size(); ++r) {
    bool header = rank >= 2 && r == 0;
    std::string drawn = "  " + Padded(table[r][0], widths[0]) + (header ? "  " : " |");
    for (size_t i = 1; i < widths.size(); ++i) {
      drawn += " " + Padded(table[r][i], widths[i]) + (header ? "  " : " |");
    }
    drawn += !header && window.columns < window.all_columns ? " ..." : "";
    text += llvm::StringRef(drawn).rtrim().str() + "\n";
    text += line + "\n";
  }
  if (rank < 2) {
    text = line + "\n" + text;
  }
  if (window.rows < window.all_rows) {
    text += "  ... " + std::to_string(window.all_rows - window.rows) + " more rows\n";
  }
  if (window.columns < window.all_columns) {
    text += "  ... " + std::to_string(window.all_columns - window.columns) + " more columns\n";
  }
  return text;
}

std::string Joined(llvm::ArrayRef<int64_t> numbers) {
  std::string text;
  for (int64_t number : numbers) {
    text += (text.empty() ? "" : " x ") + std::to_string(number);
  }
  return text.empty() ? "1" : text;
}

// What the grids show, in one line each.
std::string Title(const Plan& plan, const Sharding& sharding) {
  std::string text = ToSpec(plan.mesh, sharding) + " on " + Describe(plan.mesh) + ": ";
  bool one = llvm::all_of(plan.counts, [](int64_t count) { return count == 1; });
  text += one ? "one block" : Joined(plan.counts) + " blocks";
  if (!plan.dims.empty()) {
    text += " of " + Joined(LocalDims(sharding, plan.dims));
  }
  text += std::string(one ? "" : " each") + " on " + std::to_string(plan.copies) + " device" +
          (plan.copies == 1 ? "" : "s") + "\n";
  if (Product(sharding.unreduced) > 1) {
    text += "the " + std::to_string(Product(sharding.unreduced)) + " devices along " +
            ToString(plan.mesh, sharding.unreduced) + " hold terms of a " + Name(sharding.unreduced_kind).str() + "\n";
  }
  return text;
}

}  // namespace

std::string Picture(const Mesh& mesh, const Sharding& sharding, llvm::ArrayRef<int64_t> dims, int64_t max_cells) {
  Plan plan = PlanOf(mesh, sharding, dims);
  std::string text = Title(plan, sharding);
  size_t rank = dims.size();
  Window window;
  window.all_rows = rank == 0 ? 1 : plan.counts[rank >= 2 ? rank - 2 : 0];
  window.all_columns = rank >= 2 ? plan.counts[rank - 1] : 1;
  max_cells = std::max<int64_t>(max_cells, 1);
  window.columns = std::min({window.all_columns, kMostColumns, max_cells});
  window.rows = std::min(window.all_rows, std::max<int64_t>(max_cells / window.columns, 1));
  size_t leading = rank >= 2 ? rank - 2 : 0;
  int64_t grids = 1;
  for (size_t i = 0; i < leading; ++i) {
    grids *= plan.counts[i];
  }
  int64_t drawn = std::min(grids, std::max<int64_t>(max_cells / (window.rows * window.columns), 1));
  for (int64_t grid = 0; grid < drawn; ++grid) {
    if (leading > 0) {
      std::string index;
      int64_t rest = grid;
      for (size_t i = leading; i-- > 0;) {
        index = RangeText(plan, i, rest % plan.counts[i]) + (index.empty() ? "" : ", ") + index;
        rest /= plan.counts[i];
      }
      text += "[" + index + ", :, :]\n";
    }
    text += Grid(plan, window, grid * window.all_rows * window.all_columns);
  }
  if (drawn < grids) {
    text += "... " + std::to_string(grids - drawn) + " more grids\n";
  }
  return text;
}

}  // namespace spmdc::mesh
