// Spellings of slice, pad, concatenate and reverse.
#pragma once

#include "op/text.h"

namespace spmdc::ops {

void PrintHloSlice(op::HloPrinter& p);
bool ReadHloSlice(op::HloReader& r, ir::AttrsId& attrs);
bool ParseSlice(op::StablehloReader& r);
bool GenericSlice(op::StablehloReader& r);
void PrintMlirSlice(op::StablehloPrinter& p);

void PrintHloPad(op::HloPrinter& p);
bool ReadHloPad(op::HloReader& r, ir::AttrsId& attrs);
bool ParsePad(op::StablehloReader& r);
bool GenericPad(op::StablehloReader& r);
void PrintMlirPad(op::StablehloPrinter& p);
void PrintNativePad(op::NativePrinter& p);

void PrintHloConcatenate(op::HloPrinter& p);
bool ReadHloConcatenate(op::HloReader& r, ir::AttrsId& attrs);
bool ParseConcatenate(op::StablehloReader& r);
bool GenericConcatenate(op::StablehloReader& r);
void PrintMlirConcatenate(op::StablehloPrinter& p);
void PrintNativeConcatenate(op::NativePrinter& p);

void PrintHloReverse(op::HloPrinter& p);
bool ReadHloReverse(op::HloReader& r, ir::AttrsId& attrs);
bool ParseReverse(op::StablehloReader& r);
bool GenericReverse(op::StablehloReader& r);
void PrintMlirReverse(op::StablehloPrinter& p);

}  // namespace spmdc::ops
