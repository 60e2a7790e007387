// The check of device orders: JAX compiles a program for one list of devices.
#include "text/native/device_uses.h"

#include "llvm/ADT/STLExtras.h"

namespace spmdc::text::native {
namespace {

bool SameOrder(const mesh::Mesh& a, const mesh::Mesh& b) {
  return a.size() == b.size() && a.device_ids == b.device_ids;
}

// "[0, 1, 2, 3]"; long lists are cut.
std::string DeviceText(const mesh::Mesh& mesh) {
  constexpr int64_t kShown = 16;
  std::string out;
  for (int64_t i = 0; i < std::min(mesh.size(), kShown); ++i) {
    out += (out.empty() ? "" : ", ") + std::to_string(mesh.DeviceAt(i));
  }
  return "[" + out + (mesh.size() > kShown ? ", ... " + std::to_string(mesh.size()) + " in all]" : "]");
}

}  // namespace

bool SameDeviceSet(const mesh::Mesh& a, const mesh::Mesh& b) {
  if (a.size() != b.size() || SameOrder(a, b)) {
    return a.size() == b.size();
  }
  auto sorted = [](const mesh::Mesh& mesh) {
    std::vector<int64_t> ids;
    for (int64_t i = 0; i < mesh.size(); ++i) {
      ids.push_back(mesh.DeviceAt(i));
    }
    llvm::sort(ids);
    return ids;
  };
  return sorted(a) == sorted(b);
}

void NoteDevices(Evaluator& ev, MeshObj* mesh, std::string what) {
  if (mesh->base != nullptr) {
    mesh = mesh->base;
  }
  if (!mesh->abstract && !ev.tracer().at_top_level()) {
    ev.tracer().device_uses.push_back({mesh, std::move(what), ev.span()});
  }
}

bool CheckDevices(Evaluator& ev) {
  if (ev.flat()) {  // several meshes may stand in a program that is not JAX's
    return true;
  }
  std::vector<DeviceUse> uses = ev.tracer().device_uses;
  MeshObj* context = ev.tracer().context_mesh();
  bool has_context = context != nullptr && !context->abstract && !context->mesh.axes.empty();
  DeviceUse first;
  if (has_context) {
    first = {context, "jit's context mesh", {}};
  } else if (!uses.empty()) {
    first = uses[0];
  }
  for (const DeviceUse& use : uses) {
    if (use.mesh == first.mesh || SameOrder(use.mesh->mesh, first.mesh->mesh)) {
      continue;
    }
    auto text = [](const DeviceUse& u) { return u.what + " with device ids " + DeviceText(u.mesh->mesh); };
    ev.Fail(diag::Kind::MeshMismatch,
            "received incompatible devices for jitted computation: got " +
                (has_context ? text(use) + " and " + text(first) : text(first) + " and " + text(use)),
            "move one with device_put to the other's devices first, in the same order");
    // Uses inside the function have a place of their own.
    if (use.span.valid() && !(use.span == ev.span())) {
      ev.NoteLast(use.span, "these devices are named here");
    }
    return false;
  }
  return true;
}

}  // namespace spmdc::text::native
