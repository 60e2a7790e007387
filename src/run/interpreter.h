// A resumable interpreter of one program on one device.
//
//   Interpreter device(program, {.device = 3});
//   device.Start(module.entry, args);
//   while (device.Run() == Stop::Collective) { ... device.arrival(), device.operands() ...; device.Resume(results); }
//   device.results()
//
// It runs until its next collective and then waits, as a frame stack that can be left and entered at any time. Values are
// dropped after their last use. Everything about an op is asked of its definition.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "op/op_def.h"
#include "run/program.h"
#include "tensor/literal.h"

namespace spmdc::run {

// A value of a running program.
struct Slot {
  tensor::Literal value;
  // The same value computed in wider floats from the start (Widening::Carried); else empty.
  tensor::Literal wide;
  // How far rounding of values without a counterpart in the global program may have moved this one (0 where none took part):
  // the largest eps x |element| on the way here. Kept by the observer, passed on from operands to results.
  double noise = 0;
};

// Whether floats are also computed in the next wider type, to see what rounding does.
enum class Widening : uint8_t {
  Off,
  PerOp,    // each op by itself, on the program's own values: the error that one op makes
  Carried,  // the whole program: the error that has added up
};

// A value as it comes into being.
struct Event {
  const ir::Function& function;
  ir::FuncId func;
  ir::ValueId value;
  llvm::ArrayRef<int32_t> path;
  int64_t device;  // -1: a program without devices
  int64_t step;    // instructions this device has finished
};

// Sees every value. It may replace what the program computes with from here on.
class Observer {
 public:
  virtual ~Observer() = default;
  // `wide` is the value in wider floats, or the value itself where widening is off or no op made it. False ends the run with
  // `failure`.
  virtual bool OnValue(const Event& event, Slot& slot, const tensor::Literal& wide, Failure& failure) = 0;
};

enum class Stop : uint8_t { Finished, Collective, Failed };

// A device that waits in a collective: where, and what it brings.
struct Arrival {
  ir::FuncId func;
  ir::InstId inst;
  Path path;
  // The exchange; null where a nested manual region ends, whose results are put together from the blocks of the group.
  const op::Collective* what = nullptr;
  // Members in member order, this device among them.
  llvm::SmallVector<int64_t, 8> group;
  int64_t bytes = 0;  // of all operands
  tensor::DType dtype = tensor::DType::F32;
};

class Interpreter {
 public:
  struct Options {
    int64_t device = -1;
    Observer* observer = nullptr;
    Widening widening = Widening::Off;
    int64_t max_iterations = 1'000'000;  // of one loop
    // Where the run starts inside another one (a manual region): the path of the region.
    Path path;
  };
  Interpreter(const Program& program, Options options);
  ~Interpreter();

  void Start(ir::FuncId function, std::vector<Slot> args);
  Stop Run();
  // After Stop::Collective.
  const Arrival& arrival() const { return arrival_; }
  llvm::ArrayRef<Slot> operands() const { return pending_; }
  const ir::Inst& pending_inst() const { return program_.module().functions[arrival_.func].insts[arrival_.inst]; }
  // Fills in the wide copy of an operand that has none.
  void WidenOperand(size_t i);
  // Gives the results of the collective that it waits in.
  void Resume(std::vector<Slot> results);
  // After Stop::Finished.
  llvm::ArrayRef<Slot> results() const { return results_; }
  std::vector<Slot> TakeResults() { return std::move(results_); }
  // After Stop::Failed.
  const Failure& failure() const { return failure_; }

  const Program& program() const { return program_; }
  const Options& options() const { return options_; }
  int64_t step() const { return step_; }

  // An op's own bodies, applied to scalars: no collectives, no observer.
  llvm::SmallVector<tensor::Literal, 2> Apply(ir::FuncId body, llvm::ArrayRef<tensor::Literal> args, bool widened);

 private:
  struct Frame;
  enum class Next : uint8_t { Continue, Wait, Fail };

  bool Push(ir::FuncId function, Path path, std::vector<Slot> args);
  Next Step();
  Next Return();
  Next EnterRegion(Frame& frame, const ir::Inst& inst, op::Region region);
  Next EnterManual(Frame& frame, const ir::Inst& inst);
  Next WaitFor(const op::Collective* what, llvm::SmallVector<int64_t, 8> group, std::vector<Slot> operands);
  bool Evaluate(Frame& frame, const ir::Inst& inst);
  bool EvaluateIn(const ir::Function& function, const ir::Inst& inst, llvm::ArrayRef<const tensor::Literal*> operands,
                  bool widened, llvm::SmallVectorImpl<tensor::Literal>& results);
  // Defines the results of the frame's current instruction and steps behind it.
  bool Finish(Frame& frame, std::vector<Slot> results);
  bool Define(Frame& frame, ir::ValueId value, Slot slot);
  Next PushLoopBody(Frame& frame, const ir::Inst& inst);
  std::vector<Slot> OperandSlots(const Frame& frame, const ir::Inst& inst) const;
  Path PathOf(ir::FuncId function, Path path);
  bool Fail(diag::Kind kind, source::Span span, std::string message);

  const Program& program_;
  Options options_;
  std::vector<std::unique_ptr<Frame>> frames_;
  Arrival arrival_;
  std::vector<Slot> pending_;
  std::vector<Slot> results_;
  Failure failure_;
  bool failed_ = false;
  int64_t step_ = 0;
  int64_t meetings_ = 0;  // with other devices, so far
  // How often a function that can run several times under one path has run.
  std::map<std::pair<ir::FuncId, Path>, int32_t> entries_;
};

}  // namespace spmdc::run
