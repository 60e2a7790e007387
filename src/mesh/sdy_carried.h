// Shardy's annotations as its export writes them into texts that do not have its dialect: in strings of frontend attributes.
//
//   xla.sdy.meshes     {mesh = #sdy.mesh<["x"=4]>, other = #sdy.mesh<["x"=2, "y"=2]>}     of the module
//   xla.sdy.sharding   #sdy.sharding<@mesh, [{"x"}, {}]>                                  of an argument
//                      #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, []>]>       of an instruction
#pragma once

#include "mesh/sdy_sharding.h"

namespace spmdc::mesh {

// Takes the first mesh off a list of meshes; it has no name at the end of the list. The error is counted from where the list
// began.
std::optional<TextError> TakeSdyMesh(llvm::StringRef& meshes, Mesh& mesh);
// Reads the shardings of a string, one or a list.
std::optional<TextError> ParseCarriedShardings(llvm::StringRef text, MeshLookup lookup, MeshIntern intern,
                                               MeshOfId mesh_of, std::vector<Sharding>& shardings);
// The number of `3 : i64`; nothing if it is none, or less than 0.
std::optional<int64_t> ParseCarriedGroup(llvm::StringRef text);

}  // namespace spmdc::mesh
