// oneDNN is opened by the name that its header's version has, and only its sgemm is taken.
#include "ops/onednn.h"

#include <dlfcn.h>

#include <string>

#include "oneapi/dnnl/dnnl.h"

namespace spmdc::ops {
namespace {

struct OneDnn {
  decltype(&dnnl_sgemm) multiply = nullptr;
  // Of the OpenMP that the library runs on; null where it runs on something else.
  void (*set_threads)(int) = nullptr;
};

OneDnn Open() {
  OneDnn opened;
  std::string name = "libdnnl.so." + std::to_string(DNNL_VERSION_MAJOR);
  if (void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    opened.multiply = reinterpret_cast<decltype(opened.multiply)>(dlsym(library, "dnnl_sgemm"));
    opened.set_threads = reinterpret_cast<decltype(opened.set_threads)>(dlsym(library, "omp_set_num_threads"));
  }
  return opened;
}

}  // namespace

bool MultiplyByOneDnn(const float* a, const float* b, float* c, const MatrixSizes& sizes) {
  static const OneDnn library = Open();
  if (!library.multiply) {
    return false;
  }
  if (library.set_threads) {
    library.set_threads(1);  // counts for the calling thread only
  }
  int64_t rows = sizes.rows, k = sizes.k, columns = sizes.columns;
  for (int64_t i = 0; i < sizes.batch; ++i) {
    if (library.multiply('N', 'N', rows, columns, k, 1, a + i * rows * k, k, b + i * k * columns, columns, 0,
                         c + i * rows * columns, columns) != dnnl_success) {
      return false;
    }
  }
  return true;
}

}  // namespace spmdc::ops
