// Python's repr and str of static values.
#include <cmath>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "support/starts_with.h"
#include "text/native/array.h"
#include "text/native/evaluator.h"
#include "text/native/numpy.h"
#include "text/native/sharding_api.h"
#include "text/native/tracer.h"
#include "text/native/wide_int.h"

namespace spmdc::text::native {

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
  out += obj.mesh.axes.empty() ? "(), " : "";
  return out + "axis_types=" + AxisTypesText(obj.mesh) + ")";
}

std::string ShardingText(const ShardingObj& sharding) {
  if (sharding.undecided) {
    return "<the sharding that propagation decides>";
  }
  if (sharding.mesh->mesh.axes.empty() && !sharding.mesh->abstract) {
    const auto& ids = sharding.mesh->mesh.device_ids;
    return "SingleDeviceSharding(device=CpuDevice(id=" + std::to_string(ids.empty() ? 0 : ids[0]) + "))";
  }
  return "NamedSharding(mesh=" + MeshText(*sharding.mesh) + ", spec=" + mesh::ToString(sharding.spec) + ")";
}

namespace {

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
      return v.scalar_module().empty()
                 ? DTypeText(v.dtype())
                 : "<class '" + v.scalar_module().str() + "." + tensor::NumpyName(v.dtype()).str() + "'>";
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
    case VK::TreeDef:
      return v.obj == nullptr ? "*" : "PyTreeDef(" + Repr(v.as<TreeDefObj>().tree) + ")";
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
      return (v.as<AvalObj>().weak ? "~" : "") + v.as<AvalObj>().text;
    case VK::Mesh:
      return MeshText(v.as<MeshObj>());
    case VK::AxisType:
      return "AxisType." + Repr(v);
    case VK::DType:
      return v.scalar_module().empty() ? tensor::NumpyName(v.dtype()).str() : Repr(v);
    case VK::NdArray:
      return NumpyText(v.as<NdArrayObj>(), /*repr=*/false);
    default:
      return Repr(v);
  }
}

}  // namespace spmdc::text::native
