// Instructions: the ops' own hooks, control flow, calls, constraints, unknown ops.
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "mesh/sdy_carried.h"
#include "op/eval.h"
#include "ops/control.h"
#include "ops/elementwise.h"
#include "ops/gspmd_manual.h"
#include "ops/opaque.h"
#include "ops/sharding.h"
#include "support/starts_with.h"
#include "text/hlo/layout.h"
#include "text/hlo/literal.h"
#include "text/hlo/reader_impl.h"

namespace spmdc::text::hlo {

// The attributes of one instruction, as an op's hook asks for them.
class InstReader final : public op::HloReader {
 public:
  InstReader(Builder& builder, const RawInst& raw, llvm::ArrayRef<ir::ValueId> operands,
             llvm::ArrayRef<ir::TypeId> results)
      : builder_(builder), raw_(raw), operand_ids_(operands), result_ids_(results) {}

  ir::Module& module() override { return builder_.reader_.module_; }
  llvm::ArrayRef<ir::Type> operands() const override {
    if (operands_.empty()) {
      for (ir::ValueId v : operand_ids_) {
        operands_.push_back(builder_.reader_.module_.type(builder_.function_, v));
      }
    }
    return operands_;
  }
  llvm::ArrayRef<ir::Type> results() const override {
    if (results_.empty()) {
      for (ir::TypeId id : result_ids_) {
        results_.push_back(builder_.reader_.module_.tables->types[id]);
      }
    }
    return results_;
  }
  llvm::StringRef operand_text() const override { return raw_.operand_text; }
  bool Has(llvm::StringRef name) const override { return raw_.Find(name) != nullptr; }
  std::optional<std::string> Text(llvm::StringRef name) override {
    const RawAttr* attr = Ask(name);
    return attr != nullptr ? std::optional(attr->value.str()) : std::nullopt;
  }
  std::optional<llvm::SmallVector<int64_t, 4>> Ints(llvm::StringRef name) override {
    const RawAttr* attr = Ask(name);
    if (attr == nullptr) {
      return std::nullopt;
    }
    auto values = IntList(attr->value);
    if (!values) {
      Fail(name, "expected a list of integers");
    }
    return values;
  }
  std::optional<int64_t> Int(llvm::StringRef name) override {
    const RawAttr* attr = Ask(name);
    int64_t value = 0;
    if (attr == nullptr) {
      return std::nullopt;
    }
    if (attr->value.getAsInteger(10, value)) {
      Fail(name, "expected an integer");
      return std::nullopt;
    }
    return value;
  }
  std::optional<bool> Bool(llvm::StringRef name) override {
    const RawAttr* attr = Ask(name);
    return attr != nullptr ? std::optional(attr->value == "true" || attr->value == "1") : std::nullopt;
  }
  std::optional<op::Groups> ReplicaGroups() override {
    Ask("replica_groups");
    Ask("use_global_device_ids");
    const op::Groups* groups = builder_.reader_.GroupsOf(raw_);
    return groups != nullptr ? std::optional(*groups) : std::nullopt;
  }
  std::optional<std::vector<tensor::Dims>> SourceTargetPairs() override {
    Ask("source_target_pairs");
    return builder_.reader_.DevicePairs(raw_);
  }
  int64_t Channel() override {
    Ask("channel_id");
    return builder_.reader_.ChannelOf(raw_);
  }
  std::optional<tensor::Literal> ParseLiteral(llvm::StringRef text, const ir::Type& type) override {
    std::string problem;
    llvm::StringRef at;
    auto literal = hlo::ParseLiteral(text, type, problem, at);
    if (!literal) {
      failed = true;
      builder_.reader_.Fail(diag::Kind::LiteralForm, InText(at), problem);
    }
    return literal;
  }
  std::optional<ir::FuncId> Body(llvm::StringRef name) override {
    Ask(name);
    std::optional<ir::FuncId> body = builder_.Body(raw_, name);
    failed = failed || !body;  // and that was told
    return body;
  }
  std::optional<std::vector<ir::FuncId>> Bodies(llvm::StringRef name) override {
    const RawAttr* attr = Ask(name);
    if (attr == nullptr) {
      return std::nullopt;
    }
    std::vector<ir::FuncId> named;
    Lexer lex(attr->value);
    lex.Take('{');
    while (!lex.AtEnd() && !lex.Take('}')) {
      auto body = builder_.BodyNamed(raw_, lex.Name());
      if (!body) {
        failed = true;
        return std::nullopt;
      }
      named.push_back(*body);
      lex.Take(',');
    }
    return named;
  }
  void UseBodies(llvm::ArrayRef<ir::FuncId> ids) override { bodies.append(ids.begin(), ids.end()); }
  // The first mistake of an instruction is told: the next one may come of it.
  bool Fail(llvm::StringRef name, std::string message) override {
    if (std::exchange(failed, true)) {
      return false;
    }
    const RawAttr* attr = raw_.Find(name);
    llvm::StringRef at = attr != nullptr ? attr->value : raw_.opcode;
    std::string subject = attr != nullptr ? name.str() : raw_.opcode.str();
    return builder_.reader_.Fail(diag::Kind::Attribute, at, subject + ": " + message);
  }

  llvm::SmallVector<ir::FuncId, 2> bodies;
  bool failed = false;

 private:
  const RawAttr* Ask(llvm::StringRef name) {
    builder_.asked_.insert(name);
    return raw_.Find(name);
  }
  // A piece of a copy of the text has no place in the file.
  llvm::StringRef InText(llvm::StringRef piece) const {
    llvm::StringRef all = builder_.reader_.lex_.text();
    bool inside = piece.data() >= all.data() && piece.data() + piece.size() <= all.data() + all.size();
    return inside ? piece : raw_.operand_text;
  }

  Builder& builder_;
  const RawInst& raw_;
  llvm::ArrayRef<ir::ValueId> operand_ids_;
  llvm::ArrayRef<ir::TypeId> result_ids_;
  mutable llvm::SmallVector<ir::Type, 4> operands_, results_;  // made when the op asks
};

std::optional<ir::FuncId> Builder::Body(const RawInst& raw, llvm::StringRef attr_name) {
  const RawAttr* attr = raw.Find(attr_name);
  asked_.insert(attr_name);
  if (attr == nullptr) {
    reader_.Fail(diag::Kind::Attribute, raw.opcode, raw.opcode.str() + " without " + attr_name.str());
    return std::nullopt;
  }
  llvm::StringRef name = attr->value;
  name.consume_front("%");
  return BodyNamed(raw, name);
}

std::optional<ir::FuncId> Builder::BodyNamed(const RawInst& raw, llvm::StringRef name) {
  RawComputation* computation = reader_.computation_of_name_.lookup(name);
  if (computation == nullptr) {
    reader_.Fail(diag::Kind::UndefinedValue, raw.opcode, "computation " + name.str() + " is not defined");
    return std::nullopt;
  }
  op::Region region = raw.def == nullptr ? op::Region::Call : raw.def->region;
  bool applied = region == op::Region::Apply || (region == op::Region::None && raw.def->collective != nullptr);
  return Builder(reader_, *computation, id_, body_axes_, applied).Run(raw.opcode);
}

// Shardings, metadata, causes; attributes that nobody asked for are kept as text.
bool Builder::Annotate(const RawInst& raw, ir::Inst& inst, llvm::MutableArrayRef<ir::Value> results,
                       const AskedNames& asked) {
  ir::SideData side;
  bool annotated = !reader_.module_.per_device && !asked.contains("sharding");
  if (annotated) {
    llvm::SmallVector<ir::TypeId, 4> leaves;
    for (const ir::Value& value : results) {
      leaves.push_back(value.type);
    }
    if (raw.opcode == "while" && !leaves.empty()) {
      leaves.clear();
      raw.shape.Leaves(leaves);  // those that the loop only passes through are no results: the last ones
    }
    llvm::SmallVector<mesh::ShardingId, 4> shardings;
    if (!reader_.AnnotationOf(raw, leaves, shardings)) {
      return false;
    }
    for (size_t i = 0; i < shardings.size() && i < results.size(); ++i) {
      results[i].sharding = shardings[i];
    }
  }
  for (const RawAttr& attr : raw.attrs) {
    if (asked.contains(attr.name)) {
      continue;
    }
    if (attr.name == "metadata") {
      inst.source = reader_.SourceOf(attr.value);
      auto others = reader_.other_metadata_.find(attr.value);
      if (others != reader_.other_metadata_.end()) {
        side.entries.emplace_back(kMetadata, others->second);
      }
    } else if (attr.name == "sharding" && annotated) {
      continue;
    } else if (attr.name == "frontend_attributes") {
      std::string rest;
      ForEachField(attr.value, [&](llvm::StringRef key, llvm::StringRef value) {
        if (key == "is_spmd_generated" && value == "\"true\"") {
          inst.cause = reader_.GeneratedCause();
        } else if (key != "xla.sdy.sharding" || reader_.module_.per_device) {
          rest += (rest.empty() ? "" : ",") + key.str() + "=" + value.str();
        }
      });
      if (!rest.empty()) {
        side.entries.emplace_back("frontend_attributes", "{" + rest + "}");
      }
    } else {
      side.entries.emplace_back(attr.name.str(), attr.value.str());
    }
  }
  // Numbers of replicas or partitions alone are those of devices.
  const RawAttr* groups = raw.Find("replica_groups");
  if (groups != nullptr && asked.contains(groups->name) && groups->value != "{}" &&
      (reader_.num_replicas_ == 1 || reader_.num_partitions_ == 1)) {
    side.entries.emplace_back(groups->name.str(), groups->value.str());
  }
  const RawAttr* reduced = raw.opcode == "reduce" ? raw.Find("dimensions") : nullptr;
  if (reduced != nullptr && !llvm::is_sorted(*IntList(reduced->value))) {
    side.entries.emplace_back(kReducedDims, reduced->value.str());
  }
  if (raw.shape.has_layouts) {
    side.entries.emplace_back(kLayout, raw.shape.Layouts());
  }
  if (raw.opcode == "copy") {
    side.entries.emplace_back(kOpcode, "copy");
  }
  if (!side.entries.empty()) {
    inst.side = reader_.module_.tables->sides.Intern(std::move(side));
  }
  return true;
}

bool Builder::Append(const RawInst& raw, ir::Inst inst, llvm::ArrayRef<ir::ValueId> operands,
                     llvm::ArrayRef<ir::FuncId> bodies, llvm::ArrayRef<ir::TypeId> result_types) {
  llvm::SmallVector<ir::Value, 2> results;
  for (size_t i = 0; i < result_types.size(); ++i) {
    results.push_back(NewValue(raw, i, result_types[i]));
  }
  inst.span = reader_.SpanOf(raw.opcode);
  if (!Annotate(raw, inst, results, asked_)) {
    return false;
  }
  ir::InstId id = function_.AddInst(inst, operands, bodies, std::move(results));
  Values values;
  for (size_t i = 0; i < result_types.size(); ++i) {
    values.push_back(function_.result(function_.insts[id], i));
  }
  SetLeaves(raw, values);
  return true;
}

ir::ValueId Builder::AddMade(const RawInst& raw, ir::Inst inst, llvm::ArrayRef<ir::ValueId> operands,
                             ir::Value result) {
  inst.span = reader_.SpanOf(raw.opcode);
  ir::InstId id = function_.AddInst(inst, operands, {}, result);
  return function_.result(function_.insts[id]);
}

ir::Value Builder::PartOf(const RawInst& raw, llvm::StringRef suffix, ir::TypeId type) {
  ir::Value result;
  result.name = FreshName(raw.name.str() + "." + suffix.str());
  result.span = reader_.SpanOf(raw.name);
  result.type = type;
  return result;
}

namespace {

// What every custom call has: its target, which is known, and the computations that it calls.
bool ReadCalled(op::HloReader& reader) {
  reader.Text("custom_call_target");
  if (!reader.Has("called_computations")) {
    return true;
  }
  auto called = reader.Bodies("called_computations");
  if (called) {
    reader.UseBodies(*called);
  }
  return called.has_value();
}

}  // namespace

bool Builder::BuildOp(const RawInst& raw, const op::OpDef& def) {
  Values operands;
  llvm::SmallVector<ir::TypeId, 4> results;
  if (!Operands(raw, operands)) {
    return false;
  }
  raw.shape.Leaves(results);
  InstReader reader(*this, raw, operands, results);
  ir::Inst inst;
  inst.op = def.kind;
  // Without bodies and numbers of devices the attributes are what the text says, whatever stands around it.
  bool by_itself =
      def.read_hlo != nullptr && def.max_bodies == 0 && def.collective == nullptr && def.custom_call.empty();
  llvm::StringRef form = by_itself ? FormOf(raw, def, operands, results) : "";
  auto known = reader_.known_attrs_.find(form);
  if (known != reader_.known_attrs_.end()) {
    inst.attrs = known->second->attrs;
    asked_ = known->second->asked;
    return Append(raw, inst, operands, {}, results);
  }
  size_t told = reader_.diags_.all().size();
  if (!ReadAttrsOf(raw, def, reader, inst.attrs)) {
    return false;
  }
  bool applies = def.region == op::Region::Apply || def.collective != nullptr;
  for (ir::FuncId& body : reader.bodies) {
    body = applies && !operands.empty() ? InPrecisionOf(operands[0], body) : body;
  }
  if (!form.empty() && reader_.diags_.all().size() == told) {
    reader_.known_attrs_[form.copy(reader_.memory_)] =
        std::make_unique<Reader::KnownAttrs>(Reader::KnownAttrs{inst.attrs, asked_});
  }
  return Append(raw, inst, operands, reader.bodies, results);
}

// XLA's passes change the precision of a reduction without its function, of which only the op counts then.
ir::FuncId Builder::InPrecisionOf(ir::ValueId operand, ir::FuncId body_id) {
  const ir::Module& module = reader_.module_;
  const ir::Function& body = module.functions[body_id];
  if (body.args.size() != 2 || body.insts.size() != 1) {
    return body_id;
  }
  ir::Type scalar = ir::ArrayType(module.type(function_, operand).dtype, {});
  tensor::DType own = module.type(body, body.args[0]).dtype;
  bool other = own != scalar.dtype && tensor::IsFloat(own) && tensor::IsFloat(scalar.dtype);
  if (!other || op::RecognizeMonoid(module, body_id, 0) == mesh::Monoid::None) {
    return body_id;
  }
  ir::Function changed = body;
  for (ir::Value& value : changed.values) {
    value.type = module.tables->types.Intern(scalar);
  }
  return reader_.module_.functions.Add(std::move(changed));
}

bool Builder::ReadAttrsOf(const RawInst& raw, const op::OpDef& def, InstReader& reader, ir::AttrsId& attrs) {
  if (!def.custom_call.empty() && !ReadCalled(reader)) {
    return false;
  }
  if (def.read_hlo != nullptr && (!def.read_hlo(reader, attrs) || reader.failed)) {
    return false;
  }
  return def.make_attrs == nullptr || attrs.valid() ||
         reader_.Fail(diag::Kind::UnsupportedOp, raw.opcode, raw.opcode.str() + " is not supported in this form");
}

// Programs repeat their ops: op, types and attributes of an instruction, by which one that was read before is found. Where it
// comes from and where its value is are left out: no op reads that. Empty for those with long texts, which hardly come twice.
llvm::StringRef Builder::FormOf(const RawInst& raw, const op::OpDef& def, llvm::ArrayRef<ir::ValueId> operands,
                                llvm::ArrayRef<ir::TypeId> results) {
  constexpr size_t kLongest = 512;
  form_.clear();
  auto number = [&](int32_t value) {
    form_.append(reinterpret_cast<const char*>(&value), reinterpret_cast<const char*>(&value + 1));
  };
  number(static_cast<int32_t>(def.kind));
  number(static_cast<int32_t>(operands.size()));
  number(static_cast<int32_t>(results.size()));
  for (ir::ValueId v : operands) {
    number(function_.values[v].type.index);
  }
  for (ir::TypeId id : results) {
    number(id.index);
  }
  // Parentheses hold something else than operands in constants alone.
  llvm::StringRef inside = raw.operands.empty() ? raw.operand_text : "";
  form_ += inside.take_front(kLongest);
  for (const RawAttr& attr : raw.attrs) {
    if (attr.name != "metadata" && attr.name != "sharding" && attr.name != "frontend_attributes") {
      form_.append({";", attr.name, "=", attr.value.take_front(kLongest)});
    }
  }
  return form_.size() < kLongest ? form_.str() : llvm::StringRef();
}

namespace {

// `.` for an array, `(..)` for a tuple of two.
std::string Structure(const Shape& shape) {
  if (!shape.is_tuple) {
    return ".";
  }
  std::string text = "(";
  for (const Shape& element : shape.elements) {
    text += Structure(element);
  }
  return text + ")";
}

}  // namespace

// How operands and results are nested, `(..)->((.).)`; empty where operands are arrays and results one array or several.
std::string Builder::TupleStructure(const RawInst& raw) const {
  std::string text;
  bool nested = raw.shape.is_tuple && (raw.shape.elements.size() == 1 ||
                                       llvm::any_of(raw.shape.elements, [](const Shape& s) { return s.is_tuple; }));
  for (const RawOperand& operand : raw.operands) {
    const Shape& shape = from_.Definition(operand)->shape;
    nested |= shape.is_tuple;
    text += Structure(shape);
  }
  return nested ? text + "->" + Structure(raw.shape) : "";
}

// The value of an attribute with the computations that it names, which become bodies, as `@0`, `@1`, ...: `@0`, `{@0, @1}`.
std::optional<std::string> Builder::NumberBodies(const RawInst& raw, const RawAttr& attr,
                                                 llvm::SmallVectorImpl<ir::FuncId>& bodies) {
  bool is_list = attr.name == "called_computations" || attr.name == "branch_computations";
  bool must_be_one = (attr.name == "to_apply" || attr.name == "calls") && !StartsWith(attr.value, "{");
  if (!is_list && !must_be_one && reader_.computation_of_name_.count(attr.value.ltrim('%')) == 0) {
    return attr.value.str();
  }
  std::string list;
  Lexer lex(attr.value);
  bool braced = lex.Take('{');
  while (!lex.AtEnd() && lex.Peek() != '}') {
    llvm::StringRef name = lex.Name();
    auto body = BodyNamed(raw, name);
    if (!body) {
      return std::nullopt;
    }
    list += (list.empty() ? "@" : ", @") + std::to_string(bodies.size());
    bodies.push_back(*body);
    if (!lex.Take(',') && lex.Peek() != '}' && !lex.AtEnd()) {
      reader_.Fail(diag::Kind::Attribute, attr.value, attr.name.str() + ": expected computations, like {a, b}");
      return std::nullopt;
    }
  }
  return braced ? "{" + list + "}" : list;
}

// The text behind the operands, with its computations as `@0`, `@1`, ... so that they may be called otherwise.
bool Builder::BuildOpaque(const RawInst& raw) {
  Values operands;
  llvm::SmallVector<ir::TypeId, 4> results;
  if (!Operands(raw, operands)) {
    return false;
  }
  raw.shape.Leaves(results);
  ops::OpaqueAttrs attrs;
  attrs.name = raw.opcode.str();
  llvm::SmallVector<ir::FuncId, 2> bodies;
  for (const RawAttr& attr : raw.attrs) {
    if (attr.name == "metadata" || attr.name == "sharding" || attr.name == "frontend_attributes") {
      continue;
    }
    asked_.insert(attr.name);
    if (attr.name == "replica_groups" && !reader_.WrittenGroups(raw)) {
      return false;
    }
    std::optional<std::string> value = NumberBodies(raw, attr, bodies);
    if (!value) {
      return false;
    }
    attrs.text += ", " + attr.name.str() + "=" + *value;
  }
  for (ir::TypeId id : results) {
    attrs.result_types.push_back(reader_.module_.tables->types[id]);
  }
  attrs.types = TupleStructure(raw);
  ir::Inst inst;
  inst.op = ir::OpKind::Opaque;
  inst.attrs = reader_.module_.tables->attrs.Add(std::move(attrs));
  return Append(raw, inst, operands, bodies, results);
}

// Whether the config of a constraint leaves dims open, and says nothing else.
bool Builder::OpenDims(llvm::StringRef config, mesh::ShardingId& id) {
  mesh::Sharding sharding = reader_.module_.tables->shardings[id];
  bool opens = ops::OpenUnspecifiedDims(config, sharding);
  id = opens ? reader_.module_.tables->shardings.Intern(sharding) : id;
  return opens;
}

// `sharding={unknown shard_as 3}` says that a value is sharded as others are, and is no sharding itself.
std::optional<int64_t> Builder::ShardGroup(llvm::StringRef sharding) const {
  llvm::SmallVector<mesh::TileSharding, 1> leaves;
  bool is_tuple = false;
  size_t end = 0;
  if (mesh::ParseHloSharding(sharding, leaves, is_tuple, end) || leaves.size() != 1 ||
      leaves[0].kind != mesh::TileSharding::Kind::Unknown || leaves[0].shard_as < 0) {
    return std::nullopt;
  }
  return leaves[0].shard_as;
}

// `() custom-call(x), custom_call_target="xla.sdy.ShardingGroup", frontend_attributes={xla.sdy.sharding_group_id="3 : i64"}`
bool Builder::BuildSdyGroup(const RawInst& raw) {
  const RawAttr* frontend = raw.Find("frontend_attributes");
  llvm::StringRef text = frontend == nullptr ? "" : FrontendAttribute(frontend->value, "xla.sdy.sharding_group_id");
  std::optional<int64_t> group = mesh::ParseCarriedGroup(text.ltrim('"'));
  if (!group || raw.operands.size() != 1) {
    return reader_.Fail(diag::Kind::Attribute, raw.opcode,
                        "a call of ShardingGroup has one operand and xla.sdy.sharding_group_id=\"0 : i64\"");
  }
  for (const char* name : {"frontend_attributes", "custom_call_has_side_effect"}) {
    asked_.insert(name);
  }
  return BuildGroup(raw, *group, "");
}

// `custom-call(x), custom_call_target="xla.sdy.PropagationBarrier", frontend_attributes={xla.sdy.allowed_direction="2 : i32"}`
bool Builder::BuildBarrier(const RawInst& raw) {
  Values operands;
  const RawAttr* frontend = raw.Find("frontend_attributes");
  llvm::StringRef text = frontend == nullptr ? "" : FrontendAttribute(frontend->value, "xla.sdy.allowed_direction");
  auto direction = ops::CarriedDirection(text.ltrim('"'));
  if (!Operands(raw, operands)) {
    return false;
  }
  if (!direction || operands.size() != 1 || raw.shape.is_tuple ||
      function_.values[operands[0]].type != raw.shape.leaf) {
    return reader_.Fail(diag::Kind::Attribute, raw.opcode,
                        "a call of PropagationBarrier has one operand, a result of its type and "
                        "xla.sdy.allowed_direction=\"0 : i32\" (1: forward, 2: backward)");
  }
  for (const char* name : {"frontend_attributes", "custom_call_target", "custom_call_has_side_effect"}) {
    asked_.insert(name);
  }
  ir::Tables& tables = *reader_.module_.tables;
  ir::Inst inst;
  inst.op = ir::OpKind::Opaque;
  inst.attrs = tables.attrs.Add(ops::PropagationBarrier(*direction, tables.types[raw.shape.leaf]));
  return Append(raw, inst, operands, {}, raw.shape.leaf);
}

// `form`: how the text puts a value in a group, where it is not Shardy's way.
bool Builder::BuildGroup(const RawInst& raw, int64_t group, llvm::StringRef form) {
  Values operands;
  if (!Operands(raw, operands)) {
    return false;
  }
  asked_.insert("sharding");
  asked_.insert("custom_call_target");
  ir::Inst inst;
  inst.op = ir::OpKind::Opaque;
  inst.attrs = reader_.module_.tables->attrs.Add(ops::ShardingGroup(group));
  if (!Append(raw, inst, operands, {}, {})) {
    return false;
  }
  if (!form.empty()) {
    ir::Inst& made = function_.insts[ir::InstId{static_cast<int32_t>(function_.insts.size()) - 1}];
    made.side = reader_.WithSide(made.side, kOpcode, form.str());
  }
  SetLeaves(raw, operands);
  return true;
}

// `custom-call(x), custom_call_target="Sharding", sharding={...}`
bool Builder::BuildConstraint(const RawInst& raw) {
  Values operands;
  llvm::SmallVector<ir::TypeId, 1> results;
  raw.shape.Leaves(results);
  const RawAttr* sharding = raw.Find("sharding");
  if (std::optional<int64_t> group = sharding == nullptr ? std::nullopt : ShardGroup(sharding->value)) {
    return BuildGroup(raw, *group, kShardAs);
  }
  llvm::SmallVector<mesh::ShardingId, 1> ids;
  if (!Operands(raw, operands) || !reader_.AnnotationOf(raw, results, ids)) {
    return false;
  }
  if (ids.size() != 1 || results.size() != 1 || raw.operands.size() != 1) {
    return reader_.Fail(diag::Kind::Attribute, raw.opcode, "a call of Sharding has one operand and a sharding");
  }
  asked_.insert("sharding");
  asked_.insert("custom_call_target");
  // In a function of scalars there is nothing to place: JAX puts one into the bodies of reductions in manual regions.
  if (applied_) {
    SetLeaves(raw, operands);
    return true;
  }
  ir::Inst inst;
  inst.op = ir::OpKind::ShardingConstraint;
  if (const RawAttr* config = raw.Find("backend_config"); config != nullptr && OpenDims(config->value, ids[0])) {
    asked_.insert("backend_config");
  }
  inst.attrs = reader_.module_.tables->attrs.Add(ops::ShardingConstraintAttrs{ids[0]});
  return Append(raw, inst, operands, {}, results);
}

bool Builder::BuildCall(const RawInst& raw, const op::OpDef& def) {
  Values operands;
  llvm::SmallVector<ir::TypeId, 4> results;
  raw.shape.Leaves(results);
  const RawAttr* attr = raw.Find("to_apply");
  asked_.insert("to_apply");
  if (attr == nullptr) {
    return reader_.Fail(diag::Kind::Attribute, raw.opcode, "call without to_apply");
  }
  llvm::StringRef name = attr->value;
  name.consume_front("%");
  ir::FuncId body = reader_.called_.lookup(name);
  if (!body.valid()) {
    auto built = BodyNamed(raw, name);
    if (!built) {
      return false;
    }
    body = *built;
    reader_.module_.functions[body].enclosing = ir::FuncId();
    reader_.called_[name] = body;
  }
  if (!Operands(raw, operands)) {
    return false;
  }
  ir::Inst inst;
  inst.op = def.kind;
  return Append(raw, inst, operands, body, results);
}

}  // namespace spmdc::text::hlo
