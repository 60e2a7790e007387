// The tracer: what the program does with arrays, as instructions of the program being built.
//
// Arrays are built through op::Builder, so that types and Explicit shardings are those of the op table; what stands here and in
// the builtins_* files is the layer that jnp is over lax: promotion of dtypes, weak types, broadcasting, defaults.
#pragma once

#include <optional>

#include "ops/constant.h"
#include "text/native/evaluator.h"

namespace spmdc::text::native {

// A use of a mesh's devices by the program being traced, see device_uses.h.
struct DeviceUse {
  MeshObj* mesh = nullptr;
  std::string what;
  source::Span span;
};

class TracedCalls;
// Values of the top level that were computed while the file is read.
using ConcreteValues = llvm::DenseMap<int32_t, tensor::Literal>;

class Tracer {
 public:
  Tracer(Evaluator& ev, std::shared_ptr<ir::Tables> tables);
  ~Tracer();

  ir::Tables& tables() { return *tables_; }
  std::shared_ptr<ir::Tables> shared_tables() { return tables_; }
  const std::vector<MeshObj*>& context() const { return context_; }
  Trace& current() { return *current_; }
  bool at_top_level() const { return current_->top_level; }
  // The trace of what the file does outside of functions that are traced.
  Trace& top_level() { return *traces_.front(); }
  ir::Module& module() { return *current_->module; }

  // Makes a function of `module` the one being built, until the guard dies.
  class Scope {
   public:
    Scope(Tracer& tracer, Trace& trace) : tracer_(tracer), saved_(tracer.current_) { tracer.current_ = &trace; }
    ~Scope() { tracer_.current_ = saved_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Tracer& tracer_;
    Trace* saved_;
  };
  // A new function, traced as a body inside the current trace.
  Trace* NewBody(llvm::StringRef name);
  // A copy of a body, and of the bodies in it, for an instruction of a trace.
  ir::FuncId CopyBody(const ir::Module& from, ir::FuncId id, Trace& to);
  // A new function of a module, with no trace around it.
  Trace* NewFunction(ir::Module& module, llvm::StringRef name);

  Value AddArg(Trace& trace, const ir::Type& type, bool weak, ir::BoundaryInfo info);
  // An array for a value of the current trace.
  Value Array(ir::ValueId id, bool weak);
  // The value in the current trace that an array stands for.
  ir::ValueId Use(const Value& array);

  // One instruction with one result. Operands are arrays. Error after a diagnostic (of the op's inference).
  Value Emit(ir::OpKind op, llvm::ArrayRef<Value> operands, ir::AttrsId attrs = {}, bool weak = false,
             mesh::ShardingId out_sharding = {}, llvm::ArrayRef<ir::FuncId> bodies = {});
  std::optional<std::vector<Value>> EmitAll(ir::OpKind op, llvm::ArrayRef<Value> operands, ir::AttrsId attrs,
                                            llvm::ArrayRef<ir::FuncId> bodies = {}, mesh::ShardingId out_sharding = {});
  // Counts an instruction of so many operands, which takes so many steps; false after a diagnostic.
  bool CountOperation(size_t operands, int64_t steps);
  TracedCalls& traced_calls() { return *traced_calls_; }
  // Adds to the error told last where operands that are arguments got their sharded types from.
  void NoteArguments(llvm::ArrayRef<Value> operands);
  template <typename T>
  ir::AttrsId Attrs(T attrs) {
    return tables_->attrs.Add(std::move(attrs));
  }
  Value Constant(tensor::Literal literal, bool weak = false);
  // The identity of a monoid, as reductions begin with it. Error for keys of jax.random.
  Value IdentityOf(mesh::Monoid monoid, tensor::DType dtype);
  // An s32 scalar, as indices and counters are.
  Value S32(int64_t value);
  // A body on scalars of these types, in their order; for keys, on the words of their data. `names` are the arguments', or empty; `make` says the results.
  ir::FuncId ScalarBody(llvm::StringRef name, llvm::ArrayRef<tensor::DType> types,
                        llvm::ArrayRef<llvm::StringRef> names,
                        llvm::function_ref<std::vector<Value>(llvm::ArrayRef<Value>)> make);
  // A body of two scalars that combines them in a monoid.
  ir::FuncId MonoidBody(mesh::Monoid monoid, tensor::DType dtype);

  // The mesh that set_mesh, use_abstract_mesh or `with mesh` has made current; null if none.
  MeshObj* context_mesh() const { return context_.empty() ? nullptr : context_.back(); }
  void PushMesh(MeshObj* mesh) { context_.push_back(mesh); }
  void PopMesh() { context_.pop_back(); }
  void SetMesh(MeshObj* mesh) {
    if (context_.empty()) {
      context_.push_back(mesh);
    } else {
      context_.back() = mesh;
    }
  }
  std::vector<MeshObj*> SwapContext(std::vector<MeshObj*> context) {
    std::swap(context, context_);
    return context;
  }

  // Gives the value that the user's text calls `name` that name, if it has none from the text yet.
  void NameValue(const Value& array, llvm::StringRef name);
  // Numbers the values that have no name from the text.
  void FinishNames(Trace& trace);

  // Operations traced so far, in all functions, and their operands by the ten.
  int64_t work = 0;

  ConcreteValues concrete_values;

  // Of the jitted function being traced, in the order in which they were met.
  std::vector<DeviceUse> device_uses;

  // Bodies of the flat form, which are traced once though several instructions use them.
  llvm::DenseMap<std::pair<const ir::Module*, const native::Object*>, ir::FuncId> flat_bodies;

  // The mesh of an interned id as a value.
  MeshObj* MeshValue(mesh::MeshId id);

 private:
  bool AreOnContextMesh(ir::OpKind op, llvm::ArrayRef<Value> operands);
  // The mesh that an array from outside the region around speaks of; null where that is none, or where it is from inside.
  const MeshObj* MeshOutside(const ArrayObj& array) const;
  bool MayEnterRegion(const ArrayObj& array);
  ir::ValueId Capture(ArrayObj& array, Trace& trace);
  ir::ValueId CopyTopLevel(const Trace& from, ir::ValueId id, Trace& to);
  ir::FuncId CopyFunction(const ir::Module& from, ir::FuncId id, ir::Module& to);

  Evaluator& ev_;
  std::shared_ptr<ir::Tables> tables_;
  std::vector<std::unique_ptr<Trace>> traces_;
  std::unique_ptr<TracedCalls> traced_calls_;
  ir::Module top_module_;
  Trace* current_ = nullptr;
  std::vector<MeshObj*> context_;
};

// --- operators (operators.cc)
Value ArrayBinary(Evaluator& ev, Operator op, const Value& a, const Value& b);
Value ArrayUnary(Evaluator& ev, Operator op, const Value& a);
Value ArrayCompare(Evaluator& ev, Operator op, const Value& a, const Value& b);
std::optional<bool> ArrayTruth(Evaluator& ev, const Value& array);
std::string ArrayText(const ArrayObj& array);

// --- types (promotion.cc)
struct DTypeWeak {
  tensor::DType dtype = tensor::DType::F32;
  bool weak = false;
};
// dtype and weakness that JAX gives a value, if it is an array or can become one.
std::optional<DTypeWeak> TypeOf(const Value& v);
// jnp.result_type. Nothing after a diagnostic (types without an implicit promotion).
std::optional<DTypeWeak> ResultType(Evaluator& ev, llvm::ArrayRef<Value> values);
std::optional<DTypeWeak> Promote(Evaluator& ev, llvm::ArrayRef<DTypeWeak> types);

// --- making arrays (convert.cc)
// Whether Python integers, in lists or alone, are numbers of an integer type, as jnp.array(v, dtype) asks; false after a
// diagnostic.
bool CheckFits(Evaluator& ev, const Value& v, tensor::DType dtype);
bool IsArrayLike(const Value& v);  // arrays, numbers, numpy arrays
// An array of what jnp.asarray takes. dtype open: as JAX chooses.
Value ToArray(Evaluator& ev, const Value& v, std::optional<tensor::DType> dtype = std::nullopt);
// The array with another dtype, weak or not.
Value Convert(Evaluator& ev, const Value& array, tensor::DType dtype, bool weak = false);
// The leaves of a tree as arrays.
Value MapLeafArrays(Evaluator& ev, const Value& tree);
// All arguments as arrays of their common type (jnp.promote_types); false after a diagnostic.
bool PromoteAll(Evaluator& ev, llvm::StringRef function, llvm::ArrayRef<Value> values,
                llvm::SmallVectorImpl<Value>& out, bool to_inexact = false);
// All arrays broadcast to their common shape as numpy does.
bool BroadcastAll(Evaluator& ev, llvm::StringRef function, llvm::MutableArrayRef<Value> arrays);
// The same as jnp.broadcast_arrays and jnp.where do it: where shapes differ, all get the sharding that they have together.
bool BroadcastTogether(Evaluator& ev, llvm::StringRef function, llvm::MutableArrayRef<Value> arrays);
// Broadcast to dims; dims of the array are the last ones.
Value BroadcastTo(Evaluator& ev, const Value& array, llvm::ArrayRef<int64_t> dims, mesh::ShardingId out_sharding = {});
Value BroadcastInDim(Evaluator& ev, const Value& array, llvm::ArrayRef<int64_t> dims,
                     llvm::ArrayRef<int64_t> broadcast_dims, mesh::ShardingId out_sharding = {});
Value Reshape(Evaluator& ev, const Value& array, llvm::ArrayRef<int64_t> dims, mesh::ShardingId out_sharding = {});
Value Transpose(Evaluator& ev, const Value& array, llvm::ArrayRef<int64_t> permutation);
// A scalar or splat constant.
Value Full(Evaluator& ev, tensor::DType dtype, llvm::ArrayRef<int64_t> dims, double value, bool weak = false,
           mesh::ShardingId out_sharding = {});
// precision= as texts have it: "HIGHEST, DEFAULT" for one of JAX's words or a pair of them; empty for the default and for
// names of algorithms, which say nothing of the operands.
std::string PrecisionText(const Value& v);
// The out_sharding= argument for a result of this rank: a Spec or a Sharding, its Explicit axes. False after a diagnostic.
bool OutSharding(Evaluator& ev, const Value& v, size_t rank, const std::string& function, mesh::ShardingId& out);

inline const ir::Type& TypeOfArray(const Value& v) { return v.as<ArrayObj>().type; }
std::string ShowType(Evaluator& ev, const ir::Type& type, bool weak = false);
std::string ShapeText(llvm::ArrayRef<int64_t> dims);  // (8, 4)
Value AvalOf(Evaluator& ev, const Value& array);
Value AvalAttr(Evaluator& ev, const AvalObj& aval, llvm::StringRef name);
Value ArrayAttr(Evaluator& ev, const Value& array, llvm::StringRef name);
// x[index] (indexing.cc).
Value ArrayGetItem(Evaluator& ev, const Value& array, const Value& index, const Value& options = {});

// What a context of a `with` statement makes current: a mesh, or null for one that changes nothing.
struct MeshContext {
  MeshObj* mesh = nullptr;           // null: the context leaves it
  std::optional<MeshObj*> replaced;  // set_mesh at the top level: what is the context mesh again at the end
};
MeshContext ContextOf(const Value& context);

}  // namespace spmdc::text::native
