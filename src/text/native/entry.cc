// Which function of a file is the program, with which arguments and on which mesh.
#include "llvm/ADT/STLExtras.h"
#include "text/native/decided.h"
#include "text/native/flat.h"
#include "text/native/numpy.h"
#include "text/native/placement.h"
#include "text/native/sharding_api.h"
#include "text/native/traced_function.h"
#include "text/native/tree.h"

namespace spmdc::text::native {
namespace {

// Bodies that were traced and given up (a carry whose type had to change) are no part of the program.
void DropUnused(ir::Module& module) {
  std::vector<bool> used(module.functions.size());
  std::vector<ir::FuncId> open{module.entry};
  while (!open.empty()) {
    ir::FuncId id = open.back();
    open.pop_back();
    if (!used[static_cast<size_t>(id.index)]) {
      used[static_cast<size_t>(id.index)] = true;
      const std::vector<ir::FuncId>& bodies = module.functions[id].body_pool;
      open.insert(open.end(), bodies.begin(), bodies.end());
    }
  }
  Store<ir::FuncId, ir::Function> kept;
  IdMap<ir::FuncId, ir::FuncId> renamed(module.functions.size());
  for (ir::FuncId id : module.functions.ids()) {
    if (used[static_cast<size_t>(id.index)]) {
      renamed[id] = kept.Add(std::move(module.functions[id]));
    }
  }
  for (ir::Function& f : kept) {
    f.enclosing = renamed.Get(f.enclosing);
    for (ir::FuncId& body : f.body_pool) {
      body = renamed.Get(body);
    }
  }
  module.functions = std::move(kept);
  module.entry = renamed.Get(module.entry);
}

// Chooses and traces the entry of a file that has been run.
class EntryReader {
 public:
  // While it is traced, the program may name any device; the mesh of its arguments says in the end how many it runs on.
  explicit EntryReader(Evaluator& ev) : ev_(ev), module_(std::make_unique<ir::Module>(ev.tracer().shared_tables())) {
    module_->num_devices = ev.num_devices();
    if (ev.options().specs != nullptr) {
      specs_.emplace(*ev.options().specs);
      ev.entry_specs = &*specs_;
    }
  }
  ~EntryReader() { ev_.entry_specs = nullptr; }
  EntryReader(const EntryReader&) = delete;
  EntryReader& operator=(const EntryReader&) = delete;

  std::optional<ir::Module> Run() {
    std::string name = ev_.options().entry.empty() ? "main" : ev_.options().entry;
    Value function = ev_.file_env()->vars.lookup(ev_.ast().Intern(name));
    bool named = !ev_.options().entry.empty();
    bool typed = function.is(VK::Function) || function.is(VK::Jitted);
    bool ok = false;
    if (typed) {
      ok = Typed(name, function);
    } else if (named || (ev_.last_use.jitted.kind == VK::Missing)) {
      ev_.FailAt(ev_.file_start(), diag::Kind::NoEntry,
                 named || function.given() ? "the file has no function '" + name + "'"
                                           : "the file has no function 'main', and calls or lowers no jitted function",
                 "define main with typed parameters, or choose a function with --entry");
    } else {
      ok = Script();
    }
    if (!ok || ev_.has_failed()) {
      return std::nullopt;
    }
    DropUnused(*module_);
    if (ev_.decided) {
      Decide(*module_);
    }
    return std::move(*module_);
  }

 private:
  bool Finish(const std::string& name, const Value& function, const JittedObj* jitted, const Arguments& given) {
    module_->name = name;
    source::Span at = ev_.span();
    ev_.set_lowering_span(at);
    Trace* trace = ev_.tracer().NewFunction(*module_, name);
    module_->entry = trace->function;
    ChooseMesh(given);
    LateRefusal late;
    if (ev_.has_failed()) {
      return false;
    }
    Value result = RunTraced(ev_, *trace, function, jitted, given, late);
    if (result.failed()) {
      return false;
    }
    ev_.set_span(at);
    Value out_shardings = jitted != nullptr ? jitted->out_shardings : Value();
    if (FinishResults(ev_, *trace, result, out_shardings).failed() || late.Tell(ev_)) {
      return false;
    }
    if (jitted != nullptr) {
      AliasDonated(ev_, *trace, *jitted, given);
    }
    ev_.tracer().FinishNames(*trace);
    return AliasAsSaid(ev_, module_->functions[trace->function]);
  }

  void ChooseMesh(const Arguments& given) {
    module_->num_devices = 1;
    MeshObj* mesh = ev_.tracer().context_mesh();
    std::vector<Value> leaves;
    for (const Value& arg : given.args) {
      Leaves(arg, leaves);
    }
    for (const Value& leaf : leaves) {
      mesh = mesh == nullptr ? MeshOfArgument(ev_, leaf) : mesh;
    }
    mesh = EntryMesh(ev_, mesh != nullptr ? mesh : ev_.last_mesh);
    if (specs_) {
      specs_->mesh = mesh;
    }
    // The flat form tells a number of devices where it is not the mesh's; one that the mesh gives anyway stands there because
    // the program has no mesh of its own.
    bool own_mesh = ev_.program_devices == 0 || llvm::is_contained(ev_.said_meshes, mesh) || mesh == nullptr ||
                    mesh->mesh.size() != ev_.program_devices;
    if (mesh != nullptr && !mesh->mesh.axes.empty() && own_mesh) {
      module_->mesh = ev_.tracer().tables().meshes.Intern(mesh->mesh);
      module_->num_devices = mesh->mesh.size();
    }
    module_->per_device = ev_.per_device;
    bool said = llvm::is_contained(ev_.said_meshes, mesh);
    module_->num_devices = ev_.program_devices > 0 && !said ? ev_.program_devices : module_->num_devices;
  }

  // main(x: f32[8@x, 4], ...): arguments are what the annotations say.
  bool Typed(const std::string& name, const Value& value) {
    const JittedObj* jitted = value.is(VK::Jitted) ? &value.as<JittedObj>() : nullptr;
    Value function = jitted != nullptr ? jitted->function : value;
    if (!function.is(VK::Function)) {
      ev_.FailAt(ev_.file_start(), diag::Kind::NoEntry, "'" + name + "' is no function with typed parameters");
      return false;
    }
    auto& f = function.as<FunctionObj>();
    const Function& parsed = ev_.ast()[f.function];
    Value global = ev_.file_env()->vars.lookup(ev_.ast().Intern("mesh"));
    MeshObj* mesh = EntryMesh(ev_, global.is(VK::Mesh) ? &global.as<MeshObj>() : ev_.last_mesh);
    if (ev_.has_failed()) {
      return false;
    }
    ev_.tracer().SwapContext(mesh != nullptr ? std::vector<MeshObj*>{mesh} : std::vector<MeshObj*>{});
    Arguments given;
    next_leaf_ = 0;
    for (size_t i : InOrderOfArguments(parsed)) {
      const Param& param = parsed.params[i];
      ev_.set_span(param.span);
      if (f.defaults[i].given()) {
        continue;
      }
      std::string param_name = ev_.ast().text(param.name).str();
      if (!param.annotation.valid()) {
        if (param.kind == ParamKind::Star || param.kind == ParamKind::DoubleStar) {
          continue;
        }
        ev_.Fail(diag::Kind::Annotation, "argument '" + param_name + "' of '" + name + "' needs a type or a default",
                 "say it behind a colon, with where it is: " + param_name + ": f32[8, 4] @ P('data', None)");
        return false;
      }
      Value annotation = ev_.EvalAnnotation(param.annotation, f.closure);
      ev_.set_span(param.span);
      std::string path = param.kind == ParamKind::KeywordOnly ? param_name : ParamName(ev_, &parsed, given.args.size());
      Value struct_tree = annotation.failed() ? annotation : Structs(annotation, path);
      if (struct_tree.failed()) {
        return false;
      }
      if (param.kind == ParamKind::KeywordOnly) {
        given.kwargs.push_back({param_name, struct_tree});
      } else {
        given.args.push_back(struct_tree);
        given.spans.push_back(param.span);
      }
    }
    ev_.set_span(parsed.span);
    ev_.set_entry_function(&parsed);
    return Finish(name, function, jitted, given);
  }

  // Arguments given by keyword stand behind the others, in the order of their names.
  std::vector<size_t> InOrderOfArguments(const Function& function) {
    std::vector<size_t> order;
    for (size_t i = 0; i < function.params.size(); ++i) {
      order.push_back(i);
    }
    auto key = [&](size_t i) {
      const Param& param = function.params[i];
      return param.kind == ParamKind::KeywordOnly ? ev_.ast().text(param.name) : llvm::StringRef();
    };
    llvm::stable_sort(order, [&](size_t a, size_t b) { return key(a) < key(b); });
    return order;
  }

  // The tree of ShapeDtypeStructs that an annotation stands for.
  Value Structs(const Value& annotation, const std::string& name) {
    return MapTree(ev_, annotation, name, [&](const Value& leaf, const std::string& path) {
      bool said = SpecOfArg(ev_, next_leaf_++, path) != nullptr;  // in place of what the annotation says
      if (leaf.is(VK::Struct)) {
        return leaf;
      }
      Value type = leaf.is(VK::Str) ? ev_.TypeFromText(Text(leaf)) : leaf;
      if (type.failed()) {
        return type;
      }
      if (!type.is(VK::TypeForm) && !type.is(VK::DType)) {
        return ev_.Fail(diag::Kind::Python, "not a type: " + Repr(leaf),
                        "a type says the elements and the dims: f32[8, 4]");
      }
      auto* s = ev_.heap().New<StructObj>();
      s->dtype = Canonical(ev_, type.is(VK::DType) ? type.dtype() : type.as<TypeFormObj>().dtype);
      if (type.is(VK::DType)) {
        return Value::Object(VK::Struct, s);
      }
      const auto& form = type.as<TypeFormObj>();
      s->dims = form.dims;
      s->key = form.key;
      s->weak = form.weak;
      if (form.placement.given()) {
        s->sharding = form.placement;
      }
      if (!form.spec.given() || form.placement.given() || said) {
        return Value::Object(VK::Struct, s);
      }
      if (form.spec.is(VK::Spec) && ev_.tracer().context_mesh() == nullptr) {
        return ev_.Fail(diag::Kind::NoMesh, "an argument has a PartitionSpec, but the file has no mesh");
      }
      ShardingObj* sharding = ToSharding(ev_, form.spec, "an argument");
      if (sharding == nullptr ||
          !CheckFits(ev_, *sharding, ir::ArrayType(s->dtype, s->dims), "the argument's sharding")) {
        return Value::Error();
      }
      s->sharding = Value::Object(VK::Sharding, sharding);
      return Value::Object(VK::Struct, s);
    });
  }

  // The last use of a jitted function, traced again into the program.
  bool Script() {
    auto use = ev_.last_use;
    auto& jitted = use.jitted.as<JittedObj>();
    Arguments given{use.args, use.kwargs, {}};
    ev_.tracer().SwapContext(use.context);
    ev_.silent = true;
    ev_.tracer().work = 0;
    ev_.set_span(use.span);
    const Function* parsed = ev_.FunctionOf(jitted.function);
    std::string name = parsed != nullptr && parsed->name.valid() ? jitted.name : "main";
    return Finish(name, jitted.function, &jitted, given);
  }

  Evaluator& ev_;
  std::unique_ptr<ir::Module> module_;
  std::optional<EntrySpecs> specs_;
  size_t next_leaf_ = 0;
};

}  // namespace

std::optional<ir::Module> TraceEntry(Evaluator& ev) { return EntryReader(ev).Run(); }

}  // namespace spmdc::text::native
