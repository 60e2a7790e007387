// np.array and the other numpy functions on static values.
#include <cmath>
#include <numeric>

#include "llvm/ADT/STLExtras.h"
#include "text/native/concrete.h"
#include "text/native/evaluator.h"
#include "text/native/numpy.h"
#include "text/native/tracer.h"

namespace spmdc::text::native {
namespace {

using tensor::DType;
constexpr int64_t kMaxElements = int64_t{1} << 26;

// An array that a function looks at once, or the array of a nested sequence; null after a diagnostic.
const NdArrayObj* ArrayArg(Call& c, const Value& v) {
  if (v.is(VK::NdArray)) {
    const auto& array = v.as<NdArrayObj>();
    return array.grid || c.ev.TouchElements(array.size()) ? &array : nullptr;
  }
  if (v.is(VK::Array)) {
    Value known = ConcreteValue(c.ev, v);
    if (!known.given()) {
      c.ev.Fail(diag::Kind::StaticInt, "numpy functions need static values, and this is a traced array",
                "use jnp." + std::string(c.builtin.name));
    }
    return known.is(VK::NdArray) ? &known.as<NdArrayObj>() : nullptr;
  }
  if (std::optional<DeviceGrid> grid = GridOf(v)) {
    return &c.ev.heap().Devices(*grid).as<NdArrayObj>();
  }
  bool devices = false;
  std::optional<tensor::Literal> literal = ToLiteral(c.ev, v, std::nullopt, &devices);
  return literal ? &c.ev.heap().Array(*literal, devices).as<NdArrayObj>() : nullptr;
}

bool DTypeArg(Call& c, const Value& v, std::optional<DType>& out) {
  if (!v.none()) {
    out = c.ev.ToDType(v);
    return out.has_value();
  }
  return true;
}

Value NumpyArray(Call& c) {
  Value v[2];
  std::optional<DType> dtype;
  if (!c.Bind("object, dtype=", v) || !DTypeArg(c, v[1], dtype)) {
    return Value::Error();
  }
  if (v[0].is(VK::Array)) {
    const NdArrayObj* known = ArrayArg(c, v[0]);
    return known == nullptr ? Value::Error()
           : dtype          ? c.ev.heap().Array(known->value().ConvertTo(*dtype))
                            : c.ev.heap().Array(known->value());
  }
  if (std::optional<DeviceGrid> grid = GridOf(v[0])) {
    return c.ev.heap().Devices(*grid);
  }
  bool devices = false;
  std::optional<tensor::Literal> literal = ToLiteral(c.ev, v[0], dtype, &devices);
  return literal ? c.ev.heap().Array(std::move(*literal), devices) : Value::Error();
}

// zeros 0, ones 1, full 2 (empty is zeros).
Value NumpyFilled(Call& c) {
  Value v[3];
  bool full = c.builtin.data == 2;
  tensor::Dims dims;
  std::optional<DType> dtype;
  if (!(full ? c.Bind("shape, fill_value, dtype=", v) : c.Bind("shape, dtype=", llvm::MutableArrayRef<Value>(v, 2)))) {
    return Value::Error();
  }
  if (!c.ev.ToShape(v[0], dims) || !DTypeArg(c, full ? v[2] : v[1], dtype)) {
    return Value::Error();
  }
  Value fill = full ? v[1] : Value::Int(c.builtin.data);
  if (tensor::NumElements(dims) > kMaxElements) {
    return c.ev.Fail(diag::Kind::TooLarge, "this array has too many elements");
  }
  std::optional<tensor::Literal> scalar = ToLiteral(c.ev, fill,
                                                    dtype  ? dtype
                                                    : full ? std::nullopt
                                                           : std::optional(DType::F64));
  if (!scalar) {
    return Value::Error();
  }
  tensor::Literal splat =
      tensor::Literal::Splat(scalar->dtype(), dims, std::vector<char>(scalar->raw().begin(), scalar->raw().end()));
  return c.ev.heap().Array(splat);
}

Value NumpyArange(Call& c) {
  Value v[4];
  std::optional<DType> dtype;
  if (!c.Bind("start, stop=, step=, dtype=", v) || !DTypeArg(c, v[3], dtype)) {
    return Value::Error();
  }
  Value start = v[1].none() ? Value::Int(0) : v[0];
  Value stop = v[1].none() ? v[0] : v[1];
  Value step = v[2].none() ? Value::Int(1) : v[2];
  for (const Value& x : {start, stop, step}) {
    if (!x.is_number() || x.is(VK::Complex)) {
      return c.ev.TypeError("arange() needs numbers");
    }
  }
  if (step.as_float() == 0) {
    return c.ev.TypeError("arange() needs a step that is not 0");
  }
  double count = std::ceil((stop.as_float() - start.as_float()) / step.as_float());
  auto n = static_cast<int64_t>(std::max(count, 0.0));
  if (!(count < static_cast<double>(kMaxElements))) {
    return c.ev.Fail(diag::Kind::TooLarge, "this array has too many elements");
  }
  bool ints = start.is_int() && stop.is_int() && step.is_int();
  if (!c.ev.TouchElements(n)) {
    return Value::Error();
  }
  tensor::Literal out(dtype.value_or(ints ? DType::S64 : DType::F64), {n});
  for (int64_t i = 0; i < n; ++i) {
    if (tensor::IsFloat(out.dtype())) {
      out.SetReal(i, start.as_float() + static_cast<double>(i) * step.as_float());
    } else {
      out.SetInt(i, ints ? start.as_int() + i * step.as_int()
                         : static_cast<int64_t>(start.as_float() + static_cast<double>(i) * step.as_float()));
    }
  }
  return c.ev.heap().Array(std::move(out));
}

Value Reshape(Call& c) {
  if (c.args.size() < 2) {
    return c.ev.Fail(diag::Kind::Arguments, "reshape() needs an array and a shape");
  }
  const NdArrayObj* a = ArrayArg(c, c.args[0]);
  tensor::Dims dims;
  std::vector<Value> sizes(c.args.begin() + 1, c.args.end());
  Value shape = sizes.size() == 1 ? sizes[0] : c.ev.heap().Tuple(sizes);
  if (a == nullptr || !c.ev.ToInts(shape, "a shape", dims)) {
    return Value::Error();
  }
  int64_t known = 1;
  int64_t* open = nullptr;
  for (int64_t& d : dims) {
    if (d == -1 && open == nullptr) {
      open = &d;
    } else {
      known *= d;
    }
  }
  if (open != nullptr && known > 0) {
    *open = a->size() / known;
  }
  if (llvm::any_of(dims, [](int64_t d) { return d < 0; }) || tensor::NumElements(dims) != a->size()) {
    bool meshes = a->devices;
    return c.ev.Fail(meshes ? diag::Kind::DeviceCount : diag::Kind::ReshapeSize,
                     "cannot reshape array of size " + std::to_string(a->size()) + " into shape " + ShapeText(dims));
  }
  if (std::optional<DeviceGrid> grid = a->grid ? a->grid->Reshaped(dims) : std::nullopt) {
    return c.ev.heap().Devices(*grid);
  }
  return c.ev.heap().Array(a->value().Materialize().WithDims(dims), a->devices);
}

Value Transpose(Call& c) {
  Value v[2];
  if (!c.Bind("a, axes=", v)) {
    return Value::Error();
  }
  const NdArrayObj* a = ArrayArg(c, v[0]);
  tensor::Dims permutation;
  if (a == nullptr || (!v[1].none() && !c.ev.ToInts(v[1], "the axes", permutation))) {
    return Value::Error();
  }
  llvm::ArrayRef<int64_t> dims = a->dims();
  if (v[1].none()) {
    for (size_t i = dims.size(); i-- > 0;) {
      permutation.push_back(static_cast<int64_t>(i));
    }
  }
  tensor::Dims sorted(permutation);
  llvm::sort(sorted);
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != static_cast<int64_t>(i) || sorted.size() != dims.size()) {
      return c.ev.TypeError("axes don't match array");
    }
  }
  if (a->grid) {
    return c.ev.heap().Devices(a->grid->Transposed(permutation));
  }
  tensor::Dims out_dims;
  for (int64_t p : permutation) {
    out_dims.push_back(dims[static_cast<size_t>(p)]);
  }
  tensor::Literal from = a->value().Materialize();
  tensor::Literal out(from.dtype(), out_dims);
  tensor::Dims strides = tensor::Strides(dims);
  tensor::Dims index(out_dims.size(), 0);
  int64_t at = 0;
  if (out.size() > 0) {
    do {
      int64_t source = 0;
      for (size_t i = 0; i < index.size(); ++i) {
        source += index[i] * strides[static_cast<size_t>(permutation[i])];
      }
      if (tensor::IsComplex(out.dtype())) {
        out.SetComplex(at++, from.GetComplex(source));
      } else if (tensor::IsFloat(out.dtype())) {
        out.SetReal(at++, from.GetReal(source));
      } else {
        out.SetInt(at++, from.GetInt(source));
      }
    } while (tensor::NextIndex(index, out_dims));
  }
  return c.ev.heap().Array(std::move(out), a->devices);
}

Value Flatten(Call& c) {
  Value v[1];
  const NdArrayObj* a = c.Bind("a", v) ? ArrayArg(c, v[0]) : nullptr;
  if (a == nullptr) {
    return Value::Error();
  }
  if (std::optional<DeviceGrid> grid = a->grid ? a->grid->Reshaped({a->size()}) : std::nullopt) {
    return c.ev.heap().Devices(*grid);
  }
  return c.ev.heap().Array(a->value().Materialize().WithDims({a->size()}), a->devices);
}

// A nested list of the elements, each a value of its own.
Value ListOf(Evaluator& ev, const NdArrayObj& a, size_t depth, int64_t& at) {
  if (depth == a.dims().size()) {
    Value e = Element(ev, a.value(), at++);
    return a.devices ? Value::Tagged(VK::Device, e.i) : e;
  }
  std::vector<Value> items;
  for (int64_t i = 0; i < a.dims()[depth]; ++i) {
    items.push_back(ListOf(ev, a, depth + 1, at));
  }
  return ev.heap().List(std::move(items));
}

Value ToList(Call& c) {
  Value v[1];
  const NdArrayObj* a = c.Bind("a", v) ? ArrayArg(c, v[0]) : nullptr;
  int64_t at = 0;
  bool fits =
      a != nullptr && c.ev.TouchElements(a->size()) && c.ev.Afford(a->size() * static_cast<int64_t>(sizeof(Value)));
  return fits ? ListOf(c.ev, *a, 0, at) : Value::Error();
}

// sum 0, prod 1, max 2, min 3, mean 4: over all elements.
Value NumpyReduce(Call& c) {
  Value v[1];
  const NdArrayObj* a = c.Bind("a", v) ? ArrayArg(c, v[0]) : nullptr;
  if (a == nullptr) {
    return Value::Error();
  }
  Value total = c.builtin.data == 1 ? Value::Int(1) : Value::Int(0);
  for (int64_t i = 0; i < a->size() && !total.failed(); ++i) {
    Value e = Element(c.ev, a->value(), i);
    if (c.builtin.data == 2 || c.builtin.data == 3) {
      Value better =
          i == 0 ? Value::Bool(true) : c.ev.Compare(c.builtin.data == 2 ? Operator::Gt : Operator::Lt, e, total);
      total = better.failed() ? better : better.b ? e : total;
    } else {
      total = c.ev.Binary(c.builtin.data == 1 ? Operator::Mul : Operator::Add, total, e);
    }
  }
  if (c.builtin.data == 4) {
    return c.ev.Binary(Operator::Div, total, Value::Int(std::max<int64_t>(a->size(), 1)));
  }
  return total;
}

Value NumpyAsType(Call& c) {
  Value v[2];
  std::optional<DType> dtype;
  if (!c.Bind("a, dtype", v) || !DTypeArg(c, v[1], dtype)) {
    return Value::Error();
  }
  const NdArrayObj* a = ArrayArg(c, v[0]);
  return a == nullptr ? Value::Error()
                      : c.ev.heap().Array(a->value().ConvertTo(dtype.value_or(DType::F64)), a->devices);
}

// sqrt, exp, log, abs, floor, ceil on numbers and arrays.
Value Elementwise(Call& c) {
  Value v[1];
  const NdArrayObj* a = c.Bind("x", v) ? ArrayArg(c, v[0]) : nullptr;
  if (a == nullptr) {
    return Value::Error();
  }
  using F = double (*)(double);
  static const F kFunctions[] = {std::sqrt, std::exp, std::log, std::fabs, std::floor,
                                 std::ceil, std::sin, std::cos, std::log2, std::tanh};
  DType dtype = tensor::IsFloat(a->value().dtype()) || c.builtin.data == 3 ? a->value().dtype() : DType::F64;
  tensor::Literal out(dtype, a->dims());
  for (int64_t i = 0; i < a->size(); ++i) {
    double r = kFunctions[c.builtin.data](a->value().GetReal(i));
    if (tensor::IsFloat(dtype)) {
      out.SetReal(i, r);
    } else {
      out.SetInt(i, static_cast<int64_t>(r));
    }
  }
  return c.ev.heap().Array(std::move(out), false, out.dims().empty());
}

// round(a, decimals=0), in the array's own precision.
Value NumpyRound(Call& c) {
  Value v[3];
  const NdArrayObj* a = c.Bind("a, decimals=, out=", v) ? ArrayArg(c, v[0]) : nullptr;
  std::optional<int64_t> decimals = a == nullptr ? std::nullopt : v[1].given() ? c.ev.ToInt(v[1], "decimals") : 0;
  if (!decimals || !tensor::IsFloat(a->value().dtype())) {
    return decimals ? v[0] : Value::Error();
  }
  bool narrow = a->value().dtype() == DType::F32;
  double factor = std::pow(10.0, static_cast<double>(std::min<int64_t>(std::abs(*decimals), 300)));
  auto scaled = [&](double x, bool up) { return up == (*decimals >= 0) ? x * factor : x / factor; };
  tensor::Literal out(a->value().dtype(), a->dims());
  for (int64_t i = 0; i < a->size(); ++i) {
    double up = scaled(a->value().GetReal(i), true);
    double whole = std::nearbyint(narrow ? static_cast<double>(static_cast<float>(up)) : up);
    out.SetReal(i, scaled(whole, false));
  }
  return c.ev.heap().Array(std::move(out), false, out.dims().empty());
}

Value Flip(Call& c) {
  Value v[2];
  const NdArrayObj* a = c.Bind("a, axis=", v) ? ArrayArg(c, v[0]) : nullptr;
  tensor::Dims axes;
  if (a == nullptr || !c.ev.ToAxes(v[1], a->dims().size(), axes)) {
    return Value::Error();
  }
  std::vector<Value> index;
  for (size_t d = 0; d < a->dims().size(); ++d) {
    auto* slice = c.ev.heap().New<SliceObj>();
    slice->start = slice->stop = Value::None();
    slice->step = llvm::is_contained(axes, static_cast<int64_t>(d)) ? Value::Int(-1) : Value::None();
    index.push_back(Value::Object(VK::Slice, slice));
  }
  return NumpyGetItem(c.ev, *a, c.ev.heap().Tuple(std::move(index)));
}

// np.dtype(x): the element type that a name, a Python type or another element type stands for.
Value DTypeFrom(Call& c) {
  Value v[1];
  std::optional<DType> dtype = c.Bind("dtype, /", v) ? c.ev.ToDType(v[0]) : std::nullopt;
  return dtype ? Value::DType(*dtype) : Value::Error();
}

const Builtin kNumpyTable[] = {
    {kNp, "array", NumpyArray},    {kNp, "asarray", NumpyArray},
    {kNp, "copy", NumpyArray},     {kNp, "zeros", NumpyFilled, 0},
    {kNp, "ones", NumpyFilled, 1}, {kNp, "empty", NumpyFilled, 0},
    {kNp, "full", NumpyFilled, 2}, {kNp, "arange", NumpyArange},
    {kNp, "reshape", Reshape},     {kNp, "transpose", Transpose},
    {kNp, "flatten", Flatten},     {kNp, "ravel", Flatten},
    {kNp, "tolist", ToList},       {kNp | kJnp, "dtype", DTypeFrom},
    {kNp, "item", ToList},         {kNp, "sum", NumpyReduce, 0},
    {kNp, "prod", NumpyReduce, 1}, {kNp, "max", NumpyReduce, 2},
    {kNp, "min", NumpyReduce, 3},  {kNp, "mean", NumpyReduce, 4},
    {kNp, "astype", NumpyAsType},  {kNp, "sqrt", Elementwise, 0},
    {kNp, "exp", Elementwise, 1},  {kNp, "log", Elementwise, 2},
    {kNp, "abs", Elementwise, 3},  {kNp, "floor", Elementwise, 4},
    {kNp, "ceil", Elementwise, 5}, {kNp, "sin", Elementwise, 6},
    {kNp, "cos", Elementwise, 7},  {kNp, "log2", Elementwise, 8},
    {kNp, "round", NumpyRound},    {kNp, "around", NumpyRound},
    {kNp, "tanh", Elementwise, 9}, {kNp, "flip", Flip},
};

}  // namespace

llvm::ArrayRef<Builtin> NumpyBuiltins() { return kNumpyTable; }

}  // namespace spmdc::text::native
