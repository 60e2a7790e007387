// All small meshes, and shardings on them, for comparison with brute force.
#pragma once

#include <random>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "mesh/sharding.h"

namespace spmdc::mesh::test {

inline Mesh MakeMesh(llvm::ArrayRef<int64_t> sizes) {
  static constexpr const char* kNames[] = {"a", "b", "c", "d"};
  Mesh mesh;
  mesh.name = "mesh";
  for (auto [name, size] : llvm::zip(kNames, sizes)) {
    mesh.axes.push_back({name, size});
  }
  return mesh;
}

// Every mesh of one to three axes with sizes 1, 2, 3, 4 and 6 and at most `most` devices.
inline std::vector<Mesh> SmallMeshes(int64_t most) {
  std::vector<Mesh> meshes;
  constexpr int64_t kSizes[] = {1, 2, 3, 4, 6};
  for (int64_t a : kSizes) {
    meshes.push_back(MakeMesh({a}));
    for (int64_t b : kSizes) {
      meshes.push_back(MakeMesh({a, b}));
      for (int64_t c : kSizes) {
        meshes.push_back(MakeMesh({a, b, c}));
      }
    }
  }
  llvm::erase_if(meshes, [most](const Mesh& mesh) { return mesh.size() > most; });
  return meshes;
}

// The mesh with its devices shuffled.
inline Mesh Permuted(Mesh mesh, std::mt19937& random) {
  for (int64_t i = 0, n = mesh.size(); i < n; ++i) {
    mesh.device_ids.push_back(i);
  }
  // Not std::shuffle: its result differs between standard libraries.
  for (size_t i = mesh.device_ids.size(); i > 1; --i) {
    std::swap(mesh.device_ids[i - 1], mesh.device_ids[random() % i]);
  }
  NormalizeDeviceIds(mesh);
  return mesh;
}

// Every use of every axis but those of size 1.
inline std::vector<AxisRef> AllRefs(const Mesh& mesh) {
  std::vector<AxisRef> refs;
  for (size_t axis = 0; axis < mesh.axes.size(); ++axis) {
    int64_t n = mesh.axes[axis].size;
    for (int64_t pre = 1; pre <= n; ++pre) {
      for (int64_t size = 2; pre * size <= n; ++size) {
        if (n % pre == 0 && n / pre % size == 0) {
          refs.push_back({static_cast<int32_t>(axis), pre, size});
        }
      }
    }
  }
  return refs;
}

inline bool Coexist(const Mesh& mesh, llvm::ArrayRef<AxisRef> a, llvm::ArrayRef<AxisRef> b) {
  return llvm::all_of(a, [&](AxisRef x) { return llvm::all_of(b, [&](AxisRef y) { return CanCoexist(mesh, x, y); }); });
}

// Every canonical list of up to `length` disjoint uses that can coexist.
inline std::vector<AxisList> AllLists(const Mesh& mesh, size_t length) {
  std::vector<AxisList> lists = {AxisList()};
  std::vector<AxisRef> refs = AllRefs(mesh);
  for (size_t i = 0; i < lists.size(); ++i) {
    if (lists[i].size() == length) {
      continue;
    }
    for (AxisRef ref : refs) {
      AxisList longer = lists[i];
      Append(longer, ref);
      if (longer.size() == lists[i].size() + 1 && !Overlaps(ref, lists[i]) && Coexist(mesh, {ref}, lists[i])) {
        lists.push_back(longer);
      }
    }
  }
  return lists;
}

// The digits of a position along the axes, by counting up: nothing shared with the code under test.
inline std::vector<int64_t> AxisIndices(const Mesh& mesh, int64_t position) {
  std::vector<int64_t> index(mesh.axes.size(), 0);
  for (int64_t i = 0; i < position; ++i) {
    for (size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < mesh.axes[axis].size) {
        break;
      }
      index[axis] = 0;
    }
  }
  return index;
}

// The number of a list's digits at a position, digit by digit from the axis index.
inline int64_t BruteCoordinate(const Mesh& mesh, llvm::ArrayRef<AxisRef> list, int64_t position) {
  std::vector<int64_t> index = AxisIndices(mesh, position);
  int64_t number = 0;
  for (AxisRef ref : list) {
    int64_t minor = mesh.axes[static_cast<size_t>(ref.axis)].size / (ref.pre * ref.size);
    number = number * ref.size + index[static_cast<size_t>(ref.axis)] / minor % ref.size;
  }
  return number;
}

// BruteCoordinate at all positions.
inline std::vector<int64_t> Column(const Mesh& mesh, llvm::ArrayRef<AxisRef> list) {
  std::vector<int64_t> column;
  for (int64_t i = 0, n = mesh.size(); i < n; ++i) {
    column.push_back(BruteCoordinate(mesh, list, i));
  }
  return column;
}

// Random disjoint axes on `rank` dims and an unreduced set; about one axis in five stays unused.
inline Sharding RandomSharding(const Mesh& mesh, size_t rank, std::mt19937& random, bool unreduced) {
  Sharding sharding = Replicated(MeshId{0}, rank);
  std::vector<AxisRef> refs = AllRefs(mesh);
  AxisList used;
  for (int tries = 0; tries < 8 && !refs.empty(); ++tries) {
    AxisRef ref = refs[random() % refs.size()];
    if (Overlaps(ref, used) || !Coexist(mesh, {ref}, used)) {
      continue;
    }
    size_t place = random() % (rank + 2);
    if (place < rank) {
      Append(sharding.dims[place].axes, ref);
    } else if (place == rank && unreduced) {
      sharding.unreduced.push_back(ref);
      sharding.unreduced = AsSet(sharding.unreduced);
    }
    used.push_back(ref);
  }
  return sharding;
}

}  // namespace spmdc::mesh::test
