// glibc's settings, and advice to the system about pages.
#include "support/heap.h"

#include <cstdint>
#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#endif

namespace spmdc {

void ReserveHeap() {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_TOP_PAD, 4 << 20);
#ifdef MADV_HUGEPAGE
  constexpr size_t kReserved = 64 << 20, kPage = 4096;
  mallopt(M_MMAP_MAX, 0);  // a part of the heap, which keeps it when it is freed
  if (void* heap = malloc(kReserved)) {
    auto begin = (reinterpret_cast<uintptr_t>(heap) + kPage - 1) / kPage * kPage;
    madvise(reinterpret_cast<void*>(begin), kReserved - kPage,
            MADV_HUGEPAGE);  // advice: without it all goes on as well
    free(heap);
  }
  mallopt(M_MMAP_MAX, 65536);
#endif
  // Arrays of programs that run are larger than this, and are given back.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
#endif
}

}  // namespace spmdc
