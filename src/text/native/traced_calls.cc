// Recording what tracing a call does, and doing it again.
#include "text/native/traced_calls.h"

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"

namespace spmdc::text::native {
namespace {

// So many kinds of calls are remembered of a function.
constexpr size_t kMaxCalls = 8;
// Static arguments that take longer to compare are compared no further: they make another call.
constexpr int64_t kMaxComparedBytes = int64_t{1} << 12;

bool SameValue(const Value& a, const Value& b) { return a.kind == b.kind && a.i == b.i; }

// Arrays that a trace cannot tell apart but by what they stand for.
bool AreAlike(const ArrayObj& a, const ArrayObj& b) {
  return a.type == b.type && a.weak == b.weak && a.unplaced == b.unplaced && SameValue(a.known, b.known) &&
         SameValue(a.placed, b.placed);
}

bool SameArgs(const Value& a, const Value& b) {
  if (a.is(VK::Array) || b.is(VK::Array)) {
    return a.kind == b.kind && AreAlike(a.as<ArrayObj>(), b.as<ArrayObj>());
  }
  if (a.kind == b.kind && a.is_sequence()) {
    return Items(a).size() == Items(b).size() &&
           std::equal(Items(a).begin(), Items(a).end(), Items(b).begin(), SameArgs);
  }
  if (a.kind == b.kind && a.is(VK::Dict)) {
    const auto &x = a.as<DictObj>().items, &y = b.as<DictObj>().items;
    return x.size() == y.size() && std::equal(x.begin(), x.end(), y.begin(), [](const auto& p, const auto& q) {
             return SameArgs(p.first, q.first) && SameArgs(p.second, q.second);
           });
  }
  return a.kind == b.kind && Comparison(kMaxComparedBytes).Run(a, b);
}

void AddArrays(const Value& v, std::vector<Value>& out) {
  if (v.is(VK::Array)) {
    out.push_back(v);
  } else if (v.is_sequence()) {
    llvm::for_each(Items(v), [&](const Value& item) { AddArrays(item, out); });
  } else if (v.is(VK::Dict)) {
    for (const auto& [key, value] : v.as<DictObj>().items) {
      AddArrays(value, out);
    }
  }
}

// The arrays of a bounded tree, by their values in the current trace. Empty for none, and after a diagnostic.
std::vector<ir::ValueId> IdsOf(Evaluator& ev, const Value& tree) {
  std::vector<Value> arrays;
  AddArrays(tree, arrays);
  std::vector<ir::ValueId> ids;
  for (const Value& array : arrays) {
    ids.push_back(ev.tracer().Use(array));
  }
  return ids;
}

// Whether the same arguments are one array in both calls.
bool SamePattern(const std::vector<ir::ValueId>& a, const std::vector<ir::ValueId>& b) {
  llvm::DenseMap<int32_t, int32_t> there, back;
  for (size_t i = 0; i < a.size(); ++i) {
    if (there.try_emplace(a[i].index, b[i].index).first->second != b[i].index ||
        back.try_emplace(b[i].index, a[i].index).first->second != a[i].index) {
      return false;
    }
  }
  return a.size() == b.size();
}

// Trees of arrays and of plain values, which can be made anew.
bool IsPlainTree(const Value& v) {
  if (v.is_sequence()) {
    return v.as<SeqObj>().fields.empty() && llvm::all_of(Items(v), IsPlainTree);
  }
  if (v.is(VK::Dict)) {
    return llvm::all_of(v.as<DictObj>().items, [](const auto& entry) { return IsPlainTree(entry.second); });
  }
  return v.is(VK::Array) || v.is(VK::None) || v.is(VK::Str) || (v.is_number() && !v.is(VK::Complex));
}

class Replay {
 public:
  Replay(Evaluator& ev, const TracedCall& call, const std::vector<ir::ValueId>& ids) : ev_(ev), call_(call) {
    for (size_t i = 0; i < ids.size(); ++i) {
      made_[call.ids[i].index] = ids[i];
    }
  }

  Value Run() {
    Trace& trace = ev_.tracer().current();
    size_t shared = 0;
    for (int32_t i = call_.first; i < call_.last; ++i) {
      while (shared < call_.shared.size() && call_.shared[shared].second <= i) {
        ++shared;
      }
      if (shared < call_.shared.size() && call_.shared[shared].first <= i) {
        continue;
      }
      if (!ev_.tracer().CountOperation(Copy(trace.module->functions[trace.function], ir::InstId{i}), 1)) {
        return Value::Error();
      }
    }
    for (const auto& [id, name] : call_.names) {
      if (auto found = made_.find(id.index); found != made_.end()) {
        ev_.tracer().NameValue(ev_.tracer().Array(found->second, false), name);
      }
    }
    return Made(call_.result);
  }

 private:
  // Returns how many operands it has.
  size_t Copy(ir::Function& f, ir::InstId id) {
    ir::Inst inst = f.insts[id];
    llvm::SmallVector<ir::ValueId, 4> operands;
    for (ir::ValueId v : f.operands(inst)) {
      auto found = made_.find(v.index);
      operands.push_back(found != made_.end() ? found->second : v);
    }
    llvm::SmallVector<ir::FuncId, 2> bodies(f.bodies(inst).begin(), f.bodies(inst).end());
    llvm::SmallVector<ir::Value, 2> results;
    for (uint32_t r = 0; r < inst.num_results; ++r) {
      results.push_back(f.values[f.result(inst, r)]);
      results.back().name.clear();
    }
    ir::InstId copy = f.AddInst(inst, operands, bodies, results);
    for (uint32_t r = 0; r < inst.num_results; ++r) {
      made_[f.result(inst, r).index] = f.result(f.insts[copy], r);
    }
    return operands.size();
  }

  Value Made(const Value& v) {
    if (v.is_sequence()) {
      std::vector<Value> items;
      for (const Value& item : Items(v)) {
        items.push_back(Made(item));
      }
      return v.is(VK::Tuple) ? ev_.heap().Tuple(std::move(items)) : ev_.heap().List(std::move(items));
    }
    if (v.is(VK::Dict)) {
      auto* dict = ev_.heap().New<DictObj>();
      for (const auto& [key, value] : v.as<DictObj>().items) {
        dict->items.push_back({key, Made(value)});
      }
      return Value::Object(VK::Dict, dict);
    }
    auto found =
        v.is(VK::Array) && v.as<ArrayObj>().trace == call_.trace ? made_.find(v.as<ArrayObj>().id.index) : made_.end();
    if (found == made_.end()) {
      return v;
    }
    auto* array = ev_.heap().New<ArrayObj>();
    *array = v.as<ArrayObj>();
    array->id = found->second;
    return Value::Object(VK::Array, array);
  }

  Evaluator& ev_;
  const TracedCall& call_;
  llvm::DenseMap<int32_t, ir::ValueId> made_;  // by the value of the recorded call
};

// Whether what was recorded says all that a call does: loops and branches have bodies of their own, which are not shared;
// an argument that the function also has from outside is no argument alone.
bool CanBeReplayed(Evaluator& ev, const TracedCall& call) {
  const ir::Function& f = call.trace->module->functions[call.trace->function];
  for (int32_t i = call.first; i < call.last; ++i) {
    op::Region region = op::Def(f.insts[ir::InstId{i}].op).region;
    if (region != op::Region::None && region != op::Region::Apply) {
      return false;
    }
  }
  std::vector<Value> args, outside;
  AddArrays(call.args, args);
  for (const TracedCall::Read& read : call.reads) {
    if (!IsBounded(read.value)) {
      return false;
    }
    AddArrays(read.value, outside);
  }
  bool apart = llvm::none_of(outside, [&](const Value& v) {
    return llvm::any_of(args, [&](const Value& arg) {
      const auto &a = v.as<ArrayObj>(), &b = arg.as<ArrayObj>();
      return a.trace == b.trace && a.id == b.id;
    });
  });
  return apart && IsBounded(call.result) && IsPlainTree(call.result) && !ev.has_failed();
}

}  // namespace

void TracedCalls::NoteRead(Env* env, NameId name, const Value& value) {
  for (Open& open : open_) {
    bool known = env->made > open.envs || llvm::any_of(open.call.reads, [&](const TracedCall::Read& read) {
                   return read.env == env && read.name == name;
                 });
    if (!known) {
      open.call.reads.push_back({env, name, value});
    }
  }
}

void TracedCalls::NoteName(const Trace& trace, ir::ValueId id, llvm::StringRef name) {
  for (Open& open : open_) {
    if (open.call.trace == &trace) {
      open.call.names.push_back({id, name.str()});
    }
  }
}

void TracedCalls::NoteShared(const Trace& trace, int32_t first, int32_t last) {
  for (Open& open : open_) {
    if (open.call.trace == &trace) {
      open.call.shared.push_back({first, last});
    }
  }
}

// Wrappers around wrappers go through here and nothing else, so that deep ones take little of the stack.
Value TracedCalls::Call(Evaluator& ev, const Value& function, llvm::ArrayRef<Value> args,
                        llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs) {
  bool known = function.is(VK::Function) && !ev.flat();
  return known ? CallOnce(ev, function, args, kwargs) : ev.CallFunction(function, args, kwargs);
}

Value TracedCalls::CallOnce(Evaluator& ev, const Value& function, llvm::ArrayRef<Value> args,
                            llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs) {
  auto* named = ev.heap().New<DictObj>();
  for (const auto& [name, value] : kwargs) {
    named->items.push_back({ev.heap().Str(name.str()), value});
  }
  Value key = ev.heap().Tuple({ev.heap().Tuple(args.vec()), Value::Object(VK::Dict, named)});
  if (!IsBounded(key)) {
    return ev.CallFunction(function, args, kwargs);
  }
  Trace& trace = ev.tracer().current();
  std::vector<ir::ValueId> ids = IdsOf(ev, key);
  if (ev.has_failed()) {
    return Value::Error();
  }
  for (const TracedCall& call : calls_[function.obj]) {
    bool same = call.trace == &trace && call.context == ev.tracer().context_mesh() && SameArgs(call.args, key) &&
                SamePattern(call.ids, ids) && llvm::all_of(call.reads, [](const TracedCall::Read& read) {
                  return SameValue(read.env->vars.lookup(read.name), read.value);
                });
    if (same) {
      for (const TracedCall::Read& read : call.reads) {
        NoteRead(read.env, read.name, read.value);
      }
      return Replay(ev, call, ids).Run();
    }
  }
  auto end = [&] { return static_cast<int32_t>(trace.module->functions[trace.function].insts.size()); };
  open_.emplace_back();
  open_.back().envs = ev.envs_made();
  open_.back().call.trace = &trace;
  open_.back().call.context = ev.tracer().context_mesh();
  open_.back().call.args = key;
  open_.back().call.ids = std::move(ids);
  open_.back().call.first = end();
  Value result = ev.CallFunction(function, args, kwargs);
  TracedCall call = std::move(open_.back().call);
  open_.pop_back();
  call.last = end();
  call.result = result;
  std::vector<TracedCall>& known = calls_[function.obj];
  if (!result.failed() && known.size() < kMaxCalls && CanBeReplayed(ev, call)) {
    known.push_back(std::move(call));
  }
  return result;
}

}  // namespace spmdc::text::native
