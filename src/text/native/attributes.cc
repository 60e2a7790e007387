// Attributes and subscripts of values, by kind.
#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "text/native/evaluator.h"
#include "text/native/jit.h"
#include "text/native/numpy.h"
#include "text/native/python_methods.h"
#include "text/native/sharding_api.h"
#include "text/native/tracer.h"
#include "text/native/tree.h"

namespace spmdc::text::native {
namespace {

Value StructAttr(Evaluator& ev, const StructObj& s, llvm::StringRef name) {
  if (name == "shape") {
    return ev.heap().Ints(s.dims);
  }
  if (name == "dtype") {
    return Value::DType(s.dtype);
  }
  if (name == "ndim") {
    return Value::Int(static_cast<int64_t>(s.dims.size()));
  }
  if (name == "size") {
    return Value::Int(tensor::NumElements(s.dims));
  }
  if (name == "sharding") {
    return s.sharding.given() ? s.sharding : Value::None();
  }
  if (name == "weak_type") {
    return Value::Bool(s.weak);
  }
  return Value();
}

Value DTypeAttr(Evaluator& ev, tensor::DType dtype, llvm::StringRef name) {
  if (name == "name" || name == "__name__") {
    return ev.heap().Str(tensor::NumpyName(dtype).str());
  }
  if (name == "dtype") {
    return Value::DType(dtype);
  }
  if (name == "itemsize") {
    return Value::Int(tensor::ByteWidth(dtype));
  }
  if (name == "kind") {
    bool of_numpy = dtype == tensor::DType::F16 || dtype == tensor::DType::F32 || dtype == tensor::DType::F64;
    bool small = tensor::BitWidth(dtype) < 8 && dtype != tensor::DType::Pred;
    tensor::DClass of = tensor::Class(dtype);
    return ev.heap().Str(dtype == tensor::DType::Pred                          ? "b"
                         : small || (of == tensor::DClass::Float && !of_numpy) ? "V"
                         : of == tensor::DClass::Signed                        ? "i"
                         : of == tensor::DClass::Unsigned                      ? "u"
                         : of == tensor::DClass::Float                         ? "f"
                         : of == tensor::DClass::Complex                       ? "c"
                                                                               : "O");
  }
  return Value();
}

Value RangeAttr(const RangeObj& r, llvm::StringRef name) {
  return name == "start"  ? Value::Int(r.start)
         : name == "stop" ? Value::Int(r.stop)
         : name == "step" ? Value::Int(r.step)
                          : Value();
}

Value NumberAttr(Evaluator& ev, const Value& v, llvm::StringRef name) {
  bool complex = v.is(VK::Complex);
  if (name == "real") {
    return complex ? Value::Float(v.as<ComplexObj>().value.real()) : v;
  }
  if (name == "imag") {
    return complex ? Value::Float(v.as<ComplexObj>().value.imag()) : v.is(VK::Float) ? Value::Float(0) : Value::Int(0);
  }
  (void)ev;
  return Value();
}

// What messages call a value.
std::string NameOfKind(const Value& v) {
  if (v.is(VK::Stage)) {
    int stage = v.as<StageObj>().stage;
    return stage == 0 ? "a traced function" : stage == 1 ? "a lowered function" : "a compiled function";
  }
  return v.is(VK::Array)      ? "arrays"
         : v.is(VK::Jitted)   ? "jitted functions"
         : v.is(VK::AtRef)    ? "x.at[...]"
         : v.is(VK::DType)    ? "dtypes"
         : v.is(VK::Device)   ? "devices"
         : v.is(VK::Builtin)  ? "functions"
         : v.is(VK::Function) ? "functions"
                              : TypeName(v) + " objects";
}

// Attributes that JAX's and numpy's objects have and this language has not.
bool IsKnownAttribute(const Value& v, llvm::StringRef name) {
  struct Row {
    VK kind;
    llvm::StringRef names;
  };
  static constexpr Row kRows[] = {
#define KNOWN_ATTRIBUTES(kind, names) {VK::kind, names},
#include "text/native/known_attributes.def"
  };
  return llvm::any_of(kRows, [&](const Row& row) {
    llvm::SmallVector<llvm::StringRef, 64> names;
    row.names.split(names, ' ');
    bool plain = v.is(VK::Tuple) && v.as<SeqObj>().fields.empty();
    return row.kind == v.kind && !plain && llvm::is_contained(names, name);
  });
}

}  // namespace

Value Evaluator::GetAttr(const Value& object, llvm::StringRef name) {
  Value found;
  switch (object.kind) {
    case VK::Error:
      return object;
    case VK::Module:
      return ModuleAttr(static_cast<uint32_t>(object.i), name);
    case VK::Mesh:
      found = MeshAttr(*this, object, name);
      break;
    case VK::Spec:
      found = SpecAttr(*this, object, name);
      break;
    case VK::Sharding:
      found = ShardingAttr(*this, object, name);
      break;
    case VK::Struct:
      found = StructAttr(*this, object.as<StructObj>(), name);
      break;
    case VK::Aval:
      found = AvalAttr(*this, object.as<AvalObj>(), name);
      break;
    case VK::Array:
      found = ArrayAttr(*this, object, name);
      break;
    case VK::NdArray:
      found = NumpyGetAttr(*this, object, name);
      break;
    case VK::Jitted:
      found = JittedAttr(*this, object, name);
      break;
    case VK::Stage:
      found = StageAttr(*this, object, name);
      break;
    case VK::TreeDef:
      found = TreeDefAttr(*this, object, name);
      break;
    case VK::AtRef:
      found = AtAttr(*this, object, name);
      break;
    case VK::DType:
      found = DTypeAttr(*this, object.dtype(), name);
      break;
    case VK::Range:
      found = RangeAttr(object.as<RangeObj>(), name);
      break;
    case VK::Bool:
    case VK::Int:
    case VK::Float:
    case VK::Complex:
      found = NumberAttr(*this, object, name);
      break;
    case VK::AxisType:
      found = name == "name" ? heap_.Str(Repr(object)) : Value();
      break;
    case VK::Device:
      found = name == "id" ? Value::Int(object.i) : name == "platform" ? heap_.Str("cpu") : Value();
      break;
    case VK::Builtin:
      found = BuiltinAttr(*this, object, name);
      break;
    case VK::Tuple: {
      const auto& fields = object.as<SeqObj>().fields;
      const auto* field = llvm::find(llvm::ArrayRef<std::string>(fields), name);
      if (field != fields.data() + fields.size()) {
        found = Items(object)[static_cast<size_t>(field - fields.data())];
      }
      break;
    }
    case VK::Function:
      if (name == "__name__") {
        NameId id = FunctionOf(object)->name;
        found = heap_.Str(id.valid() ? ast_.text(id).str() : "<lambda>");
      }
      break;
    default:
      break;
  }
  if (!found.given()) {
    found = PythonMethod(*this, object, name);
  }
  if (found.given()) {
    return found;
  }
  std::vector<std::string> candidates;
  if (object.is(VK::Array)) {
    candidates = NamesIn(kMethod);
    candidates.insert(candidates.end(), {"shape", "ndim", "size", "dtype", "aval", "at", "real", "imag"});
  } else if (object.is(VK::Mesh)) {
    candidates = {"shape", "axis_names", "axis_sizes", "axis_types", "size", "empty", "devices", "abstract_mesh"};
  }
  if (IsKnownAttribute(object, name)) {
    return Fail(diag::Kind::NotInLanguage,
                "the attribute '" + name.str() + "' of " + NameOfKind(object) + " is not supported");
  }
  std::string what = object.is(VK::Stage) ? NameOfKind(object) : "'" + TypeName(object) + "' object";
  return Fail(diag::Kind::Attribute, what + " has no attribute '" + name.str() + "'",
              DidYouMean(name, std::move(candidates)));
}

Value Evaluator::GetItem(const Value& object, const Value& index) {
  switch (object.kind) {
    case VK::Error:
      return object;
    case VK::Array:
      return ArrayGetItem(*this, object, index);
    case VK::NdArray:
      return NumpyGetItem(*this, object.as<NdArrayObj>(), index);
    case VK::AtRef:
      return AtGetItem(*this, object, index);
    case VK::Dict: {
      const auto& items = object.as<DictObj>().items;
      const auto* found = FindEntry(items, index);
      return has_failed()       ? Value::Error()
             : found == nullptr ? TypeError("there is no key " + Repr(index) + " in this dict")
                                : found->second;
    }
    default:
      break;
  }
  if (object.is_sequence()) {
    return SequenceGetItem(object, index);
  }
  if (object.is(VK::Range) && index.is(VK::Slice)) {
    const auto& whole = object.as<RangeObj>();
    std::optional<SliceRange> part = ResolveSlice(*this, index.as<SliceObj>(), whole.size());
    if (!part) {
      return Value::Error();
    }
    auto* range = heap_.New<RangeObj>();
    range->start = whole.start + part->start * whole.step;
    range->step = whole.step * part->step;
    // Python keeps the slice's stop, where it is one.
    int64_t stop = part->step > 0 ? whole.size() : -1;
    if (const Value& said = index.as<SliceObj>().stop; said.is_int()) {
      int64_t at = said.as_int() < 0 ? said.as_int() + whole.size() : said.as_int();
      int64_t first = part->step > 0 ? 0 : -1;
      stop = std::min(std::max(at, first), whole.size() + first);
    }
    range->stop = whole.start + stop * whole.step;
    return Value::Object(VK::Range, range);
  }
  if (object.is(VK::Str)) {
    return TextGetItem(object, index);
  }
  std::vector<Value> items;
  bool sequence = object.is(VK::Range) || object.is(VK::Spec);
  if (!sequence) {
    return TypeError("'" + TypeName(object) + "' object is not subscriptable");
  }
  if (!Iterate(object, items)) {
    return Value::Error();
  }
  auto size = static_cast<int64_t>(items.size());
  if (index.is(VK::Slice)) {
    std::optional<SliceRange> range = ResolveSlice(*this, index.as<SliceObj>(), size);
    if (!range) {
      return Value::Error();
    }
    std::vector<Value> out;
    for (int64_t i = 0; i < range->count; ++i) {
      out.push_back(items[static_cast<size_t>(range->start + i * range->step)]);
    }
    return heap_.Tuple(std::move(out));
  }
  std::optional<int64_t> at = ToPlace(object, index, size);
  return at ? items[static_cast<size_t>(*at)] : Value::Error();
}

std::optional<int64_t> Evaluator::ToPlace(const Value& sequence, const Value& index, int64_t size) {
  if (!index.is(VK::Array) && !index.is(VK::NdArray) && !index.is_int()) {
    TypeError(TypeName(sequence) + " indices must be integers or slices, not " + TypeName(index));
    return std::nullopt;
  }
  std::optional<int64_t> i = ToInt(index, "an index");
  int64_t at = i && *i < 0 ? *i + size : i.value_or(0);
  if (i && (at < 0 || at >= size)) {
    TypeError(TypeName(sequence) + " index out of range");
    return std::nullopt;
  }
  return i ? std::optional(at) : std::nullopt;
}

Value Evaluator::TextGetItem(const Value& object, const Value& index) {
  const std::string& text = native::Text(object);
  auto size = static_cast<int64_t>(text.size());
  if (!index.is(VK::Slice)) {
    std::optional<int64_t> at = ToPlace(object, index, size);
    return at ? heap_.Str(std::string(1, text[static_cast<size_t>(*at)])) : Value::Error();
  }
  std::optional<SliceRange> range = ResolveSlice(*this, index.as<SliceObj>(), size);
  if (!range || !Touch(4 * range->count)) {
    return Value::Error();
  }
  std::string out;
  for (int64_t i = 0; i < range->count; ++i) {
    out += text[static_cast<size_t>(range->start + i * range->step)];
  }
  return heap_.Str(std::move(out));
}

// Tuples and lists; a list of devices stays one that is not spelled out.
Value Evaluator::SequenceGetItem(const Value& object, const Value& index) {
  auto& sequence = object.as<SeqObj>();
  int64_t size = *Length(object);
  if (index.is(VK::Slice)) {
    std::optional<SliceRange> range = ResolveSlice(*this, index.as<SliceObj>(), size);
    if (!range) {
      return Value::Error();
    }
    if (sequence.devices) {
      const DeviceGrid& grid = *sequence.devices;
      return heap_.DeviceList(grid.first + range->start * grid.strides[0], range->count, range->step * grid.strides[0]);
    }
    if (!TouchItems(static_cast<size_t>(range->count))) {
      return Value::Error();
    }
    std::vector<Value> out;
    for (int64_t i = 0; i < range->count; ++i) {
      out.push_back(sequence.items()[static_cast<size_t>(range->start + i * range->step)]);
    }
    return object.is(VK::List) ? heap_.List(std::move(out)) : heap_.Tuple(std::move(out));
  }
  std::optional<int64_t> at = ToPlace(object, index, size);
  return !at                ? Value::Error()
         : sequence.devices ? Value::Tagged(VK::Device, sequence.devices->first + *at * sequence.devices->strides[0])
                            : sequence.items()[static_cast<size_t>(*at)];
}

const std::pair<Value, Value>* Evaluator::FindEntry(llvm::ArrayRef<std::pair<Value, Value>> entries, const Value& key) {
  if (!CheckHashable(key) || !TouchItems(6 * entries.size())) {
    return nullptr;
  }
  const auto* found = llvm::find_if(entries, [&](const auto& entry) { return has_failed() || Same(entry.first, key); });
  return has_failed() || found == entries.end() ? nullptr : found;
}

const Value* Evaluator::FindItem(llvm::ArrayRef<Value> items, const Value& item) {
  if (!TouchItems(4 * items.size())) {
    return nullptr;
  }
  const auto* found = llvm::find_if(items, [&](const Value& x) { return has_failed() || Same(x, item); });
  return has_failed() || found == items.end() ? nullptr : found;
}

bool Evaluator::CheckBounded(const Value& tree) {
  std::optional<int64_t> parts = TreeSize(tree);
  if (!parts) {
    return !Fail(diag::Kind::TooDeep, "this tree has no end: it contains itself, or is nested too deep").failed();
  }
  return TouchItems(4 * static_cast<size_t>(*parts));
}

bool Evaluator::CheckHashable(const Value& v) {
  std::optional<int64_t> parts = TreeSize(v);
  if (!parts) {
    return !Fail(diag::Kind::TooDeep, "this value is nested too deep to be a key").failed();
  }
  return !TouchItems(static_cast<size_t>(*parts))
             ? false
             : Hashable(v) || !TypeError("unhashable type: '" + TypeName(v) + "'").failed();
}

bool Evaluator::AddToSet(SetObj& set, const Value& item) {
  if (!CheckHashable(item)) {
    return false;
  }
  if (FindItem(set.items, item) == nullptr && !has_failed()) {
    heap_.AddBytes(sizeof(Value));
    set.items.push_back(item);
  }
  return !has_failed();
}

bool Evaluator::SetItem(const Value& object, const Value& index, const Value& value) {
  if (object.is(VK::Dict)) {
    auto& items = object.as<DictObj>().items;
    if (const auto* found = FindEntry(items, index); found != nullptr) {
      items[static_cast<size_t>(found - items.data())].second = value;
    } else if (!has_failed()) {
      heap_.AddBytes(2 * sizeof(Value));
      items.push_back({index, value});
    }
    return !has_failed();
  }
  if (object.is(VK::List) && (index.is_int() || index.is(VK::NdArray) || index.is(VK::Array))) {
    std::optional<int64_t> i = ToInt(index, "an index");
    auto size = static_cast<int64_t>(Items(object).size());
    if (!i) {
      return false;
    }
    int64_t at = *i < 0 ? *i + size : *i;
    if (at < 0 || at >= size) {
      return !TypeError("list assignment index out of range").failed();
    }
    Items(object)[static_cast<size_t>(at)] = value;
    return true;
  }
  std::string help = object.is(VK::Array) ? "arrays do not change; write x = x.at[...].set(...)" : "";
  return !Fail(diag::Kind::Python, "'" + TypeName(object) + "' object does not support item assignment", help).failed();
}

}  // namespace spmdc::text::native
