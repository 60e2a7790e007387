// Shardy's texts: meshes and shardings, read and written.
#include "mesh/sdy_sharding.h"

#include "llvm/ADT/STLExtras.h"
#include "mesh/text_cursor.h"

namespace spmdc::mesh {
namespace {

// `["x"=2, "y"=4], device_ids=[...]>` behind `<`.
bool ParseMeshBody(TextCursor& in, Mesh& mesh) {
  if (!in.Expect("[") || !ParseAxes(in, mesh)) {
    return false;
  }
  if (!in.Eat(",")) {
    return in.Expect(">");
  }
  if (!in.Expect("device_ids") || !in.Expect("=") || !in.Expect("[")) {
    return false;
  }
  size_t start = in.position();
  if (!in.IntList(mesh.device_ids, 0, "a device number", "]")) {
    return false;
  }
  if (mesh.axes.empty()) {
    mesh.maximal = true;
    if (mesh.device_ids.size() != 1) {
      return in.FailAt(start, "a mesh without axes names one device");
    }
  } else if (!CheckDeviceIds(in, start, mesh)) {
    return false;
  }
  return in.Expect(">");
}

// `"x", ?}p1` behind the opening brace.
bool ParseDim(TextCursor& in, const Mesh& mesh, DimSharding& dim, AxisList& used) {
  if (!ParseAxisList(in, mesh, dim.axes, &dim.open, used)) {
    return false;
  }
  if (!in.Eat("p")) {
    return true;
  }
  size_t start = in.position();
  int64_t priority = 0;
  if (!in.Int(priority, 0, "a priority")) {
    return false;
  }
  if (priority > INT32_MAX) {
    return in.FailAt(start, "the priority is too large");
  }
  dim.priority = static_cast<int32_t>(priority);
  return dim.axes.empty() && !dim.open ? in.FailAt(start, "a closed dim without axes has no priority") : true;
}

bool ParseSdyDims(TextCursor& in, const Mesh& mesh, Sharding& sharding, AxisList& used) {
  if (!in.Expect("[")) {
    return false;
  }
  if (in.Eat("]")) {
    return true;
  }
  do {
    if (!in.Expect("{") || !ParseDim(in, mesh, sharding.dims.emplace_back(), used)) {
      return false;
    }
  } while (in.Eat(","));
  return in.Expect("]");
}

bool ParseSets(TextCursor& in, const Mesh& mesh, Sharding& sharding, AxisList& used) {
  while (in.Eat(",")) {
    bool replicated = in.EatWord("replicated");
    if (!replicated && !in.EatWord("unreduced")) {
      return in.Fail("expected replicated or unreduced, found " + in.Found());
    }
    if (!in.Expect("=") || (!replicated && !ParseMonoid(in, sharding.unreduced_kind)) || !in.Expect("{")) {
      return false;
    }
    AxisList list;
    if (!ParseAxisList(in, mesh, list, nullptr, used)) {
      return false;
    }
    (replicated ? sharding.replicated : sharding.unreduced) = AsSet(list);
  }
  if (sharding.unreduced.empty()) {
    sharding.unreduced_kind = Monoid::Sum;
  }
  return in.Expect(">");
}

bool ParseMeshOfSharding(TextCursor& in, MeshLookup lookup, MeshIntern intern, Sharding& sharding) {
  size_t start = in.position();
  if (in.Eat("@")) {
    std::string name;
    if (!in.Name(name, "the name of a mesh")) {
      return false;
    }
    std::optional<MeshId> id = lookup(name);
    if (!id) {
      return in.FailAt(start, "there is no mesh '@" + name + "'");
    }
    sharding.mesh = *id;
    return true;
  }
  in.Eat("#sdy.");
  if (!in.EatWord("mesh")) {
    return in.FailAt(start, "expected '@' and the name of a mesh, or mesh<...>, found " + in.Found());
  }
  Mesh mesh;
  mesh.name = "mesh";
  if (!in.Expect("<") || !ParseMeshBody(in, mesh)) {
    return false;
  }
  sharding.mesh = intern(std::move(mesh));
  return true;
}

std::string SdyRef(const Mesh& mesh, AxisRef ref) {
  std::string text = QuotedName(mesh.axes[static_cast<size_t>(ref.axis)].name);
  if (!IsWhole(mesh, ref)) {
    text += ":(" + std::to_string(ref.pre) + ")" + std::to_string(ref.size);
  }
  return text;
}

std::string SdyList(const Mesh& mesh, llvm::ArrayRef<AxisRef> list, bool open = false) {
  std::string text;
  for (AxisRef ref : list) {
    text += (text.empty() ? "" : ", ") + SdyRef(mesh, ref);
  }
  if (open) {
    text += text.empty() ? "?" : ", ?";
  }
  return "{" + text + "}";
}

// A symbol of MLIR: names that are no identifiers stand in quotes.
std::string Symbol(llvm::StringRef name) {
  bool bare = !name.empty() && !llvm::isDigit(name[0]) &&
              llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$'; });
  return bare ? "@" + name.str() : "@" + QuotedName(name);
}

}  // namespace

std::optional<TextError> ParseSdyMesh(llvm::StringRef text, Mesh& mesh, size_t& end) {
  TextCursor in(text);
  if (in.Expect("<")) {
    ParseMeshBody(in, mesh);
  }
  end = in.end();
  return in.error();
}

std::string QuotedName(llvm::StringRef name) {
  std::string text = "\"";
  for (char c : name) {
    text += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  }
  return text + "\"";
}

std::string ToShortSdy(const Mesh& mesh, const Sharding& sharding) {
  Sharding shown = sharding;
  if (mesh.maximal) {
    shown.dims.clear();
  }
  return ToSdy(mesh, shown);
}

bool AddLeftOutDims(const Mesh& mesh, size_t rank, Sharding& sharding) {
  if (!mesh.maximal || !sharding.dims.empty() || rank == 0) {
    return false;
  }
  sharding.dims.resize(rank);
  return true;
}

std::optional<std::vector<std::string>> ParseManualAxes(llvm::StringRef text) {
  std::vector<std::string> names;
  TextCursor in(text);
  if (!in.Expect("#sdy<manual_axes{")) {
    return std::nullopt;
  }
  while (!in.failed() && !in.Eat("}")) {
    in.Name(names.emplace_back(), "an axis name");
    in.Eat(",");
  }
  return in.Expect(">") ? std::optional(std::move(names)) : std::nullopt;
}

std::string ToSdyMesh(const Mesh& mesh) {
  std::string text;
  for (const Axis& axis : mesh.axes) {
    text += (text.empty() ? "" : ", ") + QuotedName(axis.name) + "=" + std::to_string(axis.size);
  }
  text = "<[" + text + "]";
  for (size_t i = 0; i < mesh.device_ids.size(); ++i) {
    text += (i == 0 ? ", device_ids=[" : ", ") + std::to_string(mesh.device_ids[i]);
  }
  return text + (mesh.device_ids.empty() ? ">" : "]>");
}

std::optional<TextError> ParseSdySharding(llvm::StringRef text, MeshLookup lookup, MeshIntern intern, MeshOfId mesh_of,
                                          Sharding& sharding, size_t& end) {
  sharding = Sharding();
  TextCursor in(text);
  in.Eat("#sdy.sharding");
  size_t start = in.position();
  if (in.Expect("<") && ParseMeshOfSharding(in, lookup, intern, sharding) && in.Expect(",")) {
    const Mesh& mesh = mesh_of(sharding.mesh);
    AxisList used;
    if (ParseSdyDims(in, mesh, sharding, used) && ParseSets(in, mesh, sharding, used)) {
      if (std::string error = Verify(mesh, sharding, sharding.dims.size()); !error.empty()) {
        in.FailAt(start, error);
      }
    }
  }
  end = in.end();
  return in.error();
}

std::string ToSdy(const Mesh& mesh, const Sharding& sharding) {
  std::string text;
  for (const DimSharding& dim : sharding.dims) {
    text += (text.empty() ? "" : ", ") + SdyList(mesh, dim.axes, dim.open);
    if (dim.priority != kNoPriority) {
      text += "p" + std::to_string(dim.priority);
    }
  }
  text = "<" + Symbol(mesh.name) + ", [" + text + "]";
  if (!sharding.replicated.empty()) {
    text += ", replicated=" + SdyList(mesh, sharding.replicated);
  }
  if (!sharding.unreduced.empty()) {
    text += ", unreduced=";
    text += sharding.unreduced_kind == Monoid::Sum ? "" : Name(sharding.unreduced_kind).str();
    text += SdyList(mesh, sharding.unreduced);
  }
  return text + ">";
}

}  // namespace spmdc::mesh
