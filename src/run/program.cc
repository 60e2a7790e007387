// Liveness, groups of collectives and shared functions of a program.
#include "run/program.h"

#include <map>
#include <numeric>

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"

namespace spmdc::run {

std::string Describe(llvm::ArrayRef<int32_t> path) {
  std::string text;
  for (int32_t step : llvm::reverse(path)) {
    if (step >= 0) {
      text += (text.empty() ? " in iteration " : " of iteration ") + std::to_string(step);
    }
  }
  return text;
}

void Report(const Failure& failure, diag::Engine& diags) {
  diag::Handle handle = diags.Error(failure.kind, failure.span, failure.message);
  for (const diag::Note& note : failure.notes) {
    handle.Note(note.span, note.text);
  }
  for (const std::string& help : failure.help) {
    handle.Help(help);
  }
}

Program::Program(const ir::Module& module) : module_(module) {
  functions_.resize(module.functions.size());
  for (ir::FuncId f : module.functions.ids()) {
    FunctionFacts& facts = functions_[static_cast<size_t>(f.index)];
    FindDying(module.functions[f], facts);
    FindMeetings(module.functions[f], facts);
  }
  FindShared();
}

void Program::FindDying(const ir::Function& function, FunctionFacts& facts) {
  IdMap<ir::ValueId, int32_t> last(function.values.size(), -1);
  for (ir::InstId i : function.insts.ids()) {
    const ir::Inst& inst = function.insts[i];
    for (ir::ValueId v : function.operands(inst)) {
      last[v] = i.index;
    }
    for (uint32_t r = 0; r < inst.num_results; ++r) {
      last[function.result(inst, r)] = i.index;
    }
  }
  for (ir::ValueId v : function.results) {
    last[v] = -1;
  }
  facts.first.assign(function.insts.size() + 1, 0);
  for (ir::ValueId v : function.values.ids()) {
    if (last.Get(v) >= 0) {
      ++facts.first[static_cast<size_t>(last.Get(v)) + 1];
    }
  }
  std::partial_sum(facts.first.begin(), facts.first.end(), facts.first.begin());
  facts.pool.resize(facts.first.back());
  std::vector<uint32_t> next = facts.first;
  for (ir::ValueId v : function.values.ids()) {
    if (last.Get(v) >= 0) {
      facts.pool[next[static_cast<size_t>(last.Get(v))]++] = v;
    }
  }
}

namespace {

// Devices linked by pairs, each component in increasing order.
std::vector<llvm::SmallVector<int64_t, 8>> Components(llvm::ArrayRef<std::pair<int64_t, int64_t>> pairs) {
  std::map<int64_t, int64_t> parent;
  auto root = [&](int64_t device) {
    parent.try_emplace(device, device);
    while (parent[device] != device) {
      device = parent[device] = parent[parent[device]];
    }
    return device;
  };
  for (const auto& [source, target] : pairs) {
    int64_t a = root(source);
    int64_t b = root(target);
    parent[std::max(a, b)] = std::min(a, b);
  }
  std::map<int64_t, llvm::SmallVector<int64_t, 8>> members;
  for (const auto& entry : parent) {
    members[root(entry.first)].push_back(entry.first);
  }
  std::vector<llvm::SmallVector<int64_t, 8>> components;
  for (auto& entry : members) {
    components.push_back(std::move(entry.second));
  }
  return components;
}

}  // namespace

void Program::FindMeetings(const ir::Function& function, FunctionFacts& facts) {
  for (ir::InstId i : function.insts.ids()) {
    const ir::Inst& inst = function.insts[i];
    auto* describe = op::Def(inst.op).collective;
    if (!describe) {
      continue;
    }
    Meeting meeting;
    meeting.what = describe(module_, function, inst);
    if (meeting.what.kind == op::CollectiveKind::Permute) {
      meeting.components = Components(meeting.what.pairs);
      for (size_t c = 0; c < meeting.components.size(); ++c) {
        for (int64_t device : meeting.components[c]) {
          meeting.component_of[{static_cast<int32_t>(device)}] = static_cast<int32_t>(c) + 1;
        }
      }
    }
    meetings_.push_back(std::move(meeting));
    facts.meeting[i] = static_cast<int32_t>(meetings_.size());
  }
}

void Program::FindShared() {
  IdMap<ir::FuncId, int32_t> uses(module_.functions.size(), 0);
  for (const ir::Function& function : module_.functions) {
    for (const ir::Inst& inst : function.insts) {
      for (ir::FuncId body : function.bodies(inst)) {
        ++uses[body];
      }
    }
  }
  llvm::SmallVector<ir::FuncId, 8> work;
  auto mark = [&](ir::FuncId f) {
    FunctionFacts& facts = functions_[static_cast<size_t>(f.index)];
    if (!facts.shared) {
      facts.shared = true;
      work.push_back(f);
    }
  };
  for (ir::FuncId f : module_.functions.ids()) {
    if (uses.Get(f) > 1) {
      mark(f);
    }
  }
  while (!work.empty()) {
    const ir::Function& function = module_.functions[work.pop_back_val()];
    for (ir::FuncId body : function.body_pool) {
      mark(body);
    }
  }
}

llvm::ArrayRef<ir::ValueId> Program::dying(ir::FuncId f, ir::InstId inst) const {
  const FunctionFacts& facts = functions_[static_cast<size_t>(f.index)];
  size_t i = static_cast<size_t>(inst.index);
  return llvm::ArrayRef<ir::ValueId>(facts.pool).slice(facts.first[i], facts.first[i + 1] - facts.first[i]);
}

const op::Collective* Program::collective(ir::FuncId f, ir::InstId inst) const {
  int32_t number = functions_[static_cast<size_t>(f.index)].meeting.Get(inst);
  return number ? &meetings_[static_cast<size_t>(number) - 1].what : nullptr;
}

llvm::SmallVector<int64_t, 8> Program::GroupOf(ir::FuncId f, ir::InstId inst, int64_t device) const {
  int32_t number = functions_[static_cast<size_t>(f.index)].meeting.Get(inst);
  SPMDC_CHECK(number, "the group of an instruction that is no collective");
  const Meeting& meeting = meetings_[static_cast<size_t>(number) - 1];
  if (meeting.what.kind != op::CollectiveKind::Permute) {
    return op::GroupOf(*module_.tables, meeting.what.groups, module_.num_devices, device);
  }
  int32_t component = meeting.component_of.Get({static_cast<int32_t>(device)});
  if (!component) {
    return {device};
  }
  return meeting.components[static_cast<size_t>(component) - 1];
}

}  // namespace spmdc::run
