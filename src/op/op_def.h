// The contract of an op: every question the rest of the compiler asks about it. One definition per kind, in the file of
// its family under ops/; a pass asks op::Def(kind) and names no kind.
#pragma once

#include "ir/module.h"
#include "op/classic.h"
#include "op/collective.h"
#include "op/eval.h"
#include "op/infer.h"
#include "op/localize.h"
#include "op/merge.h"
#include "op/rule.h"
#include "op/rule_builder.h"
#include "op/sharded_inst.h"
#include "op/text.h"
#include "op/words.h"

namespace spmdc::op {

// What an op's bodies mean.
enum class Region : uint8_t {
  None,
  Apply,   // a function of scalars, applied many times (reduce, scatter): copied as it stands
  Call,    // one body, run once on the operands; its results are the results
  Loop,    // bodies {condition, step}: arguments are the operands; the carried ones change, the captured ones do not
  Branch,  // operand 0 chooses the body; the others are the bodies' arguments
  Manual,  // one body on the device's own blocks
};

// How an op treats sums that are still spread over devices.
enum class Linear : uint8_t {
  No,
  Unary,   // f(a + b) = f(a) + f(b): negate, reshape, transpose, convert of sums...
  Adding,  // linear in all operands together: add, subtract, select between...
  Multi,   // linear in each operand by itself: multiply, dot_general
};

struct OpDef {
  ir::OpKind kind = ir::OpKind::Opaque;
  llvm::StringRef dialect = "stablehlo";   // "sdy" for Shardy's ops, "" for ops that only spmdc has
  int min_operands = 0, max_operands = 0;  // max -1: any number
  int min_bodies = 0, max_bodies = 0;
  ir::MakeAttrs make_attrs = nullptr;
  Region region = Region::None;
  // Kept even if nobody uses the results; runs exactly once.
  bool side_effect = false;
  // Whether an instruction speaks to propagation alone: no device does anything for it, and what it names need not exist.
  // Null: never.
  bool (*is_annotation)(const ir::Module&, const ir::Inst&) = nullptr;
  // The same index everywhere: results and array operands have the same dims.
  bool elementwise = false;
  Linear linear = Linear::No;
  // Where that depends on the instruction (converts between floats, reductions that sum); null: `linear` as it stands.
  Linear (*linear_of)(const ir::Module&, const ir::Function&, const ir::Inst&) = nullptr;
  Precedence precedence = Precedence::Default;
  Classic classic;
  // Constants and what is made of them: propagation treats each use by itself.
  bool constant_like = false;
  // Made of constants, the result counts as one: broadcast, reshape, slice. Elementwise ops do so without saying it.
  bool keeps_constants = false;
  // Result i is operand i, unchanged (barriers): propagation takes each pair by itself.
  bool data_flow = false;
  // Takes JAX's out_sharding= on a mesh with Explicit axes.
  bool takes_out_sharding = false;
  // The user's annotation that this op is: its sharding holds for the result (and where Shardy says so, the operand).
  bool is_constraint = false;
  // Floating point operations per point of the iteration space (the product of all factor sizes): 2 for a contraction.
  double flops = 1;

  // Result types from operand types. Never null.
  bool (*infer)(InferContext&) = nullptr;
  // Null: the op has no rule; shardings do not pass through it, and operands are needed whole.
  void (*rule)(RuleBuilder&) = nullptr;
  // Null: the default that works from the rule.
  bool (*explicit_types)(ExplicitContext&) = nullptr;
  // Null: the same op on local operands.
  bool (*localize)(LocalizeContext&) = nullptr;
  // What the op's own lowering exchanges when its factors are sharded so; nothing if it cannot be lowered so. Null: the
  // lowering exchanges nothing, and factors that need neighbours' data cannot be sharded.
  std::optional<Exchanged> (*exchange)(const ShardedInst&) = nullptr;
  // Null only for ops with regions that the runner runs (Call, Loop, Branch), for collectives and for Opaque.
  bool (*eval)(EvalContext&) = nullptr;
  // One instruction that does what this one and those that make its operands do, where together they may send less: planning
  // takes it in this one's place. Null: never.
  std::optional<Merged> (*merge)(const ir::Module&, const ir::Function&, const ir::Inst&) = nullptr;
  // How many numbers evaluating looks at, where those are more than the product of all factor sizes: sorts, windows,
  // transforms. Null: they are not.
  int64_t (*eval_cost)(const ir::Module&, const ir::Function&, const ir::Inst&) = nullptr;
  // The op on elements of several numbers each; false, and null, where it has no meaning for them.
  bool (*on_words)(WordsContext&) = nullptr;
  // Collectives: what it exchanges. Null for all other ops.
  Collective (*collective)(const ir::Module&, const ir::Function&, const ir::Inst&) = nullptr;

  // The name of an instruction whose kind stands for many ops that this tool does not know; null for all other kinds.
  llvm::StringRef (*own_name)(const ir::Module&, const ir::Inst&) = nullptr;

  // Spellings. hlo_opcode empty: cannot be written as HLO.
  llvm::StringRef hlo_opcode;
  // The target of the custom call that the op is in StableHLO and HLO, where it is no op of theirs; `dialect` and
  // `hlo_opcode` are then empty. Readers and writers do the target and the bodies (`called_computations`, functions by
  // name); the hooks below do the rest of the attributes.
  llvm::StringRef custom_call;
  void (*print_hlo)(HloPrinter&) = nullptr;
  // Makes the attributes (by module().tables->attrs) of an instruction that was read; null for ops without.
  bool (*read_hlo)(HloReader&, ir::AttrsId&) = nullptr;
  // Pretty StableHLO, after the op's name; null: `%a, %b : types`.
  bool (*parse_stablehlo)(StablehloReader&) = nullptr;
  // The attributes from a generic form's dictionary; null for ops without.
  bool (*from_generic)(StablehloReader&) = nullptr;
  // Null: the operands and types alone. An op with attributes and without this hook cannot be written as StableHLO.
  void (*print_stablehlo)(StablehloPrinter&) = nullptr;
  llvm::StringRef native_name;                     // `lax.tanh`; empty: printed as `spmdc.op('mnemonic', ...)`
  void (*print_native)(NativePrinter&) = nullptr;  // null: the fields as keywords
};

// The definition of a kind.
const OpDef& Def(ir::OpKind kind);
// By mnemonic with dialect ("stablehlo.add", "sdy.reshard") or HLO opcode; null if there is none.
const OpDef* FindByName(llvm::StringRef dialect_and_mnemonic);
const OpDef* FindByHloOpcode(llvm::StringRef opcode);
// The op that a custom call of this target is; null if the target is not known.
const OpDef* FindByCustomCall(llvm::StringRef target);

// What messages call the op of an instruction: its mnemonic, or the name that an unknown op has in its text.
llvm::StringRef NameOf(const ir::Module& module, const ir::Inst& inst);
// How an instruction treats sums that are spread over devices: what planning asks.
Linear LinearOf(const ir::Module& module, const ir::Function& function, const ir::Inst& inst);
// The rule of an instruction; empty factors and dims where the op has none.
Rule RuleOf(const ir::Module& module, const ir::Function& function, const ir::Inst& inst);
bool HasRule(ir::OpKind kind);

}  // namespace spmdc::op
