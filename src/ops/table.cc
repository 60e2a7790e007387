// The table behind op::Def: a kind without a definition in its family's file does not link.
#include "ops/table.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

namespace spmdc::op {
namespace {

const OpDef* const kDefs[] = {
#define SPMDC_OP(name, mnemonic) &ops::k##name,
#include "ir/op_kind.def"
#undef SPMDC_OP
};

llvm::StringMap<const OpDef*> IndexOfNames() {
  llvm::StringMap<const OpDef*> index;
  for (const OpDef* def : kDefs) {
    index[(llvm::Twine(def->dialect) + "." + ir::Mnemonic(def->kind)).str()] = def;
  }
  return index;
}

// By a name that some ops have.
llvm::StringMap<const OpDef*> IndexOf(llvm::StringRef OpDef::*name) {
  llvm::StringMap<const OpDef*> index;
  for (const OpDef* def : kDefs) {
    if (!(def->*name).empty()) {
      index.try_emplace(def->*name, def);
    }
  }
  return index;
}

const OpDef* Find(const llvm::StringMap<const OpDef*>& index, llvm::StringRef name) {
  auto it = index.find(name);
  return it == index.end() ? nullptr : it->second;
}

}  // namespace

const OpDef& Def(ir::OpKind kind) { return *kDefs[static_cast<size_t>(kind)]; }

llvm::StringRef NameOf(const ir::Module& module, const ir::Inst& inst) {
  const OpDef& def = Def(inst.op);
  return def.own_name != nullptr ? def.own_name(module, inst) : ir::Mnemonic(inst.op);
}

const OpDef* FindByName(llvm::StringRef dialect_and_mnemonic) {
  static const llvm::StringMap<const OpDef*> kIndex = IndexOfNames();
  return Find(kIndex, dialect_and_mnemonic);
}

const OpDef* FindByHloOpcode(llvm::StringRef opcode) {
  static const llvm::StringMap<const OpDef*> kIndex = IndexOf(&OpDef::hlo_opcode);
  return Find(kIndex, opcode);
}

const OpDef* FindByCustomCall(llvm::StringRef target) {
  static const llvm::StringMap<const OpDef*> kIndex = IndexOf(&OpDef::custom_call);
  return Find(kIndex, target);
}

}  // namespace spmdc::op
