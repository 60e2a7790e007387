// The view of a program whose functions form a tree (clone.h), as its text stands.
#pragma once

#include "diag/engine.h"
#include "propagate/view.h"

namespace spmdc::propagate {

// Which annotations and which form of the program the view has.
struct ViewOptions {
  // As XLA sees it: from the results back (schedule.h), calls inlined. Else as the text stands: calls are regions, their
  // arguments and results edges with the callee's annotations.
  bool as_xla = false;
  // Broadcasts split and ops that change nothing folded, as on the way from StableHLO to HLO.
  bool from_stablehlo = false;
  // Values that nothing needs take part too.
  bool unused = false;
  // What a branching op hands to its branches are arguments there; else the branches use the values themselves.
  bool branch_arguments = false;
  // Annotations on results of ordinary ops count.
  bool op_annotations = true;
  // What the text spells as an op of CHLO has no rule: Shardy knows none before XLA has expanded it.
  bool chlo_is_wall = false;
};

// Builds ops, uses and initial shardings of all that the entry reaches. Warns where annotations are ignored.
View BuildView(const ir::Module& module, const ViewOptions& options, diag::Engine& diags);

}  // namespace spmdc::propagate
