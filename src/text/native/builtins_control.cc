// Branches: cond, switch; optimization_barrier.
#include "llvm/ADT/STLExtras.h"
#include "ops/control.h"
#include "text/native/body.h"
#include "text/native/branch_index.h"
#include "text/native/evaluator.h"
#include "text/native/keys.h"
#include "text/native/numpy.h"
#include "text/native/placement.h"
#include "text/native/tracer.h"
#include "text/native/tree.h"

namespace spmdc::text::native {
namespace {

using ir::OpKind;
using tensor::DType;

// A result of a branch of which nothing was said goes with the first branch's, and the other way round.
bool PlaceLike(Evaluator& ev, TracedBody& body, const Value& first, Value& leaf) {
  const ir::Type a = TypeOfArray(first), b = TypeOfArray(leaf);
  bool open = first.as<ArrayObj>().unplaced || leaf.as<ArrayObj>().unplaced;
  if (!open || a.dims != b.dims || a.dtype != b.dtype || a.sharding == b.sharding) {
    return true;
  }
  auto& shardings = ev.tracer().tables().shardings;
  mesh::ShardingId wanted =
      a.sharding.valid() ? a.sharding : shardings.Intern(mesh::Replicated(shardings[b.sharding].mesh, b.rank()));
  Tracer::Scope scope(ev.tracer(), *body.trace);
  leaf = ShardedLike(ev, leaf, wanted);
  return !leaf.failed();
}

// What messages call a branch: `false_fun`, `branch 2`, and the function's name where it has one.
std::string BranchName(Evaluator& ev, llvm::StringRef function, const Value& branch, size_t i) {
  const Function* parsed = ev.FunctionOf(branch);
  std::string name = function == "cond" ? (i == 0 ? "false_fun" : "true_fun") : "branch " + std::to_string(i);
  return parsed != nullptr && parsed->name.valid() ? name + " (" + ev.ast().text(parsed->name).str() + ")" : name;
}

// Branches on the same operands, whose results must agree.
Value Branches(Evaluator& ev, llvm::StringRef function, const Value& index, llvm::ArrayRef<Value> branches,
               llvm::ArrayRef<Value> operand_trees) {
  Value tree = ev.heap().Tuple({operand_trees.begin(), operand_trees.end()});
  std::vector<Value> operands;
  if (!ArrayLeaves(ev, tree, operands)) {
    return Value::Error();
  }
  std::vector<TracedBody> bodies(branches.size());
  for (size_t k = 0; k < branches.size(); ++k) {
    // JAX traces what is run where the predicate holds first.
    size_t b = function == "cond" ? branches.size() - 1 - k : k;
    const Value& branch = branches[b];
    TracedBody& body = bodies[b];
    body = NewBodyLike(ev, BodyName(ev, branch, "branch"), operands);
    for (size_t i = 0; i < operands.size(); ++i) {
      body.args[i].as<ArrayObj>().unplaced = operands[i].as<ArrayObj>().unplaced;
    }
    if (!RunBody(ev, body, function, branch, Items(Unflatten(ev, tree, body.args)))) {
      return Value::Error();
    }
  }
  std::vector<std::vector<Value>> results;
  std::vector<TracedBody*> pointers;
  for (size_t b = 0; b < bodies.size(); ++b) {
    TracedBody& body = bodies[b];
    auto name = [&](size_t i) { return BranchName(ev, function, branches[i], i); };
    std::string why;
    if (!SameStructure(bodies[0].result, body.result, why)) {
      return ev.Fail(diag::Kind::BranchMismatch, function.str() + " branches must return the same structure, and " +
                                                     name(0) + " and " + name(b) + " return " + why);
    }
    for (size_t i = 0; i < body.leaves.size(); ++i) {
      const Value& first = bodies[0].leaves[i];
      if (!PlaceLike(ev, body, first, body.leaves[i])) {
        return Value::Error();
      }
      const Value& leaf = body.leaves[i];
      if (!(TypeOfArray(first) == TypeOfArray(leaf))) {
        return ev.Fail(diag::Kind::BranchMismatch,
                       function.str() + " branches must have equal output types, but result " + std::to_string(i) +
                           " is " + ShowType(ev, TypeOfArray(first)) + " in " + name(0) + " and " +
                           ShowType(ev, TypeOfArray(leaf)) + " in " + name(b));
      }
    }
    pointers.push_back(&body);
  }
  for (TracedBody& body : bodies) {
    results.push_back(body.leaves);
  }
  std::vector<Value> captured = FinishBodies(ev, pointers, results);
  std::vector<Value> all{index};
  all.insert(all.end(), operands.begin(), operands.end());
  all.insert(all.end(), captured.begin(), captured.end());
  llvm::SmallVector<ir::FuncId, 2> ids;
  for (TracedBody& body : bodies) {
    ids.push_back(body.trace->function);
  }
  auto out = ev.tracer().EmitAll(OpKind::Case, all, {}, ids);
  if (!out) {
    return Value::Error();
  }
  for (size_t i = 0; i < out->size(); ++i) {
    MarkLike(ev, (*out)[i], bodies[0].leaves[i]);
  }
  return Unflatten(ev, bodies[0].result, *out);
}

// `operand=x` is the old spelling of one operand; not both may be given.
bool OneWayOfOperands(Call& c, std::vector<Value>& operands, const Value& operand) {
  if (operand.given() && !operands.empty()) {
    return !c.ev.TypeError(std::string(c.builtin.name) + "() got operands by position and as operand=").failed();
  }
  if (operand.given()) {
    operands.push_back(operand);
  }
  return true;
}

// cond(pred, true_fun, false_fun, *operands)
Value Cond(Call& c) {
  Value v[5];
  if (!c.Bind("pred, true_fun, false_fun, *operands, operand=", v) || !OneWayOfOperands(c, Items(v[3]), v[4])) {
    return Value::Error();
  }
  c.args = {v[0], v[1], v[2]};
  c.args.append(Items(v[3]).begin(), Items(v[3]).end());
  if (!c.args[1].is(VK::Function) && !c.args[1].is(VK::Builtin) && !c.args[1].is(VK::Partial) &&
      !c.args[1].is(VK::Jitted) && !c.args[1].is(VK::Method)) {
    return c.ev.Fail(diag::Kind::ControlFlowForm, "cond() needs functions as branches, got " + TypeName(c.args[1]));
  }
  if (!IsArrayLike(c.args[0])) {
    return c.ev.Fail(diag::Kind::ControlFlowForm,
                     "the predicate of cond() must be a scalar, got " + TypeName(c.args[0]));
  }
  Value p = ToArray(c.ev, c.args[0]);
  if (p.failed() || TypeOfArray(p).rank() != 0) {
    return p.failed() ? p
                      : c.ev.Fail(diag::Kind::ControlFlowForm,
                                  "the predicate of cond() must be a scalar, got " + ShowType(c.ev, TypeOfArray(p)));
  }
  if (TypeOfArray(p).dtype != DType::Pred) {
    p = c.ev.Compare(Operator::Ne, p, Value::Int(0));
  }
  p = Convert(c.ev, p, DType::S32);
  Value branches[] = {c.args[2], c.args[1]};
  return p.failed() ? p : Branches(c.ev, "cond", p, branches, llvm::ArrayRef<Value>(c.args).drop_front(3));
}

// switch(index, branches, *operands)
Value Switch(Call& c) {
  std::vector<Value> branches;
  Value v[4];
  if (!c.Bind("index, branches, *operands, operand=", v) || !OneWayOfOperands(c, Items(v[2]), v[3]) ||
      !c.ev.Iterate(v[1], branches)) {
    return Value::Error();
  }
  Value index = ToArray(c.ev, v[0]);
  if (index.failed()) {
    return index;
  }
  if (branches.empty() || TypeOfArray(index).rank() != 0 || !tensor::IsInteger(TypeOfArray(index).dtype)) {
    return c.ev.Fail(diag::Kind::ControlFlowForm, branches.empty()
                                                      ? "switch() needs at least one branch"
                                                      : "the index of switch() must be an integer scalar, got " +
                                                            ShowType(c.ev, TypeOfArray(index)));
  }
  llvm::ArrayRef<Value> operands = Items(v[2]);
  if (branches.size() == 1) {
    return c.ev.CallFunction(branches[0], operands);
  }
  index = Convert(c.ev, index, DType::S32);
  ir::ValueId chosen = index.failed() ? ir::ValueId() : c.ev.tracer().Use(index);
  bool clamped = chosen.valid() && IsClampedIndex(c.ev.tracer().module(), c.ev.tracer().current().function, chosen,
                                                  static_cast<int64_t>(branches.size()));
  index = index.failed() || clamped
              ? index
              : c.ev.tracer().Emit(OpKind::Clamp, {c.ev.tracer().S32(0), index,
                                                   c.ev.tracer().S32(static_cast<int64_t>(branches.size()) - 1)});
  return index.failed() ? index : Branches(c.ev, "switch", index, branches, operands);
}

Value Barrier(Call& c) {
  Value v[1];
  std::vector<Value> leaves;
  if (!c.Bind("operand, /", v) || !ArrayLeaves(c.ev, v[0], leaves)) {
    return Value::Error();
  }
  auto out = c.ev.tracer().EmitAll(OpKind::OptimizationBarrier, leaves, {});
  if (!out) {
    return Value::Error();
  }
  for (size_t i = 0; i < out->size(); ++i) {
    (*out)[i].as<ArrayObj>().weak = leaves[i].as<ArrayObj>().weak;
  }
  return Unflatten(c.ev, v[0], *out);
}

const Builtin kControlTable[] = {
    {kLax | kBare, "cond", Cond},
    {kLax | kBare, "switch", Switch},
    {kLax | kBare, "optimization_barrier", Barrier},
};

}  // namespace

llvm::ArrayRef<Builtin> ControlBuiltins() { return kControlTable; }

}  // namespace spmdc::text::native
