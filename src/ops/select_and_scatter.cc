// select_and_scatter: the gradient of pooling. Every source element goes to the operand's element that its window selects,
// and is combined there with what others bring. Operands: array, source, initial value; bodies: select, scatter.
#include "ops/select_and_scatter.h"
#include "llvm/ADT/STLExtras.h"
#include "ops/array_copy.h"
#include "ops/body_eval.h"
#include "ops/combine.h"
#include "ops/dims.h"
#include "ops/elementwise.h"
#include "ops/emit.h"
#include "ops/emit_pieces.h"
#include "ops/slice.h"
#include "ops/strided.h"
#include "ops/table.h"
#include "ops/typing.h"
#include "support/all_equal.h"

namespace spmdc::ops {

llvm::SmallVector<WindowDim, 4> SelectAndScatterAttrs::windows() const {
  llvm::SmallVector<WindowDim, 4> windows;
  for (size_t d = 0; d < sizes.size(); ++d) {
    windows.push_back({sizes[d], strides[d], low[d], high[d], 1, 1});
  }
  return windows;
}

namespace {

using op::FactorKind;
using op::kNoDim;
using tensor::Literal;

bool InferSelectAndScatter(op::InferContext& cx) {
  const auto& attrs = cx.attrs<SelectAndScatterAttrs>();
  const ir::Type& x = cx.operand(0);
  const ir::Type& source = cx.operand(1);
  if (!CheckPerDim(cx, "window_dimensions", attrs.sizes, x.rank()) ||
      !CheckPerDim(cx, "window_strides", attrs.strides, x.rank()) || !CheckPerDim(cx, "padding", attrs.low, x.rank()) ||
      !CheckPerDim(cx, "padding", attrs.high, x.rank())) {
    return false;
  }
  tensor::Dims dims;
  auto windows = attrs.windows();
  for (size_t d = 0; d < x.rank(); ++d) {
    if (windows[d].size < 1 || windows[d].stride < 1) {
      return cx.Fail(diag::Kind::ShapeRule, "windows and strides should be positive");
    }
    if (!CheckCountable(cx, windows[d], x.dims[d])) {
      return false;
    }
    dims.push_back(windows[d].Count(x.dims[d]));
  }
  if (!SameShape(source, ir::ArrayType(x.dtype, dims)) || !SameShape(cx.operand(2), ir::ArrayType(x.dtype, {}))) {
    return cx.Fail(diag::Kind::ShapeRule, "the source is " + cx.Show(source) + " and the initial value " +
                                              cx.Show(cx.operand(2)) + ", expected " +
                                              cx.Show(ir::ArrayType(x.dtype, dims)) + " and a scalar");
  }
  ir::Type scalar = ir::ArrayType(x.dtype, {});
  for (size_t body : {0, 1}) {
    bool good = cx.num_body_args(body) == 2 && cx.num_body_results(body) == 1 &&
                SameShape(cx.body_arg(body, 0), scalar) && SameShape(cx.body_arg(body, 1), scalar) &&
                SameShape(cx.body_result(body, 0), body == 0 ? ir::ArrayType(tensor::DType::Pred, {}) : scalar);
    if (!good) {
      return cx.Fail(diag::Kind::DtypeRule,
                     "the bodies should take two scalars of the operand's element type, select "
                     "to return a pred and scatter one of them");
    }
  }
  cx.Result(x.dtype, x.dims);
  return true;
}

// Dims that the window passes over one by one are alike everywhere; of the others the source is split as the operand is, or
// needed whole.
void RuleSelectAndScatter(op::RuleBuilder& b) {
  auto windows = b.attrs<SelectAndScatterAttrs>().windows();
  for (size_t d = 0; d < windows.size(); ++d) {
    auto dim = static_cast<int64_t>(d);
    if (windows[d].is_trivial()) {
      b.Factor(b.operands[0].dims[d], FactorKind::Map, {dim, dim, kNoDim}, {dim});
    } else {
      int32_t source = b.Factor(b.operands[1].dims[d], FactorKind::Whole, {kNoDim, dim, kNoDim}, {kNoDim});
      b.Follows(source, b.Factor(b.operands[0].dims[d], FactorKind::Window, {dim, kNoDim, kNoDim}, {dim}));
    }
  }
}

// jax/_src/lax/windowed_reductions.py: the operand's sharding.
bool ExplicitSelectAndScatter(op::ExplicitContext& cx) {
  return NoUnreducedNorReduced(cx) && GiveSharding(cx, cx.operand(0));
}

// --- Lowering --------------------------------------------------------------------------------------------------------

// One split dim. A device makes the sums of its own block of the operand: of all windows that touch the block, each
// looked at by every device whose block it touches. It needs the operand under those windows and their source elements.
struct ScatterSplit {
  size_t dim;
  DimExchange operand, source;
  int64_t windows;                       // of the local op: as many as fit over `positions`
  int64_t positions;                     // that the local op works on
  llvm::SmallVector<int64_t, 8> starts;  // where among those the device's block begins
};

int64_t FloorDiv(int64_t a, int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

ScatterSplit SplitScatter(const WindowDim& w, size_t dim, const mesh::AxisList& axes, int64_t size, int64_t windows) {
  int64_t count = mesh::Product(axes), block = mesh::LocalSize(size, count);
  auto d = static_cast<int64_t>(dim);
  ScatterSplit split{dim, {d, axes, BlocksOf(size, count), {}}, {d, axes, BlocksOf(windows, count), {}}, 0, 0, {}};
  for (int64_t k = 0; k < count; ++k) {
    int64_t begin = k * block + w.low;
    // The first window that touches the block, or one that begins where the block does or before; the last that touches it.
    int64_t first = std::min(FloorDiv(begin - w.size, w.stride) + 1, FloorDiv(begin, w.stride));
    int64_t last = FloorDiv(begin + block - 1, w.stride);
    split.source.need.starts.push_back(first);
    split.source.need.ends.push_back(last + 1);
    split.source.need.length = std::max(split.source.need.length, last - first + 1);
    split.operand.need.starts.push_back(first * w.stride - w.low);
    split.operand.need.ends.push_back(last * w.stride - w.low + w.size);
    split.starts.push_back(begin - first * w.stride);
    split.positions = std::max(split.positions, split.starts.back() + block);
  }
  split.operand.need.length = (split.source.need.length - 1) * w.stride + w.size;
  split.positions = std::max(split.positions, split.operand.need.length);
  split.windows = (split.positions - w.size) / w.stride + 1;
  return split;
}

// What never wins against an element in `select`, which compares its arguments: the value stands where the operand has
// none, as in XLA's own lowering. Nothing for other bodies.
std::optional<Literal> Loser(const ir::Module& module, ir::FuncId select, tensor::DType dtype) {
  const ir::Function& f = module.functions[select];
  ir::InstId def = f.values[f.results[0]].def;
  if (!def.valid() || f.insts[def].op != ir::OpKind::Compare) {
    return std::nullopt;
  }
  auto operands = f.operands(f.insts[def]);
  Direction direction = module.attrs<CompareAttrs>(f.insts[def]).direction;
  bool greater = direction == Direction::Ge || direction == Direction::Gt;
  bool less = direction == Direction::Le || direction == Direction::Lt;
  bool straight = operands[0] == f.args[0] && operands[1] == f.args[1];
  bool turned = operands[0] == f.args[1] && operands[1] == f.args[0];
  if ((!greater && !less) || (!straight && !turned)) {
    return std::nullopt;
  }
  return op::Identity(greater == straight ? mesh::Monoid::Max : mesh::Monoid::Min, dtype);
}

// The dims that are split and that windows change; nothing if they cannot be split so: the source has to be split as the
// operand is, elements that are not there have to add nothing, and positions that are not there must not be selected.
std::optional<llvm::SmallVector<ScatterSplit, 2>> ScatterSplits(const op::ShardedInst& s) {
  llvm::SmallVector<ScatterSplit, 2> splits;
  auto windows = s.attrs<SelectAndScatterAttrs>().windows();
  auto bodies = s.function.bodies(s.inst);
  for (size_t d = 0; d < windows.size(); ++d) {
    mesh::AxisList axes = s.DimAxes(s.rule.operands[0], d);
    if (windows[d].is_trivial()) {
      continue;
    }
    if (axes != s.DimAxes(s.rule.operands[1], d)) {
      return std::nullopt;
    }
    if (axes.empty()) {
      continue;
    }
    bool is_empty = s.operand(0).dims[d] == 0 || s.operand(1).dims[d] == 0;
    bool is_padded = windows[d].low > 0 || windows[d].high > 0;
    if (is_empty || op::RecognizeMonoid(s.module, bodies[1], 0) == mesh::Monoid::None ||
        (is_padded && !Loser(s.module, bodies[0], s.operand(0).dtype))) {
      return std::nullopt;
    }
    splits.push_back(SplitScatter(windows[d], d, axes, s.operand(0).dims[d], s.operand(1).dims[d]));
  }
  return splits;
}

std::optional<op::Exchanged> ExchangeSelectAndScatter(const op::ShardedInst& s) {
  auto splits = ScatterSplits(s);
  if (!splits) {
    return std::nullopt;
  }
  llvm::SmallVector<DimExchange, 2> operand, source;
  for (const ScatterSplit& split : *splits) {
    operand.push_back(split.operand);
    source.push_back(split.source);
  }
  op::Exchanged total = PriceExchanges(s.LocalOperandDims(0), s.operand(0).dtype, operand);
  op::Exchanged more = PriceExchanges(s.LocalOperandDims(1), s.operand(1).dtype, source);
  return op::Exchanged{total.bytes + more.bytes, total.collectives + more.collectives};
}

// `fill`, a scalar, behind a dim up to a size.
ir::ValueId PadBehind(op::Builder& b, ir::ValueId x, size_t dim, int64_t size, ir::ValueId fill) {
  size_t rank = b.type(x).rank();
  PadAttrs attrs{tensor::Dims(rank, 0), tensor::Dims(rank, 0), tensor::Dims(rank, 0)};
  attrs.high[dim] = size - b.type(x).dims[dim];
  return attrs.high[dim] == 0 ? x : b.Add1(ir::OpKind::Pad, {x, fill}, b.Attrs(std::move(attrs)));
}

bool LocalizeSelectAndScatter(op::LocalizeContext& cx) {
  op::Builder& b = cx.builder();
  SelectAndScatterAttrs attrs = cx.attrs<SelectAndScatterAttrs>();
  ir::ValueId x = cx.operands()[0], source = cx.operands()[1], seed = cx.operands()[2];
  auto bodies = cx.function().bodies(cx.inst());
  mesh::MeshId mesh = cx.operand_sharding(0).mesh;
  auto splits = *ScatterSplits(cx.sharded());
  for (const ScatterSplit& split : splits) {
    size_t d = split.dim;
    tensor::DType dtype = b.type(x).dtype;
    mesh::Monoid monoid = op::RecognizeMonoid(cx.planned(), bodies[1], 0);
    ir::ValueId nothing = EmitConstant(b, op::Identity(monoid, dtype));
    source = EmitFillOutside(cx, EmitExchange(cx, source, mesh, split.source), mesh, split.source, nothing);
    source = PadBehind(b, source, d, split.windows, nothing);
    x = EmitExchange(cx, x, mesh, split.operand);
    if (attrs.low[d] > 0 || attrs.high[d] > 0) {
      ir::ValueId loser = EmitConstant(b, *Loser(cx.planned(), bodies[0], dtype));
      x = EmitFillOutside(cx, x, mesh, split.operand, loser);
    }
    x = EmitResize(b, x, split.operand.dim, split.positions);
    attrs.low[d] = attrs.high[d] = 0;
  }
  ir::ValueId sums =
      b.Add1(ir::OpKind::SelectAndScatter, {x, source, seed}, b.Attrs(std::move(attrs)), {cx.body(0), cx.body(1)});
  for (const ScatterSplit& split : splits) {
    const DimExchange& e = split.operand;
    sums =
        AllEqual(split.starts)
            ? EmitStaticSlice(b, sums, e.dim, split.starts[0], split.starts[0] + e.from.block)
            : EmitDynamicSlice(b, sums, e.dim,
                               EmitPerDevice(cx, mesh, e.axes, split.starts, IndexType(split.positions)), e.from.block);
  }
  cx.Results({sums});
  return true;
}

// --- Evaluation ------------------------------------------------------------------------------------------------------

class SelectAndScatterEvaluator {
 public:
  explicit SelectAndScatterEvaluator(op::EvalContext& cx)
      : cx_(cx),
        windows_(cx.attrs<SelectAndScatterAttrs>().windows()),
        x_(cx.operand(0).Materialize()),
        source_(cx.operand(1).Materialize()),
        selected_(static_cast<size_t>(source_.size()), -1) {}

  Literal Run() {
    Select();
    Literal result = Filled(x_.dims(), cx_.operand(2));
    ir::FuncId scatter = cx_.function.bodies(cx_.inst)[1];
    mesh::Monoid monoid = op::RecognizeMonoid(cx_.module, scatter, 0);
    for (int64_t i = 0, n = source_.size(); i < n; ++i) {
      int64_t at = selected_[static_cast<size_t>(i)];
      if (at < 0) {
        continue;
      }
      if (monoid != mesh::Monoid::None) {
        CombineElement(monoid, result, at, source_, i);
        continue;
      }
      Literal sum = cx_.call(scatter, {CopyStrided(result, {}, {}, at), CopyStrided(source_, {}, {}, i)})[0];
      std::copy(sum.raw().begin(), sum.raw().end(), result.mutable_raw() + at * tensor::ByteWidth(result.dtype()));
    }
    return result;
  }

 private:
  // For each source element the operand's element that its window selects: position by position of the windows, all
  // windows at once.
  void Select() {
    if (source_.size() == 0) {
      return;
    }
    ir::FuncId select = cx_.function.bodies(cx_.inst)[0];
    Literal padded = UnderWindows(x_, cx_.operand(2), windows_);
    tensor::Dims steps = tensor::Strides(padded.dims()), strides, sizes, index(windows_.size(), 0);
    for (size_t d = 0; d < windows_.size(); ++d) {
      strides.push_back(steps[d] * windows_[d].stride);
      sizes.push_back(windows_[d].size);
    }
    Literal best(x_.dtype(), source_.dims());
    do {
      int64_t offset = 0;
      for (size_t d = 0; d < windows_.size(); ++d) {
        offset += index[d] * steps[d];
      }
      Literal candidate = CopyStrided(padded, source_.dims(), strides, offset);
      Literal keeps = ApplyToArrays(cx_, select, {best, candidate})[0];
      Update(best, candidate, keeps, index);
    } while (tensor::NextIndex(index, sizes));
  }

  void Update(Literal& best, const Literal& candidate, const Literal& keeps, const tensor::Dims& position) {
    tensor::Dims window(windows_.size(), 0), steps = tensor::Strides(x_.dims());
    auto width = static_cast<size_t>(tensor::ByteWidth(x_.dtype()));
    char* to = best.mutable_raw();
    size_t i = 0;
    do {
      int64_t at = 0;
      bool inside = true;
      for (size_t d = 0; d < windows_.size(); ++d) {
        int64_t place = window[d] * windows_[d].stride + position[d] - windows_[d].low;
        inside = inside && place >= 0 && place < x_.dims()[d];
        at += place * steps[d];
      }
      if (inside && (selected_[i] < 0 || keeps.GetInt(static_cast<int64_t>(i)) == 0)) {
        selected_[i] = at;
        std::copy_n(candidate.raw().data() + i * width, width, to + i * width);
      }
      ++i;
    } while (tensor::NextIndex(window, source_.dims()));
  }

  op::EvalContext& cx_;
  llvm::SmallVector<WindowDim, 4> windows_;
  Literal x_, source_;
  std::vector<int64_t> selected_;
};

bool EvalSelectAndScatter(op::EvalContext& cx) {
  if (!IsElementwiseBody(cx.module, cx.function.bodies(cx.inst)[0])) {
    return false;
  }
  cx.results.push_back(SelectAndScatterEvaluator(cx).Run());
  return true;
}

// --- Spellings -------------------------------------------------------------------------------------------------------

void PrintMlirSelectAndScatter(op::StablehloPrinter& p) {
  const auto& attrs = p.attrs<SelectAndScatterAttrs>();
  p.Ints("window_dimensions", attrs.sizes);
  p.Ints("window_strides", attrs.strides);
  p.Property("padding", MlirPadding(attrs.low, attrs.high));
}

bool GenericSelectAndScatter(op::StablehloReader& r) {
  SelectAndScatterAttrs attrs;
  size_t rank = r.operand_types().empty() ? 0 : r.operand_types()[0].rank();
  auto list = [&](llvm::StringRef name) { return r.attr(name) ? r.attr(name).ints() : tensor::Dims(rank, 1); };
  attrs.sizes = list("window_dimensions");
  attrs.strides = list("window_strides");
  if (!ReadPadding(r, rank, attrs.low, attrs.high)) {
    return false;
  }
  r.SetAttrs(r.module().tables->attrs.Add(std::move(attrs)));
  return true;
}

void PrintHloSelectAndScatter(op::HloPrinter& p) {
  p.Attr("window", WindowText(p.attrs<SelectAndScatterAttrs>().windows()));
  p.Body("select", p.function().bodies(p.inst())[0]);
  p.Body("scatter", p.function().bodies(p.inst())[1]);
}

bool ReadHloSelectAndScatter(op::HloReader& r, ir::AttrsId& id) {
  auto text = r.Text("window");
  auto windows = text ? ParseWindow(*text) : std::nullopt;
  auto select = r.Body("select"), scatter = r.Body("scatter");
  if (!windows || !select || !scatter) {
    return r.Fail("window", "expected a window and two bodies, select and scatter");
  }
  SelectAndScatterAttrs attrs;
  for (const WindowDim& w : *windows) {
    attrs.sizes.push_back(w.size);
    attrs.strides.push_back(w.stride);
    attrs.low.push_back(w.low);
    attrs.high.push_back(w.high);
  }
  r.UseBodies({*select, *scatter});
  id = r.module().tables->attrs.Add(std::move(attrs));
  return true;
}

int64_t SelectCost(const ir::Module& module, const ir::Function& f, const ir::Inst& inst) {
  return module.type(f, f.operands(inst)[1]).num_elements() *
         tensor::NumElements(module.attrs<SelectAndScatterAttrs>(inst).sizes);
}

constexpr op::OpDef SelectAndScatterDef() {
  op::OpDef def;
  def.kind = ir::OpKind::SelectAndScatter;
  def.min_operands = def.max_operands = 3;
  def.min_bodies = def.max_bodies = 2;
  def.make_attrs = ir::NewAttrs<SelectAndScatterAttrs>;
  def.region = op::Region::Apply;
  def.infer = InferSelectAndScatter;
  def.rule = RuleSelectAndScatter;
  def.explicit_types = ExplicitSelectAndScatter;
  def.localize = LocalizeSelectAndScatter;
  def.exchange = ExchangeSelectAndScatter;
  def.eval = EvalSelectAndScatter;
  def.eval_cost = SelectCost;
  def.hlo_opcode = "select-and-scatter";
  def.print_hlo = PrintHloSelectAndScatter;
  def.read_hlo = ReadHloSelectAndScatter;
  def.from_generic = GenericSelectAndScatter;
  def.print_stablehlo = PrintMlirSelectAndScatter;
  return def;
}

}  // namespace

constinit const op::OpDef kSelectAndScatter = SelectAndScatterDef();

}  // namespace spmdc::ops
