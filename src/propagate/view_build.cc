// One pass over the functions, in the order of the text; bodies come before the op that owns them uses its operands.
#include "propagate/view_build.h"

#include "op/op_def.h"
#include "ops/control.h"
#include "ops/opaque.h"
#include "ops/sharding.h"
#include "propagate/as_xla.h"
#include "propagate/schedule.h"
#include "support/starts_with.h"

namespace spmdc::propagate {
namespace {

class ViewBuilder {
 public:
  ViewBuilder(View& view, const ViewOptions& options, diag::Engine& diags)
      : view_(view), module_(view.module), options_(options), diags_(diags), schedule_(view.module, options.unused) {}

  void Run() {
    Reserve();
    view_.entry = view_.AddRegion(kNone);
    AddArgs(module_.entry, view_.entry);
    AnnotateResults();
    AddBody(module_.entry, view_.entry);
    if (options_.as_xla && schedule_.has_calls()) {
      BindInlined();
    }
  }

 private:
  const ir::Function& func(ir::FuncId id) const { return module_.functions[id]; }

  // Twice what the program has: copies of constants and edges come later, and lists that grow are moved.
  void Reserve() {
    size_t values = 0, ops = 0;
    for (const ir::Function& f : module_.functions) {
      values += f.values.size();
      ops += f.insts.size() + 1;
    }
    view_.values.reserve(2 * values);
    view_.ops.reserve(2 * ops);
  }

  // A sharding of the program's table, without units, in the view's.
  mesh::ShardingId Import(mesh::ShardingId id) {
    if (!id.valid()) {
      return {};
    }
    return view_.shardings.Intern(mesh::DropUnits(module_.tables->shardings[id]));
  }

  bool AllExplicit(mesh::MeshId mesh) const {
    const auto& axes = module_.tables->meshes[mesh].axes;
    return !axes.empty() &&
           llvm::all_of(axes, [](const mesh::Axis& axis) { return axis.type == mesh::AxisType::Explicit; });
  }

  bool InManualRegion(ir::FuncId f) const {
    for (; f.valid(); f = func(f).enclosing) {
      if (!func(f).manual_axes.empty()) {
        return true;
      }
    }
    return false;
  }

  // What an Explicit type says about where its value is: pinned where the mesh has no Auto axes, else a lower bound. A type
  // that names no axis is pinned too: its value is whole on every device.
  mesh::ShardingId FromType(ir::FuncId f, const ir::Type& type) {
    if (!type.sharding.valid()) {
      bool pinned = type.is_array() && module_.mesh.valid() && AllExplicit(module_.mesh) && !InManualRegion(f);
      return pinned ? view_.shardings.Intern(mesh::Replicated(module_.mesh, type.rank())) : mesh::ShardingId();
    }
    mesh::Sharding sharding = mesh::DropUnits(module_.tables->shardings[type.sharding]);
    bool all_explicit = AllExplicit(sharding.mesh);
    for (mesh::DimSharding& dim : sharding.dims) {
      dim.open = !all_explicit;
    }
    sharding.varying.clear();
    sharding.reduced.clear();
    // Terms of a sum over manual axes are what the devices hold there.
    return view_.shardings.Intern(EraseManual(sharding, func(f).manual_axes));
  }

  int32_t Slot(ir::FuncId f, ir::ValueId v) const { return view_.built.Get(f)[static_cast<size_t>(v.index)]; }
  int32_t ValueOf(ir::FuncId f, ir::ValueId v) const {
    ir::ValueRef is = options_.as_xla ? schedule_.Resolve(f, v) : ir::ValueRef{f, v};
    return Slot(is.func, is.value);
  }
  bool HasSlot(ir::FuncId f, ir::ValueId v) const { return !view_.built.Get(f).empty() && Slot(f, v) != kNone; }
  void Bind(ir::FuncId f, ir::ValueId v, int32_t view_value) {
    std::vector<int32_t>& of_func = view_.built[f];
    if (of_func.empty()) {
      of_func.assign(func(f).values.size(), kNone);
    }
    of_func[static_cast<size_t>(v.index)] = view_value;
  }

  int32_t NewValue(ir::FuncId f, ir::ValueId v) {
    ViewValue value;
    value.ref = {f, v};
    value.type = func(f).values[v].type;
    int32_t id = view_.AddValue(std::move(value));
    Bind(f, v, id);
    return id;
  }

  void Place(int32_t v, mesh::ShardingId sharding, std::string from, source::Span span) {
    view_.value(v).sharding = sharding;
    view_.value(v).annotation = view_.Annotate(std::move(from), span);
  }

  // The arguments of a function that stand for themselves; those that another value was bound to are left alone.
  void AddArgs(ir::FuncId f, int32_t region) {
    const ir::Function& function = func(f);
    for (size_t i = 0; i < function.args.size(); ++i) {
      ir::ValueId arg = function.args[i];
      if (HasSlot(f, arg)) {
        continue;
      }
      int32_t v = NewValue(f, arg);
      view_.value(v).region = region;
      view_.region(region).args.push_back(v);
      mesh::ShardingId annotated =
          function.arg_info[i].sharding.valid() ? function.arg_info[i].sharding : function.values[arg].sharding;
      bool entry = f == module_.entry;
      if (annotated.valid()) {
        Place(v, Import(annotated), entry ? "arg " + std::to_string(i) : "value " + function.values[arg].name,
              function.arg_info[i].span.valid() ? function.arg_info[i].span : function.values[arg].span);
      } else if (mesh::ShardingId typed = FromType(f, module_.type(function, arg)); typed.valid()) {
        Place(v, typed, entry ? "arg " + std::to_string(i) : "value " + function.values[arg].name,
              function.values[arg].span);
      }
    }
  }

  void AnnotateResults() {
    const ir::Function& entry = func(module_.entry);
    for (size_t i = 0; i < entry.results.size(); ++i) {
      mesh::ShardingId wanted = Import(entry.result_info[i].sharding);
      view_.result_shardings.push_back(wanted);
      view_.result_annotations.push_back(
          wanted.valid() ? view_.Annotate("result " + std::to_string(i), entry.result_info[i].span) : kNone);
    }
  }

  void AddBody(ir::FuncId f, int32_t region) {
    const ir::Function& function = func(f);
    if (options_.as_xla) {
      for (Schedule::Step step : schedule_.Of(f)) {
        AddInst(step.func, step.inst, region);
      }
    } else {
      for (ir::InstId i : function.insts.ids()) {
        AddInst(f, i, region);
      }
    }
    ViewOp end;
    end.kind = ViewOp::Kind::Return;
    end.func = f;
    for (ir::ValueId v : function.results) {
      end.operands.push_back(ValueOf(f, v));
    }
    int32_t o = view_.AddOp(std::move(end));
    view_.Append(region, o);
    view_.RegisterUses(o);
  }

  void AddInst(ir::FuncId f, ir::InstId i, int32_t region) {
    const ir::Function& function = func(f);
    const ir::Inst& inst = function.insts[i];
    const op::OpDef& def = op::Def(inst.op);
    if (std::optional<ir::ValueId> same = options_.from_stablehlo ? SameAs(module_, function, inst) : std::nullopt) {
      Bind(f, function.result(inst), ValueOf(f, *same));
      return;
    }
    ViewOp op;
    op.func = f;
    op.inst = i;
    op.wall = options_.chlo_is_wall && IsChlo(inst);
    op.group = ops::ShardingGroupOf(module_, inst).value_or(-1);
    int32_t o = view_.AddOp(std::move(op));
    if (options_.as_xla) {
      AddOperands(o, f, inst, def, region);
      view_.Append(region, o);
      AddRegions(o, f, inst, def.region);
    } else {
      view_.Append(region, o);
      AddRegions(o, f, inst, def.region);
      AddOperands(o, f, inst, def, region);
    }
    AddResults(o, f, inst, def);
  }

  void AddOperands(int32_t o, ir::FuncId f, const ir::Inst& inst, const op::OpDef& def, int32_t region) {
    for (ir::ValueId v : Operands(func(f), inst, def.region)) {
      int32_t operand = ValueOf(f, v);
      if (options_.from_stablehlo && def.precedence == op::Precedence::Broadcast) {
        operand = BroadcastAsXla(view_, region, o, operand);
      }
      view_.op(o).operands.push_back(operand);
    }
    view_.RegisterUses(o);
  }

  bool IsChlo(const ir::Inst& inst) const {
    llvm::StringRef text = inst.span.valid() ? diags_.sources().text(inst.span) : llvm::StringRef();
    text.consume_front("\"");
    return StartsWith(text, "chlo.");
  }

  // The operands that the op itself uses: captured ones are used by what stands in the region.
  llvm::SmallVector<ir::ValueId, 4> Operands(const ir::Function& function, const ir::Inst& inst,
                                             op::Region region) const {
    llvm::SmallVector<ir::ValueId, 4> operands;
    for (size_t i = 0; i < inst.num_operands; ++i) {
      if (!Captured(function, inst, region, i)) {
        operands.push_back(function.operands(inst)[i]);
      }
    }
    return operands;
  }

  bool Captured(const ir::Function& function, const ir::Inst& inst, op::Region region, size_t operand) const {
    switch (region) {
      case op::Region::None:
      case op::Region::Apply:
        return false;
      case op::Region::Branch:
        return operand > 0 && !options_.branch_arguments;
      case op::Region::Loop:
        // XLA knows no captured values; CaptureInvariants finds them again.
        return !options_.as_xla && operand >= inst.num_results;
      case op::Region::Call:
      case op::Region::Manual:
        return func(function.bodies(inst)[0]).arg_info[operand].captured;
    }
    return false;
  }

  void AddRegions(int32_t o, ir::FuncId f, const ir::Inst& inst, op::Region kind) {
    if (kind == op::Region::None || kind == op::Region::Apply) {
      return;
    }
    const ir::Function& function = func(f);
    size_t skipped = kind == op::Region::Branch ? 1 : 0;
    for (ir::FuncId body : function.bodies(inst)) {
      int32_t r = view_.AddRegion(o);
      view_.op(o).regions.push_back(r);
      for (size_t i = skipped; i < inst.num_operands; ++i) {
        if (Captured(function, inst, kind, i)) {
          Bind(body, func(body).args[i - skipped], ValueOf(f, function.operands(inst)[i]));
        }
      }
      AddArgs(body, r);
      AddBody(body, r);
    }
  }

  // Arguments and results of inlined calls get the values that they are.
  void BindInlined() {
    for (ir::FuncId f : module_.functions.ids()) {
      for (ir::ValueId v : func(f).values.ids()) {
        if (HasSlot(f, v)) {
          continue;
        }
        ir::ValueRef is = schedule_.Resolve(f, v);
        if (HasSlot(is.func, is.value)) {
          Bind(f, v, Slot(is.func, is.value));
        }
      }
    }
  }

  void AddResults(int32_t o, ir::FuncId f, const ir::Inst& inst, const op::OpDef& def) {
    const ir::Function& function = func(f);
    bool call_annotated = false;
    for (size_t i = 0; i < inst.num_results; ++i) {
      call_annotated = call_annotated || function.values[function.result(inst, i)].sharding.valid();
    }
    for (size_t i = 0; i < inst.num_results; ++i) {
      int32_t v = NewValue(f, function.result(inst, i));
      view_.value(v).def = o;
      view_.op(o).results.push_back(v);
      PlaceResult(v, f, inst, def, i, call_annotated);
    }
  }

  void PlaceResult(int32_t v, ir::FuncId f, const ir::Inst& inst, const op::OpDef& def, size_t i, bool call_annotated) {
    const ir::Function& function = func(f);
    const ir::Value& value = function.values[function.result(inst, i)];
    source::Span span = value.span.valid() ? value.span : inst.span;
    if (def.is_constraint) {
      ViewOp& op = view_.op(view_.value(v).def);
      op.constraint = true;
      op.required = Import(module_.attrs<ops::ShardingConstraintAttrs>(inst).sharding);
      Place(v, op.required, "constraint " + value.name, span);
      op.annotation = view_.value(v).annotation;
      return;
    }
    if (def.region == op::Region::Manual) {
      const auto& attrs = module_.attrs<ops::ManualComputationAttrs>(inst);
      Place(v, Import(attrs.out_shardings[i]), "manual " + value.name + " out " + std::to_string(i), span);
      return;
    }
    mesh::ShardingId annotated = value.sharding;
    if (def.region == op::Region::Call && !call_annotated) {
      annotated = func(function.bodies(inst)[0]).result_info[i].sharding;
    }
    if (annotated.valid() && !options_.op_annotations) {
      if (!IsKeptAtResult(f, function.result(inst, i))) {
        WarnOfIgnored(inst, span);
      }
      annotated = {};
    }
    if (annotated.valid()) {
      Place(v, Import(annotated), "value " + value.name, span);
    } else if (mesh::ShardingId typed = FromType(f, module_.type(value)); typed.valid()) {
      Place(v, typed, "value " + value.name, span);
    }
  }

  // Whether the sharding of a value is also that of a result of the program, as at the root of HLO text.
  bool IsKeptAtResult(ir::FuncId f, ir::ValueId v) const {
    const ir::Function& function = func(f);
    for (size_t r = 0; f == module_.entry && r < function.results.size(); ++r) {
      if (function.results[r] == v && function.result_info[r].sharding == function.values[v].sharding) {
        return true;
      }
    }
    return false;
  }

  void WarnOfIgnored(const ir::Inst& inst, source::Span span) {
    diags_.Warning(diag::Kind::Annotation, span,
                   "the sharding on the result of `" + ir::Mnemonic(inst.op).str() +
                       "` is ignored: XLA keeps shardings of arguments, results and constraints only");
  }

  View& view_;
  const ir::Module& module_;
  const ViewOptions& options_;
  diag::Engine& diags_;
  Schedule schedule_;
};

}  // namespace

View BuildView(const ir::Module& module, const ViewOptions& options, diag::Engine& diags) {
  View view(module);
  ViewBuilder(view, options, diags).Run();
  return view;
}

}  // namespace spmdc::propagate
