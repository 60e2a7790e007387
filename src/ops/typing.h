// JAX's sharding in types for the ops of this folder that have rules of their own, and pieces that these rules share.
#pragma once

#include "op/infer.h"

namespace spmdc::ops {

// One result whose sharding is `sharding`, with the operands' varying sets joined in.
bool GiveSharding(op::ExplicitContext& cx, mesh::Sharding sharding);

// No axis stands on two dims. Typing refuses such results by itself; rules with further checks let it speak first.
bool UsesAxesOnce(const mesh::Sharding& sharding);

// The asked-for sharding, or null.
const mesh::Sharding* OutSharding(const op::ExplicitContext& cx);

// "P('x', None) and P(None, 'y')": the specs of all operands.
std::string OperandSpecs(const op::ExplicitContext& cx);

// The reduced sets of several operands: all alike, and no operand may be replicated, sharded or varying over them.
bool JoinReduced(op::ExplicitContext& cx, mesh::AxisList& reduced);

// Refuses an unreduced operand: the op is none that sums pass through.
bool NoUnreduced(op::ExplicitContext& cx);
// Refuses an unreduced or reduced operand.
bool NoUnreducedNorReduced(op::ExplicitContext& cx);

// elementwise_types.cc
bool UnaryTypes(op::ExplicitContext& cx);
bool NaryTypes(op::ExplicitContext& cx);
bool AddTypes(op::ExplicitContext& cx);
bool MultiplyTypes(op::ExplicitContext& cx);
// The operand's sharding with all that it says (convert, reduce_precision).
bool KeepTypes(op::ExplicitContext& cx);
bool SelectTypes(op::ExplicitContext& cx);
bool ClampTypes(op::ExplicitContext& cx);

// shape_types.cc
bool BroadcastTypes(op::ExplicitContext& cx);
bool ReshapeTypes(op::ExplicitContext& cx);
bool TransposeTypes(op::ExplicitContext& cx);

// dot_types.cc
bool DotTypes(op::ExplicitContext& cx);

// reduce_types.cc
bool ReduceTypes(op::ExplicitContext& cx);

}  // namespace spmdc::ops
