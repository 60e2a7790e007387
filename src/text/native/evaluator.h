// The evaluator: runs a file as Python would, on static values, and traces what it does with arrays.
//
// After an error nothing more is evaluated: functions return Value::Error() or false, and their callers pass that on. The
// innermost place in the user's own text is known at all times (`span()`); code of the prelude never moves it.
#pragma once

#include <functional>
#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"
#include "text/native/array.h"
#include "text/native/prelude.h"
#include "text/native/reader.h"
#include "text/native/value.h"

namespace spmdc::text::native {

class Evaluator;
class Tracer;

// Variables of one scope: the file, a function call, a comprehension.
struct Env : Object {
  Env* outer = nullptr;
  const Function* function = nullptr;  // null for the file and for comprehensions
  int64_t made = 0;                    // scopes are counted; those of the file and of the prelude are 0
  llvm::SmallDenseMap<NameId, Value, 8> vars;
};

// A call of a built-in function: positional and keyword arguments, and what the table says about the function.
struct Call {
  Evaluator& ev;
  const Builtin& builtin;
  llvm::SmallVector<Value, 4> args;
  llvm::SmallVector<std::pair<llvm::StringRef, Value>, 2> kwargs;

  // Fits the arguments to a signature such as "x, /, axis=, *, keepdims=" (or "*xs, axis="): one Value per parameter,
  // Missing for those with `=` that are not given; a starred one gets a tuple. False after a diagnostic.
  bool Bind(llvm::StringRef signature, llvm::MutableArrayRef<Value> out);
};

// Modules that names can be looked up in, as bits. Bare: known without prefix, before jnp, lax and jax.nn.
enum Modules : uint32_t {
  kBare = 1,
  kJnp = 2,
  kLax = 4,
  kNn = 8,
  kJax = 16,
  kSharding = 32,
  kNp = 64,
  kMath = 128,
  kFunctools = 256,
  kRandom = 512,
  kLinalg = 1024,
  kTree = 2048,
  kSpecial = 4096,
  kFft = 8192,
  kOps = 16384,
  kLaxLinalg = 32768,
  kScipy = 65536,
  kMethod = 131072,  // a method of arrays
  kSpmdc = 262144,
  kPreludeOnly = 524288,
  kTreeUtil = 1048576,
  kDTypes = 4194304,
  kScatterMode = 8388608,
  kRoundingMethod = 16777216,
  kPrecision = 33554432,
  kInitializers = 67108864,
  kConfig = 134217728,
  kExperimental = 2097152,  // functions that jax.experimental has with another signature
};

using BuiltinFunction = Value (*)(Call&);

struct Builtin {
  uint32_t modules;
  const char* name;
  BuiltinFunction run;
  int64_t data = 0;  // what distinguishes functions that share `run`
};
// A monoid as a builtin's data.
constexpr int64_t DataOf(mesh::Monoid monoid) { return static_cast<int64_t>(monoid); }

struct EntrySpecs;
// The most devices of a mesh.
inline constexpr int64_t kMaxDevices = int64_t{1} << 24;
// Lists and strings longer than this are refused: a program has no use for them, a mistyped number does.
inline constexpr int64_t kMaxRepeat = int64_t{1} << 24;
// Elements of arrays that a function looks at in the time of one step.
inline constexpr int64_t kElementsPerStep = 4;

class Evaluator {
 public:
  // `tables`: the ones of the program that is made; null for new ones.
  Evaluator(Ast& ast, source::FileId file, const ReadOptions& options, diag::Engine& diags,
            llvm::raw_ostream& print_out, std::shared_ptr<ir::Tables> tables = nullptr, bool whole_prelude = false);
  ~Evaluator();
  // Evaluation has ended, without a word, since it needs a part of the prelude that seemed not to be needed: to be done again,
  // with the whole prelude.
  bool lacks_prelude() const { return lacks_prelude_; }

  // Reads the prelude, runs the file, traces the entry.
  std::optional<ir::Module> Read();
  // The same without an entry. False after an error.
  bool RunFile();
  // Makes ready to evaluate something that has nothing to do with what was evaluated before, or failed.
  void StartAgain();

  // --- errors
  Value Fail(diag::Kind kind, std::string message, std::string help = "");
  Value FailAt(source::Span span, diag::Kind kind, std::string message, std::string help = "");
  // A diagnostic that another engine has; evaluation ends.
  void Tell(const diag::Diagnostic& d);
  // Adds a note to the diagnostic that was told last.
  void NoteLast(source::Span span, std::string text);
  // `'x' object cannot ...`: Python's TypeError and its like.
  Value TypeError(std::string message) { return Fail(diag::Kind::Python, std::move(message)); }
  // What JAX has and is not here; `excluded`: because the language leaves it out.
  Value NotBuilt(const std::string& what, bool excluded = false);
  // An integer of more than 64 bits where only smaller ones make sense.
  Value TooBig();
  bool has_failed() const { return failed_; }
  // Something below (type inference) has told the user already.
  void MarkFailed() { failed_ = true; }
  source::Span span() const { return at_; }
  void set_span(source::Span span) {
    if (prelude_depth_ == 0) {
      at_ = span;
    }
  }

  // --- calls
  Value CallFunction(const Value& function, llvm::ArrayRef<Value> args,
                     llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs = {});
  Value CallPrelude(llvm::StringRef name, llvm::ArrayRef<Value> args,
                    llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs = {});
  // Python's `inspect.signature`, as far as entries need it.
  const Function* FunctionOf(const Value& function) const;

  // --- operations on values (arithmetic.cc, static_ops.cc, attributes.cc)
  Value Binary(Operator op, const Value& a, const Value& b);
  Value Unary(Operator op, const Value& a);
  Value Compare(Operator op, const Value& a, const Value& b);
  std::optional<bool> Truth(const Value& v);
  Value GetAttr(const Value& object, llvm::StringRef name);
  Value GetItem(const Value& object, const Value& index);
  Value SequenceGetItem(const Value& object, const Value& index);
  Value TextGetItem(const Value& object, const Value& index);
  // The place from the front that an index means; nothing after a diagnostic.
  std::optional<int64_t> ToPlace(const Value& sequence, const Value& index, int64_t size);
  bool SetItem(const Value& object, const Value& index, const Value& value);
  // The elements of something that can be iterated.
  bool Iterate(const Value& v, std::vector<Value>& out);
  // Calls `each` for every element, as Python's `for` does: a list is walked as it is then, also where the body changes it.
  // False after a diagnostic, or once `each` says so.
  bool ForEach(const Value& v, llvm::function_ref<bool(const Value&)> each);
  // Whether a value may be a key of a dict or an element of a set; a diagnostic where not.
  bool CheckHashable(const Value& v);
  // Whether a tree ends, to which walking it is counted; a diagnostic where not.
  bool CheckBounded(const Value& tree);
  bool AddToSet(SetObj& set, const Value& item);
  // The entry of a dict with this key, the item of a list or set that equals this one; null where there is none, and after a
  // diagnostic.
  const std::pair<Value, Value>* FindEntry(llvm::ArrayRef<std::pair<Value, Value>> entries, const Value& key);
  const Value* FindItem(llvm::ArrayRef<Value> items, const Value& item);
  std::optional<int64_t> Length(const Value& v);
  // Python's ==; what it looks at counts as work. False after a diagnostic too.
  bool Same(const Value& a, const Value& b);
  // The whole str or repr of a value; nothing after a diagnostic.
  std::optional<std::string> Written(const Value& v, bool repr = false);

  // --- arguments of built-in functions
  // A static integer; arrays are refused as JAX refuses tracers.
  std::optional<int64_t> ToInt(const Value& v, const char* what);
  std::optional<std::string> ToStr(const Value& v, const char* what);
  // An int or a sequence of ints.
  bool ToInts(const Value& v, const char* what, tensor::Dims& out);
  bool ToShape(const Value& v, tensor::Dims& out);
  // None, an int or ints, negative counted from the end, as sorted dims of an array of this rank; all dims for None.
  bool ToAxes(const Value& v, size_t rank, tensor::Dims& out);
  std::optional<int64_t> ToAxis(const Value& v, size_t rank);
  // `keys`: may be that of keys of jax.random too.
  std::optional<tensor::DType> ToDType(const Value& v, bool keys = false);
  bool ToBool(const Value& v, const char* what, bool fallback, bool& out);

  // --- entry (entry.cc)
  struct LastUse {
    Value jitted;  // none: nothing was called
    std::vector<Value> args;
    std::vector<std::pair<std::string, Value>> kwargs;
    std::vector<MeshObj*> context;
    source::Span span;
  };
  void set_entry_function(const Function* function) { entry_function_ = function; }
  LastUse last_use;
  // Where the function being traced is lowered: the entry's def, or the call at top level.
  source::Span lowering_span() const { return lowering_span_; }
  void set_lowering_span(source::Span span) { lowering_span_ = span; }
  MeshObj* last_mesh = nullptr;
  // Something has been put somewhere by a sharding, or runs in a manual region.
  bool uses_shardings = false;
  // Specs (entry_specs.h): while the entry is traced, and the meshes made of them.
  EntrySpecs* entry_specs = nullptr;
  std::vector<MeshObj*> said_meshes;

  Ast& ast() { return ast_; }
  Heap& heap() { return heap_; }
  diag::Engine& diags() { return *diags_; }
  Tracer& tracer() { return *tracer_; }
  llvm::raw_ostream& print_out() { return print_out_; }
  bool silent = false;  // the entry is traced a second time
  int64_t num_devices() const { return num_devices_; }
  // The file says how many there are (jax_num_cpu_devices); --devices stands above it.
  void SetNumDevices(int64_t devices);
  Env* file_env() { return file_env_; }
  source::Span file_start() const { return {file_, 0, 0}; }
  Env* prelude_env() { return prelude_env_; }
  bool in_prelude() const { return prelude_depth_ > 0; }
  const ReadOptions& options() const { return options_; }
  // The file begins with `spmdc.flat(1)`: element types are as written, and names of meshes are kept.
  bool flat() const { return flat_; }
  void set_flat() { flat_ = true; }
  // What that line says of the program: that it is one device's; that it says where everything is; how many devices there
  // are (0: as the mesh says); the arguments whose memory results may take, and those results.
  bool per_device = false;
  bool decided = false;
  int64_t program_devices = 0;
  std::vector<tensor::Dims> aliases;

  // The names that modules have, also those of parts of the prelude that the program does not name.
  std::vector<std::string> NamesIn(uint32_t modules) const;
  // A name of a module (one bit); Missing if it has none.
  Value FindIn(uint32_t module, llvm::StringRef name);
  // Adds a function of the prelude to modules.
  void Export(uint32_t modules, llvm::StringRef name, Value value);
  int64_t text_size() const { return text_size_; }
  int64_t envs_made() const { return envs_made_; }
  bool Step() { return Work(1); }
  // Counts so many evaluated expressions, or what takes as long. False, with a diagnostic, behind the end of patience.
  bool Work(int64_t steps);
  // The same for a function that looks at, or copies, so many bytes of static values: each whose time depends on its
  // arguments says how many before, or as, it does.
  bool Touch(int64_t bytes);
  bool TouchItems(size_t items) { return Touch(static_cast<int64_t>(items * sizeof(Value))); }
  // Elements of a numpy array, one after the other.
  bool TouchElements(int64_t elements) { return Work(elements / kElementsPerStep); }
  // Finding one text in another: at each place, as much of the part as there is may have to be looked at.
  bool TouchSearch(llvm::StringRef text, llvm::StringRef part) {
    return text.size() < part.size() ||
           Touch(static_cast<int64_t>((text.size() - part.size() + 1) * std::max<size_t>(part.size(), 1)));
  }
  // Whether static values may take so much more memory; a diagnostic where not.
  bool Afford(int64_t bytes);
  int64_t BytesLeft() const;

  // --- annotations (annotations.cc)
  // A type of LANGUAGE section 3 from the text that types print as; Error after a diagnostic.
  Value TypeFromText(llvm::StringRef text);
  // Checks a value against an annotation; annotations that are no types are ignored.
  bool CheckAnnotation(const Value& value, const Value& annotation);
  Value EvalAnnotation(ExprId id, Env* env);

 private:
  enum class Flow : uint8_t { Next, Break, Continue, Return, Fail };

  // Statements (eval_stmt.cc).
  Flow Run(ListRange body, Env* env, Value& result);
  Flow RunOne(const Stmt& stmt, Env* env, Value& result);
  // The same, going on behind statements that fail (recovery.cc); Fail if any did.
  Flow RunAll(ListRange body, Env* env, Value& result);
  // After a failed statement: makes ready to run the next one. False where that makes no sense.
  bool GoOnAfter(const Stmt& stmt, Env* env);
  // Hands the errors behind the first one to the caller.
  void TellLater();
  Flow RunFor(const Stmt& stmt, Env* env, Value& result);
  Flow RunWith(const Stmt& stmt, Env* env, Value& result);
  bool RunImport(const Stmt& stmt, Env* env);
  bool RunAssert(const Stmt& stmt, Env* env);
  bool Define(const Stmt& stmt, Env* env);
  bool Assign(ExprId target, const Value& value, Env* env);
  bool Unpack(const Expr& target, const Value& value, Env* env);
  void SetName(NameId name, const Value& value, Env* env);
  // Expressions (eval_expr.cc).
  Value Eval(ExprId id, Env* env);
  Value EvalInner(const Expr& e, Env* env);
  Value EvalName(const Expr& e, Env* env);
  Value EvalNumber(const Expr& e);
  Value EvalFString(const Expr& e, Env* env);
  Value EvalField(const Expr& e, Env* env);
  Value EvalBinary(const Expr& e, Env* env);
  Value EvalCompare(const Expr& e, Env* env);
  Value EvalLogic(const Expr& e, Env* env);
  Value EvalSubscript(const Expr& e, Env* env);
  Value EvalTypeSubscript(tensor::DType dtype, const Expr& e, Env* env);
  Value EvalDict(const Expr& e, Env* env);
  Value EvalComprehension(const Expr& e, Env* env);
  bool RunClauses(const Expr& e, size_t clause, Env* env, const std::function<bool(Env*)>& each);
  bool EvalItems(llvm::ArrayRef<ExprId> items, Env* env, std::vector<Value>& out);
  Value EvalCall(const Expr& e, Env* env);
  Value MakeFunction(FunctionId id, Env* env);
  // Calls (eval_call.cc).
  Value CallUser(FunctionObj& f, llvm::ArrayRef<Value> args, llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs);
  bool BindParams(FunctionObj& f, llvm::ArrayRef<Value> args, llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs,
                  Env* env);
  bool BindParam(FunctionObj& f, size_t p, llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs,
                 std::vector<bool>& used, Value& value);
  bool Refuse(const FunctionObj& f, const std::string& message, std::string help = "");
  std::string UnexpectedText(const Function& function, llvm::StringRef keyword) const;
  std::string PublicName(const FunctionObj& f) const;
  bool CheckParams(FunctionObj& f, Env* env);
  void NameArguments(FunctionObj& f, Env* env);
  Value CallDirect(const Value& function, llvm::ArrayRef<Value> args,
                   llvm::ArrayRef<std::pair<llvm::StringRef, Value>> kwargs);
  // Names (names.cc).
  Value FindBare(NameId id);
  Value LookUpBare(llvm::StringRef name);
  Value UnknownName(llvm::StringRef name);
  Value ModuleAttr(uint32_t module, llvm::StringRef name);
  Value ImportFrom(const Value& module, llvm::StringRef name, bool experimental);
  void FillTables();
  bool ReadPrelude();
  bool IsLacking(llvm::StringRef name);
  // So many bytes may be touched before patience ends.
  int64_t TouchableBytes() const;

  Ast& ast_;
  source::FileId file_;
  ReadOptions options_;
  diag::Engine& first_diags_;  // the caller's
  diag::Engine* diags_;        // where errors are told: the caller's up to the first one, then `later_`
  std::unique_ptr<diag::Engine> later_;
  llvm::raw_ostream& print_out_;
  Heap heap_;
  std::unique_ptr<Tracer> tracer_;
  Env* file_env_ = nullptr;
  Env* prelude_env_ = nullptr;
  llvm::StringMap<llvm::SmallVector<std::pair<uint32_t, Value>, 2>> tables_;
  // What was found of bare names, by the file and by the prelude; Missing if nothing. The tables do not change once the
  // prelude has been read.
  llvm::DenseMap<NameId, Value> bare_[2];
  source::Span at_;
  source::Span lowering_span_;
  int prelude_depth_ = 0;
  int call_depth_ = 0;
  int nested_calls_ = 0;
  int eval_depth_ = 0;
  int64_t steps_ = 0;
  int64_t envs_made_ = 0;
  int64_t text_size_ = 0;
  int64_t num_devices_ = 8;
  Prelude prelude_;
  bool lacks_prelude_ = false;
  bool failed_ = false;
  bool flat_ = false;
  std::optional<diag::Handle> told_;          // the diagnostic that made evaluation end
  std::vector<source::Span> call_spans_;      // of the user's functions being run
  const Function* entry_function_ = nullptr;  // its parameters' annotations are its arguments' types, not checks
};

// "did you mean 'x'?" with the nearest of candidates, or nothing if none is near.
std::string DidYouMean(llvm::StringRef word, std::vector<std::string> candidates);

// The modules that the prelude names: `jnp lax`.
uint32_t ModulesOf(llvm::StringRef names);
// Whether a file may call `lax.tanh` and the like (bare names, and modules as they are spelled without import): what the
// writer may print.
bool IsCallable(llvm::StringRef dotted);

// Modules that values of kind Module stand for.
Value ModuleValue(uint32_t module);
// "jax.numpy" and the like.
llvm::StringRef ModuleName(uint32_t module);

// The tables of built-in functions, one per subject.
llvm::ArrayRef<Builtin> PythonBuiltins();
llvm::ArrayRef<Builtin> SequenceBuiltins();
llvm::ArrayRef<Builtin> OverloadedBuiltins();
llvm::ArrayRef<Builtin> MathBuiltins();
llvm::ArrayRef<Builtin> NumpyBuiltins();
llvm::ArrayRef<Builtin> ShardingBuiltins();
llvm::ArrayRef<Builtin> PlacementBuiltins();
llvm::ArrayRef<Builtin> JitBuiltins();
llvm::ArrayRef<Builtin> ElementwiseBuiltins();
llvm::ArrayRef<Builtin> SelectBuiltins();
llvm::ArrayRef<Builtin> CreationBuiltins();
llvm::ArrayRef<Builtin> ShapeBuiltins();
llvm::ArrayRef<Builtin> ReductionBuiltins();
llvm::ArrayRef<Builtin> ContractionBuiltins();
llvm::ArrayRef<Builtin> LaxBuiltins();
llvm::ArrayRef<Builtin> ControlBuiltins();
llvm::ArrayRef<Builtin> LoopBuiltins();
llvm::ArrayRef<Builtin> DynamicSliceBuiltins();
llvm::ArrayRef<Builtin> FlatBuiltins();
llvm::ArrayRef<Builtin> TreeBuiltins();
llvm::ArrayRef<Builtin> ManualBuiltins();
llvm::ArrayRef<Builtin> CollectiveBuiltins();
llvm::ArrayRef<Builtin> OrderBuiltins();
llvm::ArrayRef<Builtin> WindowBuiltins();
llvm::ArrayRef<Builtin> LinalgBuiltins();
llvm::ArrayRef<Builtin> PreludeBuiltins();
llvm::ArrayRef<Builtin> RandomBuiltins();

}  // namespace spmdc::text::native
