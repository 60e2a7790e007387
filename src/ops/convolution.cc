// convolution: typing, rule, lowering. A spatial dim may be split over the windows (halo exchange) or over the kernel (each
// device sums over its part of the kernel, and over what that part sees of the input).
#include "ops/convolution.h"

#include <array>

#include "llvm/ADT/STLExtras.h"
#include "ops/dims.h"
#include "ops/emit.h"
#include "ops/size_change.h"
#include "ops/table.h"
#include "ops/typing.h"

namespace spmdc::ops {

using op::FactorKind;
using op::kNoDim;

void ConvolutionAttrs::Visit(ir::FieldVisitor& v) {
  v.Field("input_batch", input.batch);
  v.Field("input_feature", input.feature);
  v.Field("input_spatial", input.spatial);
  v.Field("kernel_input_feature", kernel.batch);
  v.Field("kernel_output_feature", kernel.feature);
  v.Field("kernel_spatial", kernel.spatial);
  v.Field("output_batch", output.batch);
  v.Field("output_feature", output.feature);
  v.Field("output_spatial", output.spatial);
  v.Field("window_strides", strides);
  v.Field("padding_low", low);
  v.Field("padding_high", high);
  v.Field("lhs_dilation", lhs_dilation);
  v.Field("rhs_dilation", rhs_dilation);
  v.Field("window_reversal", reversed);
  v.Field("feature_group_count", feature_groups);
  v.Field("batch_group_count", batch_groups);
  v.Field("preferred_element_type", result_dtype);
  v.Field("precision", precision);
}

llvm::SmallVector<WindowDim, 4> ConvolutionAttrs::Windows(llvm::ArrayRef<int64_t> kernel_dims) const {
  llvm::SmallVector<WindowDim, 4> windows;
  for (size_t i = 0; i < strides.size(); ++i) {
    int64_t size = kernel_dims[static_cast<size_t>(kernel.spatial[i])];
    windows.push_back({size, strides[i], low[i], high[i], lhs_dilation[i], rhs_dilation[i]});
  }
  return windows;
}

void ConvolutionAttrs::SetWindows(llvm::ArrayRef<WindowDim> windows) {
  for (size_t i = 0; i < windows.size(); ++i) {
    low[i] = windows[i].low;
    high[i] = windows[i].high;
    lhs_dilation[i] = windows[i].base_dilation;
  }
}

namespace {

int64_t SizeOf(const ir::Type& type, int64_t dim) { return type.dims[static_cast<size_t>(dim)]; }

// --- Typing ----------------------------------------------------------------------------------------------------------

// Every dim of an array named once.
bool CheckDims(op::InferContext& cx, llvm::StringRef what, const ConvDims& dims, size_t rank) {
  tensor::Dims all = dims.spatial;
  all.push_back(dims.batch);
  all.push_back(dims.feature);
  if (all.size() != rank) {
    return cx.Fail(diag::Kind::ShapeRule, "names " + std::to_string(all.size()) + " dims of the " + what.str() +
                                              ", which has " + std::to_string(rank));
  }
  return CheckDimList(cx, what, all, rank);
}

bool CheckGroups(op::InferContext& cx, const ConvolutionAttrs& attrs) {
  int64_t features = SizeOf(cx.operand(0), attrs.input.feature), batch = SizeOf(cx.operand(0), attrs.input.batch);
  int64_t kernel_in = SizeOf(cx.operand(1), attrs.kernel.batch), out = SizeOf(cx.operand(1), attrs.kernel.feature);
  int64_t groups = attrs.feature_groups, batch_groups = attrs.batch_groups;
  if (groups < 1 || batch_groups < 1 || (groups > 1 && batch_groups > 1)) {
    return cx.Fail(diag::Kind::ShapeRule, "feature_group_count " + std::to_string(groups) + " and batch_group_count " +
                                              std::to_string(batch_groups) + ": expected one of them to be 1");
  }
  if (kernel_in * groups != features || out % groups != 0 || out % batch_groups != 0 || batch % batch_groups != 0) {
    return cx.Fail(diag::Kind::ShapeRule, "the features of " + cx.Show(cx.operand(0)) + " and " +
                                              cx.Show(cx.operand(1)) + " do not fit " + std::to_string(groups) +
                                              " feature groups and " + std::to_string(batch_groups) + " batch groups");
  }
  return true;
}

bool InferConvolution(op::InferContext& cx) {
  const auto& attrs = cx.attrs<ConvolutionAttrs>();
  const ir::Type& input = cx.operand(0);
  const ir::Type& kernel = cx.operand(1);
  size_t spatial = attrs.input.spatial.size();
  if (!CheckDims(cx, "input", attrs.input, input.rank()) || !CheckDims(cx, "kernel", attrs.kernel, kernel.rank()) ||
      !CheckDims(cx, "output", attrs.output, input.rank()) || !CheckPerDim(cx, "stride", attrs.strides, spatial) ||
      !CheckPerDim(cx, "pad", attrs.low, spatial) || !CheckPerDim(cx, "pad", attrs.high, spatial) ||
      !CheckPerDim(cx, "lhs_dilate", attrs.lhs_dilation, spatial) ||
      !CheckPerDim(cx, "rhs_dilate", attrs.rhs_dilation, spatial) ||
      !CheckPerDim(cx, "reverse", attrs.reversed, spatial) || !CheckGroups(cx, attrs)) {
    return false;
  }
  tensor::Dims dims(input.rank());
  dims[static_cast<size_t>(attrs.output.batch)] = SizeOf(input, attrs.input.batch) / attrs.batch_groups;
  dims[static_cast<size_t>(attrs.output.feature)] = SizeOf(kernel, attrs.kernel.feature);
  auto windows = attrs.Windows(kernel.dims);
  for (size_t i = 0; i < spatial; ++i) {
    const WindowDim& w = windows[i];
    if (w.stride < 1 || w.base_dilation < 1 || w.dilation < 1) {
      return cx.Fail(diag::Kind::ShapeRule, "strides and dilations should be positive");
    }
    if (!CheckCountable(cx, w, SizeOf(input, attrs.input.spatial[i]))) {
      return false;
    }
    dims[static_cast<size_t>(attrs.output.spatial[i])] =
        w.size == 0 ? 0 : w.Count(SizeOf(input, attrs.input.spatial[i]));
  }
  cx.Result(attrs.result_dtype, dims);
  return true;
}

// jax/_src/lax/convolution.py, _conv_general_dilated_sharding_rule.
bool ExplicitConvolution(op::ExplicitContext& cx) {
  if (const mesh::Sharding* asked = OutSharding(cx)) {
    return GiveSharding(cx, *asked);
  }
  const auto& attrs = cx.infer.attrs<ConvolutionAttrs>();
  if (cx.operand(1).is_fully_replicated() &&
      cx.operand(0).dims[static_cast<size_t>(attrs.input.feature)].axes.empty()) {
    return KeepOperandSharding(cx, "conv_general_dilated");
  }
  return cx.Fail(diag::Kind::OutShardingNeeded,
                 "the kernel or the input's features are sharded: " + OperandSpecs(cx) +
                     ", so that the result's sharding is not clear",
                 "give out_sharding=");
}

// --- Rule ------------------------------------------------------------------------------------------------------------

// What a spatial dim of each array has no factor for.
struct Bare {
  llvm::SmallVector<int64_t, 2> input, kernel, output;
};

// The input's spatial dim holds the windows and the positions within one, the more numerous ones major, as far as its size
// goes; what is left of it is no factor's.
void SpatialFactors(op::RuleBuilder& b, int64_t in, int64_t kernel, int64_t out, Bare& bare) {
  bool windows_count = false, kernel_counts = false;
  int64_t room = SizeOf(b.operands[0], in), windows = SizeOf(b.results[0], out), size = SizeOf(b.operands[1], kernel);
  auto add_windows = [&] {
    int64_t count = std::min(windows, room);
    if (count > 1) {
      b.Factor(count, FactorKind::Window, {in, kNoDim}, {out});
      windows_count = true;
      room /= count;
    }
  };
  auto add_kernel = [&] {
    int64_t count = std::min(size, room);
    if (count > 1) {
      b.Factor(count, FactorKind::Reduce, {in, kernel}, {kNoDim});
      kernel_counts = true;
      room /= count;
    }
  };
  if (windows >= size) {
    add_windows();
    add_kernel();
  } else {
    add_kernel();
    add_windows();
  }
  if (!windows_count) {
    bare.output.push_back(out);
  }
  if (!kernel_counts) {
    bare.kernel.push_back(kernel);
  }
  if (!windows_count && !kernel_counts) {
    bare.input.push_back(in);
  }
}

void RuleConvolution(op::RuleBuilder& b) {
  const auto& attrs = b.attrs<ConvolutionAttrs>();
  const ConvDims &in = attrs.input, &kernel = attrs.kernel, &out = attrs.output;
  int64_t features = SizeOf(b.results[0], out.feature);
  if (attrs.batch_groups > 1) {
    b.Factor(attrs.batch_groups, FactorKind::Map, {in.batch, kernel.feature}, {out.feature});
  }
  b.Factor(SizeOf(b.results[0], out.batch), FactorKind::Map, {in.batch, kNoDim}, {out.batch});
  Bare bare;
  for (size_t i = 0; i < in.spatial.size(); ++i) {
    SpatialFactors(b, in.spatial[i], kernel.spatial[i], out.spatial[i], bare);
  }
  if (attrs.feature_groups > 1) {
    b.Factor(attrs.feature_groups, FactorKind::Map, {in.feature, kernel.feature}, {out.feature});
  }
  b.Factor(SizeOf(b.operands[1], kernel.batch), FactorKind::Reduce, {in.feature, kernel.batch}, {kNoDim});
  b.Factor(features / attrs.feature_groups / attrs.batch_groups, FactorKind::Map, {kNoDim, kernel.feature},
           {out.feature});
  // Every dim has a factor, so that what it is sharded over is seen.
  for (int64_t d : bare.input) {
    b.Factor(1, FactorKind::Whole, {d, kNoDim}, {kNoDim});
  }
  for (int64_t d : bare.kernel) {
    b.Factor(1, FactorKind::Whole, {kNoDim, d}, {kNoDim});
  }
  for (int64_t d : bare.output) {
    b.Factor(1, FactorKind::Whole, {kNoDim, kNoDim}, {d});
  }
}

// --- Lowering --------------------------------------------------------------------------------------------------------

// A spatial dim of the input that is split, and over what.
struct ConvolutionSplit {
  size_t index;  // among the spatial dims
  bool over_kernel;
  DimExchange exchange;
  int64_t first = 0, stride = 0, length = 0;  // EmitDilated's
};

// The windows of a device's results stand side by side; the positions that its part of a kernel takes in them begin where
// the part does, counted from the end if the kernel is turned round.
ConvolutionSplit MakeSplit(const op::ShardedInst& s, size_t i, bool over_kernel, llvm::ArrayRef<mesh::AxisRef> axes) {
  const auto& attrs = s.attrs<ConvolutionAttrs>();
  WindowDim w = attrs.Windows(s.operand(1).dims)[i];
  int64_t count = mesh::Product(axes), in = attrs.input.spatial[i];
  int64_t results = s.LocalResultDims(0)[static_cast<size_t>(attrs.output.spatial[i])];
  ConvolutionSplit split{i, over_kernel, {}, -w.low, results * w.stride, 0};
  if (over_kernel) {
    int64_t part = mesh::LocalSize(w.size, count), step = part * w.dilation;
    split.first = attrs.reversed[i] != 0 ? -w.low + (w.size - part) * w.dilation : -w.low;
    split.stride = attrs.reversed[i] != 0 ? -step : step;
    w.size = part;
  }
  split.length = results == 0 ? 0 : (results - 1) * w.stride + w.extent();
  split.exchange = {in, mesh::AxisList(axes.begin(), axes.end()), BlocksOf(SizeOf(s.operand(0), in), count),
                    DilatedNeed(count, split.first, split.stride, split.length, w.base_dilation)};
  return split;
}

// Nothing if a dim is split over both windows and kernel positions.
std::optional<llvm::SmallVector<ConvolutionSplit, 2>> ConvolutionSplits(const op::ShardedInst& s) {
  const auto& attrs = s.attrs<ConvolutionAttrs>();
  llvm::SmallVector<ConvolutionSplit, 2> splits;
  for (size_t i = 0; i < attrs.strides.size(); ++i) {
    mesh::AxisList in = s.DimAxes(s.rule.operands[0], static_cast<size_t>(attrs.input.spatial[i]));
    mesh::AxisList kernel = s.DimAxes(s.rule.operands[1], static_cast<size_t>(attrs.kernel.spatial[i]));
    if (in.empty()) {
      continue;
    }
    if (!kernel.empty() && kernel != in) {
      return std::nullopt;
    }
    splits.push_back(MakeSplit(s, i, !kernel.empty(), in));
  }
  return splits;
}

std::optional<op::Exchanged> ExchangeConvolution(const op::ShardedInst& s) {
  auto splits = ConvolutionSplits(s);
  if (!splits) {
    return std::nullopt;
  }
  llvm::SmallVector<DimExchange, 2> exchanges;
  for (const ConvolutionSplit& split : *splits) {
    exchanges.push_back(split.exchange);
  }
  return PriceExchanges(s.LocalOperandDims(0), s.operand(0).dtype, exchanges);
}

bool LocalizeConvolution(op::LocalizeContext& cx) {
  op::ShardedInst s = cx.sharded();
  op::Builder& b = cx.builder();
  ConvolutionAttrs attrs = cx.attrs<ConvolutionAttrs>();
  auto splits = ConvolutionSplits(s);
  SPMDC_CHECK(splits.has_value(), "plan split a spatial dim over windows and kernel at once");
  ir::ValueId x = cx.operands()[0];
  ir::ValueId zero = EmitConstant(b, tensor::Literal(b.type(x).dtype, {}));
  for (const ConvolutionSplit& split : *splits) {
    x = EmitDilated(cx, x, cx.operand_sharding(0).mesh, split.exchange, zero, split.first, split.stride, split.length,
                    attrs.lhs_dilation[split.index]);
    attrs.low[split.index] = attrs.high[split.index] = 0;
    attrs.lhs_dilation[split.index] = 1;
  }
  for (size_t f = 0; f < cx.rule().factors.size(); ++f) {
    auto factor = static_cast<int32_t>(f);
    bool on_kernel = llvm::is_contained(cx.rule().operands[1].dims[static_cast<size_t>(attrs.kernel.feature)], factor);
    auto on_input = [&](int64_t dim) {
      return on_kernel && llvm::is_contained(cx.rule().operands[0].dims[static_cast<size_t>(dim)], factor);
    };
    int64_t shards = mesh::Product(cx.axes(factor));
    if (on_input(attrs.input.batch)) {
      attrs.batch_groups = mesh::LocalSize(attrs.batch_groups, shards);
    } else if (on_input(attrs.input.feature)) {
      attrs.feature_groups = mesh::LocalSize(attrs.feature_groups, shards);
    }
  }
  cx.Results({b.Add1(ir::OpKind::Convolution, {x, cx.operands()[1]}, b.Attrs(std::move(attrs)))});
  return true;
}

// --- In the classic propagation (GSPMD) ------------------------------------------------------------------------------

bool HasGroups(const ConvolutionAttrs& attrs) { return attrs.feature_groups != 1 || attrs.batch_groups != 1; }

// A product of matrices that is written as a convolution.
bool IsContraction(const ConvolutionAttrs& attrs, llvm::ArrayRef<int64_t> kernel_dims) {
  return !HasGroups(attrs) &&
         llvm::all_of(attrs.Windows(kernel_dims), [](const WindowDim& w) { return w.is_trivial(); });
}

// Whether the windows are small beside what they make, as GSPMD counts.
bool HasSmallKernel(const ConvolutionAttrs& attrs, const ir::Type& kernel, const ir::Type& output) {
  int64_t windows = 1, outputs = 1;
  for (size_t i = 0; i < attrs.kernel.spatial.size(); ++i) {
    int64_t window = kernel.dims[static_cast<size_t>(attrs.kernel.spatial[i])];
    int64_t made = output.dims[static_cast<size_t>(attrs.output.spatial[i])];
    windows *= window;
    outputs *= made;
    if (window >= made && (i < 2 || window > 3 || windows >= outputs)) {
      return false;
    }
  }
  return true;
}

// The dims that belong together in a contraction: of the input, the kernel and the output.
llvm::SmallVector<std::array<int64_t, 3>, 6> ContractionDims(const ConvolutionAttrs& attrs) {
  llvm::SmallVector<std::array<int64_t, 3>, 6> dims = {{attrs.input.batch, kNoDim, attrs.output.batch},
                                                       {attrs.input.feature, attrs.kernel.batch, kNoDim},
                                                       {kNoDim, attrs.kernel.feature, attrs.output.feature}};
  for (size_t i = 0; i < attrs.input.spatial.size(); ++i) {
    dims.push_back({attrs.input.spatial[i], kNoDim, attrs.output.spatial[i]});
  }
  return dims;
}

// Whether the operand that a sharding comes from is split where the windows slide.
bool IsSplitInSpace(const ConvolutionAttrs& attrs, const op::ClassicCarry& carry) {
  const ConvDims& dims = carry.from == 0 ? attrs.input : carry.from == 1 ? attrs.kernel : attrs.output;
  return llvm::any_of(dims.spatial,
                      [&](int64_t d) { return !carry.sharding.dims[static_cast<size_t>(d)].axes.empty(); });
}

// Where nothing is split in space, the result follows both operands, as that of a contraction. Else it follows the input
// alone: where the windows are small, as it is; where they are large, along the batch. Operands follow only contractions.
std::optional<mesh::Sharding> CarryThroughConvolution(const op::ClassicCarry& carry) {
  const auto& attrs = carry.module.attrs<ConvolutionAttrs>(carry.inst);
  mesh::Sharding carried = mesh::Replicated(carry.sharding.mesh, carry.type(carry.to).rank());
  carried.varying = carry.sharding.varying;
  auto move = [&](int64_t from, int64_t to) {
    if (from != kNoDim && to != kNoDim) {
      carried.dims[static_cast<size_t>(to)].axes = carry.sharding.dims[static_cast<size_t>(from)].axes;
    }
  };
  bool spatial = IsSplitInSpace(attrs, carry);
  bool forward = carry.to == 2;
  if (IsContraction(attrs, carry.type(1).dims) || (forward && !spatial && !HasGroups(attrs))) {
    for (const std::array<int64_t, 3>& dims : ContractionDims(attrs)) {
      move(dims[carry.from], dims[carry.to]);
    }
    return carried;
  }
  if (carry.from != 0 || !forward) {
    return std::nullopt;
  }
  move(attrs.input.batch, attrs.output.batch);
  if (HasSmallKernel(attrs, carry.type(1), carry.type(2))) {
    if (!carry.sharding.dims[static_cast<size_t>(attrs.input.feature)].axes.empty()) {
      return std::nullopt;
    }
    for (size_t i = 0; i < attrs.input.spatial.size(); ++i) {
      move(attrs.input.spatial[i], attrs.output.spatial[i]);
    }
  }
  return carried;
}

}  // namespace

const op::OpDef kConvolution = {
    .kind = ir::OpKind::Convolution,
    .min_operands = 2,
    .max_operands = 2,
    .make_attrs = ir::NewAttrs<ConvolutionAttrs>,
    .linear = op::Linear::Multi,
    .classic = {.carry = CarryThroughConvolution},
    .takes_out_sharding = true,
    .flops = 2,
    .infer = InferConvolution,
    .rule = RuleConvolution,
    .explicit_types = ExplicitConvolution,
    .localize = LocalizeConvolution,
    .exchange = ExchangeConvolution,
    .eval = EvalConvolution,
    .hlo_opcode = "convolution",
    .print_hlo = PrintHloConvolution,
    .read_hlo = ReadHloConvolution,
    .parse_stablehlo = ParseConvolution,
    .print_stablehlo = PrintMlirConvolution,
    .native_name = "lax.conv_general_dilated",
    .print_native = PrintNativeConvolution,
};

}  // namespace spmdc::ops
