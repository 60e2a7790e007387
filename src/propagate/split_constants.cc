// A copy of constants per use.
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "op/op_def.h"
#include "propagate/prepasses.h"

namespace spmdc::propagate {
namespace {

class Splitter {
 public:
  explicit Splitter(View& view)
      : view_(view), has_groups_(llvm::any_of(view.ops, [](const ViewOp& op) { return op.group >= 0; })) {}

  // One function: its body and the regions in it, but not the functions it calls. Whether all its ops keep constants.
  bool SplitFunction(int32_t region) {
    CalledFirst(region);
    bool keeps = true;
    Scope scope;
    WalkScope(region, [&](int32_t o) { keeps = Process(o, scope) && keeps; });
    for (int32_t o : scope.expansions) {
      EraseIfUnused(o);
    }
    for (int32_t o : llvm::reverse(scope.constants)) {
      EraseIfUnused(o);
    }
    view_.DropStaleUses();
    return keeps;
  }

 private:
  struct Scope {
    llvm::SetVector<int32_t> constants, expansions;  // ops
  };
  using Copies = llvm::SmallDenseMap<int32_t, int32_t, 8>;  // value to its copy

  op::Region RegionOf(int32_t o) const {
    const ViewOp& op = view_.op(o);
    return op.kind == ViewOp::Kind::Inst ? op::Def(view_.inst(op).op).region : op::Region::None;
  }

  void WalkScope(int32_t region, llvm::function_ref<void(int32_t)> f) {
    for (int32_t o = view_.region(region).first; o != kNone;) {
      int32_t next = view_.op(o).next;
      f(o);
      if (RegionOf(o) != op::Region::Call) {
        for (size_t i = 0; i < view_.op(o).regions.size(); ++i) {
          WalkScope(view_.op(o).regions[i], f);
        }
      }
      o = next;
    }
  }

  void CalledFirst(int32_t region) {
    WalkScope(region, [&](int32_t o) {
      if (RegionOf(o) == op::Region::Call && SplitFunction(view_.op(o).regions[0])) {
        keeping_calls_.insert(o);
      }
    });
  }

  bool KeepsConstants(int32_t o) const {
    const ViewOp& op = view_.op(o);
    if (op.kind != ViewOp::Kind::Inst) {
      return false;
    }
    const op::OpDef& def = op::Def(view_.inst(op).op);
    if (def.region == op::Region::Call) {
      return keeping_calls_.contains(o);
    }
    bool keeps = def.elementwise || def.keeps_constants;
    return keeps && !def.side_effect && !def.is_constraint;
  }

  bool IsConstant(int32_t o, const Scope& scope) const {
    const ViewOp& op = view_.op(o);
    if (op.kind == ViewOp::Kind::Inst && op::Def(view_.inst(op).op).constant_like) {
      return true;
    }
    return KeepsConstants(o) && llvm::all_of(op.operands, [&](int32_t v) {
             return view_.value(v).def != kNone && scope.constants.contains(view_.value(v).def);
           });
  }

  bool IsScalarExpansion(int32_t o) const {
    const ViewOp& op = view_.op(o);
    return op.kind == ViewOp::Kind::Inst && op::Def(view_.inst(op).op).precedence == op::Precedence::Broadcast &&
           view_.rank(op.operands[0]) == 0;
  }

  // Whether the op is a constant or keeps them.
  bool Process(int32_t o, Scope& scope) {
    if (view_.op(o).group >= 0) {
      return true;
    }
    if (IsConstant(o, scope)) {
      scope.constants.insert(o);
      return true;
    }
    bool keeps = KeepsConstants(o) || view_.op(o).kind == ViewOp::Kind::Return;
    if (IsScalarExpansion(o)) {
      scope.expansions.insert(o);
      return keeps;
    }
    for (size_t i = 0; i < view_.op(o).operands.size(); ++i) {
      int32_t v = view_.op(o).operands[i];
      int32_t def = view_.value(v).def;
      if (def != kNone && view_.rank(v) != 0 && (scope.constants.contains(def) || scope.expansions.contains(def))) {
        Copies copies;
        CopyChain(v, copies);
        view_.SetOperand(o, static_cast<int32_t>(i), copies.lookup(v));
      }
    }
    return keeps;
  }

  // Copies the op that makes v and, before it, what its operands are made of. Scalars are shared.
  void CopyChain(int32_t v, Copies& copies) {
    int32_t def = view_.value(v).def;
    if (def == kNone || view_.rank(v) == 0 || copies.count(v) != 0) {
      return;
    }
    for (size_t i = 0; i < view_.op(def).operands.size(); ++i) {
      CopyChain(view_.op(def).operands[i], copies);
    }
    view_.InsertBefore(CopyOp(def, copies), def);
    if (!has_groups_) {
      return;
    }
    // A copy is in the groups of its original.
    llvm::SmallVector<ViewUse, 4> uses(view_.value(v).uses.begin(), view_.value(v).uses.end());
    for (const ViewUse& use : llvm::reverse(uses)) {
      if (view_.op(use.op).group >= 0) {
        view_.InsertBefore(CopyOp(use.op, copies), def);
      }
    }
  }

  int32_t CopyOp(int32_t from, Copies& copies) {
    ViewOp copy = view_.op(from);
    copy.prev = copy.next = copy.region = kNone;
    copy.results.clear();
    copy.regions.clear();
    for (int32_t& v : copy.operands) {
      auto it = copies.find(v);
      v = it == copies.end() ? v : it->second;
    }
    int32_t o = view_.AddOp(std::move(copy));
    view_.RegisterUses(o);
    for (size_t i = 0; i < view_.op(from).results.size(); ++i) {
      int32_t result = view_.op(from).results[i];
      view_.op(o).results.push_back(CopyValue(result, copies));
      view_.value(view_.op(o).results.back()).def = o;
    }
    for (size_t i = 0; i < view_.op(from).regions.size(); ++i) {
      CopyRegion(o, view_.op(from).regions[i], copies);
    }
    if (keeping_calls_.contains(from)) {
      keeping_calls_.insert(o);
    }
    return o;
  }

  int32_t CopyValue(int32_t from, Copies& copies) {
    ViewValue copy = view_.value(from);
    copy.uses.clear();
    copy.def = copy.region = kNone;
    copy.copy_of = copy.copy_of == kNone ? from : copy.copy_of;
    int32_t v = view_.AddValue(std::move(copy));
    copies[from] = v;
    return v;
  }

  void CopyRegion(int32_t owner, int32_t from, Copies& copies) {
    int32_t r = view_.AddRegion(owner);
    view_.op(owner).regions.push_back(r);
    for (size_t i = 0; i < view_.region(from).args.size(); ++i) {
      int32_t arg = CopyValue(view_.region(from).args[i], copies);
      view_.value(arg).region = r;
      view_.region(r).args.push_back(arg);
    }
    for (int32_t o = view_.region(from).first; o != kNone; o = view_.op(o).next) {
      view_.Append(r, CopyOp(o, copies));
    }
  }

  void EraseIfUnused(int32_t o) {
    llvm::SmallVector<int32_t, 4> groups;
    for (int32_t v : view_.op(o).results) {
      for (const ViewUse& use : view_.value(v).uses) {
        if (!view_.IsLive(use, v)) {
          continue;
        }
        if (view_.op(use.op).group < 0) {
          return;
        }
        groups.push_back(use.op);
      }
    }
    for (int32_t group : groups) {
      view_.Erase(group);
    }
    view_.Erase(o);
  }

  View& view_;
  bool has_groups_;
  llvm::DenseSet<int32_t> keeping_calls_;
};

}  // namespace

void SplitConstants(View& view) { Splitter(view).SplitFunction(view.entry); }

}  // namespace spmdc::propagate
