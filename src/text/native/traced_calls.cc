// Recording what tracing a call does, and doing it again.
#include "text/native/traced_calls.h"

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "text/native/body.h"
#include "text/native/tree.h"

namespace spmdc::text::native {
namespace {

// So many kinds of calls are remembered of a function.
constexpr size_t kMaxCalls = 4096;
// Static arguments that take longer to compare are compared no further: they make another call.
constexpr int64_t kMaxComparedBytes = int64_t{1} << 12;

// Arrays that a trace cannot tell apart but by what they stand for.
bool AreAlike(const ArrayObj& a, const ArrayObj& b) {
  return a.type == b.type && a.weak == b.weak && a.unplaced == b.unplaced;
}

bool AreAlike(const Value& a, const Value& b) {
  if (a.kind != b.kind) {
    return false;
  }
  if (a.is(VK::Array)) {
    return AreAlike(a.as<ArrayObj>(), b.as<ArrayObj>());
  }
  if (a.is_sequence()) {
    const auto &x = a.as<SeqObj>(), &y = b.as<SeqObj>();
    return x.fields == y.fields && std::equal(Items(a).begin(), Items(a).end(), Items(b).begin(), Items(b).end(),
                                              [](const Value& p, const Value& q) { return AreAlike(p, q); });
  }
  if (a.is(VK::Dict)) {
    const auto &x = a.as<DictObj>().items, &y = b.as<DictObj>().items;
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const auto& p, const auto& q) {
      return Comparison(kMaxComparedBytes).Run(p.first, q.first) && AreAlike(p.second, q.second);
    });
  }
  return Comparison(kMaxComparedBytes).Run(a, b);
}

// Static arguments are the same where Python says so, and they are of one type.
bool AreAlike(const TracedArg& a, const TracedArg& b) {
  if (a.keyword != b.keyword || a.is_static != b.is_static || a.value.kind != b.value.kind) {
    return false;
  }
  return a.is_static ? Comparison(kMaxComparedBytes).Run(a.value, b.value) : AreAlike(a.value, b.value);
}

std::vector<Value> ArraysOf(llvm::ArrayRef<TracedArg> args) {
  std::vector<Value> leaves;
  for (const TracedArg& arg : args) {
    if (!arg.is_static) {
      Leaves(arg.value, leaves);
    }
  }
  llvm::erase_if(leaves, [](const Value& leaf) { return !leaf.is(VK::Array); });
  return leaves;
}

int32_t IdOf(Evaluator& ev, const MeshObj* mesh) {
  return mesh == nullptr ? -1 : ev.tracer().tables().meshes.Intern(mesh->mesh).index;
}

Value CallNow(Evaluator& ev, const TracedRequest& request) {
  std::vector<Value> args;
  llvm::SmallVector<std::pair<llvm::StringRef, Value>, 2> kwargs;
  for (const TracedArg& arg : request.args) {
    if (arg.keyword.empty()) {
      args.push_back(arg.value);
    } else {
      kwargs.push_back({arg.keyword, arg.value});
    }
  }
  return ev.CallFunction(request.function, args, kwargs);
}

// What a traced function returns, as a tree of arrays.
Value ArraysOfResult(Evaluator& ev, const Value& result) {
  return result.failed() ? result : MapTree(ev, result, "", [&](const Value& leaf, const std::string&) {
    return IsArrayLike(leaf)
               ? ToArray(ev, leaf)
               : ev.Fail(diag::Kind::Arguments, "the function returns a " + TypeName(leaf) + ", which is no array");
  });
}

// Functions and partial applications are known again by what they are, not by what they do. Those of the prelude see nothing
// that changes.
bool IsRemembered(Evaluator& ev, const TracedRequest& request) {
  const Value& f = request.function;
  bool known = (f.is(VK::Function) && !f.as<FunctionObj>().prelude) || f.is(VK::Partial);
  return known && !ev.flat() && llvm::all_of(request.args, [](const TracedArg& arg) { return IsBounded(arg.value); });
}

// Where the values come from that a recorded call uses and neither made nor was given.
void FindOutside(Evaluator& ev, TracedCall& call) {
  const ir::Function& f = call.trace->module->functions[call.trace->function];
  std::vector<bool> inside(f.values.size());
  for (ir::ValueId id : call.ids) {
    inside[static_cast<size_t>(id.index)] = true;
  }
  llvm::DenseMap<int32_t, Value> origins;
  for (const auto& [array, id] : call.trace->captured) {
    origins[id.index] = Value::Object(VK::Array, array);
  }
  Trace& top = ev.tracer().top_level();
  for (const auto& [from, id] : call.trace->known) {
    if (from.first == &top && call.trace != &top) {
      Tracer::Scope scope(ev.tracer(), top);
      origins[id.index] = ev.tracer().Array(ir::ValueId{from.second}, false);
    }
  }
  auto need = [&](ir::ValueId id) {
    auto found = inside[static_cast<size_t>(id.index)] ? origins.end() : origins.find(id.index);
    if (found != origins.end()) {
      call.outside[id.index] = found->second;
    }
  };
  size_t shared = 0;
  for (int32_t i = call.first; i < call.last; ++i) {
    for (; shared < call.shared.size() && call.shared[shared].second <= i; ++shared) {
    }
    if (shared < call.shared.size() && call.shared[shared].first <= i) {
      continue;
    }
    const ir::Inst& inst = f.insts[ir::InstId{i}];
    llvm::for_each(f.operands(inst), need);
    for (uint32_t r = 0; r < inst.num_results; ++r) {
      inside[static_cast<size_t>(f.result(inst, r).index)] = true;
    }
  }
  std::vector<Value> results;
  Leaves(call.result, results);
  for (const Value& v : results) {
    if (v.is(VK::Array) && v.as<ArrayObj>().trace == call.trace) {
      need(v.as<ArrayObj>().id);
    }
  }
}

class Replay {
 public:
  // `counts`: what it does is new work of the program's.
  Replay(Evaluator& ev, const TracedCall& call, bool counts) : ev_(ev), call_(call), counts_(counts) {}

  Value Run(llvm::ArrayRef<Value> arrays) {
    for (size_t i = 0; i < arrays.size(); ++i) {
      ir::ValueId id = ev_.tracer().Use(arrays[i]);
      if (!id.valid()) {
        return Value::Error();
      }
      made_[call_.ids[i].index] = id;
      given_[call_.ids[i].index] = arrays[i];
    }
    size_t shared = 0;
    for (int32_t i = call_.first; i < call_.last; ++i) {
      for (; shared < call_.shared.size() && call_.shared[shared].second <= i; ++shared) {
      }
      bool is_shared = shared < call_.shared.size() && call_.shared[shared].first <= i;
      if (!is_shared && !Copy(ir::InstId{i})) {
        return Value::Error();
      }
    }
    for (const auto& [id, name] : call_.names) {
      if (auto found = made_.find(id.index); found != made_.end()) {
        ev_.tracer().NameValue(ev_.tracer().Array(found->second, false), name);
      }
    }
    auto& uses = ev_.tracer().device_uses;
    uses.insert(uses.end(), call_.device_uses.begin(), call_.device_uses.end());
    return MapTree(ev_, call_.result, "", [&](const Value& leaf, const std::string&) { return Made(leaf); });
  }

 private:
  // The value here of one there; invalid after a diagnostic.
  ir::ValueId Here(ir::ValueId there) {
    auto found = made_.find(there.index);
    if (found != made_.end()) {
      return found->second;
    }
    auto outside = call_.outside.find(there.index);
    SPMDC_CHECK(outside != call_.outside.end(), "a recorded call uses a value that nobody gave it");
    return ev_.tracer().Use(outside->second);
  }

  // False after a diagnostic.
  bool Copy(ir::InstId id) {
    const Trace& from = *call_.trace;
    ir::Inst inst = from.module->functions[from.function].insts[id];
    llvm::SmallVector<ir::ValueId, 4> operands;
    llvm::SmallVector<ir::FuncId, 2> bodies;
    llvm::SmallVector<ir::Value, 2> results;
    {
      const ir::Function& f = from.module->functions[from.function];
      operands.assign(f.operands(inst).begin(), f.operands(inst).end());
      bodies.assign(f.bodies(inst).begin(), f.bodies(inst).end());
      for (uint32_t r = 0; r < inst.num_results; ++r) {
        results.push_back(f.values[f.result(inst, r)]);
        results.back().name.clear();
      }
    }
    for (ir::ValueId& v : operands) {
      v = Here(v);
      if (!v.valid()) {
        return false;
      }
    }
    Trace& to = ev_.tracer().current();
    op::Region region = op::Def(inst.op).region;
    bool own_bodies = region != op::Region::None && region != op::Region::Apply;  // loops and branches share none
    for (ir::FuncId& body : bodies) {
      if (own_bodies || from.module != to.module) {
        body = ev_.tracer().CopyBody(*from.module, body, to);
      }
    }
    ir::FuncId source = from.function;
    uint32_t first_result = from.module->functions[source].result(inst, 0).index;
    ir::Function& target = to.module->functions[to.function];
    ir::InstId copy = target.AddInst(inst, operands, bodies, results);
    for (uint32_t r = 0; r < inst.num_results; ++r) {
      made_[static_cast<int32_t>(first_result + r)] = target.result(target.insts[copy], r);
    }
    return !counts_ || ev_.tracer().CountOperation(operands.size(), 1);
  }

  Value Made(const Value& v) {
    if (!v.is(VK::Array) || v.as<ArrayObj>().trace != call_.trace) {
      return v;
    }
    ir::ValueId there = v.as<ArrayObj>().id;
    if (auto given = given_.find(there.index); given != given_.end()) {
      return given->second;
    }
    if (auto outside = call_.outside.find(there.index); outside != call_.outside.end()) {
      return outside->second;
    }
    auto* array = ev_.heap().New<ArrayObj>();
    *array = v.as<ArrayObj>();
    array->trace = &ev_.tracer().current();
    array->id = made_.lookup(there.index);
    return Value::Object(VK::Array, array);
  }

  Evaluator& ev_;
  const TracedCall& call_;
  bool counts_;
  llvm::DenseMap<int32_t, ir::ValueId> made_;  // by the value of the recorded call
  llvm::DenseMap<int32_t, Value> given_;
};

// An argument of a body for an array of the trace around, of which it says what that one's says.
Value ArgLike(Evaluator& ev, TracedBody& body, const Value& array) {
  const auto& like = array.as<ArrayObj>();
  Value arg = AddBodyArg(ev, body, like.type, like.weak);
  arg.as<ArrayObj>().unplaced = like.unplaced;
  source::Span span;
  if (!like.trace->top_level) {
    const ir::Function& f = like.trace->module->functions[like.trace->function];
    const ir::Value& value = f.values[like.id];
    span = value.def.valid() ? span : f.arg_info[value.index].span;
  }
  body.trace->module->functions[body.trace->function].arg_info.back().span = span;
  return arg;
}

}  // namespace

void TracedCalls::NoteName(const Trace& trace, ir::ValueId id, llvm::StringRef name) {
  for (TracedCall& call : open_) {
    if (call.trace == &trace) {
      call.names.push_back({id, name.str()});
    }
  }
}

void TracedCalls::NoteShared(const Trace& trace, int32_t first, int32_t last) {
  for (TracedCall& call : open_) {
    if (call.trace == &trace) {
      call.shared.push_back({first, last});
    }
  }
}

TracedCall* TracedCalls::Find(Evaluator& ev, const TracedRequest& request) {
  const Trace& trace = ev.tracer().current();
  int32_t context = IdOf(ev, ev.tracer().context_mesh()), manual_mesh = IdOf(ev, trace.manual_mesh);
  for (const auto& call : calls_[request.function.obj]) {
    bool same = call->user == request.user && call->context == context && call->manual_mesh == manual_mesh &&
                call->checks_varying == trace.checks_varying && call->meshes == request.meshes &&
                std::equal(call->args.begin(), call->args.end(), request.args.begin(), request.args.end(),
                           [](const TracedArg& a, const TracedArg& b) { return AreAlike(a, b); });
    if (same) {
      return call.get();
    }
  }
  return nullptr;
}

Value TracedCalls::Record(Evaluator& ev, const TracedRequest& request, bool arrays) {
  Trace& trace = ev.tracer().current();
  auto end = [&] { return static_cast<int32_t>(trace.module->functions[trace.function].insts.size()); };
  open_.emplace_back();
  TracedCall& opened = open_.back();
  opened.user = request.user;
  opened.args = request.args;
  opened.meshes = request.meshes;
  opened.context = IdOf(ev, ev.tracer().context_mesh());
  opened.manual_mesh = IdOf(ev, trace.manual_mesh);
  opened.checks_varying = trace.checks_varying;
  opened.trace = &trace;
  for (const Value& array : ArraysOf(request.args)) {
    opened.ids.push_back(array.as<ArrayObj>().id);
  }
  opened.first = end();
  size_t uses = ev.tracer().device_uses.size();
  Value result = CallNow(ev, request);
  result = arrays ? ArraysOfResult(ev, result) : result;
  auto call = std::make_unique<TracedCall>(std::move(open_.back()));
  open_.pop_back();
  if (result.failed() || ev.has_failed() || !IsBounded(result)) {
    return result;
  }
  call->last = end();
  call->result = result;
  const auto& all_uses = ev.tracer().device_uses;
  call->device_uses.assign(all_uses.begin() + static_cast<long>(std::min(uses, all_uses.size())), all_uses.end());
  FindOutside(ev, *call);
  calls_[request.function.obj].push_back(std::move(call));
  return result;
}

Value TracedCalls::CallHere(Evaluator& ev, const TracedRequest& request) {
  if (!IsRemembered(ev, request)) {
    return CallNow(ev, request);
  }
  if (const TracedCall* known = Find(ev, request)) {
    return Replay(ev, *known, /*counts=*/true).Run(ArraysOf(request.args));
  }
  return calls_[request.function.obj].size() < kMaxCalls ? Record(ev, request, /*arrays=*/false) : CallNow(ev, request);
}

Value TracedCalls::CallInline(Evaluator& ev, const TracedRequest& request) {
  if (!IsRemembered(ev, request) || calls_[request.function.obj].size() >= kMaxCalls) {
    return ArraysOfResult(ev, CallNow(ev, request));
  }
  const TracedCall* known = Find(ev, request);
  bool is_new = known == nullptr;
  if (is_new) {
    TracedBody body = NewBodyLike(ev, BodyName(ev, request.function, "function"), {});
    TracedRequest inside = request;
    for (TracedArg& arg : inside.args) {
      if (!arg.is_static) {
        arg.value =
            MapTree(ev, arg.value, "", [&](const Value& leaf, const std::string&) { return ArgLike(ev, body, leaf); });
      }
    }
    Tracer::Scope scope(ev.tracer(), *body.trace);
    if (Record(ev, inside, /*arrays=*/true).failed() || ev.has_failed()) {
      return Value::Error();
    }
    known = calls_[request.function.obj].back().get();
  }
  return Replay(ev, *known, !is_new).Run(ArraysOf(request.args));
}

}  // namespace spmdc::text::native
