// Calls of jitted functions within a trace: a call like one before is not traced again, but what tracing it did is done again
// for the new arguments. JAX traces such a function once: what it prints, or appends to a list, it does once.
#pragma once

#include "text/native/jit.h"

namespace spmdc::text::native {

// What tracing a call did.
struct TracedCall {
  const Trace* trace = nullptr;
  MeshObj* context = nullptr;
  Value args;                    // a tuple: the positional ones, and a dict of the others
  std::vector<ir::ValueId> ids;  // of the arrays among them, in order
  int32_t first = 0, last = 0;   // the instructions it made
  // Of them, copies of arrays of the top level, which later calls use as they are.
  std::vector<std::pair<int32_t, int32_t>> shared;
  // The variables outside that were looked up: another value of one makes it another call.
  struct Read {
    Env* env;
    NameId name;
    Value value;
  };
  std::vector<Read> reads;
  std::vector<std::pair<ir::ValueId, std::string>> names;  // that values got
  Value result;
};

// The recordings that are being made, innermost last, and what was recorded of each function.
class TracedCalls {
 public:
  bool recording() const { return !open_.empty(); }
  void NoteRead(Env* env, NameId name, const Value& value);
  void NoteName(const Trace& trace, ir::ValueId id, llvm::StringRef name);
  void NoteShared(const Trace& trace, int32_t first, int32_t last);

  // The result of a call: of a new trace, or as it was traced before.
  Value Call(Evaluator& ev, const Value& function, llvm::ArrayRef<Value> args,
             llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs);

 private:
  struct Open {
    TracedCall call;
    int64_t envs = 0;  // scopes made before
  };
  // A function's call; wrappers are no functions.
  Value CallOnce(Evaluator& ev, const Value& function, llvm::ArrayRef<Value> args,
                 llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs);

  std::vector<Open> open_;
  llvm::DenseMap<const Object*, std::vector<TracedCall>> calls_;
};

}  // namespace spmdc::text::native
