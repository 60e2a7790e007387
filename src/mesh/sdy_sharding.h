// Shardy's texts: meshes `<["x"=2, "y"=4], device_ids=[...]>` and shardings `<@mesh, [{"x"}, {"y":(1)2, ?}p1]>`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mesh/hlo_sharding.h"

namespace spmdc::mesh {

// Finds a mesh by its name without `@`.
using MeshLookup = llvm::function_ref<std::optional<MeshId>(llvm::StringRef name)>;
// Interns a mesh that is written inline: `<mesh<["x"=2]>, [...]>`.
using MeshIntern = llvm::function_ref<MeshId(Mesh mesh)>;
using MeshOfId = llvm::function_ref<const Mesh&(MeshId id)>;

// Reads `<["x"=2, "y"=4]>`, `<[], device_ids=[3]>` (maximal), `<[]>`; Auto axes. `end` says where it stopped.
std::optional<TextError> ParseSdyMesh(llvm::StringRef text, Mesh& mesh, size_t& end);
// Whether `<@one_device, []>` leaves out the dims of a value of this rank, which it may on a mesh of one device. They are added.
bool AddLeftOutDims(const Mesh& mesh, size_t rank, Sharding& sharding);
// As Shardy spells it: on a mesh of one device without its dims.
std::string ToShortSdy(const Mesh& mesh, const Sharding& sharding);
std::string ToSdyMesh(const Mesh& mesh);
// The name of an axis as these texts spell it, in double quotes.
std::string QuotedName(llvm::StringRef name);
// The names of `#sdy<manual_axes{"x", "y"}>`; nothing if it cannot be read.
std::optional<std::vector<std::string>> ParseManualAxes(llvm::StringRef text);
// Reads `<@mesh, [{"x", ?}, {}], replicated={"z"}, unreduced={"u"}>`.
std::optional<TextError> ParseSdySharding(llvm::StringRef text, MeshLookup lookup, MeshIntern intern, MeshOfId mesh_of,
                                          Sharding& sharding, size_t& end);

}  // namespace spmdc::mesh
