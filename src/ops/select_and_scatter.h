// Attributes of select_and_scatter.
#pragma once

#include "ir/attrs.h"
#include "ops/window.h"

namespace spmdc::ops {

struct SelectAndScatterAttrs {
  tensor::Dims sizes, strides, low, high;
  void Visit(ir::FieldVisitor& v) {
    v.Field("window_dimensions", sizes);
    v.Field("window_strides", strides);
    v.Field("padding_low", low);
    v.Field("padding_high", high);
  }
  llvm::SmallVector<WindowDim, 4> windows() const;
};

}  // namespace spmdc::ops
