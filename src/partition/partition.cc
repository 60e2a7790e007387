// Walks the planned program and has every instruction lowered; manual regions are walked in place.
#include "partition/partition.h"

#include "llvm/ADT/STLExtras.h"
#include "op/liveness.h"
#include "op/regions.h"
#include "partition/donation.h"
#include "partition/localizer.h"

namespace spmdc::partition {
namespace {

ir::FuncId PartitionBody(Run& run, ir::FuncId planned);

class FunctionPartitioner {
 public:
  FunctionPartitioner(Run& run, Output& output, ir::FuncId planned)
      : run_(run),
        output_(output),
        planned_(run.planned.functions[planned]),
        id_(planned),
        locals_(planned_.values.size()) {}

  void AddArgs() {
    for (size_t i = 0; i < planned_.args.size(); ++i) {
      ir::Value value = planned_.values[planned_.args[i]];
      value.type = LocalType(planned_.args[i]);
      value.name = output_.names.Unique(value.name);
      locals_[planned_.args[i]] = Out().AddArg(std::move(value), planned_.arg_info[i]);
    }
  }

  // For a region walked in place: its arguments are values of the function it stands in.
  void BindArgs(llvm::ArrayRef<ir::ValueId> values) {
    for (size_t i = 0; i < values.size(); ++i) {
      locals_[planned_.args[i]] = values[i];
    }
  }

  // False if an instruction was refused; the others are looked at all the same, so that all refusals are told.
  bool Walk() {
    bool good = true;
    // Plan brings results where propagation wants them; some are only used where they were before.
    IdMap<ir::InstId, uint8_t> needed = op::NeededInsts(run_.planned, planned_);
    for (ir::InstId id : planned_.insts.ids()) {
      if (needed.Get(id) == 0) {
        continue;
      }
      const ir::Inst& inst = planned_.insts[id];
      llvm::SmallVector<ir::ValueId, 4> operands;
      for (ir::ValueId v : planned_.operands(inst)) {
        operands.push_back(locals_[v]);
      }
      if (llvm::any_of(operands, [](ir::ValueId v) { return !v.valid(); })) {
        good = false;  // an instruction behind a refused one is not lowered
        continue;
      }
      good = (op::Def(inst.op).region == op::Region::Manual ? Inline(inst, operands) : Lower(inst, operands)) && good;
    }
    return good;
  }

  llvm::SmallVector<ir::ValueId, 4> Results() {
    llvm::SmallVector<ir::ValueId, 4> values;
    for (ir::ValueId v : planned_.results) {
      values.push_back(locals_[v]);
    }
    return values;
  }

 private:
  ir::Function& Out() { return run_.out.functions[output_.function]; }

  ir::TypeId LocalType(ir::ValueId v) const {
    const ir::Type& type = run_.planned.type(planned_, v);
    const mesh::Sharding& sharding = run_.planned.tables->shardings[planned_.values[v].sharding];
    if (!type.is_array()) {
      return planned_.values[v].type;
    }
    return run_.out.tables->types.Intern(ir::ArrayType(type.dtype, mesh::LocalDims(sharding, type.dims)));
  }

  bool Inline(const ir::Inst& inst, llvm::ArrayRef<ir::ValueId> operands) {
    FunctionPartitioner region(run_, output_, planned_.bodies(inst)[0]);
    region.BindArgs(operands);
    if (!region.Walk()) {
      return false;
    }
    auto values = region.Results();
    for (size_t i = 0; i < inst.num_results; ++i) {
      ir::ValueId result = planned_.result(inst, i);
      locals_[result] = values[i];
      // The value the region made is, seen from outside, a shard of the whole.
      ir::Value& value = Out().values[values[i]];
      value.shard_of = planned_.values[result].shard_of;
      value.sharding = planned_.values[result].sharding;
    }
    return true;
  }

  bool Lower(const ir::Inst& inst, llvm::ArrayRef<ir::ValueId> operands) {
    int32_t first_inst = static_cast<int32_t>(Out().insts.size());
    int32_t first_value = static_cast<int32_t>(Out().values.size());
    output_.builder.set_tag({inst.span, inst.source, inst.side, inst.cause});
    int32_t number = run_.known.NumberOf(planned_, inst);
    auto results = run_.known.Repeat(number, operands, output_.builder);
    if (!results) {
      Localizer localizer(run_, output_, planned_, inst, operands,
                          [this](ir::FuncId body) { return PartitionBody(run_, body); });
      if (!localizer.Lower()) {
        return false;
      }
      results.emplace(localizer.results().begin(), localizer.results().end());
      run_.known.Remember(number, operands, *results, ir::InstId{first_inst}, output_.builder);
    }
    for (size_t i = 0; i < inst.num_results; ++i) {
      Adopt(planned_.result(inst, i), (*results)[i], first_value);
    }
    NameTheRest(inst, first_inst, first_value, *results);
    return true;
  }

  // The local value that stands for a planned one takes its name and provenance, unless it is another value's already.
  void Adopt(ir::ValueId planned, ir::ValueId local, int32_t first_value) {
    locals_[planned] = local;
    if (local.index < first_value) {
      return;
    }
    const ir::Value& from = planned_.values[planned];
    ir::Value& value = Out().values[local];
    value.sharding = from.sharding;
    value.shard_of = from.shard_of;
    value.name = output_.names.Unique(from.name);
    value.span = from.span;
  }

  // Helper values are named after their op; helper instructions of the user's op are ours, with the op as the cause.
  void NameTheRest(const ir::Inst& inst, int32_t first_inst, int32_t first_value, llvm::ArrayRef<ir::ValueId> results) {
    ir::CauseId cause = inst.cause;
    for (int32_t i = first_inst; i < static_cast<int32_t>(Out().insts.size()); ++i) {
      ir::Inst& made = Out().insts[ir::InstId{i}];
      bool is_result = llvm::any_of(results, [&](ir::ValueId v) { return Out().values[v].def == ir::InstId{i}; });
      bool is_users = made.op == inst.op && !inst.cause.valid() && op::Def(made.op).collective != nullptr;
      if (is_result || is_users) {
        // The user's op itself, though an exchange came before it.
        if (made.op == inst.op && op::Def(made.op).collective == nullptr) {
          made.cause = {};
        }
        continue;
      }
      if (!cause.valid()) {
        cause = run_.out.causes.Add({ir::Cause::Why::Operand, id_, {}, 0, {}, {}, {}});
      }
      made.cause = cause;
      for (size_t r = 0; r < made.num_results; ++r) {
        ir::ValueId v = Out().result(made, r);
        if (v.index >= first_value) {
          Out().values[v].name = output_.names.Unique(ir::Mnemonic(made.op));
        }
      }
    }
  }

  Run& run_;
  Output& output_;
  const ir::Function& planned_;
  ir::FuncId id_;
  IdMap<ir::ValueId, ir::ValueId> locals_;
};

// A function of the per-device program for one of the planned program; applied bodies stay as they are.
bool PartitionFunction(Run& run, ir::FuncId planned, ir::FuncId fresh) {
  const ir::Function& from = run.planned.functions[planned];
  ir::Function empty = from.EmptyCopy();
  // One device's program has no manual regions, and other functions.
  empty.enclosing = {};
  empty.manual_axes.clear();
  run.out.functions[fresh] = std::move(empty);
  Output output{fresh, op::Builder(run.out, fresh, run.diags), ir::NameTable(from.values.size())};
  FunctionPartitioner partitioner(run, output, planned);
  partitioner.AddArgs();
  if (!partitioner.Walk()) {
    return false;
  }
  auto results = partitioner.Results();
  run.out.functions[fresh].results.assign(results.begin(), results.end());
  return true;
}

// None if something in the body was refused.
ir::FuncId PartitionBody(Run& run, ir::FuncId planned) {
  if (ir::FuncId known = run.bodies[planned]; known.valid()) {
    return known;
  }
  const ir::Function& from = run.planned.functions[planned];
  bool applied = run.applied.Get(planned) != 0;
  ir::FuncId fresh = run.out.functions.Add(applied ? from : ir::Function());
  if (!applied && !PartitionFunction(run, planned, fresh)) {
    return {};
  }
  for (size_t i = 0; applied && i < from.body_pool.size(); ++i) {
    ir::FuncId inner = PartitionBody(run, from.body_pool[i]);
    run.out.functions[fresh].body_pool[i] = inner;
  }
  run.bodies[planned] = fresh;
  return fresh;
}

}  // namespace

std::optional<ir::Module> Partition(const ir::Module& planned, diag::Engine& diags) {
  ir::Module out(planned.tables);
  out.name = planned.name;
  out.mesh = planned.mesh;
  out.per_device = true;
  out.num_devices = planned.num_devices;
  out.side = planned.side;
  out.causes = planned.causes;
  out.entry = out.functions.Add(ir::Function());
  Run run{planned, out, diags, op::AppliedBodies(planned)};
  size_t errors = diags.error_count();
  PartitionFunction(run, planned.entry, out.entry);
  if (diags.error_count() != errors) {
    return std::nullopt;
  }
  TakeDonations(out, diags);
  return out;
}

}  // namespace spmdc::partition
