// The names under `spmdc.`: what the flat form says of programs for which JAX has no words.
//
//   spmdc.flat(1)                                       the first line; types are exact behind it
//   spmdc.flat(1, decided=True)                         annotations say where all arrays are: nothing is left to decide
//   spmdc.flat(1, aliases=((0, 1),))                    result 1 may take the memory of argument 0
//   spmdc.op('case', i, a, bodies=(f, g))               any op, its attributes by keyword, its bodies as typed defs
//   spmdc.constraint(x, "<@mesh, [{'x':(1)2, ?}]>")     a sharding in Shardy's words
//   spmdc.sharding("<@mesh, [{'x', ?}]>")               the same as a value: f32[8] @ spmdc.sharding(...)
//   x: spmdc.placed("f32[4]{V:y}", "<@mesh, [{'x', ?}]>")   a type, and where a value of it is
//   spmdc.unknown_constant(shape=(4,), dtype=f32)       an elided constant
//   spmdc.mesh("<[], device_ids=[3]>")                  a mesh that no constructor makes
//   spmdc.weak(x)                                       x, weakly typed
#include "text/native/flat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "mesh/sdy_sharding.h"
#include "op/op_def.h"
#include "ops/constant.h"
#include "ops/control.h"
#include "ops/opaque.h"
#include "ops/sharding.h"
#include "text/native/flat_fields.h"
#include "text/native/keys.h"
#include "text/native/numpy.h"
#include "text/native/sharding_api.h"
#include "text/native/tracer.h"
#include "text/native/tree.h"

namespace spmdc::text::native {
namespace {

// ((argument, result), ...)
bool ReadAliases(Evaluator& ev, const Value& v) {
  std::vector<Value> pairs;
  if (v.given() && !ev.Iterate(v, pairs)) {
    return false;
  }
  for (const Value& pair : pairs) {
    ev.aliases.emplace_back();
    if (!ev.ToInts(pair, "an alias", ev.aliases.back())) {
      return false;
    }
    if (ev.aliases.back().size() != 2) {
      return !ev.Fail(diag::Kind::Arguments, "an alias is an argument and a result, got " + Repr(pair)).failed();
    }
  }
  return true;
}

Value Flat(Call& c) {
  Value v[5];
  std::optional<int64_t> version, devices;
  if (!c.Bind("version, /, *, per_device=, devices=, decided=, aliases=", v) ||
      !c.ev.ToBool(v[1], "per_device", false, c.ev.per_device) ||
      !(devices = v[2].none() ? 0 : c.ev.ToInt(v[2], "devices")) ||
      !c.ev.ToBool(v[3], "decided", false, c.ev.decided) || !ReadAliases(c.ev, v[4]) ||
      !(version = c.ev.ToInt(v[0], "the version of the flat form"))) {
    return Value::Error();
  }
  if (*version != 1) {
    return c.ev.Fail(diag::Kind::UnsupportedFeature,
                     "the flat form has version 1, and this file asks for " + std::to_string(*version));
  }
  c.ev.set_flat();
  c.ev.program_devices = *devices;
  return Value::None();
}

Value ShardingOf(Call& c) {
  Value v[1];
  ShardingObj* sharding = c.Bind("text, /", v) ? ParseSharding(c.ev, v[0]) : nullptr;
  return sharding == nullptr ? Value::Error() : Value::Object(VK::Sharding, sharding);
}

Value Placed(Call& c) {
  Value v[2];
  if (!c.Bind("type, sharding, /", v)) {
    return Value::Error();
  }
  Value type = v[0].is(VK::Str) ? c.ev.TypeFromText(Text(v[0])) : v[0];
  ShardingObj* sharding = type.failed() ? nullptr : ParseSharding(c.ev, v[1]);
  if (sharding == nullptr) {
    return Value::Error();
  }
  if (!type.is(VK::TypeForm) && !type.is(VK::DType)) {
    return c.ev.TypeError("spmdc.placed() needs a type, got " + Repr(v[0]));
  }
  auto* form = c.ev.heap().New<TypeFormObj>();
  if (type.is(VK::DType)) {
    form->dtype = type.dtype();
  } else {
    *form = type.as<TypeFormObj>();
  }
  form->placement = Value::Object(VK::Sharding, sharding);
  return Value::Object(VK::TypeForm, form);
}

Value MeshOf(Call& c) {
  Value v[1];
  std::optional<std::string> text = c.Bind("text, /", v) ? c.ev.ToStr(v[0], "a mesh") : std::nullopt;
  if (!text) {
    return Value::Error();
  }
  std::replace(text->begin(), text->end(), '\'', '"');
  auto* mesh = c.ev.heap().New<MeshObj>();
  size_t end = 0;
  auto error = mesh::ParseSdyMesh(*text, mesh->mesh, end);
  if (error || end != text->size()) {
    return c.ev.Fail(diag::Kind::ShardingText,
                     "'" + Text(v[0]) + "' is no mesh: " + (error ? error->message : "something stands behind it"));
  }
  return Value::Object(VK::Mesh, mesh);
}

Value Constraint(Call& c) {
  Value v[2];
  if (!c.Bind("x, sharding", v)) {
    return Value::Error();
  }
  Value x = ToArray(c.ev, v[0]);
  ShardingObj* sharding = x.failed() ? nullptr : ParseSharding(c.ev, v[1]);
  if (sharding == nullptr) {
    return Value::Error();
  }
  if (sharding->sharding.dims.size() != TypeOfArray(x).rank()) {
    return c.ev.Fail(diag::Kind::SpecRank,
                     "the sharding " + Repr(v[1]) + " does not have the rank of " + ShowType(c.ev, TypeOfArray(x)));
  }
  ops::ShardingConstraintAttrs attrs;
  attrs.sharding = c.ev.tracer().tables().shardings.Intern(sharding->sharding);
  return c.ev.tracer().Emit(ir::OpKind::ShardingConstraint, x, c.ev.tracer().Attrs(attrs), x.as<ArrayObj>().weak);
}

Value Weak(Call& c) {
  Value v[1];
  Value x = c.Bind("x, /", v) ? ToArray(c.ev, v[0]) : Value::Error();
  return x.failed() ? x : Convert(c.ev, x, TypeOfArray(x).dtype, /*weak=*/true);
}

// spmdc.keys(data, "fry"): a type, or an array, of the data of keys as what the boundary has as keys.
Value Keys(Call& c) {
  Value v[2];
  std::optional<std::string> name = c.Bind("data, dtype, /", v) ? c.ev.ToStr(v[1], "the dtype of keys") : std::nullopt;
  if (!name) {
    return Value::Error();
  }
  const auto* key =
      llvm::find_if(tensor::KeyDTypes(), [&](tensor::DType t) { return tensor::HloName(t) == "key<" + *name + ">"; });
  if (key == tensor::KeyDTypes().end()) {
    return c.ev.Fail(diag::Kind::Arguments, "there are no keys '" + *name + "'", "they are fry, rbg and urbg");
  }
  auto is_data = [&](tensor::DType dtype, llvm::ArrayRef<int64_t> dims) {
    return dtype == tensor::DType::U32 && !dims.empty() && dims.back() == WordsOf(*key);
  };
  Value type = v[0].is(VK::Str) ? c.ev.TypeFromText(Text(v[0])) : v[0];
  if (type.is(VK::TypeForm) && is_data(type.as<TypeFormObj>().dtype, type.as<TypeFormObj>().dims)) {
    auto* form = c.ev.heap().New<TypeFormObj>();
    *form = type.as<TypeFormObj>();
    form->key = *key;
    return Value::Object(VK::TypeForm, form);
  }
  if (v[0].is(VK::Array) && is_data(TypeOfArray(v[0]).dtype, TypeOfArray(v[0]).dims)) {
    return KeysOfData(c.ev, v[0], *key);
  }
  return type.failed() ? type
                       : c.ev.Fail(diag::Kind::ShapeRule, "the data of a key '" + *name + "' are u32[..., " +
                                                              std::to_string(WordsOf(*key)) + "], not " + Repr(v[0]));
}

Value UnknownConstant(Call& c) {
  Value v[2];
  tensor::Dims dims;
  std::optional<tensor::DType> dtype;
  if (!c.Bind("*, shape, dtype", v) || !c.ev.ToShape(v[0], dims) || !(dtype = c.ev.ToDType(v[1]))) {
    return Value::Error();
  }
  return c.ev.tracer().Emit(ir::OpKind::Constant, {},
                            c.ev.tracer().Attrs(ops::ConstantAttrs{tensor::Literal::Unknown(*dtype, dims)}));
}

// Makes a sharding one that varies over an axis, too. False after a diagnostic.
bool AddVarying(Evaluator& ev, const mesh::Mesh& mesh, llvm::StringRef axis, mesh::Sharding& s) {
  std::optional<int32_t> i = mesh.FindAxis(axis);
  if (!i) {
    return !ev.Fail(diag::Kind::UnknownAxis, "the mesh has no axis '" + axis.str() + "'").failed();
  }
  s.varying.push_back(mesh::Whole(mesh, *i));
  s.varying = mesh::AsSet(s.varying);
  return true;
}

// The type that an annotation writes, on the context mesh.
std::optional<ir::Type> TypeOfAnnotation(Evaluator& ev, const Value& annotation) {
  Value v = annotation.is(VK::Str) ? ev.TypeFromText(Text(annotation)) : annotation;
  if (v.is(VK::DType)) {
    return ir::ArrayType(v.dtype(), {});
  }
  if (!v.is(VK::TypeForm)) {
    if (!v.failed()) {
      ev.Fail(diag::Kind::Annotation, "a body of the flat form needs a type for every parameter");
    }
    return std::nullopt;
  }
  const auto& form = v.as<TypeFormObj>();
  ir::Type type = ir::ArrayType(form.dtype, form.dims);
  // In a program of one device values are shards: what an annotation says is where they are.
  if (ev.per_device || (!form.has_varying && !form.spec.given())) {
    return type;
  }
  ShardingObj* sharding = ToSharding(ev, form.spec.given() ? form.spec : ev.heap().Spec({}), "a type");
  if (sharding == nullptr) {
    return std::nullopt;
  }
  // `@ P(...)` is a placement, of which the type has the Explicit axes; `8@x` is the type's own.
  mesh::Sharding s = OnRank(ev, *sharding, type.rank(), form.placed_by_spec);
  for (const std::string& axis : form.varying) {
    if (!AddVarying(ev, sharding->mesh->mesh, axis, s)) {
      return std::nullopt;
    }
  }
  type.sharding = mesh::NamesNoAxis(s) ? mesh::ShardingId() : ev.tracer().tables().shardings.Intern(s);
  return type;
}

// A def with typed parameters as a body. No id after a diagnostic.
ir::FuncId TypedBody(Evaluator& ev, const Value& function, const mesh::AxisList& manual) {
  if (!function.is(VK::Function)) {
    ev.TypeError("a body must be a function, got " + TypeName(function));
    return {};
  }
  auto& f = function.as<FunctionObj>();
  auto [known, is_new] = ev.tracer().flat_bodies.try_emplace({&ev.tracer().module(), &f});
  if (!is_new) {
    return known->second;
  }
  const Function& parsed = ev.ast()[f.function];
  Trace* trace = ev.tracer().NewBody(parsed.name.valid() ? ev.ast().text(parsed.name).str() : "body");
  ir::FuncId id = trace->function;
  ir::Function& made = trace->module->functions[id];
  mesh::AxisList all = made.manual_axes;
  all.append(manual.begin(), manual.end());
  made.manual_axes = mesh::AsSet(all);
  std::vector<Value> args;
  for (const Param& param : parsed.params) {
    Value annotation = param.annotation.valid() ? ev.EvalAnnotation(param.annotation, f.closure) : Value::None();
    std::optional<ir::Type> type = annotation.failed() ? std::nullopt : TypeOfAnnotation(ev, annotation);
    if (!type) {
      return {};
    }
    ir::BoundaryInfo info;
    info.name = ev.ast().text(param.name).str();
    info.span = param.span;
    info.sharding = PlacementOf(ev, annotation, type->rank());
    args.push_back(ev.tracer().AddArg(*trace, *type, false, std::move(info)));
    ir::Function& built = trace->module->functions[id];
    built.values[built.args.back()].sharding = built.arg_info.back().sharding;
  }
  Tracer::Scope scope(ev.tracer(), *trace);
  Value result = ev.CallFunction(function, args);
  std::vector<Value> leaves;
  result = result.failed() ? result : MapLeafArrays(ev, result);
  if (result.failed()) {
    return {};
  }
  Leaves(result, leaves);
  for (const Value& leaf : leaves) {
    ir::ValueId value = ev.tracer().Use(leaf);
    trace->module->functions[id].results.push_back(value);
  }
  trace->module->functions[id].result_info.resize(leaves.size());
  ev.tracer().FinishNames(*trace);
  ev.tracer().flat_bodies[{&ev.tracer().module(), &f}] = id;
  return id;
}

std::optional<ir::OpKind> KindOf(llvm::StringRef mnemonic) {
  for (int i = 0; i < ir::kNumOpKinds; ++i) {
    if (ir::Mnemonic(static_cast<ir::OpKind>(i)) == mnemonic) {
      return static_cast<ir::OpKind>(i);
    }
  }
  return std::nullopt;
}

struct OpCall {
  ir::OpKind kind = ir::OpKind::Opaque;
  std::vector<Value> operands;
  ir::AttrsId attrs;
  llvm::SmallVector<ir::FuncId, 2> bodies;
  mesh::ShardingId out_sharding;
};

// An op that nobody knows: its name, its text and the types of its results.
bool ReadOpaque(Evaluator& ev, llvm::StringRef name, const Value& text, const Value& types, OpCall& call) {
  ops::OpaqueAttrs attrs;
  attrs.name = name.str();
  std::vector<Value> items;
  if (text.is(VK::Str)) {
    attrs.text = Text(text);
  }
  if (types.given() && !ev.Iterate(types, items)) {
    return false;
  }
  for (const Value& item : items) {
    std::optional<ir::Type> type = TypeOfAnnotation(ev, item);
    if (!type) {
      return false;
    }
    attrs.result_types.push_back(*type);
  }
  call.attrs = ev.tracer().Attrs(std::move(attrs));
  return true;
}

bool ReadAttrs(Evaluator& ev, llvm::ArrayRef<std::pair<llvm::StringRef, Value>> fields, OpCall& call,
               mesh::AxisList& manual) {
  const op::OpDef& def = op::Def(call.kind);
  std::unique_ptr<ir::AttrsHolder> holder = def.make_attrs != nullptr ? def.make_attrs() : nullptr;
  if (!ReadFields(ev, ir::Mnemonic(call.kind), fields, holder.get())) {
    return false;
  }
  if (holder != nullptr) {
    call.attrs = ev.tracer().tables().attrs.AddHolder(std::move(holder));
  }
  if (def.region == op::Region::Manual) {
    manual = ev.tracer().tables().attrs.Get<ops::ManualComputationAttrs>(call.attrs).manual_axes;
  }
  return true;
}

// Behind what a loop carries, and behind the operands of a manual region that have a sharding, values are captured.
void MarkCaptured(Evaluator& ev, const OpCall& call) {
  op::Region region = op::Def(call.kind).region;
  size_t own = call.operands.size();
  if (region == op::Region::Loop) {
    own = static_cast<size_t>(ev.tracer().tables().attrs.Get<ops::WhileAttrs>(call.attrs).num_carried);
  } else if (region == op::Region::Manual) {
    own = ev.tracer().tables().attrs.Get<ops::ManualComputationAttrs>(call.attrs).in_shardings.size();
  }
  for (ir::FuncId body : call.bodies) {
    std::vector<ir::BoundaryInfo>& infos = ev.tracer().module().functions[body].arg_info;
    for (size_t i = own; i < infos.size(); ++i) {
      infos[i].captured = true;
    }
  }
}

// `out_sharding=`, and the axes over which the result of an op varies that has no operand to vary with.
bool ReadOutSharding(Evaluator& ev, const Value& out_sharding, const Value& varying, OpCall& call) {
  if (!out_sharding.given()) {
    return true;
  }
  ShardingObj* sharding = ToSharding(ev, out_sharding, "spmdc.op");
  if (sharding == nullptr) {
    return false;
  }
  mesh::Sharding s = OnRank(ev, *sharding, sharding->sharding.dims.size(), false);
  std::vector<Value> axes;
  if (varying.given() && !ev.Iterate(varying, axes)) {
    return false;
  }
  for (const Value& axis : axes) {
    std::optional<std::string> name = ev.ToStr(axis, "an axis");
    if (!name || !AddVarying(ev, sharding->mesh->mesh, *name, s)) {
      return false;
    }
  }
  call.out_sharding = ev.tracer().tables().shardings.Intern(s);
  return true;
}

// spmdc.op(name, *operands, bodies=, out_sharding=, varying=, text=, result_types=, and the op's attributes)
Value Op(Call& c) {
  std::optional<std::string> name =
      c.args.empty() ? std::optional<std::string>() : c.ev.ToStr(c.args[0], "the name of an op");
  if (!name) {
    return c.ev.has_failed() ? Value::Error() : c.ev.Fail(diag::Kind::Arguments, "spmdc.op() needs the name of an op");
  }
  OpCall call;
  Value bodies, out_sharding, varying, text, types;
  std::vector<std::pair<llvm::StringRef, Value>> fields;
  for (const auto& [key, value] : c.kwargs) {
    Value* known = key == "bodies"         ? &bodies
                   : key == "out_sharding" ? &out_sharding
                   : key == "varying"      ? &varying
                   : key == "result_types" ? &types
                                           : nullptr;
    if (known != nullptr) {
      *known = value;
    } else {
      fields.push_back({key, value});
    }
  }
  mesh::AxisList manual;
  std::optional<ir::OpKind> kind = types.given() ? std::optional(ir::OpKind::Opaque) : KindOf(*name);
  if (!kind) {
    return c.ev.Fail(diag::Kind::UnknownOp, "there is no op '" + *name + "'");
  }
  call.kind = *kind;
  if (types.given()) {
    text = fields.size() == 1 && fields[0].first == "text" ? fields[0].second : Value();
    if (!ReadOpaque(c.ev, *name, text, types, call)) {
      return Value::Error();
    }
  } else if (!ReadAttrs(c.ev, fields, call, manual)) {
    return Value::Error();
  }
  for (const Value& operand : llvm::ArrayRef<Value>(c.args).drop_front()) {
    call.operands.push_back(ToArray(c.ev, operand));
    if (call.operands.back().failed()) {
      return Value::Error();
    }
  }
  std::vector<Value> functions;
  if (bodies.given() && !c.ev.Iterate(bodies, functions)) {
    return Value::Error();
  }
  for (const Value& function : functions) {
    call.bodies.push_back(TypedBody(c.ev, function, manual));
    if (!call.bodies.back().valid()) {
      return Value::Error();
    }
  }
  if (!ReadOutSharding(c.ev, out_sharding, varying, call)) {
    return Value::Error();
  }
  auto results = c.ev.tracer().EmitAll(call.kind, call.operands, call.attrs, call.bodies, call.out_sharding);
  if (!results) {
    return Value::Error();
  }
  MarkCaptured(c.ev, call);
  return results->empty() ? Value::None() : results->size() == 1 ? (*results)[0] : c.ev.heap().Tuple(*results);
}

const Builtin kFlatTable[] = {
    {kSpmdc, "flat", Flat},           {kSpmdc, "op", Op},         {kSpmdc, "constraint", Constraint},
    {kSpmdc, "sharding", ShardingOf}, {kSpmdc, "placed", Placed}, {kSpmdc, "mesh", MeshOf},
    {kSpmdc, "weak", Weak},           {kSpmdc, "keys", Keys},     {kSpmdc, "unknown_constant", UnknownConstant},
};

}  // namespace

mesh::ShardingId PlacementOf(Evaluator& ev, const Value& annotation, size_t rank) {
  if (!annotation.is(VK::TypeForm)) {
    return {};
  }
  const auto& form = annotation.as<TypeFormObj>();
  Value placed = form.placement.given() ? form.placement : form.placed_by_spec ? form.spec : Value();
  if (!placed.given()) {
    return {};
  }
  ShardingObj* sharding = ToSharding(ev, placed, "a type");
  return sharding == nullptr ? mesh::ShardingId() : InternSharding(ev, *sharding, rank);
}

void PlaceByAnnotation(Evaluator& ev, const Value& value, const Value& annotation) {
  if (!value.is(VK::Array) || value.as<ArrayObj>().trace != &ev.tracer().current()) {
    return;
  }
  const auto& array = value.as<ArrayObj>();
  mesh::ShardingId placed = PlacementOf(ev, annotation, array.type.rank());
  if (placed.valid()) {
    array.trace->module->functions[array.trace->function].values[array.id].sharding = placed;
  }
}

bool AliasAsSaid(Evaluator& ev, ir::Function& entry) {
  for (const tensor::Dims& alias : ev.aliases) {
    auto is_one = [](int64_t i, size_t n) { return i >= 0 && static_cast<size_t>(i) < n; };
    if (!is_one(alias[0], entry.args.size()) || !is_one(alias[1], entry.results.size())) {
      return !ev.Fail(diag::Kind::Arguments, "there is no argument " + std::to_string(alias[0]) + " or no result " +
                                                 std::to_string(alias[1]) + " for an alias")
                  .failed();
    }
    entry.arg_info[static_cast<size_t>(alias[0])].alias = alias[1];
  }
  return true;
}

llvm::ArrayRef<Builtin> FlatBuiltins() { return kFlatTable; }

}  // namespace spmdc::text::native
