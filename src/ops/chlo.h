// Evaluators of CHLO's functions.
#pragma once

#include "op/eval.h"

namespace spmdc::ops {

bool EvalAcos(op::EvalContext& cx);
bool EvalAcosh(op::EvalContext& cx);
bool EvalAsin(op::EvalContext& cx);
bool EvalAsinh(op::EvalContext& cx);
bool EvalAtan(op::EvalContext& cx);
bool EvalAtanh(op::EvalContext& cx);
bool EvalBesselI1e(op::EvalContext& cx);
bool EvalCosh(op::EvalContext& cx);
bool EvalDigamma(op::EvalContext& cx);
bool EvalErfInv(op::EvalContext& cx);
bool EvalErfc(op::EvalContext& cx);
bool EvalLgamma(op::EvalContext& cx);
bool EvalSinh(op::EvalContext& cx);
bool EvalIsInf(op::EvalContext& cx);
bool EvalIsNegInf(op::EvalContext& cx);
bool EvalIsPosInf(op::EvalContext& cx);
bool EvalMulhi(op::EvalContext& cx);
bool EvalNextAfter(op::EvalContext& cx);
bool EvalPolygamma(op::EvalContext& cx);
bool EvalZeta(op::EvalContext& cx);

}  // namespace spmdc::ops
