// The partition stage: the planned program as one device's program of ordinary ops and collectives.
#pragma once

#include <optional>

#include "diag/engine.h"
#include "ir/module.h"

namespace spmdc::partition {

// From a planned program (plan/plan.h) to a per-device one: types are what one device stores, reshards are collectives and
// local ops, manual regions are inlined, padding along reduced dims holds the identity. Values keep their sharding and
// `shard_of`; what spmdc put there has a cause. Instructions that cannot be partitioned are refused at their line (exit 5);
// all of them are told. Nothing after a diagnostic.
std::optional<ir::Module> Partition(const ir::Module& planned, diag::Engine& diags);

}  // namespace spmdc::partition
