// A function of the program from a function and its arguments: arguments with types and placements, and results.
#include "text/native/traced_function.h"

#include "llvm/ADT/STLExtras.h"
#include "specs/placement.h"
#include "text/native/device_uses.h"
#include "text/native/donation.h"
#include "text/native/keys.h"
#include "text/native/numpy.h"
#include "text/native/placement.h"
#include "text/native/sharding_api.h"
#include "text/native/traced_calls.h"
#include "text/native/tree.h"

namespace spmdc::text::native {
namespace {

// An argument's leaf before it is an argument: its type, and where the caller has put it.
struct Leaf {
  ir::Type type;
  bool weak = false;
  std::optional<tensor::DType> key;  // it is, or is the data of, keys of that dtype
  ShardingObj* placed = nullptr;
  MeshObj* device = nullptr;           // the one device it is on
  const specs::Entry* said = nullptr;  // what stands in place of all that
};

Value RefuseArgument(Evaluator& ev, const Value& v, const std::string& path) {
  return ev.Fail(diag::Kind::Arguments,
                 "the argument " + path + " of a jitted function is a " + TypeName(v) + ", which is no array",
                 "mark it with static_argnames, or close over it");
}

std::optional<Leaf> ReadLeaf(Evaluator& ev, const Value& v, const std::string& path) {
  Leaf leaf;
  if (v.is(VK::Array)) {
    const auto& array = v.as<ArrayObj>();
    leaf.type = array.type;
    leaf.key = IsKeys(v) ? std::optional(array.type.dtype) : std::nullopt;
    leaf.weak = array.weak;
    leaf.placed = array.placed.is(VK::Sharding) ? &array.placed.as<ShardingObj>() : nullptr;
    leaf.device = array.placed.is(VK::Mesh) ? &array.placed.as<MeshObj>() : nullptr;
    return leaf;
  }
  if (v.is(VK::Struct)) {
    const auto& s = v.as<StructObj>();
    leaf.type = ir::ArrayType(Canonical(ev, s.dtype), s.dims);
    leaf.key = tensor::IsKey(s.dtype) ? s.dtype : s.key;
    leaf.weak = s.weak;
    leaf.placed = s.sharding.is(VK::Sharding) ? &s.sharding.as<ShardingObj>() : nullptr;
    bool fits = leaf.placed == nullptr || CheckFits(ev, *leaf.placed, leaf.type, "the argument " + path);
    return fits ? std::optional<Leaf>(leaf) : std::nullopt;
  }
  if (IsArrayLike(v)) {
    std::optional<DTypeWeak> type = TypeOf(v);
    leaf.type = ir::ArrayType(type->dtype, v.is(VK::NdArray) ? v.as<NdArrayObj>().dims() : llvm::ArrayRef<int64_t>());
    leaf.weak = type->weak;
    return leaf;
  }
  RefuseArgument(ev, v, path);
  return std::nullopt;
}

// The same tiles on the same set of devices: JAX itself moves an argument to another order of the devices.
bool SameTiles(Evaluator& ev, const ShardingObj& a, const ShardingObj& b, size_t rank) {
  mesh::Mesh x = a.mesh->mesh, y = b.mesh->mesh;
  if (!SameDeviceSet(x, y)) {
    return false;
  }
  x.device_ids.clear();
  y.device_ids.clear();
  return mesh::IsEquivalent(x, OnRank(ev, a, rank, false), y, OnRank(ev, b, rank, false));
}

std::string FunctionName(Evaluator& ev, const Function* function) {
  return function == nullptr || !function->name.valid() ? "<lambda>" : ev.ast().text(function->name).str();
}

// Puts a leaf where a spec says in place of the file.
void Respecify(Evaluator& ev, const std::string& path, Leaf& leaf) {
  leaf.type.sharding = {};
  Value sharding = SaidSharding(ev, *leaf.said, leaf.type, "argument '" + path + "'");
  leaf.placed = sharding.is(VK::Sharding) ? &sharding.as<ShardingObj>() : nullptr;
  leaf.device = nullptr;
}

// The argument for a leaf, with what in_shardings says about it, or a spec in place of both.
Value MakeArg(Evaluator& ev, Trace& trace, Leaf leaf, const Value& option, const std::string& path,
              const std::string& function, source::Span span, LateRefusal& late) {
  if (leaf.said != nullptr) {
    Respecify(ev, path, leaf);
  }
  ShardingObj* sharding = leaf.placed;
  if (!option.none() && leaf.said == nullptr) {
    ShardingObj* asked = ToSharding(ev, option, "in_shardings");
    if (asked == nullptr || !CheckFits(ev, *asked, leaf.type, "in_shardings for the argument " + path)) {
      return Value::Error();
    }
    bool agree = sharding == nullptr || SameTiles(ev, *asked, *sharding, leaf.type.rank());
    if (!agree && late.message.empty()) {
      late = {"the sharding passed to jit does not match the sharding of the argument " + path + ": in_shardings has " +
                  ShardingText(*asked) + ", the argument of type " + ShowType(ev, leaf.type) + " has " +
                  ShardingText(*sharding),
              ev.span()};
    }
    // One that says the same keeps the argument's type; another order of the devices is moved to.
    bool same_order = sharding != nullptr && sharding->mesh->mesh.device_ids == asked->mesh->mesh.device_ids;
    sharding = agree && !same_order ? asked : sharding;
  }
  if (sharding != nullptr || leaf.device != nullptr) {
    NoteDevices(ev, sharding != nullptr ? sharding->mesh : leaf.device,
                "argument " + path + " of " + function + " with type " + ShowType(ev, leaf.type));
  }
  ir::BoundaryInfo info;
  info.name = path;
  info.weak = leaf.weak;
  info.key = leaf.key;
  info.span = leaf.said != nullptr ? leaf.said->span : span;
  MeshObj* context = ev.tracer().context_mesh();
  bool unplaced = false;
  if (sharding != nullptr) {
    mesh::Sharding full = OnRank(ev, *sharding, leaf.type.rank(), false);
    info.sharding = ev.tracer().tables().shardings.Intern(full);
    info.pinned = true;
    if (sharding->mesh->mesh.has_explicit_axes() && !ev.per_device) {
      mesh::Sharding part = OnRank(ev, *sharding, leaf.type.rank(), true);
      bool names_nothing = mesh::NamesNoAxis(part);
      leaf.type.sharding = names_nothing ? mesh::ShardingId() : ev.tracer().tables().shardings.Intern(part);
    }
  } else if (context != nullptr && context->mesh.has_explicit_axes() && !ev.tracer().at_top_level()) {
    // Nothing said: replicated over Explicit axes, undecided over Auto ones.
    unplaced = true;
    bool has_auto =
        llvm::any_of(context->mesh.axes, [](const mesh::Axis& a) { return a.type == mesh::AxisType::Auto; });
    mesh::MeshId id = ev.tracer().tables().meshes.Intern(context->mesh);
    bool open = has_auto && !ev.decided;
    info.sharding = ev.tracer().tables().shardings.Intern(mesh::Replicated(id, leaf.type.rank(), open));
    info.pinned = true;
  }
  Value arg = ev.tracer().AddArg(trace, leaf.type, leaf.weak, std::move(info));
  arg.as<ArrayObj>().unplaced = unplaced;
  return arg;
}

bool IsStatic(const JittedObj* jitted, size_t position, llvm::StringRef keyword) {
  return jitted != nullptr && jitted->IsStatic(position, keyword);
}

}  // namespace

bool CheckStatic(Evaluator& ev, const Value& value, const std::string& name) {
  return (IsBounded(value) && Hashable(value)) ||
         !ev.Fail(diag::Kind::Arguments,
                  "the static argument " + name + " of a jitted function is not hashable: " + Repr(value),
                  "static arguments are numbers, texts, functions or tuples of them; arrays, lists and dicts of arrays "
                  "are traced")
              .failed();
}

Value CheckTraced(Evaluator& ev, const Value& tree, const std::string& name) {
  return MapTree(ev, tree, name, [&](const Value& leaf, const std::string& path) {
    return IsArrayLike(leaf) ? ToArray(ev, leaf) : RefuseArgument(ev, leaf, path);
  });
}

std::vector<std::pair<std::string, Value>> InOrderOfKeywords(std::vector<std::pair<std::string, Value>> kwargs) {
  llvm::stable_sort(kwargs, [](const auto& a, const auto& b) { return a.first < b.first; });
  return kwargs;
}

std::string ParamName(Evaluator& ev, const Function* function, size_t position) {
  if (function != nullptr && position < function->params.size() && function->params[position].kind != ParamKind::Star) {
    return ev.ast().text(function->params[position].name).str();
  }
  return "arg" + std::to_string(position);
}

const specs::Entry* SpecOfArg(Evaluator& ev, size_t index, llvm::StringRef path) {
  return ev.entry_specs != nullptr ? ev.entry_specs->args.Find(index, path) : nullptr;
}

namespace {

// The meshes that arguments are placed on; JAX's types name also those whose axes are all Auto.
std::vector<int32_t> MeshesOf(Evaluator& ev, const JittedObj* jitted, const Arguments& given) {
  std::vector<Value> leaves;
  for (size_t i = 0; i < given.args.size(); ++i) {
    if (!IsStatic(jitted, i, "")) {
      Leaves(given.args[i], leaves);
    }
  }
  for (const auto& [name, value] : InOrderOfKeywords(given.kwargs)) {
    if (!IsStatic(jitted, SIZE_MAX, name)) {
      Leaves(value, leaves);
    }
  }
  std::vector<int32_t> meshes;
  for (const Value& leaf : leaves) {
    const MeshObj* mesh = MeshOfArgument(ev, leaf);
    meshes.push_back(mesh == nullptr ? -1 : ev.tracer().tables().meshes.Intern(mesh->mesh).index);
  }
  if (llvm::all_of(meshes, [](int32_t mesh) { return mesh < 0; })) {
    meshes.clear();  // as within traces, where types say it
  }
  return meshes;
}

}  // namespace

Value RunTraced(Evaluator& ev, Trace& trace, const Value& function, const JittedObj* jitted, const Arguments& given,
                LateRefusal& late) {
  const Function* parsed = ev.FunctionOf(function);
  std::vector<Value> dynamic;
  for (size_t i = 0; i < given.args.size(); ++i) {
    if (!IsStatic(jitted, i, "")) {
      dynamic.push_back(given.args[i]);
    }
  }
  std::vector<Value> options;
  Value in_shardings = jitted != nullptr ? jitted->in_shardings : Value();
  if (in_shardings.is(VK::List)) {
    in_shardings.kind = VK::Tuple;
  }
  if (!SpreadPrefix(ev, in_shardings, ev.heap().Tuple(dynamic), "in_shardings", options)) {
    return Value::Error();
  }
  Tracer::Scope scope(ev.tracer(), trace);
  ev.tracer().device_uses.clear();
  size_t next = 0, index = 0;
  auto trace_tree = [&](const Value& tree, const std::string& name, source::Span span, bool positional) {
    return MapTree(ev, tree, name, [&](const Value& v, const std::string& path) {
      std::optional<Leaf> leaf = ReadLeaf(ev, v, path);
      Value option = positional ? options[next++] : Value();
      if (!leaf) {
        return Value::Error();
      }
      leaf->said = SpecOfArg(ev, index++, path);
      return MakeArg(ev, trace, *leaf, option, path, FunctionName(ev, parsed), span, late);
    });
  };
  TracedRequest request;
  request.user = "jit";
  request.function = function;
  auto add = [&](const Value& value, const std::string& name, const std::string& keyword, source::Span span,
                 bool fixed) {
    request.args.push_back({keyword, fixed, fixed ? value : trace_tree(value, name, span, keyword.empty())});
    return fixed ? CheckStatic(ev, value, name) : !request.args.back().value.failed();
  };
  for (size_t i = 0; i < given.args.size(); ++i) {
    source::Span span = i < given.spans.size() ? given.spans[i] : ev.span();
    if (!add(given.args[i], ParamName(ev, parsed, i), "", span, IsStatic(jitted, i, ""))) {
      return Value::Error();
    }
  }
  for (const auto& [name, value] : InOrderOfKeywords(given.kwargs)) {
    if (!add(value, name, name, ev.span(), IsStatic(jitted, SIZE_MAX, name))) {
      return Value::Error();
    }
  }
  if (ev.entry_specs != nullptr && !FinishSpecs(ev, ev.entry_specs->args)) {
    return Value::Error();
  }
  request.meshes = MeshesOf(ev, jitted, given);
  return CheckDevices(ev) ? ev.tracer().traced_calls().CallHere(ev, request) : Value::Error();
}

namespace {

// What specs, or else out_shardings, say of a result; `span` is where.
Value PlaceOfResult(Evaluator& ev, const Value& array, const Value& option, size_t index, const std::string& path,
                    source::Span& span) {
  std::string name = "result" + path;
  const specs::Entry* said =
      ev.entry_specs != nullptr ? ev.entry_specs->results.Find(index, llvm::StringRef(name)) : nullptr;
  if (said == nullptr) {
    return option;
  }
  span = said->span;
  return SaidSharding(ev, *said, TypeOfArray(array), specs::Called("result", "", index));
}

}  // namespace

Value FinishResults(Evaluator& ev, Trace& trace, const Value& result, const Value& out_shardings) {
  std::vector<Value> options;
  if (!SpreadPrefix(ev, out_shardings, result, "out_shardings", options)) {
    return Value::Error();
  }
  Tracer::Scope scope(ev.tracer(), trace);
  size_t next = 0;
  Value arrays = MapTree(ev, result, "", [&](const Value& leaf, const std::string& path) {
    Value option = options[next++];
    if (!IsArrayLike(leaf)) {
      return ev.Fail(diag::Kind::Arguments, "the function returns a " + TypeName(leaf) + ", which is no array");
    }
    Value array = ToArray(ev, leaf);
    ir::BoundaryInfo info;
    if (IsKeys(array)) {
      info.key = TypeOfArray(array).dtype;
      array = ev.flat() ? DataOfKeys(ev, array) : array;  // whose words the flat form places too
    }
    Value placed;
    if (!array.failed()) {
      option = PlaceOfResult(ev, array, option, next - 1, path, info.span);
    }
    if (!array.failed() && !option.none()) {
      ShardingObj* sharding = ToSharding(ev, option, "out_shardings");
      if (sharding == nullptr || !CheckFits(ev, *sharding, TypeOfArray(array), "out_shardings")) {
        return Value::Error();
      }
      NoteDevices(ev, sharding->mesh, "explicit output sharding");
      bool is_explicit = sharding->mesh->mesh.has_explicit_axes();
      size_t rank = TypeOfArray(array).rank();
      info.sharding = InternSharding(ev, *sharding, rank);
      if (!sharding->sharding.reduced.empty()) {  // that is of the type
        mesh::Sharding where = ev.tracer().tables().shardings[info.sharding];
        where.reduced.clear();
        info.sharding = ev.tracer().tables().shardings.Intern(where);
      }
      info.pinned = true;
      placed = Value::Object(VK::Sharding, sharding);
      mesh::Sharding part = OnRank(ev, *sharding, rank, true);
      const ir::Type& type = TypeOfArray(array);
      mesh::Sharding own =
          type.sharding.valid() ? ev.tracer().tables().shardings[type.sharding] : mesh::Replicated(part.mesh, rank);
      if (is_explicit && !(own == part) && !ev.flat()) {
        array = ReshardTo(ev, array, *sharding, "out_shardings");
      }
    }
    if (array.failed()) {
      return array;
    }
    info.weak = array.as<ArrayObj>().weak;
    if (IsKeys(array)) {
      info.sharding = op::WithWords(ev.tracer().tables(), info.sharding);
    }
    ir::ValueId id = ev.tracer().Use(array);
    if (!id.valid()) {
      return Value::Error();
    }
    ir::Function& function = trace.module->functions[trace.function];
    function.results.push_back(id);
    function.result_info.push_back(std::move(info));
    auto* out = ev.heap().New<ArrayObj>();
    *out = array.as<ArrayObj>();
    out->trace = &trace;
    out->id = id;
    out->placed = placed;
    return Value::Object(VK::Array, out);
  });
  if (ev.entry_specs != nullptr && !arrays.failed() && !FinishSpecs(ev, ev.entry_specs->results)) {
    return Value::Error();
  }
  return arrays.failed() || !CheckDevices(ev) ? Value::Error() : arrays;
}

namespace {

// The leaves of a call's arguments that are no static ones, and which of them are donated.
struct Donations {
  std::vector<Value> leaves;
  std::vector<bool> donated;
};

Donations DonationsOf(const JittedObj& jitted, const Arguments& given) {
  Donations out;
  auto add = [&](const Value& tree, size_t position, llvm::StringRef keyword) {
    if (!jitted.IsStatic(position, keyword)) {
      Leaves(tree, out.leaves);
    }
    out.donated.resize(out.leaves.size(), jitted.Donates(position, keyword));
  };
  for (size_t i = 0; i < given.args.size(); ++i) {
    add(given.args[i], i, "");
  }
  for (const auto& [name, value] : InOrderOfKeywords(given.kwargs)) {
    add(value, SIZE_MAX, name);
  }
  return out;
}

// A donated array may be no other argument of the same call.
bool DonatesOnce(Evaluator& ev, const JittedObj& jitted, const Arguments& given) {
  Donations donations = DonationsOf(jitted, given);
  for (size_t i = 0; i < donations.leaves.size(); ++i) {
    for (size_t j = 0; j < donations.leaves.size() && donations.donated[i]; ++j) {
      const Value &a = donations.leaves[i], &b = donations.leaves[j];
      if (i != j && a.is(VK::Array) && b.is(VK::Array) && a.obj == b.obj) {
        return !ev.Fail(diag::Kind::Donation,
                        "an array of type " + ArrayText(a.as<ArrayObj>()) +
                            " is donated, and is another argument of the same call too",
                        "give the call a copy, or do not donate the argument")
                    .failed();
      }
    }
  }
  return true;
}

// The memory of donated arguments that results have taken is gone, and the arrays with it.
void DeleteDonated(const ir::Module& module, const ir::Function& f, Donations donations) {
  donations.donated.resize(f.args.size());
  std::vector<int64_t> aliases = DonationAliases(module, f, donations.donated);
  for (size_t i = 0; i < std::min(aliases.size(), donations.leaves.size()); ++i) {
    if (aliases[i] >= 0 && donations.leaves[i].is(VK::Array)) {
      donations.leaves[i].as<ArrayObj>().deleted = true;
    }
  }
}

}  // namespace

void AliasDonated(Evaluator& ev, Trace& trace, const JittedObj& jitted, const Arguments& given) {
  ir::Function& f = trace.module->functions[trace.function];
  std::vector<bool> donated = DonationsOf(jitted, given).donated;
  donated.resize(f.args.size());
  std::vector<int64_t> aliases = DonationAliases(*trace.module, f, donated);
  for (size_t i = 0; i < aliases.size(); ++i) {
    f.arg_info[i].alias = aliases[i];
  }
  LeaveDonations(*trace.module, f, donated, ev.diags());
}

MeshObj* MeshOfArgument(Evaluator& ev, const Value& leaf) {
  std::optional<Leaf> read = leaf.is(VK::Array) || leaf.is(VK::Struct) ? ReadLeaf(ev, leaf, "") : std::nullopt;
  return read && read->placed != nullptr ? read->placed->mesh : nullptr;
}

namespace {

// A top-level value of a type: the result of calling the traced function there.
Value CallThere(Evaluator& ev, Trace& trace, const Value& result, const Arguments& given, const JittedObj& jitted) {
  std::vector<Value> operands;
  auto add = [&](const Value& tree) {
    std::vector<Value> leaves;
    Leaves(tree, leaves);
    for (const Value& leaf : leaves) {
      if (leaf.is(VK::Struct)) {
        ev.Fail(diag::Kind::Arguments, "a ShapeDtypeStruct has no value to call a function with", "use .lower(...)");
        return false;
      }
      operands.push_back(ToArray(ev, leaf));
    }
    return true;
  };
  for (size_t i = 0; i < given.args.size(); ++i) {
    if (!jitted.IsStatic(i, "") && !add(given.args[i])) {
      return Value::Error();
    }
  }
  for (const auto& [name, value] : InOrderOfKeywords(given.kwargs)) {
    if (!jitted.IsStatic(SIZE_MAX, name) && !add(value)) {
      return Value::Error();
    }
  }
  // in_shardings may have moved an argument on Explicit axes.
  const ir::Function& function = trace.module->functions[trace.function];
  for (size_t i = 0; i < operands.size() && !ev.has_failed(); ++i) {
    ir::Type wanted = trace.module->type(function, function.args[i]);
    if (std::optional<tensor::DType> key = function.arg_info[i].key) {
      wanted = KeyTypeOf(ev.tracer().tables(), wanted, *key);
    }
    if (!(TypeOfArray(operands[i]) == wanted) && wanted.sharding.valid()) {
      const mesh::Sharding& s = ev.tracer().tables().shardings[wanted.sharding];
      Value sharding = ShardingValue(ev, ev.tracer().MeshValue(s.mesh), s);
      operands[i] = ReshardTo(ev, operands[i], sharding.as<ShardingObj>(), "jit");
    }
  }
  auto results = ev.tracer().EmitAll(ir::OpKind::Call, operands, {}, trace.function);
  if (!results) {
    return Value::Error();
  }
  size_t next = 0;
  return MapTree(ev, result, "", [&](const Value& leaf, const std::string&) {
    Value& made = (*results)[next++];
    MarkLike(ev, made, leaf);
    auto& array = made.as<ArrayObj>();
    array.placed = leaf.as<ArrayObj>().placed;
    return Value::Object(VK::Array, &array);
  });
}

}  // namespace

Value CallAtTopLevel(Evaluator& ev, JittedObj& jitted, llvm::ArrayRef<Value> args,
                     llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs, bool runs) {
  Arguments given;
  given.args.assign(args.begin(), args.end());
  for (const auto& [name, value] : kwargs) {
    given.kwargs.push_back({name.str(), value});
  }
  source::Span at = ev.span();
  ev.set_lowering_span(at);
  ev.last_use = {Value::Object(VK::Jitted, &jitted), given.args, given.kwargs, ev.tracer().context(), at};
  Trace* trace = ev.tracer().NewFunction(ev.tracer().module(), jitted.name);
  LateRefusal late;
  Value result = RunTraced(ev, *trace, jitted.function, &jitted, given, late);
  if (result.failed()) {
    return result;
  }
  ev.set_span(at);
  Value arrays = FinishResults(ev, *trace, result, jitted.out_shardings);
  if (arrays.failed() || late.Tell(ev)) {
    return Value::Error();
  }
  ev.tracer().FinishNames(*trace);
  std::vector<Value> leaves;
  for (const auto& value : given.args) {
    Leaves(value, leaves);
  }
  bool abstract = llvm::any_of(leaves, [](const Value& v) { return v.is(VK::Struct); });
  if (abstract) {
    return Value::None();
  }
  if (runs && !DonatesOnce(ev, jitted, given)) {
    return Value::Error();
  }
  Value made = CallThere(ev, *trace, arrays, given, jitted);
  if (runs && !made.failed() && !(jitted.donate_argnums.empty() && jitted.donate_argnames.empty())) {
    DeleteDonated(*trace->module, trace->module->functions[trace->function], DonationsOf(jitted, given));
  }
  return made;
}

}  // namespace spmdc::text::native
