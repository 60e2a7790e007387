// Making static values, and what every kind of them has: type name, repr, equality.
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
    case VK::Context:
      return "context";
  }
  return "object";
}

std::string FloatText(double value) {
  if (std::isnan(value)) {
    return "nan";
  }
  if (std::isinf(value)) {
    return value > 0 ? "inf" : "-inf";
  }
  char buffer[40];
  for (int digits = 1; digits <= 17; ++digits) {
    snprintf(buffer, sizeof buffer, "%.*e", digits - 1, value);
    if (strtod(buffer, nullptr) == value) {
      break;
    }
  }
  // d.ddde[+-]xx to Python's layout: plain from 1e-4 up to 1e16, else with an exponent.
  llvm::StringRef text(buffer);
  bool negative = text.consume_front("-");
  auto [mantissa, exponent_text] = text.split('e');
  int exponent = 0;
  (void)exponent_text.ltrim('+').getAsInteger(10, exponent);
  std::string digits = mantissa.substr(0, 1).str() + mantissa.drop_front(1).ltrim('.').str();
  std::string out;
  auto count = static_cast<int>(digits.size());
  if (exponent >= -4 && exponent < 16) {
    if (exponent < 0) {
      out = "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + digits;
    } else if (count <= exponent + 1) {
      out = digits + std::string(static_cast<size_t>(exponent + 1 - count), '0') + ".0";
    } else {
      out =
          digits.substr(0, static_cast<size_t>(exponent + 1)) + "." + digits.substr(static_cast<size_t>(exponent + 1));
    }
  } else {
    out = digits.substr(0, 1) + (count > 1 ? "." + digits.substr(1) : "") + (exponent < 0 ? "e-" : "e+") +
          (std::abs(exponent) < 10 ? "0" : "") + std::to_string(std::abs(exponent));
  }
  return (negative ? "-" : "") + out;
}

std::string StrRepr(llvm::StringRef text) {
  char quote = text.contains('\'') && !text.contains('"') ? '"' : '\'';
  std::string out(1, quote);
  for (char c : text) {
    if (c == quote || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += static_cast<unsigned char>(c) < 0x10 ? "\\x0" : "\\x";
      out += llvm::utohexstr(static_cast<unsigned char>(c), true);
    } else {
      out += c;
    }
  }
  return out + quote;
}

std::string AxisTypesText(const mesh::Mesh& mesh) {
  std::string out = "(";
  for (size_t i = 0; i < mesh.axes.size(); ++i) {
    out += (i == 0 ? "" : ", ") + mesh::Name(mesh.axes[i].type).str();
  }
  return out + (mesh.axes.size() == 1 ? ",)" : ")");
}

std::string MeshText(const MeshObj& obj) {
  std::string out = obj.abstract ? "AbstractMesh(" : "Mesh(";
  for (const mesh::Axis& axis : obj.mesh.axes) {
    out += StrRepr(axis.name) + ": " + std::to_string(axis.size) + ", ";
  }
  return out + "axis_types=" + AxisTypesText(obj.mesh) + ")";
}

std::string ShardingText(const ShardingObj& sharding) {
  if (sharding.mesh->mesh.axes.empty() && !sharding.mesh->abstract) {
    return "SingleDeviceSharding(device=CpuDevice(id=0))";
  }
  return "NamedSharding(mesh=" + MeshText(*sharding.mesh) + ", spec=" + mesh::ToString(sharding.spec) + ")";
}

namespace {

constexpr size_t kMaxTreeDepth = 200;

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

std::string ComplexText(std::complex<double> c) {
  auto part = [](double d) {
    std::string text = FloatText(d);
    return EndsWith(text, ".0") ? text.substr(0, text.size() - 2) : text;
  };
  std::string imag = part(c.imag()) + "j";
  if (c.real() == 0 && !std::signbit(c.real())) {
    return imag;
  }
  return "(" + part(c.real()) + (imag[0] == '-' ? "" : "+") + imag + ")";
}

// Python's repr of a mesh of devices; its str is shorter.
std::string MeshFieldsText(const mesh::Mesh& mesh) {
  std::string sizes, names;
  for (const mesh::Axis& axis : mesh.axes) {
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(axis.size);
    names += (names.empty() ? "'" : ", '") + axis.name + "'";
  }
  std::string comma = mesh.axes.size() == 1 ? "," : "";
  return "Mesh(axis_sizes=(" + sizes + comma + "), axis_names=(" + names + comma +
         "), axis_types=" + AxisTypesText(mesh) + ")";
}

std::string RangeText(const RangeObj& r) {
  return "range(" + std::to_string(r.start) + ", " + std::to_string(r.stop) +
         (r.step == 1 ? "" : ", " + std::to_string(r.step)) + ")";
}

// numpy puts the names of its own types between quotes.
std::string DTypeText(tensor::DType dtype) {
  std::string name = tensor::NumpyName(dtype).str();
  bool of_numpy = dtype == tensor::DType::Pred || tensor::IsComplex(dtype) || dtype == tensor::DType::F16 ||
                  dtype == tensor::DType::F32 || dtype == tensor::DType::F64 ||
                  (tensor::IsInteger(dtype) && tensor::BitWidth(dtype) >= 8);
  return tensor::IsKey(dtype) ? name : of_numpy ? "dtype('" + name + "')" : "dtype(" + name + ")";
}

// What repr makes of values without parts.
std::string LeafText(const Value& v) {
  switch (v.kind) {
    case VK::None:
      return "None";
    case VK::Bool:
      return v.b ? "True" : "False";
    case VK::Int:
      return std::to_string(v.i);
    case VK::Wide:
      return (WholeOrder(v, Value::Int(0)) < 0 ? "-" : "") + WholeDigits(v, 10);
    case VK::Float:
      return FloatText(v.f);
    case VK::Complex:
      return ComplexText(v.as<ComplexObj>().value);
    case VK::Ellipsis:
      return "Ellipsis";
    case VK::Unconstrained:
      return "UNCONSTRAINED";
    case VK::AxisType:
      return mesh::Name(static_cast<mesh::AxisType>(v.i)).str();
    case VK::DType:
      return DTypeText(v.dtype());
    case VK::Device:
      return "CpuDevice(id=" + std::to_string(v.i) + ")";
    case VK::Module:
      return "<module '" + ModuleName(static_cast<uint32_t>(v.i)).str() + "'>";
    case VK::Str:
      return StrRepr(Text(v));
    case VK::Range:
      return RangeText(v.as<RangeObj>());
    case VK::NdArray:
      return NumpyText(v.as<NdArrayObj>(), /*repr=*/true);
    case VK::TypeForm:
      return TypeFormText(v.as<TypeFormObj>());
    case VK::Mesh:
      return v.as<MeshObj>().abstract ? MeshText(v.as<MeshObj>()) : MeshFieldsText(v.as<MeshObj>().mesh);
    case VK::Spec:
      return mesh::ToString(v.as<SpecObj>().spec);
    case VK::Sharding:
      return ShardingText(v.as<ShardingObj>());
    case VK::Aval:
      return "ShapedArray(" + v.as<AvalObj>().text + (v.as<AvalObj>().weak ? ", weak_type=True)" : ")");
    case VK::Array:
      return ArrayText(v.as<ArrayObj>());
    default:
      return "<" + TypeName(v) + ">";
  }
}

// Writes the repr of a tree, up to a number of characters.
class ReprWriter {
 public:
  explicit ReprWriter(int64_t limit) : limit_(limit) {}

  void Add(const Value& v) {
    if (!fits()) {
      return;
    }
    switch (v.kind) {
      case VK::Tuple: {
        auto& tuple = v.as<SeqObj>();
        bool named = !tuple.type_name.empty();
        out_ += named ? tuple.type_name + "(" : "(";
        AddItems(tuple.items(), named ? llvm::ArrayRef<std::string>(tuple.fields) : llvm::ArrayRef<std::string>());
        out_ += !named && tuple.items().size() == 1 ? ",)" : ")";
        return;
      }
      case VK::List:
        out_ += "[";
        AddItems(Items(v));
        out_ += "]";
        return;
      case VK::Dict:
        AddDict(v.as<DictObj>());
        return;
      case VK::Set:
        AddSet(v.as<SetObj>());
        return;
      case VK::Slice: {
        const auto& slice = v.as<SliceObj>();
        out_ += "slice(";
        AddItems({slice.start, slice.stop, slice.step});
        out_ += ")";
        return;
      }
      case VK::Struct:
        AddStruct(v.as<StructObj>());
        return;
      case VK::Wide:
        for_digits_ += TouchedByDigits(v);
        out_ += fits() ? LeafText(v) : "";
        return;
      case VK::NdArray:
        for_digits_ += kBytesPerNumber * v.as<NdArrayObj>().size();
        out_ += fits() ? LeafText(v) : "";
        return;
      default:
        out_ += LeafText(v);
    }
  }
  int64_t touched() const { return static_cast<int64_t>(out_.size()) + for_digits_; }
  // Whether the text so far is within the limit: if not, some of it is missing.
  bool fits() const { return touched() <= limit_; }
  std::string Take() { return std::move(out_); }

 private:
  void AddItems(llvm::ArrayRef<Value> items, llvm::ArrayRef<std::string> names = {}) {
    for (size_t i = 0; i < items.size() && fits(); ++i) {
      out_ += (i == 0 ? "" : ", ") + (i < names.size() ? names[i] + "=" : "");
      Add(items[i]);
    }
  }

  void AddDict(const DictObj& dict) {
    out_ += !dict.ordered ? "{" : dict.items.empty() ? "OrderedDict(" : "OrderedDict([";
    bool first = true;
    for (const auto& [key, value] : dict.items) {
      out_ += first ? "" : ", ";
      out_ += dict.ordered ? "(" : "";
      Add(key);
      out_ += dict.ordered ? ", " : ": ";
      Add(value);
      out_ += dict.ordered ? ")" : "";
      first = false;
      if (!fits()) {
        return;
      }
    }
    out_ += !dict.ordered ? "}" : dict.items.empty() ? ")" : "])";
  }

  void AddSet(const SetObj& set) {
    if (set.items.empty()) {
      out_ += set.frozen ? "frozenset()" : "set()";
      return;
    }
    out_ += set.frozen ? "frozenset({" : "{";
    AddItems(set.items);
    out_ += set.frozen ? "})" : "}";
  }

  void AddStruct(const StructObj& s) {
    out_ += "ShapeDtypeStruct(shape=" + ShapeText(s.dims) + ", dtype=" + tensor::NumpyName(s.dtype).str();
    if (!s.sharding.none()) {
      out_ += ", sharding=";
      Add(s.sharding);
    }
    out_ += ")";
  }

  // What spelling a number takes.
  static constexpr int64_t kBytesPerNumber = 160;

  std::string out_;
  int64_t for_digits_ = 0;
  int64_t limit_;
};

// What messages show of a value at most.
constexpr int64_t kMaxShown = 10'000;

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

std::optional<std::string> Repr(const Value& v, int64_t limit, int64_t& touched) {
  if (!IsBounded(v)) {
    return v.is(VK::Dict) ? "{...}" : v.is(VK::Tuple) ? "(...)" : "[...]";
  }
  ReprWriter writer(limit);
  writer.Add(v);
  touched += writer.touched();
  return writer.fits() ? std::optional(writer.Take()) : std::nullopt;
}

std::string Repr(const Value& v) {
  int64_t touched = 0;
  if (!IsBounded(v)) {
    return *Repr(v, 0, touched);
  }
  ReprWriter writer(kMaxShown);
  writer.Add(v);
  bool whole = writer.fits();
  std::string text = writer.Take();
  return whole ? text : text.substr(0, kMaxShown) + "...";
}

std::optional<std::string> Str(const Value& v, int64_t limit, int64_t& touched) {
  switch (v.kind) {
    case VK::Str:
      touched += static_cast<int64_t>(Text(v).size());
      return touched <= limit ? std::optional(Text(v)) : std::nullopt;
    case VK::Aval:
    case VK::Mesh:
    case VK::AxisType:
    case VK::DType:
      return Str(v);
    case VK::NdArray:
      return Repr(v, limit, touched) ? std::optional(Str(v)) : std::nullopt;
    default:
      return Repr(v, limit, touched);
  }
}

std::string Str(const Value& v) {
  switch (v.kind) {
    case VK::Str:
      return Text(v);
    case VK::Aval:
      return v.as<AvalObj>().text;
    case VK::Mesh:
      return MeshText(v.as<MeshObj>());
    case VK::AxisType:
      return "AxisType." + Repr(v);
    case VK::DType:
      return tensor::NumpyName(v.dtype()).str();
    case VK::NdArray:
      return NumpyText(v.as<NdArrayObj>(), /*repr=*/false);
    default:
      return Repr(v);
  }
}

bool Hashable(const Value& v) {
  switch (v.kind) {
    case VK::List:
    case VK::Dict:
    case VK::NdArray:
    case VK::Slice:
    case VK::Array:
      return false;
    case VK::Set:
      return v.as<SetObj>().frozen;
    case VK::Tuple:
      return llvm::all_of(Items(v), Hashable);
    default:
      return true;
  }
}

std::complex<double> AsComplex(const Value& v) {
  return v.is(VK::Complex) ? v.as<ComplexObj>().value : std::complex<double>(v.as_float(), 0);
}

namespace {

// dtypes equal their names: `x.dtype == 'float32'`.
std::optional<tensor::DType> DTypeOf(const Value& v) {
  if (v.is(VK::DType)) {
    return v.dtype();
  }
  if (v.is(VK::Str)) {
    return DTypeByName(Text(v));
  }
  if (v.is(VK::Builtin)) {
    return DTypeOfPythonType(v);
  }
  return std::nullopt;
}

}  // namespace

bool Comparison::Leaves(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) {
    if (a.is_int() && b.is_int()) {
      return a.as_int() == b.as_int();
    }
    return AsComplex(a) == AsComplex(b);
  }
  if (a.is(VK::Wide) || b.is(VK::Wide)) {
    for (const Value& v : {a, b}) {
      paid_ += v.is(VK::Wide) ? v.as<WideObj>().value.getBitWidth() : 0;
    }
    return IsWhole(a) && IsWhole(b) ? WholeOrder(a, b) == 0
           : a.is(VK::Float)        ? a.f == NearestFloat(WholeOf(b))
           : b.is(VK::Float)        ? b.f == NearestFloat(WholeOf(a))
                                    : false;
  }
  if (a.is(VK::DType) || b.is(VK::DType)) {
    auto x = DTypeOf(a), y = DTypeOf(b);
    return x && y && *x == *y;
  }
  if (a.kind != b.kind) {
    return false;
  }
  switch (a.kind) {
    case VK::None:
    case VK::Ellipsis:
    case VK::Unconstrained:
    case VK::Missing:
      return true;
    case VK::AxisType:
    case VK::Device:
    case VK::Module:
      return a.i == b.i;
    case VK::Builtin:
      return a.builtin == b.builtin;
    case VK::Str:
      paid_ += Text(a).size() == Text(b).size() ? static_cast<int64_t>(Text(a).size()) : 0;
      return paid_ <= limit_ && Text(a) == Text(b);
    case VK::Range: {
      const auto& x = a.as<RangeObj>();
      const auto& y = b.as<RangeObj>();
      return x.size() == y.size() && (x.size() == 0 || (x.start == y.start && (x.size() == 1 || x.step == y.step)));
    }
    case VK::Mesh: {
      const auto& x = a.as<MeshObj>();
      const auto& y = b.as<MeshObj>();
      return x.abstract == y.abstract && x.mesh == y.mesh;
    }
    case VK::Spec:
      return EqualSpecs(a.as<SpecObj>().spec, b.as<SpecObj>().spec);
    case VK::Sharding: {
      const auto& x = a.as<ShardingObj>();
      const auto& y = b.as<ShardingObj>();
      return x.mesh->mesh == y.mesh->mesh && x.mesh->abstract == y.mesh->abstract && EqualSpecs(x.spec, y.spec);
    }
    case VK::Aval:
      return a.as<AvalObj>().text == b.as<AvalObj>().text && a.as<AvalObj>().weak == b.as<AvalObj>().weak;
    default:
      return a.obj == b.obj;
  }
}

bool Comparison::Sequences(llvm::ArrayRef<Value> a, llvm::ArrayRef<Value> b) {
  for (size_t i = 0; i < std::min(a.size(), b.size()) && a.size() == b.size(); ++i) {
    if (!Run(a[i], b[i])) {
      return false;
    }
  }
  return a.size() == b.size();
}

bool Comparison::Dicts(const DictObj& a, const DictObj& b) {
  return a.items.size() == b.items.size() && llvm::all_of(a.items, [&](const auto& entry) {
           return llvm::any_of(b.items, [&](const auto& other) {
             return Run(entry.first, other.first) && Run(entry.second, other.second);
           });
         });
}

bool Comparison::Sets(const SetObj& a, const SetObj& b) {
  return a.items.size() == b.items.size() && llvm::all_of(a.items, [&](const Value& x) {
           return llvm::any_of(b.items, [&](const Value& y) { return Run(x, y); });
         });
}

bool Comparison::Trees(const Value& a, const Value& b) {
  switch (a.kind) {
    case VK::Dict:
      return Dicts(a.as<DictObj>(), b.as<DictObj>());
    case VK::Set:
      return Sets(a.as<SetObj>(), b.as<SetObj>());
    case VK::Slice: {
      const auto& x = a.as<SliceObj>();
      const auto& y = b.as<SliceObj>();
      return Sequences({x.start, x.stop, x.step}, {y.start, y.stop, y.step});
    }
    case VK::Struct: {
      const auto& x = a.as<StructObj>();
      const auto& y = b.as<StructObj>();
      return x.dtype == y.dtype && x.dims == y.dims && x.weak == y.weak && Run(x.sharding, y.sharding);
    }
    default:
      return Sequences(Items(a), Items(b));
  }
}

bool Comparison::Run(const Value& a, const Value& b) {
  bool parts = a.is_sequence() || a.is(VK::Dict) || a.is(VK::Set);
  paid_ += static_cast<int64_t>((parts ? 6 : 2) * sizeof(Value));
  if (paid_ > limit_) {
    return false;
  }
  bool trees =
      a.kind == b.kind && (a.is_sequence() || a.is(VK::Dict) || a.is(VK::Set) || a.is(VK::Slice) || a.is(VK::Struct));
  if (!trees) {
    return Leaves(a, b);
  }
  too_deep_ |= depth_ == kMaxTreeDepth;
  if (a.obj == b.obj || too_deep_) {
    return a.obj == b.obj;
  }
  ++depth_;
  bool same = Trees(a, b);
  --depth_;
  return same;
}

}  // namespace spmdc::text::native
