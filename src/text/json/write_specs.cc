// A starting specs file, one argument or result a line.
#include "ir/shown.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ConvertUTF.h"
#include "mesh/spec.h"
#include "specs/spec_text.h"
#include "text/json/specs_file.h"

namespace spmdc::text::json {
namespace {

// A string of JSON. Bytes that are no UTF-8 become question marks.
std::string Quoted(llvm::StringRef text) {
  std::string out = "\"";
  const auto* data = reinterpret_cast<const llvm::UTF8*>(text.data());
  bool utf8 = llvm::isLegalUTF8String(&data, data + text.size()) != 0;
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
    }
    if (byte < ' ') {
      out += "\\u00" + llvm::toHex(llvm::StringRef(&c, 1), /*LowerCase=*/true);
    } else {
      out += byte < 0x80 || utf8 ? c : '?';
    }
  }
  return out + "\"";
}

std::string Indented(llvm::StringRef key, llvm::ArrayRef<std::string> lines) {
  if (lines.empty()) {
    return "  " + Quoted(key) + ": {}";
  }
  return "  " + Quoted(key) + ": {\n    " + llvm::join(lines, ",\n    ") + "\n  }";
}

class Writer {
 public:
  explicit Writer(const ir::Module& program) : program_(program), tables_(*program.tables) {}

  std::string All() {
    const ir::Function& entry = program_.functions[program_.entry];
    std::vector<std::string> parts = {"  \"spmdc_specs\": 1", "  \"program\": " + Quoted(entry.name)};
    if (program_.mesh.valid()) {
      parts.push_back("  \"mesh\": " + MeshText(tables_.meshes[program_.mesh]));
    }
    parts.push_back(Indented("in", Lines(entry, entry.args, entry.arg_info, true)));
    parts.push_back(Indented("out", Lines(entry, entry.results, entry.result_info, false)));
    return "{\n" + llvm::join(parts, ",\n") + "\n}\n";
  }

 private:
  static bool IsPlain(llvm::StringRef name) {
    return !name.empty() && llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  }

  static std::string MeshText(const mesh::Mesh& mesh) {
    bool plain = mesh.device_ids.empty() && !mesh.axes.empty();
    std::string text;
    for (const mesh::Axis& axis : mesh.axes) {
      plain &= IsPlain(axis.name);
      text += (text.empty() ? "" : ",") + axis.name + "=" + std::to_string(axis.size);
      text += !mesh.has_explicit_axes() ? "" : axis.type == mesh::AxisType::Explicit ? ":explicit" : ":auto";
    }
    if (plain) {
      return Quoted(text);
    }
    std::vector<std::string> axes, types, devices;
    for (const mesh::Axis& axis : mesh.axes) {
      axes.push_back("[" + Quoted(axis.name) + ", " + std::to_string(axis.size) + "]");
      types.push_back(axis.type == mesh::AxisType::Explicit ? "\"explicit\"" : "\"auto\"");
    }
    for (int64_t id : mesh.device_ids) {
      devices.push_back(std::to_string(id));
    }
    return "{\"axes\": [" + llvm::join(axes, ", ") + "], \"axis_types\": [" + llvm::join(types, ", ") +
           "], \"device_ids\": " + (devices.empty() ? "null" : "[" + llvm::join(devices, ", ") + "]") + "}";
  }

  // The key of each leaf: a name that it alone has and that is read as no pattern, else its index.
  std::vector<std::string> Keys(const ir::Function& entry, llvm::ArrayRef<ir::ValueId> values,
                                llvm::ArrayRef<ir::BoundaryInfo> infos, bool args) const {
    llvm::StringMap<int> count;
    for (size_t i = 0; i < values.size(); ++i) {
      ++count[infos[i].name];
      if (args && entry.values[values[i]].name != infos[i].name) {
        ++count[entry.values[values[i]].name];
      }
    }
    auto usable = [&](llvm::StringRef name) {
      bool index = llvm::all_of(name, llvm::isDigit);
      return !name.empty() && !index && count.lookup(name) == 1 && name.find_first_of("*?%") == llvm::StringRef::npos;
    };
    std::vector<std::string> keys;
    for (size_t i = 0; i < values.size(); ++i) {
      llvm::StringRef value = args ? llvm::StringRef(entry.values[values[i]].name) : llvm::StringRef();
      keys.push_back(usable(infos[i].name) ? infos[i].name : usable(value) ? value.str() : std::to_string(i));
    }
    return keys;
  }

  std::vector<std::string> Lines(const ir::Function& entry, llvm::ArrayRef<ir::ValueId> values,
                                 llvm::ArrayRef<ir::BoundaryInfo> infos, bool args) const {
    std::vector<std::string> keys = Keys(entry, values, infos, args), lines;
    for (size_t i = 0; i < values.size(); ++i) {
      const ir::Type& type = program_.type(entry, values[i]);
      mesh::ShardingId id = infos[i].sharding;
      if (args && !id.valid()) {
        id = entry.values[values[i]].sharding;
      }
      bool elsewhere = id.valid() && tables_.shardings[id].mesh != program_.mesh;
      if (!type.is_array() || elsewhere) {
        continue;
      }
      std::string sharding =
          SaysNothing(id) ? "null" : ShardingText(ir::ShownSharding(tables_.shardings[id], infos[i]));
      lines.push_back(Quoted(keys[i]) + ": {\"type\": " + Quoted(TypeText(ir::ShownType(type, infos[i]))) +
                      ", \"sharding\": " + sharding + "}");
    }
    return lines;
  }

  static std::string TypeText(const ir::Type& type) {
    std::vector<std::string> dims;
    for (int64_t d : type.dims) {
      dims.push_back(std::to_string(d));
    }
    return tensor::HloName(type.dtype).str() + "[" + llvm::join(dims, ",") + "]";
  }

  // No sharding, or the one that arguments on Explicit axes have of which nothing is said.
  bool SaysNothing(mesh::ShardingId id) const {
    if (!id.valid()) {
      return true;
    }
    const mesh::Sharding& sharding = tables_.shardings[id];
    const mesh::Mesh& mesh = tables_.meshes[sharding.mesh];
    bool has_auto = llvm::any_of(mesh.axes, [](const mesh::Axis& a) { return a.type == mesh::AxisType::Auto; });
    return mesh.has_explicit_axes() && sharding == mesh::Replicated(sharding.mesh, sharding.dims.size(), has_auto);
  }

  std::string AxesText(const mesh::Mesh& mesh, llvm::ArrayRef<mesh::AxisRef> axes) const {
    std::vector<std::string> texts;
    for (const mesh::AxisRef& ref : axes) {
      texts.push_back(Quoted(mesh::ToString(mesh, ref)));
    }
    return "[" + llvm::join(texts, ", ") + "]";
  }

  std::string ShardingText(const mesh::Sharding& sharding) const {
    const mesh::Mesh& mesh = tables_.meshes[sharding.mesh];
    if (std::optional<std::string> text = specs::SpecText(mesh, sharding)) {
      return Quoted(*text);
    }
    std::vector<std::string> dims, open, priority;
    for (const mesh::DimSharding& dim : sharding.dims) {
      dims.push_back(AxesText(mesh, dim.axes));
      open.push_back(dim.open ? "true" : "false");
      priority.push_back(std::to_string(dim.priority));
    }
    std::string text = "{\"dims\": [" + llvm::join(dims, ", ") + "], \"open\": [" + llvm::join(open, ", ") +
                       "], \"priority\": [" + llvm::join(priority, ", ") + "]";
    for (auto [key, set] : {std::pair("replicated", &sharding.replicated), std::pair("unreduced", &sharding.unreduced),
                            std::pair("reduced", &sharding.reduced)}) {
      text += set->empty() ? "" : ", \"" + std::string(key) + "\": " + AxesText(mesh, *set);
    }
    if (!sharding.unreduced.empty()) {
      text += ", \"unreduced_kind\": " + Quoted(mesh::Name(sharding.unreduced_kind));
    }
    return text + "}";
  }

  const ir::Module& program_;
  const ir::Tables& tables_;
};

}  // namespace

std::string WriteSpecsFile(const ir::Module& program) { return Writer(program).All(); }

}  // namespace spmdc::text::json
