// Static values of the native language: Python's numbers, texts and containers, and JAX's meshes, specs and shardings.
//
// A value is 16 bytes and is copied freely; what does not fit lies in an object that the evaluator owns until the file is
// read. Containers are shared and mutable, as in Python. Arrays are values too: what they stand for is an instruction of
// the program being built (array.h).
#pragma once

#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/APInt.h"
#include "mesh/spec.h"
#include "tensor/literal.h"
#include "text/native/ast.h"
#include "text/native/device_grid.h"

namespace spmdc::text::native {

enum class VK : uint8_t {
  Error,    // a diagnostic has been told; evaluation ends
  Missing,  // an argument that was not given
  None,
  Bool,
  Int,
  Wide,  // an integer beyond 64 bits (wide_int.h)
  Float,
  Complex,
  Ellipsis,
  Unconstrained,  // P.UNCONSTRAINED
  AxisType,
  DType,
  Device,
  Module,  // jnp, lax, ...
  Str,
  Tuple,
  List,
  Dict,
  Set,
  Range,
  Slice,
  Function,
  Builtin,
  Method,
  Partial,
  NdArray,
  TypeForm,  // `f32[8@x, 4]`
  Mesh,
  Spec,
  Sharding,
  Struct,  // ShapeDtypeStruct
  Aval,    // typeof(x)
  Array,
  Jitted,
  Stage,    // what .lower(), .trace() and .compile() give
  AtRef,    // x.at, x.at[i]
  TreeDef,  // what jax.tree.structure gives; without an object: the place of a leaf in one
  Context,  // set_mesh(m), named_scope('n')
};

struct Object {
  virtual ~Object() = default;
};

// One entry of the table of built-in functions.
struct Builtin;

struct Value {
  static constexpr int64_t kJaxScalarType = 256, kNumpyScalarType = 512;
  VK kind = VK::Missing;
  union {
    bool b;
    int64_t i = 0;
    double f;
    Object* obj;
    const Builtin* builtin;
  };

  static Value Of(VK kind) {
    Value v;
    v.kind = kind;
    return v;
  }
  static Value Error() { return Of(VK::Error); }
  static Value None() { return Of(VK::None); }
  static Value Bool(bool b) {
    Value v = Of(VK::Bool);
    v.b = b;
    return v;
  }
  static Value Int(int64_t i) {
    Value v = Of(VK::Int);
    v.i = i;
    return v;
  }
  static Value Float(double f) {
    Value v = Of(VK::Float);
    v.f = f;
    return v;
  }
  static Value Tagged(VK kind, int64_t i) {
    Value v = Of(kind);
    v.i = i;
    return v;
  }
  static Value DType(tensor::DType dtype) { return Tagged(VK::DType, static_cast<int64_t>(dtype)); }
  // The class of its scalars, `jnp.float32`, or numpy's: a dtype that prints as a class.
  static Value ScalarType(tensor::DType dtype, bool of_numpy) {
    return Tagged(VK::DType, static_cast<int64_t>(dtype) | (of_numpy ? kNumpyScalarType : kJaxScalarType));
  }
  static Value AxisType(mesh::AxisType type) { return Tagged(VK::AxisType, static_cast<int64_t>(type)); }
  static Value Object(VK kind, native::Object* obj) {
    Value v = Of(kind);
    v.obj = obj;
    return v;
  }

  bool is(VK k) const { return kind == k; }
  bool failed() const { return kind == VK::Error; }
  bool given() const { return kind != VK::Missing; }
  // None or not given.
  bool none() const { return kind == VK::None || kind == VK::Missing; }
  bool is_sequence() const { return kind == VK::Tuple || kind == VK::List; }
  bool is_number() const { return kind == VK::Bool || kind == VK::Int || kind == VK::Float || kind == VK::Complex; }
  // Bool or Int, as Python's bool is an int.
  bool is_int() const { return kind == VK::Int || kind == VK::Bool; }
  int64_t as_int() const { return kind == VK::Bool ? (b ? 1 : 0) : i; }
  double as_float() const { return kind == VK::Float ? f : static_cast<double>(as_int()); }
  tensor::DType dtype() const { return static_cast<tensor::DType>(i & (kJaxScalarType - 1)); }
  // "jax.numpy", "numpy", or nothing for a dtype.
  llvm::StringRef scalar_module() const {
    return (i & kNumpyScalarType) != 0 ? "numpy" : (i & kJaxScalarType) != 0 ? "jax.numpy" : "";
  }
  template <typename T>
  T& as() const {
    return *static_cast<T*>(obj);
  }
};

struct StrObj : Object {
  std::string text;
};
struct WideObj : Object {
  llvm::APInt value{128, 0};  // signed
};
struct ComplexObj : Object {
  std::complex<double> value;
};
// Tuple and List.
class SeqObj : public Object {
 public:
  std::vector<Value>& items();
  // A list of devices that nobody has looked into yet.
  std::optional<DeviceGrid> devices;
  // The names of a named tuple's items; else empty.
  std::vector<std::string> fields;
  std::string type_name;  // of a named tuple whose repr says it

 private:
  std::vector<Value> items_;
};
// In order of insertion.
struct DictObj : Object {
  std::vector<std::pair<Value, Value>> items;
  // A mesh's `.shape`: printed as OrderedDict.
  bool ordered = false;
};
// In order of insertion.
struct SetObj : Object {
  std::vector<Value> items;
  bool frozen = false;
};
struct RangeObj : Object {
  int64_t start = 0, stop = 0, step = 1;
  int64_t size() const;
};
struct SliceObj : Object {
  Value start, stop, step;
};

struct Env;
struct FunctionObj : Object {
  FunctionId function;
  Env* closure = nullptr;
  std::vector<Value> defaults;  // one per parameter; Missing where there is none
  bool prelude = false;
  std::string exported;  // the name it has in a module, if it is another than its own
};
// A function with its first argument: `x.sum`, `[].append`.
struct MethodObj : Object {
  Value self;
  const Builtin* builtin = nullptr;
  Value function;  // instead of a builtin
};
struct PartialObj : Object {
  Value function;
  std::vector<Value> args;
  std::vector<std::pair<std::string, Value>> kwargs;
};

// A numpy array of static values. Of devices: their numbers.
struct NdArrayObj : Object {
  // The elements; those of a grid are spelled out when they are first asked for.
  const tensor::Literal& value() const;
  void set_value(tensor::Literal value) { value_ = std::move(value); }
  llvm::ArrayRef<int64_t> dims() const { return grid ? llvm::ArrayRef<int64_t>(grid->dims) : value_.dims(); }
  int64_t size() const { return tensor::NumElements(dims()); }
  std::optional<DeviceGrid> grid;
  bool devices = false;
  // A numpy scalar such as np.float32(2): printed without brackets.
  bool scalar = false;

 private:
  mutable tensor::Literal value_;
  mutable bool spelled_ = false;
};

// A type in an annotation. `spec` is a Spec, a Sharding or none.
struct TypeFormObj : Object {
  tensor::DType dtype = tensor::DType::F32;
  // The flat form: this is the data of keys of that dtype.
  std::optional<tensor::DType> key;
  tensor::Dims dims;
  Value spec;
  // The flat form: where the value is (a Sharding), if no spec says it.
  Value placement;
  bool placed_by_spec = false;  // `@ P(...)` is where the value is
  bool weak = false;
  bool has_varying = false;
  std::vector<std::string> varying;
};

struct MeshObj : Object {
  mesh::Mesh mesh;
  bool abstract = false;  // made without devices
  // The mesh with the axis types that the program has outside, where a region has changed them: types and constraints are
  // written on that one. Null: this is it.
  MeshObj* base = nullptr;
};
struct SpecObj : Object {
  mesh::PartitionSpec spec;
};
struct ShardingObj : Object {
  MeshObj* mesh = nullptr;
  mesh::PartitionSpec spec;
  mesh::Sharding sharding;  // without mesh id; as many dims as the spec has entries
  // Of an array that nobody has put anywhere: propagation has the word, after the file has been read.
  bool undecided = false;
  // Made of sdy's text: `sharding` says what no spec can, and `spec` is only for messages.
  bool exact = false;
};
struct StructObj : Object {
  tensor::DType dtype = tensor::DType::F32;
  std::optional<tensor::DType> key;  // as in TypeFormObj
  tensor::Dims dims;
  bool weak = false;
  Value sharding;
};

// A tree whose leaves are places.
struct TreeDefObj : Object {
  Value tree;
};

// Owns all objects of one reading.
class Heap {
 public:
  // What all objects made so far hold, about.
  int64_t bytes() const { return bytes_; }
  void AddBytes(int64_t bytes) { bytes_ += bytes; }
  template <typename T>
  T* New() {
    bytes_ += static_cast<int64_t>(sizeof(T));
    auto owned = std::make_unique<T>();
    T* raw = owned.get();
    objects_.push_back(std::move(owned));
    return raw;
  }
  Value Str(std::string text);
  Value Complex(std::complex<double> value);
  Value Tuple(std::vector<Value> items);
  Value List(std::vector<Value> items);
  Value Ints(llvm::ArrayRef<int64_t> values);  // a tuple
  Value Array(tensor::Literal value, bool devices = false, bool scalar = false);
  Value Devices(DeviceGrid grid);
  Value DeviceList(int64_t first, int64_t count, int64_t step);
  Value Spec(mesh::PartitionSpec spec);

 private:
  std::vector<std::unique_ptr<Object>> objects_;
  int64_t bytes_ = 0;
};

inline const std::string& Text(const Value& v) { return v.as<StrObj>().text; }
inline std::vector<Value>& Items(const Value& v) { return v.as<SeqObj>().items(); }
// Any number of Python as a complex one.
std::complex<double> AsComplex(const Value& v);

// "1 device", "2 devices".
std::string Counted(int64_t n, llvm::StringRef noun);
// Python's name of a value's type, for messages.
std::string TypeName(const Value& v);
// Python's repr and str, as messages show them: of long ones the beginning. Arrays show their type.
std::string Repr(const Value& v);
std::string Str(const Value& v);
// The whole repr and str; nothing if making it takes longer than looking at `limit` bytes, of which each character is one.
// `touched` counts them.
std::optional<std::string> Repr(const Value& v, int64_t limit, int64_t& touched);
std::optional<std::string> Str(const Value& v, int64_t limit, int64_t& touched);
// repr of a float: the shortest text that reads back the same.
std::string FloatText(double value);
std::string StrRepr(llvm::StringRef text);
// Python's ==, for static values. Arrays compare by identity here.
class Comparison {
 public:
  // `limit`: so many bytes of values may be looked at.
  explicit Comparison(int64_t limit) : limit_(limit) {}
  bool Run(const Value& a, const Value& b);
  // What was looked at; more than the limit if the answer is none.
  int64_t paid() const { return paid_; }
  // Values nested too deep were met, or some that contain themselves: the answer is none.
  bool too_deep() const { return too_deep_; }

 private:
  bool Leaves(const Value& a, const Value& b);
  bool Trees(const Value& a, const Value& b);
  bool Sequences(llvm::ArrayRef<Value> a, llvm::ArrayRef<Value> b);
  bool Dicts(const DictObj& a, const DictObj& b);
  bool Sets(const SetObj& a, const SetObj& b);

  int64_t limit_;
  int64_t paid_ = 0;
  size_t depth_ = 0;
  bool too_deep_ = false;
};
// The parts that a value's containers have, walked as a tree; nothing where they do not end within 200 levels and a million
// parts. One that contains itself does not, nor one made of pairs of pairs of pairs... What walks a tree asks this first.
inline constexpr int64_t kMaxTreeParts = 1'000'000;
inline constexpr size_t kMaxTreeDepth = 200;
std::optional<int64_t> TreeSize(const Value& v);
inline bool IsBounded(const Value& v) { return TreeSize(v).has_value(); }
// Whether a value that is bounded may be a key of a dict.
bool Hashable(const Value& v);
// JAX's text of a mesh and of an array type: `Mesh('x': 2, axis_types=(Auto,))`, `float32[8@x,4]`.
std::string MeshText(const MeshObj& mesh);
std::string AxisTypesText(const mesh::Mesh& mesh);
std::string ShardingText(const ShardingObj& sharding);

}  // namespace spmdc::text::native
