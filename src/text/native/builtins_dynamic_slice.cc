// lax.dynamic_slice and dynamic_update_slice: slices that start where arrays say.
#include "ops/gather.h"
#include "text/native/evaluator.h"
#include "text/native/strict.h"
#include "text/native/tracer.h"

namespace spmdc::text::native {
namespace {

using ir::OpKind;
using tensor::DType;

// The starts as s32 scalars behind the other operands. Negative ones count from the end, unless the caller says they do not.
bool Starts(Evaluator& ev, const Value& v, const Value& allow_negative, const ir::Type& type,
            std::vector<Value>& operands) {
  bool wraps = true;
  std::vector<Value> starts;
  if (!ev.ToBool(allow_negative, "allow_negative_indices", true, wraps) || !ev.Iterate(v, starts)) {
    return false;
  }
  if (starts.size() != type.rank()) {
    return !ev.Fail(diag::Kind::ShapeRule, "dynamic_slice needs a start for each of " + std::to_string(type.rank()) +
                                               " dims, got " + std::to_string(starts.size()))
                .failed();
  }
  for (size_t d = 0; d < starts.size(); ++d) {
    Value s = starts[d];
    if (s.is(VK::Int)) {
      s = ev.tracer().S32(wraps && s.i < 0 ? s.i + type.dims[d] : s.i);
    } else {
      s = ToArray(ev, s);
      if (wraps && !s.failed() && tensor::Class(TypeOfArray(s).dtype) == tensor::DClass::Signed) {
        Value negative = ev.Compare(Operator::Lt, s, Value::Int(0));
        Value wrapped = ev.Binary(Operator::Add, s, Value::Int(type.dims[d]));
        s = ev.has_failed() ? Value::Error() : ev.CallFunction(ev.FindIn(kJnp, "where"), {negative, wrapped, s});
      }
      s = s.failed() ? s : Convert(ev, s, DType::S32);
    }
    if (s.failed()) {
      return false;
    }
    operands.push_back(s);
  }
  return true;
}

Value DynamicSlice(Call& c) {
  Value v[4];
  ops::DynamicSliceAttrs attrs;
  if (!c.Bind("operand, start_indices, slice_sizes, *, allow_negative_indices=", v)) {
    return Value::Error();
  }
  std::vector<Value> operands{ToArray(c.ev, v[0])};
  if (operands[0].failed() || !c.ev.ToShape(v[2], attrs.sizes) ||
      !Starts(c.ev, v[1], v[3], TypeOfArray(operands[0]), operands)) {
    return Value::Error();
  }
  return c.ev.tracer().Emit(OpKind::DynamicSlice, operands, c.ev.tracer().Attrs(std::move(attrs)),
                            operands[0].as<ArrayObj>().weak);
}

Value DynamicUpdateSlice(Call& c) {
  Value v[4];
  llvm::SmallVector<Value, 2> x;
  if (!c.Bind("operand, update, start_indices, *, allow_negative_indices=", v) ||
      !HaveOneDType(c.ev, "lax.dynamic_update_slice", {v[0], v[1]}) ||
      !PromoteAll(c.ev, "dynamic_update_slice", {v[0], v[1]}, x)) {
    return Value::Error();
  }
  std::vector<Value> operands(x.begin(), x.end());
  if (!Starts(c.ev, v[2], v[3], TypeOfArray(operands[0]), operands)) {
    return Value::Error();
  }
  return c.ev.tracer().Emit(OpKind::DynamicUpdateSlice, operands, {}, operands[0].as<ArrayObj>().weak);
}

const Builtin kDynamicSliceTable[] = {
    {kLax | kBare, "dynamic_slice", DynamicSlice},
    {kLax | kBare, "dynamic_update_slice", DynamicUpdateSlice},
};

}  // namespace

llvm::ArrayRef<Builtin> DynamicSliceBuiltins() { return kDynamicSliceTable; }

}  // namespace spmdc::text::native
