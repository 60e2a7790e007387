// Manual regions of global programs: the body runs on every device of the mesh, on the device's own blocks of the operands
// over the manual axes; collectives inside are carried out. Free axes cut nothing: along them devices repeat each other.
#pragma once

#include <optional>
#include <vector>

#include "run/interpreter.h"

namespace spmdc::run {

// One device's arguments for a region's body, out of the operands.
std::vector<Slot> ManualBlocks(const ir::Module& module, const ir::Inst& inst, int64_t device,
                               llvm::ArrayRef<Slot> operands);
// The devices whose blocks make up the region's results for a device: those that differ from it in manual axes only.
llvm::SmallVector<int64_t, 8> ManualGroup(const ir::Module& module, const ir::Inst& inst, int64_t device);
// The region's results from the blocks of such devices, blocks[m][r] being result r of members[m].
std::vector<Slot> ManualResults(const ir::Module& module, const ir::Inst& inst, llvm::ArrayRef<int64_t> members,
                                llvm::ArrayRef<llvm::ArrayRef<Slot>> blocks);
// The manual axes over which the region says that devices hold the same of a result: those that its out_specs leaves out.
mesh::AxisList AlikeAxes(const ir::Module& module, const ir::Inst& inst, size_t result);
// Runs an outermost region for an interpreter of a global program.
std::optional<std::vector<Slot>> RunManualRegion(const Interpreter& caller, const ir::Function& function,
                                                 const ir::Inst& inst, const Path& path, llvm::ArrayRef<Slot> operands,
                                                 Failure& failure);

}  // namespace spmdc::run
