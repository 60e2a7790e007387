// The program spmdc: its arguments and streams handed to cli::Run.
#include <unistd.h>

#include <new>
#include <string>
#include <vector>

#include "cli/run.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include "support/heap.h"

namespace {

// Memory ran out: said without asking for more of it, and not by a signal. Exit 5: this machine does not support it.
[[noreturn]] void OutOfMemory() {
  constexpr char kMessage[] = "spmdc: error: out of memory\nhelp: a smaller program, or a machine with more memory\n";
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, kMessage, sizeof(kMessage) - 1);
  _exit(5);
}

}  // namespace

int main(int argc, char** argv) {
  spmdc::ReserveHeap();
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
