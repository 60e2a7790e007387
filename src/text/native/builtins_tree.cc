// jax.tree and jax.tree_util: trees taken apart, put together and mapped.
#include "llvm/ADT/STLExtras.h"
#include "text/native/tree.h"

namespace spmdc::text::native {
namespace {

// A tree and its leaves, of which `is_leaf` may say more.
struct Flat {
  std::vector<Value> leaves;
  Value places;  // the tree with the places of its leaves
};

std::optional<Flat> Flatten(Evaluator& ev, const Value& tree, const Value& is_leaf) {
  Flat flat;
  flat.places = MapTree(
      ev, tree, "",
      [&](const Value& leaf, const std::string&) {
        flat.leaves.push_back(leaf);
        return Value::Tagged(VK::TreeDef, 0);
      },
      is_leaf);
  return flat.places.failed() ? std::nullopt : std::optional<Flat>(std::move(flat));
}

Value TreeDef(Evaluator& ev, const Value& places) {
  auto* def = ev.heap().New<TreeDefObj>();
  def->tree = places;
  return Value::Object(VK::TreeDef, def);
}

// What another tree has at the places of a tree that is its beginning.
bool FlattenUpTo(Evaluator& ev, const char* name, const Value& places, const Value& tree, std::vector<Value>& out) {
  if (places.is(VK::TreeDef)) {
    out.push_back(tree);
    return true;
  }
  auto fail = [&](const std::string& why) {
    return !ev.Fail(diag::Kind::TreeMismatch, std::string("the trees given to ") + name + "() differ: " + why).failed();
  };
  if (places.kind != tree.kind) {
    bool node = tree.is_sequence() || tree.is(VK::Dict) || tree.is(VK::None);
    return fail("a " + TypeName(places) + " against a " + (node ? TypeName(tree) : "leaf"));
  }
  if (places.is_sequence()) {
    if (Items(places).size() != Items(tree).size()) {
      return fail("a " + TypeName(places) + " of length " + std::to_string(Items(places).size()) +
                  " against one of length " + std::to_string(Items(tree).size()));
    }
    for (size_t i = 0; i < Items(places).size(); ++i) {
      if (!FlattenUpTo(ev, name, Items(places)[i], Items(tree)[i], out)) {
        return false;
      }
    }
    return true;
  }
  if (places.is(VK::Dict)) {
    const auto &x = places.as<DictObj>().items, &y = tree.as<DictObj>().items;
    for (const auto& [key, place] : x) {
      const auto* found = ev.FindEntry(y, key);
      if (found == nullptr || x.size() != y.size()) {
        return !ev.has_failed() && fail("dicts with different keys");
      }
      if (!FlattenUpTo(ev, name, place, found->second, out)) {
        return false;
      }
    }
    return x.size() == y.size() || fail("dicts with different keys");
  }
  return true;
}

// jax.tree.map(f, tree, *rest)
Value Map(Call& c) {
  Value v[4];
  if (!c.Bind("f, tree, *rest, is_leaf=", v)) {
    return Value::Error();
  }
  std::optional<Flat> flat = Flatten(c.ev, v[1], v[3]);
  std::vector<std::vector<Value>> rest;
  for (const Value& other : flat ? Items(v[2]) : std::vector<Value>()) {
    rest.emplace_back();
    if (!c.ev.CheckBounded(other) || !FlattenUpTo(c.ev, "tree.map", flat->places, other, rest.back())) {
      return Value::Error();
    }
  }
  size_t i = 0;
  return !flat ? Value::Error() : MapTree(c.ev, flat->places, "", [&](const Value&, const std::string&) {
    llvm::SmallVector<Value, 4> args{flat->leaves[i]};
    for (const auto& column : rest) {
      args.push_back(column[i]);
    }
    ++i;
    return c.ev.CallFunction(v[0], args);
  });
}

enum class Part : int64_t { Leaves, Structure, Both };

// jax.tree.leaves, structure and flatten: (tree, is_leaf=None)
Value PartsOf(Call& c) {
  Value v[2];
  std::optional<Flat> flat;
  if (!c.Bind("tree, is_leaf=", v) || !(flat = Flatten(c.ev, v[0], v[1]))) {
    return Value::Error();
  }
  auto part = static_cast<Part>(c.builtin.data);
  if (part == Part::Structure) {
    return TreeDef(c.ev, flat->places);
  }
  Value leaves = c.ev.heap().List(std::move(flat->leaves));
  return part == Part::Leaves ? leaves : c.ev.heap().Tuple({leaves, TreeDef(c.ev, flat->places)});
}

// jax.tree.unflatten(treedef, leaves), and treedef.unflatten(leaves)
Value UnflattenTree(Call& c) {
  Value v[2];
  std::vector<Value> leaves, places;
  if (!c.Bind("treedef, leaves", v)) {
    return Value::Error();
  }
  if (!v[0].is(VK::TreeDef)) {
    return c.ev.TypeError("unflatten() needs what tree.structure() gives, got " + TypeName(v[0]));
  }
  const Value& tree = v[0].as<TreeDefObj>().tree;
  if (!c.ev.Iterate(v[1], leaves)) {
    return Value::Error();
  }
  Leaves(tree, places);
  if (places.size() != leaves.size()) {
    return c.ev.Fail(diag::Kind::TreeMismatch, "the tree has " + Counted(static_cast<int64_t>(places.size()), "leaf") +
                                                   " of its own, and unflatten() got " + std::to_string(leaves.size()) +
                                                   ": " + Repr(v[0]));
  }
  return Unflatten(c.ev, tree, leaves);
}

// treedef.flatten_up_to(tree)
Value FlattenUpToMethod(Call& c) {
  Value v[2];
  std::vector<Value> out;
  return c.Bind("self, tree", v) && c.ev.CheckBounded(v[1]) &&
                 FlattenUpTo(c.ev, "flatten_up_to", v[0].as<TreeDefObj>().tree, v[1], out)
             ? c.ev.heap().List(std::move(out))
             : Value::Error();
}

constexpr int64_t DataOfPart(Part part) { return static_cast<int64_t>(part); }

const Builtin kTreeTable[] = {
    {kTree, "map", Map},
    {kTreeUtil, "tree_map", Map},
    {kJax, "tree_map", Map},
    {kTree, "leaves", PartsOf, DataOfPart(Part::Leaves)},
    {kTreeUtil, "tree_leaves", PartsOf, DataOfPart(Part::Leaves)},
    {kTree, "structure", PartsOf, DataOfPart(Part::Structure)},
    {kTreeUtil, "tree_structure", PartsOf, DataOfPart(Part::Structure)},
    {kTree, "flatten", PartsOf, DataOfPart(Part::Both)},
    {kTreeUtil, "tree_flatten", PartsOf, DataOfPart(Part::Both)},
    {kTree, "unflatten", UnflattenTree},
    {kTreeUtil, "tree_unflatten", UnflattenTree},
};

const Builtin kTreeDefMethods[] = {{0, "unflatten", UnflattenTree}, {0, "flatten_up_to", FlattenUpToMethod}};

}  // namespace

Value TreeDefAttr(Evaluator& ev, const Value& v, llvm::StringRef name) {
  if (name == "num_leaves") {
    std::vector<Value> places;
    Leaves(v.as<TreeDefObj>().tree, places);
    return Value::Int(static_cast<int64_t>(places.size()));
  }
  for (const Builtin& builtin : kTreeDefMethods) {
    if (name == builtin.name) {
      auto* method = ev.heap().New<MethodObj>();
      method->self = v;
      method->builtin = &builtin;
      return Value::Object(VK::Method, method);
    }
  }
  return Value();
}

llvm::ArrayRef<Builtin> TreeBuiltins() { return kTreeTable; }

}  // namespace spmdc::text::native
