// Fuzzing the specs reader: any bytes are a specs file, or errors; the same for the texts of options. Of a story, its first
// specs file is taken.
#include <cstdint>
#include <cstdlib>

#include "specs/spec_text.h"
#include "text/json/specs_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char*>(data), size);
  llvm::StringRef behind = bytes.split(".json\n").second.split("RUN:").first;
  if (!behind.empty()) {
    bytes = behind.take_front(behind.rfind('}') + 1);
  }
  spmdc::source::SourceManager sources;
  spmdc::diag::Engine diags(&sources);
  auto file = sources.Add("fuzz", bytes.str());
  if (spmdc::text::json::ReadSpecsFile(file, diags).has_value() == diags.has_errors()) {
    std::abort();
  }
  spmdc::specs::Text text{sources.text(file), {file, 0, static_cast<uint32_t>(bytes.size())}};
  spmdc::specs::ParseMesh(text, spmdc::diag::Kind::BadOption, diags);
  spmdc::specs::ParseOption(text, diags);
  spmdc::diag::RenderText(diags, /*color=*/false);
  return 0;
}
