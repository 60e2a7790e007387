// Keys of jax.random as their data: types, labels, and instructions on them. JAX lowers keys to the same.
#include "text/native/keys.h"

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "ops/elementwise.h"

namespace spmdc::text::native {

using ir::OpKind;
using tensor::DType;

int64_t WordsOf(DType key) { return tensor::BitWidth(key) / tensor::BitWidth(DType::U32); }

namespace {

constexpr std::pair<DType, llvm::StringLiteral> kGenerators[] = {
    {DType::KeyThreefry, "threefry2x32"}, {DType::KeyRbg, "rbg"}, {DType::KeyUnsafeRbg, "unsafe_rbg"}};

}  // namespace

llvm::StringRef GeneratorOf(DType key) {
  return llvm::find_if(kGenerators, [&](const auto& row) { return row.first == key; })->second;
}

std::optional<DType> KeyOfGenerator(llvm::StringRef name) {
  for (const auto& [key, generator] : kGenerators) {
    if (generator == name) {
      return key;
    }
  }
  return std::nullopt;
}

ir::Type DataTypeOf(ir::Tables& tables, const ir::Type& keys) {
  ir::Type data = keys;
  data.dtype = DType::U32;
  data.dims.push_back(WordsOf(keys.dtype));
  data.sharding = op::WithWords(tables, keys.sharding);
  return data;
}

ir::Type KeyTypeOf(ir::Tables& tables, const ir::Type& data, DType key) {
  ir::Type keys = data;
  keys.dtype = key;
  keys.dims.pop_back();
  if (data.sharding.valid()) {
    mesh::Sharding sharding = tables.shardings[data.sharding];
    sharding.dims.pop_back();
    keys.sharding = tables.shardings.Intern(sharding);
  }
  return keys;
}

namespace {

Value SeenAs(Evaluator& ev, const Value& array, ir::Type type) {
  auto* seen = ev.heap().New<ArrayObj>();
  *seen = array.as<ArrayObj>();
  seen->type = std::move(type);
  seen->placed = {};
  seen->known = {};
  return Value::Object(VK::Array, seen);
}

}  // namespace

Value DataOfKeys(Evaluator& ev, const Value& keys) {
  return keys.failed() ? keys : SeenAs(ev, keys, DataTypeOf(ev.tracer().tables(), TypeOfArray(keys)));
}

Value KeysOfData(Evaluator& ev, const Value& data, DType key) {
  return data.failed() ? data : SeenAs(ev, data, KeyTypeOf(ev.tracer().tables(), TypeOfArray(data), key));
}

void MarkLike(Evaluator& ev, Value& result, const Value& like) {
  if (IsKeys(like)) {
    result = KeysOfData(ev, result, TypeOfArray(like).dtype);
  }
  result.as<ArrayObj>().weak = like.as<ArrayObj>().weak;
}

namespace {

// A mask of a value per key as one of a value per word.
Value SpreadMask(Evaluator& ev, const Value& mask, int64_t words) {
  const ir::Type type = TypeOfArray(mask);
  if (type.rank() == 0) {
    return mask;
  }
  tensor::Dims dims = type.dims, kept;
  dims.push_back(words);
  for (size_t d = 0; d < type.rank(); ++d) {
    kept.push_back(static_cast<int64_t>(d));
  }
  return BroadcastInDim(ev, mask, dims, kept, op::WithWords(ev.tracer().tables(), type.sharding));
}

// Operands of loops, branches and regions may be keys or not, each for itself; their results are marked by who makes them.
bool TakesAnything(const op::OpDef& def) { return def.region != op::Region::None && def.region != op::Region::Apply; }

// Keys are equal where all their words are.
std::optional<std::vector<Value>> CompareKeys(Evaluator& ev, llvm::ArrayRef<Value> data, ir::AttrsId attrs,
                                              size_t rank) {
  bool equal = ev.tracer().tables().attrs.Get<ops::CompareAttrs>(attrs).direction == ops::Direction::Eq;
  Value words = ev.tracer().Emit(OpKind::Compare, data, attrs);
  Value last = Value::Int(static_cast<int64_t>(rank));
  Value whole = words.failed() ? words : ev.CallFunction(ev.FindIn(kJnp, equal ? "all" : "any"), {words, last});
  return whole.failed() ? std::nullopt : std::optional(std::vector<Value>{whole});
}

std::optional<std::vector<Value>> Refuse(Evaluator& ev, OpKind op, DType key) {
  ev.Fail(diag::Kind::DtypeRule,
          ir::Mnemonic(op).str() + " does not accept keys of jax.random, of dtype " + tensor::NumpyName(key).str(),
          "draw numbers from the key, or take its data with jax.random.key_data");
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<Value>> EmitOnKeys(Evaluator& ev, OpKind op, llvm::ArrayRef<Value> operands,
                                             ir::AttrsId attrs, llvm::ArrayRef<ir::FuncId> bodies,
                                             mesh::ShardingId out_sharding) {
  const Value* first = llvm::find_if(operands, IsKeys);
  const op::OpDef& def = op::Def(op);
  DType key = TypeOfArray(*first).dtype;
  size_t rank = TypeOfArray(*first).rank();
  llvm::SmallVector<Value, 4> data;
  llvm::SmallVector<ir::Type, 4> types;
  for (const Value& v : operands) {
    data.push_back(IsKeys(v) ? DataOfKeys(ev, v) : v);
    types.push_back(TypeOfArray(v));
  }
  if (TakesAnything(def)) {
    return ev.tracer().EmitAll(op, data, attrs, bodies, out_sharding);
  }
  if (op == OpKind::Compare) {
    auto direction = ev.tracer().tables().attrs.Get<ops::CompareAttrs>(attrs).direction;
    bool orders = direction != ops::Direction::Eq && direction != ops::Direction::Ne;
    return orders ? Refuse(ev, op, key) : CompareKeys(ev, data, attrs, rank);
  }
  op::WordsContext cx{ev.tracer().module(), types, bodies, rank, WordsOf(key), attrs};
  if (def.on_words == nullptr || !def.on_words(cx)) {
    return Refuse(ev, op, key);
  }
  if (cx.start) {  // of the other indices' type
    bool indexed = !IsKeys(operands.back());
    DType dtype = indexed ? types.back().dtype : DType::S32;
    data.push_back(ev.tracer().Constant(tensor::Literal::Integer(dtype, {}, 0)));
  }
  if (cx.mask) {
    data[0] = SpreadMask(ev, data[0], cx.words);
  }
  auto results = ev.tracer().EmitAll(op, data, cx.attrs, bodies, op::WithWords(ev.tracer().tables(), out_sharding));
  for (size_t i = 0; results && i < results->size(); ++i) {
    bool keys = !def.data_flow || IsKeys(operands[i]);
    (*results)[i] = keys ? KeysOfData(ev, (*results)[i], key) : (*results)[i];
  }
  return results;
}

}  // namespace spmdc::text::native
