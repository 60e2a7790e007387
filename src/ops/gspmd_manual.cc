// The pattern is looked for around each call; the function is then written anew with one instruction in its place.
#include "ops/gspmd_manual.h"

#include <map>

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "ops/control.h"
#include "ops/opaque.h"
#include "ops/sharding.h"

namespace spmdc::ops {

bool OpenUnspecifiedDims(llvm::StringRef config, mesh::Sharding& sharding) {
  config = config.trim().trim("\"");
  if (!config.consume_front("unspecified_dims=[") || !config.consume_back("]")) {
    return false;
  }
  while (!config.empty()) {
    size_t dim = 0;
    if (config.consumeInteger(10, dim) || dim >= sharding.dims.size()) {
      return false;
    }
    sharding.dims[dim].open = true;
    config.consume_front(",");
  }
  return true;
}

namespace {

constexpr llvm::StringLiteral kCut = "SPMDFullToShardShape";
constexpr llvm::StringLiteral kJoin = "SPMDShardToFullShape";

// A function written anew: values of the old one and what they are in the new one.
class Copy {
 public:
  explicit Copy(const ir::Function& from) : from_(from), to_(from.EmptyCopy()) {
    for (size_t i = 0; i < from.args.size(); ++i) {
      now_[from.args[i]] = to_.AddArg(from.values[from.args[i]], from.arg_info[i]);
    }
  }

  void Keep(const ir::Inst& inst) {
    llvm::SmallVector<ir::Value, 4> results;
    for (size_t i = 0; i < inst.num_results; ++i) {
      results.push_back(from_.values[from_.result(inst, i)]);
    }
    ir::InstId made = to_.AddInst(inst, Now(from_.operands(inst)), from_.bodies(inst), std::move(results));
    for (size_t i = 0; i < inst.num_results; ++i) {
      now_[from_.result(inst, i)] = to_.result(to_.insts[made], i);
    }
  }
  void Replace(ir::ValueId old, ir::ValueId now) { now_[old] = now; }
  llvm::SmallVector<ir::ValueId, 4> Now(llvm::ArrayRef<ir::ValueId> old) const {
    llvm::SmallVector<ir::ValueId, 4> values;
    for (ir::ValueId v : old) {
      values.push_back(now_.Get(v));
    }
    return values;
  }
  ir::Function& to() { return to_; }
  ir::Function Finish() {
    llvm::append_range(to_.results, Now(from_.results));
    return std::move(to_);
  }

 private:
  const ir::Function& from_;
  ir::Function to_;
  IdMap<ir::ValueId, ir::ValueId> now_;
};

// One region: the instructions of its pattern, and what is said of its boundary.
struct Region {
  llvm::SmallVector<ir::ValueId, 4> operands;
  ManualComputationAttrs attrs;
  // Of each result of the call: the whole arrays that are made of it.
  llvm::SmallVector<llvm::SmallVector<ir::ValueId, 1>, 4> wholes;
};

class Maker {
 public:
  Maker(ir::Module& module, const ManualEnds& ends) : module_(module), ends_(ends) {}

  void Run() {
    for (int32_t i = 0; i < static_cast<int32_t>(module_.functions.size()); ++i) {
      ReplaceIn(ir::FuncId{i});
    }
    if (!bodies_.empty()) {
      SetAxes(module_.entry, {}, 0);
    }
  }

 private:
  const mesh::Sharding* ShardingOf(mesh::ShardingId id) const {
    return id.valid() ? &module_.tables->shardings[id] : nullptr;
  }
  bool Calls(const ir::Inst& inst, llvm::StringRef target) const {
    if (op::Def(inst.op).make_attrs != ir::NewAttrs<OpaqueAttrs> || inst.num_operands != 1 || inst.num_results != 1) {
      return false;
    }
    const auto& attrs = module_.attrs<OpaqueAttrs>(inst);
    return (attrs.name == "custom-call" || attrs.name == "stablehlo.custom_call") &&
           llvm::StringRef(attrs.text).contains("\"" + target.str() + "\"");
  }
  bool IsConstraint(const ir::Inst& inst) const {
    return op::Def(inst.op).make_attrs == ir::NewAttrs<ShardingConstraintAttrs>;
  }
  mesh::ShardingId Asked(const ir::Inst& inst) const { return module_.attrs<ShardingConstraintAttrs>(inst).sharding; }

  void ReplaceIn(ir::FuncId id) {
    auto of_pattern = [&](const ir::Inst& inst) { return Calls(inst, kCut) || Calls(inst, kJoin) || EndOf(inst); };
    if (llvm::none_of(module_.functions[id].insts, of_pattern)) {
      return;
    }
    const ir::Function function = module_.functions[id];  // bodies that are copied move the table
    FindUsers(function);
    gone_.clear();
    std::map<int32_t, Region> regions;
    for (ir::InstId inst : function.insts.ids()) {
      if (op::Def(function.insts[inst].op).region == op::Region::Call) {
        std::optional<Region> region = MatchEnds(function, inst);
        if (region || (region = Match(function, inst))) {
          regions.emplace(inst.index, std::move(*region));
        }
      }
    }
    if (regions.empty()) {
      return;
    }
    Copy copy(function);
    for (ir::InstId inst : function.insts.ids()) {
      auto region = regions.find(inst.index);
      if (region != regions.end()) {
        Write(id, function, inst, region->second, copy);
      } else if (gone_.count(inst) == 0) {
        copy.Keep(function.insts[inst]);
      }
    }
    module_.functions[id] = copy.Finish();
  }

  void FindUsers(const ir::Function& function) {
    users_.assign(function.values.size(), {});
    for (ir::InstId inst : function.insts.ids()) {
      for (ir::ValueId v : function.operands(function.insts[inst])) {
        users_[static_cast<size_t>(v.index)].push_back(inst);
      }
    }
    for (ir::ValueId v : function.results) {
      users_[static_cast<size_t>(v.index)].push_back(ir::InstId());
    }
  }
  llvm::ArrayRef<ir::InstId> Users(ir::ValueId v) const { return users_[static_cast<size_t>(v.index)]; }

  // What a value is on the whole mesh: as the constraint asks that it is the result of, else as it is annotated.
  const mesh::Sharding* WholeSharding(const ir::Function& function, ir::ValueId v) const {
    const ir::Value& value = function.values[v];
    bool constrained = value.def.valid() && IsConstraint(function.insts[value.def]);
    return ShardingOf(constrained ? Asked(function.insts[value.def]) : value.sharding);
  }

  // The boundary sharding that a text's says: without the axes of regions around.
  bool AddBoundary(const mesh::Sharding& local, mesh::Sharding whole, Region& region,
                   llvm::SmallVectorImpl<mesh::ShardingId>& list) {
    const mesh::Mesh& mesh = module_.tables->meshes[whole.mesh];
    mesh::AxisList manual = mesh::AsSet(mesh::Subtract(local.varying, whole.varying));
    bool fits = local.mesh == whole.mesh && !mesh.maximal && !manual.empty() &&
                llvm::all_of(manual, [&](const mesh::AxisRef& ref) { return mesh::IsWhole(mesh, ref); }) &&
                (!region.attrs.mesh.valid() || (region.attrs.mesh == whole.mesh && region.attrs.manual_axes == manual));
    if (!fits) {
      return false;
    }
    region.attrs.mesh = whole.mesh;
    region.attrs.manual_axes = manual;
    whole.varying.clear();
    list.push_back(module_.tables->shardings.Intern(whole));
    return true;
  }

  // What a custom call at an end of one of Shardy's regions says; null for other instructions.
  const ManualComputationAttrs* EndOf(const ir::Inst& inst) const {
    auto end = inst.attrs.valid() ? ends_.find(inst.attrs) : ends_.end();
    return end == ends_.end() ? nullptr : &end->second;
  }

  // Takes the sharding that one end gives to its array `i`. False where the ends speak of different axes.
  bool AddEnd(const ManualComputationAttrs& end, llvm::ArrayRef<mesh::ShardingId> of_end, size_t i, Region& region,
              llvm::SmallVectorImpl<mesh::ShardingId>& list) {
    bool first = !region.attrs.mesh.valid();
    if (i >= of_end.size() ||
        (!first && (region.attrs.mesh != end.mesh || region.attrs.manual_axes != end.manual_axes))) {
      return false;
    }
    region.attrs.mesh = end.mesh;
    region.attrs.manual_axes = end.manual_axes;
    list.push_back(of_end[i]);
    return true;
  }

  // A region as Shardy's export writes it.
  std::optional<Region> MatchEnds(const ir::Function& function, ir::InstId call_id) {
    const ir::Inst& call = function.insts[call_id];
    Region region;
    llvm::SmallVector<ir::InstId, 8> gone = {call_id};
    for (ir::ValueId operand : function.operands(call)) {
      ir::InstId def = function.values[operand].def;
      const ManualComputationAttrs* end = def.valid() ? EndOf(function.insts[def]) : nullptr;
      size_t i = end == nullptr ? 0 : static_cast<size_t>(operand.index - function.result(function.insts[def]).index);
      if (end == nullptr || !AddEnd(*end, end->in_shardings, i, region, region.attrs.in_shardings)) {
        return std::nullopt;
      }
      region.operands.push_back(function.operands(function.insts[def])[i]);
      if (OnlyUsedBy(function, def, call_id)) {
        gone.push_back(def);
      }
    }
    for (size_t i = 0; i < call.num_results; ++i) {
      if (!MatchEnd(function, function.result(call, i), region, gone)) {
        return std::nullopt;
      }
    }
    if (!region.attrs.mesh.valid()) {
      return std::nullopt;
    }
    gone_.insert(gone.begin(), gone.end());
    return region;
  }

  bool OnlyUsedBy(const ir::Function& function, ir::InstId def, ir::InstId user) const {
    for (size_t i = 0; i < function.insts[def].num_results; ++i) {
      if (!llvm::all_of(Users(function.result(function.insts[def], i)), [&](ir::InstId u) { return u == user; })) {
        return false;
      }
    }
    return true;
  }

  // The whole arrays that one result of a region becomes.
  bool MatchEnd(const ir::Function& function, ir::ValueId result, Region& region,
                llvm::SmallVectorImpl<ir::InstId>& gone) {
    auto& wholes = region.wholes.emplace_back();
    llvm::SmallVector<mesh::ShardingId, 1> asked;
    for (ir::InstId user : Users(result)) {
      const ManualComputationAttrs* end = user.valid() ? EndOf(function.insts[user]) : nullptr;
      if (end == nullptr) {
        return false;
      }
      const ir::Inst& inst = function.insts[user];
      llvm::ArrayRef<ir::ValueId> operands = function.operands(inst);
      for (size_t i = 0; i < operands.size(); ++i) {
        if (function.values[operands[i]].def != function.values[result].def) {
          return false;
        }
        if (operands[i] == result && !llvm::is_contained(wholes, function.result(inst, i))) {
          wholes.push_back(function.result(inst, i));
          if (!AddEnd(*end, end->out_shardings, i, region, asked)) {
            return false;
          }
        }
      }
      gone.push_back(user);
    }
    // One that is not used is as good as whole.
    region.attrs.out_shardings.push_back(asked.empty() ? mesh::ShardingId() : asked[0]);
    return llvm::all_of(asked, [&](mesh::ShardingId id) { return id == asked[0]; });
  }

  std::optional<Region> Match(const ir::Function& function, ir::InstId call_id) {
    const ir::Inst& call = function.insts[call_id];
    Region region;
    llvm::SmallVector<ir::InstId, 8> gone = {call_id};
    for (ir::ValueId operand : function.operands(call)) {
      ir::InstId def = function.values[operand].def;
      if (!def.valid() || !Calls(function.insts[def], kCut)) {
        return std::nullopt;
      }
      ir::ValueId whole = function.operands(function.insts[def])[0];
      const mesh::Sharding* local = ShardingOf(function.values[operand].sharding);
      const mesh::Sharding* of_whole = WholeSharding(function, whole);
      if (local == nullptr || of_whole == nullptr ||
          !AddBoundary(*local, *of_whole, region, region.attrs.in_shardings)) {
        return std::nullopt;
      }
      region.operands.push_back(whole);
      if (llvm::all_of(Users(operand), [&](ir::InstId user) { return user == call_id; })) {
        gone.push_back(def);
      }
    }
    for (size_t i = 0; i < call.num_results; ++i) {
      if (!MatchResult(function, function.result(call, i), region, gone)) {
        return std::nullopt;
      }
    }
    gone_.insert(gone.begin(), gone.end());
    return region;
  }

  bool MatchResult(const ir::Function& function, ir::ValueId result, Region& region,
                   llvm::SmallVectorImpl<ir::InstId>& gone) {
    auto& wholes = region.wholes.emplace_back();
    llvm::SmallVector<ir::ValueId, 4> todo = {result};
    const mesh::Sharding* local = nullptr;
    const mesh::Sharding* whole = nullptr;
    mesh::Sharding opened;
    while (!todo.empty()) {
      ir::ValueId v = todo.pop_back_val();
      for (ir::InstId user : Users(v)) {
        if (!user.valid()) {
          return false;
        }
        const ir::Inst& inst = function.insts[user];
        gone.push_back(user);
        if (IsConstraint(inst)) {
          local = ShardingOf(Asked(inst));
          todo.push_back(function.result(inst));
        } else if (Calls(inst, kJoin)) {
          wholes.push_back(function.result(inst));
          local = local == nullptr ? ShardingOf(function.values[v].sharding) : local;
          whole = ShardingOf(function.values[wholes.back()].sharding);
          opened = whole == nullptr ? mesh::Sharding() : *whole;
          llvm::StringRef text = module_.attrs<OpaqueAttrs>(inst).text;
          text = text.substr(std::min(text.find("unspecified_dims="), text.size()));
          OpenUnspecifiedDims(text.take_until([](char c) { return c == '"'; }), opened);
        } else {
          return false;
        }
      }
    }
    if (wholes.empty()) {  // not used: as good as whole
      region.attrs.out_shardings.push_back({});
      return true;
    }
    return local != nullptr && whole != nullptr && AddBoundary(*local, opened, region, region.attrs.out_shardings);
  }

  void Write(ir::FuncId id, const ir::Function& function, ir::InstId call_id, Region& region, Copy& copy) {
    const ir::Inst& call = function.insts[call_id];
    llvm::SmallVector<ir::Value, 4> results;
    for (size_t i = 0; i < call.num_results; ++i) {
      const auto& wholes = region.wholes[i];
      results.push_back(function.values[wholes.empty() ? function.result(call, i) : wholes[0]]);
      results.back().sharding = {};
      if (!region.attrs.out_shardings[i].valid()) {
        size_t rank = module_.type(results.back()).rank();
        region.attrs.out_shardings[i] = module_.tables->shardings.Intern(mesh::Replicated(region.attrs.mesh, rank));
      }
    }
    ir::Inst inst = call;
    inst.op = ir::OpKind::ManualComputation;
    inst.attrs = module_.tables->attrs.Add(std::move(region.attrs));
    ir::FuncId body = ClaimBody(function.bodies(call)[0], id);
    ir::InstId made = copy.to().AddInst(inst, copy.Now(region.operands), body, std::move(results));
    for (size_t i = 0; i < region.wholes.size(); ++i) {
      for (ir::ValueId whole : region.wholes[i]) {
        copy.Replace(whole, copy.to().result(copy.to().insts[made], i));
      }
    }
  }

  // The function as the body of one region: a copy if another region has it.
  ir::FuncId ClaimBody(ir::FuncId id, ir::FuncId owner) {
    if (!bodies_.insert(id).second) {
      id = CopyOf(id);
      bodies_.insert(id);
    }
    module_.functions[id].enclosing = owner;
    return id;
  }

  ir::FuncId CopyOf(ir::FuncId id) {
    ir::Function copy = module_.functions[id];
    copy.name += "_" + std::to_string(module_.functions.size());
    ir::FuncId made = module_.functions.Add(std::move(copy));
    for (size_t i = 0; i < module_.functions[made].body_pool.size(); ++i) {
      ir::FuncId body = module_.functions[made].body_pool[i];
      if (module_.functions[body].enclosing == id) {
        ir::FuncId inner = CopyOf(body);
        module_.functions[inner].enclosing = made;
        module_.functions[made].body_pool[i] = inner;
      }
    }
    return made;
  }

  // Functions in regions have the regions' axes, and their shardings do not speak of them.
  void SetAxes(ir::FuncId id, llvm::ArrayRef<mesh::AxisRef> axes, int depth) {
    constexpr int kMostNested = 1024;  // deeper ones are refused where calls are checked
    if (depth > kMostNested || !seen_.insert(id).second) {
      return;
    }
    if (!axes.empty()) {
      module_.functions[id].manual_axes.assign(axes.begin(), axes.end());
      DropManual(id);
    }
    const ir::Function function = module_.functions[id];
    for (const ir::Inst& inst : function.insts) {
      mesh::AxisList inner(axes.begin(), axes.end());
      if (op::Def(inst.op).region == op::Region::Manual) {
        llvm::append_range(inner, module_.attrs<ManualComputationAttrs>(inst).manual_axes);
        inner = mesh::AsSet(inner);
      }
      for (ir::FuncId body : function.bodies(inst)) {
        SetAxes(body, inner, depth + 1);
      }
    }
  }

  void DropManual(ir::FuncId id) {
    for (ir::Value& value : module_.functions[id].values) {
      const mesh::Sharding* sharding = ShardingOf(value.sharding);
      if (sharding != nullptr && !sharding->varying.empty()) {
        value.sharding = {};
      }
    }
    const ir::Function& function = module_.functions[id];
    Copy copy(function);
    for (const ir::Inst& inst : function.insts) {
      const mesh::Sharding* asked = IsConstraint(inst) ? ShardingOf(Asked(inst)) : nullptr;
      if (asked == nullptr || asked->varying.empty()) {
        copy.Keep(inst);
      } else if (SaysNothing(*asked)) {
        copy.Replace(function.result(inst), copy.Now(function.operands(inst))[0]);
      } else {
        mesh::Sharding free = *asked;
        free.varying.clear();
        ir::Inst kept = inst;
        kept.attrs = module_.tables->attrs.Add(ShardingConstraintAttrs{module_.tables->shardings.Intern(free)});
        copy.Keep(kept);
      }
    }
    module_.functions[id] = copy.Finish();
  }

  // All axes are manual, or nothing is asked of those that are not.
  bool SaysNothing(const mesh::Sharding& sharding) const {
    const mesh::Mesh& mesh = module_.tables->meshes[sharding.mesh];
    bool open = llvm::all_of(sharding.dims, [](const mesh::DimSharding& dim) { return dim.open && dim.axes.empty(); });
    return open || mesh::Covers(sharding.varying, mesh::AllAxes(mesh));
  }

  ir::Module& module_;
  const ManualEnds& ends_;
  std::vector<llvm::SmallVector<ir::InstId, 2>> users_;  // by value; none: a result of the function
  llvm::DenseSet<ir::InstId> gone_;
  llvm::DenseSet<ir::FuncId> bodies_, seen_;
};

}  // namespace

void MakeManualRegions(ir::Module& module, const ManualEnds& ends) { Maker(module, ends).Run(); }

}  // namespace spmdc::ops
