// From a JSON document to specs: one function a rule of the schema.
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "specs/spec_text.h"
#include "text/json/document.h"
#include "text/json/specs_file.h"

namespace spmdc::text::json {
namespace {

using Kind = Node::Kind;

specs::Text TextOf(const Node& string) {
  if (!string.exact) {
    return {string.text, string.span, false};
  }
  return {string.text, {string.span.file, string.span.begin + 1, string.span.end - 1}, true};
}

class Reader {
 public:
  explicit Reader(diag::Engine& diags) : diags_(diags), errors_before_(diags.error_count()) {}

  std::optional<SpecsFile> Read(const Node& root) {
    if (!Is(root, Kind::Object, "a specs file")) {
      return std::nullopt;
    }
    const Node* version = root.Find("spmdc_specs");
    if (version == nullptr || !version->is(Kind::Number) || version->text != "1") {
      Fail(version != nullptr ? version->span : root.span, R"(a specs file has "spmdc_specs": 1, the version)");
      return std::nullopt;
    }
    for (const Member& member : root.members) {
      Section(member);
    }
    if (out_.specs.meshes.size() > 1 || root.Find("meshes") != nullptr) {
      CheckMeshNames(root);
    }
    return diags_.error_count() == errors_before_ ? std::optional(std::move(out_)) : std::nullopt;
  }

 private:
  diag::Handle Fail(source::Span span, std::string message, diag::Kind kind = diag::Kind::InputFile) {
    return diags_.Error(kind, span, std::move(message));
  }

  bool Is(const Node& node, Kind kind, llvm::StringRef what) {
    if (node.is(kind)) {
      return true;
    }
    Fail(node.span, what.str() + " is " + Describe(kind).str() + ", found " + Describe(node.kind).str());
    return false;
  }

  void FailKey(const Member& member, llvm::StringRef where, llvm::ArrayRef<llvm::StringRef> known) {
    std::vector<std::string> names;
    for (llvm::StringRef name : known) {
      names.push_back(name.str());
    }
    std::string nearest = diag::Nearest(member.key, names);
    Fail(member.key_span, where.str() + " has no key '" + member.key + "'")
        .Help(nearest.empty() ? "its keys are " + llvm::join(names, ", ") : "did you mean '" + nearest + "'?");
  }

  void Section(const Member& member) {
    const Node& value = member.value;
    if (member.key == "spmdc_specs" || (member.key == "program" && Is(value, Kind::String, "the program's name"))) {
      return;
    }
    if (member.key == "mesh") {
      if (std::optional<specs::MeshSpec> mesh = Mesh(value)) {
        out_.specs.meshes.insert(out_.specs.meshes.begin(), std::move(*mesh));
      }
    } else if (member.key == "meshes") {
      Meshes(value);
    } else if (member.key == "in") {
      Entries(value, "'in'", out_.specs.args);
    } else if (member.key == "out") {
      Entries(value, "'out'", out_.specs.results);
    } else if (member.key == "values") {
      Entries(value, "'values'", out_.specs.values);
    } else if (member.key == "options") {
      Options(value);
    } else if (member.key != "program") {
      FailKey(member, "a specs file", {"spmdc_specs", "program", "mesh", "meshes", "in", "out", "values", "options"});
    }
  }

  void Meshes(const Node& list) {
    if (!Is(list, Kind::Array, "'meshes'")) {
      return;
    }
    for (const Node& node : list.items) {
      if (!Is(node, Kind::Object, "a mesh of several")) {
        continue;
      }
      if (std::optional<specs::MeshSpec> mesh = Mesh(node)) {
        if (mesh->name.empty()) {
          Fail(node.span, "each of several meshes has a name");
        }
        out_.specs.meshes.push_back(std::move(*mesh));
      }
    }
  }

  void CheckMeshNames(const Node& root) {
    if (root.Find("mesh") != nullptr && root.Find("meshes") != nullptr) {
      Fail(root.Find("meshes")->span, "a specs file has one 'mesh' or several 'meshes', not both");
    }
    llvm::ArrayRef<specs::MeshSpec> meshes = out_.specs.meshes;
    for (size_t i = 0; i < meshes.size(); ++i) {
      bool twice = llvm::any_of(meshes.take_front(i), [&](const auto& mesh) { return mesh.name == meshes[i].name; });
      if (twice) {
        Fail(meshes[i].span, "there are two meshes '" + meshes[i].name + "'");
      }
    }
  }

  // "data=4,model=2", or the object that reports print.
  std::optional<specs::MeshSpec> Mesh(const Node& node) {
    if (node.is(Kind::String)) {
      return specs::ParseMesh(TextOf(node), diag::Kind::InputFile, diags_);
    }
    if (!node.is(Kind::Object)) {
      Fail(node.span, "a mesh is a string such as \"data=4,model=2\" or an object, found " + Describe(node.kind).str());
      return std::nullopt;
    }
    specs::MeshSpec mesh;
    mesh.span = node.span;
    bool good = node.Find("axes") != nullptr;
    if (!good) {
      Fail(node.span, "a mesh has 'axes'");
    }
    for (const Member& member : node.members) {
      good = MeshMember(member, node, mesh) && good;
    }
    return good ? std::optional(std::move(mesh)) : std::nullopt;
  }

  bool MeshMember(const Member& member, const Node& node, specs::MeshSpec& mesh) {
    const Node& value = member.value;
    if (member.key == "name") {
      mesh.name = value.text;
      return Is(value, Kind::String, "the name of a mesh");
    }
    if (member.key == "axes") {
      return Axes(value, node.Find("axis_types"), mesh);
    }
    if (member.key == "axis_types") {
      return true;  // with the axes
    }
    if (member.key == "device_ids") {
      return value.is(Kind::Null) || Integers(value, "'device_ids'", mesh.device_ids);
    }
    FailKey(member, "a mesh", {"name", "axes", "axis_types", "device_ids"});
    return false;
  }

  // [["data", 4], ["model", 2]] and ["explicit", "auto"].
  bool Axes(const Node& list, const Node* types, specs::MeshSpec& mesh) {
    if (!Is(list, Kind::Array, "'axes' of a mesh") ||
        (types != nullptr && !Is(*types, Kind::Array, "'axis_types' of a mesh"))) {
      return false;
    }
    if (list.items.size() > specs::kMostAxes) {
      Fail(list.span, "a mesh has at most " + std::to_string(specs::kMostAxes) + " axes");
      return false;
    }
    if (types != nullptr && types->items.size() != list.items.size()) {
      Fail(types->span, "'axis_types' has " + std::to_string(types->items.size()) + " entries for " +
                            std::to_string(list.items.size()) + " axes");
      return false;
    }
    for (size_t i = 0; i < list.items.size(); ++i) {
      const Node& pair = list.items[i];
      bool good = pair.is(Kind::Array) && pair.items.size() == 2 && pair.items[0].is(Kind::String) &&
                  !pair.items[0].text.empty();
      if (!good) {
        Fail(pair.span, "an axis is a pair such as [\"data\", 4]");
        return false;
      }
      specs::MeshAxis axis{pair.items[0].text, 1, std::nullopt, pair.items[0].span};
      if (!Integer(pair.items[1], "the size of an axis", axis.size) ||
          (types != nullptr && !AxisType(types->items[i], axis))) {
        return false;
      }
      mesh.axes.push_back(std::move(axis));
    }
    return true;
  }

  bool AxisType(const Node& node, specs::MeshAxis& axis) {
    if (node.is(Kind::String) && (node.text == "auto" || node.text == "explicit")) {
      axis.type = node.text == "auto" ? mesh::AxisType::Auto : mesh::AxisType::Explicit;
      return true;
    }
    Fail(node.span, "the type of an axis is \"auto\" or \"explicit\"");
    return false;
  }

  bool Integer(const Node& node, llvm::StringRef what, int64_t& value) {
    if (!Is(node, Kind::Number, what)) {
      return false;
    }
    if (llvm::StringRef(node.text).getAsInteger(10, value)) {
      Fail(node.span, what.str() + " is a whole number of 64 bits, found " + node.text.substr(0, 40));
      return false;
    }
    return true;
  }

  template <typename Vector>
  bool Integers(const Node& list, llvm::StringRef what, Vector& values) {
    if (!Is(list, Kind::Array, what)) {
      return false;
    }
    for (const Node& node : list.items) {
      int64_t value = 0;
      if (!Integer(node, "an element of " + what.str(), value)) {
        return false;
      }
      values.push_back(value);
    }
    return true;
  }

  void Entries(const Node& object, llvm::StringRef what, std::vector<specs::Entry>& entries) {
    if (!Is(object, Kind::Object, what)) {
      return;
    }
    constexpr size_t kEnough = 100;
    for (const Member& member : object.members) {
      if (diags_.error_count() - errors_before_ >= kEnough) {
        return;
      }
      specs::Entry entry;
      entry.pattern = member.key;
      entry.span = member.key_span;
      if (member.key.empty()) {
        Fail(member.key_span, what.str() + " has an empty name");
      } else if (EntryValue(member.value, entry)) {
        entries.push_back(std::move(entry));
      }
    }
  }

  // A sharding, or {"type": ..., "sharding": ...}.
  bool EntryValue(const Node& value, specs::Entry& entry) {
    if (!value.is(Kind::Object) || value.Find("dims") != nullptr) {
      return Sharding(value, entry.placement);
    }
    bool good = value.Find("sharding") != nullptr;
    if (!good) {
      Fail(value.span, "'" + entry.pattern + "' needs a 'sharding' (null leaves it open)");
    }
    for (const Member& member : value.members) {
      if (member.key == "sharding") {
        good = Sharding(member.value, entry.placement) && good;
      } else if (member.key == "type") {
        good = Is(member.value, Kind::String, "a type") && good;
        entry.type = member.value.text;
        entry.type_span = member.value.span;
      } else {
        FailKey(member, "'" + entry.pattern + "'", {"type", "sharding"});
        good = false;
      }
    }
    return good;
  }

  // null, "P(data, _)", or the object that reports print.
  bool Sharding(const Node& node, specs::Placement& out) {
    if (node.is(Kind::String)) {
      std::optional<specs::Placement> placement = specs::ParsePlacement(TextOf(node), diag::Kind::InputFile, diags_);
      out = placement ? std::move(*placement) : out;
      return placement.has_value();
    }
    out.span = node.span;
    if (node.is(Kind::Null)) {
      out.undecided = true;
      return true;
    }
    if (!node.is(Kind::Object)) {
      Fail(node.span,
           "a sharding is null, a string such as \"P(data, _)\" or an object, found " + Describe(node.kind).str());
      return false;
    }
    const Node* dims = node.Find("dims");
    if (dims == nullptr || !Is(*dims, Kind::Array, "'dims' of a sharding")) {
      return dims != nullptr || (Fail(node.span, "a sharding has 'dims'"), false);
    }
    bool good = true;
    for (const Node& dim : dims->items) {
      out.dims.emplace_back();
      out.dims.back().span = dim.span;
      good = AxisUses(dim, "a dim of a sharding", out.dims.back().axes) && good;
    }
    for (const Member& member : node.members) {
      good = ShardingMember(member, out) && good;
    }
    return good;
  }

  bool ShardingMember(const Member& member, specs::Placement& out) {
    const Node& value = member.value;
    if (member.key == "dims") {
      return true;
    }
    if (member.key == "mesh") {
      out.mesh = value.text;
      return Is(value, Kind::String, "the mesh of a sharding");
    }
    if (member.key == "open") {
      return PerDim(value, "'open'", Kind::Bool, out, [](const Node& node, specs::DimPlacement& dim) {
        dim.open = node.truth;
        return true;
      });
    }
    if (member.key == "priority") {
      return PerDim(value, "'priority'", Kind::Number, out, [](const Node& node, specs::DimPlacement& dim) {
        return !llvm::StringRef(node.text).getAsInteger(10, dim.priority) && dim.priority >= 0;
      });
    }
    if (member.key == "unreduced_kind") {
      return MonoidOf(value, out.unreduced_kind);
    }
    if (member.key == "varying") {
      bool none = value.is(Kind::Array) && value.items.empty();
      return none ||
             (Fail(value.span, "what varies in a manual region is not for a specs file: 'varying' is []"), false);
    }
    for (auto [key, list] : {std::pair("replicated", &out.replicated), std::pair("unreduced", &out.unreduced),
                             std::pair("reduced", &out.reduced)}) {
      if (member.key == key) {
        return AxisUses(value, "'" + member.key + "'", *list);
      }
    }
    FailKey(member, "a sharding",
            {"mesh", "dims", "open", "priority", "replicated", "unreduced", "unreduced_kind", "reduced", "varying"});
    return false;
  }

  template <typename Set>
  bool PerDim(const Node& list, const std::string& what, Kind kind, specs::Placement& out, Set set) {
    if (!Is(list, Kind::Array, what)) {
      return false;
    }
    bool good = list.items.size() == out.dims.size();
    for (size_t i = 0; good && i < list.items.size(); ++i) {
      good = list.items[i].is(kind) && set(list.items[i], out.dims[i]);
    }
    if (!good) {
      Fail(list.span, what + " has one entry for each dim, " + (kind == Kind::Bool ? "true or false" : "from 0"));
    }
    return good;
  }

  bool MonoidOf(const Node& node, mesh::Monoid& monoid) {
    using mesh::Monoid;
    for (Monoid m : {Monoid::Sum, Monoid::Product, Monoid::Min, Monoid::Max, Monoid::And, Monoid::Or, Monoid::Xor}) {
      if (node.is(Kind::String) && node.text == mesh::Name(m)) {
        monoid = m;
        return true;
      }
    }
    Fail(node.span, "'unreduced_kind' is how partial results combine: \"sum\", \"max\", ...");
    return false;
  }

  bool AxisUses(const Node& list, const std::string& what, std::vector<specs::AxisUse>& uses) {
    if (!Is(list, Kind::Array, what)) {
      return false;
    }
    for (const Node& node : list.items) {
      if (!Is(node, Kind::String, "an axis")) {
        return false;
      }
      // Names of any characters are taken as they are; only a part of an axis has a grammar.
      specs::AxisUse use{node.text, 0, 0, node.span};
      size_t part = llvm::StringRef(node.text).rfind(":(");
      if (part != llvm::StringRef::npos) {
        auto [pre, size] = llvm::StringRef(node.text).drop_front(part + 2).split(')');
        if (pre.getAsInteger(10, use.pre) || size.getAsInteger(10, use.size) || use.pre < 1 || use.size < 1) {
          Fail(node.span, "a part of an axis is written x:(1)2");
          return false;
        }
        use.name.resize(part);
      }
      uses.push_back(std::move(use));
    }
    return true;
  }

  void Options(const Node& object) {
    if (!Is(object, Kind::Object, "'options'")) {
      return;
    }
    for (const Member& member : object.members) {
      bool scalar = member.value.is(Kind::String) || member.value.is(Kind::Number);
      if (scalar) {
        out_.options.push_back({member.key, member.value.text, member.key_span});
      } else {
        Fail(member.value.span,
             "an option's value is a string or a number, found " + Describe(member.value.kind).str());
      }
    }
  }

  diag::Engine& diags_;
  size_t errors_before_;
  SpecsFile out_;
};

}  // namespace

std::optional<SpecsFile> ReadSpecsFile(source::FileId file, diag::Engine& diags) {
  std::optional<Node> root = ReadDocument(file, diags);
  return root ? Reader(diags).Read(*root) : std::nullopt;
}

}  // namespace spmdc::text::json
