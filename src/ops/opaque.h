// Attributes of ops this tool does not know: what the text said.
#pragma once

#include <memory>
#include <optional>

#include "ir/module.h"
#include "llvm/ADT/STLExtras.h"

namespace spmdc::ops {

struct OpaqueAttrs {
  std::string name;  // "stablehlo.custom_call", "custom-call", ...
  // What stands behind the operands. HLO: `, key=value, ...`, with its computations as `@0`, `@1`. StableHLO: `<{properties}>`
  // of the generic form, or what a pretty form has behind the name, without annotations, with operand k as `%k`.
  std::string text;
  // StableHLO: what stands behind the colon of a pretty form. HLO: how nested tuples are made, `(..)->((.).)`, where a point
  // is an array. Empty where the form of the op says it.
  std::string types;
  std::vector<ir::Type> result_types;
  // How many leading dims of all operands and results are batches, each computed by itself: what jax.ffi says as the
  // frontend attribute `num_batch_dims = "1"`.
  int64_t batch_dims = 0;
  void Visit(ir::FieldVisitor& v) {
    v.Field("name", name);
    v.Field("text", text);
    v.Field("types", types);
    v.Field("batch_dims", batch_dims);
    for (ir::Type& type : result_types) {
      v.Field("dtype", type.dtype);
      v.Field("dims", type.dims);
    }
  }
};

// The layouts of the results as a text of HLO had them, each with `;` behind it; empty where they are the usual ones.
llvm::StringRef LayoutsOf(const ir::Module& module, const ir::Inst& inst);
// The group of values, sharded alike, that an instruction puts its operand in: `sdy.sharding_group %x group_id=3`, or
// `<{group_id = 3 : i64}>`. Nothing for other instructions.
std::optional<int64_t> ShardingGroupOf(const ir::Module& module, const ir::Inst& inst);
// What puts a value in a group.
OpaqueAttrs ShardingGroup(int64_t id);

// The text of an unknown op with the names of its functions for `@0`, `@1`, ...; those in strings are none.
std::string WithNamedBodies(llvm::StringRef text, llvm::ArrayRef<ir::FuncId> bodies,
                            llvm::function_ref<std::string(ir::FuncId)> name_of);

// Computes nothing: tells propagation which way to go.
inline bool IsPropagationBarrier(const OpaqueAttrs& attrs) { return attrs.name == "sdy.propagation_barrier"; }
// Which way, with Shardy's numbers: `%0 allowed_direction=FORWARD`, `<{allowed_direction = 1 : i32}>` in the generic form.
enum class BarrierDirection : uint8_t { None, Forward, Backward };
std::optional<BarrierDirection> BarrierDirectionOf(const OpaqueAttrs& attrs);
// As Shardy's export says it in a frontend attribute, `2 : i32`. Nothing for another text.
std::optional<BarrierDirection> CarriedDirection(llvm::StringRef text);
OpaqueAttrs PropagationBarrier(BarrierDirection direction, const ir::Type& type);

}  // namespace spmdc::ops
