// Cutting a dim's axes along its factors, and putting them together again.
#include "op/factor_axes.h"

#include <numeric>

#include "llvm/ADT/STLExtras.h"
#include "op/sharded_inst.h"

namespace spmdc::op {
namespace {

size_t CountReal(const op::Rule& rule, llvm::ArrayRef<int32_t> composed) {
  return llvm::count_if(composed, [&](int32_t f) { return rule.factors[static_cast<size_t>(f)].size > 1; });
}

// A dim that windows slide over: its factors do not tile it, and only the major one may be split, evenly or not.
bool IsWindowed(const op::Rule& rule, llvm::ArrayRef<int32_t> composed) {
  return llvm::any_of(composed,
                      [&](int32_t f) { return rule.factors[static_cast<size_t>(f)].kind == FactorKind::Window; });
}

// The factor that all axes of a dim are on; null where they are cut along the factors. One factor has them where no other is
// above size 1, and where windows slide.
const int32_t* SoleFactor(const op::Rule& rule, llvm::ArrayRef<int32_t> composed) {
  if (CountReal(rule, composed) > 1 && !IsWindowed(rule, composed)) {
    return nullptr;
  }
  const int32_t* real =
      llvm::find_if(composed, [&](int32_t f) { return rule.factors[static_cast<size_t>(f)].size > 1; });
  return real == composed.end() ? &composed.back() : real;
}

// Cuts a dim's axes along its factors.
void ReadDim(const op::Rule& rule, llvm::ArrayRef<int32_t> composed, const mesh::AxisList& axes, FactorAxes& out) {
  if (composed.empty() || axes.empty()) {
    return;
  }
  if (composed.size() == 1) {
    out[static_cast<size_t>(composed[0])] = axes;
    return;
  }
  if (const int32_t* sole = SoleFactor(rule, composed)) {
    out[static_cast<size_t>(*sole)] = axes;
    return;
  }
  size_t next = 0;
  mesh::AxisRef rest = axes[0];
  for (int32_t f : composed) {
    int64_t left = rule.factors[static_cast<size_t>(f)].size;
    while (left > 1) {
      if (next == axes.size()) {
        return;
      }
      int64_t shared = std::gcd(left, rest.size);
      if (shared == 1) {
        return;
      }
      mesh::Append(out[static_cast<size_t>(f)], mesh::AxisRef{rest.axis, rest.pre, shared});
      left /= shared;
      rest = {rest.axis, rest.pre * shared, rest.size / shared};
      if (rest.size == 1 && ++next < axes.size()) {
        rest = axes[next];
      }
    }
  }
}

}  // namespace

FactorAxes ReadFactors(const Rule& rule, const TensorFactors& tensor, const mesh::Sharding& sharding) {
  FactorAxes axes(rule.factors.size());
  for (size_t d = 0; d < tensor.dims.size(); ++d) {
    ReadDim(rule, tensor.dims[d], sharding.dims[d].axes, axes);
  }
  return axes;
}

FactorAxes PlannedFactors(const ir::Module& module, const ir::Function& function, const ir::Inst& inst,
                          const Rule& rule) {
  FactorAxes axes(rule.factors.size());
  auto read = [&](const TensorFactors& tensor, ir::ValueId v) {
    const mesh::Sharding* sharding = module.sharding(function.values[v]);
    if (sharding == nullptr) {
      return;
    }
    FactorAxes own = ReadFactors(rule, tensor, *sharding);
    for (size_t f = 0; f < own.size(); ++f) {
      if (!own[f].empty()) {
        axes[f] = own[f];
      }
    }
  };
  for (size_t i = 0; i < rule.operands.size(); ++i) {
    read(rule.operands[i], function.operands(inst)[i]);
  }
  for (size_t i = 0; i < rule.results.size(); ++i) {
    read(rule.results[i], function.result(inst, i));
  }
  return axes;
}

mesh::AxisList ShardedInst::DimAxes(const TensorFactors& tensor, size_t dim) const {
  mesh::AxisList list;
  if (dim < tensor.dims.size()) {
    for (int32_t f : tensor.dims[dim]) {
      mesh::Append(list, axes(f));
    }
  }
  return list;
}

tensor::Dims ShardedInst::LocalDims(const TensorFactors& tensor, const ir::Type& type) const {
  tensor::Dims dims = type.dims;
  for (size_t d = 0; d < dims.size(); ++d) {
    dims[d] = mesh::LocalSize(dims[d], mesh::Product(DimAxes(tensor, d)));
  }
  return dims;
}

std::optional<mesh::Sharding> WriteTensor(const Rule& rule, const TensorFactors& tensor, const FactorAxes& factors,
                                          mesh::MeshId mesh) {
  mesh::Sharding sharding = mesh::Replicated(mesh, tensor.dims.size());
  for (size_t d = 0; d < tensor.dims.size(); ++d) {
    llvm::ArrayRef<int32_t> composed = tensor.dims[d];
    if (composed.size() == 1) {
      sharding.dims[d].axes = factors[static_cast<size_t>(composed[0])];
      continue;
    }
    const int32_t* sole = composed.empty() ? nullptr : SoleFactor(rule, composed);
    bool full = true;  // all factors so far are split to single elements
    for (const int32_t& f : composed) {
      int64_t size = rule.factors[static_cast<size_t>(f)].size;
      const mesh::AxisList& axes = factors[static_cast<size_t>(f)];
      int64_t shards = mesh::Product(axes);
      bool fits = sole != nullptr ? &f == sole : full && size % shards == 0;
      if (shards > 1 && !fits) {
        return std::nullopt;
      }
      full = full && shards == size;
      mesh::Append(sharding.dims[d].axes, axes);
    }
  }
  return sharding;
}

}  // namespace spmdc::op
