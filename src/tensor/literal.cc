// Elements of every type in and out of their bytes, and the conversions between them.
//
// One element takes ByteWidth(dtype) bytes. Narrow integers are kept sign- or zero-extended in their byte, narrow floats
// and pred in its low bits. Conversions are XLA's: integers wrap, floats to integers truncate and saturate (NaN gives 0),
// anything but zero is true, a complex number becomes its real part.
#include "tensor/literal.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace spmdc::tensor {
namespace {

template <typename T>
T Read(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

template <typename T>
void Write(char* at, T value) {
  std::memcpy(at, &value, sizeof(T));
}

// The element's bits, zero-extended. Not for complex types.
uint64_t ReadBits(int64_t width, const char* at) {
  switch (width) {
    case 1:
      return Read<uint8_t>(at);
    case 2:
      return Read<uint16_t>(at);
    case 4:
      return Read<uint32_t>(at);
    default:
      return Read<uint64_t>(at);
  }
}

void WriteBits(int64_t width, char* at, uint64_t bits) {
  switch (width) {
    case 1:
      return Write(at, static_cast<uint8_t>(bits));
    case 2:
      return Write(at, static_cast<uint16_t>(bits));
    case 4:
      return Write(at, static_cast<uint32_t>(bits));
    default:
      return Write(at, bits);
  }
}

// The value in its type's range, wrapped; u64 as the s64 of the same bits.
int64_t Wrap(DType dtype, int64_t value) {
  unsigned width = static_cast<unsigned>(BitWidth(dtype));
  uint64_t bits = static_cast<uint64_t>(value);
  return Class(dtype) == DClass::Signed ? llvm::SignExtend64(bits, width)
                                        : static_cast<int64_t>(bits & ~uint64_t{0} >> (64 - width));
}

// Truncated and clamped to the integer type's range; NaN gives 0.
int64_t Saturate(DType dtype, double value) {
  if (std::isnan(value)) {
    return 0;
  }
  int width = BitWidth(dtype);
  if (Class(dtype) == DClass::Unsigned) {
    double limit = std::ldexp(1.0, width);
    if (value >= limit) {
      return static_cast<int64_t>(~uint64_t{0} >> (64 - width));
    }
    return value <= 0 ? 0 : static_cast<int64_t>(static_cast<uint64_t>(value));
  }
  double limit = std::ldexp(1.0, width - 1);
  if (value >= limit) {
    return static_cast<int64_t>(~uint64_t{0} >> (65 - width));
  }
  return value < -limit ? llvm::SignExtend64(uint64_t{1} << (width - 1), static_cast<unsigned>(width))
                        : static_cast<int64_t>(value);
}

bool IsIntegral(DType dtype) { return IsInteger(dtype) || Class(dtype) == DClass::Pred; }

int64_t LoadInt(DType dtype, const char* at) {
  SPMDC_CHECK(IsIntegral(dtype), "an element that is no integer read as one");
  uint64_t bits = ReadBits(ByteWidth(dtype), at);
  return Class(dtype) == DClass::Pred ? static_cast<int64_t>(bits != 0) : Wrap(dtype, static_cast<int64_t>(bits));
}

double LoadReal(DType dtype, const char* at) {
  switch (dtype) {
    case DType::F32:
      return static_cast<double>(Read<float>(at));
    case DType::F64:
      return Read<double>(at);
    case DType::U64:
      return static_cast<double>(Read<uint64_t>(at));
    default:
      return IsFloat(dtype) ? DecodeFloat(dtype, ReadBits(ByteWidth(dtype), at))
                            : static_cast<double>(LoadInt(dtype, at));
  }
}

std::complex<double> LoadComplex(DType dtype, const char* at) {
  if (!IsComplex(dtype)) {
    return {LoadReal(dtype, at), 0};
  }
  DType part = RealPart(dtype);
  return {LoadReal(part, at), LoadReal(part, at + ByteWidth(part))};
}

void StoreReal(DType dtype, char* at, double value) {
  switch (Class(dtype)) {
    case DClass::Pred:
      return Write(at, static_cast<uint8_t>(value != 0 ? 1 : 0));
    case DClass::Signed:
    case DClass::Unsigned:
      return WriteBits(ByteWidth(dtype), at, static_cast<uint64_t>(Saturate(dtype, value)));
    case DClass::Float:
      if (dtype == DType::F32) {
        return Write(at, static_cast<float>(value));
      }
      return WriteBits(ByteWidth(dtype), at, EncodeFloat(dtype, value));
    case DClass::Complex: {
      DType part = RealPart(dtype);
      StoreReal(part, at, value);
      return StoreReal(part, at + ByteWidth(part), 0);
    }
    case DClass::Other:
      break;
  }
  SPMDC_CHECK(false, "an element of a type without elements");
}

void StoreComplex(DType dtype, char* at, std::complex<double> value) {
  StoreReal(dtype, at, value.real());
  if (IsComplex(dtype)) {
    DType part = RealPart(dtype);
    StoreReal(part, at + ByteWidth(part), value.imag());
  }
}

// is_unsigned: the value stands for the u64 of the same bits.
void StoreInt(DType dtype, char* at, int64_t value, bool is_unsigned) {
  switch (Class(dtype)) {
    case DClass::Pred:
      return Write(at, static_cast<uint8_t>(value != 0 ? 1 : 0));
    case DClass::Signed:
    case DClass::Unsigned:
      return WriteBits(ByteWidth(dtype), at, static_cast<uint64_t>(Wrap(dtype, value)));
    default:
      break;
  }
  uint64_t bits = static_cast<uint64_t>(value);
  if (dtype == DType::F32) {  // not through double, which would round twice
    return Write(at, is_unsigned ? static_cast<float>(bits) : static_cast<float>(value));
  }
  StoreReal(dtype, at, is_unsigned ? static_cast<double>(bits) : static_cast<double>(value));
}

void Convert(DType from, const char* source, DType to, char* target) {
  if (IsIntegral(from)) {
    StoreInt(to, target, LoadInt(from, source), from == DType::U64);
  } else if (IsFloat(from)) {
    StoreReal(to, target, LoadReal(from, source));
  } else {
    StoreComplex(to, target, LoadComplex(from, source));
  }
}

}  // namespace

int64_t NumElements(llvm::ArrayRef<int64_t> dims) {
  int64_t count = 1;
  bool overflow = false;
  for (int64_t dim : dims) {
    if (dim == 0) {
      return 0;
    }
    overflow |= llvm::MulOverflow(count, dim, count) != 0;
  }
  return overflow ? INT64_MAX : count;
}

Dims Strides(llvm::ArrayRef<int64_t> dims) {
  Dims strides(dims.size(), 1);
  for (size_t i = dims.size(); i > 1; --i) {
    strides[i - 2] = strides[i - 1] * dims[i - 1];
  }
  return strides;
}

bool NextIndex(llvm::MutableArrayRef<int64_t> index, llvm::ArrayRef<int64_t> dims) {
  for (size_t i = dims.size(); i-- > 0;) {
    if (++index[i] < dims[i]) {
      return true;
    }
    index[i] = 0;
  }
  return false;
}

Literal::Literal(DType dtype, llvm::ArrayRef<int64_t> dims, Form form)
    : dtype_(dtype), form_(form), dims_(dims.begin(), dims.end()) {
  if (form != Form::Unknown) {
    num_bytes_ = static_cast<size_t>((form == Form::Splat ? 1 : NumElements(dims)) * ByteWidth(dtype));
    bytes_ = std::make_shared_for_overwrite<char[]>(num_bytes_);
  }
}

Literal::Literal(DType dtype, llvm::ArrayRef<int64_t> dims) : Literal(dtype, dims, Form::Dense) {
  std::memset(bytes_.get(), 0, num_bytes_);
}

Literal Literal::Unwritten(DType dtype, llvm::ArrayRef<int64_t> dims) { return {dtype, dims, Form::Dense}; }

Literal Literal::Dense(DType dtype, llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<char> bytes) {
  Literal literal(dtype, dims, Form::Dense);
  SPMDC_CHECK(bytes.size() == literal.num_bytes_, "a dense literal with a wrong number of bytes");
  llvm::copy(bytes, literal.bytes_.get());
  return literal;
}

Literal Literal::Splat(DType dtype, llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<char> element) {
  Literal literal(dtype, dims, Form::Splat);
  SPMDC_CHECK(element.size() == literal.num_bytes_, "a splat with a wrong number of bytes");
  llvm::copy(element, literal.bytes_.get());
  return literal;
}

Literal Literal::Unknown(DType dtype, llvm::ArrayRef<int64_t> dims) { return {dtype, dims, Form::Unknown}; }

Literal Literal::Number(DType dtype, llvm::ArrayRef<int64_t> dims, double value) {
  Literal literal(dtype, dims, Form::Splat);
  StoreReal(dtype, literal.bytes_.get(), value);
  return literal;
}

Literal Literal::Integer(DType dtype, llvm::ArrayRef<int64_t> dims, int64_t value) {
  Literal literal(dtype, dims, Form::Splat);
  StoreInt(dtype, literal.bytes_.get(), value, /*is_unsigned=*/false);
  return literal;
}

Literal Literal::Integers(DType dtype, llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> values) {
  Literal literal = Unwritten(dtype, dims);
  SPMDC_CHECK(static_cast<int64_t>(values.size()) == literal.size(), "a wrong number of values");
  char* at = literal.mutable_raw();
  for (int64_t value : values) {
    StoreInt(dtype, at, value, /*is_unsigned=*/false);
    at += ByteWidth(dtype);
  }
  return literal;
}

Literal Literal::Numbers(DType dtype, llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<double> values) {
  Literal literal = Unwritten(dtype, dims);
  SPMDC_CHECK(static_cast<int64_t>(values.size()) == literal.size(), "a wrong number of values");
  char* at = literal.mutable_raw();
  for (double value : values) {
    StoreReal(dtype, at, value);
    at += ByteWidth(dtype);
  }
  return literal;
}

Literal Literal::Materialize() const {
  if (form_ != Form::Splat) {
    return *this;
  }
  Literal dense = Unwritten(dtype_, dims_);
  char* at = dense.bytes_.get();
  for (int64_t i = 0, n = size(); i < n; ++i, at += num_bytes_) {
    std::memcpy(at, bytes_.get(), num_bytes_);
  }
  return dense;
}

Literal Literal::WithDims(llvm::ArrayRef<int64_t> dims) const {
  SPMDC_CHECK(NumElements(dims) == size(), "new dims hold another number of elements");
  Literal other = *this;
  other.dims_.assign(dims.begin(), dims.end());
  return other;
}

Literal Literal::ConvertTo(DType dtype) const {
  if (dtype == dtype_) {
    return *this;
  }
  if (form_ == Form::Unknown) {
    return Unknown(dtype, dims_);
  }
  int64_t from_width = ByteWidth(dtype_);
  int64_t to_width = ByteWidth(dtype);
  int64_t count = form_ == Form::Splat ? 1 : size();
  Literal converted(dtype, dims_, form_);
  for (int64_t i = 0; i < count; ++i) {
    Convert(dtype_, bytes_.get() + i * from_width, dtype, converted.bytes_.get() + i * to_width);
  }
  return converted;
}

void Literal::MakeUnique() {
  SPMDC_CHECK(form_ != Form::Unknown, "writing to an unknown literal");
  if (form_ == Form::Splat) {
    *this = Materialize();
  } else if (bytes_.use_count() > 1) {
    *this = Dense(dtype_, dims_, raw());
  }
}

const char* Literal::At(int64_t i) const {
  SPMDC_CHECK(form_ != Form::Unknown, "reading an unknown literal");
  if (form_ == Form::Splat) {
    return bytes_.get();
  }
  int64_t width = ByteWidth(dtype_);
  SPMDC_CHECK(i >= 0 && (i + 1) * width <= static_cast<int64_t>(num_bytes_), "an element outside its literal");
  return bytes_.get() + i * width;
}

int64_t Literal::GetInt(int64_t i) const { return LoadInt(dtype_, At(i)); }
double Literal::GetReal(int64_t i) const { return LoadReal(dtype_, At(i)); }
std::complex<double> Literal::GetComplex(int64_t i) const { return LoadComplex(dtype_, At(i)); }

void Literal::SetInt(int64_t i, int64_t value) {
  MakeUnique();
  StoreInt(dtype_, const_cast<char*>(At(i)), value, /*is_unsigned=*/dtype_ == DType::U64);
}

void Literal::SetReal(int64_t i, double value) {
  MakeUnique();
  StoreReal(dtype_, const_cast<char*>(At(i)), value);
}

void Literal::SetComplex(int64_t i, std::complex<double> value) {
  MakeUnique();
  StoreComplex(dtype_, const_cast<char*>(At(i)), value);
}

bool operator==(const Literal& a, const Literal& b) {
  if (a.dtype_ != b.dtype_ || a.dims_ != b.dims_ || a.is_unknown() != b.is_unknown()) {
    return false;
  }
  if (a.is_unknown() || a.bytes_ == b.bytes_ || a.size() == 0) {
    return true;
  }
  if (a.form_ == b.form_) {
    return a.raw() == b.raw();
  }
  const Literal& splat = a.is_splat() ? a : b;
  llvm::ArrayRef<char> dense = a.is_splat() ? b.raw() : a.raw();
  for (llvm::ArrayRef<char> element = splat.raw(); !dense.empty(); dense = dense.drop_front(element.size())) {
    if (dense.take_front(element.size()) != element) {
      return false;
    }
  }
  return true;
}

}  // namespace spmdc::tensor
