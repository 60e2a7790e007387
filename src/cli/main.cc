// The program spmdc: its arguments and streams handed to cli::Run.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "cli/run.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#endif

namespace {

// Memory ran out: said without asking for more of it, and not by a signal. Exit 5: this machine does not support it.
[[noreturn]] void OutOfMemory() {
  constexpr char kMessage[] = "spmdc: error: out of memory\nhelp: a smaller program, or a machine with more memory\n";
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, kMessage, sizeof(kMessage) - 1);
  _exit(5);
}

// A short-lived process gives nothing back to the system between two passes: it would only be asked for again, a page fault
// at a time. Arrays of programs that run are larger than the threshold, and are given back. What most programs need in all
// is reserved as one piece, of large pages where the system has them: touching small ones costs up to a third of the time.
void KeepFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_TOP_PAD, 4 << 20);
#ifdef MADV_HUGEPAGE
  constexpr size_t kReserved = 64 << 20, kPage = 4096;
  mallopt(M_MMAP_MAX, 0);  // a part of the heap, which keeps it when it is freed
  if (void* heap = malloc(kReserved)) {
    auto begin = (reinterpret_cast<uintptr_t>(heap) + kPage - 1) / kPage * kPage;
    madvise(reinterpret_cast<void*>(begin), kReserved - kPage, MADV_HUGEPAGE);  // advice: without it all goes on as well
    free(heap);
  }
  mallopt(M_MMAP_MAX, 65536);
#endif
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  KeepFreedMemory();
  std::set_new_handler(OutOfMemory);
  llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { OutOfMemory(); });
  std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
  spmdc::cli::Io io{.out = llvm::outs(), .err = llvm::errs(), .err_is_terminal = llvm::errs().has_colors()};
  int exit_code = spmdc::cli::Run(args, io);
  llvm::outs().flush();
  if (llvm::outs().has_error()) {
    // Unread errors would end the process by LLVM's own hand.
    llvm::errs() << "spmdc: error: cannot write to standard output: " << llvm::outs().error().message() << "\n";
    llvm::outs().clear_error();
    return exit_code != 0 ? exit_code : 2;
  }
  return exit_code;
}
