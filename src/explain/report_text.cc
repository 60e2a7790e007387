// The report as people read it.
#include <algorithm>
#include <numeric>

#include "cost/bytes_text.h"
#include "explain/digest.h"
#include "explain/halos.h"
#include "explain/redundant.h"
#include "explain/report.h"
#include "explain/why.h"
#include "ir/shown.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "mesh/picture.h"
#include "op/op_def.h"
#include "support/plural.h"

namespace spmdc::explain {
namespace {

using cost::BytesText;

// Small counts are written out, large ones by their size: `128 flops`, `5.37e+08 flops`.
std::string FlopsText(double flops) {
  constexpr double kWrittenOut = 1e6;
  return flops < kWrittenOut ? std::to_string(static_cast<int64_t>(flops)) + " flops"
                             : llvm::formatv("{0:e2} flops", flops).str();
}

// How much of a report is written.
enum class Extent : uint8_t {
  Digest,  // what matters
  All,
  Facts,  // all, without causes and places
};

// Rows of arguments or results that are told in a digest, where there are more.
constexpr size_t kBoundaryRows = 16;

class TextWriter {
 public:
  explicit TextWriter(const Report& report, Extent extent) : report_(report), extent_(extent), os_(text_) {}

  std::string All() {
    if (report_.program == nullptr) {
      return "";
    }
    WriteHead();
    WriteBoundary();
    WriteCollectives();
    WriteTotals();
    WriteHalos();
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
    bool named = extent_ != Extent::Facts;
    os_ << (program().per_device ? "program of one device" : "program") << (named && program().per_device ? ":" : "")
        << (named ? " " + entry.name : "");
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

  struct BoundaryRow {
    std::string text;
    double bytes = 0;  // of one device
  };

  void WriteBoundary() {
    const ir::Function& entry = program().functions[program().entry];
    std::vector<BoundaryRow> arguments, results;
    for (size_t i = 0; i < entry.args.size(); ++i) {
      const ir::Value& value = entry.values[entry.args[i]];
      std::string name = extent_ == Extent::Facts ? std::to_string(i) : value.name;
      arguments.push_back(RowOf(name, value, entry.arg_info[i]));
    }
    for (size_t i = 0; i < entry.results.size(); ++i) {
      results.push_back(RowOf(std::to_string(i), entry.values[entry.results[i]], entry.result_info[i]));
    }
    os_ << "\n";
    WriteRows("arguments", arguments);
    WriteRows("results", results);
  }

  // In order; of a long list the largest, if this is a digest.
  void WriteRows(llvm::StringRef title, llvm::ArrayRef<BoundaryRow> rows) {
    os_ << title << "\n";
    std::vector<size_t> told(rows.size());
    std::iota(told.begin(), told.end(), size_t{0});
    if (extent_ == Extent::Digest && rows.size() > kBoundaryRows) {
      std::stable_sort(told.begin(), told.end(), [&](size_t a, size_t b) { return rows[a].bytes > rows[b].bytes; });
      told.resize(kBoundaryRows);
      std::sort(told.begin(), told.end());
    }
    double rest = 0;
    for (const BoundaryRow& row : rows) {
      rest += row.bytes;
    }
    for (size_t i : told) {
      os_ << rows[i].text;
      rest -= rows[i].bytes;
    }
    if (told.size() < rows.size()) {
      os_ << "  and " << rows.size() - told.size() << " smaller ones, " << BytesText(rest)
          << " per device together (--all tells them)\n";
    }
  }

  BoundaryRow RowOf(const std::string& name, const ir::Value& value, const ir::BoundaryInfo& info) const {
    mesh::ShardingId sharding = info.sharding.valid() ? info.sharding : value.sharding;
    const ir::Type& type = program().type(value);
    const ir::Type shown = ir::ShownType(type, info);
    BoundaryRow row{"  " + name + ": " + ir::ToString(*program().tables, shown) + "  " +
                    SpecOf(program(), sharding, info)};
    if (!type.is_array()) {
      row.text += "\n";
      return row;
    }
    tensor::Dims local = type.dims;
    if (sharding.valid()) {
      const mesh::Sharding& s = program().tables->shardings[sharding];
      tensor::Dims other = program().per_device ? type.dims : mesh::LocalDims(s, type.dims);
      if (program().per_device) {
        for (size_t d = 0; d < other.size(); ++d) {
          other[d] *= mesh::ShardCount(s.dims[d]);
        }
      } else {
        local = other;
      }
      row.text += (program().per_device ? "  of the whole " : "  per device ") +
                  ir::ToString(*program().tables, ir::ShownType(ir::ArrayType(type.dtype, other), info));
    }
    row.text += "\n";
    row.bytes = static_cast<double>(tensor::ByteWidth(type.dtype));
    for (int64_t size : local) {
      row.bytes *= static_cast<double>(size);
    }
    return row;
  }

  void WriteCollectives() {
    if (!report_.communication) {
      return;
    }
    size_t count = report_.collectives.size();
    os_ << "\ncollectives: " << (count == 0 ? "none" : std::to_string(count));
    if (extent_ == Extent::Digest) {
      return WriteThoseThatMatter();
    }
    os_ << "\n";
    for (const ReportedCollective& c : report_.collectives) {
      WriteCollective(c);
    }
  }

  void WriteThoseThatMatter() {
    std::vector<Alike> groups = ByBytes(report_.collectives);
    size_t told = CountThatMatter(groups), rest = 0;
    os_ << (groups.size() > 1 ? ", most bytes first\n" : "\n");
    double bytes = 0;
    for (const Alike& group : llvm::ArrayRef<Alike>(groups).drop_front(told)) {
      rest += group.all.size();
      bytes += group.wire_bytes;
    }
    for (const Alike& group : llvm::ArrayRef<Alike>(groups).take_front(told)) {
      WriteCollective(*group.all[0]);
      if (group.all.size() > 1) {
        WriteAlike(group);
      }
    }
    if (rest > 0) {
      os_ << "  and " << rest << " more, " << BytesText(bytes) << " per device together (--all tells them)\n";
    }
  }

  void WriteAlike(const Alike& group) {
    constexpr size_t kNamed = 6;
    auto others = llvm::ArrayRef<const ReportedCollective*>(group.all).drop_front();
    os_ << "     and " << others.size() << " alike: ";
    llvm::interleave(
        others.take_front(kNamed), os_, [&](const ReportedCollective* c) { os_ << c->id; }, ", ");
    os_ << (others.size() > kNamed ? ", ..." : "") << "; " << BytesText(group.wire_bytes) << " together\n";
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
    os_ << ": " << BytesText(cost.wire_bytes) << " per device";
    if (!cost.trips) {
      os_ << ", in a loop of unknown length, counted once";
    } else if (*cost.trips != 1) {
      os_ << " in " << *cost.trips << " trips";
    }
    os_ << (cost.counts ? "" : ", not in the totals: another branch is dearer") << "\n";
    if (extent_ != Extent::Facts) {
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
            std::string where = WhereText(a.line, a.file);
            os_ << (where.empty() ? "" : " (" + where + ")");
          },
          ", ");
      os_ << "\n";
    }
    if (!c.suggestion.empty()) {
      os_ << "     to send less: " << c.suggestion << "\n";
    } else if (c.tried > 0) {
      os_ << "     no other placement of these sends less without more work (" << c.tried << " tried)\n";
    }
  }

  void WriteTotals() {
    if (!report_.communication) {
      return;
    }
    bool unknown = llvm::any_of(report_.collectives, [](const ReportedCollective& c) { return !c.cost->trips; });
    os_ << "\nsent by one device: " << (unknown ? "at least " : "") << BytesText(report_.communication->wire_bytes)
        << (unknown ? " (loops of unknown length are counted once)" : "") << "\n";
    for (const auto& [kind, bytes] : report_.communication->by_kind) {
      os_ << "  " << kind << ": " << BytesText(bytes) << "\n";
    }
    for (const auto& [axes, of_kinds] : report_.communication->by_axis) {
      WriteAxis(axes.empty() ? "devices that are no axes" : axes, of_kinds);
    }
    WriteMemory();
  }

  // One kind needs no sum.
  void WriteAxis(llvm::StringRef axes, const std::map<std::string, double>& of_kinds) {
    double bytes = 0;
    std::vector<std::string> parts;
    for (const auto& [kind, of_kind] : of_kinds) {
      bytes += of_kind;
      parts.push_back(kind + (of_kinds.size() > 1 ? " " + BytesText(of_kind) : ""));
    }
    os_ << "  over " << axes << ": " << BytesText(bytes) << " (" << llvm::join(parts, ", ") << ")\n";
  }

  void WriteMemory() {
    const cost::Memory& memory = *report_.memory;
    os_ << "memory of one device: peak " << BytesText(memory.peak_bytes);
    if (extent_ != Extent::Facts && !memory.peak_at.empty()) {
      const ir::Function& function = report_.subject.per_device->functions[memory.peak_value.func];
      std::string where = WhereText(report_.subject.sources, function.values[memory.peak_value.value].span);
      os_ << " at '" << memory.peak_at << "'" << (where.empty() ? "" : " (" + where + ")");
    }
    os_ << "\n  arguments " << BytesText(memory.argument_bytes) << ", results " << BytesText(memory.result_bytes)
        << ", of them in arguments' memory " << BytesText(memory.alias_bytes) << ", temporaries "
        << BytesText(memory.temp_bytes) << "\n";
  }

  // Exchanges that could be one.
  void WriteHalos() {
    if (extent_ == Extent::Facts || report_.subject.per_device == nullptr || report_.subject.propagated == nullptr) {
      return;
    }
    for (const HaloChain& chain : FindHaloChains(report_)) {
      os_ << chain.length << " exchanges of neighbours' rows over " << llvm::join(chain.first->mesh_axes, ", ")
          << " follow one another (" << chain.first->id << " to " << chain.last->id
          << "): one that is as wide as they are together would do, if what lies between is computed twice\n";
    }
  }

  // Where a device computes what others compute as well.
  void WriteRedundant() {
    const Subject& subject = report_.subject;
    if (extent_ == Extent::Facts || subject.propagated == nullptr || subject.per_device == nullptr) {
      return;
    }
    constexpr size_t kTold = 5;
    std::vector<RedundantOp> found = FindRedundant(*subject.propagated, *subject.per_device);
    size_t told = extent_ == Extent::Digest ? std::min(kTold, found.size()) : found.size();
    for (const RedundantOp& redundant : llvm::ArrayRef<RedundantOp>(found).take_front(told)) {
      const ir::Function& f = subject.propagated->functions[redundant.func];
      const ir::Inst& inst = f.insts[redundant.inst];
      std::string where = WhereText(subject.sources, inst.span);
      os_ << op::NameOf(*subject.propagated, inst) << " '" << f.values[f.result(inst)].name << "'"
          << (where.empty() ? "" : " (" + where + ")")
          << " is computed by several devices: " << FlopsText(redundant.flops)
          << llvm::formatv(" on each, {0:f1} times its share\n", redundant.times);
    }
    if (told < found.size()) {
      os_ << "and " << found.size() - told << " more ops are computed by several devices (--all tells them)\n";
    }
  }

  void WriteOne(ir::FuncId id, ir::ValueId v) {
    const ir::Function& function = program().functions[id];
    const ir::Value& value = function.values[v];
    std::string where = WhereText(report_.subject.sources, value.span);
    os_ << "'" << value.name << "' in " << function.name << (where.empty() ? "" : ", " + where) << ": "
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
  Extent extent_;
  std::string text_;
  llvm::raw_string_ostream os_;
};

}  // namespace

std::string ToFacts(const Report& report) { return TextWriter(report, Extent::Facts).All(); }

std::string ToText(const Report& report, bool all) {
  return TextWriter(report, all ? Extent::All : Extent::Digest).All();
}

std::string ValuesText(const Report& report, llvm::ArrayRef<std::string> names) {
  return TextWriter(report, Extent::All).Values(names);
}

}  // namespace spmdc::explain
