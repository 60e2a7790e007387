// Bodies of loops, branches and manual regions: functions of the language traced into functions of their own.
#pragma once

#include "text/native/tracer.h"

namespace spmdc::text::native {

struct TracedBody {
  Trace* trace = nullptr;
  std::vector<Value> args;    // the arguments' leaves, in order
  Value result;               // a tree of arrays of the body
  std::vector<Value> leaves;  // its leaves
};

// What the program calls a body: the def, or the one def that a lambda calls, or the fallback.
std::string BodyName(Evaluator& ev, const Value& function, llvm::StringRef fallback);
// A tree's leaves as arrays of the current trace, which replace them in it. False after a diagnostic.
bool ArrayLeaves(Evaluator& ev, Value& tree, std::vector<Value>& leaves);
// Starts a body whose arguments are of the types of the given arrays.
TracedBody NewBodyLike(Evaluator& ev, llvm::StringRef name, llvm::ArrayRef<Value> like);
// One more argument of a body.
Value AddBodyArg(Evaluator& ev, TracedBody& body, const ir::Type& type, bool weak);
// Runs `f` on arguments within the body; its result's leaves become arrays of the body. False after a diagnostic. `user`: what
// JAX keeps the trace of f for (traced_calls.h); empty where it keeps none.
bool RunBody(Evaluator& ev, TracedBody& body, llvm::StringRef user, const Value& f, llvm::ArrayRef<Value> args);
// Gives all bodies the same captured arguments, behind the explicit ones, and the results of `results`. Returns the captured
// arrays of the current trace, to be the last operands of the instruction.
std::vector<Value> FinishBodies(Evaluator& ev, llvm::MutableArrayRef<TracedBody*> bodies,
                                llvm::ArrayRef<std::vector<Value>> results);

}  // namespace spmdc::text::native
