// Which components of indices count, seen through what JAX's indexing puts around them.
#include "ops/implicit_batch.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "ops/constant.h"
#include "ops/elementwise.h"
#include "ops/shape.h"
#include "ops/slice.h"

namespace spmdc::ops {
namespace {

using ir::OpKind;

// Follows values of one function to the ops that make them.
class Values {
 public:
  Values(const ir::Module& module, const ir::Function& f) : module_(module), f_(f) {}

  const tensor::Dims& dims(ir::ValueId v) const { return module_.type(f_, v).dims; }
  // The op that makes v; null for arguments.
  const ir::Inst* Def(ir::ValueId v) const {
    ir::InstId def = f_.values[v].def;
    return def.valid() ? &f_.insts[def] : nullptr;
  }
  ir::ValueId Operand(const ir::Inst& inst, size_t i) const { return f_.operands(inst)[i]; }
  template <typename T>
  const T& attrs(const ir::Inst& inst) const {
    return module_.attrs<T>(inst);
  }

  // The dim along which the elements of v are 0, 1, 2, ...; nothing if there is none.
  std::optional<int64_t> CountsAlong(ir::ValueId v) const {
    const ir::Inst* inst = Def(v);
    if (inst == nullptr || !tensor::IsInteger(module_.type(f_, v).dtype)) {
      return std::nullopt;
    }
    switch (inst->op) {
      case OpKind::Iota:
        return attrs<IotaAttrs>(*inst).dim;
      case OpKind::Constant:
        return IsCount(attrs<ConstantAttrs>(*inst).value) ? std::optional<int64_t>(0) : std::nullopt;
      case OpKind::BroadcastInDim:
      case OpKind::Reshape:
        return ThroughShape(*inst, v);
      case OpKind::Convert:
        return ThroughConvert(*inst, v);
      case OpKind::Select:
        return ThroughWrap(*inst);
      default:
        return std::nullopt;
    }
  }

  bool IsSplit(ir::ValueId v, int64_t dim) const {
    mesh::ShardingId id = f_.values[v].sharding;
    return id.valid() && !module_.tables->shardings[id].dims[static_cast<size_t>(dim)].axes.empty();
  }

 private:
  static bool IsCount(const tensor::Literal& literal) {
    constexpr int64_t kMostLookedAt = 1 << 20;
    if (literal.dims().size() != 1 || literal.is_unknown() || literal.size() > kMostLookedAt) {
      return false;
    }
    return llvm::all_of(llvm::seq<int64_t>(0, literal.size()), [&](int64_t i) { return literal.GetInt(i) == i; });
  }

  std::optional<int64_t> ThroughShape(const ir::Inst& inst, ir::ValueId v) const {
    ir::ValueId from = Operand(inst, 0);
    std::optional<int64_t> dim = CountsAlong(from);
    if (!dim) {
      return std::nullopt;
    }
    int64_t size = dims(from)[static_cast<size_t>(*dim)];
    if (inst.op == OpKind::BroadcastInDim) {
      int64_t to = attrs<BroadcastInDimAttrs>(inst).broadcast_dims[static_cast<size_t>(*dim)];
      return dims(v)[static_cast<size_t>(to)] == size ? std::optional(to) : std::nullopt;
    }
    // Dims of one element come and go; the others stay as they are.
    auto others = [&](ir::ValueId value) {
      llvm::SmallVector<int64_t, 4> kept;
      for (int64_t d = 0; d < static_cast<int64_t>(dims(value).size()); ++d) {
        if (dims(value)[static_cast<size_t>(d)] != 1) {
          kept.push_back(d);
        }
      }
      return kept;
    };
    auto before = others(from), after = others(v);
    const auto* it = llvm::find(before, *dim);
    auto size_before = [&](int64_t d) { return dims(from)[static_cast<size_t>(d)]; };
    auto size_after = [&](int64_t d) { return dims(v)[static_cast<size_t>(d)]; };
    bool alike = before.size() == after.size() && llvm::all_of(llvm::zip(before, after), [&](const auto& pair) {
                   return size_before(std::get<0>(pair)) == size_after(std::get<1>(pair));
                 });
    return alike && it != before.end() ? std::optional(after[static_cast<size_t>(it - before.begin())]) : std::nullopt;
  }

  std::optional<int64_t> ThroughConvert(const ir::Inst& inst, ir::ValueId v) const {
    std::optional<int64_t> dim = CountsAlong(Operand(inst, 0));
    if (!dim) {
      return std::nullopt;
    }
    int bits = std::min(tensor::BitWidth(module_.type(f_, v).dtype), 63);
    return dims(v)[static_cast<size_t>(*dim)] <= int64_t{1} << (bits - 1) ? dim : std::nullopt;
  }

  // `select(i < 0, i + n, i)`: negative indices count from the end, and a count has none.
  std::optional<int64_t> ThroughWrap(const ir::Inst& inst) const {
    std::optional<int64_t> kept = CountsAlong(Operand(inst, 2));
    return kept && (IsZero(Operand(inst, 0)) || IsNegative(Operand(inst, 0), *kept)) ? kept : std::nullopt;
  }

  // Whether v asks of a count along `dim` where it is below zero.
  bool IsNegative(ir::ValueId v, int64_t dim) const {
    const ir::Inst* test = Def(v);
    return test != nullptr && test->op == OpKind::Compare && attrs<CompareAttrs>(*test).direction == Direction::Lt &&
           IsZero(Operand(*test, 1)) && CountsAlong(Operand(*test, 0)) == dim;
  }

  // Zero or false everywhere.
  bool IsZero(ir::ValueId v) const {
    const ir::Inst* inst = Def(v);
    while (inst != nullptr && (inst->op == OpKind::BroadcastInDim || inst->op == OpKind::Reshape)) {
      inst = Def(Operand(*inst, 0));
    }
    if (inst == nullptr || inst->op != OpKind::Constant) {
      return false;
    }
    const tensor::Literal& literal = attrs<ConstantAttrs>(*inst).value;
    bool one_value = literal.is_splat() || literal.size() == 1;
    return one_value && !literal.is_unknown() && literal.GetInt(0) == 0;
  }

  const ir::Module& module_;
  const ir::Function& f_;
};

// The pairs of batch dims in the order of the operand's dims, as the texts want them.
void AddBatchDim(Addressing& a, int64_t operand_dim, int64_t indices_dim) {
  size_t at = static_cast<size_t>(llvm::lower_bound(a.operand_batching, operand_dim) - a.operand_batching.begin());
  a.operand_batching.insert(a.operand_batching.begin() + at, operand_dim);
  a.indices_batching.insert(a.indices_batching.begin() + at, indices_dim);
  a.collapsed.erase(llvm::find(a.collapsed, operand_dim));
}

}  // namespace

std::optional<ImplicitBatch> FindImplicitBatch(const ir::Module& module, const ir::Function& f, ir::ValueId operand,
                                               ir::ValueId indices, Addressing addressing) {
  Values values(module, f);
  const ir::Inst* joined = values.Def(indices);
  if (joined == nullptr || joined->op != OpKind::Concatenate ||
      values.attrs<ConcatenateAttrs>(*joined).dim != addressing.index_vector_dim) {
    return std::nullopt;
  }
  ImplicitBatch found{std::move(addressing), {}};
  Addressing& a = found.addressing;
  tensor::Dims map = std::move(a.index_map);
  a.index_map.clear();
  auto vector_dim = static_cast<size_t>(a.index_vector_dim);
  bool is_split = false;
  size_t component = 0;
  for (ir::ValueId part : f.operands(*joined)) {
    auto size = static_cast<size_t>(values.dims(part)[vector_dim]);
    std::optional<int64_t> along = size == 1 ? values.CountsAlong(part) : std::nullopt;
    int64_t addressed = map[component];
    bool counts =
        along && *along != a.index_vector_dim && llvm::is_contained(a.collapsed, addressed) &&
        !llvm::is_contained(a.indices_batching, *along) &&
        values.dims(part)[static_cast<size_t>(*along)] == values.dims(operand)[static_cast<size_t>(addressed)];
    if (counts) {
      AddBatchDim(a, addressed, *along);
      is_split = is_split || values.IsSplit(operand, addressed) || values.IsSplit(indices, *along);
    } else {
      found.components.push_back(part);
      a.index_map.append(map.begin() + component, map.begin() + component + size);
    }
    component += size;
  }
  return is_split && !found.components.empty() ? std::optional(std::move(found)) : std::nullopt;
}

op::Merged WithComponents(const ir::Module& module, const ir::Function& f, const ir::Inst& inst, size_t indices,
                          const ImplicitBatch& found, ir::AttrsId attrs) {
  op::Merged merged{inst.op, attrs, {f.operands(inst).begin(), f.operands(inst).end()}, {}};
  if (found.components.size() == 1) {
    merged.operands[indices] = found.components[0];
    return merged;
  }
  int64_t dim = found.addressing.index_vector_dim;
  ir::Type type = module.type(f, merged.operands[indices]);
  type.dims[static_cast<size_t>(dim)] = static_cast<int64_t>(found.addressing.index_map.size());
  merged.before = op::Merged::Before{OpKind::Concatenate, module.tables->attrs.Add(ConcatenateAttrs{dim}),
                                     found.components, type, indices};
  return merged;
}

}  // namespace spmdc::ops
