// From values to arrays: constants, conversion, broadcasting, and the small shape operations everything else uses.
#include "llvm/ADT/STLExtras.h"
#include "op/reshard_fix.h"
#include "ops/elementwise.h"
#include "ops/shape.h"
#include "text/native/keys.h"
#include "text/native/numpy.h"
#include "text/native/sharding_api.h"
#include "text/native/strict.h"
#include "text/native/tracer.h"
#include "text/native/tree.h"
#include "text/native/wide_int.h"

namespace spmdc::text::native {

using tensor::DType;

std::string ShapeText(llvm::ArrayRef<int64_t> dims) {
  std::string out = "(";
  for (size_t i = 0; i < dims.size(); ++i) {
    out += (i == 0 ? "" : ", ") + std::to_string(dims[i]);
  }
  return out + (dims.size() == 1 ? ",)" : ")");
}

std::string ShowType(Evaluator& ev, const ir::Type& type, bool weak) {
  return (weak ? "~" : "") + ir::ToString(ev.tracer().tables(), type);
}

std::string ArrayText(const ArrayObj& array) {
  const ir::Tables& tables = *array.trace->module->tables;
  const mesh::Sharding* sharding = array.type.sharding.valid() ? &tables.shardings[array.type.sharding] : nullptr;
  return mesh::TypeWithSharding(tensor::NumpyName(array.type.dtype), array.type.dims,
                                sharding != nullptr ? &tables.meshes[sharding->mesh] : nullptr, sharding);
}

bool IsArrayLike(const Value& v) { return v.is(VK::Array) || v.is(VK::NdArray) || v.is_number() || v.is(VK::Wide); }

Value ToArray(Evaluator& ev, const Value& v, std::optional<DType> dtype) {
  if (dtype) {
    dtype = Canonical(ev, *dtype);
  }
  if (v.failed()) {
    return v;
  }
  if (v.is(VK::Array)) {
    return dtype ? Convert(ev, v, *dtype) : v;
  }
  if (!IsArrayLike(v)) {
    return ev.Fail(diag::Kind::ShapeRule, "an array is expected, got " + Repr(v) + " of type " + TypeName(v));
  }
  std::optional<DTypeWeak> own = TypeOf(v);
  DType wanted = dtype.value_or(own->dtype);
  if (tensor::IsKey(wanted)) {
    return Convert(ev, ToArray(ev, v), wanted);
  }
  if (v.is(VK::NdArray)) {
    if (v.as<NdArrayObj>().devices) {
      return ev.TypeError("an array of devices is no value of a program");
    }
    return ev.tracer().Constant(v.as<NdArrayObj>().value().ConvertTo(wanted));
  }
  bool fits = !IsBeyondInt32(v) || (v.is(VK::Int) && wanted != DType::S32) || !tensor::IsInteger(wanted) ||
              (wanted == DType::U64 && FitsUnsigned(v));
  if (!fits) {
    return ev.Fail(diag::Kind::Python,
                   "the integer " + Repr(v) + " is too large to convert to " + tensor::NumpyName(wanted).str());
  }
  bool rounded = v.is(VK::Wide) && !tensor::IsInteger(wanted);
  std::optional<tensor::Literal> literal = ToLiteral(ev, rounded ? Value::Float(NearestFloat(WholeOf(v))) : v, wanted);
  return literal ? ev.tracer().Constant(std::move(*literal), !dtype && own->weak) : Value::Error();
}

bool CheckFits(Evaluator& ev, const Value& v, DType dtype) {
  if (!tensor::IsInteger(dtype)) {
    return true;
  }
  if (v.is_sequence()) {
    return llvm::all_of(Items(v), [&](const Value& item) { return CheckFits(ev, item, dtype); });
  }
  if (!v.is(VK::Int)) {
    return true;
  }
  int64_t bits = tensor::BitWidth(dtype), number = v.as_int();
  bool is_signed = tensor::Class(dtype) == tensor::DClass::Signed;
  int64_t valued = bits - (is_signed ? 1 : 0);  // bits that say the size
  int64_t least = is_signed ? -1 : 0;
  bool fits = valued >= 63 ? number >= 0 || is_signed : (number >> valued) == 0 || (number >> valued) == least;
  return fits || !ev.Fail(diag::Kind::Python,
                          "Python integer " + Repr(v) + " out of bounds for " + tensor::NumpyName(dtype).str())
                      .failed();
}

Value Convert(Evaluator& ev, const Value& array, DType dtype, bool weak) {
  if (array.failed()) {
    return array;
  }
  const auto& a = array.as<ArrayObj>();
  if (a.type.dtype == dtype && a.weak == weak) {
    return array;
  }
  if (a.type.dtype != dtype && (tensor::IsKey(dtype) || tensor::IsKey(a.type.dtype))) {
    return ev.Fail(diag::Kind::DtypeRule,
                   "cannot convert " + tensor::NumpyName(a.type.dtype).str() + " to " + tensor::NumpyName(dtype).str(),
                   "jax.random.key_data and wrap_key_data lead from keys to numbers and back");
  }
  if (a.type.dtype == dtype) {
    auto* same = ev.heap().New<ArrayObj>();
    *same = a;
    same->weak = weak;
    return Value::Object(VK::Array, same);
  }
  // Constants are made of the wanted type at once.
  if (a.known.is(VK::NdArray)) {
    return ev.tracer().Constant(a.known.as<NdArrayObj>().value().ConvertTo(dtype), weak);
  }
  // Complex to real drops the imaginary part.
  if (tensor::IsComplex(a.type.dtype) && !tensor::IsComplex(dtype)) {
    return Convert(ev, ev.tracer().Emit(ir::OpKind::Real, array), dtype, weak);
  }
  return ev.tracer().Emit(ir::OpKind::Convert, array, ev.tracer().Attrs(ops::ConvertAttrs{dtype}), weak);
}

Value MapLeafArrays(Evaluator& ev, const Value& tree) {
  return MapTree(ev, tree, "", [&](const Value& leaf, const std::string&) { return ToArray(ev, leaf); });
}

namespace {

// Functions of jnp take Python's integers as int32 first, whatever they become. False after a diagnostic.
bool CheckInt32(Evaluator& ev, llvm::StringRef function, const Value& v) {
  return !IsBeyondInt32(v) || ev.in_prelude() ||
         !ev.Fail(diag::Kind::Python,
                  "the integer " + Repr(v) + " is too large for an argument of " + function.str() +
                      ": Python's integers are int32 there",
                  "make it an array of the type that it is to have")
              .failed();
}

}  // namespace

bool PromoteAll(Evaluator& ev, llvm::StringRef function, llvm::ArrayRef<Value> values,
                llvm::SmallVectorImpl<Value>& out, bool to_inexact) {
  for (const Value& v : values) {
    if (!IsArrayLike(v)) {
      if (!v.failed()) {
        ev.Fail(diag::Kind::ShapeRule, function.str() + " requires arrays or scalars, got " + TypeName(v));
      }
      return false;
    }
    if (!CheckInt32(ev, function, v)) {
      return false;
    }
  }
  std::optional<DTypeWeak> type = ResultType(ev, values);
  if (!type) {
    return false;
  }
  if (to_inexact && (tensor::IsInteger(type->dtype) || type->dtype == DType::Pred)) {
    type->dtype = DType::F32;
  }
  for (const Value& v : values) {
    Value array = v.is(VK::Array) ? Convert(ev, v, type->dtype, type->weak) : ToArray(ev, v, type->dtype);
    if (!array.failed() && !v.is(VK::Array)) {
      array.as<ArrayObj>().weak = type->weak;
    }
    out.push_back(array);
    if (array.failed()) {
      return false;
    }
  }
  return true;
}

bool HaveOneDType(Evaluator& ev, llvm::StringRef function, llvm::ArrayRef<Value> values) {
  std::string types;
  bool same = true;
  for (const Value& v : values) {
    std::optional<DTypeWeak> type = TypeOf(v), first = TypeOf(values[0]);
    if (!type || !first) {
      return true;  // no array: others say so
    }
    types += (types.empty() ? "" : ", ") + tensor::NumpyName(type->dtype).str();
    same &= type->dtype == first->dtype;
  }
  return same ||
         !ev.Fail(diag::Kind::DtypeRule, function.str() + " requires arguments to have the same dtypes, got " + types,
                  "use astype, or jnp's function of the name, which promotes types")
              .failed();
}

namespace {

// The Explicit axes of a dim of a type.
mesh::AxisList AxesOf(Evaluator& ev, const ir::Type& type, size_t dim) {
  return type.sharding.valid() ? ev.tracer().tables().shardings[type.sharding].dims[dim].axes : mesh::AxisList();
}

// (('x', None), None): the spec of a type as JAX's messages show it.
std::string SpecText(Evaluator& ev, const ir::Type& type, size_t rank) {
  std::string out = "(";
  for (size_t i = 0; i < rank; ++i) {
    size_t missing = rank - type.rank();
    mesh::AxisList axes = i < missing ? mesh::AxisList() : AxesOf(ev, type, i - missing);
    std::string names;
    for (const mesh::AxisRef& ref : axes) {
      const mesh::Mesh& mesh = ev.tracer().tables().meshes[ev.tracer().tables().shardings[type.sharding].mesh];
      names += (names.empty() ? "'" : ", '") + mesh::ToString(mesh, ref) + "'";
    }
    out += (i == 0 ? "" : ", ") + (names.empty() ? "None" : axes.size() > 1 ? "(" + names + ")" : names);
  }
  return out + (rank == 1 ? ",)" : ")");
}

std::string Joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& p : parts) {
    out += (out.empty() ? "" : ", ") + p;
  }
  return out;
}

// The Explicit sharding that arrays have once they are broadcast: what has to be expanded is made so at once. No id where
// they are not sharded, or where an axis would stand in two dims (the op refuses that).
mesh::ShardingId JoinedSharding(Evaluator& ev, llvm::ArrayRef<Value> arrays, llvm::ArrayRef<mesh::AxisList> axes) {
  auto& shardings = ev.tracer().tables().shardings;
  const mesh::Sharding* like = nullptr;
  for (const Value& a : arrays) {
    const ir::Type& type = TypeOfArray(a);
    if (type.sharding.valid() && type.rank() > 0) {
      like = &shardings[type.sharding];
      if (!like->unreduced.empty()) {
        return {};
      }
    }
  }
  if (like == nullptr) {
    return {};
  }
  mesh::Sharding joined = mesh::Replicated(like->mesh, axes.size());
  mesh::AxisList all;
  for (size_t d = 0; d < axes.size(); ++d) {
    if (mesh::Overlaps(all, axes[d])) {
      return {};
    }
    joined.dims[d].axes = axes[d];
    all.append(axes[d].begin(), axes[d].end());
  }
  // A scalar among arrays that are reduced is made so too; within a region, where that is said by pcast, it is not.
  if (ev.tracer().current().manual_mesh == nullptr) {
    joined.reduced = like->reduced;
  }
  return mesh::NamesNoAxis(joined) ? mesh::ShardingId() : shardings.Intern(joined);
}

}  // namespace

namespace {

// What arrays are once they are broadcast together.
struct Joint {
  tensor::Dims dims;
  std::vector<mesh::AxisList> axes;  // per dim, over Explicit axes
  bool equal = true;                 // they have these dims already
};

int64_t SizeAt(const ir::Type& type, size_t rank, size_t d) {
  size_t missing = rank - type.rank();
  return d < missing ? 1 : type.dims[d - missing];
}

// What would make two arrays of one shape fit that are sharded differently.
std::string ClashFix(Evaluator& ev, llvm::ArrayRef<Value> arrays) {
  const auto& shardings = ev.tracer().tables().shardings;
  for (size_t j = 1; j < arrays.size(); ++j) {
    for (size_t i = 0; i < j; ++i) {
      const ir::Type &a = TypeOfArray(arrays[i]), &b = TypeOfArray(arrays[j]);
      if (a.dims == b.dims && a.sharding.valid() && b.sharding.valid() && !(a.sharding == b.sharding)) {
        return op::EitherFix(ev.tracer().tables().meshes[shardings[a.sharding].mesh],
                             {&a, &shardings[a.sharding], "operand " + std::to_string(i)},
                             {&b, &shardings[b.sharding], "operand " + std::to_string(j)});
      }
    }
  }
  return "reshard one operand to the other's spec";
}

bool JoinShapes(Evaluator& ev, llvm::StringRef function, llvm::ArrayRef<Value> arrays, Joint& joint) {
  size_t rank = 0;
  for (const Value& a : arrays) {
    rank = std::max(rank, TypeOfArray(a).rank());
  }
  joint.dims.assign(rank, 1);
  joint.axes.resize(rank);
  bool shapes_fit = true, specs_fit = true;
  for (size_t d = 0; d < rank; ++d) {
    for (const Value& a : arrays) {
      int64_t size = SizeAt(TypeOfArray(a), rank, d);
      shapes_fit &= size == joint.dims[d] || size == 1 || joint.dims[d] == 1;
      if (size != 1) {
        joint.dims[d] = size;
      }
      size_t missing = rank - TypeOfArray(a).rank();
      mesh::AxisList own = d < missing ? mesh::AxisList() : AxesOf(ev, TypeOfArray(a), d - missing);
      specs_fit &= own.empty() || joint.axes[d].empty() || own == joint.axes[d];
      joint.axes[d] = own.empty() ? joint.axes[d] : own;
    }
  }
  std::vector<std::string> shapes, specs;
  for (const Value& a : arrays) {
    shapes.push_back(ShapeText(TypeOfArray(a).dims));
    joint.equal &= TypeOfArray(a).dims == joint.dims;
    if (TypeOfArray(a).rank() > 0 || rank == 0) {
      specs.push_back(SpecText(ev, TypeOfArray(a), rank));
    }
  }
  if (!shapes_fit) {
    return !ev.Fail(diag::Kind::BroadcastShape,
                    function.str() + " got incompatible shapes for broadcasting: " + Joined(shapes))
                .failed();
  }
  if (!specs_fit) {
    ev.Fail(diag::Kind::BroadcastClash,
            function.str() + " got incompatible shardings for broadcasting: " + Joined(specs), ClashFix(ev, arrays));
    ev.tracer().NoteArguments(arrays);
  }
  return specs_fit;
}

// An axis that stands in two dims, if there is one.
const mesh::AxisRef* UsedTwice(llvm::ArrayRef<mesh::AxisList> axes) {
  mesh::AxisList seen;
  for (const mesh::AxisList& dim : axes) {
    for (const mesh::AxisRef& ref : dim) {
      if (mesh::Overlaps(ref, seen)) {
        return &ref;
      }
    }
    seen.append(dim.begin(), dim.end());
  }
  return nullptr;
}

}  // namespace

bool BroadcastAll(Evaluator& ev, llvm::StringRef function, llvm::MutableArrayRef<Value> arrays) {
  Joint joint;
  if (!JoinShapes(ev, function, arrays, joint)) {
    return false;
  }
  mesh::ShardingId sharding = joint.equal ? mesh::ShardingId() : JoinedSharding(ev, arrays, joint.axes);
  for (Value& a : arrays) {
    a = TypeOfArray(a).dims == joint.dims ? a : BroadcastTo(ev, a, joint.dims, sharding);
    if (a.failed()) {
      return false;
    }
  }
  return true;
}

bool BroadcastTogether(Evaluator& ev, llvm::StringRef function, llvm::MutableArrayRef<Value> arrays) {
  bool equal = llvm::all_of(arrays, [&](const Value& a) { return TypeOfArray(a).dims == TypeOfArray(arrays[0]).dims; });
  Joint joint;
  if (equal || !JoinShapes(ev, function, arrays, joint)) {
    return equal;
  }
  if (const mesh::AxisRef* twice = UsedTwice(joint.axes)) {
    const ir::Type& type =
        TypeOfArray(*llvm::find_if(arrays, [](const Value& a) { return TypeOfArray(a).sharding.valid(); }));
    const mesh::Mesh& mesh = ev.tracer().tables().meshes[ev.tracer().tables().shardings[type.sharding].mesh];
    return !ev.Fail(diag::Kind::DuplicateAxis,
                    function.str() + ": once they are broadcast, the arrays use the axis '" +
                        mesh::ToString(mesh, *twice) + "' for two dims",
                    "reshard one of them first")
                .failed();
  }
  mesh::ShardingId sharding = JoinedSharding(ev, arrays, joint.axes);
  for (Value& a : arrays) {
    bool same = TypeOfArray(a).dims == joint.dims && TypeOfArray(a).sharding == sharding;
    a = same ? a : BroadcastTo(ev, a, joint.dims, sharding);
    if (a.failed()) {
      return false;
    }
  }
  return true;
}

Value BroadcastInDim(Evaluator& ev, const Value& array, llvm::ArrayRef<int64_t> dims,
                     llvm::ArrayRef<int64_t> broadcast_dims, mesh::ShardingId out_sharding) {
  if (array.failed()) {
    return array;
  }
  ops::BroadcastInDimAttrs attrs;
  attrs.dims.assign(dims.begin(), dims.end());
  attrs.broadcast_dims.assign(broadcast_dims.begin(), broadcast_dims.end());
  return ev.tracer().Emit(ir::OpKind::BroadcastInDim, array, ev.tracer().Attrs(std::move(attrs)),
                          array.as<ArrayObj>().weak, out_sharding);
}

Value BroadcastTo(Evaluator& ev, const Value& array, llvm::ArrayRef<int64_t> dims, mesh::ShardingId out_sharding) {
  if (array.failed()) {
    return array;
  }
  const ir::Type type = TypeOfArray(array);
  if (llvm::ArrayRef<int64_t>(type.dims) == dims && !out_sharding.valid()) {
    return array;
  }
  tensor::Dims broadcast_dims;
  for (size_t i = 0; i < type.rank(); ++i) {
    broadcast_dims.push_back(static_cast<int64_t>(dims.size() - type.rank() + i));
  }
  return BroadcastInDim(ev, array, dims, broadcast_dims, out_sharding);
}

Value Reshape(Evaluator& ev, const Value& array, llvm::ArrayRef<int64_t> dims, mesh::ShardingId out_sharding) {
  if (array.failed() || (llvm::ArrayRef<int64_t>(TypeOfArray(array).dims) == dims && !out_sharding.valid())) {
    return array;
  }
  ops::ReshapeAttrs attrs;
  attrs.dims.assign(dims.begin(), dims.end());
  return ev.tracer().Emit(ir::OpKind::Reshape, array, ev.tracer().Attrs(std::move(attrs)), array.as<ArrayObj>().weak,
                          out_sharding);
}

Value Transpose(Evaluator& ev, const Value& array, llvm::ArrayRef<int64_t> permutation) {
  if (array.failed() || llvm::is_sorted(permutation)) {
    return array;
  }
  ops::TransposeAttrs attrs;
  attrs.permutation.assign(permutation.begin(), permutation.end());
  return ev.tracer().Emit(ir::OpKind::Transpose, array, ev.tracer().Attrs(std::move(attrs)), array.as<ArrayObj>().weak);
}

Value Full(Evaluator& ev, DType dtype, llvm::ArrayRef<int64_t> dims, double value, bool weak,
           mesh::ShardingId out_sharding) {
  if (tensor::IsKey(dtype)) {  // of keys all of whose words are that
    tensor::Dims data(dims.begin(), dims.end());
    data.push_back(WordsOf(dtype));
    Value words = Full(ev, DType::U32, data, value, false, op::WithWords(ev.tracer().tables(), out_sharding));
    return KeysOfData(ev, words, dtype);
  }
  Value scalar = ev.tracer().Constant(tensor::Literal::Number(dtype, {}, value), weak);
  return dims.empty() ? scalar : BroadcastInDim(ev, scalar, dims, {}, out_sharding);
}

bool OutSharding(Evaluator& ev, const Value& v, size_t rank, const std::string& function, mesh::ShardingId& out) {
  if (v.none()) {
    return true;
  }
  ShardingObj* sharding = ToSharding(ev, WithoutTrailing(ev, v, rank), function);
  if (sharding == nullptr) {
    return false;
  }
  if (ev.flat()) {
    out = ev.tracer().tables().shardings.Intern(OnRank(ev, *sharding, rank, false));
    return true;
  }
  MeshObj* context = ev.tracer().context_mesh();
  if (context != nullptr && v.is(VK::Sharding) && !mesh::SameDevices(context->mesh, sharding->mesh->mesh)) {
    return !ev.Fail(diag::Kind::MeshMismatch, "the context mesh " + MeshText(*context) +
                                                  " is not the mesh of the sharding passed to " + function + ", " +
                                                  MeshText(*sharding->mesh))
                .failed();
  }
  const mesh::Mesh& mesh = sharding->mesh->mesh;
  for (const mesh::DimSharding& dim : sharding->sharding.dims) {
    if (dim.open) {
      return !ev.Fail(diag::Kind::Unconstrained, "P.UNCONSTRAINED cannot stand in a spec passed to " + function)
                  .failed();
    }
    for (const mesh::AxisRef& ref : dim.axes) {
      mesh::AxisType type = mesh.axes[static_cast<size_t>(ref.axis)].type;
      if (type != mesh::AxisType::Explicit) {
        return !ev.Fail(diag::Kind::AxisTypeWrong,
                        "the spec passed to " + function + " may name Explicit axes only; " +
                            mesh::ToString(sharding->spec) + " names '" + mesh::ToString(mesh, ref) + "', which is " +
                            mesh::Name(type).str(),
                        "use with_sharding_constraint for Auto axes")
                    .failed();
      }
    }
  }
  if (sharding->sharding.dims.size() > rank) {
    return !ev.Fail(diag::Kind::SpecRank, "the spec " + mesh::ToString(sharding->spec) + " passed to " + function +
                                              " is longer than the rank " + std::to_string(rank) + " of the result")
                .failed();
  }
  if (mesh.has_explicit_axes()) {
    out = ev.tracer().tables().shardings.Intern(OnRank(ev, *sharding, rank, true));
  }
  return true;
}

}  // namespace spmdc::text::native
