// fft: the transformed dims are needed whole, the others are mapped.
#include <cmath>
#include <complex>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "ops/dims.h"
#include "ops/linalg.h"
#include "ops/table.h"

namespace spmdc::ops {
namespace {

using op::FactorKind;
using tensor::Literal;

tensor::DType ComplexOf(tensor::DType part) {
  return part == tensor::DType::F64 ? tensor::DType::C128 : tensor::DType::C64;
}

bool InferFft(op::InferContext& cx) {
  const auto& attrs = cx.attrs<FftAttrs>();
  const ir::Type& x = cx.operand(0);
  size_t n = attrs.length.size();
  bool real_in = attrs.type == FftType::Rfft, real_out = attrs.type == FftType::Irfft;
  if (n == 0 || n > 3 || n > x.rank()) {
    return cx.Fail(diag::Kind::ShapeRule,
                   "transforms " + std::to_string(n) + " dims of " + cx.Show(x) + ", expected 1 to 3 that it has");
  }
  if (real_in ? x.dtype != tensor::DType::F32 && x.dtype != tensor::DType::F64 : !tensor::IsComplex(x.dtype)) {
    return cx.Fail(diag::Kind::DtypeRule,
                   "got " + cx.Show(x) + ", expected " + (real_in ? "f32 or f64" : "complex numbers"));
  }
  tensor::Dims dims = x.dims;
  for (size_t i = 0; i < n; ++i) {
    int64_t& dim = dims[x.rank() - n + i];
    bool last = i + 1 == n;
    int64_t expected = last && real_out ? attrs.length[i] / 2 + 1 : attrs.length[i];
    if (dim != expected) {
      return cx.Fail(diag::Kind::ShapeRule, "dim " + std::to_string(x.rank() - n + i) + " of " + cx.Show(x) +
                                                " should be " + std::to_string(expected) + " for fft_length " +
                                                ShowList(attrs.length));
    }
    dim = last && real_in ? attrs.length[i] / 2 + 1 : attrs.length[i];
  }
  cx.Result(real_in ? ComplexOf(x.dtype) : real_out ? tensor::RealPart(x.dtype) : x.dtype, dims);
  return true;
}

void RuleFft(op::RuleBuilder& b) {
  size_t rank = b.operands[0].rank(), n = b.attrs<FftAttrs>().length.size();
  for (size_t d = 0; d < rank; ++d) {
    auto dim = static_cast<int64_t>(d);
    bool whole = d >= rank - n;
    b.Factor(b.operands[0].dims[d], whole ? FactorKind::Whole : FactorKind::Map, {dim}, {dim},
             whole && b.operands[0].dims[d] != b.results[0].dims[d]);
  }
}

// --- Evaluation ------------------------------------------------------------------------------------------------------

using Number = std::complex<double>;

// The discrete Fourier transform: halves of even lengths, sums of odd ones. `sign` is -1 forwards, 1 backwards.
std::vector<Number> Transform(const std::vector<Number>& x, double sign) {
  size_t n = x.size();
  std::vector<Number> result(n);
  auto root = [&](size_t k) {
    return std::polar(1.0, sign * 2 * M_PI * static_cast<double>(k) / static_cast<double>(n));
  };
  if (n % 2 != 0) {
    for (size_t k = 0; k < n; ++k) {
      for (size_t j = 0; j < n; ++j) {
        result[k] += x[j] * root(j * k % n);
      }
    }
    return result;
  }
  std::vector<Number> even(n / 2), odd(n / 2);
  for (size_t j = 0; j < n / 2; ++j) {
    even[j] = x[2 * j];
    odd[j] = x[2 * j + 1];
  }
  even = Transform(even, sign);
  odd = Transform(odd, sign);
  for (size_t k = 0; k < n / 2; ++k) {
    Number turned = root(k) * odd[k];
    result[k] = even[k] + turned;
    result[k + n / 2] = even[k] - turned;
  }
  return result;
}

// Complex arrays while they are transformed dim by dim.
struct Array {
  tensor::Dims dims;
  std::vector<Number> at;
};

// Applies fn to every line along a dim; lines may change their length.
template <typename Fn>
Array AlongDim(const Array& x, size_t dim, int64_t length, Fn fn) {
  Array result{x.dims, {}};
  result.dims[dim] = length;
  result.at.resize(static_cast<size_t>(tensor::NumElements(result.dims)));
  int64_t inner = 1, outer = 1, size = x.dims[dim];
  for (size_t d = 0; d < x.dims.size(); ++d) {
    (d < dim ? outer : inner) *= d == dim ? 1 : x.dims[d];
  }
  std::vector<Number> line(static_cast<size_t>(size));
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      for (int64_t k = 0; k < size; ++k) {
        line[static_cast<size_t>(k)] = x.at[static_cast<size_t>((o * size + k) * inner + i)];
      }
      std::vector<Number> out = fn(line);
      for (int64_t k = 0; k < length; ++k) {
        result.at[static_cast<size_t>((o * length + k) * inner + i)] = out[static_cast<size_t>(k)];
      }
    }
  }
  return result;
}

std::vector<Number> Backwards(const std::vector<Number>& line) {
  std::vector<Number> out = Transform(line, 1);
  for (Number& value : out) {
    value /= static_cast<double>(line.size());
  }
  return out;
}

// The whole spectrum of a real signal from its first half.
std::vector<Number> Mirrored(std::vector<Number> half, int64_t length) {
  std::vector<Number> whole(static_cast<size_t>(length));
  for (size_t k = 0; k < whole.size(); ++k) {
    whole[k] = k < half.size() ? half[k] : std::conj(half[whole.size() - k]);
  }
  whole[0] = whole[0].real();
  if (length % 2 == 0) {
    whole[whole.size() / 2] = whole[whole.size() / 2].real();
  }
  return whole;
}

Array TransformAll(Array x, const FftAttrs& attrs) {
  size_t n = attrs.length.size(), first = x.dims.size() - n, last = x.dims.size() - 1;
  int64_t length = attrs.length.back();
  auto forwards = [](const std::vector<Number>& line) { return Transform(line, -1); };
  if (attrs.type == FftType::Rfft) {
    x = AlongDim(x, last, length / 2 + 1, forwards);
  }
  for (size_t d = first; d < x.dims.size(); ++d) {
    bool real = attrs.type == FftType::Rfft || attrs.type == FftType::Irfft;
    if (d == last && real) {
      continue;
    }
    bool back = attrs.type == FftType::Ifft || attrs.type == FftType::Irfft;
    x = back ? AlongDim(x, d, x.dims[d], Backwards) : AlongDim(x, d, x.dims[d], forwards);
  }
  if (attrs.type == FftType::Irfft) {
    x = AlongDim(x, last, length, [&](const std::vector<Number>& half) { return Backwards(Mirrored(half, length)); });
  }
  return x;
}

bool EvalFft(op::EvalContext& cx) {
  Literal x = cx.operand(0).Materialize();
  Array array{tensor::Dims(x.dims().begin(), x.dims().end()), std::vector<Number>(static_cast<size_t>(x.size()))};
  for (size_t i = 0; i < array.at.size(); ++i) {
    array.at[i] = x.GetComplex(static_cast<int64_t>(i));
  }
  Literal result(cx.dtype(cx.module.type(cx.function, cx.function.result(cx.inst)).dtype), cx.result_type().dims);
  if (result.size() > 0) {
    array = TransformAll(std::move(array), cx.attrs<FftAttrs>());
  }
  for (int64_t i = 0, n = result.size(); i < n; ++i) {
    Number value = array.at[static_cast<size_t>(i)];
    tensor::IsComplex(result.dtype()) ? result.SetComplex(i, value) : result.SetReal(i, value.real());
  }
  cx.results.push_back(std::move(result));
  return true;
}

// --- Spellings -------------------------------------------------------------------------------------------------------

constexpr llvm::StringRef kTypes[] = {"FFT", "IFFT", "RFFT", "IRFFT"};

bool SetType(llvm::StringRef text, FftAttrs& attrs) {
  const llvm::StringRef* found = llvm::find(kTypes, text);
  attrs.type = static_cast<FftType>(found - std::begin(kTypes));
  return found != std::end(kTypes);
}

// `%x, type = RFFT, length = [16] : types`.
bool ParseFft(op::StablehloReader& r) {
  FftAttrs attrs;
  if (!r.Operand() || !r.Expect(",") || !r.Expect("type") || !r.Expect("=")) {
    return false;
  }
  auto type = r.Word();
  if (!type || !SetType(*type, attrs)) {
    return type && r.Fail(diag::Kind::Attribute, "`" + *type + "` is none of FFT, IFFT, RFFT, IRFFT");
  }
  if (!r.Expect(",") || !r.Expect("length") || !r.Expect("=")) {
    return false;
  }
  auto length = r.IntList();
  if (!length) {
    return false;
  }
  attrs.length = *length;
  r.SetAttrs(r.module().tables->attrs.Add(std::move(attrs)));
  return r.ColonTypes();
}

bool GenericFft(op::StablehloReader& r) {
  FftAttrs attrs;
  attrs.length = r.attr("fft_length").ints();
  if (!SetType(r.attr("fft_type").text, attrs)) {
    return r.Fail(diag::Kind::Attribute, "fft_type is none of FFT, IFFT, RFFT, IRFFT");
  }
  r.SetAttrs(r.module().tables->attrs.Add(std::move(attrs)));
  return true;
}

void PrintHloFft(op::HloPrinter& p) {
  const auto& attrs = p.attrs<FftAttrs>();
  p.Attr("fft_type", kTypes[static_cast<size_t>(attrs.type)].str());
  p.Ints("fft_length", attrs.length);
}

bool ReadHloFft(op::HloReader& r, ir::AttrsId& id) {
  FftAttrs attrs;
  auto length = r.Ints("fft_length");
  if (!length || !SetType(r.Text("fft_type").value_or("FFT"), attrs)) {
    return r.Fail("fft_length", "expected the lengths of the transformed dims");
  }
  attrs.length.assign(length->begin(), length->end());
  id = r.module().tables->attrs.Add(std::move(attrs));
  return true;
}

}  // namespace

const op::OpDef kFft = {
    .kind = ir::OpKind::Fft,
    .min_operands = 1,
    .max_operands = 1,
    .make_attrs = ir::NewAttrs<FftAttrs>,
    .linear = op::Linear::Unary,
    .flops = 10,
    .infer = InferFft,
    .rule = RuleFft,
    .eval = EvalFft,
    .hlo_opcode = "fft",
    .print_hlo = PrintHloFft,
    .read_hlo = ReadHloFft,
    .parse_stablehlo = ParseFft,
    .from_generic = GenericFft,
};

}  // namespace spmdc::ops
