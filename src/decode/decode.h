// What a spelling means: shardings, replica groups and collectives, as XLA, Shardy and JAX print them.
//
//   {devices=[2,1,4]<=[8] last_tile_dim_replicate}      which device holds which block, and the other ways to write it
//   [2,4]<=[4,2]T(1,0)                                  who is with whom
//   %ar = f32[8]{0} all-reduce(%x), replica_groups=...  the same of an instruction, and what each device sends and gets
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "diag/engine.h"
#include "ir/module.h"
#include "mesh/sharding.h"
#include "op/collective.h"

namespace spmdc::decode {

using Group = llvm::SmallVector<int64_t, 8>;

// The type of an array, as far as it is known.
struct Shape {
  std::string dtype;  // as HLO names it; empty: not known
  tensor::Dims dims;
};

// Something that is on the devices of a mesh.
struct Placed {
  std::string what;  // "argument x", "element 1" of a tuple; empty: all that the text is
  mesh::Mesh mesh;
  mesh::Sharding sharding;
  std::optional<Shape> shape;

  // The array's dims; where no shape is known, the numbers of blocks along each.
  tensor::Dims Dims() const;
};

// What a collective does besides naming groups.
struct Traffic {
  std::string kind;               // HLO's name
  std::string operands, results;  // types of one device's
  // Of kinds whose cost is known: bytes sent by one device, a sentence on what each device gets.
  std::optional<double> sent;
  std::string effect;
};

// Devices that are told together.
struct Exchange {
  std::string what;  // "all-reduce ar"; empty: groups alone
  std::vector<Group> groups;
  std::vector<std::pair<int64_t, int64_t>> pairs;  // of a permute, which has no groups
  bool is_pairs = false;
  // The groups as axes of a mesh, if they are any's.
  std::optional<std::pair<mesh::Mesh, mesh::AxisList>> axes;
  std::optional<Traffic> traffic;
};

struct Decoded {
  std::vector<Placed> placed;
  std::vector<Exchange> exchanges;
};

// What is said beside the text.
struct Beside {
  std::optional<mesh::Mesh> mesh;  // that specs and types name axes of
  std::optional<Shape> shape;
  int64_t devices = 0;  // 0: as many as the text names

  // How many devices that makes; 0 where nothing says it.
  int64_t DeviceCount() const { return mesh ? mesh->size() : devices; }
};

// Whether a text is a sharding or groups alone, not a program or instructions of one.
bool IsSpelling(llvm::StringRef text);
// Reads such a text; nothing after an error.
std::optional<Decoded> DecodeSpelling(source::FileId file, const Beside& beside, diag::Engine& diags);
// `f32[8,4]`, `float32[8,4]`, `tensor<8x4xf32>`: nothing after an error.
std::optional<Shape> ParseShape(source::FileId file, diag::Engine& diags);
// The annotated values and the collectives of a program. Groups are told as axes of `mesh`, if there is one, or else of the
// program's.
Decoded DecodeProgram(const ir::Module& module, const std::optional<mesh::Mesh>& mesh = std::nullopt);

// For people. At most some rows of each list, unless all are asked for.
std::string ToText(const Decoded& decoded, bool all);
// One JSON object and a newline; keys as in docs/decode.md.
std::string ToJson(const Decoded& decoded, bool all);

}  // namespace spmdc::decode
