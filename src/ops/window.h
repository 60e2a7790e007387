// Windows that slide over arrays: reduce_window, select_and_scatter, convolution.
#pragma once

#include <optional>
#include <string>

#include "op/op_def.h"
#include "ops/exchange.h"

namespace spmdc::ops {

// One dim of a window: `size` positions, `dilation` apart, moved by `stride` over `base` elements that are `base_dilation`
// apart, with `low` and `high` positions (maybe negative) in front and behind.
struct WindowDim {
  int64_t size = 1, stride = 1, low = 0, high = 0, base_dilation = 1, dilation = 1;

  int64_t extent() const { return (size - 1) * dilation + 1; }  // positions that one window spans
  // How many windows fit over `base` elements.
  int64_t Count(int64_t base) const;
  // Whether Count can count them: none of its numbers leaves 62 bits.
  bool IsCountable(int64_t base) const;
  // Whether it leaves a dim as it is, element by element.
  bool is_trivial() const { return size == 1 && stride == 1 && low == 0 && high == 0 && base_dilation == 1; }
};

// Fails unless the windows over `base` elements are countable.
bool CheckCountable(op::InferContext& cx, const WindowDim& window, int64_t base);

// HLO's `{size=1x2 stride=1x2 pad=0_0x0_1 lhs_dilate=1x1 rhs_dilate=1x1 rhs_reversal=0x1}`; fields that say nothing are
// left out.
std::string WindowText(llvm::ArrayRef<WindowDim> dims, llvm::ArrayRef<int64_t> reversed = {});
// Nothing if the text is no window. `reversed` is filled with a number per dim where not null.
std::optional<llvm::SmallVector<WindowDim, 4>> ParseWindow(llvm::StringRef text, tensor::Dims* reversed = nullptr);

// StableHLO's `padding`: a [rank, 2] literal, or nothing for zeros.
bool ReadPadding(op::StablehloReader& reader, size_t rank, tensor::Dims& low, tensor::Dims& high);
// The same as StableHLO spells it: `dense<[[0, 1]]> : tensor<1x2xi64>`.
std::string MlirPadding(llvm::ArrayRef<int64_t> low, llvm::ArrayRef<int64_t> high);

// What devices need of a dim of `size` elements that windows slide over, when the windows' results, `results` a device,
// are split over `axes`.
DimExchange WindowExchange(const WindowDim& window, int64_t dim, llvm::ArrayRef<mesh::AxisRef> axes, int64_t size,
                           int64_t results);
// The positions under this device's windows, with `fill` where no element is; the window over them has no padding and no
// base dilation any more.
ir::ValueId EmitWindowed(op::LocalizeContext& cx, ir::ValueId x, mesh::MeshId mesh, const DimExchange& exchange,
                         WindowDim& window, int64_t results, ir::ValueId fill);

// The operand as its windows see it: elements apart, `fill` between and around.
tensor::Literal UnderWindows(const tensor::Literal& x, const tensor::Literal& fill, llvm::ArrayRef<WindowDim> windows);

}  // namespace spmdc::ops
