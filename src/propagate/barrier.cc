// Directions of barriers, as texts spell them.
#include "propagate/barrier.h"

#include "op/op_def.h"
#include "ops/opaque.h"
#include "support/starts_with.h"

namespace spmdc::propagate {

std::optional<Direction> BarrierOf(const ir::Module& module, const ir::Inst& inst) {
  if (op::Def(inst.op).make_attrs != ir::NewAttrs<ops::OpaqueAttrs> || inst.num_operands != 1 ||
      inst.num_results != 1) {
    return std::nullopt;
  }
  const auto& attrs = module.attrs<ops::OpaqueAttrs>(inst);
  if (!ops::IsPropagationBarrier(attrs)) {
    return std::nullopt;
  }
  // `allowed_direction=FORWARD`, or `{allowed_direction = 1 : i32}` in the generic form.
  llvm::StringRef text = attrs.text;
  text = text.substr(text.find("allowed_direction")).ltrim("allowed_direction").ltrim(" =");
  int number = 0;
  if (StartsWith(text, "FORWARD") || (!text.consumeInteger(10, number) && number == 1)) {
    return Direction::Forward;
  }
  return StartsWith(text, "BACKWARD") || number == 2 ? Direction::Backward : Direction::None;
}

}  // namespace spmdc::propagate
