// The order of shardings, and their joins.
#include "propagate/classic_merge.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

namespace spmdc::propagate {

namespace {

// Whether parts of axes that do not overlap are digits of one split of their axis, each beginning at a multiple of where the
// one before ends.
bool AreOfOneSplit(llvm::ArrayRef<mesh::AxisRef> a, llvm::ArrayRef<mesh::AxisRef> b) {
  return llvm::all_of(a, [&](mesh::AxisRef x) {
    return llvm::all_of(b, [&](mesh::AxisRef y) {
      const auto& [minor, major] = std::minmax(x, y, [](auto l, auto r) { return l.pre < r.pre; });
      return x.axis != y.axis || major.pre % minor.next_pre() == 0;
    });
  });
}

}  // namespace

int64_t ClassicMerge::NumBlocks(const mesh::Sharding& s) {
  int64_t blocks = 1;
  for (const mesh::DimSharding& dim : s.dims) {
    blocks *= mesh::ShardCount(dim);
  }
  return blocks;
}

bool ClassicMerge::IsReplicated(const mesh::Sharding& s) { return s.varying.empty() && NumBlocks(s) == 1; }

bool ClassicMerge::IsManual(const mesh::Sharding& s) const {
  return !s.varying.empty() && mesh::Product(s.varying) == num_devices_;
}

bool ClassicMerge::IsPartial(const mesh::Sharding& s) const {
  return !IsReplicated(s) && NumBlocks(s) * mesh::Product(s.varying) < num_devices_;
}

bool ClassicMerge::IsMoreSpecific(const mesh::Sharding& a, const mesh::Sharding& b) const {
  bool a_manual = IsManual(a);
  if (a_manual || IsManual(b)) {
    return a_manual && IsReplicated(b);
  }
  return IsReplicated(b) ? !IsReplicated(a) : NumBlocks(a) > NumBlocks(b);
}

bool ClassicMerge::MergeIfCompatible(const mesh::Sharding& other, int64_t min_blocks, mesh::Sharding& into) const {
  if (IsReplicated(other) || IsManual(other) || IsManual(into)) {
    return false;
  }
  if (IsReplicated(into)) {
    into = other;
    return true;
  }
  if (!IsPartial(into) || other.mesh != into.mesh || (!other.varying.empty() && other.varying != into.varying)) {
    return false;
  }
  mesh::Sharding merged = into;
  for (size_t d = 0; d < merged.dims.size(); ++d) {
    mesh::AxisList& ours = merged.dims[d].axes;
    const mesh::AxisList& theirs = other.dims[d].axes;
    if (ours.empty()) {
      ours = theirs;
    } else if (!theirs.empty() && ours != theirs) {
      return false;
    }
  }
  if (NumBlocks(merged) < min_blocks) {
    return false;
  }
  mesh::AxisList used = merged.varying;
  for (const mesh::DimSharding& dim : merged.dims) {
    if (mesh::Overlaps(dim.axes, used) || !AreOfOneSplit(dim.axes, used)) {
      return false;
    }
    used.append(dim.axes.begin(), dim.axes.end());
  }
  into = std::move(merged);
  return true;
}

bool ClassicMerge::Merge(const mesh::Sharding& other, mesh::Sharding& into, bool may_combine) const {
  if (may_combine && IsPartial(other) && IsPartial(into) &&
      MergeIfCompatible(other, std::max(NumBlocks(other), NumBlocks(into)) + 1, into)) {
    return true;
  }
  return IsMoreSpecific(into, other);
}

std::optional<mesh::Sharding> ClassicMerge::Improve(const mesh::Sharding& offered, const mesh::Sharding* known,
                                                    llvm::ArrayRef<int64_t> dims, How how) const {
  if (known == nullptr) {
    return offered;
  }
  if (IsManual(offered)) {
    return IsReplicated(*known) ? std::optional<mesh::Sharding>(offered) : std::nullopt;
  }
  mesh::Sharding merged = offered;
  if (!Merge(*known, merged, how.may_combine)) {
    return std::nullopt;
  }
  bool replaces = NumBlocks(merged) == NumBlocks(offered);
  if (!how.may_reshard && !IsReplicated(*known) && replaces && !NestsIn(merged, *known, dims)) {
    return std::nullopt;
  }
  return merged;
}

bool NestsIn(const mesh::Sharding& fine, const mesh::Sharding& coarse, llvm::ArrayRef<int64_t> dims) {
  for (size_t d = 0; d < dims.size(); ++d) {
    const mesh::AxisList& outer = coarse.dims[d].axes;
    if (outer.empty()) {
      continue;
    }
    if (coarse.mesh != fine.mesh || !mesh::IsPrefix(outer, fine.dims[d].axes)) {
      return false;
    }
    int64_t parts = mesh::ShardCount(fine.dims[d]) / mesh::ShardCount(coarse.dims[d]);
    int64_t fine_size = mesh::LocalSize(dims[d], mesh::ShardCount(fine.dims[d]));
    int64_t coarse_size = mesh::LocalSize(dims[d], mesh::ShardCount(coarse.dims[d]));
    // Rounded up, the parts of the first block may reach into the second one, unless nothing is there any more.
    if (parts * fine_size != coarse_size && parts * fine_size < dims[d]) {
      return false;
    }
  }
  return true;
}

mesh::Sharding KeepDims(const mesh::Sharding& s, llvm::ArrayRef<int64_t> dims) {
  mesh::Sharding kept = s;
  for (size_t d = 0; d < kept.dims.size(); ++d) {
    if (!llvm::is_contained(dims, static_cast<int64_t>(d))) {
      kept.dims[d].axes.clear();
    }
  }
  return kept;
}

}  // namespace spmdc::propagate
