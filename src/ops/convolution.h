// convolution: attributes, and what its files share.
#pragma once

#include <string>

#include "ir/attrs.h"
#include "op/op_def.h"
#include "ops/window.h"

namespace spmdc::ops {

// Which dims of an array are what. Spatial dims are in the windows' order.
struct ConvDims {
  int64_t batch = 0;    // of the kernel: its input features
  int64_t feature = 0;  // of the kernel: its output features
  tensor::Dims spatial;
};

// Operands: input, kernel.
struct ConvolutionAttrs {
  ConvDims input, kernel, output;
  tensor::Dims strides, low, high, lhs_dilation, rhs_dilation, reversed;  // per spatial dim; reversed: 0 or 1
  int64_t feature_groups = 1, batch_groups = 1;
  tensor::DType result_dtype = tensor::DType::F32;
  std::string precision;  // as the text had it; printed again, never read
  void Visit(ir::FieldVisitor& v);

  // The windows that a kernel makes.
  llvm::SmallVector<WindowDim, 4> Windows(llvm::ArrayRef<int64_t> kernel_dims) const;
  void SetWindows(llvm::ArrayRef<WindowDim> windows);
};

bool EvalConvolution(op::EvalContext& cx);
bool ParseConvolution(op::StablehloReader& reader);
void PrintMlirConvolution(op::StablehloPrinter& printer);
void PrintHloConvolution(op::HloPrinter& printer);
bool ReadHloConvolution(op::HloReader& reader, ir::AttrsId& attrs);
void PrintNativeConvolution(op::NativePrinter& printer);

}  // namespace spmdc::ops
