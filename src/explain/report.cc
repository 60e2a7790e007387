// Gathers the report: collectives of the per-device program with the causes that plan wrote down.
#include "explain/report.h"

#include "ir/shown.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "op/op_def.h"
#include "support/starts_with.h"

namespace spmdc::explain {
namespace {

using Why = ir::Cause::Why;

class Gatherer {
 public:
  explicit Gatherer(const Subject& subject)
      : sources_(subject.sources), propagated_(subject.propagated), program_(*subject.per_device) {}

  ReportedCollective Report(const cost::CollectiveCost& cost, size_t number) {
    const ir::Function& function = program_.functions[cost.function];
    const ir::Inst& inst = function.insts[cost.inst];
    ReportedCollective out;
    out.id = "c" + std::to_string(number);
    out.kind = op::Name(cost.what.kind).str();
    out.cost = &cost;
    out.dtype = tensor::HloName(cost.dtype).str();
    if (inst.num_operands > 0) {
      out.local_type = ir::ToString(*program_.tables, program_.type(function, function.operands(inst)[0]));
    }
    if (program_.mesh.valid()) {
      for (const mesh::AxisRef& ref : cost.axes) {
        out.mesh_axes.push_back(mesh::ToString(program_.tables->meshes[program_.mesh], ref));
      }
    }
    // An instruction without a cause, and what carries out the user's own collective, is the user's.
    const ir::Cause* cause = inst.cause.valid() ? &program_.causes[inst.cause] : nullptr;
    out.inserted = cause != nullptr && (cause->inst.valid() || cause->why == Why::FunctionResult);
    out.place = PlaceOf(inst.span);
    out.op = inst.num_results > 0 ? function.values[function.result(inst)].name : std::string();
    if (inst.source.valid()) {
      out.source = SourceOf(program_.tables->sources[inst.source]);
    }
    if (!out.inserted) {
      out.cause = out.reason = "written in the program";
    } else if (propagated_ != nullptr) {
      Explain(*cause, out);
    }
    return out;
  }

 private:
  Place PlaceOf(source::Span span) const { return explain::PlaceOf(sources_, span); }

  // A chain of locations may end without a file.
  static std::optional<ir::SourceInfo> SourceOf(const ir::SourceInfo& info) {
    return info.file.empty() ? std::nullopt : std::optional<ir::SourceInfo>(info);
  }

  std::string NameOf(ir::ValueRef ref) const {
    return ref.func.valid() ? propagated_->functions[ref.func].values[ref.value].name : "?";
  }
  std::string Spec(mesh::ShardingId id) const { return SpecOf(*propagated_, id); }
  // The spec, and the mesh where the program has another one as well.
  std::string Placed(mesh::ShardingId id, mesh::ShardingId other) const {
    if (!id.valid() || !other.valid()) {
      return Spec(id);
    }
    mesh::MeshId mesh = propagated_->tables->shardings[id].mesh;
    bool same = mesh == propagated_->tables->shardings[other].mesh;
    return Spec(id) + (same ? "" : " on " + mesh::Describe(propagated_->tables->meshes[mesh]));
  }

  void Explain(const ir::Cause& cause, ReportedCollective& out) {
    std::string value = NameOf(cause.value), from = Placed(cause.from, cause.to), to = Placed(cause.to, cause.from);
    const ir::Function& function = propagated_->functions[cause.func];
    std::string op, name;
    if (cause.inst.valid()) {
      const ir::Inst& inst = function.insts[cause.inst];
      op = op::NameOf(*propagated_, inst).str();
      name = inst.num_results > 0 ? function.values[function.result(inst)].name : op;
      out.op = name;
      out.place = PlaceOf(inst.span);
      if (inst.source.valid()) {
        out.source = SourceOf(propagated_->tables->sources[inst.source]);
      }
      out.function = cause.func == propagated_->entry ? "" : function.name;
    }
    out.reason = llvm::formatv("{0}|{1}|{2}|{3}|{4}", static_cast<int>(cause.why), op, cause.index, from, to);
    switch (cause.why) {
      case Why::Operand:
        out.cause = llvm::formatv("{0} '{1}' needs operand {2} '{3}' as {4}, and it is {5}", op, name, cause.index,
                                  value, to, from);
        break;
      case Why::Partial:
        ExplainPartial(cause, op, name, to, out);
        break;
      case Why::Result:
        out.cause = llvm::formatv("{0} '{1}' comes out as {2}, and is wanted as {3}", op, name, from, to);
        break;
      case Why::Constraint:
        out.cause = llvm::formatv("the constraint '{0}' asks for {1}, and '{2}' is {3}", name, to, value, from);
        break;
      case Why::Exchange:
        out.cause = llvm::formatv(
            "{0} '{1}' works along a dim that is split, '{2}' as {3}, and needs parts of other devices' blocks", op,
            name, value, from);
        break;
      case Why::FunctionResult:
        out.cause = llvm::formatv("result {0} is wanted as {1}, and '{2}' is {3}", cause.index, to, value, from);
        out.op = value;
        break;
    }
    AddAnnotations(cause, out);
  }

  void ExplainPartial(const ir::Cause& cause, const std::string& op, const std::string& name, const std::string& to,
                      ReportedCollective& out) const {
    std::string axes = PartialAxes(cause.from);
    bool reduces = out.cost->what.kind == op::CollectiveKind::AllReduce ||
                   out.cost->what.kind == op::CollectiveKind::ReduceScatter;
    if (!reduces) {
      out.cause = llvm::formatv("{0} '{1}' comes out as {2}, still to be combined over {3}, and is wanted as {4}", op,
                                name, Spec(cause.from), axes, to);
      return;
    }
    out.cause = llvm::formatv(
        "{0} '{1}' combines along a dim that is split over {2}: each device has a part of the result, and it is wanted "
        "as "
        "{3}",
        op, name, axes, to);
  }

  std::string PartialAxes(mesh::ShardingId id) const {
    const mesh::Sharding& s = propagated_->tables->shardings[id];
    return "'" + mesh::ToString(propagated_->tables->meshes[s.mesh], s.unreduced) + "'";
  }

  // What the text calls `arg 3` of the entry.
  std::string ArgumentName(llvm::StringRef from) const {
    const ir::Function& entry = propagated_->functions[propagated_->entry];
    size_t i = 0;
    if (!from.consume_front("arg ") || from.getAsInteger(10, i) || i >= entry.args.size()) {
      return "";
    }
    const std::string& path = entry.arg_info[i].name;
    return path.empty() ? entry.values[entry.args[i]].name : path;
  }

  void AddFrom(llvm::ArrayRef<ir::Origin> origins, ReportedCollective& out) {
    for (const ir::Origin& origin : origins) {
      const ir::Annotation* annotation = propagated_->annotation(origin);
      if (annotation == nullptr) {
        continue;
      }
      Annotation a{annotation->from, ArgumentName(annotation->from), sources_.Locate(annotation->span).line,
                   OtherFile(sources_, annotation->span)};
      bool known = llvm::any_of(out.annotations, [&](const Annotation& b) { return a.value == b.value; });
      if (!known) {
        out.annotations.push_back(std::move(a));
      }
    }
  }

  // Behind the moved value's axes, then behind those of the other tensors of the op that needs it.
  void AddAnnotations(const ir::Cause& cause, ReportedCollective& out) {
    const auto& origins = propagated_->origins;
    auto add = [&](ir::FuncId func, ir::ValueId v) { AddFrom(origins.Get(func).Get(v), out); };
    if (cause.value.func.valid()) {
      add(cause.value.func, cause.value.value);
    }
    if (!cause.inst.valid()) {
      if (cause.func == propagated_->entry && static_cast<size_t>(cause.index) < propagated_->result_origins.size()) {
        AddFrom(propagated_->result_origins[static_cast<size_t>(cause.index)], out);
      }
      return;
    }
    const ir::Function& function = propagated_->functions[cause.func];
    const ir::Inst& inst = function.insts[cause.inst];
    for (ir::ValueId v : function.operands(inst)) {
      add(cause.func, v);
    }
    for (size_t i = 0; i < inst.num_results; ++i) {
      add(cause.func, function.result(inst, i));
    }
  }

  const source::SourceManager& sources_;
  const ir::Module* propagated_;
  const ir::Module& program_;
};

}  // namespace

Place PlaceOf(const source::SourceManager& sources, source::Span span) {
  source::LineColumn at = OtherFile(sources, span).empty() ? sources.Locate(span) : source::LineColumn();
  return {at.line, at.column};
}

std::string OtherFile(const source::SourceManager& sources, source::Span span) {
  return span.valid() && span.file.index != 0 ? sources.name(span.file).str() : "";
}

std::string WhereText(int64_t line, const std::string& other_file) {
  bool option = StartsWith(other_file, "--");
  if (line == 0 || option) {
    return other_file;
  }
  return (other_file.empty() ? "" : other_file + " ") + "line " + std::to_string(line);
}

std::string WhereText(const source::SourceManager& sources, source::Span span) {
  return WhereText(sources.Locate(span).line, OtherFile(sources, span));
}

std::string SpecOf(const ir::Module& module, mesh::ShardingId id, const ir::BoundaryInfo& info) {
  if (!id.valid()) {
    return "-";
  }
  const mesh::Sharding sharding = ir::ShownSharding(module.tables->shardings[id], info);
  return mesh::ToSpec(module.tables->meshes[sharding.mesh], sharding);
}

Report MakeReport(const Subject& subject) {
  Report report{subject};
  report.program = subject.propagated != nullptr ? subject.propagated : subject.last;
  if (subject.per_device != nullptr) {
    report.communication = cost::Communicate(*subject.per_device);
    report.memory = cost::MeasureMemory(*subject.per_device);
    Gatherer gatherer(subject);
    for (const cost::CollectiveCost& cost : report.communication->collectives) {
      report.collectives.push_back(gatherer.Report(cost, report.collectives.size() + 1));
    }
  }
  return report;
}

}  // namespace spmdc::explain
