// A value is brought where it is needed from the cheapest version that is had, or made there.
#include "plan/function_planner.h"

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "ops/sharding.h"

namespace spmdc::plan {

mesh::ShardingId FunctionPlanner::Decided(ir::ValueId v) {
  return run_.Decided(old_.values[v].sharding, run_.in.type(old_, v).rank());
}

ir::ValueId FunctionPlanner::Need(ir::ValueId v, mesh::ShardingId to, Cause cause) {
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

void FunctionPlanner::SayNoPath(ir::ValueId v, mesh::ShardingId from, mesh::ShardingId to) {
  const ir::Value& value = old_.values[v];
  const mesh::Mesh* alone = nullptr;
  auto show = [&](mesh::ShardingId id) {
    const mesh::Mesh& mesh = run_.out.tables->meshes[run_.Look(id).mesh];
    alone = mesh.maximal ? &mesh : alone;
    return mesh.maximal ? "device " + std::to_string(mesh.DeviceAt(0)) + " alone" : mesh::ToSpec(mesh, run_.Look(id));
  };
  std::string text = show(from) + " to " + show(to);
  run_.diags
      .Error(diag::Kind::CannotPartition, value.span,
             "no sequence of collectives brings '" + value.name + "' from " + text)
      .Help(alone != nullptr
                ? "give it a sharding over the mesh that the rest of the program runs on where it is made"
                : "the two meshes must have the same devices, and axes of a partial sum cannot also split a dim");
}

ir::ValueId FunctionPlanner::Follow(ir::ValueId v, Version at, const Path& path, ir::CauseId cause) {
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

ir::SourceId FunctionPlanner::SourceOf(ir::ValueId v, ir::CauseId cause) const {
  ir::InstId inst = run_.out.causes[cause].inst;
  if (!inst.valid()) {
    inst = old_.values[v].def;
  }
  return inst.valid() ? old_.insts[inst].source : ir::SourceId();
}

bool FunctionPlanner::IsCheap(ir::InstId id) const {
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

ir::ValueId FunctionPlanner::MakeCheap(ir::ValueId v, mesh::ShardingId to, Cause cause) {
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

ir::ValueId FunctionPlanner::MakeCheapPart(ir::ValueId v, mesh::ShardingId to, Cause cause) {
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

ir::ValueId FunctionPlanner::MakeAgain(ir::ValueId v, mesh::ShardingId to, int64_t bytes) {
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

llvm::SmallVector<ir::ValueId, 2> FunctionPlanner::Emit(const ir::Inst& inst, llvm::ArrayRef<ir::ValueId> operands,
                                                        llvm::ArrayRef<ir::FuncId> bodies,
                                                        llvm::ArrayRef<mesh::ShardingId> made, ir::CauseId cause) {
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

}  // namespace spmdc::plan
