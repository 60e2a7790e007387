// The report as people read it.
#include <algorithm>

#include "explain/redundant.h"
#include "explain/report.h"
#include "explain/why.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "mesh/picture.h"
#include "op/op_def.h"
#include "support/plural.h"

namespace spmdc::explain {
namespace {

// 262144 -> "256 KiB".
std::string Bytes(int64_t bytes) {
  constexpr llvm::StringRef kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  while (value >= 1024 && unit + 1 < std::size(kUnits)) {
    value /= 1024;
    ++unit;
  }
  bool whole = value == static_cast<double>(static_cast<int64_t>(value));
  return whole ? llvm::formatv("{0} {1}", static_cast<int64_t>(value), kUnits[unit]).str()
               : llvm::formatv("{0:f2} {1}", value, kUnits[unit]).str();
}

class Writer {
 public:
  explicit Writer(const Report& report, bool causes = true) : report_(report), causes_(causes), os_(text_) {}

  std::string All() {
    if (report_.program == nullptr) {
      return "";
    }
    WriteHead();
    WriteBoundary();
    WriteCollectives();
    WriteTotals();
    WriteRedundant();
    os_.flush();
    return std::move(text_);
  }

  std::string Values(llvm::ArrayRef<std::string> names) {
    if (report_.program == nullptr) {
      return "";
    }
    for (const std::string& name : names) {
      for (ir::ValueRef value : FindValues(program(), name)) {
        WriteOne(value.func, value.value);
      }
    }
    os_.flush();
    return std::move(text_);
  }

 private:
  const ir::Module& program() const { return *report_.program; }

  void WriteHead() {
    const ir::Function& entry = program().functions[program().entry];
    int64_t devices = program().num_devices;
    os_ << (program().per_device ? "program of one device: " : "program ") << entry.name;
    if (program().mesh.valid()) {
      const mesh::Mesh& mesh = program().tables->meshes[program().mesh];
      os_ << " on mesh " << mesh::Describe(mesh) << " (" << Counted(mesh.size(), "device") << ")";
    } else {
      os_ << " on " << devices << (devices == 1 ? " device" : " devices");
    }
    os_ << "\n";
    if (program().per_device) {
      os_ << "types are those of one device's blocks\n";
    }
  }

  void WriteBoundary() {
    const ir::Function& entry = program().functions[program().entry];
    os_ << "\narguments\n";
    for (size_t i = 0; i < entry.args.size(); ++i) {
      WriteBoundaryRow(entry.values[entry.args[i]].name, entry.values[entry.args[i]], entry.arg_info[i]);
    }
    os_ << "results\n";
    for (size_t i = 0; i < entry.results.size(); ++i) {
      WriteBoundaryRow(std::to_string(i), entry.values[entry.results[i]], entry.result_info[i]);
    }
  }

  void WriteBoundaryRow(const std::string& name, const ir::Value& value, const ir::BoundaryInfo& info) {
    mesh::ShardingId sharding = info.sharding.valid() ? info.sharding : value.sharding;
    const ir::Type& type = program().type(value);
    os_ << "  " << name << ": " << ir::ToString(*program().tables, value.type) << "  " << SpecOf(program(), sharding);
    if (sharding.valid() && type.is_array()) {
      const mesh::Sharding& s = program().tables->shardings[sharding];
      tensor::Dims other = program().per_device ? type.dims : mesh::LocalDims(s, type.dims);
      for (size_t d = 0; d < other.size() && program().per_device; ++d) {
        other[d] *= mesh::ShardCount(s.dims[d]);
      }
      os_ << (program().per_device ? "  of the whole " : "  per device ")
          << ir::ToString(*program().tables, ir::ArrayType(type.dtype, other));
    }
    os_ << "\n";
  }

  void WriteCollectives() {
    if (!report_.communication) {
      return;
    }
    os_ << "\ncollectives: " << (report_.collectives.empty() ? "none" : std::to_string(report_.collectives.size()))
        << "\n";
    for (const ReportedCollective& c : report_.collectives) {
      WriteCollective(c);
    }
  }

  void WriteCollective(const ReportedCollective& c) {
    const cost::CollectiveCost& cost = *c.cost;
    os_ << "  " << c.id << " " << c.kind << " of " << c.local_type;
    if (!c.mesh_axes.empty()) {
      os_ << " over " << llvm::join(c.mesh_axes, ", ");
    }
    if (c.cost->what.kind != op::CollectiveKind::Permute) {
      os_ << " (" << Counted(cost.group_count, "group") << " of " << cost.group_size << ")";
    }
    os_ << ": " << Bytes(cost.wire_bytes) << " per device";
    if (!cost.trips) {
      os_ << ", in a loop of unknown length, counted once";
    } else if (*cost.trips != 1) {
      os_ << " in " << *cost.trips << " trips";
    }
    os_ << (cost.counts ? "" : ", not in the totals: another branch is dearer") << "\n";
    if (causes_) {
      WriteCause(c);
    }
  }

  void WriteCause(const ReportedCollective& c) {
    os_ << "     ";
    if (c.place.line > 0) {
      os_ << "line " << c.place.line << (c.function.empty() ? "" : ", in " + c.function) << ": ";
    }
    os_ << c.cause << "\n";
    if (c.source) {
      os_ << "     from " << c.source->file << ":" << c.source->line << "\n";
    }
    if (!c.annotations.empty()) {
      os_ << "     because of ";
      llvm::interleave(
          c.annotations, os_,
          [&](const Annotation& a) {
            os_ << a.value << (a.name.empty() ? "" : " '" + a.name + "'");
            if (a.line > 0) {
              os_ << " (line " << a.line << ")";
            }
          },
          ", ");
      os_ << "\n";
    }
    if (!c.suggestion.empty()) {
      os_ << "     to avoid it: " << c.suggestion << "\n";
    }
  }

  void WriteTotals() {
    if (!report_.communication) {
      return;
    }
    bool unknown = llvm::any_of(report_.collectives, [](const ReportedCollective& c) { return !c.cost->trips; });
    os_ << "\nsent by one device: " << (unknown ? "at least " : "") << Bytes(report_.communication->wire_bytes)
        << (unknown ? " (loops of unknown length are counted once)" : "") << "\n";
    for (const auto& [kind, bytes] : report_.communication->by_kind) {
      os_ << "  " << kind << ": " << Bytes(bytes) << "\n";
    }
    for (const auto& [axes, bytes] : report_.communication->by_axis) {
      os_ << "  over " << (axes.empty() ? "devices that are no axes" : axes) << ": " << Bytes(bytes) << "\n";
    }
    const cost::Memory& memory = *report_.memory;
    os_ << "memory of one device: peak " << Bytes(memory.peak_bytes);
    if (causes_ && !memory.peak_at.empty()) {
      const ir::Function& function = report_.subject.per_device->functions[memory.peak_value.func];
      source::LineColumn at = report_.subject.sources.Locate(function.values[memory.peak_value.value].span);
      os_ << " at '" << memory.peak_at << "'";
      if (at.line > 0) {
        os_ << " (line " << at.line << ")";
      }
    }
    os_ << "\n  arguments " << Bytes(memory.argument_bytes) << ", results " << Bytes(memory.result_bytes)
        << ", of them in arguments' memory " << Bytes(memory.alias_bytes) << ", temporaries "
        << Bytes(memory.temp_bytes) << "\n";
  }

  // Where a device computes what others compute as well.
  void WriteRedundant() {
    const Subject& subject = report_.subject;
    if (!causes_ || subject.propagated == nullptr || subject.per_device == nullptr) {
      return;
    }
    for (const RedundantOp& redundant : FindRedundant(*subject.propagated, *subject.per_device)) {
      const ir::Function& f = subject.propagated->functions[redundant.func];
      const ir::Inst& inst = f.insts[redundant.inst];
      source::LineColumn at = subject.sources.Locate(inst.span);
      os_ << op::NameOf(*subject.propagated, inst) << " '" << f.values[f.result(inst)].name << "'"
          << (at.line > 0 ? " (line " + std::to_string(at.line) + ")" : "") << " is computed by several devices: "
          << llvm::formatv("{0:e2} flops on each, {1:f1} times its share\n", redundant.flops, redundant.times);
    }
  }

  void WriteOne(ir::FuncId id, ir::ValueId v) {
    const ir::Function& function = program().functions[id];
    const ir::Value& value = function.values[v];
    source::LineColumn at = report_.subject.sources.Locate(value.span);
    os_ << "'" << value.name << "' in " << function.name << ", line " << at.line << ": "
        << (value.def.valid() ? op::NameOf(program(), function.insts[value.def]) : llvm::StringRef("argument")) << " "
        << ir::ToString(*program().tables, value.type) << "\n";
    const mesh::Sharding* sharding = program().sharding(value);
    if (sharding == nullptr) {
      return;
    }
    const mesh::Mesh& mesh = program().tables->meshes[sharding->mesh];
    os_ << "  sharding " << mesh::ToSpec(mesh, *sharding) << "\n";
    os_ << WhyText(report_, {id, v});
    os_ << mesh::Picture(mesh, *sharding, program().type(value).dims);
  }

  const Report& report_;
  bool causes_;  // and places
  std::string text_;
  llvm::raw_string_ostream os_;
};

}  // namespace

std::string ToFacts(const Report& report) { return Writer(report, /*causes=*/false).All(); }

std::string ToText(const Report& report, llvm::ArrayRef<std::string> values) {
  return values.empty() ? Writer(report).All() : Writer(report).Values(values);
}

}  // namespace spmdc::explain
