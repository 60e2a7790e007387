// Reads calls of the flat form, each in a function of its own, and compares what they become with what they stand for.
#include "text/native/reread.h"

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "text/native/body.h"
#include "text/native/tracer.h"
#include "text/native/tree.h"
#include "text/native/varying.h"

namespace spmdc::text::native {
namespace {

std::string TypeText(const ir::Tables& tables, const ir::Type& type) {
  const mesh::Sharding* s = type.sharding.valid() ? &tables.shardings[type.sharding] : nullptr;
  return mesh::TypeWithSharding(tensor::HloName(type.dtype), type.dims,
                                s == nullptr ? nullptr : &tables.meshes[s->mesh], s);
}

std::string AttrsText(const ir::Tables& tables, const ir::Inst& inst) {
  return inst.attrs.valid() ? ir::FieldsText(*tables.attrs.Copy(inst.attrs)) : "";
}

// All that decides how a call is read, and all that it must be.
std::string KeyOf(const ir::Module& module, const Reading& r) {
  std::string key = r.constants + r.call + "\n" + AttrsText(*module.tables, *r.inst);
  key += "\n" + std::to_string(r.inst->out_sharding.index);
  for (ir::ValueId v : r.operands) {
    key += "," + std::to_string(r.function->values[v].type.index);
  }
  key += ":";
  for (uint32_t i = 0; i < r.inst->num_results; ++i) {
    key += "," + std::to_string(r.function->values[r.function->result(*r.inst, i)].type.index);
  }
  for (const mesh::AxisRef& ref : r.function->manual_axes) {
    key += "m" + std::to_string(ref.axis);
  }
  return key;
}

class CallReader {
 public:
  CallReader(const ir::Module& program, Evaluator& ev) : program_(program), ev_(ev), read_(program.tables) {}

  // Whether the function `name` of the file, called with values as the instruction's operands are, is that instruction.
  bool IsSame(const std::string& name, const Reading& r) {
    ev_.StartAgain();
    Value function = ev_.file_env()->vars.lookup(ev_.ast().Intern(name));
    Trace* trace = ev_.tracer().NewFunction(read_, name);
    bool manual = !ev_.flat() && !r.function->manual_axes.empty() && program_.mesh.valid();
    if (manual) {
      trace->manual_mesh = ev_.tracer().MeshValue(program_.mesh);
      trace->checks_varying = llvm::any_of(r.function->values, [&](const ir::Value& v) { return Varies(v); });
      ev_.tracer().PushMesh(Retyped(ev_, trace->manual_mesh, r.function->manual_axes, mesh::AxisType::Manual));
    }
    read_.functions[trace->function].manual_axes = r.function->manual_axes;
    bool same = Call(*trace, function, r);
    if (manual) {
      ev_.tracer().PopMesh();
    }
    return same;
  }

 private:
  bool Varies(const ir::Value& v) const {
    const ir::Type& type = program_.type(v);
    return type.sharding.valid() && !program_.tables->shardings[type.sharding].varying.empty();
  }

  bool Call(Trace& trace, const Value& function, const Reading& r) {
    std::vector<Value> args, results;
    for (ir::ValueId v : r.operands) {
      args.push_back(ev_.tracer().AddArg(trace, program_.type(*r.function, v), false, {}));
    }
    Tracer::Scope scope(ev_.tracer(), trace);
    Value result = ev_.CallFunction(function, args);
    if (result.failed()) {
      return false;
    }
    Leaves(result, results);
    const ir::Function& f = read_.functions[trace.function];
    const ir::Inst* made = nullptr;
    for (const ir::Inst& inst : f.insts) {
      bool constant = op::Def(inst.op).constant_like && inst.num_operands == 0;
      if (!constant || r.inst->num_operands == 0) {
        if (made != nullptr) {
          return false;
        }
        made = &inst;
      }
    }
    return made != nullptr && IsThis(f, *made, r) && AreResults(trace, f, *made, results);
  }

  bool IsThis(const ir::Function& f, const ir::Inst& made, const Reading& r) const {
    if (made.op != r.inst->op || made.num_operands != r.inst->num_operands || made.num_results != r.inst->num_results ||
        made.out_sharding != r.inst->out_sharding ||
        AttrsText(*program_.tables, made) != AttrsText(*program_.tables, *r.inst)) {
      return false;
    }
    size_t next = 0;
    for (size_t i = 0; i < made.num_operands; ++i) {
      ir::ValueId own = r.function->operands(*r.inst)[i], read = f.operands(made)[i];
      bool is_arg = next < r.operands.size() && own == r.operands[next];
      if (is_arg ? read != f.args[next] : f.values[read].type != r.function->values[own].type) {
        return false;
      }
      next += is_arg ? 1 : 0;
    }
    for (size_t i = 0; i < made.num_results; ++i) {
      const ir::Type& own = program_.type(*r.function, r.function->result(*r.inst, i));
      if (TypeText(*program_.tables, read_.type(f, f.result(made, i))) != TypeText(*program_.tables, own)) {
        return false;
      }
    }
    return true;
  }

  static bool AreResults(const Trace& trace, const ir::Function& f, const ir::Inst& made,
                         llvm::ArrayRef<Value> results) {
    bool same = results.size() == made.num_results;
    for (size_t i = 0; same && i < results.size(); ++i) {
      same = results[i].is(VK::Array) && results[i].as<ArrayObj>().trace == &trace &&
             results[i].as<ArrayObj>().id == f.result(made, i);
    }
    return same;
  }

  const ir::Module& program_;
  Evaluator& ev_;
  ir::Module read_;
};

}  // namespace

bool Reread::IsOther(Reading reading) {
  std::string key = KeyOf(module_, reading);
  auto [known, is_new] = other_.try_emplace(key, false);
  if (is_new) {
    open_.push_back({std::move(key), std::move(reading)});
  }
  return known->second;
}

void Reread::Forget() {
  other_.clear();
  open_.clear();
}

bool Reread::Read(llvm::StringRef head, const llvm::DenseMap<mesh::MeshId, std::string>& mesh_names) {
  std::string text = head.str();
  for (size_t i = 0; i < open_.size(); ++i) {
    const Reading& r = open_[i].second;
    text += "def call" + std::to_string(i) + "(" + r.params + "):\n" + r.constants + "    return " + r.call + "\n";
  }
  bool done = ReadAll(text, mesh_names, /*whole_prelude=*/false) || ReadAll(text, mesh_names, /*whole_prelude=*/true);
  SPMDC_CHECK(done, "the whole prelude lacks nothing");
  bool found = llvm::any_of(open_, [&](const auto& asked) { return other_[asked.first]; });
  open_.clear();
  return found;
}

// False where some part of the prelude is lacking.
bool Reread::ReadAll(const std::string& text, const llvm::DenseMap<mesh::MeshId, std::string>& mesh_names,
                     bool whole_prelude) {
  source::SourceManager sources;
  diag::Engine refusals(&sources);
  source::FileId file = sources.Add("<flat>", text);
  Ast ast;
  llvm::raw_null_ostream nowhere;
  Evaluator ev(ast, file, {}, refusals, nowhere, module_.tables, whole_prelude);
  for (const auto& [id, name] : mesh_names) {
    ev.file_env()->vars[ast.Intern(name)] = Value::Object(VK::Mesh, ev.tracer().MeshValue(id));
  }
  bool ran = ev.RunFile();
  if (module_.mesh.valid()) {
    ev.tracer().SwapContext({ev.tracer().MeshValue(module_.mesh)});
  }
  CallReader reader(module_, ev);
  for (size_t i = 0; i < open_.size() && !ev.lacks_prelude(); ++i) {
    other_[open_[i].first] = !ran || !reader.IsSame("call" + std::to_string(i), open_[i].second);
  }
  return !ev.lacks_prelude();
}

}  // namespace spmdc::text::native
