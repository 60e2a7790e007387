// rng_bit_generator: bits from a counter and a key. The bits of a whole array do not depend on how it is sharded: every device
// makes them all and keeps its block.
#include <array>

#include "ops/dims.h"
#include "ops/emit.h"
#include "ops/emit_pieces.h"
#include "ops/rng.h"
#include "ops/table.h"

namespace spmdc::ops {
namespace {

using op::FactorKind;
using op::kNoDim;
using tensor::DType;
using tensor::Literal;

constexpr llvm::StringRef kAlgorithms[] = {"DEFAULT", "PHILOX", "THREE_FRY"};
constexpr llvm::StringRef kHloAlgorithms[] = {"rng_default", "rng_philox", "rng_three_fry"};

bool InferRng(op::InferContext& cx) {
  const auto& attrs = cx.attrs<RngBitGeneratorAttrs>();
  const ir::Type& state = cx.operand(0);
  if (state.dtype != DType::U64 || state.rank() != 1 || state.dims[0] < 2 || state.dims[0] > 3) {
    return cx.Fail(diag::Kind::DtypeRule, "the state is " + cx.Show(state) + ", expected u64[2] or u64[3]");
  }
  if (!tensor::IsInteger(attrs.dtype) || tensor::BitWidth(attrs.dtype) < 8) {
    return cx.Fail(diag::Kind::DtypeRule, "makes " + tensor::HloName(attrs.dtype).str() + ", expected whole bytes");
  }
  cx.Result(WithDims(state, state.dims));
  cx.Result(attrs.dtype, attrs.dims);
  return true;
}

void RuleRng(op::RuleBuilder& b) {
  b.Factor(b.operands[0].dims[0], FactorKind::Whole, {0}, {0, kNoDim}, true);
  for (size_t d = 0; d < b.results[1].rank(); ++d) {
    b.Factor(b.results[1].dims[d], FactorKind::New, {kNoDim}, {kNoDim, static_cast<int64_t>(d)});
  }
}

// In the classic propagation the state is wanted whole, and the numbers follow nobody but their users.
std::optional<mesh::Sharding> CarryThroughRng(const op::ClassicCarry& carry) {
  bool state = carry.to == 0 || carry.to == carry.num_operands();
  return state && carry.from != carry.num_operands() + 1
             ? std::optional<mesh::Sharding>(mesh::Replicated(carry.sharding.mesh, 1))
             : std::nullopt;
}

bool LocalizeRng(op::LocalizeContext& cx) {
  op::Builder& b = cx.builder();
  auto made = b.Add(ir::OpKind::RngBitGenerator, cx.operands(), b.Attrs(cx.attrs<RngBitGeneratorAttrs>()));
  ir::ValueId bits = (*made)[1];
  const mesh::Sharding& sharding = cx.result_sharding(1);
  for (size_t d = 0; d < sharding.dims.size(); ++d) {
    int64_t block = cx.local_result(1).dims[d], count = mesh::ShardCount(sharding.dims[d]);
    if (count > 1) {
      auto dim = static_cast<int64_t>(d);
      ir::ValueId index = cx.ShardIndex(sharding.mesh, sharding.dims[d].axes, IndexType(count * block));
      ir::ValueId start = EmitMultiplyConstant(b, index, block);
      ir::ValueId whole = EmitResize(b, bits, dim, count * block);
      bits = EmitDynamicSlice(b, whole, dim, start, block);
    }
  }
  cx.Results({(*made)[0], bits});
  return true;
}

// --- Evaluation ------------------------------------------------------------------------------------------------------

using Words = std::array<uint32_t, 4>;

// Philox 4x32 with ten rounds (Salmon et al., Parallel random numbers: as easy as 1, 2, 3).
Words Philox(Words counter, std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    uint64_t a = uint64_t{0xD2511F53} * counter[0], b = uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(b),
               static_cast<uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(a)};
    key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};
  }
  return counter;
}

// Threefry 2x32 with twenty rounds, of the same paper.
std::array<uint32_t, 2> Threefry(std::array<uint32_t, 2> counter, std::array<uint32_t, 2> key) {
  static constexpr int kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  uint32_t keys[3] = {key[0], key[1], key[0] ^ key[1] ^ 0x1BD11BDA};
  uint32_t x = counter[0] + keys[0], y = counter[1] + keys[1];
  for (uint32_t block = 0; block < 5; ++block) {
    for (int rotation : kRotations[block % 2]) {
      x += y;
      y = (y << rotation | y >> (32 - rotation)) ^ x;
    }
    x += keys[(block + 1) % 3];
    y += keys[(block + 2) % 3] + block + 1;
  }
  return {x, y};
}

// state: the key, then a counter of 64 or 128 bits; the counter goes up by one for each four words. XLA fills up a counter of
// 64 bits with the key.
std::vector<uint32_t> PhiloxWords(std::vector<uint64_t>& state, size_t count) {
  std::array<uint32_t, 2> key = {static_cast<uint32_t>(state[0]), static_cast<uint32_t>(state[0] >> 32)};
  std::vector<uint32_t> words;
  uint64_t low = state[1], high = state.size() > 2 ? state[2] : state[0];
  while (words.size() < count) {
    Words four = Philox({static_cast<uint32_t>(low), static_cast<uint32_t>(low >> 32), static_cast<uint32_t>(high),
                         static_cast<uint32_t>(high >> 32)},
                        key);
    words.insert(words.end(), four.begin(), four.end());
    high += ++low == 0 ? 1 : 0;
  }
  state[1] = low;
  if (state.size() > 2) {
    state[2] = high;
  }
  return words;
}

// state: the key, then a counter, which goes up by one for each two words.
std::vector<uint32_t> ThreefryWords(std::vector<uint64_t>& state, size_t count) {
  std::array<uint32_t, 2> key = {static_cast<uint32_t>(state[0]), static_cast<uint32_t>(state[0] >> 32)};
  size_t half = (count + 1) / 2;
  std::vector<uint32_t> words(2 * half);
  for (size_t i = 0; i < half; ++i) {
    uint64_t counter = state[1] + i;
    auto two = Threefry({static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32)}, key);
    words[2 * i] = two[0];
    words[2 * i + 1] = two[1];
  }
  state[1] += half;
  return words;
}

bool EvalRng(op::EvalContext& cx) {
  const auto& attrs = cx.attrs<RngBitGeneratorAttrs>();
  Literal given = cx.operand(0).Materialize(), next = given, bits(attrs.dtype, attrs.dims);
  std::vector<uint64_t> state;
  for (int64_t i = 0; i < given.size(); ++i) {
    state.push_back(static_cast<uint64_t>(given.GetInt(i)));
  }
  bool wide = tensor::BitWidth(attrs.dtype) == 64;
  size_t count = static_cast<size_t>(bits.size()) * (wide ? 2 : 1);
  bool threefry = attrs.algorithm == RngAlgorithm::ThreeFry;
  std::vector<uint32_t> words = threefry ? ThreefryWords(state, count) : PhiloxWords(state, count);
  for (size_t i = 0, n = static_cast<size_t>(bits.size()); i < n; ++i) {
    uint64_t value = wide ? words[2 * i] | static_cast<uint64_t>(words[2 * i + 1]) << 32 : words[i];
    bits.SetInt(static_cast<int64_t>(i), static_cast<int64_t>(value));
  }
  for (size_t i = 0; i < state.size(); ++i) {
    next.SetInt(static_cast<int64_t>(i), static_cast<int64_t>(state[i]));
  }
  cx.results.push_back(std::move(next));
  cx.results.push_back(std::move(bits));
  return true;
}

// --- Spellings -------------------------------------------------------------------------------------------------------

template <typename Names>
bool SetAlgorithm(llvm::StringRef text, const Names& names, RngBitGeneratorAttrs& attrs) {
  for (size_t i = 0; i < std::size(names); ++i) {
    if (names[i] == text) {
      attrs.algorithm = static_cast<RngAlgorithm>(i);
      return true;
    }
  }
  return false;
}

bool Finish(op::StablehloReader& r, llvm::StringRef algorithm) {
  RngBitGeneratorAttrs attrs;
  if (!SetAlgorithm(algorithm, kAlgorithms, attrs) || r.result_types().size() != 2) {
    return r.Fail(diag::Kind::Attribute, "expected an algorithm, DEFAULT, PHILOX or THREE_FRY, and two results");
  }
  attrs.dtype = r.result_types()[1].dtype;
  attrs.dims = r.result_types()[1].dims;
  r.SetAttrs(r.module().tables->attrs.Add(std::move(attrs)));
  return true;
}

// `%state, algorithm = DEFAULT : types`.
bool ParseRng(op::StablehloReader& r) {
  if (!r.Operand() || !r.Expect(",") || !r.Expect("algorithm") || !r.Expect("=")) {
    return false;
  }
  auto word = r.Word();
  return word && r.ColonTypes() && Finish(r, *word);
}

void PrintMlirRng(op::StablehloPrinter& p) {
  llvm::StringRef name = kAlgorithms[static_cast<size_t>(p.attrs<RngBitGeneratorAttrs>().algorithm)];
  p.Property("rng_algorithm", "#stablehlo<rng_algorithm " + name.str() + ">");
}

bool GenericRng(op::StablehloReader& r) { return Finish(r, r.attr("rng_algorithm").text); }

void PrintHloRng(op::HloPrinter& p) {
  p.Attr("algorithm", kHloAlgorithms[static_cast<size_t>(p.attrs<RngBitGeneratorAttrs>().algorithm)].str());
}

bool ReadHloRng(op::HloReader& r, ir::AttrsId& id) {
  RngBitGeneratorAttrs attrs;
  if (!SetAlgorithm(r.Text("algorithm").value_or("rng_default"), kHloAlgorithms, attrs) || r.results().size() != 2) {
    return r.Fail("algorithm", "expected rng_default, rng_philox or rng_three_fry, and two results");
  }
  attrs.dtype = r.results()[1].dtype;
  attrs.dims = r.results()[1].dims;
  id = r.module().tables->attrs.Add(std::move(attrs));
  return true;
}

}  // namespace

const op::OpDef kRngBitGenerator = {
    .kind = ir::OpKind::RngBitGenerator,
    .min_operands = 1,
    .max_operands = 1,
    .make_attrs = ir::NewAttrs<RngBitGeneratorAttrs>,
    .classic = {.carry = CarryThroughRng},
    .infer = InferRng,
    .rule = RuleRng,
    .localize = LocalizeRng,
    .eval = EvalRng,
    .hlo_opcode = "rng-bit-generator",
    .print_hlo = PrintHloRng,
    .read_hlo = ReadHloRng,
    .parse_stablehlo = ParseRng,
    .from_generic = GenericRng,
    .print_stablehlo = PrintMlirRng,
};

}  // namespace spmdc::ops
