// The reader's state; private to reader_*.cc.
//
// The text is first taken apart into computations and lines (reader_parse.cc), since a line may name any computation; then
// the entry is built, and what it names (reader_build.cc).
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Allocator.h"
#include "mesh/hlo_sharding.h"
#include "op/op_def.h"
#include "ops/control.h"
#include "ops/device_numbering.h"
#include "support/text_hash.h"
#include "text/hlo/fields.h"
#include "text/hlo/lexer.h"
#include "text/hlo/reader.h"

namespace spmdc::text::hlo {

// Behind so many errors the rest of the text is not looked at.
inline constexpr size_t kEnoughErrors = 100;

// What the text is taken apart into is plain data in the reader's memory: there is one instruction for every hundred bytes.

// A type, or a tuple of shapes.
struct Shape {
  bool is_tuple = false;
  bool has_layouts = false;  // a leaf has one that is not the usual one
  ir::TypeId leaf;
  llvm::StringRef layout;  // of a leaf, with its braces; empty for the usual one
  llvm::ArrayRef<Shape> elements;
  size_t num_leaves() const { return is_tuple ? CountLeaves() : 1; }
  void Leaves(llvm::SmallVectorImpl<ir::TypeId>& out) const;
  // Of all leaves, each with `;` behind it.
  std::string Layouts() const;

 private:
  size_t CountLeaves() const;
};

struct RawAttr {
  llvm::StringRef name;
  llvm::StringRef value;
};

struct RawOperand {
  llvm::StringRef name;
  int32_t inst = -1;  // which instruction of the computation is called so; none: -1
};

struct RawInst {
  llvm::StringRef name;
  Shape shape;
  llvm::StringRef opcode;
  const op::OpDef* def = nullptr;  // of the opcode; null for those that this tool has no kind for
  llvm::StringRef operand_text;    // in the parentheses
  llvm::MutableArrayRef<RawOperand> operands;
  llvm::ArrayRef<RawAttr> attrs;
  bool is_root = false;

  const RawAttr* Find(llvm::StringRef attr) const {
    for (const RawAttr& candidate : attrs) {
      if (candidate.name == attr) {
        return &candidate;
      }
    }
    return nullptr;
  }
};
static_assert(std::is_trivially_copyable_v<RawInst>, "vectors of instructions grow by copying bytes");

struct RawComputation {
  llvm::StringRef name;
  bool is_entry = false;
  std::vector<RawInst> insts;
  // By name, while the computation is read.
  llvm::DenseMap<llvm::StringRef, int32_t, TextKeyInfo> index;
  bool names_unknown = false;  // an operand that is not defined above it

  // The instruction that an operand names; null if there is none.
  const RawInst* Definition(const RawOperand& operand) const {
    return operand.inst < 0 ? nullptr : &insts[static_cast<size_t>(operand.inst)];
  }
};

// The value of a key of `{key="value",...}`, with its quotes; empty if it is not there.
llvm::StringRef FrontendAttribute(llvm::StringRef text, llvm::StringRef key);

using ops::Numbering;
// What the numbers in the groups and pairs of a collective count.
Numbering NumberingOf(const RawInst& raw);
// `{{0,1},{1,0}}`
std::optional<std::vector<tensor::Dims>> ParsePairs(llvm::StringRef text);

// Attributes that an op has asked for: a few literals, found by going through them.
class AskedNames {
 public:
  void insert(llvm::StringRef name) { names_.push_back(name); }
  bool contains(llvm::StringRef name) const { return llvm::is_contained(names_, name); }
  void clear() { names_.clear(); }

 private:
  llvm::SmallVector<llvm::StringRef, 8> names_;
};

class Builder;
class InstReader;

// Functions return false, or nothing, after a diagnostic.
class Reader {
 public:
  Reader(source::FileId file, diag::Engine& diags, const ReadOptions& options);
  std::optional<ir::Module> Run();

 private:
  friend class Builder;
  friend class InstReader;

  source::Span SpanOf(llvm::StringRef piece) const;
  bool Fail(diag::Kind kind, llvm::StringRef at, std::string message);
  bool FailExpected(const std::string& what);
  bool FailOpcode(llvm::StringRef opcode);
  bool Expect(llvm::StringRef token);

  // reader_fragment.cc
  bool AtInstruction();
  bool AtComputation();
  bool ReadFragment();
  bool AddParameters(RawComputation& computation);
  std::optional<Shape> GuessOperand(const RawInst& inst, size_t operand, llvm::StringRef text);
  void AddCombiners(const RawComputation& computation);
  std::unique_ptr<RawComputation> MakeCombiner(llvm::StringRef name, ir::TypeId array, const op::OpDef& def);
  // reader_parse.cc
  bool ReadModule();
  bool ReadHeader();
  void ReadTables();
  bool ReadComputation();
  bool ReadInst(RawComputation& computation);
  bool ReadDefinition(RawInst& inst, RawComputation& computation);
  void Link(RawComputation& computation) const;
  bool TakeNames(RawInst& inst, RawComputation& computation);
  bool ReadOperands(RawInst& inst, RawComputation& computation);
  const op::OpDef* DefOf(llvm::StringRef opcode);
  bool ReadAttrs(llvm::SmallVectorImpl<RawAttr>& attrs);
  std::optional<Shape> ReadShape(int depth = 0);
  bool ReadLeafShape(Shape& shape);
  bool ReadLayout(Shape& shape);
  std::optional<ir::TypeId> ReadType();
  // A list that lives as long as the reader.
  template <typename T>
  llvm::MutableArrayRef<T> Keep(llvm::ArrayRef<T> list) {
    T* kept = memory_.Allocate<T>(list.size());
    std::uninitialized_copy(list.begin(), list.end(), kept);
    return {kept, list.size()};
  }
  void Recover();
  void RecoverInst(size_t start);

  // reader_module.cc
  bool BuildModule();
  bool ChooseEntry();
  void CollectShardings();
  void FreeBoundaries(ir::Function& entry);
  bool ReadAliases(ir::Function& entry);
  void KeepHeader(const ir::Function& entry);
  bool ReadDonors(ir::Function& entry);
  bool ReadEntryLayouts(ir::Function& entry);
  void KeepLayouts(const ir::Function& function, const Shape& shapes, llvm::ArrayRef<ir::ValueId> values,
                   std::vector<ir::BoundaryInfo>& infos, llvm::StringRef name);
  // Side data with one more entry.
  ir::SideId WithSide(ir::SideId side, llvm::StringRef name, std::string text);
  bool IsPerDevice(const RawComputation& entry) const;
  std::optional<mesh::ShardingId> ShardingOf(const mesh::TileSharding& leaf, size_t rank, llvm::StringRef at);
  // The shardings of all leaves of a value: one each, or one for all.
  bool Shardings(llvm::StringRef text, llvm::ArrayRef<ir::TypeId> leaves, llvm::SmallVectorImpl<mesh::ShardingId>& out);
  // reader_limits.cc
  bool CheckExpansion(const RawComputation& entry);
  // reader_groups.cc
  bool CountDevices();
  int64_t CountOf(Numbering numbering) const;
  void AppendDevices(llvm::ArrayRef<int64_t> numbers, Numbering numbering,
                     std::vector<llvm::SmallVector<int64_t, 8>>& lists) const;
  // As they are written, checked against the counts; of devices, every one in its group.
  std::optional<llvm::SmallVector<llvm::SmallVector<int64_t, 8>, 8>> WrittenGroups(const RawInst& raw);
  std::optional<std::vector<llvm::SmallVector<int64_t, 8>>> DeviceGroups(const RawInst& raw);
  // The same, as axes of a mesh where they are; null after a diagnostic. It lives until the next call.
  const op::Groups* GroupsOf(const RawInst& raw);
  std::optional<std::vector<tensor::Dims>> DevicePairs(const RawInst& raw);
  int64_t ChannelOf(const RawInst& raw);
  // reader_sdy.cc
  bool ReadSdyMeshes();
  bool ReadTupleShardings(ir::Function& entry);
  bool SdyShardings(llvm::StringRef value, size_t num_leaves, llvm::SmallVectorImpl<mesh::ShardingId>& out);
  // The shardings of an instruction's leaves, in whatever form it carries them; none if it has none.
  bool AnnotationOf(const RawInst& raw, llvm::ArrayRef<ir::TypeId> leaves,
                    llvm::SmallVectorImpl<mesh::ShardingId>& out);
  // reader_metadata.cc
  ir::SourceId SourceOf(llvm::StringRef metadata);
  void ReadStackTables(llvm::StringRef text);
  ir::CauseId GeneratedCause();

  source::FileId file_;
  diag::Engine& diags_;
  ReadOptions options_;
  Lexer lex_;
  ir::Module module_;
  llvm::BumpPtrAllocator memory_;
  llvm::DenseMap<llvm::StringRef, ir::TypeId, TextKeyInfo> type_of_text_;
  llvm::DenseMap<llvm::StringRef, const op::OpDef*, TextKeyInfo> def_of_opcode_;  // of those that were asked for
  std::vector<std::string> usual_layouts_;                                        // by rank
  // What instructions say but for the names of their operands (reader_inst.cc), and the attributes that the op made of it.
  struct KnownAttrs {
    ir::AttrsId attrs;
    AskedNames asked;
  };
  llvm::DenseMap<llvm::StringRef, std::unique_ptr<KnownAttrs>, TextKeyInfo> known_attrs_;
  llvm::DenseMap<std::pair<llvm::StringRef, size_t>, mesh::ShardingId> sharding_of_text_;  // with the rank of the value
  llvm::SmallVector<RawAttr, 4> header_;
  std::vector<std::unique_ptr<RawComputation>> computations_;
  llvm::StringMap<RawComputation*> computation_of_name_;
  RawComputation* entry_ = nullptr;
  llvm::StringMap<ir::FuncId> called_;  // functions that `call` names: built once
  llvm::StringMap<int> function_names_;
  llvm::SmallVector<const RawComputation*, 8> building_;  // the entry, what it names, and so on
  llvm::DenseSet<const RawComputation*> refused_;         // told what is wrong with them
  bool truncated_told_ = false;
  bool is_fragment_ = false;  // instructions without a computation
  int64_t num_replicas_ = 1, num_partitions_ = 1;
  int64_t last_channel_ = 0;
  // Groups by their text and what its numbers count, for as many meshes as there are: programs repeat few of them.
  llvm::DenseMap<std::pair<llvm::StringRef, int>, op::Groups> groups_of_text_;
  size_t meshes_of_groups_ = 0;
  std::deque<std::string> made_texts_;  // pieces of text that a fragment leaves out
  llvm::StringMap<mesh::MeshId> sdy_meshes_;
  llvm::DenseMap<llvm::StringRef, ir::SourceId, TextKeyInfo> source_of_text_;
  llvm::DenseMap<llvm::StringRef, std::string, TextKeyInfo> other_metadata_;  // what a text says besides
  llvm::StringRef stack_tables_;  // all of them as they stand; empty where there are none
  // Stack frames: where the numbers of metadata point. Indices are the text's, from 1.
  std::vector<std::string> file_names_, frame_functions_;
  struct Location {
    size_t file = 0, function = 0;
    int64_t line = 0, column = 0;
  };
  std::vector<Location> locations_;
  std::vector<size_t> frames_;  // frame -> location
};

// Builds one function of a computation.
class Builder {
 public:
  // `manual_axes`: of the manual regions that the computation is in. `applied`: it is a function of scalars.
  Builder(Reader& reader, const RawComputation& from, ir::FuncId enclosing, mesh::AxisList manual_axes,
          bool applied = false);
  // The finished function's id. `use` names the computation: where to tell that it should not.
  std::optional<ir::FuncId> Run(llvm::StringRef use);

 private:
  friend class InstReader;
  using Values = llvm::SmallVector<ir::ValueId, 2>;

  void NameElements();
  bool BuildParameters();
  bool BuildInst(const RawInst& raw);
  bool UsesRefused(const RawInst& raw) const;
  bool BuildElement(const RawInst& raw);
  bool BuildOp(const RawInst& raw, const op::OpDef& def);
  ir::FuncId InPrecisionOf(ir::ValueId operand, ir::FuncId body_id);
  bool ReadAttrsOf(const RawInst& raw, const op::OpDef& def, InstReader& reader, ir::AttrsId& attrs);
  llvm::StringRef FormOf(const RawInst& raw, const op::OpDef& def, llvm::ArrayRef<ir::ValueId> operands,
                         llvm::ArrayRef<ir::TypeId> results);
  bool IsAnnotated(const RawInst& raw) const;
  bool IsValueOfItsOwn(const RawInst& copy) const;
  bool BuildOwnCopy(const RawInst& raw);
  std::optional<std::string> NumberBodies(const RawInst& raw, const RawAttr& attr,
                                          llvm::SmallVectorImpl<ir::FuncId>& bodies);
  bool BuildOpaque(const RawInst& raw);
  std::string TupleStructure(const RawInst& raw) const;
  bool BuildWhile(const RawInst& raw, const op::OpDef& def);
  bool BuildBranches(const RawInst& raw, const op::OpDef& def);
  bool BuildCall(const RawInst& raw, const op::OpDef& def);
  bool BuildConstraint(const RawInst& raw);
  std::optional<int64_t> ShardGroup(llvm::StringRef sharding) const;
  bool BuildSdyGroup(const RawInst& raw);
  bool BuildBarrier(const RawInst& raw);
  bool BuildGroup(const RawInst& raw, int64_t group, llvm::StringRef form);
  bool OpenDims(llvm::StringRef config, mesh::ShardingId& id);
  // reader_manual.cc
  struct ManualRegion {
    const RawInst* in = nullptr;  // null: the region has no operands
    const RawInst* call = nullptr;
  };
  void FindManualRegions();
  const RawInst* SourceOfOperand(RawOperand operand) const;
  bool IsInsideManual(const RawInst& raw) const;
  bool ReadManualAxes(const RawInst& raw, llvm::StringRef text, ops::ManualComputationAttrs& attrs);
  bool BuildManual(const RawInst& out, const ManualRegion& region);
  bool BuildResultSharding(const RawInst& raw);
  llvm::StringRef SourceOfElement(const RawInst& raw) const;
  bool BuildRoot(const RawInst& raw);
  int32_t NumberOf(const RawInst& raw) const { return static_cast<int32_t>(&raw - from_.insts.data()); }
  void SetLeaves(const RawInst& raw, llvm::ArrayRef<ir::ValueId> values);
  llvm::ArrayRef<ir::ValueId> LeavesOf(const RawInst& raw) const;
  // The leaves of all operands.
  bool Operands(const RawInst& raw, Values& values);
  bool OperandLeaves(const RawInst& raw, size_t i, Values& values);
  std::optional<ir::FuncId> Body(const RawInst& raw, llvm::StringRef attr);
  std::optional<ir::FuncId> BodyNamed(const RawInst& raw, llvm::StringRef name);
  ir::Value NewValue(const RawInst& raw, size_t leaf, ir::TypeId type);
  bool Append(const RawInst& raw, ir::Inst inst, llvm::ArrayRef<ir::ValueId> operands,
              llvm::ArrayRef<ir::FuncId> bodies, llvm::ArrayRef<ir::TypeId> result_types);
  // Sharding, metadata, causes, and what nobody asked for.
  bool Annotate(const RawInst& raw, ir::Inst& inst, llvm::MutableArrayRef<ir::Value> results, const AskedNames& asked);
  // An instruction of one result that stands for a part of `raw`, and a value for it called `raw.suffix`.
  ir::ValueId AddMade(const RawInst& raw, ir::Inst inst, llvm::ArrayRef<ir::ValueId> operands, ir::Value result);
  std::string FreshName(const std::string& stem);
  ir::Value PartOf(const RawInst& raw, llvm::StringRef suffix, ir::TypeId type);
  // reader_groups.cc
  bool BuildReplicaOrPartition(const RawInst& raw);
  bool BuildTupleAllToAll(const RawInst& raw);
  void ExchangeRows(const RawInst& raw, const Values& operands, ir::TypeId type,
                    std::vector<llvm::SmallVector<int64_t, 8>> groups);
  // reader_control.cc
  size_t CountCarried(const RawInst& raw, ir::FuncId step_id);
  ir::ValueId BranchIndex(const RawInst& raw, ir::ValueId value);
  bool BranchBodies(const RawInst& raw, llvm::SmallVectorImpl<ir::FuncId>& bodies);
  bool ShareOperands(const RawInst& raw, llvm::ArrayRef<ir::FuncId> bodies, llvm::ArrayRef<Values> own,
                     Values& operands);
  void CollectUses();
  bool IsElementUsed(const RawInst& raw, size_t element);

  Reader& reader_;
  const RawComputation& from_;
  const bool applied_;
  ir::Function function_;
  ir::FuncId id_;
  // The values that each instruction stands for, by its number: a range of leaves_.
  struct Leaves {
    uint32_t first = 0, count = 0;
    bool known = false;
  };
  std::vector<Leaves> leaves_of_;
  std::vector<ir::ValueId> leaves_;
  // Which elements of tuples are used, by instruction and element; kWhole where the tuple itself is. Collected when the first
  // loop asks.
  static constexpr size_t kWhole = SIZE_MAX - 2;
  llvm::DenseSet<std::pair<int32_t, size_t>> used_elements_;
  // Base instruction and leaf -> the name of the get-tuple-element that takes it out.
  llvm::DenseMap<std::pair<const RawInst*, size_t>, llvm::StringRef> element_names_;
  // Names that are taken, collected when the first one has to be made.
  llvm::DenseSet<llvm::StringRef> used_names_;
  llvm::DenseMap<const RawInst*, ManualRegion> manual_;  // by the instruction that ends a region
  llvm::DenseSet<const RawInst*> inside_manual_;
  llvm::DenseSet<llvm::StringRef> refused_;  // instructions that are wrong, or use such
  mesh::AxisList body_axes_;                 // manual axes of the bodies that are named next
  llvm::DenseMap<llvm::StringRef, mesh::ShardingId, TextKeyInfo> wanted_;  // of calls that say where a result is wanted
  AskedNames asked_;  // attributes of the current instruction that the op has read
  llvm::SmallString<256> form_;
};

}  // namespace spmdc::text::hlo
