// x.at[i].get(), .set(y), .add(y), ...: reading and writing elements, with what becomes of indices outside.
#include "llvm/ADT/STLExtras.h"
#include "text/native/at_update.h"
#include "text/native/evaluator.h"
#include "text/native/index.h"
#include "text/native/index_masks.h"
#include "text/native/numpy.h"
#include "text/native/python_methods.h"
#include "text/native/traced_calls.h"
#include "text/native/tracer.h"

namespace spmdc::text::native {
namespace {

struct AtObj : Object {
  Value array;
  Value index;  // Missing for x.at
};

// What becomes of indices outside: JAX's default is "clip" where x[i] is read, and "drop" where it is written.
enum class AtMode : uint8_t { Default, Fill, Clip, Promised };

// mode= and wrap_negative_indices= of x.at[i]'s methods.
std::optional<AtMode> ToAtMode(Evaluator& ev, const Value& mode, const Value& wrap) {
  bool wraps = true;
  if (!ev.ToBool(wrap, "wrap_negative_indices", true, wraps)) {
    return std::nullopt;
  }
  if (!wraps) {
    ev.NotBuilt("wrap_negative_indices=False of Array.at[]");
    return std::nullopt;
  }
  std::string name = mode.none() ? "" : mode.is(VK::Str) ? Text(mode) : Repr(mode);
  for (auto [text, known] :
       {std::pair("", AtMode::Default), std::pair("fill", AtMode::Fill), std::pair("drop", AtMode::Fill),
        std::pair("clip", AtMode::Clip), std::pair("promise_in_bounds", AtMode::Promised)}) {
    if (name == text) {
      return known;
    }
  }
  ev.TypeError("unknown mode '" + name + "': Array.at[] knows 'fill', 'drop', 'clip' and 'promise_in_bounds'");
  return std::nullopt;
}

bool IsArrayPart(const Value& part) { return !part.is(VK::None) && !part.is(VK::Slice); }

// Which of the picked elements lie inside the array: a pred of the arrays' common shape. `first`: the result's dim where
// that shape stands.
Value InsideIndex(Evaluator& ev, const ir::Type& type, const Index& index, int64_t& first) {
  Value inside;
  size_t dim = 0, behind = 0;
  bool apart = false;
  size_t before = 0;
  for (const Value& p : index.parts) {
    if (IsArrayPart(p)) {
      apart |= inside.given() && behind > 0;
      Value i = NormalizedIndex(ev, p, type.dims[dim]);
      Value low = i.failed() ? i : ev.Compare(Operator::Ge, i, Value::Int(0));
      Value high = low.failed() ? low : ev.Compare(Operator::Lt, i, Value::Int(type.dims[dim]));
      Value both = high.failed() ? high : ev.Binary(Operator::And, low, high);
      inside = both.failed() || !inside.given() ? both : ev.Binary(Operator::And, inside, both);
      if (inside.failed()) {
        return inside;
      }
    } else {
      (inside.given() ? behind : before) += 1;
    }
    dim += p.is(VK::None) ? 0 : 1;
  }
  first = apart ? 0 : static_cast<int64_t>(before);
  return inside;
}

// Whether an integer of an index that is known names no element.
bool NamesNothing(const ir::Type& type, const Index& index) {
  size_t dim = 0;
  for (const Value& p : index.parts) {
    if (p.is(VK::Int) && (p.as_int() < -type.dims[dim] || p.as_int() >= type.dims[dim])) {
      return true;
    }
    dim += p.is(VK::None) ? 0 : 1;
  }
  return false;
}

Value AtGet(Call& c) {
  Value v[7];
  if (!c.Bind("self, *, indices_are_sorted=, unique_indices=, mode=, fill_value=, out_sharding=, "
              "wrap_negative_indices=",
              v)) {
    return Value::Error();
  }
  AtObj at = v[0].as<AtObj>();
  std::optional<AtMode> mode = ToAtMode(c.ev, v[3], v[6]);
  Index index;
  if (!mode || !SpellBools(c.ev, at.array, at.index) || !Expand(c.ev, TypeOfArray(at.array), at.index, index)) {
    return Value::Error();
  }
  bool outside = *mode == AtMode::Fill || *mode == AtMode::Clip;
  bool nowhere = NamesNothing(TypeOfArray(at.array), index);
  Value result = PickItem(c.ev, at.array, index, v[5], !outside);
  if (result.failed() || *mode != AtMode::Fill || (!index.arrays && !nowhere)) {
    return result;
  }
  if (nowhere) {
    return FillOutside(c.ev, result, Full(c.ev, tensor::DType::Pred, {}, 0), {}, v[4]);
  }
  int64_t first = 0;
  Value inside = InsideIndex(c.ev, TypeOfArray(at.array), index, first);
  if (inside.failed()) {
    return inside;
  }
  tensor::Dims batch;
  for (size_t d = 0; d < TypeOfArray(inside).rank(); ++d) {
    batch.push_back(first + static_cast<int64_t>(d));
  }
  return FillOutside(c.ev, result, inside, batch, v[4]);
}

// Every array of an index moved to the nearest element there is.
bool ClipIndex(Evaluator& ev, const ir::Type& type, Index& index) {
  size_t dim = 0;
  for (Value& p : index.parts) {
    if (IsArrayPart(p)) {
      Value i = NormalizedIndex(ev, p, type.dims[dim]);
      p = i.failed() ? i : ev.CallFunction(ev.FindIn(kJnp, "clip"), {i, Value::Int(0), Value::Int(type.dims[dim] - 1)});
      if (p.failed()) {
        return false;
      }
    }
    dim += p.is(VK::None) ? 0 : 1;
  }
  return true;
}

// How a method of x.at[i] updates; divide, power and apply are made of other functions.
enum class AtMethod : int64_t { Set, Add, Subtract, Multiply, Min, Max, Divide, Power, Apply };

// x / (ones with y multiplied in), x ** (the same).
Value AtByFactors(Evaluator& ev, const AtObj& at, llvm::ArrayRef<Value> parts, const Value& values, bool power,
                  const AtOptions& options) {
  Value ones = ev.CallFunction(ev.FindIn(kJnp, "ones_like"), at.array);
  Value factors = ones.failed() ? ones : UpdateAt(ev, ScatterKind::Multiply, ones, parts, values, options);
  return factors.failed() ? factors : ev.Binary(power ? Operator::Pow : Operator::Div, at.array, factors);
}

// x.at[i].set(values), .add(values), ..., .apply(function).
Value AtUpdate(Call& c) {
  Value v[7];
  if (!c.Bind("self, values, *, indices_are_sorted=, unique_indices=, mode=, out_sharding=, wrap_negative_indices=",
              v)) {
    return Value::Error();
  }
  AtObj at = v[0].as<AtObj>();
  const tensor::Dims dims = TypeOfArray(at.array).dims;
  AtOptions options;
  options.out_sharding = v[5];
  Index index;
  if (!SpellBools(c.ev, at.array, at.index) ||
      !c.ev.ToBool(v[2], "indices_are_sorted", false, options.indices_are_sorted) ||
      !c.ev.ToBool(v[3], "unique_indices", false, options.unique_indices) ||
      !Expand(c.ev, TypeOfArray(at.array), at.index, index)) {
    return Value::Error();
  }
  std::optional<AtMode> mode = ToAtMode(c.ev, v[4], v[6]);
  if (!mode || (*mode == AtMode::Clip && !ClipIndex(c.ev, TypeOfArray(at.array), index))) {
    return Value::Error();
  }
  auto method = static_cast<AtMethod>(c.builtin.data);
  Value values = v[1];
  if (method == AtMethod::Apply) {
    Value picked = ArrayGetItem(c.ev, at.array, at.index);
    TracedRequest request{"apply", values, {{"", false, picked}}, {}};
    values = picked.failed() ? picked : c.ev.tracer().traced_calls().CallInline(c.ev, request);
    method = AtMethod::Set;
  }
  if (values.failed()) {
    return values;
  }
  bool by_factors = method == AtMethod::Divide || method == AtMethod::Power;
  Value result = by_factors ? AtByFactors(c.ev, at, index.parts, values, method == AtMethod::Power, options)
                            : UpdateAt(c.ev, static_cast<ScatterKind>(method), at.array, index.parts, values, options);
  bool widened = !result.failed() && TypeOfArray(result).rank() != dims.size();
  return widened ? Reshape(c.ev, result, dims) : result;
}

constexpr int64_t Data(AtMethod method) { return static_cast<int64_t>(method); }

const Builtin kAtMethods[] = {
    {0, "get", AtGet},
    {0, "set", AtUpdate, Data(AtMethod::Set)},
    {0, "add", AtUpdate, Data(AtMethod::Add)},
    {0, "subtract", AtUpdate, Data(AtMethod::Subtract)},
    {0, "sub", AtUpdate, Data(AtMethod::Subtract)},
    {0, "multiply", AtUpdate, Data(AtMethod::Multiply)},
    {0, "mul", AtUpdate, Data(AtMethod::Multiply)},
    {0, "divide", AtUpdate, Data(AtMethod::Divide)},
    {0, "power", AtUpdate, Data(AtMethod::Power)},
    {0, "min", AtUpdate, Data(AtMethod::Min)},
    {0, "max", AtUpdate, Data(AtMethod::Max)},
    {0, "apply", AtUpdate, Data(AtMethod::Apply)},
};

}  // namespace

Value MakeAt(Evaluator& ev, const Value& array) {
  auto* at = ev.heap().New<AtObj>();
  at->array = array;
  return Value::Object(VK::AtRef, at);
}

Value AtGetItem(Evaluator& ev, const Value& v, const Value& index) {
  auto* at = ev.heap().New<AtObj>();
  *at = v.as<AtObj>();
  at->index = index;
  return Value::Object(VK::AtRef, at);
}

Value AtAttr(Evaluator& ev, const Value& v, llvm::StringRef name) {
  const auto* found = llvm::find_if(kAtMethods, [&](const Builtin& b) { return name == b.name; });
  if (found == std::end(kAtMethods) || !v.as<AtObj>().index.given()) {
    return Value();
  }
  auto* method = ev.heap().New<MethodObj>();
  method->self = v;
  method->builtin = found;
  return Value::Object(VK::Method, method);
}

}  // namespace spmdc::text::native
