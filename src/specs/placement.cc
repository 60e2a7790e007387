// The checks of a placement: axes exist, are used once, sets are of Explicit axes, the rank fits, dims divide.
#include "specs/placement.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "mesh/spec.h"
#include "mesh/text_cursor.h"

namespace spmdc::specs {
namespace {

class Maker {
 public:
  Maker(const mesh::Mesh& mesh, const Subject& subject, diag::Engine& diags)
      : mesh_(mesh), subject_(subject), diags_(diags) {}

  std::optional<mesh::Sharding> Make(const Placement& placement, mesh::MeshId id) {
    if (placement.dims.size() > subject_.dims.size()) {
      Fail(diag::Kind::SpecRank, placement.dims[subject_.dims.size()].span,
           "the spec is for rank " + std::to_string(placement.dims.size()) + " or more, and " + subject_.what +
               " has rank " + std::to_string(subject_.dims.size()));
      return std::nullopt;
    }
    mesh::Sharding sharding = mesh::Replicated(id, subject_.dims.size());
    for (size_t i = 0; i < placement.dims.size(); ++i) {
      const DimPlacement& dim = placement.dims[i];
      sharding.dims[i].open = dim.open && CheckOpen(dim.span);
      sharding.dims[i].priority = dim.priority;
      for (const AxisUse& use : dim.axes) {
        if (std::optional<mesh::AxisRef> ref = Use(use)) {
          mesh::Append(sharding.dims[i].axes, mesh::AxisList{*ref});  // an axis of size 1 stays
        }
      }
    }
    sharding.replicated = Set(placement.replicated);
    sharding.unreduced = ExplicitSet(placement.unreduced, "unreduced");
    sharding.reduced = ExplicitSet(placement.reduced, "reduced");
    sharding.unreduced_kind = placement.unreduced_kind;
    if (ok_ && subject_.as_in_jax) {
      CheckDivides(sharding, placement);
    }
    return ok_ ? std::optional(sharding) : std::nullopt;
  }

 private:
  diag::Handle Fail(diag::Kind kind, source::Span span, std::string message) {
    ok_ = false;
    ++refused_;
    return diags_.Error(kind, span, std::move(message));
  }

  // The axis, checked against the mesh and the uses before it.
  std::optional<mesh::AxisRef> Use(const AxisUse& use) {
    constexpr int kEnough = 20;
    if (refused_ >= kEnough) {
      return std::nullopt;
    }
    std::optional<int32_t> axis = mesh_.FindAxis(use.name);
    if (!axis) {
      TellUnknown(use);
      return std::nullopt;
    }
    int64_t size = mesh_.axes[static_cast<size_t>(*axis)].size;
    mesh::AxisRef ref = mesh::Whole(mesh_, *axis);
    if (use.size > 0) {
      if (use.size < 2 || use.pre > size / use.size || size % (use.pre * use.size) != 0) {
        Fail(diag::Kind::SpecForm, use.span,
             "axis '" + use.name + "' of size " + std::to_string(size) + " has no part (" + std::to_string(use.pre) +
                 ")" + std::to_string(use.size));
        return std::nullopt;
      }
      ref = {*axis, use.pre, use.size};
    }
    for (const auto& [other, span] : used_) {
      if (mesh::Overlaps(ref, other) || !mesh::CanCoexist(mesh_, ref, other)) {
        Fail(diag::Kind::DuplicateAxis, use.span, "axis '" + use.name + "' is used twice for " + subject_.what)
            .Note(span, "used here before");
        return std::nullopt;
      }
    }
    used_.push_back({ref, use.span});
    return ref;
  }

  void TellUnknown(const AxisUse& use) {
    std::vector<std::string> names;
    for (const mesh::Axis& axis : mesh_.axes) {
      names.push_back(axis.name);
    }
    std::string nearest = diag::Nearest(use.name, names);
    Fail(diag::Kind::UnknownAxis, use.span,
         "axis '" + use.name + "' for " + subject_.what + " is not in the mesh, which has " +
             (names.empty() ? "no axes" : mesh::Describe(mesh_)))
        .Help(nearest.empty() ? "_ leaves a dim whole" : "did you mean '" + nearest + "'?");
  }

  bool CheckOpen(source::Span span) {
    if (llvm::any_of(mesh_.axes, [](const mesh::Axis& axis) { return axis.type == mesh::AxisType::Auto; })) {
      return true;
    }
    Fail(diag::Kind::Unconstrained, span,
         "a dim of " + subject_.what + " is left open, but no axis of the mesh is Auto")
        .Help("write _, or the axes that the dim is split over");
    return false;
  }

  mesh::AxisList Set(llvm::ArrayRef<AxisUse> uses) {
    mesh::AxisList list;
    for (const AxisUse& use : uses) {
      if (std::optional<mesh::AxisRef> ref = Use(use)) {
        list.push_back(*ref);
      }
    }
    return mesh::AsSet(list);
  }

  // Reduced axes are part of JAX's types, and so Explicit; unreduced ones only where JAX has its say.
  mesh::AxisList ExplicitSet(llvm::ArrayRef<AxisUse> uses, llvm::StringRef role) {
    mesh::AxisList set = Set(uses);
    for (const AxisUse& use : uses) {
      std::optional<int32_t> axis = mesh_.FindAxis(use.name);
      bool wanted = role == "reduced" || subject_.as_in_jax;
      if (axis && wanted && mesh_.axes[static_cast<size_t>(*axis)].type != mesh::AxisType::Explicit) {
        Fail(diag::Kind::UnreducedAxisType, use.span,
             role.str() + " axes must be Explicit, but axis '" + use.name + "' is " +
                 mesh::Name(mesh_.axes[static_cast<size_t>(*axis)].type).str());
      }
    }
    return set;
  }

  void CheckDivides(const mesh::Sharding& sharding, const Placement& placement) {
    for (size_t i = 0; i < placement.dims.size(); ++i) {
      int64_t count = mesh::ShardCount(sharding.dims[i]);
      if (subject_.dims[i] % count == 0) {
        continue;
      }
      std::string text = std::to_string(count);
      Fail(diag::Kind::Indivisible, placement.dims[i].span,
           "dim " + std::to_string(i) + " of " + subject_.what + " has size " + std::to_string(subject_.dims[i]) +
               ", which " + text + " parts do not divide")
          .Help("make it a multiple of " + text + ", such as " +
                std::to_string(mesh::LocalSize(subject_.dims[i], count) * count) +
                ", or split it over axes whose sizes divide it");
    }
  }

  const mesh::Mesh& mesh_;
  const Subject& subject_;
  diag::Engine& diags_;
  bool ok_ = true;
  int refused_ = 0;
  llvm::SmallVector<std::pair<mesh::AxisRef, source::Span>, 4> used_;
};

}  // namespace

std::string Called(llvm::StringRef noun, llvm::StringRef name, size_t index) {
  return noun.str() + " " + (name.empty() ? std::to_string(index) : "'" + name.str() + "'");
}

bool CheckType(const Entry& entry, const ir::Type& type, const Subject& subject, diag::Engine& diags) {
  if (!type.is_array()) {
    diags.Error(diag::Kind::SpecRank, entry.span,
                subject.what + " is a " + tensor::HloName(type.dtype).str() + ", which is on no mesh");
    return false;
  }
  std::string dims;
  for (int64_t d : subject.dims) {
    dims += (dims.empty() ? "" : ",") + std::to_string(d);
  }
  std::string text = tensor::HloName(type.dtype).str() + "[" + dims + "]";
  std::string said = entry.type;
  llvm::erase_if(said, llvm::isSpace);
  if (said.empty() || said == text) {
    return true;
  }
  diags.Error(diag::Kind::Annotation, entry.type_span,
              subject.what + " has type " + text + ", and the specs say " + entry.type);
  return false;
}

std::optional<mesh::Sharding> MakeSharding(const Placement& placement, const mesh::Mesh& mesh, mesh::MeshId id,
                                           const Subject& subject, diag::Engine& diags) {
  return Maker(mesh, subject, diags).Make(placement, id);
}

std::optional<mesh::Mesh> MakeMesh(const MeshSpec& spec, const mesh::Mesh* like, diag::Engine& diags) {
  mesh::Mesh mesh;
  mesh.name = !spec.name.empty() ? spec.name : like != nullptr ? like->name : "mesh";
  for (const MeshAxis& axis : spec.axes) {
    std::optional<int32_t> old = like != nullptr ? like->FindAxis(axis.name) : std::nullopt;
    mesh::AxisType type = axis.type ? *axis.type
                          : old     ? like->axes[static_cast<size_t>(*old)].type
                                    : mesh::AxisType::Auto;
    mesh.axes.push_back({axis.name, axis.size, type});
  }
  mesh.device_ids = spec.device_ids;
  if (std::string wrong = mesh::Verify(mesh); !wrong.empty()) {
    diags.Error(diag::Kind::MeshShape, spec.span, wrong);
    return std::nullopt;
  }
  mesh::NormalizeDeviceIds(mesh);
  return mesh;
}

}  // namespace spmdc::specs
