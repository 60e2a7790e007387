// A trial is a copy of the typed program with one placement changed, brought through propagation, planning and partitioning.
#include "explain/advice.h"

#include <map>

#include "cost/bytes_text.h"
#include "explain/digest.h"
#include "explain/redundant.h"
#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "ops/sharding.h"
#include "partition/partition.h"
#include "plan/plan.h"
#include "plan/policy.h"
#include "propagate/propagate.h"

namespace spmdc::explain {
namespace {

// Instructions that may be compiled for all advice on a program: some tenths of a second's worth.
constexpr size_t kBudget = 50'000;

// Something that the text places, or could.
struct Target {
  enum class Kind : uint8_t { Argument, Result, Constraint } kind;
  size_t index = 0;            // of an argument or a result
  ir::FuncId func;             // of a constraint
  ir::InstId inst;             // the same
  std::string name;            // as the report has it: "arg 0 'x'"
  mesh::ShardingId placement;  // now; none where the text says nothing

  auto key() const { return std::tuple(kind, index, func.index, inst.index); }
};

struct Outcome {
  double wire_bytes = 0;
  int64_t peak_bytes = 0;
  double flops = 0;
};

class Adviser {
 public:
  explicit Adviser(Report& report)
      : report_(report),
        typed_(*report.subject.typed),
        program_(*report.subject.per_device),
        tables_(*typed_.tables),
        now_{report.communication->wire_bytes, report.memory->peak_bytes, TotalFlops(program_)} {
    options_.mode = propagate::ModeNamed(report.subject.propagation);
    for (const ir::Function& f : typed_.functions) {
      size_ += f.insts.size();
    }
  }

  void Advise(ReportedCollective& c) {
    const ir::Inst& inst = program_.functions[c.cost->function].insts[c.cost->inst];
    if (!c.inserted || !inst.cause.valid() || !c.cost->counts) {
      return;
    }
    const ir::Cause& cause = program_.causes[inst.cause];
    const Target* best_target = nullptr;
    mesh::ShardingId best;
    Outcome least = now_;
    std::vector<Target> targets = Targets(c, cause);
    for (const Target& target : targets) {
      for (mesh::ShardingId placement : Placements(target, c, cause)) {
        const Outcome* outcome = Try(target, placement);
        c.tried += outcome != nullptr ? 1 : 0;
        if (outcome != nullptr && IsBetter(*outcome, least)) {
          least = *outcome;
          best = placement;
          best_target = &target;
        }
      }
    }
    if (best_target != nullptr) {
      c.suggestion = best_target->name + " as " + Spec(best) + ": " + cost::BytesText(least.wire_bytes) +
                     " sent in all instead of " + cost::BytesText(now_.wire_bytes) + ", memory " +
                     cost::BytesText(static_cast<double>(least.peak_bytes)) + " instead of " +
                     cost::BytesText(static_cast<double>(now_.peak_bytes));
    }
  }

 private:
  // Fewer bytes, then less memory; what every device would compute alone is no way to send less.
  bool IsBetter(const Outcome& a, const Outcome& than) const {
    return a.wire_bytes < now_.wire_bytes && a.flops <= now_.flops &&
           std::tie(a.wire_bytes, a.peak_bytes) < std::tie(than.wire_bytes, than.peak_bytes);
  }
  std::string Spec(mesh::ShardingId id) const { return SpecOf(typed_, id); }
  const ir::Function& entry() const { return typed_.functions[typed_.entry]; }

  // Behind the moved value and the op that needs it, as the report tells them; then the moved value itself, if it is one of
  // the boundary.
  std::vector<Target> Targets(const ReportedCollective& c, const ir::Cause& cause) const {
    std::vector<Target> targets;
    for (const Annotation& annotation : c.annotations) {
      Add(Named(annotation.value, annotation.name), targets);
    }
    if (cause.value.func == typed_.entry) {
      const auto* arg = llvm::find(entry().args, cause.value.value);
      if (arg != entry().args.end()) {
        Add(Argument(static_cast<size_t>(arg - entry().args.begin())), targets);
      }
    }
    if (cause.why == ir::Cause::Why::FunctionResult && cause.func == typed_.entry) {
      Add(Result(static_cast<size_t>(cause.index)), targets);
    }
    return targets;
  }

  static void Add(std::optional<Target> target, std::vector<Target>& targets) {
    if (target && llvm::none_of(targets, [&](const Target& t) { return t.key() == target->key(); })) {
      targets.push_back(std::move(*target));
    }
  }

  std::optional<Target> Argument(size_t i) const {
    if (i >= entry().args.size()) {
      return std::nullopt;
    }
    const ir::BoundaryInfo& info = entry().arg_info[i];
    const ir::Value& value = entry().values[entry().args[i]];
    const std::string& name = info.name.empty() ? value.name : info.name;
    return Target{Target::Kind::Argument,
                  i,
                  {},
                  {},
                  "arg " + std::to_string(i) + (name.empty() ? "" : " '" + name + "'"),
                  info.sharding.valid() ? info.sharding : value.sharding};
  }
  std::optional<Target> Result(size_t i) const {
    if (i >= entry().results.size()) {
      return std::nullopt;
    }
    return Target{Target::Kind::Result, i, {}, {}, "result " + std::to_string(i), entry().result_info[i].sharding};
  }
  // What an annotation is called in the report.
  std::optional<Target> Named(llvm::StringRef what, const std::string&) const {
    size_t i = 0;
    if (what.consume_front("arg ")) {
      return what.getAsInteger(10, i) ? std::nullopt : Argument(i);
    }
    if (what.consume_front("result ")) {
      return what.getAsInteger(10, i) ? std::nullopt : Result(i);
    }
    return what.consume_front("constraint ") ? Constraint(what) : std::nullopt;
  }
  // None if several have the name.
  std::optional<Target> Constraint(llvm::StringRef name) const {
    std::optional<Target> found;
    for (ir::FuncId f : typed_.functions.ids()) {
      const ir::Function& function = typed_.functions[f];
      for (ir::InstId i : function.insts.ids()) {
        const ir::Inst& inst = function.insts[i];
        if (!op::Def(inst.op).is_constraint || function.values[function.result(inst)].name != name) {
          continue;
        }
        if (found) {
          return std::nullopt;
        }
        found = Target{Target::Kind::Constraint,
                       0,
                       f,
                       i,
                       "constraint '" + name.str() + "'",
                       typed_.attrs<ops::ShardingConstraintAttrs>(inst).sharding};
      }
    }
    return found;
  }

  const ir::Type& TypeOf(const Target& target) const {
    switch (target.kind) {
      case Target::Kind::Argument:
        return typed_.type(entry(), entry().args[target.index]);
      case Target::Kind::Result:
        return typed_.type(entry(), entry().results[target.index]);
      case Target::Kind::Constraint:
        break;
    }
    const ir::Function& f = typed_.functions[target.func];
    return typed_.type(f, f.result(f.insts[target.inst]));
  }

  // In a spec: of whole axes.
  bool CanBeSaid(const mesh::Sharding& s) const {
    return llvm::all_of(s.dims, [&](const mesh::DimSharding& dim) {
      return llvm::all_of(dim.axes, [&](mesh::AxisRef axis) { return mesh::IsWhole(tables_.meshes[s.mesh], axis); });
    });
  }

  // Where a target could be instead: as the op needs it, without the collective's axes, or with them along another dim that
  // they divide.
  llvm::SmallVector<mesh::ShardingId, 8> Placements(const Target& target, const ReportedCollective& c,
                                                    const ir::Cause& cause) {
    const ir::Type& type = TypeOf(target);
    mesh::Sharding now =
        target.placement.valid() ? tables_.shardings[target.placement] : mesh::Replicated(typed_.mesh, type.rank());
    llvm::SmallVector<mesh::ShardingId, 8> list;
    auto add = [&](const mesh::Sharding& s) {
      mesh::ShardingId id = tables_.shardings.Intern(s);
      if (CanBeSaid(s) && id != target.placement && mesh::IsEven(s, type.dims) && !llvm::is_contained(list, id)) {
        list.push_back(id);
      }
    };
    for (mesh::ShardingId id : {cause.to, cause.from}) {
      const mesh::Sharding* s = id.valid() ? &tables_.shardings[id] : nullptr;
      if (s != nullptr && s->mesh == now.mesh && s->dims.size() == type.rank() && s->unreduced.empty()) {
        add(*s);
      }
    }
    mesh::Sharding without = now;
    llvm::SmallVector<size_t, 2> held;
    for (size_t d = 0; d < without.dims.size(); ++d) {
      auto* end = std::remove_if(without.dims[d].axes.begin(), without.dims[d].axes.end(), [&](mesh::AxisRef axis) {
        return llvm::any_of(c.cost->axes, [&](mesh::AxisRef moved) { return moved.axis == axis.axis; });
      });
      if (end != without.dims[d].axes.end()) {
        held.push_back(d);
        without.dims[d].axes.erase(end, without.dims[d].axes.end());
      }
    }
    add(without);
    for (size_t d = 0; d < without.dims.size() && c.cost->axes.size() == 1; ++d) {
      mesh::Sharding moved = without;
      moved.dims[d].axes.push_back(c.cost->axes[0]);
      add(moved);
    }
    return list;
  }

  // Null where that is no program, or nothing more may be tried.
  const Outcome* Try(const Target& target, mesh::ShardingId placement) {
    auto [at, added] = tried_.try_emplace(std::tuple(target.key(), placement.index));
    if (added && spent_ + size_ <= kBudget) {
      spent_ += size_;
      at->second = Compile(With(target, placement));
    }
    return at->second ? &*at->second : nullptr;
  }

  ir::Module With(const Target& target, mesh::ShardingId placement) const {
    ir::Module module = typed_;
    ir::Function& function = module.functions[module.entry];
    switch (target.kind) {
      case Target::Kind::Argument:
        function.arg_info[target.index].sharding = placement;
        function.arg_info[target.index].pinned = true;
        function.values[function.args[target.index]].sharding = placement;
        break;
      case Target::Kind::Result:
        function.result_info[target.index].sharding = placement;
        function.result_info[target.index].pinned = true;
        break;
      case Target::Kind::Constraint: {
        ir::Inst& inst = module.functions[target.func].insts[target.inst];
        auto attrs = module.attrs<ops::ShardingConstraintAttrs>(inst);
        attrs.sharding = placement;
        inst.attrs = module.tables->attrs.Add(attrs);
        break;
      }
    }
    return module;
  }

  std::optional<Outcome> Compile(const ir::Module& changed) const {
    diag::Engine diags(&report_.subject.sources);
    std::optional<ir::Module> program = propagate::Propagate(changed, options_, diags);
    program = program ? plan::Plan(*program, plan::FewestBytes(), diags) : std::nullopt;
    program = program ? partition::Partition(*program, diags) : std::nullopt;
    if (!program) {
      return std::nullopt;
    }
    return Outcome{cost::Communicate(*program).wire_bytes, cost::MeasureMemory(*program).peak_bytes,
                   TotalFlops(*program)};
  }

  Report& report_;
  const ir::Module& typed_;
  const ir::Module& program_;
  ir::Tables& tables_;
  const Outcome now_;
  propagate::Options options_;
  size_t size_ = 0, spent_ = 0;
  std::map<std::tuple<std::tuple<Target::Kind, size_t, int32_t, int32_t>, int32_t>, std::optional<Outcome>> tried_;
};

bool TypesSayWhere(const ir::Module& module) {
  const ir::Function& entry = module.functions[module.entry];
  return llvm::any_of(entry.values, [&](const ir::Value& v) { return module.type(v).sharding.valid(); });
}

}  // namespace

void AddAdvice(Report& report) {
  const Subject& subject = report.subject;
  bool whole = subject.typed != nullptr && subject.propagated != nullptr && report.communication && report.memory;
  if (!whole || !subject.typed->mesh.valid() || TypesSayWhere(*subject.typed)) {
    return;
  }
  Adviser adviser(report);
  std::vector<Alike> groups = ByBytes(report.collectives);
  for (const Alike& group : llvm::ArrayRef<Alike>(groups).take_front(CountThatMatter(groups))) {
    adviser.Advise(report.collectives[static_cast<size_t>(group.all[0] - report.collectives.data())]);
  }
}

}  // namespace spmdc::explain
