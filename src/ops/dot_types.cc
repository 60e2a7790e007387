// Sharding in types of dot_general: JAX's rule, and what the choices cost where it leaves one.
#include "diag/fix.h"
#include "llvm/ADT/STLExtras.h"
#include "op/collective.h"
#include "op/op_def.h"
#include "ops/dims.h"
#include "ops/dot.h"
#include "ops/typing.h"

namespace spmdc::ops {
namespace {

mesh::AxisList AxesOf(const mesh::Sharding& s, const tensor::Dims& dims) {
  mesh::AxisList axes;
  for (int64_t d : dims) {
    const mesh::AxisList& more = s.dims[static_cast<size_t>(d)].axes;
    axes.append(more.begin(), more.end());
  }
  return axes;
}

// `('x', None)`: the entries of some dims.
std::string Entries(const op::ExplicitContext& cx, const mesh::Sharding& s, const tensor::Dims& dims) {
  mesh::Sharding part = mesh::Replicated(s.mesh, dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    part.dims[i].axes = s.dims[static_cast<size_t>(dims[i])].axes;
  }
  return mesh::ToSpec(cx.mesh(), part);
}

// One way to place the result of a contraction over sharded dims.
struct Placement {
  std::string spec, move;
  int64_t bytes = 0;
};

// What DotTypes works on: the operands' shardings and the result's before anything is done about the contracted axes.
struct Contraction {
  mesh::Sharding lhs, rhs, result;
  const DotGeneralAttrs* attrs = nullptr;

  // The axes of the contracted dims, one side or both.
  mesh::AxisList axes() const {
    mesh::AxisList all = AxesOf(lhs, attrs->lhs_contracting);
    mesh::AxisList more = AxesOf(rhs, attrs->rhs_contracting);
    all.append(more.begin(), more.end());
    return mesh::AsSet(all);
  }
  bool same_contracting() const {
    for (size_t i = 0; i < attrs->lhs_contracting.size(); ++i) {
      if (lhs.dims[static_cast<size_t>(attrs->lhs_contracting[i])].axes !=
          rhs.dims[static_cast<size_t>(attrs->rhs_contracting[i])].axes) {
        return false;
      }
    }
    return true;
  }
};

// Batch dims are the lhs's, as JAX has it, also where only the rhs names an axis.
Contraction MakeContraction(const op::ExplicitContext& cx) {
  Contraction c{cx.operand(0), cx.operand(1), cx.replicated_result(0), &cx.infer.attrs<DotGeneralAttrs>()};
  size_t next = 0;
  for (size_t i = 0; i < c.attrs->lhs_batch.size(); ++i) {
    c.result.dims[next++].axes = c.lhs.dims[static_cast<size_t>(c.attrs->lhs_batch[i])].axes;
  }
  auto append_free = [&](const mesh::Sharding& s, const tensor::Dims& contracting, const tensor::Dims& batch) {
    for (size_t d = 0; d < s.dims.size(); ++d) {
      int64_t dim = static_cast<int64_t>(d);
      if (!llvm::is_contained(contracting, dim) && !llvm::is_contained(batch, dim)) {
        c.result.dims[next++].axes = s.dims[d].axes;
      }
    }
  };
  append_free(c.lhs, c.attrs->lhs_contracting, c.attrs->lhs_batch);
  append_free(c.rhs, c.attrs->rhs_contracting, c.attrs->rhs_batch);
  return c;
}

// --- The choices -----------------------------------------------------------------------------------------------------

// The result without axes that are contracted or stand on an earlier dim: what each device has before it reduces.
mesh::Sharding LegalPart(const mesh::Sharding& s, mesh::AxisList taken) {
  mesh::Sharding legal = s;
  for (mesh::DimSharding& dim : legal.dims) {
    llvm::erase_if(dim.axes, [&](mesh::AxisRef ref) { return mesh::Overlaps(ref, taken); });
    taken.append(dim.axes.begin(), dim.axes.end());
  }
  return legal;
}

std::string LocalType(const op::ExplicitContext& cx, const mesh::Sharding& s, int64_t& bytes) {
  ir::Type local = ir::ArrayType(cx.infer.results[0].dtype, mesh::LocalDims(s, cx.infer.results[0].dims));
  bytes = local.bytes();
  return cx.infer.Show(local);
}

// All-reduce, a reduce-scatter to each dim that the axes divide, and no reduction at all, cheapest first.
std::vector<Placement> Placements(const op::ExplicitContext& cx, const Contraction& c) {
  mesh::AxisList axes = c.axes();
  mesh::Sharding base = LegalPart(c.result, axes);
  int64_t n = mesh::Product(axes), bytes = 0;
  std::string local = LocalType(cx, base, bytes);
  std::string over = " of " + local + " over '" + mesh::ToString(cx.mesh(), axes) + "'";
  std::vector<Placement> all;
  if (c.same_contracting()) {
    mesh::Sharding unreduced = base;
    unreduced.unreduced = axes;
    all.push_back({mesh::ToSpec(cx.mesh(), unreduced), "no communication, the sum stays spread", 0});
  }
  for (size_t d = 0; d < base.dims.size(); ++d) {
    mesh::Sharding scattered = base;
    mesh::Append(scattered.dims[d].axes, axes);
    if (cx.infer.results[0].dims[d] % mesh::ShardCount(scattered.dims[d]) == 0) {
      int64_t wire = static_cast<int64_t>(op::WireBytes(op::CollectiveKind::ReduceScatter, n, bytes, bytes / n));
      all.push_back({mesh::ToSpec(cx.mesh(), scattered), "reduce-scatter" + over, wire});
    }
  }
  int64_t wire = static_cast<int64_t>(op::WireBytes(op::CollectiveKind::AllReduce, n, bytes, bytes));
  all.push_back({mesh::ToSpec(cx.mesh(), base), "all-reduce" + over, wire});
  return all;
}

bool FailAmbiguous(op::ExplicitContext& cx, const Contraction& c) {
  auto handle = cx.infer.diags.Error(
      diag::Kind::ContractingAmbiguous, cx.infer.span,
      "dot_general: contracting dims are sharded and it is ambiguous how the output should be sharded; got " +
          OperandSpecs(cx) + ", contracting " + Entries(cx, c.lhs, c.attrs->lhs_contracting) + " with " +
          Entries(cx, c.rhs, c.attrs->rhs_contracting));
  for (const Placement& p : Placements(cx, c)) {
    handle.Help(diag::ToHelp({"out_sharding=" + p.spec, p.move, p.bytes}));
  }
  return false;
}

// --- The rule --------------------------------------------------------------------------------------------------------

// Dims that are paired must not name different axes; one side may name none.
bool CheckPairs(op::ExplicitContext& cx, const Contraction& c, bool batch) {
  const tensor::Dims& lhs = batch ? c.attrs->lhs_batch : c.attrs->lhs_contracting;
  const tensor::Dims& rhs = batch ? c.attrs->rhs_batch : c.attrs->rhs_contracting;
  for (size_t i = 0; i < lhs.size(); ++i) {
    const mesh::AxisList& a = c.lhs.dims[static_cast<size_t>(lhs[i])].axes;
    const mesh::AxisList& b = c.rhs.dims[static_cast<size_t>(rhs[i])].axes;
    if (!a.empty() && !b.empty() && a != b) {
      return cx.Fail(batch ? diag::Kind::BatchSharding : diag::Kind::ContractingAmbiguous,
                     std::string(batch ? "batch" : "contracting") + " dims must be sharded consistently; got lhs dim " +
                         std::to_string(lhs[i]) + " over '" + mesh::ToString(cx.mesh(), a) + "' and rhs dim " +
                         std::to_string(rhs[i]) + " over '" + mesh::ToString(cx.mesh(), b) + "' of " + OperandSpecs(cx),
                     "reshard one operand to the other's axes" + std::string(batch ? "" : ", or say out_sharding="));
    }
  }
  return true;
}

// An unreduced result is the contraction left undone over exactly the contracted axes.
bool CheckAskedUnreduced(op::ExplicitContext& cx, const Contraction& c, const mesh::Sharding& asked) {
  if (asked.unreduced.empty()) {
    return true;
  }
  if (!c.same_contracting()) {
    return cx.Fail(diag::Kind::UnreducedUse,
                   "lhs and rhs contracting dims must be sharded alike where out_sharding has unreduced axes; got " +
                       Entries(cx, c.lhs, c.attrs->lhs_contracting) + " and " +
                       Entries(cx, c.rhs, c.attrs->rhs_contracting));
  }
  if (mesh::AsSet(asked.unreduced) != c.axes()) {
    return cx.Fail(diag::Kind::UnreducedUse,
                   "out_sharding is unreduced over '" + mesh::ToString(cx.mesh(), asked.unreduced) +
                       "', expected the axes of the contracting dims, " + Entries(cx, c.lhs, c.attrs->lhs_contracting));
  }
  return true;
}

}  // namespace

bool DotTypes(op::ExplicitContext& cx) {
  Contraction c = MakeContraction(cx);
  const mesh::Sharding* asked = OutSharding(cx);
  if (asked == nullptr) {
    if (!CheckPairs(cx, c, /*batch=*/true) || !CheckPairs(cx, c, /*batch=*/false)) {
      return false;
    }
    for (size_t i = 0; i < c.attrs->lhs_contracting.size(); ++i) {
      if (!c.lhs.dims[static_cast<size_t>(c.attrs->lhs_contracting[i])].axes.empty() &&
          !c.rhs.dims[static_cast<size_t>(c.attrs->rhs_contracting[i])].axes.empty()) {
        return FailAmbiguous(cx, c);
      }
    }
  }
  if (UsesAxesOnce(asked != nullptr ? *asked : c.result) && !NoUnreduced(cx)) {
    return false;
  }
  if (asked == nullptr) {
    return GiveSharding(cx, std::move(c.result));
  }
  return CheckAskedUnreduced(cx, c, *asked) && GiveSharding(cx, *asked);
}

}  // namespace spmdc::ops
