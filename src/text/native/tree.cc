// Walking, rebuilding and comparing pytrees.
#include "text/native/tree.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace spmdc::text::native {
namespace {

bool IsNode(const Value& v) { return v.is_sequence() || v.is(VK::Dict) || v.is(VK::None); }

// Keys that take longer to compare are nobody's.
constexpr int64_t kMaxKeyBytes = int64_t{1} << 20;
bool SameKey(const Value& a, const Value& b) { return Comparison(kMaxKeyBytes).Run(a, b); }

// The entries of a dict in the order of its keys.
std::vector<std::pair<Value, Value>> SortedEntries(const DictObj& dict) {
  std::vector<std::pair<Value, Value>> entries = dict.items;
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    if (a.first.is_int() && b.first.is_int()) {
      return a.first.as_int() < b.first.as_int();
    }
    return a.first.is(VK::Str) && b.first.is(VK::Str) ? Text(a.first) < Text(b.first) : Str(a.first) < Str(b.first);
  });
  return entries;
}

using Entries = std::vector<std::pair<Value, Value>>;

// Keys that one of two dicts has alone: `'b' is in the second only`; empty where the keys are the same.
std::string LoneKeys(const Entries& a, const Entries& b) {
  constexpr size_t kTold = 4;
  auto same = [](const auto& x, const auto& y) { return SameKey(x.first, y.first); };
  if (std::equal(a.begin(), a.end(), b.begin(), b.end(), same)) {
    return "";
  }
  auto keys = [](const Entries& entries) {
    llvm::StringSet<> set;
    for (const auto& [key, value] : entries) {
      set.insert(Repr(key));
    }
    return set;
  };
  llvm::StringSet<> of_a = keys(a), of_b = keys(b);
  std::vector<std::string> lone;
  auto add = [&](const Entries& entries, const llvm::StringSet<>& others, const char* where) {
    for (const auto& [key, value] : entries) {
      if (lone.size() < kTold && others.count(Repr(key)) == 0) {
        lone.push_back(Repr(key) + " is in the " + where + " only");
      }
    }
  };
  add(a, of_b, "first");
  add(b, of_a, "second");
  return lone.empty() ? "their keys are not equal" : llvm::join(lone, ", ");
}

Value MapNodes(Evaluator& ev, const Value& tree, const std::string& path, LeafFunction f, const Value& is_leaf) {
  if (!is_leaf.none()) {
    std::optional<bool> ends = ev.Truth(ev.CallFunction(is_leaf, tree));
    if (!ends || *ends) {
      return ends ? f(tree, path) : Value::Error();
    }
  }
  if (tree.is(VK::None)) {
    return tree;
  }
  if (tree.is_sequence()) {
    std::vector<Value> items;
    for (size_t i = 0; i < Items(tree).size(); ++i) {
      items.push_back(MapNodes(ev, Items(tree)[i], path + "[" + std::to_string(i) + "]", f, is_leaf));
      if (items.back().failed()) {
        return Value::Error();
      }
    }
    Value made = tree.is(VK::Tuple) ? ev.heap().Tuple(std::move(items)) : ev.heap().List(std::move(items));
    made.as<SeqObj>().fields = tree.as<SeqObj>().fields;
    made.as<SeqObj>().type_name = tree.as<SeqObj>().type_name;
    return made;
  }
  if (tree.is(VK::Dict)) {
    auto* dict = ev.heap().New<DictObj>();
    for (const auto& [key, value] : SortedEntries(tree.as<DictObj>())) {
      dict->items.push_back({key, MapNodes(ev, value, path + "[" + Repr(key) + "]", f, is_leaf)});
      if (dict->items.back().second.failed()) {
        return Value::Error();
      }
    }
    return Value::Object(VK::Dict, dict);
  }
  return f(tree, path);
}

void AddLeaves(const Value& tree, std::vector<Value>& out) {
  if (tree.is(VK::None)) {
    return;
  }
  if (tree.is_sequence()) {
    for (const Value& item : Items(tree)) {
      AddLeaves(item, out);
    }
  } else if (tree.is(VK::Dict)) {
    for (const auto& [key, value] : SortedEntries(tree.as<DictObj>())) {
      AddLeaves(value, out);
    }
  } else {
    out.push_back(tree);
  }
}

}  // namespace

Value MapTree(Evaluator& ev, const Value& tree, const std::string& path, LeafFunction f, const Value& is_leaf) {
  return ev.CheckBounded(tree) ? MapNodes(ev, tree, path, f, is_leaf) : Value::Error();
}

// A tree without end is one leaf, which is nothing that anybody takes.
void Leaves(const Value& tree, std::vector<Value>& out) {
  if (IsBounded(tree)) {
    AddLeaves(tree, out);
  } else {
    out.push_back(tree);
  }
}

Value Unflatten(Evaluator& ev, const Value& tree, llvm::ArrayRef<Value> leaves) {
  size_t next = 0;
  return MapTree(ev, tree, "", [&](const Value&, const std::string&) { return leaves[next++]; });
}

namespace {

bool SameNodes(const Value& a, const Value& b, std::string& why) {
  if (!IsNode(a) && !IsNode(b)) {
    return true;
  }
  if (a.kind != b.kind) {
    why = "a " + (IsNode(a) ? TypeName(a) : "leaf") + " against a " + (IsNode(b) ? TypeName(b) : "leaf");
    return false;
  }
  if (a.is(VK::None)) {
    return true;
  }
  if (a.is_sequence()) {
    if (Items(a).size() != Items(b).size()) {
      why = "a " + TypeName(a) + " of length " + std::to_string(Items(a).size()) + " against one of length " +
            std::to_string(Items(b).size());
      return false;
    }
    for (size_t i = 0; i < Items(a).size(); ++i) {
      if (!SameNodes(Items(a)[i], Items(b)[i], why)) {
        return false;
      }
    }
    return true;
  }
  auto x = SortedEntries(a.as<DictObj>()), y = SortedEntries(b.as<DictObj>());
  if (std::string lone = LoneKeys(x, y); !lone.empty()) {
    why = "dicts with different keys: " + lone;
    return false;
  }
  for (size_t i = 0; i < x.size(); ++i) {
    if (!SameNodes(x[i].second, y[i].second, why)) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool SameStructure(const Value& a, const Value& b, std::string& why) {
  if (!IsBounded(a) || !IsBounded(b)) {
    why = "a tree that contains itself, or is nested too deep";
    return false;
  }
  return SameNodes(a, b, why);
}

bool SpreadPrefix(Evaluator& ev, const Value& prefix, const Value& values, const std::string& what,
                  std::vector<Value>& out) {
  bool option = !prefix.given() || prefix.is(VK::None) || !IsNode(prefix);
  if (option) {
    std::vector<Value> leaves;
    Leaves(values, leaves);
    out.insert(out.end(), leaves.size(), prefix);
    return true;
  }
  auto fail = [&](const std::string& why) {
    return !ev.Fail(diag::Kind::TreeMismatch, what + " must be a tree prefix of the values they are for: " + why)
                .failed();
  };
  if (prefix.kind != values.kind) {
    return fail("there is a " + TypeName(prefix) + " where the values have a " +
                (IsNode(values) ? TypeName(values) : "leaf"));
  }
  if (prefix.is_sequence()) {
    if (Items(prefix).size() != Items(values).size()) {
      return fail("a " + TypeName(prefix) + " of length " + std::to_string(Items(prefix).size()) +
                  " stands for one of length " + std::to_string(Items(values).size()));
    }
    for (size_t i = 0; i < Items(prefix).size(); ++i) {
      if (!SpreadPrefix(ev, Items(prefix)[i], Items(values)[i], what, out)) {
        return false;
      }
    }
    return true;
  }
  auto x = SortedEntries(prefix.as<DictObj>()), y = SortedEntries(values.as<DictObj>());
  if (std::string lone = LoneKeys(x, y); !lone.empty()) {
    return fail("the dicts have different keys: " + lone);
  }
  for (size_t i = 0; i < x.size(); ++i) {
    if (!SpreadPrefix(ev, x[i].second, y[i].second, what, out)) {
      return false;
    }
  }
  return true;
}

}  // namespace spmdc::text::native
