// Checks of dim lists and helpers on types.
#include "ops/dims.h"

#include "llvm/ADT/STLExtras.h"

namespace spmdc::ops {

std::string ShowList(llvm::ArrayRef<int64_t> values) {
  std::string text = "[";
  for (size_t i = 0; i < values.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(values[i]);
  }
  return text + "]";
}

bool CheckDimList(op::InferContext& cx, llvm::StringRef name, llvm::ArrayRef<int64_t> dims, size_t rank,
                  bool strictly_increasing) {
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 0 || dims[i] >= static_cast<int64_t>(rank)) {
      return cx.Fail(diag::Kind::AxisRange, name.str() + " " + ShowList(dims) + " names dim " +
                                                std::to_string(dims[i]) + ", but the array has " +
                                                std::to_string(rank) + " dims");
    }
    if (llvm::is_contained(dims.take_front(i), dims[i])) {
      return cx.Fail(diag::Kind::AxisRange,
                     name.str() + " " + ShowList(dims) + " names dim " + std::to_string(dims[i]) + " twice");
    }
    if (strictly_increasing && i > 0 && dims[i] < dims[i - 1]) {
      return cx.Fail(diag::Kind::AxisRange, name.str() + " " + ShowList(dims) + " is not in increasing order");
    }
  }
  return true;
}

bool CheckPerDim(op::InferContext& cx, llvm::StringRef name, llvm::ArrayRef<int64_t> values, size_t rank) {
  return values.size() == rank ||
         cx.Fail(diag::Kind::ShapeRule, name.str() + " " + ShowList(values) + " has " + std::to_string(values.size()) +
                                            " entries, but the array has " + std::to_string(rank) + " dims");
}

ir::Type WithDims(const ir::Type& type, llvm::ArrayRef<int64_t> dims) {
  ir::Type result = ir::ArrayType(type.dtype, dims);
  if (!type.bounded.empty() && type.rank() == dims.size()) {
    result.bounded = type.bounded;
    for (size_t d = 0; d < dims.size(); ++d) {
      result.bounded[d] = type.bounded[d] != 0 && type.dims[d] == dims[d] ? 1 : 0;
    }
    if (llvm::all_of(result.bounded, [](uint8_t b) { return b == 0; })) {
      result.bounded.clear();
    }
  }
  return result;
}

bool SameShape(const ir::Type& a, const ir::Type& b) { return a.dtype == b.dtype && a.dims == b.dims; }

mesh::AxisList JoinVarying(const op::ExplicitContext& cx) {
  mesh::AxisList varying;
  for (size_t i = 0; i < cx.infer.operands.size(); ++i) {
    mesh::AxisList more = cx.operand(i).varying;
    varying.append(more.begin(), more.end());
  }
  return mesh::AsSet(varying);
}

}  // namespace spmdc::ops
