// Collectives over manual axes, and what a device knows of its place.
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "ops/collective.h"
#include "ops/gather.h"
#include "ops/sharding.h"
#include "text/native/evaluator.h"
#include "text/native/numpy.h"
#include "text/native/sharding_api.h"
#include "text/native/tracer.h"
#include "text/native/tree.h"
#include "text/native/varying.h"

namespace spmdc::text::native {
namespace {

using ir::OpKind;

// The manual axes that a collective names.
bool AxesOf(Evaluator& ev, const Value& v, mesh::AxisList& axes) {
  std::vector<Value> names{v};
  if (v.is_sequence()) {
    names = Items(v);
  }
  const Trace& trace = ev.tracer().current();
  for (const Value& name : names) {
    std::optional<std::string> text = ev.ToStr(name, "an axis name");
    if (!text) {
      return false;
    }
    std::optional<int32_t> axis = trace.manual_mesh != nullptr ? trace.manual_mesh->mesh.FindAxis(*text) : std::nullopt;
    const mesh::AxisList& manual = trace.module->functions[trace.function].manual_axes;
    bool bound = axis && llvm::any_of(manual, [&](const mesh::AxisRef& ref) { return ref.axis == *axis; });
    if (!bound) {
      std::vector<std::string> known;
      for (size_t i = 0; trace.manual_mesh != nullptr && i < manual.size(); ++i) {
        known.push_back(mesh::ToString(trace.manual_mesh->mesh, manual[i]));
      }
      std::string there = known.empty() ? "collectives over mesh axes stand inside shard_map"
                                        : "the manual axes here are '" + llvm::join(known, "', '") + "'";
      std::string nearest = DidYouMean(*text, std::move(known));
      return !ev.Fail(diag::Kind::UnboundAxis, "'" + *text + "' is not a manual axis here",
                      nearest.empty() ? there : nearest)
                  .failed();
    }
    axes.push_back({*axis, 1, trace.manual_mesh->mesh.axes[static_cast<size_t>(*axis)].size});
  }
  return true;
}

// Who exchanges: all along some axes, or those that `axis_index_groups` puts together.
struct Among {
  mesh::AxisList axes;
  std::vector<tensor::Dims> groups;  // empty: all

  int64_t size() const { return groups.empty() ? mesh::Product(axes) : static_cast<int64_t>(groups[0].size()); }
};

// Groups of the numbers that members have along the axes.
bool ReadIndexGroups(Evaluator& ev, const Value& v, Among& among) {
  std::vector<Value> lists;
  if (v.none()) {
    return true;
  }
  if (!ev.Iterate(v, lists)) {
    return false;
  }
  std::vector<bool> seen(static_cast<size_t>(mesh::Product(among.axes)));
  size_t members = 0;
  bool once = !lists.empty();
  for (const Value& list : lists) {
    tensor::Dims numbers;
    if (!ev.ToInts(list, "an index group", numbers)) {
      return false;
    }
    once &= !numbers.empty();
    for (int64_t member : numbers) {
      once = once && member >= 0 && member < static_cast<int64_t>(seen.size()) && !seen[static_cast<size_t>(member)];
      if (once) {
        seen[static_cast<size_t>(member)] = true;
        ++members;
      }
    }
    among.groups.push_back(std::move(numbers));
  }
  return (once && members == seen.size()) ||
         !ev.Fail(diag::Kind::Collective, "axis_index_groups must cover all indices exactly once, 0 to " +
                                              std::to_string(seen.size() - 1) + " here")
              .failed();
}

bool AmongOf(Evaluator& ev, const Value& axis_name, const Value& index_groups, Among& among) {
  return AxesOf(ev, axis_name, among.axes) && ReadIndexGroups(ev, index_groups, among);
}

// The place in the mesh of member `to` of the group that a place belongs to.
int64_t PlaceOfMember(const mesh::Mesh& mesh, const mesh::AxisList& axes, int64_t place, int64_t to) {
  for (const mesh::AxisRef& ref : llvm::reverse(axes)) {
    place += (to % ref.size - mesh::Coordinate(mesh, ref, place)) * mesh::PositionStride(mesh, ref);
    to /= ref.size;
  }
  return place;
}

// With index groups: lists of devices, and still the axes along which they exchange, which is what types go by.
op::Groups GroupsOf(Evaluator& ev, const Among& among) {
  const mesh::Mesh& mesh = ev.tracer().current().manual_mesh->mesh;
  op::Groups groups;
  groups.mesh = ev.tracer().tables().meshes.Intern(mesh);
  groups.axes = among.axes;
  for (int64_t place = 0; place < mesh.size() && !among.groups.empty(); ++place) {
    if (mesh::Coordinate(mesh, among.axes, place) != 0) {
      continue;
    }
    for (const tensor::Dims& members : among.groups) {
      groups.lists.emplace_back();
      for (int64_t member : members) {
        groups.lists.back().push_back(mesh.DeviceAt(PlaceOfMember(mesh, among.axes, place, member)));
      }
    }
  }
  return groups;
}

mesh::AxisList VaryingAxes(Evaluator& ev, const ir::Type& type) {
  return type.sharding.valid() ? ev.tracer().tables().shardings[type.sharding].varying : mesh::AxisList();
}

// A collective that moves blocks as they are makes no sense where they are all the same.
bool VariesOver(Call& c, const Value& x, const mesh::AxisList& axes) {
  const ir::Type& type = TypeOfArray(x);
  return !c.ev.tracer().current().checks_varying ||
         mesh::Intersect(axes, VaryingAxes(c.ev, type)).size() == axes.size() ||
         !c.ev.Fail(diag::Kind::VaryingMismatch,
                    std::string(c.builtin.name) + ": a value of type " + ShowType(c.ev, type) +
                        " does not vary over all of these axes",
                    "make it vary by pcast(x, axes, to='varying')")
              .failed();
}

// How a value stands to its counterparts along axes: "varying", "unreduced", "reduced" or "invarying"; "" where axes differ.
llvm::StringRef StateOf(Evaluator& ev, const ir::Type& type, const mesh::AxisList& axes) {
  mesh::Sharding s = type.sharding.valid() ? ev.tracer().tables().shardings[type.sharding] : mesh::Sharding();
  llvm::StringRef state;
  for (size_t i = 0; i < axes.size(); ++i) {
    llvm::StringRef own = llvm::is_contained(s.varying, axes[i])     ? "varying"
                          : llvm::is_contained(s.unreduced, axes[i]) ? "unreduced"
                          : llvm::is_contained(s.reduced, axes[i])   ? "reduced"
                                                                     : "invarying";
    if (i > 0 && own != state) {
      return "";
    }
    state = own;
  }
  return state;
}

// What sums over axes take: terms of a sum as values that vary, which is what they are on the devices.
Value TermsAsVarying(Evaluator& ev, const Value& x, const mesh::AxisList& axes) {
  if (x.failed() || StateOf(ev, TypeOfArray(x), axes) != "unreduced") {
    return x;
  }
  mesh::Sharding s = ev.tracer().tables().shardings[TypeOfArray(x).sharding];
  s.unreduced = mesh::Subtract(s.unreduced, axes);
  s.varying.append(axes.begin(), axes.end());
  s.varying = mesh::AsSet(s.varying);
  return Restated(ev, x, s);
}

// JAX's sums go over axes of one state: all that the value varies over, or none of them.
bool SumsOneState(Call& c, const Value& x, const mesh::AxisList& axes) {
  const ir::Type& type = TypeOfArray(x);
  if (!c.ev.tracer().current().checks_varying) {
    return true;
  }
  llvm::StringRef state = StateOf(c.ev, type, axes);
  return state == "invarying" || state == "varying" || axes.empty() ||
         !c.ev.Fail(diag::Kind::VaryingMismatch,
                    std::string(c.builtin.name) + ": a value of type " + ShowType(c.ev, type) +
                        (state.empty() ? " varies over some of these axes and not over others"
                                       : " is " + state.str() + " over these axes"),
                    "sum over the axes it varies over, or make it vary over all by pcast(x, axes, to='varying')")
              .failed();
}

// psum 0, pmax 1, pmin 2, pmean 3.
Value AllReduce(Call& c) {
  Value v[3];
  Among among;
  if (!c.Bind("x, axis_name, *, axis_index_groups=", v) || !AmongOf(c.ev, v[1], v[2], among)) {
    return Value::Error();
  }
  static const mesh::Monoid kMonoids[] = {mesh::Monoid::Sum, mesh::Monoid::Max, mesh::Monoid::Min, mesh::Monoid::Sum};
  mesh::Monoid monoid = kMonoids[c.builtin.data];
  int64_t size = among.size();
  return MapTree(c.ev, v[0], "", [&](const Value& leaf, const std::string&) {
    if (leaf.is_number()) {  // a static number is the same everywhere
      return c.builtin.data == 0 ? c.ev.Binary(Operator::Mul, leaf, Value::Int(size)) : leaf;
    }
    Value x = ToArray(c.ev, leaf);
    // A sum takes terms; other collectives take what varies, and may take equal copies for that.
    bool sums = monoid == mesh::Monoid::Sum;
    llvm::StringRef state = x.failed() ? "" : StateOf(c.ev, TypeOfArray(x), among.axes);
    x = sums                                         ? TermsAsVarying(c.ev, x, among.axes)
        : state == "unreduced" || state == "reduced" ? Vary(c.ev, x, among.axes)
                                                     : x;
    if (x.failed()) {
      return x;
    }
    if (monoid == mesh::Monoid::Sum && !SumsOneState(c, x, among.axes)) {
      return Value::Error();
    }
    // What members of a group sum differs from group to group, which types have no word for.
    if (monoid == mesh::Monoid::Sum && !among.groups.empty() && c.ev.tracer().current().checks_varying) {
      return c.ev.NotBuilt(std::string(c.builtin.name) + " with axis_index_groups under check_vma");
    }
    if (TypeOfArray(x).dtype == tensor::DType::Pred && monoid == mesh::Monoid::Sum) {
      x = Convert(c.ev, x, tensor::DType::S32);
    }
    ops::CollectiveAttrs attrs;
    attrs.groups = GroupsOf(c.ev, among);
    ir::FuncId body = c.ev.tracer().MonoidBody(monoid, TypeOfArray(x).dtype);
    Value r = c.ev.tracer().Emit(OpKind::AllReduce, x, c.ev.tracer().Attrs(std::move(attrs)), false, {}, body);
    return c.builtin.data == 3 ? c.ev.Binary(Operator::Div, r, Value::Int(size)) : r;
  });
}

// What can be gathered to reduced copies varies over some of the axes, which JAX wants to see in its type.
Value GatherableToReduced(Call& c, const Value& x, const mesh::AxisList& axes) {
  if (x.failed()) {
    return x;
  }
  const ir::Type& type = TypeOfArray(x);
  bool reduced = type.sharding.valid() && mesh::Overlaps(c.ev.tracer().tables().shardings[type.sharding].reduced, axes);
  bool varies = !mesh::Intersect(VaryingAxes(c.ev, type), axes).empty();
  return varies && !reduced
             ? x
             : c.ev.Fail(diag::Kind::VaryingMismatch,
                         "all_gather to='reduced' takes values that vary over these axes, not one of type " +
                             ShowType(c.ev, type),
                         reduced ? "" : "pcast(x, axes, to='reduced') makes reduced copies of equal ones");
}

// The type of equal copies that members have gathered, where the program says so: reduced, or invarying.
mesh::ShardingId TypeOfGathered(Evaluator& ev, const Value& x, const mesh::AxisList& axes, llvm::StringRef to) {
  if (!ev.tracer().current().checks_varying) {
    return {};
  }
  auto& shardings = ev.tracer().tables().shardings;
  mesh::Sharding s = shardings[TypeOfArray(x).sharding];
  s.varying = mesh::Subtract(s.varying, axes);
  if (to == "reduced") {
    s.reduced.append(axes.begin(), axes.end());
    s.reduced = mesh::AsSet(s.reduced);
  }
  return shardings.Intern(s);
}

Value AllGather(Call& c) {
  Value v[6];
  Among among;
  bool tiled = false;
  if (!c.Bind("x, axis_name, *, axis_index_groups=, axis=, tiled=, to=", v) || !AmongOf(c.ev, v[1], v[2], among) ||
      !c.ev.ToBool(v[4], "tiled", false, tiled)) {
    return Value::Error();
  }
  std::string to = !v[5].given() ? "varying" : v[5].is(VK::Str) ? Text(v[5]) : "";
  if (to != "varying" && to != "invarying" && to != "reduced") {
    return c.ev.Fail(diag::Kind::Arguments,
                     "`to` of all_gather is 'varying', 'invarying' or 'reduced', got " + Repr(v[5]));
  }
  if (to != "varying" && !among.groups.empty()) {
    return c.ev.NotBuilt("to='" + to + "' of all_gather with axis_index_groups");
  }
  return MapTree(c.ev, v[0], "", [&](const Value& leaf, const std::string&) {
    Value x = ToArray(c.ev, leaf);
    x = to == "reduced" ? GatherableToReduced(c, x, among.axes) : Vary(c.ev, x, among.axes);
    if (x.failed()) {
      return x;
    }

    std::optional<int64_t> dim =
        c.ev.ToAxis(v[3].given() ? v[3] : Value::Int(0), TypeOfArray(x).rank() + (tiled ? 0 : 1));
    if (!dim) {
      return Value::Error();
    }
    if (!tiled) {
      x = c.ev.CallFunction(c.ev.FindIn(kJnp, "expand_dims"), {x, Value::Int(*dim)});
    }
    ops::CollectiveAttrs attrs;
    attrs.groups = GroupsOf(c.ev, among);
    attrs.dim = *dim;
    if (x.failed()) {
      return x;
    }
    mesh::ShardingId typed = to == "varying" ? mesh::ShardingId() : TypeOfGathered(c.ev, x, among.axes, to);
    return c.ev.tracer().Emit(OpKind::AllGather, x, c.ev.tracer().Attrs(std::move(attrs)), false, typed);
  });
}

Value PsumScatter(Call& c) {
  Value v[5];
  Among among;
  bool tiled = false;
  if (!c.Bind("x, axis_name, *, scatter_dimension=, axis_index_groups=, tiled=", v) ||
      !AmongOf(c.ev, v[1], v[3], among) || !c.ev.ToBool(v[4], "tiled", false, tiled)) {
    return Value::Error();
  }
  int64_t size = among.size();
  return MapTree(c.ev, v[0], "", [&](const Value& leaf, const std::string&) {
    Value x = TermsAsVarying(c.ev, ToArray(c.ev, leaf), among.axes);
    if (x.failed() || !SumsOneState(c, x, among.axes)) {
      return Value::Error();
    }
    x = Vary(c.ev, x, among.axes);
    std::optional<int64_t> dim =
        x.failed() ? std::nullopt : c.ev.ToAxis(v[2].given() ? v[2] : Value::Int(0), TypeOfArray(x).rank());
    if (!dim) {
      return Value::Error();
    }
    int64_t have = TypeOfArray(x).dims[static_cast<size_t>(*dim)];
    if (!tiled && have != size) {
      return c.ev.Fail(diag::Kind::Collective, "psum_scatter: the scatter dimension has size " + std::to_string(have) +
                                                   " and must match the axes' size " + std::to_string(size));
    }
    ops::CollectiveAttrs attrs;
    attrs.groups = GroupsOf(c.ev, among);
    attrs.dim = *dim;
    ir::FuncId body = c.ev.tracer().MonoidBody(mesh::Monoid::Sum, TypeOfArray(x).dtype);
    Value r = c.ev.tracer().Emit(OpKind::ReduceScatter, x, c.ev.tracer().Attrs(std::move(attrs)), false, {}, body);
    return tiled || r.failed() ? r : c.ev.CallFunction(c.ev.FindIn(kJnp, "squeeze"), {r, Value::Int(*dim)});
  });
}

Value AllToAllLeaf(Evaluator& ev, Value x, const Among& among, int64_t split, int64_t concat, bool tiled) {
  int64_t size = among.size();
  const ir::Type type = TypeOfArray(x);
  auto rank = static_cast<int64_t>(type.rank());
  if (split < 0 || split >= rank || concat < 0 || concat >= rank) {
    return ev.Fail(diag::Kind::Collective, "all_to_all: split_axis " + std::to_string(split) + " and concat_axis " +
                                               std::to_string(concat) + " must be dims of " + ShowType(ev, type));
  }
  int64_t have = type.dims[static_cast<size_t>(split)];
  if (tiled ? have % size != 0 : have != size) {
    return ev.Fail(diag::Kind::Collective, "all_to_all: the size of split_axis (" + std::to_string(have) + ") " +
                                               (tiled ? "has to be divisible by" : "has to match") +
                                               " the size of the axes (" + std::to_string(size) + ")");
  }
  bool reshapes = !tiled && split != concat;
  if (reshapes) {
    (concat < split ? split : concat) += 1;
    x = ev.CallFunction(ev.FindIn(kJnp, "expand_dims"), {x, Value::Int(concat)});
  }
  ops::CollectiveAttrs attrs;
  attrs.groups = GroupsOf(ev, among);
  attrs.dim = split;
  attrs.concat_dim = concat;
  Value r = x.failed() ? x : ev.tracer().Emit(OpKind::AllToAll, x, ev.tracer().Attrs(std::move(attrs)));
  return reshapes && !r.failed() ? ev.CallFunction(ev.FindIn(kJnp, "squeeze"), {r, Value::Int(split)}) : r;
}

Value AllToAllOfTree(Evaluator& ev, const Value& tree, const Among& among, int64_t split, int64_t concat, bool tiled) {
  return MapTree(ev, tree, "", [&](const Value& leaf, const std::string&) {
    Value x = Vary(ev, ToArray(ev, leaf), among.axes);
    if (x.failed()) {
      return x;
    }
    auto rank = static_cast<int64_t>(TypeOfArray(x).rank());
    return AllToAllLeaf(ev, x, among, split < 0 ? split + rank : split, concat < 0 ? concat + rank : concat, tiled);
  });
}

Value AllToAll(Call& c) {
  Value v[6];
  Among among;
  bool tiled = false;
  if (!c.Bind("x, axis_name, split_axis, concat_axis, *, axis_index_groups=, tiled=", v) ||
      !AmongOf(c.ev, v[1], v[4], among) || !c.ev.ToBool(v[5], "tiled", false, tiled)) {
    return Value::Error();
  }
  std::optional<int64_t> split = c.ev.ToInt(v[2], "split_axis"), concat = c.ev.ToInt(v[3], "concat_axis");
  return split && concat ? AllToAllOfTree(c.ev, v[0], among, *split, *concat, tiled) : Value::Error();
}

// pswapaxes(x, axis_name, axis): a dim of the blocks and the axis of the mesh change places.
Value Pswapaxes(Call& c) {
  Value v[4];
  Among among;
  if (!c.Bind("x, axis_name, axis, *, axis_index_groups=", v) || !AmongOf(c.ev, v[1], v[3], among)) {
    return Value::Error();
  }
  std::optional<int64_t> dim = c.ev.ToInt(v[2], "axis");
  return dim ? AllToAllOfTree(c.ev, v[0], among, *dim, *dim, /*tiled=*/false) : Value::Error();
}

// pbroadcast(x, axis_name, source): what member `source` has, everywhere.
Value Pbroadcast(Call& c) {
  Value v[3];
  Among among;
  if (!c.Bind("x, axis_name, source", v) || !AxesOf(c.ev, v[1], among.axes)) {
    return Value::Error();
  }
  std::optional<int64_t> source = c.ev.ToInt(v[2], "source");
  if (!source) {
    return Value::Error();
  }
  if (*source < 0 || *source >= among.size()) {
    return c.ev.Fail(diag::Kind::Collective, "pbroadcast: there is no member " + std::to_string(*source) + " among " +
                                                 std::to_string(among.size()));
  }
  return MapTree(c.ev, v[0], "", [&](const Value& leaf, const std::string&) {
    Value x = ToArray(c.ev, leaf);
    if (x.failed() || !VariesOver(c, x, among.axes)) {
      return Value::Error();
    }
    Value blocks = c.ev.CallFunction(c.ev.FindIn(kLax, "all_gather"), {x, v[1]});
    return blocks.failed() ? blocks : c.ev.GetItem(blocks, Value::Int(*source));
  });
}

// ppermute(x, axis, [(source, target), ...]); pshuffle (1): perm[i] is where member i gets its value from.
Value Ppermute(Call& c) {
  Value v[3];
  mesh::AxisList axes;
  std::vector<Value> given;
  if (!c.Bind("x, axis_name, perm", v) || !AxesOf(c.ev, v[1], axes) || !c.ev.Iterate(v[2], given)) {
    return Value::Error();
  }
  // Members are numbered in the order of the mesh, whatever the order of the axes' names.
  llvm::sort(axes, [](const mesh::AxisRef& a, const mesh::AxisRef& b) { return a.axis < b.axis; });
  int64_t size = mesh::Product(axes);
  std::vector<std::pair<int64_t, int64_t>> pairs;
  std::vector<bool> sends(static_cast<size_t>(size)), receives(static_cast<size_t>(size));
  for (size_t i = 0; i < given.size(); ++i) {
    tensor::Dims two;
    if (!c.ev.ToInts(given[i], "a pair of ppermute", two)) {
      return Value::Error();
    }
    if (c.builtin.data == 1) {
      two.push_back(static_cast<int64_t>(i));
    }
    bool good = two.size() == 2 && two[0] >= 0 && two[0] < size && two[1] >= 0 && two[1] < size;
    if (!good || sends[static_cast<size_t>(two[0])] || receives[static_cast<size_t>(two[1])]) {
      return c.ev.Fail(diag::Kind::Collective, "ppermute: the pairs must name members 0 to " +
                                                   std::to_string(size - 1) +
                                                   ", each at most once as source and once as target");
    }
    sends[static_cast<size_t>(two[0])] = receives[static_cast<size_t>(two[1])] = true;
    pairs.push_back({two[0], two[1]});
  }
  // The devices that stand for member k of each group.
  const mesh::Mesh& mesh = c.ev.tracer().current().manual_mesh->mesh;
  ops::PermuteAttrs attrs;
  for (int64_t position = 0; position < mesh.size(); ++position) {
    int64_t member = mesh::Coordinate(mesh, axes, position);
    for (const auto& [from, to] : pairs) {
      if (from != member) {
        continue;
      }
      int64_t target = PlaceOfMember(mesh, axes, position, to);
      attrs.pairs.push_back({mesh.DeviceAt(position), mesh.DeviceAt(target)});
    }
  }
  return MapTree(c.ev, v[0], "", [&](const Value& leaf, const std::string&) {
    Value x = Vary(c.ev, ToArray(c.ev, leaf), axes);
    return x.failed() ? x : c.ev.tracer().Emit(OpKind::CollectivePermute, x, c.ev.tracer().Attrs(attrs));
  });
}

// The number of this device along the axes: a table looked up by device number, or arithmetic where the order is plain.
Value AxisIndex(Call& c) {
  Value v[1];
  mesh::AxisList axes;
  if (!c.Bind("axis_name", v) || !AxesOf(c.ev, v[0], axes)) {
    return Value::Error();
  }
  const mesh::Mesh& mesh = c.ev.tracer().current().manual_mesh->mesh;
  mesh::Sharding s = mesh::Replicated(c.ev.tracer().tables().meshes.Intern(mesh), 0);
  if (c.ev.tracer().current().checks_varying) {
    s.varying = mesh::AsSet(axes);
  }
  Value id = c.ev.tracer().Emit(OpKind::PartitionId, {}, {}, false, c.ev.tracer().tables().shardings.Intern(s));
  id = id.failed() ? id : Convert(c.ev, id, tensor::DType::S32);
  if (id.failed()) {
    return id;
  }
  auto number = [&](int64_t n) { return c.ev.tracer().Constant(tensor::Literal::Integer(tensor::DType::S32, {}, n)); };
  if (!mesh.device_ids.empty()) {
    int64_t most = *std::max_element(mesh.device_ids.begin(), mesh.device_ids.end());
    tensor::Literal table(tensor::DType::S32, {most + 1});
    for (int64_t p = 0; p < mesh.size(); ++p) {
      table.SetInt(mesh.DeviceAt(p), mesh::Coordinate(mesh, axes, p));
    }
    ops::DynamicSliceAttrs attrs;
    attrs.sizes = {1};
    Value entry = c.ev.tracer().Emit(OpKind::DynamicSlice, {c.ev.tracer().Constant(std::move(table)), id},
                                     c.ev.tracer().Attrs(std::move(attrs)));
    return Reshape(c.ev, entry, {});
  }
  Value total;
  for (const mesh::AxisRef& ref : axes) {
    Value digit = c.ev.tracer().Emit(OpKind::Divide, {id, number(mesh::PositionStride(mesh, ref))});
    digit = digit.failed() ? digit : c.ev.tracer().Emit(OpKind::Remainder, {digit, number(ref.size)});
    if (total.given() && !digit.failed()) {
      total = c.ev.tracer().Emit(OpKind::Multiply, {total, number(ref.size)});
      digit = total.failed() ? total : c.ev.tracer().Emit(OpKind::Add, {total, digit});
    }
    if (digit.failed()) {
      return digit;
    }
    total = digit;
  }
  return total;
}

Value AxisSize(Call& c) {
  Value v[1];
  mesh::AxisList axes;
  return c.Bind("axis_name", v) && AxesOf(c.ev, v[0], axes) ? Value::Int(mesh::Product(axes)) : Value::Error();
}

// One leaf of pcast. Equal copies may be taken as values that vary or as reduced ones, what varies as terms of a sum.
Value CastLeaf(Evaluator& ev, const Value& x, const mesh::AxisList& axes, llvm::StringRef to) {
  if (x.failed() || axes.empty()) {
    return x;
  }
  const ir::Type& type = TypeOfArray(x);
  llvm::StringRef from = StateOf(ev, type, axes);
  bool known = (from == "invarying" && to != "unreduced") || (from == "varying" && to == "unreduced") ||
               (from == "reduced" && to == "varying");
  if (!known) {
    return ev.Fail(
        diag::Kind::VaryingMismatch,
        from.empty() ? "pcast: a value of type " + ShowType(ev, type) + " is not alike along all of these axes"
                     : "pcast cannot make a value of type " + ShowType(ev, type) + ", which is " + from.str() +
                           " over these axes, " + to.str(),
        "pcast leads from invarying to varying or reduced, from varying to unreduced, from reduced to varying");
  }
  if (from == "invarying" && to == "varying") {
    return Vary(ev, x, axes);
  }
  if (!ev.tracer().current().checks_varying) {
    return x;
  }
  mesh::MeshId mesh = ev.tracer().tables().meshes.Intern(ev.tracer().current().manual_mesh->mesh);
  mesh::Sharding s =
      type.sharding.valid() ? ev.tracer().tables().shardings[type.sharding] : mesh::Replicated(mesh, type.rank());
  for (mesh::AxisList* set : {&s.varying, &s.unreduced, &s.reduced}) {
    *set = mesh::Subtract(*set, axes);
  }
  mesh::AxisList& joined = to == "varying" ? s.varying : to == "unreduced" ? s.unreduced : s.reduced;
  joined.append(axes.begin(), axes.end());
  joined = mesh::AsSet(joined);
  return Restated(ev, x, s);
}

// pcast(x, axes, to='varying'|'unreduced'|'reduced'): the type says how the value stands along the axes; nothing moves.
Value Pcast(Call& c) {
  Value v[3];
  mesh::AxisList axes;
  if (!c.Bind("x, axis_name, *, to", v) || !AxesOf(c.ev, v[1], axes)) {
    return Value::Error();
  }
  std::string to = v[2].is(VK::Str) ? Text(v[2]) : "";
  if (to != "varying" && to != "unreduced" && to != "reduced") {
    return c.ev.TypeError("to= of pcast must be 'varying', 'unreduced' or 'reduced', got " + Repr(v[2]));
  }
  return MapTree(c.ev, v[0], "",
                 [&](const Value& leaf, const std::string&) { return CastLeaf(c.ev, ToArray(c.ev, leaf), axes, to); });
}

// pvary(x, axes), which JAX has given up.
Value Pvary(Call& c) {
  return c.ev.Fail(diag::Kind::Attribute, "jax.lax.pvary is no more", "write pcast(x, axes, to='varying')");
}

const Builtin kCollectiveTable[] = {
    {kLax | kBare, "psum", AllReduce, 0},     {kLax | kBare, "pmax", AllReduce, 1},
    {kLax | kBare, "pmin", AllReduce, 2},     {kLax | kBare, "pmean", AllReduce, 3},
    {kLax | kBare, "all_gather", AllGather},  {kLax | kBare, "psum_scatter", PsumScatter},
    {kLax | kBare, "all_to_all", AllToAll},   {kLax | kBare, "ppermute", Ppermute, 0},
    {kLax | kBare, "pshuffle", Ppermute, 1},  {kLax | kBare, "axis_index", AxisIndex},
    {kLax | kBare, "axis_size", AxisSize},    {kLax | kBare | kJax, "pcast", Pcast},
    {kLax | kBare, "pvary", Pvary},           {kLax | kBare, "pswapaxes", Pswapaxes},
    {kLax | kBare, "pbroadcast", Pbroadcast},
};

}  // namespace

llvm::ArrayRef<Builtin> CollectiveBuiltins() { return kCollectiveTable; }

}  // namespace spmdc::text::native
