// How a broken invariant ends the process: one line on standard error, exit code 70, never a signal.
#include "support/check.h"

#include <cstdint>
#include <cstdlib>

#include "llvm/Support/raw_ostream.h"

#ifdef SPMDC_FUZZ
// There in fuzzers only, not in the tests that are built beside them.
extern "C" __attribute__((weak)) int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
#endif

namespace spmdc {

void FailCheck(const char* file, int line, const char* condition, llvm::StringRef message) {
  llvm::StringRef name(file);
  llvm::outs().flush();
  llvm::errs() << "internal error: " << name.substr(name.rfind('/') + 1) << ":" << line << ": " << message << " ("
               << condition << ")\n";
  llvm::errs().flush();
#ifdef SPMDC_FUZZ
  if (LLVMFuzzerTestOneInput != nullptr) {
    std::abort();  // the fuzzer keeps the input that led here
  }
#endif
  std::_Exit(70);
}

}  // namespace spmdc
