// Functions that JAX traces once for arguments of a kind: jitted ones, bodies of loops, branches. What the first trace did is
// done again for other arguments: what it saw outside of the function, printed, or appended to a list, stays as it was.
#pragma once

#include "text/native/jit.h"

namespace spmdc::text::native {

// An argument of a call: a tree of arrays, or a static value.
struct TracedArg {
  std::string keyword;  // empty: by position
  bool is_static = false;
  Value value;
};

struct TracedRequest {
  std::string user;  // what traces the function, `jit` or `scan`: each remembers its own traces
  Value function;
  std::vector<TracedArg> args;
  std::vector<int32_t> meshes;  // that the arguments are on, where their types do not say it
};

// What tracing a call did.
struct TracedCall {
  std::string user;
  std::vector<TracedArg> args;
  std::vector<int32_t> meshes;
  int32_t context = -1, manual_mesh = -1;
  bool checks_varying = true;

  const Trace* trace = nullptr;
  std::vector<ir::ValueId> ids;  // of the arrays among the arguments, in order
  int32_t first = 0, last = 0;   // the instructions it made
  // Of them, copies of arrays of the top level, which later calls use as they are.
  std::vector<std::pair<int32_t, int32_t>> shared;
  llvm::DenseMap<int32_t, Value> outside;                  // by value: the arrays that it uses and did not make
  std::vector<std::pair<ir::ValueId, std::string>> names;  // that values got
  std::vector<DeviceUse> device_uses;
  Value result;
};

// The recordings that are being made, innermost last, and what was recorded of each function.
class TracedCalls {
 public:
  void NoteName(const Trace& trace, ir::ValueId id, llvm::StringRef name);
  void NoteShared(const Trace& trace, int32_t first, int32_t last);

  // The result of a call in the current trace. The arrays among the arguments are arguments of that trace, each its own.
  Value CallHere(Evaluator& ev, const TracedRequest& request);
  // The same for any arrays. The result is a tree of arrays.
  Value CallInline(Evaluator& ev, const TracedRequest& request);

 private:
  TracedCall* Find(Evaluator& ev, const TracedRequest& request);
  Value Record(Evaluator& ev, const TracedRequest& request, bool arrays);

  std::vector<TracedCall> open_;
  llvm::DenseMap<const Object*, std::vector<std::unique_ptr<TracedCall>>> calls_;
};

}  // namespace spmdc::text::native
