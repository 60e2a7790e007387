// Shardy's annotations in strings of frontend attributes, read.
#include "mesh/sdy_carried.h"

#include "mesh/text_cursor.h"
#include "support/starts_with.h"

namespace spmdc::mesh {

std::optional<TextError> TakeSdyMesh(llvm::StringRef& meshes, Mesh& mesh) {
  const char* begin = meshes.data();
  meshes = meshes.ltrim(" ,{");
  auto [name, text] = meshes.split('=');
  mesh.name = StartsWith(name, "}") ? "" : name.trim().str();
  if (mesh.name.empty()) {
    return std::nullopt;
  }
  std::string own_name = mesh.name;
  text = text.ltrim();
  text.consume_front("#sdy.mesh");
  size_t end = 0;
  auto error = ParseSdyMesh(text, mesh, end);
  if (error) {
    error->offset += static_cast<size_t>(text.data() - begin);
  }
  mesh.name = own_name;
  meshes = text.substr(end);
  return error;
}

std::optional<TextError> ParseCarriedShardings(llvm::StringRef text, MeshLookup lookup, MeshIntern intern,
                                               MeshOfId mesh_of, std::vector<Sharding>& shardings) {
  TextCursor in(text);
  bool list = in.Eat("#sdy.sharding_per_value<[");
  bool more = !list || !in.Eat("]");
  while (more) {
    size_t begin = in.position(), end = 0;
    auto error = ParseSdySharding(in.rest(), lookup, intern, mesh_of, shardings.emplace_back(), end);
    if (error) {
      error->offset += begin;
      return error;
    }
    in.Advance(end);
    more = list && in.Eat(",");
    if (list && !more) {
      in.Expect("]");
    }
  }
  if (list) {
    in.Expect(">");
  }
  if (!in.failed() && !in.rest().empty()) {
    in.Fail("expected the end of the string, found " + in.Found());
  }
  return in.error();
}

std::optional<int64_t> ParseCarriedGroup(llvm::StringRef text) {
  int64_t group = 0;
  bool bad = text.consumeInteger(10, group) || group < 0;
  return bad ? std::nullopt : std::optional(group);
}

}  // namespace spmdc::mesh
