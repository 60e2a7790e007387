// Walks each function in order, chooses each instruction's assignment and brings its operands where it needs them.
//
//   %y = dot_general(%x, %w)       x [data, model], w [model, -], y wanted [data, -]
// becomes
//   %y_partial = dot_general(%x, %w)                 [data, -] unreduced {model}
//   %y = reshard(%y_partial) all_reduce model        [data, -]
//
// A value is had in versions: where propagation wants it, and every other sharding it passed through; a reshard starts at
// the cheapest and is shared by all who need it.
#include "plan/plan.h"

#include "llvm/ADT/STLExtras.h"
#include "op/liveness.h"
#include "op/merge.h"
#include "op/op_def.h"
#include "op/regions.h"
#include "op/rule_table.h"
#include "ops/control.h"
#include "ops/sharding.h"
#include "plan/assignment.h"
#include "plan/reshard.h"

namespace spmdc::plan {
namespace {

using ir::Cause;

struct Version {
  mesh::ShardingId sharding;
  ir::ValueId value;  // in the planned function
};

// What all functions of one run share.
struct Run {
  const ir::Module& in;
  ir::Module& out;
  diag::Engine& diags;
  Resharder resharder;
  Assigner assigner;
  op::RuleTable rules = {};
  mesh::MeshId default_mesh;
  IdMap<mesh::ShardingId, mesh::ShardingId> placements;  // of what propagation gave, once asked for

  Run(const ir::Module& planned, ir::Module& made, const Policy& policy, diag::Engine& engine, mesh::MeshId mesh)
      : in(planned),
        out(made),
        diags(engine),
        resharder(*planned.tables),
        assigner(policy, resharder),
        default_mesh(mesh) {}

  const mesh::Sharding& Look(mesh::ShardingId id) const { return out.tables->shardings[id]; }
  mesh::ShardingId Intern(const mesh::Sharding& s) { return out.tables->shardings.Intern(s); }
  // Where propagation wants a value.
  mesh::ShardingId Decided(mesh::ShardingId id, size_t rank) {
    if (!id.valid()) {
      return Intern(mesh::Replicated(default_mesh, rank));
    }
    mesh::ShardingId& placed = placements[id];
    if (!placed.valid()) {
      placed = Intern(Placement(Look(id)));
    }
    return placed;
  }
};

class FunctionPlanner {
 public:
  FunctionPlanner(Run& run, ir::FuncId id)
      : run_(run), id_(id), old_(run.in.functions[id]), names_(old_.values.size()), versions_(old_.values.size()) {}

  // `args` and `results`: where the caller has the arguments and wants the results.
  bool Plan(llvm::ArrayRef<mesh::ShardingId> args, llvm::ArrayRef<mesh::ShardingId> results) {
    ir::Function& fresh = run_.out.functions[id_];
    fresh = old_.EmptyCopy();
    for (size_t i = 0; i < old_.args.size(); ++i) {
      ir::Value value = old_.values[old_.args[i]];
      value.sharding = args[i];
      value.shard_of = {id_, old_.args[i]};
      ir::BoundaryInfo info = old_.arg_info[i];
      info.sharding = args[i];
      value.name = names_.Unique(value.name);
      versions_[old_.args[i]].push_back({args[i], fresh.AddArg(std::move(value), std::move(info))});
    }
    IdMap<ir::InstId, uint8_t> needed = op::NeededInsts(run_.in, old_);
    for (ir::InstId id : old_.insts.ids()) {
      if (needed.Get(id) != 0 && !IsCheap(id) && !PlanInst(id)) {
        return false;
      }
    }
    for (size_t i = 0; i < old_.results.size(); ++i) {
      Cause cause{Cause::Why::FunctionResult, id_, {}, static_cast<int32_t>(i), {}, {}, {}};
      ir::ValueId value = Need(old_.results[i], results[i], cause);
      if (!value.valid()) {
        return false;
      }
      Out().results.push_back(value);
      Out().result_info[i].sharding = results[i];
    }
    return true;
  }

 private:
  ir::Function& Out() { return run_.out.functions[id_]; }

  // Made where it is used, at whatever sharding: constants, what is made of scalars alone, and a constraint on such a value.
  bool IsCheap(ir::InstId id) const {
    if (op::Def(old_.insts[id].op).is_constraint) {
      id = old_.values[old_.operands(old_.insts[id])[0]].def;
      if (!id.valid()) {
        return false;
      }
    }
    const ir::Inst& inst = old_.insts[id];
    const op::OpDef& def = op::Def(inst.op);
    if (def.constant_like && inst.num_operands == 0) {
      return true;
    }
    return def.precedence == op::Precedence::Broadcast && inst.num_results == 1 &&
           llvm::all_of(old_.operands(inst), [&](ir::ValueId v) { return run_.in.type(old_, v).rank() == 0; });
  }
  bool IsCheap(ir::ValueId v) const { return old_.values[v].def.valid() && IsCheap(old_.values[v].def); }

  mesh::ShardingId Decided(ir::ValueId v) {
    return run_.Decided(old_.values[v].sharding, run_.in.type(old_, v).rank());
  }

  // The value at a sharding; an invalid id after a diagnostic. `cause` lacks what moves from where to where.
  ir::ValueId Need(ir::ValueId v, mesh::ShardingId to, Cause cause) {
    for (const Version& version : versions_[v]) {
      if (version.sharding == to) {
        return version.value;
      }
    }
    if (IsCheap(v)) {
      return MakeCheap(v, to, cause);
    }
    const ir::Type& type = run_.in.type(old_, v);
    const Path* best = nullptr;
    Version start;
    for (const Version& version : versions_[v]) {
      const Path* path = run_.resharder.Find(version.sharding, to, type.dims, tensor::ByteWidth(type.dtype));
      if (path != nullptr && (best == nullptr || std::tie(path->wire_bytes, path->collectives) <
                                                     std::tie(best->wire_bytes, best->collectives))) {
        best = path;
        start = version;
      }
    }
    if (best == nullptr) {
      SayNoPath(v, versions_[v].empty() ? Decided(v) : versions_[v][0].sharding, to);
      return {};
    }
    if (best->wire_bytes > 0) {
      if (ir::ValueId again = MakeAgain(v, to, best->wire_bytes); again.valid()) {
        return again;
      }
    }
    cause.value = {id_, v};
    cause.from = start.sharding;
    cause.to = to;
    return Follow(v, start, *best, run_.out.causes.Add(cause));
  }

  void SayNoPath(ir::ValueId v, mesh::ShardingId from, mesh::ShardingId to) {
    const ir::Value& value = old_.values[v];
    const mesh::Mesh* alone = nullptr;
    auto show = [&](mesh::ShardingId id) {
      const mesh::Mesh& mesh = run_.out.tables->meshes[run_.Look(id).mesh];
      alone = mesh.maximal ? &mesh : alone;
      return mesh.maximal ? "device " + std::to_string(mesh.DeviceAt(0)) + " alone" : mesh::ToSdy(mesh, run_.Look(id));
    };
    std::string text = show(from) + " to " + show(to);
    run_.diags
        .Error(diag::Kind::CannotPartition, value.span,
               "no sequence of collectives brings '" + value.name + "' from " + text)
        .Help(alone != nullptr
                  ? "give it a sharding over the mesh that the rest of the program runs on where it is made"
                  : "the two meshes must have the same devices, and axes of a partial sum cannot also split a dim");
  }

  // Where no assignment has a price: the first tensor that does not get to the instruction's mesh, or from it.
  void SayNoAssignment(const ir::Inst& inst) {
    mesh::MeshId mesh = MeshOf(inst);
    auto reaches = [&](mesh::ShardingId from, mesh::ShardingId to, const ir::Type& type) {
      return run_.resharder.Find(from, to, type.dims, tensor::ByteWidth(type.dtype)) != nullptr;
    };
    for (ir::ValueId v : old_.operands(inst)) {
      const ir::Type& type = run_.in.type(old_, v);
      mesh::ShardingId whole = run_.Intern(mesh::Replicated(mesh, type.rank()));
      if (!IsCheap(v) &&
          llvm::none_of(versions_[v], [&](const Version& had) { return reaches(had.sharding, whole, type); })) {
        return SayNoPath(v, versions_[v][0].sharding, whole);
      }
    }
    for (size_t r = 0; r < inst.num_results; ++r) {
      ir::ValueId v = old_.result(inst, r);
      const ir::Type& type = run_.in.type(old_, v);
      mesh::ShardingId whole = run_.Intern(mesh::Replicated(mesh, type.rank()));
      if (!reaches(whole, Decided(v), type)) {
        return SayNoPath(v, whole, Decided(v));
      }
    }
    run_.diags.Error(diag::Kind::CannotPartition, inst.span,
                     "no assignment of axes fits '" + ir::Mnemonic(inst.op).str() + "' and its operands");
  }

  ir::ValueId Follow(ir::ValueId v, Version at, const Path& path, ir::CauseId cause) {
    for (const Step& step : path.steps) {
      ir::Value value = old_.values[v];
      value.sharding = run_.Intern(step.result);
      value.shard_of = {id_, v};
      value.name = names_.Unique(value.name);
      ir::Inst inst = ops::ReshardInst(*run_.out.tables, step.attrs);
      inst.cause = cause;
      inst.span = run_.out.causes[cause].inst.valid() ? old_.insts[run_.out.causes[cause].inst].span : value.span;
      inst.source = SourceOf(v, cause);
      ir::InstId id = Out().AddInst(inst, {at.value}, {}, {value});
      at = {value.sharding, Out().result(Out().insts[id])};
      versions_[v].push_back(at);
    }
    return at.value;
  }

  ir::SourceId SourceOf(ir::ValueId v, ir::CauseId cause) const {
    ir::InstId inst = run_.out.causes[cause].inst;
    if (!inst.valid()) {
      inst = old_.values[v].def;
    }
    return inst.valid() ? old_.insts[inst].source : ir::SourceId();
  }

  ir::ValueId MakeCheap(ir::ValueId v, mesh::ShardingId to, Cause cause) {
    const ir::Inst& inst = old_.insts[old_.values[v].def];
    if (!run_.Look(to).unreduced.empty()) {
      return MakeCheapPart(v, to, cause);
    }
    llvm::SmallVector<ir::ValueId, 2> operands;
    for (ir::ValueId operand : old_.operands(inst)) {
      bool scalar = !op::Def(inst.op).is_constraint;
      ir::ValueId had = Need(operand, scalar ? run_.Intern(mesh::Replicated(run_.Look(to).mesh, 0)) : to,
                             {Cause::Why::Operand, id_, old_.values[v].def, 0, {}, {}, {}});
      if (!had.valid()) {
        return {};
      }
      operands.push_back(had);
    }
    return Emit(inst, operands, {}, {to})[0];
  }

  // One device of those that add up has it, the others have what adds nothing.
  ir::ValueId MakeCheapPart(ir::ValueId v, mesh::ShardingId to, Cause cause) {
    mesh::Sharding placed = run_.Look(to);
    placed.unreduced.clear();
    cause.value = {id_, v};
    cause.from = run_.Intern(Placement(placed));
    cause.to = to;
    const ir::Type& type = run_.in.type(old_, v);
    const Path* path = run_.resharder.Find(cause.from, to, type.dims, tensor::ByteWidth(type.dtype));
    if (path == nullptr) {
      SayNoPath(v, cause.from, to);
      return {};
    }
    ir::ValueId start = Need(v, cause.from, cause);
    return start.valid() ? Follow(v, {cause.from, start}, *path, run_.out.causes.Add(cause)) : start;
  }

  // A value that only arranges elements of others is made a second time where that sends less than moving it: a slice of
  // what all devices have, a broadcast of what was gathered. Constraints are kept to. No id if moving is as good.
  ir::ValueId MakeAgain(ir::ValueId v, mesh::ShardingId to, int64_t bytes) {
    ir::InstId id = old_.values[v].def;
    if (!id.valid()) {
      return {};
    }
    const ir::Inst& inst = old_.insts[id];
    const op::OpDef& def = op::Def(inst.op);
    bool arranges = def.flops == 0 && def.region == op::Region::None && def.rule != nullptr && inst.num_results == 1;
    if (!arranges || def.collective != nullptr || def.side_effect || def.data_flow || def.is_constraint) {
      return {};
    }
    const Assignment* choice = Assign(id, {to});
    if (choice == nullptr || choice->cost.wire_bytes >= bytes || choice->results[0] != to) {
      return {};
    }
    llvm::SmallVector<ir::ValueId, 4> operands;
    if (!NeedOperands(id, choice->operands, operands)) {
      return {};
    }
    return Emit(inst, operands, {}, choice->results, ExchangeCause(id, *choice))[0];
  }

  // Appends a copy of an instruction whose results come out at the given shardings.
  llvm::SmallVector<ir::ValueId, 2> Emit(const ir::Inst& inst, llvm::ArrayRef<ir::ValueId> operands,
                                         llvm::ArrayRef<ir::FuncId> bodies, llvm::ArrayRef<mesh::ShardingId> made,
                                         ir::CauseId cause = {}) {
    llvm::SmallVector<ir::Value, 2> values;
    for (size_t r = 0; r < inst.num_results; ++r) {
      ir::ValueId old_value = old_.result(inst, r);
      ir::Value value = old_.values[old_value];
      value.sharding = made[r];
      bool partial = !run_.Look(made[r]).unreduced.empty();
      value.shard_of = {id_, old_value};
      value.name = names_.Unique(partial ? value.name + "_partial" : value.name);
      values.push_back(std::move(value));
    }
    ir::Inst copy = inst;
    copy.cause = cause;
    ir::InstId id = Out().AddInst(copy, operands, bodies, std::move(values));
    llvm::SmallVector<ir::ValueId, 2> results;
    for (size_t r = 0; r < inst.num_results; ++r) {
      results.push_back(Out().result(Out().insts[id], r));
      versions_[old_.result(inst, r)].push_back({made[r], results.back()});
    }
    return results;
  }

  // Brings the results of an instruction where propagation wants them.
  bool Settle(ir::InstId id) {
    const ir::Inst& inst = old_.insts[id];
    for (size_t r = 0; r < inst.num_results; ++r) {
      ir::ValueId v = old_.result(inst, r);
      bool partial = !run_.Look(versions_[v].back().sharding).unreduced.empty();
      Cause::Why why = partial                          ? Cause::Why::Partial
                       : op::Def(inst.op).is_constraint ? Cause::Why::Constraint
                                                        : Cause::Why::Result;
      if (!Need(v, Decided(v), {why, id_, id, static_cast<int32_t>(r), {}, {}, {}}).valid()) {
        return false;
      }
    }
    return true;
  }

  bool PlanInst(ir::InstId id) {
    const ir::Inst& inst = old_.insts[id];
    switch (op::Def(inst.op).region) {
      case op::Region::None:
      case op::Region::Apply:
        return PlanByRule(id);
      case op::Region::Call:
        return PlanCall(id);
      case op::Region::Loop:
        return PlanLoop(id);
      case op::Region::Branch:
        return PlanBranch(id);
      case op::Region::Manual:
        return PlanManual(id);
    }
    return false;
  }

  // The mesh an instruction runs on: that of the first result, else operand, that is split on it.
  mesh::MeshId MeshOf(const ir::Inst& inst) {
    mesh::MeshId found = run_.default_mesh;
    auto look = [&](ir::ValueId v) {
      const mesh::Sharding& s = run_.Look(Decided(v));
      found = s.mesh;
      return !s.is_fully_replicated();
    };
    for (size_t r = 0; r < inst.num_results; ++r) {
      if (look(old_.result(inst, r))) {
        return found;
      }
    }
    for (ir::ValueId v : old_.operands(inst)) {
      if (!IsCheap(v) && look(v)) {
        return found;
      }
    }
    return inst.num_results > 0 ? run_.Look(Decided(old_.result(inst, 0))).mesh : found;
  }

  // How an instruction is best sharded if its results are wanted so; null if nothing fits.
  const Assignment* Assign(ir::InstId id, llvm::ArrayRef<mesh::ShardingId> results) {
    const ir::Inst& inst = old_.insts[id];
    int32_t rule_number = run_.rules.AddInst(run_.in, old_, inst);
    const op::Rule& rule = run_.rules[rule_number];
    AssignmentProblem problem{
        *run_.out.tables, rule, rule_number, op::LinearOf(run_.in, old_, inst), MeshOf(inst), {}, {}, {}, {}, {}, {}};
    for (ir::ValueId v : old_.operands(inst)) {
      problem.operand_types.push_back(old_.values[v].type);
      bool cheap = IsCheap(v);
      problem.free_operands.push_back(cheap);
      auto& had = problem.operands.emplace_back();
      for (const Version& version : versions_[v]) {
        had.push_back(version.sharding);
      }
      // Where propagation wants it stands first, and votes first.
      auto wanted = llvm::find(had, Decided(v));
      if (wanted != had.end()) {
        std::swap(*had.begin(), *wanted);
      }
    }
    problem.results.append(results.begin(), results.end());
    for (size_t r = 0; r < inst.num_results; ++r) {
      problem.result_types.push_back(old_.values[old_.result(inst, r)].type);
    }
    if (auto exchange = op::Def(inst.op).exchange) {
      problem.exchange = [&, exchange](const op::FactorAxes& axes) {
        return exchange({run_.in, old_, inst, rule, axes});
      };
    }
    return run_.assigner.Assign(problem);
  }

  bool PlanByRule(ir::InstId id) {
    const ir::Inst& inst = old_.insts[id];
    const Assignment* choice = Assign(id, DecidedResults(inst));
    llvm::SmallVector<ir::ValueId, 4> operands;
    if (choice == nullptr) {
      SayNoAssignment(inst);
      return false;
    }
    if (!NeedOperands(id, choice->operands, operands)) {
      return false;
    }
    Emit(inst, operands, old_.bodies(inst), choice->results, ExchangeCause(id, *choice));
    return Settle(id);
  }

  // Why an instruction's own lowering sends something; none if it does not.
  ir::CauseId ExchangeCause(ir::InstId id, const Assignment& choice) {
    if (choice.exchanged.collectives == 0) {
      return {};
    }
    ir::ValueRef operand{id_, old_.operands(old_.insts[id])[0]};
    return run_.out.causes.Add({Cause::Why::Exchange, id_, id, 0, operand, choice.operands[0], choice.results[0]});
  }

  bool NeedOperands(ir::InstId id, llvm::ArrayRef<mesh::ShardingId> shardings,
                    llvm::SmallVectorImpl<ir::ValueId>& operands) {
    const ir::Inst& inst = old_.insts[id];
    Cause::Why why = op::Def(inst.op).is_constraint ? Cause::Why::Constraint : Cause::Why::Operand;
    for (size_t i = 0; i < inst.num_operands; ++i) {
      Cause cause{why, id_, id, static_cast<int32_t>(i), {}, {}, {}};
      operands.push_back(Need(old_.operands(inst)[i], shardings[i], cause));
      if (!operands.back().valid()) {
        return false;
      }
    }
    return true;
  }

  bool PlanBody(ir::FuncId body, llvm::ArrayRef<mesh::ShardingId> args, llvm::ArrayRef<mesh::ShardingId> results) {
    return FunctionPlanner(run_, body).Plan(args, results);
  }

  llvm::SmallVector<mesh::ShardingId, 4> DecidedOf(const ir::Function& f, llvm::ArrayRef<ir::ValueId> values) {
    llvm::SmallVector<mesh::ShardingId, 4> list;
    for (ir::ValueId v : values) {
      list.push_back(run_.Decided(f.values[v].sharding, run_.in.type(f, v).rank()));
    }
    return list;
  }

  llvm::SmallVector<mesh::ShardingId, 4> DecidedResults(const ir::Inst& inst) {
    llvm::SmallVector<mesh::ShardingId, 4> list;
    for (size_t r = 0; r < inst.num_results; ++r) {
      list.push_back(Decided(old_.result(inst, r)));
    }
    return list;
  }

  bool PlanCall(ir::InstId id) {
    const ir::Inst& inst = old_.insts[id];
    ir::FuncId callee = old_.bodies(inst)[0];
    const ir::Function& f = run_.in.functions[callee];
    auto args = DecidedOf(f, f.args);
    auto results = DecidedOf(f, f.results);
    llvm::SmallVector<ir::ValueId, 4> operands;
    if (!NeedOperands(id, args, operands) || !PlanBody(callee, args, results)) {
      return false;
    }
    Emit(inst, operands, {callee}, results);
    return Settle(id);
  }

  // Carried values keep one sharding: that of the loop's results.
  bool PlanLoop(ir::InstId id) {
    const ir::Inst& inst = old_.insts[id];
    auto carried = DecidedResults(inst);
    llvm::SmallVector<mesh::ShardingId, 4> args = carried;
    for (size_t i = carried.size(); i < inst.num_operands; ++i) {
      args.push_back(Decided(old_.operands(inst)[i]));
    }
    llvm::SmallVector<ir::ValueId, 4> operands;
    auto bodies = old_.bodies(inst);
    mesh::ShardingId scalar = run_.Intern(mesh::Replicated(MeshOf(inst), 0));
    if (!NeedOperands(id, args, operands) || !PlanBody(bodies[0], args, {scalar}) ||
        !PlanBody(bodies[1], args, carried)) {
      return false;
    }
    Emit(inst, operands, bodies, carried);
    return true;
  }

  bool PlanBranch(ir::InstId id) {
    const ir::Inst& inst = old_.insts[id];
    llvm::SmallVector<mesh::ShardingId, 4> shardings;
    for (size_t i = 0; i < inst.num_operands; ++i) {
      shardings.push_back(i == 0 ? run_.Intern(mesh::Replicated(MeshOf(inst), 0)) : Decided(old_.operands(inst)[i]));
    }
    llvm::SmallVector<ir::ValueId, 4> operands;
    if (!NeedOperands(id, shardings, operands)) {
      return false;
    }
    auto results = DecidedResults(inst);
    for (ir::FuncId body : old_.bodies(inst)) {
      if (!PlanBody(body, llvm::ArrayRef<mesh::ShardingId>(shardings).drop_front(), results)) {
        return false;
      }
    }
    Emit(inst, operands, old_.bodies(inst), results);
    return true;
  }

  // The manual axes of each dim, from the op, before the free axes, from the body's value; terms over either.
  mesh::ShardingId Outside(const ops::ManualComputationAttrs& attrs, mesh::ShardingId boundary,
                           mesh::ShardingId inside) {
    if (!boundary.valid()) {
      return inside;
    }
    mesh::Sharding sharding = run_.Look(inside);
    sharding.mesh = attrs.mesh;
    const mesh::Sharding& full = run_.Look(boundary);
    for (size_t d = 0; d < sharding.dims.size(); ++d) {
      mesh::AxisList axes = mesh::Intersect(full.dims[d].axes, attrs.manual_axes);
      mesh::Append(axes, sharding.dims[d].axes);
      sharding.dims[d].axes = axes;
    }
    mesh::AxisList terms = mesh::Intersect(full.unreduced, attrs.manual_axes);
    if (!terms.empty()) {
      terms.append(sharding.unreduced.begin(), sharding.unreduced.end());
      sharding.unreduced = mesh::AsSet(terms);
      sharding.unreduced_kind = full.unreduced_kind;
    }
    return run_.Intern(mesh::DropUnits(sharding));
  }

  bool PlanManual(ir::InstId id) {
    const ir::Inst& inst = old_.insts[id];
    const auto& attrs = run_.in.attrs<ops::ManualComputationAttrs>(inst);
    ir::FuncId body = old_.bodies(inst)[0];
    const ir::Function& f = run_.in.functions[body];
    auto inside_args = DecidedOf(f, f.args);
    auto inside_results = DecidedOf(f, f.results);
    llvm::SmallVector<mesh::ShardingId, 4> args, results;
    for (size_t i = 0; i < inside_args.size(); ++i) {
      mesh::ShardingId boundary = i < attrs.in_shardings.size() ? attrs.in_shardings[i] : mesh::ShardingId();
      args.push_back(Outside(attrs, boundary, inside_args[i]));
    }
    for (size_t i = 0; i < inside_results.size(); ++i) {
      results.push_back(Outside(attrs, attrs.out_shardings[i], inside_results[i]));
    }
    llvm::SmallVector<ir::ValueId, 4> operands;
    if (!NeedOperands(id, args, operands) || !PlanBody(body, inside_args, inside_results)) {
      return false;
    }
    Emit(inst, operands, {body}, results);
    return Settle(id);
  }

  Run& run_;
  ir::FuncId id_;
  const ir::Function& old_;
  ir::NameTable names_;
  IdMap<ir::ValueId, llvm::SmallVector<Version, 2>> versions_;
};

}  // namespace

std::optional<ir::Module> Plan(const ir::Module& propagated, const Policy& policy, diag::Engine& diags) {
  std::optional<ir::Module> merged = op::MergeInsts(propagated);
  const ir::Module& in = merged ? *merged : propagated;
  ir::Module out(in.tables);
  out.name = in.name;
  out.entry = in.entry;
  out.mesh = in.mesh;
  out.num_devices = in.num_devices;
  out.side = in.side;
  // Bodies of scalars are copied as they stand; every other function is planned by its caller.
  IdMap<ir::FuncId, uint8_t> applied = op::AppliedBodies(in);
  for (ir::FuncId id : in.functions.ids()) {
    out.functions.Add(applied.Get(id) != 0 ? in.functions[id] : ir::Function());
  }
  mesh::MeshId default_mesh = in.mesh;
  if (!default_mesh.valid()) {
    mesh::Mesh none;
    none.name = "mesh";
    default_mesh = in.tables->meshes.Intern(none);
  }
  Run run(in, out, policy, diags, default_mesh);
  const ir::Function& entry = in.functions[in.entry];
  llvm::SmallVector<mesh::ShardingId, 4> args, results;
  for (size_t i = 0; i < entry.args.size(); ++i) {
    mesh::ShardingId at =
        entry.arg_info[i].sharding.valid() ? entry.arg_info[i].sharding : entry.values[entry.args[i]].sharding;
    args.push_back(run.Decided(at, in.type(entry, entry.args[i]).rank()));
  }
  for (size_t i = 0; i < entry.results.size(); ++i) {
    mesh::ShardingId at =
        entry.result_info[i].sharding.valid() ? entry.result_info[i].sharding : entry.values[entry.results[i]].sharding;
    results.push_back(run.Decided(at, in.type(entry, entry.results[i]).rank()));
  }
  if (!FunctionPlanner(run, in.entry).Plan(args, results)) {
    return std::nullopt;
  }
  return out;
}

}  // namespace spmdc::plan
