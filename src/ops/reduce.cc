// reduce: several arrays at once, through a body; typing, rule, lowering, evaluation, spellings.
#include "ops/reduce.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "op/op_def.h"
#include "ops/collective.h"
#include "ops/constant.h"
#include "ops/elementwise.h"
#include "ops/emit.h"
#include "ops/emit_pieces.h"
#include "ops/exchange.h"
#include "ops/reduce_eval.h"
#include "ops/table.h"
#include "ops/typing.h"

namespace spmdc::ops {

bool IsIdentity(const ir::Module& module, const ir::Function& f, ir::ValueId v, mesh::Monoid monoid) {
  const ir::Inst* def = f.values[v].def.valid() ? &f.insts[f.values[v].def] : nullptr;
  while (def != nullptr && def->op == ir::OpKind::BroadcastInDim) {
    ir::ValueId from = f.operands(*def)[0];
    def = f.values[from].def.valid() ? &f.insts[f.values[from].def] : nullptr;
  }
  if (def == nullptr || def->op != ir::OpKind::Constant) {
    return false;
  }
  const tensor::Literal& literal = module.attrs<ConstantAttrs>(*def).value;
  return !literal.is_unknown() && literal.dims().empty() && literal == op::Identity(monoid, literal.dtype());
}

namespace {

using op::FactorKind;
using op::kNoDim;

// --- Inference -------------------------------------------------------------------------------------------------------

bool CheckDims(op::InferContext& cx, const tensor::Dims& dims) {
  int64_t last = -1;
  for (int64_t d : dims) {
    if (d < 0 || d >= static_cast<int64_t>(cx.operand(0).rank())) {
      return cx.Fail(diag::Kind::ShapeRule,
                     "reduces dim " + std::to_string(d) + ", which " + cx.Show(cx.operand(0)) + " does not have");
    }
    if (d <= last) {
      return cx.Fail(diag::Kind::ShapeRule, "the reduced dims must be increasing; dim " + std::to_string(d) +
                                                " comes behind dim " + std::to_string(last));
    }
    last = d;
  }
  return true;
}

bool CheckOperands(op::InferContext& cx, size_t n) {
  if (cx.operands.size() != 2 * n || n == 0) {
    return cx.Fail(diag::Kind::OperandCount, "got " + std::to_string(cx.operands.size()) +
                                                 " operands, expected arrays and as many initial values");
  }
  for (size_t i = 0; i < n; ++i) {
    const ir::Type& x = cx.operand(i);
    const ir::Type& init = cx.operand(n + i);
    if (x.dims != cx.operand(0).dims) {
      return cx.Fail(diag::Kind::BroadcastShape,
                     "got " + cx.Show(cx.operand(0)) + " and " + cx.Show(x) + ", expected arrays of one shape");
    }
    if (init.rank() != 0 || init.dtype != x.dtype) {
      return cx.Fail(diag::Kind::DtypeRule, "the initial value of " + cx.Show(x) + " is " + cx.Show(init) +
                                                ", expected a scalar of that element type");
    }
  }
  return true;
}

bool CheckReduceBody(op::InferContext& cx, size_t n) {
  if (cx.num_body_args(0) != 2 * n || cx.num_body_results(0) != n) {
    return cx.Fail(diag::Kind::OperandCount, "the body takes " + std::to_string(cx.num_body_args(0)) +
                                                 " values and gives " + std::to_string(cx.num_body_results(0)) +
                                                 ", expected " + std::to_string(2 * n) + " and " + std::to_string(n));
  }
  for (size_t i = 0; i < n; ++i) {
    ir::Type scalar = ir::ArrayType(cx.operand(i).dtype, {});
    const ir::Type* found[] = {&cx.body_arg(0, i), &cx.body_arg(0, n + i), &cx.body_result(0, i)};
    for (const ir::Type* type : found) {
      if (type->dtype != scalar.dtype || type->rank() != 0) {
        return cx.Fail(diag::Kind::DtypeRule, "the body works on " + cx.Show(*type) + ", expected " + cx.Show(scalar));
      }
    }
  }
  return true;
}

bool InferReduce(op::InferContext& cx) {
  const tensor::Dims& reduced = cx.attrs<ReduceAttrs>().dims;
  size_t n = cx.operands.size() / 2;
  if (!CheckOperands(cx, n) || !CheckDims(cx, reduced) || !CheckReduceBody(cx, n)) {
    return false;
  }
  for (size_t i = 0; i < n; ++i) {
    tensor::Dims dims;
    for (size_t d = 0; d < cx.operand(i).rank(); ++d) {
      if (!llvm::is_contained(reduced, static_cast<int64_t>(d))) {
        dims.push_back(cx.operand(i).dims[d]);
      }
    }
    cx.Result(cx.operand(i).dtype, dims);
  }
  return true;
}

// --- Rule ------------------------------------------------------------------------------------------------------------

void ReduceRule(op::RuleBuilder& builder) {
  const tensor::Dims& reduced = builder.attrs<ReduceAttrs>().dims;
  size_t n = builder.results.size();
  int64_t result_dim = 0;
  for (size_t d = 0; d < builder.operands[0].rank(); ++d) {
    bool gone = llvm::is_contained(reduced, static_cast<int64_t>(d));
    int32_t factor = builder.Factor(builder.operands[0].dims[d], gone ? FactorKind::Reduce : FactorKind::Map);
    for (size_t i = 0; i < n; ++i) {
      builder.Operand(i, static_cast<int64_t>(d), factor);
      builder.Result(i, gone ? kNoDim : result_dim, factor);
    }
    // A body that is no known monoid: the devices' results are reduced again by the body itself.
    bool known = llvm::all_of(llvm::seq<size_t>(0, n), [&](size_t i) {
      return op::RecognizeMonoid(builder.module, builder.bodies[0], i) != mesh::Monoid::None;
    });
    if (gone && !known) {
      builder.SelfCombining(factor);
    }
    result_dim += gone ? 0 : 1;
  }
  for (size_t i = 0; i < n; ++i) {
    mesh::Monoid monoid = op::RecognizeMonoid(builder.module, builder.bodies[0], i);
    builder.Combine(i, monoid);
    builder.Fill(i, monoid);
  }
}

// A reduction of one array that sums.
op::Linear ReduceLinear(const ir::Module& module, const ir::Function& function, const ir::Inst& inst) {
  bool sums = inst.num_results == 1 && op::RecognizeMonoid(module, function.bodies(inst)[0], 0) == mesh::Monoid::Sum;
  return sums ? op::Linear::Unary : op::Linear::No;
}

// --- Lowering --------------------------------------------------------------------------------------------------------

// The initial value counts once: where several devices reduce parts, all but the first start from the identity.
ir::ValueId OwnInit(op::LocalizeContext& cx, size_t result, llvm::ArrayRef<mesh::AxisRef> axes) {
  size_t n = cx.inst().num_results;
  ir::ValueId init = cx.operands()[n + result];
  mesh::Monoid monoid = cx.rule().result_monoid[result];
  if (IsIdentity(cx.planned(), cx.function(), cx.function().operands(cx.inst())[n + result], monoid)) {
    return init;
  }
  op::Builder& b = cx.builder();
  tensor::DType index_type = IndexType(mesh::Product(axes));
  ir::ValueId index = cx.ShardIndex(cx.operand_sharding(result).mesh, axes, index_type);
  ir::ValueId first = b.Add1(ir::OpKind::Compare, {index, EmitScalar(b, index_type, 0)},
                             b.Attrs(CompareAttrs{Direction::Eq, CompareType::Signed}));
  ir::ValueId identity = EmitConstant(b, op::Identity(monoid, cx.local_result(result).dtype));
  return b.Add1(ir::OpKind::Select, {first, init, identity});
}

// The axes that the reduced dims are split over.
mesh::AxisList ReducedAxes(const op::Rule& rule, const op::FactorAxes& factors) {
  mesh::AxisList axes;
  for (size_t f = 0; f < factors.size(); ++f) {
    if (rule.factors[f].kind == FactorKind::Reduce) {
      mesh::Append(axes, factors[f]);
    }
  }
  return mesh::DropUnits(axes);
}

bool CombinesItself(const op::Rule& rule) {
  return llvm::any_of(rule.factors, [](const op::Factor& factor) { return factor.self_combining; });
}

std::optional<op::Exchanged> ExchangeReduce(const op::ShardedInst& s) {
  op::Exchanged total;
  mesh::AxisList axes = ReducedAxes(s.rule, s.factors);
  if (axes.empty() || !CombinesItself(s.rule)) {
    return total;
  }
  for (size_t i = 0; i < s.inst.num_results; ++i) {
    total.bytes +=
        (mesh::Product(axes) - 1) * tensor::NumElements(s.LocalResultDims(i)) * tensor::ByteWidth(s.result(i).dtype);
    ++total.collectives;
  }
  return total;
}

// A body that is no known monoid, split: padding holds the initial values, each device reduces its part, and the parts,
// gathered along a new first dim in the order of the elements, are reduced once more.
bool LocalizeByBody(op::LocalizeContext& cx, const mesh::AxisList& axes) {
  op::Builder& b = cx.builder();
  size_t n = cx.inst().num_results;
  const mesh::Sharding& sharding = cx.operand_sharding(0);
  llvm::SmallVector<ir::ValueId, 4> operands(cx.operands().begin(), cx.operands().end());
  for (size_t i = 0; i < n; ++i) {
    for (int64_t dim : cx.attrs<ReduceAttrs>().dims) {
      auto d = static_cast<size_t>(dim);
      int64_t count = mesh::ShardCount(sharding.dims[d]);
      DimExchange own{dim, sharding.dims[d].axes, BlocksOf(cx.global_operand(i).dims[d], count), {}};
      own.need = EvenNeed(count, 0, own.from.block, own.from.block);
      operands[i] = EmitFillOutside(cx, operands[i], sharding.mesh, own, operands[n + i]);
    }
  }
  auto parts = b.Add(ir::OpKind::Reduce, operands, b.Attrs(cx.attrs<ReduceAttrs>()), cx.body(0));
  for (size_t i = 0; i < n; ++i) {
    tensor::Dims dims = b.type((*parts)[i]).dims;
    dims.insert(dims.begin(), 1);
    CollectiveAttrs attrs;
    attrs.groups.mesh = sharding.mesh;
    attrs.groups.axes = axes;
    attrs.channel = cx.NextChannel();
    operands[i] = b.Add1(ir::OpKind::AllGather, {EmitReshape(b, (*parts)[i], dims)}, b.Attrs(std::move(attrs)));
  }
  auto results = b.Add(ir::OpKind::Reduce, operands, b.Attrs(ReduceAttrs{{0}}), cx.body(0));
  cx.Results(*results);
  return true;
}

bool LocalizeReduce(op::LocalizeContext& cx) {
  mesh::AxisList axes = ReducedAxes(cx.rule(), cx.factors());
  if (!axes.empty() && CombinesItself(cx.rule())) {
    return LocalizeByBody(cx, axes);
  }
  llvm::SmallVector<ir::ValueId, 4> operands(cx.operands().begin(), cx.operands().end());
  size_t n = cx.inst().num_results;
  for (size_t i = 0; i < n && !axes.empty(); ++i) {
    operands[n + i] = OwnInit(cx, i, axes);
  }
  auto results =
      cx.builder().Add(ir::OpKind::Reduce, operands, cx.builder().Attrs(cx.attrs<ReduceAttrs>()), cx.body(0));
  if (!results) {
    return false;
  }
  cx.Results(*results);
  return true;
}

// --- Spellings -------------------------------------------------------------------------------------------------------

// `(%a init: %i), (%b init: %j)`. Operands are the arrays, then the initial values; the text has them in pairs, so the
// pairs are read one by one and the types behind the colon are in operand order.
bool ParsePairs(op::StablehloReader& reader, size_t& n) {
  n = 0;
  do {
    if (!reader.Expect("(") || !reader.Operand() || !reader.Expect("init") || !reader.Expect(":") ||
        !reader.Operand() || !reader.Expect(")")) {
      return false;
    }
    ++n;
  } while (reader.TryToken(","));
  llvm::SmallVector<size_t, 4> order;
  for (size_t first : {0, 1}) {
    for (size_t i = 0; i < n; ++i) {
      order.push_back(2 * i + first);
    }
  }
  reader.ReorderOperands(order);
  return true;
}

// ` reducer(%a1: t1, %b1: t1) (%a2: t2, %b2: t2) { ... }`. The body's arguments are a1..an, b1..bn.
bool ParseReducer(op::StablehloReader& reader, size_t n) {
  llvm::SmallVector<op::StablehloReader::RegionArg, 4> first, second;
  for (size_t i = 0; i < n; ++i) {
    if (!reader.Expect("(")) {
      return false;
    }
    auto a = reader.DefineName();
    if (!a || !reader.Expect(",")) {
      return false;
    }
    auto b = reader.DefineName();
    if (!b || !reader.Expect(")")) {
      return false;
    }
    first.push_back(std::move(*a));
    second.push_back(std::move(*b));
  }
  first.append(second.begin(), second.end());
  return reader.Region(first);
}

bool SetReduce(op::StablehloReader& reader, tensor::Dims dims) {
  llvm::sort(dims);
  reader.SetAttrs(reader.module().tables->attrs.Add(ReduceAttrs{std::move(dims)}));
  return true;
}

// `(%x init: %i) applies stablehlo.add across dimensions = [1] : types`, or `... across dimensions = [1] : types` and
// then `reducer(...) {...}`.
bool ParseReduce(op::StablehloReader& reader) {
  size_t n = 0;
  if (!ParsePairs(reader, n)) {
    return false;
  }
  std::optional<std::string> applied;
  if (reader.TryToken("applies")) {
    applied = reader.Word();
    if (!applied) {
      return false;
    }
  }
  if (!reader.Expect("across") || !reader.Expect("dimensions") || !reader.Expect("=")) {
    return false;
  }
  std::optional<tensor::Dims> dims = reader.IntList();
  if (!dims || !reader.ColonTypes() || !SetReduce(reader, std::move(*dims))) {
    return false;
  }
  if (!applied) {
    return reader.Expect("reducer") && ParseReducer(reader, n);
  }
  llvm::SmallVector<ir::Type, 2> elements;
  for (size_t i = n; i < reader.operand_types().size(); ++i) {
    elements.push_back(reader.operand_types()[i]);
  }
  return reader.AppliedBody(*applied, elements);
}

bool ReduceFromGeneric(op::StablehloReader& reader) {
  const op::MlirAttr& dims = reader.attr("dimensions");
  return dims ? SetReduce(reader, dims.ints())
              : reader.Fail(diag::Kind::Attribute, "expected the attribute dimensions");
}

void PrintMlirReduce(op::StablehloPrinter& printer) { printer.Ints("dimensions", printer.attrs<ReduceAttrs>().dims); }

bool ReadHloReduce(op::HloReader& reader, ir::AttrsId& attrs) {
  auto dims = reader.Ints("dimensions");
  if (!dims) {
    return reader.Fail("dimensions", "expected the dims that are reduced");
  }
  std::optional<ir::FuncId> body = reader.Body("to_apply");
  if (!body) {
    return false;
  }
  reader.UseBodies(*body);
  ReduceAttrs reduce{tensor::Dims(dims->begin(), dims->end())};
  llvm::sort(reduce.dims);
  attrs = reader.module().tables->attrs.Add(std::move(reduce));
  return true;
}

void PrintHloReduce(op::HloPrinter& printer) {
  printer.Ints("dimensions", printer.attrs<ReduceAttrs>().dims);
  printer.Body("to_apply", printer.function().bodies(printer.inst())[0]);
}

// `lax.reduce_sum(x, axes=(1,))` where the initial value says nothing, else
// `lax.reduce(x, i, body, dimensions=(1,))`.
void PrintNativeReduce(op::NativePrinter& printer) {
  static constexpr llvm::StringRef kReducers[] = {"sum", "prod", "min", "max", "and", "or", "xor"};
  const ir::Function& f = printer.function();
  llvm::ArrayRef<ir::ValueId> operands = f.operands(printer.inst());
  ir::FuncId body = f.bodies(printer.inst())[0];
  const tensor::Dims& dims = printer.attrs<ReduceAttrs>().dims;
  size_t n = operands.size() / 2;
  mesh::Monoid monoid = n == 1 ? op::RecognizeMonoid(printer.module(), body, 0) : mesh::Monoid::None;
  if (monoid != mesh::Monoid::None && IsIdentity(printer.module(), f, operands[1], monoid)) {
    printer.Callee("lax.reduce_" + kReducers[static_cast<size_t>(monoid)].str());
    printer.Args(printer.Operand(0));
    printer.Tuple("axes", dims);
    return;
  }
  auto group = [&](size_t from) {
    std::string text;
    for (size_t i = from; i < from + n; ++i) {
      text += (i == from ? "" : ", ") + printer.Operand(i);
    }
    return n == 1 ? text : "(" + text + ")";
  };
  printer.Callee("lax.reduce");
  // JAX hands a body of several arrays two tuples.
  std::string name = printer.Body(body);
  printer.Args(group(0) + ", " + group(n) + ", " + (n == 1 ? name : "lambda x, y: " + name + "(*x, *y)"));
  printer.Tuple("dimensions", dims);
}

constexpr op::OpDef ReduceDef() {
  op::OpDef def;
  def.kind = ir::OpKind::Reduce;
  def.min_operands = 2;
  def.max_operands = -1;
  def.min_bodies = def.max_bodies = 1;
  def.make_attrs = ir::NewAttrs<ReduceAttrs>;
  def.explicit_types = ReduceTypes;
  def.localize = LocalizeReduce;
  def.exchange = ExchangeReduce;
  def.parse_stablehlo = ParseReduce;
  def.from_generic = ReduceFromGeneric;
  def.print_stablehlo = PrintMlirReduce;
  def.read_hlo = ReadHloReduce;
  def.print_hlo = PrintHloReduce;
  def.print_native = PrintNativeReduce;
  def.region = op::Region::Apply;
  def.linear_of = ReduceLinear;
  def.takes_out_sharding = true;
  def.classic.operands_join = true;
  def.infer = InferReduce;
  def.rule = ReduceRule;
  def.eval = EvalReduce;
  def.hlo_opcode = "reduce";
  return def;
}

}  // namespace

constinit const op::OpDef kReduce = ReduceDef();

}  // namespace spmdc::ops
