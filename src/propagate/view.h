// The program as propagation sees it: one nested graph of ops and values that pre-passes may rewrite, and that maps back.
//
// Calls are nested regions, captured values are used directly, every use knows its op, so that values can be split per use
// and constraints moved without touching the program. Several view values may stand for one value of the program (copies
// of a constant), or none of it (edges). Op lists are linked, ids never move.
//
// Users of a value are visited newest first, as in the rewriter whose results these are: uses are kept oldest first, and
// moving uses to another value turns their order around.
#pragma once

#include "ir/module.h"
#include "llvm/ADT/DenseMap.h"
#include "mesh/sharding.h"
#include "op/rule.h"
#include "propagate/small_list.h"
#include "support/key_table.h"

namespace spmdc::propagate {

inline constexpr int32_t kNone = -1;

struct ViewUse {
  int32_t op = kNone;
  int32_t operand = 0;
};

struct ViewValue {
  ir::ValueRef ref;  // the value of the program; none for results of edges and added ops
  ir::TypeId type;
  int32_t def = kNone;  // the op; none for region arguments
  int32_t region = kNone;
  int32_t edge = kNone;       // the edge whose result decides for this value
  int32_t copy_of = kNone;    // the value this one was copied from, the first of them
  mesh::ShardingId sharding;  // in View::shardings; none where nothing is said
  int32_t annotation = kNone;
  SmallList<ViewUse> uses;  // oldest first
};

struct ViewRegion {
  int32_t op = kNone;  // none: the entry function
  int32_t first = kNone, last = kNone;
  llvm::SmallVector<int32_t, 4> args;
};

struct ViewOp {
  enum class Kind : uint8_t {
    Inst,   // an instruction of the program, or a copy of one
    Added,  // an elementwise identity of one operand, with a constraint
    Edge,  // what the sources of a value and its other names share: operand 0 is the value, the result its name from here on
    Return,  // of a region: operands are its results
  };
  Kind kind = Kind::Inst;
  bool wall = false;        // nothing propagates through it, whatever its rule says
  bool constraint = false;  // asks for the sharding `required`
  ir::FuncId func;
  ir::InstId inst;
  int32_t region = kNone;  // where it stands
  int32_t prev = kNone, next = kNone;
  mesh::ShardingId required;
  int32_t annotation = kNone;
  int32_t added_rule = kNone;  // in View::added_rules: used instead of the instruction's
  int32_t edge = kNone;        // in View::edges
  int64_t group = -1;          // puts its operand in this sharding group
  SmallList<int32_t> operands, results, regions;
};

// What an op of kind Edge has besides.
struct ViewEdge {
  llvm::SmallVector<ViewUse, 2> sources;  // the uses that feed it
  llvm::SmallVector<int32_t, 2> targets;  // values other than operand 0 that the result decides for
  int32_t manual = kNone;                 // in View::manual_edges
};

// An edge across the border of a manual region.
struct ManualEdge {
  mesh::AxisList manual;   // axes of the region, whole
  mesh::ShardingId outer;  // in or out sharding as the user wrote it, unused manual axes pinned
  bool into = true;        // from an operand into the region; else from the region to a result
};

// The rule of an op that propagation sees in another form than the program has.
struct AddedRule {
  op::Rule rule;
  op::Precedence precedence = op::Precedence::Default;
};

// The sharding without the manual axes: what the region's inside sees.
mesh::Sharding EraseManual(const mesh::Sharding& sharding, llvm::ArrayRef<mesh::AxisRef> manual);
// The outer sharding with the free axes of `inner` behind the manual ones.
mesh::Sharding AddManual(const mesh::Sharding& outer, const mesh::Sharding& inner,
                         llvm::ArrayRef<mesh::AxisRef> manual);

class View {
 public:
  explicit View(const ir::Module& m) : module(m) {}

  const ir::Module& module;
  mesh::ShardingTable shardings;  // of this propagation, without units; ids are not those of the program's table
  Store<ir::AnnotationId, ir::Annotation> annotations;
  std::vector<ViewValue> values;
  std::vector<ViewOp> ops;
  std::vector<ViewRegion> regions;
  std::vector<ViewEdge> edges;
  llvm::DenseMap<std::pair<int32_t, int32_t>, int32_t> feeds;  // op and operand to the edge that the operand feeds
  std::vector<ManualEdge> manual_edges;
  KeyTable added_forms;                      // of what the added rules map, numbered as they are
  std::vector<AddedRule> added_rules;        // each once
  std::vector<std::vector<int32_t>> groups;  // values that are to be sharded alike
  int32_t entry = kNone;                     // the entry's region
  // For each value of the program the value of the view it was built as; kNone where the entry does not reach it.
  IdMap<ir::FuncId, std::vector<int32_t>> built;
  // Where each result of the entry is wanted; none where nothing is said.
  std::vector<mesh::ShardingId> result_shardings;
  std::vector<int32_t> result_annotations;

  ViewOp& op(int32_t i) { return ops[static_cast<size_t>(i)]; }
  const ViewOp& op(int32_t i) const { return ops[static_cast<size_t>(i)]; }
  ViewValue& value(int32_t i) { return values[static_cast<size_t>(i)]; }
  const ViewValue& value(int32_t i) const { return values[static_cast<size_t>(i)]; }
  ViewRegion& region(int32_t i) { return regions[static_cast<size_t>(i)]; }
  const ViewRegion& region(int32_t i) const { return regions[static_cast<size_t>(i)]; }

  size_t rank(int32_t v) const { return module.tables->types[value(v).type].rank(); }
  const ir::Inst& inst(const ViewOp& o) const { return module.functions[o.func].insts[o.inst]; }
  // The sharding a value has: its edge's, if an edge decides for it.
  mesh::ShardingId ShardingOf(int32_t v) const { return value(Decider(v)).sharding; }
  ViewEdge& edge(int32_t o) { return edges[static_cast<size_t>(op(o).edge)]; }
  const ViewEdge& edge(int32_t o) const { return edges[static_cast<size_t>(op(o).edge)]; }
  // The edge (an op) that a use feeds; kNone where it feeds none.
  int32_t FedBy(const ViewUse& use) const {
    auto it = feeds.empty() ? feeds.end() : feeds.find({use.op, use.operand});
    return it == feeds.end() ? kNone : it->second;
  }
  // The value that carries v's sharding: the result of its edge, or v itself.
  int32_t Decider(int32_t v) const { return value(v).edge == kNone ? v : op(value(v).edge).results[0]; }

  int32_t AddValue(ViewValue v);
  int32_t AddRegion(int32_t owner);
  // A new op that stands nowhere yet, with no uses registered.
  int32_t AddOp(ViewOp o);
  // Puts an op at the end of a region, in front of an op, behind a value's definition (or at the region's front).
  void Append(int32_t region, int32_t o);
  void InsertBefore(int32_t o, int32_t before);
  void InsertAfterValue(int32_t o, int32_t v);
  void Unlink(int32_t o);
  // Registers the uses of an op's operands, in order.
  void RegisterUses(int32_t o);
  // Forgets the uses of an op's operands.
  void DropUses(int32_t o);
  // Moves uses of one value to another; all that `replace` names.
  void ReplaceUses(int32_t from, int32_t to, llvm::function_ref<bool(const ViewUse&)> replace);

  // SetOperand and Erase leave stale uses behind, so that changing many users of one value costs no more than the users.
  // IsLive tells them; whoever is done calls DropStaleUses.
  void SetOperand(int32_t o, int32_t operand, int32_t v);
  // Removes an op with all that is nested in it.
  void Erase(int32_t o);
  bool IsLive(const ViewUse& use, int32_t v) const;
  bool IsUsed(int32_t v) const;
  void DropStaleUses();
  bool IsErased(int32_t o) const { return op(o).region == kNone; }
  // Whether what makes a value was erased.
  bool IsGone(int32_t v) const;
  int32_t Annotate(std::string from, source::Span span);

  // Calls f(op) for all ops under a region: parents first, or nested ops first. Ops that f puts behind its own are not
  // visited.
  void WalkPreOrder(int32_t region, llvm::function_ref<void(int32_t)> f) const;
  void WalkPostOrder(int32_t region, llvm::function_ref<void(int32_t)> f) const;

 private:
  std::vector<int32_t> stale_;  // values with stale uses
};

}  // namespace spmdc::propagate
