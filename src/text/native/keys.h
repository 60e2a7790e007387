// Keys of jax.random: arrays whose elements are keys, and the data that programs compute with, u32 with a last dim more.
#pragma once

#include "op/words.h"
#include "text/native/tracer.h"

namespace spmdc::text::native {

// The type of the data of keys, and of keys with that data. The last dim of data is not sharded.
ir::Type DataTypeOf(ir::Tables& tables, const ir::Type& keys);
ir::Type KeyTypeOf(ir::Tables& tables, const ir::Type& data, tensor::DType key);

// How many words of data a key has.
int64_t WordsOf(tensor::DType key);
// "threefry2x32", "rbg", "unsafe_rbg": what JAX calls the generator.
llvm::StringRef GeneratorOf(tensor::DType key);
std::optional<tensor::DType> KeyOfGenerator(llvm::StringRef name);

inline bool IsKeys(const Value& v) { return v.is(VK::Array) && tensor::IsKey(TypeOfArray(v).dtype); }
// The same values seen as the other; nothing is computed.
Value DataOfKeys(Evaluator& ev, const Value& keys);
Value KeysOfData(Evaluator& ev, const Value& data, tensor::DType key);
// What an instruction with a body, or one that passes arrays on, made of `like`: as weak, and keys where those are keys.
void MarkLike(Evaluator& ev, Value& result, const Value& like);

// An instruction on keys, as one on their data. Error where the op does not take keys.
std::optional<std::vector<Value>> EmitOnKeys(Evaluator& ev, ir::OpKind op, llvm::ArrayRef<Value> operands,
                                             ir::AttrsId attrs, llvm::ArrayRef<ir::FuncId> bodies,
                                             mesh::ShardingId out_sharding);

}  // namespace spmdc::text::native
