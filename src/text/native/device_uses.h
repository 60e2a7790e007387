// The devices that the shardings of one program name, and in which order: all must be the same.
#pragma once

#include "text/native/tracer.h"

namespace spmdc::text::native {

// Notes that a jitted function's argument, its result or something inside it lies on the devices of a mesh. `what` is told
// if another use disagrees. Meshes without devices (abstract ones) say nothing.
void NoteDevices(Evaluator& ev, MeshObj* mesh, std::string what);

// Refuses uses that disagree, with the context mesh or else with the first one. False after a diagnostic.
bool CheckDevices(Evaluator& ev);

// Same devices, whatever their order.
bool SameDeviceSet(const mesh::Mesh& a, const mesh::Mesh& b);

}  // namespace spmdc::text::native
