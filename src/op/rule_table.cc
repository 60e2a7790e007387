// Rules by what they say, and by the forms of the instructions that have them.
#include "op/rule_table.h"

#include "op/form.h"
#include "op/op_def.h"

namespace spmdc::op {

std::pair<int32_t, bool> RuleTable::Add(std::unique_ptr<Rule> rule) {
  key_.clear();
  AppendKey(*rule, key_);
  auto [number, is_new] = rule_keys_.Insert(key_);
  if (is_new) {
    rules_.push_back(std::move(rule));
  }
  return {number, is_new};
}

int32_t RuleTable::AddInst(const ir::Module& module, const ir::Function& function, const ir::Inst& inst) {
  key_.clear();
  AppendForm(function, inst, key_);
  auto [form, is_new] = forms_.Insert(key_);
  if (is_new) {
    // Made in its place: make_unique would move it there.
    rule_of_form_.push_back(Add(std::unique_ptr<Rule>(new Rule(RuleOf(module, function, inst)))).first);
  }
  return rule_of_form_[static_cast<size_t>(form)];
}

}  // namespace spmdc::op
