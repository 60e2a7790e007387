// The check: the global program's trace, the devices' values against it, and what is said about the first difference.
#include <algorithm>
#include <cmath>

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "op/op_def.h"
#include "ops/collective_text.h"
#include "ops/control.h"
#include "run/boundary.h"
#include "run/manual_region.h"
#include "run/nan_source.h"
#include "run/numbers.h"
#include "run/trace.h"

namespace spmdc::run {

using tensor::Literal;

namespace {

std::string ShowRange(const Range& range) {
  std::string text;
  for (const auto& [begin, end] : range) {
    text += (text.empty() ? "" : ",") + std::to_string(begin) + ":" + std::to_string(end);
  }
  return "[" + text + "]";
}

std::string ShowIndex(llvm::ArrayRef<int64_t> index) {
  std::string text;
  for (int64_t i : index) {
    text += (text.empty() ? "" : ",") + std::to_string(i);
  }
  return "[" + text + "]";
}

std::string ShowNumber(double number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.3g", number);
  return text;
}

// Where a manual region promised that devices hold the same: the promise, which nobody checks where check_vma is False.
void BlameRegion(const ir::Module& global, const ir::Inst& inst, size_t result, Failure& failure) {
  if (op::Def(inst.op).region != op::Region::Manual) {
    return;
  }
  mesh::AxisList alike = AlikeAxes(global, inst, result);
  if (alike.empty()) {
    return;
  }
  const mesh::Mesh& mesh = global.tables->meshes[global.attrs<ops::ManualComputationAttrs>(inst).mesh];
  std::string axes = ops::AxisNameList(mesh, alike);
  failure.help.push_back("out_specs of result " + std::to_string(result) + " leave out " + axes +
                         ", so that devices along it should hold the same: name it there, or combine their values " +
                         "first (psum, pmean, pmax)");
}

// Compares what one device computes with the trace.
class Checker final : public Observer {
 public:
  Checker(const ir::Module& global, const Program& global_program, const Program& program, const Trace& trace,
          const RunOptions& options)
      : global_(global), global_program_(global_program), program_(program), trace_(trace), options_(options) {}

  bool OnValue(const Event& event, Slot& slot, const Literal& wide, Failure& failure) override;
  // Compares with a recorded value, which the block is a shard of; replaces the block. name and span are for messages.
  bool Compare(const Recorded& recorded, const mesh::Sharding* sharding, int64_t device, Slot& slot, Failure& failure);

  int64_t values = 0;
  int64_t elements = 0;
  int64_t without_counterpart = 0;
  int64_t not_kept = 0;

 private:
  const Recorded* Counterpart(const Event& event, const ir::Value& value) const;
  int64_t PositionOn(mesh::MeshId mesh, int64_t device);
  void Locate(const Event& event, const ir::Value& value, Failure& failure) const;

  const ir::Module& global_;
  const Program& global_program_;
  const Program& program_;
  const Trace& trace_;
  const RunOptions& options_;
  IdMap<mesh::MeshId, int64_t> positions_;  // + 1; 0: not asked yet
};

bool Checker::OnValue(const Event& event, Slot& slot, const Literal&, Failure& failure) {
  const ir::Value& value = event.function.values[event.value];
  const mesh::Sharding* sharding = program_.module().sharding(value);
  const Recorded* recorded = value.shard_of.func.valid() ? Counterpart(event, value) : nullptr;
  bool partial = sharding && mesh::Product(sharding->unreduced) > 1;
  if (recorded == nullptr || partial) {
    ++(value.shard_of.func.valid() && !partial ? not_kept : without_counterpart);
    // A term is as far off as the global program is with the whole: it is made by the same op.
    double rounding = recorded == nullptr ? 0 : recorded->tolerance.rounding;
    slot.noise = std::max({slot.noise, RoundingOf(slot.value), rounding});
    return true;
  }
  if (!Compare(*recorded, sharding, event.device, slot, failure)) {
    Locate(event, value, failure);
    return false;
  }
  return true;
}

// Where a function is shared in one of the programs only, nothing says which execution is which.
const Recorded* Checker::Counterpart(const Event& event, const ir::Value& value) const {
  if (global_program_.is_shared(value.shard_of.func) && !program_.is_shared(event.func)) {
    return nullptr;
  }
  return trace_.Find(value.shard_of, event.path, event.device);
}

int64_t Checker::PositionOn(mesh::MeshId mesh, int64_t device) {
  int64_t& known = positions_[mesh];
  if (known == 0) {
    known = PositionOf(program_.module().tables->meshes[mesh], device).value_or(0) + 1;
  }
  return known - 1;
}

bool Checker::Compare(const Recorded& recorded, const mesh::Sharding* sharding, int64_t device, Slot& slot,
                      Failure& failure) {
  const Literal& whole = recorded.value;
  mesh::Sharding replicated = mesh::Replicated({}, whole.dims().size());
  bool placed = sharding && sharding->mesh.valid();
  const mesh::Sharding& where = placed ? *sharding : replicated;
  tensor::Dims local = mesh::LocalDims(where, whole.dims());
  failure.kind = diag::Kind::NumbersDiffer;
  if (slot.value.dtype() != whole.dtype() || slot.value.dims() != llvm::ArrayRef<int64_t>(local)) {
    failure.message = "holds " + ShowIndex(slot.value.dims()) + " elements where its shard of " +
                      ShowIndex(whole.dims()) + " has " + ShowIndex(local);
    return false;
  }
  Range range;
  if (placed) {
    const mesh::Mesh& mesh = program_.module().tables->meshes[where.mesh];
    range = mesh::ShardRange(mesh, where, whole.dims(), PositionOn(where.mesh, device));
  } else {
    for (int64_t dim : whole.dims()) {
      range.emplace_back(0, dim);
    }
  }
  double allowed = kSlack * std::max(recorded.tolerance.rounding, slot.noise);
  Comparison comparison = CompareBlock(slot.value, whole, range, allowed, recorded.tolerance.overflowed);
  ++values;
  auto [start, extent] = BoxOf(range);
  elements += tensor::NumElements(extent);
  if (comparison.difference) {
    const Difference& d = *comparison.difference;
    failure.message = "element " + ShowIndex(d.index) + " is " + d.got + ", expected " + d.expected;
    if (!std::isnan(d.error)) {
      failure.message += " (off by " + ShowNumber(d.error) + ", allowed " + ShowNumber(allowed) + ")";
    }
    failure.notes.push_back({{},
                             "the device holds " + ShowRange(range) + " of it, and " + std::to_string(d.count) +
                                 " of these " + std::to_string(tensor::NumElements(extent)) + " elements differ"});
    return false;
  }
  bool whole_block = llvm::ArrayRef<int64_t>(local) == whole.dims();
  if (options_.anchor && whole_block) {
    slot.value = whole;
  } else if (options_.anchor && !comparison.identical) {
    CopyBox(whole, start, slot.value, tensor::Dims(start.size(), 0), extent);
  }
  if (extent != local) {
    Poison(slot.value, extent);
  }
  slot.noise = options_.anchor ? 0 : slot.noise;
  return true;
}

// Says of which value on which device a difference is, at the line of the op that made it.
void Checker::Locate(const Event& event, const ir::Value& value, Failure& failure) const {
  const ir::Value& whole = global_.functions[value.shard_of.func].values[value.shard_of.value];
  failure.span = value.def.valid() ? event.function.insts[value.def].span : value.span;
  if (!failure.span.valid()) {
    failure.span = whole.span;
  }
  failure.message =
      "`" + value.name + "` on device " + std::to_string(event.device) + Describe(event.path) + ": " + failure.message;
  if (value.name != whole.name) {
    failure.notes.push_back({whole.span, "it is a shard of `" + whole.name + "`"});
  }
  if (whole.def.valid()) {
    BlameRegion(global_, global_.functions[value.shard_of.func].insts[whole.def], whole.index, failure);
  }
}

// Records what per_device compares with, and the results.
void WantCounterparts(const ir::Module& global, const ir::Module& per_device, Trace& trace) {
  for (const ir::Function& function : per_device.functions) {
    for (const ir::Value& value : function.values) {
      if (value.shard_of.func.valid()) {
        trace.Want(value.shard_of);
      }
    }
  }
  for (ir::ValueId result : global.functions[global.entry].results) {
    trace.Want({global.entry, result});
  }
}

std::vector<Slot> AsSlots(const Inputs& inputs) {
  std::vector<Slot> slots;
  for (const Literal& input : inputs) {
    slots.push_back({input, {}, 0});
  }
  return slots;
}

bool RunWhole(const Program& program, const Inputs& inputs, Observer* observer, Widening widening,
              const RunOptions& options, std::vector<Literal>& results, diag::Engine& diags) {
  Interpreter::Options o;
  o.observer = observer;
  o.widening = widening;
  o.max_iterations = options.max_iterations;
  Interpreter interpreter(program, o);
  interpreter.Start(program.module().entry, AsSlots(inputs));
  if (interpreter.Run() != Stop::Finished) {
    Report(interpreter.failure(), diags);
    return false;
  }
  for (const Slot& slot : interpreter.results()) {
    results.push_back(slot.value);
  }
  return true;
}

// One result on every device; of terms that devices still have to add up, what they come to. A failure names the device.
bool CompareResult(const ir::Module& global, const Recorded& recorded, const mesh::Sharding* sharding, size_t r,
                   const DeviceGrid& grid, std::vector<Checker>& checkers, Failure& failure) {
  if (sharding && mesh::Product(sharding->unreduced) > 1) {
    const ir::Function& entry = global.functions[global.entry];
    Slot slot{grid.WholeResult(r, global.type(entry, entry.results[r])), {}, 0};
    for (size_t d = 0; d < checkers.size(); ++d) {
      slot.noise = std::max(slot.noise, RoundingOf(grid.result(static_cast<int64_t>(d), r)));
    }
    bool same = checkers[0].Compare(recorded, nullptr, 0, slot, failure);
    failure.message = "combined over devices: " + failure.message;
    return same;
  }
  for (size_t d = 0; d < checkers.size(); ++d) {
    Slot slot{grid.result(static_cast<int64_t>(d), r), {}, 0};
    if (!checkers[d].Compare(recorded, sharding, static_cast<int64_t>(d), slot, failure)) {
      failure.message = "on device " + std::to_string(d) + ": " + failure.message;
      return false;
    }
  }
  return true;
}

// The program's results. A failure is at the result's line.
bool CompareResults(const ir::Module& global, const ir::Module& per_device, const Trace& trace, const DeviceGrid& grid,
                    std::vector<Checker>& checkers, diag::Engine& diags) {
  const ir::Function& entry = global.functions[global.entry];
  for (size_t r = 0; r < entry.results.size(); ++r) {
    const Recorded* recorded = trace.Find({global.entry, entry.results[r]}, {}, -1);
    Failure failure;
    if (recorded && !CompareResult(global, *recorded, ResultSharding(per_device, r), r, grid, checkers, failure)) {
      failure.span = entry.values[entry.results[r]].span;
      failure.message = "result " + std::to_string(r) + " " + failure.message;
      Report(failure, diags);
      return false;
    }
  }
  return true;
}

// What both observers see.
class Both final : public Observer {
 public:
  Both(Observer& first, Observer& second) : first_(first), second_(second) {}
  bool OnValue(const Event& event, Slot& slot, const Literal& wide, Failure& failure) override {
    return first_.OnValue(event, slot, wide, failure) && second_.OnValue(event, slot, wide, failure);
  }

 private:
  Observer& first_;
  Observer& second_;
};

// Runs the global program until no random argument makes NaN: first without a trace, since the arguments of most training
// steps do at first. Null after a diagnostic.
std::unique_ptr<Trace> TraceGlobal(const Program& program, const ir::Module& per_device, const RunOptions& options,
                                   CheckResult& result, diag::Engine& diags) {
  constexpr int kTraces = 2;
  const ir::Module& global = program.module();
  auto make_positive = [&](const NaNSource& source) {
    int64_t changed = source.found().empty() ? 0 : MakePositive(global, source, options.random, result.inputs);
    result.made_positive += changed;
    return changed > 0;
  };
  if (llvm::is_contained(options.random, 1)) {
    NaNSource source;
    std::vector<Literal> results;
    if (!RunWhole(program, result.inputs, &source, Widening::Off, options, results, diags)) {
      return nullptr;
    }
    make_positive(source);
  }
  Widening widening = options.anchor ? Widening::PerOp : Widening::Carried;
  for (int i = 1;; ++i) {
    auto trace = std::make_unique<Trace>(global, options.trace_bytes);
    WantCounterparts(global, per_device, *trace);
    NaNSource source;
    Both both(*trace, source);
    result.results.clear();
    if (!RunWhole(program, result.inputs, &both, widening, options, result.results, diags)) {
      return nullptr;
    }
    if (i == kTraces || !make_positive(source)) {
      return trace;
    }
  }
}

}  // namespace

CheckResult CheckPartition(const ir::Module& global, const ir::Module& per_device, Inputs inputs,
                           const RunOptions& options, diag::Engine& diags) {
  CheckResult result;
  result.inputs = std::move(inputs);
  if (!FitInputs(global, result.inputs, diags)) {
    return result;
  }
  Program global_program(global);
  std::unique_ptr<Trace> trace = TraceGlobal(global_program, per_device, options, result, diags);
  if (!trace) {
    return result;
  }
  for (const Literal& literal : result.results) {
    result.all_nan += IsAllNaN(literal) ? 1 : 0;
  }
  Program program(per_device);
  std::vector<Checker> checkers(static_cast<size_t>(per_device.num_devices),
                                Checker(global, global_program, program, *trace, options));
  std::vector<Observer*> observers;
  for (Checker& checker : checkers) {
    observers.push_back(&checker);
  }
  DeviceGrid grid(program, result.inputs, options, observers);
  Failure failure;
  if (!grid.Run(failure)) {
    Report(failure, diags);
  } else {
    result.ok = CompareResults(global, per_device, *trace, grid, checkers, diags);
  }
  for (const Checker& checker : checkers) {
    result.values += checker.values;
    result.elements += checker.elements;
    result.without_counterpart += checker.without_counterpart;
    result.not_kept += checker.not_kept;
  }
  result.collectives = grid.stats().collectives;
  result.wire_bytes = grid.stats().wire_bytes;
  return result;
}

std::optional<std::vector<Literal>> RunGlobal(const ir::Module& global, const Inputs& inputs, const RunOptions& options,
                                              diag::Engine& diags) {
  Program program(global);
  std::vector<Literal> results;
  if (!FitInputs(global, inputs, diags) ||
      !RunWhole(program, inputs, nullptr, Widening::Off, options, results, diags)) {
    return std::nullopt;
  }
  return results;
}

std::optional<DeviceRun> RunDevices(const ir::Module& global, const ir::Module& per_device, const Inputs& inputs,
                                    const RunOptions& options, diag::Engine& diags) {
  if (!FitInputs(global, inputs, diags)) {
    return std::nullopt;
  }
  Program program(per_device);
  DeviceGrid grid(program, inputs, options, {});
  Failure failure;
  if (!grid.Run(failure)) {
    Report(failure, diags);
    return std::nullopt;
  }
  DeviceRun run;
  const ir::Function& entry = global.functions[global.entry];
  for (size_t r = 0; r < entry.results.size(); ++r) {
    run.results.push_back(grid.WholeResult(r, global.type(entry, entry.results[r])));
  }
  run.collectives = grid.stats().collectives;
  run.wire_bytes = grid.stats().wire_bytes;
  return run;
}

bool FitInputs(const ir::Module& global, const Inputs& inputs, diag::Engine& diags) {
  const ir::Function& entry = global.functions[global.entry];
  if (inputs.size() != entry.args.size()) {
    diags.Error(diag::Kind::Arguments, entry.span,
                std::to_string(inputs.size()) + " inputs for a program with " + std::to_string(entry.args.size()) +
                    " arguments");
    return false;
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ir::Type& type = global.type(entry, entry.args[i]);
    if (type.is_array() &&
        (inputs[i].dtype() != type.dtype || inputs[i].dims() != llvm::ArrayRef<int64_t>(type.dims))) {
      diags.Error(diag::Kind::Arguments, entry.values[entry.args[i]].span,
                  "argument " + std::to_string(i) + " is " + ir::ToString(*global.tables, type) + ", the input is " +
                      ir::ToString(*global.tables, ir::ArrayType(inputs[i].dtype(), inputs[i].dims())));
      return false;
    }
  }
  return true;
}

}  // namespace spmdc::run
