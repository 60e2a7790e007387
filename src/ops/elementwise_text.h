// Spellings of the elementwise ops that have attributes or forms of their own.
#pragma once

#include "op/text.h"

namespace spmdc::ops {

bool ParseConvert(op::StablehloReader& reader);
bool ConvertFromGeneric(op::StablehloReader& reader);
void PrintMlirConvert(op::StablehloPrinter& printer);
bool ReadHloConvert(op::HloReader& reader, ir::AttrsId& attrs);
void PrintNativeConvert(op::NativePrinter& printer);

bool ParseReducePrecision(op::StablehloReader& reader);
bool ReducePrecisionFromGeneric(op::StablehloReader& reader);
void PrintMlirReducePrecision(op::StablehloPrinter& printer);
bool ReadHloReducePrecision(op::HloReader& reader, ir::AttrsId& attrs);
void PrintHloReducePrecision(op::HloPrinter& printer);

bool ParseCompare(op::StablehloReader& reader);
bool CompareFromGeneric(op::StablehloReader& reader);
void PrintMlirCompare(op::StablehloPrinter& printer);
bool ReadHloCompare(op::HloReader& reader, ir::AttrsId& attrs);
void PrintHloCompare(op::HloPrinter& printer);
void PrintNativeCompare(op::NativePrinter& printer);

bool ParseSelect(op::StablehloReader& reader);
bool ParseComplex(op::StablehloReader& reader);

}  // namespace spmdc::ops
