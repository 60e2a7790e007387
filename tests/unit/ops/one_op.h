// A program of one function, built op by op: what tests of ops ask questions about.
#pragma once

#include <string>
#include <vector>

#include "op/builder.h"
#include "op/op_def.h"

namespace spmdc::ops {

class OneOp {
 public:
  OneOp() : module(std::make_shared<ir::Tables>()), diags(&sources) {
    module.entry = NewFunction("main");
    builder.emplace(module, module.entry, diags);
  }

  // A mesh of Explicit axes; arguments that name axes are typed on it.
  void Mesh(std::vector<std::pair<std::string, int64_t>> axes) {
    mesh::Mesh mesh;
    mesh.name = "mesh";
    for (auto& [name, size] : axes) {
      mesh.axes.push_back({name, size, mesh::AxisType::Explicit});
    }
    mesh_id = module.tables->meshes.Intern(mesh);
  }
  const mesh::Mesh& mesh() const { return module.tables->meshes[mesh_id]; }
  // `names[d]` are the axes of dim d, one letter each; "" for none.
  mesh::Sharding Sharding(std::vector<std::string> names, const std::string& unreduced = "",
                          const std::string& reduced = "") const {
    mesh::Sharding s = mesh::Replicated(mesh_id, names.size());
    for (size_t d = 0; d < names.size(); ++d) {
      s.dims[d].axes = Axes(names[d]);
    }
    s.unreduced = mesh::AsSet(Axes(unreduced));
    s.reduced = mesh::AsSet(Axes(reduced));
    return s;
  }

  ir::ValueId Arg(tensor::DType dtype, std::vector<int64_t> dims) { return ArgOf(ir::ArrayType(dtype, dims)); }
  ir::ValueId Arg(std::vector<int64_t> dims) { return Arg(tensor::DType::F32, std::move(dims)); }
  ir::ValueId Arg(std::vector<int64_t> dims, const mesh::Sharding& sharding) {
    return ArgOf(ir::ArrayType(tensor::DType::F32, dims, module.tables->shardings.Intern(sharding)));
  }

  // A body (a1..an, b1..bn) -> n results of one binary op each.
  ir::FuncId Body(std::vector<std::pair<ir::OpKind, tensor::DType>> ops) {
    ir::FuncId id = NewFunction("body");
    op::Builder b(module, id, diags);
    llvm::SmallVector<ir::ValueId, 4> args;
    for (int side = 0; side < 2; ++side) {
      for (auto& [kind, dtype] : ops) {
        args.push_back(NewArg(id, ir::ArrayType(dtype, {})));
      }
    }
    for (size_t i = 0; i < ops.size(); ++i) {
      ir::ValueId result = b.Add1(ops[i].first, {args[i], args[i + ops.size()]});
      module.functions[id].results.push_back(result);
    }
    return id;
  }

  ir::ValueId Add(ir::OpKind kind, llvm::ArrayRef<ir::ValueId> operands, ir::AttrsId attrs = {},
                  llvm::ArrayRef<ir::FuncId> bodies = {}, const mesh::Sharding* asked = nullptr) {
    mesh::ShardingId out = asked != nullptr ? module.tables->shardings.Intern(*asked) : mesh::ShardingId();
    return builder->Add1(kind, operands, attrs, bodies, out);
  }
  template <typename T>
  ir::AttrsId Attrs(T attrs) {
    return module.tables->attrs.Add(std::move(attrs));
  }

  // `f32[8@x,4]`; "refused" for an invalid value.
  std::string Type(ir::ValueId v) const {
    return v.valid() ? ir::ToString(*module.tables, module.type(function(), v)) : "refused";
  }
  // The rule of the op that makes v.
  std::string Rule(ir::ValueId v) const {
    return op::ToString(op::RuleOf(module, function(), function().insts[function().values[v].def]));
  }
  // `[code] message` of the last refusal, and its help lines.
  std::string Error() const {
    return diags.all().empty() ? ""
                               : "[" + diag::Code(diags.all().back().kind).str() + "] " + diags.all().back().message;
  }
  const std::vector<std::string>& Help() const { return diags.all().back().help; }

  // All results of the op that makes v, given its operands.
  std::vector<tensor::Literal> EvalAll(ir::ValueId v, std::vector<tensor::Literal> values, bool widened = false) const {
    const ir::Inst& inst = function().insts[function().values[v].def];
    std::vector<const tensor::Literal*> operands;
    for (tensor::Literal& value : values) {
      value = value.Materialize();
      operands.push_back(&value);
    }
    op::EvalContext cx(module, function(), inst, operands, 0, nullptr);
    cx.widened = widened;
    return op::Def(inst.op).eval(cx) ? std::vector<tensor::Literal>(cx.results.begin(), cx.results.end())
                                     : std::vector<tensor::Literal>();
  }
  tensor::Literal Eval(ir::ValueId v, std::vector<tensor::Literal> values, bool widened = false) const {
    return EvalAll(v, std::move(values), widened).at(0);
  }

  const ir::Function& function() const { return module.functions[module.entry]; }

  source::SourceManager sources;
  ir::Module module;
  diag::Engine diags;
  std::optional<op::Builder> builder;
  mesh::MeshId mesh_id;

 private:
  mesh::AxisList Axes(const std::string& letters) const {
    mesh::AxisList axes;
    for (char letter : letters) {
      axes.push_back(mesh::Whole(mesh(), *mesh().FindAxis(llvm::StringRef(&letter, 1))));
    }
    return axes;
  }
  ir::FuncId NewFunction(const std::string& name) {
    ir::Function f;
    f.name = name;
    return module.functions.Add(std::move(f));
  }
  ir::ValueId NewArg(ir::FuncId f, const ir::Type& type) {
    ir::Value value;
    value.type = module.tables->types.Intern(type);
    value.name = "a" + std::to_string(module.functions[f].values.size());
    return module.functions[f].AddArg(std::move(value), {});
  }
  ir::ValueId ArgOf(const ir::Type& type) { return NewArg(module.entry, type); }
};

}  // namespace spmdc::ops
