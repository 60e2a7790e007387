// Rules of custom calls that everybody knows by their targets.
#pragma once

#include "op/rule_builder.h"
#include "op/sharded_inst.h"
#include "ops/opaque.h"

namespace spmdc::ops {

// Whether what an op computes is its operand: it only tells something of it.
bool GivesItsOperand(const OpaqueAttrs& attrs);
// Whether an op gives its operand back, and only says in which memory it is to be: `annotate_device_placement`.
bool IsPlacement(const OpaqueAttrs& attrs);
// The rule of an op that this tool does not know: that of its target if Shardy has one for it; batches, which propagation
// leaves alone, for calls that say how many dims of theirs are batches (OpaqueAttrs::batch_dims); else none.
void RuleOfCustomCall(op::RuleBuilder& b);
// Whether devices may run the op by themselves, each on its part of what these shardings split: batches, and what a target
// computes element by element.
bool RunsOnParts(const op::ShardedInst& s);
// A custom call that any device may run as it stands. Others speak to the compiler.
bool IsComputation(const OpaqueAttrs& attrs);

}  // namespace spmdc::ops
