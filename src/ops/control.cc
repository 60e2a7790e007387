// Ops with regions that run as functions, and what only passes values on: while, case, call, optimization_barrier,
// manual_computation. Types come from the bodies, shardings in types included.
#include "ops/control.h"

#include "llvm/ADT/STLExtras.h"
#include "mesh/spec.h"
#include "ops/control_text.h"
#include "ops/dims.h"
#include "ops/table.h"

namespace spmdc::ops {
namespace {

// Body `b` takes exactly the operands from `first` on.
bool CheckBodyArgs(op::InferContext& cx, size_t b, size_t first, llvm::StringRef which, diag::Kind kind) {
  size_t n = cx.operands.size() - first;
  if (cx.num_body_args(b) != n) {
    return cx.Fail(kind, which.str() + " takes " + std::to_string(cx.num_body_args(b)) + " arguments, not the " +
                             std::to_string(n) + " given");
  }
  for (size_t i = 0; i < n; ++i) {
    if (cx.body_arg(b, i) != cx.operand(first + i)) {
      return cx.Fail(kind, which.str() + " takes " + cx.Show(cx.body_arg(b, i)) + " as argument " + std::to_string(i) +
                               ", but operand " + std::to_string(first + i) + " is " + cx.Show(cx.operand(first + i)));
    }
  }
  return true;
}

bool InferWhile(op::InferContext& cx) {
  int64_t carried = cx.attrs<WhileAttrs>().num_carried;
  if (carried < 0 || carried > static_cast<int64_t>(cx.operands.size())) {
    return cx.Fail(diag::Kind::OperandCount,
                   "carries " + std::to_string(carried) + " of " + std::to_string(cx.operands.size()) + " operands");
  }
  auto n = static_cast<size_t>(carried);
  if (!CheckBodyArgs(cx, 0, 0, "the condition", diag::Kind::CarryMismatch) ||
      !CheckBodyArgs(cx, 1, 0, "the body", diag::Kind::CarryMismatch)) {
    return false;
  }
  if (cx.num_body_results(0) != 1 || !SameShape(cx.body_result(0, 0), ir::ArrayType(tensor::DType::Pred, {}))) {
    return cx.Fail(diag::Kind::ControlFlowForm, "the condition must return one pred[]");
  }
  if (cx.num_body_results(1) != n) {
    return cx.Fail(diag::Kind::CarryMismatch, "the body returns " + std::to_string(cx.num_body_results(1)) +
                                                  " values, but " + std::to_string(n) + " are carried");
  }
  for (size_t i = 0; i < n; ++i) {
    if (cx.body_result(1, i) != cx.operand(i)) {
      return cx.Fail(diag::Kind::CarryMismatch, "carried value " + std::to_string(i) + " is " + cx.Show(cx.operand(i)) +
                                                    ", but the body returns " + cx.Show(cx.body_result(1, i)));
    }
    cx.Result(cx.operand(i));
  }
  return true;
}

bool InferCase(op::InferContext& cx) {
  const ir::Type& index = cx.operand(0);
  bool flag = index.dtype == tensor::DType::Pred && cx.bodies.size() == 2;
  if (index.rank() != 0 || (index.dtype != tensor::DType::S32 && !flag)) {
    return cx.Fail(diag::Kind::ControlFlowForm,
                   "the branch index is " + cx.Show(index) + ", expected s32[] (or pred[] with two branches)");
  }
  for (size_t b = 0; b < cx.bodies.size(); ++b) {
    std::string which = "branch " + std::to_string(b);
    if (!CheckBodyArgs(cx, b, 1, which, diag::Kind::BranchMismatch)) {
      return false;
    }
    if (cx.num_body_results(b) != cx.num_body_results(0)) {
      return cx.Fail(diag::Kind::BranchMismatch, which + " returns " + std::to_string(cx.num_body_results(b)) +
                                                     " values, branch 0 " + std::to_string(cx.num_body_results(0)));
    }
    for (size_t i = 0; i < cx.num_body_results(b); ++i) {
      if (cx.body_result(b, i) != cx.body_result(0, i)) {
        return cx.Fail(diag::Kind::BranchMismatch, "result " + std::to_string(i) + " of " + which + " is " +
                                                       cx.Show(cx.body_result(b, i)) + ", of branch 0 " +
                                                       cx.Show(cx.body_result(0, i)));
      }
    }
  }
  for (size_t i = 0; i < cx.num_body_results(0); ++i) {
    cx.Result(cx.body_result(0, i));
  }
  return true;
}

bool InferCall(op::InferContext& cx) {
  if (!CheckBodyArgs(cx, 0, 0, "the function", diag::Kind::Arguments)) {
    return false;
  }
  for (size_t i = 0; i < cx.num_body_results(0); ++i) {
    cx.Result(cx.body_result(0, i));
  }
  return true;
}

bool InferBarrier(op::InferContext& cx) {
  for (const ir::Type& type : cx.operands) {
    cx.Result(type);
  }
  return true;
}

// Every operand passes through by itself.
void RuleBarrier(op::RuleBuilder& b) {
  for (size_t i = 0; i < b.operands.size(); ++i) {
    for (size_t d = 0; d < b.operands[i].rank(); ++d) {
      int32_t factor = b.Factor(b.operands[i].dims[d], op::FactorKind::Map);
      b.Operand(i, static_cast<int64_t>(d), factor);
      b.Result(i, static_cast<int64_t>(d), factor);
    }
  }
}

bool ExplicitBarrier(op::ExplicitContext& cx) {
  for (size_t i = 0; i < cx.infer.operands.size(); ++i) {
    cx.results.push_back(cx.operand(i));
  }
  return true;
}

bool EvalBarrier(op::EvalContext& cx) {
  for (const tensor::Literal* operand : cx.operands) {
    cx.results.push_back(*operand);
  }
  return true;
}

// The blocks that manual axes cut a dim into.
int64_t ManualCount(const mesh::DimSharding& dim, const mesh::AxisList& manual) {
  return mesh::Product(mesh::Intersect(dim.axes, manual));
}

bool CheckBlocks(op::InferContext& cx, const std::string& which, const ir::Type& whole, const ir::Type& block,
                 mesh::ShardingId sharding, const mesh::AxisList& manual) {
  if (!whole.is_array() || !sharding.valid()) {
    return whole.dtype == block.dtype && whole.dims == block.dims
               ? true
               : cx.Fail(diag::Kind::ShardMapSpecs,
                         which + " is " + cx.Show(whole) + " outside and " + cx.Show(block) + " inside");
  }
  const mesh::Sharding& s = cx.tables().shardings[sharding];
  const mesh::Mesh& mesh = cx.tables().meshes[s.mesh];
  bool good = whole.dtype == block.dtype && whole.rank() == block.rank() && s.dims.size() == whole.rank();
  for (size_t d = 0; good && d < whole.rank(); ++d) {
    good = whole.dims[d] == block.dims[d] * ManualCount(s.dims[d], manual);
  }
  return good ||
         cx.Fail(diag::Kind::ShardMapSpecs, which + " is " + cx.Show(whole) + " outside and " + cx.Show(block) +
                                                " inside, which is not its block under " + mesh::ToSpec(mesh, s) +
                                                " with manual axes {" + mesh::ToString(mesh, manual) + "}");
}

// The axes of a list that are manual, or those that are not. Manual axes are whole ones, and axes of size 1 count too.
mesh::AxisList Among(const mesh::AxisList& list, const mesh::AxisList& manual, bool wanted) {
  mesh::AxisList out;
  for (const mesh::AxisRef& ref : list) {
    bool is_manual = llvm::any_of(manual, [&](const mesh::AxisRef& m) { return m.axis == ref.axis; });
    if (is_manual == wanted) {
      out.push_back(ref);
    }
  }
  return out;
}

// The result's type outside: manual axes of the out_sharding in front of those that the type inside names; of both only
// the Explicit ones belong to a type.
ir::Type OuterType(const op::InferContext& cx, const ManualComputationAttrs& attrs, const ir::Type& block,
                   mesh::ShardingId out) {
  const mesh::Sharding& s = cx.tables().shardings[out];
  const mesh::Mesh& mesh = cx.tables().meshes[attrs.mesh];
  ir::Type type = ir::ArrayType(block.dtype, block.dims);
  mesh::Sharding typed = mesh::Replicated(attrs.mesh, block.rank());
  const mesh::Sharding* inside = block.sharding.valid() ? &cx.tables().shardings[block.sharding] : nullptr;
  auto add_explicit = [&](mesh::AxisList& to, llvm::ArrayRef<mesh::AxisRef> from) {
    for (const mesh::AxisRef& ref : from) {
      if (mesh.axes[static_cast<size_t>(ref.axis)].type == mesh::AxisType::Explicit) {
        mesh::Append(to, llvm::ArrayRef<mesh::AxisRef>(ref));  // as a list, so that axes of size 1 stay
      }
    }
  };
  for (size_t d = 0; d < block.rank(); ++d) {
    mesh::AxisList own = Among(s.dims[d].axes, attrs.manual_axes, true);
    type.dims[d] *= mesh::Product(own);
    add_explicit(typed.dims[d].axes, own);
    if (inside != nullptr) {
      add_explicit(typed.dims[d].axes, Among(inside->dims[d].axes, attrs.manual_axes, false));
    }
  }
  add_explicit(typed.unreduced, s.unreduced);
  typed.unreduced = mesh::AsSet(typed.unreduced);
  if (inside != nullptr) {
    typed.varying = mesh::Subtract(inside->varying, attrs.manual_axes);
    add_explicit(typed.reduced, inside->reduced);  // of which shardings say nothing
    typed.reduced = mesh::AsSet(typed.reduced);
  }
  if (!mesh::NamesNoAxis(typed)) {
    type.sharding = cx.module.tables->shardings.Intern(typed);
  }
  return type;
}

bool InferManual(op::InferContext& cx) {
  const auto& attrs = cx.attrs<ManualComputationAttrs>();
  size_t n = cx.operands.size();
  if (attrs.in_shardings.size() > n || cx.num_body_args(0) != n) {
    return cx.Fail(diag::Kind::ShardMapSpecs, "has " + std::to_string(n) + " operands, " +
                                                  std::to_string(attrs.in_shardings.size()) + " in_shardings and " +
                                                  std::to_string(cx.num_body_args(0)) + " arguments of the body");
  }
  if (attrs.out_shardings.size() != cx.num_body_results(0)) {
    return cx.Fail(diag::Kind::ShardMapSpecs, "has " + std::to_string(attrs.out_shardings.size()) +
                                                  " out_shardings, but the body returns " +
                                                  std::to_string(cx.num_body_results(0)) + " values");
  }
  for (size_t i = 0; i < n; ++i) {
    if (!CheckBlocks(cx, "operand " + std::to_string(i), cx.operand(i), cx.body_arg(0, i),
                     i < attrs.in_shardings.size() ? attrs.in_shardings[i] : mesh::ShardingId(), attrs.manual_axes)) {
      return false;
    }
  }
  for (size_t i = 0; i < attrs.out_shardings.size(); ++i) {
    const ir::Type& block = cx.body_result(0, i);
    if (!block.is_array() || !attrs.out_shardings[i].valid()) {
      cx.Result(block);
      continue;
    }
    if (cx.tables().shardings[attrs.out_shardings[i]].dims.size() != block.rank()) {
      return cx.Fail(diag::Kind::ShardMapSpecs,
                     "out_sharding " + std::to_string(i) + " does not have the rank of " + cx.Show(block));
    }
    cx.Result(OuterType(cx, attrs, block, attrs.out_shardings[i]));
  }
  return true;
}

}  // namespace

const op::OpDef kWhile = {
    .kind = ir::OpKind::While,
    .min_operands = 0,
    .max_operands = -1,
    .min_bodies = 2,
    .max_bodies = 2,
    .make_attrs = ir::NewAttrs<WhileAttrs>,
    .region = op::Region::Loop,
    .precedence = op::Precedence::None,
    .flops = 0,
    .infer = InferWhile,
    .hlo_opcode = "while",
    .print_hlo = PrintHloWhile,
    .read_hlo = ReadHloWhile,
    .parse_stablehlo = ParseWhile,
    .from_generic = GenericWhile,
    .print_stablehlo = PrintMlirWhile,
    .native_name = "lax.while_loop",
    .print_native = PrintNativeWhile,
};

const op::OpDef kCase = {
    .kind = ir::OpKind::Case,
    .min_operands = 1,
    .max_operands = -1,
    .min_bodies = 1,
    .max_bodies = -1,
    .region = op::Region::Branch,
    .precedence = op::Precedence::None,
    .flops = 0,
    .infer = InferCase,
    .hlo_opcode = "conditional",
    .print_hlo = PrintHloConditional,
    .read_hlo = ReadHloConditional,
    .native_name = "lax.switch",
    .print_native = PrintNativeCase,
};

const op::OpDef kCall = {
    .kind = ir::OpKind::Call,
    .dialect = "func",
    .min_operands = 0,
    .max_operands = -1,
    .min_bodies = 1,
    .max_bodies = 1,
    .region = op::Region::Call,
    .precedence = op::Precedence::None,
    .flops = 0,
    .infer = InferCall,
    .hlo_opcode = "call",
    .print_hlo = PrintHloCall,
    .read_hlo = ReadHloCall,
    .native_name = "jit",
    .print_native = PrintNativeCall,
};

const op::OpDef kOptimizationBarrier = {
    .kind = ir::OpKind::OptimizationBarrier,
    .min_operands = 0,
    .max_operands = -1,
    .precedence = op::Precedence::PassThrough,
    .data_flow = true,
    .flops = 0,
    .infer = InferBarrier,
    .rule = RuleBarrier,
    .explicit_types = ExplicitBarrier,
    .eval = EvalBarrier,
    .on_words = op::KeepWords,
    .hlo_opcode = "opt-barrier",
    .native_name = "lax.optimization_barrier",
    .print_native = PrintNativeBarrier,
};

const op::OpDef kManualComputation = {
    .kind = ir::OpKind::ManualComputation,
    .dialect = "sdy",
    .min_operands = 0,
    .max_operands = -1,
    .min_bodies = 1,
    .max_bodies = 1,
    .make_attrs = ir::NewAttrs<ManualComputationAttrs>,
    .region = op::Region::Manual,
    .precedence = op::Precedence::None,
    .flops = 0,
    .infer = InferManual,
    .parse_stablehlo = ParseManual,
    .from_generic = GenericManual,
    .print_stablehlo = PrintMlirManual,
    .native_name = "shard_map",
    .print_native = PrintNativeManual,
};

}  // namespace spmdc::ops
