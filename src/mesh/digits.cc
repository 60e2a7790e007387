// Digits of position numbers: conversions from and to axes, iotas and explicit lists.
#include "mesh/digits.h"

#include <algorithm>
#include <numeric>

#include "support/check.h"

namespace spmdc::mesh {

AxisList ToDigits(const Mesh& mesh, llvm::ArrayRef<AxisRef> list) {
  int64_t total = mesh.size();
  AxisList digits;
  for (AxisRef ref : list) {
    Append(digits, AxisRef{0, total / (PositionStride(mesh, ref) * ref.size), ref.size});
  }
  return digits;
}

namespace {

// Appends the axes of one digit; false if its boundaries are none of the mesh's.
bool AppendAxes(const Mesh& mesh, AxisRef digit, AxisList& axes) {
  int64_t before = 1;  // the product of the axes in front
  for (size_t i = 0; i < mesh.axes.size() && digit.size > 1; ++i) {
    int64_t size = mesh.axes[i].size;
    if (digit.pre < before * size && size > 1) {
      if (digit.pre % before != 0 || size % (digit.pre / before) != 0) {
        return false;
      }
      int64_t pre = digit.pre / before;
      int64_t piece = std::gcd(size / pre, digit.size);
      if (piece != std::min(size / pre, digit.size)) {
        return false;
      }
      Append(axes, AxisRef{static_cast<int32_t>(i), pre, piece});
      digit = {0, digit.pre * piece, digit.size / piece};
    }
    before *= size;
  }
  return digit.size == 1;
}

}  // namespace

std::optional<AxisList> FromDigits(const Mesh& mesh, llvm::ArrayRef<AxisRef> digits) {
  AxisList axes;
  for (AxisRef digit : digits) {
    if (!AppendAxes(mesh, digit, axes)) {
      return std::nullopt;
    }
  }
  return axes;
}

AxisList OtherDigits(int64_t total, llvm::ArrayRef<AxisRef> used) {
  return total == 1 ? AxisList() : Subtract({AxisRef{0, 1, total}}, used);
}

int64_t NumberAt(int64_t total, llvm::ArrayRef<AxisRef> digits, int64_t index) {
  int64_t number = 0;
  for (AxisRef digit : llvm::reverse(digits)) {
    number += index % digit.size * (total / digit.next_pre());
    index /= digit.size;
  }
  return number;
}

std::optional<AxisList> DigitsOf(llvm::ArrayRef<int64_t> numbers, int64_t total) {
  auto count = static_cast<int64_t>(numbers.size());
  if (count == 0 || numbers[0] != 0) {
    return std::nullopt;
  }
  AxisList minor_first;
  for (int64_t block = 1; block < count;) {
    // The longest run of equal steps between blocks is one digit, merged already.
    int64_t step = numbers[static_cast<size_t>(block)];
    int64_t size = 1;
    while (size * block < count && numbers[static_cast<size_t>(size * block)] == size * step) {
      ++size;
    }
    if (step <= 0 || size < 2 || count % (block * size) != 0 || total % step != 0 || total / step % size != 0) {
      return std::nullopt;
    }
    minor_first.push_back({0, total / step / size, size});
    block *= size;
  }
  AxisList digits;
  for (AxisRef digit : llvm::reverse(minor_first)) {
    Append(digits, digit);
  }
  for (int64_t i = 0; i < count; ++i) {
    if (NumberAt(total, digits, i) != numbers[static_cast<size_t>(i)]) {
      return std::nullopt;
    }
  }
  return digits;
}

std::optional<llvm::SmallVector<AxisList, 4>> CutDigits(llvm::ArrayRef<AxisRef> digits,
                                                        llvm::ArrayRef<int64_t> products) {
  llvm::SmallVector<AxisList, 4> parts;
  AxisRef rest;
  for (int64_t product : products) {
    AxisList& part = parts.emplace_back();
    while (product > 1) {
      if (rest.size == 1) {
        if (digits.empty()) {
          return std::nullopt;
        }
        rest = digits.front();
        digits = digits.drop_front();
      }
      int64_t piece = std::gcd(rest.size, product);
      if (piece != std::min(rest.size, product)) {
        return std::nullopt;
      }
      Append(part, AxisRef{0, rest.pre, piece});
      rest = {0, rest.pre * piece, rest.size / piece};
      product /= piece;
    }
  }
  return parts;
}

std::string IotaText(int64_t total, llvm::ArrayRef<AxisRef> digits) {
  AxisList order = DropUnits(digits);
  SPMDC_CHECK(Product(order) == total, "an iota lists every number");
  if (order.size() <= 1) {
    return "[" + std::to_string(total) + "]";
  }
  AxisList sorted = order;
  llvm::sort(sorted);
  std::string dims;
  std::string transpose;
  for (size_t i = 0; i < order.size(); ++i) {
    const char* comma = i == 0 ? "" : ",";
    dims += comma + std::to_string(sorted[i].size);
    transpose += comma + std::to_string(llvm::find(sorted, order[i]) - sorted.begin());
  }
  return "[" + dims + "]T(" + transpose + ")";
}

AxisList IotaDigits(llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> transpose) {
  AxisList natural;
  int64_t pre = 1;
  for (int64_t dim : dims) {
    natural.push_back({0, pre, dim});
    pre *= dim;
  }
  AxisList digits;
  for (size_t i = 0; i < dims.size(); ++i) {
    Append(digits, natural[transpose.empty() ? i : static_cast<size_t>(transpose[i])]);
  }
  return digits;
}

}  // namespace spmdc::mesh
