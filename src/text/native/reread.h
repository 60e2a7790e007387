// What the reader makes of the calls that the flat writer prints: whether each reads as the instruction it stands for.
#pragma once

#include <string>
#include <vector>

#include "ir/module.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace spmdc::text::native {

// A call of arguments `a0`, `a1`, ... as a definition of the language, and the instruction that it is to be.
struct Reading {
  const ir::Function* function = nullptr;
  const ir::Inst* inst = nullptr;
  std::string params;  // "a0, a1"
  // Statements that make the operands that are constants known, then the call: what is known of an operand decides how
  // some calls are read.
  std::string constants, call;
  // The operands that are parameters of the definition, in order.
  std::vector<ir::ValueId> operands;
};

// Collects the calls of a program and reads them all at once. A call is asked about once, however often it stands there.
class Reread {
 public:
  explicit Reread(const ir::Module& module) : module_(module) {}
  // Whether the call is known to be read otherwise. One that is not known yet is asked about later.
  bool IsOther(Reading reading);
  // Reads what was asked about since, in a file whose first line is `head` and which knows meshes by these names. Whether
  // some call is read otherwise.
  bool Read(llvm::StringRef head, const llvm::DenseMap<mesh::MeshId, std::string>& mesh_names);
  // The program is printed in another way from now on.
  void Forget();

 private:
  bool ReadAll(const std::string& text, const llvm::DenseMap<mesh::MeshId, std::string>& mesh_names,
               bool whole_prelude);

  const ir::Module& module_;
  llvm::StringMap<bool> other_;
  std::vector<std::pair<std::string, Reading>> open_;
};

}  // namespace spmdc::text::native
