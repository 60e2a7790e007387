// Fuzzing the whole tool on one input language (SPMDC_FUZZ_LANGUAGE): any bytes end in an exit code for users, and a program
// that is read prints as text that reads back as the same program.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "cli/run.h"

namespace {

struct Result {
  int exit_code = 0;
  std::string out;
};

Result Spmdc(std::vector<std::string> args, llvm::StringRef input) {
  Result result;
  std::string err;
  llvm::raw_string_ostream out_stream(result.out);
  llvm::raw_string_ostream err_stream(err);
  spmdc::cli::Io io{.out = out_stream, .err = err_stream, .stdin_text = input.str()};
  io.files.KeepWritesInMemory();
  result.exit_code = spmdc::cli::Run(args, io);
  out_stream.flush();
  return result;
}

void Require(bool condition, const char* what, const std::string& text) {
  if (!condition) {
    std::fprintf(stderr, "%s:\n%s\n", what, text.c_str());
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char*>(data), size);
  Result compiled = Spmdc({"compile", "-", "--from=" SPMDC_FUZZ_LANGUAGE}, text);
  Require(compiled.exit_code == 0 || (compiled.exit_code >= 3 && compiled.exit_code <= 5), "odd exit code",
          compiled.out);
  Result native = Spmdc({"compile", "-", "--from=" SPMDC_FUZZ_LANGUAGE, "--stop-after=types", "--emit=spmd"}, text);
  if (native.exit_code == 0) {
    Result again = Spmdc({"compile", "-", "--from=spmd", "--stop-after=types", "--emit=spmd"}, native.out);
    Require(again.exit_code == 0 && again.out == native.out, "the printed program reads back otherwise", native.out);
  }
  return 0;
}
