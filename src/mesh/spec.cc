// PartitionSpecs: their text, and their checks against themselves, a mesh and a shape, in the order in which JAX makes them.
#include "mesh/spec.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

namespace spmdc::mesh {
namespace {

std::string Quoted(llvm::StringRef name) { return "'" + name.str() + "'"; }

template <typename Range>
std::string QuotedList(const Range& names) {
  std::string text;
  for (const auto& name : names) {
    text += (text.empty() ? "" : ", ") + Quoted(name);
  }
  return text;
}

std::string EntryText(const SpecEntry& entry) {
  if (entry.unconstrained) {
    return "UNCONSTRAINED";
  }
  if (entry.axes.empty()) {
    return "None";
  }
  return entry.axes.size() == 1 ? Quoted(entry.axes[0]) : "(" + QuotedList(entry.axes) + ")";
}

// ('x', 'y'), with Python's comma behind a lone element.
std::string TupleText(llvm::ArrayRef<std::string> parts) {
  std::string text;
  for (const std::string& part : parts) {
    text += (text.empty() ? "" : ", ") + part;
  }
  return "(" + text + (parts.size() == 1 ? ",)" : ")");
}

std::string TupleText(llvm::ArrayRef<int64_t> numbers) {
  llvm::SmallVector<std::string, 4> parts;
  for (int64_t number : numbers) {
    parts.push_back(std::to_string(number));
  }
  return TupleText(parts);
}

std::vector<std::string> AxisNames(const Mesh& mesh) {
  std::vector<std::string> names;
  for (const Axis& axis : mesh.axes) {
    names.push_back(axis.name);
  }
  return names;
}

// "mesh data=4 (Auto), model=2 (Explicit)".
std::string TypedMesh(const Mesh& mesh) {
  std::string text;
  for (const Axis& axis : mesh.axes) {
    text += text.empty() ? "" : ", ";
    text += axis.name + "=" + std::to_string(axis.size) + " (" + Name(axis.type).str() + ")";
  }
  return "the mesh is " + text;
}

std::optional<SpecError> CheckUniqueAxes(const PartitionSpec& spec) {
  llvm::StringSet<> seen;
  llvm::SmallVector<std::string, 2> twice;
  for (const SpecEntry& entry : spec.entries) {
    for (const std::string& axis : entry.axes) {
      if (!seen.insert(axis).second && !llvm::is_contained(twice, axis)) {
        twice.push_back(axis);
      }
    }
  }
  if (twice.empty()) {
    return std::nullopt;
  }
  llvm::sort(twice);
  std::string what = twice.size() == 1 ? "mesh axis " + QuotedList(twice) + " is used"
                                       : "mesh axes " + QuotedList(twice) + " are used";
  return SpecError{diag::Kind::DuplicateAxis,
                   what + " more than once in " + ToString(spec) + ", but a mesh axis can split at most one dim", ""};
}

SpecError UnknownAxis(const Mesh& mesh, const PartitionSpec& spec, llvm::StringRef axis, llvm::StringRef role) {
  std::vector<std::string> names = AxisNames(mesh);
  std::string near = diag::Nearest(axis, names);
  std::string have = names.empty() ? "no axes" : "the axes " + QuotedList(names);
  return {diag::Kind::UnknownAxis,
          role.str() + " " + Quoted(axis) + " of " + ToString(spec) + " is not in the mesh, which has " + have,
          near.empty() ? "" : "did you mean " + Quoted(near) + "?"};
}

std::optional<SpecError> CheckAxesExist(const Mesh& mesh, const PartitionSpec& spec) {
  bool unconstrained = false;
  for (const SpecEntry& entry : spec.entries) {
    unconstrained |= entry.unconstrained;
    for (const std::string& axis : entry.axes) {
      if (!mesh.FindAxis(axis)) {
        return UnknownAxis(mesh, spec, axis, "mesh axis");
      }
    }
  }
  bool has_auto = llvm::any_of(mesh.axes, [](const Axis& axis) { return axis.type == AxisType::Auto; });
  if (unconstrained && !has_auto) {
    return SpecError{diag::Kind::Unconstrained,
                     ToString(spec) + " has P.UNCONSTRAINED, but no axis of the mesh is Auto; " + TypedMesh(mesh),
                     "write None, or the axes that the dim is split over"};
  }
  return std::nullopt;
}

// Unreduced and reduced axes are part of types, and so Explicit.
std::optional<SpecError> CheckSets(const Mesh& mesh, const PartitionSpec& spec) {
  for (bool unreduced : {true, false}) {
    llvm::StringRef role = unreduced ? "unreduced" : "reduced";
    for (const std::string& name : unreduced ? spec.unreduced : spec.reduced) {
      std::optional<int32_t> axis = mesh.FindAxis(name);
      if (!axis) {
        return UnknownAxis(mesh, spec, name, role.str() + " axis");
      }
      if (mesh.axes[static_cast<size_t>(*axis)].type != AxisType::Explicit) {
        return SpecError{diag::Kind::UnreducedAxisType,
                         role.str() + " axes must be Explicit, but axis " + Quoted(name) + " of " + ToString(spec) +
                             " is " + Name(mesh.axes[static_cast<size_t>(*axis)].type).str() + "; " + TypedMesh(mesh),
                         ""};
      }
    }
  }
  return std::nullopt;
}

AxisRef WholeByName(const Mesh& mesh, llvm::StringRef name) { return Whole(mesh, *mesh.FindAxis(name)); }

}  // namespace

std::string ToString(const PartitionSpec& spec) {
  llvm::SmallVector<std::string, 4> parts;
  for (const SpecEntry& entry : spec.entries) {
    parts.push_back(EntryText(entry));
  }
  if (spec.unreduced.empty() && spec.reduced.empty()) {
    return "P" + TupleText(parts);
  }
  if (!spec.unreduced.empty()) {
    parts.push_back("unreduced={" + QuotedList(spec.unreduced) + "}");
  }
  if (!spec.reduced.empty()) {
    parts.push_back("reduced={" + QuotedList(spec.reduced) + "}");
  }
  std::string text;
  for (const std::string& part : parts) {
    text += (text.empty() ? "" : ", ") + part;
  }
  return "P(" + text + ")";
}

std::optional<SpecError> CheckForm(const PartitionSpec& spec) {
  for (const std::string& axis : spec.unreduced) {
    if (llvm::is_contained(spec.reduced, axis)) {
      return SpecError{diag::Kind::SpecForm,
                       "axis " + Quoted(axis) + " is both unreduced and reduced in " + ToString(spec), ""};
    }
  }
  for (const SpecEntry& entry : spec.entries) {
    for (const std::string& axis : entry.axes) {
      bool unreduced = llvm::is_contained(spec.unreduced, axis);
      if (unreduced || llvm::is_contained(spec.reduced, axis)) {
        return SpecError{diag::Kind::SpecForm,
                         "axis " + Quoted(axis) + " both splits a dim and is " + (unreduced ? "unreduced" : "reduced") +
                             " in " + ToString(spec),
                         "an axis has one place in a spec: a dim, unreduced or reduced"};
      }
    }
  }
  return std::nullopt;
}

std::variant<Sharding, SpecError> MakeSharding(const Mesh& mesh, MeshId id, const PartitionSpec& spec,
                                               std::optional<size_t> rank) {
  std::optional<SpecError> error = CheckForm(spec);
  error = error ? error : CheckUniqueAxes(spec);
  error = error ? error : CheckAxesExist(mesh, spec);
  error = error ? error : CheckSets(mesh, spec);
  if (error) {
    return *error;
  }
  if (rank && spec.entries.size() > *rank) {
    return SpecError{diag::Kind::SpecRank,
                     ToString(spec) + " is for values of rank at least " + std::to_string(spec.entries.size()) +
                         ", but the value has rank " + std::to_string(*rank),
                     *rank == 0 ? "the spec of a scalar is P()" : ""};
  }
  Sharding sharding = Replicated(id, rank.value_or(spec.entries.size()));
  for (auto [dim, entry] : llvm::zip(sharding.dims, spec.entries)) {
    dim.open = entry.unconstrained;
    for (const std::string& axis : entry.axes) {
      Append(dim.axes, AxisList{WholeByName(mesh, axis)});
    }
  }
  for (const std::string& axis : spec.unreduced) {
    sharding.unreduced.push_back(WholeByName(mesh, axis));
  }
  for (const std::string& axis : spec.reduced) {
    sharding.reduced.push_back(WholeByName(mesh, axis));
  }
  sharding.unreduced = AsSet(sharding.unreduced);
  sharding.reduced = AsSet(sharding.reduced);
  return sharding;
}

bool NamesNoAxis(const Sharding& sharding) {
  return llvm::all_of(sharding.dims, [](const DimSharding& dim) { return dim.axes.empty(); }) &&
         sharding.unreduced.empty() && sharding.reduced.empty() && sharding.varying.empty();
}

std::optional<SpecError> CheckDivisible(const Mesh& mesh, const Sharding& sharding, llvm::ArrayRef<int64_t> dims,
                                        llvm::StringRef what) {
  SPMDC_CHECK(sharding.dims.size() == dims.size(), "the sharding has another rank than the value");
  llvm::SmallVector<int64_t, 4> counts;
  for (const DimSharding& dim : sharding.dims) {
    counts.push_back(ShardCount(dim));
  }
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] % counts[i] == 0) {
      continue;
    }
    std::string count = std::to_string(counts[i]);
    std::string size = std::to_string(dims[i]);
    return SpecError{diag::Kind::Indivisible,
                     what.str() + (what.empty() ? "" : ": ") + ToSpec(mesh, sharding) + " splits dim " +
                         std::to_string(i) + " of size " + size + " into " + count +
                         " parts, which does not divide it (full shape " + TupleText(dims) + ", parts per dim " +
                         TupleText(counts) + ")",
                     "make dim " + std::to_string(i) + " a multiple of " + count + ", such as " +
                         std::to_string(LocalSize(dims[i], counts[i]) * counts[i]) +
                         ", or split it over axes whose sizes divide " + size};
  }
  return std::nullopt;
}

}  // namespace spmdc::mesh
