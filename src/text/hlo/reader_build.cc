// One function from a computation: parameters, elements of tuples, the root, and the values' names.
#include "llvm/ADT/STLExtras.h"
#include "ops/elementwise.h"
#include "text/hlo/layout.h"
#include "text/hlo/reader_impl.h"

namespace spmdc::text::hlo {

Builder::Builder(Reader& reader, const RawComputation& from, ir::FuncId enclosing, mesh::AxisList manual_axes,
                 bool applied)
    : reader_(reader), from_(from), applied_(applied), body_axes_(manual_axes) {
  function_.manual_axes = std::move(manual_axes);
  int& copies = reader.function_names_[from.name];
  function_.name = from.name.str() + (copies == 0 ? "" : "_" + std::to_string(copies));
  ++copies;
  function_.span = reader.SpanOf(from.name);
  function_.enclosing = enclosing;
}

std::optional<ir::FuncId> Builder::Run(llvm::StringRef use) {
  if (llvm::is_contained(reader_.building_, &from_)) {
    reader_.Fail(diag::Kind::UnsupportedFeature, use, "computation " + from_.name.str() + " calls itself");
    return std::nullopt;
  }
  if (reader_.building_.size() > kMaxNesting) {
    reader_.Fail(diag::Kind::TooDeep, use,
                 "computations are nested deeper than " + std::to_string(kMaxNesting) + " levels");
    return std::nullopt;
  }
  if (reader_.refused_.count(&from_) != 0) {
    return std::nullopt;
  }
  reader_.building_.push_back(&from_);
  id_ = reader_.module_.functions.Add(ir::Function());
  leaves_of_.resize(from_.insts.size());
  function_.insts.reserve(from_.insts.size());
  function_.values.reserve(from_.insts.size());
  NameElements();
  if (!reader_.module_.per_device) {
    FindManualRegions();
  }
  bool have_parameters = BuildParameters(), good = have_parameters;
  const RawInst* root = from_.insts.empty() ? nullptr : &from_.insts.back();
  for (const RawInst& raw : from_.insts) {
    root = raw.is_root ? &raw : root;
    // What uses a wrong instruction is not told again.
    bool enough = reader_.diags_.error_count() >= kEnoughErrors;
    if (enough || (have_parameters && (UsesRefused(raw) || !BuildInst(raw)))) {
      good = false;
      refused_.insert(raw.name);
    }
  }
  reader_.building_.pop_back();
  if (good && root == nullptr) {
    good = reader_.Fail(diag::Kind::Syntax, from_.name, "computation " + from_.name.str() + " is empty");
  }
  if (!good || !BuildRoot(*root)) {
    reader_.refused_.insert(&from_);
    return std::nullopt;
  }
  reader_.module_.functions[id_] = std::move(function_);
  return id_;
}

bool Builder::UsesRefused(const RawInst& raw) const {
  return !refused_.empty() &&
         llvm::any_of(raw.operands, [&](const RawOperand& operand) { return refused_.count(operand.name) != 0; });
}

// Which get-tuple-element names which leaf of which instruction, through chains of them.
void Builder::NameElements() {
  llvm::DenseMap<const RawInst*, std::pair<const RawInst*, size_t>> base_of;
  for (const RawInst& raw : from_.insts) {
    if (raw.opcode != "get-tuple-element" || raw.operands.size() != 1) {
      continue;
    }
    int64_t index = 0;
    const RawAttr* attr = raw.Find("index");
    const RawInst* of = from_.Definition(raw.operands[0]);
    if (attr == nullptr || attr->value.getAsInteger(10, index) || of == nullptr) {
      continue;
    }
    auto chained = base_of.find(of);
    std::pair<const RawInst*, size_t> base = chained == base_of.end() ? std::make_pair(of, size_t{0}) : chained->second;
    for (int64_t i = 0; i < index && i < static_cast<int64_t>(of->shape.elements.size()); ++i) {
      base.second += of->shape.elements[static_cast<size_t>(i)].num_leaves();
    }
    base_of[&raw] = base;
    if (!raw.shape.is_tuple) {
      element_names_.try_emplace(base, raw.name);
    }
  }
}

ir::Value Builder::NewValue(const RawInst& raw, size_t leaf, ir::TypeId type) {
  ir::Value value;
  value.type = type;
  value.span = reader_.SpanOf(raw.name);
  if (!raw.shape.is_tuple) {
    value.name = raw.name.str();
    return value;
  }
  auto element = element_names_.find({&raw, leaf});
  if (element != element_names_.end()) {
    value.name = element->second.str();
    return value;
  }
  value.name = FreshName(raw.name.str() + "." + std::to_string(leaf));
  return value;
}

// `stem`, or `stem.1`, ...: the first that nothing in the computation is called.
std::string Builder::FreshName(const std::string& stem) {
  if (used_names_.empty()) {
    used_names_.reserve(from_.insts.size());
    for (const RawInst& raw : from_.insts) {
      used_names_.insert(raw.name);
    }
  }
  std::string name = stem;
  for (int i = 1; used_names_.contains(name); ++i) {
    name = stem + "." + std::to_string(i);
  }
  used_names_.insert(llvm::StringRef(name).copy(reader_.memory_));
  return name;
}

namespace {

// `{a="b"}` without what says where the value is; empty if nothing is left.
std::string OtherFrontendAttributes(llvm::StringRef text) {
  std::string rest;
  ForEachField(text, [&](llvm::StringRef key, llvm::StringRef value) {
    if (key != "xla.sdy.sharding") {
      rest += (rest.empty() ? "" : ",") + key.str() + "=" + value.str();
    }
  });
  return rest.empty() ? "" : "{" + rest + "}";
}

}  // namespace

// Parameters in order of their numbers, of each the leaves.
bool Builder::BuildParameters() {
  std::vector<const RawInst*> parameters;
  for (const RawInst& raw : from_.insts) {
    if (raw.opcode != "parameter") {
      continue;
    }
    size_t number = 0;
    if (raw.operand_text.trim().getAsInteger(10, number) || number > from_.insts.size()) {
      return reader_.Fail(diag::Kind::Syntax, raw.name, "expected the number of the parameter");
    }
    parameters.resize(std::max(parameters.size(), number + 1));
    if (parameters[number] != nullptr) {
      return reader_.Fail(diag::Kind::Redefinition, raw.name,
                          "parameter " + std::to_string(number) + " is there twice");
    }
    parameters[number] = &raw;
  }
  for (size_t n = 0; n < parameters.size(); ++n) {
    if (parameters[n] == nullptr) {
      return reader_.Fail(diag::Kind::Syntax, from_.name, "parameter " + std::to_string(n) + " is missing");
    }
    const RawInst& raw = *parameters[n];
    llvm::SmallVector<ir::TypeId, 4> leaves;
    raw.shape.Leaves(leaves);
    llvm::SmallVector<mesh::ShardingId, 4> shardings;
    if (!reader_.AnnotationOf(raw, leaves, shardings)) {
      return false;
    }
    llvm::SmallVector<llvm::StringRef, 4> layouts;
    std::string all_layouts = raw.shape.has_layouts ? raw.shape.Layouts() : "";
    llvm::StringRef(all_layouts).split(layouts, ';');
    const RawAttr* frontend = leaves.size() == 1 ? raw.Find("frontend_attributes") : nullptr;
    std::string others = frontend == nullptr ? "" : OtherFrontendAttributes(frontend->value);
    const RawAttr* metadata = raw.Find("metadata");
    ir::SourceId source = metadata != nullptr ? reader_.SourceOf(metadata->value) : ir::SourceId();
    Values values;
    for (size_t i = 0; i < leaves.size(); ++i) {
      ir::BoundaryInfo info;
      info.span = reader_.SpanOf(raw.name);
      info.sharding = shardings.empty() ? mesh::ShardingId() : shardings[i];
      info.pinned = info.sharding.valid();
      if (i < layouts.size() && !layouts[i].empty()) {
        info.side = reader_.WithSide({}, kLayout, layouts[i].str() + ";");
      }
      if (!others.empty()) {
        info.side = reader_.WithSide(info.side, "frontend_attributes", others);
      }
      if (from_.is_entry && source.valid()) {
        info.name = reader_.module_.tables->sources[source].op_name;
      }
      values.push_back(function_.AddArg(NewValue(raw, i, leaves[i]), std::move(info)));
    }
    SetLeaves(raw, values);
  }
  return true;
}

void Builder::SetLeaves(const RawInst& raw, llvm::ArrayRef<ir::ValueId> values) {
  leaves_of_[static_cast<size_t>(NumberOf(raw))] = {static_cast<uint32_t>(leaves_.size()),
                                                    static_cast<uint32_t>(values.size()), true};
  leaves_.insert(leaves_.end(), values.begin(), values.end());
}

llvm::ArrayRef<ir::ValueId> Builder::LeavesOf(const RawInst& raw) const {
  const Leaves& leaves = leaves_of_[static_cast<size_t>(NumberOf(raw))];
  return llvm::ArrayRef<ir::ValueId>(leaves_).slice(leaves.first, leaves.count);
}

bool Builder::OperandLeaves(const RawInst& raw, size_t i, Values& values) {
  const RawOperand& operand = raw.operands[i];
  if (operand.inst < 0 || !leaves_of_[static_cast<size_t>(operand.inst)].known) {
    return reader_.Fail(diag::Kind::UndefinedValue, operand.name, operand.name.str() + " is not defined above");
  }
  llvm::ArrayRef<ir::ValueId> leaves = LeavesOf(*from_.Definition(operand));
  values.append(leaves.begin(), leaves.end());
  return true;
}

bool Builder::Operands(const RawInst& raw, Values& values) {
  for (size_t i = 0; i < raw.operands.size(); ++i) {
    if (!OperandLeaves(raw, i, values)) {
      return false;
    }
  }
  return true;
}

// `get-tuple-element(x), index=1`: some of x's leaves.
bool Builder::BuildElement(const RawInst& raw) {
  Values all;
  size_t index = 0;
  const RawAttr* attr = raw.Find("index");
  if (raw.operands.size() != 1 || attr == nullptr || attr->value.getAsInteger(10, index)) {
    return reader_.Fail(diag::Kind::Attribute, raw.name, "get-tuple-element has one operand and an index");
  }
  if (!OperandLeaves(raw, 0, all)) {
    return false;
  }
  const Shape& shape = from_.Definition(raw.operands[0])->shape;
  if (!shape.is_tuple || index >= shape.elements.size()) {
    return reader_.Fail(diag::Kind::ShapeRule, raw.name,
                        raw.operands[0].name.str() + " has no element " + std::to_string(index));
  }
  size_t first = 0;
  for (size_t i = 0; i < index; ++i) {
    first += shape.elements[i].num_leaves();
  }
  size_t count = shape.elements[index].num_leaves();
  if (first + count > all.size()) {
    return reader_.Fail(diag::Kind::ShapeRule, raw.name, raw.operands[0].name.str() + " is not what its shape says");
  }
  SetLeaves(raw, llvm::ArrayRef<ir::ValueId>(all).slice(first, count));
  return true;
}

// The root's sharding is where the result is wanted.
bool Builder::IsAnnotated(const RawInst& raw) const {
  const RawAttr* frontend = raw.Find("frontend_attributes");
  return !reader_.module_.per_device && !(raw.is_root && from_.is_entry) &&
         (raw.Find("sharding") != nullptr ||
          (frontend != nullptr && !FrontendAttribute(frontend->value, "xla.sdy.sharding").empty()));
}

// In a whole program a copy is its operand, unless somebody says where the copy is, or it is laid out otherwise. What one device
// runs is kept as it is.
bool Builder::IsValueOfItsOwn(const RawInst& raw) const {
  const RawInst* operand = from_.Definition(raw.operands[0]);
  return reader_.module_.per_device || IsAnnotated(raw) ||
         (operand != nullptr && operand->shape.layout != raw.shape.layout);
}

bool Builder::BuildOwnCopy(const RawInst& raw) {
  Values operand;
  if (!Operands(raw, operand)) {
    return false;
  }
  if (operand.size() != 1 || function_.values[operand[0]].type != raw.shape.leaf) {
    return reader_.Fail(diag::Kind::ShapeRule, raw.opcode, "a copy has the type of its operand");
  }
  ir::Inst inst;
  inst.op = ir::OpKind::Convert;
  inst.attrs =
      reader_.module_.tables->attrs.Add(ops::ConvertAttrs{reader_.module_.tables->types[raw.shape.leaf].dtype});
  return Append(raw, inst, operand, {}, raw.shape.leaf);
}

bool Builder::BuildInst(const RawInst& raw) {
  asked_.clear();
  if (raw.opcode == "parameter" || IsInsideManual(raw)) {
    return true;
  }
  auto manual = manual_.find(&raw);
  if (manual != manual_.end()) {
    return BuildManual(raw, manual->second);
  }
  if (raw.opcode == "get-tuple-element") {
    return BuildElement(raw);
  }
  if (raw.opcode == "copy" && raw.operands.size() == 1 && !raw.shape.is_tuple && IsValueOfItsOwn(raw)) {
    return BuildOwnCopy(raw);
  }
  if (raw.opcode == "tuple" || (raw.opcode == "copy" && raw.operands.size() == 1)) {
    Values all;
    if (!Operands(raw, all)) {
      return false;
    }
    SetLeaves(raw, all);
    return true;
  }
  const RawAttr* target = raw.opcode == "custom-call" ? raw.Find("custom_call_target") : nullptr;
  if (target != nullptr && !reader_.module_.per_device) {
    if (target->value == "\"Sharding\"") {
      return BuildConstraint(raw);
    }
    if (target->value == "\"xla.sdy.FuncResultSharding\"") {
      return BuildResultSharding(raw);
    }
    if (target->value == "\"xla.sdy.PropagationBarrier\"") {
      return BuildBarrier(raw);
    }
    if (target->value == "\"xla.sdy.ShardingGroup\"") {
      return BuildSdyGroup(raw);
    }
  }
  if (reader_.num_replicas_ > 1 && (raw.opcode == "replica-id" || raw.opcode == "partition-id")) {
    return BuildReplicaOrPartition(raw);
  }
  if (raw.opcode == "all-to-all" && raw.Find("dimensions") == nullptr) {
    return BuildTupleAllToAll(raw);
  }
  const op::OpDef* def = raw.def;
  if (target != nullptr) {
    def = op::FindByCustomCall(target->value.trim('"'));
  }
  if (def == nullptr || def->kind == ir::OpKind::Opaque || def->is_constraint) {
    return BuildOpaque(raw);
  }
  switch (def->region) {
    case op::Region::Loop:
      return BuildWhile(raw, *def);
    case op::Region::Branch:
      return BuildBranches(raw, *def);
    case op::Region::Call:
      return BuildCall(raw, *def);
    default:
      return BuildOp(raw, *def);
  }
}

// `custom-call(x), custom_call_target="xla.sdy.FuncResultSharding"`: x, and where it is wanted as a result.
bool Builder::BuildResultSharding(const RawInst& raw) {
  Values all;
  llvm::SmallVector<mesh::ShardingId, 1> shardings;
  llvm::SmallVector<ir::TypeId, 1> leaves;
  raw.shape.Leaves(leaves);
  if (!Operands(raw, all) || !reader_.AnnotationOf(raw, leaves, shardings)) {
    return false;
  }
  if (all.size() != 1 || leaves.size() != 1 || shardings.size() != 1) {
    return reader_.Fail(diag::Kind::Attribute, raw.opcode,
                        "a call of FuncResultSharding has one operand and a sharding");
  }
  wanted_[raw.name] = shardings[0];
  SetLeaves(raw, all);
  return true;
}

// JAX returns the one result of a program as the element of a tuple of one: what that is made of, else the instruction itself.
llvm::StringRef Builder::SourceOfElement(const RawInst& raw) const {
  const RawInst* tuple =
      raw.opcode == "get-tuple-element" && raw.operands.size() == 1 ? from_.Definition(raw.operands[0]) : nullptr;
  bool of_one = tuple != nullptr && tuple->opcode == "tuple" && tuple->operands.size() == 1;
  return of_one ? tuple->operands[0].name : raw.name;
}

// The leaves of the root are the results. In a global program its sharding is where they are wanted.
bool Builder::BuildRoot(const RawInst& raw) {
  SPMDC_CHECK(leaves_of_[static_cast<size_t>(NumberOf(raw))].known, "a root that was not built");
  llvm::SmallVector<ir::TypeId, 4> leaves;
  for (ir::ValueId v : LeavesOf(raw)) {
    function_.results.push_back(v);
    leaves.push_back(function_.values[v].type);
  }
  ir::BoundaryInfo info;
  info.span = reader_.SpanOf(raw.name);
  function_.result_info.assign(leaves.size(), info);
  // A tuple may be laid out otherwise than what it is made of, before XLA's passes care.
  if (raw.opcode == "tuple") {
    reader_.KeepLayouts(function_, raw.shape, function_.results, function_.result_info, kLayout);
  }
  if (!from_.is_entry || leaves.empty()) {
    return true;
  }
  llvm::SmallVector<mesh::ShardingId, 4> shardings;
  if (raw.opcode != "parameter" && !reader_.AnnotationOf(raw, leaves, shardings)) {
    return false;
  }
  bool flat = raw.opcode == "tuple" && raw.operands.size() == leaves.size();
  for (size_t i = 0; i < leaves.size(); ++i) {
    mesh::ShardingId wanted = wanted_.lookup(flat ? raw.operands[i].name : SourceOfElement(raw));
    mesh::ShardingId id = wanted.valid() ? wanted : shardings.empty() ? wanted : shardings[i];
    function_.result_info[i].sharding = id;
    function_.result_info[i].pinned = id.valid();
  }
  return true;
}

}  // namespace spmdc::text::hlo
