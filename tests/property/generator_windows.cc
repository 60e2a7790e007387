// Random programs: ops that need parts of neighbours' blocks, or order what they are given.
#include <limits>

#include "ops/constant.h"
#include "ops/convolution.h"
#include "ops/elementwise.h"
#include "ops/emit.h"
#include "ops/gather.h"
#include "ops/linalg.h"
#include "ops/reduce.h"
#include "ops/reduce_window.h"
#include "ops/sharding.h"
#include "ops/slice.h"
#include "ops/sort.h"
#include "property/generator.h"

namespace spmdc::property {

using ir::OpKind;
using tensor::Dims;
using tensor::DType;

ir::ValueId Generator::Constrained(ir::ValueId value) {
  Dims dims = b_->type(value).dims;
  if (dims.empty() || random_.OneIn(3)) {
    return value;
  }
  mesh::Sharding sharding = RandomSharding(dims, true);
  return b_->Add1(OpKind::ShardingConstraint, {value},
                  b_->Attrs(ops::ShardingConstraintAttrs{module_.tables->shardings.Intern(sharding)}));
}

// Slices, pads, joins and turns dims, whatever they are sharded over.
void Generator::Pieces() {
  const Known x = PickFloat();
  if (x.dims.empty()) {
    return;
  }
  size_t d = static_cast<size_t>(random_.Below(static_cast<int64_t>(x.dims.size())));
  ir::ValueId in = Constrained(x.value), out;
  Dims zeros(x.dims.size(), 0), ones(x.dims.size(), 1);
  switch (random_.Below(5)) {
    case 0:
    case 1: {
      Dims starts = zeros, limits = x.dims, strides = ones;
      starts[d] = random_.Below(x.dims[d]);
      limits[d] = starts[d] + 1 + random_.Below(x.dims[d] - starts[d]);
      strides[d] = 1 + random_.Below(3) % 2;
      out = b_->Add1(OpKind::Slice, {in}, b_->Attrs(ops::SliceAttrs{starts, limits, strides}));
      break;
    }
    case 2: {
      Dims low = zeros, high = zeros, interior = zeros;
      low[d] = random_.Below(5) - 1;
      high[d] = random_.Below(5) - (x.dims[d] > 2 ? 1 : 0);
      interior[d] = random_.OneIn(3) ? 1 + random_.Below(2) : 0;
      if (x.dims[d] < 2 && low[d] < 0) {
        low[d] = 0;
      }
      ir::ValueId fill =
          b_->Add1(OpKind::Constant, {}, b_->Attrs(ops::ConstantAttrs{tensor::Literal::Number(DType::F32, {}, 0.5)}));
      out = b_->Add1(OpKind::Pad, {in, fill}, b_->Attrs(ops::PadAttrs{low, high, interior}));
      break;
    }
    case 3: {
      Dims other = x.dims;
      other[d] = random_.Pick(sizes_);
      ir::ValueId more = Fresh(other);
      llvm::SmallVector<ir::ValueId, 3> parts = {in, more};
      if (random_.OneIn(2)) {
        parts.push_back(x.value);
      }
      out = b_->Add1(OpKind::Concatenate, parts, b_->Attrs(ops::ConcatenateAttrs{static_cast<int64_t>(d)}));
      break;
    }
    default:
      out = b_->Add1(OpKind::Reverse, {in}, b_->Attrs(ops::ReverseAttrs{{static_cast<int64_t>(d)}}));
      break;
  }
  if (out.valid()) {
    Keep(Constrained(out));
  }
}

// Pooling over one or two dims, or a scan along one.
void Generator::Windows() {
  const Known x = PickFloat();
  if (x.dims.empty()) {
    return;
  }
  llvm::SmallVector<ops::WindowDim, 4> windows(x.dims.size());
  size_t d = static_cast<size_t>(random_.Below(static_cast<int64_t>(x.dims.size())));
  bool scan = !random_.OneIn(3);
  for (size_t i = 0; i < x.dims.size(); ++i) {
    ops::WindowDim& w = windows[i];
    if (scan && i == d) {
      w.size = x.dims[i];
      (random_.OneIn(2) ? w.low : w.high) = w.size - 1;
    } else if (!scan && (i == d || random_.OneIn(4))) {
      w.size = 1 + random_.Below(3);
      w.stride = 1 + random_.Below(2);
      w.dilation = 1 + random_.Below(2);
      w.base_dilation = random_.OneIn(4) ? 2 : 1;
      w.low = random_.Below(3);
      w.high = random_.Below(3);
    }
    if (w.Count(x.dims[i]) == 0) {
      w = ops::WindowDim();
    }
  }
  // A seed that is not the identity counts in every window, and in its padding.
  bool sums = random_.OneIn(2);
  double first = sums ? (random_.OneIn(4) ? 0.25 : 0) : -std::numeric_limits<double>::infinity();
  ir::ValueId seed =
      b_->Add1(OpKind::Constant, {}, b_->Attrs(ops::ConstantAttrs{tensor::Literal::Number(DType::F32, {}, first)}));
  Keep(Constrained(b_->Add1(OpKind::ReduceWindow, {Constrained(x.value), seed},
                            b_->Attrs(ops::ReduceWindowAttrs::Of(windows)),
                            {Combiner(sums ? OpKind::Add : OpKind::Maximum, DType::F32)})));
}

// [batch, space, feature] with [window, feature, feature].
void Generator::Convolution() {
  ops::ConvolutionAttrs attrs;
  attrs.input = {0, 2, {1}};
  attrs.kernel = {1, 2, {0}};
  attrs.output = {0, 2, {1}};
  int64_t space = 1 + random_.Pick(sizes_), size = 1 + random_.Below(4), batch = random_.Pick(sizes_);
  int64_t in = random_.Pick(sizes_), out = random_.Pick(sizes_), groups = 1;
  if (random_.OneIn(4)) {
    size = random_.Pick(sizes_);  // as long as what it passes over: a weight's gradient
  }
  if (random_.OneIn(4)) {
    groups = random_.OneIn(2) ? 2 : 3;
    (random_.OneIn(2) ? attrs.feature_groups : attrs.batch_groups) = groups;
  }
  Dims input = {batch * attrs.batch_groups, space, in * attrs.feature_groups}, kernel = {size, in, out * groups};
  attrs.strides = {1 + random_.Below(2)};
  attrs.low = {random_.Below(size)};
  attrs.high = {size - 1};
  attrs.lhs_dilation = {random_.OneIn(3) ? 2 : 1};
  attrs.rhs_dilation = {random_.OneIn(3) ? 2 : 1};
  attrs.reversed = {random_.OneIn(4) ? 1 : 0};
  if (attrs.Windows(kernel)[0].Count(space) == 0 || tensor::NumElements(input) > 4096) {
    return;
  }
  ir::ValueId result = b_->Add1(OpKind::Convolution, {Fresh(input), Fresh(kernel)}, b_->Attrs(std::move(attrs)));
  if (result.valid()) {
    Keep(Constrained(result));
  }
}

// Sorts by one array and takes its places along, or takes the greatest or the least.
void Generator::Order() {
  const Known x = PickFloat();
  if (x.dims.empty()) {
    return;
  }
  auto last = static_cast<int64_t>(x.dims.size()) - 1;
  auto as_float = [&](ir::ValueId v) {
    return b_->Add1(OpKind::Convert, {v}, b_->Attrs(ops::ConvertAttrs{DType::F32}));
  };
  ir::ValueId in = Constrained(x.value);
  if (random_.OneIn(2)) {
    int64_t k = 1 + random_.Below(x.dims.back());
    auto top = b_->Add(OpKind::TopK, {in}, b_->Attrs(ops::TopKAttrs{k}));
    Keep(Constrained((*top)[0]));
    Keep(as_float((*top)[1]));
    return;
  }
  ir::ValueId places = b_->Add1(OpKind::Iota, {}, b_->Attrs(ops::IotaAttrs{DType::S32, x.dims, last}));
  ir::Type key = ir::ArrayType(DType::F32, {}), place = ir::ArrayType(DType::S32, {});
  ir::FuncId less = Body({key, key, place, place}, "less", [&](op::Builder& b, ir::Function& f) {
    ir::ValueId result = b.Add1(OpKind::Compare, {f.args[0], f.args[1]},
                                b.Attrs(ops::CompareAttrs{ops::Direction::Lt, ops::CompareType::TotalOrder}));
    module_.functions[b.function()].results.push_back(result);
  });
  int64_t along = random_.Below(last + 1);
  ops::ApproxTopKAttrs best;
  best.dim = along;
  best.k = 1 + random_.Below(x.dims[static_cast<size_t>(along)]);
  ir::ValueId none = ops::EmitScalar(*b_, DType::F32, 0), nowhere = ops::EmitScalar(*b_, DType::S32, -1);
  auto ordered = random_.OneIn(2) ? b_->Add(OpKind::Sort, {in, places}, b_->Attrs(ops::SortAttrs{along, true}), {less})
                                  : b_->Add(OpKind::ApproxTopK, {in, places, none, nowhere}, b_->Attrs(best), {less});
  if (ordered) {
    Keep(Constrained((*ordered)[0]));
    Keep(as_float((*ordered)[1]));
  }
}

// The greatest element along a dim and where it is: a reduction of two arrays.
void Generator::ArgMax() {
  const Known x = PickFloat();
  if (x.dims.empty()) {
    return;
  }
  int64_t d = random_.Below(static_cast<int64_t>(x.dims.size()));
  ir::ValueId places = b_->Add1(OpKind::Iota, {}, b_->Attrs(ops::IotaAttrs{DType::S32, x.dims, d}));
  auto constant = [&](DType dtype, double value) {
    return b_->Add1(OpKind::Constant, {}, b_->Attrs(ops::ConstantAttrs{tensor::Literal::Number(dtype, {}, value)}));
  };
  ir::Type key = ir::ArrayType(DType::F32, {}), place = ir::ArrayType(DType::S32, {});
  ir::FuncId body = Body({key, place, key, place}, "greater", [&](op::Builder& b, ir::Function& f) {
    ir::ValueId v = f.args[0], i = f.args[1], w = f.args[2], j = f.args[3];
    auto compare = [&](ops::Direction direction, ops::CompareType type, ir::ValueId p, ir::ValueId q) {
      return b.Add1(OpKind::Compare, {p, q}, b.Attrs(ops::CompareAttrs{direction, type}));
    };
    ir::ValueId more = compare(ops::Direction::Gt, ops::CompareType::Float, v, w);
    ir::ValueId same = compare(ops::Direction::Eq, ops::CompareType::Float, v, w);
    ir::ValueId first = b.Add1(OpKind::And, {same, compare(ops::Direction::Lt, ops::CompareType::Signed, i, j)});
    ir::ValueId keep = b.Add1(OpKind::Or, {more, first});
    ir::ValueId value = b.Add1(OpKind::Select, {keep, v, w}), index = b.Add1(OpKind::Select, {keep, i, j});
    module_.functions[b.function()].results = {value, index};
  });
  auto results = b_->Add(OpKind::Reduce,
                         {Constrained(x.value), places, constant(DType::F32, -1e30), constant(DType::S32, 1 << 20)},
                         b_->Attrs(ops::ReduceAttrs{{d}}), {body});
  if (results) {
    Keep((*results)[0]);
    Keep(b_->Add1(OpKind::Convert, {(*results)[1]}, b_->Attrs(ops::ConvertAttrs{DType::F32})));
  }
}

}  // namespace spmdc::property
