// sort: several arrays by a comparator. The sorted dim is needed whole; the others are mapped.
#include "ops/sort.h"

#include "llvm/ADT/STLExtras.h"
#include "op/reshard_fix.h"
#include "ops/dims.h"
#include "ops/table.h"
#include "ops/typing.h"

namespace spmdc::ops {
namespace {

using op::FactorKind;

bool InferSort(op::InferContext& cx) {
  if (!CheckDimList(cx, "dimension", {cx.attrs<SortAttrs>().dim}, cx.operand(0).rank()) ||
      !CheckSortedTogether(cx, cx.operands)) {
    return false;
  }
  for (const ir::Type& x : cx.operands) {
    cx.Result(WithDims(x, x.dims));
  }
  return true;
}

void RuleSort(op::RuleBuilder& b) {
  int64_t sorted = b.attrs<SortAttrs>().dim;
  const tensor::Dims& dims = b.operands[0].dims;
  bool alone = true;
  for (size_t d = 0; d < dims.size(); ++d) {
    alone = alone && (static_cast<int64_t>(d) == sorted || dims[d] == 1);
  }
  for (size_t d = 0; d < dims.size(); ++d) {
    auto dim = static_cast<int64_t>(d);
    llvm::SmallVector<int64_t, 2> all(b.operands.size(), dim);
    b.Factor(dims[d], dim == sorted ? FactorKind::Whole : FactorKind::Map, all, all, dim == sorted && alone);
  }
}

// jax/_src/lax/lax.py, _sort_abstract_eval: operands that are sharded at all are so alike, and not along the sorted dim.
bool ExplicitSort(op::ExplicitContext& cx) {
  if (!NoUnreducedNorReduced(cx)) {
    return false;
  }
  auto sorted = static_cast<size_t>(cx.infer.attrs<SortAttrs>().dim);
  std::optional<size_t> first;
  for (size_t i = 0; i < cx.infer.operands.size(); ++i) {
    if (!cx.infer.operands[i].sharding.valid()) {
      continue;
    }
    if (!cx.operand(i).dims[sorted].axes.empty()) {
      return cx.Fail(
          diag::Kind::DimMustBeUnsharded,
          "dim " + std::to_string(sorted) + " of " + cx.infer.Show(cx.infer.operands[i]) + " is sharded, and sorted",
          op::UnshardFix(cx, i, sorted));
    }
    first = first.value_or(i);
    if (cx.operand(i).dims != cx.operand(*first).dims) {
      return cx.Fail(diag::Kind::OperandShardingsDiffer, "the operands have different shardings: " + OperandSpecs(cx),
                     op::EitherFix(cx, *first, i));
    }
  }
  for (size_t i = 0; i < cx.infer.operands.size(); ++i) {
    cx.results.push_back(cx.operand(i));
  }
  return true;
}

bool GenericSort(op::StablehloReader& r) {
  SortAttrs attrs;
  const op::MlirAttr& dim = r.attr("dimension");
  int64_t rank = r.operand_types().empty() ? 0 : static_cast<int64_t>(r.operand_types()[0].rank());
  attrs.dim = dim ? dim.integer : -1;
  attrs.dim += attrs.dim < 0 ? rank : 0;
  const op::MlirAttr& stable = r.attr("is_stable");
  attrs.is_stable = stable && stable.integer != 0;
  r.SetAttrs(r.module().tables->attrs.Add(attrs));
  return true;
}

void PrintMlirSort(op::StablehloPrinter& p) {
  p.Property("dimension", std::to_string(p.attrs<SortAttrs>().dim) + " : i64");
  p.Property("is_stable", p.attrs<SortAttrs>().is_stable ? "true" : "false");
}

void PrintHloSort(op::HloPrinter& p) {
  const auto& attrs = p.attrs<SortAttrs>();
  p.Ints("dimensions", {attrs.dim});
  if (attrs.is_stable) {
    p.Attr("is_stable", "true");
  }
  p.Body("to_apply", p.function().bodies(p.inst())[0]);
}

bool ReadHloSort(op::HloReader& r, ir::AttrsId& id) {
  SortAttrs attrs;
  auto dims = r.Ints("dimensions");
  auto body = r.Body("to_apply");
  if (!dims || dims->size() != 1 || !body) {
    return r.Fail("dimensions", "expected the one dim that is sorted");
  }
  attrs.dim = (*dims)[0];
  attrs.is_stable = r.Bool("is_stable").value_or(false);
  r.UseBodies(*body);
  id = r.module().tables->attrs.Add(attrs);
  return true;
}

// JAX's sort has no comparator of the user's: printed with the body's name.
void PrintNativeSort(op::NativePrinter& p) {
  const auto& attrs = p.attrs<SortAttrs>();
  std::string operands;
  for (size_t i = 0; i < p.inst().num_operands; ++i) {
    operands += (i == 0 ? "" : ", ") + p.Operand(i);
  }
  p.Callee("spmdc.sort");
  p.Args("(" + operands + (p.inst().num_operands == 1 ? ",)" : ")") + ", " + p.Body(p.function().bodies(p.inst())[0]));
  p.Keyword("dimension", std::to_string(attrs.dim));
  p.Keyword("is_stable", attrs.is_stable ? "True" : "False");
}

// In the classic propagation a dim that is sorted and split goes on only if another dim can take its blocks over.
bool HoldsSortedDim(const op::ClassicCarry& carry) {
  auto sorted = static_cast<size_t>(carry.module.attrs<SortAttrs>(carry.inst).dim);
  const mesh::Sharding& s = carry.sharding;
  int64_t blocks = mesh::ShardCount(s.dims[sorted]);
  if (!carry.forward() || blocks == 1) {
    return false;
  }
  const auto& dims = carry.type(carry.from).dims;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (d != sorted && dims[d] % (mesh::ShardCount(s.dims[d]) * blocks) == 0) {
      return false;
    }
  }
  return true;
}

// Each comparison runs the body.
int64_t SortCost(const ir::Module& module, const ir::Function& f, const ir::Inst& inst) {
  constexpr int64_t kNumbersPerComparison = 8;
  const ir::Type& array = module.type(f, f.operands(inst)[0]);
  auto dim = static_cast<size_t>(module.attrs<SortAttrs>(inst).dim);
  int64_t rounds = 1;
  for (int64_t n = array.dims[dim]; n > 1; n /= 2) {
    ++rounds;
  }
  return array.num_elements() * rounds * kNumbersPerComparison;
}

constexpr op::OpDef SortDef() {
  op::OpDef def;
  def.kind = ir::OpKind::Sort;
  def.min_operands = 1;
  def.max_operands = -1;
  def.min_bodies = def.max_bodies = 1;
  def.make_attrs = ir::NewAttrs<SortAttrs>;
  def.region = op::Region::Apply;
  def.classic.barred = HoldsSortedDim;
  def.infer = InferSort;
  def.rule = RuleSort;
  def.explicit_types = ExplicitSort;
  def.eval = EvalSort;
  def.eval_cost = SortCost;
  def.hlo_opcode = "sort";
  def.print_hlo = PrintHloSort;
  def.read_hlo = ReadHloSort;
  def.from_generic = GenericSort;
  def.print_stablehlo = PrintMlirSort;
  def.print_native = PrintNativeSort;
  return def;
}

}  // namespace

bool CheckSortedTogether(op::InferContext& cx, llvm::ArrayRef<ir::Type> arrays) {
  bool good = cx.num_body_args(0) == 2 * arrays.size() && cx.num_body_results(0) == 1 &&
              SameShape(cx.body_result(0, 0), ir::ArrayType(tensor::DType::Pred, {}));
  for (size_t i = 0; good && i < arrays.size(); ++i) {
    ir::Type scalar = ir::ArrayType(arrays[i].dtype, {});
    good = SameShape(cx.body_arg(0, 2 * i), scalar) && SameShape(cx.body_arg(0, 2 * i + 1), scalar);
  }
  if (!good) {
    return cx.Fail(diag::Kind::DtypeRule,
                   "the comparator should take two scalars of each array's element type and return one pred");
  }
  for (const ir::Type& x : arrays) {
    if (x.dims != arrays[0].dims) {
      return cx.Fail(diag::Kind::BroadcastShape,
                     "got " + cx.Show(arrays[0]) + " and " + cx.Show(x) + ", expected arrays of one shape");
    }
  }
  return true;
}

constinit const op::OpDef kSort = SortDef();

}  // namespace spmdc::ops
