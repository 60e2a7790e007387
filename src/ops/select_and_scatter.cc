// select_and_scatter: the gradient of pooling. Every source element goes to the operand's element that its window selects,
// and is combined there with what others bring. Operands: array, source, initial value; bodies: select, scatter.
#include "ops/select_and_scatter.h"
#include "llvm/ADT/STLExtras.h"
#include "ops/array_copy.h"
#include "ops/body_eval.h"
#include "ops/combine.h"
#include "ops/dims.h"
#include "ops/strided.h"
#include "ops/table.h"
#include "ops/typing.h"

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

// Dims that the window passes over one by one are alike everywhere; of the others the source is needed whole.
void RuleSelectAndScatter(op::RuleBuilder& b) {
  auto windows = b.attrs<SelectAndScatterAttrs>().windows();
  for (size_t d = 0; d < windows.size(); ++d) {
    auto dim = static_cast<int64_t>(d);
    if (windows[d].is_trivial()) {
      b.Factor(b.operands[0].dims[d], FactorKind::Map, {dim, dim, kNoDim}, {dim});
    } else {
      b.Factor(b.operands[1].dims[d], FactorKind::Whole, {kNoDim, dim, kNoDim}, {kNoDim});
      b.Factor(b.operands[0].dims[d], FactorKind::Window, {dim, kNoDim, kNoDim}, {dim});
    }
  }
}

// jax/_src/lax/windowed_reductions.py: the operand's sharding.
bool ExplicitSelectAndScatter(op::ExplicitContext& cx) {
  return NoUnreducedNorReduced(cx) && GiveSharding(cx, cx.operand(0));
}

// Windows that reach over a block's ends would have to bring sums back: such dims are not split.
std::optional<op::Exchanged> ExchangeSelectAndScatter(const op::ShardedInst& s) {
  auto windows = s.attrs<SelectAndScatterAttrs>().windows();
  for (size_t d = 0; d < windows.size(); ++d) {
    if (!windows[d].is_trivial() && !s.DimAxes(s.rule.operands[0], d).empty()) {
      return std::nullopt;
    }
  }
  return op::Exchanged();
}

bool LocalizeSelectAndScatter(op::LocalizeContext& cx) {
  op::Builder& b = cx.builder();
  cx.Results({b.Add1(ir::OpKind::SelectAndScatter, cx.operands(), b.Attrs(cx.attrs<SelectAndScatterAttrs>()),
                     {cx.body(0), cx.body(1)})});
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
