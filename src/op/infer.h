// Type inference of one instruction: what an op's `infer` is handed. Inference is verification: readers, builders and
// every later stage ask the same code.
#pragma once

#include <string>

#include "diag/engine.h"
#include "ir/module.h"
#include "op/rule.h"

namespace spmdc::op {

struct OpDef;

class InferContext {
 public:
  InferContext(const ir::Module& m, const OpDef& op_def, llvm::ArrayRef<ir::Type> types, ir::AttrsId attrs_of,
               llvm::ArrayRef<ir::FuncId> body_ids, mesh::ShardingId asked, source::Span at, diag::Engine& engine)
      : module(m),
        def(op_def),
        operands(types),
        attrs_id(attrs_of),
        bodies(body_ids),
        out_sharding(asked),
        span(at),
        diags(engine) {}

  const ir::Module& module;
  const OpDef& def;
  llvm::ArrayRef<ir::Type> operands;
  ir::AttrsId attrs_id;
  llvm::ArrayRef<ir::FuncId> bodies;
  mesh::ShardingId out_sharding;
  source::Span span;
  diag::Engine& diags;
  llvm::SmallVector<ir::Type, 2> results;  // filled by infer, without shardings

  const ir::Tables& tables() const { return *module.tables; }
  template <typename T>
  const T& attrs() const {
    return module.tables->attrs.Get<T>(attrs_id);
  }
  const ir::Type& operand(size_t i) const { return operands[i]; }
  const ir::Type& body_arg(size_t body, size_t arg) const;
  const ir::Type& body_result(size_t body, size_t result) const;
  size_t num_body_args(size_t body) const { return module.functions[bodies[body]].args.size(); }
  size_t num_body_results(size_t body) const { return module.functions[bodies[body]].results.size(); }

  void Result(tensor::DType dtype, llvm::ArrayRef<int64_t> dims) { results.push_back(ir::ArrayType(dtype, dims)); }
  void Result(ir::Type type) { results.push_back(std::move(type)); }
  // Tells the user and returns false. The message begins with what was found; the op's name is put in front.
  bool Fail(diag::Kind kind, std::string message, std::string help = "");
  // `f32[8,4]`.
  std::string Show(const ir::Type& type) const { return ir::ToString(tables(), type); }
};

// The sharding part of an op's typing on a mesh with Explicit axes (JAX's sharding in types). The default works from the
// rule: see explicit_types.cc. An op with rules of its own has a hook that is handed this.
class ExplicitContext {
 public:
  ExplicitContext(InferContext& cx, const Rule& rule_of, mesh::MeshId on) : infer(cx), rule(rule_of), mesh_id(on) {}

  InferContext& infer;
  const Rule& rule;
  mesh::MeshId mesh_id;
  llvm::SmallVector<mesh::Sharding, 2> results;  // filled by the hook: one per result, rank as the result's

  const mesh::Mesh& mesh() const { return infer.tables().meshes[mesh_id]; }
  // The sharding in operand i's type, as the op takes it (infer.cc); all dims empty if it names nothing.
  mesh::Sharding operand(size_t i) const;
  // A replicated sharding for result i.
  mesh::Sharding replicated_result(size_t i) const;
  bool Fail(diag::Kind kind, std::string message, std::string help = "") {
    return infer.Fail(kind, std::move(message), std::move(help));
  }
};

// The rule-based default: axes of Map factors must agree among the operands that name any; Reduce factors vanish from the
// result; Whole, Piece, Window, Scan and Index factors must be unsharded; a result may use an axis once. Unreduced
// operands are refused unless the op is linear. out_sharding replaces the result's sharding where the op takes one.
bool InferExplicitDefault(ExplicitContext& cx);

// The whole of an instruction's typing: arity, infer, then shardings if any operand's type or out_sharding names axes.
// False after a diagnostic.
bool InferTypes(InferContext& cx);

}  // namespace spmdc::op
