// Places in post order, states, and which of them are given.
#include "propagate/classic_graph.h"

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "propagate/prepasses.h"
#include "propagate/rule_table.h"

namespace spmdc::propagate {

int32_t ClassicGraph::StateOfReturn(int32_t end, size_t index) const {
  const ViewRegion& region = view.region(view.op(end).region);
  if (region.op == kNone) {
    return StateOfResult(index);
  }
  const ViewOp& owner = view.op(region.op);
  switch (RegionOf(region.op)) {
    case op::Region::Loop:
      return view.op(end).region == owner.regions[0] ? kNone : StateOfValue(region.args[index]);
    case op::Region::Branch:
      return StateOfValue(owner.results[index]);
    default:
      return kNone;
  }
}

void ClassicGraph::Spread() {
  graph.tensors.resize(num_values());
  for (size_t v = 0; v < num_values(); ++v) {
    auto lead = static_cast<size_t>(leader[v]);
    graph.tensors[v].state = states[lead];
    if (lead != v) {
      graph.origins.Copy(lead, v);
    }
  }
  for (size_t i = 0; i < graph.results.size(); ++i) {
    graph.results[i].state = states[static_cast<size_t>(StateOfResult(i))];
  }
}

namespace {

class ClassicBuilder {
 public:
  explicit ClassicBuilder(ClassicGraph& g) : g_(g), view_(g.view), rules_(g.graph) {}

  void Run() {
    size_t values = view_.values.size(), results = view_.result_shardings.size();
    g_.leader.resize(values);
    g_.next_alias.resize(values);
    for (size_t v = 0; v < values; ++v) {
      g_.leader[v] = g_.next_alias[v] = static_cast<int32_t>(v);
    }
    g_.place_of_value.assign(values, kNone);
    g_.place_of_op.assign(view_.ops.size(), kNone);
    g_.rule_of_op.assign(view_.ops.size(), kNone);
    g_.states.resize(values + results);
    g_.fixed.assign(values + results, 0);
    g_.graph.origins.Resize(values + results);
    g_.graph.results.resize(results);
    for (const ViewOp& op : view_.ops) {
      g_.region_of_op.push_back(RegionOf(op));
      g_.def_of_op.push_back(op.kind == ViewOp::Kind::Inst ? &op::Def(view_.inst(op).op) : nullptr);
      Node& node = g_.graph.nodes.emplace_back();
      node.func = op.func;
      node.inst = op.inst;
    }
    AddComputation(view_.entry);
    g_.computations.push_back(static_cast<int32_t>(g_.places.size()));
    Annotate();
  }

 private:
  op::Region RegionOf(const ViewOp& op) const {
    op::Region region = op.kind == ViewOp::Kind::Inst ? op::Def(view_.inst(op).op).region : op::Region::None;
    return region == op::Region::Apply ? op::Region::None : region;
  }

  // Regions inside come first, so that places of one computation are next to each other.
  void AddComputation(int32_t region) {
    for (int32_t o = view_.region(region).first; o != kNone; o = view_.op(o).next) {
      for (int32_t inner : view_.op(o).regions) {
        AddComputation(inner);
      }
    }
    g_.computations.push_back(static_cast<int32_t>(g_.places.size()));
    const auto& args = view_.region(region).args;
    for (size_t i = 0; i < args.size(); ++i) {
      g_.place_of_value[static_cast<size_t>(args[i])] = Add(ClassicPlace::Kind::Arg, args[i], i);
    }
    for (int32_t o = view_.region(region).first; o != kNone; o = view_.op(o).next) {
      AddOp(o);
    }
  }

  int32_t Add(ClassicPlace::Kind kind, int32_t id, size_t index) {
    g_.places.push_back({kind, id, static_cast<int32_t>(index)});
    return static_cast<int32_t>(g_.places.size()) - 1;
  }

  void AddOp(int32_t o) {
    const ViewOp& op = view_.op(o);
    int32_t first = static_cast<int32_t>(g_.places.size());
    g_.place_of_op[static_cast<size_t>(o)] = first;
    op::Region region = g_.RegionOf(o);
    if (op.kind == ViewOp::Kind::Return) {
      for (size_t i = 0; i < op.operands.size(); ++i) {
        Add(ClassicPlace::Kind::Return, o, i);
      }
      return;
    }
    if (region == op::Region::Loop) {
      AddLoop(o);
      return;
    }
    bool branch = region == op::Region::Branch;
    if (!branch) {
      Add(ClassicPlace::Kind::Op, o, 0);
    }
    for (size_t i = 0; i < op.results.size(); ++i) {
      g_.place_of_value[static_cast<size_t>(op.results[i])] = branch ? Add(ClassicPlace::Kind::Choice, o, i) : first;
    }
    if (region == op::Region::None && op.kind == ViewOp::Kind::Inst) {
      // GSPMD does not know the rules that texts give.
      int32_t rule = rules_.AddInst(view_.module, view_.module.functions[op.func], view_.inst(op));
      bool custom = rule != kNone && g_.graph.rules[static_cast<size_t>(rule)].rule->custom;
      g_.rule_of_op[static_cast<size_t>(o)] = custom ? kNone : rule;
    }
  }

  void AddLoop(int32_t o) {
    const ViewOp& op = view_.op(o);
    for (size_t i = 0; i < op.operands.size(); ++i) {
      int32_t place = Add(ClassicPlace::Kind::Carry, o, i);
      int32_t lead = view_.region(op.regions[1]).args[i];
      Join(lead, view_.region(op.regions[0]).args[i]);
      if (i < op.results.size()) {
        g_.place_of_value[static_cast<size_t>(op.results[i])] = place;
        Join(lead, op.results[i]);
      }
    }
  }

  void Join(int32_t lead, int32_t v) {
    g_.leader[static_cast<size_t>(v)] = lead;
    std::swap(g_.next_alias[static_cast<size_t>(lead)], g_.next_alias[static_cast<size_t>(v)]);
  }

  // Blocks only: what may be refined is asked of the constraint.
  mesh::ShardingId Given(mesh::ShardingId id, llvm::ArrayRef<mesh::AxisRef> manual) const {
    mesh::Sharding s = view_.shardings[id];
    for (mesh::DimSharding& dim : s.dims) {
      dim.open = false;
      dim.priority = 0;
    }
    s.replicated.clear();
    s.unreduced.clear();
    s.unreduced_kind = mesh::Monoid::Sum;
    s.varying.assign(manual.begin(), manual.end());
    return view_.shardings.Intern(s);
  }

  void Give(int32_t state, mesh::ShardingId id, int32_t annotation, bool fixed, llvm::ArrayRef<mesh::AxisRef> manual) {
    mesh::ShardingId given = Given(id, manual);
    g_.states[static_cast<size_t>(state)] = given;
    g_.fixed[static_cast<size_t>(state)] = fixed;
    g_.graph.origins.Place(static_cast<size_t>(state), view_.shardings[given], annotation);
  }

  void Annotate() {
    AnnotateBoundary();
    for (const ClassicPlace& place : g_.places) {
      AnnotatePlace(place);
    }
    // An annotation holds for the value it annotates too, the last one first.
    for (const ClassicPlace& place : llvm::reverse(g_.places)) {
      if (place.kind == ClassicPlace::Kind::Op) {
        AnnotateOperands(place.id);
      }
    }
  }

  // Where anything of the boundary is free, all of it takes part; what was given is restored in the end.
  void AnnotateBoundary() {
    const auto& args = view_.region(view_.entry).args;
    bool free = llvm::any_of(args, [&](int32_t v) { return !view_.value(v).sharding.valid(); });
    for (int32_t v : args) {
      if (view_.value(v).sharding.valid()) {
        Give(v, view_.value(v).sharding, view_.value(v).annotation, !free,
             view_.shardings[view_.value(v).sharding].varying);
      }
    }
    bool some = llvm::any_of(view_.result_shardings, [](mesh::ShardingId id) { return id.valid(); });
    bool all = llvm::all_of(view_.result_shardings, [](mesh::ShardingId id) { return id.valid(); });
    const ViewOp& end = view_.op(view_.region(view_.entry).last);
    for (size_t i = 0; i < view_.result_shardings.size(); ++i) {
      g_.graph.results[i].tensor = view_.rank(end.operands[i]) == 0 ? kNone : end.operands[i];
      if (!some) {
        continue;
      }
      mesh::ShardingId id = view_.result_shardings[i];
      id = id.valid() ? id : view_.shardings.Intern(mesh::Replicated(view_.module.mesh, view_.rank(end.operands[i])));
      Give(g_.StateOfResult(i), id, view_.result_annotations[i], all, view_.shardings[id].varying);
    }
  }

  void AnnotatePlace(const ClassicPlace& place) {
    size_t index = static_cast<size_t>(place.index);
    switch (place.kind) {
      case ClassicPlace::Kind::Arg:
        if (view_.value(place.id).region != view_.entry) {
          int32_t owner = view_.region(view_.value(place.id).region).op;
          AnnotateValue(place.id, view_.op(view_.region(view_.op(owner).regions[0]).last).func);
        }
        return;
      case ClassicPlace::Kind::Op:
        AnnotateOp(place.id);
        return;
      case ClassicPlace::Kind::Carry:
      case ClassicPlace::Kind::Choice:
        if (index < view_.op(place.id).results.size()) {
          AnnotateValue(view_.op(place.id).results[index], view_.op(place.id).func);
        }
        return;
      case ClassicPlace::Kind::Return:
        return;
    }
  }

  void AnnotateValue(int32_t v, ir::FuncId in) {
    mesh::ShardingId given = view_.value(v).sharding;
    if (given.valid() && view_.rank(v) != 0) {
      const mesh::AxisList& varying = view_.shardings[given].varying;
      Give(g_.StateOfValue(v), given, view_.value(v).annotation, true,
           varying.empty() ? llvm::ArrayRef<mesh::AxisRef>(view_.module.functions[in].manual_axes)
                           : llvm::ArrayRef<mesh::AxisRef>(varying));
    }
  }

  void AnnotateOp(int32_t o) {
    const ViewOp& op = view_.op(o);
    for (int32_t v : op.results) {
      AnnotateValue(v, op.func);
    }
    if (g_.RegionOf(o) != op::Region::Manual) {
      return;
    }
    const ViewRegion& body = view_.region(op.regions[0]);
    const mesh::AxisList& inner = view_.module.functions[view_.op(body.last).func].manual_axes;
    for (size_t i = 0; i < body.args.size(); ++i) {
      mesh::Sharding outer = ManualOperandSharding(view_, o, i);
      outer = EraseManual(outer, inner);
      Give(g_.StateOfValue(body.args[i]), view_.shardings.Intern(outer), kNone, true, inner);
    }
  }

  void AnnotateOperands(int32_t o) {
    const ViewOp& op = view_.op(o);
    if (g_.RegionOf(o) == op::Region::Manual) {
      for (size_t i = 0; i < op.operands.size(); ++i) {
        AnnotateOperand(op.operands[i], view_.shardings.Intern(ManualOperandSharding(view_, o, i)), kNone, {});
      }
    }
    if (!op.constraint || view_.rank(op.operands[0]) == 0 ||
        llvm::any_of(view_.shardings[op.required].dims, [](const mesh::DimSharding& dim) { return dim.open; })) {
      return;
    }
    const mesh::Sharding* own = g_.Find(g_.StateOfValue(op.results[0]));
    AnnotateOperand(op.operands[0], op.required, op.annotation, own->varying);
  }

  void AnnotateOperand(int32_t v, mesh::ShardingId id, int32_t annotation, llvm::ArrayRef<mesh::AxisRef> manual) {
    int32_t state = g_.StateOfValue(v);
    if (!g_.states[static_cast<size_t>(state)].valid()) {
      // Arguments, of the entry and of loops, go on taking part.
      Give(state, id, annotation, view_.value(state).def != kNone, manual);
    }
  }

  ClassicGraph& g_;
  View& view_;
  RuleTable rules_;
};

}  // namespace

ClassicGraph BuildClassicGraph(View& view) {
  ClassicGraph graph(view);
  ClassicBuilder(graph).Run();
  return graph;
}

}  // namespace spmdc::propagate
