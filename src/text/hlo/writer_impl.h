// The writer's state; private to writer_*.cc.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "op/op_def.h"
#include "text/hlo/layout.h"
#include "text/hlo/names.h"
#include "text/hlo/writer.h"

namespace spmdc::text::hlo {

// How a function's arguments and results cross its edge.
enum class Edge : uint8_t {
  Plain,   // one parameter an argument; the result itself, or a tuple of several
  Tupled,  // one tuple of all arguments (bodies of loops and branches)
};

// How arrays are nested in the tuples of an operand or result.
struct TupleTree {
  bool is_tuple = false;
  std::vector<TupleTree> elements;
  size_t num_leaves() const;
};

// Appends `a, b, ..., /*index=5*/f`: long lists count their elements, as XLA's do.
template <typename Text>
void AppendCounted(llvm::ArrayRef<Text> list, std::string& out) {
  for (size_t i = 0; i < list.size(); ++i) {
    out += i == 0 ? "" : ", ";
    if (i > 0 && i % 5 == 0) {
      out += "/*index=" + std::to_string(i) + "*/";
    }
    out += list[i];
  }
}
// `(f32[8]{0}, /*index=5*/...)`
std::string TupleShape(llvm::ArrayRef<std::string> shapes);

// Whether the user says of any result where it is to be.
bool AnyResultIsWanted(const ir::Function& function);

class ModuleWriter {
 public:
  ModuleWriter(const ir::Module& m, const WriteOptions& o);
  std::string Run();

  // The name of a body's computation, which is written on the first call; without a user the entry.
  std::string Computation(ir::FuncId id, const ir::Function* user_function = nullptr, const ir::Inst* user = nullptr);
  // An empty layout is the usual one.
  std::string ShapeOf(const ir::Type& type, llvm::StringRef layout = "") const;
  // `f32[8,4]{1,0}`. The text of an interned type lives as long as the writer.
  llvm::StringRef ShapeOf(ir::TypeId type);
  // The text, kept as long as the writer lives.
  llvm::StringRef Keep(llvm::StringRef made) { return kept_.insert(made).first->getKey(); }
  // One type, or the tuple of several.
  std::string ShapeOf(llvm::ArrayRef<ir::Type> types, bool always_tuple = false) const;
  // The frontend attribute that carries shardings in Shardy's form, `xla.sdy.sharding="..."`, or `xla.sdy.KEY="..."`; empty
  // where none of them is valid.
  std::string SdyAttribute(llvm::ArrayRef<mesh::ShardingId> ids, llvm::ArrayRef<ir::Type> types, bool per_value,
                           llvm::StringRef key = "sharding");
  // Whether shardings are carried in Shardy's form: tile lists have no word for manual regions, open dims,
  // priorities, and XLA none for unreduced axes among them.
  bool uses_sdy() const { return uses_sdy_ || both_forms_; }
  // Tile lists stand beside Shardy's form, as XLA writes both.
  bool uses_tiles() const { return !uses_sdy_ || both_forms_; }
  bool results_have_both_forms() const { return both_forms_ && SideText(module, module.side, kBothForms) == "results"; }
  // Whether the entry, which has one result, returns a tuple of it.
  bool returns_tuple_of_one() const { return tuple_of_one_; }
  // Whether the module says what the frames of instructions are.
  bool has_stack_tables() const { return !stack_tables_.empty(); }
  // `sharding={...}` without the name; empty for none.
  std::string ShardingText(mesh::ShardingId id, llvm::ArrayRef<mesh::AxisRef> manual) const;

  const ir::Module& module;
  const WriteOptions& options;
  NameSet computation_names;
  std::string text;  // computations written so far

 private:
  bool NeedsSdy() const;
  // `open_has_a_word`: a constraint says its open dims in its backend_config.
  bool NeedsSdy(mesh::ShardingId id, bool open_has_a_word) const;
  const mesh::Mesh& NamedMesh(mesh::MeshId id);
  std::string SdyMeshes() const;
  std::string FreeResults(const ir::Function& entry) const;
  std::string KeptHeader(const ir::Function& entry) const;
  std::string Donors(const ir::Function& entry) const;
  std::string Header(llvm::StringRef entry_name) const;
  std::string Aliases(const ir::Function& entry) const;
  // The computation of a monoid's body: `add.f32`; empty if the body is none.
  std::string MonoidText(ir::FuncId id, std::string& name) const;

  bool uses_sdy_ = false;
  bool both_forms_ = false;
  llvm::StringRef stack_tables_;
  bool tuple_of_one_ = false;
  llvm::MapVector<mesh::MeshId, mesh::Mesh> named_meshes_;  // with names of their own, in order of use
  NameSet mesh_names_;
  // A template of our own build: LLVM's string savers allocate inside its library, which the address sanitizer, blind
  // there, takes for writes to memory that was never allocated.
  llvm::StringSet<llvm::BumpPtrAllocator> kept_;
  std::vector<llvm::StringRef> shape_of_type_;  // by id; empty until it is asked for
  llvm::DenseMap<ir::FuncId, std::string> name_of_function_;
  llvm::StringMap<std::string> name_of_text_;  // of functions of scalars: equal ones are written once
};

// Writes the inside of one computation.
class ComputationWriter {
 public:
  ComputationWriter(ModuleWriter& module, ir::FuncId id, Edge edge, bool is_entry);
  // For loops: arguments from here on (the captured ones) are returned behind the results.
  void PassThrough(size_t first) { pass_through_ = first; }
  // The lines between the braces.
  std::string Run();

 private:
  friend class InstPrinter;

  void FindUsed();
  void WriteParameters();
  void WriteParameter(size_t i);
  void WriteInst(const ir::Inst& inst);
  void WriteSingle(const ir::Inst& inst, llvm::ArrayRef<llvm::StringRef> operands);
  void WriteSeveral(const ir::Inst& inst, llvm::ArrayRef<llvm::StringRef> operands);
  void WriteWhile(const ir::Inst& inst);
  void WriteManual(const ir::Inst& inst);
  void WriteGroup(const ir::Inst& inst, int64_t group);
  // Writes an unknown op with nested tuples; false if it has none. The functions behind take leaves off the front.
  bool WriteNested(const ir::Inst& inst);
  std::string TreeShape(const TupleTree& tree, llvm::ArrayRef<ir::ValueId>& leaves) const;
  llvm::StringRef TreeOperand(const TupleTree& tree, llvm::ArrayRef<ir::ValueId>& leaves);
  void TreeElements(const TupleTree& tree, llvm::StringRef name, llvm::ArrayRef<ir::ValueId>& leaves);
  // `name = (types) opcode(operands)text`, and the elements' names where there are several.
  llvm::SmallVector<llvm::StringRef, 4> WriteSplit(llvm::StringRef name, llvm::ArrayRef<ir::Type> types,
                                                   llvm::StringRef opcode, llvm::ArrayRef<llvm::StringRef> operands,
                                                   llvm::StringRef text);
  llvm::StringRef WriteWanted(size_t result);
  // `, sharding={...}` of values, or what stands for it in Shardy's form is added to `frontend`.
  std::string Placement(llvm::ArrayRef<mesh::ShardingId> ids, llvm::ArrayRef<ir::Type> types, bool per_value,
                        std::string& frontend) const;
  void WriteRoot();
  // The names of the operands, after what HLO needs spelled out: stretched broadcasts, scalars that stand for arrays.
  llvm::SmallVector<llvm::StringRef, 4> PrepareOperands(const ir::Inst& inst);
  llvm::StringRef WriteHelper(llvm::StringRef opcode, const ir::Type& type, llvm::StringRef operand,
                              llvm::StringRef attributes);
  // `name = shape opcode(operands)...` with the op's attributes and all that follows them.
  void WriteLine(const ir::Inst& inst, llvm::StringRef name, llvm::StringRef shape,
                 llvm::ArrayRef<llvm::StringRef> operands, bool root);
  // The tuple of some values; `names` are what they are called here.
  llvm::StringRef WriteTuple(llvm::ArrayRef<llvm::StringRef> names, llvm::ArrayRef<ir::ValueId> values, bool root);
  std::string TupleOf(llvm::ArrayRef<ir::ValueId> values, bool as_results = false) const;
  void WriteElement(ir::ValueId value, llvm::StringRef of, size_t index);
  // `[  ROOT ]name = shape opcode(`
  void WriteHead(bool root, llvm::StringRef name, llvm::StringRef shape, llvm::StringRef opcode);
  void WriteTrailer(const ir::Inst& inst);
  // `, metadata={...}`; nothing where neither a place nor a name is known.
  void WriteMetadata(ir::SourceId id, llvm::StringRef fallback_name, llvm::StringRef others = "");
  std::string SharedBase(const ir::Inst& inst) const;
  bool IsRootValue(ir::ValueId value) const;
  bool RootIsCopy() const;
  bool Used(ir::ValueId value) const { return used_[static_cast<size_t>(value.index)]; }
  // A fresh instruction name in XLA's spelling, `%add.1`.
  llvm::StringRef TakeName(llvm::StringRef wanted) { return names_.Take(wanted); }
  llvm::StringRef NameOf(ir::ValueId value) const { return name_of_value_[static_cast<size_t>(value.index)]; }
  llvm::StringRef ShapeOf(ir::ValueId value) const;
  const ir::Type& type(ir::ValueId value) const { return module_.module.type(function_, value); }
  llvm::SmallVector<ir::Type, 4> TypesOf(llvm::ArrayRef<ir::ValueId> values) const;

  ModuleWriter& module_;
  ir::FuncId id_;
  const ir::Function& function_;
  Edge edge_;
  bool is_entry_;
  size_t pass_through_ = SIZE_MAX;
  bool root_copy_ = false;
  std::string attributes_;  // of the line being written, instead of what the op's hook prints
  NameSet names_;
  std::vector<llvm::StringRef> name_of_value_;  // by id, as used_
  std::vector<bool> used_;
  llvm::DenseMap<ir::ValueId, llvm::StringRef> tuple_names_;  // first result -> the tuple that all results are in
  std::string text_;
};

}  // namespace spmdc::text::hlo
