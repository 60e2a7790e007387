// Arrays of the program being built, and the functions they are built in.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "op/builder.h"
#include "text/native/value.h"

namespace spmdc::text::native {

// A function of the program under construction. Bodies of loops and branches are traced in a trace of their own, whose
// `outer` is the trace around; an outer array used inside becomes a captured argument.
struct Trace {
  ir::Module* module = nullptr;
  ir::FuncId function;
  Trace* outer = nullptr;
  // Top-level arrays live in a function of their own that is no part of the program; what a trace uses of them is copied.
  bool top_level = false;
  // The mesh of the manual axes around; null outside shard_map.
  MeshObj* manual_mesh = nullptr;
  // Bodies of shard_map, which begin a region: the context mesh outside; null where there was none.
  bool is_region = false;
  MeshObj* entered_from = nullptr;
  // Types inside carry the set of manual axes over which a value varies.
  bool checks_varying = true;
  // Arrays of outer traces and of the top level that already have a value here, by trace and value.
  llvm::DenseMap<std::pair<const Trace*, int32_t>, ir::ValueId> known;
  // Arrays that became arguments by capture, in order.
  std::vector<std::pair<struct ArrayObj*, ir::ValueId>> captured;
  // Values whose names the user chose.
  llvm::StringSet<> names;
  // By name: the number that the next value of that name may have.
  llvm::StringMap<int64_t> next_number;
};

struct ArrayObj : Object {
  Trace* trace = nullptr;
  ir::ValueId id;
  ir::Type type;
  bool weak = false;
  // An argument of which the program says no sharding: it fits operands of any Explicit sharding.
  bool unplaced = false;
  // Top-level arrays: where they were put (a Sharding, or a Mesh of one device), or none.
  Value placed;
  // Top-level arrays: a jitted function that was called has taken the memory (donate_argnums).
  bool deleted = false;
  // A static value it was made of, e.g. the literal of jnp.array([1, 2]) (an NdArray), or Missing: indices known while the
  // file is read need no gather.
  Value known;
};

// typeof(x): the type of an array as a value.
struct AvalObj : Object {
  ir::Type type;
  bool weak = false;
  MeshObj* mesh = nullptr;  // the mesh its sharding speaks of; null: the empty mesh
  std::string text;
};

}  // namespace spmdc::text::native
