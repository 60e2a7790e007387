// Convolutions, and reductions by a function of the program: the ops behind lax.conv_general_dilated, lax.reduce_window and
// lax.reduce, whose defaults and spellings are the prelude's.
#include "llvm/ADT/STLExtras.h"
#include "ops/convolution.h"
#include "ops/reduce.h"
#include "ops/reduce_window.h"
#include "text/native/body.h"
#include "text/native/evaluator.h"
#include "text/native/numpy.h"
#include "text/native/tracer.h"
#include "text/native/tree.h"
#include "text/native/varying.h"

namespace spmdc::text::native {
namespace {

using ir::OpKind;
using tensor::Dims;

// ((low, high), ...)
bool ToPads(Evaluator& ev, const Value& v, Dims& low, Dims& high) {
  std::vector<Value> pairs;
  if (!ev.Iterate(v, pairs)) {
    return false;
  }
  for (const Value& pair : pairs) {
    Dims both;
    if (!ev.ToInts(pair, "padding", both)) {
      return false;
    }
    if (both.size() != 2) {
      return !ev.Fail(diag::Kind::ShapeRule, "padding should be pairs (low, high), got " + Repr(v)).failed();
    }
    low.push_back(both[0]);
    high.push_back(both[1]);
  }
  return true;
}

// (batch, feature, spatial...) as JAX numbers the dims of an array; of a kernel (output feature, input feature, spatial...).
bool ToConvDims(Evaluator& ev, const Value& v, bool kernel, ops::ConvDims& out) {
  Dims dims;
  if (!ev.ToInts(v, "dimension_numbers", dims)) {
    return false;
  }
  if (dims.size() < 2) {
    return !ev.Fail(diag::Kind::ShapeRule, "a convolution needs arrays of at least two dims").failed();
  }
  out.batch = kernel ? dims[1] : dims[0];
  out.feature = kernel ? dims[0] : dims[1];
  out.spatial.assign(dims.begin() + 2, dims.end());
  return true;
}

// Prelude: conv_windows(lhs, rhs, strides, pads, lhs_dilation, rhs_dilation, (lhs, rhs and out numbers), feature groups,
// batch groups, precision, preferred type or None, out_sharding or None).
Value ConvWindows(Call& c) {
  llvm::ArrayRef<Value> v = c.args;
  ops::ConvolutionAttrs attrs;
  llvm::ArrayRef<Value> numbers = Items(v[6]);
  if (!c.ev.ToInts(v[2], "window_strides", attrs.strides) || !ToPads(c.ev, v[3], attrs.low, attrs.high) ||
      !c.ev.ToInts(v[4], "lhs_dilation", attrs.lhs_dilation) ||
      !c.ev.ToInts(v[5], "rhs_dilation", attrs.rhs_dilation) || !ToConvDims(c.ev, numbers[0], false, attrs.input) ||
      !ToConvDims(c.ev, numbers[1], true, attrs.kernel) || !ToConvDims(c.ev, numbers[2], false, attrs.output)) {
    return Value::Error();
  }
  std::optional<int64_t> groups = c.ev.ToInt(v[7], "feature_group_count");
  std::optional<int64_t> batch_groups = groups ? c.ev.ToInt(v[8], "batch_group_count") : std::nullopt;
  if (!batch_groups) {
    return Value::Error();
  }
  attrs.feature_groups = *groups;
  attrs.batch_groups = *batch_groups;
  attrs.reversed.assign(attrs.strides.size(), 0);
  attrs.precision = PrecisionText(v[9]);
  attrs.result_dtype = TypeOfArray(v[0]).dtype;
  if (!v[10].none()) {
    std::optional<tensor::DType> preferred = c.ev.ToDType(v[10]);
    if (!preferred) {
      return Value::Error();
    }
    attrs.result_dtype = Canonical(c.ev, *preferred);
  }
  mesh::ShardingId out;
  if (!OutSharding(c.ev, v[11], TypeOfArray(v[0]).rank(), "conv_general_dilated", out)) {
    return Value::Error();
  }
  bool weak = v[0].as<ArrayObj>().weak && v[1].as<ArrayObj>().weak && v[10].none();
  return c.ev.tracer().Emit(OpKind::Convolution, {v[0], v[1]}, c.ev.tracer().Attrs(std::move(attrs)), weak, out);
}

// Arrays to be reduced, their seeds, and the function that combines two of them.
struct Reduction {
  Value tree;  // of the arrays
  std::vector<Value> arrays, seeds;
  ir::FuncId body;
  std::vector<bool> weak;  // of the results
};

// The body of scalars that f is, on two trees like the arrays'.
bool TraceCombiner(Evaluator& ev, const Value& f, Reduction& r) {
  size_t n = r.arrays.size();
  TracedBody body;
  body.trace = ev.tracer().NewBody(BodyName(ev, f, "combine"));
  for (size_t i = 0; i < 2 * n; ++i) {
    const Value& seed = r.seeds[i % n];
    AddBodyArg(ev, body, ir::ArrayType(TypeOfArray(seed).dtype, {}), seed.as<ArrayObj>().weak);
  }
  llvm::ArrayRef<Value> args(body.args);
  Value lhs = Unflatten(ev, r.tree, args.take_front(n)), rhs = Unflatten(ev, r.tree, args.drop_front(n));
  if (!RunBody(ev, body, "reduce", f, {lhs, rhs})) {
    return false;
  }
  std::string why;
  if (!SameStructure(r.tree, body.result, why)) {
    return !ev.Fail(diag::Kind::TreeMismatch, "the reducing function must return what it is given two of: " + why)
                .failed();
  }
  for (size_t i = 0; i < n; ++i) {
    const ir::Type& type = TypeOfArray(body.leaves[i]);
    if (type.rank() != 0 || type.dtype != TypeOfArray(r.arrays[i]).dtype) {
      return !ev.Fail(diag::Kind::DtypeRule, "the reducing function makes a " + ShowType(ev, type) +
                                                 " of two scalars " + "of " + ShowType(ev, TypeOfArray(r.arrays[i])))
                  .failed();
    }
    r.weak.push_back(r.arrays[i].as<ArrayObj>().weak && r.seeds[i].as<ArrayObj>().weak);
  }
  TracedBody* bodies[] = {&body};
  if (!FinishBodies(ev, bodies, {body.leaves}).empty()) {
    return !ev.Fail(diag::Kind::NotInLanguage, "a reducing function cannot use arrays from outside it",
                    "reduce with a function of its two arguments alone")
                .failed();
  }
  r.body = body.trace->function;
  return true;
}

bool ReadReduction(Evaluator& ev, llvm::StringRef function, const Value& f, const Value& operand, const Value& init,
                   Reduction& r) {
  std::string why;
  if (!SameStructure(operand, init, why)) {
    return !ev.Fail(diag::Kind::TreeMismatch,
                    function.str() + ": operands and initial values differ in structure: " + why)
                .failed();
  }
  r.tree = MapLeafArrays(ev, operand);
  Value seeds = r.tree.failed() ? r.tree : MapLeafArrays(ev, init);
  if (seeds.failed()) {
    return false;
  }
  Leaves(r.tree, r.arrays);
  Leaves(seeds, r.seeds);
  if (r.arrays.empty()) {
    return !ev.Fail(diag::Kind::Arguments, function.str() + " needs at least one array").failed();
  }
  for (size_t i = 0; i < r.arrays.size(); ++i) {
    const ir::Type &array = TypeOfArray(r.arrays[i]), &seed = TypeOfArray(r.seeds[i]);
    if (seed.rank() != 0) {
      return !ev.Fail(diag::Kind::ShapeRule,
                      function.str() + " needs scalars as initial values, got " + ShowType(ev, seed))
                  .failed();
    }
    if (array.dtype != seed.dtype) {
      return !ev.Fail(diag::Kind::DtypeRule, function.str() + " needs initial values of the arrays' types, got " +
                                                 ShowType(ev, seed) + " for " + ShowType(ev, array))
                  .failed();
    }
  }
  return TraceCombiner(ev, f, r);
}

Value EmitReduction(Evaluator& ev, OpKind op, const Reduction& r, ir::AttrsId attrs, mesh::ShardingId out = {}) {
  std::vector<Value> operands = r.arrays;
  for (size_t i = 0; i < r.arrays.size(); ++i) {
    operands.push_back(VaryLike(ev, r.seeds[i], TypeOfArray(r.arrays[i])));
  }
  auto results = ev.tracer().EmitAll(op, operands, attrs, r.body, out);
  if (!results) {
    return Value::Error();
  }
  for (size_t i = 0; i < results->size(); ++i) {
    (*results)[i].as<ArrayObj>().weak = r.weak[i];
  }
  return Unflatten(ev, r.tree, *results);
}

// Prelude: window_reduction(f, operand, init, sizes, strides, pads, base_dilation, dilation).
Value WindowReduction(Call& c) {
  llvm::ArrayRef<Value> v = c.args;
  ops::ReduceWindowAttrs attrs;
  Reduction r;
  if (!c.ev.ToInts(v[3], "window_dimensions", attrs.sizes) || !c.ev.ToInts(v[4], "window_strides", attrs.strides) ||
      !ToPads(c.ev, v[5], attrs.low, attrs.high) || !c.ev.ToInts(v[6], "base_dilation", attrs.base_dilations) ||
      !c.ev.ToInts(v[7], "window_dilation", attrs.dilations) ||
      !ReadReduction(c.ev, "reduce_window", v[0], v[1], v[2], r)) {
    return Value::Error();
  }
  return EmitReduction(c.ev, OpKind::ReduceWindow, r, c.ev.tracer().Attrs(std::move(attrs)));
}

// Prelude: reduction(f, operand, init, dims).
Value ReductionBy(Call& c) {
  ops::ReduceAttrs attrs;
  Reduction r;
  if (!ReadReduction(c.ev, "reduce", c.args[0], c.args[1], c.args[2], r)) {
    return Value::Error();
  }
  size_t rank = TypeOfArray(r.arrays[0]).rank();
  if (!c.ev.ToInts(c.args[3], "dimensions", attrs.dims)) {
    return Value::Error();
  }
  llvm::sort(attrs.dims);
  bool in_range = llvm::all_of(attrs.dims, [&](int64_t d) { return d >= 0 && d < static_cast<int64_t>(rank); });
  if (!in_range || std::adjacent_find(attrs.dims.begin(), attrs.dims.end()) != attrs.dims.end()) {
    return c.ev.Fail(diag::Kind::ShapeRule, "reduction dimensions " + ShapeText(attrs.dims) +
                                                " are no different dims of " +
                                                ShowType(c.ev, TypeOfArray(r.arrays[0])));
  }
  return EmitReduction(c.ev, OpKind::Reduce, r, c.ev.tracer().Attrs(std::move(attrs)));
}

const Builtin kWindows[] = {
    {kPreludeOnly, "conv_windows", ConvWindows},
    {kPreludeOnly, "window_reduction", WindowReduction},
    {kPreludeOnly, "reduction", ReductionBy},
};

}  // namespace

llvm::ArrayRef<Builtin> WindowBuiltins() { return kWindows; }

}  // namespace spmdc::text::native
