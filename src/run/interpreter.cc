// The interpreter's frames: one per function that is being run, the innermost last.
#include "run/interpreter.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "run/manual_region.h"
#include "run/numbers.h"

namespace spmdc::run {

using tensor::Literal;

namespace {

// Loops are asked this rarely, since comparing what they carry takes time.
bool IsPowerOfTwo(int32_t n) { return (n & (n - 1)) == 0; }

bool SameValues(llvm::ArrayRef<Slot> a, llvm::ArrayRef<Slot> b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (!(a[i].value == b[i].value)) {
      return false;
    }
  }
  return true;
}

}  // namespace

// A while loop in progress: what its bodies are called with, and how often.
struct LoopState {
  std::vector<Slot> args;
  int32_t iteration = 0;
  bool in_condition = true;

  // What a long loop carried behind some iteration, for as long as it is compared with what comes.
  std::vector<Slot> remembered;
  int32_t remembered_at = 0;
  int64_t meetings = 0;  // of the run until then

  // After how many iterations the values that the loop carries come again: it goes on for ever, unless other devices have had
  // a word in it. 0 if that is not seen.
  int32_t Period(size_t num_carried, int64_t meetings_now) {
    constexpr int32_t kLong = 1024, kLongestPeriod = 16;
    if (!remembered.empty() && meetings == meetings_now && SameValues(remembered, args)) {
      return iteration - remembered_at;
    }
    if (iteration - remembered_at >= kLongestPeriod) {
      remembered.clear();
    }
    if (iteration >= kLong && IsPowerOfTwo(iteration)) {
      remembered.assign(args.begin(), args.begin() + static_cast<ptrdiff_t>(num_carried));
      remembered_at = iteration;
      meetings = meetings_now;
    }
    return 0;
  }
};

struct Interpreter::Frame {
  Frame(const ir::Function& f, ir::FuncId i, Path p)
      : function(f), id(i), path(std::move(p)), values(f.values.size()) {}
  const ir::Inst& inst() const { return function.insts[{next}]; }

  const ir::Function& function;
  ir::FuncId id;
  Path path;
  std::vector<Slot> values;
  int32_t next = 0;  // the instruction that is run, or whose regions are
  std::unique_ptr<LoopState> loop;
};

namespace {

bool HasInexactResults(const ir::Module& module, const ir::Function& function, const ir::Inst& inst) {
  auto results = llvm::seq<size_t>(0, inst.num_results);
  return llvm::any_of(results,
                      [&](size_t r) { return IsInexact(module.type(function, function.result(inst, r)).dtype); });
}

bool HasInexact(const ir::Module& module, const ir::Function& function, const ir::Inst& inst) {
  auto is_inexact = [&](ir::ValueId v) { return IsInexact(module.type(function, v).dtype); };
  return llvm::any_of(function.operands(inst), is_inexact) || HasInexactResults(module, function, inst);
}

// Whether wider floats may tell another result than the op's own: not where it only puts its operands' elements elsewhere.
bool Rounds(const ir::Module& module, const ir::Function& function, const ir::Inst& inst) {
  const op::OpDef& def = op::Def(inst.op);
  bool moves = def.flops == 0 && def.region == op::Region::None && inst.num_operands > 0;
  return !moves && HasInexactResults(module, function, inst);
}

// Which body a branch takes: true is the first of two, an index out of range the last.
size_t ChosenBody(const Literal& selector, size_t bodies) {
  int64_t index = selector.GetInt(0);
  if (selector.dtype() == tensor::DType::Pred) {
    return index ? 0 : bodies - 1;
  }
  return index < 0 || index >= static_cast<int64_t>(bodies) ? bodies - 1 : static_cast<size_t>(index);
}

}  // namespace

Interpreter::Interpreter(const Program& program, Options options) : program_(program), options_(std::move(options)) {}
Interpreter::~Interpreter() = default;

void Interpreter::Start(ir::FuncId function, std::vector<Slot> args) {
  if (options_.widening == Widening::Carried) {
    for (Slot& arg : args) {
      if (arg.wide.empty()) {
        arg.wide = Widen(arg.value);
      }
    }
  }
  Push(function, options_.path, std::move(args));
}

Stop Interpreter::Run() {
  Next next = failed_ ? Next::Fail : Next::Continue;
  while (next == Next::Continue && !frames_.empty()) {
    next = Step();
  }
  return next == Next::Fail ? Stop::Failed : next == Next::Wait ? Stop::Collective : Stop::Finished;
}

bool Interpreter::Fail(diag::Kind kind, source::Span span, std::string message) {
  failure_ = {kind, span, std::move(message), {}, {}};
  failed_ = true;
  return false;
}

Path Interpreter::PathOf(ir::FuncId function, Path path) {
  if (program_.is_shared(function)) {
    int32_t before = entries_[{function, path}]++;
    if (before > 0) {
      path.push_back(-before);
    }
  }
  return path;
}

bool Interpreter::Push(ir::FuncId id, Path path, std::vector<Slot> args) {
  const ir::Function& function = program_.module().functions[id];
  SPMDC_CHECK(args.size() == function.args.size(), "a function run with a wrong number of arguments");
  frames_.push_back(std::make_unique<Frame>(function, id, PathOf(id, std::move(path))));
  for (size_t i = 0; i < args.size(); ++i) {
    if (!Define(*frames_.back(), function.args[i], std::move(args[i]))) {
      return false;
    }
  }
  return true;
}

bool Interpreter::Define(Frame& frame, ir::ValueId value, Slot slot) {
  Literal wide = slot.wide.empty() ? slot.value : std::move(slot.wide);
  slot.wide = Literal();
  if (options_.observer && !slot.value.empty()) {
    Event event{frame.function, frame.id, value, frame.path, options_.device, step_};
    if (!options_.observer->OnValue(event, slot, wide, failure_)) {
      failed_ = true;
      return false;
    }
  }
  if (options_.widening == Widening::Carried) {
    slot.wide = std::move(wide);
  }
  frame.values[static_cast<size_t>(value.index)] = std::move(slot);
  return true;
}

bool Interpreter::Finish(Frame& frame, std::vector<Slot> results) {
  const ir::Inst& inst = frame.inst();
  SPMDC_CHECK(results.size() == inst.num_results, "an instruction with a wrong number of results");
  for (size_t r = 0; r < results.size(); ++r) {
    if (!Define(frame, frame.function.result(inst, r), std::move(results[r]))) {
      return false;
    }
  }
  for (ir::ValueId dead : program_.dying(frame.id, {frame.next})) {
    frame.values[static_cast<size_t>(dead.index)] = Slot();
  }
  ++frame.next;
  ++step_;
  return true;
}

std::vector<Slot> Interpreter::OperandSlots(const Frame& frame, const ir::Inst& inst) const {
  std::vector<Slot> slots;
  for (ir::ValueId v : frame.function.operands(inst)) {
    slots.push_back(frame.values[static_cast<size_t>(v.index)]);
  }
  return slots;
}

Interpreter::Next Interpreter::Step() {
  Frame& frame = *frames_.back();
  if (static_cast<size_t>(frame.next) == frame.function.insts.size()) {
    return Return();
  }
  const ir::Inst& inst = frame.inst();
  const op::OpDef& def = op::Def(inst.op);
  if (def.region == op::Region::Manual) {
    return EnterManual(frame, inst);
  }
  if (def.region != op::Region::None && def.region != op::Region::Apply) {
    return EnterRegion(frame, inst, def.region);
  }
  if (const op::Collective* what = program_.collective(frame.id, {frame.next})) {
    if (options_.device < 0) {
      Fail(diag::Kind::Collective, inst.span, "a collective outside of a manual region");
      return Next::Fail;
    }
    return WaitFor(what, program_.GroupOf(frame.id, {frame.next}, options_.device), OperandSlots(frame, inst));
  }
  return Evaluate(frame, inst) ? Next::Continue : Next::Fail;
}

Interpreter::Next Interpreter::EnterRegion(Frame& frame, const ir::Inst& inst, op::Region region) {
  llvm::ArrayRef<ir::FuncId> bodies = frame.function.bodies(inst);
  std::vector<Slot> args = OperandSlots(frame, inst);
  if (region == op::Region::Loop) {
    frame.loop = std::make_unique<LoopState>();
    frame.loop->args = std::move(args);
    return PushLoopBody(frame, inst);
  }
  size_t chosen = 0;
  if (region == op::Region::Branch) {
    chosen = ChosenBody(args[0].value, bodies.size());
    args.erase(args.begin());
  }
  return Push(bodies[chosen], frame.path, std::move(args)) ? Next::Continue : Next::Fail;
}

Interpreter::Next Interpreter::PushLoopBody(Frame& frame, const ir::Inst& inst) {
  Path path = frame.path;
  path.push_back(frame.loop->iteration);
  ir::FuncId body = frame.function.bodies(inst)[frame.loop->in_condition ? 0 : 1];
  return Push(body, std::move(path), frame.loop->args) ? Next::Continue : Next::Fail;
}

// The innermost function is done: its results go to the instruction it is a body of.
Interpreter::Next Interpreter::Return() {
  std::unique_ptr<Frame> done = std::move(frames_.back());
  frames_.pop_back();
  std::vector<Slot> results;
  for (ir::ValueId v : done->function.results) {
    results.push_back(done->values[static_cast<size_t>(v.index)]);
  }
  done.reset();
  if (frames_.empty()) {
    results_ = std::move(results);
    return Next::Continue;
  }
  Frame& frame = *frames_.back();
  const ir::Inst& inst = frame.inst();
  if (op::Def(inst.op).region == op::Region::Manual) {
    return WaitFor(nullptr, ManualGroup(program_.module(), inst, options_.device), std::move(results));
  }
  if (!frame.loop) {
    return Finish(frame, std::move(results)) ? Next::Continue : Next::Fail;
  }
  LoopState& loop = *frame.loop;
  if (!loop.in_condition) {
    ++loop.iteration;
    std::move(results.begin(), results.end(), loop.args.begin());
    loop.in_condition = true;
    if (int32_t period = loop.Period(inst.num_results, meetings_); period > 0) {
      std::string why = period == 1 ? "its step changes nothing any more"
                                    : "its values come again after every " + std::to_string(period) + " iterations";
      Fail(diag::Kind::EndlessLoop, inst.span, "the loop does not end: " + why);
      return Next::Fail;
    }
    if (loop.iteration >= options_.max_iterations) {
      Fail(diag::Kind::EndlessLoop, inst.span,
           "the loop has not ended after " + std::to_string(loop.iteration) + " iterations");
      return Next::Fail;
    }
    return PushLoopBody(frame, inst);
  }
  if (results[0].value.GetInt(0) != 0) {
    loop.in_condition = false;
    return PushLoopBody(frame, inst);
  }
  std::vector<Slot> carried = std::move(loop.args);
  carried.resize(inst.num_results);
  frame.loop.reset();
  return Finish(frame, std::move(carried)) ? Next::Continue : Next::Fail;
}

Interpreter::Next Interpreter::EnterManual(Frame& frame, const ir::Inst& inst) {
  std::vector<Slot> args = OperandSlots(frame, inst);
  ir::FuncId body = frame.function.bodies(inst)[0];
  if (options_.device >= 0) {
    args = ManualBlocks(program_.module(), inst, options_.device, args);
    return Push(body, frame.path, std::move(args)) ? Next::Continue : Next::Fail;
  }
  std::optional<std::vector<Slot>> results = RunManualRegion(*this, frame.function, inst, frame.path, args, failure_);
  if (!results) {
    failed_ = true;
    return Next::Fail;
  }
  return Finish(frame, std::move(*results)) ? Next::Continue : Next::Fail;
}

Interpreter::Next Interpreter::WaitFor(const op::Collective* what, llvm::SmallVector<int64_t, 8> group,
                                       std::vector<Slot> operands) {
  Frame& frame = *frames_.back();
  ++meetings_;
  arrival_ = {frame.id, {frame.next}, frame.path, what, std::move(group), 0, tensor::DType::F32};
  for (const Slot& operand : operands) {
    arrival_.bytes += static_cast<int64_t>(operand.value.raw().size());
    arrival_.dtype = operand.value.dtype();
  }
  pending_ = std::move(operands);
  if (arrival_.group.empty()) {
    Fail(diag::Kind::GroupMismatch, frame.inst().span,
         "device " + std::to_string(options_.device) + " takes part, but is in none of the groups");
    return Next::Fail;
  }
  return Next::Wait;
}

void Interpreter::WidenOperand(size_t i) {
  if (pending_[i].wide.empty()) {
    pending_[i].wide = Widen(pending_[i].value);
  }
}

void Interpreter::Resume(std::vector<Slot> results) {
  pending_.clear();
  Finish(*frames_.back(), std::move(results));
}

bool Interpreter::EvaluateIn(const ir::Function& function, const ir::Inst& inst,
                             llvm::ArrayRef<const Literal*> operands, bool widened,
                             llvm::SmallVectorImpl<Literal>& results) {
  const op::OpDef& def = op::Def(inst.op);
  auto unsupported = [&](const std::string& why) {
    // A constant has nothing but its elements: without them it cannot be run.
    if (def.constant_like && inst.num_operands == 0) {
      return Fail(diag::Kind::UnknownConstant, inst.span,
                  "the text leaves out the elements of '" + function.values[function.result(inst)].name +
                      "', so that the program cannot be run");
    }
    return Fail(diag::Kind::UnsupportedOp, inst.span,
                "`" + op::NameOf(program_.module(), inst).str() + "` cannot be run" + (why.empty() ? "" : ": " + why));
  };
  if (!def.eval) {
    return unsupported("");
  }
  op::EvalContext cx(
      program_.module(), function, inst, operands, std::max<int64_t>(options_.device, 0),
      [this, widened](ir::FuncId body, llvm::ArrayRef<Literal> args) { return Apply(body, args, widened); });
  cx.widened = widened;
  if (!def.eval(cx)) {
    return failed_ ? false : unsupported(cx.why);
  }
  if (failed_) {
    return false;
  }
  SPMDC_CHECK(cx.results.size() == inst.num_results, "eval with a wrong number of results");
  for (Literal& result : cx.results) {
    results.push_back(result.is_splat() ? result.Materialize() : std::move(result));
  }
  return true;
}

bool Interpreter::Evaluate(Frame& frame, const ir::Inst& inst) {
  llvm::SmallVector<const Literal*, 4> operands;
  double noise = 0;
  for (ir::ValueId v : frame.function.operands(inst)) {
    const Slot& slot = frame.values[static_cast<size_t>(v.index)];
    operands.push_back(&slot.value);
    noise = std::max(noise, slot.noise);
  }
  llvm::SmallVector<Literal, 2> plain;
  if (!EvaluateIn(frame.function, inst, operands, /*widened=*/false, plain)) {
    return false;
  }
  llvm::SmallVector<Literal, 2> wide;
  if (options_.widening == Widening::Carried
          ? HasInexact(program_.module(), frame.function, inst)
          : options_.widening == Widening::PerOp && Rounds(program_.module(), frame.function, inst)) {
    std::vector<Literal> converted;
    converted.reserve(operands.size());
    for (size_t i = 0; i < operands.size(); ++i) {
      const Slot& slot = frame.values[static_cast<size_t>(frame.function.operands(inst)[i].index)];
      converted.push_back(slot.wide.empty() ? Widen(slot.value) : slot.wide);
      operands[i] = &converted.back();
    }
    if (!EvaluateIn(frame.function, inst, operands, /*widened=*/true, wide)) {
      return false;
    }
  }
  std::vector<Slot> results;
  for (size_t r = 0; r < plain.size(); ++r) {
    results.push_back({std::move(plain[r]), wide.empty() ? Literal() : std::move(wide[r]), noise});
  }
  return Finish(frame, std::move(results));
}

llvm::SmallVector<Literal, 2> Interpreter::Apply(ir::FuncId body, llvm::ArrayRef<Literal> args, bool widened) {
  const ir::Function& function = program_.module().functions[body];
  std::vector<Literal> values(function.values.size());
  for (size_t i = 0; i < args.size(); ++i) {
    values[static_cast<size_t>(function.args[i].index)] = args[i];
  }
  for (const ir::Inst& inst : function.insts) {
    llvm::SmallVector<Literal, 2> results;
    if (op::Def(inst.op).region == op::Region::Call) {
      std::vector<Literal> inner;
      for (ir::ValueId v : function.operands(inst)) {
        inner.push_back(values[static_cast<size_t>(v.index)]);
      }
      results = Apply(function.bodies(inst)[0], inner, widened);
    } else {
      llvm::SmallVector<const Literal*, 4> operands;
      for (ir::ValueId v : function.operands(inst)) {
        operands.push_back(&values[static_cast<size_t>(v.index)]);
      }
      if (failed_ || !EvaluateIn(function, inst, operands, widened, results)) {
        break;
      }
    }
    for (size_t r = 0; r < results.size(); ++r) {
      values[static_cast<size_t>(function.result(inst, r).index)] = std::move(results[r]);
    }
  }
  llvm::SmallVector<Literal, 2> results;
  for (ir::ValueId v : function.results) {
    // After a failure there are no values; what is handed out then is never seen.
    const ir::Type& type = program_.module().type(function, v);
    results.push_back(failed_ ? Literal(widened ? tensor::Wider(type.dtype) : type.dtype, type.dims)
                              : values[static_cast<size_t>(v.index)]);
  }
  return results;
}

}  // namespace spmdc::run
