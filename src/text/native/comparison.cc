// Python's == of static values, and which of them can be keys.
#include "llvm/ADT/STLExtras.h"
#include "text/native/array.h"
#include "text/native/evaluator.h"
#include "text/native/numpy.h"
#include "text/native/sharding_api.h"
#include "text/native/wide_int.h"

namespace spmdc::text::native {

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
    case VK::TreeDef:
      return a.obj == b.obj ||
             (a.obj != nullptr && b.obj != nullptr && Run(a.as<TreeDefObj>().tree, b.as<TreeDefObj>().tree));
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
