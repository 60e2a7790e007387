// Evaluation of elementwise ops: the functions of single elements, and the loops that apply them.
#pragma once

#include "op/eval.h"

namespace spmdc::ops {

// One evaluator per row of elementwise.def and per other elementwise op. An operand of one element stands for all elements
// of the others: so scalar bounds need no copies, and bodies of scalars can be applied to whole arrays.
#define SPMDC_UNARY(name, ...) bool Eval##name(op::EvalContext& cx);
#define SPMDC_BINARY(name, ...) bool Eval##name(op::EvalContext& cx);
#include "ops/elementwise.def"
bool EvalConvert(op::EvalContext& cx);
bool EvalReducePrecision(op::EvalContext& cx);
bool EvalCompare(op::EvalContext& cx);
bool EvalSelect(op::EvalContext& cx);
bool EvalClamp(op::EvalContext& cx);

}  // namespace spmdc::ops
