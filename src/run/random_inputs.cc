// Seeded random arguments: a generator of our own, and ranges that the program can use.
#include <algorithm>
#include <cmath>
#include <limits>

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "run/follow.h"
#include "run/inputs.h"

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

// The smallest dim that an integer argument indexes.
int64_t IndexBound(const ir::Module& module, ir::ValueId arg, int64_t otherwise) {
  auto keeps_integers = [&](const ir::Function& function, const ir::Inst& inst) {
    return inst.num_results > 0 && tensor::IsInteger(module.type(function, function.result(inst)).dtype);
  };
  ValueSet reached = Follow(module, {module.entry, arg}, keeps_integers);
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

}  // namespace

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

namespace {

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
      if (type.rank() == 0) {
        // Scales and rates: a zero would make NaN of what is divided by it.
        literal.SetReal(0, static_cast<double>(1 + random.Below(8)) * step);
        break;
      }
      if (type.dtype == tensor::DType::F32) {
        for (float& number : literal.mutable_data<float>()) {
          number = static_cast<float>(static_cast<double>(random.Below(17) - 8) * step);
        }
        break;
      }
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

}  // namespace spmdc::run
