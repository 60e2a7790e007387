// Window arithmetic, and HLO's spelling of windows.
#include "ops/window.h"

#include <cmath>

#include "llvm/ADT/STLExtras.h"
#include "ops/array_copy.h"

namespace spmdc::ops {

int64_t WindowDim::Count(int64_t base) const {
  int64_t positions = low + high + (base == 0 ? 0 : (base - 1) * base_dilation + 1);
  return positions < extent() ? 0 : (positions - extent()) / stride + 1;
}

bool WindowDim::IsCountable(int64_t base) const {
  constexpr double kMost = 0x1p62;
  auto real = [](int64_t number) { return static_cast<double>(number); };
  double span = real(size) * real(dilation), dilated = real(base) * real(base_dilation);
  return span + dilated + std::abs(real(low)) + std::abs(real(high)) < kMost;
}

bool CheckCountable(op::InferContext& cx, const WindowDim& window, int64_t base) {
  return window.IsCountable(base) ||
         cx.Fail(diag::Kind::TooLarge, "the window " + WindowText({window}) + " over " + std::to_string(base) +
                                           " elements is too large to be counted");
}

namespace {

using Field = int64_t WindowDim::*;

// ` name=1x2`, unless every dim has the value that says nothing.
std::string FieldText(llvm::StringRef name, llvm::ArrayRef<WindowDim> dims, Field field, std::optional<int64_t> quiet) {
  std::string text;
  bool said = !quiet;
  for (const WindowDim& dim : dims) {
    text += (text.empty() ? "" : "x") + std::to_string(dim.*field);
    said = said || dim.*field != *quiet;
  }
  return said ? " " + name.str() + "=" + text : "";
}

}  // namespace

std::string WindowText(llvm::ArrayRef<WindowDim> dims, llvm::ArrayRef<int64_t> reversed) {
  std::string text =
      FieldText("size", dims, &WindowDim::size, std::nullopt) + FieldText("stride", dims, &WindowDim::stride, 1);
  std::string pads, turned;
  for (const WindowDim& dim : dims) {
    pads += (pads.empty() ? "" : "x") + std::to_string(dim.low) + "_" + std::to_string(dim.high);
  }
  if (llvm::any_of(dims, [](const WindowDim& dim) { return dim.low != 0 || dim.high != 0; })) {
    text += " pad=" + pads;
  }
  text += FieldText("lhs_dilate", dims, &WindowDim::base_dilation, 1);
  text += FieldText("rhs_dilate", dims, &WindowDim::dilation, 1);
  for (int64_t turn : reversed) {
    turned += (turned.empty() ? "" : "x") + std::to_string(turn);
  }
  if (llvm::is_contained(reversed, 1)) {
    text += " rhs_reversal=" + turned;
  }
  return "{" + llvm::StringRef(text).ltrim().str() + "}";
}

std::optional<llvm::SmallVector<WindowDim, 4>> ParseWindow(llvm::StringRef text, tensor::Dims* reversed) {
  text = text.trim();
  if (!text.consume_front("{") || !text.consume_back("}")) {
    return std::nullopt;
  }
  llvm::SmallVector<WindowDim, 4> dims;
  llvm::SmallVector<llvm::StringRef, 6> fields;
  text.split(fields, ' ', -1, false);
  for (llvm::StringRef field : fields) {
    auto [name, value] = field.split('=');
    llvm::SmallVector<llvm::StringRef, 4> parts;
    value.split(parts, 'x');
    dims.resize(std::max(dims.size(), parts.size()));
    if (reversed != nullptr) {
      reversed->resize(dims.size(), 0);
    }
    for (size_t d = 0; d < parts.size(); ++d) {
      WindowDim& dim = dims[d];
      int64_t unused = 0;
      int64_t& target = name == "size"         ? dim.size
                        : name == "stride"     ? dim.stride
                        : name == "lhs_dilate" ? dim.base_dilation
                        : name == "rhs_dilate" ? dim.dilation
                        : name == "pad"        ? dim.low
                        : reversed != nullptr  ? (*reversed)[d]
                                               : unused;
      llvm::StringRef part = parts[d];
      bool good = !part.consumeInteger(10, target) &&
                  (name != "pad" || (part.consume_front("_") && !part.consumeInteger(10, dim.high))) && part.empty();
      if (!good) {
        return std::nullopt;
      }
    }
  }
  return dims;
}

bool ReadPadding(op::StablehloReader& reader, size_t rank, tensor::Dims& low, tensor::Dims& high) {
  tensor::Dims pads = reader.attr("padding") ? reader.attr("padding").ints() : tensor::Dims(2 * rank, 0);
  if (pads.size() != 2 * rank) {
    return reader.Fail(diag::Kind::Attribute,
                       "padding should have two numbers for each of " + std::to_string(rank) + " dims");
  }
  for (size_t d = 0; d < rank; ++d) {
    low.push_back(pads[2 * d]);
    high.push_back(pads[2 * d + 1]);
  }
  return true;
}

std::string MlirPadding(llvm::ArrayRef<int64_t> low, llvm::ArrayRef<int64_t> high) {
  std::string rows;
  for (size_t d = 0; d < low.size(); ++d) {
    rows += (d == 0 ? "" : ", ") + op::MlirInts({low[d], high[d]});
  }
  return "dense<[" + rows + "]> : tensor<" + std::to_string(low.size()) + "x2xi64>";
}

DimExchange WindowExchange(const WindowDim& window, int64_t dim, llvm::ArrayRef<mesh::AxisRef> axes, int64_t size,
                           int64_t results) {
  int64_t count = mesh::Product(axes);
  int64_t length = results == 0 ? 0 : (results - 1) * window.stride + window.extent();
  return {dim, mesh::AxisList(axes.begin(), axes.end()), BlocksOf(size, count),
          DilatedNeed(count, -window.low, results * window.stride, length, window.base_dilation)};
}

ir::ValueId EmitWindowed(op::LocalizeContext& cx, ir::ValueId x, mesh::MeshId mesh, const DimExchange& exchange,
                         WindowDim& window, int64_t results, ir::ValueId fill) {
  int64_t length = results == 0 ? 0 : (results - 1) * window.stride + window.extent();
  ir::ValueId positions =
      EmitDilated(cx, x, mesh, exchange, fill, -window.low, results * window.stride, length, window.base_dilation);
  window.low = window.high = 0;
  window.base_dilation = 1;
  return positions;
}

tensor::Literal UnderWindows(const tensor::Literal& x, const tensor::Literal& fill, llvm::ArrayRef<WindowDim> windows) {
  tensor::Dims low, high, interior;
  for (const WindowDim& window : windows) {
    low.push_back(window.low);
    high.push_back(window.high);
    interior.push_back(window.base_dilation - 1);
  }
  return PadLiteral(x, fill, low, high, interior);
}

}  // namespace spmdc::ops
