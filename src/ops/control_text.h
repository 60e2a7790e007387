// Spellings of ops with regions, barriers and constraints.
#pragma once

#include "op/text.h"

namespace spmdc::ops {

void PrintHloWhile(op::HloPrinter& p);
bool ReadHloWhile(op::HloReader& r, ir::AttrsId& attrs);
bool ParseWhile(op::StablehloReader& r);
bool GenericWhile(op::StablehloReader& r);
void PrintMlirWhile(op::StablehloPrinter& p);
void PrintNativeWhile(op::NativePrinter& p);

void PrintHloConditional(op::HloPrinter& p);
bool ReadHloConditional(op::HloReader& r, ir::AttrsId& attrs);
void PrintNativeCase(op::NativePrinter& p);

void PrintHloCall(op::HloPrinter& p);
bool ReadHloCall(op::HloReader& r, ir::AttrsId& attrs);
void PrintNativeCall(op::NativePrinter& p);

void PrintNativeBarrier(op::NativePrinter& p);

bool ParseManual(op::StablehloReader& r);
bool GenericManual(op::StablehloReader& r);
void PrintMlirManual(op::StablehloPrinter& p);
void PrintNativeManual(op::NativePrinter& p);

bool ParseConstraint(op::StablehloReader& r);  // also sdy.reshard
bool GenericConstraint(op::StablehloReader& r);
void PrintMlirConstraint(op::StablehloPrinter& p);
void PrintNativeConstraint(op::NativePrinter& p);

}  // namespace spmdc::ops
