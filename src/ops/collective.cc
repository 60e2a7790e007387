// Collectives and partition_id: typing, rules and definitions. Their meaning on values is in collective_eval.cc.
#include "ops/collective.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "ops/collective_text.h"
#include "ops/dims.h"
#include "ops/reshard.h"
#include "ops/table.h"
#include "ops/typing.h"

namespace spmdc::ops {
namespace {

using op::FactorKind;
using op::kNoDim;

enum class GroupSizes : uint8_t { Equal, Any };

// No empty group, in range, no device in two, and of one size where the result's type depends on it.
bool CheckGroups(op::InferContext& cx, const op::Groups& groups, GroupSizes sizes) {
  if (groups.is_axes()) {
    return true;
  }
  llvm::DenseSet<int64_t> seen;
  for (const auto& list : groups.lists) {
    if (list.empty()) {
      return cx.Fail(diag::Kind::Group, "a replica group is empty");
    }
    if (sizes == GroupSizes::Equal && list.size() != groups.lists[0].size()) {
      return cx.Fail(diag::Kind::Group, "replica groups of " + std::to_string(groups.lists[0].size()) + " and of " +
                                            std::to_string(list.size()) +
                                            " devices: only an all-reduce may have groups of several sizes");
    }
    for (int64_t device : list) {
      if (device < 0 || device >= cx.module.num_devices) {
        return cx.Fail(diag::Kind::Group, "replica groups name device " + std::to_string(device) + ", but there are " +
                                              std::to_string(cx.module.num_devices) + " devices");
      }
      if (!seen.insert(device).second) {
        return cx.Fail(diag::Kind::Group, "device " + std::to_string(device) + " is in two replica groups");
      }
    }
  }
  return true;
}

int64_t SizeOfGroups(const op::InferContext& cx) {
  return op::GroupSize(cx.tables(), cx.attrs<CollectiveAttrs>().groups, cx.module.num_devices);
}

bool CheckDim(op::InferContext& cx, const ir::Type& type, int64_t dim, llvm::StringRef name) {
  return (dim >= 0 && dim < static_cast<int64_t>(type.rank())) ||
         cx.Fail(diag::Kind::Collective, name.str() + " " + std::to_string(dim) + " is no dim of " + cx.Show(type));
}

// A body of two scalars of the operands' element type.
bool CheckCollectiveBody(op::InferContext& cx) {
  tensor::DType dtype = cx.operand(0).dtype;
  bool good = cx.num_body_args(0) == 2 && cx.num_body_results(0) == 1;
  good = good && llvm::all_of(cx.operands, [&](const ir::Type& type) { return type.dtype == dtype; });
  ir::Type scalar = ir::ArrayType(dtype, {});
  good = good && SameShape(cx.body_arg(0, 0), scalar) && SameShape(cx.body_arg(0, 1), scalar) &&
         SameShape(cx.body_result(0, 0), scalar);
  if (!good) {
    return cx.Fail(diag::Kind::Collective, "the body should take two scalars of the operands' element type " +
                                               tensor::HloName(dtype).str() + " and return one");
  }
  return op::RecognizeMonoid(cx.module, cx.bodies[0], 0) != mesh::Monoid::None ||
         cx.Fail(diag::Kind::UnsupportedFeature,
                 "the body is not one of add, multiply, minimum, maximum, and, or, xor of its two arguments");
}

bool InferAllReduce(op::InferContext& cx) {
  if (!CheckGroups(cx, cx.attrs<CollectiveAttrs>().groups, GroupSizes::Any) || !CheckCollectiveBody(cx)) {
    return false;
  }
  for (const ir::Type& type : cx.operands) {
    cx.Result(WithDims(type, type.dims));
  }
  return true;
}

bool InferAllGather(op::InferContext& cx) {
  const auto& attrs = cx.attrs<CollectiveAttrs>();
  if (!CheckGroups(cx, attrs.groups, GroupSizes::Equal)) {
    return false;
  }
  for (const ir::Type& type : cx.operands) {
    if (!CheckDim(cx, type, attrs.dim, "all_gather_dim")) {
      return false;
    }
    tensor::Dims dims = type.dims;
    dims[static_cast<size_t>(attrs.dim)] *= SizeOfGroups(cx);
    cx.Result(type.dtype, dims);
  }
  return true;
}

bool InferReduceScatter(op::InferContext& cx) {
  const auto& attrs = cx.attrs<CollectiveAttrs>();
  const ir::Type& type = cx.operand(0);
  if (!CheckGroups(cx, attrs.groups, GroupSizes::Equal) || !CheckCollectiveBody(cx) ||
      !CheckDim(cx, type, attrs.dim, "scatter_dimension")) {
    return false;
  }
  tensor::Dims dims = type.dims;
  int64_t& size = dims[static_cast<size_t>(attrs.dim)];
  if (size % SizeOfGroups(cx) != 0) {
    return cx.Fail(diag::Kind::Collective, "scatter dimension size " + std::to_string(size) +
                                               " must be divisible by the group size " +
                                               std::to_string(SizeOfGroups(cx)));
  }
  size /= SizeOfGroups(cx);
  cx.Result(type.dtype, dims);
  return true;
}

bool InferAllToAll(op::InferContext& cx) {
  const auto& attrs = cx.attrs<CollectiveAttrs>();
  const ir::Type& type = cx.operand(0);
  if (!CheckGroups(cx, attrs.groups, GroupSizes::Equal) || !CheckDim(cx, type, attrs.dim, "split_dimension") ||
      !CheckDim(cx, type, attrs.concat_dim, "concat_dimension")) {
    return false;
  }
  tensor::Dims dims = type.dims;
  int64_t n = SizeOfGroups(cx);
  if (dims[static_cast<size_t>(attrs.dim)] % n != 0) {
    return cx.Fail(diag::Kind::Collective, "the size of the split dim (" +
                                               std::to_string(dims[static_cast<size_t>(attrs.dim)]) +
                                               ") has to be divisible by the group size (" + std::to_string(n) + ")");
  }
  dims[static_cast<size_t>(attrs.dim)] /= n;
  dims[static_cast<size_t>(attrs.concat_dim)] *= n;
  cx.Result(type.dtype, dims);
  return true;
}

bool InferPermute(op::InferContext& cx) {
  const auto& attrs = cx.attrs<PermuteAttrs>();
  llvm::DenseSet<int64_t> sources, targets;
  int64_t count = attrs.mesh.valid() ? mesh::Product(attrs.from) : cx.module.num_devices;
  for (const tensor::Dims& pair : attrs.pairs) {
    if (pair.size() != 2) {
      return cx.Fail(diag::Kind::Collective, "a source and target pair " + ShowList(pair) + " has not two entries");
    }
    for (int64_t device : pair) {
      if (device < 0 || device >= count) {
        return cx.Fail(diag::Kind::Collective,
                       "pair " + ShowList(pair) + " names no device of " + std::to_string(count));
      }
    }
    if (!sources.insert(pair[0]).second || !targets.insert(pair[1]).second) {
      return cx.Fail(diag::Kind::Collective, "pair " + ShowList(pair) + " repeats a source or a target");
    }
  }
  if (attrs.mesh.valid() && attrs.pairs.empty() && mesh::Product(attrs.from) != mesh::Product(attrs.to)) {
    return cx.Fail(diag::Kind::Collective, "permutes " + std::to_string(mesh::Product(attrs.from)) + " blocks to " +
                                               std::to_string(mesh::Product(attrs.to)));
  }
  cx.Result(WithDims(cx.operand(0), cx.operand(0).dims));
  return true;
}

bool InferPartitionId(op::InferContext& cx) {
  cx.Result(tensor::DType::U32, {});
  return true;
}

bool EvalPartitionId(op::EvalContext& cx) {
  cx.results.push_back(tensor::Literal::Integer(tensor::DType::U32, {}, cx.device).Materialize());
  return true;
}

// Operand i and result i share a factor on every dim but those in `own`, which have one each that is needed whole and come
// last.
void RuleOutside(op::RuleBuilder& b, llvm::ArrayRef<int64_t> own) {
  for (size_t d = 0; d < b.operands[0].rank(); ++d) {
    llvm::SmallVector<int64_t, 2> all(b.operands.size(), static_cast<int64_t>(d));
    if (!llvm::is_contained(own, all[0])) {
      b.Factor(b.operands[0].dims[d], FactorKind::Map, all, all);
    }
  }
  for (int64_t d : own) {
    llvm::SmallVector<int64_t, 2> none(b.operands.size(), kNoDim), all(b.operands.size(), d);
    b.Factor(b.operands[0].dims[static_cast<size_t>(d)], FactorKind::Whole, all, none);
    b.Factor(b.results[0].dims[static_cast<size_t>(d)], FactorKind::Whole, none, all);
  }
}

// Each operand by itself: they may have different dims.
void RuleCollectivePointwise(op::RuleBuilder& b) {
  for (size_t i = 0; i < b.operands.size(); ++i) {
    for (size_t d = 0; d < b.operands[i].rank(); ++d) {
      int32_t factor = b.Factor(b.operands[i].dims[d], FactorKind::Map);
      b.Operand(i, static_cast<int64_t>(d), factor);
      b.Result(i, static_cast<int64_t>(d), factor);
    }
  }
}

void RuleAlongDim(op::RuleBuilder& b) { RuleOutside(b, {b.attrs<CollectiveAttrs>().dim}); }

void RuleAllToAll(op::RuleBuilder& b) {
  const auto& attrs = b.attrs<CollectiveAttrs>();
  llvm::SmallVector<int64_t, 2> own = {attrs.dim};
  if (attrs.concat_dim != attrs.dim) {
    own.push_back(attrs.concat_dim);
  }
  RuleOutside(b, own);
}

// Types keep the operand's sharding over the free axes; `gone` are manual axes over which the result no longer varies.
bool KeepSharding(op::ExplicitContext& cx, llvm::ArrayRef<mesh::AxisRef> gone) {
  for (size_t i = 0; i < cx.infer.results.size(); ++i) {
    mesh::Sharding result = cx.operand(i);
    result.varying = mesh::Subtract(result.varying, gone);
    result.unreduced = mesh::Subtract(result.unreduced, gone);
    cx.results.push_back(std::move(result));
  }
  return true;
}

bool ExplicitAllReduce(op::ExplicitContext& cx) {
  return KeepSharding(cx, cx.infer.attrs<CollectiveAttrs>().groups.axes);
}

// What members receive differs from member to member (JAX types all-gathers so too); a summed term is unreduced no longer.
bool ExplicitVarying(op::ExplicitContext& cx) {
  const mesh::AxisList& axes = cx.infer.attrs<CollectiveAttrs>().groups.axes;
  for (size_t i = 0; i < cx.infer.results.size(); ++i) {
    mesh::Sharding result = cx.operand(i);
    result.unreduced = mesh::Subtract(result.unreduced, axes);
    result.varying.append(axes.begin(), axes.end());
    result.varying = mesh::AsSet(result.varying);
    cx.results.push_back(std::move(result));
  }
  return true;
}

// What is gathered is the same for all members; the text may say so (all_gather's to=), and is then believed.
bool ExplicitAllGather(op::ExplicitContext& cx) {
  const mesh::Sharding* said = OutSharding(cx);
  if (said == nullptr) {
    return ExplicitVarying(cx);
  }
  cx.results.push_back(*said);
  return true;
}

bool ExplicitKeep(op::ExplicitContext& cx) { return KeepSharding(cx, {}); }

// Whoever asks for the number says by out_sharding over which axes it varies.
bool ExplicitPartitionId(op::ExplicitContext& cx) {
  cx.results.push_back(cx.infer.tables().shardings[cx.infer.out_sharding]);
  return true;
}

// The same exchange among the same devices, with a channel of its own: texts give several collectives one number.
bool LocalizeCollective(op::LocalizeContext& cx) {
  CollectiveAttrs attrs = cx.attrs<CollectiveAttrs>();
  attrs.channel = cx.NextChannel();
  llvm::SmallVector<ir::FuncId, 1> bodies;
  if (cx.inst().num_bodies == 1) {
    bodies.push_back(cx.body(0));
  }
  op::Builder& b = cx.builder();
  auto results = b.Add(cx.inst().op, cx.operands(), b.Attrs(std::move(attrs)), bodies);
  cx.Results(results ? llvm::ArrayRef<ir::ValueId>(*results) : llvm::ArrayRef<ir::ValueId>());
  return true;
}

bool LocalizeAllToAll(op::LocalizeContext& cx) {
  CollectiveAttrs attrs = cx.attrs<CollectiveAttrs>();
  attrs.channel = cx.NextChannel();
  int64_t group = op::GroupSize(*cx.planned().tables, attrs.groups, cx.planned().num_devices);
  cx.Results({EmitAllToAll(cx.builder(), cx.operands()[0], std::move(attrs), group)});
  return true;
}

bool LocalizePermute(op::LocalizeContext& cx) {
  PermuteAttrs attrs = cx.attrs<PermuteAttrs>();
  attrs.channel = cx.NextChannel();
  op::Builder& b = cx.builder();
  cx.Results({b.Add1(ir::OpKind::CollectivePermute, cx.operands(), b.Attrs(std::move(attrs)))});
  return true;
}

op::Collective Describe(op::CollectiveKind kind, const ir::Module& module, const ir::Function& f,
                        const ir::Inst& inst) {
  const auto& attrs = module.attrs<CollectiveAttrs>(inst);
  op::Collective c;
  c.kind = kind;
  c.groups = attrs.groups;
  c.dim = attrs.dim;
  c.concat_dim = attrs.concat_dim;
  c.channel = attrs.channel;
  if (inst.num_bodies == 1) {
    c.monoid = op::RecognizeMonoid(module, f.bodies(inst)[0], 0);
  }
  return c;
}

op::Collective DescribeAllReduce(const ir::Module& m, const ir::Function& f, const ir::Inst& i) {
  return Describe(op::CollectiveKind::AllReduce, m, f, i);
}
op::Collective DescribeAllGather(const ir::Module& m, const ir::Function& f, const ir::Inst& i) {
  return Describe(op::CollectiveKind::AllGather, m, f, i);
}
op::Collective DescribeReduceScatter(const ir::Module& m, const ir::Function& f, const ir::Inst& i) {
  return Describe(op::CollectiveKind::ReduceScatter, m, f, i);
}
op::Collective DescribeAllToAll(const ir::Module& m, const ir::Function& f, const ir::Inst& i) {
  return Describe(op::CollectiveKind::AllToAll, m, f, i);
}
// The digits of the mesh along which pairs travel.
mesh::AxisList Travelled(const mesh::Mesh& mesh, llvm::ArrayRef<mesh::AxisRef> digits,
                         llvm::ArrayRef<std::pair<int64_t, int64_t>> pairs) {
  llvm::DenseMap<int64_t, int64_t> position;
  for (int64_t p = 0; p < mesh.size(); ++p) {
    position[mesh.DeviceAt(p)] = p;
  }
  mesh::AxisList moved;
  for (const mesh::AxisRef& digit : digits) {
    if (llvm::any_of(pairs, [&](const auto& pair) {
          return mesh::Coordinate(mesh, digit, position[pair.first]) !=
                 mesh::Coordinate(mesh, digit, position[pair.second]);
        })) {
      moved.push_back(digit);
    }
  }
  return mesh::AsSet(moved);
}

op::Collective DescribePermute(const ir::Module& module, const ir::Function&, const ir::Inst& inst) {
  const auto& attrs = module.attrs<PermuteAttrs>(inst);
  op::Collective c;
  c.kind = op::CollectiveKind::Permute;
  c.pairs = ExpandPairs(*module.tables, attrs);
  // The axes along which blocks travel, for reports: there are no groups.
  c.groups.mesh = attrs.mesh.valid() ? attrs.mesh : module.mesh;
  if (c.groups.mesh.valid()) {
    const mesh::Mesh& mesh = module.tables->meshes[c.groups.mesh];
    mesh::AxisList digits, uses(attrs.from);
    uses.append(attrs.to.begin(), attrs.to.end());
    for (size_t axis = 0; axis < mesh.axes.size(); ++axis) {
      digits.push_back(mesh::Whole(mesh, static_cast<int32_t>(axis)));
    }
    c.groups.axes = Travelled(mesh, mesh::CutAtBoundaries(digits, uses), c.pairs);
  }
  c.channel = attrs.channel;
  return c;
}

// Pairs of block numbers along the digits `from`, wherever the other digits stand.
std::vector<std::pair<int64_t, int64_t>> BlockPairs(const mesh::Mesh& mesh, const PermuteAttrs& attrs) {
  llvm::DenseMap<int64_t, int64_t> target_of;
  for (const tensor::Dims& pair : attrs.pairs) {
    target_of[pair[0]] = pair[1];
  }
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (int64_t p = 0; p < mesh.size(); ++p) {
    auto it = target_of.find(mesh::Coordinate(mesh, attrs.from, p));
    if (it == target_of.end()) {
      continue;
    }
    int64_t target = p, left = it->second;
    for (const mesh::AxisRef& digit : llvm::reverse(attrs.from)) {
      target += (left % digit.size - mesh::Coordinate(mesh, digit, p)) * mesh::PositionStride(mesh, digit);
      left /= digit.size;
    }
    pairs.emplace_back(mesh.DeviceAt(p), mesh.DeviceAt(target));
  }
  llvm::sort(pairs);
  return pairs;
}

}  // namespace

op::Groups GroupsOfLists(const ir::Tables& tables, std::vector<llvm::SmallVector<int64_t, 8>> lists) {
  op::Groups groups;
  int64_t devices = 0;
  for (const auto& list : lists) {
    devices += static_cast<int64_t>(list.size());
  }
  for (size_t i = 0; i < tables.meshes.size(); ++i) {
    mesh::MeshId id{static_cast<int32_t>(i)};
    const mesh::Mesh& mesh = tables.meshes[id];
    if (mesh.maximal || mesh.size() != devices) {
      continue;
    }
    // No axes at all says nothing; groups of one device stay a list.
    auto axes = mesh::LiftGroups(mesh, lists);
    if (axes && !axes->empty()) {
      groups.mesh = id;
      groups.axes = *axes;
      return groups;
    }
  }
  groups.lists = std::move(lists);
  return groups;
}

std::vector<std::pair<int64_t, int64_t>> ExpandPairs(const ir::Tables& tables, const PermuteAttrs& attrs) {
  std::vector<std::pair<int64_t, int64_t>> pairs;
  if (!attrs.mesh.valid()) {
    for (const tensor::Dims& pair : attrs.pairs) {
      pairs.emplace_back(pair[0], pair[1]);
    }
    return pairs;
  }
  if (!attrs.pairs.empty()) {
    return BlockPairs(tables.meshes[attrs.mesh], attrs);
  }
  const mesh::Mesh& from = tables.meshes[attrs.mesh];
  mesh::MeshId to_id = attrs.to_mesh.valid() ? attrs.to_mesh : attrs.mesh;
  const mesh::Mesh& to = tables.meshes[to_id];
  // Digits that neither list has stay as they are; between two meshes there are no such digits.
  mesh::AxisList rest;
  for (size_t axis = 0; to_id == attrs.mesh && axis < from.axes.size(); ++axis) {
    rest.push_back(mesh::Whole(from, static_cast<int32_t>(axis)));
  }
  rest = mesh::Subtract(mesh::Subtract(mesh::DropUnits(rest), attrs.from), attrs.to);
  int64_t rest_size = mesh::Product(rest);
  auto key = [&](const mesh::Mesh& mesh, const mesh::AxisList& digits, int64_t position) {
    return mesh::Coordinate(mesh, digits, position) * rest_size + mesh::Coordinate(mesh, rest, position);
  };
  // A device that needs the block it holds keeps it; the other holders of a block serve its other receivers, in order.
  auto slots = static_cast<size_t>(mesh::Product(attrs.from) * rest_size);
  std::vector<llvm::SmallVector<int64_t, 4>> holders(slots), receivers(slots);
  llvm::DenseMap<int64_t, int64_t> held;
  for (int64_t p = 0; p < from.size(); ++p) {
    held[from.DeviceAt(p)] = key(from, attrs.from, p);
  }
  llvm::DenseSet<int64_t> served;
  for (int64_t p = 0; p < to.size(); ++p) {
    int64_t device = to.DeviceAt(p), block = key(to, attrs.to, p);
    auto it = held.find(device);
    if (it != held.end() && it->second == block) {
      pairs.emplace_back(device, device);
      served.insert(device);
    } else {
      receivers[static_cast<size_t>(block)].push_back(device);
    }
  }
  for (int64_t p = 0; p < from.size(); ++p) {
    if (!served.contains(from.DeviceAt(p))) {
      holders[static_cast<size_t>(key(from, attrs.from, p))].push_back(from.DeviceAt(p));
    }
  }
  for (size_t block = 0; block < slots; ++block) {
    for (size_t i = 0; i < receivers[block].size() && i < holders[block].size(); ++i) {
      pairs.emplace_back(holders[block][i], receivers[block][i]);
    }
  }
  llvm::sort(pairs);
  return pairs;
}

const op::OpDef kAllReduce = {
    .kind = ir::OpKind::AllReduce,
    .min_operands = 1,
    .max_operands = -1,
    .min_bodies = 1,
    .max_bodies = 1,
    .make_attrs = ir::NewAttrs<CollectiveAttrs>,
    .region = op::Region::Apply,
    .infer = InferAllReduce,
    .rule = RuleCollectivePointwise,
    .explicit_types = ExplicitAllReduce,
    .localize = LocalizeCollective,
    .collective = DescribeAllReduce,
    .hlo_opcode = "all-reduce",
    .print_hlo = PrintHloAllReduce,
    .read_hlo = ReadHloAllReduce,
    .from_generic = GenericCollective,
    .print_stablehlo = PrintMlirAllReduce,
    .native_name = "spmdc.all_reduce",
    .print_native = PrintNativeAllReduce,
};

const op::OpDef kAllGather = {
    .kind = ir::OpKind::AllGather,
    .min_operands = 1,
    .max_operands = -1,
    .make_attrs = ir::NewAttrs<CollectiveAttrs>,
    .classic = {.take = op::Classic::Take::Nothing},
    .flops = 0,
    .infer = InferAllGather,
    .rule = RuleAlongDim,
    .explicit_types = ExplicitAllGather,
    .localize = LocalizeCollective,
    .on_words = op::KeepWords,
    .collective = DescribeAllGather,
    .hlo_opcode = "all-gather",
    .print_hlo = PrintHloAlongDim,
    .read_hlo = ReadHloAllGather,
    .from_generic = GenericCollective,
    .print_stablehlo = PrintMlirAllGather,
    .native_name = "spmdc.all_gather",
    .print_native = PrintNativeAllGather,
};

const op::OpDef kReduceScatter = {
    .kind = ir::OpKind::ReduceScatter,
    .min_operands = 1,
    .max_operands = 1,
    .min_bodies = 1,
    .max_bodies = 1,
    .make_attrs = ir::NewAttrs<CollectiveAttrs>,
    .region = op::Region::Apply,
    .infer = InferReduceScatter,
    .rule = RuleAlongDim,
    .explicit_types = ExplicitVarying,
    .localize = LocalizeCollective,
    .collective = DescribeReduceScatter,
    .hlo_opcode = "reduce-scatter",
    .print_hlo = PrintHloAlongDim,
    .read_hlo = ReadHloReduceScatter,
    .from_generic = GenericCollective,
    .print_stablehlo = PrintMlirReduceScatter,
    .native_name = "spmdc.reduce_scatter",
    .print_native = PrintNativeReduceScatter,
};

const op::OpDef kAllToAll = {
    .kind = ir::OpKind::AllToAll,
    .min_operands = 1,
    .max_operands = 1,
    .make_attrs = ir::NewAttrs<CollectiveAttrs>,
    .classic = {.take = op::Classic::Take::Nothing},
    .flops = 0,
    .infer = InferAllToAll,
    .rule = RuleAllToAll,
    .explicit_types = ExplicitVarying,
    .localize = LocalizeAllToAll,
    .on_words = op::KeepWords,
    .collective = DescribeAllToAll,
    .hlo_opcode = "all-to-all",
    .print_hlo = PrintHloAllToAll,
    .read_hlo = ReadHloAllToAll,
    .from_generic = GenericCollective,
    .print_stablehlo = PrintMlirAllToAll,
    .native_name = "spmdc.all_to_all",
    .print_native = PrintNativeAllToAll,
};

const op::OpDef kCollectivePermute = {
    .kind = ir::OpKind::CollectivePermute,
    .min_operands = 1,
    .max_operands = 1,
    .make_attrs = ir::NewAttrs<PermuteAttrs>,
    .flops = 0,
    .infer = InferPermute,
    .rule = RuleCollectivePointwise,
    .explicit_types = ExplicitKeep,
    .localize = LocalizePermute,
    .on_words = op::KeepWords,
    .collective = DescribePermute,
    .hlo_opcode = "collective-permute",
    .print_hlo = PrintHloPermute,
    .read_hlo = ReadHloPermute,
    .from_generic = GenericPermute,
    .print_stablehlo = PrintMlirPermute,
    .native_name = "spmdc.collective_permute",
    .print_native = PrintNativePermute,
};

const op::OpDef kPartitionId = {
    .kind = ir::OpKind::PartitionId,
    .min_operands = 0,
    .max_operands = 0,
    .precedence = op::Precedence::None,
    .takes_out_sharding = true,
    .flops = 0,
    .infer = InferPartitionId,
    .explicit_types = ExplicitPartitionId,
    .eval = EvalPartitionId,
    .hlo_opcode = "partition-id",
    .native_name = "spmdc.partition_id",
};

}  // namespace spmdc::ops
