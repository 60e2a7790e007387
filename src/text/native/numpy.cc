// Numpy arrays of static values: making them, operators, indexing, attributes, text.
#include "text/native/numpy.h"
#include "text/native/wide_int.h"

#include <cmath>
#include <numeric>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "support/starts_with.h"

namespace spmdc::text::native {
namespace {

using tensor::DType;

// What numpy makes of Python scalars: bool, s64, f64, c128, in this order of strength.
int Strength(DType t) { return t == DType::Pred ? 0 : tensor::IsInteger(t) ? 1 : tensor::IsFloat(t) ? 2 : 3; }

DType Stronger(DType a, DType b) {
  if (a == b) {
    return a;
  }
  if (Strength(a) != Strength(b)) {
    return Strength(a) > Strength(b) ? a : b;
  }
  return tensor::BitWidth(a) >= tensor::BitWidth(b) ? a : b;
}

// Walks nested sequences: the shape, the elements in order, and the type they need.
struct Collector {
  Evaluator& ev;
  tensor::Dims dims;
  std::vector<Value> elements;
  DType dtype = DType::Pred;
  bool devices = false;
  bool any = false;

  bool Add(const Value& v, size_t depth) {
    if (v.is_sequence() || v.is(VK::Range)) {
      std::vector<Value> items;
      if (!ev.Iterate(v, items)) {
        return false;
      }
      auto size = static_cast<int64_t>(items.size());
      if (!ev.TouchElements(size)) {
        return false;
      }
      if (depth == dims.size() && !any) {
        dims.push_back(size);
      } else if (depth >= dims.size() || dims[depth] != size) {
        return Ragged();
      }
      return llvm::all_of(items, [&](const Value& item) { return Add(item, depth + 1); });
    }
    if (v.is(VK::NdArray)) {
      const auto& array = v.as<NdArrayObj>();
      devices |= array.devices;
      for (int64_t d : array.dims()) {
        if (depth == dims.size() && !any) {
          dims.push_back(d);
        } else if (depth >= dims.size() || dims[depth] != d) {
          return Ragged();
        }
        ++depth;
      }
      if (!ev.TouchElements(array.size())) {
        return false;
      }
      for (int64_t i = 0; i < array.size(); ++i) {
        elements.push_back(Element(ev, array.value(), i));
      }
      dtype = any ? Stronger(dtype, array.value().dtype()) : array.value().dtype();
      any = true;
      return depth == dims.size() || Ragged();
    }
    if (depth != dims.size()) {
      return Ragged();
    }
    DType own = v.is(VK::Bool) ? DType::Pred : v.is(VK::Int) ? DType::S64 : v.is(VK::Float) ? DType::F64 : DType::C128;
    if (v.is(VK::Device)) {
      devices = true;
      own = DType::S64;
    } else if (v.is(VK::Wide)) {
      own = DType::U64;
      if (!FitsUnsigned(v)) {
        ev.TooBig();
        return false;
      }
    } else if (!v.is_number()) {
      return !ev.TypeError("Value '" + Repr(v) + "' with dtype object is not a valid array element").failed();
    }
    dtype = any ? Stronger(dtype, own) : own;
    any = true;
    elements.push_back(v);
    return true;
  }
  bool Ragged() {
    return !ev.TypeError("setting an array element with a sequence: the parts have different shapes").failed();
  }
};

void Store(tensor::Literal& literal, int64_t i, const Value& v) {
  if (v.is(VK::Wide)) {
    bool whole = tensor::IsInteger(literal.dtype());
    Store(literal, i,
          whole ? Value::Int(static_cast<int64_t>(WholeOf(v).trunc(64).getZExtValue()))
                : Value::Float(NearestFloat(WholeOf(v))));
    return;
  }
  if (tensor::IsComplex(literal.dtype())) {
    literal.SetComplex(i, AsComplex(v));
  } else if (tensor::IsFloat(literal.dtype())) {
    literal.SetReal(i, v.is(VK::Complex) ? AsComplex(v).real() : v.as_float());
  } else if (v.is(VK::Float)) {
    literal.SetInt(i, literal.dtype() == DType::Pred ? v.f != 0 : static_cast<int64_t>(v.f));
  } else {
    literal.SetInt(i, literal.dtype() == DType::Pred ? v.as_int() != 0 : v.is(VK::Device) ? v.i : v.as_int());
  }
}

const NdArrayObj* AsArray(Evaluator& ev, const Value& v) {
  if (v.is(VK::NdArray)) {
    return &v.as<NdArrayObj>();
  }
  std::optional<tensor::Literal> literal = ToLiteral(ev, v, std::nullopt);
  return literal ? &ev.heap().Array(*literal).as<NdArrayObj>() : nullptr;
}

// Numpy's dtype of an operation between an array and another array or a Python number (which is weak).
DType ResultDType(const Value& a, const Value& b, DType x, DType y) {
  bool weak_a = a.is_number(), weak_b = b.is_number();
  if (weak_a != weak_b) {
    DType strong = weak_a ? y : x;
    DType weak = weak_a ? x : y;
    return Strength(weak) <= Strength(strong) ? strong : weak;
  }
  if (tensor::IsFloat(x) != tensor::IsFloat(y) && Strength(x) + Strength(y) == 3) {
    return DType::F64;  // an integer array with a float array
  }
  return Stronger(x, y);
}

bool BroadcastDims(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b, tensor::Dims& out) {
  size_t rank = std::max(a.size(), b.size());
  out.assign(rank, 1);
  for (size_t i = 0; i < rank; ++i) {
    int64_t x = i < rank - a.size() ? 1 : a[i - (rank - a.size())];
    int64_t y = i < rank - b.size() ? 1 : b[i - (rank - b.size())];
    if (x != y && x != 1 && y != 1) {
      return false;
    }
    out[i] = x == 1 ? y : x;
  }
  return true;
}

// The element of an array that a place in the broadcast shape reads.
int64_t Source(llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> index) {
  int64_t at = 0;
  size_t skip = index.size() - dims.size();
  for (size_t i = 0; i < dims.size(); ++i) {
    at = at * dims[i] + (dims[i] == 1 ? 0 : index[i + skip]);
  }
  return at;
}

template <typename F>
Value Elementwise(Evaluator& ev, const Value& a, const Value& b, std::optional<DType> forced, F f) {
  const NdArrayObj* x = AsArray(ev, a);
  const NdArrayObj* y = AsArray(ev, b);
  if (x == nullptr || y == nullptr) {
    return Value::Error();
  }
  tensor::Dims dims;
  if (!BroadcastDims(x->dims(), y->dims(), dims)) {
    return ev.TypeError("operands could not be broadcast together");
  }
  DType dtype = forced ? *forced : ResultDType(a, b, x->value().dtype(), y->value().dtype());
  if (!ev.Work(3 * tensor::NumElements(dims))) {
    return Value::Error();
  }
  tensor::Literal out(dtype, dims);
  tensor::Dims index(dims.size(), 0);
  int64_t at = 0;
  if (out.size() > 0) {
    do {
      Value r = f(Element(ev, x->value(), Source(x->dims(), index)), Element(ev, y->value(), Source(y->dims(), index)));
      if (r.failed()) {
        return r;
      }
      Store(out, at++, r);
    } while (tensor::NextIndex(index, dims));
  }
  return ev.heap().Array(std::move(out), false, dims.empty());
}

}  // namespace

std::optional<DType> DTypeByName(llvm::StringRef name) {
  if (auto hlo = tensor::FromHloName(name)) {
    return tensor::Class(*hlo) == tensor::DClass::Other ? std::nullopt : hlo;
  }
  for (DType t : tensor::AllDTypes()) {
    if (tensor::Class(t) != tensor::DClass::Other && tensor::NumpyName(t) == name) {
      return t;
    }
  }
  return llvm::StringSwitch<std::optional<DType>>(name)
      .Cases("float", "f8", DType::F64)
      .Case("int", DType::S64)
      .Case("complex", DType::C128)
      .Case("i4", DType::S32)
      .Case("f4", DType::F32)
      .Default(std::nullopt);
}

std::optional<DType> DTypeOfPythonType(const Value& v) {
  if (!v.is(VK::Builtin)) {
    return std::nullopt;
  }
  return llvm::StringSwitch<std::optional<DType>>(v.builtin->name)
      .Case("int", DType::S64)
      .Case("float", DType::F64)
      .Case("bool", DType::Pred)
      .Case("complex", DType::C128)
      .Default(std::nullopt);
}

DType Canonical(DType t) {
  switch (t) {
    case DType::S64:
      return DType::S32;
    case DType::U64:
      return DType::U32;
    case DType::F64:
      return DType::F32;
    case DType::C128:
      return DType::C64;
    default:
      return t;
  }
}

DType Canonical(const Evaluator& ev, DType t) { return ev.flat() ? t : Canonical(t); }

Value Element(Evaluator& ev, const tensor::Literal& literal, int64_t i) {
  switch (tensor::Class(literal.dtype())) {
    case tensor::DClass::Pred:
      return Value::Bool(literal.GetInt(i) != 0);
    case tensor::DClass::Complex:
      return ev.heap().Complex(literal.GetComplex(i));
    case tensor::DClass::Float:
      return Value::Float(literal.GetReal(i));
    default:
      return Value::Int(literal.GetInt(i));
  }
}

namespace {

// Of a value that is bounded.
bool IsArrayLikePart(const Value& v) {
  if (v.is_sequence()) {
    return llvm::all_of(Items(v), IsArrayLikePart);
  }
  return v.is_number() || v.is(VK::Wide) || v.is(VK::NdArray) || v.is(VK::Range) || v.is(VK::Device);
}

}  // namespace

bool IsStaticArrayLike(const Value& v) { return IsBounded(v) && IsArrayLikePart(v); }

std::optional<tensor::Literal> ToLiteral(Evaluator& ev, const Value& v, std::optional<DType> dtype, bool* devices) {
  if (!ev.CheckBounded(v)) {
    return std::nullopt;
  }
  Collector collector{ev, {}, {}, DType::Pred, false, false};
  if (!collector.Add(v, 0)) {
    return std::nullopt;
  }
  if (devices != nullptr) {
    *devices = collector.devices;
  }
  if (!collector.any) {
    collector.dtype = DType::F64;
  }
  tensor::Literal literal(dtype.value_or(collector.dtype), collector.dims);
  for (size_t i = 0; i < collector.elements.size(); ++i) {
    Store(literal, static_cast<int64_t>(i), collector.elements[i]);
  }
  return literal;
}

Value NumpyBinary(Evaluator& ev, Operator op, const Value& a, const Value& b) {
  if (op == Operator::MatMul) {
    return ev.CallFunction(ev.FindIn(kNp, "matmul"), {a, b});
  }
  for (const Value& v : {a, b}) {
    if (!IsStaticArrayLike(v)) {
      return ev.TypeError("unsupported operand types for " + Spelling(op).str() + ": '" + TypeName(a) + "' and '" +
                          TypeName(b) + "'");
    }
  }
  std::optional<DType> forced;
  const NdArrayObj* x = AsArray(ev, a);
  const NdArrayObj* y = AsArray(ev, b);
  if (op == Operator::Div && x != nullptr && y != nullptr && Strength(x->value().dtype()) < 2 &&
      Strength(y->value().dtype()) < 2) {
    forced = DType::F64;
  }
  return Elementwise(ev, a, b, forced, [&](const Value& p, const Value& q) {
    // Division by zero gives infinities in numpy.
    if ((op == Operator::Div || op == Operator::Mod || op == Operator::FloorDiv) && q.as_float() == 0) {
      double n = p.as_float();
      return op == Operator::Div ? Value::Float(n / 0.0) : Value::Int(0);
    }
    return ev.Binary(op, p, q);
  });
}

Value NumpyUnary(Evaluator& ev, Operator op, const Value& a) {
  const tensor::Literal& value = a.as<NdArrayObj>().value();
  if (!ev.Work(value.size())) {
    return Value::Error();
  }
  tensor::Literal out(value.dtype(), value.dims());
  for (int64_t i = 0; i < value.size(); ++i) {
    Value element = Element(ev, value, i);
    Value r = op == Operator::Invert && element.is(VK::Bool) ? Value::Bool(!element.b) : ev.Unary(op, element);
    if (r.failed()) {
      return r;
    }
    Store(out, i, r);
  }
  return ev.heap().Array(std::move(out), false, a.as<NdArrayObj>().scalar);
}

Value NumpyCompare(Evaluator& ev, Operator op, const Value& a, const Value& b) {
  if (!IsStaticArrayLike(a) || !IsStaticArrayLike(b)) {
    return Value::Bool(op == Operator::Ne);
  }
  return Elementwise(ev, a, b, DType::Pred, [&](const Value& p, const Value& q) { return ev.Compare(op, p, q); });
}

std::optional<SliceRange> ResolveSlice(Evaluator& ev, const SliceObj& slice, int64_t size) {
  SliceRange r;
  if (!slice.step.none()) {
    std::optional<int64_t> step = ev.ToInt(slice.step, "the step of a slice");
    if (!step) {
      return std::nullopt;
    }
    r.step = *step;
  }
  if (r.step == 0) {
    ev.TypeError("slice step cannot be zero");
    return std::nullopt;
  }
  int64_t low = r.step > 0 ? 0 : -1;
  int64_t high = r.step > 0 ? size : size - 1;
  auto bound = [&](const Value& v, int64_t fallback, int64_t& out) {
    if (v.none()) {
      out = fallback;
      return true;
    }
    std::optional<int64_t> i = ev.ToInt(v, "the bound of a slice");
    if (i) {
      out = std::min(std::max(*i < 0 ? *i + size : *i, low), high);
    }
    return i.has_value();
  };
  if (!bound(slice.start, r.step > 0 ? low : high, r.start) || !bound(slice.stop, r.step > 0 ? high : low, r.stop)) {
    return std::nullopt;
  }
  if (r.step > 0) {
    r.count = r.start < r.stop ? (r.stop - r.start - 1) / r.step + 1 : 0;
  } else {
    r.count = r.start > r.stop ? (r.start - r.stop - 1) / -r.step + 1 : 0;
  }
  return r;
}

std::optional<DeviceGrid> GridOf(const Value& v) {
  return v.is(VK::NdArray) ? v.as<NdArrayObj>().grid : v.is(VK::List) ? v.as<SeqObj>().devices : std::nullopt;
}

namespace {

// Indexing with ints, slices, None and `...` leaves a grid a grid. Missing where other indices occur.
Value GridGetItem(Evaluator& ev, const DeviceGrid& grid, llvm::ArrayRef<Value> parts, size_t consumed) {
  DeviceGrid out;
  out.first = grid.first;
  size_t d = 0;
  auto keep = [&](size_t count) {
    for (; count > 0; --count, ++d) {
      out.dims.push_back(grid.dims[d]);
      out.strides.push_back(grid.strides[d]);
    }
  };
  for (const Value& p : parts) {
    if (p.is(VK::Ellipsis)) {
      keep(grid.dims.size() - consumed);
    } else if (p.is(VK::None)) {
      out.dims.push_back(1);
      out.strides.push_back(0);
    } else if (p.is(VK::Slice)) {
      std::optional<SliceRange> r = ResolveSlice(ev, p.as<SliceObj>(), grid.dims[d]);
      if (!r) {
        return Value::Error();
      }
      out.first += r->start * grid.strides[d];
      out.dims.push_back(r->count);
      out.strides.push_back(r->step * grid.strides[d++]);
    } else if (p.is(VK::Int)) {
      int64_t i = p.i < 0 ? p.i + grid.dims[d] : p.i;
      if (i < 0 || i >= grid.dims[d]) {
        return ev.TypeError("index " + std::to_string(p.i) + " is out of bounds for axis with size " +
                            std::to_string(grid.dims[d]));
      }
      out.first += i * grid.strides[d++];
    } else {
      return Value();
    }
  }
  keep(grid.dims.size() - d);
  return out.dims.empty() ? Value::Tagged(VK::Device, out.first) : ev.heap().Devices(std::move(out));
}

}  // namespace

// Ints, slices, None, `...` and one integer array; all that meshes of devices and tables of numbers need.
Value NumpyGetItem(Evaluator& ev, const NdArrayObj& array, const Value& index) {
  std::vector<Value> parts = index.is(VK::Tuple) ? Items(index) : std::vector<Value>{index};
  llvm::ArrayRef<int64_t> dims = array.dims();
  size_t consumed = 0;
  for (const Value& p : parts) {
    consumed += p.is(VK::None) || p.is(VK::Ellipsis) ? 0 : 1;
  }
  if (consumed > dims.size()) {
    return ev.TypeError("too many indices for array: array is " + std::to_string(dims.size()) + "-dimensional");
  }
  if (array.grid) {
    Value found = GridGetItem(ev, *array.grid, parts, consumed);
    if (found.given()) {
      return found;
    }
  }
  // The positions that each part picks along its dim.
  std::vector<std::vector<int64_t>> picks;
  tensor::Dims out_dims;
  bool ellipsis = false;
  auto all = [&](size_t n) {
    for (size_t k = 0; k < n; ++k) {
      int64_t size = dims[picks.size()];
      picks.emplace_back(static_cast<size_t>(size));
      std::iota(picks.back().begin(), picks.back().end(), 0);
      out_dims.push_back(size);
    }
  };
  for (const Value& p : parts) {
    if (p.is(VK::Ellipsis)) {
      all(dims.size() - consumed);
      ellipsis = true;
      continue;
    }
    if (p.is(VK::None)) {
      out_dims.push_back(1);
      continue;
    }
    int64_t size = dims[picks.size()];
    std::vector<int64_t> pick;
    if (p.is(VK::Slice)) {
      std::optional<SliceRange> r = ResolveSlice(ev, p.as<SliceObj>(), size);
      if (!r) {
        return Value::Error();
      }
      for (int64_t i = 0; i < r->count; ++i) {
        pick.push_back(r->start + i * r->step);
      }
      out_dims.push_back(r->count);
    } else if (p.is_sequence() || (p.is(VK::NdArray) && !p.as<NdArrayObj>().dims().empty())) {
      tensor::Dims ints;
      if (!ev.ToInts(p, "an index", ints)) {
        return Value::Error();
      }
      pick.assign(ints.begin(), ints.end());
      out_dims.push_back(static_cast<int64_t>(pick.size()));
    } else {
      std::optional<int64_t> i = ev.ToInt(p, "an index");
      if (!i) {
        return Value::Error();
      }
      pick.push_back(*i);
    }
    for (int64_t& i : pick) {
      i = i < 0 ? i + size : i;
      if (i < 0 || i >= size) {
        return ev.TypeError("index out of bounds for axis with size " + std::to_string(size));
      }
    }
    picks.push_back(std::move(pick));
  }
  if (!ellipsis) {
    all(dims.size() - consumed);
  }
  tensor::Dims counts;
  for (const auto& pick : picks) {
    counts.push_back(static_cast<int64_t>(pick.size()));
  }
  if (!ev.TouchElements(tensor::NumElements(out_dims))) {
    return Value::Error();
  }
  tensor::Literal out(array.value().dtype(), out_dims);
  tensor::Dims at(counts.size(), 0);
  int64_t to = 0;
  if (out.size() > 0) {
    do {
      int64_t from = 0;
      for (size_t d = 0; d < dims.size(); ++d) {
        from = from * dims[d] + picks[d][static_cast<size_t>(at[d])];
      }
      Store(out, to++, Element(ev, array.value(), from));
    } while (tensor::NextIndex(at, counts));
  }
  if (array.devices && out_dims.empty()) {
    return Value::Tagged(VK::Device, out.GetInt(0));
  }
  return ev.heap().Array(std::move(out), array.devices, out_dims.empty());
}

namespace {

std::string NumpyBody(const NdArrayObj& array, size_t depth, int64_t& at) {
  const tensor::Literal& value = array.value();
  if (depth == value.dims().size()) {
    int64_t i = at++;
    if (array.devices) {
      return "CpuDevice(id=" + std::to_string(value.GetInt(i)) + ")";
    }
    switch (tensor::Class(value.dtype())) {
      case tensor::DClass::Pred:
        return value.GetInt(i) != 0 ? "True" : "False";
      case tensor::DClass::Float: {
        std::string text = FloatText(value.GetReal(i));
        return EndsWith(text, ".0") && !array.scalar ? text.substr(0, text.size() - 1) : text;
      }
      case tensor::DClass::Complex:
        return FloatText(value.GetComplex(i).real()) + "+" + FloatText(value.GetComplex(i).imag()) + "j";
      default:
        return std::to_string(value.GetInt(i));
    }
  }
  std::string out = "[";
  for (int64_t i = 0; i < value.dims()[depth]; ++i) {
    out += (i == 0 ? "" : " ") + NumpyBody(array, depth + 1, at);
  }
  return out + "]";
}

}  // namespace

std::string NumpyText(const NdArrayObj& array, bool repr) {
  int64_t at = 0;
  if (array.size() > 1000) {
    return "array(...)";
  }
  std::string body = NumpyBody(array, 0, at);
  return repr && !array.scalar ? "array(" + body + ")" : body;
}

Value NumpyGetAttr(Evaluator& ev, const Value& v, llvm::StringRef name) {
  const auto& array = v.as<NdArrayObj>();
  if (name == "shape") {
    return ev.heap().Ints(array.dims());
  }
  if (name == "ndim") {
    return Value::Int(static_cast<int64_t>(array.dims().size()));
  }
  if (name == "size") {
    return Value::Int(array.size());
  }
  if (name == "dtype") {
    return Value::DType(array.grid ? DType::S64 : array.value().dtype());
  }
  if (name == "T") {
    return ev.CallFunction(ev.FindIn(kNp, "transpose"), v);
  }
  // Methods are numpy's functions with the array as first argument.
  static constexpr llvm::StringRef kMethods =
      " reshape transpose flatten ravel tolist item sum prod max min astype copy mean round ";
  if (!kMethods.contains(" " + name.str() + " ")) {
    return Value();
  }
  auto* method = ev.heap().New<MethodObj>();
  method->self = v;
  method->function = ev.FindIn(kNp, name);
  return method->function.given() ? Value::Object(VK::Method, method) : Value();
}

}  // namespace spmdc::text::native
