// Layouts of values, as far as they are not the usual ones: `{0,1:T(8,128)}`. No pass reads them; they are kept as side data.
#pragma once

#include <optional>
#include <string>

#include "ir/side_text.h"
#include "mesh/sdy_sharding.h"

namespace spmdc::text::hlo {

// Names of side data: the layouts of an instruction's results, or of an argument, each with `;` behind it; where the caller
// wants an argument or result of the entry to be laid out otherwise; and the opcode of an instruction that stands for another.
inline constexpr llvm::StringLiteral kLayout = "layout", kEntryLayout = "entry_layout", kOpcode = "opcode";
// Fields of an instruction's metadata other than its name and place, as they stood there.
inline constexpr llvm::StringLiteral kMetadata = "metadata";
// The dims of a reduction in the order of the text, where that is not theirs.
inline constexpr llvm::StringLiteral kReducedDims = "reduced_dims";
// Side data of the module: shardings stood in Shardy's words and as tile lists ("results": those of results, too); the
// tables of stack frames, and the meshes of the header, as they stood there; the entry returns a tuple of one; the header's
// attributes that say nothing about what is computed stand under their own names. Of an argument: a result must take its memory.
inline constexpr llvm::StringLiteral kBothForms = "both_forms", kStackTables = "stack_tables",
                                     kTupleOfOne = "tuple_of_one", kMeshes = "sdy_meshes", kMustAlias = "must_alias";
inline constexpr llvm::StringLiteral kKeptOfHeader[] = {"is_scheduled", "allow_spmd_sharding_propagation_to_parameters",
                                                        "allow_spmd_sharding_propagation_to_output"};
// The "opcode" of a call of Sharding that puts a value in a group: `sharding={unknown shard_as 3}`.
inline constexpr llvm::StringLiteral kShardAs = "shard_as";

// What is wrong with a layout, with its braces, for a value of this rank; empty if nothing.
std::string CheckLayout(llvm::StringRef layout, size_t rank);
// The layout that every value has of which nothing is said: the last dim is the minor one. Empty for a scalar.
std::string UsualLayout(size_t rank);
using ir::SideText;
// The layout that a value's text had; empty for the usual one, and for a shard of a value.
llvm::StringRef LayoutOf(const ir::Module& module, const ir::Function& function, ir::ValueId v);

}  // namespace spmdc::text::hlo
