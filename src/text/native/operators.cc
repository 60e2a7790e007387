// Python's operators on arrays: jnp's functions; and the members of arrays and of their types.
#include "llvm/ADT/STLExtras.h"
#include "text/native/concrete.h"
#include "text/native/numpy.h"
#include "text/native/python_methods.h"
#include "text/native/sharding_api.h"
#include "text/native/tracer.h"

namespace spmdc::text::native {
namespace {

const char* FunctionOf(Operator op) {
  switch (op) {
    case Operator::Add:
      return "add";
    case Operator::Sub:
      return "subtract";
    case Operator::Mul:
      return "multiply";
    case Operator::Div:
      return "true_divide";
    case Operator::FloorDiv:
      return "floor_divide";
    case Operator::Mod:
      return "remainder";
    case Operator::Pow:
      return "power";
    case Operator::MatMul:
      return "matmul";
    case Operator::And:
      return "bitwise_and";
    case Operator::Or:
      return "bitwise_or";
    case Operator::Xor:
      return "bitwise_xor";
    case Operator::ShiftLeft:
      return "left_shift";
    case Operator::ShiftRight:
      return "right_shift";
    case Operator::Neg:
      return "negative";
    case Operator::Pos:
      return "positive";
    case Operator::Invert:
      return "bitwise_not";
    case Operator::Eq:
      return "equal";
    case Operator::Ne:
      return "not_equal";
    case Operator::Lt:
      return "less";
    case Operator::Le:
      return "less_equal";
    case Operator::Gt:
      return "greater";
    default:
      return "greater_equal";
  }
}

Value Dispatch(Evaluator& ev, Operator op, const Value& a, const Value& b) {
  if (!IsArrayLike(a) || !IsArrayLike(b)) {
    return ev.Fail(diag::Kind::ShapeRule, "unsupported operand types for " + Spelling(op).str() + ": '" + TypeName(a) +
                                              "' and '" + TypeName(b) + "'");
  }
  return ev.CallFunction(ev.FindIn(kJnp, FunctionOf(op)), {a, b});
}

}  // namespace

Value ArrayBinary(Evaluator& ev, Operator op, const Value& a, const Value& b) { return Dispatch(ev, op, a, b); }

Value ArrayUnary(Evaluator& ev, Operator op, const Value& a) {
  return ev.CallFunction(ev.FindIn(kJnp, FunctionOf(op)), a);
}

Value ArrayCompare(Evaluator& ev, Operator op, const Value& a, const Value& b) { return Dispatch(ev, op, a, b); }

std::optional<bool> ArrayTruth(Evaluator& ev, const Value& v) {
  const auto& array = v.as<ArrayObj>();
  Value known = array.type.num_elements() == 1 ? ConcreteValue(ev, v) : Value();
  if (known.failed()) {
    return std::nullopt;
  }
  if (known.is(VK::NdArray)) {
    return known.as<NdArrayObj>().value().GetComplex(0) != 0.0;
  }
  ev.Fail(diag::Kind::StaticBool,
          "an array of type " + ArrayText(array) +
              " has no truth value while the file is read, because its value is not known",
          "use where, select or cond to choose between values");
  return std::nullopt;
}

Value AvalOf(Evaluator& ev, const Value& v) {
  auto* aval = ev.heap().New<AvalObj>();
  if (v.is(VK::Array)) {
    const auto& array = v.as<ArrayObj>();
    aval->type = array.type;
    aval->weak = array.weak;
    // A top-level array that was put on Explicit axes has them in its type.
    aval->text = ArrayText(array);
  } else {
    std::optional<DTypeWeak> type = TypeOf(v);
    if (!type) {
      return ev.TypeError("typeof() needs an array or a number, got '" + TypeName(v) + "'");
    }
    aval->type = ir::ArrayType(type->dtype, v.is(VK::NdArray) ? v.as<NdArrayObj>().dims() : llvm::ArrayRef<int64_t>());
    aval->weak = type->weak;
    aval->text = mesh::TypeWithSharding(tensor::NumpyName(type->dtype), aval->type.dims, nullptr, nullptr);
  }
  if (aval->type.sharding.valid()) {
    aval->mesh = ev.tracer().MeshValue(ev.tracer().tables().shardings[aval->type.sharding].mesh);
  } else if (MeshObj* context = ev.tracer().context_mesh()) {
    aval->mesh = ev.heap().New<MeshObj>();
    *aval->mesh = *context;
    aval->mesh->abstract = true;
  }
  return Value::Object(VK::Aval, aval);
}

namespace {

Value NameSet(Evaluator& ev, const mesh::Mesh& mesh, const mesh::AxisList& axes) {
  auto* set = ev.heap().New<SetObj>();
  set->frozen = true;
  for (const mesh::AxisRef& ref : axes) {
    set->items.push_back(ev.heap().Str(mesh::ToString(mesh, ref)));
  }
  return Value::Object(VK::Set, set);
}

}  // namespace

Value AvalAttr(Evaluator& ev, const AvalObj& aval, llvm::StringRef name) {
  const ir::Type& type = aval.type;
  if (name == "shape") {
    return ev.heap().Ints(type.dims);
  }
  if (name == "ndim") {
    return Value::Int(static_cast<int64_t>(type.rank()));
  }
  if (name == "size") {
    return Value::Int(type.num_elements());
  }
  if (name == "dtype") {
    return Value::DType(type.dtype);
  }
  if (name == "weak_type") {
    return Value::Bool(aval.weak);
  }
  mesh::Sharding sharding =
      type.sharding.valid() ? ev.tracer().tables().shardings[type.sharding] : mesh::Replicated({}, type.rank());
  if (name == "sharding") {
    MeshObj* mesh = aval.mesh != nullptr ? aval.mesh : ev.heap().New<MeshObj>();
    mesh->abstract = true;
    return ShardingValue(ev, mesh, sharding);
  }
  if (name == "mat") {
    const mesh::Mesh none;
    const mesh::Mesh& mesh = aval.mesh != nullptr ? aval.mesh->mesh : none;
    Value sets = ev.heap().Tuple({NameSet(ev, mesh, sharding.varying), NameSet(ev, mesh, sharding.unreduced),
                                  NameSet(ev, mesh, sharding.reduced)});
    sets.as<SeqObj>().fields = {"varying", "unreduced", "reduced"};
    sets.as<SeqObj>().type_name = "ManualAxisType";
    return sets;
  }
  return Value();
}

namespace {

// Where an array of the top level is: where it was put, or what its type says, or, while the file has used no shardings,
// on the first device. Otherwise propagation has the word, after the file has been read.
Value ShardingOf(Evaluator& ev, const ArrayObj& array) {
  if (array.placed.is(VK::Sharding)) {
    return array.placed;
  }
  if (array.type.sharding.valid()) {
    const mesh::Sharding& s = ev.tracer().tables().shardings[array.type.sharding];
    return ShardingValue(ev, ev.tracer().MeshValue(s.mesh), s);
  }
  auto* one = ev.heap().New<ShardingObj>();
  one->mesh = array.placed.is(VK::Mesh) ? &array.placed.as<MeshObj>() : ev.heap().New<MeshObj>();
  one->undecided = !array.placed.given() && (ev.uses_shardings || ev.tracer().context_mesh() != nullptr);
  return Value::Object(VK::Sharding, one);
}

}  // namespace

Value ArrayAttr(Evaluator& ev, const Value& v, llvm::StringRef name) {
  const auto& array = v.as<ArrayObj>();
  if (name == "aval") {
    return AvalOf(ev, v);
  }
  if (name == "sharding") {
    if (!array.trace->top_level) {
      return Value();
    }
    return ShardingOf(ev, array);
  }
  if (name == "is_fully_addressable" && array.trace->top_level) {
    return Value::Bool(true);
  }
  if (name == "is_fully_replicated" && array.trace->top_level) {
    return ev.GetAttr(ShardingOf(ev, array), name);
  }
  if (name == "at") {
    return MakeAt(ev, v);
  }
  if (name == "itemsize" || name == "nbytes") {
    int64_t bytes = tensor::ByteWidth(array.type.dtype);
    return Value::Int(name == "itemsize" ? bytes : bytes * array.type.num_elements());
  }
  if (name == "shape" || name == "ndim" || name == "size" || name == "dtype" || name == "weak_type") {
    AvalObj aval;
    aval.type = array.type;
    aval.weak = array.weak;
    return AvalAttr(ev, aval, name);
  }
  if (name == "T" || name == "mT" || name == "real" || name == "imag") {
    return ev.CallFunction(ev.FindIn(kJnp, name == "T" ? "transpose" : name == "mT" ? "matrix_transpose" : name), v);
  }
  if (name == "item" || name == "tolist") {
    Value value = ConcreteValue(ev, v);
    return value.given() ? ev.GetAttr(value, name)
                         : ev.Fail(diag::Kind::StaticInt, "a traced array with type " + ArrayText(array) +
                                                              " has no value while the file is read, and " +
                                                              name.str() + "() needs one");
  }
  static constexpr llvm::StringRef kMethods[] = {"sum",       "prod",
                                                 "max",       "min",
                                                 "mean",      "std",
                                                 "var",       "all",
                                                 "any",       "argmax",
                                                 "argmin",    "cumsum",
                                                 "cumprod",   "sort",
                                                 "argsort",   "reshape",
                                                 "transpose", "swapaxes",
                                                 "ravel",     "flatten",
                                                 "squeeze",   "repeat",
                                                 "take",      "clip",
                                                 "round",     "conj",
                                                 "astype",    "dot",
                                                 "conjugate", "diagonal",
                                                 "trace",     "view",
                                                 "copy",      "block_until_ready"};
  if (!llvm::is_contained(kMethods, name)) {
    return Value();
  }
  auto* method = ev.heap().New<MethodObj>();
  method->self = v;
  method->function = ev.FindIn(kMethod, name);
  if (!method->function.given()) {
    method->function = ev.FindIn(kJnp, name == "flatten" ? "ravel" : name);
  }
  return method->function.given() ? Value::Object(VK::Method, method) : ev.NotBuilt("Array." + name.str());
}

}  // namespace spmdc::text::native
