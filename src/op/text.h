// How an op reads and writes itself in each language: what the spelling hooks of an op are handed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "diag/engine.h"
#include "ir/module.h"
#include "mesh/hlo_sharding.h"

namespace spmdc::op {

struct Groups;

// --- HLO text -------------------------------------------------------------------------------------------------------

// Prints `name = type opcode(operands), attr=text, ...`. The writer does all but the attributes.
class HloPrinter {
 public:
  virtual ~HloPrinter() = default;
  virtual const ir::Module& module() const = 0;
  virtual const ir::Function& function() const = 0;
  virtual const ir::Inst& inst() const = 0;
  template <typename T>
  const T& attrs() const {
    return module().attrs<T>(inst());
  }
  // Appends `, name=text`.
  virtual void Attr(llvm::StringRef name, std::string text) = 0;
  // Appends `, name={1,2}`.
  virtual void Ints(llvm::StringRef name, llvm::ArrayRef<int64_t> values) = 0;
  // Appends `, name=computation`, the printed name of a body.
  virtual void Body(llvm::StringRef name, ir::FuncId body) = 0;
  // Appends `, name={first, second}`.
  virtual void Bodies(llvm::StringRef name, llvm::ArrayRef<ir::FuncId> bodies) = 0;
  // Appends text behind the parentheses as it stands.
  virtual void Raw(std::string text) = 0;
  // Replaces the operand list in the parentheses (constants, parameters).
  virtual void Operands(std::string text) = 0;
  // Replaces the opcode for this instruction.
  virtual void Opcode(std::string opcode) = 0;
  // The groups in the spelling the user asked for.
  virtual std::string ReplicaGroups(mesh::MeshId mesh, llvm::ArrayRef<mesh::AxisRef> axes) = 0;
};

// The attributes of one instruction as read: asked by name, each one read at most once. What nobody asked for becomes
// side data.
class HloReader {
 public:
  virtual ~HloReader() = default;
  virtual ir::Module& module() = 0;
  virtual llvm::ArrayRef<ir::Type> operands() const = 0;
  virtual llvm::ArrayRef<ir::Type> results() const = 0;  // the declared type, tuple leaves one by one
  // The text in the parentheses (constants).
  virtual llvm::StringRef operand_text() const = 0;
  virtual bool Has(llvm::StringRef name) const = 0;
  virtual std::optional<std::string> Text(llvm::StringRef name) = 0;                    // as it stands
  virtual std::optional<llvm::SmallVector<int64_t, 4>> Ints(llvm::StringRef name) = 0;  // {1,2}
  virtual std::optional<int64_t> Int(llvm::StringRef name) = 0;
  virtual std::optional<bool> Bool(llvm::StringRef name) = 0;
  // The replica groups and source_target_pairs as those of devices, whatever the text's numbers count; without groups all
  // devices are one. Nothing after a diagnostic.
  virtual std::optional<Groups> ReplicaGroups() = 0;
  virtual std::optional<std::vector<tensor::Dims>> SourceTargetPairs() = 0;
  // Of a collective; a free one where the text has none.
  virtual int64_t Channel() = 0;
  // A dense literal in HLO's spelling, of the given type.
  virtual std::optional<tensor::Literal> ParseLiteral(llvm::StringRef text, const ir::Type& type) = 0;
  // Bodies the instruction names, in the order of the text's attributes asked for.
  virtual std::optional<ir::FuncId> Body(llvm::StringRef name) = 0;
  virtual std::optional<std::vector<ir::FuncId>> Bodies(llvm::StringRef name) = 0;  // {a, b}
  // Adds the bodies to the instruction.
  virtual void UseBodies(llvm::ArrayRef<ir::FuncId> bodies) = 0;
  // Tells the user that an attribute is wrong or missing; returns false.
  virtual bool Fail(llvm::StringRef name, std::string message) = 0;
};

// --- StableHLO text -------------------------------------------------------------------------------------------------

// An MLIR attribute as read:
//
//   [1, 2]  array<i64: 1, 2>  {"x", "y"}  #sdy<manual_axes{"x"}>      Array
//   dense<[[0, 1]]> : tensor<1x2xi64>                                Dense
//   {a = 1 : i64}  #stablehlo.gather<offset_dims = [2], ...>          Dict; `text` "stablehlo.gather"
//   DEFAULT  #stablehlo<precision DEFAULT>                            Enum
//   #sdy.sharding<@mesh, [{"x"}]>  <@mesh, [{"x"}]>                   Sharding
//   #sdy.sharding_per_value<[<@mesh, [{}]>, ...]>                     Array of Sharding
struct MlirAttr {
  enum class Kind : uint8_t {
    Missing,
    Unit,
    Bool,
    Int,
    Float,
    String,
    Symbol,
    Type,
    Array,
    Dense,
    Dict,
    Enum,
    Sharding
  };
  Kind kind = Kind::Missing;
  int64_t integer = 0;  // Bool, Int
  double number = 0;    // Float
  std::string text;  // String, Symbol, Enum (the last word: `EQ` of #stablehlo<comparison_direction EQ>), Dict's name
  std::vector<MlirAttr> items;                           // Array
  std::vector<std::pair<std::string, MlirAttr>> fields;  // Dict
  std::optional<ir::Type> type;                          // Type; Dense: the literal's
  tensor::Literal literal;                               // Dense
  mesh::ShardingId sharding;                             // Sharding
  source::Span span;

  // Not implicit: those would ask about a pair that holds the type while it is being defined.
  MlirAttr();
  explicit MlirAttr(Kind of);
  ~MlirAttr();
  MlirAttr(const MlirAttr& other);
  MlirAttr(MlirAttr&& other) noexcept;
  MlirAttr& operator=(const MlirAttr& other);
  MlirAttr& operator=(MlirAttr&& other) noexcept;

  explicit operator bool() const { return kind != Kind::Missing; }
  // The field of a Dict; Missing if it has none.
  const MlirAttr& operator[](llvm::StringRef name) const;
  // The integers of an Array or of a Dense attribute; empty where missing.
  tensor::Dims ints() const;
};

// One instruction while it is read. In the generic form the reader has read everything and asks the op's `from_generic`;
// in the pretty form it has read the op's name and asks the op's `parse` to go on from there.
class StablehloReader {
 public:
  virtual ~StablehloReader() = default;
  virtual ir::Module& module() = 0;

  // Pretty form: pieces of text. All return false (or nothing) after a diagnostic.
  virtual bool TryToken(llvm::StringRef token) = 0;  // consumes it if it is next; no diagnostic
  virtual bool Expect(llvm::StringRef token) = 0;
  virtual bool Operand() = 0;  // %a or %a#1, appended to the operands
  // Operand k becomes the one that was read as order[k]: forms that spell operands in another order (`%x init: %i`).
  virtual void ReorderOperands(llvm::ArrayRef<size_t> order) = 0;
  virtual bool OperandList(llvm::StringRef close) = 0;  // %a, %b up to (not including) the closing token
  virtual std::optional<tensor::Dims> IntList() = 0;    // [1, 2]
  virtual std::optional<int64_t> Int() = 0;
  virtual std::optional<std::string> Word() = 0;  // a bare identifier or keyword: EQ, DEFAULT, stablehlo.add
  virtual std::optional<MlirAttr> Attribute() = 0;
  virtual std::optional<ir::Type> ParseType() = 0;
  // `{k = v, ...}` if it is next: into the dictionary that attr() reads (sharding annotations are taken out).
  virtual bool OptionalDict() = 0;
  // OptionalDict, then `: type` (all operands and results alike), `: (types) -> types`, `: (types) -> type`,
  // `: type, type -> type`, or `: type, type` (one for each operand, and the same for the results).
  virtual bool ColonTypes() = 0;
  // A `{ ... }` region with block arguments `^bb0(%a: T, ...)`, or with the given names and types as arguments (pretty
  // forms name them outside). Becomes a body; captured values become operands.
  struct RegionArg {
    std::string name;
    ir::Type type;
    source::Span span;
  };
  virtual bool Region(llvm::ArrayRef<RegionArg> args = {}) = 0;
  // An SSA name being defined in a pretty form (`%iterArg`, `%arg1: tensor<f32>`), without the sigil, and with its type
  // where one is written.
  virtual std::optional<RegionArg> DefineName() = 0;
  // A body made of one op applied to its scalar arguments (`applies stablehlo.add`): for element types t1..tn the body
  // takes 2n scalars; n is 1.
  virtual bool AppliedBody(llvm::StringRef op_name, llvm::ArrayRef<ir::Type> element_types) = 0;

  // What has been read so far, in either form.
  virtual size_t num_operands() const = 0;
  virtual llvm::ArrayRef<ir::Type> operand_types() = 0;  // as declared after the colon
  virtual llvm::ArrayRef<ir::Type> result_types() = 0;
  virtual size_t num_bodies() const = 0;
  virtual const MlirAttr& attr(llvm::StringRef name) = 0;  // of the dictionary; Missing if it has none

  // The outcome.
  virtual void SetAttrs(ir::AttrsId attrs) = 0;
  virtual void SetKind(ir::OpKind kind) = 0;                         // where one spelling stands for several ops
  virtual void SetOperandTypes(llvm::ArrayRef<ir::Type> types) = 0;  // forms that do not declare them in a colon clause
  virtual void SetResultTypes(llvm::ArrayRef<ir::Type> types) = 0;
  virtual bool Fail(diag::Kind kind, std::string message) = 0;  // at the op
};

// Prints `%r = "dialect.op"(%a, %b) <{name = text}> ({regions}) {annotations} : (types) -> types`, or a pretty form. The
// writer does all but the properties: results, operands, regions, annotations, types.
class StablehloPrinter {
 public:
  virtual ~StablehloPrinter() = default;
  virtual const ir::Module& module() const = 0;
  virtual const ir::Function& function() const = 0;
  virtual const ir::Inst& inst() const = 0;
  template <typename T>
  const T& attrs() const {
    return module().attrs<T>(inst());
  }
  // `%a`, the name of an operand.
  virtual std::string Operand(size_t i) const = 0;
  // `@mesh` and `<@mesh, [{"x"}, {}]>`.
  virtual std::string Mesh(mesh::MeshId mesh) const = 0;
  virtual std::string Sharding(mesh::ShardingId sharding) const = 0;

  // Replaces the name of the op: `stablehlo.custom_call`.
  virtual void Name(std::string name) = 0;
  // Appends `name = text` to the properties.
  virtual void Property(llvm::StringRef name, std::string text) = 0;
  // Appends `name = array<i64: 1, 2>`.
  virtual void Ints(llvm::StringRef name, llvm::ArrayRef<int64_t> values) = 0;
  // Pretty form: what stands behind the op's name, in front of the annotations and `: (types) -> types`.
  virtual void Pretty(std::string text) = 0;
  // Pretty form with the types as they stand.
  virtual void PrettyTyped(std::string text, std::string types) = 0;
  // Pretty form of an op without operands: annotations, the text, and the result's type behind a colon if the text has
  // none itself.
  virtual void PrettyConstant(std::string text, bool has_type) = 0;
};

// `[1, 2]`, as pretty forms spell lists.
std::string MlirInts(llvm::ArrayRef<int64_t> values);
// `tensor<8x4xf32>`, `!stablehlo.token`.
std::string MlirType(const ir::Type& type);

// The kind of diagnostic that tells a wrong text of a sharding or mesh.
diag::Kind KindOf(const mesh::TextError& error);

// --- Flat native form -----------------------------------------------------------------------------------------------

// `(1, 2)`, `(1,)`, `()`.
std::string PythonTuple(llvm::ArrayRef<int64_t> values);

// Prints `v3: f32[8] = lax.reduce_sum(v2, axes=(1,))`. The writer does all but the arguments behind the operands.
class NativePrinter {
 public:
  virtual ~NativePrinter() = default;
  virtual const ir::Module& module() const = 0;
  virtual const ir::Function& function() const = 0;
  virtual const ir::Inst& inst() const = 0;
  template <typename T>
  const T& attrs() const {
    return module().attrs<T>(inst());
  }
  // Replaces the function that is called: `lax.dot_general`.
  virtual void Callee(std::string name) = 0;
  // Replaces the operands as arguments.
  virtual void Args(std::string text) = 0;
  // The name of an operand.
  virtual std::string Operand(size_t i) const = 0;
  // The names of those in [first, last), with commas.
  std::string Operands(size_t first, size_t last) const;
  // Appends `name=text`.
  virtual void Keyword(llvm::StringRef name, std::string text) = 0;
  // `(1, 2)`, `(1,)`, `()`.
  virtual void Tuple(llvm::StringRef name, llvm::ArrayRef<int64_t> values) = 0;
  // The name of the def that a body is printed as.
  virtual std::string Body(ir::FuncId body) = 0;
};

}  // namespace spmdc::op
