// Attributes of values made from nothing.
#pragma once

#include "ir/attrs.h"

namespace spmdc::ops {

struct ConstantAttrs {
  tensor::Literal value;
  void Visit(ir::FieldVisitor& v) { v.Field("value", value); }
};

struct IotaAttrs {
  tensor::DType dtype = tensor::DType::S32;
  tensor::Dims dims;
  int64_t dim = 0;  // the dim along which it counts
  void Visit(ir::FieldVisitor& v) {
    v.Field("dtype", dtype);
    v.Field("shape", dims);
    v.Field("dimension", dim);
  }
};

}  // namespace spmdc::ops
