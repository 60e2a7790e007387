// Digits: lists of axis uses rewritten over the position (or device) numbers of a mesh, as one big axis.
//
//   mesh data=4, model=2:  "model" is the digit (4)2 of an axis of 8
//
// Merged, the form is unique: two lists number the devices alike exactly if their digits are equal. Iotas of HLO are such
// lists. All AxisRefs here have axis 0.
#pragma once

#include <optional>

#include "mesh/axes.h"

namespace spmdc::mesh {

// A list over the positions of its mesh. Units vanish.
AxisList ToDigits(const Mesh& mesh, llvm::ArrayRef<AxisRef> list);
// Back to axes; nothing if a digit is none of the mesh's.
std::optional<AxisList> FromDigits(const Mesh& mesh, llvm::ArrayRef<AxisRef> digits);
// The digits of [0, total) that are not in `used`, minor ones last. The uses must be able to coexist.
AxisList OtherDigits(int64_t total, llvm::ArrayRef<AxisRef> used);

// The number with index `index` in the order that lists the digits' values, major digit slowest.
int64_t NumberAt(int64_t total, llvm::ArrayRef<AxisRef> digits, int64_t index);
// The digits, if there are any, with which NumberAt gives these numbers of [0, total) in this order. O(numbers).
std::optional<AxisList> DigitsOf(llvm::ArrayRef<int64_t> numbers, int64_t total);
// Cuts a list into parts of these products, major first; nothing if a part ends inside a digit that does not split there.
std::optional<llvm::SmallVector<AxisList, 4>> CutDigits(llvm::ArrayRef<AxisRef> digits,
                                                        llvm::ArrayRef<int64_t> products);

// An iota: the numbers of [0, total) in the order of digits that cover them all. `[8]`, `[2,4]T(1,0)`.
std::string IotaText(int64_t total, llvm::ArrayRef<AxisRef> digits);
// The digits of `[dims]T(transpose)`; an empty transpose is the identity.
AxisList IotaDigits(llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> transpose);

}  // namespace spmdc::mesh
