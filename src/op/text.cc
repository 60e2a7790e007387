// Access to MLIR attributes as read.
#include "op/text.h"

namespace spmdc::op {

MlirAttr::MlirAttr() = default;
MlirAttr::MlirAttr(Kind of) : kind(of) {}
MlirAttr::~MlirAttr() = default;
MlirAttr::MlirAttr(const MlirAttr& other) = default;
MlirAttr::MlirAttr(MlirAttr&& other) noexcept = default;
MlirAttr& MlirAttr::operator=(const MlirAttr& other) = default;
MlirAttr& MlirAttr::operator=(MlirAttr&& other) noexcept = default;

const MlirAttr& MlirAttr::operator[](llvm::StringRef name) const {
  static const MlirAttr kMissing;
  for (const auto& [key, value] : fields) {
    if (key == name) {
      return value;
    }
  }
  return kMissing;
}

tensor::Dims MlirAttr::ints() const {
  tensor::Dims values;
  if (kind == Kind::Dense && !literal.is_unknown()) {
    for (int64_t i = 0, n = literal.size(); i < n; ++i) {
      values.push_back(literal.GetInt(i));
    }
  }
  for (const MlirAttr& item : items) {
    values.push_back(item.integer);
  }
  return values;
}

}  // namespace spmdc::op
