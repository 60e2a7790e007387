// Specs: what is said beside a program, by a specs file or on the command line, so that one program runs under many.
//
//   --mesh data=4,model=2 --in 'x=P(data,_)' --out '0=P(data,_)'
//
// Pure data with positions; matcher.h finds what an entry is about, placement.h makes shardings of what it says.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mesh/sharding.h"
#include "source/span.h"

namespace spmdc::specs {

// `data`, `data:(1)2`.
struct AxisUse {
  std::string name;
  int64_t pre = 0, size = 0;  // of a sub-axis; 0: the whole axis
  source::Span span;
};

struct DimPlacement {
  std::vector<AxisUse> axes;  // major to minor
  bool open = false;
  int32_t priority = mesh::kNoPriority;
  source::Span span;
};

// What an entry says about a value. Dims that are not there are not split.
struct Placement {
  bool undecided = false;  // null: nothing is said, and what the program says is forgotten
  std::vector<DimPlacement> dims;
  std::vector<AxisUse> replicated, unreduced, reduced;
  mesh::Monoid unreduced_kind = mesh::Monoid::Sum;
  std::string mesh;  // the name of one of several; empty: the program's
  source::Span span;
};

// One line of a file, or one option.
struct Entry {
  std::string pattern;  // a name, an index, a tree's name, a glob
  source::Span span;    // of the pattern
  Placement placement;
  std::string type;  // that the value has to have, `f32[8,4]`; empty: any
  source::Span type_span;
  bool from_option = false;  // stands above what the file says
};

struct MeshAxis {
  std::string name;
  int64_t size = 1;
  std::optional<mesh::AxisType> type;  // none: as the program's axis of this name, else Auto
  source::Span span;
};

struct MeshSpec {
  std::string name;  // of the program's mesh that it stands for; empty: the one mesh
  std::vector<MeshAxis> axes;
  llvm::SmallVector<int64_t, 0> device_ids;  // empty: 0, 1, 2, ...
  source::Span span;
};

struct Specs {
  std::vector<MeshSpec> meshes;  // the first is the entry's; empty: the program's own
  std::vector<Entry> args, results;
  std::vector<Entry> values;  // constraints on values within the program

  bool empty() const { return meshes.empty() && args.empty() && results.empty() && values.empty(); }
};

}  // namespace spmdc::specs
