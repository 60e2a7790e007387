// The form of an instruction: all that its typing and its rule depend on. Models repeat a few forms thousands of times.
#pragma once

#include "ir/module.h"

namespace spmdc::op {

// Appends op, attributes, bodies and the types of operands and results, as the key of a table. Forms are those of one
// module: attributes and bodies are told by their ids.
inline void AppendForm(const ir::Function& function, const ir::Inst& inst, llvm::SmallVectorImpl<int32_t>& key) {
  key.append({static_cast<int32_t>(inst.op), inst.attrs.index, inst.out_sharding.index,
              static_cast<int32_t>(inst.num_operands), static_cast<int32_t>(inst.num_bodies)});
  for (ir::FuncId body : function.bodies(inst)) {
    key.push_back(body.index);
  }
  for (ir::ValueId v : function.operands(inst)) {
    key.push_back(function.values[v].type.index);
  }
  for (size_t i = 0; i < inst.num_results; ++i) {
    key.push_back(function.values[function.result(inst, i)].type.index);
  }
}

}  // namespace spmdc::op
