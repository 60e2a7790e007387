// Donated arguments: results of the same type in the same place take their memory, each the first that is free.
#include "text/native/donation.h"

#include "ir/donor.h"
#include "ir/shown.h"
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

// Whether anything is made of an argument, or it is a result itself.
bool IsUsed(const ir::Function& f, ir::ValueId arg) {
  return llvm::is_contained(f.results, arg) ||
         llvm::any_of(f.insts, [&](const ir::Inst& inst) { return llvm::is_contained(f.operands(inst), arg); });
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

void LeaveDonations(const ir::Module& module, ir::Function& entry, const std::vector<bool>& donated,
                    diag::Engine& diags) {
  bool open = !llvm::all_of(entry.result_info, [&](const ir::BoundaryInfo& info) { return IsPlaced(module, info); });
  for (size_t i = 0; i < entry.args.size(); ++i) {
    ir::BoundaryInfo& info = entry.arg_info[i];
    bool left = donated[i] && info.alias < 0 && IsUsed(entry, entry.args[i]);
    if (left && open) {
      ir::SetDonor(module, info, true);
    } else if (left) {
      std::string type = ir::ToString(*module.tables, ir::ShownType(module.type(entry, entry.args[i]), info));
      diags.Warning(diag::Kind::Donation, info.span,
                    "the memory of donated argument `" + info.name + "` is not used: no result is left that is " +
                        type + " and in the same place");
    }
  }
}

}  // namespace spmdc::text::native
