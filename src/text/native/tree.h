// Pytrees: tuples, lists and dicts (keys sorted) of leaves; None is the empty tree.
#pragma once

#include <functional>

#include "text/native/evaluator.h"

namespace spmdc::text::native {

// The same tree with each leaf replaced; `path` names it as JAX does ("x", "p['w']", "t[0]"). A failed leaf ends it.
using LeafFunction = llvm::function_ref<Value(const Value& leaf, const std::string& path)>;
// `is_leaf`: a function of the language that says of nodes too whether they are leaves; or none.
Value MapTree(Evaluator& ev, const Value& tree, const std::string& path, LeafFunction f,
              const Value& is_leaf = Value());
void Leaves(const Value& tree, std::vector<Value>& out);
// The tree with its leaves taken from a list, in order.
Value Unflatten(Evaluator& ev, const Value& tree, llvm::ArrayRef<Value> leaves);
// Whether two trees have the same structure; where not, `why` says what differs.
bool SameStructure(const Value& a, const Value& b, std::string& why);

// Lays a tree of options (specs, axes, None) over a tree of values of which it is a prefix: each leaf of `values` gets the
// option above it, in order of leaves. is_option says what ends the walk. False after a diagnostic of kind tree-mismatch.
bool SpreadPrefix(Evaluator& ev, const Value& prefix, const Value& values, const std::string& what,
                  std::vector<Value>& out);

Value TreeDefAttr(Evaluator& ev, const Value& treedef, llvm::StringRef name);

}  // namespace spmdc::text::native
