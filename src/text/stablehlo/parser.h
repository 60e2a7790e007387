// The parser's state and its functions; private to this folder's .cc files.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "diag/engine.h"
#include "ir/module.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Allocator.h"
#include "op/op_def.h"
#include "ops/gspmd_manual.h"
#include "support/text_hash.h"
#include "text/stablehlo/lexer.h"
#include "text/stablehlo/reader.h"

namespace spmdc::text::stablehlo {

class OpReader;

// What a name stands for: `count` consecutive values from `first`, none where the definition was wrong; or a tuple.
struct Binding {
  ir::ValueId first;
  uint32_t count = 1;
  int32_t tuple = -1;  // in Parser::tuples_
};

// What `stablehlo.tuple` makes: values and other tuples. Nothing is made of it in a program, whose values are arrays.
struct Tuple {
  std::vector<Binding> elements;
};

// The names of one scope. Most are a stem and a number, `7`, `arg12`, `cst_3`, and there are few stems: those are found without
// hashing.
class Names {
 public:
  // Null if the name is not there.
  const Binding* Find(llvm::StringRef name) const {
    Parts parts = PartsOf(name);
    const Stem* stem = parts.numbered ? FindStem(parts.stem) : nullptr;
    if (stem != nullptr && parts.number < stem->bindings.size() && stem->bindings[parts.number].count != kNone) {
      return &stem->bindings[parts.number];
    }
    auto it = others_.find(name);
    return it == others_.end() ? nullptr : &it->second;
  }
  // False if the name was there.
  bool Insert(llvm::StringRef name, Binding binding);

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr size_t kMostStems = 8;  // they are gone through one by one

  struct Stem {
    llvm::StringRef text;
    std::vector<Binding> bindings;  // by number
  };
  struct Parts {
    llvm::StringRef stem;
    size_t number = 0;
    bool numbered = false;  // it ends in a number of few digits as it prints
  };
  static Parts PartsOf(llvm::StringRef name) {
    constexpr size_t kMostDigits = 7;
    size_t begin = name.size(), number = 0, power = 1;
    while (begin > 0 && IsDigit(name[begin - 1]) && name.size() - begin <= kMostDigits) {
      number += power * static_cast<size_t>(name[--begin] - '0');
      power *= 10;
    }
    size_t digits = name.size() - begin;
    bool numbered = digits > 0 && digits <= kMostDigits && (digits == 1 || name[begin] != '0');
    return {name.take_front(begin), number, numbered};
  }
  const Stem* FindStem(llvm::StringRef text) const {
    for (const Stem& stem : stems_) {
      if (stem.text == text) {
        return &stem;
      }
    }
    return nullptr;
  }

  llvm::SmallVector<Stem, 2> stems_;
  bool others_are_numbered_ = false;  // some of the others: those with stems too many, or far apart
  llvm::DenseMap<llvm::StringRef, Binding, TextKeyInfo> others_;
};

// A function or region while it is read.
struct Scope {
  ir::FuncId id;
  ir::Function function;
  Scope* outer = nullptr;     // of regions: where captured values come from
  OpReader* owner = nullptr;  // of regions: the op that the region belongs to
  Names names;
  llvm::DenseMap<ir::ValueId, ir::ValueId> captured;         // value of `outer` -> argument here
  llvm::DenseMap<llvm::StringRef, mesh::ShardingId> wanted;  // by name: where a result with that name is wanted
  size_t region_count = 0;                                   // bodies made so far, for their names
  bool ended = false;                                        // its terminator was read
  bool broken = false;                                       // something in it was wrong
};

// A dictionary as read. Annotations and attributes that no op looks at are kept apart.
struct Dict {
  std::vector<std::pair<llvm::StringRef, op::MlirAttr>> fields;
  std::vector<mesh::ShardingId> shardings;  // sdy.sharding or mhlo.sharding, one per value
  source::Span sharding_span;
  std::vector<std::pair<std::string, op::MlirAttr>> carried;  // what Shardy's export says in frontend attributes
  bool told = false;  // a string of `carried` was wrong, which was told; the text goes on behind it
  ir::SideData side;  // discardable attributes (`dialect.name`), as text
  // With keep_text: the entries of no dialect as they stand, `a = 1, b`.
  bool keep_text = false;
  std::string text;
  // Of a function in generic form: its boundary.
  std::vector<Dict> arg_attrs, res_attrs;
  llvm::SmallVector<ir::TypeId, 4> arg_types, result_types;

  const op::MlirAttr* Find(llvm::StringRef name) const;
};

// What a line says but for the names of its values (known_line.cc).
struct LineForm {
  static constexpr size_t kNowhere = SIZE_MAX;
  size_t begin = kNowhere, end = 0;     // of the line, from the op's name on
  llvm::SmallString<256> text;          // empty: the line is not one to be kept
  llvm::SmallVector<uint32_t, 8> uses;  // where the values of the line are
  uint64_t hash = 0;
};

// An op that a line of this form was read as. Its lists are in the parser's memory.
struct KnownLine {
  llvm::StringRef form;
  uint32_t name_size = 0;
  const op::OpDef* def = nullptr;
  ir::AttrsId attrs;
  ir::SideId side;
  llvm::ArrayRef<ir::TypeId> operand_types, result_types;
  llvm::ArrayRef<mesh::ShardingId> shardings;
  llvm::ArrayRef<uint32_t> operands;  // which value of the line each operand is
};

// Functions return false, or nothing, after a diagnostic.
class Parser {
 public:
  // `entry`: the function to enter; empty: as ChooseEntry says.
  Parser(source::FileId file, diag::Engine& diags, llvm::StringRef entry);
  std::optional<ir::Module> Run();

 private:
  friend class OpReader;
  friend class Nested;

  // Diagnostics.
  source::Span SpanOf(llvm::StringRef piece) const;
  source::Span SpanHere();
  bool Fail(diag::Kind kind, source::Span span, std::string message, std::string help = "");
  // `expected WHAT, found ...` at the cursor; at the end of the file the kind is `truncated`.
  bool FailExpected(llvm::StringRef what);
  template <size_t N>
  bool Expect(const char (&token)[N]) {
    return lex_.Take(token) || FailExpected("`" + std::string(token) + "`");
  }
  bool Expect(llvm::StringRef token) { return lex_.Take(token) || FailExpected("`" + token.str() + "`"); }

  // Module level (parser_module.cc).
  void ReadModule();
  void ReadModuleBody();
  bool ReadModuleOp();
  // Ops without a function (fragment.cc).
  bool AtOpOfDialect();
  bool ReadFragment();
  bool AddFragmentArgs(Scope& scope, llvm::DenseSet<llvm::StringRef>& defined);
  void SkipBinders(llvm::DenseSet<llvm::StringRef>& defined);
  void RecoverModuleOp(size_t begin);
  bool ReadMesh();
  void AddMesh(llvm::StringRef name, llvm::StringRef text);
  void AddMesh(llvm::StringRef name, mesh::Mesh mesh, source::Span span);
  bool ReadModuleAttrs();
  bool ReadFunc();
  bool ReadFuncArgs(Scope& scope);
  bool ReadFuncResults(Scope& scope, llvm::SmallVectorImpl<ir::TypeId>& types);
  bool ReadFuncBody(Scope& scope, llvm::ArrayRef<ir::TypeId> result_types);
  bool ReadGenericModuleOp(llvm::StringRef name);
  bool ReadGenericFunc(const Dict& dict, const op::MlirAttr& symbol);
  ir::BoundaryInfo Boundary(Dict dict, source::Span span, size_t rank);
  ir::FuncId FunctionByName(llvm::StringRef name, source::Span use);
  // finish.cc
  void FinishModule();
  bool IsPerDevice() const;
  // Whether the text says of any value where it is.
  bool places_values() const { return !sharding_of_text_.empty() || has_hlo_shardings_ || has_carried_shardings_; }
  int64_t NamedDevices() const;
  bool SpeaksToDevices(ir::FuncId id, llvm::DenseSet<ir::FuncId>& seen) const;
  void ChooseEntry();
  void ChooseMesh();
  void SetManualAxes(ir::FuncId id, llvm::ArrayRef<mesh::AxisRef> axes, llvm::SmallVectorImpl<ir::FuncId>& path,
                     source::Span use);
  bool CheckCallees();
  bool NumberDevices();
  bool NumberDevices(ir::Inst& inst);
  bool CheckNumbers(llvm::ArrayRef<int64_t> numbers, bool are_partitions, source::Span span);

  // Ops and regions (parser_op.cc, regions.cc, opaque.cc).
  void ReadOps(Scope& scope);
  bool ReadOp(Scope& scope);
  bool ReadTerminator(Scope& scope, bool generic);
  // known_line.cc
  void TakeForm(size_t begin, size_t num_bound);
  std::optional<bool> RepeatLine(Scope& scope);
  bool TakeOperands(Scope& scope, const KnownLine& known, llvm::SmallVectorImpl<ir::ValueId>& operands);
  bool ReadCall(OpReader& reader, bool generic);
  bool ReadComposite(OpReader& reader, bool generic);
  void NoteComposite(OpReader& reader, llvm::StringRef name);
  bool ReadCallee(OpReader& reader, bool generic, llvm::StringRef callee, llvm::StringRef attribute);
  bool ReadRegion(OpReader& owner, llvm::ArrayRef<op::StablehloReader::RegionArg> args);
  bool ReadBlockArgs(Scope& scope);
  bool Define(Scope& scope, llvm::StringRef name, Binding binding);
  ir::ValueId AddArg(Scope& scope, llvm::StringRef name, ir::TypeId type, ir::BoundaryInfo info);
  // The tuple that a name of this scope stands for; null if it is none.
  const Tuple* TupleOf(const Scope& scope, llvm::StringRef name) const;
  void AddLeaves(const Tuple& tuple, llvm::SmallVectorImpl<ir::ValueId>& leaves) const;
  // %name or %name#k at the cursor; an invalid id for a value whose definition was wrong.
  std::optional<ir::ValueId> ReadUse(Scope& scope, llvm::StringRef* text = nullptr);
  std::optional<ir::ValueId> Resolve(Scope& scope, llvm::StringRef name, std::optional<uint32_t> index,
                                     source::Span span);
  std::optional<ir::ValueId> Capture(Scope& scope, ir::ValueId outer_value, source::Span span);
  std::optional<ir::ValueId> CopyConstant(Scope& scope, const ir::Function& from, ir::ValueId value);

  // Attributes, types, shardings (attr.cc, types.cc, literal.cc, shardings.cc).
  std::optional<op::MlirAttr> ReadAttr();
  std::optional<op::MlirAttr> ReadAttrBody();
  std::optional<op::MlirAttr> ReadArrayAttr();
  std::optional<op::MlirAttr> ReadBracedAttr();
  std::optional<op::MlirAttr> ReadHashAttr();
  std::optional<op::MlirAttr> ReadAlias(llvm::StringRef name);
  std::optional<op::MlirAttr> ReadDialectAttr(llvm::StringRef name);
  std::optional<op::MlirAttr> ReadNumberAttr();
  std::optional<op::MlirAttr> ReadWordAttr();
  std::optional<op::MlirAttr> ReadIntArrayAttr();
  std::optional<op::MlirAttr> ReadDenseAttr();
  std::optional<op::MlirAttr> ReadResourceAttr();
  std::optional<op::MlirAttr> ReadSymbolAttr();
  std::optional<tensor::Literal> ReadElements(llvm::StringRef elements, const ir::Type& type);
  void CollectResources();
  bool ReadDict(Dict& dict, char close = '}');
  bool ReadDictEntry(Dict& dict);
  bool ReadDictValue(Dict& dict, llvm::StringRef key);
  bool ReadKeptAttr(op::MlirAttr& attr);
  // Whether what an alias stands for may be read once more; false after a diagnostic.
  bool CountAlias(llvm::StringRef name, llvm::StringRef value);
  std::string ExpandAliases(llvm::StringRef text);
  bool ReadDictList(std::vector<Dict>& dicts);
  bool ReadShardingEntry(Dict& dict);
  bool ReadHloShardingEntry(Dict& dict);
  bool SkipAttr();
  std::optional<ir::TypeId> ReadType();
  std::optional<ir::TypeId> ReadTensorType();
  std::optional<ir::TypeId> ReadTypeAlias(llvm::StringRef name);
  std::optional<ir::Type> ParseTensorText(llvm::StringRef body);
  bool TakeBounds(llvm::StringRef body, llvm::StringRef& rest, ir::Type& type);
  void FailUnknownSize(llvm::StringRef body, llvm::StringRef at);
  bool AddType(llvm::SmallVectorImpl<ir::TypeId>& types);
  bool ReadTypeList(llvm::SmallVectorImpl<ir::TypeId>& types);  // t, t, ...
  // The same, of tuples the types of what is in them.
  bool ReadFlatTypes(llvm::SmallVectorImpl<ir::TypeId>& types);
  bool ReadParenthesizedTypes(llvm::SmallVectorImpl<ir::TypeId>& types);  // (t, t, ...)
  // tuple<...> as the one result is its elements; `took_tuple` is set then.
  bool ReadFunctionType(llvm::SmallVectorImpl<ir::TypeId>& from, llvm::SmallVectorImpl<ir::TypeId>& to,
                        bool* took_tuple = nullptr);
  bool ReadResultTypes(llvm::SmallVectorImpl<ir::TypeId>& types, bool* took_tuple);  // t or (t, t, ...)
  std::optional<mesh::ShardingId> ReadSdySharding();                                 // <@mesh, [...]>
  std::optional<mesh::ShardingId> HloSharding(llvm::StringRef text, size_t rank, source::Span span);
  // The sharding for a value of a rank: one on one device may leave out the dims.
  mesh::ShardingId OfRank(mesh::ShardingId id, size_t rank);
  void CollectHloShardings();
  std::optional<mesh::MeshId> MeshByName(llvm::StringRef name);

  // What Shardy's export carries in frontend attributes (carriers.cc).
  bool ReadFrontendAttributes(Dict& dict);
  bool ReadCarriedMeshes(const op::MlirAttr& meshes);
  bool PlaceTuples();
  bool ReadCarriedShardings(const op::MlirAttr& text, std::vector<mesh::ShardingId>& shardings);
  bool FailInString(const op::MlirAttr& string, const mesh::TextError& error);
  bool CheckManualEnds();
  template <typename Parse>
  std::optional<mesh::TextError> ParseWithMeshes(bool& told, Parse parse);

  // Locations (locations.cc).
  bool CollectAliases();
  bool CollectAliases(char sigil, llvm::StringRef what, llvm::DenseMap<llvm::StringRef, llvm::StringRef>& aliases);
  // ` loc(...)` if it is next.
  bool ReadOptionalLoc(ir::SourceId* source, std::string* name = nullptr);
  bool ReadLocBody(ir::SourceInfo& info, int depth);
  bool ReadLocAlias(ir::SourceInfo& info, int depth);
  bool ReadNamedLoc(llvm::StringRef quoted, ir::SourceInfo& info, int depth);
  ir::SourceId SourceOfAlias(llvm::StringRef name);

  // A list that lives as long as the parser.
  template <typename T>
  llvm::ArrayRef<T> Keep(llvm::ArrayRef<T> list) {
    T* kept = memory_.Allocate<T>(list.size());
    std::uninitialized_copy(list.begin(), list.end(), kept);
    return {kept, list.size()};
  }
  const ir::Type& type(ir::TypeId id) const { return module_.tables->types[id]; }

  source::FileId file_;
  diag::Engine& diags_;
  llvm::StringRef wanted_entry_;
  Lexer lex_;
  ir::Module module_;
  int nesting_ = 0;
  bool too_deep_told_ = false;
  bool truncated_told_ = false;

  llvm::DenseMap<llvm::StringRef, llvm::StringRef> aliases_;       // `loc12` -> text behind `=`
  llvm::DenseMap<llvm::StringRef, llvm::StringRef> type_aliases_;  // likewise, of `!name`
  size_t alias_bytes_ = 0;                                         // read or written out so far, for other aliases too
  int attr_nesting_ = 0;                                           // above 0: inside an attribute
  llvm::DenseMap<llvm::StringRef, ir::SourceId, TextKeyInfo> source_of_alias_;
  llvm::DenseMap<llvm::StringRef, ir::TypeId, TextKeyInfo> type_of_text_;
  llvm::BumpPtrAllocator memory_;
  LineForm form_;                                           // of the last line
  llvm::DenseMap<uint64_t, KnownLine*> known_lines_;        // by the hash of their form
  std::pair<llvm::StringRef, ir::TypeId> recent_types_[2];  // the next type is mostly one of these
  llvm::DenseMap<llvm::StringRef, mesh::ShardingId> sharding_of_text_;
  // Short literals by their elements and type: they share their bytes.
  llvm::DenseMap<std::pair<llvm::StringRef, ir::TypeId>, tensor::Literal> literal_of_text_;
  // The hex digits of each resource behind `0x`; made when the first one is used.
  std::optional<llvm::DenseMap<llvm::StringRef, llvm::StringRef>> resources_;
  llvm::StringMap<mesh::MeshId> mesh_of_name_;                 // none: the mesh was wrong, and that was told
  std::vector<std::pair<mesh::MeshId, source::Span>> meshes_;  // in order of declaration
  ops::ManualEnds manual_ends_;
  op::MlirAttr tuple_args_, tuple_results_;  // what the module says of the entry's boundary
  mesh::MeshId hlo_mesh_;                    // on which all tile shardings of the text can be expressed
  bool has_hlo_shardings_ = false, has_carried_shardings_ = false;
  bool has_carried_meshes_ = false;  // Shardy's strings say where values are: tile shardings of values are no matter
  int64_t num_partitions_ = 0;       // as the module says; 0: it does not
  int64_t num_replicas_ = 1;
  source::Span partitions_span_, replicas_span_;

  struct NamedFunction {
    ir::FuncId id;
    source::Span use;  // the first call
    bool defined = false;
    bool is_public = false;
  };
  llvm::StringMap<NamedFunction> function_of_name_;
  std::vector<std::string> function_names_;  // in order of definition
  llvm::StringMap<int> body_names_;
  std::deque<Tuple> tuples_;
  llvm::DenseMap<ir::FuncId, bool> manual_axes_set_;
};

// Counts one level of nesting while it lives.
class Nested {
 public:
  explicit Nested(Parser& parser) : parser_(parser) { ++parser_.nesting_; }
  ~Nested() { --parser_.nesting_; }
  Nested(const Nested&) = delete;
  Nested& operator=(const Nested&) = delete;
  // True after a diagnostic if the text is nested too deep.
  bool too_deep();

 private:
  Parser& parser_;
};

// One instruction while it is read: what the ops' hooks see.
class OpReader final : public op::StablehloReader {
 public:
  struct Binder {
    llvm::StringRef name;
    uint32_t count = 1;
    bool counted = false;  // written `%0:2`
    bool unnamed = false;  // nothing is written: the name is the op's, and no name of the text
    source::Span span;
  };

  OpReader(Parser& parser, Scope& scope) : parser_(parser), scope_(scope) {}

  ir::Module& module() override { return parser_.module_; }
  bool TryToken(llvm::StringRef token) override { return parser_.lex_.Take(token); }
  bool Expect(llvm::StringRef token) override { return parser_.Expect(token); }
  bool Operand() override;
  void ReorderOperands(llvm::ArrayRef<size_t> order) override;
  bool OperandList(llvm::StringRef close) override;
  std::optional<tensor::Dims> IntList() override;
  std::optional<int64_t> Int() override;
  std::optional<std::string> Word() override;
  std::optional<op::MlirAttr> Attribute() override { return parser_.ReadAttr(); }
  std::optional<ir::Type> ParseType() override;
  bool OptionalDict() override;
  bool ColonTypes() override;
  bool Region(llvm::ArrayRef<RegionArg> args) override { return parser_.ReadRegion(*this, args); }
  std::optional<RegionArg> DefineName() override;
  bool AppliedBody(llvm::StringRef op_name, llvm::ArrayRef<ir::Type> element_types) override;

  size_t num_operands() const override { return operands_.size(); }
  llvm::ArrayRef<ir::Type> operand_types() override;
  llvm::ArrayRef<ir::Type> result_types() override;
  size_t num_bodies() const override { return bodies_.size(); }
  const op::MlirAttr& attr(llvm::StringRef name) override;

  void SetAttrs(ir::AttrsId attrs) override { attrs_ = attrs; }
  void SetKind(ir::OpKind kind) override { def_ = &op::Def(kind); }
  void SetOperandTypes(llvm::ArrayRef<ir::Type> types) override;
  void SetResultTypes(llvm::ArrayRef<ir::Type> types) override;
  bool Fail(diag::Kind kind, std::string message) override;

 private:
  bool FailUnknown();
  friend class Parser;

  bool ReadBinders();
  bool Read();
  bool ReadPretty();
  bool ReadDefaultForm();
  bool ReadGeneric();
  bool ReadOpaquePretty();
  bool ReadCustomCall();
  bool ReadNamedComputation();
  bool MakeConstraint();
  // A custom call of any target, whose operands, attributes and types were read; `text`: what to keep of it otherwise.
  bool MakeCustomCall(llvm::StringRef target, std::string text);
  // carriers.cc
  bool MakeSdyCall(llvm::StringRef target, std::string text);
  bool MakeBarrier();
  bool MakeManualEnd(bool cut, std::string text);
  const op::MlirAttr* Carried(llvm::StringRef key) const;
  bool MakeCase();
  // other_forms.cc
  bool MakeDot(std::string precision);
  bool ReadPlainDot();
  bool ReadTupleElement(bool generic);
  bool ReadTuple(bool generic);
  bool DefineElement(const Binding& element, uint32_t number, llvm::StringRef of);
  bool ReadCalled();
  bool MakeKnownCall(const op::OpDef& def);
  bool MakeOpaque(std::string text, std::string types = "");
  bool ReadTrailingDict(llvm::StringRef& head);
  bool ReadInlineOperands(llvm::StringRef piece, std::string& text);
  bool Find();
  // known_line.cc
  bool IsLikeItsLine() const;
  void Remember();
  // How many results are named in front of the `=`.
  size_t num_bound() const {
    size_t bound = 0;
    for (const Binder& binder : binders_) {
      bound += binder.count;
    }
    return bound;
  }
  bool CheckOperandTypes();
  bool CheckShardings();
  // The values that the names in front of `=` stand for.
  llvm::SmallVector<ir::Value, 2> NewResults() const;
  // Gives every body an argument for every captured value, in one order.
  void AlignCaptures();
  void BindUnnamed();
  bool Bind(const Binder& binder, ir::ValueId first);
  bool Emit();
  void Poison();

  Parser& parser_;
  Scope& scope_;
  llvm::SmallVector<Binder, 2> binders_;
  llvm::StringRef name_;  // with dialect, as the text has it
  source::Span span_;
  const op::OpDef* def_ = nullptr;
  bool took_tuple_ = false;  // the type of the results was a tuple, whose elements are the results here
  bool is_operand_ = false;  // its result is its operand, and is wanted as dict_.shardings say
  bool poisoned_ = false;    // an operand's definition was wrong: nothing is made, and nothing is told
  llvm::SmallVector<ir::ValueId, 4> operands_;
  llvm::SmallVector<source::Span, 4> operand_spans_;
  llvm::SmallVector<ir::TypeId, 4> operand_type_ids_;
  llvm::SmallVector<ir::TypeId, 2> result_type_ids_;
  // Types as hooks ask for them.
  struct TypeList {
    llvm::SmallVector<ir::TypeId, 4> ids;  // that they were made for
    llvm::SmallVector<ir::Type, 2> types;
  };
  llvm::ArrayRef<ir::Type> MadeOf(llvm::ArrayRef<ir::TypeId> ids, TypeList& list);
  TypeList operand_types_, result_types_;
  llvm::SmallVector<ir::FuncId, 2> bodies_;
  std::vector<llvm::DenseMap<ir::ValueId, ir::ValueId>> body_captures_;  // of each body: captured value -> argument
  llvm::SmallVector<ir::ValueId, 4> captured_;
  Dict dict_;
  ir::AttrsId attrs_;
  ir::SideId side_;
  ir::SourceId source_;
};

// The ops of a dialect without its name, sorted; none for a dialect that is not read. (op_names.cc)
llvm::ArrayRef<llvm::StringLiteral> OpNames(llvm::StringRef dialect);
// The op that a name of another dialect or an older version stands for; null if it is none of those. (other_forms.cc)
const op::OpDef* DefOfOtherName(llvm::StringRef name);
// Whether a name is an op of StableHLO (also as "mhlo."), Shardy's dialect or CHLO.
bool IsKnownOpName(llvm::StringRef name);
// Whether it is an op of MHLO that StableHLO does not have; those, without the dialect, sorted.
bool IsMhloAlone(llvm::StringRef name);
llvm::ArrayRef<llvm::StringLiteral> NamesOfMhloAlone();

}  // namespace spmdc::text::stablehlo
