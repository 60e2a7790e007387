// The door to LAPACK: its routines on row-major matrices, by the element type.
#pragma once

#include <complex>
#include <cstdint>

namespace spmdc::ops {

// Real parts of a T.
template <typename T>
struct RealOf {
  using Type = T;
};
template <typename T>
struct RealOf<std::complex<T>> {
  using Type = T;
};

// The routines that go by the same arguments for real and complex elements, under the names of the real ones. The first
// argument is the layout; what they return is LAPACK's `info`.
template <typename T>
struct LapackRoutines {
  using Real = typename RealOf<T>::Type;
  int32_t (*potrf)(int, char, int32_t, T*, int32_t);
  int32_t (*getrf)(int, int32_t, int32_t, T*, int32_t, int32_t*);
  int32_t (*geqrf)(int, int32_t, int32_t, T*, int32_t, T*);
  int32_t (*geqp3)(int, int32_t, int32_t, T*, int32_t, int32_t*, T*);
  int32_t (*orgqr)(int, int32_t, int32_t, int32_t, T*, int32_t, const T*);
  int32_t (*ormqr)(int, char, char, int32_t, int32_t, int32_t, const T*, int32_t, const T*, T*, int32_t);
  int32_t (*gesdd)(int, char, int32_t, int32_t, T*, int32_t, Real*, T*, int32_t, T*, int32_t);
  int32_t (*gesvd)(int, char, char, int32_t, int32_t, T*, int32_t, Real*, T*, int32_t, T*, int32_t, Real*);
  int32_t (*syevd)(int, char, char, int32_t, T*, int32_t, Real*);
  int32_t (*gehrd)(int, int32_t, int32_t, int32_t, T*, int32_t, T*);
  int32_t (*sytrd)(int, char, int32_t, T*, int32_t, Real*, Real*, T*);
  int32_t (*gtsv)(int, int32_t, int32_t, T*, T*, T*, T*, int32_t);
};

// Eigenvalues of real matrices come as two lists, those of complex ones as one.
template <typename T>
struct LapackEigen {
  int32_t (*geev)(int, char, char, int32_t, T*, int32_t, T*, T*, T*, int32_t, T*, int32_t);
  int32_t (*gees)(int, char, char, int32_t (*)(const T*, const T*), int32_t, T*, int32_t, int32_t*, T*, T*, T*,
                  int32_t);
};
template <typename T>
struct LapackEigen<std::complex<T>> {
  using Complex = std::complex<T>;
  int32_t (*geev)(int, char, char, int32_t, Complex*, int32_t, Complex*, Complex*, int32_t, Complex*, int32_t);
  int32_t (*gees)(int, char, char, int32_t (*)(const Complex*), int32_t, Complex*, int32_t, int32_t*, Complex*,
                  Complex*, int32_t);
};

template <typename T>
struct Lapack : LapackRoutines<T>, LapackEigen<T> {};

// The library is opened at the first call: linked, it would cost every start of the tool. Null where there is none. T is
// float, double or complex of one.
template <typename T>
const Lapack<T>* OpenLapack();

}  // namespace spmdc::ops
