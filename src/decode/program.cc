// What a program's instructions say: values that are annotated, collectives and what they move.
#include "cost/communication.h"
#include "cost/started.h"
#include "decode/decode.h"
#include "decode/reading.h"
#include "mesh/hlo_sharding.h"
#include "mesh/sdy_sharding.h"
#include "op/op_def.h"
#include "ops/control.h"
#include "ops/opaque.h"
#include "ops/sharding.h"
#include "support/starts_with.h"

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

// The groups as axes of another mesh than the program's.
void TellOn(const mesh::Mesh& mesh, Exchange& exchange) {
  if (!exchange.is_pairs && !exchange.groups.empty()) {
    exchange.axes = AxesOf(exchange.groups, &mesh);
  }
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

// `out_sharding=<@mesh, [...]>` of Shardy's collectives, which are kept as text; nothing for other ops.
mesh::ShardingId OutSharding(const ir::Module& module, const ops::OpaqueAttrs& attrs) {
  constexpr llvm::StringLiteral kKey = "out_sharding=";
  llvm::StringRef text = attrs.text;
  size_t at = StartsWith(attrs.name, "sdy.") ? text.find(kKey) : llvm::StringRef::npos;
  if (at == llvm::StringRef::npos) {
    return {};
  }
  ir::Tables& tables = *module.tables;
  auto lookup = [&](llvm::StringRef name) -> std::optional<mesh::MeshId> {
    for (int32_t i = 0; i < static_cast<int32_t>(tables.meshes.size()); ++i) {
      if (tables.meshes[{i}].name == name) {
        return mesh::MeshId{i};
      }
    }
    return std::nullopt;
  };
  auto intern = [&](mesh::Mesh own) { return tables.meshes.Intern(std::move(own)); };
  auto mesh_of = [&](mesh::MeshId id) -> const mesh::Mesh& { return tables.meshes[id]; };
  mesh::Sharding sharding;
  size_t end = 0;
  bool wrong =
      mesh::ParseSdySharding(text.drop_front(at + kKey.size()), lookup, intern, mesh_of, sharding, end).has_value();
  return wrong ? mesh::ShardingId() : tables.shardings.Intern(std::move(sharding));
}

template <typename Attrs>
const Attrs* AttrsAs(const ir::Module& module, const ir::Inst& inst) {
  return op::Def(inst.op).make_attrs == ir::NewAttrs<Attrs> ? &module.attrs<Attrs>(inst) : nullptr;
}

// Who is with whom in an op that is kept as text: `replica_groups=...` of HLO, `replica_groups = dense<...>` of StableHLO.
std::optional<op::Groups> GroupsOfText(const ir::Module& module, const ir::Inst& inst) {
  constexpr llvm::StringLiteral kDense = "replica_groups = dense";
  if (std::optional<op::Groups> groups = cost::WrittenGroups(module, inst)) {
    return groups;
  }
  const ops::OpaqueAttrs* attrs = AttrsAs<ops::OpaqueAttrs>(module, inst);
  size_t at = attrs == nullptr ? std::string::npos : attrs->text.find(kDense.str());
  if (at == std::string::npos) {
    return std::nullopt;
  }
  mesh::TextCursor in(llvm::StringRef(attrs->text).drop_front(at + kDense.size()));
  std::vector<Group> rows;
  op::Groups groups;
  if (ReadDense(in, rows)) {
    groups.lists.assign(rows.begin(), rows.end());
  }
  return groups.lists.empty() ? std::nullopt : std::optional(std::move(groups));
}

// What an instruction itself says of shardings: constraints, Shardy's collectives, the two sides of a manual region.
void AddSaid(const ir::Module& module, const ir::Function& function, const ir::Inst& inst, const std::string& in,
             std::vector<Placed>& placed) {
  std::string name = op::NameOf(module, inst).str();
  auto of_result = [&](mesh::ShardingId id) {
    const ir::Value& value = function.values[function.result(inst, 0)];
    AddPlaced(module, module.type(value), id, name + " '" + value.name + "'" + in, placed);
  };
  if (const auto* constraint = AttrsAs<ops::ShardingConstraintAttrs>(module, inst)) {
    of_result(constraint->sharding);
  } else if (const auto* opaque = AttrsAs<ops::OpaqueAttrs>(module, inst); opaque != nullptr && inst.num_results > 0) {
    of_result(OutSharding(module, *opaque));
  } else if (const auto* region = AttrsAs<ops::ManualComputationAttrs>(module, inst)) {
    for (size_t i = 0; i < region->in_shardings.size(); ++i) {
      AddPlaced(module, module.type(function, function.operands(inst)[i]), region->in_shardings[i],
                "operand " + std::to_string(i) + " of " + name + in, placed);
    }
    for (size_t i = 0; i < region->out_shardings.size(); ++i) {
      AddPlaced(module, module.type(function, function.result(inst, i)), region->out_shardings[i],
                "result " + std::to_string(i) + " of " + name + in, placed);
    }
  }
}

}  // namespace

Decoded DecodeProgram(const ir::Module& module, const std::optional<mesh::Mesh>& mesh) {
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
      AddSaid(module, function, function.insts[inst], in, decoded.placed);
      if (std::optional<cost::CollectiveCost> cost = cost::CostOf(module, id, inst)) {
        decoded.exchanges.push_back(ExchangeOf(module, *cost));
      } else if (std::optional<op::Groups> groups = GroupsOfText(module, function.insts[inst])) {
        const ir::Inst& written = function.insts[inst];
        AddLists(module, *groups,
                 decoded.exchanges.emplace_back(ExchangeOf(module, function, written, op::NameOf(module, written))));
      }
    }
  }
  for (Exchange& exchange : decoded.exchanges) {
    if (mesh) {
      TellOn(*mesh, exchange);
    }
  }
  return decoded;
}

}  // namespace spmdc::decode
