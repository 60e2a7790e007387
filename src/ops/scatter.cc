// scatter: typing, rule and definition. Lowering is in gather_localize.cc, evaluation in gather_eval.cc.
#include "llvm/ADT/STLExtras.h"
#include "ops/addressing.h"
#include "ops/dims.h"
#include "ops/gather.h"
#include "ops/gather_eval.h"
#include "ops/gather_localize.h"
#include "ops/gather_text.h"
#include "ops/implicit_batch.h"
#include "ops/ranges_of.h"
#include "ops/table.h"

namespace spmdc::ops {
namespace {

using op::FactorKind;

constexpr llvm::StringRef kScatterFields[] = {"update_window_dims", "inserted_window_dims", "input_batching_dims",
                                              "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"};

bool CheckUpdates(op::InferContext& cx, const Addressing& a, size_t n) {
  const ir::Type& indices = cx.operand(n);
  tensor::Dims operand_dims = OperandWindowDims(a, cx.operand(0).rank());
  tensor::Dims batch_dims = IndexBatchDims(a, indices.rank());
  tensor::Dims numbering = WindowBatchDims(a, cx.operand(n + 1).rank());
  for (size_t i = 0; i < n; ++i) {
    const ir::Type& updates = cx.operand(n + 1 + i);
    if (updates.dtype != cx.operand(i).dtype) {
      return cx.Fail(diag::Kind::DtypeRule, "updates " + cx.Show(updates) + " and operand " + cx.Show(cx.operand(i)) +
                                                " have different element types");
    }
    if (updates.dims != cx.operand(n + 1).dims || cx.operand(i).dims != cx.operand(0).dims) {
      return cx.Fail(diag::Kind::ShapeRule, "the operands differ in dims, or the updates do");
    }
  }
  for (size_t i = 0; i < numbering.size(); ++i) {
    if (cx.operand(n + 1).dims[static_cast<size_t>(numbering[i])] != indices.dims[static_cast<size_t>(batch_dims[i])]) {
      return cx.Fail(diag::Kind::ShapeRule, "dim " + std::to_string(numbering[i]) + " of updates " +
                                                cx.Show(cx.operand(n + 1)) + " is not of the size of dim " +
                                                std::to_string(batch_dims[i]) + " of indices " + cx.Show(indices));
    }
  }
  return true;
}

bool CheckScatterBody(op::InferContext& cx, size_t n) {
  bool good = cx.num_body_args(0) == 2 * n && cx.num_body_results(0) == n;
  for (size_t i = 0; good && i < n; ++i) {
    tensor::DType dtype = cx.operand(i).dtype;
    for (const ir::Type* type : {&cx.body_arg(0, i), &cx.body_arg(0, i + n), &cx.body_result(0, i)}) {
      good = good && type->rank() == 0 && type->dtype == dtype;
    }
  }
  return good ||
         cx.Fail(diag::Kind::ShapeRule,
                 "the body should take two scalars per operand, of its element type, and return one per operand");
}

bool InferScatter(op::InferContext& cx) {
  if (cx.operands.size() % 2 == 0) {
    return cx.Fail(diag::Kind::OperandCount, "got " + std::to_string(cx.operands.size()) +
                                                 " operands, expected n arrays, the indices and n updates");
  }
  size_t n = cx.operands.size() / 2;
  const ir::Type& updates = cx.operand(n + 1);
  const auto& attrs = cx.attrs<ScatterAttrs>();
  Addressing a = AddressingOf(attrs, cx.operand(0), updates);
  std::string problem = CheckAddressing(a, cx.operand(0), cx.operand(n), kScatterFields);
  if (!problem.empty()) {
    return cx.Fail(tensor::IsInteger(cx.operand(n).dtype) ? diag::Kind::ShapeRule : diag::Kind::DtypeRule, problem);
  }
  size_t rank = a.window_dims.size() + IndexBatchDims(a, cx.operand(n).rank()).size();
  if (updates.rank() != rank) {
    return cx.Fail(diag::Kind::ShapeRule, "updates " + cx.Show(updates) + " should have " + std::to_string(rank) +
                                              " dims: those of the windows and those of the indices");
  }
  if (!CheckUpdates(cx, a, n) || !CheckScatterBody(cx, n)) {
    return false;
  }
  for (size_t i = 0; i < n; ++i) {
    cx.Result(WithDims(cx.operand(i), cx.operand(i).dims));
  }
  return true;
}

// Which dim of all operands and results, of the indices, of all updates a factor is on.
void AddFactor(op::RuleBuilder& b, int64_t size, FactorKind kind, int64_t operand_dim, int64_t index_dim,
               int64_t update_dim) {
  size_t n = b.results.size();
  int32_t factor = b.Factor(size, kind);
  b.Operand(n, index_dim, factor);
  for (size_t i = 0; i < n; ++i) {
    b.Operand(i, operand_dim, factor);
    b.Operand(n + 1 + i, update_dim, factor);
    b.Result(i, operand_dim, factor);
  }
}

// How the results combine where only some of the updates are seen; false if some combination is no known monoid.
bool SetMonoids(op::RuleBuilder& b) {
  size_t n = b.results.size();
  llvm::SmallVector<mesh::Monoid, 2> monoids;
  for (size_t i = 0; i < n; ++i) {
    monoids.push_back(op::RecognizeMonoid(b.module, b.bodies[0], i));
    if (monoids.back() == mesh::Monoid::None) {
      return false;
    }
  }
  for (size_t i = 0; i < n; ++i) {
    b.Combine(i, monoids[i]);
    b.Fill(n + 1 + i, monoids[i]);
  }
  return true;
}

void RuleScatter(op::RuleBuilder& b) {
  size_t n = b.results.size();
  const ir::Type& operand = b.operands[0];
  const ir::Type& updates = b.operands[n + 1];
  Addressing a = AddressingOf(b.attrs<ScatterAttrs>(), operand, updates);
  tensor::Dims operand_dims = OperandWindowDims(a, operand.rank());
  tensor::Dims batch_dims = IndexBatchDims(a, b.operands[n].rank());
  tensor::Dims component = ComponentOf(a, operand.rank());
  bool known = SetMonoids(b);
  size_t window = 0, batch = 0;
  for (int64_t u = 0; u < static_cast<int64_t>(updates.rank()); ++u) {
    int64_t size = updates.dims[static_cast<size_t>(u)];
    if (llvm::is_contained(a.window_dims, u)) {
      int64_t d = operand_dims[window++];
      int64_t whole = operand.dims[static_cast<size_t>(d)];
      if (whole == size) {
        AddFactor(b, size, FactorKind::Map, d, op::kNoDim, u);
        continue;
      }
      bool index = size == 1 && component[static_cast<size_t>(d)] >= 0;
      AddFactor(b, whole, index ? FactorKind::Index : FactorKind::Whole, d, op::kNoDim, op::kNoDim);
      AddFactor(b, size, FactorKind::Whole, op::kNoDim, op::kNoDim, u);
      continue;
    }
    int64_t e = batch_dims[batch++];
    const auto* it = llvm::find(a.indices_batching, e);
    if (it != a.indices_batching.end()) {
      AddFactor(b, size, FactorKind::Map, a.operand_batching[it - a.indices_batching.begin()], e, u);
    } else {
      AddFactor(b, size, known ? FactorKind::Reduce : FactorKind::Whole, op::kNoDim, e, u);
    }
  }
  for (int64_t d : a.collapsed) {
    bool index = component[static_cast<size_t>(d)] >= 0;
    AddFactor(b, operand.dims[static_cast<size_t>(d)], index ? FactorKind::Index : FactorKind::Whole, d, op::kNoDim,
              op::kNoDim);
  }
  if (a.has_index_vector(b.operands[n].rank())) {
    int64_t e = a.index_vector_dim;
    AddFactor(b, b.operands[n].dims[static_cast<size_t>(e)], FactorKind::Whole, op::kNoDim, e, op::kNoDim);
  }
}

bool Ambiguous(op::ExplicitContext& cx, size_t n) {
  return cx.Fail(diag::Kind::ScatterAmbiguous,
                 "the sharding of the result could not be resolved unambiguously (or would require collectives on "
                 "inputs): operand " +
                     cx.infer.Show(cx.infer.operands[0]) + ", indices " + cx.infer.Show(cx.infer.operands[n]) +
                     ", updates " + cx.infer.Show(cx.infer.operands[n + 1]),
                 "use .at[...].set/add/mul/...(out_sharding=) to say the sharding of the result");
}

// All that are not empty are one list; `joined` is it.
bool Agree(llvm::ArrayRef<const mesh::AxisList*> lists, mesh::AxisList& joined) {
  for (const mesh::AxisList* list : lists) {
    if (!list->empty() && !joined.empty() && *list != joined) {
      return false;
    }
    joined = joined.empty() ? *list : joined;
  }
  return true;
}

// JAX's rule (_scatter_spec_computation) for operand i; see jax/_src/lax/slicing.py.
bool ResolveScatter(op::ExplicitContext& cx, size_t n, size_t i, mesh::Sharding& result) {
  const ir::Type& type = cx.infer.operands[i];
  const ir::Type& updates_type = cx.infer.operands[n + 1 + i];
  Addressing a = AddressingOf(cx.infer.attrs<ScatterAttrs>(), type, updates_type);
  mesh::Sharding indices = cx.operand(n), updates = cx.operand(n + 1 + i);
  tensor::Dims operand_dims = OperandWindowDims(a, type.rank());
  tensor::Dims batch_dims = IndexBatchDims(a, indices.dims.size());
  tensor::Dims numbering = WindowBatchDims(a, updates.dims.size());
  bool good = true;
  for (size_t k = 0; k < batch_dims.size(); ++k) {
    const mesh::AxisList& of_indices = indices.dims[static_cast<size_t>(batch_dims[k])].axes;
    const mesh::AxisList& of_updates = updates.dims[static_cast<size_t>(numbering[k])].axes;
    const auto* it = llvm::find(a.indices_batching, batch_dims[k]);
    if (it == a.indices_batching.end()) {
      good = good && of_indices.empty() && of_updates.empty();
      continue;
    }
    mesh::AxisList& own = result.dims[static_cast<size_t>(a.operand_batching[it - a.indices_batching.begin()])].axes;
    mesh::AxisList joined;
    good = good && Agree({&own, &of_indices, &of_updates}, joined);
    own = joined;
  }
  for (size_t k = 0; k < operand_dims.size(); ++k) {
    auto d = static_cast<size_t>(operand_dims[k]), u = static_cast<size_t>(a.window_dims[k]);
    const mesh::AxisList& of_operand = result.dims[d].axes;
    const mesh::AxisList& of_updates = updates.dims[u].axes;
    bool full = type.dims[d] == updates_type.dims[u];
    good = good && ((full && of_operand == of_updates) || (of_operand.empty() && of_updates.empty()));
  }
  for (int64_t d : a.collapsed) {
    good = good && result.dims[static_cast<size_t>(d)].axes.empty();
  }
  if (a.has_index_vector(indices.dims.size())) {
    good = good && indices.dims[static_cast<size_t>(a.index_vector_dim)].axes.empty();
  }
  return good || Ambiguous(cx, n);
}

bool ExplicitScatter(op::ExplicitContext& cx) {
  size_t n = cx.infer.results.size();
  for (size_t i = 0; i < n; ++i) {
    mesh::Sharding result = cx.operand(i);
    mesh::Sharding updates = cx.operand(n + 1 + i), indices = cx.operand(n);
    if (result.unreduced != updates.unreduced || !indices.unreduced.empty() || !result.reduced.empty() ||
        !updates.reduced.empty() || !indices.reduced.empty()) {
      return cx.Fail(
          diag::Kind::UnreducedUse,
          "operand and updates must be unreduced along the same axes, indices along none, and nothing may be "
          "reduced: operand " +
              mesh::ToSpec(cx.mesh(), result) + ", indices " + mesh::ToSpec(cx.mesh(), indices) + ", updates " +
              mesh::ToSpec(cx.mesh(), updates),
          "reshard them to specs that agree");
    }
    mesh::AxisList unreduced = result.unreduced;
    if (cx.infer.out_sharding.valid()) {
      result = cx.infer.tables().shardings[cx.infer.out_sharding];
    } else if (!ResolveScatter(cx, n, i, result)) {
      return false;
    } else {
      result.unreduced = unreduced;
    }
    result.varying = JoinVarying(cx);
    cx.results.push_back(std::move(result));
  }
  return true;
}

// In the classic propagation the arrays look at the result only, the indices at the updates only.
bool IsBarred(const op::ClassicCarry& carry) {
  size_t n = carry.num_operands() / 2;
  bool result = carry.from >= carry.num_operands();
  bool within_arrays = carry.to < n && !result;
  bool past_updates = carry.to == n && carry.from <= n;
  return within_arrays || past_updates || (carry.to == n && result);
}

std::optional<op::Merged> MergeCountingIndices(const ir::Module& module, const ir::Function& f, const ir::Inst& inst) {
  ScatterAttrs attrs = module.attrs<ScatterAttrs>(inst);
  llvm::ArrayRef<ir::ValueId> operands = f.operands(inst);
  size_t n = operands.size() / 2;
  Addressing addressing = AddressingOf(attrs, module.type(f, operands[0]), module.type(f, operands[n + 1]));
  auto found = FindImplicitBatch(module, f, operands[0], operands[n], std::move(addressing));
  if (!found) {
    return MergeRanges(module, f, inst);
  }
  attrs.inserted_window_dims = found->addressing.collapsed;
  attrs.input_batching_dims = found->addressing.operand_batching;
  attrs.scatter_indices_batching_dims = found->addressing.indices_batching;
  attrs.scatter_dims_to_operand_dims = found->addressing.index_map;
  return WithComponents(module, f, inst, n, *found, module.tables->attrs.Add(std::move(attrs)));
}

// Elements may be replaced, by a body that returns its last argument; other bodies compute with numbers.
bool WordsOfScatter(op::WordsContext& cx) {
  const ir::Function& body = cx.module.functions[cx.bodies[0]];
  if (!body.insts.empty() || body.results.size() != 1 || body.results[0] != body.args.back()) {
    return false;
  }
  auto rank = static_cast<int64_t>(cx.operands[2].rank());
  return cx.Change<ScatterAttrs>([&](ScatterAttrs& attrs) { attrs.update_window_dims.push_back(rank); });
}

}  // namespace

const op::OpDef kScatter = {
    .kind = ir::OpKind::Scatter,
    .min_operands = 3,
    .max_operands = -1,
    .min_bodies = 1,
    .max_bodies = 1,
    .make_attrs = ir::NewAttrs<ScatterAttrs>,
    .region = op::Region::Apply,
    .classic = {.operands_join = true, .may_reshard = false, .barred = IsBarred},
    .takes_out_sharding = true,
    .flops = 1,
    .infer = InferScatter,
    .rule = RuleScatter,
    .explicit_types = ExplicitScatter,
    .localize = LocalizeScatter,
    .eval = EvalScatter,
    .merge = MergeCountingIndices,
    .on_words = WordsOfScatter,
    .hlo_opcode = "scatter",
    .print_hlo = PrintHloScatter,
    .read_hlo = ReadHloScatter,
    .from_generic = GenericScatter,
    .print_stablehlo = PrintMlirScatter,
    .native_name = "lax.scatter",
    .print_native = PrintNativeScatter,
};

}  // namespace spmdc::ops
