// Which constraints hold for their operands too.
#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "propagate/prepasses.h"

namespace spmdc::propagate {
namespace {

class Applier {
 public:
  explicit Applier(View& view) : view_(view) {}

  void Visit(int32_t o) {
    if (view_.op(o).constraint) {
      FollowChain(o);
      Apply(view_.op(o).operands[0], view_.op(o).required, view_.op(o).annotation, [&] {
        view_.Unlink(o);
        view_.InsertAfterValue(o, view_.op(o).operands[0]);
        return o;
      });
      return;
    }
    if (!IsManual(o)) {
      return;
    }
    for (size_t i = 0; i < view_.op(o).operands.size(); ++i) {
      int32_t v = view_.op(o).operands[i];
      if (view_.rank(v) == 0) {
        continue;
      }
      mesh::ShardingId required = view_.shardings.Intern(ManualOperandSharding(view_, o, i));
      int32_t annotation = view_.value(view_.op(view_.FedBy({o, static_cast<int32_t>(i)})).results[0]).annotation;
      Apply(v, required, annotation, [&] { return NewConstraint(o, v, required, annotation); });
    }
  }

 private:
  bool IsManual(int32_t o) const {
    const ViewOp& op = view_.op(o);
    return op.kind == ViewOp::Kind::Inst && op::Def(view_.inst(op).op).region == op::Region::Manual;
  }

  // The sharding a use asks for; none if it is no constraint.
  mesh::ShardingId Required(const ViewUse& use) {
    if (view_.op(use.op).constraint) {
      return view_.op(use.op).required;
    }
    if (IsManual(use.op)) {
      return view_.shardings.Intern(ManualOperandSharding(view_, use.op, static_cast<size_t>(use.operand)));
    }
    return {};
  }

  bool IsDisputed(int32_t v, mesh::ShardingId sharding) {
    return llvm::any_of(view_.value(v).uses, [&](const ViewUse& use) {
      mesh::ShardingId other = Required(use);
      return other.valid() && other != sharding;
    });
  }

  void Apply(int32_t v, mesh::ShardingId required, int32_t annotation,
             llvm::function_ref<int32_t()> constraint_behind) {
    const mesh::Sharding& sharding = view_.shardings[required];
    bool closed = llvm::none_of(sharding.dims, [](const mesh::DimSharding& dim) { return dim.open; });
    if (view_.rank(v) == 0 || view_.ShardingOf(v).valid() || !closed || IsDisputed(v, required)) {
      return;
    }
    bool from_edge = view_.value(v).def != kNone && view_.op(view_.value(v).def).kind == ViewOp::Kind::Edge;
    if (!from_edge && view_.value(v).edge == kNone) {
      view_.value(v).sharding = required;
      view_.value(v).annotation = annotation;
      return;
    }
    // Other places feed this value too: only what reads it here goes through the constraint.
    int32_t o = constraint_behind();
    view_.ReplaceUses(v, view_.op(o).results[0], [o](const ViewUse& use) { return use.op != o; });
    if (!sharding.unreduced.empty()) {
      // Partial sums do not propagate: the value has to be told.
      mesh::Sharding partial = mesh::Replicated(sharding.mesh, sharding.dims.size(), /*open=*/true);
      partial.unreduced = sharding.unreduced;
      partial.unreduced_kind = sharding.unreduced_kind;
      view_.value(view_.Decider(v)).sharding = view_.shardings.Intern(partial);
      view_.value(view_.Decider(v)).annotation = annotation;
    }
  }

  int32_t NewConstraint(int32_t manual, int32_t v, mesh::ShardingId required, int32_t annotation) {
    ViewOp op;
    op.kind = ViewOp::Kind::Added;
    op.func = view_.op(manual).func;
    op.inst = view_.op(manual).inst;
    op.operands.push_back(v);
    op.constraint = true;
    op.required = required;
    op.annotation = annotation;
    int32_t o = view_.AddOp(std::move(op));
    view_.InsertAfterValue(o, v);
    view_.RegisterUses(o);
    ViewValue result;
    result.type = view_.value(v).type;
    result.def = o;
    result.sharding = required;
    result.annotation = annotation;
    view_.op(o).results.push_back(view_.AddValue(std::move(result)));
    return o;
  }

  // x -> c1 -> c2 where nothing else uses c1: what reads x behind c2 is meant to read c2.
  void FollowChain(int32_t head) {
    int32_t tail = view_.value(view_.op(head).operands[0]).uses.size() > 1 ? ChainTail(head) : kNone;
    if (tail == kNone) {
      return;
    }
    llvm::SmallVector<int32_t, 16> behind;
    for (int32_t o = view_.op(tail).next; o != kNone; o = view_.op(o).next) {
      behind.push_back(o);
    }
    llvm::sort(behind);
    bool in_entry = view_.op(tail).region == view_.entry;
    view_.ReplaceUses(view_.op(head).operands[0], view_.op(tail).results[0], [&](const ViewUse& use) {
      bool is_return = view_.op(use.op).kind == ViewOp::Kind::Return && in_entry;
      return use.op != head && !is_return && std::binary_search(behind.begin(), behind.end(), use.op);
    });
  }

  int32_t ChainTail(int32_t head) {
    int32_t input = view_.op(head).operands[0];
    int32_t def = view_.value(input).def;
    if ((def != kNone && view_.op(def).constraint) || view_.ShardingOf(input).valid()) {
      return kNone;
    }
    for (const ViewUse& use : view_.value(input).uses) {
      if (use.op != head && (view_.op(use.op).constraint || IsManual(use.op))) {
        return kNone;
      }
    }
    int32_t tail = head;
    while (true) {
      const auto& uses = view_.value(view_.op(tail).results[0]).uses;
      if (uses.size() != 1 || !view_.op(uses[0].op).constraint) {
        break;
      }
      tail = uses[0].op;
    }
    bool used_by_constraint = llvm::any_of(view_.value(view_.op(tail).results[0]).uses, [&](const ViewUse& use) {
      return view_.op(use.op).constraint || IsManual(use.op);
    });
    return tail == head || used_by_constraint ? kNone : tail;
  }

  View& view_;
};

}  // namespace

void ApplyConstraints(View& view) {
  Applier applier(view);
  view.WalkPostOrder(view.entry, [&](int32_t o) { applier.Visit(o); });
}

}  // namespace spmdc::propagate
