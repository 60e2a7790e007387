// NumPy's array files: .npy (one array) and .npz (a zip of them, stored or deflated).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "tensor/literal.h"

namespace spmdc::run {

// Nothing, with what is wrong.
std::nullopt_t Unreadable(std::string& error, std::string message);

struct NamedArray {
  std::string name;   // of the zip's member, without ".npy"
  std::string bytes;  // a .npy file
};

// The array of a .npy file. NumPy has no names for bf16 and the narrow floats: they come as raw bytes (V2, V1) or unsigned
// integers of their width, and `expected` says what they are. Arrays of other element types than expected are given as
// they are. Nothing, with `error`, if the bytes are no such file.
std::optional<tensor::Literal> ReadNpy(llvm::StringRef bytes, tensor::DType expected, std::string& error);
// A .npy file of version 1.0. bf16 is written as V2, narrow floats as u1.
std::string WriteNpy(const tensor::Literal& literal);
// The members of a .npz file, in its order.
std::optional<std::vector<NamedArray>> ReadNpz(llvm::StringRef bytes, std::string& error);

}  // namespace spmdc::run
