// Tracing bodies, and giving several bodies of one instruction the same captured arguments.
#include "text/native/body.h"

#include "llvm/ADT/STLExtras.h"
#include "text/native/traced_calls.h"
#include "text/native/tree.h"

namespace spmdc::text::native {

std::string BodyName(Evaluator& ev, const Value& function, llvm::StringRef fallback) {
  const Function* parsed = ev.FunctionOf(function);
  if (parsed == nullptr) {
    return fallback.str();
  }
  if (parsed->name.valid()) {
    return ev.ast().text(parsed->name).str();
  }
  const Expr& value = ev.ast()[parsed->value];
  bool calls = value.kind == ExprKind::Call && ev.ast()[value.a].kind == ExprKind::Name &&
               ev.file_env()->vars.lookup(ev.ast()[value.a].name()).is(VK::Function);
  return calls ? ev.ast().text(ev.ast()[value.a].name()).str() : fallback.str();
}

bool ArrayLeaves(Evaluator& ev, Value& tree, std::vector<Value>& leaves) {
  tree = MapLeafArrays(ev, tree);
  if (tree.failed()) {
    return false;
  }
  Leaves(tree, leaves);
  return true;
}

// A body costs as much as so many operations, however little it does.
constexpr int64_t kOperationsPerBody = 10;

TracedBody NewBodyLike(Evaluator& ev, llvm::StringRef name, llvm::ArrayRef<Value> like) {
  TracedBody body;
  ev.tracer().work += kOperationsPerBody;
  body.trace = ev.tracer().NewBody(name);
  for (const Value& v : like) {
    AddBodyArg(ev, body, TypeOfArray(v), v.as<ArrayObj>().weak);
  }
  return body;
}

Value AddBodyArg(Evaluator& ev, TracedBody& body, const ir::Type& type, bool weak) {
  ir::BoundaryInfo info;
  info.span = ev.span();
  Value arg = ev.tracer().AddArg(*body.trace, type, weak, std::move(info));
  body.args.push_back(arg);
  return arg;
}

bool RunBody(Evaluator& ev, TracedBody& body, llvm::StringRef user, const Value& f, llvm::ArrayRef<Value> args) {
  Tracer::Scope scope(ev.tracer(), *body.trace);
  TracedRequest request;
  request.user = user.str();
  request.function = f;
  for (const Value& arg : args) {
    request.args.push_back({"", false, arg});
  }
  Value result = user.empty() ? ev.CallFunction(f, args) : ev.tracer().traced_calls().CallHere(ev, request);
  if (result.failed()) {
    return false;
  }
  body.result = MapLeafArrays(ev, result);
  if (body.result.failed()) {
    return false;
  }
  Leaves(body.result, body.leaves);
  return true;
}

std::vector<Value> FinishBodies(Evaluator& ev, llvm::MutableArrayRef<TracedBody*> bodies,
                                llvm::ArrayRef<std::vector<Value>> results) {
  // Results first: a result may be an outer array, which is captured only now.
  std::vector<std::vector<ir::ValueId>> result_ids;
  for (size_t b = 0; b < bodies.size(); ++b) {
    Tracer::Scope scope(ev.tracer(), *bodies[b]->trace);
    result_ids.emplace_back();
    for (const Value& v : results[b]) {
      result_ids.back().push_back(ev.tracer().Use(v));
    }
  }
  std::vector<ArrayObj*> captured;
  auto same = [](const ArrayObj* a, const ArrayObj* b) { return a->trace == b->trace && a->id == b->id; };
  for (TracedBody* body : bodies) {
    for (const auto& [array, id] : body->trace->captured) {
      if (llvm::none_of(captured, [&, a = array](const ArrayObj* c) { return same(c, a); })) {
        captured.push_back(array);
      }
    }
  }
  for (size_t b = 0; b < bodies.size(); ++b) {
    TracedBody& body = *bodies[b];
    Trace& trace = *body.trace;
    std::vector<ir::ValueId> order;
    for (const Value& arg : body.args) {
      order.push_back(arg.as<ArrayObj>().id);
    }
    {
      Tracer::Scope scope(ev.tracer(), trace);
      for (ArrayObj* array : captured) {
        order.push_back(ev.tracer().Use(Value::Object(VK::Array, array)));
      }
    }
    ir::Function& f = trace.module->functions[trace.function];
    std::vector<ir::BoundaryInfo> infos;
    for (size_t i = 0; i < order.size(); ++i) {
      infos.push_back(f.arg_info[f.values[order[i]].index]);
      infos.back().captured = i >= body.args.size();
    }
    for (size_t i = 0; i < order.size(); ++i) {
      f.values[order[i]].index = static_cast<uint32_t>(i);
    }
    f.args.assign(order.begin(), order.end());
    f.arg_info = std::move(infos);
    f.results.assign(result_ids[b].begin(), result_ids[b].end());
    f.result_info.resize(f.results.size());
    ev.tracer().FinishNames(trace);
  }
  std::vector<Value> operands;
  for (ArrayObj* array : captured) {
    operands.push_back(Value::Object(VK::Array, array));
  }
  return operands;
}

}  // namespace spmdc::text::native
