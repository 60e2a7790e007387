// lax.dot_general and the reductions of lax: what the prelude makes matmul, einsum, sum, mean and the like of.
#include "llvm/ADT/STLExtras.h"
#include "op/eval.h"
#include "ops/dot.h"
#include "ops/reduce.h"
#include "text/native/evaluator.h"
#include "text/native/numpy.h"
#include "text/native/tracer.h"

namespace spmdc::text::native {

std::string PrecisionText(const Value& v) {
  auto one = [](const Value& word) -> std::string {
    llvm::StringRef name = word.is(VK::Str) ? llvm::StringRef(Text(word)) : "";
    return name == "highest" || name == "HIGHEST" || name == "float32"                            ? "HIGHEST"
           : name == "high" || name == "HIGH" || name == "bfloat16_3x" || name == "tensorfloat32" ? "HIGH"
                                                                                                  : "DEFAULT";
  };
  bool pair = v.is_sequence() && Items(v).size() == 2;
  std::string left = one(pair ? Items(v)[0] : v), right = one(pair ? Items(v)[1] : v);
  return left == "DEFAULT" && right == "DEFAULT" ? "" : left + ", " + right;
}

namespace {

using ir::OpKind;
using tensor::DType;

bool PairOf(Evaluator& ev, const Value& v, const char* what, Value& first, Value& second) {
  std::vector<Value> items;
  if (!ev.Iterate(v, items)) {
    return false;
  }
  if (items.size() != 2) {
    return !ev.Fail(diag::Kind::Arguments, std::string(what) + " needs two parts, got " + std::to_string(items.size()))
                .failed();
  }
  first = items[0];
  second = items[1];
  return true;
}

// dims of one side, not negative and in range.
bool SideDims(Evaluator& ev, const Value& v, const ir::Type& type, tensor::Dims& out) {
  tensor::Dims raw;
  if (!ev.ToInts(v, "dimension numbers", raw)) {
    return false;
  }
  for (int64_t d : raw) {
    std::optional<int64_t> axis = ev.ToAxis(Value::Int(d), type.rank());
    if (!axis) {
      return false;
    }
    out.push_back(*axis);
  }
  return true;
}

// What contractions take by keyword.
struct DotOptions {
  Value precision, preferred, out_sharding;
};

// Floats of 8 bits have no implicit promotion, but two kinds of them may meet in a contraction: the one that reaches farther
// is the result's.
std::optional<DTypeWeak> ContractionType(Evaluator& ev, const Value& a, const Value& b) {
  DType x = TypeOfArray(a).dtype, y = TypeOfArray(b).dtype;
  auto is_small = [](DType dtype) { return tensor::IsFloat(dtype) && tensor::BitWidth(dtype) == 8; };
  if (is_small(x) && is_small(y) && tensor::Epsilon(x) != tensor::Epsilon(y)) {
    return DTypeWeak{tensor::Epsilon(x) > tensor::Epsilon(y) ? x : y, false};
  }
  return ResultType(ev, {a, b});
}

Value EmitDot(Evaluator& ev, const Value& a, const Value& b, ops::DotGeneralAttrs attrs, const DotOptions& options) {
  std::optional<DTypeWeak> type = ContractionType(ev, a, b);
  if (!type) {
    return Value::Error();
  }
  attrs.result_dtype = type->dtype;
  attrs.precision = PrecisionText(options.precision);
  if (!options.preferred.none()) {
    std::optional<DType> preferred = ev.ToDType(options.preferred);
    if (!preferred) {
      return Value::Error();
    }
    attrs.result_dtype = Canonical(ev, *preferred);
  }
  size_t rank =
      TypeOfArray(a).rank() + TypeOfArray(b).rank() - attrs.lhs_contracting.size() * 2 - attrs.lhs_batch.size();
  mesh::ShardingId out;
  if (attrs.lhs_contracting.size() == attrs.rhs_contracting.size() &&
      !OutSharding(ev, options.out_sharding, rank, "dot_general", out)) {
    return Value::Error();
  }
  bool weak = type->weak && options.preferred.none();
  return ev.tracer().Emit(OpKind::DotGeneral, {a, b}, ev.tracer().Attrs(std::move(attrs)), weak, out);
}

Value OrNone(const Value& v) { return v.given() ? v : Value::None(); }

// dot_general(lhs, rhs, ((lhs_contracting, rhs_contracting), (lhs_batch, rhs_batch))). The algorithm is a word of the flat form:
// what an HLO or StableHLO text had.
Value DotGeneral(Call& c) {
  Value v[7];
  std::string signature = "lhs, rhs, dimension_numbers, precision=, preferred_element_type=, *, out_sharding=";
  llvm::MutableArrayRef<Value> bound(v, c.ev.flat() ? 7 : 6);
  if (!c.Bind(signature + (c.ev.flat() ? ", algorithm=" : ""), bound)) {
    return Value::Error();
  }
  Value a = ToArray(c.ev, v[0]), b = a.failed() ? a : ToArray(c.ev, v[1]);
  Value contracting, batch, lc, rc, lb, rb;
  ops::DotGeneralAttrs attrs;
  if (b.failed() || !PairOf(c.ev, v[2], "dimension_numbers", contracting, batch) ||
      !PairOf(c.ev, contracting, "the contracting dims", lc, rc) || !PairOf(c.ev, batch, "the batch dims", lb, rb) ||
      !SideDims(c.ev, lc, TypeOfArray(a), attrs.lhs_contracting) ||
      !SideDims(c.ev, rc, TypeOfArray(b), attrs.rhs_contracting) ||
      !SideDims(c.ev, lb, TypeOfArray(a), attrs.lhs_batch) || !SideDims(c.ev, rb, TypeOfArray(b), attrs.rhs_batch)) {
    return Value::Error();
  }
  if (v[6].is(VK::Str)) {
    attrs.algorithm = Text(v[6]);
  }
  return EmitDot(c.ev, a, b, std::move(attrs), {v[3], v[4], v[5]});
}

// jnp.matmul, jnp.dot (data 1): of vectors and matrices here, of anything else in the prelude.
Value Product(Call& c) {
  Value v[5];
  llvm::SmallVector<Value, 2> x;
  llvm::StringRef name = c.builtin.name;
  if (!c.Bind("a, b, *, precision=, preferred_element_type=, out_sharding=", v) ||
      !PromoteAll(c.ev, name, {v[0], v[1]}, x)) {
    return Value::Error();
  }
  const ir::Type &a = TypeOfArray(x[0]), &b = TypeOfArray(x[1]);
  size_t k = b.rank() == 2 ? 0 : b.rank() - 1;
  bool plain = a.rank() >= 1 && a.rank() <= 2 && b.rank() >= 1 && b.rank() <= 2 && a.dims.back() == b.dims[k];
  if (!plain) {
    return c.ev.CallPrelude(
        c.builtin.data == 1 ? "dot_of_any" : "matmul_of_any", {x[0], x[1]},
        {{"precision", OrNone(v[2])}, {"preferred_element_type", OrNone(v[3])}, {"out_sharding", OrNone(v[4])}});
  }
  ops::DotGeneralAttrs attrs;
  attrs.lhs_contracting = {static_cast<int64_t>(a.rank()) - 1};
  attrs.rhs_contracting = {static_cast<int64_t>(k)};
  return EmitDot(c.ev, x[0], x[1], std::move(attrs), {v[2], v[3], v[4]});
}

// lax.reduce_sum(x, axes) and its like: data is the monoid.
Value ReduceMonoid(Call& c) {
  Value v[3];
  if (!c.Bind("operand, axes, *, out_sharding=", v)) {
    return Value::Error();
  }
  Value x = ToArray(c.ev, v[0]);
  ops::ReduceAttrs attrs;
  tensor::Dims raw;
  if (x.failed() || !c.ev.ToInts(v[1], "axes", raw)) {
    return Value::Error();
  }
  for (int64_t r : raw) {
    if (r < 0 || r >= static_cast<int64_t>(TypeOfArray(x).rank())) {
      return c.ev.Fail(
          diag::Kind::ShapeRule,
          "reduction axes " + ShapeText(raw) + " contains out-of-bounds indices for " + ShowType(c.ev, TypeOfArray(x)));
    }
    attrs.dims.push_back(r);
  }
  llvm::sort(attrs.dims);
  auto monoid = static_cast<mesh::Monoid>(c.builtin.data);
  if (TypeOfArray(x).dtype == DType::Pred && (monoid == mesh::Monoid::Sum || monoid == mesh::Monoid::Product)) {
    return c.ev.Fail(diag::Kind::DtypeRule, std::string(c.builtin.name) + " does not accept dtype bool, only numbers");
  }
  mesh::ShardingId out;
  if (!OutSharding(c.ev, v[2], TypeOfArray(x).rank() - attrs.dims.size(), c.builtin.name, out)) {
    return Value::Error();
  }
  DType dtype = TypeOfArray(x).dtype;
  bool weak = x.as<ArrayObj>().weak;
  Value seed = c.ev.tracer().IdentityOf(monoid, dtype);
  if (seed.failed()) {
    return seed;
  }
  ir::FuncId body = c.ev.tracer().MonoidBody(monoid, dtype);
  return c.ev.tracer().Emit(OpKind::Reduce, {x, seed}, c.ev.tracer().Attrs(std::move(attrs)), weak, out, body);
}

const Builtin kContractions[] = {
    {kLax | kBare, "dot_general", DotGeneral},
    {kJnp, "matmul", Product},
    {kJnp | kMethod, "dot", Product, 1},
};

const Builtin kReductions[] = {
    {kLax | kBare, "reduce_sum", ReduceMonoid, DataOf(mesh::Monoid::Sum)},
    {kLax | kBare, "reduce_prod", ReduceMonoid, DataOf(mesh::Monoid::Product)},
    {kLax | kBare, "reduce_max", ReduceMonoid, DataOf(mesh::Monoid::Max)},
    {kLax | kBare, "reduce_min", ReduceMonoid, DataOf(mesh::Monoid::Min)},
    {kLax | kBare, "reduce_and", ReduceMonoid, DataOf(mesh::Monoid::And)},
    {kLax | kBare, "reduce_or", ReduceMonoid, DataOf(mesh::Monoid::Or)},
    {kLax | kBare, "reduce_xor", ReduceMonoid, DataOf(mesh::Monoid::Xor)},
};

}  // namespace

llvm::ArrayRef<Builtin> ContractionBuiltins() { return kContractions; }
llvm::ArrayRef<Builtin> ReductionBuiltins() { return kReductions; }

}  // namespace spmdc::text::native
