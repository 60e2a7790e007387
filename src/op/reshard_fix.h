// What a refusal of types offers: which operand to reshard to what, and what that costs.
#pragma once

#include <string>

#include "mesh/sharding.h"
#include "op/infer.h"

namespace spmdc::op {

// The bytes of its new block that a device does not hold yet, when an array goes from one sharding to another. Dims keep
// what stands in front of both lists of axes; what is left of the old one is gathered.
int64_t ReceivedBytes(const ir::Type& type, const mesh::Sharding& from, const mesh::Sharding& to);

// An array of a refused op, and what the text calls it.
struct Placed {
  const ir::Type* type = nullptr;
  const mesh::Sharding* sharding = nullptr;
  std::string name;
};
// "reshard operand 0 to P('x', None): 96 bytes per device; or operand 1 to P(None, 'y'): 192 bytes per device": one of two
// to the other's spec, the cheaper way first.
std::string EitherFix(const mesh::Mesh& mesh, const Placed& a, const Placed& b);
// The same for two operands of one rank.
std::string EitherFix(const ExplicitContext& cx, size_t a, size_t b);
// A dim of an operand unsharded.
std::string UnshardFix(const ExplicitContext& cx, size_t operand, size_t dim);

}  // namespace spmdc::op
