// The algebra of axis uses: interval arithmetic on (axis, pre, size).
//
// A use covers the digits between two boundaries, pre and pre*size, of its axis. Two uses meet if the intervals do, and a
// part of a use is a use exactly if its boundaries divide each other in order.
#include "mesh/axes.h"

#include <algorithm>
#include <numeric>

#include "support/check.h"

namespace spmdc::mesh {

AxisRef Whole(const Mesh& mesh, int32_t axis) { return {axis, 1, mesh.axes[static_cast<size_t>(axis)].size}; }

AxisList AllAxes(const Mesh& mesh) {
  AxisList all;
  for (size_t i = 0; i < mesh.axes.size(); ++i) {
    all.push_back(Whole(mesh, static_cast<int32_t>(i)));
  }
  return all;
}

bool IsWhole(const Mesh& mesh, AxisRef ref) { return ref == Whole(mesh, ref.axis); }

std::string ToString(const Mesh& mesh, AxisRef ref) {
  std::string text = mesh.axes[static_cast<size_t>(ref.axis)].name;
  if (!IsWhole(mesh, ref)) {
    text += ":(" + std::to_string(ref.pre) + ")" + std::to_string(ref.size);
  }
  return text;
}

std::string ToString(const Mesh& mesh, llvm::ArrayRef<AxisRef> list) {
  std::string text;
  for (AxisRef ref : list) {
    text += text.empty() ? "" : ",";
    text += ToString(mesh, ref);
  }
  return text;
}

int64_t Product(llvm::ArrayRef<AxisRef> list) {
  int64_t product = 1;
  for (AxisRef ref : list) {
    product *= ref.size;
  }
  return product;
}

void Append(AxisList& list, AxisRef ref) {
  if (ref.size == 1) {
    return;
  }
  if (!list.empty() && list.back().size != 1 && list.back().axis == ref.axis && list.back().next_pre() == ref.pre) {
    list.back().size *= ref.size;
    return;
  }
  list.push_back(ref);
}

void Append(AxisList& list, llvm::ArrayRef<AxisRef> more) {
  for (AxisRef ref : more) {
    if (ref.size == 1) {
      list.push_back(ref);
    } else {
      Append(list, ref);
    }
  }
}

AxisList DropUnits(llvm::ArrayRef<AxisRef> list) {
  AxisList kept;
  for (AxisRef ref : list) {
    Append(kept, ref);
  }
  return kept;
}

AxisList AsSet(llvm::ArrayRef<AxisRef> list) {
  AxisList sorted(list.begin(), list.end());
  llvm::sort(sorted);
  AxisList set;
  for (AxisRef ref : sorted) {
    if (!set.empty() && set.back() == ref) {
      continue;
    }
    // Uses that overlap, but share boundaries, unite as well.
    if (!set.empty() && set.back().axis == ref.axis && ref.size != 1 && ref.pre <= set.back().next_pre()) {
      AxisRef& last = set.back();
      int64_t next = std::max(last.next_pre(), ref.next_pre());
      int64_t inner = std::min(last.next_pre(), ref.next_pre());
      if (ref.pre % last.pre == 0 && inner % ref.pre == 0 && next % inner == 0) {
        last.size = next / last.pre;
        continue;
      }
    }
    set.push_back(ref);
  }
  return set;
}

bool Overlaps(AxisRef a, AxisRef b) {
  if (a.axis != b.axis) {
    return false;
  }
  return a == b || std::max(a.pre, b.pre) < std::min(a.next_pre(), b.next_pre());
}

bool Overlaps(AxisRef a, llvm::ArrayRef<AxisRef> list) {
  return llvm::any_of(list, [a](AxisRef b) { return Overlaps(a, b); });
}

bool Overlaps(llvm::ArrayRef<AxisRef> a, llvm::ArrayRef<AxisRef> b) {
  return llvm::any_of(a, [b](AxisRef ref) { return Overlaps(ref, b); });
}

bool CanCoexist(const Mesh& mesh, AxisRef a, AxisRef b) {
  if (a.axis != b.axis) {
    return true;
  }
  int64_t bounds[] = {a.pre, a.next_pre(), b.pre, b.next_pre(), mesh.axes[static_cast<size_t>(a.axis)].size};
  std::sort(std::begin(bounds), std::end(bounds));
  for (size_t i = 1; i < std::size(bounds); ++i) {
    if (bounds[i] % bounds[i - 1] != 0) {
      return false;
    }
  }
  return true;
}

bool Covers(llvm::ArrayRef<AxisRef> outer, llvm::ArrayRef<AxisRef> inner) {
  AxisList set = AsSet(outer);
  return llvm::all_of(inner, [&set](AxisRef in) {
    return llvm::any_of(set, [in](AxisRef out) {
      if (in.size == 1 || out.size == 1) {
        return in == out;
      }
      return out.axis == in.axis && in.pre % out.pre == 0 && out.next_pre() % in.next_pre() == 0;
    });
  });
}

namespace {

// The pieces of a that share nothing with b, major first.
AxisList Without(AxisRef a, AxisRef b) {
  AxisList pieces;
  if (!Overlaps(a, b)) {
    pieces.push_back(a);
    return pieces;
  }
  if (a.size == 1) {
    return pieces;
  }
  // In front of b: up to b's first boundary, or what of it divides a's.
  int64_t front = b.pre % a.pre == 0 ? std::gcd(a.next_pre(), b.pre) : a.pre;
  Append(pieces, {a.axis, a.pre, front / a.pre});
  // Behind b: from b's last boundary on, if it is one of a's digits too.
  int64_t next = b.next_pre();
  if (a.next_pre() % next == 0 && next % a.pre == 0) {
    Append(pieces, {a.axis, next, a.next_pre() / next});
  }
  return pieces;
}

}  // namespace

AxisList Subtract(llvm::ArrayRef<AxisRef> a, llvm::ArrayRef<AxisRef> b) {
  AxisList rest;
  for (AxisRef ref : a) {
    AxisList pieces = {ref};
    for (AxisRef cut : b) {
      AxisList smaller;
      for (AxisRef piece : pieces) {
        AxisList parts = Without(piece, cut);
        smaller.append(parts.begin(), parts.end());
      }
      pieces = std::move(smaller);
    }
    Append(rest, pieces);
  }
  return rest;
}

AxisList Intersect(llvm::ArrayRef<AxisRef> a, llvm::ArrayRef<AxisRef> b) {
  AxisList set = AsSet(b);
  AxisList both;
  for (AxisRef ref : a) {
    for (AxisRef other : set) {
      if (!Overlaps(ref, other)) {
        continue;
      }
      int64_t pre = std::max(ref.pre, other.pre);
      int64_t next = std::min(ref.next_pre(), other.next_pre());
      int64_t first = std::min(ref.pre, other.pre);
      int64_t last = std::max(ref.next_pre(), other.next_pre());
      if (pre % first == 0 && next % pre == 0 && last % next == 0) {
        AxisList piece = {{ref.axis, pre, next / pre}};
        Append(both, piece);
      }
    }
  }
  return both;
}

AxisList CommonPrefix(llvm::ArrayRef<AxisRef> a, llvm::ArrayRef<AxisRef> b) {
  AxisList prefix;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (a[i] == b[i]) {
      prefix.push_back(a[i]);
      continue;
    }
    // Canonical lists: after a cut, the rest of one digit faces another digit, so that nothing more can be common
    // but a common divisor of the two.
    if (a[i].axis == b[i].axis && a[i].pre == b[i].pre) {
      Append(prefix, AxisRef{a[i].axis, a[i].pre, std::gcd(a[i].size, b[i].size)});
    }
    break;
  }
  return prefix;
}

bool IsPrefix(llvm::ArrayRef<AxisRef> prefix, llvm::ArrayRef<AxisRef> list) {
  return llvm::ArrayRef<AxisRef>(CommonPrefix(prefix, list)) == prefix;
}

AxisList DropPrefix(llvm::ArrayRef<AxisRef> list, llvm::ArrayRef<AxisRef> prefix) {
  SPMDC_CHECK(IsPrefix(prefix, list), "not a prefix of the list");
  if (prefix.empty()) {
    return AxisList(list.begin(), list.end());
  }
  AxisList rest;
  AxisRef cut = list[prefix.size() - 1];
  Append(rest, AxisRef{cut.axis, prefix.back().next_pre(), cut.size / prefix.back().size});
  Append(rest, list.drop_front(prefix.size()));
  return rest;
}

AxisList CutAtBoundaries(llvm::ArrayRef<AxisRef> list, llvm::ArrayRef<AxisRef> uses) {
  AxisList atoms;
  for (AxisRef ref : list) {
    llvm::SmallVector<int64_t, 8> bounds;
    for (AxisRef use : uses) {
      if (use.axis == ref.axis) {
        bounds.push_back(use.pre);
        bounds.push_back(use.next_pre());
      }
    }
    llvm::sort(bounds);
    for (int64_t bound : bounds) {
      // A boundary that is none of this use's own digits (uses that cannot coexist) cuts nothing.
      if (bound > ref.pre && bound < ref.next_pre() && bound % ref.pre == 0 && ref.next_pre() % bound == 0) {
        atoms.push_back({ref.axis, ref.pre, bound / ref.pre});
        ref = {ref.axis, bound, ref.next_pre() / bound};
      }
    }
    atoms.push_back(ref);
  }
  return atoms;
}

int64_t PositionStride(const Mesh& mesh, AxisRef ref) {
  int64_t stride = mesh.axes[static_cast<size_t>(ref.axis)].size / ref.next_pre();
  for (size_t i = static_cast<size_t>(ref.axis) + 1; i < mesh.axes.size(); ++i) {
    stride *= mesh.axes[i].size;
  }
  return stride;
}

int64_t Coordinate(const Mesh& mesh, AxisRef ref, int64_t position) {
  return position / PositionStride(mesh, ref) % ref.size;
}

int64_t Coordinate(const Mesh& mesh, llvm::ArrayRef<AxisRef> list, int64_t position) {
  int64_t number = 0;
  for (AxisRef ref : list) {
    number = number * ref.size + Coordinate(mesh, ref, position);
  }
  return number;
}

}  // namespace spmdc::mesh
