// Small helpers that several op families share: lists of dims in messages, and their checks.
#pragma once

#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "op/infer.h"

namespace spmdc::ops {

// `[1, 2]`.
std::string ShowList(llvm::ArrayRef<int64_t> values);

// Every entry in [0, rank) and none twice; `strictly_increasing` asks for order too. Tells the user and returns false.
bool CheckDimList(op::InferContext& cx, llvm::StringRef name, llvm::ArrayRef<int64_t> dims, size_t rank,
                  bool strictly_increasing = false);

// One entry per dim of an operand.
bool CheckPerDim(op::InferContext& cx, llvm::StringRef name, llvm::ArrayRef<int64_t> values, size_t rank);

// The type with other dims: bounds stay where the size does, sharding goes.
ir::Type WithDims(const ir::Type& type, llvm::ArrayRef<int64_t> dims);

// Same element type and dims (shardings and bounds do not count).
bool SameShape(const ir::Type& a, const ir::Type& b);

// The union of the operands' varying sets.
mesh::AxisList JoinVarying(const op::ExplicitContext& cx);

}  // namespace spmdc::ops
