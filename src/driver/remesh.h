// A program on another mesh: what its text says of one mesh's axes, said of another's.
//
// Axes keep their names where the new mesh has all that are used: `data` of size 4 may become `data` of size 8. Otherwise, on
// as many devices, they keep the devices: `axis_0` of size 4 becomes what splits the devices alike. Texts with parts for one
// device (manual regions, collectives) only go where their axes keep their sizes.
#pragma once

#include <optional>

#include "diag/engine.h"
#include "ir/module.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace spmdc::driver {

// Every sharding that the program names, and where.
void ForEachSharding(const ir::Module& module, llvm::function_ref<void(mesh::ShardingId, source::Span)> f);

// Replaces one mesh of the program; the new one's id, or nothing after a diagnostic.
std::optional<mesh::MeshId> Remesh(ir::Module& module, mesh::MeshId from, const mesh::Mesh& to, diag::Engine& diags);

// Whether all meshes that the program uses have its number of devices, or one; false after a diagnostic.
bool CheckDeviceCounts(const ir::Module& module, diag::Engine& diags);

}  // namespace spmdc::driver
