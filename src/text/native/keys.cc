// Keys of jax.random as their data: types, labels, and instructions on them. JAX lowers keys to the same.
#include "text/native/keys.h"

#include "llvm/ADT/STLExtras.h"
#include "ops/elementwise.h"
#include "ops/gather.h"
#include "ops/reduce.h"
#include "ops/shape.h"
#include "ops/sharding.h"
#include "ops/slice.h"

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

mesh::ShardingId ShardingOfData(ir::Tables& tables, mesh::ShardingId keys) {
  if (!keys.valid()) {
    return keys;
  }
  mesh::Sharding data = tables.shardings[keys];
  data.dims.emplace_back();
  return tables.shardings.Intern(data);
}

ir::Type DataTypeOf(ir::Tables& tables, const ir::Type& keys) {
  ir::Type data = keys;
  data.dtype = DType::U32;
  data.dims.push_back(WordsOf(keys.dtype));
  data.sharding = ShardingOfData(tables, keys.sharding);
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

// The instruction on the data of keys.
struct DataCall {
  OpKind op;
  llvm::SmallVector<Value, 4> operands;
  ir::AttrsId attrs;
  llvm::ArrayRef<ir::FuncId> bodies;
  mesh::ShardingId out_sharding;
  DType key = DType::KeyThreefry;
  size_t rank = 0;  // of the first keys among the operands
};

// Whether a body returns its last argument: a scatter that replaces.
bool IsReplacing(Evaluator& ev, llvm::ArrayRef<ir::FuncId> bodies) {
  const ir::Function& body = ev.tracer().module().functions[bodies[0]];
  return body.insts.empty() && body.results.size() == 1 && body.results[0] == body.args.back();
}

// The zero that a dynamic slice begins with in the words of keys, of the other indices' type.
void AddStartOfWords(Evaluator& ev, DataCall& call, size_t first_index) {
  DType dtype = call.operands.size() > first_index ? TypeOfArray(call.operands[first_index]).dtype : DType::S32;
  call.operands.push_back(ev.tracer().Constant(tensor::Literal::Integer(dtype, {}, 0)));
}

// A mask of a value per key as one of a value per word.
void SpreadMask(Evaluator& ev, DataCall& call) {
  const ir::Type mask = TypeOfArray(call.operands[0]);
  if (mask.rank() == 0) {
    return;
  }
  tensor::Dims dims = mask.dims, kept;
  dims.push_back(WordsOf(call.key));
  for (size_t d = 0; d < mask.rank(); ++d) {
    kept.push_back(static_cast<int64_t>(d));
  }
  mesh::ShardingId out = ShardingOfData(ev.tracer().tables(), mask.sharding);
  call.operands[0] = BroadcastInDim(ev, call.operands[0], dims, kept, out);
}

template <typename T>
void ChangeAttrs(Evaluator& ev, DataCall& call, llvm::function_ref<void(T&)> change) {
  T attrs = ev.tracer().tables().attrs.Get<T>(call.attrs);
  change(attrs);
  call.attrs = ev.tracer().Attrs(std::move(attrs));
}

// Cutting: the words of keys stay together.
bool CutOnData(Evaluator& ev, DataCall& call) {
  int64_t words = WordsOf(call.key);
  auto rank = static_cast<int64_t>(call.rank);
  switch (call.op) {
    case OpKind::Slice:
      ChangeAttrs<ops::SliceAttrs>(ev, call, [&](ops::SliceAttrs& attrs) {
        attrs.starts.push_back(0);
        attrs.limits.push_back(words);
        attrs.strides.push_back(1);
      });
      return true;
    case OpKind::DynamicSlice:
      ChangeAttrs<ops::DynamicSliceAttrs>(ev, call,
                                          [&](ops::DynamicSliceAttrs& attrs) { attrs.sizes.push_back(words); });
      AddStartOfWords(ev, call, 1);
      return true;
    case OpKind::DynamicUpdateSlice:
      AddStartOfWords(ev, call, 2);
      return true;
    case OpKind::Gather:
      ChangeAttrs<ops::GatherAttrs>(ev, call, [&](ops::GatherAttrs& attrs) {
        size_t batch = TypeOfArray(call.operands[1]).rank() - 1;
        attrs.offset_dims.push_back(static_cast<int64_t>(batch + attrs.offset_dims.size()));
        attrs.slice_sizes.push_back(words);
      });
      return true;
    case OpKind::Scatter:
      if (!IsReplacing(ev, call.bodies)) {
        return false;
      }
      rank = static_cast<int64_t>(TypeOfArray(call.operands[2]).rank()) - 1;
      ChangeAttrs<ops::ScatterAttrs>(ev, call,
                                     [&](ops::ScatterAttrs& attrs) { attrs.update_window_dims.push_back(rank); });
      return true;
    default:
      return false;
  }
}

// False where the op does not take keys.
bool OnData(Evaluator& ev, DataCall& call) {
  int64_t words = WordsOf(call.key);
  auto rank = static_cast<int64_t>(call.rank);
  switch (call.op) {
    case OpKind::Reshape:
      ChangeAttrs<ops::ReshapeAttrs>(ev, call, [&](ops::ReshapeAttrs& attrs) { attrs.dims.push_back(words); });
      return true;
    case OpKind::Transpose:
      ChangeAttrs<ops::TransposeAttrs>(ev, call,
                                       [&](ops::TransposeAttrs& attrs) { attrs.permutation.push_back(rank); });
      return true;
    case OpKind::BroadcastInDim:
      ChangeAttrs<ops::BroadcastInDimAttrs>(ev, call, [&](ops::BroadcastInDimAttrs& attrs) {
        attrs.broadcast_dims.push_back(static_cast<int64_t>(attrs.dims.size()));
        attrs.dims.push_back(words);
      });
      return true;
    case OpKind::Select:
      SpreadMask(ev, call);
      return true;
    case OpKind::ShardingConstraint:
      ChangeAttrs<ops::ShardingConstraintAttrs>(ev, call, [&](ops::ShardingConstraintAttrs& attrs) {
        attrs.sharding = ShardingOfData(ev.tracer().tables(), attrs.sharding);
      });
      return true;
    case OpKind::Concatenate:
    case OpKind::Reverse:
    case OpKind::OptimizationBarrier:
    case OpKind::AllGather:
    case OpKind::AllToAll:
    case OpKind::CollectivePermute:
      return true;
    default:
      return CutOnData(ev, call);
  }
}

// Operands of loops, branches and regions may be keys or not, each for itself; their results are marked by who makes them.
bool HasBodies(OpKind op) {
  return op == OpKind::While || op == OpKind::Case || op == OpKind::Call || op == OpKind::ManualComputation;
}

// Keys are equal where all their words are.
std::optional<std::vector<Value>> CompareKeys(Evaluator& ev, const DataCall& call) {
  bool equal = ev.tracer().tables().attrs.Get<ops::CompareAttrs>(call.attrs).direction == ops::Direction::Eq;
  Value words = ev.tracer().Emit(OpKind::Compare, call.operands, call.attrs);
  Value last = Value::Int(static_cast<int64_t>(call.rank));
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
  DataCall call{op, {}, attrs, bodies, out_sharding, TypeOfArray(*first).dtype, TypeOfArray(*first).rank()};
  for (const Value& v : operands) {
    call.operands.push_back(IsKeys(v) ? DataOfKeys(ev, v) : v);
  }
  if (op == OpKind::Compare) {
    auto direction = ev.tracer().tables().attrs.Get<ops::CompareAttrs>(attrs).direction;
    bool orders = direction != ops::Direction::Eq && direction != ops::Direction::Ne;
    return orders ? Refuse(ev, op, call.key) : CompareKeys(ev, call);
  }
  if (!HasBodies(op)) {
    if (!OnData(ev, call)) {
      return Refuse(ev, op, call.key);
    }
    call.out_sharding = ShardingOfData(ev.tracer().tables(), out_sharding);
  }
  auto results = ev.tracer().EmitAll(op, call.operands, call.attrs, bodies, call.out_sharding);
  for (size_t i = 0; results && i < results->size() && !HasBodies(op); ++i) {
    bool keys = op != OpKind::OptimizationBarrier || IsKeys(operands[i]);
    (*results)[i] = keys ? KeysOfData(ev, (*results)[i], call.key) : (*results)[i];
  }
  return results;
}

}  // namespace spmdc::text::native
