// Fuzzing one reader by itself (SPMDC_FUZZ_READER): any bytes are a program that passes the checks, or errors.
#include <cstdint>
#include <cstdlib>

#include "source/source_manager.h"
#include "text/hlo/reader.h"
#include "text/native/reader.h"
#include "text/stablehlo/reader.h"

namespace spmdc::text::native {

// Loops without end are refused early: under sanitizers those of the stories would take half of a short run.
inline std::optional<ir::Module> Read(source::FileId file, diag::Engine& diags) {
  return Read(file, {.max_steps = 100'000}, diags, llvm::nulls());
}

}  // namespace spmdc::text::native

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  spmdc::source::SourceManager sources;
  spmdc::diag::Engine diags(&sources);
  auto file = sources.Add("fuzz", std::string(reinterpret_cast<const char*>(data), size));
  std::optional<spmdc::ir::Module> module = spmdc::text::SPMDC_FUZZ_READER::Read(file, diags);
  if (module.has_value() == diags.has_errors()) {
    std::abort();
  }
  spmdc::diag::RenderText(diags, /*color=*/false);
  return 0;
}
