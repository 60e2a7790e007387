// Monoids: their identities, and recognising them in reduction bodies.
#include <cmath>
#include <limits>
#include <optional>

#include "op/eval.h"
#include "op/op_def.h"

namespace spmdc::op {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The largest (or smallest) number of a float type of at most 8 bits, among all there are.
tensor::Literal FarthestSmallFloat(tensor::DType dtype, bool largest) {
  std::optional<tensor::Literal> farthest;
  for (int bits = 0; bits < 1 << tensor::BitWidth(dtype); ++bits) {
    tensor::Literal one = tensor::Literal::Dense(dtype, {}, {static_cast<char>(bits)});
    double value = one.GetReal(0);
    bool farther = !farthest || (largest ? value > farthest->GetReal(0) : value < farthest->GetReal(0));
    if (std::isfinite(value) && farther) {
      farthest = std::move(one);
    }
  }
  return *farthest;
}

// The largest (or smallest) value of an element type; infinities for floats that have them.
tensor::Literal Extreme(tensor::DType dtype, bool largest) {
  using tensor::DClass;
  switch (tensor::Class(dtype)) {
    case DClass::Pred:
      return tensor::Literal::Integer(dtype, {}, largest ? 1 : 0);
    case DClass::Signed: {
      int bits = tensor::BitWidth(dtype);
      int64_t max = static_cast<int64_t>((uint64_t{1} << (bits - 1)) - 1);
      return tensor::Literal::Integer(dtype, {}, largest ? max : -max - 1);
    }
    case DClass::Unsigned: {
      int bits = tensor::BitWidth(dtype);
      return tensor::Literal::Integer(dtype, {}, largest ? static_cast<int64_t>(~uint64_t{0} >> (64 - bits)) : 0);
    }
    case DClass::Complex: {  // ordered by real parts, then by imaginary ones
      double far = largest ? kInfinity : -kInfinity;
      tensor::Literal value(dtype, {});
      value.SetComplex(0, {far, far});
      return value;
    }
    default: {
      tensor::Literal value = tensor::Literal::Number(dtype, {}, largest ? kInfinity : -kInfinity);
      return std::isinf(value.GetReal(0)) ? value : FarthestSmallFloat(dtype, largest);
    }
  }
}

mesh::Monoid MonoidOf(ir::OpKind kind, tensor::DType dtype) {
  switch (kind) {
    case ir::OpKind::Add:
      return dtype == tensor::DType::Pred ? mesh::Monoid::Or : mesh::Monoid::Sum;
    case ir::OpKind::Multiply:
      return dtype == tensor::DType::Pred ? mesh::Monoid::And : mesh::Monoid::Product;
    case ir::OpKind::Maximum:
      return mesh::Monoid::Max;
    case ir::OpKind::Minimum:
      return mesh::Monoid::Min;
    case ir::OpKind::And:
      return mesh::Monoid::And;
    case ir::OpKind::Or:
      return mesh::Monoid::Or;
    case ir::OpKind::Xor:
      return mesh::Monoid::Xor;
    default:
      return mesh::Monoid::None;
  }
}

}  // namespace

tensor::Literal Identity(mesh::Monoid monoid, tensor::DType dtype) {
  switch (monoid) {
    case mesh::Monoid::Product:
      return tensor::Literal::Number(dtype, {}, 1);
    case mesh::Monoid::Min:
      return Extreme(dtype, true);
    case mesh::Monoid::Max:
      return Extreme(dtype, false);
    case mesh::Monoid::And:
      return tensor::Literal::Integer(dtype, {}, dtype == tensor::DType::Pred ? 1 : -1);
    default:
      return tensor::Literal::Number(dtype, {}, 0);
  }
}

ir::OpKind MonoidOp(mesh::Monoid monoid) {
  switch (monoid) {
    case mesh::Monoid::Product:
      return ir::OpKind::Multiply;
    case mesh::Monoid::Min:
      return ir::OpKind::Minimum;
    case mesh::Monoid::Max:
      return ir::OpKind::Maximum;
    case mesh::Monoid::And:
      return ir::OpKind::And;
    case mesh::Monoid::Or:
      return ir::OpKind::Or;
    case mesh::Monoid::Xor:
      return ir::OpKind::Xor;
    default:
      return ir::OpKind::Add;
  }
}

mesh::Monoid RecognizeMonoid(const ir::Module& module, ir::FuncId body, size_t result) {
  const ir::Function& f = module.functions[body];
  size_t n = f.results.size();
  if (f.args.size() != 2 * n || result >= n) {
    return mesh::Monoid::None;
  }
  // Constraints on scalars say nothing.
  ir::ValueId v = f.results[result];
  while (f.values[v].def.valid() && Def(f.insts[f.values[v].def].op).is_constraint) {
    v = f.operands(f.insts[f.values[v].def])[0];
  }
  if (!f.values[v].def.valid()) {
    return mesh::Monoid::None;
  }
  const ir::Inst& inst = f.insts[f.values[v].def];
  auto operands = f.operands(inst);
  if (operands.size() != 2) {
    return mesh::Monoid::None;
  }
  ir::ValueId left = f.args[result], right = f.args[result + n];
  bool matches = (operands[0] == left && operands[1] == right) || (operands[0] == right && operands[1] == left);
  return matches ? MonoidOf(inst.op, module.type(f, left).dtype) : mesh::Monoid::None;
}

}  // namespace spmdc::op
