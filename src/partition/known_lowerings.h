// Instructions that became one instruction on their operands' parts: what is like one of them becomes the same, unasked.
#pragma once

#include <optional>
#include <vector>

#include "ir/module.h"
#include "op/builder.h"
#include "support/key_table.h"

namespace spmdc::partition {

class KnownLowerings {
 public:
  static constexpr int32_t kNone = -1;

  // The number that all instructions of one program have which are lowered alike; kNone for those that are like no other.
  int32_t NumberOf(const ir::Function& function, const ir::Inst& inst);
  // Appends what the first instruction of this number became, and gives its results; nothing if that is not known.
  std::optional<llvm::SmallVector<ir::ValueId, 2>> Repeat(int32_t number, llvm::ArrayRef<ir::ValueId> operands,
                                                          op::Builder& builder) const;
  // An instruction of this number has been lowered: `first_made` and what is behind it in the builder's function were
  // appended, and `results` are its results' parts.
  void Remember(int32_t number, llvm::ArrayRef<ir::ValueId> operands, llvm::ArrayRef<ir::ValueId> results,
                ir::InstId first_made, op::Builder& builder);

 private:
  struct Lowering {
    ir::OpKind op;
    ir::AttrsId attrs;
    llvm::SmallVector<ir::TypeId, 2> types;  // of the results
  };

  llvm::SmallVector<int32_t, 32> key_;              // of the instruction that is numbered
  KeyTable keys_;                                   // forms, and the shardings of operands and results
  std::vector<std::optional<Lowering>> lowerings_;  // by number; none if it was not one plain instruction
};

}  // namespace spmdc::partition
