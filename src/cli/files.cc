// Reading and writing whole files, in memory or on disk.
#include "cli/run.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace spmdc::cli {

llvm::ErrorOr<std::string> Files::Read(llvm::StringRef path) const {
  auto it = in_memory_.find(path.str());
  if (it != in_memory_.end()) {
    return it->second;
  }
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer) {
    return buffer.getError();
  }
  return (*buffer)->getBuffer().str();
}

std::error_code Files::Write(llvm::StringRef path, llvm::StringRef bytes) {
  if (keep_writes_) {
    in_memory_[path.str()] = bytes.str();
    return {};
  }
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  if (!folder.empty()) {
    if (std::error_code error = llvm::sys::fs::create_directories(folder)) {
      return error;
    }
  }
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (error) {
    return error;
  }
  file << bytes;
  file.close();
  error = file.error();
  file.clear_error();
  return error;
}

llvm::ErrorOr<std::string> Io::ReadInput(llvm::StringRef path) {
  if (path != "-") {
    return files.Read(path);
  }
  if (stdin_text) {
    return *stdin_text;
  }
  auto buffer = llvm::MemoryBuffer::getSTDIN();
  if (!buffer) {
    return buffer.getError();
  }
  stdin_text = (*buffer)->getBuffer().str();
  return *stdin_text;
}

std::error_code Io::WriteOutput(llvm::StringRef path, llvm::StringRef bytes) {
  if (path.empty() || path == "-") {
    out << bytes;
    return {};
  }
  return files.Write(path, bytes);
}

}  // namespace spmdc::cli
