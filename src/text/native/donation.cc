// Donated arguments: results of the same type in the same place take their memory, each the first that is free.
#include "text/native/donation.h"

#include "llvm/ADT/STLExtras.h"
#include "mesh/spec.h"

namespace spmdc::text::native {

namespace {

// Over Auto axes a result is where propagation puts it, unless out_shardings says.
bool IsPlaced(const ir::Module& module, const ir::BoundaryInfo& info) {
  return info.sharding.valid() || !module.mesh.valid() ||
         llvm::all_of(module.tables->meshes[module.mesh].axes,
                      [](const mesh::Axis& axis) { return axis.type == mesh::AxisType::Explicit; });
}

}  // namespace

std::vector<int64_t> DonationAliases(const ir::Module& module, const ir::Function& entry, std::vector<bool> donated) {
  const auto& shardings = module.tables->shardings;
  auto place = [&](const ir::BoundaryInfo& info, const ir::Type& type) {
    mesh::ShardingId id = info.sharding.valid() ? info.sharding : type.sharding;
    return id.valid() && mesh::NamesNoAxis(shardings[id]) ? mesh::ShardingId() : id;
  };
  std::vector<int64_t> aliases(entry.args.size(), -1);
  for (size_t r = 0; r < entry.results.size(); ++r) {
    const ir::Type& type = module.type(entry, entry.results[r]);
    for (size_t i = 0; i < entry.args.size(); ++i) {
      bool same = module.type(entry, entry.args[i]) == type && IsPlaced(module, entry.result_info[r]) &&
                  place(entry.arg_info[i], type) == place(entry.result_info[r], type);
      if (donated[i] && same) {
        aliases[i] = static_cast<int64_t>(r);
        donated[i] = false;
        break;
      }
    }
  }
  return aliases;
}

bool AnyResultIsUnplaced(const ir::Module& module, const ir::Function& entry) {
  return !llvm::all_of(entry.result_info, [&](const ir::BoundaryInfo& info) { return IsPlaced(module, info); });
}

}  // namespace spmdc::text::native
