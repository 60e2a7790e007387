// What a per-device program sends: every collective with its groups, bytes and how often it runs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/module.h"
#include "op/collective.h"

namespace spmdc::cost {

struct CollectiveCost {
  ir::FuncId function;
  ir::InstId inst;
  op::Collective what;
  mesh::AxisList axes;  // on the program's mesh; empty if the groups are no axes'
  int64_t group_size = 1;
  int64_t group_count = 1;
  tensor::DType dtype = tensor::DType::F32;
  int64_t bytes_in = 0;              // one device's operand
  int64_t bytes_out = 0;             // one device's result
  double wire_bytes = 0;             // sent by one device, over all trips
  std::optional<int64_t> trips = 1;  // nothing: unknown, counted once
  bool counts = true;                // false: in a branch that is not the dearest of its conditional
};

struct Communication {
  std::vector<CollectiveCost> collectives;  // in program order, loops and branches where they stand
  double wire_bytes = 0;
  std::map<std::string, double> by_kind;
  // Key: axis names, joined by commas, "" for groups that are no axes'; then the kind.
  std::map<std::string, std::map<std::string, double>> by_axis;
};

Communication Communicate(const ir::Module& per_device);
// One instruction, run once; nothing if it is no collective.
std::optional<CollectiveCost> CostOf(const ir::Module& module, ir::FuncId function, ir::InstId inst);

}  // namespace spmdc::cost
