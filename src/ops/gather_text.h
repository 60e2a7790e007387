// Spellings of gather, scatter, dynamic_slice and dynamic_update_slice.
#pragma once

#include "op/text.h"

namespace spmdc::ops {

void PrintHloGather(op::HloPrinter& p);
bool ReadHloGather(op::HloReader& r, ir::AttrsId& attrs);
bool GenericGather(op::StablehloReader& r);
void PrintMlirGather(op::StablehloPrinter& p);
void PrintNativeGather(op::NativePrinter& p);

void PrintHloScatter(op::HloPrinter& p);
bool ReadHloScatter(op::HloReader& r, ir::AttrsId& attrs);
bool GenericScatter(op::StablehloReader& r);
void PrintMlirScatter(op::StablehloPrinter& p);
void PrintNativeScatter(op::NativePrinter& p);

void PrintHloDynamicSlice(op::HloPrinter& p);
bool ReadHloDynamicSlice(op::HloReader& r, ir::AttrsId& attrs);
bool ParseDynamicSlice(op::StablehloReader& r);
bool GenericDynamicSlice(op::StablehloReader& r);
void PrintMlirDynamicSlice(op::StablehloPrinter& p);
void PrintNativeDynamicSlice(op::NativePrinter& p);
void PrintNativeDynamicUpdateSlice(op::NativePrinter& p);

}  // namespace spmdc::ops
