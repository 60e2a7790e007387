// Walks a per-device program from its entry, through loops with their trip counts and branches with their costs.
#include "cost/communication.h"

#include <algorithm>

#include "cost/started.h"
#include "cost/trip_count.h"
#include "llvm/ADT/STLExtras.h"
#include "mesh/hlo_sharding.h"
#include "op/op_def.h"

namespace spmdc::cost {
namespace {

mesh::AxisList AxesOf(const ir::Module& module, const op::Groups& groups) {
  if (groups.is_axes()) {
    return mesh::AsSet(groups.axes);
  }
  if (!module.mesh.valid()) {
    return {};
  }
  auto lifted = mesh::LiftGroups(module.tables->meshes[module.mesh], groups.lists);
  return lifted ? mesh::AsSet(*lifted) : mesh::AxisList();
}

class Walker {
 public:
  Walker(const ir::Module& module, Communication& out) : module_(module), out_(out) {}

  // Returns the wire bytes of what counts.
  double Walk(ir::FuncId id, std::optional<int64_t> trips) {
    const ir::Function& function = module_.functions[id];
    double bytes = 0;
    for (ir::InstId inst_id : function.insts.ids()) {
      const ir::Inst& inst = function.insts[inst_id];
      const op::OpDef& def = op::Def(inst.op);
      auto bodies = function.bodies(inst);
      if (std::optional<CollectiveCost> cost = CostOf(module_, id, inst_id)) {
        cost->trips = trips;
        cost->wire_bytes *= static_cast<double>(trips.value_or(1));
        bytes += cost->wire_bytes;
        out_.collectives.push_back(std::move(*cost));
      } else if (def.region == op::Region::Call || (StartsComputation(module_, inst) && !bodies.empty())) {
        bytes += Walk(bodies[0], trips);
      } else if (def.region == op::Region::Loop) {
        std::optional<int64_t> own = TripCount(module_, function, inst);
        std::optional<int64_t> inner = own && trips ? std::optional(*own * *trips) : std::nullopt;
        bytes += Walk(bodies[0], inner) + Walk(bodies[1], inner);
      } else if (def.region == op::Region::Branch) {
        bytes += WalkBranches(bodies, trips);
      }
    }
    return bytes;
  }

 private:
  double WalkBranches(llvm::ArrayRef<ir::FuncId> bodies, std::optional<int64_t> trips) {
    double dearest = -1;
    size_t kept_begin = 0, kept_end = 0;
    size_t begin = out_.collectives.size();
    for (ir::FuncId body : bodies) {
      size_t from = out_.collectives.size();
      double bytes = Walk(body, trips);
      if (bytes > dearest) {
        dearest = bytes;
        kept_begin = from;
        kept_end = out_.collectives.size();
      }
    }
    for (size_t i = begin; i < out_.collectives.size(); ++i) {
      out_.collectives[i].counts = out_.collectives[i].counts && i >= kept_begin && i < kept_end;
    }
    return dearest;
  }

  const ir::Module& module_;
  Communication& out_;
};

}  // namespace

std::optional<CollectiveCost> CostOf(const ir::Module& module, ir::FuncId function_id, ir::InstId inst_id) {
  const ir::Function& function = module.functions[function_id];
  const ir::Inst& inst = function.insts[inst_id];
  const op::OpDef& def = op::Def(inst.op);
  std::optional<op::Collective> what =
      def.collective != nullptr ? def.collective(module, function, inst) : StartedCollective(module, function, inst);
  if (!what) {
    return std::nullopt;
  }
  CollectiveCost cost;
  cost.function = function_id;
  cost.inst = inst_id;
  for (ir::ValueId v : function.operands(inst)) {
    cost.bytes_in += module.type(function, v).bytes();
  }
  for (size_t i = 0; i < inst.num_results; ++i) {
    cost.bytes_out += module.type(function, function.result(inst, i)).bytes();
  }
  if (inst.num_operands > 0) {
    cost.dtype = module.type(function, function.operands(inst)[0]).dtype;
  }
  bool moves = true;
  if (what->kind == op::CollectiveKind::Permute) {
    moves = llvm::any_of(what->pairs, [](const auto& pair) { return pair.first != pair.second; });
    cost.group_size = module.num_devices;
    cost.axes = what->groups.axes;
  } else {
    cost.group_size = op::GroupSize(*module.tables, what->groups, module.num_devices);
    cost.group_count = op::GroupCount(*module.tables, what->groups, module.num_devices);
    cost.axes = AxesOf(module, what->groups);
  }
  if (def.collective == nullptr) {
    // The first half of a collective returns what both halves need.
    int64_t n = std::max<int64_t>(cost.group_size, 1);
    cost.bytes_out = what->kind == op::CollectiveKind::AllGather       ? cost.bytes_in * n
                     : what->kind == op::CollectiveKind::ReduceScatter ? cost.bytes_in / n
                                                                       : cost.bytes_in;
  }
  if (moves) {
    cost.wire_bytes = op::WireBytes(what->kind, cost.group_size, cost.bytes_in, cost.bytes_out);
  }
  cost.what = std::move(*what);
  return cost;
}

Communication Communicate(const ir::Module& per_device) {
  Communication out;
  out.wire_bytes = Walker(per_device, out).Walk(per_device.entry, 1);
  for (const CollectiveCost& c : out.collectives) {
    if (!c.counts) {
      continue;
    }
    std::string kind = op::Name(c.what.kind).str();
    out.by_kind[kind] += c.wire_bytes;
    std::string axes =
        per_device.mesh.valid() ? mesh::ToString(per_device.tables->meshes[per_device.mesh], c.axes) : std::string();
    out.by_axis[axes][kind] += c.wire_bytes;
  }
  return out;
}

}  // namespace spmdc::cost
