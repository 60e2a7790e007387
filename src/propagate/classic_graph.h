// The program as the classic propagation (GSPMD) walks it: computations one by one, each a list of places in post order.
//
// What a loop hands on is one state under several names: the result, the argument of the body and that of the condition.
// XLA has a tuple for these; here every element is a place of its own.
#pragma once

#include "op/op_def.h"
#include "propagate/graph.h"

namespace spmdc::propagate {

struct ClassicPlace {
  enum class Kind : uint8_t {
    Arg,     // number `index` of a region: `id` is the value
    Op,      // `id` is an op
    Carry,   // value `index` that a loop carries, seen from outside: `id` is the loop
    Choice,  // result `index` of a branching op
    Return,  // what a region returns at `index`: `id` is its return
  };
  Kind kind = Kind::Op;
  int32_t id = kNone;
  int32_t index = 0;
};

struct ClassicGraph {
  explicit ClassicGraph(View& v) : view(v), graph(v) {}

  View& view;
  // For the way back: tensors are the states below, nodes are the ops of the view.
  Graph graph;
  std::vector<ClassicPlace> places;
  // The first place of each computation, inner ones before those that call them; then the end.
  std::vector<int32_t> computations;
  std::vector<int32_t> place_of_op;     // the first of an op's places
  std::vector<int32_t> place_of_value;  // where a value comes from
  std::vector<op::Region> region_of_op;
  std::vector<const op::OpDef*> def_of_op;  // null: no instruction of the program
  std::vector<int32_t> rule_of_op;          // in graph.rules; kNone
  // States: one per value, then one per result of the entry. `leader` leads from a value to the one whose state it has.
  std::vector<int32_t> leader;
  std::vector<int32_t> next_alias;  // the next value with the same state, in a ring
  std::vector<mesh::ShardingId> states;
  std::vector<char> fixed;  // per state: given, not to be changed

  size_t num_values() const { return view.values.size(); }
  int32_t StateOfValue(int32_t v) const { return leader[static_cast<size_t>(v)]; }
  int32_t StateOfResult(size_t i) const { return static_cast<int32_t>(num_values() + i); }
  const mesh::Sharding* Find(int32_t state) const {
    mesh::ShardingId id = states[static_cast<size_t>(state)];
    return id.valid() ? &view.shardings[id] : nullptr;
  }
  // The state that is returned at `index`; kNone for the condition of a loop and for the body of a manual region.
  int32_t StateOfReturn(int32_t end, size_t index) const;
  // None also for bodies that are applied element by element.
  op::Region RegionOf(int32_t o) const { return region_of_op[static_cast<size_t>(o)]; }
  // What the states and origins became, under every name.
  void Spread();
};

ClassicGraph BuildClassicGraph(View& view);

}  // namespace spmdc::propagate
