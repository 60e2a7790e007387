// Evaluates the instructions that a top-level array is made by.
#include "text/native/concrete.h"

#include "op/eval.h"
#include "op/op_def.h"

namespace spmdc::text::native {
namespace {

using tensor::Literal;
using Literals = llvm::SmallVector<Literal, 2>;

// Elements of all values together, and of those of loops: what takes well below a second.
constexpr int64_t kMaxElements = int64_t{1} << 22;
// An instruction takes as long as so many elements, a point of its iteration space as part of one.
constexpr int64_t kElementsPerInst = 16;
constexpr double kProductsPerElement = 8;
// Values of so many elements are kept for the next computation.
constexpr int64_t kMaxKeptElements = int64_t{1} << 16;
constexpr int64_t kBytesPerKeptElement = 8;
// What a computation takes in steps of evaluation: for so many elements one.
constexpr int64_t kConcreteElementsPerStep = 2;

class Computation {
 public:
  // `known`: values of the function that were computed before, to which those that are computed now are added.
  Computation(const ir::Module& module, ConcreteValues& known) : module_(module), known_(known) {}

  // A value of a function without arguments; none if it cannot be computed.
  std::optional<Literal> Of(const ir::Function& f, ir::ValueId wanted) {
    std::vector<Literal> values(f.values.size());
    std::vector<bool> needed = Needed(f, wanted, values);
    for (ir::InstId i : f.insts.ids()) {
      const ir::Inst& inst = f.insts[i];
      if (!needed[static_cast<size_t>(i.index)]) {
        continue;
      }
      if (!Step(f, inst, values)) {
        return std::nullopt;
      }
      for (uint32_t r = 0; r < inst.num_results; ++r) {
        Keep(f.result(inst, r), values);
      }
    }
    return values[static_cast<size_t>(wanted.index)];
  }
  int64_t elements() const { return elements_; }
  int64_t kept_elements() const { return kept_elements_; }

 private:
  void Keep(ir::ValueId id, const std::vector<Literal>& values) {
    const Literal& value = values[static_cast<size_t>(id.index)];
    if (tensor::NumElements(value.dims()) <= kMaxKeptElements) {
      known_.try_emplace(id.index, value);
      kept_elements_ += tensor::NumElements(value.dims());
    }
  }

  // The instructions that a value takes; those that were computed before are among `values` instead.
  std::vector<bool> Needed(const ir::Function& f, ir::ValueId wanted, std::vector<Literal>& values) const {
    std::vector<bool> needed(f.insts.size());
    std::vector<ir::ValueId> open{wanted};
    while (!open.empty()) {
      ir::ValueId v = open.back();
      ir::InstId def = f.values[v].def;
      open.pop_back();
      if (auto known = known_.find(v.index); known != known_.end()) {
        values[static_cast<size_t>(v.index)] = known->second;
        continue;
      }
      if (def.valid() && !needed[static_cast<size_t>(def.index)]) {
        needed[static_cast<size_t>(def.index)] = true;
        llvm::ArrayRef<ir::ValueId> operands = f.operands(f.insts[def]);
        open.insert(open.end(), operands.begin(), operands.end());
      }
    }
    return needed;
  }

  bool Step(const ir::Function& f, const ir::Inst& inst, std::vector<Literal>& values) {
    elements_ += CostOf(f, inst);
    if (elements_ > kMaxElements) {
      return false;
    }
    std::optional<Literals> results =
        inst.num_bodies > 0 && op::Def(inst.op).eval == nullptr ? InRegion(f, inst, values) : InPlace(f, inst, values);
    if (!results || results->size() != inst.num_results) {
      return false;
    }
    for (uint32_t r = 0; r < inst.num_results; ++r) {
      Literal& result = (*results)[r];
      values[static_cast<size_t>(f.result(inst, r).index)] =
          result.is_splat() ? result.Materialize() : std::move(result);
    }
    return true;
  }

  int64_t CostOf(const ir::Function& f, const ir::Inst& inst) const {
    int64_t cost = kElementsPerInst;
    for (uint32_t r = 0; r < inst.num_results; ++r) {
      cost += module_.type(f, f.result(inst, r)).num_elements();
    }
    const op::OpDef& def = op::Def(inst.op);
    if (def.elementwise || cost > kMaxElements) {
      return cost;
    }
    double points = 1;
    for (const op::Factor& factor : op::RuleOf(module_, f, inst).factors) {
      points *= static_cast<double>(factor.size);
    }
    if (def.eval_cost != nullptr) {
      points = std::max(points, kProductsPerElement * static_cast<double>(def.eval_cost(module_, f, inst)));
    }
    return cost + static_cast<int64_t>(std::min(points / kProductsPerElement, 2.0 * kMaxElements));
  }

  std::optional<Literals> InPlace(const ir::Function& f, const ir::Inst& inst, const std::vector<Literal>& values) {
    const op::OpDef& def = op::Def(inst.op);
    llvm::SmallVector<const Literal*, 4> operands;
    for (ir::ValueId v : f.operands(inst)) {
      operands.push_back(&values[static_cast<size_t>(v.index)]);
    }
    bool good = def.eval != nullptr && def.collective == nullptr;
    op::EvalContext cx(module_, f, inst, operands, 0, [&](ir::FuncId body, llvm::ArrayRef<Literal> args) {
      std::optional<Literals> results = Run(body, Literals(args.begin(), args.end()));
      good = good && results.has_value();
      return results ? std::move(*results) : Zeros(body);
    });
    return good && def.eval(cx) && good ? std::optional(std::move(cx.results)) : std::nullopt;
  }

  // What stands for the results of a body that could not be run; nobody sees them.
  Literals Zeros(ir::FuncId body) const {
    Literals results;
    const ir::Function& f = module_.functions[body];
    for (ir::ValueId v : f.results) {
      results.push_back(Literal(module_.type(f, v).dtype, module_.type(f, v).dims));
    }
    return results;
  }

  std::optional<Literals> InRegion(const ir::Function& f, const ir::Inst& inst, const std::vector<Literal>& values) {
    Literals args;
    for (ir::ValueId v : f.operands(inst)) {
      args.push_back(values[static_cast<size_t>(v.index)]);
    }
    llvm::ArrayRef<ir::FuncId> bodies = f.bodies(inst);
    switch (op::Def(inst.op).region) {
      case op::Region::Call:
        return Run(bodies[0], std::move(args));
      case op::Region::Branch: {
        int64_t index = args[0].GetInt(0), last = static_cast<int64_t>(bodies.size()) - 1;
        args.erase(args.begin());
        return Run(bodies[static_cast<size_t>(index < 0 || index > last ? last : index)], std::move(args));
      }
      case op::Region::Loop:
        return Loop(inst, bodies, std::move(args));
      default:
        return std::nullopt;
    }
  }

  std::optional<Literals> Loop(const ir::Inst& inst, llvm::ArrayRef<ir::FuncId> bodies, Literals args) {
    while (true) {
      std::optional<Literals> goes_on = Run(bodies[0], args);
      if (!goes_on) {
        return std::nullopt;
      }
      if ((*goes_on)[0].GetInt(0) == 0) {
        args.resize(inst.num_results);
        return args;
      }
      std::optional<Literals> next = Run(bodies[1], args);
      if (!next) {
        return std::nullopt;
      }
      std::move(next->begin(), next->end(), args.begin());
    }
  }

  std::optional<Literals> Run(ir::FuncId body, Literals args) {
    const ir::Function& f = module_.functions[body];
    elements_ += kElementsPerInst;
    std::vector<Literal> values(f.values.size());
    for (size_t i = 0; i < f.args.size(); ++i) {
      values[static_cast<size_t>(f.args[i].index)] = std::move(args[i]);
    }
    for (const ir::Inst& inst : f.insts) {
      if (!Step(f, inst, values)) {
        return std::nullopt;
      }
    }
    Literals results;
    for (ir::ValueId v : f.results) {
      results.push_back(values[static_cast<size_t>(v.index)]);
    }
    return results;
  }

  const ir::Module& module_;
  ConcreteValues& known_;
  int64_t elements_ = 0;
  int64_t kept_elements_ = 0;
};

}  // namespace

Value ConcreteValue(Evaluator& ev, const Value& v) {
  const auto& array = v.as<ArrayObj>();
  if (!array.trace->top_level || tensor::IsKey(array.type.dtype)) {
    return {};
  }
  if (array.deleted) {
    ev.tracer().Use(v);  // which refuses
    return Value::Error();
  }
  if (array.known.is(VK::NdArray)) {
    return array.known;
  }
  const ir::Module& module = *array.trace->module;
  const ir::Function& f = module.functions[array.trace->function];
  Computation computation(module, ev.tracer().concrete_values);
  std::optional<Literal> value = computation.Of(f, array.id);
  if (!ev.Work((computation.elements() + static_cast<int64_t>(f.values.size())) / kConcreteElementsPerStep)) {
    return Value::Error();
  }
  ev.heap().AddBytes(kBytesPerKeptElement * computation.kept_elements());
  return value && !value->is_unknown() ? ev.heap().Array(std::move(*value), false, array.type.dims.empty()) : Value();
}

}  // namespace spmdc::text::native
