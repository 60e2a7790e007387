// Shardings: counts, local dims, index ranges, the checks of a well-formed sharding, and JAX's spellings.
#include "mesh/sharding.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "support/hash.h"

namespace spmdc::mesh {

llvm::StringRef Name(Monoid monoid) {
  switch (monoid) {
    case Monoid::Sum:
      return "sum";
    case Monoid::Product:
      return "product";
    case Monoid::Min:
      return "min";
    case Monoid::Max:
      return "max";
    case Monoid::And:
      return "and";
    case Monoid::Or:
      return "or";
    case Monoid::Xor:
      return "xor";
    case Monoid::None:
      return "none";
  }
  return "";
}

bool Sharding::is_fully_replicated() const {
  return Product(unreduced) == 1 && llvm::all_of(dims, [](const DimSharding& dim) { return ShardCount(dim) == 1; });
}

namespace {

void AddTo(Hash& hash, llvm::ArrayRef<AxisRef> axes) {
  hash.Add(axes.size());
  for (const AxisRef& axis : axes) {
    hash.Add(static_cast<uint64_t>(axis.pre) << 32 | static_cast<uint32_t>(axis.axis));
    hash.Add(static_cast<uint64_t>(axis.size));
  }
}

}  // namespace

llvm::hash_code hash_value(const Sharding& sharding) {
  Hash hash;
  hash.Add(static_cast<uint32_t>(sharding.mesh.index));
  hash.Add(sharding.dims.size());
  for (const DimSharding& dim : sharding.dims) {
    hash.Add(static_cast<uint64_t>(dim.priority) << 1 | (dim.open ? 1 : 0));
    AddTo(hash, dim.axes);
  }
  for (const AxisList* axes : {&sharding.replicated, &sharding.unreduced, &sharding.reduced, &sharding.varying}) {
    AddTo(hash, *axes);
  }
  hash.Add(static_cast<uint64_t>(sharding.unreduced_kind));
  return hash.value();
}

Sharding Replicated(MeshId mesh, size_t rank, bool open) {
  Sharding sharding;
  sharding.mesh = mesh;
  sharding.dims.resize(rank);
  for (DimSharding& dim : sharding.dims) {
    dim.open = open;
  }
  return sharding;
}

AxisList UsedAxes(const Sharding& sharding) {
  AxisList used;
  for (const DimSharding& dim : sharding.dims) {
    used.append(dim.axes.begin(), dim.axes.end());
  }
  used.append(sharding.replicated.begin(), sharding.replicated.end());
  used.append(sharding.unreduced.begin(), sharding.unreduced.end());
  return AsSet(used);
}

Sharding DropUnits(const Sharding& sharding) {
  Sharding kept = sharding;
  for (DimSharding& dim : kept.dims) {
    dim.axes = DropUnits(dim.axes);
  }
  for (AxisList* list : {&kept.replicated, &kept.unreduced, &kept.reduced, &kept.varying}) {
    *list = DropUnits(*list);
  }
  if (kept.unreduced.empty()) {
    kept.unreduced_kind = Monoid::Sum;
  }
  return kept;
}

int64_t LocalSize(int64_t size, int64_t count) { return size / count + (size % count != 0 ? 1 : 0); }

llvm::SmallVector<int64_t, 4> LocalDims(const Sharding& sharding, llvm::ArrayRef<int64_t> dims) {
  SPMDC_CHECK(sharding.dims.size() == dims.size(), "the sharding has another rank than the value");
  llvm::SmallVector<int64_t, 4> local;
  for (auto [dim, size] : llvm::zip(sharding.dims, dims)) {
    local.push_back(LocalSize(size, ShardCount(dim)));
  }
  return local;
}

bool IsEven(const Sharding& sharding, llvm::ArrayRef<int64_t> dims) {
  SPMDC_CHECK(sharding.dims.size() == dims.size(), "the sharding has another rank than the value");
  for (auto [dim, size] : llvm::zip(sharding.dims, dims)) {
    if (size % ShardCount(dim) != 0) {
      return false;
    }
  }
  return true;
}

llvm::SmallVector<std::pair<int64_t, int64_t>, 4> ShardRange(const Mesh& mesh, const Sharding& sharding,
                                                             llvm::ArrayRef<int64_t> dims, int64_t position) {
  SPMDC_CHECK(sharding.dims.size() == dims.size(), "the sharding has another rank than the value");
  llvm::SmallVector<std::pair<int64_t, int64_t>, 4> range;
  for (auto [dim, size] : llvm::zip(sharding.dims, dims)) {
    int64_t local = LocalSize(size, ShardCount(dim));
    int64_t block = Coordinate(mesh, dim.axes, position);
    range.push_back({std::min(block * local, size), std::min((block + 1) * local, size)});
  }
  return range;
}

namespace {

// Sub-axes and axes of one list of names, as P(...) and types spell a dim: `x` or `(x,y)`.
std::string NameList(const Mesh& mesh, llvm::ArrayRef<AxisRef> list) {
  std::string text = ToString(mesh, list);
  return list.size() == 1 ? text : "(" + text + ")";
}

// 'x' or ('x', 'y'), with Python's quotes.
std::string SpecEntryText(const Mesh& mesh, llvm::ArrayRef<AxisRef> list) {
  std::string text;
  for (AxisRef ref : list) {
    text += text.empty() ? "'" : ", '";
    text += ToString(mesh, ref) + "'";
  }
  return list.size() == 1 ? text : "(" + text + ")";
}

std::string SetText(const Mesh& mesh, llvm::ArrayRef<AxisRef> list) {
  std::string text;
  for (AxisRef ref : list) {
    text += text.empty() ? "'" : ", '";
    text += ToString(mesh, ref) + "'";
  }
  return "{" + text + "}";
}

}  // namespace

std::string TypeWithSharding(llvm::StringRef dtype, llvm::ArrayRef<int64_t> dims, const Mesh* mesh,
                             const Sharding* sharding) {
  std::string text = dtype.str() + "[";
  for (size_t i = 0; i < dims.size(); ++i) {
    text += (i == 0 ? "" : ",") + std::to_string(dims[i]);
    if (sharding != nullptr && i < sharding->dims.size() && !sharding->dims[i].axes.empty()) {
      text += "@" + NameList(*mesh, sharding->dims[i].axes);
    }
  }
  text += "]";
  if (sharding == nullptr) {
    return text;
  }
  std::string sets;
  auto add = [&](const char* prefix, llvm::ArrayRef<AxisRef> list) {
    if (!list.empty()) {
      sets += (sets.empty() ? "" : ", ") + std::string(prefix) + ":" + NameList(*mesh, list);
    }
  };
  add("V", sharding->varying);
  add("U", sharding->unreduced);
  add("R", sharding->reduced);
  return sets.empty() ? text : text + "{" + sets + "}";
}

std::string ToSpec(const Mesh& mesh, const Sharding& sharding) {
  std::string text;
  for (const DimSharding& dim : sharding.dims) {
    text += text.empty() ? "" : ", ";
    if (!dim.axes.empty()) {
      text += SpecEntryText(mesh, dim.axes);
    } else {
      text += dim.open ? "UNCONSTRAINED" : "None";
    }
  }
  std::string sets;
  if (!sharding.unreduced.empty()) {
    sets += "unreduced=" + SetText(mesh, sharding.unreduced);
  }
  if (!sharding.reduced.empty()) {
    sets += (sets.empty() ? "reduced=" : ", reduced=") + SetText(mesh, sharding.reduced);
  }
  if (!sharding.unreduced.empty() && sharding.unreduced_kind != Monoid::Sum) {
    sets += ", unreduced_kind=" + Name(sharding.unreduced_kind).str();
  }
  // Python prints a tuple of one with its comma: P('x',), P('x', unreduced={'y'}).
  if (sets.empty()) {
    return "P(" + text + (sharding.dims.size() == 1 ? ",)" : ")");
  }
  return "P(" + text + (text.empty() ? "" : ", ") + sets + ")";
}

namespace {

// What is wrong with one use as such; empty if nothing.
std::string VerifyRef(const Mesh& mesh, AxisRef ref) {
  if (ref.axis < 0 || static_cast<size_t>(ref.axis) >= mesh.axes.size()) {
    return "axis number " + std::to_string(ref.axis) + " is not in the mesh";
  }
  const Axis& axis = mesh.axes[static_cast<size_t>(ref.axis)];
  if (IsWhole(mesh, ref)) {
    return "";
  }
  if (ref.pre < 1 || ref.size < 2 || axis.size % ref.pre != 0 || axis.size / ref.pre % ref.size != 0) {
    return "sub-axis `" + ToString(mesh, ref) + "` is no digit of axis `" + axis.name + "` of size " +
           std::to_string(axis.size);
  }
  return "";
}

}  // namespace

std::string Verify(const Mesh& mesh, const Sharding& sharding, size_t rank) {
  if (sharding.dims.size() != rank) {
    return "the sharding has " + std::to_string(sharding.dims.size()) + " dims, but the value has rank " +
           std::to_string(rank);
  }
  AxisList all;
  for (const DimSharding& dim : sharding.dims) {
    all.append(dim.axes.begin(), dim.axes.end());
  }
  all.append(sharding.replicated.begin(), sharding.replicated.end());
  all.append(sharding.unreduced.begin(), sharding.unreduced.end());
  for (AxisRef ref : all) {
    if (std::string error = VerifyRef(mesh, ref); !error.empty()) {
      return error;
    }
  }
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t j = i + 1; j < all.size(); ++j) {
      if (Overlaps(all[i], all[j])) {
        return all[i] == all[j] ? "axis `" + ToString(mesh, all[i]) + "` is used twice"
                                : "`" + ToString(mesh, all[i]) + "` and `" + ToString(mesh, all[j]) + "` overlap";
      }
      if (!CanCoexist(mesh, all[i], all[j])) {
        return "`" + ToString(mesh, all[i]) + "` and `" + ToString(mesh, all[j]) +
               "` are not digits of one split of their axis";
      }
    }
  }
  return "";
}

}  // namespace spmdc::mesh
