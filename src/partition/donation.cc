// Results and donated arguments meet by their bytes on one device.
#include "partition/donation.h"

#include "ir/donor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

namespace spmdc::partition {

void TakeDonations(ir::Module& per_device, diag::Engine& diags) {
  ir::Function& entry = per_device.functions[per_device.entry];
  llvm::SmallVector<size_t, 8> donors;
  llvm::SmallSet<int64_t, 8> taken;
  for (size_t i = 0; i < entry.args.size(); ++i) {
    if (entry.arg_info[i].alias >= 0) {
      taken.insert(entry.arg_info[i].alias);
    } else if (ir::IsDonor(per_device, entry.arg_info[i])) {
      donors.push_back(i);
    }
  }
  for (size_t r = 0; r < entry.results.size() && !donors.empty(); ++r) {
    int64_t bytes = per_device.type(entry, entry.results[r]).bytes();
    auto* donor = llvm::find_if(
        donors, [&](size_t i) { return bytes > 0 && per_device.type(entry, entry.args[i]).bytes() == bytes; });
    if (donor == donors.end() || taken.count(static_cast<int64_t>(r)) != 0) {
      continue;
    }
    entry.arg_info[*donor].alias = static_cast<int64_t>(r);
    ir::SetDonor(per_device, entry.arg_info[*donor], false);
    donors.erase(donor);
  }
  for (size_t i : donors) {
    const ir::BoundaryInfo& info = entry.arg_info[i];
    const std::string& name = info.name.empty() ? entry.values[entry.args[i]].name : info.name;
    diags.Warning(diag::Kind::Donation, info.span,
                  "the memory of donated argument `" + name + "` is not used: no result is left that has " +
                      std::to_string(per_device.type(entry, entry.args[i]).bytes()) + " bytes on each device");
  }
}

}  // namespace spmdc::partition
