// Keys of visits in the classic propagation: two visits with one key do the same. Where the first changed nothing, the second
// need not be made; programs of repeated layers are decided in the time of a few.
#pragma once

#include "propagate/classic_flow.h"
#include "support/key_table.h"

namespace spmdc::propagate {

class ClassicKeys {
 public:
  ClassicKeys(const ClassicGraph& graph, const ClassicFlow& flow) : g_(graph), view_(graph.view), flow_(flow) {}

  // Makes the key of a visit the current one; false if it depends on more than a key holds.
  bool OfOp(int32_t o, int level);
  bool OfValue(int32_t v, int level);

  // For values of so many uses that OfValue gives them no key: whether a use asks for what the use told before asked for, by
  // the same op on the same tensors.
  bool IsRepeated(const ViewUse& use);
  void ForgetUses() { last_use_.clear(); }
  static bool HasManyUses(const ViewValue& value);

  // Whether the current key is known to change nothing; that it does not.
  bool IsSettled() const { return settled_.Find(key_) != KeyTable::kUnknown; }
  void Settle() { settled_.Insert(key_); }

 private:
  bool IsPlain(int32_t o) const;
  void Add(int32_t number) { key_.push_back(number); }
  void AddValue(int32_t v);
  void AddOp(int32_t o);

  const ClassicGraph& g_;
  const View& view_;
  const ClassicFlow& flow_;
  llvm::SmallVector<int32_t, 64> key_;
  llvm::SmallVector<int32_t, 64> last_use_;  // the key of the use told last; empty: none
  KeyTable settled_;
};

}  // namespace spmdc::propagate
