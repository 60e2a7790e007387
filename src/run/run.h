// Running programs on the host, and the check that a per-device program computes what the global one does.
//
//   CheckResult result = CheckPartition(propagated, per_device, inputs, options, diags);
//
// The global program runs once, in its own types and in wider floats. Then the per-device program runs on as many virtual
// devices as it is for. Every value with a `shard_of` is compared with that shard of the global value, wherever it is made,
// in loops in every iteration; then it is replaced by it, so that one rounding or one tie does not become another. Padding
// of uneven shards holds NaN (integers: nonsense) throughout, so that whatever leaks out of it shows.
#pragma once

#include <optional>
#include <vector>

#include "diag/engine.h"
#include "ir/module.h"
#include "tensor/literal.h"

namespace spmdc::run {

struct RunOptions {
  bool anchor = true;                      // replace compared values by the global program's
  int threads = 0;                         // 0: as many as the machine has
  int64_t max_iterations = 1'000'000;      // of one loop; more is told as an endless loop
  int64_t trace_bytes = int64_t{8} << 30;  // global values kept for comparing
  // Which inputs were made up: CheckPartition may make these positive where the program takes roots or logarithms of them.
  std::vector<char> random;
};

// Arguments of the entry, dense, of its types (the whole arrays).
using Inputs = std::vector<tensor::Literal>;

struct CheckResult {
  bool ok = false;                  // ran to its end and every number was right; else there are diagnostics
  int64_t values = 0;               // compared, over all devices and iterations
  int64_t elements = 0;             // of them, padding not counted
  int64_t without_counterpart = 0;  // values of the per-device program that are nobody's shard (masks, partial results)
  int64_t not_kept = 0;             // global values beyond trace_bytes: not compared
  int64_t all_nan = 0;              // results of the program that are NaN everywhere: what led there was hardly tested
  int64_t made_positive = 0;        // random arguments that were (see RunOptions::random)
  int64_t collectives = 0;          // executions by one device
  double wire_bytes = 0;            // sent by one device
  std::vector<tensor::Literal> results;  // of the global program
  Inputs inputs;                         // that it was checked with
};

// `global` is the program that per_device's shard_of speaks of. inputs must fit its entry.
CheckResult CheckPartition(const ir::Module& global, const ir::Module& per_device, Inputs inputs,
                           const RunOptions& options, diag::Engine& diags);

// Results of a program that is not partitioned. Manual regions run on all devices of their mesh.
std::optional<std::vector<tensor::Literal>> RunGlobal(const ir::Module& global, const Inputs& inputs,
                                                      const RunOptions& options, diag::Engine& diags);

struct DeviceRun {
  std::vector<tensor::Literal> results;  // put together from the devices' shards
  int64_t collectives = 0;
  double wire_bytes = 0;
};
// Results of a per-device program on virtual devices; `global` tells the types of whole arguments and results.
std::optional<DeviceRun> RunDevices(const ir::Module& global, const ir::Module& per_device, const Inputs& inputs,
                                    const RunOptions& options, diag::Engine& diags);

// About how many bytes a run on virtual devices keeps beside the elements of values: what stands for each device, and who
// its collectives meet.
double BookkeepingBytes(const ir::Module& per_device);

// Whether inputs have the entry's types; tells the user otherwise.
bool FitInputs(const ir::Module& global, const Inputs& inputs, diag::Engine& diags);

}  // namespace spmdc::run
