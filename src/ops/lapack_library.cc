// LAPACKE is opened by its name, and only the routines that custom calls name are taken.
#include "ops/lapack_library.h"

#include <dlfcn.h>

#include <optional>
#include <type_traits>

// The header's complex numbers are ours.
#define LAPACK_COMPLEX_CUSTOM
#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
#include "lapacke.h"

namespace spmdc::ops {
namespace {

void* Library() {
  static void* const library = [] {
    void* opened = dlopen("liblapacke.so.3", RTLD_NOW | RTLD_LOCAL);
    return opened != nullptr ? opened : dlopen("liblapacke.so", RTLD_NOW | RTLD_LOCAL);
  }();
  return library;
}

// NaN goes in and comes out, as through JAX's calls.
bool TakeNans() {
  auto check = reinterpret_cast<decltype(&LAPACKE_set_nancheck)>(dlsym(Library(), "LAPACKE_set_nancheck"));
  if (check != nullptr) {
    check(0);
  }
  return check != nullptr;
}

template <typename F>
bool Take(F& routine, const char* name) {
  routine = reinterpret_cast<F>(dlsym(Library(), name));
  return routine != nullptr;
}

// The header's declaration makes sure that the type here is that of the routine.
#define SPMDC_TAKE(member, name)                                                  \
  static_assert(std::is_same_v<decltype(member), std::decay_t<decltype(&name)>>); \
  good = Take(member, #name) && good;

// By the letter of the element type, and the names of the routines that are other ones for complex elements.
#define SPMDC_LAPACK(T, p, generate, multiply, eigen, tridiagonal) \
  std::optional<Lapack<T>> Open(const T*) {                        \
    Lapack<T> l{};                                                 \
    bool good = Library() != nullptr && TakeNans();                \
    SPMDC_TAKE(l.potrf, LAPACKE_##p##potrf)                        \
    SPMDC_TAKE(l.getrf, LAPACKE_##p##getrf)                        \
    SPMDC_TAKE(l.geqrf, LAPACKE_##p##geqrf)                        \
    SPMDC_TAKE(l.geqp3, LAPACKE_##p##geqp3)                        \
    SPMDC_TAKE(l.orgqr, LAPACKE_##p##generate)                     \
    SPMDC_TAKE(l.ormqr, LAPACKE_##p##multiply)                     \
    SPMDC_TAKE(l.gesdd, LAPACKE_##p##gesdd)                        \
    SPMDC_TAKE(l.gesvd, LAPACKE_##p##gesvd)                        \
    SPMDC_TAKE(l.syevd, LAPACKE_##p##eigen)                        \
    SPMDC_TAKE(l.gehrd, LAPACKE_##p##gehrd)                        \
    SPMDC_TAKE(l.sytrd, LAPACKE_##p##tridiagonal)                  \
    SPMDC_TAKE(l.gtsv, LAPACKE_##p##gtsv)                          \
    SPMDC_TAKE(l.geev, LAPACKE_##p##geev)                          \
    SPMDC_TAKE(l.gees, LAPACKE_##p##gees)                          \
    return good ? std::optional(l) : std::nullopt;                 \
  }

SPMDC_LAPACK(float, s, orgqr, ormqr, syevd, sytrd)
SPMDC_LAPACK(double, d, orgqr, ormqr, syevd, sytrd)
SPMDC_LAPACK(std::complex<float>, c, ungqr, unmqr, heevd, hetrd)
SPMDC_LAPACK(std::complex<double>, z, ungqr, unmqr, heevd, hetrd)

}  // namespace

template <typename T>
const Lapack<T>* OpenLapack() {
  static const std::optional<Lapack<T>> opened = Open(static_cast<const T*>(nullptr));
  return opened ? &*opened : nullptr;
}

template const Lapack<float>* OpenLapack<float>();
template const Lapack<double>* OpenLapack<double>();
template const Lapack<std::complex<float>>* OpenLapack<std::complex<float>>();
template const Lapack<std::complex<double>>* OpenLapack<std::complex<double>>();

}  // namespace spmdc::ops
