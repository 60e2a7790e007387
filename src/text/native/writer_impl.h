// The flat writer's state; private to writer*.cc.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"
#include "op/op_def.h"
#include "text/native/reread.h"

namespace spmdc::text::native {

// "(a,)", "(a, b)", "()".
std::string TupleText(llvm::ArrayRef<std::string> parts);
// Whether a word is a keyword of the language; an attribute of that name is written with `_` behind it.
bool IsPythonKeyword(llvm::StringRef word);

// Writes a module once. Bodies are named when something calls them; which ones are is known behind a first pass.
class ModuleWriter {
 public:
  // `exact`: the text begins with `spmdc.flat(1)` and says everything. `called`: the bodies to print; null: all.
  ModuleWriter(const ir::Module& module, bool exact, const llvm::DenseSet<ir::FuncId>* called, Reread& reread);
  std::string Run();
  // Asks the reader about the calls printed by Run(). Whether some of them would be read as something else.
  bool ReadsOther() { return reread_.Read(exact_ ? FlatLine() : "", mesh_names_); }
  // Something could not be said in JAX's words.
  bool needs_exact() const { return needs_exact_; }
  const llvm::DenseSet<ir::FuncId>& called() const { return now_called_; }

 private:
  friend class InstPrinter;
  // A name for a mesh or a function that no other of them has.
  std::string GlobalName(llvm::StringRef wanted);
  void NameMeshes();
  void NameFunctions(ir::FuncId id);
  void LookAtValues();
  std::string FlatLine() const;
  std::string MeshLine(mesh::MeshId id, const std::string& name);
  std::string FunctionText(ir::FuncId id);
  std::string Params(const ir::Function& f, bool entry, const IdMap<ir::ValueId, std::string>& names);
  std::string Line(const ir::Function& f, const ir::Inst& inst, const IdMap<ir::ValueId, std::string>& names,
                   llvm::DenseSet<ir::ValueId>& used);
  std::string Results(const ir::Function& f, bool entry, const IdMap<ir::ValueId, std::string>& names);
  IdMap<ir::ValueId, std::string> ValueNames(const ir::Function& f) const;
  std::string Annotation(const ir::Type& type, const mesh::Sharding* placement, bool weak = false,
                         bool is_argument = false);
  std::string Decorator(const ir::Function& f);
  bool NamesOtherAxes(const ir::Type& type) const;
  // A sharding in Shardy's words as a string of the language: "<@mesh, [{'x', ?}]>".
  std::string SdyString(const mesh::Sharding& sharding) const;
  mesh::Sharding OnProgramMesh(const mesh::Sharding& sharding) const;
  bool IsSaid(const ir::Type& type, const mesh::Sharding& placed, bool is_argument = false) const;
  bool IsNowhere(const mesh::Sharding& sharding) const;
  std::string Donated(const ir::Function& entry);
  std::optional<std::string> SpecText(const mesh::Sharding& sharding) const;
  std::string ShardingText(const mesh::Sharding& sharding);

  const ir::Module& module_;
  bool exact_;
  const llvm::DenseSet<ir::FuncId>* called_;
  Reread& reread_;
  llvm::DenseSet<ir::FuncId> now_called_;
  llvm::DenseMap<ir::FuncId, std::string> function_names_;
  std::vector<ir::FuncId> order_;   // bodies before their users
  ir::NameTable names_;             // of meshes and functions
  llvm::StringSet<> global_names_;  // the same
  llvm::DenseMap<mesh::MeshId, std::string> mesh_names_;
  std::vector<std::pair<mesh::MeshId, std::string>> meshes_;
  bool needs_exact_ = false;
};

// The instruction as a call.
std::string CallText(ModuleWriter& writer, const ir::Function& function, const ir::Inst& inst,
                     const IdMap<ir::ValueId, std::string>& names, llvm::DenseSet<ir::ValueId>& used);

}  // namespace spmdc::text::native
