// The program spmdc: its arguments and streams handed to cli::Run.
#include <string>
#include <vector>

#include "cli/run.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char** argv) {
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
