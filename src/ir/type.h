// Types of values: element type, dims, and the part of the sharding that belongs to the type (JAX's sharding in types).
#pragma once

#include <string>

#include "llvm/ADT/Hashing.h"
#include "mesh/sharding.h"
#include "support/intern.h"
#include "tensor/literal.h"

namespace spmdc::ir {

struct Type {
  tensor::DType dtype = tensor::DType::F32;
  tensor::Dims dims;  // inside manual regions and per-device programs: what one device holds
  // bounded[i]: dim i is `<=dims[i]`. Empty where no dim is bounded.
  llvm::SmallVector<uint8_t, 0> bounded;
  // The axes of type Explicit (and unreduced, reduced, varying sets) that the type names. None where there are none:
  // shardings over Auto axes are never part of a type, nor is a sharding that names no axis.
  mesh::ShardingId sharding;

  size_t rank() const { return dims.size(); }
  bool is_array() const { return dtype != tensor::DType::Token && dtype != tensor::DType::Opaque; }
  int64_t num_elements() const { return tensor::NumElements(dims); }
  int64_t bytes() const { return is_array() ? num_elements() * tensor::ByteWidth(dtype) : 0; }
  friend bool operator==(const Type&, const Type&) = default;
};
llvm::hash_code hash_value(const Type& type);

inline Type ArrayType(tensor::DType dtype, llvm::ArrayRef<int64_t> dims, mesh::ShardingId sharding = {}) {
  Type type;
  type.dtype = dtype;
  type.dims.assign(dims.begin(), dims.end());
  type.sharding = sharding;
  return type;
}

using TypeId = Id<struct TypeTag>;

}  // namespace spmdc::ir
