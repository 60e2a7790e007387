// shard_map, auto_axes, explicit_axes: regions in which some mesh axes have another type.
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "ops/control.h"
#include "ops/sharding.h"
#include "text/native/body.h"
#include "text/native/device_uses.h"
#include "text/native/evaluator.h"
#include "text/native/keys.h"
#include "text/native/numpy.h"
#include "text/native/placement.h"
#include "text/native/sharding_api.h"
#include "text/native/tracer.h"
#include "text/native/tree.h"
#include "text/native/varying.h"

namespace spmdc::text::native {
namespace {

Value AsPartial(Call& c) {
  auto* partial = c.ev.heap().New<PartialObj>();
  partial->function = Value::Of(VK::Builtin);
  partial->function.builtin = &c.builtin;
  for (const auto& [name, value] : c.kwargs) {
    partial->kwargs.push_back({name.str(), value});
  }
  return Value::Object(VK::Partial, partial);
}

// What a decorated function is called with: the builtin `run` with the options in front.
Value Deferred(Call& c, const Builtin* run, std::vector<Value> options) {
  auto* partial = c.ev.heap().New<PartialObj>();
  partial->function = Value::Of(VK::Builtin);
  partial->function.builtin = run;
  partial->args = {c.ev.heap().Tuple(std::move(options))};
  return Value::Object(VK::Partial, partial);
}

bool Names(Evaluator& ev, const Value& v, const char* what, std::vector<std::string>& out) {
  std::vector<Value> items{v};
  if (!v.is(VK::Str)) {
    items.clear();
    if (!ev.Iterate(v, items)) {
      return false;
    }
  }
  for (const Value& item : items) {
    std::optional<std::string> name = ev.ToStr(item, what);
    if (!name) {
      return false;
    }
    out.push_back(*name);
  }
  return true;
}

struct ManualMap {
  Value f, in_specs, out_specs;
  MeshObj* mesh = nullptr;
  mesh::AxisList manual;
  bool check = true;
};

diag::Kind kSpecs = diag::Kind::ShardMapSpecs;

bool ReadManualOptions(Evaluator& ev, const std::vector<Value>& v, ManualMap& m) {
  m.f = v[0];
  m.out_specs = v[1];
  m.in_specs = v[2];
  m.mesh = v[3].is(VK::Mesh) ? &v[3].as<MeshObj>() : ev.tracer().context_mesh();
  if (m.mesh == nullptr || m.mesh->mesh.axes.empty()) {
    return !ev.Fail(diag::Kind::NoMesh, "shard_map needs a mesh, and none is set", "pass mesh=, or use set_mesh(mesh)")
                .failed();
  }
  if (!ev.ToBool(v[5], "check_vma", true, m.check)) {
    return false;
  }
  std::vector<std::string> names;
  if (!v[4].none() && !Names(ev, v[4], "axis_names", names)) {
    return false;
  }
  const mesh::Mesh& mesh = m.mesh->mesh;
  for (const std::string& name : names) {
    if (!mesh.FindAxis(name)) {
      return !ev.Fail(kSpecs,
                      "shard_map: axis_names has '" + name + "', which is no axis of the mesh " + MeshText(*m.mesh))
                  .failed();
    }
  }
  for (size_t i = 0; i < mesh.axes.size(); ++i) {
    bool wanted =
        names.empty() ? mesh.axes[i].type != mesh::AxisType::Manual : llvm::is_contained(names, mesh.axes[i].name);
    if (wanted) {
      m.manual.push_back({static_cast<int32_t>(i), 1, mesh.axes[i].size});
    }
  }
  return true;
}

// A spec of in_specs or out_specs for a value. One that uses an axis twice is refused late, as JAX refuses it when it makes
// a sharding of it: until then blocks are cut as often as the axis is named.
struct RegionSpec {
  mesh::Sharding sharding;  // each axis where it is named first
  tensor::Dims parts;       // per dim
  std::string twice;        // an axis that is used twice, or empty
};

// The spec with each axis only where it is named first; fills `parts` and `twice`.
mesh::PartitionSpec NamedOnce(const ManualMap& m, mesh::PartitionSpec spec, RegionSpec& out) {
  std::vector<std::string> seen;
  for (size_t d = 0; d < spec.entries.size(); ++d) {
    std::vector<std::string> kept;
    for (const std::string& name : spec.entries[d].axes) {
      std::optional<int32_t> axis = m.mesh->mesh.FindAxis(name);
      out.parts[d] *= axis ? m.mesh->mesh.axes[static_cast<size_t>(*axis)].size : 1;
      if (llvm::is_contained(seen, name)) {
        out.twice = name;
      } else {
        kept.push_back(name);
        seen.push_back(name);
      }
    }
    spec.entries[d].axes.assign(kept.begin(), kept.end());
  }
  return spec;
}

std::string TwiceText(const RegionSpec& spec, const Value& v, const std::string& what) {
  return "shard_map: " + what + " " + Repr(v) + " uses the axis '" + spec.twice + "' twice";
}

// A spec over the manual axes, for a value of this rank.
bool ReadSpec(Evaluator& ev, const ManualMap& m, const Value& v, size_t rank, const std::string& what,
              RegionSpec& out) {
  Value spec = v.is(VK::Sharding) ? ev.heap().Spec(v.as<ShardingObj>().spec) : v;
  if (!spec.is(VK::Spec)) {
    return !ev.Fail(kSpecs, "shard_map: " + what + " must be PartitionSpecs, got " + Repr(v)).failed();
  }
  const mesh::PartitionSpec& s = spec.as<SpecObj>().spec;
  auto manual = [&](const std::string& name) {
    std::optional<int32_t> axis = m.mesh->mesh.FindAxis(name);
    return axis && llvm::any_of(m.manual, [&](const mesh::AxisRef& ref) { return ref.axis == *axis; });
  };
  for (const mesh::SpecEntry& entry : s.entries) {
    for (const std::string& name : entry.axes) {
      if (!manual(name)) {
        std::vector<std::string> known;
        for (const mesh::AxisRef& ref : m.manual) {
          known.push_back(mesh::ToString(m.mesh->mesh, ref));
        }
        std::string there = "the manual axes are '" + llvm::join(known, "', '") + "'";
        std::string nearest = DidYouMean(name, std::move(known));
        return !ev.Fail(kSpecs,
                        "shard_map: " + what + " refers to '" + name + "' in " + mesh::ToString(s) +
                            ", which is no manual axis",
                        nearest.empty() ? there : nearest)
                    .failed();
      }
    }
  }
  if (s.entries.size() > rank) {
    return !ev.Fail(kSpecs, "shard_map: the entry " + mesh::ToString(s) + " of " + what +
                                " is too long for a value of rank " + std::to_string(rank))
                .failed();
  }
  out.parts.assign(rank, 1);
  auto made = mesh::MakeSharding(m.mesh->mesh, {}, NamedOnce(m, s, out), std::nullopt);
  if (const auto* error = std::get_if<mesh::SpecError>(&made)) {
    return !ev.Fail(error->kind, "shard_map: " + what + ": " + error->message, error->help).failed();
  }
  out.sharding = std::get<mesh::Sharding>(made);
  out.sharding.dims.resize(rank);
  MeshObj* base = m.mesh->base != nullptr ? m.mesh->base : m.mesh;
  out.sharding.mesh = ev.tracer().tables().meshes.Intern(base->mesh);
  return true;
}

bool AllManual(const ManualMap& m) { return m.manual.size() == m.mesh->mesh.axes.size(); }

// Whether JAX compares in_specs with the arguments' types: where all axes are Explicit and become manual.
bool ComparesSpecs(const ManualMap& m) {
  return AllManual(m) &&
         llvm::all_of(m.mesh->mesh.axes, [](const mesh::Axis& a) { return a.type == mesh::AxisType::Explicit; });
}

// The block that a device gets of an operand, and the operand's sharding over manual and free axes.
bool BlockOf(Evaluator& ev, const ManualMap& m, const Value& operand, const Value& spec, size_t i, ir::Type& block,
             mesh::ShardingId& in_sharding, std::string& twice) {
  const ir::Type type = TypeOfArray(operand);
  RegionSpec read;
  mesh::Sharding& s = read.sharding;
  const mesh::Sharding* own = type.sharding.valid() ? &ev.tracer().tables().shardings[type.sharding] : nullptr;
  if (spec.none()) {  // inferred from the type, which names Explicit axes only
    for (const mesh::AxisRef& ref : m.manual) {
      if (m.mesh->mesh.axes[static_cast<size_t>(ref.axis)].type == mesh::AxisType::Auto) {
        return !ev.Fail(kSpecs,
                        "shard_map: in_specs must be given for manual axes that are Auto outside, such as '" +
                            mesh::ToString(m.mesh->mesh, ref) + "'",
                        "pass in_specs=")
                    .failed();
      }
    }
    s = own != nullptr ? *own : mesh::Replicated({}, type.rank());
    for (mesh::DimSharding& dim : s.dims) {
      dim.axes = mesh::Intersect(dim.axes, m.manual);
    }
    s.mesh = ev.tracer().tables().meshes.Intern((m.mesh->base != nullptr ? m.mesh->base : m.mesh)->mesh);
    for (const mesh::DimSharding& dim : s.dims) {
      read.parts.push_back(mesh::ShardCount(dim));
    }
  } else if (!ReadSpec(ev, m, spec, type.rank(), "in_specs", read)) {
    return false;
  }
  twice = read.twice.empty() ? "" : TwiceText(read, spec, "in_specs");
  block = ir::ArrayType(type.dtype, type.dims);
  for (size_t d = 0; d < type.rank(); ++d) {
    int64_t parts = read.parts[d];
    if (block.dims[d] % parts != 0) {
      return !ev.Fail(diag::Kind::Indivisible, "shard_map: argument " + std::to_string(i) + " of type " +
                                                   ShowType(ev, type) + " has size " + std::to_string(block.dims[d]) +
                                                   " in dim " + std::to_string(d) + ", which is not divisible by the " +
                                                   Counted(parts, "device") + " of the manual axes")
                  .failed();
    }
    block.dims[d] /= parts;
  }
  mesh::Sharding inside = mesh::Replicated(s.mesh, type.rank());
  mesh::Sharding outside = s;
  mesh::AxisList varying;
  for (size_t d = 0; d < type.rank(); ++d) {
    varying.append(s.dims[d].axes.begin(), s.dims[d].axes.end());
    if (own != nullptr) {
      mesh::AxisList free = mesh::Subtract(own->dims[d].axes, m.manual);
      inside.dims[d].axes = free;
      mesh::Append(outside.dims[d].axes, free);
    }
    outside.dims[d].open = !AllManual(m);
  }
  if (own != nullptr) {
    varying.append(own->varying.begin(), own->varying.end());
    inside.unreduced = mesh::Subtract(own->unreduced, m.manual);
  }
  if (m.check) {
    inside.varying = mesh::AsSet(varying);
    inside.unreduced.append(s.unreduced.begin(), s.unreduced.end());
    inside.unreduced = mesh::AsSet(inside.unreduced);
    inside.reduced = s.reduced;
  }
  block.sharding = mesh::NamesNoAxis(inside) ? mesh::ShardingId() : ev.tracer().tables().shardings.Intern(inside);
  outside.reduced.clear();  // that is of the type
  in_sharding = ev.tracer().tables().shardings.Intern(outside);
  bool differs = false;
  for (size_t d = 0; d < type.rank(); ++d) {
    differs |= s.dims[d].axes != (own != nullptr ? own->dims[d].axes : mesh::AxisList());
  }
  differs |= !read.twice.empty();
  if (differs && !spec.none() && ComparesSpecs(m)) {
    return !ev.Fail(kSpecs,
                    "shard_map: in_specs " + Repr(spec) + " does not match the sharding of argument " +
                        std::to_string(i) + ", which has type " + ShowType(ev, type),
                    "reshard the argument first, or leave in_specs out")
                .failed();
  }
  return true;
}

// Whether a result that is reduced or a term of a sum over manual axes can be what out_specs say.
bool MakesOut(Evaluator& ev, const ManualMap& m, const ir::Type& type, const mesh::Sharding& out, const Value& spec) {
  mesh::Sharding own = type.sharding.valid() ? ev.tracer().tables().shardings[type.sharding] : mesh::Sharding();
  mesh::AxisList reduced = mesh::Intersect(own.reduced, m.manual), unreduced = mesh::Intersect(own.unreduced, m.manual);
  mesh::AxisList tiled;
  for (const mesh::DimSharding& dim : out.dims) {
    tiled.append(dim.axes.begin(), dim.axes.end());
  }
  if (!out.reduced.empty() && out.reduced != reduced) {
    return !ev.Fail(kSpecs,
                    "shard_map: out_specs " + Repr(spec) + " and the result " + ShowType(ev, type) +
                        " must be reduced over the same axes",
                    "cast the result with pcast(x, axes, to='reduced')")
                .failed();
  }
  mesh::AxisList fixed = reduced, asked = tiled;
  asked.append(out.unreduced.begin(), out.unreduced.end());
  bool clash = !mesh::Intersect(fixed, asked).empty() || !mesh::Intersect(unreduced, tiled).empty();
  mesh::AxisList terms = own.varying;
  terms.append(unreduced.begin(), unreduced.end());
  clash |= !mesh::Subtract(out.unreduced, terms).empty();
  return !clash || !ev.Fail(diag::Kind::VaryingMismatch,
                            "shard_map: the result " + ShowType(ev, type) + " cannot be made what out_specs " +
                                Repr(spec) + " say",
                            "cast it with pcast, or sum it with psum first")
                        .failed();
}

bool CheckOut(Evaluator& ev, const ManualMap& m, const Value& result, const Value& spec, mesh::ShardingId& out) {
  const ir::Type& type = TypeOfArray(result);
  RegionSpec read;
  if (!ReadSpec(ev, m, spec, type.rank(), "out_specs", read)) {
    return false;
  }
  mesh::Sharding s = read.sharding;
  if (m.check && !MakesOut(ev, m, type, s, spec)) {
    return false;
  }
  if (m.check && type.sharding.valid()) {
    mesh::AxisList named = s.unreduced;
    named.append(s.reduced.begin(), s.reduced.end());
    for (const mesh::DimSharding& dim : s.dims) {
      named.append(dim.axes.begin(), dim.axes.end());
    }
    const mesh::Sharding& own = ev.tracer().tables().shardings[type.sharding];
    mesh::AxisList told = own.varying;
    told.append(own.unreduced.begin(), own.unreduced.end());
    told.append(own.reduced.begin(), own.reduced.end());
    mesh::AxisList missing = mesh::Subtract(mesh::Intersect(told, m.manual), named);
    if (!missing.empty()) {
      return !ev.Fail(diag::Kind::ReplicationNotInferred,
                      "shard_map: out_specs " + Repr(spec) + " promises the same value along '" +
                          mesh::ToString(m.mesh->mesh, missing) + "', but the result " + ShowType(ev, type) +
                          " may vary there",
                      "name the axis in out_specs, reduce over it with psum, or pass check_vma=False")
                  .failed();
    }
  }
  if (!read.twice.empty()) {
    return !ev.Fail(diag::Kind::DuplicateAxis, TwiceText(read, spec, "out_specs")).failed();
  }
  for (mesh::DimSharding& dim : s.dims) {
    dim.open = !AllManual(m);
  }
  s.reduced.clear();
  out = ev.tracer().tables().shardings.Intern(s);
  return true;
}

// Arrays that the function uses from outside are operands like its arguments: every device of the manual axes has all of
// them.
void PlaceCaptured(Evaluator& ev, const ManualMap& m, llvm::ArrayRef<Value> captured, ir::Function& body,
                   ops::ManualComputationAttrs& attrs) {
  ir::Tables& tables = ev.tracer().tables();
  for (const Value& v : captured) {
    const ir::Type type = TypeOfArray(v);
    mesh::Sharding s = mesh::Replicated(attrs.mesh, type.rank());
    for (size_t d = 0; d < type.rank(); ++d) {
      if (type.sharding.valid()) {
        s.dims[d].axes = mesh::Subtract(tables.shardings[type.sharding].dims[d].axes, m.manual);
      }
      s.dims[d].open = !AllManual(m);
    }
    mesh::ShardingId id = tables.shardings.Intern(std::move(s));
    body.arg_info[attrs.in_shardings.size()].captured = false;
    attrs.in_shardings.push_back(IsKeys(v) ? op::WithWords(tables, id) : id);
  }
}

// The call of a function that shard_map has made: the options, then the arguments.
Value RunShardMap(Call& c) {
  ManualMap m;
  if (!ReadManualOptions(c.ev, Items(c.args[0]), m)) {
    return Value::Error();
  }
  Value tree = MapLeafArrays(c.ev, c.ev.heap().Tuple({c.args.begin() + 1, c.args.end()}));
  std::vector<Value> operands, specs;
  if (tree.failed()) {
    return tree;
  }
  Leaves(tree, operands);
  Value in_specs = m.in_specs;
  if (in_specs.is(VK::List)) {
    in_specs.kind = VK::Tuple;
  }
  if (!SpreadPrefix(c.ev, in_specs, tree, "in_specs of shard_map", specs)) {
    return Value::Error();
  }
  ops::ManualComputationAttrs attrs;
  TracedBody body = NewBodyLike(c.ev, BodyName(c.ev, m.f, "body"), {});
  Trace& trace = *body.trace;
  trace.manual_mesh = m.mesh->base != nullptr ? m.mesh->base : m.mesh;
  trace.checks_varying = m.check;
  trace.is_region = true;
  trace.entered_from = c.ev.tracer().context_mesh();
  attrs.mesh = c.ev.tracer().tables().meshes.Intern(trace.manual_mesh->mesh);
  NoteDevices(c.ev, trace.manual_mesh, "shard_map inside jit");
  attrs.manual_axes = m.manual;
  {
    ir::Function& f = trace.module->functions[trace.function];
    mesh::AxisList all = f.manual_axes;
    all.append(m.manual.begin(), m.manual.end());
    f.manual_axes = mesh::AsSet(all);
  }
  std::string twice;
  for (size_t i = 0; i < operands.size(); ++i) {
    ir::Type block;
    mesh::ShardingId in_sharding;
    std::string text;
    if (!BlockOf(c.ev, m, operands[i], specs[i], i, block, in_sharding, text)) {
      return Value::Error();
    }
    twice = twice.empty() ? text : twice;
    auto& tables = c.ev.tracer().tables();
    attrs.in_shardings.push_back(IsKeys(operands[i]) ? op::WithWords(tables, in_sharding) : in_sharding);
    AddBodyArg(c.ev, body, block, operands[i].as<ArrayObj>().weak);
  }
  c.ev.tracer().PushMesh(Retyped(c.ev, m.mesh, m.manual, mesh::AxisType::Manual));
  source::Span at = c.ev.span();
  bool ok = RunBody(c.ev, body, "", m.f, Items(Unflatten(c.ev, tree, body.args)));
  c.ev.tracer().PopMesh();
  c.ev.set_span(at);
  std::vector<Value> out_specs;
  if (!ok || !SpreadPrefix(c.ev, m.out_specs, body.result, "out_specs of shard_map", out_specs)) {
    return Value::Error();
  }
  for (size_t i = 0; i < body.leaves.size(); ++i) {
    mesh::ShardingId out;
    if (!CheckOut(c.ev, m, body.leaves[i], out_specs[i], out)) {
      return Value::Error();
    }
    attrs.out_shardings.push_back(IsKeys(body.leaves[i]) ? op::WithWords(c.ev.tracer().tables(), out) : out);
  }
  if (!twice.empty() && m.mesh->mesh.size() > 1) {
    return c.ev.FailAt(c.ev.lowering_span(), diag::Kind::DuplicateAxis, twice);
  }
  TracedBody* bodies[] = {&body};
  std::vector<Value> captured = FinishBodies(c.ev, bodies, {body.leaves});
  PlaceCaptured(c.ev, m, captured, trace.module->functions[trace.function], attrs);
  operands.insert(operands.end(), captured.begin(), captured.end());
  auto results = c.ev.tracer().EmitAll(ir::OpKind::ManualComputation, operands, c.ev.tracer().Attrs(std::move(attrs)),
                                       trace.function);
  if (!results) {
    return Value::Error();
  }
  for (size_t i = 0; i < results->size(); ++i) {
    MarkLike(c.ev, (*results)[i], body.leaves[i]);
  }
  return Unflatten(c.ev, body.result, *results);
}

const Builtin kRunShardMap = {0, "shard_map", RunShardMap};

// jax.shard_map; data 1: that of jax.experimental, which takes its arguments by position too.
Value ShardMap(Call& c) {
  Value v[6];
  if (c.builtin.data == 1) {  // f, mesh, in_specs, out_specs, check_rep
    Value old[5];
    if (!c.Bind("f, mesh, in_specs, out_specs, check_rep=", old)) {
      return Value::Error();
    }
    return Deferred(c, &kRunShardMap, {old[0], old[3], old[2], old[1], Value(), old[4]});
  }
  bool decorates = c.args.empty();
  if (!c.Bind("f=, /, *, out_specs, in_specs=, mesh=, axis_names=, check_vma=", v)) {
    return Value::Error();
  }
  return decorates ? AsPartial(c) : Deferred(c, &kRunShardMap, {v[0], v[1], v[2], v[3], v[4], v[5]});
}

// Gives the axes of a type up, or takes them on, without moving anything.
Value Recast(Evaluator& ev, const Value& array, const mesh::Sharding& type_sharding) {
  ops::ShardingConstraintAttrs attrs;
  const ir::Type& type = TypeOfArray(array);
  // The constraint keeps the value where its type said it was.
  mesh::Sharding keep = type.sharding.valid() ? ev.tracer().tables().shardings[type.sharding]
                                              : mesh::Replicated(type_sharding.mesh, type.rank(), true);
  keep.varying.clear();
  attrs.sharding = ev.tracer().tables().shardings.Intern(keep);
  return ev.tracer().Emit(ir::OpKind::ShardingConstraint, array, ev.tracer().Attrs(attrs), array.as<ArrayObj>().weak,
                          ev.tracer().tables().shardings.Intern(type_sharding));
}

// The axes that auto_axes or explicit_axes changes: the named ones, or all that are not Manual.
bool AxesToChange(Call& c, const MeshObj& mesh, const Value& given, mesh::AxisList& axes) {
  std::vector<std::string> names;
  if (!given.none() && !Names(c.ev, given, "axes", names)) {
    return false;
  }
  for (const std::string& name : names) {
    if (!mesh.mesh.FindAxis(name)) {
      return !c.ev.Fail(diag::Kind::UnknownAxis,
                        std::string(c.builtin.name) + ": '" + name + "' is no axis of the mesh " + MeshText(mesh))
                  .failed();
    }
  }
  for (size_t i = 0; i < mesh.mesh.axes.size(); ++i) {
    const mesh::Axis& axis = mesh.mesh.axes[i];
    if (names.empty() ? axis.type != mesh::AxisType::Manual : llvm::is_contained(names, axis.name)) {
      axes.push_back({static_cast<int32_t>(i), 1, axis.size});
    }
  }
  return true;
}

// The leaves without these axes in their types.
Value WithoutAxes(Evaluator& ev, const Value& tree, const mesh::AxisList& axes) {
  return MapTree(ev, tree, "", [&](const Value& leaf, const std::string&) {
    const ir::Type& type = TypeOfArray(leaf);
    if (!type.sharding.valid()) {
      return leaf;
    }
    mesh::Sharding s = ev.tracer().tables().shardings[type.sharding];
    for (mesh::DimSharding& dim : s.dims) {
      dim.axes = mesh::Subtract(dim.axes, axes);
    }
    s.unreduced = mesh::Subtract(s.unreduced, axes);
    s.reduced = mesh::Subtract(s.reduced, axes);
    return Recast(ev, leaf, s);
  });
}

// The leaves of a tree with the Explicit shardings that a prefix tree of specs says, checked as reshard checks them.
Value WithShardings(Call& c, const Value& tree, const Value& specs, const char* what) {
  std::vector<Value> options;
  if (!SpreadPrefix(c.ev, specs, tree, std::string(what) + " of " + c.builtin.name, options)) {
    return Value::Error();
  }
  size_t i = 0;
  return MapTree(c.ev, tree, "", [&](const Value& leaf, const std::string&) {
    Value spec = WithoutTrailing(c.ev, options[i++], TypeOfArray(leaf).rank());
    mesh::ShardingId checked;
    if (spec.none()) {
      return c.ev.Fail(diag::Kind::SpecForm, std::string(what) + " of " + c.builtin.name + " must be a PartitionSpec");
    }
    ShardingObj* sharding = spec.failed() ? nullptr : ToSharding(c.ev, spec, "reshard");
    if (sharding != nullptr && !sharding->mesh->mesh.has_explicit_axes()) {  // where to put it, not its type
      return CheckFits(c.ev, *sharding, TypeOfArray(leaf), what) ? Constrain(c.ev, leaf, *sharding) : Value::Error();
    }
    return sharding == nullptr || !OutSharding(c.ev, spec, TypeOfArray(leaf).rank(), "reshard", checked)
               ? Value::Error()
               : ReshardTo(c.ev, leaf, *sharding, "reshard");
  });
}

// auto_axes (data 0) and explicit_axes (1): options (f, axes, sharding), then the arguments. The sharding may be given with
// the call.
Value RunAxes(Call& c) {
  std::vector<Value> options = Items(c.args[0]);
  bool to_explicit = c.builtin.data == 1;
  llvm::StringRef keyword = to_explicit ? "in_sharding" : "out_sharding";
  MeshObj* mesh = c.ev.tracer().context_mesh();
  if (mesh == nullptr) {
    return c.ev.Fail(diag::Kind::NoMesh, std::string(c.builtin.name) + " needs a mesh, and none is set");
  }
  for (size_t i = 0; i < c.kwargs.size() && options[2].none(); ++i) {
    if (c.kwargs[i].first == keyword) {
      options[2] = c.kwargs[i].second;
      c.kwargs.erase(c.kwargs.begin() + static_cast<long>(i));
    }
  }
  if (options[2].none()) {
    return c.ev.Fail(
        diag::Kind::AutoAxesForm,
        std::string(c.builtin.name) + "() is missing the required keyword argument '" + keyword.str() + "'");
  }
  mesh::AxisList axes;
  Value tree = MapLeafArrays(c.ev, c.ev.heap().Tuple({c.args.begin() + 1, c.args.end()}));
  if (tree.failed() || !AxesToChange(c, *mesh, options[1], axes)) {
    return Value::Error();
  }
  MeshObj* inside = Retyped(c.ev, mesh, axes, to_explicit ? mesh::AxisType::Explicit : mesh::AxisType::Auto);
  if (to_explicit) {
    if (options[2].is(VK::List)) {
      options[2].kind = VK::Tuple;
    }
    c.ev.tracer().PushMesh(inside);
    Value args = WithShardings(c, tree, options[2], "in_sharding");
    Value result = args.failed() ? args : c.ev.CallFunction(options[0], Items(args), c.kwargs);
    result = result.failed() ? result : MapLeafArrays(c.ev, result);
    c.ev.tracer().PopMesh();
    return result.failed() ? result : WithoutAxes(c.ev, result, axes);
  }
  Value args = WithoutAxes(c.ev, tree, axes);
  if (args.failed()) {
    return args;
  }
  c.ev.tracer().PushMesh(inside);
  Value result = c.ev.CallFunction(options[0], Items(args), c.kwargs);
  c.ev.tracer().PopMesh();
  result = result.failed() ? result : MapLeafArrays(c.ev, result);
  return result.failed() ? result : WithShardings(c, result, options[2], "out_sharding");
}

const Builtin kRunAutoAxes = {0, "auto_axes", RunAxes, 0};
const Builtin kRunExplicitAxes = {0, "explicit_axes", RunAxes, 1};

Value AutoAxes(Call& c) {
  Value v[3];
  bool to_explicit = c.builtin.data == 1;
  if (!c.Bind(to_explicit ? "f=, /, *, axes=, in_sharding=" : "f=, /, *, axes=, out_sharding=", v)) {
    return Value::Error();
  }
  if (!v[0].given()) {
    return AsPartial(c);
  }
  return Deferred(c, to_explicit ? &kRunExplicitAxes : &kRunAutoAxes, {v[0], v[1], v[2]});
}

const Builtin kManualTable[] = {
    {kBare | kJax, "shard_map", ShardMap, 0},
    {kExperimental, "shard_map", ShardMap, 1},
    {kBare | kSharding, "auto_axes", AutoAxes, 0},
    {kBare | kSharding, "explicit_axes", AutoAxes, 1},
};

}  // namespace

llvm::ArrayRef<Builtin> ManualBuiltins() { return kManualTable; }

}  // namespace spmdc::text::native
