// cholesky and triangular_solve: matrices are needed whole, batch dims are mapped.
#include "ops/linalg.h"

#include "ops/dims.h"
#include "ops/table.h"
#include "ops/typing.h"

namespace spmdc::ops {
namespace {

using op::FactorKind;
using op::kNoDim;

bool CheckSquare(op::InferContext& cx, const ir::Type& a) {
  bool square = a.rank() >= 2 && a.dims[a.rank() - 1] == a.dims[a.rank() - 2];
  if (!square) {
    return cx.Fail(diag::Kind::ShapeRule, "got " + cx.Show(a) + ", expected square matrices in the last two dims");
  }
  return tensor::IsFloat(a.dtype) || tensor::IsComplex(a.dtype) ||
         cx.Fail(diag::Kind::DtypeRule, "got " + cx.Show(a) + ", expected floats or complex numbers");
}

bool InferCholesky(op::InferContext& cx) {
  if (!CheckSquare(cx, cx.operand(0))) {
    return false;
  }
  cx.Result(WithDims(cx.operand(0), cx.operand(0).dims));
  return true;
}

void RuleCholesky(op::RuleBuilder& b) {
  auto rank = static_cast<int64_t>(b.operands[0].rank());
  for (int64_t d = 0; d < rank; ++d) {
    FactorKind kind = d < rank - 2 ? FactorKind::Map : FactorKind::Whole;
    b.Factor(b.operands[0].dims[static_cast<size_t>(d)], kind, {d}, {d});
  }
}

bool InferTriangularSolve(op::InferContext& cx) {
  const ir::Type& a = cx.operand(0);
  const ir::Type& x = cx.operand(1);
  if (!CheckSquare(cx, a)) {
    return false;
  }
  bool fits = x.rank() == a.rank() && x.dtype == a.dtype;
  for (size_t d = 0; fits && d + 2 < a.rank(); ++d) {
    fits = a.dims[d] == x.dims[d];
  }
  size_t side = cx.attrs<TriangularSolveAttrs>().left_side ? 2 : 1;
  if (!fits || x.dims[x.rank() - side] != a.dims.back()) {
    return cx.Fail(diag::Kind::ShapeRule, "the right side " + cx.Show(x) + " does not fit " + cx.Show(a));
  }
  cx.Result(WithDims(x, x.dims));
  return true;
}

// Shardy's rule: the matrix's dims, and the right side's dims that are none of its.
void RuleTriangularSolve(op::RuleBuilder& b) {
  auto rank = static_cast<int64_t>(b.operands[0].rank());
  for (int64_t d = 0; d < rank - 2; ++d) {
    b.Factor(b.operands[0].dims[static_cast<size_t>(d)], FactorKind::Map, {d, d}, {d});
  }
  bool left = b.attrs<TriangularSolveAttrs>().left_side;
  int64_t n = b.operands[0].dims.back(), solved = left ? rank - 2 : rank - 1, other = left ? rank - 1 : rank - 2;
  b.Factor(n, FactorKind::Whole, {left ? rank - 2 : rank - 1, solved}, {kNoDim});
  // Shardings do not spread along the right side's other dim, but its rows are solved one by one.
  b.SelfCombining(
      b.Factor(b.operands[1].dims[static_cast<size_t>(other)], FactorKind::Whole, {kNoDim, other}, {other}));
  b.Factor(n, FactorKind::Whole, {left ? rank - 1 : rank - 2, kNoDim}, {solved});
}

// The axes of the last two dims of an operand: rows, then columns.
mesh::AxisList MatrixAxes(const mesh::Sharding& s, bool columns) {
  return s.dims[s.dims.size() - (columns ? 1 : 2)].axes;
}

// jax/_src/lax/linalg.py, _tri_solve_sharding: batch dims agree, the dims summed over are unsharded, and the result's solved
// dim is sharded as the matrices' other dim.
bool ExplicitTriangularSolve(op::ExplicitContext& cx) {
  const auto& attrs = cx.infer.attrs<TriangularSolveAttrs>();
  const mesh::Sharding a = cx.operand(0);
  mesh::Sharding result = cx.operand(1);
  bool transposed = attrs.transpose != Transpose::No;
  if (!NoUnreducedNorReduced(cx)) {
    return false;
  }
  for (size_t d = 0; d + 2 < a.dims.size(); ++d) {
    if (a.dims[d].axes != result.dims[d].axes) {
      return cx.Fail(diag::Kind::OperandShardingsDiffer, "the batch dims are sharded differently: " + OperandSpecs(cx),
                     "reshard one operand to the other's batch dims");
    }
  }
  if (!MatrixAxes(a, attrs.left_side != transposed).empty() || !MatrixAxes(result, !attrs.left_side).empty()) {
    return cx.Fail(diag::Kind::DimMustBeUnsharded,
                   "both operands must be unsharded along the dim that is summed over, got " + OperandSpecs(cx),
                   "reshard the operand so that this dim has no mesh axis");
  }
  size_t solved = result.dims.size() - (attrs.left_side ? 2 : 1);
  result.dims[solved].axes = MatrixAxes(a, attrs.left_side == transposed);
  return GiveSharding(cx, std::move(result));
}

bool ParseCholesky(op::StablehloReader& r) {
  CholeskyAttrs attrs;
  if (!r.Operand()) {
    return false;
  }
  if (r.TryToken(",")) {
    auto word = r.Expect("lower") && r.Expect("=") ? r.Word() : std::nullopt;
    if (!word) {
      return false;
    }
    attrs.lower = *word == "true";
  } else {
    attrs.lower = false;
  }
  r.SetAttrs(r.module().tables->attrs.Add(attrs));
  return r.ColonTypes();
}

void PrintMlirCholesky(op::StablehloPrinter& p) {
  p.Property("lower", p.attrs<CholeskyAttrs>().lower ? "true" : "false");
}

bool GenericCholesky(op::StablehloReader& r) {
  r.SetAttrs(r.module().tables->attrs.Add(CholeskyAttrs{r.attr("lower") && r.attr("lower").integer != 0}));
  return true;
}

void PrintHloCholesky(op::HloPrinter& p) { p.Attr("lower", p.attrs<CholeskyAttrs>().lower ? "true" : "false"); }

bool ReadHloCholesky(op::HloReader& r, ir::AttrsId& id) {
  id = r.module().tables->attrs.Add(CholeskyAttrs{r.Bool("lower").value_or(false)});
  return true;
}

std::optional<Transpose> TransposeOf(llvm::StringRef text) {
  if (text == "NO_TRANSPOSE" || text == "TRANSPOSE_INVALID") {
    return Transpose::No;
  }
  if (text == "TRANSPOSE") {
    return Transpose::Transpose;
  }
  return text == "ADJOINT" ? std::optional<Transpose>(Transpose::Adjoint) : std::nullopt;
}

bool GenericTriangularSolve(op::StablehloReader& r) {
  auto is = [&](llvm::StringRef name) { return r.attr(name) && r.attr(name).integer != 0; };
  auto transpose = TransposeOf(r.attr("transpose_a").text);
  if (!transpose) {
    return r.Fail(diag::Kind::Attribute, "transpose_a is none of NO_TRANSPOSE, TRANSPOSE, ADJOINT");
  }
  r.SetAttrs(r.module().tables->attrs.Add(
      TriangularSolveAttrs{is("left_side"), is("lower"), is("unit_diagonal"), *transpose}));
  return true;
}

constexpr llvm::StringRef kTransposes[] = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};

void PrintMlirTriangularSolve(op::StablehloPrinter& p) {
  const auto& attrs = p.attrs<TriangularSolveAttrs>();
  auto text = [](bool value) { return value ? "true" : "false"; };
  p.Property("left_side", text(attrs.left_side));
  p.Property("lower", text(attrs.lower));
  p.Property("transpose_a", "#stablehlo<transpose " + kTransposes[static_cast<size_t>(attrs.transpose)].str() + ">");
  p.Property("unit_diagonal", text(attrs.unit_diagonal));
}

void PrintHloTriangularSolve(op::HloPrinter& p) {
  const auto& attrs = p.attrs<TriangularSolveAttrs>();
  auto text = [](bool value) { return value ? "true" : "false"; };
  p.Attr("left_side", text(attrs.left_side));
  p.Attr("lower", text(attrs.lower));
  p.Attr("unit_diagonal", text(attrs.unit_diagonal));
  p.Attr("transpose_a", kTransposes[static_cast<size_t>(attrs.transpose)].str());
}

bool ReadHloTriangularSolve(op::HloReader& r, ir::AttrsId& id) {
  auto transpose = TransposeOf(r.Text("transpose_a").value_or("NO_TRANSPOSE"));
  if (!transpose) {
    return r.Fail("transpose_a", "expected NO_TRANSPOSE, TRANSPOSE or ADJOINT");
  }
  auto is = [&](llvm::StringRef name) { return r.Bool(name).value_or(false); };
  id =
      r.module().tables->attrs.Add(TriangularSolveAttrs{is("left_side"), is("lower"), is("unit_diagonal"), *transpose});
  return true;
}

// Each number of the last operand with each of a row of the matrix.
int64_t MatrixCost(const ir::Module& module, const ir::Function& f, const ir::Inst& inst) {
  llvm::ArrayRef<ir::ValueId> operands = f.operands(inst);
  return module.type(f, operands.back()).num_elements() * module.type(f, operands[0]).dims.back();
}

}  // namespace

const op::OpDef kCholesky = {
    .kind = ir::OpKind::Cholesky,
    .min_operands = 1,
    .max_operands = 1,
    .make_attrs = ir::NewAttrs<CholeskyAttrs>,
    .classic = {.take = op::Classic::Take::Nothing},
    .infer = InferCholesky,
    .rule = RuleCholesky,
    .eval = EvalCholesky,
    .eval_cost = MatrixCost,
    .hlo_opcode = "cholesky",
    .print_hlo = PrintHloCholesky,
    .read_hlo = ReadHloCholesky,
    .parse_stablehlo = ParseCholesky,
    .from_generic = GenericCholesky,
    .print_stablehlo = PrintMlirCholesky,
};

const op::OpDef kTriangularSolve = {
    .kind = ir::OpKind::TriangularSolve,
    .min_operands = 2,
    .max_operands = 2,
    .make_attrs = ir::NewAttrs<TriangularSolveAttrs>,
    .classic = {.take = op::Classic::Take::Nothing},
    .infer = InferTriangularSolve,
    .rule = RuleTriangularSolve,
    .explicit_types = ExplicitTriangularSolve,
    .eval = EvalTriangularSolve,
    .eval_cost = MatrixCost,
    .hlo_opcode = "triangular-solve",
    .print_hlo = PrintHloTriangularSolve,
    .read_hlo = ReadHloTriangularSolve,
    .from_generic = GenericTriangularSolve,
    .print_stablehlo = PrintMlirTriangularSolve,
};

}  // namespace spmdc::ops
