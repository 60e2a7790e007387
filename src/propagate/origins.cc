// Keeping the log of origins while shardings grow.
#include "propagate/origins.h"

#include "llvm/ADT/STLExtras.h"

namespace spmdc::propagate {

namespace {

// The parts of `axes` that no entry of the list for this dim covers.
mesh::AxisList Unknown(llvm::ArrayRef<AxisOrigin> list, size_t dim, llvm::ArrayRef<mesh::AxisRef> axes) {
  mesh::AxisList known;
  for (const AxisOrigin& origin : list) {
    if (origin.dim == static_cast<int32_t>(dim)) {
      known.push_back(origin.axis);
    }
  }
  return known.empty() ? mesh::AxisList(axes.begin(), axes.end()) : mesh::Subtract(axes, known);
}

}  // namespace

void OriginLog::Place(size_t tensor, const mesh::Sharding& sharding, int32_t annotation) {
  lists_[tensor].clear();
  for (size_t d = 0; d < sharding.dims.size(); ++d) {
    PlaceDim(tensor, d, sharding.dims[d], annotation);
  }
}

void OriginLog::PlaceDim(size_t tensor, size_t dim, const mesh::DimSharding& sharding, int32_t annotation) {
  for (mesh::AxisRef axis : Unknown(lists_[tensor], dim, sharding.axes)) {
    lists_[tensor].push_back({static_cast<int32_t>(dim), axis, annotation, -1, 0});
  }
}

const AxisOrigin* OriginLog::Find(const Projection& projection, size_t changed, llvm::ArrayRef<int32_t> ids,
                                  int32_t factor, mesh::AxisRef axis) const {
  for (size_t t = 0; t < projection.num_tensors(); ++t) {
    const FactorSharding& cell = projection.at(t, static_cast<size_t>(factor));
    if (t == changed || ids[t] < 0 || !cell.present || !mesh::Overlaps(axis, cell.axes)) {
      continue;
    }
    for (const AxisOrigin& origin : lists_[static_cast<size_t>(ids[t])]) {
      if (mesh::Overlaps(origin.axis, axis)) {
        return &origin;
      }
    }
  }
  return nullptr;
}

void OriginLog::Record(const Projection& projection, size_t changed, llvm::ArrayRef<int32_t> ids,
                       const mesh::Sharding& now, int32_t node) {
  ++step_;
  const op::TensorFactors& factors = projection.factors_of(changed);
  auto list = static_cast<size_t>(ids[changed]);
  for (size_t d = 0; d < factors.dims.size(); ++d) {
    for (mesh::AxisRef axis : Unknown(lists_[list], d, now.dims[d].axes)) {
      AxisOrigin added = {static_cast<int32_t>(d), axis, -1, node, step_};
      for (int32_t f : factors.dims[d]) {
        if (const AxisOrigin* source = Find(projection, changed, ids, f, axis)) {
          added.annotation = source->annotation;
          break;
        }
      }
      lists_[list].push_back(added);
    }
  }
}

void OriginLog::RecordFrom(size_t tensor, const mesh::Sharding& now, llvm::ArrayRef<int32_t> sources, int32_t node) {
  ++step_;
  TensorOrigins& list = lists_[tensor];
  llvm::erase_if(list, [&](const AxisOrigin& origin) {
    return !mesh::Overlaps(origin.axis, now.dims[static_cast<size_t>(origin.dim)].axes);
  });
  for (size_t d = 0; d < now.dims.size(); ++d) {
    for (mesh::AxisRef axis : Unknown(list, d, now.dims[d].axes)) {
      AxisOrigin added = {static_cast<int32_t>(d), axis, -1, node, step_};
      for (int32_t source : sources) {
        const auto& from = lists_[static_cast<size_t>(source)];
        const auto* it = llvm::find_if(from, [&](const AxisOrigin& o) { return mesh::Overlaps(o.axis, axis); });
        if (it != from.end()) {
          added.annotation = it->annotation;
          break;
        }
      }
      lists_[tensor].push_back(added);
    }
  }
}

}  // namespace spmdc::propagate
