// reduce_window: pooling, and the cumulative ops, which are windows over everything before an element.
#include "ops/reduce_window.h"

#include "llvm/ADT/STLExtras.h"
#include "ops/collective.h"
#include "ops/dims.h"
#include "ops/elementwise.h"
#include "ops/emit.h"
#include "ops/emit_pieces.h"
#include "ops/reduce.h"
#include "ops/size_change.h"
#include "ops/table.h"

namespace spmdc::ops {

using ir::OpKind;

llvm::SmallVector<WindowDim, 4> ReduceWindowAttrs::windows() const {
  llvm::SmallVector<WindowDim, 4> windows;
  for (size_t d = 0; d < sizes.size(); ++d) {
    windows.push_back({sizes[d], strides[d], low[d], high[d], base_dilations[d], dilations[d]});
  }
  return windows;
}

ReduceWindowAttrs ReduceWindowAttrs::Of(llvm::ArrayRef<WindowDim> windows) {
  ReduceWindowAttrs attrs;
  for (const WindowDim& window : windows) {
    attrs.sizes.push_back(window.size);
    attrs.strides.push_back(window.stride);
    attrs.low.push_back(window.low);
    attrs.high.push_back(window.high);
    attrs.base_dilations.push_back(window.base_dilation);
    attrs.dilations.push_back(window.dilation);
  }
  return attrs;
}

ScanWay ScanOf(const WindowDim& window, int64_t size) {
  bool all = size > 1 && window.size == size && window.stride == 1 && window.base_dilation == 1 && window.dilation == 1;
  if (all && window.low == size - 1 && window.high == 0) {
    return ScanWay::Forward;
  }
  return all && window.low == 0 && window.high == size - 1 ? ScanWay::Backward : ScanWay::None;
}

namespace {

using op::FactorKind;

bool CheckWindowBody(op::InferContext& cx, size_t n) {
  bool good = cx.num_body_args(0) == 2 * n && cx.num_body_results(0) == n;
  for (size_t i = 0; good && i < n; ++i) {
    ir::Type scalar = ir::ArrayType(cx.operand(i).dtype, {});
    good = SameShape(cx.operand(n + i), scalar) && SameShape(cx.body_arg(0, i), scalar) &&
           SameShape(cx.body_arg(0, n + i), scalar) && SameShape(cx.body_result(0, i), scalar);
  }
  return good ||
         cx.Fail(diag::Kind::DtypeRule,
                 "expected initial values and a body of scalars of the arrays' element types, two for each array");
}

bool InferReduceWindow(op::InferContext& cx) {
  const auto& attrs = cx.attrs<ReduceWindowAttrs>();
  size_t n = cx.operands.size() / 2, rank = cx.operand(0).rank();
  if (cx.operands.size() != 2 * n) {
    return cx.Fail(diag::Kind::OperandCount, "got " + std::to_string(cx.operands.size()) +
                                                 " operands, expected arrays and as many initial values");
  }
  if (!CheckPerDim(cx, "window_dimensions", attrs.sizes, rank) ||
      !CheckPerDim(cx, "window_strides", attrs.strides, rank) ||
      !CheckPerDim(cx, "base_dilations", attrs.base_dilations, rank) ||
      !CheckPerDim(cx, "window_dilations", attrs.dilations, rank) || !CheckPerDim(cx, "padding", attrs.low, rank) ||
      !CheckPerDim(cx, "padding", attrs.high, rank) || !CheckWindowBody(cx, n)) {
    return false;
  }
  auto windows = attrs.windows();
  for (const WindowDim& w : windows) {
    if (w.size < 1 || w.stride < 1 || w.base_dilation < 1 || w.dilation < 1) {
      return cx.Fail(diag::Kind::ShapeRule, "windows, strides and dilations should be positive");
    }
  }
  for (size_t i = 0; i < n; ++i) {
    if (cx.operand(i).dims != cx.operand(0).dims) {
      return cx.Fail(diag::Kind::BroadcastShape, "got " + cx.Show(cx.operand(0)) + " and " + cx.Show(cx.operand(i)) +
                                                     ", expected arrays of one shape");
    }
    tensor::Dims dims;
    for (size_t d = 0; d < rank; ++d) {
      if (!CheckCountable(cx, windows[d], cx.operand(i).dims[d])) {
        return false;
      }
      dims.push_back(windows[d].Count(cx.operand(i).dims[d]));
    }
    cx.Result(cx.operand(i).dtype, dims);
  }
  return true;
}

// Whether a window is a scan that blocks can be joined for: of one array, with a known monoid.
ScanWay JoinableScan(const ir::Module& module, ir::FuncId body, size_t results, const WindowDim& window, int64_t size) {
  bool known = results == 1 && op::RecognizeMonoid(module, body, 0) != mesh::Monoid::None;
  return known ? ScanOf(window, size) : ScanWay::None;
}

void RuleReduceWindow(op::RuleBuilder& b) {
  auto windows = b.attrs<ReduceWindowAttrs>().windows();
  size_t n = b.results.size();
  for (size_t d = 0; d < windows.size(); ++d) {
    int64_t size = b.operands[0].dims[d];
    bool scan = JoinableScan(b.module, b.bodies[0], n, windows[d], size) != ScanWay::None;
    FactorKind kind = windows[d].is_trivial() ? FactorKind::Map : scan ? FactorKind::Scan : FactorKind::Window;
    int32_t factor = b.Factor(b.results[0].dims[d], kind);
    for (size_t i = 0; i < n; ++i) {
      b.Operand(i, static_cast<int64_t>(d), factor);
      b.Result(i, static_cast<int64_t>(d), factor);
    }
  }
}

op::Linear LinearWindow(const ir::Module& module, const ir::Function& function, const ir::Inst& inst) {
  bool sums = inst.num_results == 1 && op::RecognizeMonoid(module, function.bodies(inst)[0], 0) == mesh::Monoid::Sum;
  return sums ? op::Linear::Unary : op::Linear::No;
}

// jax/_src/lax/windowed_reductions.py, reduce_window_sharding_rule.
bool ExplicitReduceWindow(op::ExplicitContext& cx) {
  size_t n = cx.infer.results.size();
  for (size_t i = 0; i < n; ++i) {
    if (i == 0) {
      if (!KeepOperandSharding(cx, "reduce_window")) {
        return false;
      }
    } else {
      cx.results.push_back(cx.operand(i));
    }
  }
  return true;
}

// --- WindowLowering --------------------------------------------------------------------------------------------------------

struct WindowSplit {
  size_t dim;
  mesh::AxisList axes;
  ScanWay scan;
};

// The sharded dims that windows change.
llvm::SmallVector<WindowSplit, 2> WindowSplits(const op::ShardedInst& s) {
  llvm::SmallVector<WindowSplit, 2> splits;
  auto windows = s.attrs<ReduceWindowAttrs>().windows();
  ir::FuncId body = s.function.bodies(s.inst)[0];
  for (size_t d = 0; d < windows.size(); ++d) {
    mesh::AxisList axes = s.DimAxes(s.rule.operands[0], d);
    if (!axes.empty() && !windows[d].is_trivial()) {
      splits.push_back({d, axes, JoinableScan(s.module, body, s.inst.num_results, windows[d], s.operand(0).dims[d])});
    }
  }
  return splits;
}

std::optional<op::Exchanged> ExchangeReduceWindow(const op::ShardedInst& s) {
  op::Exchanged total;
  auto windows = s.attrs<ReduceWindowAttrs>().windows();
  ir::FuncId body = s.function.bodies(s.inst)[0];
  tensor::Dims blocks = s.LocalResultDims(0), dims = s.LocalOperandDims(0);
  for (const WindowSplit& split : WindowSplits(s)) {
    int64_t count = mesh::Product(split.axes);
    if (split.scan != ScanWay::None) {
      // Padding holds the seed: where that counts, a block's own scan is not part of the whole one.
      if (!IsIdentity(s.module, s.function, s.function.operands(s.inst)[1], op::RecognizeMonoid(s.module, body, 0))) {
        return std::nullopt;
      }
      tensor::Dims carry = dims;
      carry[split.dim] = count - 1;
      total.bytes += tensor::NumElements(carry) * tensor::ByteWidth(s.operand(0).dtype);
      ++total.collectives;
      continue;
    }
    DimExchange exchange = WindowExchange(windows[split.dim], static_cast<int64_t>(split.dim), split.axes,
                                          s.operand(0).dims[split.dim], blocks[split.dim]);
    for (size_t i = 0; i < s.inst.num_results; ++i) {
      op::Exchanged one = PriceExchanges(dims, s.operand(i).dtype, exchange);
      total.bytes += one.bytes;
      total.collectives += one.collectives;
    }
    dims[split.dim] = exchange.need.length;
  }
  return total;
}

class WindowLowering {
 public:
  explicit WindowLowering(op::LocalizeContext& cx)
      : cx_(cx),
        b_(cx.builder()),
        n_(cx.inst().num_results),
        mesh_(cx.operand_sharding(0).mesh),
        windows_(cx.attrs<ReduceWindowAttrs>().windows()),
        operands_(cx.operands().begin(), cx.operands().end()),
        splits_(WindowSplits(cx.sharded())) {}

  // Windows that need neighbours' elements first, all of them in one op; then the scans of split dims, one by one.
  void Run() {
    auto plain = windows_;
    bool scans = false;
    for (const WindowSplit& split : splits_) {
      if (split.scan == ScanWay::None) {
        Exchange(split, plain[split.dim]);
      } else {
        plain[split.dim] = WindowDim();
        scans = true;
      }
    }
    if (!scans || llvm::any_of(plain, [](const WindowDim& w) { return !w.is_trivial(); })) {
      Apply(plain);
    }
    for (const WindowSplit& split : splits_) {
      if (split.scan != ScanWay::None) {
        Scan(split);
      }
    }
    cx_.Results(llvm::ArrayRef<ir::ValueId>(operands_).take_front(n_));
  }

 private:
  // The op on the arrays as they are; they become its results.
  void Apply(llvm::ArrayRef<WindowDim> windows) {
    auto results = b_.Add(OpKind::ReduceWindow, operands_, b_.Attrs(ReduceWindowAttrs::Of(windows)), {cx_.body(0)});
    llvm::copy(*results, operands_.begin());
  }

  void Exchange(const WindowSplit& split, WindowDim& window) {
    int64_t size = cx_.global_operand(0).dims[split.dim], block = cx_.local_result(0).dims[split.dim];
    DimExchange exchange = WindowExchange(window, static_cast<int64_t>(split.dim), split.axes, size, block);
    WindowDim asked = window;
    for (size_t i = 0; i < n_; ++i) {
      window = asked;
      operands_[i] = EmitWindowed(cx_, operands_[i], mesh_, exchange, window, block, operands_[n_ + i]);
    }
  }

  // Every block by itself, and what the blocks in front of it (or behind it) come to combined with each of its elements.
  void Scan(const WindowSplit& split) {
    mesh::Monoid monoid = op::RecognizeMonoid(cx_.planned(), cx_.function().bodies(cx_.inst())[0], 0);
    tensor::Literal identity = op::Identity(monoid, b_.type(operands_[0]).dtype);
    int64_t block = cx_.local_result(0).dims[split.dim];
    operands_[0] =
        cx_.Mask(operands_[0], split.dim, cx_.global_operand(0).dims[split.dim], mesh_, split.axes, identity);
    ir::ValueId carry = Carry(split, monoid, identity);
    llvm::SmallVector<WindowDim, 4> windows(windows_.size());
    WindowDim& window = windows[split.dim];
    window.size = block;
    (split.scan == ScanWay::Forward ? window.low : window.high) = block - 1;
    Apply(windows);
    // The seed has been counted, should another scan follow.
    operands_[1] = EmitConstant(b_, identity);
    tensor::Dims dims = b_.type(operands_[0]).dims, to;
    for (size_t d = 0; d < dims.size(); ++d) {
      if (d != split.dim) {
        to.push_back(static_cast<int64_t>(d));
      }
    }
    operands_[0] = b_.Add1(op::MonoidOp(monoid), {EmitBroadcastInDim(b_, carry, dims, to), operands_[0]});
  }

  // Each block's total, gathered; those that do not come before this block masked, and the rest combined.
  ir::ValueId Carry(const WindowSplit& split, mesh::Monoid monoid, const tensor::Literal& identity) {
    auto dim = static_cast<int64_t>(split.dim);
    ir::FuncId body = cx_.MonoidBody(monoid, identity.dtype());
    auto combine = [&](ir::ValueId v) {
      return b_.Add1(OpKind::Reduce, {v, EmitConstant(b_, identity)}, b_.Attrs(ReduceAttrs{{dim}}), {body});
    };
    tensor::Dims one = b_.type(operands_[0]).dims;
    one[split.dim] = 1;
    CollectiveAttrs attrs;
    attrs.groups.mesh = mesh_;
    attrs.groups.axes = split.axes;
    attrs.dim = dim;
    attrs.channel = cx_.NextChannel();
    ir::ValueId own = EmitReshape(b_, combine(operands_[0]), one);
    ir::ValueId totals = b_.Add1(OpKind::AllGather, {own}, b_.Attrs(std::move(attrs)));
    tensor::Dims dims = b_.type(totals).dims;
    ir::ValueId number = EmitIota(b_, tensor::DType::S32, dims, dim);
    ir::ValueId index = cx_.ShardIndex(mesh_, split.axes, tensor::DType::S32);
    Direction before = split.scan == ScanWay::Forward ? Direction::Lt : Direction::Gt;
    ir::ValueId counts = EmitCompare(b_, before, number, EmitBroadcast(b_, index, dims));
    return combine(EmitKeepIf(b_, counts, totals, identity));
  }

  op::LocalizeContext& cx_;
  op::Builder& b_;
  size_t n_;
  mesh::MeshId mesh_;
  llvm::SmallVector<WindowDim, 4> windows_;
  llvm::SmallVector<ir::ValueId, 4> operands_;
  llvm::SmallVector<WindowSplit, 2> splits_;
};

bool LocalizeReduceWindow(op::LocalizeContext& cx) {
  WindowLowering(cx).Run();
  return true;
}

// --- Spellings -------------------------------------------------------------------------------------------------------

void PrintMlirReduceWindow(op::StablehloPrinter& p) {
  const auto& attrs = p.attrs<ReduceWindowAttrs>();
  p.Ints("window_dimensions", attrs.sizes);
  p.Ints("window_strides", attrs.strides);
  p.Ints("base_dilations", attrs.base_dilations);
  p.Ints("window_dilations", attrs.dilations);
  p.Property("padding", MlirPadding(attrs.low, attrs.high));
}

bool GenericReduceWindow(op::StablehloReader& r) {
  ReduceWindowAttrs attrs;
  attrs.sizes = r.attr("window_dimensions").ints();
  auto list = [&](llvm::StringRef name) {
    tensor::Dims given = r.attr(name).ints();
    return r.attr(name) ? given : tensor::Dims(attrs.sizes.size(), 1);
  };
  attrs.strides = list("window_strides");
  attrs.base_dilations = list("base_dilations");
  attrs.dilations = list("window_dilations");
  if (!ReadPadding(r, attrs.sizes.size(), attrs.low, attrs.high)) {
    return false;
  }
  r.SetAttrs(r.module().tables->attrs.Add(std::move(attrs)));
  return true;
}

void PrintHloReduceWindow(op::HloPrinter& p) {
  p.Attr("window", WindowText(p.attrs<ReduceWindowAttrs>().windows()));
  p.Body("to_apply", p.function().bodies(p.inst())[0]);
}

bool ReadHloReduceWindow(op::HloReader& r, ir::AttrsId& id) {
  auto text = r.Text("window");
  auto windows = text ? ParseWindow(*text) : std::nullopt;
  auto body = r.Body("to_apply");
  if (!windows || !body) {
    return r.Fail("window", "expected a window like {size=1x2 stride=1x2}");
  }
  r.UseBodies(*body);
  id = r.module().tables->attrs.Add(ReduceWindowAttrs::Of(*windows));
  return true;
}

// `lax.reduce_window(x, init, body, (2, 2), (1, 1), ((0, 0), (0, 1)))`.
void PrintNativeReduceWindow(op::NativePrinter& p) {
  const auto& attrs = p.attrs<ReduceWindowAttrs>();
  size_t n = p.inst().num_operands / 2;
  auto group = [&](size_t from) {
    std::string text;
    for (size_t i = from; i < from + n; ++i) {
      text += (i == from ? "" : ", ") + p.Operand(i);
    }
    return n == 1 ? text : "(" + text + ")";
  };
  std::string body = p.Body(p.function().bodies(p.inst())[0]);
  p.Args(group(0) + ", " + group(n) + ", " + (n == 1 ? body : "lambda x, y: " + body + "(*x, *y)"));
  p.Tuple("window_dimensions", attrs.sizes);
  p.Tuple("window_strides", attrs.strides);
  std::string pads;
  for (size_t d = 0; d < attrs.low.size(); ++d) {
    pads += "(" + std::to_string(attrs.low[d]) + ", " + std::to_string(attrs.high[d]) + "), ";
  }
  p.Keyword("padding", "(" + llvm::StringRef(pads).rtrim().str() + ")");
  p.Tuple("base_dilation", attrs.base_dilations);
  p.Tuple("window_dilation", attrs.dilations);
}

int64_t WindowCost(const ir::Module& module, const ir::Function& f, const ir::Inst& inst) {
  return inst.num_results * module.type(f, f.result(inst, 0)).num_elements() *
         tensor::NumElements(module.attrs<ReduceWindowAttrs>(inst).sizes);
}

constexpr op::OpDef ReduceWindowDef() {
  op::OpDef def;
  def.kind = OpKind::ReduceWindow;
  def.min_operands = 2;
  def.max_operands = -1;
  def.min_bodies = def.max_bodies = 1;
  def.make_attrs = ir::NewAttrs<ReduceWindowAttrs>;
  def.region = op::Region::Apply;
  def.linear_of = LinearWindow;
  def.infer = InferReduceWindow;
  def.rule = RuleReduceWindow;
  def.explicit_types = ExplicitReduceWindow;
  def.localize = LocalizeReduceWindow;
  def.exchange = ExchangeReduceWindow;
  def.eval = EvalReduceWindow;
  def.eval_cost = WindowCost;
  def.hlo_opcode = "reduce-window";
  def.print_hlo = PrintHloReduceWindow;
  def.read_hlo = ReadHloReduceWindow;
  def.from_generic = GenericReduceWindow;
  def.print_stablehlo = PrintMlirReduceWindow;
  def.native_name = "lax.reduce_window";
  def.print_native = PrintNativeReduceWindow;
  return def;
}

}  // namespace

constinit const op::OpDef kReduceWindow = ReduceWindowDef();

}  // namespace spmdc::ops
