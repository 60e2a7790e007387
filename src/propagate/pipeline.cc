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

// Shardings that the text gives the entry's boundary and that do not divide it.
class UnevenBoundary {
 public:
  UnevenBoundary(const ir::Module& module, diag::Engine& diags)
      : module_(module), entry_(module.functions[module.entry]), diags_(diags) {}

  void Tell() {
    for (size_t i = 0; i < entry_.args.size(); ++i) {
      TellOf(entry_.arg_info[i], entry_.args[i], "argument " + NameOr(entry_.arg_info[i], i));
    }
    for (size_t i = 0; i < entry_.results.size(); ++i) {
      TellOf(entry_.result_info[i], entry_.results[i], "result " + std::to_string(i));
    }
  }

 private:
  std::string NameOr(const ir::BoundaryInfo& info, size_t i) const {
    const std::string& name = info.name.empty() ? entry_.values[entry_.args[i]].name : info.name;
    return name.empty() ? std::to_string(i) : "'" + name + "'";
  }

  void TellOf(const ir::BoundaryInfo& info, ir::ValueId v, const std::string& what) {
    if (!info.sharding.valid() || !module_.type(entry_, v).is_array()) {
      return;
    }
    const mesh::Sharding& wanted = module_.tables->shardings[info.sharding];
    const ir::Type& type = module_.type(entry_, v);
    mesh::Sharding even = EvenPrefix(wanted, type.dims);
    for (size_t d = 0; d < type.rank() && wanted.mesh.valid(); ++d) {
      int64_t parts = mesh::ShardCount(wanted.dims[d]);
      if (mesh::ShardCount(even.dims[d]) == parts) {
        continue;
      }
      const mesh::Mesh& mesh = module_.tables->meshes[wanted.mesh];
      diags_
          .Warning(diag::Kind::Annotation, info.span,
                   what + " is held as " + mesh::ToSpec(mesh, even) + ", not as " + mesh::ToSpec(mesh, wanted) +
                       ": XLA keeps only axes that divide a boundary, and " + std::to_string(parts) +
                       " parts do not divide the " + std::to_string(type.dims[d]) + " elements of dim " +
                       std::to_string(d))
          .Help("make the dim a multiple of " + std::to_string(parts) + ", such as " +
                std::to_string(mesh::LocalSize(type.dims[d], parts) * parts));
      return;
    }
  }

  const ir::Module& module_;
  const ir::Function& entry_;
  diag::Engine& diags_;
};

}  // namespace

Options::Mode ModeNamed(llvm::StringRef name) {
  return name == "sdy" ? Mode::Sdy : name == "none" ? Mode::None : name == "gspmd" ? Mode::Gspmd : Mode::Shardy;
}

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
  if (options.mode == Mode::Shardy) {
    UnevenBoundary(cloned, diags).Tell();
  }
  Export(graph, how, out);
  return diags.has_errors() ? std::nullopt : std::optional<ir::Module>(std::move(out));
}

}  // namespace spmdc::propagate
