// How a broken invariant ends the process: one line on standard error, exit code 70, never a signal.
#include "support/check.h"

#include <cstdlib>

#include "llvm/Support/raw_ostream.h"

namespace spmdc {

void FailCheck(const char* file, int line, const char* condition, llvm::StringRef message) {
  llvm::StringRef name(file);
  llvm::outs().flush();
  llvm::errs() << "internal error: " << name.substr(name.rfind('/') + 1) << ":" << line << ": " << message << " ("
               << condition << ")\n";
  llvm::errs().flush();
#ifdef SPMDC_FUZZ
  std::abort();  // the fuzzer keeps the input that led here
#else
  std::_Exit(70);
#endif
}

}  // namespace spmdc
