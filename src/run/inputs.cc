// Files in and out: which argument an array is for, and what is said when it does not fit.
#include "run/inputs.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "run/npy.h"

namespace spmdc::run {

namespace {

bool Fail(diag::Engine& diags, std::string message) {
  diags.Error(diag::Kind::InputFile, {}, std::move(message));
  return false;
}

std::unique_ptr<llvm::MemoryBuffer> ReadFile(const std::string& path, diag::Engine& diags) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer) {
    Fail(diags, "cannot read '" + path + "': " + buffer.getError().message());
    return nullptr;
  }
  return std::move(*buffer);
}

// The argument of a name as the text has it, of `arg3`, or of a number; -1 if there is none.
int64_t FindArgument(const ir::Function& entry, llvm::StringRef name) {
  for (size_t i = 0; i < entry.args.size(); ++i) {
    if (name == entry.arg_info[i].name || name == entry.values[entry.args[i]].name) {
      return static_cast<int64_t>(i);
    }
  }
  name.consume_front("arg");
  uint64_t number = 0;
  return name.getAsInteger(10, number) || number >= entry.args.size() ? -1 : static_cast<int64_t>(number);
}

bool SetInput(const ir::Module& global, const std::string& file, llvm::StringRef name, llvm::StringRef bytes,
              Inputs& inputs, std::vector<char>& random, diag::Engine& diags) {
  const ir::Function& entry = global.functions[global.entry];
  int64_t i = FindArgument(entry, name);
  if (i < 0) {
    return Fail(diags, "'" + file + "' is for '" + name.str() + "', which is no argument of the program");
  }
  const ir::Type& type = global.type(entry, entry.args[static_cast<size_t>(i)]);
  std::string error;
  auto literal = ReadNpy(bytes, type.dtype, error);
  if (!literal) {
    return Fail(diags, "'" + file + "' (" + name.str() + ") " + error);
  }
  if (literal->dtype() != type.dtype || literal->dims() != llvm::ArrayRef<int64_t>(type.dims)) {
    return Fail(diags, "'" + file + "' has " +
                           ir::ToString(*global.tables, ir::ArrayType(literal->dtype(), literal->dims())) + " for '" +
                           name.str() + "', which is " +
                           ir::ToString(*global.tables, ir::ArrayType(type.dtype, type.dims)));
  }
  inputs[static_cast<size_t>(i)] = std::move(*literal);
  random[static_cast<size_t>(i)] = 0;
  return true;
}

}  // namespace

bool ReadInputs(const ir::Module& global, const InputFiles& files, Inputs& inputs, std::vector<char>& random,
                diag::Engine& diags) {
  random.resize(inputs.size());
  if (!files.archive.empty()) {
    auto buffer = ReadFile(files.archive, diags);
    if (!buffer) {
      return false;
    }
    std::string error;
    auto arrays = ReadNpz(buffer->getBuffer(), error);
    if (!arrays) {
      return Fail(diags, "'" + files.archive + "' " + error);
    }
    for (const NamedArray& array : *arrays) {
      if (!SetInput(global, files.archive, array.name, array.bytes, inputs, random, diags)) {
        return false;
      }
    }
  }
  for (const auto& [name, path] : files.named) {
    auto buffer = ReadFile(path, diags);
    if (!buffer || !SetInput(global, path, name, buffer->getBuffer(), inputs, random, diags)) {
      return false;
    }
  }
  return true;
}

bool SaveResults(llvm::StringRef directory, llvm::ArrayRef<tensor::Literal> results, diag::Engine& diags) {
  if (std::error_code error = llvm::sys::fs::create_directories(directory)) {
    return Fail(diags, "cannot make '" + directory.str() + "': " + error.message());
  }
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i].empty()) {
      continue;  // a token
    }
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, "out" + std::to_string(i) + ".npy");
    std::error_code error;
    llvm::raw_fd_ostream file(path, error);
    if (!error) {
      file << WriteNpy(results[i]);
      file.close();
      error = file.error();
      file.clear_error();
    }
    if (error) {
      return Fail(diags, "cannot write '" + path.str().str() + "': " + error.message());
    }
  }
  return true;
}

}  // namespace spmdc::run
