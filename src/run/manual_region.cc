// Cutting operands of a manual region into blocks, running its body on virtual devices, joining the results.
#include "run/manual_region.h"

#include <algorithm>

#include "ops/control.h"
#include "run/blocks.h"
#include "run/host_device.h"
#include "run/virtual_devices.h"

namespace spmdc::run {

using tensor::Literal;

namespace {

// The part of a sharding that the region cuts by.
mesh::Sharding OverAxes(mesh::Sharding sharding, llvm::ArrayRef<mesh::AxisRef> manual) {
  for (mesh::DimSharding& dim : sharding.dims) {
    dim.axes = mesh::Intersect(dim.axes, manual);
  }
  sharding.unreduced = mesh::Intersect(sharding.unreduced, manual);
  return sharding;
}

const ops::ManualComputationAttrs& Attrs(const ir::Module& module, const ir::Inst& inst) {
  return module.attrs<ops::ManualComputationAttrs>(inst);
}

}  // namespace

std::vector<Slot> ManualBlocks(const ir::Module& module, const ir::Inst& inst, int64_t device,
                               llvm::ArrayRef<Slot> operands) {
  const auto& attrs = Attrs(module, inst);
  std::vector<Slot> blocks(operands.begin(), operands.end());
  // Operands without a sharding are values that the body uses from outside: every device has the whole of them.
  for (size_t i = 0; i < std::min(blocks.size(), attrs.in_shardings.size()); ++i) {
    if (!attrs.in_shardings[i].valid()) {
      continue;
    }
    mesh::Sharding sharding = OverAxes(module.tables->shardings[attrs.in_shardings[i]], attrs.manual_axes);
    const mesh::Mesh& mesh = module.tables->meshes[attrs.mesh];
    int64_t position = PositionOf(mesh, device).value_or(0);
    blocks[i].value = BlockOf(operands[i].value, mesh, sharding, position);
    if (!operands[i].wide.empty()) {
      blocks[i].wide = BlockOf(operands[i].wide, mesh, sharding, position);
    }
  }
  return blocks;
}

llvm::SmallVector<int64_t, 8> ManualGroup(const ir::Module& module, const ir::Inst& inst, int64_t device) {
  const auto& attrs = Attrs(module, inst);
  op::Groups groups;
  groups.mesh = attrs.mesh;
  groups.axes = attrs.manual_axes;
  return op::GroupOf(*module.tables, groups, module.num_devices, device);
}

std::vector<Slot> ManualResults(const ir::Module& module, const ir::Inst& inst, llvm::ArrayRef<int64_t> members,
                                llvm::ArrayRef<llvm::ArrayRef<Slot>> blocks) {
  const auto& attrs = Attrs(module, inst);
  const mesh::Mesh& mesh = module.tables->meshes[attrs.mesh];
  std::vector<Slot> results;
  for (size_t r = 0; r < inst.num_results; ++r) {
    Slot whole = blocks[0][r];
    if (!attrs.out_shardings[r].valid()) {
      results.push_back(std::move(whole));
      continue;
    }
    mesh::Sharding sharding = OverAxes(module.tables->shardings[attrs.out_shardings[r]], attrs.manual_axes);
    tensor::Dims dims(whole.value.dims().begin(), whole.value.dims().end());
    for (size_t d = 0; d < dims.size(); ++d) {
      dims[d] *= mesh::ShardCount(sharding.dims[d]);
    }
    auto join = [&](Literal Slot::*part) {
      if ((whole.*part).empty()) {
        return;
      }
      std::vector<PlacedBlock> placed;
      for (size_t m = 0; m < members.size(); ++m) {
        placed.push_back({PositionOf(mesh, members[m]).value_or(0), &(blocks[m][r].*part)});
      }
      whole.*part = JoinBlocks(placed, mesh, sharding, dims);
    };
    join(&Slot::value);
    join(&Slot::wide);
    for (llvm::ArrayRef<Slot> block : blocks) {
      whole.noise = std::max(whole.noise, block[r].noise);
    }
    results.push_back(std::move(whole));
  }
  return results;
}

mesh::AxisList AlikeAxes(const ir::Module& module, const ir::Inst& inst, size_t result) {
  const auto& attrs = Attrs(module, inst);
  if (!attrs.out_shardings[result].valid()) {
    return {};
  }
  const mesh::Sharding& sharding = module.tables->shardings[attrs.out_shardings[result]];
  mesh::AxisList alike = mesh::Subtract(attrs.manual_axes, sharding.unreduced);
  for (const mesh::DimSharding& dim : sharding.dims) {
    alike = mesh::Subtract(alike, dim.axes);
  }
  return mesh::Product(alike) > 1 ? alike : mesh::AxisList();
}

std::optional<std::vector<Slot>> RunManualRegion(const Interpreter& caller, const ir::Function& function,
                                                 const ir::Inst& inst, const Path& path, llvm::ArrayRef<Slot> operands,
                                                 Failure& failure) {
  const ir::Module& module = caller.program().module();
  const mesh::Mesh& mesh = module.tables->meshes[Attrs(module, inst).mesh];
  std::vector<std::unique_ptr<HostDevice>> devices;
  std::vector<Device*> all;
  for (int64_t position = 0; position < mesh.size(); ++position) {
    Interpreter::Options options = caller.options();
    options.device = mesh.DeviceAt(position);
    options.path = path;
    devices.push_back(std::make_unique<HostDevice>(caller.program(), options));
    all.push_back(devices.back().get());
    devices.back()->interpreter().Start(function.bodies(inst)[0], ManualBlocks(module, inst, options.device, operands));
  }
  InProcessCollectives collectives;
  Scheduler scheduler(caller.program(), all, collectives, /*threads=*/1);
  if (!scheduler.Run(failure)) {
    return std::nullopt;
  }
  // Free axes only repeat: the group of the first device has every block.
  llvm::SmallVector<int64_t, 8> members = ManualGroup(module, inst, mesh.DeviceAt(0));
  std::vector<llvm::ArrayRef<Slot>> blocks;
  for (int64_t member : members) {
    blocks.push_back(devices[static_cast<size_t>(*PositionOf(mesh, member))]->interpreter().results());
  }
  return ManualResults(module, inst, members, blocks);
}

}  // namespace spmdc::run
