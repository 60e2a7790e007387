// Meshes, specs and shardings as values.
#pragma once

#include "text/native/evaluator.h"

namespace spmdc::text::native {

Value SpecEntryValue(Evaluator& ev, const mesh::SpecEntry& entry);
bool EqualSpecs(const mesh::PartitionSpec& a, const mesh::PartitionSpec& b);
Value AddSpecs(Evaluator& ev, const Value& a, const Value& b);
// f32[8, 4] @ P('x').
Value TypeWithSpec(Evaluator& ev, const Value& type, const Value& spec);
std::string TypeFormText(const TypeFormObj& type);

// NamedSharding(mesh, spec), checked as JAX checks it; null after a diagnostic.
ShardingObj* MakeNamedSharding(Evaluator& ev, MeshObj* mesh, const mesh::PartitionSpec& spec);
// A Sharding as it is, or a Spec on the context mesh. Null after a diagnostic; `what` names the function.
// Whether a sharding, if the value is one, is known while the file is read; a diagnostic where not.
bool IsDecided(Evaluator& ev, const Value& v);
ShardingObj* ToSharding(Evaluator& ev, const Value& v, const std::string& what);
// The sharding for a value of this rank, with a mesh id of the tables. `only_explicit` keeps the Explicit axes only.
mesh::Sharding OnRank(Evaluator& ev, const ShardingObj& sharding, size_t rank, bool only_explicit);
mesh::ShardingId InternSharding(Evaluator& ev, const ShardingObj& sharding, size_t rank);

Value MeshAttr(Evaluator& ev, const Value& mesh, llvm::StringRef name);
Value SpecAttr(Evaluator& ev, const Value& spec, llvm::StringRef name);
Value ShardingAttr(Evaluator& ev, const Value& sharding, llvm::StringRef name);
// A NamedSharding value from an IR sharding on a mesh.
Value ShardingValue(Evaluator& ev, MeshObj* mesh, const mesh::Sharding& sharding);
mesh::PartitionSpec SpecOf(const mesh::Mesh& mesh, const mesh::Sharding& sharding);

// A spec or sharding without the `None` entries behind the last dim of a value of this rank.
Value WithoutTrailing(Evaluator& ev, const Value& v, size_t rank);

}  // namespace spmdc::text::native
