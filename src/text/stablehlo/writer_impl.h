// The writer's state; private to writer_*.cc.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "op/op_def.h"
#include "text/stablehlo/names.h"
#include "text/stablehlo/writer.h"

namespace spmdc::text::stablehlo {

class ModuleWriter {
 public:
  explicit ModuleWriter(const ir::Module& m);
  std::string Run();

  // `@f`, the name of a function that is called.
  const std::string& Symbol(ir::FuncId id) const { return symbols_.find(id)->second; }
  // `@mesh`; the mesh is declared.
  std::string MeshSymbol(mesh::MeshId id);
  // `<@mesh, [{"x"}, {}]>`
  std::string ShardingText(mesh::ShardingId id);
  // `#sdy.sharding_per_value<[...]>` of values; empty if none of them has a sharding.
  std::string Shardings(const ir::Function& function, llvm::ArrayRef<ir::ValueId> values);
  // ` loc(#loc3)`, or nothing.
  std::string Location(ir::SourceId id);

  const ir::Module& module;

 private:
  void NameFunctions();
  void OrderFunctions();
  void FindCallees(ir::FuncId id, llvm::DenseSet<ir::FuncId>& found);
  void WriteFunction(ir::FuncId id);
  std::string ArgAttributes(const ir::BoundaryInfo& info, mesh::ShardingId sharding);
  std::string ResultAttributes(const ir::BoundaryInfo& info, mesh::ShardingId sharding);
  std::string Boundary(std::string attributes, const ir::BoundaryInfo& info, mesh::ShardingId sharding);
  std::string ModuleAttributes() const;
  std::string MeshLines() const;

  std::vector<ir::FuncId> top_level_;  // functions that are no regions
  llvm::DenseMap<ir::FuncId, std::string> symbols_;
  NameSet mesh_names_;
  llvm::SetVector<mesh::MeshId> meshes_;  // in order of first use
  llvm::DenseMap<mesh::MeshId, mesh::Mesh> named_mesh_;
  llvm::DenseMap<ir::SourceId, size_t> number_of_source_;
  llvm::StringMap<size_t> number_of_location_;  // by its text
  std::string location_lines_;                  // in order of first use
  std::string text_;
};

// Whether an op's bodies are functions of the module, which it names; else they are regions inside it.
bool NamesFunctions(const ir::Module& module, const ir::Inst& inst);

// Writes the inside of a function or region.
class BlockWriter {
 public:
  BlockWriter(ModuleWriter& module, NameSet& names, ir::FuncId id, int indent);
  // What an argument is called; before Run.
  void Bind(ir::ValueId value, std::string name) { name_of_value_[value] = std::move(name); }
  // A function of scalars has nothing to place: its annotations are left out.
  void LeaveOutShardings() { without_shardings_ = true; }
  // A fresh name for an argument of this block.
  const std::string& NameArg(ir::ValueId value);
  // The ops, and the terminator of this name (`return`, `stablehlo.return`).
  std::string Run(llvm::StringRef terminator);

 private:
  friend class InstPrinter;

  void WriteInst(const ir::Inst& inst);
  std::string CallText(const ir::Inst& inst, const std::string& operands);
  void WriteReturn(llvm::StringRef terminator);
  std::string Binders(const ir::Inst& inst);
  // ` ({ ^bb0(%a: type): ops }, {...})`
  std::string Regions(const ir::Inst& inst);
  std::string Region(const ir::Inst& inst, ir::FuncId body);
  // ` {sdy.sharding = ..., name = text}`, or nothing.
  std::string Annotations(const ir::Inst& inst);
  // How many operands stand in the text: those behind them are captured.
  size_t NumPrintedOperands(const ir::Inst& inst) const;
  std::string Types(llvm::ArrayRef<ir::ValueId> values, bool parentheses) const;
  std::string FunctionType(llvm::ArrayRef<ir::ValueId> operands, const ir::Inst& inst) const;
  llvm::SmallVector<ir::ValueId, 4> Results(const ir::Inst& inst) const;
  const std::string& Name(ir::ValueId value) const { return name_of_value_.find(value)->second; }
  std::string Indent() const { return std::string(static_cast<size_t>(indent_), ' '); }

  ModuleWriter& module_;
  NameSet& names_;
  const ir::Function& function_;
  int indent_;
  bool without_shardings_ = false;
  llvm::DenseMap<ir::ValueId, std::string> name_of_value_;  // with `%`
  std::string text_;
};

}  // namespace spmdc::text::stablehlo
