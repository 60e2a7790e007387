// Evaluation of one instruction on host arrays: what an op's `eval` is handed. It is for reading and for truth, not for
// speed. The same code evaluates the global program and a device's part of a per-device program.
#pragma once

#include <functional>

#include "ir/module.h"
#include "tensor/literal.h"

namespace spmdc::op {

class EvalContext {
 public:
  // Runs a body on arguments; only ops whose bodies hold no collectives call it (reductions, sorts, scatters).
  using CallBody = std::function<llvm::SmallVector<tensor::Literal, 2>(ir::FuncId, llvm::ArrayRef<tensor::Literal>)>;

  EvalContext(const ir::Module& m, const ir::Function& f, const ir::Inst& i,
              llvm::ArrayRef<const tensor::Literal*> values, int64_t partition, CallBody call_body)
      : module(m), function(f), inst(i), operands(values), device(partition), call(std::move(call_body)) {}

  const ir::Module& module;
  const ir::Function& function;
  const ir::Inst& inst;
  llvm::ArrayRef<const tensor::Literal*> operands;  // dense
  int64_t device;                                   // partition id; 0 for a global program
  CallBody call;
  llvm::SmallVector<tensor::Literal, 2> results;  // filled by eval, dense, of the result types
  std::string why;                                // filled by an eval that cannot, if there is more to say

  template <typename T>
  const T& attrs() const {
    return module.attrs<T>(inst);
  }
  const tensor::Literal& operand(size_t i) const { return *operands[i]; }
  const ir::Type& result_type(size_t i = 0) const { return module.type(function, function.result(inst, i)); }
  // Where the run is in a wider element type than the program says (the tolerance measure), result types are wider too:
  // the element type to compute with, given the one in the program.
  bool widened = false;
  tensor::DType dtype(tensor::DType program) const { return widened ? tensor::Wider(program) : program; }
};

// The monoid's identity in an element type; And/Or/Xor are bitwise on integers, logical on pred.
tensor::Literal Identity(mesh::Monoid monoid, tensor::DType dtype);
// The op that combines two values in a monoid.
ir::OpKind MonoidOp(mesh::Monoid monoid);
// The monoid that a reduction body computes for result i: a body whose result i is one binary op of its two arguments i
// and i+n in either order. None if it is no known one.
mesh::Monoid RecognizeMonoid(const ir::Module& module, ir::FuncId body, size_t result);

}  // namespace spmdc::op
