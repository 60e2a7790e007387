// Appending instructions with inferred types.
#pragma once

#include <optional>

#include "diag/engine.h"
#include "ir/module.h"

namespace spmdc::op {

// Appends to one function of a module. Types are inferred by the op; a refusal is told to `diags` and gives no value.
class Builder {
 public:
  Builder(ir::Module& module, ir::FuncId function, diag::Engine& diags)
      : module_(module), function_(function), diags_(diags) {}

  // What the following instructions carry; names of results are made by `name` (made unique by the caller) or `vN`.
  struct Tag {
    source::Span span;
    ir::SourceId source;
    ir::SideId side;
    ir::CauseId cause;
  };
  void set_tag(Tag tag) { tag_ = tag; }
  const Tag& tag() const { return tag_; }

  // All results of the new instruction, or nothing after a diagnostic.
  std::optional<llvm::SmallVector<ir::ValueId, 2>> Add(ir::OpKind op, llvm::ArrayRef<ir::ValueId> operands,
                                                       ir::AttrsId attrs = {}, llvm::ArrayRef<ir::FuncId> bodies = {},
                                                       mesh::ShardingId out_sharding = {}, llvm::StringRef name = "");
  // The one result of the new instruction; an invalid id after a diagnostic. An invalid operand gives an invalid result
  // without another diagnostic.
  ir::ValueId Add1(ir::OpKind op, llvm::ArrayRef<ir::ValueId> operands, ir::AttrsId attrs = {},
                   llvm::ArrayRef<ir::FuncId> bodies = {}, mesh::ShardingId out_sharding = {},
                   llvm::StringRef name = "");
  // The results of a new instruction whose types are known, be it from one just like it: nothing is inferred.
  llvm::SmallVector<ir::ValueId, 2> AddTyped(ir::OpKind op, llvm::ArrayRef<ir::ValueId> operands, ir::AttrsId attrs,
                                             llvm::ArrayRef<ir::TypeId> types, llvm::ArrayRef<ir::FuncId> bodies = {},
                                             mesh::ShardingId out_sharding = {}, llvm::StringRef name = "");
  template <typename T>
  ir::AttrsId Attrs(T attrs) {
    return module_.tables->attrs.Add(std::move(attrs));
  }

  const ir::Type& type(ir::ValueId v) const { return module_.type(module_.functions[function_], v); }
  ir::Module& module() { return module_; }
  ir::FuncId function() const { return function_; }
  diag::Engine& diags() { return diags_; }

 private:
  ir::Module& module_;
  ir::FuncId function_;
  diag::Engine& diags_;
  Tag tag_;
};

}  // namespace spmdc::op
