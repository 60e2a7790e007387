// What was decoded, as JSON: keys in the order of docs/decode.md.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "decode/decode.h"
#include "mesh/hlo_sharding.h"
#include "mesh/sdy_sharding.h"

namespace spmdc::decode {
namespace {

using Json = nlohmann::ordered_json;

// Entries of a list that are written where not all are asked for.
constexpr int64_t kEntries = 1024;

int64_t Written(int64_t count, bool all) { return all ? count : std::min(count, kEntries); }

template <typename List>
Json Numbers(const List& list) {
  return Json(std::vector<int64_t>(list.begin(), list.end()));
}

Json MeshJson(const mesh::Mesh& mesh) {
  Json out;
  out["axes"] = Json::array();
  for (const mesh::Axis& axis : mesh.axes) {
    out["axes"].push_back(Json::array({axis.name, axis.size}));
  }
  out["device_ids"] = mesh.device_ids.empty() ? Json(nullptr) : Numbers(mesh.device_ids);
  return out;
}

// What each device holds, by position in the mesh.
Json DevicesJson(const Placed& placed, bool all) {
  Json list = Json::array();
  tensor::Dims dims = placed.Dims();
  bool known = placed.sharding.dims.size() == dims.size();
  for (int64_t position = 0; known && position < Written(placed.mesh.size(), all); ++position) {
    Json start = Json::array(), limit = Json::array();
    for (const auto& [begin, end] : mesh::ShardRange(placed.mesh, placed.sharding, dims, position)) {
      start.push_back(begin);
      limit.push_back(end);
    }
    list.push_back({{"device", placed.mesh.DeviceAt(position)}, {"start", start}, {"limit", limit}});
  }
  return list;
}

Json PlacedJson(const Placed& placed, bool all) {
  const mesh::Mesh& mesh = placed.mesh;
  const mesh::Sharding& sharding = placed.sharding;
  Json out;
  out["what"] = placed.what;
  out["type"] = placed.shape ? Json(mesh::TypeWithSharding(placed.shape->dtype, placed.shape->dims, nullptr, nullptr))
                             : Json(nullptr);
  out["mesh"] = MeshJson(mesh);
  out["spec"] = mesh::ToSpec(mesh, sharding);
  out["unreduced"] = mesh::ToString(mesh, sharding.unreduced);
  out["manual"] = mesh::ToString(mesh, sharding.varying);
  out["hlo"] = mesh::ToHlo(mesh, sharding, sharding.varying);
  out["hlo_named"] = mesh::ToHloNamed(mesh, sharding);
  out["sdy"] = "#sdy.sharding" + mesh::ToShortSdy(mesh, sharding);
  out["num_devices"] = mesh.size();
  out["devices"] = DevicesJson(placed, all);
  return out;
}

Json ExchangeJson(const Exchange& exchange, bool all) {
  Json out;
  out["what"] = exchange.what;
  out["kind"] = exchange.traffic ? Json(exchange.traffic->kind) : Json(nullptr);
  if (exchange.traffic) {
    out["operands"] = exchange.traffic->operands;
    out["results"] = exchange.traffic->results;
    out["bytes_sent"] = exchange.traffic->sent ? Json(*exchange.traffic->sent) : Json(nullptr);
    out["effect"] = exchange.traffic->effect;
  }
  if (exchange.is_pairs) {
    auto count = static_cast<int64_t>(exchange.pairs.size());
    out["num_pairs"] = count;
    out["pairs"] = Json::array();
    for (int64_t i = 0; i < Written(count, all); ++i) {
      const auto& [source, target] = exchange.pairs[static_cast<size_t>(i)];
      out["pairs"].push_back(Json::array({source, target}));
    }
    return out;
  }
  int64_t room = Written(INT64_MAX, all);  // numbers, of all groups together
  out["num_groups"] = exchange.groups.size();
  out["groups"] = Json::array();
  for (const Group& group : exchange.groups) {
    room -= static_cast<int64_t>(group.size());
    if (room < 0) {
      break;
    }
    out["groups"].push_back(Numbers(group));
  }
  out["mesh"] = exchange.axes ? MeshJson(exchange.axes->first) : Json(nullptr);
  out["axes"] = exchange.axes ? Json(mesh::ToString(exchange.axes->first, exchange.axes->second)) : Json(nullptr);
  out["hlo"] = exchange.axes
                   ? Json(mesh::ReplicaGroups(exchange.axes->first, exchange.axes->second, mesh::GroupForm::Auto))
                   : Json(nullptr);
  return out;
}

}  // namespace

std::string ToJson(const Decoded& decoded, bool all) {
  Json out;
  out["spmdc_decode"] = 1;
  out["shardings"] = Json::array();
  for (const Placed& placed : decoded.placed) {
    out["shardings"].push_back(PlacedJson(placed, all));
  }
  out["collectives"] = Json::array();
  for (const Exchange& exchange : decoded.exchanges) {
    out["collectives"].push_back(ExchangeJson(exchange, all));
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace spmdc::decode
