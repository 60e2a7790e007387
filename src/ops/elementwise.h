// Attributes of elementwise ops.
#pragma once

#include "ir/attrs.h"

namespace spmdc::ops {

struct ConvertAttrs {
  tensor::DType dtype = tensor::DType::F32;
  void Visit(ir::FieldVisitor& v) { v.Field("new_dtype", dtype); }
};

struct ReducePrecisionAttrs {
  int64_t exponent_bits = 8;
  int64_t mantissa_bits = 23;
  void Visit(ir::FieldVisitor& v) {
    v.Field("exponent_bits", exponent_bits);
    v.Field("mantissa_bits", mantissa_bits);
  }
};

enum class Direction { Eq, Ne, Lt, Le, Gt, Ge };
enum class CompareType { Default, Float, TotalOrder, Signed, Unsigned };

struct CompareAttrs {
  Direction direction = Direction::Eq;
  CompareType type = CompareType::Default;
  void Visit(ir::FieldVisitor& v) {
    v.EnumField("direction", direction, {"EQ", "NE", "LT", "LE", "GT", "GE"});
    v.EnumField("compare_type", type, {"DEFAULT", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"});
  }
};

// How elements of this type are compared where nothing else is said: what readers store.
CompareType NaturalCompareType(tensor::DType dtype);

}  // namespace spmdc::ops
