// jit and the entry: what is traced, with which arguments, under which mesh.
#pragma once

#include "text/native/tracer.h"

namespace spmdc::text::native {

// A function made by jit.
struct JittedObj : Object {
  Value function;
  const Function* parsed = nullptr;   // what the text says of it; null if it is none of the text's
  Value in_shardings, out_shardings;  // Missing where not given
  // Numbers are those of arguments given by position, names those of arguments given by keyword.
  std::vector<int64_t> static_argnums;
  std::vector<std::string> static_argnames;
  std::vector<int64_t> donate_argnums;
  std::vector<std::string> donate_argnames;
  std::string name;
  bool checkpoint = false;  // made by jax.checkpoint: part of what calls it

  // `keyword`: empty for an argument given by position.
  bool IsStatic(size_t position, llvm::StringRef keyword) const;
  bool Donates(size_t position, llvm::StringRef keyword) const;
};

// What .lower(), .trace() and .compile() give.
struct StageObj : Object {
  int stage = 0;  // 0 traced, 1 lowered, 2 compiled
  Value out_shardings;
};

Value CallJitted(Evaluator& ev, JittedObj& jitted, llvm::ArrayRef<Value> args,
                 llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs);
Value JittedAttr(Evaluator& ev, const Value& jitted, llvm::StringRef name);
Value StageAttr(Evaluator& ev, const Value& stage, llvm::StringRef name);

// Traces the entry of a file that has been run.
std::optional<ir::Module> TraceEntry(Evaluator& ev);

}  // namespace spmdc::text::native
