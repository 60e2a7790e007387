// Origins in words, and what stood in the way of axes that neighbours have.
#include "explain/why.h"

#include <algorithm>
#include <map>

#include "explain/path.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "op/factor_axes.h"
#include "op/op_def.h"
#include "propagate/barrier.h"
#include "support/starts_with.h"

namespace spmdc::explain {

namespace {

// How many values at either end of a long way are named.
constexpr size_t kShownHops = 4;

llvm::StringRef Bare(llvm::StringRef name) { return StartsWith(name, "%") ? name.drop_front() : name; }

class Explainer {
 public:
  Explainer(const Report& report, llvm::raw_ostream& os)
      : program_(*report.program), sources_(report.subject.sources), os_(os), paths_(*report.program) {}

  void Why(ir::ValueRef ref) {
    const ir::Function& f = program_.functions[ref.func];
    const mesh::Sharding* sharding = program_.sharding(f.values[ref.value]);
    if (sharding == nullptr) {
      return;
    }
    llvm::ArrayRef<ir::Origin> origins = program_.origins.Get(ref.func).Get(ref.value);
    for (const ir::Origin& origin : origins) {
      os_ << "  dim " << origin.dim << " on " << Axis(*sharding, origin.axis) << ": ";
      Source(origin);
      Through(ref, origin);
      os_ << (origin.step > 0 ? " in step " + std::to_string(origin.step) : "") << "\n";
      WayBack(ref, origin);
    }
    if (origins.empty() && !sharding->dims.empty()) {
      Undecided(ref);
    }
    Missing(ref);
  }

  // An argument may have been given axes that its dims do not keep, or an annotation without any.
  void Undecided(ir::ValueRef ref) {
    const ir::Function& entry = program_.functions[program_.entry];
    const auto* arg = llvm::find(entry.args, ref.value);
    if (ref.func == program_.entry && arg != entry.args.end()) {
      std::string own = "arg " + std::to_string(arg - entry.args.begin());
      for (const ir::Annotation& annotation : program_.annotations) {
        if (annotation.from == own) {
          os_ << "  its own annotation, " << WhereText(sources_, annotation.span)
              << ", has no axis that divides its dims\n";
          return;
        }
      }
    }
    os_ << "  nobody decided: no annotation reaches it\n";
  }

  // The conflicts of a function: what neighbours have and a value has not.
  void Conflicts(ir::FuncId func) {
    const ir::Function& f = program_.functions[func];
    for (const ir::Inst& inst : f.insts) {
      op::Rule rule = RuleIn(program_, f, inst);
      std::vector<ir::ValueId> tensors = rule.factors.empty() ? std::vector<ir::ValueId>() : TensorsOf(f, inst);
      llvm::SmallVector<ir::ValueId, 4> told;
      for (ir::ValueId v : tensors) {
        if (!llvm::is_contained(told, v)) {
          told.push_back(v);
          std::string where = WhereText(sources_, f.values[v].span);
          MissingIn({func, v}, f, inst, rule, tensors, "conflict at '" + f.values[v].name + "' (" + where + "): ");
        }
      }
    }
  }

  void Step(ir::ValueRef ref, const ir::Origin& origin) {
    const ir::Function& f = program_.functions[ref.func];
    os_ << "step " << origin.step << ": '" << f.values[ref.value].name << "' dim " << origin.dim << " on "
        << Axis(*program_.sharding(f.values[ref.value]), origin.axis) << ", ";
    Source(origin);
    Through(ref, origin);
    os_ << "\n";
  }

 private:
  std::string Axis(const mesh::Sharding& sharding, mesh::AxisRef axis) const {
    return mesh::ToString(program_.tables->meshes[sharding.mesh], axis);
  }

  void Source(const ir::Origin& origin) {
    const ir::Annotation* annotation = program_.annotation(origin);
    os_ << "from " << (annotation == nullptr ? "an op" : annotation->from);
    if (annotation != nullptr && annotation->span.valid()) {
      os_ << " (" << WhereText(sources_, annotation->span) << ")";
    }
  }

  void Op(const ir::Function& f, const ir::Inst& inst) {
    os_ << op::NameOf(program_, inst);
    if (inst.num_results > 0) {
      os_ << " '" << f.values[f.result(inst)].name << "'";
    }
  }

  void Through(ir::ValueRef ref, const ir::Origin& origin) {
    std::optional<Hop> hop = paths_.Last(ref, origin);
    if (hop) {
      const ir::Function& f = program_.functions[hop->func];
      const ir::Inst& inst = f.insts[hop->inst];
      os_ << Words(hop->way);
      Op(f, inst);
      bool named = hop->from.func == hop->func && inst.num_results == 1 && f.result(inst) == hop->from.value;
      if (!named) {
        os_ << " from '" << program_.functions[hop->from.func].values[hop->from.value].name << "'";
      }
    } else if (origin.through.valid()) {
      const ir::Function& f = program_.functions[ref.func];
      os_ << ", through ";
      Op(f, f.insts[origin.through]);
    } else if (ref.func == program_.entry && origin.step > 0 &&
               llvm::is_contained(program_.functions[ref.func].results, ref.value)) {
      os_ << ", which returns it";
    }
  }

  static llvm::StringRef Words(Hop::Way way) {
    switch (way) {
      case Hop::Way::Forward:
        return ", forward through ";
      case Hop::Way::Backward:
        return ", backward through ";
      case Hop::Way::Sideways:
        return ", sideways through ";
      case Hop::Way::Across:
        break;
    }
    return ", by way of ";
  }

  // The values between, if there are more than one; of a long way the two ends.
  void WayBack(ir::ValueRef ref, const ir::Origin& origin) {
    std::vector<ir::ValueRef> path = paths_.Back(ref, origin);
    if (path.size() < 2) {
      return;
    }
    os_ << "    on the way back:";
    for (size_t i = 0; i < path.size(); ++i) {
      bool left_out = path.size() > 2 * kShownHops && i >= kShownHops && i + kShownHops < path.size();
      if (!left_out) {
        os_ << (i == 0 ? " '" : ", '") << program_.functions[path[i].func].values[path[i].value].name << "'";
      } else if (i == kShownHops) {
        os_ << ", " << path.size() - 2 * kShownHops << " more";
      }
    }
    os_ << "\n";
  }

  // --- What did not arrive ---------------------------------------------------------------------------------------------

  void Missing(ir::ValueRef ref) {
    const ir::Function& f = program_.functions[ref.func];
    for (const ir::Inst& inst : f.insts) {
      bool makes = f.values[ref.value].def.valid() && &inst == &f.insts[f.values[ref.value].def];
      if (makes || llvm::is_contained(f.operands(inst), ref.value)) {
        op::Rule rule = RuleIn(program_, f, inst);
        if (!rule.factors.empty()) {
          MissingIn(ref, f, inst, rule, TensorsOf(f, inst), "  ");
        }
      }
    }
  }

  static std::vector<ir::ValueId> TensorsOf(const ir::Function& f, const ir::Inst& inst) {
    std::vector<ir::ValueId> tensors(f.operands(inst).begin(), f.operands(inst).end());
    for (size_t r = 0; r < inst.num_results; ++r) {
      tensors.push_back(f.result(inst, r));
    }
    return tensors;
  }

  void MissingIn(ir::ValueRef ref, const ir::Function& f, const ir::Inst& inst, const op::Rule& rule,
                 const std::vector<ir::ValueId>& tensors, const std::string& start) {
    std::vector<op::FactorAxes> axes(tensors.size());
    for (size_t t = 0; t < tensors.size(); ++t) {
      const mesh::Sharding* s = program_.sharding(f.values[tensors[t]]);
      if (s != nullptr && s->dims.size() == FactorsOf(rule, t).dims.size()) {
        axes[t] = op::ReadFactors(rule, FactorsOf(rule, t), *s);
      }
    }
    auto own = static_cast<size_t>(llvm::find(tensors, ref.value) - tensors.begin());
    if (axes[own].empty()) {
      return;
    }
    const mesh::Sharding& sharding = *program_.sharding(f.values[ref.value]);
    for (size_t t = 0; t < tensors.size(); ++t) {
      for (size_t k = 0; t != own && tensors[t] != ref.value && k < axes[t].size(); ++k) {
        bool both =
            FactorsOf(rule, own).has(static_cast<int32_t>(k)) && FactorsOf(rule, t).has(static_cast<int32_t>(k));
        mesh::AxisList more = both ? mesh::Subtract(axes[t][k], axes[own][k]) : mesh::AxisList();
        if (!more.empty()) {
          os_ << start << Axis(sharding, more[0]) << " of '" << f.values[tensors[t]].name
              << "' does not reach it through ";
          Op(f, inst);
          bool barrier = propagate::BarrierOf(program_, inst).has_value();
          os_ << ": "
              << (barrier ? "the barrier holds it back" : Reason(sharding, rule, axes, own, k, more[0], f, tensors))
              << "\n";
        }
      }
    }
  }

  std::string Reason(const mesh::Sharding& sharding, const op::Rule& rule, const std::vector<op::FactorAxes>& axes,
                     size_t own, size_t factor, mesh::AxisRef axis, const ir::Function& f,
                     const std::vector<ir::ValueId>& tensors) const {
    if (rule.factors[factor].blocked) {
      return "the op passes no sharding along this dim";
    }
    for (size_t d = 0; d < sharding.dims.size(); ++d) {
      if (mesh::Overlaps(axis, sharding.dims[d].axes)) {
        return "dim " + std::to_string(d) + " has this axis already";
      }
    }
    if (!axes[own][factor].empty()) {
      return "the dim is on " + Axis(sharding, axes[own][factor][0]) + " already";
    }
    for (size_t t = 0; t < tensors.size(); ++t) {
      if (t == own || axes[t].empty()) {
        continue;
      }
      for (size_t k = 0; k < axes[t].size(); ++k) {
        bool clash =
            k == factor ? !axes[t][k].empty() && !mesh::Overlaps(axis, axes[t][k]) : mesh::Overlaps(axis, axes[t][k]);
        if (clash) {
          return "'" + f.values[tensors[t]].name + "' has " + Axis(sharding, k == factor ? axes[t][k][0] : axis) +
                 (k == factor ? " on the same dim" : " on another dim") + ", and neither wins";
        }
      }
    }
    return "the annotations of this value, or an op between, keep it as it is";
  }

  const ir::Module& program_;
  const source::SourceManager& sources_;
  llvm::raw_ostream& os_;
  Paths paths_;
};

}  // namespace

std::vector<ir::ValueRef> FindValues(const ir::Module& program, llvm::StringRef name) {
  std::vector<ir::ValueRef> found;
  for (ir::FuncId f : program.functions.ids()) {
    for (ir::ValueId v : program.functions[f].values.ids()) {
      if (program.functions[f].values[v].name == Bare(name)) {
        found.push_back({f, v});
      }
    }
  }
  return found;
}

std::vector<std::string> NearestNames(const ir::Module& program, llvm::StringRef name, size_t count) {
  std::map<std::pair<unsigned, std::string>, char> by_distance;
  for (const ir::Function& f : program.functions) {
    for (const ir::Value& value : f.values) {
      by_distance[{llvm::StringRef(value.name).edit_distance(Bare(name)), value.name}] = 1;
    }
  }
  std::vector<std::string> nearest;
  for (const auto& [key, unused] : by_distance) {
    if (nearest.size() < count && !key.second.empty()) {
      nearest.push_back(key.second);
    }
  }
  return nearest;
}

std::string WhyText(const Report& report, ir::ValueRef value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Explainer(report, os).Why(value);
  return text;
}

std::string TraceText(const Report& report) {
  struct Entry {
    ir::ValueRef value;
    const ir::Origin* origin = nullptr;
  };
  std::vector<Entry> entries;
  size_t arrays = 0, undecided = 0;
  const ir::Module& program = *report.program;
  for (ir::FuncId f : program.functions.ids()) {
    for (ir::ValueId v : program.functions[f].values.ids()) {
      bool array = program.type(program.functions[f].values[v]).rank() > 0;
      arrays += array ? 1 : 0;
      undecided += array && program.origins.Get(f).Get(v).empty() ? 1 : 0;
      for (const ir::Origin& origin : program.origins.Get(f).Get(v)) {
        entries.push_back({{f, v}, &origin});
      }
    }
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.origin->step < b.origin->step; });
  std::string text;
  llvm::raw_string_ostream os(text);
  Explainer explainer(report, os);
  for (const Entry& entry : entries) {
    explainer.Step(entry.value, *entry.origin);
  }
  os << (entries.empty() ? "no annotation, no step\n" : "");
  for (ir::FuncId f : program.functions.ids()) {
    explainer.Conflicts(f);
  }
  os << "nobody decided: " << undecided << " of " << arrays << " arrays, which no annotation reaches\n";
  return text;
}

std::string RulesText(const Report& report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const ir::Module& program = *report.program;
  for (const ir::Function& f : program.functions) {
    if (f.clone_of.valid()) {
      continue;
    }
    for (const ir::Inst& inst : f.insts) {
      op::Rule rule = RuleIn(program, f, inst);
      os << op::NameOf(program, inst);
      if (inst.num_results > 0) {
        os << " '" << f.values[f.result(inst)].name << "'";
      }
      os << ": " << (rule.factors.empty() ? "no dims take part" : op::ToString(rule)) << "\n";
      for (size_t t = 0; t < inst.num_operands + inst.num_results && !rule.factors.empty(); ++t) {
        ir::ValueId v = t < inst.num_operands ? f.operands(inst)[t] : f.result(inst, t - inst.num_operands);
        const mesh::Sharding* s = program.sharding(f.values[v]);
        if (s != nullptr && s->mesh.valid() && !s->is_fully_replicated()) {
          os << "  '" << f.values[v].name << "' " << mesh::ToSpec(program.tables->meshes[s->mesh], *s) << "\n";
        }
      }
    }
  }
  return text;
}

}  // namespace spmdc::explain
