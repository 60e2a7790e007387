// Scopes: names, regions as functions of their own, and the values that they capture.
//
// A captured value is an operand of the op and an argument of each of its bodies. Functions of scalars (reduce, scatter)
// have no such operands: there a captured constant is copied into the body.
#include "llvm/ADT/STLExtras.h"
#include "text/stablehlo/parser.h"

namespace spmdc::text::stablehlo {

bool Nested::too_deep() {
  if (parser_.nesting_ <= kMaxNesting) {
    return false;
  }
  if (!parser_.too_deep_told_) {
    parser_.too_deep_told_ = true;
    parser_.Fail(diag::Kind::TooDeep, parser_.SpanHere(),
                 "the text is nested deeper than " + std::to_string(kMaxNesting) + " levels");
  }
  return true;
}

bool Names::Insert(llvm::StringRef name, Binding binding) {
  Parts parts = PartsOf(name);
  Stem* stem = llvm::find_if(stems_, [&](const Stem& known) { return known.text == parts.stem; });
  if (stem == stems_.end() && parts.numbered && stems_.size() < kMostStems) {
    stem = &stems_.emplace_back();
    stem->text = parts.stem;
  }
  // A number far beyond the last one would cost memory for all between.
  if (!parts.numbered || stem == stems_.end() || parts.number > 2 * stem->bindings.size() + 64) {
    others_are_numbered_ |= parts.numbered;
    return others_.try_emplace(name, binding).second;
  }
  std::vector<Binding>& bindings = stem->bindings;
  bool known = parts.number < bindings.size() && bindings[parts.number].count != kNone;
  if (known || (others_are_numbered_ && others_.count(name) != 0)) {
    return false;
  }
  while (parts.number > bindings.size()) {
    bindings.push_back(Binding{ir::ValueId(), kNone});
  }
  if (parts.number == bindings.size()) {
    bindings.push_back(binding);
  } else {
    bindings[parts.number] = binding;
  }
  return true;
}

bool Parser::Define(Scope& scope, llvm::StringRef name, Binding binding) {
  if (scope.names.Insert(name, binding)) {
    return true;
  }
  scope.broken = true;
  return Fail(diag::Kind::Redefinition, SpanOf(name), "%" + name.str() + " is defined twice");
}

ir::ValueId Parser::AddArg(Scope& scope, llvm::StringRef name, ir::TypeId type, ir::BoundaryInfo info) {
  ir::Value value;
  value.type = type;
  value.name = name.str();
  value.span = info.span;
  return scope.function.AddArg(std::move(value), std::move(info));
}

std::optional<ir::ValueId> Parser::ReadUse(Scope& scope, llvm::StringRef* text) {
  if (!lex_.Take('%')) {
    FailExpected("a value");
    return std::nullopt;
  }
  size_t begin = lex_.pos();
  llvm::StringRef name = lex_.ValueName();
  std::optional<uint32_t> index;
  if (lex_.PeekAhead(0) == '#') {
    lex_.Take('#');
    uint32_t number = 0;
    lex_.Digits().getAsInteger(10, number);
    index = number;
  }
  llvm::StringRef whole = lex_.Slice(begin, lex_.pos());
  if (text != nullptr) {
    *text = whole;
  }
  return Resolve(scope, name, index, SpanOf(lex_.Slice(begin - 1, lex_.pos())));
}

std::optional<ir::ValueId> Parser::Resolve(Scope& scope, llvm::StringRef name, std::optional<uint32_t> index,
                                           source::Span span) {
  llvm::SmallVector<Scope*, 4> inner;  // from the user outwards, without the scope that defines the name
  Scope* at = &scope;
  const Binding* found = at->names.Find(name);
  while (found == nullptr && at->outer != nullptr) {
    inner.push_back(at);
    at = at->outer;
    found = at->names.Find(name);
  }
  if (found == nullptr) {
    Fail(diag::Kind::UndefinedValue, span, "%" + name.str() + " is not defined");
    return std::nullopt;
  }
  const Binding& binding = *found;
  if (binding.tuple >= 0) {
    Fail(diag::Kind::UnsupportedFeature, span,
         "%" + name.str() + " is a tuple, which no op takes but get_tuple_element and return beside it");
    return std::nullopt;
  }
  if (!binding.first.valid()) {
    return ir::ValueId();
  }
  if (index && *index >= binding.count) {
    Fail(diag::Kind::UndefinedValue, span,
         "%" + name.str() + " has " + std::to_string(binding.count) + " results, not one numbered " +
             std::to_string(*index));
    return std::nullopt;
  }
  ir::ValueId value{binding.first.index + static_cast<int32_t>(index.value_or(0))};
  while (!inner.empty()) {
    auto captured = Capture(*inner.pop_back_val(), value, span);
    if (!captured) {
      return std::nullopt;
    }
    value = *captured;
  }
  return value;
}

const Tuple* Parser::TupleOf(const Scope& scope, llvm::StringRef name) const {
  const Binding* binding = tuples_.empty() ? nullptr : scope.names.Find(name);
  return binding == nullptr || binding->tuple < 0 ? nullptr : &tuples_[static_cast<size_t>(binding->tuple)];
}

void Parser::AddLeaves(const Tuple& tuple, llvm::SmallVectorImpl<ir::ValueId>& leaves) const {
  for (const Binding& element : tuple.elements) {
    if (element.tuple >= 0) {
      AddLeaves(tuples_[static_cast<size_t>(element.tuple)], leaves);
    } else {
      leaves.push_back(element.first);
    }
  }
}

std::optional<ir::ValueId> Parser::Capture(Scope& scope, ir::ValueId outer_value, source::Span span) {
  auto known = scope.captured.find(outer_value);
  if (known != scope.captured.end()) {
    return known->second;
  }
  const ir::Value& value = scope.outer->function.values[outer_value];
  ir::ValueId inside;
  if (scope.owner->def_->region == op::Region::Manual) {
    Fail(diag::Kind::UndefinedValue, span,
         "%" + value.name + " is defined outside of the region of " + scope.owner->name_.str() +
             ", which sees its arguments only",
         "make it an operand, with an in_sharding");
    return std::nullopt;
  }
  if (scope.owner->def_->region == op::Region::Apply) {
    auto copy = CopyConstant(scope, scope.outer->function, outer_value);
    if (!copy) {
      Fail(
          diag::Kind::UnsupportedFeature, span,
          "the region of " + scope.owner->name_.str() + " uses %" + value.name + " from outside, which is no constant");
      return std::nullopt;
    }
    inside = *copy;
  } else {
    ir::BoundaryInfo info;
    info.captured = true;
    info.span = span;
    inside = AddArg(scope, value.name, value.type, std::move(info));
    llvm::SmallVectorImpl<ir::ValueId>& all = scope.owner->captured_;
    if (!llvm::is_contained(all, outer_value)) {
      all.push_back(outer_value);
    }
  }
  scope.captured[outer_value] = inside;
  return inside;
}

std::optional<ir::ValueId> Parser::CopyConstant(Scope& scope, const ir::Function& from, ir::ValueId value) {
  const ir::Value& original = from.values[value];
  if (!original.def.valid()) {
    return std::nullopt;
  }
  ir::Inst inst = from.insts[original.def];
  if (inst.num_operands != 0 || inst.num_bodies != 0 || inst.num_results != 1 || !op::Def(inst.op).constant_like) {
    return std::nullopt;
  }
  ir::Value copy = original;
  copy.sharding = {};
  ir::InstId id = scope.function.AddInst(inst, {}, {}, {copy});
  return scope.function.result(scope.function.insts[id]);
}

// `^bb0(%a: tensor<f32>, ...):`
bool Parser::ReadBlockArgs(Scope& scope) {
  lex_.Take('^');
  lex_.Name();
  if (lex_.Take('(')) {
    while (!lex_.Take(')')) {
      if (!lex_.Take('%')) {
        return FailExpected("an argument");
      }
      llvm::StringRef name = lex_.ValueName();
      std::optional<ir::TypeId> type;
      if (!Expect(":") || !(type = ReadType()) || !ReadOptionalLoc(nullptr)) {
        return false;
      }
      ir::BoundaryInfo info;
      info.span = SpanOf(name);
      Define(scope, name, {AddArg(scope, name, *type, std::move(info))});
      if (lex_.Peek() != ')' && !Expect(",")) {
        return false;
      }
    }
  }
  return Expect(":");
}

namespace {

// `while_cond`, `case_branch1`, `reduce_body`: what the body is to its op.
std::string BodyName(const op::OpDef& def, size_t index) {
  std::string name = ir::Mnemonic(def.kind).str();
  switch (def.region) {
    case op::Region::Loop:
      return name + (index == 0 ? "_cond" : "_body");
    case op::Region::Branch:
      return name + "_branch" + std::to_string(index);
    default:
      return name + "_body" + (index == 0 ? "" : std::to_string(index));
  }
}

}  // namespace

bool Parser::ReadRegion(OpReader& owner, llvm::ArrayRef<op::StablehloReader::RegionArg> args) {
  Nested nested(*this);
  if (nested.too_deep() || !Expect("{")) {
    return false;
  }
  Scope scope;
  scope.id = module_.functions.Add(ir::Function());
  scope.outer = &owner.scope_;
  scope.owner = &owner;
  std::string name = BodyName(*owner.def_, owner.bodies_.size());
  int& copies = body_names_[name];
  scope.function.name = name + (copies == 0 ? "" : "_" + std::to_string(copies));
  ++copies;
  scope.function.span = owner.span_;
  scope.function.enclosing = owner.scope_.id;
  for (const op::StablehloReader::RegionArg& arg : args) {
    ir::BoundaryInfo info;
    info.span = arg.span;
    llvm::StringRef arg_name = diags_.sources().text(arg.span);
    arg_name.consume_front("%");
    Define(scope, arg_name, {AddArg(scope, arg.name, module_.tables->types.Intern(arg.type), std::move(info))});
  }
  if (lex_.Peek() == '^' && !ReadBlockArgs(scope)) {
    return false;
  }
  ReadOps(scope);
  if (lex_.Peek() == '^') {
    return Fail(diag::Kind::UnsupportedFeature, SpanHere(), "a region of several blocks is not supported");
  }
  if (!Expect("}")) {
    return false;
  }
  if (!scope.ended && !scope.broken) {
    return Fail(diag::Kind::Syntax, SpanHere(), "the region of " + owner.name_.str() + " does not end with a return");
  }
  owner.poisoned_ |= scope.broken;
  owner.bodies_.push_back(scope.id);
  owner.body_captures_.push_back(std::move(scope.captured));
  module_.functions[scope.id] = std::move(scope.function);
  return true;
}

void OpReader::AlignCaptures() {
  if (captured_.empty() || def_->region == op::Region::Apply) {
    return;
  }
  for (size_t b = 0; b < bodies_.size(); ++b) {
    ir::Function& body = parser_.module_.functions[bodies_[b]];
    llvm::SmallVector<ir::ValueId, 4> args;
    std::vector<ir::BoundaryInfo> infos;
    for (size_t i = 0; i < body.args.size(); ++i) {
      if (!body.arg_info[i].captured) {
        args.push_back(body.args[i]);
        infos.push_back(std::move(body.arg_info[i]));
      }
    }
    for (ir::ValueId outside : captured_) {
      auto inside = body_captures_[b].find(outside);
      ir::BoundaryInfo info;
      info.captured = true;
      info.span = span_;
      if (inside != body_captures_[b].end()) {
        info.span = body.values[inside->second].span;
        args.push_back(inside->second);
      } else {
        ir::Value value;
        value.type = scope_.function.values[outside].type;
        value.name = scope_.function.values[outside].name;
        value.span = span_;
        args.push_back(body.values.Add(std::move(value)));
      }
      infos.push_back(std::move(info));
    }
    for (size_t i = 0; i < args.size(); ++i) {
      body.values[args[i]].index = static_cast<uint32_t>(i);
    }
    body.args = std::move(args);
    body.arg_info = std::move(infos);
  }
}

}  // namespace spmdc::text::stablehlo
