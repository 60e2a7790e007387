// Collectives in HLO, StableHLO and the flat native form.
#include "ops/collective_text.h"

#include <algorithm>

#include "mesh/hlo_sharding.h"
#include "op/op_def.h"
#include "ops/collective.h"

namespace spmdc::ops {
namespace {

using Lists = std::vector<llvm::SmallVector<int64_t, 8>>;

template <typename Groups>
std::string ShowLists(const Groups& groups, llvm::StringRef open, llvm::StringRef close) {
  std::string text;
  for (const auto& group : groups) {
    text += (text.empty() ? "" : ",") + open.str();
    for (size_t i = 0; i < group.size(); ++i) {
      text += (i == 0 ? "" : ",") + std::to_string(group[i]);
    }
    text += close;
  }
  return open.str() + text + close.str();
}

// --- HLO ---

// Numbers of devices need a channel. StableHLO has collectives without one.
void PrintChannel(op::HloPrinter& p, int64_t channel) {
  p.Attr("channel_id", std::to_string(std::max<int64_t>(channel, 1)));
}

void PrintGroups(op::HloPrinter& p, const CollectiveAttrs& attrs) {
  PrintChannel(p, attrs.channel);
  p.Attr("replica_groups", attrs.groups.is_axes() ? p.ReplicaGroups(attrs.groups.mesh, attrs.groups.axes)
                                                  : ShowLists(attrs.groups.lists, "{", "}"));
}

bool ReadGroups(op::HloReader& r, CollectiveAttrs& attrs) {
  auto groups = r.ReplicaGroups();
  if (!groups) {
    return false;
  }
  attrs.channel = r.Channel();
  attrs.groups = std::move(*groups);
  // Whatever the text's numbers count, these are devices.
  attrs.use_global_device_ids = true;
  return true;
}

bool ReadDim(op::HloReader& r, CollectiveAttrs& attrs) {
  auto dims = r.Ints("dimensions");
  if (!dims || dims->size() != 1) {
    return r.Fail("dimensions", "expected one dim, like {0}");
  }
  attrs.dim = attrs.concat_dim = (*dims)[0];
  return true;
}

bool ReadBody(op::HloReader& r) {
  auto body = r.Body("to_apply");
  if (!body) {
    return r.Fail("to_apply", "is missing");
  }
  r.UseBodies({*body});
  return true;
}

bool Finish(op::HloReader& r, CollectiveAttrs attrs, ir::AttrsId& id) {
  id = r.module().tables->attrs.Add(std::move(attrs));
  return true;
}

}  // namespace

void PrintHloAllReduce(op::HloPrinter& p) {
  PrintGroups(p, p.attrs<CollectiveAttrs>());
  p.Attr("use_global_device_ids", "true");
  p.Body("to_apply", p.function().bodies(p.inst())[0]);
}

void PrintHloAlongDim(op::HloPrinter& p) {
  const auto& attrs = p.attrs<CollectiveAttrs>();
  PrintGroups(p, attrs);
  p.Ints("dimensions", {attrs.dim});
  p.Attr("use_global_device_ids", "true");
  if (p.inst().num_bodies == 1) {
    p.Body("to_apply", p.function().bodies(p.inst())[0]);
  }
}

void PrintHloAllToAll(op::HloPrinter& p) {
  const auto& attrs = p.attrs<CollectiveAttrs>();
  PrintGroups(p, attrs);
  p.Ints("dimensions", {attrs.dim});
}

void PrintHloPermute(op::HloPrinter& p) {
  const auto& attrs = p.attrs<PermuteAttrs>();
  PrintChannel(p, attrs.channel);
  std::vector<tensor::Dims> pairs;
  for (const auto& [from, to] : ExpandPairs(*p.module().tables, attrs)) {
    pairs.push_back({from, to});
  }
  p.Attr("source_target_pairs", pairs.empty() ? "{}" : ShowLists(pairs, "{", "}"));
}

bool ReadHloAllReduce(op::HloReader& r, ir::AttrsId& id) {
  CollectiveAttrs attrs;
  return ReadGroups(r, attrs) && ReadBody(r) && Finish(r, std::move(attrs), id);
}

bool ReadHloAllGather(op::HloReader& r, ir::AttrsId& id) {
  CollectiveAttrs attrs;
  return ReadGroups(r, attrs) && ReadDim(r, attrs) && Finish(r, std::move(attrs), id);
}

bool ReadHloReduceScatter(op::HloReader& r, ir::AttrsId& id) {
  CollectiveAttrs attrs;
  return ReadGroups(r, attrs) && ReadDim(r, attrs) && ReadBody(r) && Finish(r, std::move(attrs), id);
}

bool ReadHloAllToAll(op::HloReader& r, ir::AttrsId& id) {
  CollectiveAttrs attrs;
  if (!r.Has("dimensions")) {
    return r.Fail("dimensions", "is missing");
  }
  return ReadGroups(r, attrs) && ReadDim(r, attrs) && Finish(r, std::move(attrs), id);
}

bool ReadHloPermute(op::HloReader& r, ir::AttrsId& id) {
  PermuteAttrs attrs;
  auto pairs = r.SourceTargetPairs();
  if (!pairs) {
    return false;
  }
  attrs.pairs = std::move(*pairs);
  attrs.channel = r.Channel();
  id = r.module().tables->attrs.Add(std::move(attrs));
  return true;
}

// --- StableHLO ---

namespace {

// The rows of a dense matrix; rows of unequal groups are filled up with -1.
Lists Rows(const tensor::Literal& literal) {
  Lists rows;
  int64_t columns = literal.dims().size() == 2 ? literal.dims()[1] : 1;
  for (int64_t i = 0, n = literal.size(); i < n; ++i) {
    if (i % columns == 0) {
      rows.emplace_back();
    }
    if (literal.GetInt(i) >= 0) {
      rows.back().push_back(literal.GetInt(i));
    }
  }
  return rows;
}

std::optional<mesh::MeshId> FindMesh(const ir::Tables& tables, llvm::StringRef name) {
  for (size_t i = 0; i < tables.meshes.size(); ++i) {
    mesh::MeshId id{static_cast<int32_t>(i)};
    if (tables.meshes[id].name == name) {
      return id;
    }
  }
  return std::nullopt;
}

// `#stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>`.
bool ReadMeshAxes(op::StablehloReader& r, const op::MlirAttr& attr, op::Groups& groups) {
  const ir::Tables& tables = *r.module().tables;
  auto id = FindMesh(tables, llvm::StringRef(attr["mesh"].text).ltrim('@'));
  if (!id) {
    return r.Fail(diag::Kind::Group, "replica_groups name a mesh that the module does not have");
  }
  groups.mesh = *id;
  for (const op::MlirAttr& item : attr["axes"].items) {
    const mesh::Mesh& mesh = tables.meshes[*id];
    auto axis = mesh.FindAxis(item["name"].text);
    if (!axis) {
      return r.Fail(diag::Kind::UnknownAxis, "replica_groups name mesh axis '" + item["name"].text +
                                                 "', which is not in the mesh " + mesh::Describe(mesh));
    }
    mesh::AxisRef ref = mesh::Whole(mesh, *axis);
    if (const op::MlirAttr& part = item["sub_axis_info"]) {
      ref.pre = part["pre_size"].integer;
      ref.size = part["size"].integer;
      if (ref.pre < 1 || ref.size < 1 || mesh.axes[static_cast<size_t>(*axis)].size % ref.next_pre() != 0) {
        return r.Fail(diag::Kind::Group, "replica_groups name a part of an axis that does not divide it");
      }
    }
    mesh::Append(groups.axes, ref);
  }
  return true;
}

bool ReadReplicaGroups(op::StablehloReader& r, op::Groups& groups) {
  const op::MlirAttr& attr = r.attr("replica_groups");
  if (attr.kind == op::MlirAttr::Kind::Dict) {
    return ReadMeshAxes(r, attr, groups);
  }
  if (attr.kind != op::MlirAttr::Kind::Dense) {
    return r.Fail(diag::Kind::Group, "replica_groups are missing or of a kind that is not supported");
  }
  Lists lists = Rows(attr.literal);
  if (lists.empty()) {
    // No groups: all devices are one.
    int64_t devices = r.module().num_devices;
    for (size_t i = 0; i < r.module().tables->meshes.size(); ++i) {
      devices = std::max(devices, r.module().tables->meshes[mesh::MeshId{static_cast<int32_t>(i)}].size());
    }
    lists.emplace_back();
    for (int64_t d = 0; d < devices; ++d) {
      lists.back().push_back(d);
    }
  }
  groups = GroupsOfLists(*r.module().tables, std::move(lists));
  return true;
}

int64_t FirstOf(op::StablehloReader& r, llvm::ArrayRef<llvm::StringRef> names) {
  for (llvm::StringRef name : names) {
    if (const op::MlirAttr& attr = r.attr(name)) {
      return attr.integer;
    }
  }
  return 0;
}

}  // namespace

bool GenericCollective(op::StablehloReader& r) {
  CollectiveAttrs attrs;
  if (!ReadReplicaGroups(r, attrs.groups)) {
    return false;
  }
  attrs.dim = FirstOf(r, {"all_gather_dim", "scatter_dimension", "split_dimension"});
  attrs.concat_dim = FirstOf(r, {"concat_dimension"});
  attrs.channel = r.attr("channel_handle")["handle"].integer;
  attrs.use_global_device_ids = static_cast<bool>(r.attr("use_global_device_ids"));
  r.SetAttrs(r.module().tables->attrs.Add(std::move(attrs)));
  return true;
}

bool GenericPermute(op::StablehloReader& r) {
  PermuteAttrs attrs;
  const op::MlirAttr& pairs = r.attr("source_target_pairs");
  if (pairs.kind != op::MlirAttr::Kind::Dense) {
    return r.Fail(diag::Kind::Collective, "source_target_pairs are missing");
  }
  for (const auto& row : Rows(pairs.literal)) {
    attrs.pairs.emplace_back(row.begin(), row.end());
  }
  attrs.channel = r.attr("channel_handle")["handle"].integer;
  r.SetAttrs(r.module().tables->attrs.Add(std::move(attrs)));
  return true;
}

namespace {

template <typename Rows>
std::string DenseRows(const Rows& rows) {
  size_t columns = 0;
  for (const auto& row : rows) {
    columns = std::max(columns, row.size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string list;
    for (size_t i = 0; i < columns; ++i) {
      list += (i == 0 ? "" : ", ") + std::to_string(i < row.size() ? row[i] : -1);
    }
    text += (text.empty() ? "[" : ", [") + list + "]";
  }
  return "dense<[" + text + "]> : tensor<" + std::to_string(rows.size()) + "x" + std::to_string(columns) + "xi64>";
}

void PrintMlirChannel(op::StablehloPrinter& p, int64_t channel) {
  if (channel > 0) {
    p.Property("channel_handle", "#stablehlo.channel_handle<handle = " + std::to_string(channel) + ", type = 1>");
  }
}

void PrintMlirGroups(op::StablehloPrinter& p, const CollectiveAttrs& attrs) {
  const op::Groups& groups = attrs.groups;
  if (groups.is_axes()) {
    p.Property("replica_groups", DenseRows(mesh::ExpandGroups(p.module().tables->meshes[groups.mesh], groups.axes)));
  } else {
    p.Property("replica_groups", DenseRows(groups.lists));
  }
}

std::string MlirNumber(int64_t value) { return std::to_string(value) + " : i64"; }

// What all collectives but all-to-all say; `dim` is the name of the dim they work on.
void PrintMlirAlong(op::StablehloPrinter& p, llvm::StringRef dim) {
  const auto& attrs = p.attrs<CollectiveAttrs>();
  if (!dim.empty()) {
    p.Property(dim, MlirNumber(attrs.dim));
  }
  PrintMlirChannel(p, attrs.channel);
  PrintMlirGroups(p, attrs);
  if (attrs.use_global_device_ids) {
    p.Property("use_global_device_ids", "");
  }
}

}  // namespace

void PrintMlirAllReduce(op::StablehloPrinter& p) { PrintMlirAlong(p, ""); }
void PrintMlirAllGather(op::StablehloPrinter& p) { PrintMlirAlong(p, "all_gather_dim"); }
void PrintMlirReduceScatter(op::StablehloPrinter& p) { PrintMlirAlong(p, "scatter_dimension"); }

void PrintMlirAllToAll(op::StablehloPrinter& p) {
  const auto& attrs = p.attrs<CollectiveAttrs>();
  int64_t members = attrs.groups.is_axes() ? mesh::Product(attrs.groups.axes)
                                           : static_cast<int64_t>(attrs.groups.lists.front().size());
  PrintMlirChannel(p, attrs.channel);
  p.Property("concat_dimension", MlirNumber(attrs.concat_dim));
  PrintMlirGroups(p, attrs);
  p.Property("split_count", MlirNumber(members));
  p.Property("split_dimension", MlirNumber(attrs.dim));
}

void PrintMlirPermute(op::StablehloPrinter& p) {
  const auto& attrs = p.attrs<PermuteAttrs>();
  std::vector<tensor::Dims> pairs;
  for (const auto& [from, to] : ExpandPairs(*p.module().tables, attrs)) {
    pairs.push_back({from, to});
  }
  PrintMlirChannel(p, attrs.channel);
  p.Property("source_target_pairs", DenseRows(pairs));
}

// --- flat native form ---

std::string AxisNameList(const mesh::Mesh& mesh, llvm::ArrayRef<mesh::AxisRef> axes) {
  std::string text;
  for (const mesh::AxisRef& ref : axes) {
    text += (text.empty() ? "'" : ", '") + mesh.axes[static_cast<size_t>(ref.axis)].name + "'";
  }
  return text;
}

std::optional<std::string> AxisNames(const ir::Tables& tables, mesh::MeshId id, const mesh::AxisList& axes) {
  if (!id.valid() || axes.empty()) {
    return std::nullopt;
  }
  const mesh::Mesh& mesh = tables.meshes[id];
  if (!llvm::all_of(axes, [&](const mesh::AxisRef& ref) { return mesh::IsWhole(mesh, ref); })) {
    return std::nullopt;
  }
  std::string text = AxisNameList(mesh, axes);
  return axes.size() == 1 ? text : "(" + text + ")";
}

namespace {

// JAX's function over named axes, or the one of `spmdc` with the groups as lists or sub-axes. True: JAX's.
bool Callee(op::NativePrinter& p, llvm::StringRef jax, llvm::StringRef own) {
  const auto& attrs = p.attrs<CollectiveAttrs>();
  auto axes =
      attrs.groups.is_axes() ? AxisNames(*p.module().tables, attrs.groups.mesh, attrs.groups.axes) : std::nullopt;
  if (axes && !jax.empty()) {
    p.Callee(jax.str());
    p.Keyword("axis_name", *axes);
    return true;
  }
  p.Callee("spmdc." + own.str());
  if (axes) {
    p.Keyword("axis_name", *axes);
  } else if (attrs.groups.is_axes() && attrs.groups.mesh.valid()) {
    p.Keyword("axis_name",
              "\"" + mesh::ToString(p.module().tables->meshes[attrs.groups.mesh], attrs.groups.axes) + "\"");
  } else {
    p.Keyword("replica_groups", ShowLists(attrs.groups.lists, "[", "]"));
  }
  return false;
}

mesh::Monoid BodyMonoid(const op::NativePrinter& p) {
  return op::RecognizeMonoid(p.module(), p.function().bodies(p.inst())[0], 0);
}

void MonoidKeyword(op::NativePrinter& p) { p.Keyword("monoid", "'" + mesh::Name(BodyMonoid(p)).str() + "'"); }

}  // namespace

void PrintNativeAllReduce(op::NativePrinter& p) {
  mesh::Monoid monoid = BodyMonoid(p);
  llvm::StringRef jax = monoid == mesh::Monoid::Sum   ? "lax.psum"
                        : monoid == mesh::Monoid::Max ? "lax.pmax"
                        : monoid == mesh::Monoid::Min ? "lax.pmin"
                                                      : "";
  if (p.inst().num_results != 1) {
    jax = "";
  }
  if (!Callee(p, jax, "all_reduce")) {
    MonoidKeyword(p);
  }
}

void PrintNativeAllGather(op::NativePrinter& p) {
  Callee(p, p.inst().num_results == 1 ? "lax.all_gather" : "", "all_gather");
  p.Keyword("axis", std::to_string(p.attrs<CollectiveAttrs>().dim));
  p.Keyword("tiled", "True");
  if (p.inst().out_sharding.valid()) {
    const mesh::Sharding& said = p.module().tables->shardings[p.inst().out_sharding];
    bool reduced = mesh::Covers(said.reduced, p.attrs<CollectiveAttrs>().groups.axes);
    p.Keyword("to", reduced ? "'reduced'" : "'invarying'");
  }
}

void PrintNativeReduceScatter(op::NativePrinter& p) {
  if (!Callee(p, BodyMonoid(p) == mesh::Monoid::Sum ? "lax.psum_scatter" : "", "reduce_scatter")) {
    MonoidKeyword(p);
  }
  p.Keyword("scatter_dimension", std::to_string(p.attrs<CollectiveAttrs>().dim));
  p.Keyword("tiled", "True");
}

void PrintNativeAllToAll(op::NativePrinter& p) {
  const auto& attrs = p.attrs<CollectiveAttrs>();
  Callee(p, "lax.all_to_all", "all_to_all");
  p.Keyword("split_axis", std::to_string(attrs.dim));
  p.Keyword("concat_axis", std::to_string(attrs.concat_dim));
  p.Keyword("tiled", "True");
}

// JAX's ppermute numbers the members of a group; the pairs here are devices of the whole mesh.
void PrintNativePermute(op::NativePrinter& p) {
  p.Callee("spmdc.collective_permute");
  std::vector<tensor::Dims> pairs;
  for (const auto& [from, to] : ExpandPairs(*p.module().tables, p.attrs<PermuteAttrs>())) {
    pairs.push_back({from, to});
  }
  p.Keyword("source_target_pairs", ShowLists(pairs, "[", "]"));
}

}  // namespace spmdc::ops
