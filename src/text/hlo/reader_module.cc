// The module from its computations: meshes of its shardings, whether it is per-device, the entry, aliases.
#include "ir/donor.h"
#include "llvm/ADT/STLExtras.h"
#include "op/verify.h"
#include "ops/gspmd_manual.h"
#include "support/starts_with.h"
#include "text/hlo/layout.h"
#include "text/hlo/reader_impl.h"

namespace spmdc::text::hlo {

// By what partitioners write: an entry `..._spmd`, instructions that say so, a schedule (XLA makes one last), or a collective
// in the entry of a module without any manual sharding, where a whole program has no devices to speak of.
bool Reader::IsPerDevice(const RawComputation& entry) const {
  if (EndsWith(entry.name, "_spmd") ||
      llvm::any_of(header_, [](const RawAttr& attr) { return attr.name == "is_scheduled" && attr.value == "true"; })) {
    return true;
  }
  // Replicas share nothing: what one of them computes is what the text says.
  if (num_replicas_ > 1) {
    return true;
  }
  bool collective = llvm::any_of(entry.insts, [](const RawInst& inst) {
    return inst.def != nullptr && inst.def->collective != nullptr && inst.Find("sharding") == nullptr;
  });
  if (collective && !lex_.text().contains("sharding={manual}") && !lex_.text().contains("SPMDFullToShardShape")) {
    return true;
  }
  for (const auto& computation : computations_) {
    for (const RawInst& inst : computation->insts) {
      // XLA partitions before it fuses and lays out.
      const RawAttr* frontend = inst.Find("frontend_attributes");
      if (inst.opcode == "fusion" || inst.opcode == "bitcast" ||
          (frontend != nullptr && frontend->value.contains("is_spmd_generated=\"true\""))) {
        return true;
      }
    }
  }
  return false;
}

namespace {

// Tile lists as the text spells them, each one once.
class Leaves {
 public:
  void AddSharding(llvm::StringRef text) {
    bool is_tuple = false;
    size_t end = 0;
    llvm::SmallVector<mesh::TileSharding, 1> found;
    if (seen_.insert(text).second && !mesh::ParseHloSharding(text, found, is_tuple, end)) {
      leaves_.insert(leaves_.end(), found.begin(), found.end());
    }
  }

  // Groups of devices as tiles: one row a group. Each device is in one of them.
  void AddGroups(llvm::ArrayRef<llvm::SmallVector<int64_t, 8>> groups) {
    mesh::TileSharding rows;
    rows.kind = mesh::TileSharding::Kind::Tiled;
    for (const auto& group : groups) {
      if (group.size() != groups[0].size()) {
        return;
      }
      rows.devices.append(group.begin(), group.end());
    }
    llvm::SmallVector<int64_t, 0> sorted = rows.devices;
    llvm::sort(sorted);
    for (size_t i = 0; i < sorted.size(); ++i) {
      if (sorted[i] != static_cast<int64_t>(i)) {
        return;
      }
    }
    if (!sorted.empty()) {
      rows.tiles = {static_cast<int64_t>(groups.size()), static_cast<int64_t>(groups[0].size())};
      leaves_.push_back(std::move(rows));
    }
  }

  size_t size() const { return leaves_.size(); }
  // The devices of the largest.
  int64_t MostDevices() const {
    int64_t most = 1;
    for (const mesh::TileSharding& leaf : leaves_) {
      most = std::max(most, leaf.named ? leaf.named->first.size() : tensor::NumElements(leaf.tiles));
    }
    return most;
  }
  // A mesh for the first `count`, and for so many devices.
  std::optional<mesh::Mesh> Common(size_t count, int64_t num_devices) const {
    llvm::SmallVector<const mesh::TileSharding*, 16> pointers;
    for (size_t i = 0; i < count; ++i) {
      pointers.push_back(&leaves_[i]);
    }
    return pointers.empty() ? std::nullopt : mesh::CommonMesh(pointers, num_devices);
  }

 private:
  std::vector<mesh::TileSharding> leaves_;
  llvm::StringSet<> seen_;
};

}  // namespace

// One mesh on which every sharding of the text, and every list of replica groups, is made of axes; else one for the
// shardings alone.
void Reader::CollectShardings() {
  Leaves leaves;
  auto for_each = [&](llvm::StringRef key, auto callback) {
    for (const auto& computation : computations_) {
      for (const RawInst& inst : computation->insts) {
        if (const RawAttr* attr = inst.Find(key)) {
          callback(attr->value, inst);
        }
      }
    }
  };
  for_each("sharding", [&](llvm::StringRef text, const RawInst&) { leaves.AddSharding(text); });
  size_t num_shardings = leaves.size();
  // A header without a count is for as many devices as its shardings; one with another count is told at the sharding.
  bool stated =
      llvm::any_of(header_, [](const RawAttr& a) { return a.name == "num_partitions" || a.name == "replica_count"; });
  if (!stated) {
    module_.num_devices = std::max(module_.num_devices, leaves.MostDevices());
  }
  llvm::StringSet<> seen;
  for_each("replica_groups", [&](llvm::StringRef text, const RawInst& inst) {
    Numbering numbering = NumberingOf(inst);
    int64_t count = CountOf(numbering);
    llvm::SmallVector<llvm::SmallVector<int64_t, 8>, 8> groups;
    size_t end = 0;
    if (!seen.insert(std::to_string(static_cast<int>(numbering)) + text.str()).second) {
      return;
    }
    if (count == module_.num_devices && StartsWith(text, "[")) {
      leaves.AddSharding("{devices=" + text.str() + "}");
    } else if (!mesh::ParseReplicaGroups(text, count, groups, end)) {
      std::vector<llvm::SmallVector<int64_t, 8>> devices;
      for (const auto& group : groups) {
        AppendDevices(group, numbering, devices);
      }
      leaves.AddGroups(devices);
    }
  });
  std::optional<mesh::Mesh> mesh = leaves.Common(leaves.size(), module_.num_devices);
  if (!mesh) {
    mesh = leaves.Common(num_shardings, module_.num_devices);
  }
  if (mesh && stated && mesh->size() != module_.num_devices) {
    mesh.reset();
  }
  if (mesh) {
    mesh::NormalizeDeviceIds(*mesh);
    module_.mesh = module_.tables->meshes.Intern(*mesh);
    module_.num_devices = std::max(module_.num_devices, mesh->size());
  }
}

std::optional<mesh::ShardingId> Reader::ShardingOf(const mesh::TileSharding& leaf, size_t rank, llvm::StringRef at) {
  std::optional<mesh::Sharding> sharding;
  if (module_.mesh.valid()) {
    sharding = mesh::ToNamed(leaf, module_.tables->meshes[module_.mesh], module_.mesh, rank);
  }
  if (!sharding) {
    mesh::Mesh own = mesh::MeshOf(leaf, module_.num_devices);
    mesh::NormalizeDeviceIds(own);
    mesh::MeshId id = module_.tables->meshes.Intern(own);
    sharding = mesh::ToNamed(leaf, own, id, rank);
  }
  if (!sharding) {
    Fail(diag::Kind::UnsupportedFeature, at, "this sharding is not supported here");
    return std::nullopt;
  }
  return module_.tables->shardings.Intern(*sharding);
}

bool Reader::Shardings(llvm::StringRef text, llvm::ArrayRef<ir::TypeId> leaves,
                       llvm::SmallVectorImpl<mesh::ShardingId>& out) {
  llvm::SmallVector<mesh::TileSharding, 1> tiles;
  bool is_tuple = false;
  size_t end = 0;
  if (auto error = mesh::ParseHloSharding(text, tiles, is_tuple, end)) {
    return Fail(op::KindOf(*error), text.substr(error->offset, 1), error->message);
  }
  if (tiles.size() != leaves.size() && tiles.size() != 1) {
    return Fail(diag::Kind::ShardingText, text,
                std::to_string(tiles.size()) + " shardings for " + std::to_string(leaves.size()) + " values");
  }
  for (const mesh::TileSharding& tile : tiles) {
    int64_t devices = 1;
    for (int64_t n : tile.tiles) {
      devices *= n;
    }
    devices = tile.named && !tile.named->first.maximal ? tile.named->first.size() : devices;
    bool placed = tile.kind == mesh::TileSharding::Kind::Tiled || (tile.named && devices > 1);
    if (placed && devices != module_.num_devices) {
      return Fail(diag::Kind::DeviceCount, text,
                  "the sharding is over " + std::to_string(devices) + " devices, and the program is for " +
                      std::to_string(module_.num_devices));
    }
  }
  for (size_t i = 0; i < leaves.size(); ++i) {
    auto id = ShardingOf(tiles[tiles.size() == 1 ? 0 : i], module_.tables->types[leaves[i]].rank(), text);
    if (!id) {
      return false;
    }
    out.push_back(*id);
  }
  return true;
}

// `{ {0}: (1, {}, may-alias), {}: (0, {}) }`: result index, parameter number.
bool Reader::ReadAliases(ir::Function& entry) {
  auto attr = llvm::find_if(header_, [](const RawAttr& a) { return a.name == "input_output_alias"; });
  if (attr == header_.end()) {
    return true;
  }
  Lexer lex(attr->value);
  lex.Take('{');
  while (lex.Take('{')) {
    int64_t result = 0;
    int64_t parameter = -1;
    bool must = false;
    lex.Digits().getAsInteger(10, result);
    if (lex.Take('}') && lex.Take(':') && lex.Peek() == '(') {
      size_t begin = lex.pos() + 1;
      lex.SkipBalanced();
      llvm::StringRef text = lex.Slice(begin, lex.pos());
      text.split(',').first.trim().getAsInteger(10, parameter);
      must = text.contains("must-alias");
    }
    if (parameter < 0 || static_cast<size_t>(parameter) >= entry.args.size() || result < 0 ||
        static_cast<size_t>(result) >= entry.results.size()) {
      return Fail(diag::Kind::Attribute, attr->value, "this is no list of results and the parameters they reuse");
    }
    ir::BoundaryInfo& argument = entry.arg_info[static_cast<size_t>(parameter)];
    argument.alias = result;
    argument.side = must ? WithSide(argument.side, kMustAlias, "true") : argument.side;
    lex.Take(',');
  }
  return true;
}

// `allow_spmd_sharding_propagation_to_output={true,false}`: a boundary that may change has no sharding of the user's, though
// the text may say `{replicated}` there because others have one.
void Reader::FreeBoundaries(ir::Function& entry) {
  auto free = [&](llvm::StringRef name, std::vector<ir::BoundaryInfo>& infos) {
    auto attr = llvm::find_if(header_, [&](const RawAttr& a) { return a.name == name; });
    if (attr == header_.end()) {
      return;
    }
    llvm::SmallVector<llvm::StringRef, 8> flags;
    attr->value.trim().trim("{}").split(flags, ',', -1, /*KeepEmpty=*/false);
    for (size_t i = 0; i < infos.size() && !flags.empty(); ++i) {
      if (flags.size() != 1 && flags.size() != infos.size()) {
        return;
      }
      if (flags[flags.size() == 1 ? 0 : i].trim() == "true") {
        infos[i].sharding = {};
        infos[i].pinned = false;
      }
    }
  };
  free("allow_spmd_sharding_propagation_to_parameters", entry.arg_info);
  free("allow_spmd_sharding_propagation_to_output", entry.result_info);
}

// The one that the user wants, else the one that says ENTRY, else the only one.
bool Reader::ChooseEntry() {
  if (entry_ == nullptr && computations_.size() == 1) {
    entry_ = computations_[0].get();
  }
  llvm::StringRef wanted = options_.entry;
  wanted.consume_front("%");
  if (!wanted.empty()) {
    RawComputation* found = computation_of_name_.lookup(wanted);
    if (found == nullptr) {
      std::vector<std::string> names;
      for (const auto& computation : computations_) {
        names.push_back(computation->name.str());
      }
      std::string nearest = diag::Nearest(wanted, names);
      auto handle = diags_.Error(diag::Kind::NoEntry, {file_, 0, 0}, "the module has no computation " + wanted.str());
      if (!nearest.empty()) {
        handle.Help("did you mean --entry=" + nearest + "?");
      }
      return false;
    }
    if (entry_ != nullptr) {
      entry_->is_entry = false;
    }
    found->is_entry = true;
    entry_ = found;
  }
  if (entry_ == nullptr) {
    diags_.Error(diag::Kind::NoEntry, {file_, 0, 0}, "the module has no ENTRY computation");
  }
  return entry_ != nullptr;
}

bool Reader::BuildModule() {
  if (!CountDevices() || !ChooseEntry()) {
    return false;
  }
  module_.per_device = IsPerDevice(*entry_);
  if (!ReadSdyMeshes()) {
    return false;
  }
  if (sdy_meshes_.empty()) {
    CollectShardings();
  }
  num_partitions_ = std::max(num_partitions_, module_.num_devices / num_replicas_);
  if (!CheckExpansion(*entry_)) {
    return false;
  }
  auto id = Builder(*this, *entry_, ir::FuncId(), {}).Run(entry_->name);
  if (!id) {
    return false;
  }
  module_.entry = *id;
  ops::MakeManualRegions(module_);
  FreeBoundaries(module_.functions[*id]);
  ir::Function& entry = module_.functions[*id];
  KeepHeader(entry);
  return ReadTupleShardings(entry) && ReadAliases(entry) && ReadDonors(entry) && ReadEntryLayouts(entry);
}

// Attributes of the header that are printed again as they are.
void Reader::KeepHeader(const ir::Function& entry) {
  // Their lists are by parameters and elements: tuples are taken apart here.
  auto nested = [](const RawInst& raw) { return raw.opcode == "parameter" && raw.shape.is_tuple; };
  bool flat = llvm::none_of(entry_->insts, nested) && entry.args.size() > 0;
  for (const RawAttr& attr : header_) {
    if (llvm::is_contained(kKeptOfHeader, attr.name) && (flat || attr.name == "is_scheduled")) {
      module_.side = WithSide(module_.side, attr.name, attr.value.str());
    }
  }
  if (llvm::any_of(entry_->insts, [](const RawInst& raw) {
        return raw.is_root && raw.opcode == "tuple" && raw.operands.size() == 1 && !raw.shape.elements[0].is_tuple;
      })) {
    module_.side = WithSide(module_.side, kTupleOfOne, "true");
  }
  if (!stack_tables_.empty()) {
    module_.side = WithSide(module_.side, kStackTables, stack_tables_.str());
  }
  auto both = [](const RawInst& raw) {
    const RawAttr* frontend = raw.Find("sharding") == nullptr ? nullptr : raw.Find("frontend_attributes");
    return frontend != nullptr && frontend->value.contains("xla.sdy.sharding=");
  };
  if (!sdy_meshes_.empty() && !module_.per_device && llvm::any_of(entry_->insts, both)) {
    auto is_root = [](const RawInst& raw) { return raw.is_root; };
    auto root = llvm::find_if(entry_->insts, is_root);
    bool results = root != entry_->insts.end() && root->Find("sharding") != nullptr;
    module_.side = WithSide(module_.side, kBothForms, results ? "results" : "true");
  }
}

// `buffer_donor={ (0, {}), (3, {}) }`
bool Reader::ReadDonors(ir::Function& entry) {
  auto attr = llvm::find_if(header_, [](const RawAttr& a) { return a.name == "buffer_donor"; });
  if (attr == header_.end()) {
    return true;
  }
  Lexer lex(attr->value);
  lex.Take('{');
  while (lex.Take('(')) {
    size_t parameter = 0;
    if (lex.Digits().getAsInteger(10, parameter) || parameter >= entry.args.size() || !lex.Take(',')) {
      return Fail(diag::Kind::Attribute, attr->value, "this is no list of parameters that are given away");
    }
    ir::SetDonor(module_, entry.arg_info[parameter], true);
    lex.SkipBalanced();
    lex.Take(')');
    lex.Take(',');
  }
  return true;
}

ir::SideId Reader::WithSide(ir::SideId side, llvm::StringRef name, std::string text) {
  ir::SideData data = side.valid() ? module_.tables->sides[side] : ir::SideData();
  data.entries.emplace_back(name.str(), std::move(text));
  return module_.tables->sides.Intern(std::move(data));
}

// `entry_computation_layout={(f32[8]{0}, ...)->f32[8]{0}}`
bool Reader::ReadEntryLayouts(ir::Function& entry) {
  auto attr = llvm::find_if(header_, [](const RawAttr& a) { return a.name == "entry_computation_layout"; });
  if (attr == header_.end()) {
    return true;
  }
  lex_.set_pos(SpanOf(attr->value).begin);
  std::optional<Shape> args, results;
  if (!Expect("{") || !(args = ReadShape()) || !Expect("->") || !(results = ReadShape()) || !Expect("}")) {
    return false;
  }
  KeepLayouts(entry, *args, entry.args, entry.arg_info, kEntryLayout);
  KeepLayouts(entry, *results, entry.results, entry.result_info, kEntryLayout);
  return true;
}

// Layouts at a boundary are kept with it where they are not those of the values.
void Reader::KeepLayouts(const ir::Function& function, const Shape& shapes, llvm::ArrayRef<ir::ValueId> values,
                         std::vector<ir::BoundaryInfo>& infos, llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef, 8> layouts;
  std::string all = shapes.Layouts();
  llvm::StringRef(all).split(layouts, ';');
  for (size_t i = 0; i < values.size() && i + 1 < layouts.size(); ++i) {
    llvm::StringRef own = LayoutOf(module_, function, values[i]);
    size_t rank = module_.type(function, values[i]).rank();
    std::string wanted = layouts[i].empty() ? UsualLayout(rank) : layouts[i].str();
    if (wanted != (own.empty() ? UsualLayout(rank) : own) && CheckLayout(wanted, rank).empty()) {
      infos[i].side = WithSide(infos[i].side, name, std::move(wanted));
    }
  }
}

std::optional<ir::Module> Read(source::FileId file, diag::Engine& diags) { return Read(file, diags, ReadOptions()); }

std::optional<ir::Module> Read(source::FileId file, diag::Engine& diags, const ReadOptions& options) {
  std::optional<ir::Module> module = Reader(file, diags, options).Run();
  if (!module || !op::Verify(*module, diags)) {
    return std::nullopt;
  }
  return module;
}

}  // namespace spmdc::text::hlo
