// The interned tables that all stages of one compilation share: an id means the same in every one of its modules.
#pragma once

#include <memory>
#include <string>

#include "ir/attrs.h"
#include "ir/type.h"
#include "mesh/sharding.h"
#include "source/span.h"
#include "support/intern.h"

namespace spmdc::ir {

// What a text says about where its parts come from (`loc("a.py":40:3)`, HLO metadata).
struct SourceInfo {
  std::string file;
  int64_t line = 0;
  int64_t column = 0;
  std::string function;
  std::string op_name;  // the name stack, e.g. "jit(f)/dot_general"
  int32_t frame = 0;    // in the module's tables of stack frames, which the text of HLO had; counted from 1
  friend bool operator==(const SourceInfo&, const SourceInfo&) = default;
};
llvm::hash_code hash_value(const SourceInfo& info);
using SourceId = Id<struct SourceInfoTag>;

// Things no pass reads but writers print again: layouts, metadata, frontend attributes, backend configs, control edges.
struct SideData {
  llvm::SmallVector<std::pair<std::string, std::string>, 2> entries;  // attribute name, its text
  friend bool operator==(const SideData&, const SideData&) = default;
};
llvm::hash_code hash_value(const SideData& data);
using SideId = Id<struct SideTag>;

struct Tables {
  mesh::MeshTable meshes;
  mesh::ShardingTable shardings;
  Interner<TypeId, Type> types;
  Interner<SourceId, SourceInfo> sources;
  Interner<SideId, SideData> sides;
  AttrsTable attrs;
};

// `f32[256@data,512]`: the type as the native language spells it.
std::string ToString(const Tables& tables, const Type& type);
inline std::string ToString(const Tables& tables, TypeId id) { return ToString(tables, tables.types[id]); }

}  // namespace spmdc::ir
