// Looking up names: the tables of modules, and what is said about names that are not in them.
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "text/native/evaluator.h"
#include "text/native/numpy.h"
#include "text/native/prelude.h"

namespace spmdc::text::native {
namespace {

struct ModuleRow {
  uint32_t bit;
  llvm::StringRef name;  // as Python calls it
  llvm::StringRef bare;  // how programs spell it without import; empty: not at all
};

const ModuleRow kModules[] = {
    {kJax, "jax", "jax"},
    {kJnp, "jax.numpy", "jnp"},
    {kLax, "jax.lax", "lax"},
    {kNn, "jax.nn", "nn"},
    {kSharding, "jax.sharding", ""},
    {kNp, "numpy", "np"},
    {kMath, "math", "math"},
    {kFunctools, "functools", "functools"},
    {kRandom, "jax.random", "random"},
    {kLinalg, "jax.numpy.linalg", "linalg"},
    {kFft, "jax.numpy.fft", "fft"},
    {kTree, "jax.tree", "tree"},
    {kTreeUtil, "jax.tree_util", ""},
    {kScipy, "jax.scipy", ""},
    {kSpecial, "jax.scipy.special", ""},
    {kOps, "jax.ops", ""},
    {kLaxLinalg, "jax.lax.linalg", ""},
    {kDTypes, "jax.dtypes", ""},
    {kInitializers, "jax.nn.initializers", ""},
    {kConfig, "jax.config", ""},
    {kScatterMode, "jax.lax.GatherScatterMode", ""},
    {kRoundingMethod, "jax.lax.RoundingMethod", ""},
    {kPrecision, "jax.lax.Precision", ""},
    {kSpmdc, "spmdc", "spmdc"},
};

// Modules inside modules.
const struct {
  uint32_t outer;
  llvm::StringRef name;
  uint32_t inner;
} kSubmodules[] = {
    {kJax, "numpy", kJnp},
    {kJax, "lax", kLax},
    {kJax, "nn", kNn},
    {kJax, "sharding", kSharding},
    {kJax, "random", kRandom},
    {kJax, "tree", kTree},
    {kJax, "scipy", kScipy},
    {kScipy, "special", kSpecial},
    {kJax, "ops", kOps},
    {kJnp, "linalg", kLinalg},
    {kNn, "initializers", kInitializers},
    {kJax, "config", kConfig},
    {kJnp, "fft", kFft},
    {kLax, "linalg", kLaxLinalg},
    {kJax, "tree_util", kTreeUtil},
    {kScipy, "linalg", kLinalg},
    {kJax, "dtypes", kDTypes},
    {kLax, "GatherScatterMode", kScatterMode},
    {kLax, "RoundingMethod", kRoundingMethod},
    {kLax, "Precision", kPrecision},
};

// What a bare name is looked up in, in this order.
const uint32_t kBareOrder[] = {kBare, kJnp, kLax, kNn, kSharding};

bool IsKnownName(uint32_t modules, llvm::StringRef name) {
  static const std::pair<uint32_t, llvm::StringRef> kLists[] = {
#define KNOWN_NAMES(module, names) {module, names},
#include "text/native/known_names.def"
  };
  for (const auto& [module, names] : kLists) {
    if ((module & modules) == 0) {
      continue;
    }
    for (size_t at = names.find(name); at != llvm::StringRef::npos; at = names.find(name, at + 1)) {
      size_t end = at + name.size();
      if ((at == 0 || names[at - 1] == ' ') && (end == names.size() || names[end] == ' ')) {
        return true;
      }
    }
  }
  return false;
}

constexpr llvm::StringRef kNotInLanguage =
    " grad value_and_grad vjp jvp linearize jacfwd jacrev hessian vmap pmap custom_vjp custom_jvp eval_shape "
    "make_jaxpr "
    "pure_callback ";

// The functions written in C++, all tables.
std::vector<llvm::ArrayRef<Builtin>> BuiltinTables() {
  return {PythonBuiltins(),   SequenceBuiltins(),   OverloadedBuiltins(),   MathBuiltins(),        NumpyBuiltins(),
          ShardingBuiltins(), PlacementBuiltins(),  JitBuiltins(),          ElementwiseBuiltins(), CreationBuiltins(),
          SelectBuiltins(),   ShapeBuiltins(),      ReductionBuiltins(),    ContractionBuiltins(), LaxBuiltins(),
          ControlBuiltins(),  LoopBuiltins(),       DynamicSliceBuiltins(), FlatBuiltins(),        TreeBuiltins(),
          ManualBuiltins(),   CollectiveBuiltins(), OrderBuiltins(),        WindowBuiltins(),      LinalgBuiltins(),
          PreludeBuiltins(),  RandomBuiltins()};
}

// `module.name` of every function that files can call so, with modules as they are spelled without import.
llvm::StringSet<> DottedNames() {
  llvm::StringSet<> names;
  auto add = [&](uint32_t modules, llvm::StringRef name) {
    for (const ModuleRow& module : kModules) {
      if ((modules & module.bit) != 0 && !module.bare.empty()) {
        names.insert(module.bare.str() + "." + name.str());
      }
    }
    if ((modules & kBare) != 0) {
      names.insert(name);
    }
  };
  for (llvm::ArrayRef<Builtin> table : BuiltinTables()) {
    for (const Builtin& builtin : table) {
      add(builtin.modules, builtin.name);
    }
  }
  for (const PreludeExport& exported : PreludeExports()) {
    add(ModulesOf(exported.modules), exported.name);
  }
  return names;
}

}  // namespace

bool IsCallable(llvm::StringRef dotted) {
  static const llvm::StringSet<> kNames = DottedNames();
  return kNames.count(dotted) != 0;
}

std::string DidYouMean(llvm::StringRef word, std::vector<std::string> candidates) {
  llvm::sort(candidates);
  std::string nearest = diag::Nearest(word, candidates);
  return nearest.empty() ? "" : "did you mean '" + nearest + "'?";
}

uint32_t ModulesOf(llvm::StringRef names) {
  static const std::pair<llvm::StringRef, uint32_t> kNames[] = {
      {"jnp", kJnp},       {"lax", kLax},           {"nn", kNn},   {"jax", kJax},       {"bare", kBare},
      {"method", kMethod}, {"special", kSpecial},   {"ops", kOps}, {"linalg", kLinalg}, {"laxlinalg", kLaxLinalg},
      {"fft", kFft},       {"random", kRandom},     {"np", kNp},   {"dtypes", kDTypes}, {"initializers", kInitializers},
      {"tree", kTree},     {"tree_util", kTreeUtil}};
  uint32_t modules = 0;
  llvm::SmallVector<llvm::StringRef, 4> parts;
  names.split(parts, ' ', -1, false);
  for (llvm::StringRef part : parts) {
    for (const auto& [name, bit] : kNames) {
      modules |= part == name ? bit : 0;
    }
  }
  return modules;
}

Value ModuleValue(uint32_t module) { return Value::Tagged(VK::Module, module); }

llvm::StringRef ModuleName(uint32_t module) {
  const auto* row = llvm::find_if(kModules, [&](const ModuleRow& m) { return m.bit == module; });
  return row == std::end(kModules) ? "module" : row->name;
}

void Evaluator::Export(uint32_t modules, llvm::StringRef name, Value value) {
  tables_[name].push_back({modules, value});
}

void Evaluator::FillTables() {
  for (llvm::ArrayRef<Builtin> table : BuiltinTables()) {
    for (const Builtin& builtin : table) {
      Value value = Value::Of(VK::Builtin);
      value.builtin = &builtin;
      Export(builtin.modules, builtin.name, value);
    }
  }
  for (const ModuleRow& module : kModules) {
    if (!module.bare.empty()) {
      Export(kBare, module.bare, ModuleValue(module.bit));
    }
  }
  for (const auto& sub : kSubmodules) {
    Export(sub.outer, sub.name, ModuleValue(sub.inner));
  }
  for (tensor::DType dtype : tensor::AllDTypes()) {
    if (tensor::Class(dtype) != tensor::DClass::Other) {
      Export(kBare, tensor::HloName(dtype), Value::DType(dtype));
      for (uint32_t module : {kJnp, kNp}) {
        Value type = Value::ScalarType(dtype, module == kNp);
        Export(module, tensor::NumpyName(dtype), type);
        if (dtype == tensor::DType::Pred) {
          Export(module, "bool_", type);
        }
      }
    }
  }
  // Classes of element types are their names; issubdtype knows them.
  for (const char* kind :
       {"generic", "number", "integer", "signedinteger", "unsignedinteger", "inexact", "floating", "complexfloating"}) {
    Export(kJnp | kNp, kind, heap_.Str(kind));
  }
  // Members of JAX's enumerations are what the functions take in their place.
  for (auto [name, mode] : {std::pair("CLIP", "clip"), std::pair("FILL_OR_DROP", "fill"),
                            std::pair("PROMISE_IN_BOUNDS", "promise_in_bounds")}) {
    Export(kScatterMode, name, heap_.Str(mode));
  }
  for (const char* precision : {"DEFAULT", "HIGH", "HIGHEST"}) {
    Export(kPrecision, precision, heap_.Str(precision));
  }
  Export(kRoundingMethod, "AWAY_FROM_ZERO", Value::Int(0));
  Export(kRoundingMethod, "TO_NEAREST_EVEN", Value::Int(1));
  for (const char* kind : {"extended", "prng_key"}) {
    Export(kDTypes, kind, heap_.Str(kind));
  }
  for (auto [name, type] : {std::pair("Auto", mesh::AxisType::Auto), std::pair("Explicit", mesh::AxisType::Explicit),
                            std::pair("Manual", mesh::AxisType::Manual)}) {
    Export(kBare, name, Value::AxisType(type));
  }
  uint32_t numbers = kBare | kMath | kNp | kJnp;
  Export(numbers, "pi", Value::Float(3.141592653589793));
  Export(numbers, "inf", Value::Float(HUGE_VAL));
  Export(numbers, "nan", Value::Float(std::numeric_limits<double>::quiet_NaN()));
  Export(kMath | kNp | kJnp, "e", Value::Float(2.718281828459045));
  Export(kMath, "tau", Value::Float(6.283185307179586));
  Export(kBare | kNp | kJnp, "newaxis", Value::None());
  Export(kBare, "Ellipsis", Value::Of(VK::Ellipsis));
  Export(kBare, "__name__", heap_.Str("__main__"));  // as of a script
}

// Names of the file and of the prelude itself are never lacking.
bool Evaluator::IsLacking(llvm::StringRef name) {
  if (!prelude_.Lacks(name)) {
    return false;
  }
  lacks_prelude_ = failed_ = true;
  return true;
}

Value Evaluator::FindIn(uint32_t module, llvm::StringRef name) {
  if (IsLacking(name)) {
    return Value::Error();
  }
  auto entry = tables_.find(name);
  if (entry == tables_.end()) {
    return Value();
  }
  // The prelude's functions come last and win.
  for (const auto& [modules, value] : llvm::reverse(entry->getValue())) {
    if ((modules & module) != 0) {
      return value;
    }
  }
  return Value();
}

Value Evaluator::FindBare(NameId id) {
  Value& known = bare_[in_prelude() ? 1 : 0].try_emplace(id, Value::Error()).first->second;
  if (known.failed()) {
    known = LookUpBare(ast_.text(id));
  }
  return known;
}

Value Evaluator::LookUpBare(llvm::StringRef name) {
  if (in_prelude()) {
    Value value = FindIn(kPreludeOnly, name);
    if (value.given()) {
      return value;
    }
  }
  for (uint32_t module : kBareOrder) {
    Value value = FindIn(module, name);
    if (value.given()) {
      return value;
    }
  }
  return Value();
}

Value Evaluator::NotBuilt(const std::string& what, bool excluded) {
  return Fail(diag::Kind::NotInLanguage,
              "`" + what + "` is " + (excluded ? "not part of the language" : "not supported"),
              "the text of a program that JAX has lowered is read as well: jax.jit(f).lower(...).as_text()");
}

std::vector<std::string> Evaluator::NamesIn(uint32_t modules) const {
  std::vector<std::string> names;
  for (const auto& entry : tables_) {
    if (llvm::any_of(entry.getValue(), [&](const auto& row) { return (row.first & modules) != 0; })) {
      names.push_back(entry.getKey().str());
    }
  }
  for (const PreludeExport& exported : PreludeExports()) {
    if ((ModulesOf(exported.modules) & modules) != 0) {
      names.push_back(exported.name);
    }
  }
  return names;
}

Value Evaluator::UnknownName(llvm::StringRef name) {
  bool excluded = kNotInLanguage.contains(" " + name.str() + " ");
  if (excluded || IsKnownName(kJnp | kLax | kNn | kSharding, name)) {
    return NotBuilt(name.str(), excluded);
  }
  std::vector<std::string> candidates = NamesIn(~uint32_t{0});
  for (size_t i = 0; i < ast_.num_names(); ++i) {
    NameId id{static_cast<int32_t>(i)};
    if (file_env_->vars.count(id) != 0) {
      candidates.push_back(ast_.text(id).str());
    }
  }
  // Element types are often written as MLIR names them.
  std::optional<tensor::DType> dtype = tensor::FromStablehloName(name);
  return Fail(diag::Kind::Name, "the name '" + name.str() + "' is not defined",
              dtype ? "did you mean '" + tensor::HloName(*dtype).str() + "'?" : DidYouMean(name, candidates));
}

// What `from module import name` binds. A name that JAX has and this language has not stops a file only where it is used:
// it is bound to a Missing with its name.
Value Evaluator::ImportFrom(const Value& module, llvm::StringRef name, bool experimental) {
  if (!module.is(VK::Module)) {
    return GetAttr(module, name);
  }
  auto bit = static_cast<uint32_t>(module.i);
  Value own = experimental ? FindIn(kExperimental, name) : Value();
  own = own.given() ? own : FindIn(bit, name);
  bool known = (bit == kJax && kNotInLanguage.contains(" " + name.str() + " ")) || IsKnownName(bit, name) ||
               (experimental && IsKnownName(kExperimental, name));
  if (own.given() || !known) {
    return own.given() ? own : ModuleAttr(bit, name);
  }
  std::string full = ModuleName(bit).str() + (experimental ? ".experimental." : ".") + name.str();
  return Value::Object(VK::Missing, heap_.Str(full).obj);
}

// An attribute of a module.
Value Evaluator::ModuleAttr(uint32_t module, llvm::StringRef name) {
  Value value = FindIn(module, name);
  if (value.given()) {
    return value;
  }
  bool excluded = module == kJax && kNotInLanguage.contains(" " + name.str() + " ");
  std::string full = ModuleName(module).str() + "." + name.str();
  if (excluded || IsKnownName(module, name)) {
    return NotBuilt(full, excluded);
  }
  return Fail(diag::Kind::Attribute, "module '" + ModuleName(module).str() + "' has no attribute '" + name.str() + "'",
              DidYouMean(name, NamesIn(module)));
}

}  // namespace spmdc::text::native
