// HLO's sharding texts, read into shardings on named meshes and written back.
//
//   {devices=[2,1,4]<=[8] last_tile_dim_replicate}    {devices=[2,2]0,1,3,2}    {maximal device=3}    {replicated}
//   {devices=[2,2,2]<=[2,2,2]T(2,0,1) last_tile_dims={manual, replicated}}    {mesh['a'=2,'b'=4], [{'a'}, {}]}
//
// HLO knows devices, not axes. A tile list becomes axes of a mesh by factoring its iota; a list no axis split of the iota
// order can express becomes a mesh with that device order. Grammar and meaning: XLA's hlo_sharding and tile_assignment.
#pragma once

#include <optional>
#include <string>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "mesh/sharding.h"

namespace spmdc::mesh {

// One leaf as written: tiles over devices, before any mesh is known.
struct TileSharding {
  enum class Kind : uint8_t { Replicated, Maximal, Manual, Unknown, Unreduced, Tiled, Named };
  enum class Subgroup : uint8_t { Manual, Unreduced, Replicated };
  Kind kind = Kind::Replicated;
  llvm::SmallVector<int64_t, 4> tiles;         // the data dims' tile counts, then the subgroups' sizes
  llvm::SmallVector<Subgroup, 1> subgroups;    // kinds of the trailing tile dims
  llvm::SmallVector<int64_t, 4> reshape_dims;  // iota form: devices=[tiles]<=[reshape_dims]T(transpose)
  llvm::SmallVector<int64_t, 4> transpose;
  llvm::SmallVector<int64_t, 0> devices;           // list form
  int64_t device = -1;                             // Maximal
  std::optional<std::pair<Mesh, Sharding>> named;  // Named: its own mesh; the sharding's mesh id is not set
  int64_t shard_as = -1, shard_like = -1;          // group ids
  std::string metadata;                            // kept as text
};

// Where and why a text is no sharding: byte offset into it, what was found and expected.
struct TextError {
  enum class What : uint8_t {
    Form,           // not of the grammar, or a part that fits nothing
    UnknownAxis,    // names an axis that the mesh does not have
    DuplicateAxis,  // uses an axis twice
    MeshShape,      // the mesh contradicts itself
  };
  size_t offset = 0;
  std::string message;
  What what = What::Form;
};

// Reads `{...}`; a tuple `{{...}, {...}}` gives several leaves. The text may hold more behind; `end` says where it stopped.
std::optional<TextError> ParseHloSharding(llvm::StringRef text, llvm::SmallVectorImpl<TileSharding>& leaves,
                                          bool& is_tuple, size_t& end);

// A mesh on which every given leaf is a list of axes per dim: the common refinement of their iotas, with axes named
// axis_0, axis_1, ..., or the device order of a leaf that needs its own, if it serves all; else none (then each needs its
// own mesh; MeshOf gives it). num_devices is at least 1.
std::optional<Mesh> CommonMesh(llvm::ArrayRef<const TileSharding*> leaves, int64_t num_devices);
// The smallest mesh that expresses one leaf; a device list that is no iota becomes the mesh's device order.
Mesh MeshOf(const TileSharding& leaf, int64_t num_devices);
// The leaf's blocks as axes of the mesh; nothing if the mesh cannot express it. Manual subgroups become `varying`.
std::optional<Sharding> ToNamed(const TileSharding& leaf, const Mesh& mesh, MeshId id, size_t rank);

// The sharding as HLO prints it today: `{replicated}`, `{devices=[4,1,2]<=[8] last_tile_dim_replicate}`, iota where the
// mesh's device order allows, else the device list. `manual` are the manual axes of the region the value is in. Open marks,
// pins and the kind of unreduced axes have no spelling there.
std::string ToHlo(const Mesh& mesh, const Sharding& sharding, llvm::ArrayRef<AxisRef> manual = {});
// The same with every device listed, as HLO printed it before there were iotas. O(devices).
std::string ToHloList(const Mesh& mesh, const Sharding& sharding, llvm::ArrayRef<AxisRef> manual = {});
// On the mesh itself: `{mesh['x'=2,'y'=4], [{'x'}, {?}], unreduced={'y'}}`. The varying axes are its manual ones.
std::string ToHloNamed(const Mesh& mesh, const Sharding& sharding);
// `mesh['x'=2,'y'=4], device_ids=([4,2]T(1,0))`
std::string ToHloMesh(const Mesh& mesh);
// `'x','y':(1)2`
std::string ToHloAxes(const Mesh& mesh, llvm::ArrayRef<AxisRef> axes);

// Replica groups over axes: devices that differ only in the axes' digits form a group, members in mesh order of the list.
enum class GroupForm : uint8_t { Auto, List, Iota, Mesh };
// `{{0,1},{2,3}}`, `[4,2]<=[8]`, `[4,2]<=[2,4]T(1,0)` or `mesh['data'=4,'model'=2] {'model'}`. Auto: lists up to 32 devices,
// iota above where the device order allows it.
std::string ReplicaGroups(const Mesh& mesh, llvm::ArrayRef<AxisRef> axes, GroupForm form);
// The groups one by one, as device numbers. O(devices).
llvm::SmallVector<llvm::SmallVector<int64_t, 8>, 8> ExpandGroups(const Mesh& mesh, llvm::ArrayRef<AxisRef> axes);
// The axes whose groups are these lists, if there are any: collectives in a source text are lifted to axes.
std::optional<AxisList> LiftGroups(const Mesh& mesh, llvm::ArrayRef<llvm::SmallVector<int64_t, 8>> groups);
// Reads any of the three spellings to lists of numbers below `count`; an empty `{}` is one group of all of them. A count of
// 0: as many as the text names. `noun` is what is counted, for messages.
std::optional<TextError> ParseReplicaGroups(llvm::StringRef text, int64_t count,
                                            llvm::SmallVectorImpl<llvm::SmallVector<int64_t, 8>>& groups, size_t& end,
                                            llvm::StringRef noun = "device");

}  // namespace spmdc::mesh
