// The driver: which rewrites of the view each mode makes, then the same propagation, then the same way back.
#include "propagate/as_xla.h"
#include "propagate/classic.h"
#include "propagate/clone.h"
#include "propagate/export.h"
#include "propagate/groups.h"
#include "propagate/prepasses.h"
#include "propagate/propagate.h"
#include "propagate/user_priority.h"
#include "propagate/view_build.h"

namespace spmdc::propagate {

namespace {

using Mode = Options::Mode;

View Prepare(const ir::Module& module, Mode mode, diag::Engine& diags) {
  ViewOptions options;
  options.as_xla = options.from_stablehlo = mode == Mode::Shardy;
  options.op_annotations = mode != Mode::Shardy;
  options.chlo_is_wall = mode == Mode::Sdy;
  View view = BuildView(module, options, diags);
  if (mode == Mode::Shardy) {
    DropUnused(view);
    if (CaptureInvariants(view)) {
      DropUnused(view);
    }
    OpenCapturedValues(view);
    JoinGroupsOfEqualConstants(view);
  }
  if (mode != Mode::None) {
    SplitConstants(view);
  }
  AddEdges(view);
  if (mode != Mode::None) {
    ApplyConstraints(view);
    FormGroups(view, diags);
  }
  return view;
}

void Classic(const ir::Module& module, ir::Module& out, diag::Engine& diags) {
  ViewOptions options;
  options.as_xla = options.branch_arguments = options.unused = true;
  View view = BuildView(module, options, diags);
  ReplaceUnusedUsers(view);
  TellGroupConflicts(view, diags);
  ClassicGraph graph = BuildClassicGraph(view);
  PropagateClassic(graph, module.tables->meshes[module.mesh].size());
  ExportOptions how;
  how.even_boundaries = false;
  Export(graph.graph, how, out);
}

}  // namespace

std::optional<ir::Module> Propagate(const ir::Module& module, const Options& options, diag::Engine& diags) {
  ir::Module out = module;
  if (!module.mesh.valid() || module.origins.size() != 0) {
    return out;
  }
  if (!CheckCallTree(out, diags)) {
    return std::nullopt;
  }
  ClonePerCallSite(out);
  // The view reads the program while the result is written: the program that was given, or one with the copies.
  std::optional<ir::Module> with_copies;
  if (out.functions.size() != module.functions.size()) {
    with_copies = out;
  }
  const ir::Module& cloned = with_copies ? *with_copies : module;
  if (options.mode == Mode::Gspmd) {
    Classic(cloned, out, diags);
    return diags.has_errors() ? std::nullopt : std::optional<ir::Module>(std::move(out));
  }
  View view = Prepare(cloned, options.mode, diags);
  Graph graph = BuildGraph(view);
  if (options.mode != Mode::None) {
    PropagateByPriority(graph);
  }
  ExportOptions how;
  how.even_boundaries = options.mode != Mode::None;
  how.even_inner_boundaries = how.merge_copies = options.mode == Mode::Sdy;
  Export(graph, how, out);
  return diags.has_errors() ? std::nullopt : std::optional<ir::Module>(std::move(out));
}

}  // namespace spmdc::propagate
