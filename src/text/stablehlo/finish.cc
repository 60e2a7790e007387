// What is decided once all functions are read: the entry, the mesh, the devices, manual axes, and calls that go nowhere.
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "ops/collective.h"
#include "ops/control.h"
#include "ops/gspmd_manual.h"
#include "text/stablehlo/parser.h"

namespace spmdc::text::stablehlo {

void Parser::FinishModule() {
  if (!CheckCallees()) {
    return;
  }
  ChooseEntry();
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
    if (module_.per_device && !CheckNumbering()) {
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

// With a channel and without use_global_device_ids the numbers are replicas, each with all its partitions.
bool Parser::CheckNumbering() {
  bool good = true;
  for (const ir::Function& function : module_.functions) {
    for (const ir::Inst& inst : function.insts) {
      bool has_flag =
          inst.op == ir::OpKind::AllReduce || inst.op == ir::OpKind::AllGather || inst.op == ir::OpKind::ReduceScatter;
      if (!has_flag || num_partitions_ <= 1) {
        continue;
      }
      const auto& attrs = module_.attrs<ops::CollectiveAttrs>(inst);
      if (attrs.channel > 0 && !attrs.use_global_device_ids) {
        good = Fail(diag::Kind::UnsupportedFeature, inst.span,
                    "the replica groups count replicas, each with all of its " + std::to_string(num_partitions_) +
                        " partitions: a channel without use_global_device_ids",
                    "list the devices, and say use_global_device_ids");
      }
    }
  }
  return good;
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
