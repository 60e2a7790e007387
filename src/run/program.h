// What the interpreter needs to know about a program beyond its text: when values die, and who meets in its collectives.
// Made once, then only read: all devices of a run share it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diag/engine.h"
#include "ir/module.h"
#include "op/collective.h"
#include "support/store.h"

namespace spmdc::run {

// Which execution of a function: the iteration numbers of the loops around it, outermost first. Calls, branches and manual
// regions add nothing, so that a per-device program in which they are inlined has the same paths as the global one.
// Where a function is reached from several places, its n-th execution (from 0) under one path appends -n for n > 0.
using Path = llvm::SmallVector<int32_t, 4>;
// "", " in iteration 3", " in iteration 3 of iteration 1".
std::string Describe(llvm::ArrayRef<int32_t> path);

// Why a run ended before its end. Devices may run in threads, so they keep it until the scheduler tells the user.
struct Failure {
  diag::Kind kind = diag::Kind::UnsupportedOp;
  source::Span span;
  std::string message;
  std::vector<diag::Note> notes;
  std::vector<std::string> help;
};
void Report(const Failure& failure, diag::Engine& diags);

class Program {
 public:
  explicit Program(const ir::Module& module);

  const ir::Module& module() const { return module_; }
  // The values of `f` that nobody needs after an instruction.
  llvm::ArrayRef<ir::ValueId> dying(ir::FuncId f, ir::InstId inst) const;
  // Null for instructions that are no collectives.
  const op::Collective* collective(ir::FuncId f, ir::InstId inst) const;
  // The devices that take part together with `device`, in member order; empty if it is in no group.
  llvm::SmallVector<int64_t, 8> GroupOf(ir::FuncId f, ir::InstId inst, int64_t device) const;
  // Whether a function can run more than once under one path of loop iterations.
  bool is_shared(ir::FuncId f) const { return functions_[static_cast<size_t>(f.index)].shared; }

 private:
  struct Meeting {
    op::Collective what;
    // Permute: devices that are linked by pairs have one number; devices without pairs are alone.
    std::vector<llvm::SmallVector<int64_t, 8>> components;
    IdMap<Id<struct DeviceTag>, int32_t> component_of;  // device -> index + 1
  };
  struct FunctionFacts {
    std::vector<ir::ValueId> pool;
    std::vector<uint32_t> first;         // per instruction into pool, and one more
    IdMap<ir::InstId, int32_t> meeting;  // index + 1 into meetings_
    bool shared = false;
  };
  void FindDying(const ir::Function& function, FunctionFacts& facts);
  void FindMeetings(const ir::Function& function, FunctionFacts& facts);
  void FindShared();

  const ir::Module& module_;
  std::vector<FunctionFacts> functions_;
  std::vector<Meeting> meetings_;
};

}  // namespace spmdc::run
