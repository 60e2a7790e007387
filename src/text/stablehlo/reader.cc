// Entry point of the reader: parse, then check types.
#include "text/stablehlo/reader.h"

#include "op/verify.h"
#include "text/stablehlo/parser.h"

namespace spmdc::text::stablehlo {

std::optional<ir::Module> Read(source::FileId file, diag::Engine& diags) {
  std::optional<ir::Module> module = Parser(file, diags).Run();
  if (!module || !op::Verify(*module, diags)) {
    return std::nullopt;
  }
  return module;
}

}  // namespace spmdc::text::stablehlo
