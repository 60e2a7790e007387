// From what an entry says to a sharding on a mesh, with each wrong axis told at its own place.
#pragma once

#include <optional>
#include <string>

#include "diag/engine.h"
#include "ir/type.h"
#include "specs/specs.h"

namespace spmdc::specs {

// What a placement is about.
struct Subject {
  std::string what;  // "argument 'x'", for messages
  llvm::ArrayRef<int64_t> dims;
  bool as_in_jax = false;  // axes divide dims, and unreduced axes are Explicit
};

// "argument 'x'", or "argument 3" where it has no name.
std::string Called(llvm::StringRef noun, llvm::StringRef name, size_t index);

// Whether a value is an array, and of the type that the entry states, if it does; false after a diagnostic.
bool CheckType(const Entry& entry, const ir::Type& type, const Subject& subject, diag::Engine& diags);

// The sharding; nothing after at least one error. The placement must not be undecided.
std::optional<mesh::Sharding> MakeSharding(const Placement& placement, const mesh::Mesh& mesh, mesh::MeshId id,
                                           const Subject& subject, diag::Engine& diags);

// The mesh; axes without a type have the one that `like` gives to their names, else Auto. Nothing after an error.
std::optional<mesh::Mesh> MakeMesh(const MeshSpec& spec, const mesh::Mesh* like, diag::Engine& diags);

}  // namespace spmdc::specs
