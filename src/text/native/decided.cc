// Placements by type, and the origins of what a text says.
#include "text/native/decided.h"

namespace spmdc::text::native {
namespace {

void PlaceByTypes(ir::Module& module) {
  ir::Tables& tables = *module.tables;
  auto place = [&](const ir::Type& type, mesh::ShardingId& sharding) {
    if (sharding.valid() || !type.is_array() || !module.mesh.valid()) {
      return;
    }
    mesh::Sharding s =
        type.sharding.valid() ? tables.shardings[type.sharding] : mesh::Replicated(module.mesh, type.rank());
    s.varying.clear();
    s.reduced.clear();
    sharding = tables.shardings.Intern(s);
  };
  for (ir::Function& f : module.functions) {
    for (ir::Value& value : f.values) {
      place(module.type(value), value.sharding);
    }
    for (size_t i = 0; i < f.args.size(); ++i) {
      ir::Value& value = f.values[f.args[i]];
      mesh::ShardingId& boundary = f.arg_info[i].sharding;
      boundary = boundary.valid() ? boundary : value.sharding;
      value.sharding = boundary;
    }
    for (size_t i = 0; i < f.results.size(); ++i) {
      mesh::ShardingId& boundary = f.result_info[i].sharding;
      boundary = boundary.valid() ? boundary : f.values[f.results[i]].sharding;
    }
  }
}

// Every axis is there because the text says so.
class Teller {
 public:
  explicit Teller(ir::Module& module) : module_(module) {}

  void Run() {
    for (ir::FuncId f : module_.functions.ids()) {
      const ir::Function& function = module_.functions[f];
      ir::OriginTable& table = module_.origins[f];  // there also for functions without values
      for (ir::ValueId v : function.values.ids()) {
        const ir::Value& value = function.values[v];
        bool entry_arg = f == module_.entry && !value.def.valid();
        std::string from = entry_arg ? "arg " + std::to_string(value.index) : "value " + value.name;
        table.Set(v, OriginsOf(value.sharding, from, value.span));
      }
    }
    const std::vector<ir::BoundaryInfo>& results = module_.functions[module_.entry].result_info;
    for (size_t i = 0; i < results.size(); ++i) {
      module_.result_origins.push_back(OriginsOf(results[i].sharding, "result " + std::to_string(i), results[i].span));
    }
  }

 private:
  ir::Origins OriginsOf(mesh::ShardingId id, const std::string& from, source::Span span) {
    ir::Origins origins;
    if (!id.valid()) {
      return origins;
    }
    const mesh::Sharding& sharding = module_.tables->shardings[id];
    for (size_t d = 0; d < sharding.dims.size(); ++d) {
      for (const mesh::AxisRef& axis : sharding.dims[d].axes) {
        ir::Origin origin;
        origin.axis = axis;
        origin.dim = static_cast<int32_t>(d);
        origin.annotation = origins.empty() ? module_.annotations.Add({from, span}) : origins.front().annotation;
        origins.push_back(origin);
      }
    }
    return origins;
  }

  ir::Module& module_;
};

}  // namespace

void Decide(ir::Module& module) {
  PlaceByTypes(module);
  Teller(module).Run();
}

}  // namespace spmdc::text::native
