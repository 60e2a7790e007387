// The command line tool as a function: arguments in, exit code out, every stream and file through Io.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorOr.h"
#include "llvm/Support/raw_ostream.h"

namespace spmdc::cli {

// The files a command sees: those held in memory first, then the disk's.
class Files {
 public:
  void Put(std::string path, std::string text) { in_memory_[std::move(path)] = std::move(text); }
  // From now on writes stay in memory, where later reads find them.
  void KeepWritesInMemory() { keep_writes_ = true; }
  const std::map<std::string, std::string>& in_memory() const { return in_memory_; }

  // The whole file; the system's error code where it cannot be read.
  llvm::ErrorOr<std::string> Read(llvm::StringRef path) const;
  // Replaces the file. Missing folders on the way are made.
  std::error_code Write(llvm::StringRef path, llvm::StringRef bytes);

 private:
  std::map<std::string, std::string> in_memory_;
  bool keep_writes_ = false;
};

// Where a run of the tool reads and writes.
struct Io {
  llvm::raw_ostream& out;
  llvm::raw_ostream& err;
  Files files = {};
  std::optional<std::string> stdin_text = {};  // none: the process's own standard input
  bool err_is_terminal = false;                // what --color=auto goes by

  // The text of FILE; "-" is standard input, which is read once and remembered.
  llvm::ErrorOr<std::string> ReadInput(llvm::StringRef path);
  // To FILE, or to out where the name is empty or "-".
  std::error_code WriteOutput(llvm::StringRef path, llvm::StringRef bytes);
};

// Runs `spmdc ARGS...` (args without the program's name) and returns its exit code. Throws nothing.
int Run(llvm::ArrayRef<std::string> args, Io& io);

}  // namespace spmdc::cli
