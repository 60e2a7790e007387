// Invariants of the program itself: a broken one is our fault, told as such, with exit code 70.
//
// A mistake of the user's never comes here; it goes to diag::Engine.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace spmdc {

// Writes "internal error: FILE:LINE: CONDITION: MESSAGE" to standard error and ends the process with exit code 70.
[[noreturn]] void FailCheck(const char* file, int line, const char* condition, llvm::StringRef message);

}  // namespace spmdc

#define SPMDC_CHECK(condition, message)                                   \
  do {                                                                    \
    if (!(condition)) {                                                   \
      ::spmdc::FailCheck(__FILE_NAME__, __LINE__, #condition, (message)); \
    }                                                                     \
  } while (false)

#ifndef __FILE_NAME__
#define __FILE_NAME__ __FILE__
#endif
