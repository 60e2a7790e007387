// Small programs made by hand: global ones and per-device ones of the same tables.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "diag/engine.h"
#include "op/builder.h"
#include "op/op_def.h"
#include "ops/collective.h"
#include "ops/constant.h"
#include "ops/dot.h"
#include "ops/elementwise.h"
#include "ops/shape.h"

namespace spmdc::run {

using ir::FuncId;
using ir::OpKind;
using ir::ValueId;
using tensor::Dims;
using tensor::DType;
using tensor::Literal;

inline source::FileId AddText(source::SourceManager& sources) { return sources.Add("test", std::string(4096, '\n')); }

// One module. Every instruction is on a line of its own, counted from 1 in order of making.
class Maker {
 public:
  Maker(std::shared_ptr<ir::Tables> tables, diag::Engine& diags, source::FileId file)
      : module(std::move(tables)), diags_(diags), file_(file) {}

  FuncId Function(const std::string& name, bool entry = false) {
    ir::Function function;
    function.name = name;
    FuncId id = module.functions.Add(std::move(function));
    if (entry) {
      module.entry = id;
    }
    return id;
  }
  ValueId Arg(FuncId f, DType dtype, Dims dims, const std::string& name) {
    ir::Value value;
    value.type = module.tables->types.Intern(ir::ArrayType(dtype, dims));
    value.name = name;
    ir::BoundaryInfo info;
    info.name = name;
    return module.functions[f].AddArg(std::move(value), info);
  }
  template <typename Attrs>
  ValueId Op(FuncId f, OpKind kind, llvm::ArrayRef<ValueId> operands, Attrs attrs, llvm::ArrayRef<FuncId> bodies = {},
             const std::string& name = "") {
    return Add(f, kind, operands, module.tables->attrs.Add(std::move(attrs)), bodies, name);
  }
  ValueId Op(FuncId f, OpKind kind, llvm::ArrayRef<ValueId> operands, llvm::ArrayRef<FuncId> bodies = {},
             const std::string& name = "") {
    return Add(f, kind, operands, {}, bodies, name);
  }
  ValueId Constant(FuncId f, Literal value) {
    return Op(f, OpKind::Constant, {}, ops::ConstantAttrs{std::move(value)});
  }
  ValueId Scalar(FuncId f, DType dtype, double value) { return Constant(f, Literal::Number(dtype, {}, value)); }
  ValueId Dot(FuncId f, ValueId a, ValueId b, const std::string& name) {
    ops::DotGeneralAttrs attrs;
    attrs.lhs_contracting = {1};
    attrs.rhs_contracting = {0};
    return Op(f, OpKind::DotGeneral, {a, b}, attrs, {}, name);
  }
  ValueId Broadcast(FuncId f, ValueId scalar, Dims dims) {
    return Op(f, OpKind::BroadcastInDim, {scalar}, ops::BroadcastInDimAttrs{std::move(dims), {}});
  }
  ValueId Compare(FuncId f, ValueId a, ValueId b, ops::Direction direction) {
    return Op(f, OpKind::Compare, {a, b}, ops::CompareAttrs{direction, ops::CompareType::Default});
  }
  // A body of two scalars.
  FuncId Body(OpKind kind, DType dtype) {
    FuncId f = Function("body" + std::to_string(module.functions.size()));
    ValueId a = Arg(f, dtype, {}, "a");
    ValueId b = Arg(f, dtype, {}, "b");
    Return(f, {Op(f, kind, {a, b})});
    return f;
  }
  ValueId AllReduce(FuncId f, ValueId x, std::vector<llvm::SmallVector<int64_t, 8>> lists,
                    const std::string& name = "") {
    ops::CollectiveAttrs attrs;
    attrs.groups.lists = std::move(lists);
    attrs.channel = 1;
    DType dtype = module.type(module.functions[f], x).dtype;
    return Op(f, OpKind::AllReduce, {x}, attrs, {Body(OpKind::Add, dtype)}, name);
  }
  void Return(FuncId f, llvm::ArrayRef<ValueId> values) {
    module.functions[f].results.assign(values.begin(), values.end());
    module.functions[f].result_info.resize(values.size());
  }
  // Where a value is, and of which global value it is a shard.
  void Place(FuncId f, ValueId v, mesh::ShardingId sharding, ir::ValueRef shard_of = {}) {
    module.functions[f].values[v].sharding = sharding;
    module.functions[f].values[v].shard_of = shard_of;
  }
  int line() const { return line_; }

  ir::Module module;

 private:
  ValueId Add(FuncId f, OpKind kind, llvm::ArrayRef<ValueId> operands, ir::AttrsId attrs, llvm::ArrayRef<FuncId> bodies,
              const std::string& name) {
    op::Builder builder(module, f, diags_);
    ++line_;
    op::Builder::Tag tag;
    tag.span = {file_, static_cast<uint32_t>(line_ - 1), static_cast<uint32_t>(line_ - 1)};
    builder.set_tag(tag);
    auto results = builder.Add(kind, operands, attrs, bodies, {}, name);
    EXPECT_TRUE(results.has_value()) << diag::RenderText(diags_, false);
    return results ? (*results)[0] : ValueId::None();
  }

  diag::Engine& diags_;
  source::FileId file_;
  int line_ = 0;
};

// Shardings by axis numbers: Sharding(tables, mesh, {{0}, {}}) is P('axis 0', None).
inline mesh::ShardingId Sharded(ir::Tables& tables, mesh::MeshId mesh, std::vector<std::vector<int32_t>> dims) {
  mesh::Sharding sharding = mesh::Replicated(mesh, dims.size());
  for (size_t d = 0; d < dims.size(); ++d) {
    for (int32_t axis : dims[d]) {
      sharding.dims[d].axes.push_back(mesh::Whole(tables.meshes[mesh], axis));
    }
  }
  return tables.shardings.Intern(sharding);
}

}  // namespace spmdc::run
