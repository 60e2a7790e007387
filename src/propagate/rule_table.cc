// Rules by what they say, and by the instructions that have them.
#include "propagate/rule_table.h"

#include "op/custom_rule.h"
#include "op/form.h"
#include "op/op_def.h"

namespace spmdc::propagate {

int32_t RuleTable::Add(std::unique_ptr<op::Rule> rule) {
  if (rule->factors.empty()) {
    return kNone;
  }
  auto [number, inserted] = graph_.known_rules.Add(std::move(rule));
  if (inserted) {
    PropagationRule& entry = graph_.rules.emplace_back();
    entry.rule = &graph_.known_rules[number];
    for (size_t f = 0; f < entry.rule->factors.size(); ++f) {
      entry.pass_through.push_back(IsPassThrough(*entry.rule, f));
      entry.blocked.push_back(entry.rule->factors[f].blocked);
    }
  }
  return number;
}

int32_t RuleTable::AddInst(const ir::Module& module, const ir::Function& function, const ir::Inst& inst) {
  auto add = [&] {
    std::optional<op::Rule> custom = op::CustomRuleOf(module, function, inst);
    // Made in its place: make_unique would move it there.
    return Add(custom ? std::make_unique<op::Rule>(std::move(*custom))
                      : std::unique_ptr<op::Rule>(new op::Rule(op::RuleOf(module, function, inst))));
  };
  form_.assign({inst.side.index});
  op::AppendForm(function, inst, form_);
  auto [number, inserted] = insts_.Insert(form_);
  if (inserted) {
    rule_of_inst_.push_back(add());
  }
  return rule_of_inst_[static_cast<size_t>(number)];
}

int32_t RuleTable::AddIdentity(llvm::ArrayRef<int64_t> dims, size_t num_operands) {
  auto rule = std::make_unique<op::Rule>();
  op::TensorFactors tensor;
  for (size_t d = 0; d < dims.size(); ++d) {
    rule->factors.push_back({dims[d], op::FactorKind::Map, false});
    tensor.dims.push_back({static_cast<int32_t>(d)});
  }
  rule->operands.assign(num_operands, tensor);
  rule->results.assign(1, tensor);
  return Add(std::move(rule));
}

}  // namespace spmdc::propagate
