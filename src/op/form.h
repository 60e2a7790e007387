// The form of an instruction: all that its typing and its rule depend on. Models repeat a few forms thousands of times.
#pragma once

#include "ir/module.h"

namespace spmdc::op {

// Appends op, attributes, bodies and the types of operands and results, as the key of a table. Forms are those of one
// module: attributes and bodies are told by their ids.
inline void AppendForm(const ir::Function& function, const ir::Inst& inst, llvm::SmallVectorImpl<int32_t>& key) {
  constexpr size_t kHead = 5;
  size_t begin = key.size();
  key.resize_for_overwrite(begin + kHead + inst.num_bodies + inst.num_operands + inst.num_results);
  int32_t* at = key.data() + begin;
  *at++ = static_cast<int32_t>(inst.op);
  *at++ = inst.attrs.index;
  *at++ = inst.out_sharding.index;
  *at++ = static_cast<int32_t>(inst.num_operands);
  *at++ = static_cast<int32_t>(inst.num_bodies);
  for (ir::FuncId body : function.bodies(inst)) {
    *at++ = body.index;
  }
  for (ir::ValueId v : function.operands(inst)) {
    *at++ = function.values[v].type.index;
  }
  for (size_t i = 0; i < inst.num_results; ++i) {
    *at++ = function.values[function.result(inst, i)].type.index;
  }
}

}  // namespace spmdc::op
