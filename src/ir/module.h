// Programs: modules of flat functions in SSA form. Pure data; every pass reads a const module and builds a new one.
//
// Bodies of reductions, loops, branches and manual regions are functions too, named by id. A value that a region captures
// is an explicit operand (and argument of the body) marked as captured: it has no sharding of its own.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/op_kind.h"
#include "ir/tables.h"
#include "ir/type.h"
#include "source/span.h"
#include "support/store.h"

namespace spmdc::ir {

using ValueId = Id<struct ValueTag>;
using InstId = Id<struct InstTag>;
using FuncId = Id<struct FuncTag>;
using CauseId = Id<struct CauseTag>;

// A value of some function of some module.
struct ValueRef {
  FuncId func;
  ValueId value;
  friend bool operator==(const ValueRef&, const ValueRef&) = default;
};

struct Value {
  TypeId type;
  // Before propagate: the user's annotation, or none. After: where the value is; none only for tokens.
  mesh::ShardingId sharding;
  InstId def;          // none: an argument
  uint32_t index = 0;  // which result of def, or which argument
  // From plan on: the value of the propagated program that this one is, under `sharding` (in a per-device program: the
  // device's shard of it, or a term where `sharding` is unreduced). None without a counterpart: masks, offsets.
  ValueRef shard_of;
  std::string name;  // as the text calls it, without sigils; unique in its function
  source::Span span;
};

struct Inst {
  OpKind op = OpKind::Opaque;
  uint32_t first_operand = 0, num_operands = 0;  // in Function::operand_pool
  uint32_t first_body = 0, num_bodies = 0;       // in Function::body_pool
  ValueId first_result;                          // results are consecutive
  uint32_t num_results = 0;
  AttrsId attrs;                  // none for ops without attributes
  mesh::ShardingId out_sharding;  // JAX's out_sharding=: the Explicit sharding that the result is asked to have
  source::Span span;
  SourceId source;
  SideId side;
  CauseId cause;  // why spmdc put it there; none for what the user wrote
};

// An argument or a result as the boundary sees it.
struct BoundaryInfo {
  std::string name;  // "x", "params['w']"; may be empty
  // Where the caller wants it: the user's annotation, or none. After propagate: decided.
  mesh::ShardingId sharding;
  bool pinned = false;    // written by the user: propagation does not move it
  bool captured = false;  // arguments of bodies: the value is captured from the enclosing function
  bool weak = false;      // a weakly typed result of the native language; printed with `~`
  // Keys of jax.random: the element type that they have for the user; the value is their data, u32 with a last dim more.
  std::optional<tensor::DType> key;
  int64_t alias = -1;  // argument: the result that may reuse its memory
  source::Span span;
  SideId side;
};

struct Function {
  // Tables of functions move them on growing, which they do only if that cannot throw.
  Function() = default;
  Function(const Function&) = default;
  Function(Function&&) noexcept = default;
  Function& operator=(const Function&) = default;
  Function& operator=(Function&&) noexcept = default;

  std::string name;
  source::Span span;
  FuncId enclosing;  // of bodies: the function whose instruction owns it
  // Copies of one function of the text, one per call site: which function, and the how-manieth copy (0 the original).
  FuncId clone_of;
  int32_t instance = 0;
  // Manual axes of the region this body is (those of enclosing regions included).
  mesh::AxisList manual_axes;
  llvm::SmallVector<ValueId, 4> args;
  llvm::SmallVector<ValueId, 4> results;
  std::vector<BoundaryInfo> arg_info, result_info;
  Store<InstId, Inst> insts;  // in order of execution
  Store<ValueId, Value> values;
  std::vector<ValueId> operand_pool;
  std::vector<FuncId> body_pool;

  llvm::ArrayRef<ValueId> operands(const Inst& inst) const {
    return llvm::ArrayRef<ValueId>(operand_pool).slice(inst.first_operand, inst.num_operands);
  }
  llvm::ArrayRef<FuncId> bodies(const Inst& inst) const {
    return llvm::ArrayRef<FuncId>(body_pool).slice(inst.first_body, inst.num_bodies);
  }
  ValueId result(const Inst& inst, size_t i = 0) const {
    return ValueId{inst.first_result.index + static_cast<int32_t>(i)};
  }

  // A function without arguments, instructions and result values that has the name, place and result boundary of this one,
  // and room for as much as this one holds: what a pass fills.
  Function EmptyCopy() const;
  ValueId AddArg(Value value, BoundaryInfo info);
  // Appends an instruction with new result values. `inst` needs op, attrs, span, ...; pools and results are filled in.
  InstId AddInst(const Inst& inst, llvm::ArrayRef<ValueId> operands, llvm::ArrayRef<FuncId> bodies,
                 llvm::ArrayRef<Value> new_results);
  // Takes the values, names and all.
  InstId AddInst(const Inst& inst, llvm::ArrayRef<ValueId> operands, llvm::ArrayRef<FuncId> bodies,
                 llvm::SmallVectorImpl<Value>&& new_results);
};

// Why spmdc inserted an instruction: the op of the propagated program that needed it, and what disagreed.
struct Cause {
  enum class Why : uint8_t {
    Operand,         // operand `index` of the op is needed at `to`
    Result,          // result `index` of the op comes out at `from` and is wanted at `to`
    Partial,         // the op leaves a partial result: reduced here
    FunctionResult,  // result `index` of the function is wanted at `to`
    Constraint,      // the user asks for `to`
    Exchange,        // the op works along dims of operand `index`, split as `from`, and needs parts of others' blocks
  };
  Why why = Why::Operand;
  FuncId func;  // in the propagated program
  InstId inst;  // none for FunctionResult
  int32_t index = 0;
  ValueRef value;             // the value of the propagated program that moves
  mesh::ShardingId from, to;  // the two shardings that disagree
};

// What the user wrote about a value, as origins name it.
struct Annotation {
  // `arg 0`, `result 1`, `constraint v5`, `value v5`, `manual v15 in 1`.
  std::string from;
  source::Span span;
};
using AnnotationId = Id<struct AnnotationTag>;

// Who decided an axis on a dim of a value: for explain, the report and tests.
struct Origin {
  mesh::AxisRef axis;
  int32_t dim = 0;
  AnnotationId annotation;  // behind it, in Module::annotations; none: an op by itself
  // The last step: the op it came through (in the value's function), and when; 0: the annotation is of this value.
  InstId through;
  int32_t step = 0;
};
using Origins = llvm::SmallVector<Origin, 0>;

// The origins of the values of one function.
class OriginTable {
 public:
  llvm::ArrayRef<Origin> Get(ValueId v) const {
    Range range = ranges_.Get(v);
    return llvm::ArrayRef<Origin>(origins_).slice(range.first, range.count);
  }
  void Set(ValueId v, llvm::ArrayRef<Origin> origins) {
    ranges_[v] = {static_cast<uint32_t>(origins_.size()), static_cast<uint32_t>(origins.size())};
    origins_.insert(origins_.end(), origins.begin(), origins.end());
  }
  void reserve(size_t num_origins) { origins_.reserve(num_origins); }

 private:
  struct Range {
    uint32_t first = 0, count = 0;
  };
  IdMap<ValueId, Range> ranges_;
  std::vector<Origin> origins_;
};

struct Module {
  std::string name;
  std::shared_ptr<Tables> tables;
  Store<FuncId, Function> functions;
  FuncId entry;
  mesh::MeshId mesh;        // the entry's mesh; none for a program of one device
  bool per_device = false;  // values are shards: what partition makes
  int64_t num_devices = 1;
  SideId side;  // module attributes that no pass reads
  Store<CauseId, Cause> causes;
  // After propagate, per function and value; empty before.
  IdMap<FuncId, OriginTable> origins;
  // After propagate: of the results of the entry.
  std::vector<Origins> result_origins;
  Store<AnnotationId, Annotation> annotations;

  explicit Module(std::shared_ptr<Tables> shared) : tables(std::move(shared)) {}

  const Type& type(const Value& value) const { return tables->types[value.type]; }
  const Type& type(const Function& f, ValueId v) const { return tables->types[f.values[v].type]; }
  // Null where the value has none.
  const mesh::Sharding* sharding(const Value& value) const {
    return value.sharding.valid() ? &tables->shardings[value.sharding] : nullptr;
  }
  // Null where no annotation is behind it.
  const Annotation* annotation(const Origin& origin) const {
    return origin.annotation.valid() ? &annotations[origin.annotation] : nullptr;
  }
  template <typename T>
  const T& attrs(const Inst& inst) const {
    return tables->attrs.Get<T>(inst.attrs);
  }
};

// Fresh names for one function: `wanted`, or `wanted_1`, `wanted_2`, ...: the first that no value of it has.
class NameTable {
 public:
  // Empty, for about so many names.
  explicit NameTable(size_t expected = 0);
  explicit NameTable(const Function& function);
  std::string Unique(llvm::StringRef wanted);

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace spmdc::ir
