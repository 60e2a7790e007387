// Keeping the log of origins while shardings grow.
#include "propagate/origins.h"

#include "llvm/ADT/STLExtras.h"

namespace spmdc::propagate {

Trail MakeTrail(const Projection& projection, size_t changed, const mesh::Sharding& now) {
  Trail trail;
  const op::TensorFactors& factors = projection.factors_of(changed);
  for (size_t d = 0; d < factors.dims.size(); ++d) {
    if (now.dims[d].axes.empty()) {
      continue;
    }
    Trail::Dim& dim = trail.dims.emplace_back();
    dim.dim = static_cast<int32_t>(d);
    dim.axes = now.dims[d].axes;
    for (int32_t f : factors.dims[d]) {
      for (size_t t = 0; t < projection.num_tensors(); ++t) {
        const FactorSharding& cell = projection.at(t, static_cast<size_t>(f));
        if (t != changed && cell.present && !cell.axes.empty()) {
          dim.sources.push_back({static_cast<uint32_t>(t), cell.axes});
        }
      }
    }
  }
  return trail;
}

mesh::AxisList OriginLog::Unknown(size_t tensor, int32_t dim, llvm::ArrayRef<mesh::AxisRef> axes) const {
  mesh::AxisList known;
  for (const AxisOrigin& origin : of(tensor)) {
    if (origin.dim == dim) {
      known.push_back(origin.axis);
    }
  }
  return known.empty() ? mesh::AxisList(axes.begin(), axes.end()) : mesh::Subtract(axes, known);
}

int32_t OriginLog::AnnotationOf(int32_t tensor, mesh::AxisRef axis, bool& found) const {
  for (const AxisOrigin& origin : of(static_cast<size_t>(tensor))) {
    if (mesh::Overlaps(origin.axis, axis)) {
      found = true;
      return origin.annotation;
    }
  }
  return -1;
}

void OriginLog::Add(size_t tensor, const AxisOrigin& origin) {
  auto added = static_cast<int32_t>(entries_.size());
  entries_.push_back({origin, -1});
  int32_t last = first_[tensor];
  if (last < 0) {
    first_[tensor] = added;
    return;
  }
  while (entries_[static_cast<size_t>(last)].next >= 0) {
    last = entries_[static_cast<size_t>(last)].next;
  }
  entries_[static_cast<size_t>(last)].next = added;
}

void OriginLog::Place(size_t tensor, const mesh::Sharding& sharding, int32_t annotation) {
  first_[tensor] = -1;
  for (size_t d = 0; d < sharding.dims.size(); ++d) {
    for (mesh::AxisRef axis : sharding.dims[d].axes) {
      Add(tensor, {axis, static_cast<int32_t>(d), annotation, -1, 0});
    }
  }
}

void OriginLog::Record(size_t changed, llvm::ArrayRef<int32_t> ids, const Trail& trail, int32_t node) {
  ++step_;
  auto tensor = static_cast<size_t>(ids[changed]);
  for (const Trail::Dim& dim : trail.dims) {
    for (mesh::AxisRef axis : Unknown(tensor, dim.dim, dim.axes)) {
      AxisOrigin added = {axis, dim.dim, -1, node, step_};
      bool found = false;
      for (const Trail::Source& source : dim.sources) {
        if (!found && ids[source.tensor] >= 0 && mesh::Overlaps(axis, source.axes)) {
          added.annotation = AnnotationOf(ids[source.tensor], axis, found);
        }
      }
      Add(tensor, added);
    }
  }
}

void OriginLog::RecordFrom(size_t tensor, const mesh::Sharding& now, llvm::ArrayRef<int32_t> sources, int32_t node) {
  ++step_;
  for (int32_t* link = &first_[tensor]; *link >= 0;) {
    Entry& entry = entries_[static_cast<size_t>(*link)];
    bool gone = !mesh::Overlaps(entry.origin.axis, now.dims[static_cast<size_t>(entry.origin.dim)].axes);
    if (gone) {
      *link = entry.next;
    } else {
      link = &entry.next;
    }
  }
  for (size_t d = 0; d < now.dims.size(); ++d) {
    for (mesh::AxisRef axis : Unknown(tensor, static_cast<int32_t>(d), now.dims[d].axes)) {
      AxisOrigin added = {axis, static_cast<int32_t>(d), -1, node, step_};
      bool found = false;
      for (int32_t source : sources) {
        if (!found) {
          added.annotation = AnnotationOf(source, axis, found);
        }
      }
      Add(tensor, added);
    }
  }
}

void OriginLog::Copy(size_t from, size_t to) {
  first_[to] = -1;
  for (int32_t at = first_[from]; at >= 0; at = entries_[static_cast<size_t>(at)].next) {
    Add(to, AxisOrigin(entries_[static_cast<size_t>(at)].origin));
  }
}

}  // namespace spmdc::propagate
