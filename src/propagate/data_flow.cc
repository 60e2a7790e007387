// Edges, one for each value that several places feed or that has several names.
#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "ops/control.h"
#include "propagate/prepasses.h"

namespace spmdc::propagate {
namespace {

const ops::ManualComputationAttrs& ManualAttrs(const View& view, int32_t o) {
  return view.module.attrs<ops::ManualComputationAttrs>(view.inst(view.op(o)));
}

mesh::AxisList WholeAxes(llvm::ArrayRef<mesh::AxisRef> manual) { return mesh::DropUnits(manual); }

// Manual axes that the sharding does not name hold copies: pinned, so that nothing takes them.
mesh::Sharding PinUnused(const View& view, mesh::ShardingId id, const ops::ManualComputationAttrs& attrs) {
  mesh::Sharding sharding = mesh::DropUnits(view.module.tables->shardings[id]);
  mesh::AxisList used = mesh::UsedAxes(sharding);
  mesh::AxisList pinned = sharding.replicated;
  for (mesh::AxisRef axis : WholeAxes(attrs.manual_axes)) {
    if (!mesh::Overlaps(axis, used)) {
      pinned.push_back(axis);
    }
  }
  sharding.replicated = mesh::AsSet(pinned);
  return sharding;
}

class EdgeAdder {
 public:
  explicit EdgeAdder(View& view) : view_(view) {}

  void Visit(int32_t o) {
    if (view_.op(o).kind != ViewOp::Kind::Inst) {
      return;
    }
    const op::OpDef& def = op::Def(view_.inst(view_.op(o)).op);
    switch (def.region) {
      case op::Region::Apply:
        return;
      case op::Region::None:
        if (def.data_flow) {
          ForResults(o, [&](size_t i) { Feed(o, i); });
        }
        return;
      case op::Region::Loop:
        ForResults(o, [&](size_t i) {
          Feed(o, i);
          Feed(End(o, 1), i);
          Target(view_.region(view_.op(o).regions[0]).args[i]);
          Target(view_.region(view_.op(o).regions[1]).args[i]);
        });
        return;
      case op::Region::Branch:
        ForResults(o, [&](size_t i) {
          for (size_t r = 0; r < view_.op(o).regions.size(); ++r) {
            Feed(End(o, r), i);
          }
        });
        return;
      case op::Region::Call:
        ForResults(o, [&](size_t i) { Feed(End(o, 0), i); });
        ForArgs(o, [&](size_t i) { Feed(o, i); });
        return;
      case op::Region::Manual:
        ForResults(o, [&](size_t i) {
          Feed(End(o, 0), i);
          Manual(o, ManualResultSharding(view_, o, i), false);
        });
        ForArgs(o, [&](size_t i) {
          Feed(o, i);
          Manual(o, ManualOperandSharding(view_, o, i), true);
        });
        return;
    }
  }

 private:
  int32_t End(int32_t o, size_t region) const { return view_.region(view_.op(o).regions[region]).last; }

  // Last first: each edge is put right behind its value, and they shall stand in order.
  void ForResults(int32_t o, llvm::function_ref<void(size_t)> connect) {
    for (size_t i = view_.op(o).results.size(); i-- > 0;) {
      if (view_.rank(view_.op(o).results[i]) != 0) {
        NewEdge(view_.op(o).results[i]);
        connect(i);
      }
    }
  }

  void ForArgs(int32_t o, llvm::function_ref<void(size_t)> connect) {
    int32_t region = view_.op(o).regions[0];
    for (size_t i = view_.region(region).args.size(); i-- > 0;) {
      int32_t arg = view_.region(region).args[i];
      if (view_.rank(arg) != 0) {
        NewEdge(arg);
        connect(i);
      }
    }
  }

  void NewEdge(int32_t owner) {
    ViewOp edge;
    edge.kind = ViewOp::Kind::Edge;
    int32_t def = view_.value(owner).def;
    const ViewOp& source = view_.op(def != kNone ? def : view_.region(view_.value(owner).region).op);
    edge.func = source.func;
    edge.inst = source.inst;
    edge.operands.push_back(owner);
    edge.edge = static_cast<int32_t>(view_.edges.size());
    view_.edges.emplace_back();
    edge_ = view_.AddOp(std::move(edge));
    view_.InsertAfterValue(edge_, owner);
    ViewValue result;
    result.type = view_.value(owner).type;
    result.def = edge_;
    result.sharding = view_.value(owner).sharding;
    result.annotation = view_.value(owner).annotation;
    int32_t v = view_.AddValue(std::move(result));
    view_.op(edge_).results.push_back(v);
    view_.ReplaceUses(owner, v, [](const ViewUse&) { return true; });
    view_.RegisterUses(edge_);
    view_.value(owner).edge = edge_;
  }

  void Feed(int32_t o, size_t operand) {
    ViewUse use = {o, static_cast<int32_t>(operand)};
    view_.edge(edge_).sources.push_back(use);
    view_.feeds[{use.op, use.operand}] = edge_;
  }

  void Target(int32_t v) {
    view_.edge(edge_).targets.push_back(v);
    view_.value(v).edge = edge_;
  }

  void Manual(int32_t o, const mesh::Sharding& outer, bool into) {
    ManualEdge manual;
    manual.manual = WholeAxes(ManualAttrs(view_, o).manual_axes);
    manual.outer = view_.shardings.Intern(outer);
    manual.into = into;
    const ViewOp& edge = view_.op(edge_);
    ViewValue& result = view_.value(edge.results[0]);
    result.sharding = into ? view_.shardings.Intern(EraseManual(outer, manual.manual)) : manual.outer;
    if (into) {
      const ir::Function& f = view_.module.functions[edge.func];
      const ir::Inst& inst = f.insts[edge.inst];
      std::string name = inst.num_results == 0 ? "" : f.values[f.result(inst)].name;
      result.annotation = view_.Annotate(
          "manual " + name + " in " + std::to_string(view_.edge(edge_).sources.back().operand), inst.span);
    }
    view_.edge(edge_).manual = static_cast<int32_t>(view_.manual_edges.size());
    view_.manual_edges.push_back(std::move(manual));
  }

  View& view_;
  int32_t edge_ = kNone;  // the last one made
};

}  // namespace

mesh::Sharding ManualOperandSharding(const View& view, int32_t o, size_t i) {
  const ops::ManualComputationAttrs& attrs = ManualAttrs(view, o);
  // Captured operands come first or last in the program and are no operands of the view's op.
  llvm::SmallVector<mesh::ShardingId, 4> given;
  const ir::Function& f = view.module.functions[view.op(o).func];
  const ir::Function& body = view.module.functions[f.bodies(view.inst(view.op(o)))[0]];
  for (size_t k = 0; k < attrs.in_shardings.size(); ++k) {
    if (!body.arg_info[k].captured) {
      given.push_back(attrs.in_shardings[k]);
    }
  }
  return PinUnused(view, given[i], attrs);
}

mesh::Sharding ManualResultSharding(const View& view, int32_t o, size_t i) {
  const ops::ManualComputationAttrs& attrs = ManualAttrs(view, o);
  return PinUnused(view, attrs.out_shardings[i], attrs);
}

void AddEdges(View& view) {
  EdgeAdder adder(view);
  view.WalkPostOrder(view.entry, [&](int32_t o) { adder.Visit(o); });
}

}  // namespace spmdc::propagate
