// Rules as flat lists of numbers, and a map of those.
#include "propagate/rule_table.h"

namespace spmdc::propagate {

int32_t RuleTable::Add(const op::Rule& rule) {
  if (rule.factors.empty()) {
    return kNone;
  }
  Flatten(rule);
  auto [it, inserted] =
      index_.try_emplace(std::string(reinterpret_cast<const char*>(flat_.data()), flat_.size() * sizeof(int64_t)),
                         static_cast<int32_t>(rules_.size()));
  if (inserted) {
    auto entry = std::make_unique<PropagationRule>();
    entry->rule = rule;
    for (size_t f = 0; f < rule.factors.size(); ++f) {
      entry->pass_through.push_back(IsPassThrough(rule, f));
      entry->blocked.push_back(rule.factors[f].blocked);
    }
    rules_.push_back(std::move(entry));
  }
  return it->second;
}

int32_t RuleTable::AddIdentity(llvm::ArrayRef<int64_t> dims, size_t num_operands) {
  op::Rule rule;
  op::TensorFactors tensor;
  for (size_t d = 0; d < dims.size(); ++d) {
    rule.factors.push_back({dims[d], op::FactorKind::Map, false});
    tensor.dims.push_back({static_cast<int32_t>(d)});
  }
  rule.operands.assign(num_operands, tensor);
  rule.results.assign(1, tensor);
  return Add(rule);
}

void RuleTable::Flatten(const op::Rule& rule) {
  flat_.clear();
  for (const op::Factor& factor : rule.factors) {
    flat_.push_back(factor.size);
    flat_.push_back(static_cast<int64_t>(factor.kind) * 2 + (factor.blocked ? 1 : 0));
  }
  for (const auto* tensors : {&rule.operands, &rule.results}) {
    flat_.push_back(-2);
    for (const op::TensorFactors& tensor : *tensors) {
      flat_.push_back(-3);
      for (const auto& dim : tensor.dims) {
        flat_.push_back(-4);
        flat_.append(dim.begin(), dim.end());
      }
    }
  }
}

}  // namespace spmdc::propagate
