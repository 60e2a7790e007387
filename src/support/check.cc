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
  std::_Exit(70);
}

}  // namespace spmdc
