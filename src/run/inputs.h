// Arguments of a run: from NumPy files, and seeded random ones for the rest.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "diag/engine.h"
#include "ir/module.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorOr.h"
#include "run/run.h"

namespace spmdc::run {

// Random arguments, the same for the same types, seed and uses of the arguments, on every machine.
//   floats    multiples of a power of two in a small range around 0, which every float type holds exactly and whose products
//             add up exactly in f32; the range shrinks with the second last dim, as initializers of weights do, so that
//             values stay moderate through many layers; scalars are positive
//   integers  from 0 up, in range of every dim that they index (as far as can be seen); scalars from 1
//   pred      either
Inputs RandomInputs(const ir::Module& global, uint64_t seed);

// Of a float argument: its elements are -8..8 of these. With n = the second last dim they are about 1/sqrt(n) across.
double StepOf(const ir::Type& type);

// How whole files are read and written; writing makes missing folders.
using ReadFile = llvm::function_ref<llvm::ErrorOr<std::string>(llvm::StringRef path)>;
using WriteFile = llvm::function_ref<std::error_code(llvm::StringRef path, llvm::StringRef bytes)>;

// What the command line says about inputs.
struct InputFiles {
  std::vector<std::pair<std::string, std::string>> named;  // argument (name or number) and .npy file
  std::string archive;  // .npz: members named as arguments, or arg0, arg1, ...; or empty
};
// Replaces arguments by those of the files, and clears their marks in `random`. False after a diagnostic: a file cannot be
// read, names no argument, or has another type than the argument.
bool ReadInputs(const ir::Module& global, const InputFiles& files, ReadFile read, Inputs& inputs,
                std::vector<char>& random, diag::Engine& diags);

// Writes out0.npy, out1.npy, ... to a directory. False after a diagnostic.
bool SaveResults(llvm::StringRef directory, llvm::ArrayRef<tensor::Literal> results, WriteFile write,
                 diag::Engine& diags);

}  // namespace spmdc::run
