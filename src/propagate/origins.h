// Who decided each axis: for every axis on every dim of a tensor the annotation behind it, and the step that brought it.
#pragma once

#include <vector>

#include "ir/module.h"
#include "propagate/projection.h"

namespace spmdc::propagate {

struct AxisOrigin {
  mesh::AxisRef axis;
  int32_t dim = 0;
  int32_t annotation = -1;  // in View::annotations
  int32_t node = -1;        // in Graph::nodes, the last one it came through; none where it was placed
  int32_t step = 0;         // counts changes of shardings
};

// How a sharding of a tensor of an op came about: for each dim with axes, the tensors of the op that may have brought them,
// in the order in which they are asked, and their axes there.
struct Trail {
  struct Source {
    uint32_t tensor = 0;  // of the op
    mesh::AxisList axes;
  };
  struct Dim {
    int32_t dim = 0;
    mesh::AxisList axes;
    std::vector<Source> sources;
  };
  std::vector<Dim> dims;
};
// Of the tensor at `changed` of the projection, which got the sharding `now`.
Trail MakeTrail(const Projection& projection, size_t changed, const mesh::Sharding& now);

class OriginLog {
  struct Entry {
    AxisOrigin origin;
    int32_t next = -1;  // of the same list
  };

 public:
  // The origins of one tensor.
  class List {
   public:
    struct Iterator {
      const std::vector<Entry>* entries;
      int32_t at;
      const AxisOrigin& operator*() const { return (*entries)[static_cast<size_t>(at)].origin; }
      Iterator& operator++() {
        at = (*entries)[static_cast<size_t>(at)].next;
        return *this;
      }
      bool operator!=(const Iterator& other) const { return at != other.at; }
    };
    List(const std::vector<Entry>& entries, int32_t first) : entries_(&entries), first_(first) {}
    Iterator begin() const { return {entries_, first_}; }
    Iterator end() const { return {entries_, -1}; }

   private:
    const std::vector<Entry>* entries_;
    int32_t first_;
  };

  // One list per tensor, then one per result of the entry.
  void Resize(size_t n) {
    first_.resize(n, -1);
    entries_.reserve(2 * n);
  }
  List of(size_t tensor) const { return {entries_, first_[tensor]}; }

  // All axes of the sharding come from an annotation; replaces what was known.
  void Place(size_t tensor, const mesh::Sharding& sharding, int32_t annotation);
  // A tensor of an op got a sharding: its new axes come from the other tensors of the op, as the trail says. `ids` are the
  // tensors of the op (none: -1), the changed one among them.
  void Record(size_t changed, llvm::ArrayRef<int32_t> ids, const Trail& trail, int32_t node);
  // The tensor got the sharding `now`: axes that are new on their dim come from the tensors in `sources`, the first that
  // has them; axes that are gone are forgotten.
  void RecordFrom(size_t tensor, const mesh::Sharding& now, llvm::ArrayRef<int32_t> sources, int32_t node);
  // A tensor takes all of another's list (sharding groups, copies).
  void Copy(size_t from, size_t to);

 private:
  // The parts of `axes` that no entry of the tensor for this dim covers.
  mesh::AxisList Unknown(size_t tensor, int32_t dim, llvm::ArrayRef<mesh::AxisRef> axes) const;
  // The annotation behind an axis of a tensor; -1 where it has none of it.
  int32_t AnnotationOf(int32_t tensor, mesh::AxisRef axis, bool& found) const;
  void Add(size_t tensor, const AxisOrigin& origin);

  std::vector<Entry> entries_;
  std::vector<int32_t> first_;  // per list
  int32_t step_ = 0;
};

}  // namespace spmdc::propagate
