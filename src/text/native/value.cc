// Making static values; what their types are called, and how many parts they have.
#include "text/native/value.h"

#include <cmath>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "support/starts_with.h"
#include "text/native/array.h"
#include "text/native/evaluator.h"
#include "text/native/jit.h"
#include "text/native/numpy.h"
#include "text/native/sharding_api.h"
#include "text/native/wide_int.h"

namespace spmdc::text::native {

int64_t RangeObj::size() const {
  if (step > 0 ? start >= stop : start <= stop) {
    return 0;
  }
  auto low = static_cast<uint64_t>(std::min(start, stop)), high = static_cast<uint64_t>(std::max(start, stop));
  uint64_t stride = step > 0 ? static_cast<uint64_t>(step) : uint64_t{0} - static_cast<uint64_t>(step);
  return static_cast<int64_t>(std::min((high - low - 1) / stride + 1, static_cast<uint64_t>(INT64_MAX)));
}

Value Heap::Str(std::string text) {
  auto* obj = New<StrObj>();
  bytes_ += static_cast<int64_t>(text.size());
  obj->text = std::move(text);
  return Value::Object(VK::Str, obj);
}

Value Heap::Complex(std::complex<double> value) {
  auto* obj = New<ComplexObj>();
  obj->value = value;
  return Value::Object(VK::Complex, obj);
}

Value Heap::Tuple(std::vector<Value> items) {
  auto* obj = New<SeqObj>();
  bytes_ += static_cast<int64_t>(items.size() * sizeof(Value));
  obj->items() = std::move(items);
  return Value::Object(VK::Tuple, obj);
}

Value Heap::List(std::vector<Value> items) {
  Value v = Tuple(std::move(items));
  v.kind = VK::List;
  return v;
}

Value Heap::Ints(llvm::ArrayRef<int64_t> values) {
  std::vector<Value> items;
  for (int64_t v : values) {
    items.push_back(Value::Int(v));
  }
  return Tuple(std::move(items));
}

Value Heap::Array(tensor::Literal value, bool devices, bool scalar) {
  auto* obj = New<NdArrayObj>();
  bytes_ += value.size() * std::max<int64_t>(tensor::BitWidth(value.dtype()) / 8, 1);
  obj->set_value(std::move(value));
  obj->devices = devices;
  obj->scalar = scalar;
  return Value::Object(VK::NdArray, obj);
}

Value Heap::Devices(DeviceGrid grid) {
  auto* obj = New<NdArrayObj>();
  obj->grid = std::move(grid);
  obj->devices = true;
  return Value::Object(VK::NdArray, obj);
}

Value Heap::DeviceList(int64_t first, int64_t count, int64_t step) {
  auto* obj = New<SeqObj>();
  obj->devices = DeviceGrid{first, {count}, {step}};
  return Value::Object(VK::List, obj);
}

const tensor::Literal& NdArrayObj::value() const {
  if (grid && !spelled_) {
    value_ = grid->Spelled();
    spelled_ = true;
  }
  return value_;
}

std::vector<Value>& SeqObj::items() {
  if (devices) {
    for (int64_t i = 0; i < devices->dims[0]; ++i) {
      items_.push_back(Value::Tagged(VK::Device, devices->first + i * devices->strides[0]));
    }
    devices.reset();
  }
  return items_;
}

Value Heap::Spec(mesh::PartitionSpec spec) {
  auto* obj = New<SpecObj>();
  obj->spec = std::move(spec);
  return Value::Object(VK::Spec, obj);
}

std::string Counted(int64_t n, llvm::StringRef noun) {
  return std::to_string(n) + " " + noun.str() + (n == 1 ? "" : "s");
}

std::string TypeName(const Value& v) {
  switch (v.kind) {
    case VK::Error:
      return "error";
    case VK::Missing:
      return "missing";
    case VK::None:
      return "NoneType";
    case VK::Bool:
      return "bool";
    case VK::Int:
    case VK::Wide:
      return "int";
    case VK::Float:
      return "float";
    case VK::Complex:
      return "complex";
    case VK::Ellipsis:
      return "ellipsis";
    case VK::Unconstrained:
      return "UnconstrainedSingleton";
    case VK::AxisType:
      return "AxisType";
    case VK::DType:
      return "dtype";
    case VK::Device:
      return "Device";
    case VK::Module:
      return "module";
    case VK::Str:
      return "str";
    case VK::Tuple:
      return "tuple";
    case VK::List:
      return "list";
    case VK::Dict:
      return v.as<DictObj>().ordered ? "OrderedDict" : "dict";
    case VK::Set:
      return v.as<SetObj>().frozen ? "frozenset" : "set";
    case VK::Range:
      return "range";
    case VK::Slice:
      return "slice";
    case VK::Function:
    case VK::Partial:
      return "function";
    case VK::Builtin:
      return "builtin_function_or_method";
    case VK::Method:
      return "method";
    case VK::NdArray:
      return v.as<NdArrayObj>().scalar ? tensor::NumpyName(v.as<NdArrayObj>().value().dtype()).str() : "ndarray";
    case VK::TypeForm:
      return "array type";
    case VK::Mesh:
      return v.as<MeshObj>().abstract ? "AbstractMesh" : "Mesh";
    case VK::Spec:
      return "PartitionSpec";
    case VK::Sharding:
      return "NamedSharding";
    case VK::Struct:
      return "ShapeDtypeStruct";
    case VK::Aval:
      return "ShapedArray";
    case VK::Array:
      return v.as<ArrayObj>().trace->top_level ? "ArrayImpl" : "DynamicJaxprTracer";
    case VK::Jitted:
      return "PjitFunction";
    case VK::Stage:
      return "Stage";
    case VK::AtRef:
      return "_IndexUpdateHelper";
    case VK::TreeDef:
      return "PyTreeDef";
    case VK::Context:
      return "context";
  }
  return "object";
}

namespace {

void AddParts(const Value& v, std::vector<Value>& parts) {
  if (v.is_sequence()) {
    parts.insert(parts.end(), Items(v).begin(), Items(v).end());
  } else if (v.is(VK::Set)) {
    const std::vector<Value>& items = v.as<SetObj>().items;
    parts.insert(parts.end(), items.begin(), items.end());
  } else if (v.is(VK::Dict)) {
    for (const auto& [key, value] : v.as<DictObj>().items) {
      parts.push_back(key);
      parts.push_back(value);
    }
  } else if (v.is(VK::Slice)) {
    const auto& slice = v.as<SliceObj>();
    parts.insert(parts.end(), {slice.start, slice.stop, slice.step});
  } else if (v.is(VK::Struct)) {
    parts.push_back(v.as<StructObj>().sharding);
  }
}

}  // namespace

std::optional<int64_t> TreeSize(const Value& v) {
  std::vector<Value> level, next;
  AddParts(v, level);
  int64_t parts = 1;
  for (size_t depth = 1; !level.empty(); ++depth) {
    parts += static_cast<int64_t>(level.size());
    if (depth > kMaxTreeDepth || parts > kMaxTreeParts) {
      return std::nullopt;
    }
    next.clear();
    for (const Value& part : level) {
      AddParts(part, next);
      if (static_cast<int64_t>(next.size()) > kMaxTreeParts) {
        return std::nullopt;
      }
    }
    std::swap(level, next);
  }
  return parts;
}

std::complex<double> AsComplex(const Value& v) {
  return v.is(VK::Complex) ? v.as<ComplexObj>().value : std::complex<double>(v.as_float(), 0);
}

}  // namespace spmdc::text::native
