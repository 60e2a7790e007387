// The lists and names of a syntax tree.
#include "text/native/ast.h"

namespace spmdc::text::native {

llvm::StringRef Spelling(Operator op) {
  static const llvm::StringRef kTexts[] = {
      "+", "-", "*",   "/",  "//", "%", "**", "@", "&",  "|",  "^",      "<<", ">>",    "-",
      "+", "~", "not", "==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not"};
  return kTexts[static_cast<size_t>(op)];
}

ListRange Ast::AddList(llvm::ArrayRef<ExprId> items) {
  ListRange range{static_cast<uint32_t>(expr_lists_.size()), static_cast<uint32_t>(items.size())};
  expr_lists_.insert(expr_lists_.end(), items.begin(), items.end());
  return range;
}

ListRange Ast::AddList(llvm::ArrayRef<StmtId> items) {
  ListRange range{static_cast<uint32_t>(stmt_lists_.size()), static_cast<uint32_t>(items.size())};
  stmt_lists_.insert(stmt_lists_.end(), items.begin(), items.end());
  return range;
}

int32_t Ast::AddOperators(llvm::ArrayRef<Operator> operators) {
  auto first = static_cast<int32_t>(operator_lists_.size());
  operator_lists_.insert(operator_lists_.end(), operators.begin(), operators.end());
  return first;
}

NameId Ast::Intern(llvm::StringRef name) {
  auto [entry, added] = name_ids_.try_emplace(name, static_cast<int32_t>(names_.size()));
  if (added) {
    names_.push_back(entry->getKey());
  }
  return NameId{entry->getValue()};
}

NameId Ast::Find(llvm::StringRef name) const {
  auto entry = name_ids_.find(name);
  return entry == name_ids_.end() ? NameId::None() : NameId{entry->getValue()};
}

StringId Ast::AddString(std::string text) {
  strings_.push_back(std::move(text));
  return StringId{static_cast<int32_t>(strings_.size()) - 1};
}

}  // namespace spmdc::text::native
