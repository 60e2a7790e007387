// JAX's promotion of element types, with weak types for Python's scalars.
#include "llvm/ADT/STLExtras.h"
#include "text/native/numpy.h"
#include "text/native/tracer.h"

namespace spmdc::text::native {
namespace {

using tensor::DType;

// Weak types by kind: 0 none (bool is never weak), 1 int, 2 float, 3 complex.
int KindOf(DType t) { return t == DType::Pred ? 0 : tensor::IsInteger(t) ? 1 : tensor::IsFloat(t) ? 2 : 3; }

DTypeWeak WeakOf(int kind) { return {kind == 1 ? DType::S32 : kind == 2 ? DType::F32 : DType::C64, true}; }

bool IsSmallInt(DType t) { return tensor::IsInteger(t) && tensor::BitWidth(t) < 8; }
bool IsSmallFloat(DType t) { return tensor::IsFloat(t) && tensor::BitWidth(t) <= 8; }

DType Signed(int bits) {
  return bits <= 8 ? DType::S8 : bits <= 16 ? DType::S16 : bits <= 32 ? DType::S32 : DType::S64;
}

// The join of two types that are not weak; nothing where JAX has no implicit promotion.
std::optional<DType> JoinStrong(DType a, DType b) {
  if (a == b || b == DType::Pred) {
    return a;
  }
  if (a == DType::Pred) {
    return b;
  }
  if (KindOf(a) > KindOf(b)) {
    std::swap(a, b);
  }
  if (IsSmallInt(a) || IsSmallInt(b)) {
    return std::nullopt;
  }
  int ka = KindOf(a), kb = KindOf(b);
  if (ka == 1 && kb == 1) {
    bool sa = tensor::Class(a) == tensor::DClass::Signed, sb = tensor::Class(b) == tensor::DClass::Signed;
    int wa = tensor::BitWidth(a), wb = tensor::BitWidth(b);
    if (sa == sb) {
      return wa >= wb ? a : b;
    }
    int s = sa ? wa : wb, u = sa ? wb : wa;
    return s > u ? Signed(s) : Signed(2 * u);
  }
  if (ka == 1) {
    return b;
  }
  if (IsSmallFloat(a) || (kb == 2 && IsSmallFloat(b))) {
    return std::nullopt;
  }
  if (ka == 2 && kb == 2) {
    int wa = tensor::BitWidth(a), wb = tensor::BitWidth(b);
    return wa == wb ? DType::F32 : wa > wb ? a : b;
  }
  if (ka == 2) {
    return a == DType::F64 ? DType::C128 : b;
  }
  return tensor::BitWidth(a) >= tensor::BitWidth(b) ? a : b;
}

std::optional<DTypeWeak> Join(DTypeWeak a, DTypeWeak b) {
  if (!a.weak && !b.weak) {
    std::optional<DType> joined = JoinStrong(a.dtype, b.dtype);
    return joined ? std::optional(DTypeWeak{*joined, false}) : std::nullopt;
  }
  if (a.weak && b.weak) {
    return WeakOf(std::max(KindOf(a.dtype), KindOf(b.dtype)));
  }
  DTypeWeak weak = a.weak ? a : b;
  DTypeWeak strong = a.weak ? b : a;
  int kw = KindOf(weak.dtype), ks = KindOf(strong.dtype);
  if (ks >= kw) {
    return strong;
  }
  if (kw == 3 && ks == 2) {
    if (IsSmallFloat(strong.dtype)) {
      return std::nullopt;
    }
    return DTypeWeak{strong.dtype == DType::F64 ? DType::C128 : DType::C64, false};
  }
  if (IsSmallInt(strong.dtype)) {
    return std::nullopt;
  }
  return WeakOf(kw);
}

}  // namespace

std::optional<DTypeWeak> TypeOf(const Value& v) {
  switch (v.kind) {
    case VK::Bool:
      return DTypeWeak{DType::Pred, false};
    case VK::Int:
    case VK::Wide:
      return WeakOf(1);
    case VK::Float:
      return WeakOf(2);
    case VK::Complex:
      return WeakOf(3);
    case VK::Array:
      return DTypeWeak{v.as<ArrayObj>().type.dtype, v.as<ArrayObj>().weak};
    case VK::NdArray:
      return DTypeWeak{Canonical(v.as<NdArrayObj>().value().dtype()), false};
    case VK::Struct:
      return DTypeWeak{v.as<StructObj>().dtype, v.as<StructObj>().weak};
    case VK::DType:
      return DTypeWeak{Canonical(v.dtype()), false};
    case VK::Builtin: {
      std::optional<DType> t = DTypeOfPythonType(v);
      return t ? std::optional(*t == DType::Pred ? DTypeWeak{*t, false} : WeakOf(KindOf(*t))) : std::nullopt;
    }
    case VK::Str: {
      std::optional<DType> t = DTypeByName(Text(v));
      return t ? std::optional(DTypeWeak{Canonical(*t), false}) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

std::optional<DTypeWeak> Promote(Evaluator& ev, llvm::ArrayRef<DTypeWeak> types) {
  DTypeWeak joined = types[0];
  auto is_key = [](const DTypeWeak& type) { return tensor::IsKey(type.dtype); };
  const DTypeWeak* key = llvm::find_if(types, is_key);
  if (key != types.end()) {
    if (llvm::all_of(types, [&](const DTypeWeak& type) { return type.dtype == key->dtype; })) {
      return *key;
    }
    const DTypeWeak* other = llvm::find_if(types, [&](const DTypeWeak& type) { return type.dtype != key->dtype; });
    ev.Fail(diag::Kind::DtypeRule,
            "keys of jax.random have no promotion: the dtypes are " + tensor::NumpyName(key->dtype).str() + " and " +
                tensor::NumpyName(other->dtype).str(),
            "draw numbers from the key, or take its data with jax.random.key_data");
    return std::nullopt;
  }
  for (const DTypeWeak& type : types.drop_front()) {
    std::optional<DTypeWeak> next = Join(joined, type);
    if (!next) {
      ev.Fail(diag::Kind::DtypeRule,
              "the dtypes " + tensor::NumpyName(joined.dtype).str() + " and " + tensor::NumpyName(type.dtype).str() +
                  " have no implicit promotion",
              "convert one of them with astype");
      return std::nullopt;
    }
    joined = *next;
  }
  joined.dtype = Canonical(ev, joined.dtype);
  return joined;
}

std::optional<DTypeWeak> ResultType(Evaluator& ev, llvm::ArrayRef<Value> values) {
  llvm::SmallVector<DTypeWeak, 4> types;
  for (const Value& v : values) {
    std::optional<DTypeWeak> type = TypeOf(v);
    if (!type) {
      if (!v.failed()) {
        ev.TypeError(Repr(v) + " is no array and no number");
      }
      return std::nullopt;
    }
    types.push_back(*type);
  }
  return types.empty() ? DTypeWeak{} : Promote(ev, types);
}

}  // namespace spmdc::text::native
