// A small program to build, evaluate as it stands, and run device by device after partitioning.
#pragma once

#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "diag/engine.h"
#include "llvm/ADT/StringRef.h"
#include "op/builder.h"
#include "op/op_def.h"
#include "ops/collective_eval.h"

namespace spmdc::ops::test {

using Values = llvm::SmallVector<tensor::Literal, 2>;

// The results of a function on arguments; of a global program, or of one device's part without collectives.
Values Evaluate(const ir::Module& module, ir::FuncId function, llvm::ArrayRef<tensor::Literal> args,
                int64_t device = 0);

// The results of every device of a per-device program, given every device's arguments. Devices go in step.
std::vector<Values> EvaluateDevices(const ir::Module& module, const std::vector<Values>& args);

class Bench {
 public:
  explicit Bench(llvm::ArrayRef<std::pair<llvm::StringRef, int64_t>> axes = {}) : Bench(MakeMesh(axes)) {}
  explicit Bench(mesh::Mesh mesh);

  static mesh::Mesh MakeMesh(llvm::ArrayRef<std::pair<llvm::StringRef, int64_t>> axes);
  // A sharding by axis names: one entry per dim, names joined by commas ("", "x", "x,y", "x:(1)2").
  mesh::Sharding Sharded(llvm::ArrayRef<llvm::StringRef> dims, llvm::StringRef unreduced = "",
                         mesh::Monoid kind = mesh::Monoid::Sum);
  mesh::AxisList Axes(llvm::StringRef names);

  ir::ValueId Arg(tensor::DType dtype, llvm::ArrayRef<int64_t> dims);
  ir::ValueId Arg(tensor::DType dtype, llvm::ArrayRef<int64_t> dims, const mesh::Sharding& sharding) {
    return Place(Arg(dtype, dims), sharding);
  }
  // An argument whose type names Explicit axes.
  ir::ValueId TypedArg(tensor::DType dtype, llvm::ArrayRef<int64_t> dims, const mesh::Sharding& sharding);
  ir::ValueId Place(ir::ValueId v, const mesh::Sharding& sharding);
  template <typename T>
  ir::ValueId Add(ir::OpKind op, llvm::ArrayRef<ir::ValueId> operands, T attrs,
                  llvm::ArrayRef<ir::FuncId> bodies = {}) {
    return builder.Add1(op, operands, builder.Attrs(std::move(attrs)), bodies);
  }
  // A body (a, b) -> op(a, b), or -> b where op is Opaque.
  ir::FuncId Body(ir::OpKind op, tensor::DType dtype);
  void Result(ir::ValueId v) {
    function().results.push_back(v);
    function().result_info.emplace_back();
  }

  // `f32[8,4]` of a value; the first diagnostic where there is none.
  std::string Show(ir::ValueId v) const;
  std::string FirstError() const;
  ir::Function& function() { return module.functions[main]; }
  const ir::Function& function() const { return module.functions[main]; }

  std::shared_ptr<ir::Tables> tables = std::make_shared<ir::Tables>();
  source::SourceManager sources;
  diag::Engine diags{&sources};
  ir::Module module{tables};
  ir::FuncId main;
  mesh::MeshId mesh_id;
  op::Builder builder;
};

// Whole numbers in [low, high], as the element type.
tensor::Literal Random(std::mt19937& random, tensor::DType dtype, llvm::ArrayRef<int64_t> dims, int64_t low,
                       int64_t high);

// What a device holds of an array, its block's padding full of 99.
tensor::Literal Shard(const mesh::Mesh& mesh, const mesh::Sharding& sharding, const tensor::Literal& whole,
                      int64_t position);

// Partitions the bench's program, runs it on all devices with blocks of `args`, and compares every device's blocks of the
// results with the program's own. Returns what is wrong, or nothing.
std::string ComparePartitioned(Bench& bench, llvm::ArrayRef<tensor::Literal> args);

}  // namespace spmdc::ops::test
