// Programs that a benchmark is told to take: SPMDC_BENCH_FILES=a.mlir:b.hlo.
#pragma once

#include <cstdlib>
#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace spmdc::bench {

struct File {
  std::string path, text;
  // The last two parts of the path: many models are called program.mlir.
  std::string name;
};

// Calls f(File) for each file that the environment names and that can be read.
template <typename F>
void ForEachFile(F f) {
  const char* files = std::getenv("SPMDC_BENCH_FILES");
  llvm::SmallVector<llvm::StringRef, 8> paths;
  llvm::StringRef(files == nullptr ? "" : files).split(paths, ':', -1, false);
  for (llvm::StringRef path : paths) {
    if (auto buffer = llvm::MemoryBuffer::getFile(path)) {
      llvm::StringRef folder = llvm::sys::path::filename(llvm::sys::path::parent_path(path));
      f(File{path.str(), (*buffer)->getBuffer().str(), (folder + "/" + llvm::sys::path::filename(path)).str()});
    }
  }
}

}  // namespace spmdc::bench
