// An op on arrays whose elements are several numbers each, in a last dim more: keys of jax.random, as their data.
#pragma once

#include "ir/module.h"

namespace spmdc::op {

struct WordsContext {
  const ir::Module& module;
  llvm::ArrayRef<ir::Type> operands;  // as without the dim of words
  llvm::ArrayRef<ir::FuncId> bodies;
  size_t rank;         // of the first operand with words, without their dim
  int64_t words;       // how many numbers an element has
  ir::AttrsId attrs;   // those without that dim; the hook leaves those with it
  bool start = false;  // the hook says: one more operand, the index 0 at which words begin
  bool mask = false;   // the hook says: operand 0 has a value per element, and is to have one per number

  // Leaves changed attributes.
  template <typename T>
  bool Change(llvm::function_ref<void(T&)> change) {
    T copy = module.tables->attrs.Get<T>(attrs);
    change(copy);
    attrs = module.tables->attrs.Add(std::move(copy));
    return true;
  }
};

// The sharding of the numbers of elements that are sharded so; none for none.
mesh::ShardingId WithWords(ir::Tables& tables, mesh::ShardingId elements);
// The hook of ops that need nothing changed.
inline bool KeepWords(WordsContext&) { return true; }

}  // namespace spmdc::op
