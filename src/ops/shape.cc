// Ops that only rearrange: broadcast_in_dim, reshape, transpose.
#include "ops/shape.h"

#include <numeric>

#include "llvm/ADT/BitVector.h"
#include "op/op_def.h"
#include "ops/dims.h"
#include "ops/reshape_classic.h"
#include "ops/strided.h"
#include "ops/table.h"
#include "ops/typing.h"

namespace spmdc::ops {
namespace {

using op::FactorKind;
using op::kNoDim;

// --- broadcast_in_dim ------------------------------------------------------------------------------------------------

bool CheckBroadcastDim(op::InferContext& cx, const BroadcastInDimAttrs& attrs, size_t i) {
  const ir::Type& x = cx.operand(0);
  int64_t d = attrs.broadcast_dims[i];
  if (d < 0 || d >= static_cast<int64_t>(attrs.dims.size())) {
    return cx.Fail(diag::Kind::AxisRange, "broadcast_dimensions " + ShowList(attrs.broadcast_dims) + " name dim " +
                                              std::to_string(d) + " of a result of rank " +
                                              std::to_string(attrs.dims.size()));
  }
  for (size_t j = 0; j < i; ++j) {
    if (attrs.broadcast_dims[j] == d) {
      return cx.Fail(diag::Kind::AxisRange, "broadcast_dimensions " + ShowList(attrs.broadcast_dims) + " name dim " +
                                                std::to_string(d) + " twice");
    }
  }
  if (x.dims[i] != 1 && x.dims[i] != attrs.dims[static_cast<size_t>(d)]) {
    return cx.Fail(diag::Kind::BroadcastShape, "dim " + std::to_string(i) + " of " + cx.Show(x) + " becomes dim " +
                                                   std::to_string(d) + " of " + ShowList(attrs.dims) +
                                                   ", expected size 1 or " +
                                                   std::to_string(attrs.dims[static_cast<size_t>(d)]));
  }
  return true;
}

bool InferBroadcast(op::InferContext& cx) {
  const auto& attrs = cx.attrs<BroadcastInDimAttrs>();
  const ir::Type& x = cx.operand(0);
  if (!x.is_array()) {
    return cx.Fail(diag::Kind::DtypeRule, "got " + cx.Show(x) + ", expected an array");
  }
  if (attrs.broadcast_dims.size() != x.rank()) {
    return cx.Fail(diag::Kind::ShapeRule, "broadcast_dimensions " + ShowList(attrs.broadcast_dims) + " are " +
                                              std::to_string(attrs.broadcast_dims.size()) +
                                              " dims, expected one for each of " + cx.Show(x));
  }
  for (size_t i = 0; i < x.rank(); ++i) {
    if (!CheckBroadcastDim(cx, attrs, i)) {
      return false;
    }
  }
  cx.Result(x.dtype, attrs.dims);
  return true;
}

// A Map factor for each dim that keeps its size, a New one for each that appears or is stretched, in the result's order;
// behind them the stretched operand dims.
void BroadcastRule(op::RuleBuilder& builder) {
  const auto& attrs = builder.attrs<BroadcastInDimAttrs>();
  const ir::Type& x = builder.operands[0];
  llvm::SmallVector<int64_t, 4> operand_dim(attrs.dims.size(), kNoDim);
  llvm::SmallVector<int64_t, 4> stretched;
  for (size_t i = 0; i < x.rank(); ++i) {
    size_t d = static_cast<size_t>(attrs.broadcast_dims[i]);
    if (x.dims[i] == attrs.dims[d]) {
      operand_dim[d] = static_cast<int64_t>(i);
    } else {
      stretched.push_back(static_cast<int64_t>(i));
    }
  }
  for (size_t d = 0; d < attrs.dims.size(); ++d) {
    builder.Factor(attrs.dims[d], operand_dim[d] == kNoDim ? FactorKind::New : FactorKind::Map, {operand_dim[d]},
                   {static_cast<int64_t>(d)});
  }
  for (int64_t i : stretched) {
    builder.Factor(1, FactorKind::Map, {i}, {kNoDim});
  }
}

bool EvalBroadcast(op::EvalContext& cx) {
  const auto& attrs = cx.attrs<BroadcastInDimAttrs>();
  const tensor::Literal& x = cx.operand(0);
  tensor::Dims from = tensor::Strides(x.dims());
  tensor::Dims strides(attrs.dims.size(), 0);
  for (size_t i = 0; i < from.size(); ++i) {
    strides[static_cast<size_t>(attrs.broadcast_dims[i])] = x.dims()[i] == 1 ? 0 : from[i];
  }
  cx.results.push_back(CopyStrided(x, attrs.dims, strides));
  return true;
}

// A stretched dim is dropped first: HLO's broadcast only adds dims.
bool LocalizeBroadcast(op::LocalizeContext& cx) {
  const auto& attrs = cx.attrs<BroadcastInDimAttrs>();
  op::Builder& b = cx.builder();
  BroadcastInDimAttrs local{cx.local_result(0).dims, {}};
  tensor::Dims kept;
  for (size_t i = 0; i < attrs.broadcast_dims.size(); ++i) {
    size_t d = static_cast<size_t>(attrs.broadcast_dims[i]);
    if (cx.global_operand(0).dims[i] == cx.global_result(0).dims[d]) {
      kept.push_back(cx.local_operand(0).dims[i]);
      local.broadcast_dims.push_back(attrs.broadcast_dims[i]);
    }
  }
  ir::ValueId x = cx.operands()[0];
  if (kept.size() != attrs.broadcast_dims.size()) {
    x = b.Add1(ir::OpKind::Reshape, {x}, b.Attrs(ReshapeAttrs{kept}));
  }
  ir::ValueId result = b.Add1(ir::OpKind::BroadcastInDim, {x}, b.Attrs(std::move(local)));
  cx.Results({result});
  return result.valid();
}

// --- reshape ---------------------------------------------------------------------------------------------------------

bool InferReshape(op::InferContext& cx) {
  const auto& attrs = cx.attrs<ReshapeAttrs>();
  const ir::Type& x = cx.operand(0);
  if (!x.is_array()) {
    return cx.Fail(diag::Kind::DtypeRule, "got " + cx.Show(x) + ", expected an array");
  }
  if (x.num_elements() != tensor::NumElements(attrs.dims)) {
    return cx.Fail(diag::Kind::ReshapeSize, "cannot reshape " + cx.Show(x) + " (" + std::to_string(x.num_elements()) +
                                                " elements) into " + ShowList(attrs.dims) + " (" +
                                                std::to_string(tensor::NumElements(attrs.dims)) + " elements)");
  }
  cx.Result(x.dtype, attrs.dims);
  return true;
}

// Walks operand and result dims together, major to minor, and names the factors both are made of.
//
// As long as the products of the factors so far agree, the gcd of what is left of the two current dims is a factor of both.
// Where it is 1 the sides part: each takes what is left of its dim for itself (Piece), then the side with the smaller
// product goes on, by the factor that brings the products together if it divides the dim, else by what the current dim of
// the other side has not. [6,5] -> [10,3] is ([ij, l]) -> ([ik, m]) with i=2 common. The order and sizes are Shardy's.
class ReshapeWalk {
 public:
  explicit ReshapeWalk(op::RuleBuilder& builder)
      : builder_(builder), sides_{Side(builder.operands[0].dims), Side(builder.results[0].dims)} {}

  void Run() {
    while (!sides_[0].done() || !sides_[1].done()) {
      if (!SkipDone(0) && !SkipDone(1)) {
        Step();
      }
    }
  }

 private:
  struct Side {
    explicit Side(llvm::ArrayRef<int64_t> d) : dims(d), left(d.empty() ? 1 : d[0]) {}
    bool done() const { return dim == dims.size(); }
    llvm::ArrayRef<int64_t> dims;
    size_t dim = 0;
    int64_t left;         // of the current dim
    int64_t product = 1;  // of the factors so far
  };

  // Leaves a dim that is used up; a dim of size 1 gets a factor of its own.
  bool SkipDone(int s) {
    Side& side = sides_[s];
    if (side.done() || side.left != 1) {
      return false;
    }
    if (side.dims[side.dim] == 1) {
      Use(s, builder_.Factor(1, FactorKind::Map), 1);
    }
    ++side.dim;
    side.left = side.done() ? 1 : side.dims[side.dim];
    return true;
  }

  void Use(int s, int32_t factor, int64_t size) {
    Side& side = sides_[s];
    if (s == 0) {
      builder_.Operand(0, static_cast<int64_t>(side.dim), factor);
    } else {
      builder_.Result(0, static_cast<int64_t>(side.dim), factor);
    }
    side.left /= size;
    side.product *= size;
  }

  void Alone(int s, int64_t size) { Use(s, builder_.Factor(size, FactorKind::Piece), size); }

  void Step() {
    Side& in = sides_[0];
    Side& out = sides_[1];
    int64_t gcd = std::gcd(in.left, out.left);
    if (in.product != out.product) {
      int s = in.product < out.product ? 0 : 1;
      return Alone(s, NextAlone(sides_[s], sides_[1 - s], gcd));
    }
    if (gcd > 1) {
      int32_t factor = builder_.Factor(gcd, FactorKind::Map);
      Use(0, factor, gcd);
      Use(1, factor, gcd);
      return;
    }
    Alone(0, in.left);
    Alone(1, out.left);
  }

  static int64_t NextAlone(const Side& behind, const Side& ahead, int64_t gcd) {
    int64_t missing = ahead.product / behind.product;
    if (ahead.product % behind.product == 0 && behind.left % missing == 0) {
      return missing;
    }
    return behind.left / gcd > 1 ? behind.left / gcd : behind.left;
  }

  op::RuleBuilder& builder_;
  Side sides_[2];
};

// None for arrays without elements: their products say nothing.
void ReshapeRule(op::RuleBuilder& builder) {
  if (builder.operands[0].num_elements() != 0) {
    ReshapeWalk(builder).Run();
  }
}

bool EvalReshape(op::EvalContext& cx) {
  cx.results.push_back(cx.operand(0).WithDims(cx.attrs<ReshapeAttrs>().dims));
  return true;
}

bool LocalizeReshape(op::LocalizeContext& cx) {
  ir::Type from = cx.local_operand(0), to = cx.local_result(0);
  if (from.num_elements() != to.num_elements()) {
    return cx.Refuse("blocks of " + ShowList(from.dims) + " do not become blocks of " + ShowList(to.dims));
  }
  ir::ValueId result =
      cx.builder().Add1(ir::OpKind::Reshape, {cx.operands()[0]}, cx.builder().Attrs(ReshapeAttrs{to.dims}));
  cx.Results({result});
  return result.valid();
}

// --- transpose -------------------------------------------------------------------------------------------------------

bool InferTranspose(op::InferContext& cx) {
  const auto& attrs = cx.attrs<TransposeAttrs>();
  const ir::Type& x = cx.operand(0);
  llvm::BitVector seen(static_cast<unsigned>(x.rank()));
  bool good = attrs.permutation.size() == x.rank();
  for (int64_t d : attrs.permutation) {
    good = good && d >= 0 && d < static_cast<int64_t>(x.rank()) && !seen.test(static_cast<unsigned>(d));
    if (good) {
      seen.set(static_cast<unsigned>(d));
    }
  }
  if (!good) {
    return cx.Fail(diag::Kind::AxisRange,
                   "permutation " + ShowList(attrs.permutation) + " is no permutation of the dims of " + cx.Show(x));
  }
  ir::Type result = x;
  result.sharding = {};
  for (size_t d = 0; d < x.rank(); ++d) {
    size_t from = static_cast<size_t>(attrs.permutation[d]);
    result.dims[d] = x.dims[from];
    if (!x.bounded.empty()) {
      result.bounded[d] = x.bounded[from];
    }
  }
  cx.Result(std::move(result));
  return true;
}

void TransposeRule(op::RuleBuilder& builder) {
  const auto& attrs = builder.attrs<TransposeAttrs>();
  for (size_t d = 0; d < attrs.permutation.size(); ++d) {
    builder.Factor(builder.results[0].dims[d], FactorKind::Map, {attrs.permutation[d]}, {static_cast<int64_t>(d)});
  }
}

bool EvalTranspose(op::EvalContext& cx) {
  cx.results.push_back(Transposed(cx.operand(0), cx.attrs<TransposeAttrs>().permutation));
  return true;
}

// --- Spellings -------------------------------------------------------------------------------------------------------

// The type of the one result that a text declared, or null after a diagnostic.
const ir::Type* OneResult(op::StablehloReader& reader) {
  if (reader.result_types().size() == 1) {
    return &reader.result_types()[0];
  }
  reader.Fail(diag::Kind::ResultType, "expected one result type");
  return nullptr;
}

const ir::Type* OneResult(op::HloReader& reader) {
  if (reader.results().size() == 1) {
    return &reader.results()[0];
  }
  reader.Fail("", "expected one array as the result");
  return nullptr;
}

// `%a, dims = [0, 1] : types`
std::optional<tensor::Dims> ParseDims(op::StablehloReader& reader) {
  if (!reader.Operand() || !reader.Expect(",") || !reader.Expect("dims") || !reader.Expect("=")) {
    return std::nullopt;
  }
  std::optional<tensor::Dims> dims = reader.IntList();
  return dims && reader.ColonTypes() ? dims : std::nullopt;
}

bool SetBroadcast(op::StablehloReader& reader, tensor::Dims dims) {
  const ir::Type* type = OneResult(reader);
  if (type != nullptr) {
    reader.SetAttrs(reader.module().tables->attrs.Add(BroadcastInDimAttrs{type->dims, std::move(dims)}));
  }
  return type != nullptr;
}

bool ParseBroadcast(op::StablehloReader& reader) {
  std::optional<tensor::Dims> dims = ParseDims(reader);
  return dims && SetBroadcast(reader, std::move(*dims));
}

bool BroadcastFromGeneric(op::StablehloReader& reader) {
  const op::MlirAttr& dims = reader.attr("broadcast_dimensions");
  return dims ? SetBroadcast(reader, dims.ints())
              : reader.Fail(diag::Kind::Attribute, "expected the attribute broadcast_dimensions");
}

void PrintMlirBroadcast(op::StablehloPrinter& printer) {
  printer.Pretty(printer.Operand(0) + ", dims = " + op::MlirInts(printer.attrs<BroadcastInDimAttrs>().broadcast_dims));
}

bool ReadHloBroadcast(op::HloReader& reader, ir::AttrsId& attrs) {
  const ir::Type* type = OneResult(reader);
  if (type == nullptr) {
    return false;
  }
  tensor::Dims dims;
  if (auto listed = reader.Ints("dimensions")) {
    dims.assign(listed->begin(), listed->end());
  }
  attrs = reader.module().tables->attrs.Add(BroadcastInDimAttrs{type->dims, std::move(dims)});
  return true;
}

void PrintHloBroadcast(op::HloPrinter& printer) {
  printer.Ints("dimensions", printer.attrs<BroadcastInDimAttrs>().broadcast_dims);
}

bool ReshapeFromGeneric(op::StablehloReader& reader) {
  const ir::Type* type = OneResult(reader);
  if (type != nullptr) {
    reader.SetAttrs(reader.module().tables->attrs.Add(ReshapeAttrs{type->dims}));
  }
  return type != nullptr;
}

void PrintMlirReshape(op::StablehloPrinter& printer) { printer.Pretty(printer.Operand(0)); }

bool ParseReshape(op::StablehloReader& reader) {
  return reader.Operand() && reader.ColonTypes() && ReshapeFromGeneric(reader);
}

bool ReadHloReshape(op::HloReader& reader, ir::AttrsId& attrs) {
  const ir::Type* type = OneResult(reader);
  if (type != nullptr) {
    attrs = reader.module().tables->attrs.Add(ReshapeAttrs{type->dims});
  }
  return type != nullptr;
}

bool ParseTranspose(op::StablehloReader& reader) {
  std::optional<tensor::Dims> dims = ParseDims(reader);
  if (dims) {
    reader.SetAttrs(reader.module().tables->attrs.Add(TransposeAttrs{std::move(*dims)}));
  }
  return dims.has_value();
}

bool TransposeFromGeneric(op::StablehloReader& reader) {
  const op::MlirAttr& permutation = reader.attr("permutation");
  if (!permutation) {
    return reader.Fail(diag::Kind::Attribute, "expected the attribute permutation");
  }
  reader.SetAttrs(reader.module().tables->attrs.Add(TransposeAttrs{permutation.ints()}));
  return true;
}

void PrintMlirTranspose(op::StablehloPrinter& printer) {
  printer.Pretty(printer.Operand(0) + ", dims = " + op::MlirInts(printer.attrs<TransposeAttrs>().permutation));
}

bool ReadHloTranspose(op::HloReader& reader, ir::AttrsId& attrs) {
  auto dims = reader.Ints("dimensions");
  if (!dims) {
    return reader.Fail("dimensions", "expected the permutation");
  }
  attrs = reader.module().tables->attrs.Add(TransposeAttrs{tensor::Dims(dims->begin(), dims->end())});
  return true;
}

void PrintHloTranspose(op::HloPrinter& printer) {
  printer.Ints("dimensions", printer.attrs<TransposeAttrs>().permutation);
}

// --- Elements of several numbers ---------------------------------------------------------------------------------------

bool WordsOfReshape(op::WordsContext& cx) {
  return cx.Change<ReshapeAttrs>([&](ReshapeAttrs& attrs) { attrs.dims.push_back(cx.words); });
}

bool WordsOfTranspose(op::WordsContext& cx) {
  return cx.Change<TransposeAttrs>(
      [&](TransposeAttrs& attrs) { attrs.permutation.push_back(static_cast<int64_t>(cx.rank)); });
}

bool WordsOfBroadcast(op::WordsContext& cx) {
  return cx.Change<BroadcastInDimAttrs>([&](BroadcastInDimAttrs& attrs) {
    attrs.broadcast_dims.push_back(static_cast<int64_t>(attrs.dims.size()));
    attrs.dims.push_back(cx.words);
  });
}

// --- Definitions -----------------------------------------------------------------------------------------------------

constexpr op::OpDef Rearranging(ir::OpKind kind, bool (*infer)(op::InferContext&), void (*rule)(op::RuleBuilder&),
                                bool (*eval)(op::EvalContext&), llvm::StringRef hlo, llvm::StringRef native) {
  op::OpDef def;
  def.kind = kind;
  def.min_operands = def.max_operands = 1;
  def.linear = op::Linear::Unary;
  def.precedence = op::Precedence::PassThrough;
  def.flops = 0;
  def.infer = infer;
  def.rule = rule;
  def.eval = eval;
  def.hlo_opcode = hlo;
  def.native_name = native;
  return def;
}

constexpr op::OpDef BroadcastDef() {
  op::OpDef def = Rearranging(ir::OpKind::BroadcastInDim, InferBroadcast, BroadcastRule, EvalBroadcast, "broadcast",
                              "lax.broadcast_in_dim");
  def.make_attrs = ir::NewAttrs<BroadcastInDimAttrs>;
  def.explicit_types = BroadcastTypes;
  def.keeps_constants = true;
  def.localize = LocalizeBroadcast;
  def.parse_stablehlo = ParseBroadcast;
  def.from_generic = BroadcastFromGeneric;
  def.print_stablehlo = PrintMlirBroadcast;
  def.read_hlo = ReadHloBroadcast;
  def.print_hlo = PrintHloBroadcast;
  def.precedence = op::Precedence::Broadcast;
  def.takes_out_sharding = true;
  def.on_words = WordsOfBroadcast;
  return def;
}

// What is reshaped and reshaped back again is the value itself, which may be split in ways that no form in between can be.
std::optional<op::Merged> MergeReshapeBack(const ir::Module& module, const ir::Function& f, const ir::Inst& inst) {
  const tensor::Dims& dims = module.type(f, f.result(inst)).dims;
  ir::ValueId v = f.operands(inst)[0];
  while (f.values[v].def.valid() && f.insts[f.values[v].def].op == ir::OpKind::Reshape) {
    v = f.operands(f.insts[f.values[v].def])[0];
    if (module.type(f, v).dims == dims) {
      return op::Merged{inst.op, inst.attrs, {v}, {}};
    }
  }
  return std::nullopt;
}

constexpr op::OpDef ReshapeDef() {
  op::OpDef def = Rearranging(ir::OpKind::Reshape, InferReshape, ReshapeRule, EvalReshape, "reshape", "lax.reshape");
  def.make_attrs = ir::NewAttrs<ReshapeAttrs>;
  def.explicit_types = ReshapeTypes;
  def.keeps_constants = true;
  def.localize = LocalizeReshape;
  def.classic.carry = CarryThroughReshape;
  def.parse_stablehlo = ParseReshape;
  def.from_generic = ReshapeFromGeneric;
  def.print_stablehlo = PrintMlirReshape;
  def.read_hlo = ReadHloReshape;
  def.takes_out_sharding = true;
  def.merge = MergeReshapeBack;
  def.on_words = WordsOfReshape;
  return def;
}

constexpr op::OpDef TransposeDef() {
  op::OpDef def =
      Rearranging(ir::OpKind::Transpose, InferTranspose, TransposeRule, EvalTranspose, "transpose", "lax.transpose");
  def.make_attrs = ir::NewAttrs<TransposeAttrs>;
  def.explicit_types = TransposeTypes;
  def.parse_stablehlo = ParseTranspose;
  def.from_generic = TransposeFromGeneric;
  def.print_stablehlo = PrintMlirTranspose;
  def.read_hlo = ReadHloTranspose;
  def.print_hlo = PrintHloTranspose;
  def.on_words = WordsOfTranspose;
  return def;
}

}  // namespace

constinit const op::OpDef kBroadcastInDim = BroadcastDef();
constinit const op::OpDef kReshape = ReshapeDef();
constinit const op::OpDef kTranspose = TransposeDef();

}  // namespace spmdc::ops
