// Masks that are known while the file is read are the integers where they are true: the result's shape depends on them.
#include "text/native/index_masks.h"

#include "llvm/ADT/STLExtras.h"
#include "text/native/concrete.h"

namespace spmdc::text::native {
namespace {

// A boolean array that is known while the file is read, or Missing.
Value KnownMask(Evaluator& ev, const Value& part) {
  bool boolean = (part.is(VK::Array) && TypeOfArray(part).dtype == tensor::DType::Pred) ||
                 (part.is(VK::NdArray) && part.as<NdArrayObj>().value().dtype() == tensor::DType::Pred);
  return !boolean ? Value() : part.is(VK::Array) ? ConcreteValue(ev, part) : part;
}

// The places where a mask is true, as an array of integers for each of its dims.
std::vector<Value> PlacesOf(Evaluator& ev, const tensor::Literal& mask) {
  std::vector<int64_t> places;
  for (int64_t i = 0; i < mask.size(); ++i) {
    if (mask.GetInt(i) != 0) {
      places.push_back(i);
    }
  }
  std::vector<Value> out(mask.dims().size());
  int64_t stride = 1;
  for (size_t d = out.size(); d-- > 0;) {
    tensor::Literal column(tensor::DType::S32, {static_cast<int64_t>(places.size())});
    for (size_t i = 0; i < places.size(); ++i) {
      column.SetInt(static_cast<int64_t>(i), places[i] / stride % mask.dims()[d]);
    }
    stride *= mask.dims()[d];
    out[d] = ev.heap().Array(std::move(column));
  }
  return out;
}

}  // namespace

bool SpellMasks(Evaluator& ev, const ir::Type& type, std::vector<Value>& parts) {
  std::vector<Value> spelled;
  size_t dim = 0;
  bool counted = true;  // which dim a part is for is not known behind `...`
  for (const Value& part : parts) {
    Value mask = KnownMask(ev, part);
    if (mask.failed()) {
      return false;
    }
    if (!mask.given() || mask.as<NdArrayObj>().dims().empty()) {
      spelled.push_back(part);
      counted &= !part.is(VK::Ellipsis);
      dim += part.is(VK::None) ? 0 : 1;
      continue;
    }
    llvm::ArrayRef<int64_t> dims = mask.as<NdArrayObj>().dims();
    bool fits =
        !counted ||
        llvm::ArrayRef<int64_t>(type.dims).drop_front(std::min(dim, type.rank())).take_front(dims.size()) == dims;
    if (!fits) {
      return !ev.Fail(diag::Kind::AxisRange, "a boolean index of shape " + ShapeText(dims) +
                                                 " does not fit the dims from " + std::to_string(dim) +
                                                 " on of an array of shape " + ShapeText(type.dims))
                  .failed();
    }
    if (!ev.Work(mask.as<NdArrayObj>().size() / 2)) {
      return false;
    }
    std::vector<Value> places = PlacesOf(ev, mask.as<NdArrayObj>().value().Materialize());
    spelled.insert(spelled.end(), places.begin(), places.end());
    dim += dims.size();
  }
  parts = std::move(spelled);
  return true;
}

namespace {

// How many dims of the array a part of an index is for.
size_t DimsOf(const Value& part) {
  bool mask = (part.is(VK::Array) && TypeOfArray(part).dtype == tensor::DType::Pred) ||
              (part.is(VK::NdArray) && part.as<NdArrayObj>().value().dtype() == tensor::DType::Pred);
  return part.is(VK::None) || part.is(VK::Bool) ? 0
         : !mask                                ? 1
         : part.is(VK::Array)                   ? TypeOfArray(part).rank()
                                                : part.as<NdArrayObj>().dims().size();
}

// True and False, and numpy's.
std::optional<bool> PlainBool(const Value& part) {
  bool scalar = part.is(VK::NdArray) && part.as<NdArrayObj>().dims().empty() &&
                part.as<NdArrayObj>().value().dtype() == tensor::DType::Pred;
  return part.is(VK::Bool) ? std::optional(part.b)
         : scalar          ? std::optional(part.as<NdArrayObj>().value().GetInt(0) != 0)
                           : std::nullopt;
}

}  // namespace

bool SpellBools(Evaluator& ev, Value& array, Value& index) {
  std::vector<Value> parts = index.is(VK::Tuple) ? Items(index) : std::vector<Value>{index};
  if (llvm::none_of(parts, [](const Value& part) { return PlainBool(part).has_value(); })) {
    return true;
  }
  size_t named = 0;
  for (const Value& part : parts) {
    named += part.is(VK::Ellipsis) ? 0 : DimsOf(part);
  }
  size_t rank = TypeOfArray(array).rank(), dim = 0;
  std::vector<Value> added;  // in the widened array
  for (Value& part : parts) {
    if (std::optional<bool> one = PlainBool(part)) {
      added.push_back(Value::Int(static_cast<int64_t>(dim++)));
      part = ev.heap().Array(tensor::Literal(tensor::DType::S32, {*one ? 1 : 0}));
    } else {
      dim += part.is(VK::Ellipsis) ? rank - std::min(named, rank) : DimsOf(part);
    }
  }
  index = ev.heap().Tuple(std::move(parts));
  array = ev.CallFunction(ev.FindIn(kJnp, "expand_dims"), {array, ev.heap().Tuple(std::move(added))});
  return !array.failed();
}

}  // namespace spmdc::text::native
