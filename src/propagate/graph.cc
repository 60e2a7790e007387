// From the view to flat arrays.
#include "propagate/graph.h"

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "propagate/barrier.h"
#include "propagate/rule_table.h"

namespace spmdc::propagate {

bool IsPassThrough(const op::Rule& rule, size_t factor) {
  switch (rule.factors[factor].kind) {
    case op::FactorKind::Map:
    case op::FactorKind::New:
      return true;
    case op::FactorKind::Index:
      return !rule.factors[factor].blocked &&
             llvm::any_of(rule.results, [&](const auto& t) { return t.has(static_cast<int32_t>(factor)); });
    case op::FactorKind::Reduce:
    case op::FactorKind::Window:
    case op::FactorKind::Piece:
    case op::FactorKind::Whole:
    case op::FactorKind::Scan:
      return false;
  }
  return false;
}

namespace {

class GraphBuilder {
 public:
  explicit GraphBuilder(Graph& graph) : graph_(graph), view_(graph.view), rules_(graph) {}

  void Run() {
    node_of_.assign(view_.ops.size(), kNone);
    Reserve();
    view_.WalkPreOrder(view_.entry, [&](int32_t o) { AddNode(o); });
    graph_.tensors.resize(view_.values.size());
    graph_.origins.Resize(view_.values.size() + view_.result_shardings.size());
    for (size_t v = 0; v < view_.values.size(); ++v) {
      if (view_.values[v].edge == kNone) {
        AddTensor(static_cast<int32_t>(v));
      }
    }
    for (size_t g = 0; g < view_.groups.size(); ++g) {
      for (int32_t v : view_.groups[g]) {
        graph_.tensors[static_cast<size_t>(v)].group = static_cast<int32_t>(g);
      }
    }
    AddEntryResults();
  }

 private:
  const ir::Type& type(int32_t v) const { return view_.module.tables->types[view_.value(v).type]; }

  void Reserve() {
    size_t operands = 0;
    for (const ViewOp& op : view_.ops) {
      operands += op.operands.size();
    }
    graph_.nodes.reserve(view_.ops.size());
    graph_.node_tensors.reserve(operands + view_.values.size());
    graph_.waiting.reserve(operands + view_.values.size());
  }

  void AddNode(int32_t o) {
    const ViewOp& op = view_.op(o);
    Node node;
    node.func = op.func;
    node.inst = op.inst;
    llvm::SmallVector<int32_t, 4> operands(op.operands.begin(), op.operands.end());
    switch (op.kind) {
      case ViewOp::Kind::Return:
        return;
      case ViewOp::Kind::Edge:
        operands.clear();
        for (const ViewUse& use : view_.edge(o).sources) {
          operands.push_back(view_.op(use.op).operands[static_cast<size_t>(use.operand)]);
        }
        node.precedence = op::Precedence::PassThrough;
        node.manual = view_.edge(o).manual;
        node.into_argument = view_.value(op.operands[0]).def == kNone;
        node.rule = rules_.AddIdentity(type(op.results[0]).dims, operands.size());
        break;
      case ViewOp::Kind::Added:
        if (op.added_rule == kNone) {
          node.precedence = op::Precedence::PassThrough;
          node.elementwise = true;
          node.rule = rules_.AddIdentity(type(op.results[0]).dims, 1);
        } else {
          UseAddedRule(op, node);
        }
        break;
      case ViewOp::Kind::Inst:
        if (!DescribeInst(op, node)) {
          return;
        }
        break;
    }
    if (node.rule == kNone) {
      return;
    }
    node.shared_operand = op.kind != ViewOp::Kind::Edge && HasSharedOperand(op);
    Connect(o, node, operands);
  }

  bool DescribeInst(const ViewOp& op, Node& node) {
    const ir::Inst& inst = view_.inst(op);
    const op::OpDef& def = op::Def(inst.op);
    bool has_dims = llvm::any_of(op.operands, [&](int32_t v) { return view_.rank(v) != 0; });
    if (op.wall || def.data_flow || !has_dims) {
      return false;
    }
    if (op.added_rule != kNone) {
      UseAddedRule(op, node);
      return true;
    }
    node.precedence = def.precedence;
    node.elementwise = def.elementwise;
    node.rule = rules_.AddInst(view_.module, view_.module.functions[op.func], inst);
    if (node.rule != kNone && graph_.rules[static_cast<size_t>(node.rule)].rule->custom) {
      node.precedence = op::Precedence::Default;
      node.elementwise = false;
    }
    if (std::optional<Direction> allowed = BarrierOf(view_.module, inst)) {
      node.barrier = true;
      node.allowed = *allowed;
    }
    return node.rule != kNone;
  }

  void UseAddedRule(const ViewOp& op, Node& node) {
    auto number = static_cast<size_t>(op.added_rule);
    const AddedRule& added = view_.added_rules[number];
    node.precedence = added.precedence;
    rule_of_added_.resize(view_.added_rules.size());
    if (!rule_of_added_[number]) {
      rule_of_added_[number] = rules_.Add(std::make_unique<op::Rule>(added.rule));
    }
    node.rule = *rule_of_added_[number];
  }

  bool HasSharedOperand(const ViewOp& op) const {
    return llvm::any_of(op.operands, [&](int32_t v) { return view_.rank(v) != 0 && view_.value(v).uses.size() != 1; });
  }

  void Connect(int32_t o, Node node, llvm::ArrayRef<int32_t> operands) {
    const ViewOp& op = view_.op(o);
    node.first_tensor = static_cast<uint32_t>(graph_.node_tensors.size());
    node.num_operands = static_cast<uint16_t>(operands.size());
    node.num_results = static_cast<uint16_t>(op.results.size());
    for (int32_t v : operands) {
      graph_.node_tensors.push_back(view_.rank(v) == 0 ? kNone : view_.Decider(v));
    }
    for (int32_t v : op.results) {
      graph_.node_tensors.push_back(view_.rank(v) == 0 ? kNone : v);
    }
    node_of_[static_cast<size_t>(o)] = static_cast<int32_t>(graph_.nodes.size());
    graph_.nodes.push_back(node);
  }

  // The nodes that look again when v changes, in the order in which they are told.
  void AddTensor(int32_t v) {
    const ViewValue& value = view_.value(v);
    Tensor& tensor = graph_.tensors[static_cast<size_t>(v)];
    tensor.first_waiting = static_cast<uint32_t>(graph_.waiting.size());
    if (value.def != kNone) {
      if (view_.op(value.def).edge != kNone) {
        for (int32_t target : view_.edge(value.def).targets) {
          AddUsers(target);
        }
      }
      Wait(node_of_[static_cast<size_t>(value.def)]);
    }
    AddUsers(v);
    tensor.num_waiting = static_cast<uint32_t>(graph_.waiting.size()) - tensor.first_waiting;
    tensor.state = value.sharding;
    if (value.sharding.valid()) {
      graph_.origins.Place(static_cast<size_t>(v), view_.shardings[value.sharding], value.annotation);
    }
  }

  void AddUsers(int32_t v) {
    for (const ViewUse& use : llvm::reverse(view_.value(v).uses)) {
      int32_t edge = view_.FedBy(use);
      Wait(node_of_[static_cast<size_t>(edge == kNone ? use.op : edge)]);
    }
  }

  void Wait(int32_t node) {
    if (node != kNone) {
      graph_.waiting.push_back(node);
    }
  }

  void AddEntryResults() {
    const ViewOp& end = view_.op(view_.region(view_.entry).last);
    for (size_t i = 0; i < end.operands.size(); ++i) {
      EntryResult result;
      result.state = view_.result_shardings[i];
      int32_t v = end.operands[i];
      if (view_.rank(v) != 0) {
        result.tensor = view_.Decider(v);
        result.rule = rules_.AddIdentity(type(v).dims, 1);
        if (result.state.valid()) {
          graph_.origins.Place(view_.values.size() + i, view_.shardings[result.state], view_.result_annotations[i]);
        }
      }
      graph_.results.push_back(result);
    }
  }

  Graph& graph_;
  View& view_;
  RuleTable rules_;
  std::vector<std::optional<int32_t>> rule_of_added_;  // by the place in View::added_rules
  std::vector<int32_t> node_of_;                       // per op of the view
};

}  // namespace

Graph BuildGraph(View& view) {
  Graph graph(view);
  GraphBuilder(graph).Run();
  return graph;
}

}  // namespace spmdc::propagate
