// Planning of one function: its values, each in the versions that are had, and its instructions in order.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "op/rule_table.h"
#include "ops/control.h"
#include "plan/assignment.h"
#include "plan/reshard.h"

namespace spmdc::plan {

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
  bool Plan(llvm::ArrayRef<mesh::ShardingId> args, llvm::ArrayRef<mesh::ShardingId> results);

 private:
  ir::Function& Out() { return run_.out.functions[id_]; }
  // Made where it is used, at whatever sharding: constants, what is made of scalars alone, and a constraint on such a value.
  bool IsCheap(ir::InstId id) const;
  bool IsPlacedByUser(ir::ValueId v) const;
  bool IsCheap(ir::ValueId v) const { return old_.values[v].def.valid() && IsCheap(old_.values[v].def); }
  mesh::ShardingId Decided(ir::ValueId v);

  // Values: where they are had, and how they come elsewhere (versions.cc).

  // The value at a sharding; an invalid id after a diagnostic. `cause` lacks what moves from where to where.
  ir::ValueId Need(ir::ValueId v, mesh::ShardingId to, Cause cause);
  void SayNoPath(ir::ValueId v, mesh::ShardingId from, mesh::ShardingId to);
  // Where no assignment has a price: the first tensor that does not get to the instruction's mesh, or from it.
  void SayNoAssignment(const ir::Inst& inst);
  ir::ValueId Follow(ir::ValueId v, Version at, const Path& path, ir::CauseId cause);
  ir::SourceId SourceOf(ir::ValueId v, ir::CauseId cause) const;
  ir::ValueId MakeCheap(ir::ValueId v, mesh::ShardingId to, Cause cause);
  // One device of those that add up has it, the others have what adds nothing.
  ir::ValueId MakeCheapPart(ir::ValueId v, mesh::ShardingId to, Cause cause);
  // A value that only arranges elements of others is made a second time where that sends less than moving it: a slice of
  // what all devices have, a broadcast of what was gathered. Constraints are kept to. No id if moving is as good.
  ir::ValueId MakeAgain(ir::ValueId v, mesh::ShardingId to, int64_t bytes);
  // Appends a copy of an instruction whose results come out at the given shardings.
  llvm::SmallVector<ir::ValueId, 2> Emit(const ir::Inst& inst, llvm::ArrayRef<ir::ValueId> operands,
                                         llvm::ArrayRef<ir::FuncId> bodies, llvm::ArrayRef<mesh::ShardingId> made,
                                         ir::CauseId cause = {});

  // Instructions (plan.cc), those with regions in regions.cc.

  // Brings the results of an instruction where propagation wants them.
  bool Settle(ir::InstId id);
  bool PlanInst(ir::InstId id);
  // The mesh an instruction runs on: that of the first result, else operand, that is split on it.
  mesh::MeshId MeshOf(const ir::Inst& inst);
  // How an instruction is best sharded if its results are wanted so; null if nothing fits.
  const Assignment* Assign(ir::InstId id, llvm::ArrayRef<mesh::ShardingId> results);
  bool PlanByRule(ir::InstId id);
  // Why an instruction's own lowering sends something; none if it does not.
  ir::CauseId ExchangeCause(ir::InstId id, const Assignment& choice);
  bool NeedOperands(ir::InstId id, llvm::ArrayRef<mesh::ShardingId> shardings,
                    llvm::SmallVectorImpl<ir::ValueId>& operands);
  bool PlanBody(ir::FuncId body, llvm::ArrayRef<mesh::ShardingId> args, llvm::ArrayRef<mesh::ShardingId> results);
  llvm::SmallVector<mesh::ShardingId, 4> DecidedOf(const ir::Function& f, llvm::ArrayRef<ir::ValueId> values);
  llvm::SmallVector<mesh::ShardingId, 4> DecidedResults(const ir::Inst& inst);
  bool PlanCall(ir::InstId id);
  // Carried values keep one sharding: that of the loop's results.
  bool PlanLoop(ir::InstId id);
  bool PlanBranch(ir::InstId id);
  // The manual axes of each dim, from the op, before the free axes, from the body's value; terms over either.
  mesh::ShardingId Outside(const ops::ManualComputationAttrs& attrs, mesh::ShardingId boundary,
                           mesh::ShardingId inside);
  bool PlanManual(ir::InstId id);

  Run& run_;
  ir::FuncId id_;
  const ir::Function& old_;
  ir::NameTable names_;
  IdMap<ir::ValueId, llvm::SmallVector<Version, 2>> versions_;
};

}  // namespace spmdc::plan
