// Arguments whose memory the caller gives away to whichever result can use it.
#pragma once

#include <string>

#include "ir/module.h"
#include "llvm/ADT/STLExtras.h"

namespace spmdc::ir {

// The name under which the texts say it, among the side data of an argument.
inline constexpr llvm::StringLiteral kDonor = "jax.buffer_donor";

inline bool IsDonor(const Module& module, const BoundaryInfo& argument) {
  return argument.side.valid() && llvm::any_of(module.tables->sides[argument.side].entries, [](const auto& entry) {
           return entry.first == kDonor && entry.second == "true";
         });
}

// Says it, or no longer, of an argument.
inline void SetDonor(const Module& module, BoundaryInfo& argument, bool donor) {
  SideData data = argument.side.valid() ? module.tables->sides[argument.side] : SideData();
  llvm::erase_if(data.entries, [](const auto& entry) { return entry.first == kDonor; });
  if (donor) {
    data.entries.emplace_back(kDonor.str(), "true");
  }
  argument.side = data.entries.empty() ? SideId() : module.tables->sides.Intern(std::move(data));
}

}  // namespace spmdc::ir
