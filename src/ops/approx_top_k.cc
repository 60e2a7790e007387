// ApproxTopK, the custom call of JAX's approx_max_k and approx_min_k: the best of each row by a comparator. It is answered
// exactly (a recall of 1). Along a split row every device chooses among its own, and then all choose among the chosen.
#include <algorithm>
#include <map>

#include "llvm/ADT/STLExtras.h"
#include "op/reshard_fix.h"
#include "ops/collective.h"
#include "ops/constant.h"
#include "ops/dims.h"
#include "ops/emit.h"
#include "ops/emit_pieces.h"
#include "ops/literal_text.h"
#include "ops/sort.h"
#include "ops/strided.h"
#include "ops/table.h"
#include "ops/typing.h"

namespace spmdc::ops {
namespace {

using ir::OpKind;
using op::FactorKind;
using tensor::DType;
using tensor::Literal;

// Operands: arrays of one shape, then for each a scalar that stands where there is no element.
size_t NumArrays(size_t num_operands) { return num_operands / 2; }

// --- Types and rule --------------------------------------------------------------------------------------------------

bool CheckScalars(op::InferContext& cx) {
  size_t n = NumArrays(cx.operands.size());
  for (size_t i = 0; i < n; ++i) {
    ir::Type scalar = ir::ArrayType(cx.operand(i).dtype, {});
    if (!SameShape(cx.operand(n + i), scalar)) {
      return cx.Fail(diag::Kind::DtypeRule, "operand " + std::to_string(n + i) + " is " + cx.Show(cx.operand(n + i)) +
                                                ", expected " + cx.Show(scalar) + " for where " +
                                                cx.Show(cx.operand(i)) + " has no element");
    }
  }
  return true;
}

bool CheckNumbers(op::InferContext& cx) {
  const auto& attrs = cx.attrs<ApproxTopKAttrs>();
  int64_t size = cx.operand(0).dims[static_cast<size_t>(attrs.dim)], assumed = attrs.reduction_input_size_override;
  if (attrs.k < 1 || attrs.k > size) {
    return cx.Fail(diag::Kind::ShapeRule, "top_k = " + std::to_string(attrs.k) + " elements of dim " +
                                              std::to_string(attrs.dim) + " of " + cx.Show(cx.operand(0)));
  }
  if (!(attrs.recall_target > 0 && attrs.recall_target <= 1)) {
    return cx.Fail(diag::Kind::Arguments,
                   "recall_target = " + HloText(Literal::Number(DType::F32, {}, attrs.recall_target)) +
                       ", expected more than 0 and at most 1");
  }
  if (assumed != -1 && assumed < size) {
    return cx.Fail(diag::Kind::Arguments, "reduction_input_size_override = " + std::to_string(assumed) +
                                              ", expected -1 or at least the " + std::to_string(size) +
                                              " elements of the dim");
  }
  return attrs.aggregate_to_topk ||
         cx.Fail(
             diag::Kind::UnsupportedFeature,
             "aggregate_to_topk = false: how many more candidates than top_k it would give is the hardware's choice",
             "say aggregate_to_topk = true");
}

bool InferApproxTopK(op::InferContext& cx) {
  if (cx.operands.size() % 2 != 0) {
    return cx.Fail(diag::Kind::OperandCount, "got " + std::to_string(cx.operands.size()) +
                                                 " operands, expected a scalar behind the arrays for each of them");
  }
  const auto& attrs = cx.attrs<ApproxTopKAttrs>();
  auto arrays = cx.operands.take_front(NumArrays(cx.operands.size()));
  if (!CheckDimList(cx, "reduction_dim", {attrs.dim}, arrays[0].rank()) || !CheckSortedTogether(cx, arrays) ||
      !CheckScalars(cx) || !CheckNumbers(cx)) {
    return false;
  }
  for (const ir::Type& x : arrays) {
    tensor::Dims dims = x.dims;
    dims[static_cast<size_t>(attrs.dim)] = attrs.k;
    cx.Result(x.dtype, dims);
  }
  return true;
}

// Shardy's rule: the arrays' dims; the dim that is cut short is another one in the results. The row may be split: see the
// lowering.
void RuleApproxTopK(op::RuleBuilder& b) {
  size_t n = NumArrays(b.operands.size());
  auto dims_of = [&](size_t count, int64_t arrays_have) {
    llvm::SmallVector<int64_t, 4> dims(count, op::kNoDim);
    std::fill_n(dims.begin(), n, arrays_have);
    return dims;
  };
  for (size_t d = 0; d < b.operands[0].rank(); ++d) {
    auto dim = static_cast<int64_t>(d);
    int64_t from = b.operands[0].dims[d], to = b.results[0].dims[d];
    int32_t factor = b.Factor(from, FactorKind::Map, dims_of(2 * n, dim), dims_of(n, from == to ? dim : op::kNoDim));
    if (dim == b.attrs<ApproxTopKAttrs>().dim) {
      b.SelfCombining(factor);
    }
    if (from != to) {
      b.Factor(to, FactorKind::Whole, dims_of(2 * n, op::kNoDim), dims_of(n, dim), /*blocked=*/true);
    }
  }
}

// jax/_src/lax/ann.py: the reduced dim should be unsharded; results are sharded as the operand.
bool ExplicitApproxTopK(op::ExplicitContext& cx) {
  if (!NoUnreducedNorReduced(cx)) {
    return false;
  }
  auto dim = static_cast<size_t>(cx.infer.attrs<ApproxTopKAttrs>().dim);
  size_t n = NumArrays(cx.infer.operands.size()), first = 0;
  auto is_split = [](const mesh::Sharding& x) {
    return llvm::any_of(x.dims, [](const mesh::DimSharding& d) { return !d.axes.empty(); });
  };
  for (size_t i = 0; i < n; ++i) {
    mesh::Sharding x = cx.operand(i);
    if (!x.dims[dim].axes.empty()) {
      return cx.Fail(
          diag::Kind::DimMustBeUnsharded,
          "dim " + std::to_string(dim) + " of " + cx.infer.Show(cx.infer.operands[i]) + " is sharded, and reduced",
          op::UnshardFix(cx, i, dim));
    }
    if (!is_split(x)) {
      continue;
    }
    first = is_split(cx.operand(first)) ? first : i;
    if (cx.operand(first).dims != x.dims) {
      return cx.Fail(diag::Kind::OperandShardingsDiffer, "the operands have different shardings: " + OperandSpecs(cx),
                     op::EitherFix(cx, first, i));
    }
  }
  mesh::Sharding all = cx.operand(first);
  all.varying = JoinVarying(cx);
  cx.results.assign(n, all);
  return true;
}

// --- Lowering --------------------------------------------------------------------------------------------------------

std::optional<op::Exchanged> ExchangeApproxTopK(const op::ShardedInst& s) {
  const auto& attrs = s.attrs<ApproxTopKAttrs>();
  auto dim = static_cast<size_t>(attrs.dim);
  int64_t count = mesh::Product(s.DimAxes(s.rule.operands[0], dim));
  if (count == 1) {
    return op::Exchanged();
  }
  tensor::Dims dims = s.LocalOperandDims(0);
  dims[dim] = std::min(dims[dim], attrs.k) * (count - 1);
  size_t n = NumArrays(s.inst.num_operands);
  int64_t width = 0;
  for (size_t i = 0; i < n; ++i) {
    width += tensor::ByteWidth(s.operand(i).dtype);
  }
  return op::Exchanged{tensor::NumElements(dims) * width, static_cast<int64_t>(n)};
}

using Values = llvm::SmallVector<ir::ValueId, 4>;

// The comparator of arrays that have one more behind them: whether an element is padding. Padding comes last.
ir::FuncId PaddingLast(op::Builder& b, ir::FuncId comparator) {
  ir::Function body = b.module().functions[comparator];
  body.name += "_padding_last";
  ir::NameTable names(body);
  ir::Value flag;
  flag.type = b.module().tables->types.Intern(ir::ArrayType(DType::Pred, {}));
  flag.name = names.Unique("padding");
  ir::ValueId left = body.AddArg(flag, {});
  flag.name = names.Unique("padding");
  ir::ValueId right = body.AddArg(flag, {});
  ir::ValueId before = body.results[0];
  ir::FuncId id = b.module().functions.Add(std::move(body));
  op::Builder inside(b.module(), id, b.diags());
  ir::ValueId wins = inside.Add1(OpKind::Or, {before, right});
  ir::ValueId exists = inside.Add1(OpKind::Not, {left});
  ir::ValueId first = inside.Add1(OpKind::And, {wins, exists});
  b.module().functions[id].results[0] = first;
  return id;
}

// Emits the steps of one instruction's lowering.
class Chooser {
 public:
  explicit Chooser(op::LocalizeContext& cx)
      : cx_(cx),
        b_(cx.builder()),
        dim_(cx.attrs<ApproxTopKAttrs>().dim),
        k_(cx.attrs<ApproxTopKAttrs>().k),
        on_(cx.operand_sharding(0)),
        axes_(on_.dims[static_cast<size_t>(dim_)].axes),
        arrays_(llvm::to_vector<4>(cx.operands().take_front(NumArrays(cx.operands().size())))),
        comparator_(cx.body(0)) {}

  Values Run() {
    int64_t block = Size(), count = mesh::Product(axes_);
    if (count == 1) {
      Best(k_);
      return arrays_;
    }
    size_t n = arrays_.size();
    int64_t own = std::min(k_, block);
    if (own < block) {
      ChooseOwn(own);
    }
    for (ir::ValueId& x : arrays_) {
      x = Gather(x);
    }
    if (Whole() - (count - 1) * block < own) {
      arrays_.push_back(FlagsOfChosen(own, block));
      comparator_ = PaddingLast(b_, comparator_);
    }
    bool split_results = !cx_.result_sharding(0).dims[static_cast<size_t>(dim_)].axes.empty();
    Best(split_results ? own * count : k_);
    arrays_.resize(n);
    for (ir::ValueId& x : arrays_) {
      x = split_results ? OwnBlock(x, block) : x;
    }
    return arrays_;
  }

 private:
  int64_t Whole() const { return cx_.global_operand(0).dims[static_cast<size_t>(dim_)]; }
  int64_t Size() const { return b_.type(arrays_[0]).dims[static_cast<size_t>(dim_)]; }

  // Of this device's block.
  void ChooseOwn(int64_t own) {
    size_t n = arrays_.size();
    ir::FuncId comparator = comparator_;
    if (Whole() % mesh::Product(axes_) != 0) {
      arrays_.push_back(FlagsOfOwn());
      comparator_ = PaddingLast(b_, comparator);
    }
    Best(own);
    arrays_.resize(n);
    comparator_ = comparator;
  }

  // The first `count` of each row, in order; of equal elements the first come first.
  void Best(int64_t count) {
    auto sorted = *b_.Add(OpKind::Sort, arrays_, b_.Attrs(SortAttrs{dim_, true}), comparator_);
    for (size_t i = 0; i < arrays_.size(); ++i) {
      arrays_[i] = EmitStaticSlice(b_, sorted[i], dim_, 0, count);
    }
  }

  // Which elements of this device's block are padding.
  ir::ValueId FlagsOfOwn() {
    ir::ValueId no = EmitBroadcast(b_, EmitScalar(b_, DType::Pred, 0), b_.type(arrays_[0]).dims);
    return cx_.Mask(no, static_cast<size_t>(dim_), Whole(), on_.mesh, axes_, Literal::Integer(DType::Pred, {}, 1));
  }

  // Which of the `own` elements that each device chose from its block are padding: those behind its true elements.
  ir::ValueId FlagsOfChosen(int64_t own, int64_t block) {
    llvm::SmallVector<int64_t, 16> flags;
    for (int64_t device = 0, count = mesh::Product(axes_); device < count; ++device) {
      for (int64_t i = 0; i < own; ++i) {
        flags.push_back(device * block + i >= Whole() ? 1 : 0);
      }
    }
    ir::ValueId row = EmitConstant(b_, Literal::Integers(DType::Pred, {static_cast<int64_t>(flags.size())}, flags));
    return EmitBroadcastInDim(b_, row, b_.type(arrays_[0]).dims, {dim_});
  }

  ir::ValueId Gather(ir::ValueId x) {
    CollectiveAttrs attrs;
    attrs.groups.mesh = on_.mesh;
    attrs.groups.axes = axes_;
    attrs.dim = dim_;
    attrs.channel = cx_.NextChannel();
    return b_.Add1(OpKind::AllGather, {x}, b_.Attrs(std::move(attrs)));
  }

  ir::ValueId OwnBlock(ir::ValueId x, int64_t block) {
    ir::ValueId start = EmitMultiplyConstant(b_, cx_.ShardIndex(on_.mesh, axes_, IndexType(Size())), block);
    return EmitDynamicSlice(b_, x, dim_, start, block);
  }

  op::LocalizeContext& cx_;
  op::Builder& b_;
  int64_t dim_, k_;
  mesh::Sharding on_;
  mesh::AxisList axes_;
  Values arrays_;
  ir::FuncId comparator_;
};

bool LocalizeApproxTopK(op::LocalizeContext& cx) {
  Values results = Chooser(cx).Run();
  cx.Results(results);
  return true;
}

// --- Evaluation ------------------------------------------------------------------------------------------------------

bool EvalApproxTopK(op::EvalContext& cx) {
  auto dim = static_cast<size_t>(cx.attrs<ApproxTopKAttrs>().dim);
  auto arrays = cx.operands.take_front(NumArrays(cx.operands.size()));
  for (const Literal& sorted : SortTogether(cx, cx.function.bodies(cx.inst)[0], arrays, dim)) {
    tensor::Dims dims(sorted.dims().begin(), sorted.dims().end()), strides(dims.size());
    int64_t stride = 1;
    for (size_t d = dims.size(); d-- > 0; stride *= dims[d]) {
      strides[d] = stride;
    }
    dims[dim] = cx.attrs<ApproxTopKAttrs>().k;
    cx.results.push_back(CopyStrided(sorted, dims, strides));
  }
  return true;
}

// --- Spellings -------------------------------------------------------------------------------------------------------

// A value of the call's backend_config, as either text has it.
struct Setting {
  enum class Form : uint8_t { Bool, Int, Float, Other };
  Form form = Form::Other;
  int64_t integer = 0;  // Bool, Int
  double number = 0;    // Int, Float
};
using Settings = std::map<std::string, Setting>;

// Takes settings by name, and remembers the first thing that is wrong with them.
class SettingsReader {
 public:
  explicit SettingsReader(Settings settings) : settings_(std::move(settings)) {}

  bool Bool(const std::string& name) { return Take(name, Setting::Form::Bool, "true or false").integer != 0; }
  int64_t Int(const std::string& name) { return Take(name, Setting::Form::Int, "an integer").integer; }
  // An f32 number.
  double Float(const std::string& name) {
    return static_cast<float>(Take(name, Setting::Form::Float, "a number").number);
  }
  bool Has(const std::string& name) const { return settings_.count(name) != 0; }
  // Empty if nothing was wrong.
  std::string Problem() {
    if (problem_.empty() && !settings_.empty()) {
      problem_ = "`" + settings_.begin()->first + "` is no setting of ApproxTopK";
    }
    return problem_;
  }

 private:
  Setting Take(const std::string& name, Setting::Form form, const std::string& what) {
    auto found = settings_.find(name);
    Setting setting = found == settings_.end() ? Setting() : found->second;
    bool fits = setting.form == form || (form == Setting::Form::Float && setting.form == Setting::Form::Int);
    if (problem_.empty() && !fits) {
      problem_ = "expected `" + name + "`, " + what;
    }
    settings_.erase(name);
    return setting;
  }

  Settings settings_;
  std::string problem_;
};

// What is wrong with the settings; empty if nothing is.
std::string ReadSettings(Settings settings, ApproxTopKAttrs& attrs) {
  SettingsReader reader(std::move(settings));
  attrs.aggregate_to_topk = reader.Bool("aggregate_to_topk");
  attrs.is_fallback = reader.Has("is_fallback") && reader.Bool("is_fallback");
  attrs.recall_target = reader.Float("recall_target");
  attrs.dim = reader.Int("reduction_dim");
  attrs.reduction_input_size_override = reader.Int("reduction_input_size_override");
  attrs.k = reader.Int("top_k");
  return reader.Problem();
}

Setting SettingOf(const op::MlirAttr& attr) {
  using Kind = op::MlirAttr::Kind;
  switch (attr.kind) {
    case Kind::Bool:
      return {Setting::Form::Bool, attr.integer, 0};
    case Kind::Int:
      return {Setting::Form::Int, attr.integer, static_cast<double>(attr.integer)};
    case Kind::Float:
      return {Setting::Form::Float, 0, attr.number};
    default:
      return {};
  }
}

Setting SettingOf(llvm::StringRef value) {
  int64_t integer = 0;
  double number = 0;
  if (value == "true" || value == "false") {
    return {Setting::Form::Bool, value == "true" ? 1 : 0, 0};
  }
  if (!value.getAsInteger(10, integer)) {
    return {Setting::Form::Int, integer, static_cast<double>(integer)};
  }
  return value.getAsDouble(number) ? Setting() : Setting{Setting::Form::Float, 0, number};
}

// `{"top_k": 5, ...}`, or a string that holds it. Nothing if it is no such object of plain values.
std::optional<Settings> ParseSettings(llvm::StringRef text) {
  std::string unquoted;
  if (text.consume_front("\"") && text.consume_back("\"")) {
    unquoted = text.str();
    std::erase(unquoted, '\\');
    text = unquoted;
  }
  text = text.trim();
  if (!text.consume_front("{") || !text.consume_back("}")) {
    return std::nullopt;
  }
  llvm::SmallVector<llvm::StringRef, 6> fields;
  text.trim().split(fields, ',', -1, /*KeepEmpty=*/false);
  Settings settings;
  for (llvm::StringRef field : fields) {
    auto [name, value] = field.split(':');
    name = name.trim();
    if (!name.consume_front("\"") || !name.consume_back("\"")) {
      return std::nullopt;
    }
    settings[name.str()] = SettingOf(value.trim());
  }
  return settings;
}

bool FromStablehlo(op::StablehloReader& r) {
  Settings settings;
  for (const auto& [name, value] : r.attr("mhlo.backend_config").fields) {
    settings[name] = SettingOf(value);
  }
  ApproxTopKAttrs attrs;
  std::string problem = ReadSettings(std::move(settings), attrs);
  if (!problem.empty()) {
    return r.Fail(diag::Kind::Attribute, "mhlo.backend_config: " + problem);
  }
  r.SetAttrs(r.module().tables->attrs.Add(attrs));
  return true;
}

bool ReadHlo(op::HloReader& r, ir::AttrsId& id) {
  std::string text = r.Text("backend_config").value_or("{}");
  std::optional<Settings> settings = ParseSettings(text);
  if (!settings) {
    return r.Fail("backend_config", "expected an object of settings");
  }
  ApproxTopKAttrs attrs;
  std::string problem = ReadSettings(std::move(*settings), attrs);
  if (!problem.empty()) {
    return r.Fail("backend_config", problem);
  }
  id = r.module().tables->attrs.Add(attrs);
  return true;
}

// The settings in the order of their names, as MLIR keeps them.
std::string SettingsText(const ApproxTopKAttrs& attrs, bool mlir) {
  Literal recall = Literal::Number(DType::F32, {}, attrs.recall_target);
  std::string dense = MlirText(recall);
  std::string number = mlir ? dense.substr(6, dense.size() - 7) + " : f32" : HloText(recall), text;
  auto add = [&](const std::string& name, const std::string& value) {
    text += (text.empty() ? "" : ", ") + (mlir ? name + " = " : "\"" + name + "\": ") + value;
  };
  auto integer = [&](int64_t value) { return std::to_string(value) + (mlir ? " : i64" : ""); };
  add("aggregate_to_topk", attrs.aggregate_to_topk ? "true" : "false");
  if (attrs.is_fallback) {
    add("is_fallback", "true");
  }
  add("recall_target", number);
  add("reduction_dim", integer(attrs.dim));
  add("reduction_input_size_override", integer(attrs.reduction_input_size_override));
  add("top_k", integer(attrs.k));
  return "{" + text + "}";
}

void PrintStablehlo(op::StablehloPrinter& p) {
  p.Property("mhlo.backend_config", SettingsText(p.attrs<ApproxTopKAttrs>(), /*mlir=*/true));
}

void PrintApproxTopKHlo(op::HloPrinter& p) {
  p.Attr("backend_config", SettingsText(p.attrs<ApproxTopKAttrs>(), /*mlir=*/false));
}

}  // namespace

const op::OpDef kApproxTopK = {
    .kind = OpKind::ApproxTopK,
    .dialect = "",
    .min_operands = 2,
    .max_operands = -1,
    .min_bodies = 1,
    .max_bodies = 1,
    .make_attrs = ir::NewAttrs<ApproxTopKAttrs>,
    .region = op::Region::Apply,
    .infer = InferApproxTopK,
    .rule = RuleApproxTopK,
    .explicit_types = ExplicitApproxTopK,
    .localize = LocalizeApproxTopK,
    .exchange = ExchangeApproxTopK,
    .eval = EvalApproxTopK,
    .custom_call = "ApproxTopK",
    .print_hlo = PrintApproxTopKHlo,
    .read_hlo = ReadHlo,
    .from_generic = FromStablehlo,
    .print_stablehlo = PrintStablehlo,
};

}  // namespace spmdc::ops
