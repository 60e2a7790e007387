// What becomes of a program on XLA's way to Shardy, where that matters to propagation.
#pragma once

#include <optional>

#include "propagate/view.h"

namespace spmdc::propagate {

// Values that a loop hands through unchanged are used inside as they are, and so are its results of them. Whether there were
// any.
bool CaptureInvariants(View& view);

// A value with a sharding that a loop captures goes in through a constraint with all dims open, so that the loop may shard
// it further than its other uses.
void OpenCapturedValues(View& view);

// Ops without side effects whose results nobody uses.
void DropUnused(View& view);

// The broadcast `o`, not yet placed, as XLA builds it. Where dims of size 1 are stretched: a broadcast that adds the new
// dims, a reshape that drops those of size 1, a broadcast that adds them again (o itself); appends the first two to the
// region. A broadcast that only adds dims of size 1 becomes a reshape. Returns the operand that o has now.
int32_t BroadcastAsXla(View& view, int32_t region, int32_t o, int32_t operand);

// The value of the same function that the result of an op is: of one that changes nothing (a reshape to the same dims, a slice
// of all, a pad of nothing) its operand, of one that undoes others (a reshape back, a transpose of a transpose) what those
// started from.
std::optional<ir::ValueId> SameAs(const ir::Module& module, const ir::Function& function, const ir::Inst& inst);

// XLA has one of equal constants: where one of them is in a sharding group, all are that stand beside it.
void JoinGroupsOfEqualConstants(View& view);

// Where ops that nobody needs were left out of the view: XLA gives the place that one had among the users of its operand,
// mostly the first, to the last of them.
void ReplaceUnusedUsers(View& view);

}  // namespace spmdc::propagate
