// What a program's instructions say: values that are annotated, collectives and what they move.
#include "cost/communication.h"
#include "cost/started.h"
#include "decode/decode.h"
#include "decode/reading.h"
#include "mesh/hlo_sharding.h"
#include "op/op_def.h"

namespace spmdc::decode {
namespace {

std::string TypesOf(const ir::Module& module, const ir::Function& function, llvm::ArrayRef<ir::ValueId> values) {
  std::string text;
  for (ir::ValueId v : values) {
    text += (text.empty() ? "" : ", ") + ir::ToString(*module.tables, function.values[v].type);
  }
  return values.size() == 1 ? text : "(" + text + ")";
}

// What arrives at a device, in a sentence.
std::string EffectOf(const op::Collective& what) {
  std::string dim = std::to_string(what.dim);
  std::string combined = "the " + mesh::Name(what.monoid).str() + " of its group's arrays";
  switch (what.kind) {
    case op::CollectiveKind::AllReduce:
      return "every device gets " + combined;
    case op::CollectiveKind::AllGather:
      return "every device gets its group's arrays, joined along dim " + dim + " in the order of the group";
    case op::CollectiveKind::ReduceScatter:
      return "member k of a group gets block k along dim " + dim + " of " + combined;
    case op::CollectiveKind::AllToAll:
      return "member k of a group gets block k along dim " + dim + " of every member's array, joined along dim " +
             std::to_string(what.concat_dim);
    case op::CollectiveKind::Permute:
      return "a target gets its source's array, a device that is no target zeros";
  }
  return "";
}

// The instruction and its types; whose groups they are and what they cost is said by others.
Exchange ExchangeOf(const ir::Module& module, const ir::Function& function, const ir::Inst& inst,
                    llvm::StringRef kind) {
  llvm::SmallVector<ir::ValueId, 2> results;
  for (size_t i = 0; i < inst.num_results; ++i) {
    results.push_back(function.result(inst, i));
  }
  Exchange exchange;
  exchange.what = kind.str();
  if (!results.empty()) {
    exchange.what += " '" + function.values[results[0]].name + "'";
  }
  exchange.traffic = Traffic{kind.str(), TypesOf(module, function, function.operands(inst)),
                             TypesOf(module, function, results), std::nullopt, ""};
  return exchange;
}

void AddLists(const ir::Module& module, const op::Groups& groups, Exchange& exchange) {
  exchange.groups = groups.lists;
  exchange.axes = AxesOf(groups.lists, module.mesh.valid() ? &module.tables->meshes[module.mesh] : nullptr);
}

Exchange ExchangeOf(const ir::Module& module, const cost::CollectiveCost& cost) {
  const ir::Function& function = module.functions[cost.function];
  Exchange exchange = ExchangeOf(module, function, function.insts[cost.inst], op::Name(cost.what.kind));
  exchange.traffic->sent = cost.wire_bytes;
  exchange.traffic->effect = EffectOf(cost.what);
  if (cost.what.kind == op::CollectiveKind::Permute) {
    exchange.is_pairs = true;
    exchange.pairs = cost.what.pairs;
    return exchange;
  }
  const op::Groups& groups = cost.what.groups;
  if (groups.is_axes()) {
    const mesh::Mesh& mesh = module.tables->meshes[groups.mesh];
    auto expanded = mesh::ExpandGroups(mesh, groups.axes);
    exchange.groups.assign(expanded.begin(), expanded.end());
    exchange.axes = std::make_pair(mesh, groups.axes);
  } else {
    AddLists(module, groups, exchange);
  }
  return exchange;
}

void AddPlaced(const ir::Module& module, const ir::Type& type, mesh::ShardingId id, std::string what,
               std::vector<Placed>& placed) {
  if (!id.valid() || !type.is_array()) {
    return;
  }
  const mesh::Sharding& sharding = module.tables->shardings[id];
  placed.push_back({std::move(what), module.tables->meshes[sharding.mesh], sharding,
                    Shape{tensor::HloName(type.dtype).str(), type.dims}});
}

}  // namespace

Decoded DecodeProgram(const ir::Module& module) {
  Decoded decoded;
  for (ir::FuncId id : module.functions.ids()) {
    const ir::Function& function = module.functions[id];
    std::string in = id == module.entry ? "" : " in " + function.name;
    for (ir::ValueId v : function.values.ids()) {
      const ir::Value& value = function.values[v];
      bool argument = !value.def.valid() && value.index < function.arg_info.size();
      mesh::ShardingId asked = argument ? function.arg_info[value.index].sharding : mesh::ShardingId();
      mesh::ShardingId sharding = asked.valid() ? asked : value.sharding;
      AddPlaced(module, module.type(value), sharding, "'" + value.name + "'" + in, decoded.placed);
    }
    for (size_t i = 0; i < function.results.size() && i < function.result_info.size(); ++i) {
      AddPlaced(module, module.type(function, function.results[i]), function.result_info[i].sharding,
                "result " + std::to_string(i) + in, decoded.placed);
    }
    for (ir::InstId inst : function.insts.ids()) {
      if (std::optional<cost::CollectiveCost> cost = cost::CostOf(module, id, inst)) {
        decoded.exchanges.push_back(ExchangeOf(module, *cost));
      } else if (std::optional<op::Groups> groups = cost::WrittenGroups(module, function.insts[inst])) {
        const ir::Inst& written = function.insts[inst];
        AddLists(
            module, *groups,
            decoded.exchanges.emplace_back(ExchangeOf(module, function, written, cost::WrittenName(module, written))));
      }
    }
  }
  return decoded;
}

}  // namespace spmdc::decode
