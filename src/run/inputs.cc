// Files in and out: which argument an array is for, and what is said when it does not fit.
#include "run/inputs.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "run/npy.h"

namespace spmdc::run {

namespace {

bool Fail(diag::Engine& diags, std::string message) {
  diags.Error(diag::Kind::InputFile, {}, std::move(message));
  return false;
}

std::optional<std::string> Bytes(const std::string& path, ReadFile read, diag::Engine& diags) {
  llvm::ErrorOr<std::string> bytes = read(path);
  if (!bytes) {
    Fail(diags, "cannot read '" + path + "': " + bytes.getError().message());
    return std::nullopt;
  }
  return std::move(*bytes);
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

bool ReadInputs(const ir::Module& global, const InputFiles& files, ReadFile read, Inputs& inputs,
                std::vector<char>& random, diag::Engine& diags) {
  random.resize(inputs.size());
  if (!files.archive.empty()) {
    auto bytes = Bytes(files.archive, read, diags);
    if (!bytes) {
      return false;
    }
    std::string error;
    auto arrays = ReadNpz(*bytes, error);
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
    auto bytes = Bytes(path, read, diags);
    if (!bytes || !SetInput(global, path, name, *bytes, inputs, random, diags)) {
      return false;
    }
  }
  return true;
}

bool SaveResults(llvm::StringRef directory, llvm::ArrayRef<tensor::Literal> results, WriteFile write,
                 diag::Engine& diags) {
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i].empty()) {
      continue;  // a token
    }
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, "out" + std::to_string(i) + ".npy");
    if (std::error_code error = write(path, WriteNpy(results[i]))) {
      diags.Error(diag::Kind::NoOutput, {}, "cannot write '" + path.str().str() + "': " + error.message());
      return false;
    }
  }
  return true;
}

}  // namespace spmdc::run
