// Surgery on the view: linked lists of ops, uses, walks; shardings across the border of a manual region.
#include "propagate/view.h"

#include "llvm/ADT/STLExtras.h"

namespace spmdc::propagate {

int32_t View::AddValue(ViewValue v) {
  values.push_back(std::move(v));
  return static_cast<int32_t>(values.size()) - 1;
}

int32_t View::AddRegion(int32_t owner) {
  regions.emplace_back().op = owner;
  return static_cast<int32_t>(regions.size()) - 1;
}

int32_t View::AddOp(ViewOp o) {
  ops.push_back(std::move(o));
  return static_cast<int32_t>(ops.size()) - 1;
}

void View::Append(int32_t r, int32_t o) {
  ViewRegion& to = region(r);
  op(o).region = r;
  op(o).prev = to.last;
  op(o).next = kNone;
  if (to.last == kNone) {
    to.first = o;
  } else {
    op(to.last).next = o;
  }
  to.last = o;
}

void View::InsertBefore(int32_t o, int32_t before) {
  ViewOp& there = op(before);
  op(o).region = there.region;
  op(o).prev = there.prev;
  op(o).next = before;
  if (there.prev == kNone) {
    region(there.region).first = o;
  } else {
    op(there.prev).next = o;
  }
  there.prev = o;
}

void View::InsertAfterValue(int32_t o, int32_t v) {
  int32_t def = value(v).def;
  int32_t r = def == kNone ? value(v).region : op(def).region;
  int32_t next = def == kNone ? region(r).first : op(def).next;
  if (next == kNone) {
    Append(r, o);
  } else {
    InsertBefore(o, next);
  }
}

void View::Unlink(int32_t o) {
  ViewOp& it = op(o);
  if (it.prev == kNone) {
    region(it.region).first = it.next;
  } else {
    op(it.prev).next = it.next;
  }
  if (it.next == kNone) {
    region(it.region).last = it.prev;
  } else {
    op(it.next).prev = it.prev;
  }
  it.region = it.prev = it.next = kNone;
}

void View::RegisterUses(int32_t o) {
  for (size_t i = 0; i < op(o).operands.size(); ++i) {
    value(op(o).operands[i]).uses.push_back({o, static_cast<int32_t>(i)});
  }
}

void View::SetOperand(int32_t o, int32_t operand, int32_t v) {
  int32_t& slot = op(o).operands[static_cast<size_t>(operand)];
  stale_.push_back(slot);
  slot = v;
  value(v).uses.push_back({o, operand});
}

bool View::IsLive(const ViewUse& use, int32_t v) const {
  const auto& operands = op(use.op).operands;
  auto slot = static_cast<size_t>(use.operand);
  return !IsErased(use.op) && slot < operands.size() && operands[slot] == v;
}

bool View::IsUsed(int32_t v) const {
  return llvm::any_of(value(v).uses, [&](const ViewUse& use) { return IsLive(use, v); });
}

void View::DropStaleUses() {
  llvm::sort(stale_);
  stale_.erase(std::unique(stale_.begin(), stale_.end()), stale_.end());
  for (int32_t v : stale_) {
    llvm::erase_if(value(v).uses, [&](const ViewUse& use) { return !IsLive(use, v); });
  }
  stale_.clear();
}

void View::ReplaceUses(int32_t from, int32_t to, llvm::function_ref<bool(const ViewUse&)> replace) {
  SmallList<ViewUse> kept;
  llvm::SmallVector<ViewUse, 8> moved;
  for (const ViewUse& use : value(from).uses) {
    if (replace(use)) {
      moved.push_back(use);
    } else {
      kept.push_back(use);
    }
  }
  value(from).uses = std::move(kept);
  for (const ViewUse& use : llvm::reverse(moved)) {
    op(use.op).operands[static_cast<size_t>(use.operand)] = to;
    value(to).uses.push_back(use);
  }
}

void View::DropUses(int32_t o) {
  for (int32_t v : op(o).operands) {
    llvm::erase_if(value(v).uses, [&](const ViewUse& use) { return use.op == o; });
  }
}

void View::Erase(int32_t o) {
  stale_.insert(stale_.end(), op(o).operands.begin(), op(o).operands.end());
  op(o).operands.clear();
  for (int32_t r : op(o).regions) {
    while (region(r).last != kNone) {
      Erase(region(r).last);
    }
  }
  Unlink(o);
}

bool View::IsGone(int32_t v) const {
  const ViewValue& it = value(v);
  if (it.def != kNone) {
    return IsErased(it.def);
  }
  int32_t owner = it.region == kNone ? kNone : region(it.region).op;
  return owner != kNone && IsErased(owner);
}

int32_t View::Annotate(std::string from, source::Span span) { return annotations.Add({std::move(from), span}).index; }

void View::WalkPreOrder(int32_t r, llvm::function_ref<void(int32_t)> f) const {
  for (int32_t o = region(r).first; o != kNone;) {
    int32_t next = op(o).next;
    f(o);
    for (size_t i = 0; i < op(o).regions.size(); ++i) {
      WalkPreOrder(op(o).regions[i], f);
    }
    o = next;
  }
}

void View::WalkPostOrder(int32_t r, llvm::function_ref<void(int32_t)> f) const {
  for (int32_t o = region(r).first; o != kNone;) {
    int32_t next = op(o).next;
    for (size_t i = 0; i < op(o).regions.size(); ++i) {
      WalkPostOrder(op(o).regions[i], f);
    }
    f(o);
    o = next;
  }
}

namespace {

bool IsManual(mesh::AxisRef axis, llvm::ArrayRef<mesh::AxisRef> manual) {
  return llvm::any_of(manual, [&](mesh::AxisRef m) { return m.axis == axis.axis; });
}

mesh::AxisList Without(llvm::ArrayRef<mesh::AxisRef> axes, llvm::ArrayRef<mesh::AxisRef> manual) {
  mesh::AxisList rest;
  for (mesh::AxisRef axis : axes) {
    if (!IsManual(axis, manual)) {
      rest.push_back(axis);
    }
  }
  return rest;
}

}  // namespace

mesh::Sharding EraseManual(const mesh::Sharding& sharding, llvm::ArrayRef<mesh::AxisRef> manual) {
  mesh::Sharding inner = sharding;
  for (mesh::DimSharding& dim : inner.dims) {
    dim.axes = Without(dim.axes, manual);
  }
  inner.replicated = Without(inner.replicated, manual);
  inner.unreduced = Without(inner.unreduced, manual);
  return inner;
}

mesh::Sharding AddManual(const mesh::Sharding& outer, const mesh::Sharding& inner,
                         llvm::ArrayRef<mesh::AxisRef> manual) {
  mesh::Sharding both = outer;
  both.mesh = inner.mesh;
  for (auto [to, from] : llvm::zip(both.dims, inner.dims)) {
    mesh::AxisList axes;
    for (mesh::AxisRef axis : to.axes) {
      if (IsManual(axis, manual)) {
        axes.push_back(axis);
      }
    }
    axes.append(from.axes.begin(), from.axes.end());
    to = from;
    to.axes = std::move(axes);
  }
  return both;
}

}  // namespace spmdc::propagate
