// What built-in functions ask of their arguments: static integers, shapes, axes, dtypes.
#include "llvm/ADT/STLExtras.h"
#include "text/native/concrete.h"
#include "text/native/numpy.h"
#include "text/native/tracer.h"
#include "text/native/wide_int.h"

namespace spmdc::text::native {

std::optional<int64_t> Evaluator::ToInt(const Value& v, const char* what) {
  if (v.is_int()) {
    return v.as_int();
  }
  if (v.is(VK::Wide)) {
    TooBig();
    return std::nullopt;
  }
  if (v.is(VK::NdArray)) {
    const tensor::Literal& value = v.as<NdArrayObj>().value();
    if (value.size() == 1 && (tensor::IsInteger(value.dtype()) || value.dtype() == tensor::DType::Pred)) {
      return value.GetInt(0);
    }
  }
  if (v.is(VK::Array) && TypeOfArray(v).num_elements() == 1) {
    Value known = ConcreteValue(*this, v);
    if (known.given()) {
      return known.failed() ? std::nullopt : ToInt(known, what);
    }
  }
  if (v.is(VK::Array)) {
    Fail(diag::Kind::StaticInt,
         std::string(what) + " must be known while the file is read, and this is a traced array of type " +
             ArrayText(v.as<ArrayObj>()),
         "use a static integer");
  } else if (!v.failed()) {
    TypeError(std::string(what) + " must be an integer, not '" + TypeName(v) + "'");
  }
  return std::nullopt;
}

std::optional<std::string> Evaluator::ToStr(const Value& v, const char* what) {
  if (v.is(VK::Str)) {
    return native::Text(v);
  }
  if (!v.failed()) {
    TypeError(std::string(what) + " must be a str, not '" + TypeName(v) + "'");
  }
  return std::nullopt;
}

bool Evaluator::ToInts(const Value& v, const char* what, tensor::Dims& out) {
  bool one = IsWhole(v) || v.is(VK::Array) || (v.is(VK::NdArray) && v.as<NdArrayObj>().dims().empty());
  std::vector<Value> items{v};
  if (!one) {
    items.clear();
    if (v.is(VK::Str) || !(v.is_sequence() || v.is(VK::Range) || v.is(VK::NdArray) || v.is(VK::Set))) {
      return !TypeError(std::string(what) + " must be an integer or a sequence of integers, not '" + TypeName(v) + "'")
                  .failed();
    }
    if (!Iterate(v, items)) {
      return false;
    }
  }
  for (const Value& item : items) {
    std::optional<int64_t> i = ToInt(item, what);
    if (!i) {
      return false;
    }
    out.push_back(*i);
  }
  return true;
}

bool Evaluator::ToShape(const Value& v, tensor::Dims& out) {
  if (!ToInts(v, "a shape", out)) {
    return false;
  }
  if (llvm::any_of(out, [](int64_t d) { return d < 0; })) {
    return !Fail(diag::Kind::ShapeRule, "the dims of a shape must not be negative, got " + ShapeText(out)).failed();
  }
  return true;
}

std::optional<int64_t> Evaluator::ToAxis(const Value& v, size_t rank) {
  std::optional<int64_t> axis = ToInt(v, "an axis");
  if (!axis) {
    return std::nullopt;
  }
  auto n = static_cast<int64_t>(rank);
  if (*axis < -n || *axis >= n) {
    Fail(diag::Kind::AxisRange,
         "axis " + std::to_string(*axis) + " is out of bounds for array of dimension " + std::to_string(n));
    return std::nullopt;
  }
  return *axis < 0 ? *axis + n : *axis;
}

bool Evaluator::ToAxes(const Value& v, size_t rank, tensor::Dims& out) {
  if (v.none()) {
    for (size_t i = 0; i < rank; ++i) {
      out.push_back(static_cast<int64_t>(i));
    }
    return true;
  }
  tensor::Dims raw;
  if (!ToInts(v, "an axis", raw)) {
    return false;
  }
  for (int64_t r : raw) {
    std::optional<int64_t> axis = ToAxis(Value::Int(r), rank);
    if (!axis) {
      return false;
    }
    if (llvm::is_contained(out, *axis)) {
      return !Fail(diag::Kind::AxisRange, "the axis " + std::to_string(*axis) + " is given twice").failed();
    }
    out.push_back(*axis);
  }
  llvm::sort(out);
  return true;
}

std::optional<tensor::DType> Evaluator::ToDType(const Value& v, bool keys) {
  if (v.is(VK::DType)) {
    if (tensor::IsKey(v.dtype()) && !keys) {
      Fail(diag::Kind::DtypeRule, tensor::NumpyName(v.dtype()).str() + " is no dtype of numbers");
      return std::nullopt;
    }
    return v.dtype();
  }
  std::optional<tensor::DType> found;
  if (v.is(VK::Str)) {
    found = DTypeByName(native::Text(v));
  } else if (v.is(VK::Builtin)) {
    found = DTypeOfPythonType(v);
  }
  if (!found && !v.failed()) {
    TypeError(Repr(v) + " is not a dtype");
  }
  return found;
}

bool Evaluator::ToBool(const Value& v, const char* what, bool fallback, bool& out) {
  if (!v.given()) {
    out = fallback;
    return true;
  }
  std::optional<bool> truth = Truth(v);
  (void)what;
  out = truth.value_or(fallback);
  return truth.has_value();
}

}  // namespace spmdc::text::native
