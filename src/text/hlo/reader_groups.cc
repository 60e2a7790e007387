// Who talks to whom: what the numbers in replica groups and pairs count, and all-to-alls of several arrays.
//
// A text's numbers are replicas without a channel, partitions with a channel where the op has no use_global_device_ids, and
// where it has it, devices if it is true and else replicas, each with all its partitions.
#include "llvm/ADT/STLExtras.h"
#include "ops/collective.h"
#include "ops/constant.h"
#include "ops/shape.h"
#include "ops/slice.h"
#include "text/hlo/reader_impl.h"

namespace spmdc::text::hlo {
namespace {

using Lists = llvm::SmallVector<llvm::SmallVector<int64_t, 8>, 8>;

bool HasGlobalIdsFlag(llvm::StringRef opcode) {
  opcode.consume_back("-start");
  return opcode == "all-reduce" || opcode == "all-gather" || opcode == "reduce-scatter";
}

bool NamesDevices(const RawInst& raw) {
  return (raw.def != nullptr && raw.def->collective != nullptr) || raw.Find("replica_groups") != nullptr ||
         raw.Find("source_target_pairs") != nullptr;
}

bool IsOfAll(const RawInst& raw) {
  const RawAttr* groups = raw.Find("replica_groups");
  return groups == nullptr ? raw.Find("source_target_pairs") == nullptr : groups->value == "{}";
}

// Greatest number of the groups or pairs of a text and one more; 0 if it cannot be read.
int64_t LeastCount(const RawInst& raw) {
  Lists lists;
  if (const RawAttr* groups = raw.Find("replica_groups")) {
    size_t end = 0;
    if (mesh::ParseReplicaGroups(groups->value, 0, lists, end)) {
      return 0;
    }
  } else if (const RawAttr* pairs = raw.Find("source_target_pairs")) {
    for (const auto& pair : ParsePairs(pairs->value).value_or(std::vector<tensor::Dims>())) {
      lists.emplace_back(pair.begin(), pair.end());
    }
  }
  int64_t count = 0;
  for (const auto& list : lists) {
    for (int64_t number : list) {
      count = std::max(count, number + 1);
    }
  }
  return count;
}

}  // namespace

std::optional<std::vector<tensor::Dims>> ParsePairs(llvm::StringRef text) {
  std::vector<tensor::Dims> pairs;
  Lexer lex(text);
  if (!lex.Take('{')) {
    return std::nullopt;
  }
  while (!lex.Take('}')) {
    tensor::Dims pair(2, 0);
    if (!lex.Take('{') || lex.Digits().getAsInteger(10, pair[0]) || !lex.Take(',') ||
        lex.Digits().getAsInteger(10, pair[1]) || !lex.Take('}') || (lex.Peek() != '}' && !lex.Take(','))) {
      return std::nullopt;
    }
    pairs.push_back(pair);
  }
  return lex.AtEnd() ? std::optional(std::move(pairs)) : std::nullopt;
}

Numbering NumberingOf(const RawInst& raw) {
  const RawAttr* flag = raw.Find("use_global_device_ids");
  return ops::NumberingOf(raw.Find("channel_id") != nullptr, HasGlobalIdsFlag(raw.opcode),
                          flag != nullptr && flag->value == "true");
}

// A header that says no count is for as many replicas or partitions as the text names; where groups of all leave that open,
// for as many as were asked for.
bool Reader::CountDevices() {
  bool stated = false;
  int64_t* open = nullptr;  // the count that collectives number by
  llvm::StringRef of_all;   // the opcode of one that names no devices
  for (const RawAttr& attr : header_) {
    if (attr.name == "num_partitions" || attr.name == "replica_count") {
      int64_t& count = attr.name == "replica_count" ? num_replicas_ : num_partitions_;
      if (attr.value.getAsInteger(10, count) || count < 1 || count > INT32_MAX) {
        return Fail(diag::Kind::Attribute, attr.value, "expected a number of devices");
      }
      stated = true;
    }
  }
  for (const auto& computation : computations_) {
    for (const RawInst& raw : computation->insts) {
      if (const RawAttr* channel = raw.Find("channel_id")) {
        int64_t number = 0;
        channel->value.getAsInteger(10, number);
        last_channel_ = std::max(last_channel_, std::min<int64_t>(number, INT32_MAX));
      }
      if (!stated && NamesDevices(raw)) {
        Numbering numbering = NumberingOf(raw);
        bool of_replicas = numbering == Numbering::Replicas || numbering == Numbering::ReplicasWithPartitions;
        int64_t& count = of_replicas ? num_replicas_ : num_partitions_;
        count = std::max(count, LeastCount(raw));
        open = &count;
        of_all = IsOfAll(raw) ? raw.opcode : of_all;
      }
    }
  }
  if (open != nullptr && num_replicas_ * num_partitions_ == 1) {
    *open = std::max<int64_t>(options_.devices, 1);
    if (is_fragment_ && options_.devices == 0 && !of_all.empty()) {
      diags_
          .Warning(diag::Kind::DeviceCount, SpanOf(of_all),
                   of_all.str() + " is among all devices, and the text does not say how many there are: taken as one")
          .Help("--devices says how many");
    }
  }
  module_.num_devices = num_replicas_ * num_partitions_;
  return true;
}

int64_t Reader::CountOf(Numbering numbering) const {
  switch (numbering) {
    case Numbering::Partitions:
      return num_partitions_;
    case Numbering::Devices:
      return num_replicas_ * num_partitions_;
    default:
      return num_replicas_;
  }
}

namespace {

llvm::StringRef Noun(Numbering numbering) {
  return numbering == Numbering::Devices ? "device" : numbering == Numbering::Partitions ? "partition" : "replica";
}

// XLA's rule: where there are several, every one of them is in a group.
bool AllThere(const Lists& groups, int64_t count) {
  size_t listed = 0;
  for (const auto& group : groups) {
    listed += group.size();
  }
  return count == 1 || listed == static_cast<size_t>(count);
}

}  // namespace

void Reader::AppendDevices(llvm::ArrayRef<int64_t> numbers, Numbering numbering,
                           std::vector<llvm::SmallVector<int64_t, 8>>& lists) const {
  ops::AppendDevices(numbers, numbering, num_replicas_, num_partitions_, lists);
}

std::optional<Lists> Reader::WrittenGroups(const RawInst& raw) {
  Numbering numbering = NumberingOf(raw);
  const RawAttr* flag = raw.Find("use_global_device_ids");
  if (numbering == Numbering::Replicas && flag != nullptr && flag->value == "true") {
    Fail(diag::Kind::Attribute, flag->value, "use_global_device_ids=true needs a channel_id");
    return std::nullopt;
  }
  const RawAttr* attr = raw.Find("replica_groups");
  llvm::StringRef text = attr == nullptr ? "{}" : attr->value;
  Lists groups;
  size_t end = 0;
  if (auto error = mesh::ParseReplicaGroups(text, CountOf(numbering), groups, end, Noun(numbering))) {
    auto handle = diags_.Error(diag::Kind::Group, SpanOf(attr->value.substr(error->offset, 1)), error->message);
    if (numbering == Numbering::Replicas) {
      handle.Help("without channel_id=... the numbers are replicas, of which the header's replica_count says how many");
    } else if (numbering == Numbering::ReplicasWithPartitions) {
      handle.Help("without use_global_device_ids=true the numbers are replicas, not devices");
    }
    return std::nullopt;
  }
  return groups;
}

std::optional<std::vector<llvm::SmallVector<int64_t, 8>>> Reader::DeviceGroups(const RawInst& raw) {
  Numbering numbering = NumberingOf(raw);
  int64_t count = CountOf(numbering);
  std::optional<Lists> groups = WrittenGroups(raw);
  if (!groups) {
    return std::nullopt;
  }
  if (!AllThere(*groups, count)) {
    const RawAttr* attr = raw.Find("replica_groups");
    Fail(diag::Kind::Group, attr == nullptr ? raw.opcode : attr->value,
         "the replica groups do not have all of the " + std::to_string(count) + " " + Noun(numbering).str() + "s");
    return std::nullopt;
  }
  std::vector<llvm::SmallVector<int64_t, 8>> devices;
  for (const auto& group : *groups) {
    AppendDevices(group, numbering, devices);
  }
  return devices;
}

const op::Groups* Reader::GroupsOf(const RawInst& raw) {
  if (meshes_of_groups_ != module_.tables->meshes.size()) {
    groups_of_text_.clear();
    meshes_of_groups_ = module_.tables->meshes.size();
  }
  const RawAttr* attr = raw.Find("replica_groups");
  std::pair<llvm::StringRef, int> key(attr == nullptr ? "{}" : attr->value, static_cast<int>(NumberingOf(raw)));
  auto known = groups_of_text_.find(key);
  if (known != groups_of_text_.end()) {
    return &known->second;
  }
  auto lists = DeviceGroups(raw);
  return lists ? &(groups_of_text_[key] = ops::GroupsOfLists(*module_.tables, std::move(*lists))) : nullptr;
}

std::optional<std::vector<tensor::Dims>> Reader::DevicePairs(const RawInst& raw) {
  const RawAttr* attr = raw.Find("source_target_pairs");
  auto pairs = attr == nullptr ? std::nullopt : ParsePairs(attr->value);
  if (!pairs) {
    Fail(diag::Kind::Attribute, attr == nullptr ? raw.opcode : attr->value,
         attr == nullptr ? raw.opcode.str() + " without source_target_pairs"
                         : "source_target_pairs: expected pairs like {{0,1},{1,0}}");
    return std::nullopt;
  }
  Numbering numbering = NumberingOf(raw);
  int64_t count = CountOf(numbering);
  std::vector<llvm::SmallVector<int64_t, 8>> devices;
  for (const tensor::Dims& pair : *pairs) {
    for (int64_t number : pair) {
      if (number < 0 || number >= count) {
        std::string noun = Noun(numbering).str();
        Fail(diag::Kind::Collective, attr->value,
             "a pair names " + noun + " " + std::to_string(number) + ", but there " +
                 (count == 1 ? "is 1 " + noun : "are " + std::to_string(count) + " " + noun + "s"));
        return std::nullopt;
      }
    }
    AppendDevices(pair, numbering, devices);
  }
  std::vector<tensor::Dims> device_pairs;
  for (const auto& pair : devices) {
    device_pairs.emplace_back(pair.begin(), pair.end());
  }
  return device_pairs;
}

int64_t Reader::ChannelOf(const RawInst& raw) {
  const RawAttr* attr = raw.Find("channel_id");
  int64_t channel = 0;
  if (attr == nullptr || attr->value.getAsInteger(10, channel) || channel < 1) {
    return ++last_channel_;
  }
  return channel;
}

// With several replicas devices are numbered through: `partition-id` is the remainder, `replica-id` the quotient.
bool Builder::BuildReplicaOrPartition(const RawInst& raw) {
  llvm::SmallVector<ir::TypeId, 1> types;
  raw.shape.Leaves(types);
  ir::TypeId type = reader_.module_.tables->types.Intern(ir::ArrayType(tensor::DType::U32, {}));
  if (types.size() != 1 || types[0] != type) {
    return reader_.Fail(diag::Kind::ResultType, raw.opcode, raw.opcode.str() + " has type u32[]");
  }
  ir::Inst device, count, inst;
  device.op = ir::OpKind::PartitionId;
  count.op = ir::OpKind::Constant;
  count.attrs = reader_.module_.tables->attrs.Add(
      ops::ConstantAttrs{tensor::Literal::Integer(tensor::DType::U32, {}, reader_.num_partitions_)});
  inst.op = raw.opcode == "replica-id" ? ir::OpKind::Divide : ir::OpKind::Remainder;
  ir::ValueId number = AddMade(raw, device, {}, PartOf(raw, "device", type));
  ir::ValueId partitions = AddMade(raw, count, {}, PartOf(raw, "partitions", type));
  return Append(raw, inst, {number, partitions}, {}, type);
}

// `(s, s) all-to-all(a, b)`: member k of a group gets the k-th array of each member.
bool Builder::BuildTupleAllToAll(const RawInst& raw) {
  Values operands;
  llvm::SmallVector<ir::TypeId, 4> results;
  raw.shape.Leaves(results);
  auto groups = reader_.DeviceGroups(raw);
  if (!groups || !Operands(raw, operands)) {
    return false;
  }
  size_t n = operands.size();
  ir::TypeId type = n == 0 ? ir::TypeId() : function_.values[operands[0]].type;
  bool alike = results.size() == n && n > 0 && reader_.module_.tables->types[type].is_array() &&
               llvm::all_of(operands, [&](ir::ValueId v) { return function_.values[v].type == type; }) &&
               llvm::all_of(results, [&](ir::TypeId id) { return id == type; });
  if (!alike || llvm::any_of(*groups, [&](const auto& group) { return group.size() != n; })) {
    return reader_.Fail(diag::Kind::Collective, raw.opcode,
                        "an all-to-all without dimensions has one operand and one result of the same type for each "
                        "member of a group");
  }
  ExchangeRows(raw, operands, type, std::move(*groups));
  return true;
}

// The arrays are put side by side along a dim of their own, exchanged, and taken apart.
void Builder::ExchangeRows(const RawInst& raw, const Values& operands, ir::TypeId type,
                           std::vector<llvm::SmallVector<int64_t, 8>> groups) {
  ir::Tables& tables = *reader_.module_.tables;
  auto made = [&](ir::OpKind kind, auto attrs, llvm::ArrayRef<ir::ValueId> from, ir::Value result) {
    ir::Inst inst;
    inst.op = kind;
    inst.attrs = tables.attrs.Add(std::move(attrs));
    return AddMade(raw, inst, from, std::move(result));
  };
  const ir::Type each = tables.types[type];
  tensor::Dims dims = each.dims;
  dims.insert(dims.begin(), 1);
  ir::TypeId row = tables.types.Intern(ir::ArrayType(each.dtype, dims));
  Values rows;
  for (ir::ValueId operand : operands) {
    rows.push_back(made(ir::OpKind::Reshape, ops::ReshapeAttrs{dims}, operand, PartOf(raw, "row", row)));
  }
  dims[0] = static_cast<int64_t>(rows.size());
  ir::TypeId all = tables.types.Intern(ir::ArrayType(each.dtype, dims));
  ops::CollectiveAttrs exchange;
  exchange.groups = ops::GroupsOfLists(tables, std::move(groups));
  exchange.channel = reader_.ChannelOf(raw);
  ir::ValueId joined = made(ir::OpKind::Concatenate, ops::ConcatenateAttrs{0}, rows, PartOf(raw, "rows", all));
  ir::ValueId received = made(ir::OpKind::AllToAll, std::move(exchange), joined, PartOf(raw, "received", all));
  Values values;
  for (int64_t k = 0; k < dims[0]; ++k) {
    tensor::Dims start(dims.size(), 0), limit = dims;
    start[0] = k;
    limit[0] = k + 1;
    ir::ValueId cut = made(ir::OpKind::Slice, ops::SliceAttrs{start, limit, tensor::Dims(dims.size(), 1)}, received,
                           PartOf(raw, "cut", row));
    values.push_back(
        made(ir::OpKind::Reshape, ops::ReshapeAttrs{each.dims}, cut, NewValue(raw, static_cast<size_t>(k), type)));
  }
  SetLeaves(raw, values);
}

}  // namespace spmdc::text::hlo
