// What the flat form says with keywords and texts: attributes of ops, and shardings in Shardy's words.
#pragma once

#include "ir/attrs.h"
#include "text/native/evaluator.h"

namespace spmdc::text::native {

// The sharding that a text in Shardy's words says; names stand in single quotes. Null after a diagnostic.
ShardingObj* ParseSharding(Evaluator& ev, const Value& v);

// Fills the attributes of an op from keywords; fields that are not given keep their defaults. `attrs`: null for an op without
// any. False after a diagnostic, also of a keyword that is no field.
bool ReadFields(Evaluator& ev, llvm::StringRef op, llvm::ArrayRef<std::pair<llvm::StringRef, Value>> keywords,
                ir::AttrsHolder* attrs);

}  // namespace spmdc::text::native
