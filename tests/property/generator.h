// Random programs with random shardings on random meshes: what the generated tests feed the pipeline with.
//
// Everything follows from a seed. Programs are valid by construction; shardings are any that the representation allows:
// uneven dims, sub-axes, size-one axes, permuted device orders, partial sums left to the planner.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diag/engine.h"
#include "ir/module.h"
#include "op/builder.h"

namespace spmdc::property {

// SplitMix64: a small generator whose numbers are the same everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next();
  // In [0, n).
  int64_t Below(int64_t n) { return static_cast<int64_t>(Next() % static_cast<uint64_t>(n)); }
  bool OneIn(int64_t n) { return Below(n) == 0; }
  template <typename T>
  const T& Pick(const std::vector<T>& from) {
    return from[static_cast<size_t>(Below(static_cast<int64_t>(from.size())))];
  }

 private:
  uint64_t state_;
};

class Generator {
 public:
  Generator(uint64_t seed, diag::Engine& diags);
  // One program: entry `main`, mesh set, annotations on arguments, results and constraints.
  ir::Module Make();

 private:
  struct Known {
    ir::ValueId value;
    tensor::Dims dims;
  };

  mesh::Mesh RandomMesh();
  mesh::Sharding RandomSharding(llvm::ArrayRef<int64_t> dims, bool may_be_uneven);
  ir::ValueId AddArg(tensor::DType dtype, llvm::ArrayRef<int64_t> dims);
  void AddRandomInst();
  const Known& PickFloat() { return random_.Pick(floats_); }
  void Keep(ir::ValueId value);
  ir::FuncId Combiner(ir::OpKind kind, tensor::DType dtype);
  ir::ValueId Zero();
  ir::FuncId Body(llvm::ArrayRef<ir::Type> args, llvm::StringRef name,
                  llvm::function_ref<void(op::Builder&, ir::Function&)> fill);
  // A value in the middle of the program with a sharding of its own.
  ir::ValueId Fresh(llvm::ArrayRef<int64_t> dims);
  // The value, now and then behind a constraint.
  ir::ValueId Constrained(ir::ValueId value);
  ir::ValueId ConstrainedIndices(int64_t count, int64_t rows);

  // One for each family.
  void Unary();
  void Binary();
  void Select();
  void Broadcast();
  void Reshape();
  void Transpose();
  void Dot();
  void Reduce();
  void IotaAndConstant();
  void Gather();
  void Scatter();
  void Pieces();
  void Windows();
  void Convolution();
  void Order();
  void ArgMax();
  void Constraint();
  void Barrier();
  void Loop();
  void Branch();

  Random random_;
  diag::Engine& diags_;
  ir::Module module_;
  std::unique_ptr<op::Builder> b_;
  mesh::MeshId mesh_;
  std::vector<int64_t> sizes_;  // the dims of this program are made of these
  std::vector<Known> floats_;
  int64_t names_ = 0;
};

}  // namespace spmdc::property
