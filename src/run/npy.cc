// Reading and writing of .npy: a magic number, a header that is a Python dict, the elements. Format: NumPy's NEP 1.
#include "run/npy.h"

#include <cstring>

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "support/starts_with.h"

namespace spmdc::run {

using tensor::DType;
using tensor::Literal;

std::nullopt_t Unreadable(std::string& error, std::string message) {
  error = std::move(message);
  return std::nullopt;
}

namespace {

constexpr llvm::StringLiteral kMagic("\x93NUMPY");

// The text of a value of the header's dict, up to the next comma outside of parentheses.
std::optional<llvm::StringRef> Field(llvm::StringRef header, llvm::StringRef key) {
  for (char quote : {'\'', '"'}) {
    std::string quoted = quote + key.str() + quote;
    size_t at = header.find(quoted);
    if (at == llvm::StringRef::npos) {
      continue;
    }
    llvm::StringRef rest = header.drop_front(at + quoted.size()).ltrim();
    if (!rest.consume_front(":")) {
      continue;
    }
    rest = rest.ltrim();
    size_t end = StartsWith(rest, "(") ? rest.find(')') : rest.find_first_of(",}");
    if (end == llvm::StringRef::npos) {
      return std::nullopt;
    }
    return rest.take_front(StartsWith(rest, "(") ? end + 1 : end).trim();
  }
  return std::nullopt;
}

// The element type that a descriptor such as "<f4" names; `expected` where it names only a width.
std::optional<DType> TypeOf(llvm::StringRef descriptor, DType expected) {
  if (StartsWith(descriptor, ">")) {
    return std::nullopt;
  }
  llvm::StringRef name = descriptor.drop_while([](char c) { return c == '<' || c == '|' || c == '='; });
  bool opaque = tensor::IsFloat(expected) && tensor::ByteWidth(expected) <= 2 && expected != DType::F16;
  if (opaque && tensor::ByteWidth(expected) == 2 && (name == "V2" || name == "u2")) {
    return expected;
  }
  if (opaque && tensor::ByteWidth(expected) == 1 && (name == "V1" || name == "u1" || name == "f1")) {
    return expected;
  }
  bool narrow = tensor::IsInteger(expected) && tensor::BitWidth(expected) < 8;
  if (narrow && (name == "V1" || name == "i1" || name == "u1")) {
    return expected;
  }
  return llvm::StringSwitch<std::optional<DType>>(name)
      .Case("b1", DType::Pred)
      .Case("i1", DType::S8)
      .Case("i2", DType::S16)
      .Case("i4", DType::S32)
      .Case("i8", DType::S64)
      .Case("u1", DType::U8)
      .Case("u2", DType::U16)
      .Case("u4", DType::U32)
      .Case("u8", DType::U64)
      .Case("f2", DType::F16)
      .Case("f4", DType::F32)
      .Case("f8", DType::F64)
      .Case("c8", DType::C64)
      .Case("c16", DType::C128)
      .Default(std::nullopt);
}

std::optional<tensor::Dims> ParseShape(llvm::StringRef text) {
  if (!text.consume_front("(") || !text.consume_back(")")) {
    return std::nullopt;
  }
  tensor::Dims dims;
  llvm::SmallVector<llvm::StringRef, 4> parts;
  text.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    int64_t size = 0;
    if (part.trim().empty()) {
      continue;
    }
    if (part.trim().rtrim('L').getAsInteger(10, size) || size < 0) {
      return std::nullopt;
    }
    dims.push_back(size);
  }
  return dims;
}

// Fortran order: the same bytes are the array of reversed dims, which is transposed here.
Literal FromColumnMajor(const Literal& reversed, llvm::ArrayRef<int64_t> dims) {
  Literal literal(reversed.dtype(), dims);
  int64_t width = tensor::ByteWidth(reversed.dtype());
  tensor::Dims strides(dims.size(), 1);
  for (size_t d = 1; d < dims.size(); ++d) {
    strides[d] = strides[d - 1] * dims[d - 1];
  }
  char* to = literal.mutable_raw();
  tensor::Dims index(dims.size(), 0);
  for (int64_t i = 0, n = literal.size(); i < n; ++i) {
    int64_t from = 0;
    for (size_t d = 0; d < dims.size(); ++d) {
      from += index[d] * strides[d];
    }
    std::memcpy(to + i * width, reversed.raw().data() + from * width, static_cast<size_t>(width));
    tensor::NextIndex(index, dims);
  }
  return literal;
}

std::string Descriptor(DType dtype) {
  switch (tensor::Class(dtype)) {
    case tensor::DClass::Pred:
      return "|b1";
    case tensor::DClass::Signed:
      return (tensor::ByteWidth(dtype) == 1 ? "|i" : "<i") + std::to_string(tensor::ByteWidth(dtype));
    case tensor::DClass::Unsigned:
      return (tensor::ByteWidth(dtype) == 1 ? "|u" : "<u") + std::to_string(tensor::ByteWidth(dtype));
    case tensor::DClass::Complex:
      return "<c" + std::to_string(tensor::ByteWidth(dtype));
    default:
      break;
  }
  if (dtype == DType::BF16) {
    return "|V2";
  }
  return tensor::ByteWidth(dtype) == 1 ? "|u1" : "<f" + std::to_string(tensor::ByteWidth(dtype));
}

}  // namespace

std::optional<Literal> ReadNpy(llvm::StringRef bytes, DType expected, std::string& error) {
  if (!bytes.consume_front(kMagic) || bytes.size() < 4) {
    return Unreadable(error, "is no .npy file");
  }
  size_t length_bytes = bytes[0] == 1 ? 2 : 4;
  if (bytes.size() < 2 + length_bytes) {
    return Unreadable(error, "ends within its header");
  }
  size_t length = length_bytes == 2 ? llvm::support::endian::read16le(bytes.data() + 2)
                                    : llvm::support::endian::read32le(bytes.data() + 2);
  bytes = bytes.drop_front(2 + length_bytes);
  if (bytes.size() < length) {
    return Unreadable(error, "ends within its header");
  }
  llvm::StringRef header = bytes.take_front(length);
  bytes = bytes.drop_front(length);
  auto descriptor = Field(header, "descr");
  auto order = Field(header, "fortran_order");
  auto shape = Field(header, "shape");
  auto dims = shape ? ParseShape(*shape) : std::nullopt;
  if (!descriptor || !order || !dims) {
    return Unreadable(error, "has a header that is not understood");
  }
  llvm::StringRef name = descriptor->trim("'\"");
  auto dtype = TypeOf(name, expected);
  if (!dtype) {
    return Unreadable(error, "has elements of type '" + name.str() + "', which are not read");
  }
  int64_t count = tensor::NumElements(*dims);
  int64_t width = tensor::ByteWidth(*dtype);
  if (count > static_cast<int64_t>(bytes.size()) / width) {
    return Unreadable(error, "ends before its last element");
  }
  bytes = bytes.take_front(static_cast<size_t>(count * width));
  bool column_major = *order == "True";
  tensor::Dims stored = column_major ? tensor::Dims(dims->rbegin(), dims->rend()) : *dims;
  Literal literal = Literal::Dense(*dtype, stored, std::vector<char>(bytes.begin(), bytes.end()));
  return column_major ? FromColumnMajor(literal, *dims) : literal;
}

std::string WriteNpy(const Literal& literal) {
  std::string shape;
  for (int64_t dim : literal.dims()) {
    shape += std::to_string(dim) + ",";
    shape += literal.dims().size() > 1 ? " " : "";
  }
  if (literal.dims().size() > 1) {
    shape.resize(shape.size() - 2);
  }
  std::string header =
      "{'descr': '" + Descriptor(literal.dtype()) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  size_t before = kMagic.size() + 4;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  std::string file = kMagic.str();
  file += '\x01';
  file += '\0';
  file += static_cast<char>(header.size() & 0xFF);
  file += static_cast<char>(header.size() >> 8);
  file += header;
  Literal dense = literal.Materialize();
  file.append(dense.raw().data(), dense.raw().size());
  return file;
}

}  // namespace spmdc::run
