// Attributes of random bits.
#pragma once

#include "ir/attrs.h"

namespace spmdc::ops {

enum class RngAlgorithm : uint8_t { Default, Philox, ThreeFry };

// Operand: the state. Results: the next state, the bits.
struct RngBitGeneratorAttrs {
  RngAlgorithm algorithm = RngAlgorithm::Default;
  tensor::DType dtype = tensor::DType::U32;
  tensor::Dims dims;
  void Visit(ir::FieldVisitor& v) {
    v.EnumField("algorithm", algorithm, {"DEFAULT", "PHILOX", "THREE_FRY"});
    v.Field("dtype", dtype);
    v.Field("shape", dims);
  }
};

}  // namespace spmdc::ops
