// Spellings of collectives.
#pragma once

#include "op/text.h"

namespace spmdc::ops {

// `'x', 'y'`, the axes that the references are of.
std::string AxisNameList(const mesh::Mesh& mesh, llvm::ArrayRef<mesh::AxisRef> axes);
// `('x', 'y')`, as JAX's functions over axes take them; nothing if there are none, or parts of axes.
std::optional<std::string> AxisNames(const ir::Tables& tables, mesh::MeshId id, const mesh::AxisList& axes);

void PrintHloAllReduce(op::HloPrinter& p);
void PrintHloAlongDim(op::HloPrinter& p);  // all-gather, reduce-scatter
void PrintHloAllToAll(op::HloPrinter& p);
void PrintHloPermute(op::HloPrinter& p);
bool ReadHloAllReduce(op::HloReader& r, ir::AttrsId& attrs);
bool ReadHloAllGather(op::HloReader& r, ir::AttrsId& attrs);
bool ReadHloReduceScatter(op::HloReader& r, ir::AttrsId& attrs);
bool ReadHloAllToAll(op::HloReader& r, ir::AttrsId& attrs);
bool ReadHloPermute(op::HloReader& r, ir::AttrsId& attrs);
// All collectives with groups: the dims by whichever of their names is there.
bool GenericCollective(op::StablehloReader& r);
bool GenericPermute(op::StablehloReader& r);
void PrintMlirAllReduce(op::StablehloPrinter& p);
void PrintMlirAllGather(op::StablehloPrinter& p);
void PrintMlirReduceScatter(op::StablehloPrinter& p);
void PrintMlirAllToAll(op::StablehloPrinter& p);
void PrintMlirPermute(op::StablehloPrinter& p);
void PrintNativeAllReduce(op::NativePrinter& p);
void PrintNativeAllGather(op::NativePrinter& p);
void PrintNativeReduceScatter(op::NativePrinter& p);
void PrintNativeAllToAll(op::NativePrinter& p);
void PrintNativePermute(op::NativePrinter& p);

}  // namespace spmdc::ops
