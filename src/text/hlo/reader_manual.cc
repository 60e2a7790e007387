// Manual regions, as XLA writes Shardy's: a custom call that cuts the operands into blocks, a call of the body, and a
// custom call that makes whole arrays again.
//
//   in  = (f32[4,2]) custom-call(a), custom_call_target="xla.sdy.GlobalToLocalShape",
//         frontend_attributes={xla.sdy.in_shardings="...",xla.sdy.manual_axes="#sdy<manual_axes{\"x\"}>"}
//   mid = (f32[4,2]) call(in.0), to_apply=xla.sdy.manual_computation_body
//   out = (f32[8,4]) custom-call(mid.0), custom_call_target="xla.sdy.LocalToGlobalShape", frontend_attributes={...}
#include "llvm/ADT/STLExtras.h"
#include "mesh/sdy_sharding.h"
#include "ops/manual_axes.h"
#include "text/hlo/reader_impl.h"

namespace spmdc::text::hlo {
namespace {

bool HasTarget(const RawInst& raw, llvm::StringRef target) {
  const RawAttr* attr = raw.opcode == "custom-call" ? raw.Find("custom_call_target") : nullptr;
  return attr != nullptr && attr->value.trim('"') == target;
}

}  // namespace

// The instruction that an operand comes from, through get-tuple-elements.
const RawInst* Builder::SourceOfOperand(RawOperand operand) const {
  for (size_t steps = 0; steps <= from_.insts.size(); ++steps) {
    const RawInst* raw = from_.Definition(operand);
    if (raw == nullptr || raw->opcode != "get-tuple-element" || raw->operands.size() != 1) {
      return raw;
    }
    operand = raw->operands[0];
  }
  return nullptr;
}

void Builder::FindManualRegions() {
  for (const RawInst& out : from_.insts) {
    if (!HasTarget(out, "xla.sdy.LocalToGlobalShape") || out.operands.empty()) {
      continue;
    }
    const RawInst* call = SourceOfOperand(out.operands[0]);
    if (call == nullptr || call->opcode != "call") {
      continue;
    }
    const RawInst* in = call->operands.empty() ? nullptr : SourceOfOperand(call->operands[0]);
    if (in != nullptr && !HasTarget(*in, "xla.sdy.GlobalToLocalShape")) {
      continue;
    }
    manual_[&out] = {in, call};
    inside_manual_.insert(call);
    if (in != nullptr) {
      inside_manual_.insert(in);
    }
  }
}

// Instructions of the pattern other than the last make no values.
bool Builder::IsInsideManual(const RawInst& raw) const {
  if (inside_manual_.empty()) {
    return false;
  }
  if (raw.opcode == "get-tuple-element" && raw.operands.size() == 1) {
    const RawInst* of = SourceOfOperand(raw.operands[0]);
    return of != nullptr && inside_manual_.contains(of);
  }
  return inside_manual_.contains(&raw);
}

bool Builder::ReadManualAxes(const RawInst& raw, llvm::StringRef text, ops::ManualComputationAttrs& attrs) {
  auto names = mesh::ParseManualAxes(Unquote(text));
  if (!names) {
    return reader_.Fail(diag::Kind::ShardingText, raw.opcode, "expected manual axes like #sdy<manual_axes{\"x\"}>");
  }
  auto error = ops::SetManualAxes(reader_.module_, *names, attrs);
  return !error || reader_.Fail(error->kind, raw.opcode, error->message);
}

bool Builder::BuildManual(const RawInst& out, const ManualRegion& region) {
  Values operands;
  if (region.in != nullptr && !Operands(*region.in, operands)) {
    return false;
  }
  llvm::SmallVector<ir::TypeId, 4> results;
  out.shape.Leaves(results);
  ops::ManualComputationAttrs attrs;
  auto shardings = [&](const RawInst* raw, llvm::StringRef key, size_t count,
                       llvm::SmallVector<mesh::ShardingId, 4>& list) {
    const RawAttr* frontend = raw == nullptr ? nullptr : raw->Find("frontend_attributes");
    llvm::StringRef value = frontend == nullptr ? "" : FrontendAttribute(frontend->value, key);
    if (value.empty()) {
      return count == 0 || reader_.Fail(diag::Kind::Attribute, (raw == nullptr ? out : *raw).opcode,
                                        "a manual region without " + key.str());
    }
    return reader_.SdyShardings(value, count, list);
  };
  const RawAttr* frontend = out.Find("frontend_attributes");
  llvm::StringRef axes = frontend == nullptr ? "" : FrontendAttribute(frontend->value, "xla.sdy.manual_axes");
  if (!shardings(region.in, "xla.sdy.in_shardings", operands.size(), attrs.in_shardings) ||
      !shardings(&out, "xla.sdy.out_shardings", results.size(), attrs.out_shardings) ||
      !ReadManualAxes(out, axes, attrs)) {
    return false;
  }
  body_axes_.append(attrs.manual_axes.begin(), attrs.manual_axes.end());
  body_axes_ = mesh::AsSet(body_axes_);
  auto body = Body(*region.call, "to_apply");
  body_axes_ = function_.manual_axes;
  if (!body) {
    return false;
  }
  for (const char* name : {"custom_call_target", "custom_call_has_side_effect", "frontend_attributes"}) {
    asked_.insert(name);
  }
  ir::Inst inst;
  inst.op = ir::OpKind::ManualComputation;
  inst.attrs = reader_.module_.tables->attrs.Add(std::move(attrs));
  return Append(out, inst, operands, {*body}, results);
}

}  // namespace spmdc::text::hlo
