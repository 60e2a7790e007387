// Attributes of reduce_window. Operands: n arrays, then their n seeds; one body (a1..an, b1..bn) -> n scalars.
#pragma once

#include "ir/attrs.h"
#include "ops/window.h"

namespace spmdc::ops {

struct ReduceWindowAttrs {
  tensor::Dims sizes, strides, base_dilations, dilations, low, high;
  void Visit(ir::FieldVisitor& v) {
    v.Field("window_dimensions", sizes);
    v.Field("window_strides", strides);
    v.Field("base_dilations", base_dilations);
    v.Field("window_dilations", dilations);
    v.Field("padding_low", low);
    v.Field("padding_high", high);
  }

  llvm::SmallVector<WindowDim, 4> windows() const;
  static ReduceWindowAttrs Of(llvm::ArrayRef<WindowDim> windows);
};

// A window over a dim of `size` that takes in everything up to its element (Forward) or from it on (Backward): a scan.
enum class ScanWay : uint8_t { None, Forward, Backward };
ScanWay ScanOf(const WindowDim& window, int64_t size);

bool EvalReduceWindow(op::EvalContext& cx);

}  // namespace spmdc::ops
