// Functions under construction: emitting instructions, capturing outer arrays, copying top-level ones, names.
#include "text/native/tracer.h"

#include "llvm/ADT/STLExtras.h"
#include "op/eval.h"
#include "op/op_def.h"
#include "text/native/keys.h"
#include "text/native/numpy.h"
#include "text/native/sharding_api.h"
#include "text/native/traced_calls.h"

namespace spmdc::text::native {

using tensor::DType;

namespace {

// More operations than any program that somebody wrote; a loop without end reaches it within a second.
constexpr int64_t kMaxOperations = 200'000;
// It takes as long as so many expressions; what a program does between operations counts as well.
constexpr int64_t kStepsPerOperation = 20;
// A text that spells so much may have an operation more.
constexpr int64_t kCharsPerOperation = 16;

// `name`, or `name_1`, `name_2`, ...: one that is not taken. A loop takes them in a row: those below `next` are not tried again.
std::string FreeName(const llvm::StringSet<>& taken, llvm::StringRef name, int64_t& next) {
  std::string candidate;
  do {
    candidate = next == 0 ? name.str() : name.str() + "_" + std::to_string(next);
    ++next;
  } while (taken.contains(candidate));
  return candidate;
}

}  // namespace

Tracer::Tracer(Evaluator& ev, std::shared_ptr<ir::Tables> tables)
    : ev_(ev), tables_(std::move(tables)), traced_calls_(std::make_unique<TracedCalls>()), top_module_(tables_) {
  current_ = NewFunction(top_module_, "toplevel");
  current_->top_level = true;
}

Tracer::~Tracer() = default;

Trace* Tracer::NewFunction(ir::Module& module, llvm::StringRef name) {
  traces_.push_back(std::make_unique<Trace>());
  Trace* trace = traces_.back().get();
  trace->module = &module;
  ir::Function function;
  function.name = name.str();
  function.span = ev_.span();
  trace->function = module.functions.Add(std::move(function));
  return trace;
}

Trace* Tracer::NewBody(llvm::StringRef name) {
  Trace* trace = NewFunction(*current_->module, name);
  trace->outer = current_;
  trace->manual_mesh = current_->manual_mesh;
  trace->checks_varying = current_->checks_varying;
  ir::Function& body = trace->module->functions[trace->function];
  body.enclosing = current_->function;
  body.manual_axes = trace->module->functions[current_->function].manual_axes;
  return trace;
}

Value Tracer::AddArg(Trace& trace, const ir::Type& type, bool weak, ir::BoundaryInfo info) {
  ir::Function& function = trace.module->functions[trace.function];
  ir::Value value;
  bool keys = tensor::IsKey(type.dtype);
  value.type = tables_->types.Intern(keys ? DataTypeOf(*tables_, type) : type);
  info.sharding = keys ? op::WithWords(*tables_, info.sharding) : info.sharding;
  value.name = info.name;
  value.span = info.span;
  value.index = static_cast<uint32_t>(function.args.size());
  if (!value.name.empty()) {
    trace.names.insert(value.name);
  }
  ir::ValueId id = function.AddArg(std::move(value), std::move(info));
  auto* array = ev_.heap().New<ArrayObj>();
  array->trace = &trace;
  array->id = id;
  array->type = type;
  array->weak = weak;
  return Value::Object(VK::Array, array);
}

Value Tracer::Array(ir::ValueId id, bool weak) {
  if (!id.valid()) {
    ev_.MarkFailed();
    return Value::Error();
  }
  auto* array = ev_.heap().New<ArrayObj>();
  array->trace = current_;
  array->id = id;
  const ir::Function& function = current_->module->functions[current_->function];
  array->type = current_->module->type(function, id);
  array->weak = weak;
  return Value::Object(VK::Array, array);
}

ir::ValueId Tracer::Use(const Value& value) {
  auto& array = value.as<ArrayObj>();
  if (array.deleted) {
    ev_.Fail(diag::Kind::Donation,
             "this array of type " + ArrayText(array) + " is no more: a call of a jitted function has taken its memory",
             "use what the call returned, or do not donate the argument");
    return {};
  }
  return Capture(array, *current_);
}

ir::ValueId Tracer::Capture(ArrayObj& array, Trace& trace) {
  if (array.trace == &trace) {
    return array.id;
  }
  auto key = std::pair<const Trace*, int32_t>(array.trace, array.id.index);
  auto known = trace.known.find(key);
  if (known != trace.known.end()) {
    return known->second;
  }
  ir::ValueId id;
  if (array.trace->top_level) {
    id = CopyTopLevel(*array.trace, array.id, trace);
  } else {
    const Trace* outer = trace.outer;
    while (outer != nullptr && outer != array.trace) {
      outer = outer->outer;
    }
    if (outer == nullptr) {
      ev_.Fail(diag::Kind::Python,
               "an array of type " + ArrayText(array) + " is used outside the function it was traced in",
               "return it from that function");
      return {};
    }
    Capture(array, *trace.outer);
    ir::BoundaryInfo info;
    info.captured = true;
    Value arg = AddArg(trace, array.type, array.weak, std::move(info));
    id = arg.as<ArrayObj>().id;
    trace.captured.push_back({&array, id});
  }
  trace.known[key] = id;
  return id;
}

// Copies the instructions that make a value, and what they need, in their order.
ir::ValueId Tracer::CopyTopLevel(const Trace& from, ir::ValueId id, Trace& to) {
  const ir::Function& source = from.module->functions[from.function];
  std::vector<bool> needed(source.insts.size());
  std::vector<ir::ValueId> open{id};
  while (!open.empty()) {
    ir::ValueId v = open.back();
    open.pop_back();
    ir::InstId def = source.values[v].def;
    SPMDC_CHECK(def.valid(), "a top-level array is the result of an instruction");
    if (needed[static_cast<size_t>(def.index)] || to.known.count({&from, v.index}) != 0) {
      continue;
    }
    needed[static_cast<size_t>(def.index)] = true;
    llvm::ArrayRef<ir::ValueId> operands = source.operands(source.insts[def]);
    open.insert(open.end(), operands.begin(), operands.end());
  }
  auto end = [&] { return static_cast<int32_t>(to.module->functions[to.function].insts.size()); };
  int32_t first = end();
  for (ir::InstId i : source.insts.ids()) {
    if (!needed[static_cast<size_t>(i.index)]) {
      continue;
    }
    ir::Inst inst = source.insts[i];
    llvm::SmallVector<ir::ValueId, 4> operands;
    for (ir::ValueId v : source.operands(source.insts[i])) {
      operands.push_back(to.known[{&from, v.index}]);
    }
    llvm::SmallVector<ir::FuncId, 2> bodies;
    for (ir::FuncId body : source.bodies(source.insts[i])) {
      bodies.push_back(CopyFunction(*from.module, body, *to.module));
    }
    llvm::SmallVector<ir::Value, 2> results;
    for (uint32_t r = 0; r < inst.num_results; ++r) {
      ir::Value value = source.values[source.result(source.insts[i], r)];
      value.name = value.name.empty() || to.names.count(value.name) != 0 ? "" : value.name;
      if (!value.name.empty()) {
        to.names.insert(value.name);
      }
      results.push_back(std::move(value));
    }
    ir::Function& target = to.module->functions[to.function];
    ir::InstId copy = target.AddInst(inst, operands, bodies, results);
    for (uint32_t r = 0; r < inst.num_results; ++r) {
      to.known[{&from, source.result(source.insts[i], r).index}] = target.result(target.insts[copy], r);
    }
  }
  traced_calls_->NoteShared(to, first, end());
  return to.known[{&from, id.index}];
}

ir::FuncId Tracer::CopyFunction(const ir::Module& from, ir::FuncId id, ir::Module& to) {
  ir::Function copy = from.functions[id];
  for (ir::FuncId& body : copy.body_pool) {
    body = CopyFunction(from, body, to);
  }
  copy.enclosing = {};
  return to.functions.Add(std::move(copy));
}

ir::FuncId Tracer::CopyBody(const ir::Module& from, ir::FuncId id, Trace& to) {
  ir::FuncId copy = CopyFunction(from, id, *to.module);
  std::vector<std::pair<ir::FuncId, ir::FuncId>> owned{{to.function, copy}};
  while (!owned.empty()) {
    auto [owner, body] = owned.back();
    owned.pop_back();
    to.module->functions[body].enclosing = owner;
    for (ir::FuncId inner : to.module->functions[body].body_pool) {
      owned.push_back({body, inner});
    }
  }
  return copy;
}

void Tracer::NoteArguments(llvm::ArrayRef<Value> operands) {
  for (const Value& v : operands) {
    const auto& array = v.as<ArrayObj>();
    if (array.trace == nullptr || array.trace->top_level || !array.type.sharding.valid()) {
      continue;
    }
    const ir::Function& f = array.trace->module->functions[array.trace->function];
    const ir::Value& value = f.values[array.id];
    if (!value.def.valid() && f.arg_info[value.index].span.valid()) {
      ev_.NoteLast(f.arg_info[value.index].span, "its type, " + ShowType(ev_, array.type) + ", is said here");
    }
  }
}

// Only reshard takes an array from one mesh to another: what else computes does so on the context mesh.
bool Tracer::AreOnContextMesh(ir::OpKind op, llvm::ArrayRef<Value> operands) {
  const MeshObj* context = context_mesh();
  if (context == nullptr || context->mesh.axes.empty() || ev_.flat() || op::Def(op).is_constraint) {
    return true;
  }
  auto same = [](const mesh::Axis& a, const mesh::Axis& b) { return a.name == b.name && a.size == b.size; };
  for (const Value& v : operands) {
    const ir::Type& type = TypeOfArray(v);
    if (!type.sharding.valid()) {
      continue;
    }
    const mesh::Mesh& mesh = tables().meshes[tables().shardings[type.sharding].mesh];
    if (!mesh.axes.empty() &&
        !std::equal(mesh.axes.begin(), mesh.axes.end(), context->mesh.axes.begin(), context->mesh.axes.end(), same)) {
      return !ev_.Fail(diag::Kind::MeshMismatch,
                       "the context mesh is " + mesh::Describe(context->mesh) + ", and the array of type " +
                           ShowType(ev_, type) + " is on the mesh " + mesh::Describe(mesh),
                       "reshard it to the context mesh first")
                  .failed();
    }
  }
  return true;
}

const MeshObj* Tracer::MeshOutside(const ArrayObj& array) const {
  const MeshObj* outside = nullptr;
  for (const Trace* t = current_; t != nullptr && t != array.trace; t = t->outer) {
    outside = t->is_region ? t->entered_from : outside;
  }
  if (outside != nullptr && array.trace->top_level) {
    return array.placed.is(VK::Sharding) ? array.placed.as<ShardingObj>().mesh : nullptr;
  }
  return array.unplaced ? nullptr : outside;
}

// JAX's rule for arrays that a region uses from outside: those that speak of Explicit axes are arguments of shard_map.
bool Tracer::MayEnterRegion(const ArrayObj& array) {
  const MeshObj* outside = MeshOutside(array);
  const MeshObj* context = context_mesh();
  if (outside == nullptr || context == nullptr || !outside->mesh.has_explicit_axes()) {
    return true;
  }
  std::string what =
      context->mesh.has_explicit_axes()
          ? "the context mesh is " + MeshText(*context) + ", and the array is of the mesh " + MeshText(*outside) +
                " outside of shard_map"
          : "an array that is sharded over Explicit axes is used inside shard_map, and is no argument of it";
  ev_.Fail(diag::Kind::MeshMismatch, what + ": " + ArrayText(array),
           "pass it to shard_map as an argument, with its in_spec");
  return false;
}

bool Tracer::CountOperation(size_t operands, int64_t steps) {
  int64_t weight = 1 + static_cast<int64_t>(operands / 10);
  work += weight;
  if (work > kMaxOperations + ev_.text_size() / kCharsPerOperation) {
    return !ev_.Fail(diag::Kind::TooLarge,
                     "the program has more than " + std::to_string(kMaxOperations) + " operations",
                     "write the loop with fori_loop or scan")
                .failed();
  }
  return ev_.Work(steps * weight);
}

std::optional<std::vector<Value>> Tracer::EmitAll(ir::OpKind op, llvm::ArrayRef<Value> operands, ir::AttrsId attrs,
                                                  llvm::ArrayRef<ir::FuncId> bodies, mesh::ShardingId out_sharding) {
  llvm::SmallVector<ir::ValueId, 4> ids;
  for (const Value& v : operands) {
    if (!v.is(VK::Array) || ev_.has_failed()) {
      return std::nullopt;
    }
    bool enters = ev_.flat() || op::Def(op).is_constraint || MayEnterRegion(v.as<ArrayObj>());
    ids.push_back(enters ? Use(v) : ir::ValueId());
    if (!ids.back().valid()) {
      return std::nullopt;
    }
  }
  if (!AreOnContextMesh(op, operands)) {
    return std::nullopt;
  }
  if (llvm::any_of(operands, IsKeys)) {
    return EmitOnKeys(ev_, op, operands, attrs, bodies, out_sharding);
  }
  if (!CountOperation(operands.size(), kStepsPerOperation)) {
    return std::nullopt;
  }
  diag::Engine refusals(&ev_.diags().sources());
  op::Builder builder(*current_->module, current_->function, refusals);
  op::Builder::Tag tag;
  tag.span = ev_.span();
  builder.set_tag(tag);
  auto results = builder.Add(op, ids, attrs, bodies, out_sharding);
  if (!results) {
    ev_.MarkFailed();
    for (const diag::Diagnostic& d : refusals.all()) {
      ev_.Tell(d);
    }
    NoteArguments(operands);
    return std::nullopt;
  }
  std::vector<Value> out;
  for (ir::ValueId id : *results) {
    current_->module->functions[current_->function].values[id].name.clear();
    out.push_back(Array(id, false));
  }
  return out;
}

Value Tracer::Emit(ir::OpKind op, llvm::ArrayRef<Value> operands, ir::AttrsId attrs, bool weak,
                   mesh::ShardingId out_sharding, llvm::ArrayRef<ir::FuncId> bodies) {
  auto results = EmitAll(op, operands, attrs, bodies, out_sharding);
  if (!results) {
    return Value::Error();
  }
  (*results)[0].as<ArrayObj>().weak = weak;
  return (*results)[0];
}

Value Tracer::IdentityOf(mesh::Monoid monoid, DType dtype) {
  if (tensor::IsKey(dtype)) {
    return ev_.Fail(diag::Kind::DtypeRule,
                    "reductions do not accept keys of jax.random, of dtype " + tensor::NumpyName(dtype).str());
  }
  return Constant(op::Identity(monoid, dtype));
}

Value Tracer::S32(int64_t value) { return Constant(tensor::Literal::Integer(tensor::DType::S32, {}, value)); }

Value Tracer::Constant(tensor::Literal literal, bool weak) {
  tensor::Literal kept = literal;
  Value array = Emit(ir::OpKind::Constant, {}, Attrs(ops::ConstantAttrs{std::move(literal)}), weak);
  if (!array.failed()) {
    array.as<ArrayObj>().known = ev_.heap().Array(std::move(kept), false, kept.dims().empty());
  }
  return array;
}

ir::FuncId Tracer::ScalarBody(llvm::StringRef name, llvm::ArrayRef<tensor::DType> types,
                              llvm::ArrayRef<llvm::StringRef> names,
                              llvm::function_ref<std::vector<Value>(llvm::ArrayRef<Value>)> make) {
  Trace* body = NewBody(name);
  std::vector<Value> args;
  for (size_t i = 0; i < types.size(); ++i) {
    ir::BoundaryInfo info;
    info.name = names.empty() ? "" : names[i].str();
    DType dtype = tensor::IsKey(types[i]) ? DType::U32 : types[i];
    args.push_back(AddArg(*body, ir::ArrayType(dtype, {}), false, std::move(info)));
  }
  Scope scope(*this, *body);
  for (const Value& result : make(args)) {
    if (!result.failed()) {
      body->module->functions[body->function].results.push_back(Use(result));
    }
  }
  ir::Function& function = body->module->functions[body->function];
  function.result_info.resize(function.results.size());
  FinishNames(*body);
  return body->function;
}

ir::FuncId Tracer::MonoidBody(mesh::Monoid monoid, tensor::DType dtype) {
  return ScalarBody("combine", {dtype, dtype}, {"a", "b"},
                    [&](llvm::ArrayRef<Value> args) { return std::vector<Value>{Emit(op::MonoidOp(monoid), args)}; });
}

void Tracer::NameValue(const Value& v, llvm::StringRef name) {
  const auto& array = v.as<ArrayObj>();
  if (array.trace != current_) {
    return;
  }
  ir::Value& value = current_->module->functions[current_->function].values[array.id];
  if (!value.name.empty()) {
    return;
  }
  value.name = FreeName(current_->names, name, current_->next_number[name]);
  current_->names.insert(value.name);
  traced_calls_->NoteName(*current_, array.id, name);
}

void Tracer::FinishNames(Trace& trace) {
  int next = 0;
  for (ir::Value& value : trace.module->functions[trace.function].values) {
    while (value.name.empty()) {
      std::string name = "v" + std::to_string(next++);
      if (trace.names.insert(name).second) {
        value.name = name;
      }
    }
  }
}

MeshObj* Tracer::MeshValue(mesh::MeshId id) {
  auto* mesh = ev_.heap().New<MeshObj>();
  mesh->mesh = tables_->meshes[id];
  mesh->abstract = true;
  return mesh;
}

}  // namespace spmdc::text::native
