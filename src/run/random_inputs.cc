// Seeded random arguments: a generator of our own, ranges that the program can use, and no NaN where it can be helped.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "run/inputs.h"
#include "run/interpreter.h"

namespace spmdc::run {

using tensor::DClass;
using tensor::Literal;

namespace {

// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    state_ += 0x9E3779B97F4A7C15;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  int64_t Below(int64_t n) { return static_cast<int64_t>(Next() % static_cast<uint64_t>(n)); }

 private:
  uint64_t state_;
};

using Values = std::set<std::pair<int32_t, int32_t>>;  // function, value

// Follows values through the program: which are made of a start value. `through` says whether an instruction's results are
// made of an operand of it; regions pass values on to their bodies and back.
class Follower {
 public:
  explicit Follower(const ir::Module& module) : module_(module) {}

  Values From(ir::ValueRef start, llvm::function_ref<bool(const ir::Function&, const ir::Inst&)> through) {
    Values reached = {{start.func.index, start.value.index}};
    for (size_t before = 0; before != reached.size();) {
      before = reached.size();
      for (ir::FuncId f : module_.functions.ids()) {
        for (const ir::Inst& inst : module_.functions[f].insts) {
          Pass(f, inst, through, reached);
        }
      }
    }
    return reached;
  }

 private:
  void Pass(ir::FuncId f, const ir::Inst& inst, llvm::function_ref<bool(const ir::Function&, const ir::Inst&)> through,
            Values& reached) {
    const ir::Function& function = module_.functions[f];
    op::Region region = op::Def(inst.op).region;
    llvm::ArrayRef<ir::ValueId> operands = function.operands(inst);
    if (region == op::Region::None || region == op::Region::Apply) {
      bool any = llvm::any_of(operands, [&](ir::ValueId v) { return reached.count({f.index, v.index}) != 0; });
      for (uint32_t r = 0; any && r < inst.num_results && through(function, inst); ++r) {
        reached.insert({f.index, function.result(inst, r).index});
      }
      return;
    }
    size_t skip = region == op::Region::Branch ? 1 : 0;
    for (size_t b = 0; b < inst.num_bodies; ++b) {
      ir::FuncId id = function.bodies(inst)[b];
      const ir::Function& body = module_.functions[id];
      for (size_t i = 0; i < body.args.size() && i + skip < operands.size(); ++i) {
        if (reached.count({f.index, operands[i + skip].index})) {
          reached.insert({id.index, body.args[i].index});
        }
      }
      bool condition = region == op::Region::Loop && b == 0;
      for (size_t r = 0; !condition && r < body.results.size(); ++r) {
        if (!reached.count({id.index, body.results[r].index})) {
          continue;
        }
        reached.insert({f.index, function.result(inst, r).index});
        if (region == op::Region::Loop) {
          reached.insert({id.index, body.args[r].index});
        }
      }
    }
  }

  const ir::Module& module_;
};

// The smallest dim that an integer argument indexes.
int64_t IndexBound(const ir::Module& module, ir::ValueId arg, int64_t otherwise) {
  auto keeps_integers = [&](const ir::Function& function, const ir::Inst& inst) {
    return inst.num_results > 0 && tensor::IsInteger(module.type(function, function.result(inst)).dtype);
  };
  Values reached = Follower(module).From({module.entry, arg}, keeps_integers);
  int64_t bound = std::numeric_limits<int64_t>::max();
  for (ir::FuncId f : module.functions.ids()) {
    const ir::Function& function = module.functions[f];
    for (const ir::Inst& inst : function.insts) {
      llvm::ArrayRef<ir::ValueId> operands = function.operands(inst);
      if (!op::HasRule(inst.op) || llvm::none_of(operands, [&](ir::ValueId v) {
            return reached.count({f.index, v.index}) != 0;
          })) {
        continue;
      }
      op::Rule rule = op::RuleOf(module, function, inst);
      for (size_t factor = 0; factor < rule.factors.size(); ++factor) {
        for (size_t i = 0; i < operands.size() && i < rule.operands.size(); ++i) {
          bool indexes = rule.factors[factor].kind == op::FactorKind::Index &&
                         !rule.operands[i].has(static_cast<int32_t>(factor)) &&
                         reached.count({f.index, operands[i].index});
          bound = indexes ? std::min(bound, rule.factors[factor].size) : bound;
        }
      }
    }
  }
  return bound == std::numeric_limits<int64_t>::max() ? otherwise : std::max<int64_t>(bound, 1);
}

// Steps of a float argument: values are -8..8 of them. With n = the second last dim, about 1/sqrt(n) across.
double StepOf(const ir::Type& type) {
  constexpr int kLeast = 3;  // steps of 1/8: values in [-1, 1]
  constexpr int kMost = 7;
  if (type.rank() < 2) {
    return std::ldexp(1.0, -kLeast);
  }
  double fan_in = static_cast<double>(std::max<int64_t>(type.dims[type.rank() - 2], 1));
  int shift = kLeast + static_cast<int>(std::lround(std::log2(fan_in) / 2));
  return std::ldexp(1.0, -std::min(shift, kMost));
}

Literal RandomArgument(const ir::Module& module, ir::ValueId arg, Random random) {
  constexpr int64_t kUsualBound = 8;
  const ir::Type& type = module.type(module.functions[module.entry], arg);
  if (!type.is_array()) {
    return Literal();
  }
  Literal literal(type.dtype, type.dims);
  int64_t n = literal.size();
  switch (tensor::Class(type.dtype)) {
    case DClass::Pred:
      for (int64_t i = 0; i < n; ++i) {
        literal.SetInt(i, random.Below(2));
      }
      break;
    case DClass::Signed:
    case DClass::Unsigned: {
      int bits = tensor::BitWidth(type.dtype) - (tensor::Class(type.dtype) == DClass::Signed ? 1 : 0);
      int64_t bound = IndexBound(module, arg, kUsualBound);
      bound = bits < 32 ? std::min(bound, int64_t{1} << bits) : bound;
      int64_t least = type.rank() == 0 && bound > 1 ? 1 : 0;
      for (int64_t i = 0; i < n; ++i) {
        literal.SetInt(i, least + random.Below(bound - least));
      }
      break;
    }
    case DClass::Float:
    case DClass::Complex: {
      double step = StepOf(type);
      for (int64_t i = 0; i < n; ++i) {
        double real = static_cast<double>(random.Below(17) - 8) * step;
        double imag = tensor::IsComplex(type.dtype) ? static_cast<double>(random.Below(17) - 8) * step : 0;
        literal.SetComplex(i, {real, imag});
      }
      break;
    }
    case DClass::Other:
      break;
  }
  return literal;
}

bool HasNaN(const Literal& literal) {
  if (!tensor::IsFloat(literal.dtype())) {
    return false;
  }
  for (int64_t i = 0, n = literal.size(); i < n; ++i) {
    if (std::isnan(literal.GetReal(i))) {
      return true;
    }
  }
  return false;
}

// Finds the first elementwise op that makes NaN of operands without any.
class NaNFinder final : public Observer {
 public:
  bool OnValue(const Event& event, Slot& slot, const Literal&, Failure&) override {
    if (!tensor::IsFloat(slot.value.dtype()) || !HasNaN(slot.value)) {
      return true;
    }
    nans_.insert({event.func.index, event.value.index});
    const ir::Value& value = event.function.values[event.value];
    if (!value.def.valid()) {
      return true;
    }
    const ir::Inst& inst = event.function.insts[value.def];
    bool fresh = llvm::none_of(event.function.operands(inst), [&](ir::ValueId v) {
      return nans_.count({event.func.index, v.index}) != 0;
    });
    if (fresh && op::Def(inst.op).elementwise) {
      found.insert({event.func.index, event.value.index});
    }
    return true;
  }

  Values found;

 private:
  Values nans_;
};

}  // namespace

Inputs RandomInputs(const ir::Module& global, uint64_t seed) {
  const ir::Function& entry = global.functions[global.entry];
  Inputs inputs;
  Random seeds(seed);
  for (ir::ValueId arg : entry.args) {
    inputs.push_back(RandomArgument(global, arg, Random(seeds.Next())));
  }
  return inputs;
}

void AvoidNaN(const ir::Module& global, Inputs& inputs, const RunOptions& options) {
  Program program(global);
  NaNFinder finder;
  Interpreter::Options o;
  o.observer = &finder;
  o.max_iterations = options.max_iterations;
  Interpreter interpreter(program, o);
  std::vector<Slot> args;
  for (const Literal& input : inputs) {
    args.push_back({input, {}, 0});
  }
  interpreter.Start(global.entry, std::move(args));
  if (interpreter.Run() != Stop::Finished || finder.found.empty()) {
    return;
  }
  auto elementwise = [](const ir::Function&, const ir::Inst& inst) { return op::Def(inst.op).elementwise; };
  const ir::Function& entry = global.functions[global.entry];
  for (size_t i = 0; i < entry.args.size(); ++i) {
    if (!tensor::IsFloat(inputs[i].dtype())) {
      continue;
    }
    Values reached = Follower(global).From({global.entry, entry.args[i]}, elementwise);
    if (llvm::none_of(finder.found, [&](const auto& value) { return reached.count(value) != 0; })) {
      continue;
    }
    double step = StepOf(global.type(entry, entry.args[i]));
    for (int64_t k = 0, n = inputs[i].size(); k < n; ++k) {
      inputs[i].SetReal(k, std::abs(inputs[i].GetReal(k)) + step);
    }
  }
}

}  // namespace spmdc::run
