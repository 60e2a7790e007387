// Each routine as JAX calls it: which arrays it is handed and which it gives, what settings say, which results are copies of
// operands that the routine writes over. Results whose signs or phases are LAPACK's choice (factors of QR, eigenvectors,
// singular vectors) come out the same from the same matrix: a device's batches and the whole array's agree.
#include "ops/lapack.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "ops/lapack_library.h"
#include "ops/linalg.h"

namespace spmdc::ops {
namespace {

using tensor::Dims;
using tensor::DType;
using tensor::Literal;

constexpr int kRowMajor = 101;
constexpr llvm::StringLiteral kOtherArrays = "these are not the arrays and settings of this routine of LAPACK";

// What one batch of an operand or a result is.
struct Part {
  DType dtype;
  Dims dims;
};

// A call on elements of T: all arrays, of which pointers lead to one batch.
template <typename T>
struct LapackCall {
  using Real = typename RealOf<T>::Type;
  static constexpr bool kComplex = !std::is_same_v<T, Real>;

  const Lapack<T>& lapack;
  const CallSettings& settings;
  llvm::SmallVector<Literal, 4> operands;
  llvm::SmallVector<Literal, 6> results;
  size_t batch_rank = 0;
  int64_t batches = 1, batch = 0;

  // The last dims of an operand's batches: `back` 1 is the last. 0 where it has none.
  int32_t Dim(size_t operand, size_t back) const {
    llvm::ArrayRef<int64_t> dims = operands[operand].dims();
    return dims.size() < batch_rank + back ? 0 : static_cast<int32_t>(dims[dims.size() - back]);
  }

  static bool FitsAll(llvm::ArrayRef<Literal> arrays, llvm::ArrayRef<Part> parts, llvm::ArrayRef<int64_t> batch_dims) {
    for (size_t i = 0; i < arrays.size() && arrays.size() == parts.size(); ++i) {
      Dims dims(batch_dims.begin(), batch_dims.end());
      dims.append(parts[i].dims.begin(), parts[i].dims.end());
      if (arrays[i].dtype() != parts[i].dtype || arrays[i].dims() != llvm::ArrayRef<int64_t>(dims)) {
        return false;
      }
    }
    return arrays.size() == parts.size();
  }
  // Whether the arrays of the call are these, with the batches in front.
  bool Are(llvm::ArrayRef<Part> in, llvm::ArrayRef<Part> out) const {
    llvm::ArrayRef<int64_t> batch_dims = operands[0].dims().take_front(batch_rank);
    return FitsAll(operands, in, batch_dims) && FitsAll(results, out, batch_dims);
  }

  static DType Dtype() { return kComplex ? (sizeof(Real) == 4 ? DType::C64 : DType::C128) : RealDtype(); }
  static DType RealDtype() { return sizeof(Real) == 4 ? DType::F32 : DType::F64; }
  static DType ComplexDtype() { return sizeof(Real) == 4 ? DType::C64 : DType::C128; }
  static Part Array(std::initializer_list<int64_t> dims) { return {Dtype(), dims}; }
  static Part Reals(std::initializer_list<int64_t> dims) { return {RealDtype(), dims}; }
  static Part Ints(std::initializer_list<int64_t> dims) { return {DType::S32, dims}; }

  template <typename E>
  const E* In(size_t i) const {
    return operands[i].template data<E>().data() + operands[i].size() / batches * batch;
  }
  template <typename E = T>
  E* Out(size_t r) {
    return results[r].template mutable_data<E>().data() + results[r].size() / batches * batch;
  }
  // A result that begins as an operand of its type.
  template <typename E = T>
  E* Copy(size_t operand, size_t r) {
    E* to = Out<E>(r);
    std::memcpy(to, In<E>(operand), sizeof(E) * static_cast<size_t>(operands[operand].size() / batches));
    return to;
  }
  // Whether the matrix of this batch can be iterated on. LAPACK does not look, and may not come back; JAX gives NaN, as it does
  // wherever `info`, the last result, is not 0.
  bool Finite() {
    const T* matrix = In<T>(0);
    bool finite = std::all_of(matrix, matrix + operands[0].size() / batches,
                              [](T x) { return std::isfinite(std::real(x)) && std::isfinite(std::imag(x)); });
    if (!finite) {
      *Out<int32_t>(results.size() - 1) = -1;
    }
    return finite;
  }
  char Letter(llvm::StringRef name) const { return static_cast<char>(settings.Integer(name).value_or(0)); }
  // LAPACK ends the process where a letter is none of its own.
  bool IsOneOf(llvm::StringRef name, llvm::StringRef letters) const {
    char letter = Letter(name);
    return letter != 0 && letters.contains(letter);
  }
};

// What a routine is called through: `Fits` says whether the arrays are the routine's, `Run` does one batch.

struct Potrf {
  template <typename C>
  static bool Fits(const C& c) {
    int32_t n = c.Dim(0, 1);
    return c.IsOneOf("uplo", "LU") && c.Are({C::Array({n, n})}, {C::Array({n, n}), C::Ints({})});
  }
  template <typename C>
  static void Run(C& c) {
    int32_t n = c.Dim(0, 1);
    *c.template Out<int32_t>(1) = c.lapack.potrf(kRowMajor, c.Letter("uplo"), n, c.Copy(0, 0), n);
  }
};

struct Getrf {
  template <typename C>
  static bool Fits(const C& c) {
    int32_t m = c.Dim(0, 2), n = c.Dim(0, 1);
    return c.Are({C::Array({m, n})}, {C::Array({m, n}), C::Ints({std::min(m, n)}), C::Ints({})});
  }
  template <typename C>
  static void Run(C& c) {
    int32_t m = c.Dim(0, 2), n = c.Dim(0, 1);
    *c.template Out<int32_t>(2) = c.lapack.getrf(kRowMajor, m, n, c.Copy(0, 0), n, c.template Out<int32_t>(1));
  }
};

struct Geqrf {
  template <typename C>
  static bool Fits(const C& c) {
    int32_t m = c.Dim(0, 2), n = c.Dim(0, 1);
    return c.Are({C::Array({m, n})}, {C::Array({m, n}), C::Array({std::min(m, n)})});
  }
  template <typename C>
  static void Run(C& c) {
    int32_t m = c.Dim(0, 2), n = c.Dim(0, 1);
    c.lapack.geqrf(kRowMajor, m, n, c.Copy(0, 0), n, c.Out(1));
  }
};

struct Geqp3 {
  template <typename C>
  static bool Fits(const C& c) {
    int32_t m = c.Dim(0, 2), n = c.Dim(0, 1);
    return c.Are({C::Array({m, n}), C::Ints({n})}, {C::Array({m, n}), C::Ints({n}), C::Array({std::min(m, n)})});
  }
  template <typename C>
  static void Run(C& c) {
    int32_t m = c.Dim(0, 2), n = c.Dim(0, 1);
    c.lapack.geqp3(kRowMajor, m, n, c.Copy(0, 0), n, c.template Copy<int32_t>(1, 1), c.Out(2));
  }
};

struct Orgqr {
  template <typename C>
  static bool Fits(const C& c) {
    int32_t m = c.Dim(0, 2), n = c.Dim(0, 1), k = c.Dim(1, 1);
    return m >= n && n >= k && c.Are({C::Array({m, n}), C::Array({k})}, {C::Array({m, n})});
  }
  template <typename C>
  static void Run(C& c) {
    int32_t m = c.Dim(0, 2), n = c.Dim(0, 1), k = c.Dim(1, 1);
    c.lapack.orgqr(kRowMajor, m, n, k, c.Copy(0, 0), n, c.template In<std::decay_t<decltype(*c.Out(0))>>(1));
  }
};

struct Ormqr {
  template <typename C>
  static bool Fits(const C& c) {
    int32_t m = c.Dim(2, 2), n = c.Dim(2, 1), k = c.Dim(1, 1), rows = c.Letter("left") ? m : n;
    return rows >= k && c.Are({C::Array({rows, k}), C::Array({k}), C::Array({m, n})}, {C::Array({m, n})});
  }
  template <typename C>
  static void Run(C& c) {
    using T = std::decay_t<decltype(*c.Out(0))>;
    int32_t m = c.Dim(2, 2), n = c.Dim(2, 1), k = c.Dim(1, 1);
    char transposed = C::kComplex ? 'C' : 'T';
    c.lapack.ormqr(kRowMajor, c.Letter("left") ? 'L' : 'R', c.Letter("transpose") ? transposed : 'N', m, n, k,
                   c.template In<T>(0), k, c.template In<T>(1), c.Copy(2, 0), n);
  }
};

// Without vectors ('N') their results stay what they are.
struct Svd {
  template <typename C>
  static bool Fits(const C& c) {
    int32_t m = c.Dim(0, 2), n = c.Dim(0, 1), k = std::min(m, n);
    bool thin = c.Letter("mode") == 'S';
    return c.IsOneOf("mode", "ASN") &&
           c.Are({C::Array({m, n})}, {C::Array({m, n}), C::Reals({k}), C::Array({m, thin ? k : m}),
                                      C::Array({thin ? k : n, n}), C::Ints({})});
  }
};

struct Gesdd : Svd {
  template <typename C>
  static void Run(C& c) {
    if (!c.Finite()) {
      return;
    }
    int32_t m = c.Dim(0, 2), n = c.Dim(0, 1), columns = c.Letter("mode") == 'S' ? std::min(m, n) : m;
    *c.template Out<int32_t>(4) = c.lapack.gesdd(kRowMajor, c.Letter("mode"), m, n, c.Copy(0, 0), n,
                                                 c.template Out<typename C::Real>(1), c.Out(2), columns, c.Out(3), n);
  }
};

struct Gesvd : Svd {
  template <typename C>
  static void Run(C& c) {
    if (!c.Finite()) {
      return;
    }
    int32_t m = c.Dim(0, 2), n = c.Dim(0, 1), columns = c.Letter("mode") == 'S' ? std::min(m, n) : m;
    std::vector<typename C::Real> unconverged(static_cast<size_t>(std::min(m, n)));
    char mode = c.Letter("mode");
    *c.template Out<int32_t>(4) =
        c.lapack.gesvd(kRowMajor, mode, mode, m, n, c.Copy(0, 0), n, c.template Out<typename C::Real>(1), c.Out(2),
                       columns, c.Out(3), n, unconverged.data());
  }
};

struct Syevd {
  template <typename C>
  static bool Fits(const C& c) {
    int32_t n = c.Dim(0, 1);
    return c.IsOneOf("mode", "VN") && c.IsOneOf("uplo", "LU") &&
           c.Are({C::Array({n, n})}, {C::Array({n, n}), C::Reals({n}), C::Ints({})});
  }
  template <typename C>
  static void Run(C& c) {
    if (!c.Finite()) {
      return;
    }
    int32_t n = c.Dim(0, 1);
    *c.template Out<int32_t>(2) = c.lapack.syevd(kRowMajor, c.Letter("mode"), c.Letter("uplo"), n, c.Copy(0, 0), n,
                                                 c.template Out<typename C::Real>(1));
  }
};

// The complex vectors of a real matrix: a pair of conjugate values has the real and the imaginary part of its first vector in
// two columns.
template <typename R>
void UnpackVectors(int64_t n, const R* imaginary, const R* packed, std::complex<R>* vectors) {
  for (int64_t j = 0; j < n; ++j) {
    bool pair = imaginary[j] != 0 && j + 1 < n;
    for (int64_t i = 0; i < n; ++i) {
      R re = packed[i * n + j], im = pair ? packed[i * n + j + 1] : 0;
      vectors[i * n + j] = {re, im};
      if (pair) {
        vectors[i * n + j + 1] = {re, -im};
      }
    }
    j += pair ? 1 : 0;
  }
}

struct Geev {
  template <typename C>
  static bool Fits(const C& c) {
    int32_t n = c.Dim(0, 1);
    llvm::SmallVector<Part, 5> out(C::kComplex ? 1 : 2, C::Array({n}));
    out.append(2, Part{C::ComplexDtype(), {n, n}});
    out.push_back(C::Ints({}));
    return c.IsOneOf("compute_left", "VN") && c.IsOneOf("compute_right", "VN") && c.Are({C::Array({n, n})}, out);
  }
  template <typename C>
  static void Run(C& c) {
    if (!c.Finite()) {
      return;
    }
    using T = std::decay_t<decltype(*c.Out(0))>;
    int32_t n = c.Dim(0, 1);
    char left = c.Letter("compute_left"), right = c.Letter("compute_right");
    const T* matrix = c.template In<T>(0);
    std::vector<T> a(matrix, matrix + static_cast<int64_t>(n) * n);
    if constexpr (C::kComplex) {
      *c.template Out<int32_t>(3) =
          c.lapack.geev(kRowMajor, left, right, n, a.data(), n, c.Out(0), c.Out(1), n, c.Out(2), n);
    } else {
      std::vector<T> l(a.size()), r(a.size());
      *c.template Out<int32_t>(4) =
          c.lapack.geev(kRowMajor, left, right, n, a.data(), n, c.Out(0), c.Out(1), l.data(), n, r.data(), n);
      UnpackVectors(n, c.Out(1), l.data(), c.template Out<std::complex<T>>(2));
      UnpackVectors(n, c.Out(1), r.data(), c.template Out<std::complex<T>>(3));
    }
  }
};

// JAX never asks for the values in an order of their own.
struct Gees {
  template <typename C>
  static bool Fits(const C& c) {
    int32_t n = c.Dim(0, 1);
    llvm::SmallVector<Part, 6> out(C::kComplex ? 3 : 4, C::Array({n}));
    out[0] = out[1] = C::Array({n, n});
    out.append(2, C::Ints({}));
    return c.IsOneOf("sort", "N") && c.IsOneOf("mode", "VN") && c.Are({C::Array({n, n})}, out);
  }
  template <typename C>
  static void Run(C& c) {
    if (!c.Finite()) {
      return;
    }
    int32_t n = c.Dim(0, 1);
    char mode = c.Letter("mode");
    if constexpr (C::kComplex) {
      *c.template Out<int32_t>(4) = c.lapack.gees(kRowMajor, mode, 'N', nullptr, n, c.Copy(0, 0), n,
                                                  c.template Out<int32_t>(3), c.Out(2), c.Out(1), n);
    } else {
      *c.template Out<int32_t>(5) = c.lapack.gees(kRowMajor, mode, 'N', nullptr, n, c.Copy(0, 0), n,
                                                  c.template Out<int32_t>(4), c.Out(2), c.Out(3), c.Out(1), n);
    }
  }
};

struct Gehrd {
  template <typename C>
  static bool Fits(const C& c) {
    int64_t n = c.Dim(0, 1), low = c.settings.Integer("low").value_or(0), high = c.settings.Integer("high").value_or(0);
    return 1 <= low && low <= high && high <= n &&
           c.Are({C::Array({n, n})}, {C::Array({n, n}), C::Array({n - 1}), C::Ints({})});
  }
  template <typename C>
  static void Run(C& c) {
    auto at = [&](llvm::StringRef name) { return static_cast<int32_t>(c.settings.Integer(name).value_or(0)); };
    int32_t n = c.Dim(0, 1);
    *c.template Out<int32_t>(2) = c.lapack.gehrd(kRowMajor, n, at("low"), at("high"), c.Copy(0, 0), n, c.Out(1));
  }
};

struct Sytrd {
  template <typename C>
  static bool Fits(const C& c) {
    int32_t n = c.Dim(0, 1);
    return n > 0 && c.IsOneOf("uplo", "LU") &&
           c.Are({C::Array({n, n})},
                 {C::Array({n, n}), C::Reals({n}), C::Reals({n - 1}), C::Array({n - 1}), C::Ints({})});
  }
  template <typename C>
  static void Run(C& c) {
    using Real = typename C::Real;
    int32_t n = c.Dim(0, 1);
    *c.template Out<int32_t>(4) = c.lapack.sytrd(kRowMajor, c.Letter("uplo"), n, c.Copy(0, 0), n,
                                                 c.template Out<Real>(1), c.template Out<Real>(2), c.Out(3));
  }
};

// All three diagonals are as long as the matrix: the first of the lower one is not used.
struct Gtsv {
  template <typename C>
  static bool Fits(const C& c) {
    int32_t n = c.Dim(3, 2), columns = c.Dim(3, 1);
    Part diagonal = C::Array({n}), right = C::Array({n, columns});
    return c.Are({diagonal, diagonal, diagonal, right}, {diagonal, diagonal, diagonal, right, C::Ints({})});
  }
  template <typename C>
  static void Run(C& c) {
    int32_t n = c.Dim(3, 2), columns = c.Dim(3, 1);
    *c.template Out<int32_t>(4) =
        c.lapack.gtsv(kRowMajor, n, columns, c.Copy(0, 0) + 1, c.Copy(1, 1), c.Copy(2, 2), c.Copy(3, 3), columns);
  }
};

// The whole arrays of a call as its op has them.
template <typename T>
LapackCall<T> ArraysOf(op::EvalContext& cx, const Lapack<T>& lapack, const CallSettings& settings) {
  LapackCall<T> call{lapack, settings};
  for (size_t i = 0; i < cx.operands.size(); ++i) {
    call.operands.push_back(cx.operand(i).Materialize());
  }
  for (size_t r = 0; r < cx.inst.num_results; ++r) {
    call.results.push_back(Literal(cx.dtype(cx.result_type(r).dtype), cx.result_type(r).dims));
  }
  return call;
}

// A row of the table: the routine's name in JAX's targets, for real and for complex elements; which operand is a matrix in
// its last two dims; and the evaluators by element type.
struct Row {
  llvm::StringLiteral real, complex;
  size_t matrix;
  bool (*eval[4])(op::EvalContext&, const Row&, const CallSettings&);
};

template <typename Routine, typename T>
bool EvalRoutine(op::EvalContext& cx, const Row& row, const CallSettings& settings) {
  const Lapack<T>* lapack = OpenLapack<T>();
  if (lapack == nullptr) {
    cx.why = "LAPACKE's library (liblapacke.so.3) is not installed";
    return false;
  }
  LapackCall<T> call = ArraysOf(cx, *lapack, settings);
  size_t rank = call.operands[row.matrix].dims().size();
  call.batch_rank = rank < 2 ? 0 : rank - 2;
  if (rank < 2 || !Routine::Fits(call)) {
    cx.why = kOtherArrays;
    return false;
  }
  call.batches = tensor::NumElements(call.operands[0].dims().take_front(call.batch_rank));
  bool empty = llvm::any_of(call.operands, [](const Literal& x) { return x.size() == 0; });
  for (; !empty && call.batch < call.batches; ++call.batch) {
    Routine::Run(call);
  }
  for (Literal& result : call.results) {
    cx.results.push_back(std::move(result));
  }
  return true;
}

template <typename Routine>
constexpr Row RowOf(llvm::StringLiteral real, llvm::StringLiteral complex, size_t matrix = 0) {
  return {real,
          complex,
          matrix,
          {EvalRoutine<Routine, float>, EvalRoutine<Routine, double>, EvalRoutine<Routine, std::complex<float>>,
           EvalRoutine<Routine, std::complex<double>>}};
}

constexpr Row kRoutines[] = {
    RowOf<Potrf>("potrf", "potrf"), RowOf<Getrf>("getrf", "getrf"), RowOf<Geqrf>("geqrf", "geqrf"),
    RowOf<Geqp3>("geqp3", "geqp3"), RowOf<Orgqr>("orgqr", "ungqr"), RowOf<Ormqr>("ormqr", "unmqr", 2),
    RowOf<Gesdd>("gesdd", "gesdd"), RowOf<Gesvd>("gesvd", "gesvd"), RowOf<Syevd>("syevd", "heevd"),
    RowOf<Geev>("geev", "geev"),    RowOf<Gees>("gees", "gees"),    RowOf<Gehrd>("gehrd", "gehrd"),
    RowOf<Sytrd>("sytrd", "hetrd"), RowOf<Gtsv>("gtsv", "gtsv", 3),
};

constexpr llvm::StringLiteral kSolve = "trsm";

// `getrf` of `lapack_sgetrf_ffi`.
std::optional<llvm::StringRef> RoutineOf(llvm::StringRef target) {
  bool named = target.consume_front("lapack_") && target.consume_back("_ffi") && !target.empty() &&
               llvm::StringRef("sdcz").contains(target.front());
  return named ? std::optional(target.drop_front()) : std::nullopt;
}

// The same as the op of triangular matrices.
bool EvalTrsm(op::EvalContext& cx, const CallSettings& settings) {
  auto is = [&](llvm::StringRef name, char letter) { return settings.Integer(name) == letter; };
  TriangularSolveAttrs attrs{is("side", 'L'), is("uplo", 'L'), is("diag", 'U'), Transpose::No};
  attrs.transpose = is("trans_x", 'T') ? Transpose::Transpose : is("trans_x", 'C') ? Transpose::Adjoint : Transpose::No;
  if (cx.operands.size() != 2 || cx.inst.num_results != 1 || !SolvesTriangular(cx.operand(0), cx.operand(1), attrs)) {
    cx.why = kOtherArrays;
    return false;
  }
  cx.results.push_back(SolveTriangular(cx.operand(0), cx.operand(1), attrs));
  return true;
}

}  // namespace

bool IsLapackCall(llvm::StringRef target) {
  std::optional<llvm::StringRef> name = RoutineOf(target);
  return name && (*name == kSolve ||
                  llvm::any_of(kRoutines, [&](const Row& row) { return *name == row.real || *name == row.complex; }));
}

bool EvalLapackCall(op::EvalContext& cx, llvm::StringRef target, const CallSettings& settings) {
  constexpr DType kElements[] = {DType::F32, DType::F64, DType::C64, DType::C128};
  std::optional<llvm::StringRef> name = RoutineOf(target);
  if (name == kSolve) {
    return EvalTrsm(cx, settings);
  }
  for (const Row& row : kRoutines) {
    DType dtype = row.matrix < cx.operands.size() ? cx.operand(row.matrix).dtype() : DType::Pred;
    const auto* element = llvm::find(kElements, dtype);
    if (element != std::end(kElements) && name == (tensor::IsComplex(dtype) ? row.complex : row.real)) {
      return row.eval[element - kElements](cx, row, settings);
    }
  }
  cx.why = kOtherArrays;
  return false;
}

}  // namespace spmdc::ops
