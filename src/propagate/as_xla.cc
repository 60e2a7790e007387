// Loops with captured values, unused ops, stretching broadcasts, ops that do nothing, equal constants.
#include "propagate/as_xla.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "op/op_def.h"
#include "ops/constant.h"
#include "ops/shape.h"

namespace spmdc::propagate {

namespace {

bool IsLoop(const View& view, int32_t o) {
  const ViewOp& op = view.op(o);
  return op.kind == ViewOp::Kind::Inst && op::Def(view.inst(op).op).region == op::Region::Loop;
}

bool Everywhere(const ViewUse&) { return true; }

class Capturer {
 public:
  explicit Capturer(View& view) : view_(view) {}

  void Visit(int32_t loop) {
    llvm::SmallVector<size_t, 8> invariant, carried;
    for (size_t i = 0; i < view_.op(loop).operands.size(); ++i) {
      (IsInvariant(loop, i) ? invariant : carried).push_back(i);
    }
    if (invariant.empty()) {
      return;
    }
    for (size_t i : invariant) {
      int32_t outside = view_.op(loop).operands[i];
      view_.ReplaceUses(Arg(loop, 0, i), outside, Everywhere);
      view_.ReplaceUses(Arg(loop, 1, i), outside, Everywhere);
      if (i < view_.op(loop).results.size()) {
        view_.ReplaceUses(view_.op(loop).results[i], outside, Everywhere);
        replaced_.push_back({view_.op(loop).results[i], outside});
      }
      replaced_.push_back({Arg(loop, 0, i), outside});
      replaced_.push_back({Arg(loop, 1, i), outside});
    }
    Shrink(loop, carried);
  }

  // Names of the program that were bound to replaced values. Whether there are any.
  bool Rebind() {
    if (replaced_.empty()) {
      return false;
    }
    std::vector<int32_t> now(view_.values.size());
    for (size_t v = 0; v < now.size(); ++v) {
      now[v] = static_cast<int32_t>(v);
    }
    for (const auto& [from, to] : replaced_) {
      now[static_cast<size_t>(from)] = to;
    }
    for (ir::FuncId f : view_.module.functions.ids()) {
      for (int32_t& v : view_.built[f]) {
        while (v != kNone && now[static_cast<size_t>(v)] != v) {
          v = now[static_cast<size_t>(v)];
        }
      }
    }
    return true;
  }

 private:
  int32_t Arg(int32_t loop, size_t region, size_t i) const {
    return view_.region(view_.op(loop).regions[region]).args[i];
  }

  bool IsInvariant(int32_t loop, size_t i) const {
    const ViewOp& op = view_.op(loop);
    if (i >= op.results.size()) {
      return true;
    }
    int32_t end = view_.region(op.regions[1]).last;
    int32_t returned = view_.op(end).operands[i];
    return returned == Arg(loop, 1, i) || returned == op.operands[i];
  }

  // Keeps the carried operands, arguments and results only. The op counts as a new one: its uses are the newest, and uses
  // of its results turn around.
  void Shrink(int32_t loop, llvm::ArrayRef<size_t> carried) {
    view_.DropUses(loop);
    auto keep = [&](auto& list) {
      llvm::SmallVector<int32_t, 8> kept;
      for (size_t i : carried) {
        kept.push_back(list[i]);
      }
      list.assign(kept.begin(), kept.end());
    };
    keep(view_.op(loop).operands);
    keep(view_.op(loop).results);
    for (int32_t r : view_.op(loop).regions) {
      keep(view_.region(r).args);
    }
    int32_t end = view_.region(view_.op(loop).regions[1]).last;
    view_.DropUses(end);
    keep(view_.op(end).operands);
    view_.RegisterUses(end);
    view_.RegisterUses(loop);
    for (int32_t v : view_.op(loop).results) {
      std::reverse(view_.value(v).uses.begin(), view_.value(v).uses.end());
    }
  }

  View& view_;
  std::vector<std::pair<int32_t, int32_t>> replaced_;
};

// Whether an op stands inside the region tree of another.
bool IsInside(const View& view, int32_t o, int32_t outer) {
  for (int32_t r = view.op(o).region; r != kNone;) {
    int32_t owner = view.region(r).op;
    if (owner == kNone) {
      return false;
    }
    if (owner == outer) {
      return true;
    }
    r = view.op(owner).region;
  }
  return false;
}

bool DefinedInside(const View& view, int32_t v, int32_t outer) {
  int32_t def = view.value(v).def;
  if (def != kNone) {
    return IsInside(view, def, outer);
  }
  int32_t owner = view.region(view.value(v).region).op;
  return owner != kNone && (owner == outer || IsInside(view, owner, outer));
}

int32_t NewOp(View& view, ViewOp op, int32_t operand, ir::TypeId type) {
  op.operands.push_back(operand);
  int32_t o = view.AddOp(std::move(op));
  view.RegisterUses(o);
  ViewValue result;
  result.type = type;
  result.def = o;
  view.op(o).results.push_back(view.AddValue(std::move(result)));
  return o;
}

void OpenCaptured(View& view, int32_t loop) {
  llvm::SetVector<int32_t> captured;
  for (size_t r = 0; r < view.op(loop).regions.size(); ++r) {
    view.WalkPreOrder(view.op(loop).regions[r], [&](int32_t o) {
      for (int32_t v : view.op(o).operands) {
        if (!DefinedInside(view, v, loop)) {
          captured.insert(v);
        }
      }
    });
  }
  for (int32_t v : captured) {
    mesh::ShardingId sharding = view.value(v).sharding;
    if (!sharding.valid() || view.rank(v) == 0) {
      continue;
    }
    ViewOp op;
    op.kind = ViewOp::Kind::Added;
    op.func = view.op(loop).func;
    op.inst = view.op(loop).inst;
    op.constraint = true;
    op.required = view.shardings.Intern(mesh::Replicated(view.shardings[sharding].mesh, view.rank(v), /*open=*/true));
    int32_t o = NewOp(view, std::move(op), v, view.value(v).type);
    view.InsertBefore(o, loop);
    int32_t inner = view.op(o).results[0];
    view.value(inner).sharding = view.op(o).required;
    view.ReplaceUses(v, inner, [&](const ViewUse& use) { return IsInside(view, use.op, loop); });
  }
}

}  // namespace

bool CaptureInvariants(View& view) {
  Capturer capturer(view);
  view.WalkPreOrder(view.entry, [&](int32_t o) {
    if (IsLoop(view, o)) {
      capturer.Visit(o);
    }
  });
  return capturer.Rebind();
}

void OpenCapturedValues(View& view) {
  view.WalkPostOrder(view.entry, [&](int32_t o) {
    if (IsLoop(view, o)) {
      OpenCaptured(view, o);
    }
  });
}

void DropUnused(View& view) {
  std::vector<int32_t> all;
  view.WalkPostOrder(view.entry, [&](int32_t o) { all.push_back(o); });
  for (int32_t o : llvm::reverse(all)) {
    const ViewOp& op = view.op(o);
    bool used = op.kind == ViewOp::Kind::Return || (op.results.empty() && op::Def(view.inst(op).op).side_effect);
    for (int32_t v : op.results) {
      used = used || view.IsUsed(v);
    }
    if (!used && !view.IsErased(o)) {
      view.Erase(o);
    }
  }
  view.DropStaleUses();
}

namespace {

// The rule of an op from `from` to `to`, where dim d of `from` is dim to_dim[d] of `to`, or gone (kNone). A reshape does
// not know which dims of size 1 belong together.
op::Rule MapDims(const ir::Type& from, const ir::Type& to, llvm::SmallVector<int32_t, 4> to_dim, bool reshape) {
  for (size_t d = 0; d < from.rank(); ++d) {
    to_dim[d] = reshape && from.dims[d] == 1 ? kNone : to_dim[d];
  }
  op::Rule rule;
  rule.operands.emplace_back().dims.resize(from.rank());
  rule.results.emplace_back().dims.resize(to.rank());
  auto add = [&](int64_t size, op::FactorKind kind) {
    rule.factors.push_back({size, kind, false});
    return static_cast<int32_t>(rule.factors.size()) - 1;
  };
  for (size_t d = 0; d < to.rank(); ++d) {
    auto* source = llvm::find(to_dim, static_cast<int32_t>(d));
    int32_t f = add(to.dims[d], source == to_dim.end() ? op::FactorKind::New : op::FactorKind::Map);
    rule.results[0].dims[d].push_back(f);
    if (source != to_dim.end()) {
      rule.operands[0].dims[static_cast<size_t>(source - to_dim.begin())].push_back(f);
    }
  }
  for (size_t d = 0; d < from.rank(); ++d) {
    if (to_dim[d] == kNone) {
      rule.operands[0].dims[d].push_back(add(from.dims[d], op::FactorKind::Map));
    }
  }
  return rule;
}

// The rule of MapDims among the added ones. A reshape passes shardings through.
int32_t AddRule(View& view, const ir::Type& from, const ir::Type& to, const llvm::SmallVector<int32_t, 4>& to_dim,
                bool reshape) {
  llvm::SmallVector<int32_t, 32> form = {reshape, static_cast<int32_t>(from.rank())};
  for (int64_t size : llvm::concat<const int64_t>(from.dims, to.dims)) {
    op::AppendKey(size, form);
  }
  form.append(to_dim.begin(), to_dim.end());
  auto [number, is_new] = view.added_forms.Insert(form);
  if (is_new) {
    view.added_rules.push_back(
        {MapDims(from, to, to_dim, reshape), reshape ? op::Precedence::PassThrough : op::Precedence::Broadcast});
  }
  return number;
}

// A broadcast that only adds dims of size 1 is a reshape.
int32_t AddBroadcast(View& view, const ir::Type& from, const ir::Type& to,
                     const llvm::SmallVector<int32_t, 4>& to_dim) {
  return AddRule(view, from, to, to_dim, from.num_elements() == to.num_elements());
}

int32_t AppendAdded(View& view, int32_t region, int32_t like, int32_t operand, const ir::Type& type, int32_t rule) {
  ViewOp op;
  op.kind = ViewOp::Kind::Added;
  op.func = view.op(like).func;
  op.inst = view.op(like).inst;
  op.added_rule = rule;
  int32_t o = NewOp(view, std::move(op), operand, view.module.tables->types.Intern(type));
  view.Append(region, o);
  return view.op(o).results[0];
}

}  // namespace

int32_t BroadcastAsXla(View& view, int32_t region, int32_t o, int32_t operand) {
  const auto& attrs = view.module.attrs<ops::BroadcastInDimAttrs>(view.inst(view.op(o)));
  ir::Type from = view.module.tables->types[view.value(operand).type];
  ir::Type to = ir::ArrayType(from.dtype, attrs.dims);
  // The result with stretched dims of size 1, and the same without them.
  ir::Type wide = to;
  llvm::SmallVector<int32_t, 4> from_dim, squeezed_dim(to.rank(), 0), result_dim;
  bool stretched = false;
  for (size_t i = 0; i < from.rank(); ++i) {
    auto d = static_cast<size_t>(attrs.broadcast_dims[i]);
    from_dim.push_back(static_cast<int32_t>(d));
    wide.dims[d] = from.dims[i];
    stretched = stretched || from.dims[i] != to.dims[d];
  }
  if (!stretched) {
    if (from.num_elements() == to.num_elements()) {
      view.op(o).added_rule = AddBroadcast(view, from, to, from_dim);
    }
    return operand;
  }
  ir::Type squeezed = ir::ArrayType(from.dtype, {});
  for (size_t d = 0; d < to.rank(); ++d) {
    squeezed_dim[d] = wide.dims[d] == to.dims[d] ? static_cast<int32_t>(squeezed.rank()) : kNone;
    if (squeezed_dim[d] != kNone) {
      squeezed.dims.push_back(to.dims[d]);
      result_dim.push_back(static_cast<int32_t>(d));
    }
  }
  if (wide.rank() != from.rank()) {
    operand = AppendAdded(view, region, o, operand, wide, AddBroadcast(view, from, wide, from_dim));
  }
  operand = AppendAdded(view, region, o, operand, squeezed, AddRule(view, wide, squeezed, squeezed_dim, true));
  view.op(o).added_rule = AddBroadcast(view, squeezed, to, result_dim);
  return operand;
}

namespace {

// Whether an op may only move elements about: one array goes in, and one of its type comes out.
bool MovesOneArray(const ir::Function& function, const ir::Inst& inst, const ir::Tables& tables) {
  const op::OpDef& def = op::Def(inst.op);
  bool plain = !def.elementwise && !def.data_flow && !def.is_constraint && !def.side_effect &&
               def.collective == nullptr && def.own_name == nullptr &&
               (def.region == op::Region::None || def.region == op::Region::Apply) &&
               def.precedence != op::Precedence::DynamicSlice && def.precedence != op::Precedence::None;
  if (!plain || inst.num_operands == 0 || inst.num_results != 1 ||
      function.values[function.operands(inst)[0]].type != function.values[function.result(inst)].type) {
    return false;
  }
  return llvm::all_of(function.operands(inst).drop_front(),
                      [&](ir::ValueId v) { return tables.types[function.values[v].type].rank() == 0; });
}

// The constant behind a value: its own, or that of the scalar it is a broadcast of. Null: it is none.
const tensor::Literal* ConstantBehind(const View& view, int32_t v) {
  int32_t def = view.value(v).def;
  if (def == kNone || view.op(def).kind != ViewOp::Kind::Inst) {
    return nullptr;
  }
  const ir::Inst& inst = view.inst(view.op(def));
  const op::OpDef& of = op::Def(inst.op);
  if (of.constant_like) {
    return of.make_attrs == ir::NewAttrs<ops::ConstantAttrs> ? &view.module.attrs<ops::ConstantAttrs>(inst).value
                                                             : nullptr;
  }
  bool expands = of.precedence == op::Precedence::Broadcast && view.rank(view.op(def).operands[0]) == 0;
  return expands ? ConstantBehind(view, view.op(def).operands[0]) : nullptr;
}

bool IsSameConstant(const View& view, int32_t v, int32_t other) {
  const tensor::Literal* a = ConstantBehind(view, v);
  const tensor::Literal* b =
      a == nullptr || view.value(v).type != view.value(other).type ? nullptr : ConstantBehind(view, other);
  if (b == nullptr || a->is_unknown() || b->is_unknown()) {
    return false;
  }
  // A scalar and a splat of it stand for the same array here.
  auto one_element = [](const tensor::Literal& l) { return l.is_splat() || l.dims().empty(); };
  return one_element(*a) && one_element(*b) ? a->dtype() == b->dtype() && a->raw() == b->raw() : *a == *b;
}

// Whether an op changes nothing, by its attributes: a reshape to the same dims, a slice of all, a pad of nothing.
bool IsIdentity(const ir::Module& module, const ir::Function& function, const ir::Inst& inst) {
  if (!MovesOneArray(function, inst, *module.tables)) {
    return false;
  }
  op::Precedence precedence = op::Def(inst.op).precedence;
  if (module.type(function, function.result(inst)).rank() == 0) {
    return precedence == op::Precedence::PassThrough || precedence == op::Precedence::Broadcast;
  }
  op::Rule rule = op::RuleOf(module, function, inst);
  return !rule.factors.empty() &&
         llvm::all_of(rule.factors, [](const op::Factor& f) { return f.kind == op::FactorKind::Map && !f.blocked; }) &&
         llvm::all_of(llvm::zip(rule.operands[0].dims, rule.results[0].dims),
                      [](auto dims) { return std::get<0>(dims) == std::get<1>(dims); });
}

// What a chain of reshapes that ends here starts from, if it has the same dims; likewise of transposes.
std::optional<ir::ValueId> UndoneAt(const ir::Module& module, const ir::Function& function, const ir::Inst& last) {
  const ir::MakeAttrs make = op::Def(last.op).make_attrs;
  bool transposes = make == ir::NewAttrs<ops::TransposeAttrs>;
  if (!transposes && make != ir::NewAttrs<ops::ReshapeAttrs>) {
    return std::nullopt;
  }
  tensor::Dims from;  // the dim that each dim of the result is there
  for (const ir::Inst* inst = &last; inst->op == last.op;) {
    ir::ValueId v = function.operands(*inst)[0];
    if (transposes) {
      const tensor::Dims& permutation = module.attrs<ops::TransposeAttrs>(*inst).permutation;
      from = from.empty() ? permutation : from;
      for (int64_t& d : from) {
        d = inst == &last ? d : permutation[static_cast<size_t>(d)];
      }
    }
    bool back = llvm::is_sorted(from) && function.values[v].type == function.values[function.result(last)].type;
    if (back) {
      return v;
    }
    if (!function.values[v].def.valid()) {
      break;
    }
    inst = &function.insts[function.values[v].def];
  }
  return std::nullopt;
}

}  // namespace

std::optional<ir::ValueId> SameAs(const ir::Module& module, const ir::Function& function, const ir::Inst& inst) {
  if (IsIdentity(module, function, inst)) {
    return function.operands(inst)[0];
  }
  return UndoneAt(module, function, inst);
}

void JoinGroupsOfEqualConstants(View& view) {
  llvm::SmallVector<int32_t, 4> groups;
  view.WalkPreOrder(view.entry, [&](int32_t o) {
    if (view.op(o).group >= 0 && ConstantBehind(view, view.op(o).operands[0]) != nullptr) {
      groups.push_back(o);
    }
  });
  for (int32_t group : groups) {
    int32_t grouped = view.op(group).operands[0];
    llvm::SmallVector<int32_t, 4> equal;
    for (int32_t o = view.region(view.op(group).region).first; o != kNone; o = view.op(o).next) {
      for (int32_t v : view.op(o).results) {
        if (v != grouped && view.op(o).func == view.op(group).func && IsSameConstant(view, grouped, v)) {
          equal.push_back(v);
        }
      }
    }
    for (int32_t v : equal) {
      ViewOp member = view.op(group);
      member.region = member.prev = member.next = kNone;
      member.operands.assign(&v, &v + 1);
      int32_t o = view.AddOp(std::move(member));
      view.InsertBefore(o, group);
      view.RegisterUses(o);
    }
  }
}

void ReplaceUnusedUsers(View& view) {
  for (ir::FuncId f : view.module.functions.ids()) {
    const std::vector<int32_t>& built = view.built.Get(f);
    if (built.empty()) {
      continue;
    }
    const ir::Function& function = view.module.functions[f];
    for (const ir::Inst& inst : function.insts) {
      if (inst.num_results == 0 || built[static_cast<size_t>(function.result(inst).index)] != kNone) {
        continue;
      }
      for (ir::ValueId v : function.operands(inst)) {
        int32_t used = built[static_cast<size_t>(v.index)];
        if (used != kNone && !view.value(used).uses.empty()) {
          auto& uses = view.value(used).uses;
          std::rotate(uses.begin(), uses.end() - 1, uses.end());
        }
      }
    }
  }
}

}  // namespace spmdc::propagate
