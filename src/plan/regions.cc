// Instructions with regions: where operands, results and what bodies take and give are.
#include "plan/function_planner.h"

namespace spmdc::plan {

bool FunctionPlanner::PlanBody(ir::FuncId body, llvm::ArrayRef<mesh::ShardingId> args,
                               llvm::ArrayRef<mesh::ShardingId> results) {
  return FunctionPlanner(run_, body).Plan(args, results);
}

llvm::SmallVector<mesh::ShardingId, 4> FunctionPlanner::DecidedOf(const ir::Function& f,
                                                                  llvm::ArrayRef<ir::ValueId> values) {
  llvm::SmallVector<mesh::ShardingId, 4> list;
  for (ir::ValueId v : values) {
    list.push_back(run_.Decided(f.values[v].sharding, run_.in.type(f, v).rank()));
  }
  return list;
}

bool FunctionPlanner::PlanCall(ir::InstId id) {
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

bool FunctionPlanner::PlanLoop(ir::InstId id) {
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

bool FunctionPlanner::PlanBranch(ir::InstId id) {
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

mesh::ShardingId FunctionPlanner::Outside(const ops::ManualComputationAttrs& attrs, mesh::ShardingId boundary,
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

bool FunctionPlanner::PlanManual(ir::InstId id) {
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

}  // namespace spmdc::plan
