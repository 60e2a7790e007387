// Manual regions as GSPMD's texts write them: custom calls that cut arrays into blocks, a call, and custom calls that make
// whole arrays again.
//
//   %1 = custom_call @Sharding(%0) "{devices=[4,2]<=[8]}"               f32[16,8]
//   %2 = custom_call @SPMDFullToShardShape(%1) "{manual}"               f32[4,4]
//   %3 = call @body(%2)                                                 f32[4,4]
//   %4 = custom_call @Sharding(%3) "{manual}"                           f32[4,4]
//   %5 = custom_call @SPMDShardToFullShape(%4) "{devices=[4,2]<=[8]}"   f32[16,8]
//
// Shardy's export writes them in a like way, one call for all arrays, and says of both ends in Shardy's words what they place:
//
//   %1:2 = custom_call @xla.sdy.GlobalToLocalShape(%a, %b)
//   %2 = call @xla.sdy.manual_computation_body(%1#0, %1#1)
//   %3 = custom_call @xla.sdy.LocalToGlobalShape(%2)
//
// In GSPMD's, axes that are manual are those over which a value varies: all of them, or the `manual` subgroup of the tiles.
#pragma once

#include "ir/module.h"
#include "llvm/ADT/DenseMap.h"
#include "ops/control.h"

namespace spmdc::ops {

// `unspecified_dims=[0,2]`, as the config of a call of Sharding or of the calls above: these dims are open. Whether the text
// says this, and nothing else.
bool OpenUnspecifiedDims(llvm::StringRef config, mesh::Sharding& sharding);
// What the custom calls at the ends of Shardy's regions say, by their attributes: each the shardings of its own end.
using ManualEnds = llvm::DenseMap<ir::AttrsId, ManualComputationAttrs>;
// Makes manual computations of the regions of a module that was just read. What is no whole pattern stays as it is.
void MakeManualRegions(ir::Module& module, const ManualEnds& ends = ManualEnds());

}  // namespace spmdc::ops
