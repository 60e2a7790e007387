// What jax.random of the prelude needs of C++: keys and their data, rng_bit_generator, and the check of out_sharding= before
// anything is drawn.
#include "ops/elementwise.h"
#include "ops/rng.h"
#include "text/native/evaluator.h"
#include "text/native/keys.h"
#include "text/native/numpy.h"
#include "text/native/tracer.h"

namespace spmdc::text::native {
namespace {

using ir::OpKind;
using tensor::DType;

// Prelude: check_out_sharding(out_sharding, rank, "name").
Value CheckOutSharding(Call& c) {
  mesh::ShardingId out;
  bool good = OutSharding(c.ev, c.args[0], static_cast<size_t>(c.args[1].i), Text(c.args[2]), out);
  return good ? Value::None() : Value::Error();
}

// Prelude: is_keys(x), and of keys: data_of_keys(x), generator_of(x).
Value IsKeyArray(Call& c) { return Value::Bool(IsKeys(c.args[0])); }
Value DataOf(Call& c) { return DataOfKeys(c.ev, c.args[0]); }
Value Generator(Call& c) { return c.ev.heap().Str(GeneratorOf(TypeOfArray(c.args[0]).dtype).str()); }

// Prelude: words_of('rbg'), or None of what is no generator.
Value WordsOfGenerator(Call& c) {
  std::optional<DType> key = KeyOfGenerator(Text(c.args[0]));
  return key ? Value::Int(WordsOf(*key)) : Value::None();
}

// Prelude: keys_of_data(x, 'rbg'), where x is u32[..., words].
Value KeysOf(Call& c) {
  const ir::Type& type = TypeOfArray(c.args[0]);
  if (type.sharding.valid() && !c.ev.tracer().tables().shardings[type.sharding].dims.back().axes.empty()) {
    return c.ev.Fail(diag::Kind::DimMustBeUnsharded,
                     "the last dim of the data of keys must not be sharded, got " + ShowType(c.ev, type),
                     "reshard the data first");
  }
  return KeysOfData(c.ev, c.args[0], *KeyOfGenerator(Text(c.args[1])));
}

// u32[4] as u64[2] or back.
Value BitsAs(Evaluator& ev, const Value& x, DType dtype, llvm::ArrayRef<int64_t> dims) {
  ops::ConvertAttrs attrs;
  attrs.dtype = dtype;
  Value shaped = Reshape(ev, x, dims);
  return shaped.failed() ? shaped : ev.tracer().Emit(OpKind::BitcastConvert, shaped, ev.tracer().Attrs(attrs));
}

// lax.rng_bit_generator(key, shape, dtype): the next key and the bits. JAX's key is u32[4], the op's state u64[2].
Value RngBitGenerator(Call& c) {
  Value v[5];
  ops::RngBitGeneratorAttrs attrs;
  if (!c.Bind("key, shape, dtype=, algorithm=, *, out_sharding=", v) || !c.ev.ToShape(v[1], attrs.dims)) {
    return Value::Error();
  }
  Value key = ToArray(c.ev, v[0]);
  std::optional<DType> dtype = key.failed() || v[2].none() ? DType::U32 : c.ev.ToDType(v[2]);
  if (key.failed() || !dtype) {
    return Value::Error();
  }
  attrs.dtype = Canonical(c.ev, *dtype);
  const ir::Type type = TypeOfArray(key);
  if (type.dtype != DType::U32 || type.dims != tensor::Dims{4}) {
    bool shape = type.dtype == DType::U32;
    return c.ev.Fail(shape ? diag::Kind::ShapeRule : diag::Kind::DtypeRule,
                     "rng_bit_generator needs a key u32[4], got " + ShowType(c.ev, type));
  }
  if (!tensor::IsInteger(attrs.dtype) || tensor::Class(attrs.dtype) == tensor::DClass::Signed) {
    return c.ev.Fail(diag::Kind::DtypeRule,
                     "rng_bit_generator makes unsigned integers, not " + tensor::NumpyName(attrs.dtype).str());
  }
  if (!v[4].none()) {
    return c.ev.Fail(diag::Kind::NotInLanguage, "rng_bit_generator with out_sharding is not supported",
                     "draw with jax.random, whose functions take it");
  }
  Value state = BitsAs(c.ev, key, DType::U64, {2, 2});
  auto out =
      state.failed() ? std::nullopt : c.ev.tracer().EmitAll(OpKind::RngBitGenerator, state, c.ev.tracer().Attrs(attrs));
  if (!out) {
    return Value::Error();
  }
  Value next = BitsAs(c.ev, (*out)[0], DType::U32, {2});
  next = next.failed() ? next : Reshape(c.ev, next, {4});
  return next.failed() ? next : c.ev.heap().Tuple({next, (*out)[1]});
}

const Builtin kRandomOps[] = {
    {kPreludeOnly, "check_out_sharding", CheckOutSharding},
    {kPreludeOnly, "is_keys", IsKeyArray},
    {kPreludeOnly, "data_of_keys", DataOf},
    {kPreludeOnly, "generator_of", Generator},
    {kPreludeOnly, "words_of", WordsOfGenerator},
    {kPreludeOnly, "keys_of_data", KeysOf},
    {kLax | kBare, "rng_bit_generator", RngBitGenerator},
};

}  // namespace

llvm::ArrayRef<Builtin> RandomBuiltins() { return kRandomOps; }

}  // namespace spmdc::text::native
