// ragged_dot: a contraction whose left operand's rows come in groups, as many in each as run-time sizes say. Each group
// meets a matrix of its own, or is contracted by itself. Written out as contractions of one masked copy for each group.
#include <array>

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "ops/array_copy.h"
#include "ops/dot.h"
#include "ops/dot_eval.h"
#include "ops/emit.h"
#include "ops/emit_pieces.h"
#include "ops/reduce.h"
#include "ops/shape.h"
#include "ops/table.h"

namespace spmdc::ops {
namespace {

using ir::OpKind;
using op::FactorKind;
using op::kNoDim;
using tensor::Literal;

// Operands: left, right, the groups' sizes. Without groups' dims on the right, result dim 0 counts the groups if the ragged
// dim is contracted, and the groups do not matter if it is a batch dim.
struct RaggedDotAttrs {
  tensor::Dims lhs_contracting, rhs_contracting, lhs_batch, rhs_batch, lhs_ragged, rhs_group;
  tensor::DType result_dtype = tensor::DType::F32;
  std::string precision;  // as the text had it; printed again, never read
  void Visit(ir::FieldVisitor& v) {
    v.Field("lhs_contracting", lhs_contracting);
    v.Field("rhs_contracting", rhs_contracting);
    v.Field("lhs_batch", lhs_batch);
    v.Field("rhs_batch", rhs_batch);
    v.Field("lhs_ragged", lhs_ragged);
    v.Field("rhs_group", rhs_group);
    v.Field("preferred_element_type", result_dtype);
    v.Field("precision", precision);
  }
};

enum class Ragged { Free, Contracting, Batch };

Ragged RaggedOf(const RaggedDotAttrs& attrs) {
  int64_t dim = attrs.lhs_ragged[0];
  return llvm::is_contained(attrs.lhs_contracting, dim) ? Ragged::Contracting
         : llvm::is_contained(attrs.lhs_batch, dim)     ? Ragged::Batch
                                                        : Ragged::Free;
}

tensor::Dims RightFreeDims(const RaggedDotAttrs& attrs, size_t rank) {
  tensor::Dims taken = attrs.rhs_batch;
  taken.append(attrs.rhs_group.begin(), attrs.rhs_group.end());
  return FreeDims(rank, attrs.rhs_contracting, taken);
}

// --- Types and rule --------------------------------------------------------------------------------------------------

bool CheckGroupSizes(op::InferContext& cx) {
  const ir::Type& sizes = cx.operand(2);
  if (!tensor::IsInteger(sizes.dtype)) {
    return cx.Fail(diag::Kind::DtypeRule, "the groups' sizes are " + cx.Show(sizes) + ", expected integers");
  }
  return sizes.rank() == 1 || cx.Fail(diag::Kind::UnsupportedFeature, "the groups' sizes are " + cx.Show(sizes) +
                                                                          "; one list for all batches is supported");
}

// The group dim on the right is one of its own, and there is one exactly where rows of the result come in groups.
bool CheckGroupDim(op::InferContext& cx, const RaggedDotAttrs& attrs) {
  bool needed = RaggedOf(attrs) == Ragged::Free;
  if (attrs.rhs_group.size() != (needed ? 1U : 0U)) {
    return cx.Fail(diag::Kind::ShapeRule, "got " + std::to_string(attrs.rhs_group.size()) + " group dims, expected " +
                                              (needed ? "1, for a ragged dim that is kept"
                                                      : "none, for a ragged dim that is contracted or a batch dim"));
  }
  if (!needed) {
    return true;
  }
  const ir::Type& b = cx.operand(1);
  int64_t dim = attrs.rhs_group[0];
  if (dim < 0 || dim >= static_cast<int64_t>(b.rank()) || llvm::is_contained(attrs.rhs_contracting, dim) ||
      llvm::is_contained(attrs.rhs_batch, dim)) {
    return cx.Fail(diag::Kind::AxisRange, "group dim " + std::to_string(dim) + " is no free dim of " + cx.Show(b));
  }
  return b.dims[static_cast<size_t>(dim)] == cx.operand(2).dims[0] ||
         cx.Fail(diag::Kind::ShapeRule, "the group dim of " + cx.Show(b) + " and the groups' sizes " +
                                            cx.Show(cx.operand(2)) + " differ in number");
}

bool InferRaggedDot(op::InferContext& cx) {
  const auto& attrs = cx.attrs<RaggedDotAttrs>();
  const ir::Type& a = cx.operand(0);
  const ir::Type& b = cx.operand(1);
  if (attrs.lhs_ragged.size() != 1 || attrs.lhs_ragged[0] < 0 ||
      attrs.lhs_ragged[0] >= static_cast<int64_t>(a.rank())) {
    return cx.Fail(diag::Kind::AxisRange, "expected one ragged dim of " + cx.Show(a));
  }
  if (!CheckDotDims(cx, attrs.lhs_contracting, attrs.rhs_contracting, attrs.lhs_batch, attrs.rhs_batch) ||
      !CheckGroupSizes(cx) || !CheckGroupDim(cx, attrs)) {
    return false;
  }
  tensor::Dims dims;
  if (RaggedOf(attrs) == Ragged::Contracting) {
    dims.push_back(cx.operand(2).dims[0]);
  }
  for (int64_t d : attrs.lhs_batch) {
    dims.push_back(a.dims[static_cast<size_t>(d)]);
  }
  for (int64_t d : FreeDims(a.rank(), attrs.lhs_contracting, attrs.lhs_batch)) {
    dims.push_back(a.dims[static_cast<size_t>(d)]);
  }
  for (int64_t d : RightFreeDims(attrs, b.rank())) {
    dims.push_back(b.dims[static_cast<size_t>(d)]);
  }
  cx.Result(attrs.result_dtype, dims);
  return true;
}

// As of a contraction. The groups' matrices are summed over; every device needs all sizes, to know where its rows are.
void RaggedDotRule(op::RuleBuilder& rule) {
  const auto& attrs = rule.attrs<RaggedDotAttrs>();
  const ir::Type& a = rule.operands[0];
  const ir::Type& b = rule.operands[1];
  int64_t groups = rule.operands[2].dims[0], result_dim = 0;
  auto size = [](const ir::Type& type, int64_t d) { return type.dims[static_cast<size_t>(d)]; };
  if (RaggedOf(attrs) == Ragged::Contracting) {
    rule.Factor(groups, FactorKind::New, {kNoDim, kNoDim, kNoDim}, {result_dim++});
  }
  for (size_t i = 0; i < attrs.lhs_batch.size(); ++i) {
    rule.Factor(size(a, attrs.lhs_batch[i]), FactorKind::Map, {attrs.lhs_batch[i], attrs.rhs_batch[i], kNoDim},
                {result_dim++});
  }
  for (int64_t d : FreeDims(a.rank(), attrs.lhs_contracting, attrs.lhs_batch)) {
    rule.Factor(size(a, d), FactorKind::Map, {d, kNoDim, kNoDim}, {result_dim++});
  }
  for (int64_t d : RightFreeDims(attrs, b.rank())) {
    rule.Factor(size(b, d), FactorKind::Map, {kNoDim, d, kNoDim}, {result_dim++});
  }
  for (size_t i = 0; i < attrs.lhs_contracting.size(); ++i) {
    rule.Factor(size(a, attrs.lhs_contracting[i]), FactorKind::Reduce,
                {attrs.lhs_contracting[i], attrs.rhs_contracting[i], kNoDim}, {kNoDim});
  }
  for (int64_t d : attrs.rhs_group) {
    rule.Factor(size(b, d), FactorKind::Reduce, {kNoDim, d, kNoDim}, {kNoDim});
  }
  rule.Factor(groups, FactorKind::Whole, {kNoDim, kNoDim, 0}, {kNoDim});
}

// --- Lowering --------------------------------------------------------------------------------------------------------

class RaggedLowering {
 public:
  explicit RaggedLowering(op::LocalizeContext& cx)
      : cx_(cx), b_(cx.builder()), attrs_(cx.attrs<RaggedDotAttrs>()), mode_(RaggedOf(attrs_)) {}

  void Emit() {
    if (mode_ == Ragged::Batch) {
      DotGeneralAttrs dot = Dot(0);
      cx_.Results({b_.Add1(OpKind::DotGeneral, {cx_.operands()[0], cx_.operands()[1]}, b_.Attrs(std::move(dot)))});
      return;
    }
    DotGeneralAttrs dot = Dot(1);
    if (mode_ == Ragged::Free) {  // the copies meet the groups' matrices, and are summed
      dot.lhs_contracting.push_back(0);
      dot.rhs_contracting.push_back(attrs_.rhs_group[0]);
    }
    auto batches = static_cast<int64_t>(dot.lhs_batch.size());
    ir::ValueId product = b_.Add1(OpKind::DotGeneral, {MaskedCopies(), cx_.operands()[1]}, b_.Attrs(std::move(dot)));
    cx_.Results({mode_ == Ragged::Free ? product : GroupsFirst(product, batches)});
  }

 private:
  // The contraction with `shift` dims in front of the left operand's.
  DotGeneralAttrs Dot(int64_t shift) const {
    DotGeneralAttrs dot{attrs_.lhs_contracting,
                        attrs_.rhs_contracting,
                        attrs_.lhs_batch,
                        attrs_.rhs_batch,
                        attrs_.result_dtype,
                        attrs_.precision,
                        ""};
    for (tensor::Dims* dims : {&dot.lhs_contracting, &dot.lhs_batch}) {
      for (int64_t& d : *dims) {
        d += shift;
      }
    }
    return dot;
  }

  // [batch, groups, ...] -> [groups, batch, ...].
  ir::ValueId GroupsFirst(ir::ValueId product, int64_t batches) {
    tensor::Dims permutation = {batches};
    for (int64_t d = 0; d < static_cast<int64_t>(b_.type(product).rank()); ++d) {
      if (d != batches) {
        permutation.push_back(d);
      }
    }
    return EmitTranspose(b_, product, permutation);
  }

  struct Split {
    int64_t block;
    llvm::ArrayRef<mesh::AxisRef> axes;
    mesh::MeshId mesh;
  };
  // This device's groups: a dim of the right operand, or of the result.
  Split Groups() const {
    bool right = mode_ == Ragged::Free;
    size_t dim = right ? static_cast<size_t>(attrs_.rhs_group[0]) : 0;
    const op::TensorFactors& factors = right ? cx_.rule().operands[1] : cx_.rule().results[0];
    ir::Type local = right ? cx_.local_operand(1) : cx_.local_result(0);
    mesh::MeshId mesh = right ? cx_.operand_sharding(1).mesh : cx_.result_sharding(0).mesh;
    return {local.dims[dim], cx_.axes(factors.dims[dim][0]), mesh};
  }
  Split Rows() const {
    auto dim = static_cast<size_t>(attrs_.lhs_ragged[0]);
    return {cx_.local_operand(0).dims[dim], cx_.axes(cx_.rule().operands[0].dims[dim][0]),
            cx_.operand_sharding(0).mesh};
  }

  ir::ValueId First(const Split& split, tensor::DType dtype) {
    return EmitMultiplyConstant(b_, cx_.ShardIndex(split.mesh, split.axes, dtype), split.block);
  }

  // This device's entries of a list with one for each group; zeros behind the last.
  ir::ValueId OwnGroups(ir::ValueId list) {
    Split split = Groups();
    if (mesh::Product(split.axes) == 1) {
      return list;
    }
    int64_t size = split.block * mesh::Product(split.axes);
    ir::ValueId padded = EmitResize(b_, list, 0, size);
    return EmitDynamicSlice(b_, padded, 0, First(split, IndexType(size)), split.block);
  }

  // The sum of the sizes in front of each group.
  ir::ValueId Starts(ir::ValueId sizes) {
    ir::Type type = b_.type(sizes);
    tensor::Dims square = {type.dims[0], type.dims[0]};
    ir::ValueId group = EmitIota(b_, type.dtype, square, 0), other = EmitIota(b_, type.dtype, square, 1);
    ir::ValueId before = EmitCompare(b_, Direction::Lt, other, group);
    ir::ValueId spread = EmitBroadcastInDim(b_, sizes, square, {1});
    ir::ValueId parts = EmitKeepIf(b_, before, spread, Literal(type.dtype, {}));
    ir::ValueId zero = EmitConstant(b_, Literal(type.dtype, {}));
    return b_.Add1(OpKind::Reduce, {parts, zero}, b_.Attrs(ReduceAttrs{{1}}),
                   {cx_.MonoidBody(mesh::Monoid::Sum, type.dtype)});
  }

  // [groups, left dims...]: the left operand's rows of each group, zeros elsewhere.
  ir::ValueId MaskedCopies() {
    ir::ValueId left = cx_.operands()[0], sizes = cx_.operands()[2];
    tensor::DType index = IndexType(cx_.global_operand(0).dims[static_cast<size_t>(attrs_.lhs_ragged[0])]);
    if (tensor::BitWidth(b_.type(sizes).dtype) < tensor::BitWidth(index)) {  // numbers of rows may not fit
      sizes = EmitConvert(b_, sizes, index);
    }
    ir::ValueId starts = Starts(sizes);
    ir::ValueId ends = b_.Add1(OpKind::Add, {starts, sizes});
    starts = OwnGroups(starts);
    ends = OwnGroups(ends);
    ir::Type type = b_.type(left);
    tensor::DType dtype = b_.type(starts).dtype;
    tensor::Dims dims = b_.type(starts).dims, to;
    for (size_t d = 0; d < type.rank(); ++d) {
      dims.push_back(type.dims[d]);
      to.push_back(static_cast<int64_t>(d) + 1);
    }
    ir::ValueId row = EmitIota(b_, dtype, dims, attrs_.lhs_ragged[0] + 1);
    if (Split rows = Rows(); mesh::Product(rows.axes) != 1) {
      row = b_.Add1(OpKind::Add, {row, EmitBroadcast(b_, First(rows, dtype), dims)});
    }
    ir::ValueId begun = EmitCompare(b_, Direction::Le, EmitBroadcastInDim(b_, starts, dims, {0}), row);
    ir::ValueId open = EmitCompare(b_, Direction::Lt, row, EmitBroadcastInDim(b_, ends, dims, {0}));
    ir::ValueId inside = b_.Add1(OpKind::And, {begun, open});
    return EmitKeepIf(b_, inside, EmitBroadcastInDim(b_, left, dims, to), Literal(type.dtype, {}));
  }

  op::LocalizeContext& cx_;
  op::Builder& b_;
  const RaggedDotAttrs& attrs_;
  Ragged mode_;
};

bool LocalizeRaggedDot(op::LocalizeContext& cx) {
  RaggedLowering(cx).Emit();
  return true;
}

// --- Evaluation ------------------------------------------------------------------------------------------------------

// Elements [start, start + size) of a dim.
Literal RowRange(const Literal& x, int64_t dim, int64_t start, int64_t size) {
  tensor::Dims dims(x.dims().begin(), x.dims().end()), from(dims.size(), 0), to(dims.size(), 0);
  dims[static_cast<size_t>(dim)] = size;
  from[static_cast<size_t>(dim)] = start;
  Literal rows(x.dtype(), dims);
  CopyBox(x, from, rows, to, dims);
  return rows;
}

void PutRowRange(const Literal& rows, Literal& x, int64_t dim, int64_t start) {
  tensor::Dims from(x.dims().size(), 0), to(x.dims().size(), 0);
  to[static_cast<size_t>(dim)] = start;
  CopyBox(rows, from, x, to, rows.dims());
}

Literal WithLeadingOne(const Literal& x) {
  tensor::Dims dims = {1};
  dims.append(x.dims().begin(), x.dims().end());
  return x.WithDims(dims);
}

// Group by group: its rows alone, contracted.
class RaggedEvaluation {
 public:
  RaggedEvaluation(op::EvalContext& cx, const RaggedDotAttrs& attrs)
      : attrs_(attrs),
        dot_{
            attrs.lhs_contracting, attrs.rhs_contracting, attrs.lhs_batch, attrs.rhs_batch, attrs.result_dtype, "", ""},
        dtype_(cx.dtype(attrs.result_dtype)),
        lhs_(cx.operand(0)),
        rhs_(cx.operand(1)),
        sizes_(cx.operand(2)) {}

  Literal Run(llvm::ArrayRef<int64_t> dims) {
    if (RaggedOf(attrs_) == Ragged::Batch) {
      return Contract(dot_, lhs_, rhs_, dtype_);
    }
    Literal result(dtype_, dims);
    int64_t rows = lhs_.dims()[static_cast<size_t>(attrs_.lhs_ragged[0])], end = 0;
    for (int64_t g = 0; g < sizes_.size(); ++g) {
      int64_t start = std::clamp<int64_t>(end, 0, rows);
      end += sizes_.GetInt(g);
      int64_t size = std::clamp<int64_t>(end, 0, rows) - start;
      if (size > 0) {
        AddGroup(result, g, start, size);
      }
    }
    return result;
  }

 private:
  void AddGroup(Literal& result, int64_t g, int64_t start, int64_t size) {
    int64_t ragged = attrs_.lhs_ragged[0];
    Literal left = RowRange(lhs_, ragged, start, size);
    if (RaggedOf(attrs_) == Ragged::Contracting) {
      const auto* place = llvm::find(attrs_.lhs_contracting, ragged);
      int64_t paired = attrs_.rhs_contracting[static_cast<size_t>(place - attrs_.lhs_contracting.begin())];
      Literal product = Contract(dot_, left, RowRange(rhs_, paired, start, size), dtype_);
      PutRowRange(WithLeadingOne(product), result, 0, g);
      return;
    }
    // One group's matrix: its dim of size 1 is contracted with one put in front of the left operand.
    DotGeneralAttrs dot = dot_;
    for (tensor::Dims* dims : {&dot.lhs_contracting, &dot.lhs_batch}) {
      for (int64_t& d : *dims) {
        d += 1;
      }
    }
    dot.lhs_contracting.push_back(0);
    dot.rhs_contracting.push_back(attrs_.rhs_group[0]);
    Literal product = Contract(dot, WithLeadingOne(left), RowRange(rhs_, attrs_.rhs_group[0], g, 1), dtype_);
    PutRowRange(product, result, ResultRow(), start);
  }

  // The result's dim that the ragged one becomes.
  int64_t ResultRow() const {
    tensor::Dims free = FreeDims(lhs_.dims().size(), attrs_.lhs_contracting, attrs_.lhs_batch);
    return static_cast<int64_t>(attrs_.lhs_batch.size()) + (llvm::find(free, attrs_.lhs_ragged[0]) - free.begin());
  }

  const RaggedDotAttrs& attrs_;
  DotGeneralAttrs dot_;
  tensor::DType dtype_;
  const Literal& lhs_;
  const Literal& rhs_;
  const Literal& sizes_;
};

bool EvalRaggedDot(op::EvalContext& cx) {
  RaggedEvaluation evaluation(cx, cx.attrs<RaggedDotAttrs>());
  cx.results.push_back(evaluation.Run(cx.result_type().dims));
  return true;
}

// --- Spellings -------------------------------------------------------------------------------------------------------

bool RaggedDotFromGeneric(op::StablehloReader& reader) {
  const op::MlirAttr& numbers = reader.attr("ragged_dot_dimension_numbers");
  if (!numbers || reader.result_types().size() != 1) {
    return numbers ? reader.Fail(diag::Kind::ResultType, "expected one result")
                   : reader.Fail(diag::Kind::Attribute, "expected the attribute ragged_dot_dimension_numbers");
  }
  RaggedDotAttrs attrs;
  attrs.lhs_batch = numbers["lhs_batching_dimensions"].ints();
  attrs.rhs_batch = numbers["rhs_batching_dimensions"].ints();
  attrs.lhs_contracting = numbers["lhs_contracting_dimensions"].ints();
  attrs.rhs_contracting = numbers["rhs_contracting_dimensions"].ints();
  attrs.lhs_ragged = numbers["lhs_ragged_dimensions"].ints();
  attrs.rhs_group = numbers["rhs_group_dimensions"].ints();
  attrs.result_dtype = reader.result_types()[0].dtype;
  attrs.precision = PrecisionOf(reader.attr("precision_config"));
  reader.SetAttrs(reader.module().tables->attrs.Add(std::move(attrs)));
  return true;
}

void PrintMlirRaggedDot(op::StablehloPrinter& printer) {
  const auto& attrs = printer.attrs<RaggedDotAttrs>();
  if (!attrs.precision.empty()) {
    std::string config;
    llvm::SmallVector<llvm::StringRef, 2> words;
    llvm::StringRef(attrs.precision).split(words, ", ");
    for (llvm::StringRef word : words) {
      config += (config.empty() ? "" : ", ") + ("#chlo<precision " + word.str() + ">");
    }
    printer.Property("precision_config", "[" + config + "]");
  }
  std::pair<llvm::StringRef, const tensor::Dims*> lists[] = {
      {"lhs_batching_dimensions", &attrs.lhs_batch},          {"rhs_batching_dimensions", &attrs.rhs_batch},
      {"lhs_contracting_dimensions", &attrs.lhs_contracting}, {"rhs_contracting_dimensions", &attrs.rhs_contracting},
      {"lhs_ragged_dimensions", &attrs.lhs_ragged},           {"rhs_group_dimensions", &attrs.rhs_group}};
  std::string text;
  for (auto& [name, dims] : lists) {
    if (!dims->empty()) {
      text += (text.empty() ? "" : ", ") + name.str() + " = " + op::MlirInts(*dims);
    }
  }
  printer.Property("ragged_dot_dimension_numbers", "#chlo.ragged_dot<" + text + ">");
}

// HLO's names of the lists of dims.
template <typename Attrs>
auto HloLists(Attrs& attrs) {
  using List = std::pair<llvm::StringRef, decltype(&attrs.lhs_batch)>;
  return std::array<List, 6>{
      List{"lhs_batch_dims", &attrs.lhs_batch},   List{"lhs_contracting_dims", &attrs.lhs_contracting},
      List{"rhs_batch_dims", &attrs.rhs_batch},   List{"rhs_contracting_dims", &attrs.rhs_contracting},
      List{"lhs_ragged_dims", &attrs.lhs_ragged}, List{"rhs_group_dims", &attrs.rhs_group}};
}

bool ReadHloRaggedDot(op::HloReader& reader, ir::AttrsId& id) {
  if (reader.results().size() != 1) {
    return reader.Fail("", "ragged-dot makes one array");
  }
  RaggedDotAttrs attrs;
  attrs.result_dtype = reader.results()[0].dtype;
  for (auto& [name, dims] : HloLists(attrs)) {
    if (auto listed = reader.Ints(name)) {
      dims->assign(listed->begin(), listed->end());
    }
  }
  attrs.precision = ReadHloPrecision(reader);
  id = reader.module().tables->attrs.Add(std::move(attrs));
  return true;
}

void PrintHloRaggedDot(op::HloPrinter& printer) {
  const auto& attrs = printer.attrs<RaggedDotAttrs>();
  for (auto& [name, dims] : HloLists(attrs)) {
    if (!dims->empty()) {
      printer.Ints(name, *dims);
    }
  }
  PrintHloPrecision(printer, attrs.precision);
}

constexpr op::OpDef RaggedDotDef() {
  op::OpDef def;
  def.kind = OpKind::RaggedDot;
  def.dialect = "chlo";
  def.min_operands = def.max_operands = 3;
  def.make_attrs = ir::NewAttrs<RaggedDotAttrs>;
  def.flops = 2;
  def.classic.take = op::Classic::Take::Nothing;
  def.infer = InferRaggedDot;
  def.rule = RaggedDotRule;
  def.localize = LocalizeRaggedDot;
  def.eval = EvalRaggedDot;
  def.from_generic = RaggedDotFromGeneric;
  def.print_stablehlo = PrintMlirRaggedDot;
  def.hlo_opcode = "ragged-dot";
  def.read_hlo = ReadHloRaggedDot;
  def.print_hlo = PrintHloRaggedDot;
  return def;
}

}  // namespace

constinit const op::OpDef kRaggedDot = RaggedDotDef();

}  // namespace spmdc::ops
