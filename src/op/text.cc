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

std::string MlirInts(llvm::ArrayRef<int64_t> values) {
  std::string text = "[";
  for (size_t i = 0; i < values.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(values[i]);
  }
  return text + "]";
}

std::string MlirType(const ir::Type& type) {
  if (type.dtype == tensor::DType::Token) {
    return "!stablehlo.token";
  }
  bool bounded = false;
  std::string text = "tensor<", bounds;
  for (size_t d = 0; d < type.rank(); ++d) {
    bool is_bound = d < type.bounded.size() && type.bounded[d] != 0;
    bounded |= is_bound;
    std::string size = std::to_string(type.dims[d]);
    text += (is_bound ? "?" : size) + "x";
    bounds += (d == 0 ? "" : ", ") + (is_bound ? size : "?");
  }
  text += tensor::StablehloName(type.dtype).str();
  return text + (bounded ? ", #stablehlo.bounds<" + bounds + ">>" : ">");
}

std::string PythonTuple(llvm::ArrayRef<int64_t> values) {
  std::string text = "(";
  for (size_t i = 0; i < values.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(values[i]);
  }
  return text + (values.size() == 1 ? ",)" : ")");
}

std::string NativePrinter::Operands(size_t first, size_t last) const {
  std::string text;
  for (size_t i = first; i < last; ++i) {
    text += (i == first ? "" : ", ") + Operand(i);
  }
  return text;
}

diag::Kind KindOf(const mesh::TextError& error) {
  switch (error.what) {
    case mesh::TextError::What::UnknownAxis:
      return diag::Kind::UnknownAxis;
    case mesh::TextError::What::DuplicateAxis:
      return diag::Kind::DuplicateAxis;
    case mesh::TextError::What::MeshShape:
      return diag::Kind::MeshShape;
    case mesh::TextError::What::Form:
      return diag::Kind::ShardingText;
  }
  return diag::Kind::ShardingText;
}

}  // namespace spmdc::op
