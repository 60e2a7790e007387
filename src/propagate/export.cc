// Writing the decisions down.
#include "propagate/export.h"

#include <map>
#include <numeric>

#include "llvm/ADT/STLExtras.h"
#include "op/factor_axes.h"
#include "op/op_def.h"
#include "ops/control.h"
#include "ops/sharding.h"

namespace spmdc::propagate {

mesh::Sharding EvenPrefix(const mesh::Sharding& sharding, llvm::ArrayRef<int64_t> dims) {
  mesh::Sharding even = sharding;
  for (size_t d = 0; d < dims.size(); ++d) {
    int64_t left = dims[d];
    mesh::AxisList axes;
    for (mesh::AxisRef axis : sharding.dims[d].axes) {
      int64_t common = std::gcd(left, axis.size);
      mesh::Append(axes, {axis.axis, axis.pre, common});
      left /= common;
      if (common != axis.size) {
        break;
      }
    }
    even.dims[d].axes = std::move(axes);
  }
  return even;
}

namespace {

// On open dims of the entry's boundary, nothing from the first part of an axis on.
mesh::Sharding WholeAxesOnly(const mesh::Mesh& mesh, const mesh::Sharding& sharding) {
  mesh::Sharding whole = sharding;
  for (mesh::DimSharding& dim : whole.dims) {
    if (dim.open) {
      auto* part = llvm::find_if(dim.axes, [&](mesh::AxisRef axis) { return !mesh::IsWhole(mesh, axis); });
      dim.axes.erase(part, dim.axes.end());
    }
  }
  return whole;
}

class Exporter {
 public:
  Exporter(const Graph& graph, const ExportOptions& options, ir::Module& module)
      : graph_(graph), view_(graph.view), options_(options), module_(module) {}

  void Run() {
    FindCopies();
    module_.annotations = view_.annotations;
    for (ir::FuncId f : module_.functions.ids()) {
      module_.origins[f].reserve(2 * module_.functions[f].values.size());
      for (ir::ValueId v : module_.functions[f].values.ids()) {
        ExportValue(f, v);
      }
    }
    for (ir::FuncId f : module_.functions.ids()) {
      ExportArgs(f);
      if (f != module_.entry) {
        ExportInnerResults(f);
      }
    }
    ExportEntryResults();
    if (options_.merge_copies) {
      MergeCopies();
    }
  }

 private:
  // Where an original was erased, its first copy stands for it.
  void FindCopies() {
    copy_.assign(view_.values.size(), kNone);
    for (size_t v = 0; v < view_.values.size(); ++v) {
      const ViewValue& value = view_.values[v];
      if (value.copy_of != kNone && copy_[static_cast<size_t>(value.copy_of)] == kNone &&
          !view_.IsGone(static_cast<int32_t>(v))) {
        copy_[static_cast<size_t>(value.copy_of)] = static_cast<int32_t>(v);
      }
    }
  }

  // The tensor that stands for a value of the program; kNone if the entry does not reach it.
  int32_t TensorOf(ir::FuncId f, ir::ValueId v) const {
    const std::vector<int32_t>& built = view_.built.Get(f);
    int32_t at = built.empty() ? kNone : built[static_cast<size_t>(v.index)];
    if (at == kNone) {
      return kNone;
    }
    if (view_.IsGone(at) && copy_[static_cast<size_t>(at)] != kNone) {
      at = copy_[static_cast<size_t>(at)];
    }
    return view_.Decider(at);
  }

  // Closed, without pins: where the value is.
  mesh::ShardingId Final(mesh::Sharding sharding) {
    for (mesh::DimSharding& dim : sharding.dims) {
      dim.open = false;
      dim.priority = 0;
    }
    sharding.replicated.clear();
    return module_.tables->shardings.Intern(sharding);
  }

  // The same of a state; states are few, tensors are many.
  mesh::ShardingId FinalOf(mesh::ShardingId state) {
    mesh::ShardingId& known = finals_[state];
    known = known.valid() ? known : Final(view_.shardings[state]);
    return known;
  }
  mesh::ShardingId ReplicatedAs(ir::TypeId type) {
    mesh::ShardingId& known = replicated_[type];
    known = known.valid() ? known : Final(mesh::Replicated(module_.mesh, module_.tables->types[type].rank()));
    return known;
  }

  // What the text says about a value that took no part: nobody needs it.
  mesh::ShardingId Given(ir::FuncId f, const ir::Value& value) const {
    if (!value.def.valid()) {
      return value.sharding;
    }
    const ir::Inst& inst = module_.functions[f].insts[value.def];
    if (op::Def(inst.op).region == op::Region::Manual) {
      return module_.attrs<ops::ManualComputationAttrs>(inst).out_shardings[static_cast<size_t>(value.index)];
    }
    return op::Def(inst.op).is_constraint ? module_.attrs<ops::ShardingConstraintAttrs>(inst).sharding : value.sharding;
  }

  // What only moves elements and took no part, because it is undone again, is where its operand is.
  void FollowOperand(ir::FuncId f, ir::Value& value) {
    const ir::Function& function = module_.functions[f];
    if (!value.def.valid()) {
      return;
    }
    const ir::Inst& inst = function.insts[value.def];
    const op::OpDef& def = op::Def(inst.op);
    if (def.precedence != op::Precedence::PassThrough || def.elementwise || def.data_flow || inst.num_operands != 1) {
      return;
    }
    mesh::ShardingId from = function.values[function.operands(inst)[0]].sharding;
    op::Rule rule = op::RuleOf(module_, function, inst);
    if (!from.valid() || rule.factors.empty()) {
      return;
    }
    const mesh::Sharding& operand = module_.tables->shardings[from];
    op::FactorAxes axes = op::ReadFactors(rule, rule.operands[0], operand);
    if (auto followed = op::WriteTensor(rule, rule.results[0], axes, operand.mesh)) {
      value.sharding = Final(*followed);
    }
  }

  void ExportValue(ir::FuncId f, ir::ValueId v) {
    ir::Value& value = module_.functions[f].values[v];
    if (!module_.type(value).is_array()) {
      value.sharding = {};
      return;
    }
    int32_t tensor = TensorOf(f, v);
    mesh::ShardingId state = tensor == kNone ? mesh::ShardingId() : graph_.tensors[static_cast<size_t>(tensor)].state;
    mesh::ShardingId given = tensor == kNone ? Given(f, value) : mesh::ShardingId();
    if (given.valid()) {
      value.sharding = Final(mesh::DropUnits(module_.tables->shardings[given]));
      return;
    }
    value.sharding = state.valid() ? FinalOf(state) : ReplicatedAs(value.type);
    if (tensor == kNone || view_.IsGone(tensor)) {
      FollowOperand(f, value);
    }
    if (tensor != kNone) {
      module_.origins[f].Set(v, OriginsOf(static_cast<size_t>(tensor), f, module_.tables->shardings[value.sharding]));
    }
  }

  llvm::SmallVector<ir::Origin, 4> OriginsOf(size_t list, ir::FuncId f, const mesh::Sharding& sharding) const {
    llvm::SmallVector<ir::Origin, 4> origins;
    for (const AxisOrigin& entry : graph_.origins.of(list)) {
      auto d = static_cast<size_t>(entry.dim);
      if (d >= sharding.dims.size()) {
        continue;
      }
      ir::Origin origin;
      origin.axis = entry.axis;
      origin.dim = entry.dim;
      origin.annotation = ir::AnnotationId{entry.annotation};
      if (entry.node != kNone && graph_.nodes[static_cast<size_t>(entry.node)].func == f) {
        origin.through = graph_.nodes[static_cast<size_t>(entry.node)].inst;
      }
      origin.step = entry.step;
      if (llvm::is_contained(sharding.dims[d].axes, entry.axis)) {
        origins.push_back(origin);
        continue;
      }
      for (mesh::AxisRef part : mesh::Intersect({entry.axis}, sharding.dims[d].axes)) {
        origin.axis = part;
        origins.push_back(origin);
      }
    }
    return origins;
  }

  mesh::Sharding StateOf(ir::FuncId f, ir::ValueId v) const {
    int32_t tensor = TensorOf(f, v);
    const mesh::Sharding* state = tensor == kNone ? nullptr : graph_.state(tensor);
    if (state != nullptr) {
      return *state;
    }
    const ir::Value& value = module_.functions[f].values[v];
    return value.sharding.valid() ? module_.tables->shardings[value.sharding]
                                  : mesh::Replicated(module_.mesh, module_.type(value).rank());
  }

  mesh::Sharding Boundary(mesh::Sharding sharding, llvm::ArrayRef<int64_t> dims, bool entry) const {
    if ((entry && options_.even_boundaries) || options_.even_inner_boundaries) {
      sharding = EvenPrefix(sharding, dims);
    }
    return entry && options_.even_boundaries && sharding.mesh.valid()
               ? WholeAxesOnly(module_.tables->meshes[sharding.mesh], sharding)
               : sharding;
  }

  // Whether the function is called, or is the entry: its arguments are a boundary.
  void ExportArgs(ir::FuncId f) {
    ir::Function& function = module_.functions[f];
    bool entry = f == module_.entry;
    for (size_t i = 0; i < function.args.size(); ++i) {
      ir::Value& value = function.values[function.args[i]];
      if (!value.sharding.valid()) {
        continue;
      }
      bool boundary = entry || (!function.arg_info[i].captured && IsBoundary(f));
      if (boundary) {
        value.sharding = Final(Boundary(StateOf(f, function.args[i]), module_.type(value).dims, entry));
      }
      if (entry) {
        int32_t tensor = TensorOf(f, function.args[i]);
        if (tensor != kNone) {
          module_.origins[f].Set(function.args[i],
                                 OriginsOf(static_cast<size_t>(tensor), f, module_.tables->shardings[value.sharding]));
        }
      }
      function.arg_info[i].sharding = value.sharding;
    }
  }

  // Called functions and bodies of manual regions, if their boundaries are evened; the owner's results with them.
  bool IsBoundary(ir::FuncId f) {
    if (boundaries_.size() == 0) {
      for (ir::FuncId owner : module_.functions.ids()) {
        MarkBoundaries(owner);
      }
    }
    return boundaries_.Get(f);
  }

  void MarkBoundaries(ir::FuncId owner) {
    const ir::Function& function = module_.functions[owner];
    for (const ir::Inst& inst : function.insts) {
      op::Region region = op::Def(inst.op).region;
      for (ir::FuncId body : function.bodies(inst)) {
        boundaries_[body] =
            options_.even_inner_boundaries && (region == op::Region::Call || region == op::Region::Manual);
      }
    }
    boundaries_[owner] = boundaries_.Get(owner);
  }

  void ExportInnerResults(ir::FuncId f) {
    ir::Function& function = module_.functions[f];
    for (size_t i = 0; i < function.results.size(); ++i) {
      const ir::Value& value = function.values[function.results[i]];
      if (!value.sharding.valid()) {
        function.result_info[i].sharding = {};
        continue;
      }
      mesh::Sharding sharding = StateOf(f, function.results[i]);
      function.result_info[i].sharding =
          Final(IsBoundary(f) ? Boundary(sharding, module_.type(value).dims, false) : sharding);
    }
    if (!options_.even_inner_boundaries) {
      return;
    }
    for (const ir::Inst& inst : function.insts) {
      EvenResults(f, inst);
    }
  }

  // Results of calls and of manual regions.
  void EvenResults(ir::FuncId f, const ir::Inst& inst) {
    op::Region region = op::Def(inst.op).region;
    if (region != op::Region::Call && region != op::Region::Manual) {
      return;
    }
    ir::Function& function = module_.functions[f];
    for (size_t i = 0; i < inst.num_results; ++i) {
      ir::Value& value = function.values[function.result(inst, i)];
      if (value.sharding.valid()) {
        value.sharding = Final(EvenPrefix(module_.tables->shardings[value.sharding], module_.type(value).dims));
      }
    }
  }

  void ExportEntryResults() {
    ir::Function& entry = module_.functions[module_.entry];
    module_.result_origins.assign(entry.results.size(), {});
    for (size_t i = 0; i < entry.results.size(); ++i) {
      const ir::Value& value = entry.values[entry.results[i]];
      const EntryResult& result = graph_.results[i];
      if (!value.sharding.valid()) {
        entry.result_info[i].sharding = {};
        continue;
      }
      mesh::Sharding sharding = result.state.valid() ? view_.shardings[result.state]
                                                     : mesh::Replicated(module_.mesh, module_.type(value).rank());
      entry.result_info[i].sharding = Final(Boundary(std::move(sharding), module_.type(value).dims, true));
      const mesh::Sharding& final = module_.tables->shardings[entry.result_info[i].sharding];
      module_.result_origins[i] = ir::Origins(OriginsOf(graph_.tensors.size() + i, module_.entry, final));
    }
    if (options_.even_inner_boundaries) {
      for (const ir::Inst& inst : entry.insts) {
        EvenResults(module_.entry, inst);
      }
    }
  }

  void MergeCopies() {
    std::map<std::vector<int32_t>, ir::FuncId> first;
    for (ir::FuncId f : module_.functions.ids()) {
      const ir::Function& function = module_.functions[f];
      if (function.enclosing.valid() || f == module_.entry || view_.built.Get(f).empty()) {
        continue;
      }
      std::vector<int32_t> key = {(function.clone_of.valid() ? function.clone_of : f).index};
      for (const auto* infos : {&function.arg_info, &function.result_info}) {
        for (const ir::BoundaryInfo& info : *infos) {
          key.push_back(info.sharding.index);
        }
      }
      auto [it, inserted] = first.try_emplace(std::move(key), f);
      if (!inserted) {
        TakeOver(it->second, f);
      }
    }
  }

  // The same shardings and origins on all values of `to`, and of the functions under it, as `from` has.
  void TakeOver(ir::FuncId from, ir::FuncId to) {
    for (ir::ValueId v : module_.functions[from].values.ids()) {
      module_.functions[to].values[v].sharding = module_.functions[from].values[v].sharding;
      module_.origins[to].Set(v, module_.origins.Get(from).Get(v));
    }
    const std::vector<ir::FuncId> from_bodies = module_.functions[from].body_pool;
    const std::vector<ir::FuncId> to_bodies = module_.functions[to].body_pool;
    for (size_t i = 0; i < from_bodies.size(); ++i) {
      TakeOver(from_bodies[i], to_bodies[i]);
      auto copy = [](const std::vector<ir::BoundaryInfo>& a, std::vector<ir::BoundaryInfo>& b) {
        for (size_t k = 0; k < a.size(); ++k) {
          b[k].sharding = a[k].sharding;
        }
      };
      copy(module_.functions[from_bodies[i]].arg_info, module_.functions[to_bodies[i]].arg_info);
      copy(module_.functions[from_bodies[i]].result_info, module_.functions[to_bodies[i]].result_info);
    }
  }

  const Graph& graph_;
  const View& view_;
  const ExportOptions& options_;
  ir::Module& module_;
  std::vector<int32_t> copy_;
  IdMap<mesh::ShardingId, mesh::ShardingId> finals_;  // by state
  IdMap<ir::TypeId, mesh::ShardingId> replicated_;
  IdMap<ir::FuncId, char> boundaries_;
};

}  // namespace

void Export(const Graph& graph, const ExportOptions& options, ir::Module& module) {
  Exporter(graph, options, module).Run();
}

}  // namespace spmdc::propagate
