// Entry point of the reader: parse, then check types.
#include "text/stablehlo/reader.h"

#include "op/verify.h"
#include "text/stablehlo/parser.h"

namespace spmdc::text::stablehlo {

std::optional<ir::Module> Read(source::FileId file, diag::Engine& diags) { return Read(file, diags, ""); }

std::optional<ir::Module> Read(source::FileId file, diag::Engine& diags, llvm::StringRef entry) {
  std::optional<ir::Module> module = Parser(file, diags, entry).Run();
  if (!module || !op::Verify(*module, diags)) {
    return std::nullopt;
  }
  return module;
}

}  // namespace spmdc::text::stablehlo
