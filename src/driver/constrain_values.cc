// Constraints on values within a program: each function that has such a value is built anew, with the constraints in it.
#include "driver/apply_specs.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "ops/constraint.h"
#include "specs/matcher.h"
#include "specs/placement.h"

namespace spmdc::driver {
namespace {

// What the values of one function are asked to be; none for most.
using Wanted = llvm::DenseMap<int32_t, const specs::Entry*>;

class Constrainer {
 public:
  Constrainer(const specs::Specs& specs, ir::Module& module, diag::Engine& diags)
      : specs_(specs), module_(module), diags_(diags) {}

  bool Run() {
    specs::Matcher matcher(specs_.values, "value", /*trees=*/false);
    std::vector<std::pair<ir::FuncId, Wanted>> wanted;
    for (ir::FuncId f : module_.functions.ids()) {
      wanted.push_back({f, Match(f, matcher)});
    }
    if (!matcher.Finish(diags_)) {
      return false;
    }
    for (const auto& [f, values] : wanted) {
      if (!values.empty()) {
        Rebuild(f, values);
      }
    }
    return ok_;
  }

 private:
  Wanted Match(ir::FuncId f, specs::Matcher& matcher) const {
    const ir::Function& function = module_.functions[f];
    Wanted wanted;
    for (ir::ValueId v : function.values.ids()) {
      const ir::Value& value = function.values[v];
      // A captured value is one of the function around it.
      bool captured = !value.def.valid() && function.arg_info[value.index].captured;
      std::string name = f == module_.entry ? value.name : function.name + "/" + value.name;
      const specs::Entry* entry = captured ? nullptr : matcher.Find(specs::Matcher::kNoIndex, llvm::StringRef(name));
      if (entry != nullptr) {
        wanted[v.index] = entry;
      }
    }
    return wanted;
  }

  // Instructions and values move, so that all is numbered in order.
  void Rebuild(ir::FuncId f, const Wanted& wanted) {
    const ir::Function old = module_.functions[f];
    ir::NameTable names(old);
    ir::Function out = old.EmptyCopy();
    IdMap<ir::ValueId, ir::ValueId> moved(old.values.size());
    for (size_t i = 0; i < old.args.size(); ++i) {
      moved[old.args[i]] = out.AddArg(old.values[old.args[i]], old.arg_info[i]);
    }
    for (ir::ValueId arg : old.args) {
      Constrain(old, arg, wanted, names, out, moved);
    }
    for (const ir::Inst& inst : old.insts) {
      llvm::SmallVector<ir::ValueId, 4> operands;
      for (ir::ValueId v : old.operands(inst)) {
        operands.push_back(moved.Get(v));
      }
      llvm::SmallVector<ir::Value, 2> results;
      for (size_t i = 0; i < inst.num_results; ++i) {
        results.push_back(old.values[old.result(inst, i)]);
      }
      ir::InstId added = out.AddInst(inst, operands, old.bodies(inst), results);
      for (size_t i = 0; i < inst.num_results; ++i) {
        moved[old.result(inst, i)] = out.result(out.insts[added], i);
      }
      for (size_t i = 0; i < inst.num_results; ++i) {
        Constrain(old, old.result(inst, i), wanted, names, out, moved);
      }
    }
    for (ir::ValueId v : old.results) {
      out.results.push_back(moved.Get(v));
    }
    module_.functions[f] = std::move(out);
  }

  void Constrain(const ir::Function& old, ir::ValueId v, const Wanted& wanted, ir::NameTable& names, ir::Function& out,
                 IdMap<ir::ValueId, ir::ValueId>& moved) {
    const specs::Entry* entry = wanted.lookup(v.index);
    std::optional<mesh::ShardingId> sharding = entry != nullptr ? Make(old, v, *entry) : std::nullopt;
    if (!sharding) {
      return;
    }
    ir::Value result = old.values[v];
    result.name = names.Unique(result.name);
    result.sharding = {};
    ir::Inst inst = ops::ConstraintInst(*module_.tables, *sharding);
    inst.span = result.span = entry->span;
    ir::InstId added = out.AddInst(inst, moved.Get(v), {}, result);
    moved[v] = out.result(out.insts[added]);
  }

  std::optional<mesh::ShardingId> Make(const ir::Function& function, ir::ValueId v, const specs::Entry& entry) {
    const ir::Type& type = module_.type(function, v);
    specs::Subject subject{specs::Called("value", function.values[v].name, 0), type.dims};
    if (!CheckMesh(entry, function) || !specs::CheckType(entry, type, subject, diags_)) {
      ok_ = false;
      return std::nullopt;
    }
    if (entry.placement.undecided) {
      return std::nullopt;
    }
    const mesh::Mesh& mesh = module_.tables->meshes[module_.mesh];
    std::optional<mesh::Sharding> made = specs::MakeSharding(entry.placement, mesh, module_.mesh, subject, diags_);
    if (made && mesh::Overlaps(mesh::UsedAxes(*made), function.manual_axes)) {
      diags_.Error(diag::Kind::AxisTypeWrong, entry.span,
                   subject.what + " is in a region where an axis of the spec is manual: it is a block there already");
      made.reset();
    }
    ok_ &= made.has_value();
    return made ? std::optional(module_.tables->shardings.Intern(*made)) : std::nullopt;
  }

  bool CheckMesh(const specs::Entry& entry, const ir::Function& function) {
    if (!module_.mesh.valid()) {
      diags_.Error(diag::Kind::NoMesh, entry.placement.span, "the program has no mesh for this spec")
          .Help("say one: --mesh=data=4,model=2");
    } else if (module_.tables->meshes[module_.mesh].has_explicit_axes()) {
      diags_
          .Error(diag::Kind::AxisTypeWrong, entry.span,
                 "values of a program with Explicit axes have their shardings in their types, and take no constraint")
          .Note(function.span, "the function")
          .Help("use reshard in the program, or make the axes auto: --mesh=data=4:auto");
    } else {
      return true;
    }
    return false;
  }

  const specs::Specs& specs_;
  ir::Module& module_;
  diag::Engine& diags_;
  bool ok_ = true;
};

}  // namespace

bool ConstrainValues(const specs::Specs& specs, ir::Module& module, diag::Engine& diags) {
  return specs.values.empty() || Constrainer(specs, module, diags).Run();
}

}  // namespace spmdc::driver
