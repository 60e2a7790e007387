// What is decided once all functions are read: the entry, the mesh, the devices, manual axes, and calls that go nowhere.
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "mesh/hlo_sharding.h"
#include "ops/collective.h"
#include "ops/control.h"
#include "ops/device_numbering.h"
#include "ops/gspmd_manual.h"
#include "text/stablehlo/parser.h"

namespace spmdc::text::stablehlo {

void Parser::FinishModule() {
  if (!CheckCallees()) {
    return;
  }
  ChooseEntry();
  if (module_.entry.valid() && !PlaceTuples()) {
    return;
  }
  if (module_.entry.valid() && num_replicas_ > 1 && places_values()) {
    Fail(diag::Kind::UnsupportedFeature, replicas_span_,
         "the module runs in " + std::to_string(num_replicas_) +
             " replicas, and its shardings place values on the partitions of one",
         "say mhlo.num_replicas = 1 where the partitions are all its devices");
    return;
  }
  if (module_.entry.valid()) {
    module_.per_device = IsPerDevice();
    ChooseMesh();
    if (module_.per_device && !NumberDevices()) {
      return;
    }
    ops::MakeManualRegions(module_, manual_ends_);
    if (!CheckManualEnds()) {
      return;
    }
    llvm::SmallVector<ir::FuncId, 8> path;
    SetManualAxes(module_.entry, {}, path, {});
    for (ir::FuncId id : module_.functions.ids()) {
      SetManualAxes(id, {}, path, {});  // what the entry does not reach
    }
  }
}

// A text for several replicas, or one that places nothing and whose devices talk to each other outside manual regions: a
// whole program has no devices to speak of.
bool Parser::IsPerDevice() const {
  if (num_replicas_ > 1) {
    return true;
  }
  llvm::DenseSet<ir::FuncId> seen;
  return !places_values() && SpeaksToDevices(module_.entry, seen);
}

bool Parser::SpeaksToDevices(ir::FuncId id, llvm::DenseSet<ir::FuncId>& seen) const {
  if (!seen.insert(id).second) {
    return false;
  }
  const ir::Function& function = module_.functions[id];
  return llvm::any_of(function.insts, [&](const ir::Inst& inst) {
    const op::OpDef& def = op::Def(inst.op);
    return def.collective != nullptr || inst.op == ir::OpKind::PartitionId ||
           (def.region != op::Region::Manual &&
            llvm::any_of(function.bodies(inst), [&](ir::FuncId body) { return SpeaksToDevices(body, seen); }));
  });
}

bool Parser::CheckCallees() {
  bool good = true;
  for (const auto& item : function_of_name_) {
    if (!item.second.defined) {
      good = Fail(diag::Kind::UndefinedValue, item.second.use, "function @" + item.first().str() + " is not defined");
    }
  }
  return good;
}

namespace {

// The groups or pairs of a collective.
std::vector<llvm::SmallVector<int64_t, 8>> NumberLists(const ir::Module& module, const ir::Inst& inst) {
  std::vector<llvm::SmallVector<int64_t, 8>> lists;
  if (inst.op == ir::OpKind::CollectivePermute) {
    for (const tensor::Dims& pair : module.attrs<ops::PermuteAttrs>(inst).pairs) {
      lists.emplace_back(pair.begin(), pair.end());
    }
    return lists;
  }
  const op::Groups& groups = module.attrs<ops::CollectiveAttrs>(inst).groups;
  if (!groups.is_axes()) {
    return groups.lists;
  }
  auto expanded = mesh::ExpandGroups(module.tables->meshes[groups.mesh], groups.axes);
  return {expanded.begin(), expanded.end()};
}

}  // namespace

// The numbers in groups and pairs become those of devices.
bool Parser::NumberDevices() {
  bool good = true;
  if (num_replicas_ > 1 && num_partitions_ > 1) {
    // All devices are partitions of one replica then.
    ir::SideData side = module_.side.valid() ? module_.tables->sides[module_.side] : ir::SideData();
    for (auto& [name, text] : side.entries) {
      text = name == "mhlo.num_partitions" ? std::to_string(module_.num_devices) + " : i32"
             : name == "mhlo.num_replicas" ? "1 : i32"
                                           : text;
    }
    module_.side = module_.tables->sides.Intern(std::move(side));
  }
  for (ir::Function& function : module_.functions) {
    for (ir::Inst& inst : function.insts) {
      good = (op::Def(inst.op).collective == nullptr || NumberDevices(inst)) && good;
      if (inst.op == ir::OpKind::PartitionId && num_replicas_ > 1 && num_partitions_ > 1) {
        good = Fail(diag::Kind::UnsupportedFeature, inst.span,
                    "the number of a partition in a module of " + std::to_string(num_replicas_) + " replicas",
                    "say mhlo.num_replicas = 1 where the partitions are all its devices");
      }
    }
  }
  return good;
}

bool Parser::CheckNumbers(llvm::ArrayRef<int64_t> numbers, bool are_partitions, source::Span span) {
  int64_t count = are_partitions ? num_partitions_ : num_replicas_;
  const int64_t* beyond = llvm::find_if(numbers, [&](int64_t number) { return number >= count; });
  if (beyond == numbers.end()) {
    return true;
  }
  std::string noun = are_partitions ? "partition" : "replica";
  return Fail(diag::Kind::Group, span,
              "a group names " + noun + " " + std::to_string(*beyond) + ", but there " +
                  (count == 1 ? "is 1 " + noun : "are " + std::to_string(count) + " " + noun + "s"),
              are_partitions ? "" : "with a channel and use_global_device_ids the numbers are those of devices");
}

bool Parser::NumberDevices(ir::Inst& inst) {
  bool has_flag =
      inst.op == ir::OpKind::AllReduce || inst.op == ir::OpKind::AllGather || inst.op == ir::OpKind::ReduceScatter;
  bool permute = inst.op == ir::OpKind::CollectivePermute;
  if (!has_flag && !permute && inst.op != ir::OpKind::AllToAll) {
    return true;
  }
  ops::CollectiveAttrs attrs = permute ? ops::CollectiveAttrs() : module_.attrs<ops::CollectiveAttrs>(inst);
  int64_t channel = permute ? module_.attrs<ops::PermuteAttrs>(inst).channel : attrs.channel;
  ops::Numbering numbering = ops::NumberingOf(channel > 0, has_flag, attrs.use_global_device_ids);
  // Numbers of replicas or partitions are those of devices where there is one of the others.
  bool by_partition = numbering == ops::Numbering::Partitions;
  bool both = numbering == ops::Numbering::ReplicasWithPartitions;
  int64_t others = by_partition ? num_replicas_ : num_partitions_;
  if (numbering == ops::Numbering::Devices || others <= 1 || (!both && !by_partition && num_replicas_ <= 1)) {
    return true;
  }
  std::vector<llvm::SmallVector<int64_t, 8>> devices;
  for (const auto& list : NumberLists(module_, inst)) {
    if (!CheckNumbers(list, by_partition, inst.span)) {
      return false;
    }
    ops::AppendDevices(list, numbering, num_replicas_, num_partitions_, devices);
  }
  if (permute) {
    ops::PermuteAttrs moved = module_.attrs<ops::PermuteAttrs>(inst);
    moved.pairs.clear();
    for (const auto& pair : devices) {
      moved.pairs.emplace_back(pair.begin(), pair.end());
    }
    inst.attrs = module_.tables->attrs.Add(std::move(moved));
    return true;
  }
  attrs.groups = ops::GroupsOfLists(*module_.tables, std::move(devices));
  attrs.channel = std::max<int64_t>(attrs.channel, 1);
  attrs.use_global_device_ids = true;
  inst.attrs = module_.tables->attrs.Add(std::move(attrs));
  return true;
}

// The one that the user wants, else `main`, else the only public function, else the first.
void Parser::ChooseEntry() {
  if (!wanted_entry_.empty()) {
    auto wanted = function_of_name_.find(wanted_entry_);
    if (wanted == function_of_name_.end()) {
      std::string nearest = diag::Nearest(wanted_entry_, function_names_);
      Fail(diag::Kind::NoEntry, {file_, 0, 0}, "the module has no function @" + wanted_entry_.str(),
           nearest.empty() ? "" : "did you mean --entry=" + nearest + "?");
      return;
    }
    module_.entry = wanted->second.id;
    return;
  }
  if (function_names_.empty()) {
    Fail(diag::Kind::NoEntry, {file_, 0, 0}, "the module has no function");
    return;
  }
  std::string chosen = function_names_.front();
  auto is_public = [&](const std::string& name) { return function_of_name_[name].is_public; };
  auto first_public = llvm::find_if(function_names_, is_public);
  if (first_public != function_names_.end()) {
    chosen = *first_public;
  }
  if (llvm::is_contained(function_names_, "main")) {
    chosen = "main";
  }
  module_.entry = function_of_name_[chosen].id;
}

// The greatest number in the groups and pairs of the text and one more.
int64_t Parser::NamedDevices() const {
  int64_t count = 1;
  auto add = [&](int64_t device) { count = std::clamp<int64_t>(device + 1, count, INT32_MAX); };
  for (const ir::Function& function : module_.functions) {
    for (const ir::Inst& inst : function.insts) {
      const op::OpDef& def = op::Def(inst.op);
      if (def.collective == nullptr) {
        continue;
      }
      op::Collective collective = def.collective(module_, function, inst);
      for (const auto& group : collective.groups.lists) {
        llvm::for_each(group, add);
      }
      for (auto [from, to] : collective.pairs) {
        add(from);
        add(to);
      }
    }
  }
  return count;
}

// The mesh of the entry's annotations, else the first with several devices.
void Parser::ChooseMesh() {
  const ir::Function& entry = module_.functions[module_.entry];
  auto size = [&](mesh::MeshId id) { return module_.tables->meshes[id].size(); };
  mesh::MeshId annotated;
  for (const auto* infos : {&entry.arg_info, &entry.result_info}) {
    for (const ir::BoundaryInfo& info : *infos) {
      if (!annotated.valid() && info.sharding.valid()) {
        mesh::MeshId id = module_.tables->shardings[info.sharding].mesh;
        annotated = size(id) > 1 ? id : annotated;
      }
    }
  }
  if (annotated.valid()) {
    module_.mesh = annotated;
  }
  int64_t devices = module_.mesh.valid() ? size(module_.mesh) : 1;
  for (auto [id, span] : meshes_) {
    if (size(id) > 1 && size(id) != devices) {
      Fail(diag::Kind::UnsupportedFeature, span,
           "meshes of " + std::to_string(devices) + " and of " + std::to_string(size(id)) + " devices in one module");
    }
  }
  if (num_partitions_ > 1 && devices > 1 && devices != num_partitions_) {
    Fail(diag::Kind::DeviceCount, partitions_span_,
         "mhlo.num_partitions is " + std::to_string(num_partitions_) + ", but the mesh " +
             mesh::Describe(module_.tables->meshes[module_.mesh]) + " has " + std::to_string(devices) + " devices");
  }
  module_.num_devices = std::max<int64_t>(devices, std::max<int64_t>(num_partitions_, 1) * num_replicas_);
  if (module_.per_device && num_partitions_ == 0 && num_replicas_ == 1 && devices == 1) {
    module_.num_devices = NamedDevices();
  }
}

// Bodies of manual regions, and what they contain and call, have the regions' axes. Refuses recursion on the way.
void Parser::SetManualAxes(ir::FuncId id, llvm::ArrayRef<mesh::AxisRef> axes, llvm::SmallVectorImpl<ir::FuncId>& path,
                           source::Span use) {
  if (llvm::is_contained(path, id)) {
    Fail(diag::Kind::UnsupportedFeature, use, "function @" + module_.functions[id].name + " calls itself");
    return;
  }
  ir::Function& function = module_.functions[id];
  if (manual_axes_set_.lookup(id)) {
    return;
  }
  if (path.size() > kMaxNesting) {
    Fail(diag::Kind::TooDeep, use, "calls are nested deeper than " + std::to_string(kMaxNesting) + " levels");
    return;
  }
  manual_axes_set_[id] = true;
  function.manual_axes.assign(axes.begin(), axes.end());
  path.push_back(id);
  for (const ir::Inst& inst : function.insts) {
    if (inst.num_bodies == 0) {
      continue;
    }
    mesh::AxisList inner(axes.begin(), axes.end());
    if (op::Def(inst.op).region == op::Region::Manual && inst.attrs.valid()) {
      const auto& attrs = module_.attrs<ops::ManualComputationAttrs>(inst);
      inner.append(attrs.manual_axes.begin(), attrs.manual_axes.end());
      inner = mesh::AsSet(inner);
    }
    for (ir::FuncId body : function.bodies(inst)) {
      SetManualAxes(body, inner, path, inst.span);
    }
  }
  path.pop_back();
}

}  // namespace spmdc::text::stablehlo
