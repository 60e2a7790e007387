// What an op adds to its rule for the classic propagation (GSPMD): which of its tensors decides for which, in which order.
//
// The rule says how dims belong together, Precedence says how early an op takes part; most ops need nothing else.
#pragma once

#include <optional>

#include "ir/module.h"

namespace spmdc::op {

// A sharding on its way from one tensor of an op to another.
struct ClassicCarry {
  const ir::Module& module;
  const ir::Function& function;
  const ir::Inst& inst;
  size_t from = 0, to = 0;  // operands first, then results
  const mesh::Sharding& sharding;

  size_t num_operands() const { return inst.num_operands; }
  bool forward() const { return from < num_operands() && to >= num_operands(); }
  const ir::Type& type(size_t tensor) const {
    ir::ValueId v =
        tensor < num_operands() ? function.operands(inst)[tensor] : function.result(inst, tensor - num_operands());
    return module.type(function, v);
  }
};

struct Classic {
  // Which operands a result takes shardings from.
  enum class Take : uint8_t {
    InOrder,       // each improves on those before it
    LastFirst,     // the same, the last operand first
    MostSpecific,  // the one with the most blocks only
    Contraction,   // of two: the one that the result's user agrees with, else the larger one; then the other
    Nothing,       // no sharding passes through the op
  };
  Take take = Take::InOrder;
  // Dim i of every tensor is dim i of the others, whatever their sizes.
  bool same_dims = false;
  // An operand also takes what the other operands have, once the op's result has a sharding.
  bool operands_join = false;
  // A result of one user gives its sharding up for one of more blocks, even if the blocks do not nest.
  bool may_reshard = true;
  // Pairs of tensors between which nothing passes. Null: none.
  bool (*barred)(const ClassicCarry&) = nullptr;
  // What arrives at `to`; nothing if the sharding does not pass. Null: by the rule, dim for dim; what the other tensor does
  // not have is dropped.
  std::optional<mesh::Sharding> (*carry)(const ClassicCarry&) = nullptr;
};

}  // namespace spmdc::op
