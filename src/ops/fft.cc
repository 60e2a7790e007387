// fft: the transformed dims are needed whole, the others are mapped.
#include <cmath>
#include <complex>
#include <functional>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "ops/dims.h"
#include "ops/linalg.h"
#include "ops/table.h"
#include "ops/typing.h"

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

// jax/_src/lax/fft.py, fft_abstract_eval: the operand's sharding, also of the transformed dims, if it divides the result.
bool ExplicitFft(op::ExplicitContext& cx) {
  const mesh::Sharding x = cx.operand(0);
  const ir::Type& result = cx.infer.results[0];
  if (!NoUnreducedNorReduced(cx)) {
    return false;
  }
  for (size_t d = 0; d < result.rank(); ++d) {
    int64_t count = mesh::ShardCount(x.dims[d]);
    if (result.dims[d] % count != 0) {
      return cx.Fail(diag::Kind::Indivisible,
                     "the operand " + cx.infer.Show(cx.infer.operands[0]) + " has dim " + std::to_string(d) + " in " +
                         std::to_string(count) + " parts, which do not divide the result's size " +
                         std::to_string(result.dims[d]),
                     "reshard the operand so that dim " + std::to_string(d) + " has no mesh axis");
    }
  }
  return GiveSharding(cx, x);
}

// --- Evaluation ------------------------------------------------------------------------------------------------------

using Number = std::complex<double>;

// The discrete Fourier transform of one length. `sign` is -1 forwards, 1 backwards.
class Fourier {
 public:
  Fourier(size_t length, double sign) : roots_(length) {
    for (size_t k = 0; k < length; ++k) {
      roots_[k] = std::polar(1.0, sign * 2 * M_PI * static_cast<double>(k) / static_cast<double>(length));
    }
  }
  std::vector<Number> Transform(const std::vector<Number>& x) const { return Part(x.data(), x.size(), 1); }

 private:
  static size_t SmallestPrime(size_t n) {
    for (size_t p = 2; p * p <= n; ++p) {
      if (n % p == 0) {
        return p;
      }
    }
    return n;
  }

  // Of the n elements x[0], x[step], ...: as many transforms of every p-th element as its smallest prime p says, put
  // together. The n-th root of unity is every step-th of the table.
  std::vector<Number> Part(const Number* x, size_t n, size_t step) const {
    std::vector<Number> result(n);
    if (n == 1) {
      result[0] = x[0];
      return result;
    }
    size_t p = SmallestPrime(n), m = n / p;
    std::vector<std::vector<Number>> parts;
    for (size_t j = 0; j < p; ++j) {
      parts.push_back(Part(x + j * step, m, step * p));
    }
    for (size_t k = 0; k < n; ++k) {
      for (size_t j = 0; j < p; ++j) {
        result[k] += parts[j][k % m] * roots_[j * k % n * step];
      }
    }
    return result;
  }

  std::vector<Number> roots_;
};

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

using Line = std::vector<Number>;

std::function<Line(const Line&)> Forwards(int64_t length) {
  return [fourier = Fourier(static_cast<size_t>(length), -1)](const Line& line) { return fourier.Transform(line); };
}

std::function<Line(const Line&)> Backwards(int64_t length) {
  return [fourier = Fourier(static_cast<size_t>(length), 1)](const Line& line) {
    Line out = fourier.Transform(line);
    for (Number& value : out) {
      value /= static_cast<double>(line.size());
    }
    return out;
  };
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
  if (attrs.type == FftType::Rfft) {
    x = AlongDim(x, last, length / 2 + 1, Forwards(length));
  }
  for (size_t d = first; d < x.dims.size(); ++d) {
    bool real = attrs.type == FftType::Rfft || attrs.type == FftType::Irfft;
    if (d == last && real) {
      continue;
    }
    bool back = attrs.type == FftType::Ifft || attrs.type == FftType::Irfft;
    x = AlongDim(x, d, x.dims[d], back ? Backwards(x.dims[d]) : Forwards(x.dims[d]));
  }
  if (attrs.type == FftType::Irfft) {
    auto back = Backwards(length);
    x = AlongDim(x, last, length, [&](const Line& half) { return back(Mirrored(half, length)); });
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

void PrintMlirFft(op::StablehloPrinter& p) {
  const auto& attrs = p.attrs<FftAttrs>();
  p.Ints("fft_length", attrs.length);
  p.Property("fft_type", "#stablehlo<fft_type " + kTypes[static_cast<size_t>(attrs.type)].str() + ">");
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

// A transform of n numbers goes log2(n) times over them, one of a length with a large prime factor more often.
int64_t FftCost(const ir::Module& module, const ir::Function& f, const ir::Inst& inst) {
  constexpr double kNumbersPerProduct = 4;
  double each = 0;
  for (int64_t length : module.attrs<FftAttrs>(inst).length) {
    int64_t rest = length;
    for (int64_t p = 2; rest > 1; ++p) {
      p = p * p > rest ? rest : p;
      for (; rest % p == 0; rest /= p) {
        each += kNumbersPerProduct * static_cast<double>(p);
      }
    }
  }
  double numbers = static_cast<double>(module.type(f, f.operands(inst)[0]).num_elements()) * each;
  return numbers < 1e18 ? static_cast<int64_t>(numbers) : int64_t{1} << 60;
}

}  // namespace

const op::OpDef kFft = {
    .kind = ir::OpKind::Fft,
    .min_operands = 1,
    .max_operands = 1,
    .make_attrs = ir::NewAttrs<FftAttrs>,
    .linear = op::Linear::Unary,
    .classic = {.take = op::Classic::Take::Nothing},
    .flops = 10,
    .infer = InferFft,
    .rule = RuleFft,
    .explicit_types = ExplicitFft,
    .eval = EvalFft,
    .eval_cost = FftCost,
    .hlo_opcode = "fft",
    .print_hlo = PrintHloFft,
    .read_hlo = ReadHloFft,
    .parse_stablehlo = ParseFft,
    .from_generic = GenericFft,
    .print_stablehlo = PrintMlirFft,
};

}  // namespace spmdc::ops
