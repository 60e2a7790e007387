// Neighbours that had an axis before a value did. The record holds the op and the step, which leave one neighbour or few.
#include "explain/path.h"

#include "llvm/ADT/STLExtras.h"
#include "op/custom_rule.h"
#include "op/op_def.h"

namespace spmdc::explain {

namespace {

bool ShareFactor(const op::TensorFactors& a, size_t a_dim, const op::TensorFactors& b, size_t b_dim) {
  return a_dim < a.dims.size() &&
         llvm::any_of(a.dims[a_dim], [&](int32_t factor) { return llvm::is_contained(b.dims[b_dim], factor); });
}

// How many operands of an op come before those that its bodies take.
size_t Skipped(op::Region region) { return region == op::Region::Branch ? 1 : 0; }

// Whether values of an op are the same thing as others, inside of it or beside it.
bool IsBorder(const ir::Inst& inst) {
  const op::OpDef& def = op::Def(inst.op);
  return def.data_flow || (def.region != op::Region::None && def.region != op::Region::Apply);
}

}  // namespace

const op::TensorFactors& FactorsOf(const op::Rule& rule, size_t tensor) {
  return tensor < rule.operands.size() ? rule.operands[tensor] : rule.results[tensor - rule.operands.size()];
}

op::Rule RuleIn(const ir::Module& program, const ir::Function& f, const ir::Inst& inst) {
  return op::CustomRuleOf(program, f, inst).value_or(op::RuleOf(program, f, inst));
}

Paths::Paths(const ir::Module& program) : program_(program) {
  for (ir::FuncId f : program.functions.ids()) {
    const ir::Function& function = program.functions[f];
    for (ir::InstId i : function.insts.ids()) {
      for (ir::FuncId body : function.bodies(function.insts[i])) {
        owner_[body] = {f, i};
      }
      if (IsBorder(function.insts[i])) {
        for (ir::ValueId v : function.operands(function.insts[i])) {
          borders_[f][v].push_back(i);
        }
      }
    }
  }
}

// The axis on a dim of another value, from the same annotation and not later.
const ir::Origin* Paths::Earlier(ir::ValueRef from, const ir::Origin& origin, int32_t dim, int32_t latest) const {
  for (const ir::Origin& other : program_.origins.Get(from.func).Get(from.value)) {
    if (other.dim == dim && other.annotation == origin.annotation && other.step <= latest &&
        mesh::Overlaps(other.axis, origin.axis)) {
      return &other;
    }
  }
  return nullptr;
}

std::optional<Hop> Paths::Last(ir::ValueRef value, const ir::Origin& origin) const {
  if (origin.step == 0) {
    return std::nullopt;
  }
  std::optional<Hop> hop = origin.through.valid() ? ThroughOp(value, origin) : std::nullopt;
  return hop ? hop : AcrossBorder(value, origin);
}

std::optional<Hop> Paths::ThroughOp(ir::ValueRef value, const ir::Origin& origin) const {
  const ir::Function& f = program_.functions[value.func];
  const ir::Inst& inst = f.insts[origin.through];
  op::Rule rule = RuleIn(program_, f, inst);
  if (rule.factors.empty()) {
    return std::nullopt;
  }
  std::vector<ir::ValueId> tensors(f.operands(inst).begin(), f.operands(inst).end());
  for (size_t r = 0; r < inst.num_results; ++r) {
    tensors.push_back(f.result(inst, r));
  }
  auto own = static_cast<size_t>(llvm::find(tensors, value.value) - tensors.begin());
  if (own == tensors.size()) {
    return std::nullopt;
  }
  for (size_t t = 0; t < tensors.size(); ++t) {
    const op::TensorFactors& factors = FactorsOf(rule, t);
    for (size_t d = 0; tensors[t] != value.value && d < factors.dims.size(); ++d) {
      if (!ShareFactor(FactorsOf(rule, own), static_cast<size_t>(origin.dim), factors, d)) {
        continue;
      }
      ir::ValueRef from = {value.func, tensors[t]};
      if (const ir::Origin* there = Earlier(from, origin, static_cast<int32_t>(d), origin.step - 1)) {
        bool to_result = own >= inst.num_operands, from_result = t >= inst.num_operands;
        Hop::Way way =
            to_result == from_result ? Hop::Way::Sideways : (to_result ? Hop::Way::Forward : Hop::Way::Backward);
        return Hop{way, from, there, value.func, origin.through};
      }
    }
  }
  return std::nullopt;
}

std::optional<Hop> Paths::AcrossBorder(ir::ValueRef value, const ir::Origin& origin) const {
  std::vector<Hop> hops;
  AddAround(value, hops);
  // Names of one thing have the same step.
  for (int32_t latest : {origin.step - 1, origin.step}) {
    for (Hop& hop : hops) {
      hop.origin = Earlier(hop.from, origin, origin.dim, latest);
      if (hop.origin != nullptr) {
        return hop;
      }
    }
  }
  return std::nullopt;
}

void Paths::AddAround(ir::ValueRef value, std::vector<Hop>& hops) const {
  const ir::Function& f = program_.functions[value.func];
  AddOfBody(value, hops);
  ir::InstId def = f.values[value.value].def;
  if (def.valid() && IsBorder(f.insts[def])) {
    AddOfOp({value.func, def}, value, hops);
  }
  for (ir::InstId user : borders_.Get(value.func).Get(value.value)) {
    AddOfOp({value.func, user}, value, hops);
  }
}

// A value of the function that has the op: the bodies' arguments and results that are the same thing, and for loops and
// barriers the op's own.
void Paths::AddOfOp(Site site, ir::ValueRef value, std::vector<Hop>& hops) const {
  const ir::Function& f = program_.functions[site.func];
  const ir::Inst& inst = f.insts[site.inst];
  const op::OpDef& def = op::Def(inst.op);
  bool joined = def.data_flow || def.region == op::Region::Loop;
  auto add = [&](ir::FuncId func, ir::ValueId v) {
    hops.push_back({Hop::Way::Across, {func, v}, nullptr, site.func, site.inst});
  };
  if (f.values[value.value].def == site.inst) {
    auto r = static_cast<size_t>(f.values[value.value].index);
    for (ir::FuncId body : f.bodies(inst)) {
      const ir::Function& inner = program_.functions[body];
      if (r < inner.results.size() && (def.region != op::Region::Loop || body == f.bodies(inst)[1])) {
        add(body, inner.results[r]);
      }
    }
    if (joined && r < inst.num_operands) {
      add(site.func, f.operands(inst)[r]);
    }
    return;
  }
  for (size_t k = Skipped(def.region); k < inst.num_operands; ++k) {
    if (f.operands(inst)[k] != value.value) {
      continue;
    }
    for (ir::FuncId body : f.bodies(inst)) {
      add(body, program_.functions[body].args[k - Skipped(def.region)]);
    }
    if (joined && k < inst.num_results) {
      add(site.func, f.result(inst, k));
    }
  }
}

// A value of a body: what its argument is outside, and what it is returned as.
void Paths::AddOfBody(ir::ValueRef value, std::vector<Hop>& hops) const {
  Site site = owner_.Get(value.func);
  if (!site.func.valid()) {
    return;
  }
  const ir::Function& body = program_.functions[value.func];
  const ir::Function& f = program_.functions[site.func];
  const ir::Inst& inst = f.insts[site.inst];
  op::Region region = op::Def(inst.op).region;
  auto add = [&](ir::FuncId func, ir::ValueId v) {
    hops.push_back({Hop::Way::Across, {func, v}, nullptr, site.func, site.inst});
  };
  bool step = region == op::Region::Loop && value.func == f.bodies(inst)[1];
  if (!body.values[value.value].def.valid()) {
    auto k = static_cast<size_t>(llvm::find(body.args, value.value) - body.args.begin());
    if (k + Skipped(region) < inst.num_operands) {
      add(site.func, f.operands(inst)[k + Skipped(region)]);
    }
    if (region == op::Region::Loop) {
      const ir::Function& stepped = program_.functions[f.bodies(inst)[1]];
      if (k < stepped.results.size()) {
        add(f.bodies(inst)[1], stepped.results[k]);
      }
    }
  }
  for (size_t r = 0; r < body.results.size() && (region != op::Region::Loop || step); ++r) {
    if (body.results[r] == value.value && r < inst.num_results) {
      add(site.func, f.result(inst, r));
      if (step) {
        add(value.func, body.args[r]);
      }
    }
  }
}

std::vector<ir::ValueRef> Paths::Back(ir::ValueRef value, const ir::Origin& origin) const {
  std::vector<ir::ValueRef> path;
  auto is_new = [&](const ir::ValueRef& v) {
    return v != value && llvm::none_of(path, [&](const ir::ValueRef& known) { return known == v; });
  };
  std::optional<Hop> hop = Last(value, origin);
  while (hop && is_new(hop->from)) {
    path.push_back(hop->from);
    hop = Last(hop->from, *hop->origin);
  }
  return path;
}

}  // namespace spmdc::explain
