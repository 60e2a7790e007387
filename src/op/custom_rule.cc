// Reading rules by hand: brackets of factor names, their sizes, and lists of those that are special.
#include "op/custom_rule.h"

#include "ir/side_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "mesh/text_cursor.h"

namespace spmdc::op {

namespace {

class RuleReader {
 public:
  explicit RuleReader(llvm::StringRef text) : cursor_(text) {}

  std::optional<Rule> Read(llvm::ArrayRef<const ir::Type*> operands, llvm::ArrayRef<const ir::Type*> results) {
    rule_.custom = true;
    bool ok = cursor_.Expect("#sdy.op_sharding_rule") && cursor_.Expect("<") && ReadTensors(operands, rule_.operands) &&
              cursor_.Expect("->") && ReadTensors(results, rule_.results) && ReadSizes() && ReadLists();
    if (!ok) {
      return std::nullopt;
    }
    SetNew();
    rule_.result_monoid.assign(results.size(), mesh::Monoid::Sum);
    rule_.operand_fill.assign(operands.size(), mesh::Monoid::Sum);
    return std::move(rule_);
  }

 private:
  // A letter, and behind the last one a number: `i`, `z_1`.
  std::optional<int32_t> ReadFactor() {
    llvm::StringRef rest = cursor_.rest();
    if (rest.empty() || !llvm::isAlpha(rest.front())) {
      return std::nullopt;
    }
    size_t size = 1;
    if (rest.size() > 2 && rest[1] == '_' && llvm::isDigit(rest[2])) {
      size = 2 + rest.drop_front(2).take_while([](char c) { return llvm::isDigit(c); }).size();
    }
    cursor_.Advance(size);
    auto [it, inserted] = factors_.try_emplace(rest.take_front(size), static_cast<int32_t>(rule_.factors.size()));
    if (inserted) {
      rule_.factors.emplace_back();
    }
    return it->second;
  }

  bool ReadTensors(llvm::ArrayRef<const ir::Type*> types, llvm::SmallVectorImpl<TensorFactors>& tensors) {
    if (!cursor_.Expect("(")) {
      return false;
    }
    for (size_t t = 0; t < types.size(); ++t) {
      if ((t != 0 && !cursor_.Expect(",")) || !ReadTensor(types[t]->rank(), tensors.emplace_back())) {
        return false;
      }
    }
    return cursor_.Expect(")");
  }

  bool ReadTensor(size_t rank, TensorFactors& tensor) {
    if (!cursor_.Expect("[")) {
      return false;
    }
    while (!cursor_.Eat("]")) {
      if (!tensor.dims.empty() && !cursor_.Expect(",")) {
        return false;
      }
      auto& dim = tensor.dims.emplace_back();
      while (auto factor = ReadFactor()) {
        dim.push_back(*factor);
      }
      if (dim.empty()) {
        return false;
      }
    }
    return tensor.dims.size() == rank;
  }

  bool ReadSizes() {
    if (factors_.empty() && !cursor_.Peek("{")) {
      return true;
    }
    if (!cursor_.Expect("{")) {
      return false;
    }
    for (bool first = true; !cursor_.Eat("}"); first = false) {
      if (!first && !cursor_.Expect(",")) {
        return false;
      }
      std::optional<int32_t> factor = ReadFactor();
      if (!factor || !cursor_.Expect("=") ||
          !cursor_.Int(rule_.factors[static_cast<size_t>(*factor)].size, 1, "a size of a factor")) {
        return false;
      }
    }
    return true;
  }

  bool ReadLists() {
    while (!cursor_.Eat(">")) {
      if (cursor_.Eat(",")) {
        if (!cursor_.EatWord("custom")) {
          return false;
        }
        continue;
      }
      bool ok = cursor_.EatWord("reduction")          ? ReadList([](Factor& f) { f.kind = FactorKind::Reduce; })
                : cursor_.EatWord("need_replication") ? ReadList([](Factor& f) { f.kind = FactorKind::Whole; })
                : cursor_.EatWord("permutation")
                    ? ReadList([](Factor& f) { f.kind = FactorKind::Piece; })
                    : cursor_.EatWord("blocked_propagation") && ReadList([](Factor& f) { f.blocked = true; });
      if (!ok) {
        return false;
      }
    }
    return true;
  }

  bool ReadList(llvm::function_ref<void(Factor&)> mark) {
    if (!cursor_.Expect("=") || !cursor_.Expect("{")) {
      return false;
    }
    for (bool first = true; !cursor_.Eat("}"); first = false) {
      if (!first && !cursor_.Expect(",")) {
        return false;
      }
      std::optional<int32_t> factor = ReadFactor();
      if (!factor) {
        return false;
      }
      mark(rule_.factors[static_cast<size_t>(*factor)]);
    }
    return true;
  }

  // Factors that only results have.
  void SetNew() {
    for (size_t f = 0; f < rule_.factors.size(); ++f) {
      bool read = llvm::any_of(rule_.operands, [&](const auto& t) { return t.has(static_cast<int32_t>(f)); });
      if (!read && rule_.factors[f].kind == FactorKind::Map) {
        rule_.factors[f].kind = FactorKind::New;
      }
    }
  }

  mesh::TextCursor cursor_;
  llvm::StringMap<int32_t> factors_;  // by name
  Rule rule_;
};

// The text of the rule among an instruction's annotations, of StableHLO or of HLO; empty if there is none.
llvm::StringRef TextOf(const ir::Module& module, ir::SideId side) {
  llvm::StringRef own = ir::SideText(module, side, "sdy.sharding_rule");
  if (!own.empty()) {
    return own;
  }
  constexpr llvm::StringLiteral kKey = "xla.sdy.sharding_rule";
  for (llvm::StringRef carrier : {"frontend_attributes", "mhlo.frontend_attributes"}) {
    llvm::StringRef text = ir::SideText(module, side, carrier);
    size_t at = text.find(kKey);
    if (at != llvm::StringRef::npos) {
      return text.substr(at + kKey.size()).ltrim(" =\"");
    }
  }
  return {};
}

}  // namespace

std::optional<Rule> ParseCustomRule(llvm::StringRef text, llvm::ArrayRef<const ir::Type*> operands,
                                    llvm::ArrayRef<const ir::Type*> results) {
  return RuleReader(text).Read(operands, results);
}

std::optional<Rule> CustomRuleOf(const ir::Module& module, const ir::Function& function, const ir::Inst& inst) {
  llvm::StringRef text = TextOf(module, inst.side);
  if (text.empty()) {
    return std::nullopt;
  }
  llvm::SmallVector<const ir::Type*, 4> operands, results;
  for (ir::ValueId v : function.operands(inst)) {
    operands.push_back(&module.type(function, v));
  }
  for (size_t i = 0; i < inst.num_results; ++i) {
    results.push_back(&module.type(function, function.result(inst, i)));
  }
  return ParseCustomRule(text, operands, results);
}

}  // namespace spmdc::op
