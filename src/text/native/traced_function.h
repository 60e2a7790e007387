// Tracing a function with given arguments: the entry of a file, and calls of jitted functions at the top level.
#pragma once

#include "text/native/entry_specs.h"
#include "text/native/jit.h"

namespace spmdc::text::native {

// What a function is traced with: arrays, and what stands for them (ShapeDtypeStructs), in trees.
struct Arguments {
  std::vector<Value> args;
  std::vector<std::pair<std::string, Value>> kwargs;
  std::vector<source::Span> spans;  // per positional argument; may be shorter
};

// What JAX refuses of a call only once the function has been traced.
struct LateRefusal {
  std::string message;  // empty: nothing
  source::Span span;

  bool Tell(Evaluator& ev) const {
    return !message.empty() && ev.FailAt(span, diag::Kind::JitCommittedMismatch, message,
                                         "move the argument with device_put first, or change in_shardings")
                                   .failed();
  }
};

// What a positional argument is called; `arg2` where the function does not say.
std::string ParamName(Evaluator& ev, const Function* function, size_t position);
// Whether a static argument can be known again; a diagnostic where not.
bool CheckStatic(Evaluator& ev, const Value& value, const std::string& name);
// An argument that is traced, as a tree of arrays.
Value CheckTraced(Evaluator& ev, const Value& tree, const std::string& name);
// Keyword arguments are those of a dict, whatever their order.
std::vector<std::pair<std::string, Value>> InOrderOfKeywords(std::vector<std::pair<std::string, Value>> kwargs);
// What specs say of an argument's leaf; null for nothing.
const specs::Entry* SpecOfArg(Evaluator& ev, size_t index, llvm::StringRef path);
// The mesh that an argument's leaf is placed on; null for none.
MeshObj* MeshOfArgument(Evaluator& ev, const Value& leaf);

// Runs a function on arguments of a new trace. The result is a tree of arrays of that trace.
Value RunTraced(Evaluator& ev, Trace& trace, const Value& function, const JittedObj* jitted, const Arguments& given,
                LateRefusal& late);
// Makes the leaves of a result the results of the function, placed as out_shardings say.
Value FinishResults(Evaluator& ev, Trace& trace, const Value& result, const Value& out_shardings);
// Gives the results of a jitted function the memory of its donated arguments.
void AliasDonated(Evaluator& ev, Trace& trace, const JittedObj& jitted, const Arguments& given);

// A call or a lowering of a jitted function by the file itself: traced for its result types, and remembered as the entry.
// One that `runs` takes the memory of donated arguments.
Value CallAtTopLevel(Evaluator& ev, JittedObj& jitted, llvm::ArrayRef<Value> args,
                     llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs, bool runs);

}  // namespace spmdc::text::native
