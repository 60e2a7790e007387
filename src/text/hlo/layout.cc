// Layouts: the order of the dims, minor first, and what else stands behind a colon.
#include "text/hlo/layout.h"

#include "llvm/ADT/SmallBitVector.h"
#include "op/op_def.h"
#include "text/hlo/lexer.h"

namespace spmdc::text::hlo {

std::string CheckLayout(llvm::StringRef layout, size_t rank) {
  Lexer lex(layout);
  llvm::SmallBitVector seen(static_cast<unsigned>(rank));
  size_t count = 0;
  bool good = lex.Take('{');
  while (good && llvm::isDigit(lex.Peek())) {
    size_t dim = 0;
    good = !lex.Digits().getAsInteger(10, dim) && dim < rank && !seen.test(static_cast<unsigned>(dim));
    if (good) {
      seen.set(static_cast<unsigned>(dim));
      ++count;
      lex.Take(',');
    }
  }
  if (good && count == rank && (lex.Peek() == ':' || lex.Peek() == '}')) {
    return "";
  }
  std::string dims = rank == 0   ? "no dims"
                     : rank == 1 ? "dim 0"
                                 : "each of the dims 0 to " + std::to_string(rank - 1) + " once";
  return "layout " + layout.str() + " of an array of rank " + std::to_string(rank) + ": expected " + dims;
}

std::string UsualLayout(size_t rank) {
  std::string layout;
  for (size_t d = rank; d-- > 0;) {
    layout += (layout.empty() ? "{" : ",") + std::to_string(d);
  }
  return layout.empty() ? "" : layout + "}";
}

llvm::StringRef LayoutOf(const ir::Module& module, const ir::Function& function, ir::ValueId v) {
  const ir::Value& value = function.values[v];
  ir::SideId side;
  if (value.def.valid()) {
    side = function.insts[value.def].side;
  } else if (value.index < function.arg_info.size()) {
    side = function.arg_info[value.index].side;
  }
  // An unknown op computes what its layouts say, on each device.
  bool is_part =
      value.shard_of.value.valid() && !(value.def.valid() && op::Def(function.insts[value.def].op).own_name != nullptr);
  llvm::StringRef layouts = !side.valid() || is_part ? "" : SideText(module, side, kLayout);
  for (uint32_t i = 0; i < value.index && value.def.valid(); ++i) {
    layouts = layouts.split(';').second;
  }
  llvm::StringRef layout = layouts.split(';').first;
  // What partitioning made of the instruction may be of other ranks.
  return layout.empty() || !CheckLayout(layout, module.type(value).rank()).empty() ? "" : layout;
}

}  // namespace spmdc::text::hlo
