// PartitionSpecs as users write them, their checks in JAX's words, and the sharding they make on a mesh.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "diag/engine.h"
#include "mesh/sharding.h"

namespace spmdc::mesh {

// P(None, 'x', ('y', 'z'), P.UNCONSTRAINED, unreduced={'u'}, reduced={'r'}).
struct SpecEntry {
  bool unconstrained = false;
  llvm::SmallVector<std::string, 1> axes;  // empty and not unconstrained: None
  bool tuple = false;                      // written as a tuple; ('x',) prints as ('x',) in some of JAX's texts
  friend bool operator==(const SpecEntry&, const SpecEntry&) = default;
};

struct PartitionSpec {
  llvm::SmallVector<SpecEntry, 4> entries;
  llvm::SmallVector<std::string, 1> unreduced;  // sorted
  llvm::SmallVector<std::string, 1> reduced;    // sorted
  friend bool operator==(const PartitionSpec&, const PartitionSpec&) = default;
};

// P('x', None, unreduced={'y'}) as JAX's repr prints it.
std::string ToString(const PartitionSpec& spec);

// A refusal: which rule, in one sentence with JAX's facts, and what to do about it (may be empty).
struct SpecError {
  diag::Kind kind;
  std::string message;
  std::string help;
};

// P(...) in itself: no axis is both on a dim, unreduced or reduced. MakeSharding checks it too.
std::optional<SpecError> CheckForm(const PartitionSpec& spec);

// NamedSharding(mesh, spec): every axis exists, none is used twice, unreduced axes are not Auto... `rank`, if given, pads
// missing trailing dims with None and refuses longer specs. Unconstrained entries become open dims; others are closed.
std::variant<Sharding, SpecError> MakeSharding(const Mesh& mesh, MeshId id, const PartitionSpec& spec,
                                               std::optional<size_t> rank);

// Whether a sharding says nothing that a type would show: no axis on any dim, not even one of size 1, none unreduced,
// reduced or varying.
bool NamesNoAxis(const Sharding& sharding);

// The check that JAX makes of arguments and results of jit, of device_put and of Explicit types: axes divide the dims.
std::optional<SpecError> CheckDivisible(const Mesh& mesh, const Sharding& sharding, llvm::ArrayRef<int64_t> dims,
                                        llvm::StringRef what);

}  // namespace spmdc::mesh
