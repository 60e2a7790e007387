// Reading programs: the seed programs, the entry rules, static Python, JAX's types and refusals, and the flat form.
#include "text/native/reader.h"

#include <string>

#include "gtest/gtest.h"
#include "ir/shown.h"
#include "llvm/Support/raw_ostream.h"
#include "text/native/writer.h"

namespace spmdc::text::native {
namespace {

struct Reading {
  source::SourceManager sources;
  diag::Engine diags{&sources};
  std::optional<ir::Module> module;
  std::string printed;

  explicit Reading(const std::string& text, const ReadOptions& options = {}) {
    llvm::raw_string_ostream out(printed);
    module = Read(sources.Add("t.spmd", text), options, diags, out);
  }
};

// The result types, one a line, or `line: [code]` of the first error.
std::string Results(const std::string& text, const ReadOptions& options = {}) {
  Reading r(text, options);
  if (!r.module) {
    const diag::Diagnostic& d = *r.diags.Sorted()[0];
    return std::to_string(r.sources.Locate(d.span).line) + ": [" + diag::Code(d.kind).str() + "]";
  }
  const ir::Function& f = r.module->functions[r.module->entry];
  std::string out;
  for (size_t i = 0; i < f.results.size(); ++i) {
    out += (out.empty() ? "" : " ") + std::string(f.result_info[i].weak ? "~" : "") +
           ir::ToString(*r.module->tables, ir::ShownType(r.module->type(f, f.results[i]), f.result_info[i]));
  }
  return out;
}

std::string Printed(const std::string& text) {
  Reading r(text + "\ndef main(): return 1\n");
  return r.module ? r.printed : "error: " + r.diags.Sorted()[0]->message;
}

// The flat form, after checking that it reads back to itself.
std::string Flat(const std::string& text) {
  Reading first(text);
  if (!first.module) {
    return diag::RenderText(first.diags, false);
  }
  std::string flat = Write(*first.module);
  Reading second(flat);
  EXPECT_TRUE(second.module) << diag::RenderText(second.diags, false) << flat;
  if (second.module) {
    EXPECT_EQ(Write(*second.module), flat);
  }
  return flat;
}

const char kSeedMesh[] = "mesh = Mesh(np.array(devices()).reshape(4, 2), ('data', 'model'))\n";
const char kSeedMain[] =
    "def main(x: f32[256, 512] @ P('data', 'model'), W: f32[512, 1024] @ P('model', None)):\n    return tanh(x @ W)\n";

TEST(Reader, SeedAsTypedFunction) {
  EXPECT_EQ(Flat(std::string(kSeedMesh) + kSeedMain),
            "mesh = make_mesh((4, 2), ('data', 'model'), axis_types=(Auto, Auto))\n"
            "def main(x: f32[256, 512] @ P('data', 'model'), W: f32[512, 1024] @ P('model', None)):\n"
            "    v0: f32[256, 1024] = lax.dot_general(x, W, dimension_numbers=(((1,), (0,)), ((), ())))\n"
            "    v1: f32[256, 1024] = lax.tanh(v0)\n"
            "    return v1\n");
}

TEST(Reader, SeedAsPastedScript) {
  EXPECT_EQ(Flat("import jax\nimport jax.numpy as jnp\nimport numpy as np\n"
                 "from jax.sharding import Mesh, NamedSharding, PartitionSpec as P\n"
                 "mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ('data', 'model'))\n"
                 "x = jnp.ones((256, 512))\nW = jnp.ones((512, 1024))\n"
                 "xs = jax.device_put(x, NamedSharding(mesh, P('data', 'model')))\n"
                 "Ws = jax.device_put(W, NamedSharding(mesh, P('model', None)))\n"
                 "compiled = jax.jit(lambda a, b: jnp.tanh(a @ b)).lower(xs, Ws).compile()\n"),
            "mesh = make_mesh((4, 2), ('data', 'model'), axis_types=(Auto, Auto))\n"
            "def main(a: f32[256, 512] @ P('data', 'model'), b: f32[512, 1024] @ P('model', None)):\n"
            "    v0: f32[256, 1024] = lax.dot_general(a, b, dimension_numbers=(((1,), (0,)), ((), ())))\n"
            "    v1: f32[256, 1024] = lax.tanh(v0)\n"
            "    return v1\n");
}

TEST(Reader, SeedOnExplicitAxesIsRefusedAtTheMatmul) {
  EXPECT_EQ(Results(std::string("mesh = make_mesh((4, 2), ('data', 'model'))\n") + kSeedMain),
            "3: [contracting-ambiguous]");
}

const char kOneDevice[] =
    "mesh = Mesh(np.array(jax.devices()[:1]), ('data',))\nsharding = NamedSharding(mesh, P('data'))\n"
    "double = jax.jit(lambda x: 2 * x, in_shardings=sharding, out_shardings=sharding)\n"
    "x = jnp.array([2.0, -1.0, 0.5], dtype=jnp.float32)\n";

TEST(Reader, SecondSeed) {
  EXPECT_EQ(Results(std::string(kOneDevice) +
                    "result = double(x)\nassert result.sharding.is_equivalent_to(sharding, ndim=1)\n"),
            "f32[3]");
}

TEST(Reader, CommittedArgumentsMustMatchInShardings) {
  const std::string head =
      "mesh = Mesh(np.array(devices()).reshape(8), ('data',))\ns = NamedSharding(mesh, P('data'))\n"
      "f = jit(lambda x: 2 * x, in_shardings=s, out_shardings=s)\nx = device_put(jnp.arange(16.0), NamedSharding(mesh, "
      "P()))\n";
  EXPECT_EQ(Results(head + "f(x)\n"), "5: [jit-committed-mismatch]");
  EXPECT_EQ(Results(head + "f(device_put(x, s))\n"), "f32[16]");
}

TEST(Reader, Entry) {
  EXPECT_EQ(Results("def main(x: f32[2]): return x\n"), "f32[2]");
  EXPECT_EQ(Results("def main(x: f32[2]): return x\ndef g(x: s8[3]): return x\n", {"g", 0}), "s8[3]");
  EXPECT_EQ(Results("def main(x: f32[2]): return x\n", {"g", 0}), "1: [no-entry]");
  EXPECT_EQ(Results("x = 1\n"), "1: [no-entry]");
  EXPECT_EQ(Results("def main(p: {'w': f32[2], 'b': (s32, f32)}, n: int = 2):\n    return p, None, n * p['w']\n"),
            "s32[] f32[] f32[2] f32[2]");
  EXPECT_EQ(Results("def main(x): return x\n"), "1: [annotation]");
  EXPECT_EQ(Results("def main(x: f32[2] @ P('x')): return x\n"), "1: [no-mesh]");
}

TEST(Reader, StaticPython) {
  EXPECT_EQ(Printed("print(7 // -2, -7 % 3, 2 ** 10, 1 / 4, 1e16, 0.1, [1, 'a', None], (1,), {'k': 2.0})"),
            "-4 2 1024 0.25 1e+16 0.1 [1, 'a', None] (1,) {'k': 2.0}\n");
  EXPECT_EQ(Printed("a, *b, c = range(5)\nprint(a, b, c, b[::-1], 'abc'[1:], f'{c:>3}|{0.5:.2f}|{b!r}')"),
            "0 [1, 2, 3] 4 [3, 2, 1] bc   4|0.50|[1, 2, 3]\n");
  EXPECT_EQ(Printed("def f(x, *a, k=2, **kw):\n    return x + sum(a) * k, kw\nprint(f(1, 2, 3, k=4, z=5))"),
            "(21, {'z': 5})\n");
  EXPECT_EQ(Printed("print([x * y for x in range(3) for y in (1, 2) if x != y], {k: v for k, v in zip('ab', [1, 2])})"),
            "[0, 0, 2, 2] {'a': 1, 'b': 2}\n");
  EXPECT_EQ(
      Printed("def fact(n): return 1 if n < 2 else n * fact(n - 1)\nprint(fact(20), 1 < 2 < 3, not [], 3 in {1, 2})"),
      "2432902008176640000 True True False\n");
  EXPECT_EQ(Printed("print(np.arange(6).reshape(2, 3)[:, ::-1].tolist(), math.sqrt(16), functools.reduce(lambda a, b: "
                    "a + b, [1, 2]))"),
            "[[2, 1, 0], [5, 4, 3]] 4.0 3\n");
}

TEST(Reader, ShardingValuesPrintAsJaxPrintsThem) {
  EXPECT_EQ(
      Printed("mesh = make_mesh((4, 2), ('x', 'y'))\ns = NamedSharding(mesh, P('x', None))\n"
              "print(mesh, mesh.shape, s.spec, s.shard_shape((8, 4)), P(('x', 'y'), unreduced={'z'}))\n"
              "print(typeof(device_put(jnp.ones((8, 4)), s)), mesh.axis_types)"),
      "Mesh('x': 4, 'y': 2, axis_types=(Explicit, Explicit)) OrderedDict([('x', 4), ('y', 2)]) P('x', None) (2, 4) "
      "P(('x', 'y'), unreduced={'z'})\nfloat32[8@x,4] (Explicit, Explicit)\n");
}

TEST(Reader, WeakTypesAndPromotion) {
  EXPECT_EQ(Results("def main(a: bf16[2], b: s32[2], c: f16[2], d: u8[2], e: s8[2]):\n"
                    "    return a * 2.0, a + b, a + c, d + e, b * 1.5, b / b, 1, True, b == 1, b ** 2\n"),
            "bf16[2] bf16[2] f32[2] s16[2] ~f32[2] f32[2] ~s32[] pred[] pred[2] s32[2]");
  EXPECT_EQ(Results("def main(a: f32[2], b: s32[2]): return lax.add(a, b)\n"), "1: [dtype]");
}

TEST(Reader, ExplicitShardingsInTypes) {
  const std::string mesh = "mesh = make_mesh((4, 2), ('x', 'y'))\n";
  EXPECT_EQ(
      Results(mesh + "def main(a: f32[8@x, 16], b: f32[16, 4@y]):\n    h = a @ b\n    return h, h.sum(axis=1), h.T, "
                     "softmax(h.T, axis=1), einsum('ij,kj->ik', h, h, out_sharding=P('x', None))\n"),
      "f32[8@x,4@y] f32[8@x] f32[4@y,8@x] f32[4@y,8@x] f32[8@x,8]");
  EXPECT_EQ(Results(mesh + "def main(a: f32[8@x, 4], b: f32[8, 4@x]): return a + b\n"), "2: [illegal-result]");
  EXPECT_EQ(Results(mesh + "def main(a: f32[8@x, 4], b: f32[8@y, 4]): return a + b\n"), "2: [broadcast-clash]");
  EXPECT_EQ(Results(mesh + "def main(a: f32[8@x, 4]):\n    return reshard(a, P(None, 'y')), a[:, None, 1:3]\n"),
            "f32[8,4@y] f32[8@x,1,2]");
  EXPECT_EQ(Results(mesh + "def main(a: f32[6@x]): return a\n"), "2: [indivisible]");
  EXPECT_EQ(Results(mesh + "def main(a: f32[8@z]): return a\n"), "2: [unknown-axis]");
}

TEST(Reader, AnnotationsAreChecked) {
  const std::string mesh = "mesh = make_mesh((4, 2), ('x', 'y'))\n";
  EXPECT_EQ(Results(mesh + "def main(a: f32[8@x]):\n    b: f32[8@x] = a * 2\n    return b\n"), "f32[8@x]");
  EXPECT_EQ(Results(mesh + "def main(a: f32[8@x]):\n    b: f32[8] = a * 2\n    return b\n"), "3: [annotation]");
  EXPECT_EQ(Results("def main(a: f32[8]) -> f32[4]:\n    return a\n"), "2: [annotation]");
}

TEST(Reader, ArraysDecideNothingStatic) {
  EXPECT_EQ(Results("def main(a: f32):\n    if a > 0:\n        return a\n    return -a\n"), "2: [static-bool]");
  EXPECT_EQ(Results("def main(a: s32):\n    return jnp.zeros(a)\n"), "2: [static-int]");
}

TEST(Reader, ErrorsInThePreludeAreToldAtTheUsersLine) {
  Reading r("def f(x):\n    return softmax(x, axis=7)\ndef main(x: f32[2]):\n    y = x\n    return f(y)\n");
  const diag::Diagnostic& d = *r.diags.Sorted()[0];
  EXPECT_EQ(r.sources.Locate(d.span).line, 2u);
  ASSERT_FALSE(d.notes.empty());
  EXPECT_EQ(r.sources.Locate(d.notes[0].span).line, 5u);
}

TEST(Reader, NamesNobodyHasAndNamesThatAreNotBuilt) {
  EXPECT_EQ(Results("def main(x: f32[2]): return tahn(x)\n"), "1: [name]");
  EXPECT_EQ(Results("def main(x: f32[2]): return jnp.tahn(x)\n"), "1: [attribute]");
  EXPECT_EQ(Results("def main(x: f32[2]): return jax.grad(main)\n"), "1: [not-in-language]");
  Reading r("softmaxx(1)\n");
  ASSERT_FALSE(r.diags.all()[0].help.empty());
  EXPECT_EQ(r.diags.all()[0].help[0], "did you mean 'softmax'?");
}

TEST(Reader, Devices) {
  EXPECT_EQ(Printed("print(len(devices()))"), "8\n");
  EXPECT_EQ(Printed("m = make_mesh((16, 4), ('a', 'b'))\nprint(len(devices()))"), "64\n");
  EXPECT_EQ(Results("m = Mesh(np.array(devices()).reshape(4, 2)[:, ::-1], ('a', 'b'))\nassert m.devices[0, 0].id == 1\n"
                    "def main(): return 1\n"),
            "~s32[]");
  EXPECT_EQ(Results("m = make_mesh((4,), ('a',))\ndef main(): return 1\n", {"", 2}), "1: [device-count]");
}

TEST(Reader, FlatFormOfManyOps) {
  Flat(
      "mesh = make_mesh((2, 2), ('x', 'y'))\n"
      "def main(a: f32[8@x, 4], b: f32[4, 6@y], i: s32[3]):\n"
      "    h = a @ b\n    s = h.sum(axis=1, keepdims=True)\n    m = jnp.where(h > 0, h, 0.0).max()\n"
      "    p = jnp.pad(reshard(b, P()), ((1, 2), (0, 0)))[::-1, 1:5:2]\n"
      "    return h / s, m, p.reshape(-1), p.astype(bf16), jnp.arange(4), gelu(h).T, jnp.concatenate([p, p])\n");
}

TEST(Reader, WalksWhatTheBodyChanges) {
  EXPECT_EQ(Results("l = [1]\nfor x in l:\n  l.append(x)\n"), "3: [too-large]");
  EXPECT_EQ(
      Results("l = [2]\nfor x in l:\n  if len(l) < 5:\n    l.append(x)\ndef main(a: f32[3]): return a[:len(l) - 2]\n"),
      "f32[3]");
  EXPECT_EQ(Results("d = {'a': 1}\nfor k in d:\n  d[k + 'b'] = 1\n"), "2: [python]");
}

TEST(Reader, WrappersInWrappersEnd) {
  const std::string main = "def main(a: f32[2]): return f(a)\n";
  // A partial of a partial is one of its function.
  const std::pair<const char*, const char*> wraps[] = {
      {"partial(f)", "f32[2]"}, {"jit(f)", "4: [python]"}, {"(lambda g: lambda x: g(x))(f)", "3: [python]"}};
  for (const auto& [wrap, told] : wraps) {
    EXPECT_EQ(Results("f = lambda x: x + 1\nfor i in range(100000):\n  f = " + std::string(wrap) + "\n" + main), told);
  }
  EXPECT_EQ(Results("x = {i for i in range(1000000)}\n"), "1: [too-large]");
}

TEST(Reader, IntegersHaveAnySize) {
  for (const char* fact : {
           "2**64 == 18446744073709551616 and -2**70 + 2**70 == 0 and 9223372036854775807 + 1 == 2**63",
           "(2**64 - 1) & 0xFFFF == 0xFFFF and ~2**64 == -2**64 - 1 and (1 << 100) >> 98 == 4 and -2**63 - 1 < -2**63",
           "-10**20 // 7 == -14285714285714285715 and -10**20 % 7 == 5 and 10**20 % -7 == -5",
           "10**20 / 10**18 == 100.0 and 10**30 / 3 == 3.333333333333333e+29 and -1 / 2**70 == -8.470329472543003e-22",
           "int('9' * 30) == 10**30 - 1 and int('-' + '9' * 20) == 1 - 10**20 and int(1e25) == "
           "10000000000000000905969664",
           "str(-10**25) == '-1' + '0' * 25 and f'{2**64:,}' == '18,446,744,073,709,551,616' and f'{2**65:x}' == '2' + "
           "'0' * 16",
           "math.factorial(30) == 265252859812191058636308480000000 and math.gcd(2**70, 6**30) == 2**30",
           "math.comb(100, 50) == 100891344545564193334812497256 and math.isqrt(10**40) == 10**20",
           "math.lcm(2**40, 3**30) == 2**40 * 3**30 and math.floor(1e30) == int(1e30) and round(1e20) == 10**20",
           "pow(3, 200, 10**20) == 3**200 % 10**20 and divmod(10**21, 7) == (10**21 // 7, 10**21 % 7)",
           "max(2**64, 5) == 2**64 and sorted([2**70, 1, -2**70])[0] == -2**70 and abs(-2**64) == 2**64",
           "float(2**70) == 2.0**70 and 2**70 > 1e20 and 2**70 == 2.0**70 and 2**70 in {2**70: 1} and "
           "isinstance(2**80, int)",
           "1 ** 10**30 == 1 and (-1) ** (10**30 + 1) == -1 and 0 ** 10**30 == 0 and bool(2**64)",
       }) {
    EXPECT_EQ(Results("assert " + std::string(fact) + "\ndef main(a: f32[2]): return a * float(2**70 // 2**69)\n"),
              "f32[2]")
        << fact;
  }
}

TEST(Reader, IntegersThatMakeNoSenseAreRefused) {
  EXPECT_EQ(Results("x = 2**100000\n"), "1: [too-large]");
  EXPECT_EQ(Results("x = math.factorial(10**12)\n"), "1: [too-large]");
  for (const char* use : {"range(2**70)", "np.zeros((2**64,))", "(2**2000) * 1.0", "1 << -2**70", "2**70 // 0"}) {
    EXPECT_EQ(Results("x = " + std::string(use) + "\n"), "1: [python]") << use;
  }
  // JAX's own functions take Python's integers as int32, also where they become something else.
  for (const char* use : {"a * 2**40", "a > 2**70", "a.astype(u32) & 0xFFFFFFFF", "array(2**40)"}) {
    EXPECT_EQ(Results("def main(a: f32[2]):\n  return " + std::string(use) + "\n"), "2: [python]") << use;
  }
  EXPECT_EQ(Results("def main(a: f32[2]): return full((3,), 2**70, f32), uint32(0xFFFFFFFF)\n"), "f32[3] u32[]");
}

TEST(Reader, WhatOnlyTheEvaluatorCallsIsThereToo) {
  // divmod() of arrays calls floor_divide and remainder, which the text does not name.
  Reading r("print('once')\ndef main(a: f32[4]): return divmod(a, 3)\n");
  ASSERT_TRUE(r.module) << diag::RenderText(r.diags, false);
  EXPECT_EQ(r.printed, "once\n");
  EXPECT_EQ(r.module->functions[r.module->entry].results.size(), 2U);
}

TEST(Reader, EndlessWorkIsRefused) {
  EXPECT_EQ(Results("for i in range(100000):\n  for j in range(100000):\n    pass\n"), "2: [too-large]");
  EXPECT_EQ(Results("def f(): return f()\nf()\n"), "1: [python]");
  EXPECT_EQ(Results("x = [0] * 10 ** 12\n"), "1: [too-large]");
}

// A function whose time depends on its arguments counts it as work: none takes a loop past the second.
TEST(Reader, LongWorkOfFunctionsIsRefused) {
  const char* loops[][2] = {
      {"s, n = 'a' * 1000000, 'a' * 500000 + 'b'", "s.find(n)"},
      {"s, n = 'a' * 1000000, 'a' * 500000 + 'b'", "n in s"},
      {"s = 'a' * 1000000", "s.count('b')"},
      {"s = 'a' * 1000000", "s.split(',')"},
      {"s = 'a' * 1000000", "s.replace('b', 'c')"},
      {"s = 'a' * 1000000", "s.isdigit()"},
      {"s, t = 'a' * 1000000, 'a' * 1000000", "s == t"},
      {"s, t = 'a' * 1000000, 'a' * 1000000", "s < t"},
      {"s, t = 'a' * 1000000, 'a' * 1000000", "{s: 1}[t]"},
      {"l = list(range(300000))", "l.index(299999)"},
      {"l = list(range(300000))", "l.count(5)"},
      {"l = list(range(300000))", "l.reverse()"},
      {"l = list(range(300000))", "l.insert(0, l.pop(0))"},
      {"l = list(range(300000))", "l[1:]"},
      {"l, k = list(range(100000)), list(range(100000))", "l == k"},
      {"l, k = list(range(100000)), list(range(100000))", "l < k"},
      {"d, e = {i: i for i in range(500)}, {i: i for i in range(500)}", "d == e"},
      {"a, b = 1 << 16000, (1 << 8000) + 1", "a // b"},
      {"a = 3", "a ** 10000"},
      {"a = 1 << 16000", "str(a)"},
      {"s = '1' * 4000", "int(s)"},
      {"l = list(range(100000))", "repr(l)"},
      {"l = ['a' * 1000] * 1000", "''.join(l)"},
      {"x = np.ones((1000, 1000))", "np.prod(x)"},
  };
  ReadOptions options;
  options.max_steps = 500'000;
  for (const auto& [values, work] : loops) {
    std::string told = Results(std::string(values) + "\nfor i in range(10000000):\n  " + work + "\n", options);
    EXPECT_EQ(told.substr(1), ": [too-large]") << work;
  }
}

// What is nested deep, or has more parts than memory holds though it takes few words, ends too.
TEST(Reader, DeepValuesAreRefused) {
  const std::string deep = "t = 1\nfor i in range(100000):\n  t = ";
  EXPECT_EQ(Results("t = int\nfor i in range(60):\n  t = (t, t)\nisinstance('a', t)\n"), "4: [too-large]");
  EXPECT_EQ(
      Results("t = int\nfor i in range(100000):\n  t = (t,)\nassert not isinstance('a', t)\ndef main(): return 1\n"),
      "~s32[]");
  EXPECT_EQ(Results(deep + "(t,)\nt == (t,)\n"), "4: [python]");
  EXPECT_EQ(Results(deep + "[t]\nnp.array(t)\n"), "4: [too-deep]");
  EXPECT_EQ(Results(deep + "slice(t)\nprint(t)\ndef main(): return 1\n"), "~s32[]");
  EXPECT_EQ(Results("t = ['a' * 1000000] * 1000\nrepr(t)\n"), "2: [too-large]");
  EXPECT_EQ(Results("mesh = make_mesh((4096, 4096), ('x', 'y'))\n"
                    "NamedSharding(mesh, P('x')).devices_indices_map((4096, 4096))\n"),
            "2: [too-large]");
  EXPECT_EQ(Results("def f(*a): return len(a)\np = f\nfor i in range(3000):\n  p = partial(p, i)\nassert p() == 3000\n"
                    "def main(): return 1\n"),
            "~s32[]");
  EXPECT_EQ(Results("def main(x: f32[4]):\n  y: 'f32[" + std::string(200000, '8') + "q]' = x\n  return y\n"),
            "2: [python]");
}

// Arrays of the top level whose values take long to compute have none.
TEST(Reader, LongComputationsAreNotMade) {
  for (const char* array : {"jnp.fft.fft(jnp.arange(1000003.0))", "jnp.sort(jnp.arange(2000000.0))",
                            "lax.reduce_window(jnp.ones(1000000), 0.0, lax.add, (100000,), (1,), 'SAME')",
                            "jnp.ones((2000, 2000)) @ jnp.ones((2000, 2000))"}) {
    EXPECT_EQ(Results("t = " + std::string(array) + "\nassert t.ravel()[0] != 5\n"), "2: [static-bool]") << array;
  }
}

TEST(Static, Formats) {
  EXPECT_EQ(Printed("print(f'{255:#x} {255:#o} {5:#b} {1000000:_} {65535:_x} {-255:#010x}', '{:>{}}'.format('a', 3),"
                    " '{!r}'.format('a'), '{0[1]} {a[k]} {0.shape}'.format(np.ones((2, 3)), a={'k': 3}))"),
            "0xff 0o377 0b101 1_000_000 ffff -0x00000ff   a 'a' [1. 1. 1.] 3 (2, 3)\n");
  EXPECT_EQ(Printed("print(repr('a\\x00\\x1f'), repr(jnp.zeros(1, bf16).dtype), 'aaa'.count('aa'), ''.count(''))"),
            "'a\\x00\\x1f' dtype(bfloat16) 1 1\n");
  EXPECT_EQ(Printed("t = jnp.arange(4.0)\nprint(f'{t[1]:.2f}', '%.1f' % t[2], complex(t[1]), np.array(t).sum())"),
            "1.00 2.0 (1+0j) 6.0\n");
}

// An array is found in a list as itself; to other values it compares element by element, which decides nothing.
TEST(Static, ArraysInLists) {
  EXPECT_EQ(Results("def main(x: f32[4]):\n    return x in [1, 2]\n"), "2: [static-bool]");
  EXPECT_EQ(Results("def main(x: f32[4]):\n    l = [1, x]\n    return x * (1 in l) * [x, 1].count(1)\n"),
            "3: [static-bool]");
  EXPECT_EQ(Results("def main(x: f32[4]):\n    return x * [x, 1].index(x), x in [None, 'a', x]\n"), "f32[4] pred[]");
}

TEST(Static, TextsNumbersAndRanges) {
  EXPECT_EQ(
      Printed("print(int('0x10', 16), int('1_000'), '-7'.zfill(4), round(125, -1), range(10)[2:8:3], range(5)[::-1],"
              " range(10)[::3], range(10)[2:99:5], range(10)[-3:])"),
      "16 1000 -007 120 range(2, 8, 3) range(4, -1, -1) range(0, 10, 3) range(2, 10, 5) range(7, 10)\n");
  EXPECT_EQ(Printed("print(math.isclose(1.0, 1.0 + 1e-10), math.isclose(1, 1.1), jnp.dtype('float32') == jnp.float32,"
                    " jnp.dtype('int32').kind)"),
            "True False True i\n");
  EXPECT_EQ(Printed("print(AxisType.Explicit, [AxisType.Auto], AxisType.Auto.name)"),
            "AxisType.Explicit [Auto] Auto\n");
  EXPECT_EQ(Printed("print(typeof(jnp.zeros(2)), [typeof(jnp.zeros(2))], typeof(jnp.zeros(2)).mat)"),
            "float32[2] [ShapedArray(float32[2])] ManualAxisType(varying=frozenset(), unreduced=frozenset(),"
            " reduced=frozenset())\n");
}

// Arrays of the top level have values; those of a function being traced have none.
TEST(Static, ValuesOfTopLevelArrays) {
  EXPECT_EQ(
      Printed("t = jnp.arange(4) * 3\nprint(int(t[1]), float(t.sum()), t.tolist(), bool(jnp.any(t > 8)), t[2].item())"),
      "3 18.0 [0, 3, 6, 9] True 6\n");
  EXPECT_EQ(Results("def main(x: f32[4]):\n    return float(x[0])\n"), "2: [static-int]");
  EXPECT_EQ(Results("t = jnp.arange(3)\nassert t[1] == 2\ndef main(x: f32[4]): return x\n"), "2: [assertion]");
}

// Members of JAX's enumerations.
TEST(Types, EnumerationsOfLax) {
  EXPECT_EQ(
      Flat("def main(x: f32[4, 4], i: s32[2]):\n"
           "    return dot(x, x, precision=lax.Precision.HIGHEST), lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN)\n"),
      "def main(x: f32[4, 4], i: s32[2]):\n"
      "    v0: f32[4, 4] = lax.dot_general(x, x, dimension_numbers=(((1,), (0,)), ((), ())), precision=('highest', "
      "'highest'))\n"
      "    v1: f32[4, 4] = jnp.round(x)\n"
      "    return (v0, v1)\n");
  EXPECT_EQ(Results("def main(x: f32[4, 4], i: s32[2]):\n"
                    "    return x.at[i].get(mode=lax.GatherScatterMode.FILL_OR_DROP),\\\n"
                    "        x.at[i].set(1.0, mode=lax.GatherScatterMode.CLIP)\n"),
            "f32[2,4] f32[4,4]");
}

TEST(Types, MasksThatAreKnown) {
  EXPECT_EQ(Results("m = np.array([True, False, True, False])\n"
                    "def main(x: f32[4, 6]):\n"
                    "    return x[m], x[m, 1], x[:, np.array([True] * 5 + [False])], x[m, np.array([0, 1])], x[True], "
                    "x[False],\\\n"
                    "        x[np.array([[True] * 6] * 4)], x.at[m].set(0.0)\n"),
            "f32[2,6] f32[2] f32[4,5] f32[2] f32[1,4,6] f32[0,4,6] f32[24] f32[4,6]");
  EXPECT_EQ(
      Results(
          "def main(x: f32[8, 4]):\n    return x[True, 0], x[0, True], x[:, True], x[..., True], x[True, True],"
          " x[True, False],\\\n        x[True, [0, 1]], x[None, False, 1], x.at[True, 0].set(0.0), x[Ellipsis, 0]\n"),
      "f32[1,4] f32[1,4] f32[8,1,4] f32[8,4,1] f32[1,8,4] f32[0,8,4] f32[2,4] f32[1,0,4] f32[8,4] f32[8]");
}

TEST(Types, ListsAreNoOperands) {
  for (const char* call : {"jnp.sum([1, 2])", "jnp.any([True])", "argmax([1, 2])", "jnp.sort([2, 1])", "ones_like([1])",
                           "jnp.searchsorted([1, 2], 1)"}) {
    EXPECT_EQ(Results("def main(x: f32[4]):\n    return " + std::string(call) + "\n"), "2: [shape]") << call;
  }
  // Python adds up what containers hold.
  EXPECT_EQ(
      Results(
          "def main(x: f32[4]):\n"
          "    return sum(x for _ in range(3)), sum([x, x]), sum((x.sum(), 1.0)), sum({'u': x}.values(), start=x)\n"),
      "f32[4] f32[4] f32[] f32[4]");
}

TEST(Types, PowersAreAsStrongAsTheirExponent) {
  EXPECT_EQ(Results("def main(i: s32[3]):\n    return 2.0 ** i, 2j ** i, i ** 2.0, 2 ** i\n"),
            "f32[3] c64[3] ~f32[3] s32[3]");
}

TEST(Types, AttentionOfGroupsLengthsAndWindows) {
  EXPECT_EQ(Results("def main(q: f32[2, 4, 6, 5], k: f32[2, 8, 3, 5], n: s32[2], r: f32[4, 3, 5]):\n"
                    "    f = nn.dot_product_attention\n"
                    "    return f(q, k, k), f(q, k, k, query_seq_lengths=n, key_value_seq_lengths=n), f(r, r, r),\\\n"
                    "        f(q, k, k, local_window_size=(1, 0), is_causal=True, return_residual=True)\n"),
            "f32[2,4,6,5] f32[2,4,6,5] f32[4,3,5] f32[2,4,6,5] f32[2,4,6]");
  EXPECT_EQ(
      Results("def main(q: f32[2, 4, 4, 5], k: f32[2, 8, 3, 5]):\n    return nn.dot_product_attention(q, k, k)\n"),
      "2: [shape]");
}

TEST(Types, MoreFormsOfJnp) {
  EXPECT_EQ(Results("def main(x: f32[4, 6], z: f32[6, 4], e: f32[0, 0]):\n"
                    "    return einsum(x, [0, 1], z, [1, 2], [0, 2]), einsum(x, [0, ...], [0, ...]), jnp.trace(e),\\\n"
                    "        jnp.linalg.det(e), jnp.linalg.inv(e), jnp.digitize(x, z[:, 0])\n"),
            "f32[4,4] f32[4,6] f32[] f32[] f32[0,0] s32[4,6]");
  EXPECT_EQ(
      Results("mesh = make_mesh((2, 2), ('x', 'y'))\ndef main(x: f32[8@x, 8@y]):\n    return tril(x), triu(x, 1)\n"),
      "f32[8@x,8@y] f32[8@x,8@y]");
  EXPECT_EQ(Results("def main(n: s32[4]):\n    return nn.sigmoid(n)\n"), "2: [dtype]");
  EXPECT_EQ(Results("def main(n: s32[4]):\n    return jnp.round(n, -1)\n"), "2: [dtype]");
  EXPECT_EQ(Results("mesh = make_mesh((2,), ('x',))\ndef main(n: s32[4]):\n    return get_mesh().size\n"),
            "3: [python]");
}

// pcast: from equal copies to varying or reduced, from varying to unreduced, from reduced to varying, and no other way.
TEST(Types, CastsAlongManualAxes) {
  const char* states[] = {"a", "pcast(a, 'x', to='varying')", "pcast(pcast(a, 'x', to='varying'), 'x', to='unreduced')",
                          "pcast(a, 'x', to='reduced')"};
  const char* wanted[4][3] = {{"V", "", "R"}, {"", "U", ""}, {"", "", ""}, {"V", "", ""}};
  const char* targets[] = {"varying", "unreduced", "reduced"};
  for (int from = 0; from < 4; ++from) {
    for (int to = 0; to < 3; ++to) {
      std::string letter = wanted[from][to];
      std::string spec = letter == "V" ? "P('x')" : letter == "U" ? "P(unreduced={'x'})" : "P(reduced={'x'})";
      std::string made = letter == "V" ? "f32[16@x,4]" : "f32[8,4]{" + letter + ":x}";
      EXPECT_EQ(Results("mesh = make_mesh((2, 2), ('x', 'y'))\n"
                        "@shard_map(in_specs=P(), out_specs=" +
                        spec + ")\ndef f(a):\n    return pcast(" + states[from] + ", 'x', to='" + targets[to] +
                        "')\ndef main(a: f32[8, 4]):\n    return f(a)\n"),
                letter.empty() ? "4: [varying-mismatch]" : made)
          << states[from] << " to " << targets[to];
    }
  }
}

// A value that is reduced over what another varies over is taken as one that varies; one that others are replicated over
// is refused.
TEST(Types, ReducedValuesWithOthers) {
  auto region = [](const std::string& made, const std::string& out) {
    return Results("mesh = make_mesh((2, 2), ('x', 'y'))\n@shard_map(in_specs=(P('x'), P()), out_specs=" + out +
                   ")\ndef f(v, u):\n    r = pcast(u, 'x', to='reduced')\n    return " + made +
                   "\ndef main(v: f32[8@x, 4], u: f32[4]):\n    return f(v, u)\n");
  };
  for (const char* made :
       {"r + v", "v * r", "where(v > 0, r, v)", "r[None] + v", "where(v > 0, r, 0.0)", "maximum(r, v)"}) {
    EXPECT_EQ(region(made, "P('x')"), "f32[8@x,4]") << made;
  }
  EXPECT_EQ(region("concatenate([r, v[0]])", "P('x')"), "f32[16@x]");
  for (const char* made : {"r + 1", "r * 2.0", "r + u", "r > 0", "jnp.clip(r, 0, 1)", "where(r > 0, v, v)"}) {
    EXPECT_EQ(region(made, "P('x')"), "5: [unreduced]") << made;
  }
  EXPECT_EQ(region("r + pcast(v, 'y', to='varying')", "P(('x', 'y'))"), "5: [unreduced]");
  EXPECT_EQ(region("all_gather(v, 'x', tiled=True, to='reduced')", "P(reduced={'x'})"), "f32[8,4]{R:x}");
  EXPECT_EQ(region("all_gather(v, 'x', tiled=True, to='invarying')", "P()"), "f32[8,4]");
  EXPECT_EQ(region("all_gather(u, 'x', to='reduced')", "P(reduced={'x'})"), "5: [varying-mismatch]");
}

// A jitted function is traced once for arguments of one kind, in each function of the program; what was recorded serves
// other arguments, wherever they are.
TEST(Reader, JittedFunctionsAreTracedOnce) {
  const std::string layer =
      "@jax.jit\ndef layer(x, w):\n    print(typeof(x))\n    h = jnp.tanh(x) * w\n    return h, (h.sum(), x)\n";
  Reading r(layer +
            "def main(x: f32[4], w: f32[4]):\n    for i in range(9):\n        x, (s, y) = layer(x, w)\n"
            "    z, _ = layer(x[:2], w[:2])\n    z, _ = layer(x, x)\n    return x, s, y, z\n");
  ASSERT_TRUE(r.module);
  EXPECT_EQ(r.printed, "float32[4]\nfloat32[2]\n");
  // Nothing else has changed: the program is that of the function written out.
  std::string plain = layer.substr(layer.find('\n') + 1);
  const std::string calls =
      "def main(x: f32[4], w: f32[4]):\n    for i in range(3):\n        x, (s, y) = layer(x, w)\n    return x, s, y\n";
  EXPECT_EQ(Flat(layer + calls), Flat(plain + calls));
  // Another value of a variable outside is not seen.
  EXPECT_EQ(Flat("def main(x: f32[4]):\n    k = 2.0\n    f = jax.jit(lambda x: x * k)\n    x = f(x)\n    k = 3.0\n    "
                 "return f(x)\n"),
            Flat("def main(x: f32[4]):\n    x = x * 2.0\n    return x * 2.0\n"));
}

TEST(Reader, DonatedArraysAreNoMore) {
  const std::string f = "f = jax.jit(lambda x: x + 1, donate_argnums=0)\nx = jnp.ones(4)\n";
  EXPECT_EQ(Results(f + "y = f(x)\nz = f(x)\n"), "4: [donation]");
  EXPECT_EQ(Results(f + "y = f(x)\nz = x + 1\n"), "4: [donation]");
  EXPECT_EQ(Results(f + "y = f(x)\nassert x.shape == (4,)\nz = f(y)\n"), "f32[4]");
  EXPECT_EQ(Results(f + "y = f.lower(x)\nz = f(x)\n"), "f32[4]");
  EXPECT_EQ(Results("f = jax.jit(lambda x, y: x * y, donate_argnums=0)\nx = jnp.ones(4)\ny = f(x, x)\n"),
            "3: [donation]");
  EXPECT_EQ(Results("f = jax.jit(lambda x: x.sum(), donate_argnums=0)\nx = jnp.ones(4)\nf(x)\nf(x)\n"), "f32[]");
}

// Keys of jax.random move like other elements, and nothing computes with them.
TEST(Types, KeysAreElements) {
  auto of_keys = [](const std::string& result) {
    return Results(
        "mesh = make_mesh((2, 2), ('x', 'y'))\n"
        "def main(k: 'key<fry>[]', ks: 'key<fry>[4@x]'):\n"
        "    w = reshard(ks, P())\n"
        "    return " +
        result + "\n");
  };
  EXPECT_EQ(of_keys("ks, w[1], w[1:3], w[jnp.array([0, 2])], ks[None], ks.T, w.reshape(2, 2)"),
            "key<fry>[4@x] key<fry>[] key<fry>[2] key<fry>[2] key<fry>[1,4@x] key<fry>[4@x] key<fry>[2,2]");
  EXPECT_EQ(of_keys("w.at[0].set(k), w[::-1], roll(w, 1), jnp.where(w == k, w, k), dynamic_slice(w, (1,), (2,))"),
            "key<fry>[4] key<fry>[4] key<fry>[4] key<fry>[4] key<fry>[2]");
  EXPECT_EQ(of_keys("ks == w, w != k, jax.random.key_data(ks), jax.random.split(k, (2, 3)), zeros_like(ks)"),
            "pred[4@x] pred[4] u32[4@x,2] key<fry>[2,3] key<fry>[4]");
  EXPECT_EQ(of_keys("jax.random.key(1, impl='rbg'), jax.random.PRNGKey(1, impl='unsafe_rbg'),"
                    " jax.random.fold_in(jax.random.PRNGKey(0), 3)"),
            "key<rbg>[] u32[4] u32[2]");
  for (const char* refused : {"k + 1", "-k", "k < k", "ks.sum()", "jnp.sin(k)", "k.astype(u32)", "k == 0", "sort(w)",
                              "w.at[0].add(k)", "jnp.where(True, k, 0)", "k == jax.random.key(0, impl='rbg')",
                              "jnp.arange(3, dtype=k.dtype)", "lax.bitcast_convert_type(k, u32)", "argmax(w)"}) {
    EXPECT_EQ(of_keys(refused), "4: [dtype]") << refused;
  }
  EXPECT_EQ(of_keys("jax.random.normal(w)"), "4: [shape]");
  EXPECT_EQ(of_keys("jax.random.wrap_key_data(jnp.zeros((3, 4), u32))"), "4: [shape]");
  EXPECT_EQ(of_keys("jax.random.wrap_key_data(reshard(jax.random.key_data(w), P(None, 'x')))"),
            "4: [dim-must-be-unsharded]");
  EXPECT_EQ(of_keys("jax.random.key(0, impl='none')"), "4: [python]");
}

// The data of keys, in the flat form, are marked where the boundary has them as keys.
TEST(FlatForm, KeysOfTheBoundary) {
  EXPECT_EQ(Flat("def main(k: 'key<rbg>[3]'):\n    return k[1], jax.random.key_data(k)\n"),
            "spmdc.flat(1)\n"
            "def main(k: spmdc.keys(u32[3, 4], 'rbg')):\n"
            "    v0: u32[1, 4] = lax.slice(k, start_indices=(1, 0), limit_indices=(2, 4), strides=(1, 1))\n"
            "    v1: u32[4] = lax.reshape(v0, new_sizes=(4,))\n"
            "    return (spmdc.keys(v1, 'rbg'), k)\n");
  EXPECT_EQ(Results("spmdc.flat(1)\ndef main(k: spmdc.keys(u32[3], 'fry')):\n    return k\n"), "2: [shape]");
  EXPECT_EQ(Results("spmdc.flat(1)\ndef main(k: u32[2]):\n    return spmdc.keys(k, 'foo')\n"), "3: [arguments]");
}

TEST(Types, PadTakesNoDict) {
  EXPECT_EQ(Results("def main(x: f32[4]):\n    return pad(x, {0: (1, 1)})\n"), "2: [arguments]");
}

TEST(Types, OptionsThatChangeWhatComesOut) {
  EXPECT_EQ(
      Results("def main(x: f32[4, 6], v: f32[6], c: c64[4, 6]):\n"
              "    return (concatenate([x, x], dtype=bf16), array(x, ndmin=3), var(c, axis=0),\n"
              "            average(x, axis=1, weights=v, returned=True), linspace(v, 1, 3, axis=1, retstep=True),\n"
              "            logsumexp(x, axis=0, b=x, return_sign=True), diff(x > 0))\n"),
      "bf16[8,6] f32[1,4,6] f32[6] f32[4] f32[4] f32[6,3] f32[6] f32[6] f32[6] pred[4,5]");
}

}  // namespace
}  // namespace spmdc::text::native
