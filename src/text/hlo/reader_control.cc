// Loops and branches: tuples become carried and captured values, and the branches' own operands one list for all.
#include "llvm/ADT/STLExtras.h"
#include "ops/control.h"
#include "ops/elementwise.h"
#include "text/hlo/reader_impl.h"

namespace spmdc::text::hlo {

void Builder::CollectUses() {
  for (const RawInst& user : from_.insts) {
    size_t index = 0;
    const RawAttr* attr = user.opcode == "get-tuple-element" ? user.Find("index") : nullptr;
    bool takes_apart = attr != nullptr && !attr->value.getAsInteger(10, index);
    for (const RawOperand& operand : user.operands) {
      used_elements_.insert({operand.inst, takes_apart ? std::min(index, kWhole - 1) : kWhole});
    }
  }
}

bool Builder::IsElementUsed(const RawInst& raw, size_t element) {
  if (used_elements_.empty()) {
    CollectUses();
  }
  return raw.is_root || used_elements_.contains({NumberOf(raw), kWhole}) ||
         used_elements_.contains({NumberOf(raw), element});
}

// Elements at the end of a loop's tuple that the step only hands on, and that nobody takes out, are captured values.
size_t Builder::CountCarried(const RawInst& raw, ir::FuncId step_id) {
  const ir::Function& step = reader_.module_.functions[step_id];
  size_t carried = step.results.size();
  bool flat = llvm::none_of(raw.shape.elements, [](const Shape& s) { return s.is_tuple; });
  while (flat && carried > 0 && step.results[carried - 1] == step.args[carried - 1] &&
         !IsElementUsed(raw, carried - 1)) {
    --carried;
  }
  return carried;
}

bool Builder::BuildWhile(const RawInst& raw, const op::OpDef& def) {
  Values operands;
  llvm::SmallVector<ir::TypeId, 4> results;
  raw.shape.Leaves(results);
  if (!Operands(raw, operands)) {
    return false;
  }
  auto condition = Body(raw, "condition");
  auto step = condition ? Body(raw, "body") : std::nullopt;
  if (!step) {
    return false;
  }
  ir::Function& step_function = reader_.module_.functions[*step];
  ir::Function& condition_function = reader_.module_.functions[*condition];
  size_t n = operands.size();
  if (results.size() != n || step_function.args.size() != n || step_function.results.size() != n ||
      condition_function.args.size() != n) {
    return reader_.Fail(diag::Kind::CarryMismatch, raw.opcode,
                        "the loop's operand, condition and body do not agree on " + std::to_string(n) + " values");
  }
  size_t carried = CountCarried(raw, *step);
  step_function.results.resize(carried);
  step_function.result_info.resize(carried);
  for (size_t i = carried; i < n; ++i) {
    step_function.arg_info[i].captured = true;
    condition_function.arg_info[i].captured = true;
  }
  results.resize(carried);
  ir::Inst inst;
  inst.op = def.kind;
  inst.attrs = reader_.module_.tables->attrs.Add(ops::WhileAttrs{static_cast<int64_t>(carried)});
  return Append(raw, inst, operands, {*condition, *step}, results);
}

// The branch index: a flag chooses true_computation, which is branch 1.
ir::ValueId Builder::BranchIndex(const RawInst& raw, ir::ValueId value) {
  const ir::Type& type = reader_.module_.type(function_, value);
  if (type.dtype != tensor::DType::Pred) {
    return value;
  }
  ir::Inst convert;
  convert.op = ir::OpKind::Convert;
  convert.attrs = reader_.module_.tables->attrs.Add(ops::ConvertAttrs{tensor::DType::S32});
  ir::TypeId number = reader_.module_.tables->types.Intern(ir::ArrayType(tensor::DType::S32, type.dims));
  return AddMade(raw, convert, value, PartOf(raw, "index", number));
}

bool Builder::BranchBodies(const RawInst& raw, llvm::SmallVectorImpl<ir::FuncId>& bodies) {
  const RawAttr* list = raw.Find("branch_computations");
  asked_.insert("branch_computations");
  if (list == nullptr) {
    for (const char* name : {"false_computation", "true_computation"}) {
      auto body = Body(raw, name);
      if (!body) {
        return false;
      }
      bodies.push_back(*body);
    }
    return true;
  }
  Lexer lex(list->value);
  lex.Take('{');
  while (!lex.AtEnd() && !lex.Take('}')) {
    auto body = BodyNamed(raw, lex.Name());
    if (!body) {
      return false;
    }
    bodies.push_back(*body);
    lex.Take(',');
  }
  return true;
}

// Every branch takes the operands of all: what is another's is not used.
bool Builder::ShareOperands(const RawInst& raw, llvm::ArrayRef<ir::FuncId> bodies, llvm::ArrayRef<Values> own,
                            Values& operands) {
  bool alike = llvm::all_of(own, [&](const Values& values) { return values == own[0]; });
  size_t before = 0;
  Values all;
  for (const Values& values : own) {
    if (all.empty() || !alike) {
      all.append(values.begin(), values.end());
    }
  }
  for (size_t b = 0; b < bodies.size(); ++b) {
    ir::Function& body = reader_.module_.functions[bodies[b]];
    if (body.args.size() != own[b].size()) {
      return reader_.Fail(diag::Kind::BranchMismatch, raw.opcode,
                          "branch " + std::to_string(b) + " takes " + std::to_string(body.args.size()) +
                              " values, not " + std::to_string(own[b].size()));
    }
    llvm::SmallVector<ir::ValueId, 4> args;
    for (size_t i = 0; i < all.size(); ++i) {
      bool mine = alike || (i >= before && i < before + own[b].size());
      ir::Value value;
      value.name = "unused." + std::to_string(i);
      value.type = function_.values[all[i]].type;
      value.span = body.span;
      args.push_back(mine ? body.args[alike ? i : i - before] : body.values.Add(std::move(value)));
      body.values[args.back()].index = static_cast<uint32_t>(i);
    }
    before += own[b].size();
    body.args = std::move(args);
    ir::BoundaryInfo info;
    info.captured = true;
    info.span = body.span;
    body.arg_info.assign(body.args.size(), info);
  }
  operands.append(all.begin(), all.end());
  return true;
}

bool Builder::BuildBranches(const RawInst& raw, const op::OpDef& def) {
  llvm::SmallVector<ir::TypeId, 4> results;
  raw.shape.Leaves(results);
  llvm::SmallVector<ir::FuncId, 4> bodies;
  Values index;
  if (!BranchBodies(raw, bodies)) {
    return false;
  }
  if (bodies.empty() || raw.operands.size() != bodies.size() + 1 || !OperandLeaves(raw, 0, index) ||
      index.size() != 1) {
    return reader_.Fail(diag::Kind::OperandCount, raw.opcode, "a conditional has an index and one operand a branch");
  }
  bool is_flag = reader_.module_.type(function_, index[0]).dtype == tensor::DType::Pred;
  if (is_flag && raw.Find("branch_computations") != nullptr) {
    std::reverse(bodies.begin(), bodies.end());
  }
  Values operands = {BranchIndex(raw, index[0])};
  std::vector<Values> own(bodies.size());
  for (size_t b = 0; b < bodies.size(); ++b) {
    size_t operand = is_flag ? bodies.size() - b : b + 1;  // the first operand is the true branch's
    if (!OperandLeaves(raw, operand, own[b])) {
      return false;
    }
  }
  if (!ShareOperands(raw, bodies, own, operands)) {
    return false;
  }
  ir::Inst inst;
  inst.op = def.kind;
  return Append(raw, inst, operands, bodies, results);
}

}  // namespace spmdc::text::hlo
