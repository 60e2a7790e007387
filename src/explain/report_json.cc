// The report as JSON: the contract of docs/json-report.md, keys in its order.
#include <nlohmann/json.hpp>

#include "explain/report.h"
#include "ir/shown.h"
#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"

namespace spmdc::explain {
namespace {

using Json = nlohmann::ordered_json;

// Program texts may hold bytes that are no UTF-8; they print as replacement characters.
Json Text(llvm::StringRef text) { return text.str(); }
Json OrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }
// Whole ones without a point.
Json Number(double value) {
  auto whole = static_cast<int64_t>(value);
  return static_cast<double>(whole) == value ? Json(whole) : Json(value);
}
Json LineOrNull(int64_t line) { return line > 0 ? Json(line) : Json(nullptr); }

class JsonWriter {
 public:
  explicit JsonWriter(const Report& report) : report_(report) {}

  Json All() {
    Json out;
    out["spmdc_json"] = 1;
    const ir::Module* program = report_.program;
    out["program"] = program != nullptr ? Text(program->functions[program->entry].name) : Json(nullptr);
    out["kind"] = program != nullptr && program->per_device ? "device" : "global";
    out["propagation"] = report_.subject.propagation;
    out["plan"] = "best";
    out["meshes"] = Json::array();
    out["functions"] = Json::array();
    if (program != nullptr) {
      out["meshes"] = Meshes(*program);
      out["functions"] = Functions(*program);
    }
    out["collectives"] = Collectives();
    out["totals"] = Totals();
    out["memory"] = MemoryOf();
    out["diagnostics"] = Diagnostics();
    return out;
  }

 private:
  Json Meshes(const ir::Module& program) {
    Json list = Json::array();
    for (int32_t i = 0; i < static_cast<int32_t>(program.tables->meshes.size()); ++i) {
      const mesh::Mesh& mesh = program.tables->meshes[mesh::MeshId{i}];
      Json axes = Json::array(), types = Json::array();
      for (const mesh::Axis& axis : mesh.axes) {
        axes.push_back(Json::array({axis.name, axis.size}));
        types.push_back(mesh::Name(axis.type).lower());
      }
      Json ids = mesh.device_ids.empty() ? Json(nullptr)
                                         : Json(std::vector<int64_t>(mesh.device_ids.begin(), mesh.device_ids.end()));
      list.push_back({{"name", mesh.name}, {"axes", axes}, {"axis_types", types}, {"device_ids", ids}});
    }
    return list;
  }

  Json Axes(const mesh::Mesh& mesh, llvm::ArrayRef<mesh::AxisRef> axes) {
    Json list = Json::array();
    for (const mesh::AxisRef& ref : axes) {
      list.push_back(mesh::ToString(mesh, ref));
    }
    return list;
  }

  Json ShardingOf(const ir::Module& program, mesh::ShardingId id, const ir::Function& function,
                  const ir::BoundaryInfo& info = {}) {
    if (!id.valid()) {
      return nullptr;
    }
    const mesh::Sharding s = ir::ShownSharding(program.tables->shardings[id], info);
    const mesh::Mesh& mesh = program.tables->meshes[s.mesh];
    Json dims = Json::array(), open = Json::array();
    for (const mesh::DimSharding& dim : s.dims) {
      dims.push_back(Axes(mesh, dim.axes));
      open.push_back(dim.open);
    }
    mesh::AxisList varying = s.varying.empty() ? mesh::AsSet(function.manual_axes) : s.varying;
    return {{"mesh", mesh.name},
            {"dims", dims},
            {"open", open},
            {"replicated", Axes(mesh, s.replicated)},
            {"unreduced", Axes(mesh, s.unreduced)},
            {"unreduced_kind", mesh::Name(s.unreduced_kind).str()},
            {"varying", Axes(mesh, varying)}};
  }

  // The function of the text that a function's values are reported under.
  static ir::FuncId TextFunction(const ir::Module& program, ir::FuncId id) {
    while (true) {
      const ir::Function& f = program.functions[id];
      if (f.enclosing.valid()) {
        id = f.enclosing;
      } else if (f.clone_of.valid() && f.instance > 0) {
        id = f.clone_of;
      } else {
        return id;
      }
    }
  }

  Json Functions(const ir::Module& program) {
    Json list = Json::array();
    std::vector<std::vector<ir::FuncId>> members(program.functions.size());
    for (ir::FuncId id : program.functions.ids()) {
      members[static_cast<size_t>(TextFunction(program, id).index)].push_back(id);
    }
    for (ir::FuncId id : program.functions.ids()) {
      if (TextFunction(program, id) == id) {
        list.push_back(FunctionOf(program, id, members[static_cast<size_t>(id.index)]));
      }
    }
    return list;
  }

  Json FunctionOf(const ir::Module& program, ir::FuncId id, llvm::ArrayRef<ir::FuncId> members) {
    const ir::Function& f = program.functions[id];
    Json args = Json::array(), results = Json::array(), values = Json::array();
    for (size_t i = 0; i < f.args.size(); ++i) {
      const ir::Value& value = f.values[f.args[i]];
      mesh::ShardingId at = f.arg_info[i].sharding.valid() ? f.arg_info[i].sharding : value.sharding;
      args.push_back({{"name", f.arg_info[i].name.empty() ? value.name : f.arg_info[i].name},
                      {"type", ir::ToString(*program.tables, ir::ShownType(program.type(value), f.arg_info[i]))},
                      {"sharding", ShardingOf(program, at, f, f.arg_info[i])}});
    }
    for (size_t i = 0; i < f.results.size(); ++i) {
      const ir::Value& value = f.values[f.results[i]];
      mesh::ShardingId at = f.result_info[i].sharding.valid() ? f.result_info[i].sharding : value.sharding;
      ir::Type shown = ir::ShownType(program.type(value), f.result_info[i]);
      std::string type = (f.result_info[i].weak ? "~" : "") + ir::ToString(*program.tables, shown);
      results.push_back({{"type", type}, {"sharding", ShardingOf(program, at, f, f.result_info[i])}});
    }
    // How often a value of the text was there so far: by its name and place.
    std::map<std::tuple<uint32_t, std::string>, int32_t> copies;
    for (ir::FuncId member : members) {
      for (ir::ValueId v : program.functions[member].values.ids()) {
        const ir::Value& value = program.functions[member].values[v];
        if (value.def.valid()) {
          values.push_back(ValueOf(program, member, v, copies[{value.span.begin, value.name}]++));
          AddUnderTupleName(program, member, v, values);
        }
      }
    }
    return {{"name", f.name}, {"args", args}, {"results", results}, {"values", values}};
  }

  // HLO has a name for all results together, and names for those that are taken out of the tuple: values appear under both.
  // Elements that a loop only reads are results there too.
  void AddUnderTupleName(const ir::Module& program, ir::FuncId id, ir::ValueId v, Json& values) {
    const ir::Function& f = program.functions[id];
    const ir::Value& value = f.values[v];
    const ir::Inst& inst = f.insts[value.def];
    bool loop = op::Def(inst.op).region == op::Region::Loop;
    if ((inst.num_results < 2 && !loop) || !value.span.valid()) {
      return;
    }
    llvm::StringRef name = report_.subject.sources.text(value.span);
    name.consume_front("%");
    if (name.empty() || llvm::StringRef(value.name).contains('#') || name == value.name) {
      return;
    }
    values.push_back(values.back());
    values.back()["name"] = name.str();
    values.back()["result"] = value.index;
    for (size_t i = inst.num_results; loop && value.index + 1 == inst.num_results && i < inst.num_operands; ++i) {
      Json element = values.back();
      ir::FuncId step = f.bodies(inst)[1];
      DescribePlace(program, step, program.functions[step].args[i], element);
      element["result"] = i;
      values.push_back(std::move(element));
    }
  }

  // The fields that say where a value is.
  void DescribePlace(const ir::Module& program, ir::FuncId id, ir::ValueId v, Json& out) {
    const ir::Function& f = program.functions[id];
    const ir::Value& value = f.values[v];
    const ir::Type& type = program.type(value);
    const mesh::Sharding* sharding = program.sharding(value);
    ir::Type local = type;
    if (sharding != nullptr && type.is_array() && !program.per_device) {
      local = ir::ArrayType(type.dtype, mesh::LocalDims(*sharding, type.dims));
    }
    out["type"] = ir::ToString(*program.tables, type);
    out["local_type"] = ir::ToString(*program.tables, local);
    out["sharding"] = ShardingOf(program, value.sharding, f);
    out["origins"] = OriginsOf(program, sharding, program.origins.Get(id).Get(v));
  }

  Json ValueOf(const ir::Module& program, ir::FuncId id, ir::ValueId v, int32_t instance) {
    const ir::Function& f = program.functions[id];
    const ir::Value& value = f.values[v];
    const ir::Inst& inst = f.insts[value.def];
    Place at = PlaceOf(report_.subject.sources, value.span);
    Json out;
    out["name"] = value.name;
    out["op"] = op::NameOf(program, inst).str();
    // Of the results that share a name, `v#0` and `v#1`, this one; a value with a name of its own is the only one.
    auto [stem, number] = llvm::StringRef(value.name).rsplit('#');
    out["result"] = number.empty() ? 0 : value.index;
    out["instance"] = instance;
    for (const char* key : {"type", "local_type", "sharding"}) {
      out[key] = nullptr;  // in the order of the contract
    }
    out["line"] = LineOrNull(at.line);
    out["column"] = LineOrNull(at.column);
    out["source"] = inst.source.valid() ? SourceOf(program.tables->sources[inst.source]) : Json(nullptr);
    DescribePlace(program, id, v, out);
    return out;
  }

  static Json SourceOf(const ir::SourceInfo& info) {
    if (info.file.empty()) {
      return nullptr;
    }
    return {{"file", info.file}, {"line", info.line}, {"function", OrNull(info.function)}};
  }

  // Which text a line is of, where that is not the program's.
  static void AddFile(const std::string& file, Json& place) {
    if (!file.empty()) {
      place["file"] = file;
    }
  }

  Json OriginsOf(const ir::Module& program, const mesh::Sharding* sharding, llvm::ArrayRef<ir::Origin> origins) {
    Json list = Json::array();
    if (sharding == nullptr) {
      return list;
    }
    const mesh::Mesh& mesh = program.tables->meshes[sharding->mesh];
    for (const ir::Origin& origin : origins) {
      const ir::Annotation* annotation = program.annotation(origin);
      source::Span span = annotation == nullptr ? source::Span() : annotation->span;
      list.push_back({{"dim", origin.dim},
                      {"axis", mesh::ToString(mesh, origin.axis)},
                      {"kind", origin.step == 0 ? "user" : "propagated"},
                      {"from", OrNull(annotation == nullptr ? "" : annotation->from)},
                      {"line", LineOrNull(report_.subject.sources.Locate(span).line)}});
      AddFile(OtherFile(report_.subject.sources, span), list.back());
    }
    return list;
  }

  Json Collectives() {
    if (!report_.communication) {
      return nullptr;
    }
    Json list = Json::array();
    for (const ReportedCollective& c : report_.collectives) {
      Json annotations = Json::array();
      for (const Annotation& a : c.annotations) {
        annotations.push_back({{"value", a.value}, {"line", LineOrNull(a.line)}});
        AddFile(a.file, annotations.back());
      }
      Json out;
      out["id"] = c.id;
      out["kind"] = c.kind;
      out["op"] = c.op;
      out["line"] = LineOrNull(c.place.line);
      out["source"] = c.source ? SourceOf(*c.source) : Json(nullptr);
      out["mesh_axes"] = c.mesh_axes;
      out["group_size"] = c.cost->group_size;
      out["group_count"] = c.cost->group_count;
      out["dtype"] = c.dtype;
      out["bytes_in"] = c.cost->bytes_in;
      out["bytes_out"] = c.cost->bytes_out;
      out["wire_bytes"] = Number(c.cost->wire_bytes);
      out["trip_count"] = c.cost->trips ? Json(*c.cost->trips) : Json(nullptr);
      out["inserted"] = c.inserted;
      out["cause"] = c.cause;
      out["annotations"] = annotations;
      out["suggestion"] = OrNull(c.suggestion);
      list.push_back(std::move(out));
    }
    return list;
  }

  Json Totals() {
    if (!report_.communication) {
      return nullptr;
    }
    Json by_kind = Json::object(), by_axis = Json::object();
    for (const auto& [kind, bytes] : report_.communication->by_kind) {
      by_kind[kind] = Number(bytes);
    }
    for (const auto& [axes, of_kinds] : report_.communication->by_axis) {
      double bytes = 0;
      for (const auto& [kind, of_kind] : of_kinds) {
        bytes += of_kind;
      }
      by_axis[axes] = Number(bytes);
    }
    return {{"wire_bytes", Number(report_.communication->wire_bytes)}, {"by_kind", by_kind}, {"by_axis", by_axis}};
  }

  Json MemoryOf() {
    if (!report_.memory) {
      return nullptr;
    }
    const cost::Memory& m = *report_.memory;
    return {{"argument_bytes", m.argument_bytes}, {"result_bytes", m.result_bytes}, {"alias_bytes", m.alias_bytes},
            {"temp_bytes", m.temp_bytes},         {"peak_bytes", m.peak_bytes},     {"peak_at", OrNull(m.peak_at)}};
  }

  Json Diagnostics() {
    Json list = Json::array();
    const source::SourceManager& sources = report_.subject.sources;
    for (const diag::Diagnostic* d : report_.subject.diags.Sorted()) {
      source::LineColumn at = sources.Locate(d->span);
      std::string help;
      for (const std::string& line : d->help) {
        help += (help.empty() ? "" : "\n") + line;
      }
      list.push_back({{"code", diag::Code(d->kind).str()},
                      {"severity", d->severity == diag::Severity::Error ? "error" : "warning"},
                      {"file", d->span.valid() ? Json(sources.name(d->span.file).str()) : Json(nullptr)},
                      {"line", LineOrNull(at.line)},
                      {"column", LineOrNull(at.column)},
                      {"message", d->message},
                      {"help", OrNull(help)}});
    }
    return list;
  }

  const Report& report_;
};

}  // namespace

std::string ToJson(const Report& report) {
  return JsonWriter(report).All().dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace spmdc::explain
