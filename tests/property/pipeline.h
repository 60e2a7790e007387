// One generated program through the pipeline and the check, with what it covered.
#pragma once

#include <array>
#include <map>
#include <string>

#include "diag/engine.h"
#include "ir/module.h"
#include "op/rule.h"
#include "run/run.h"

namespace spmdc::property {

enum class Aspect { Even, Uneven, SizeOneAxis, PermutedMesh, SubAxis };
inline constexpr const char* kAspectNames[] = {"even", "uneven", "size-one axis", "permuted mesh", "sub-axis"};

// How often a factor of each kind was sharded under each aspect.
using Coverage = std::map<std::pair<op::FactorKind, Aspect>, int>;

struct Programs {
  ir::Module global;  // propagated
  ir::Module planned;
  ir::Module per_device;
};

// Propagate, plan, partition; every stage verified. Nothing after a diagnostic.
std::optional<Programs> Compile(const ir::Module& program, diag::Engine& diags);
// Adds the sharded factors of a planned program.
void Count(const ir::Module& planned, Coverage& coverage);
std::string Table(const Coverage& coverage);
// Multiples of 1/8 in [-2, 2], and small whole numbers: the same for the same seed.
run::Inputs RandomInputs(const ir::Module& program, uint64_t seed);

}  // namespace spmdc::property
