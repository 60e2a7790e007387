// Custom calls that this tool does not know, from one language into the other: what HLO and StableHLO say of them is the same.
#pragma once

#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "ops/opaque.h"

namespace spmdc::ops {

// The numbers of a typed call's `backend_config = {uplo = 76 : ui8, left = true}`, in either language.
class CallSettings {
 public:
  explicit CallSettings(llvm::StringRef dictionary) : text_(dictionary) {}
  // 1 for true, 0 for false; none where there is no such number.
  std::optional<int64_t> Integer(llvm::StringRef name) const;

 private:
  llvm::StringRef text_;
};

// The target of a custom call of StableHLO or HLO; empty for other ops.
llvm::StringRef TargetOf(const OpaqueAttrs& attrs);
// The settings of a call whose text stands in `attrs`, or in the side text that StableHLO has of it.
CallSettings SettingsOf(const OpaqueAttrs& attrs, llvm::StringRef side);

// The text of an HLO custom call (`, custom_call_target="f", ...`) for one of StableHLO, or the other way round (`<{properties}>`
// without its brackets). Nothing for other ops, and where the text says something that the other language has no word for:
// layouts in tiles, tuples in tuples. `layouts`: of the results in HLO, each with `;` behind it; empty where usual.
std::optional<std::string> CustomCallAsHlo(const OpaqueAttrs& attrs, llvm::ArrayRef<ir::Type> operands);
std::optional<std::string> CustomCallAsStablehlo(const OpaqueAttrs& attrs, llvm::StringRef layouts);

// The properties `<{...}>` of a custom call of StableHLO with `@0`, `@1`, ... for the functions that it calls.
std::string NumberCalled(llvm::StringRef properties, size_t count);

// `{0,1};{1,0};` where a custom call of StableHLO asks for other layouts of its results than the usual ones; else empty.
std::string ResultLayouts(const OpaqueAttrs& attrs);

}  // namespace spmdc::ops
