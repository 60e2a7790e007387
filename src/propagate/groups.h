// Sharding groups: values that shall be sharded alike, whatever connects them.
#pragma once

#include "diag/engine.h"
#include "propagate/view.h"

namespace spmdc::propagate {

// Finds the groups of a view whose constraints have been applied: groups that share a value are one. Members get the one
// sharding that is given to some of them; where given shardings differ, every member is followed by an open constraint,
// and the constraints are the members; a warning tells so.
void FormGroups(View& view, diag::Engine& diags);
// The warning alone.
void TellGroupConflicts(const View& view, diag::Engine& diags);

}  // namespace spmdc::propagate
