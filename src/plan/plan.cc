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
#include "plan/function_planner.h"

namespace spmdc::plan {

bool FunctionPlanner::Plan(llvm::ArrayRef<mesh::ShardingId> args, llvm::ArrayRef<mesh::ShardingId> results) {
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

void FunctionPlanner::SayNoAssignment(const ir::Inst& inst) {
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

bool FunctionPlanner::Settle(ir::InstId id) {
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

bool FunctionPlanner::PlanInst(ir::InstId id) {
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

mesh::MeshId FunctionPlanner::MeshOf(const ir::Inst& inst) {
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

// Whether it counts where the user puts a value that could be made anywhere: where all of it takes memory to speak of.
bool FunctionPlanner::IsPlacedByUser(ir::ValueId v) const {
  constexpr int64_t kLargeBytes = int64_t{1} << 20;
  return op::Def(old_.insts[old_.values[v].def].op).is_constraint && run_.in.type(old_, v).bytes() >= kLargeBytes;
}

const Assignment* FunctionPlanner::Assign(ir::InstId id, llvm::ArrayRef<mesh::ShardingId> results) {
  const ir::Inst& inst = old_.insts[id];
  int32_t rule_number = run_.rules.AddInst(run_.in, old_, inst);
  const op::Rule& rule = run_.rules[rule_number];
  AssignmentProblem problem{
      *run_.out.tables, rule, rule_number, op::LinearOf(run_.in, old_, inst), MeshOf(inst), {}, {}, {}, {}, {}, {}};
  for (ir::ValueId v : old_.operands(inst)) {
    problem.operand_types.push_back(old_.values[v].type);
    bool constrained = IsCheap(v) && IsPlacedByUser(v);
    problem.free_operands.push_back(IsCheap(v) && !constrained);
    auto& had = problem.operands.emplace_back();
    if (constrained && versions_[v].empty()) {
      had.push_back(Decided(v));
    }
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

bool FunctionPlanner::PlanByRule(ir::InstId id) {
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

ir::CauseId FunctionPlanner::ExchangeCause(ir::InstId id, const Assignment& choice) {
  if (choice.exchanged.collectives == 0) {
    return {};
  }
  ir::ValueRef operand{id_, old_.operands(old_.insts[id])[0]};
  return run_.out.causes.Add({Cause::Why::Exchange, id_, id, 0, operand, choice.operands[0], choice.results[0]});
}

bool FunctionPlanner::NeedOperands(ir::InstId id, llvm::ArrayRef<mesh::ShardingId> shardings,
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

llvm::SmallVector<mesh::ShardingId, 4> FunctionPlanner::DecidedResults(const ir::Inst& inst) {
  llvm::SmallVector<mesh::ShardingId, 4> list;
  for (size_t r = 0; r < inst.num_results; ++r) {
    list.push_back(Decided(old_.result(inst, r)));
  }
  return list;
}

std::optional<ir::Module> Plan(const ir::Module& propagated, const Policy& policy, diag::Engine& diags) {
  std::optional<op::MergedModule> merged = op::MergeInsts(propagated);
  const ir::Module& in = merged ? merged->module : propagated;
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
  if (merged) {
    merged->InTermsOfGiven(out);
  }
  return out;
}

}  // namespace spmdc::plan
