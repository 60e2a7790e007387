// Shards in, whole values out.
#include "run/boundary.h"

#include <algorithm>
#include <thread>

#include "run/blocks.h"

namespace spmdc::run {

using tensor::Literal;

namespace {

const mesh::Sharding* BoundarySharding(const ir::Module& module, const ir::BoundaryInfo& info, const ir::Value& value) {
  return info.sharding.valid() ? &module.tables->shardings[info.sharding] : module.sharding(value);
}

}  // namespace

const mesh::Sharding* ArgSharding(const ir::Module& per_device, size_t i) {
  const ir::Function& entry = per_device.functions[per_device.entry];
  return BoundarySharding(per_device, entry.arg_info[i], entry.values[entry.args[i]]);
}

const mesh::Sharding* ResultSharding(const ir::Module& per_device, size_t i) {
  const ir::Function& entry = per_device.functions[per_device.entry];
  return BoundarySharding(per_device, entry.result_info[i], entry.values[entry.results[i]]);
}

double BookkeepingBytes(const ir::Module& per_device) {
  constexpr double kDevice = 4096;  // an interpreter, its frames, its place in the schedule, what checks it: about
  double values = 0, group = 0;
  for (const ir::Function& function : per_device.functions) {
    values += static_cast<double>(function.values.size());
    for (const ir::Inst& inst : function.insts) {
      if (auto* describe = op::Def(inst.op).collective) {
        op::Groups groups = describe(per_device, function, inst).groups;
        int64_t size = op::GroupSize(*per_device.tables, groups, per_device.num_devices);
        group = std::max(group, static_cast<double>(size));
      }
    }
  }
  // Every member of a group keeps a list of all of them, and so does the meeting.
  double device = kDevice + values * sizeof(Slot) + 2 * group * sizeof(int64_t);
  return device * static_cast<double>(per_device.num_devices);
}

Literal ShardOf(const ir::Module& module, const mesh::Sharding* sharding, const Literal& whole, int64_t device) {
  if (!sharding || !sharding->mesh.valid()) {
    return whole;
  }
  const mesh::Mesh& mesh = module.tables->meshes[sharding->mesh];
  return BlockOf(whole, mesh, *sharding, PositionOf(mesh, device).value_or(0));
}

DeviceGrid::DeviceGrid(const Program& program, const Inputs& inputs, const RunOptions& options,
                       llvm::ArrayRef<Observer*> observers)
    : program_(program) {
  const ir::Module& module = program.module();
  std::vector<Device*> all;
  for (int64_t d = 0; d < module.num_devices; ++d) {
    Interpreter::Options o;
    o.device = d;
    o.observer = observers.empty() ? nullptr : observers[static_cast<size_t>(d)];
    o.max_iterations = options.max_iterations;
    devices_.push_back(std::make_unique<HostDevice>(program, o));
    all.push_back(devices_.back().get());
    std::vector<Slot> args;
    for (size_t i = 0; i < inputs.size(); ++i) {
      args.push_back({ShardOf(module, ArgSharding(module, i), inputs[i], d), {}, 0});
    }
    devices_.back()->interpreter().Start(module.entry, std::move(args));
  }
  int threads = options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency());
  scheduler_ = std::make_unique<Scheduler>(program, std::move(all), collectives_, threads);
}

bool DeviceGrid::Run(Failure& failure) { return scheduler_->Run(failure); }

const Literal& DeviceGrid::result(int64_t device, size_t i) const {
  return devices_[static_cast<size_t>(device)]->interpreter().results()[i].value;
}

Literal DeviceGrid::WholeResult(size_t i, const ir::Type& global_type) const {
  const ir::Module& module = program_.module();
  const mesh::Sharding* sharding = ResultSharding(module, i);
  if (!sharding || !sharding->mesh.valid() || !global_type.is_array()) {
    return result(0, i);
  }
  const mesh::Mesh& mesh = module.tables->meshes[sharding->mesh];
  std::vector<PlacedBlock> blocks;
  for (int64_t d = 0; d < module.num_devices; ++d) {
    if (auto position = PositionOf(mesh, d)) {
      blocks.push_back({*position, &result(d, i)});
    }
  }
  return JoinBlocks(blocks, mesh, *sharding, global_type.dims);
}

}  // namespace spmdc::run
