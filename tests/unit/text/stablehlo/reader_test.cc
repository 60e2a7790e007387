// The StableHLO reader: forms of ops, regions and captures, annotations, locations, and what is wrong with a text.
#include "text/stablehlo/reader.h"

#include <string>

#include "../program.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "mesh/sharding.h"
#include "op/op_def.h"
#include "ops/constant.h"
#include "ops/control.h"
#include "ops/opaque.h"

namespace spmdc::text::stablehlo {
namespace {

using ::testing::HasSubstr;

struct Program : ReadProgram {
  explicit Program(std::string text) : ReadProgram(Read, "t.mlir", std::move(text)) {}

  // One function a paragraph, without attributes: `main(a: f32[2])\n  b: f32[2] = add(a, a)\n  return b\n`.
  std::string Dump() const {
    if (!module) {
      return Messages();
    }
    std::string out;
    for (const ir::Function& f : module->functions) {
      out += f.name + "(";
      for (size_t i = 0; i < f.args.size(); ++i) {
        out += (i == 0 ? "" : ", ") + Typed(f, f.args[i]) + (f.arg_info[i].captured ? " captured" : "");
      }
      out += ")\n";
      for (const ir::Inst& inst : f.insts) {
        out += "  ";
        for (uint32_t i = 0; i < inst.num_results; ++i) {
          out += (i == 0 ? "" : ", ") + Typed(f, f.result(inst, i));
        }
        out +=
            (inst.num_results == 0 ? "" : " = ") + ir::Mnemonic(inst.op).str() + "(" + Names(f, f.operands(inst)) + ")";
        for (ir::FuncId body : f.bodies(inst)) {
          out += " @" + module->functions[body].name;
        }
        out += "\n";
      }
      out += "  return " + Names(f, f.results) + "\n";
    }
    return out;
  }

  std::string Typed(const ir::Function& f, ir::ValueId v) const {
    return f.values[v].name + ": " + ir::ToString(*module->tables, f.values[v].type);
  }
  static std::string Names(const ir::Function& f, llvm::ArrayRef<ir::ValueId> values) {
    std::string out;
    for (ir::ValueId v : values) {
      out += (out.empty() ? "" : ", ") + f.values[v].name;
    }
    return out;
  }
  const ir::Function& Entry() const { return module->functions[module->entry]; }
  const ir::Inst& InstNamed(llvm::StringRef name) const {
    for (const ir::Value& value : Entry().values) {
      if (value.name == name) {
        return Entry().insts[value.def];
      }
    }
    ADD_FAILURE() << "no value " << name.str();
    return *Entry().insts.begin();
  }
  std::string Sdy(mesh::ShardingId id) const {
    const mesh::Sharding& s = module->tables->shardings[id];
    return mesh::ToSdy(module->tables->meshes[s.mesh], s);
  }
};

// A function `main` of two f32[4,8] around lines of a body.
std::string Main(const std::string& body) {
  return "module @m {\n  sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]>\n"
         "  func.func public @main(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {\n" +
         body + "\n  }\n}\n";
}

TEST(Reader, PrettyAndGenericFormsAreOneProgram) {
  std::string pretty =
      Program(Main("%0 = stablehlo.add %a, %b : tensor<4x8xf32>\n"
                   "%1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>\n"
                   "%2 = stablehlo.reshape %1 : (tensor<8x4xf32>) -> tensor<4x8xf32>\n"
                   "return %2 : tensor<4x8xf32>"))
          .Dump();
  std::string generic =
      Program(
          "\"builtin.module\"() <{sym_name = \"m\"}> ({\n"
          "\"sdy.mesh\"() <{mesh = #sdy.mesh<[\"x\"=2, \"y\"=4]>, sym_name = \"mesh\"}> : () -> ()\n"
          "\"func.func\"() <{function_type = (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>, sym_name = "
          "\"main\"}> ({\n"
          "^bb0(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>):\n"
          "%0 = \"stablehlo.add\"(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>\n"
          "%1 = \"stablehlo.transpose\"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>\n"
          "%2 = \"stablehlo.reshape\"(%1) : (tensor<8x4xf32>) -> tensor<4x8xf32>\n"
          "\"func.return\"(%2) : (tensor<4x8xf32>) -> ()\n"
          "}) : () -> ()\n}) : () -> ()\n")
          .Dump();
  EXPECT_EQ(pretty, generic);
  EXPECT_EQ(pretty,
            "main(a: f32[4,8], b: f32[4,8])\n  0: f32[4,8] = add(a, b)\n  1: f32[8,4] = transpose(0)\n"
            "  2: f32[4,8] = reshape(1)\n  return 2\n");
}

TEST(Reader, CapturedValuesBecomeOperandsOfTheLoopAndArgumentsOfBothBodies) {
  Program p(
      Main("%c = stablehlo.constant dense<0> : tensor<i32>\n"
           "%n = stablehlo.constant dense<3> : tensor<i32>\n"
           "%0:2 = stablehlo.while(%i = %c, %s = %a) : tensor<i32>, tensor<4x8xf32>\n"
           "cond {\n"
           "  %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
           "  stablehlo.return %1 : tensor<i1>\n"
           "} do {\n"
           "  %1 = stablehlo.add %s, %b : tensor<4x8xf32>\n"
           "  %2 = stablehlo.add %i, %n : tensor<i32>\n"
           "  stablehlo.return %2, %1 : tensor<i32>, tensor<4x8xf32>\n"
           "}\n"
           "return %0#1 : tensor<4x8xf32>"));
  EXPECT_EQ(p.Dump(),
            "main(a: f32[4,8], b: f32[4,8])\n  c: s32[] = constant()\n  n: s32[] = constant()\n"
            "  0#0: s32[], 0#1: f32[4,8] = while(c, a, n, b) @while_cond @while_body\n  return 0#1\n"
            "while_cond(i: s32[], s: f32[4,8], n: s32[] captured, b: f32[4,8] captured)\n"
            "  1: pred[] = compare(i, n)\n  return 1\n"
            "while_body(i: s32[], s: f32[4,8], n: s32[] captured, b: f32[4,8] captured)\n"
            "  1: f32[4,8] = add(s, b)\n  2: s32[] = add(i, n)\n  return 2, 1\n");
  EXPECT_EQ(p.module->attrs<ops::WhileAttrs>(p.InstNamed("0#0")).num_carried, 2);
}

TEST(Reader, AValueOfTwoLevelsOutIsCapturedOnTheWay) {
  Program p(
      Main("%i = stablehlo.constant dense<0> : tensor<i32>\n"
           "%0 = \"stablehlo.case\"(%i) ({\n"
           "  %1 = \"stablehlo.case\"(%i) ({\n    stablehlo.return %a : tensor<4x8xf32>\n  }, {\n"
           "    stablehlo.return %b : tensor<4x8xf32>\n  }) : (tensor<i32>) -> tensor<4x8xf32>\n"
           "  stablehlo.return %1 : tensor<4x8xf32>\n}, {\n"
           "  stablehlo.return %b : tensor<4x8xf32>\n}) : (tensor<i32>) -> tensor<4x8xf32>\n"
           "return %0 : tensor<4x8xf32>"));
  EXPECT_THAT(p.Dump(), HasSubstr("  0: f32[4,8] = case(i, i, a, b) @case_branch0 @case_branch1_1\n"));
  EXPECT_THAT(p.Dump(), HasSubstr("  1: f32[4,8] = case(i, a, b) @case_branch0_1 @case_branch1\n"));
  EXPECT_THAT(p.Dump(), HasSubstr("case_branch0(i: s32[] captured, a: f32[4,8] captured, b: f32[4,8] captured)\n"));
}

TEST(Reader, ReduceFormsAndAConstantFromOutside) {
  Program p(
      Main("%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
           "%0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : "
           "(tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>\n"
           "%1 = stablehlo.reduce(%a init: %z) across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> "
           "tensor<4xf32>\n reducer(%p: tensor<f32>, %q: tensor<f32>) {\n"
           "  %2 = stablehlo.add %p, %q : tensor<f32>\n  %3 = stablehlo.add %2, %z : tensor<f32>\n"
           "  stablehlo.return %3 : tensor<f32>\n}\n"
           "%4 = stablehlo.add %0, %1 : tensor<4xf32>\n"
           "%5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xf32>) -> tensor<4x8xf32>\n"
           "return %5 : tensor<4x8xf32>"));
  EXPECT_THAT(p.Dump(),
              HasSubstr("  0: f32[4] = reduce(a, z) @reduce_body\n  1: f32[4] = reduce(a, z) @reduce_body_1\n"));
  EXPECT_THAT(p.Dump(), HasSubstr("reduce_body(lhs: f32[], rhs: f32[])\n  add: f32[] = add(lhs, rhs)\n"));
  EXPECT_THAT(p.Dump(), HasSubstr("  z: f32[] = constant()\n  3: f32[] = add(2, z)\n"));
}

TEST(Reader, CallsShareTheirFunction) {
  Program p(
      "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = call @f(%a) : (tensor<2xf32>) -> tensor<2xf32>\n"
      "  %1 = func.call @f(%0) : (tensor<2xf32>) -> tensor<2xf32>\n  return %1 : tensor<2xf32>\n}\n"
      "func.func private @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n  return %x : tensor<2xf32>\n}\n");
  EXPECT_EQ(p.Dump(),
            "main(a: f32[2])\n  0: f32[2] = call(a) @f\n  1: f32[2] = call(0) @f\n  return 1\n"
            "f(x: f32[2])\n  return x\n");
}

TEST(Reader, BoundaryOfTheEntry) {
  Program p(
      "module @m attributes {mhlo.num_partitions = 8 : i32} {\n  sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]> loc(#loc)\n"
      "  func.func public @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {?}]>, "
      "tf.aliasing_output = 0 : i32, jax.buffer_donor = true} loc(\"p['w']\")) -> (tensor<4x8xf32> "
      "{jax.result_info = \"result['w']\", sdy.sharding = #sdy.sharding<@mesh, [{}, {\"y\"}]>}) {\n"
      "    return %a : tensor<4x8xf32> loc(#loc)\n  } loc(#loc)\n} loc(#loc)\n#loc = loc(unknown)\n");
  ASSERT_TRUE(p.module) << p.Messages();
  const ir::BoundaryInfo& arg = p.Entry().arg_info[0];
  EXPECT_EQ(arg.name, "p['w']");
  EXPECT_EQ(p.Sdy(arg.sharding), "<@mesh, [{\"x\"}, {?}]>");
  EXPECT_TRUE(arg.pinned);
  EXPECT_EQ(arg.alias, 0);
  EXPECT_EQ(p.module->tables->sides[arg.side].entries[0].first, "jax.buffer_donor");
  EXPECT_EQ(p.Entry().result_info[0].name, "result['w']");
  EXPECT_EQ(p.Sdy(p.Entry().result_info[0].sharding), "<@mesh, [{}, {\"y\"}]>");
  EXPECT_EQ(p.module->num_devices, 8);
  EXPECT_EQ(p.module->name, "m");
}

TEST(Reader, AnnotationsOnOrdinaryResultsAndConstraints) {
  Program p(
      Main("%0 = stablehlo.add %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{\"x\"}, {}]>]>, "
           "mhlo.frontend_attributes = {k = \"v\"}} : tensor<4x8xf32>\n"
           "%1 = sdy.sharding_constraint %0 <@mesh, [{}, {\"y\":(1)2}]> : tensor<4x8xf32>\n"
           "return %1 : tensor<4x8xf32>"));
  ASSERT_TRUE(p.module) << p.Messages();
  EXPECT_EQ(p.Sdy(p.Entry().values[p.Entry().result(p.InstNamed("0"))].sharding), "<@mesh, [{\"x\"}, {}]>");
  const ir::SideData& side = p.module->tables->sides[p.InstNamed("0").side];
  EXPECT_EQ(side.entries[0].second, "{k = \"v\"}");
  EXPECT_EQ(p.InstNamed("1").op, ir::OpKind::ShardingConstraint);
}

TEST(Reader, TileListsOfHloGetOneMesh) {
  Program p(
      "module @m attributes {mhlo.num_partitions = 8 : i32} {\n"
      "func.func public @main(%a: tensor<4x8xf32> {mhlo.sharding = \"{devices=[2,1,4]<=[8] "
      "last_tile_dim_replicate}\"}) "
      "-> tensor<4x8xf32> {\n"
      "%0 = stablehlo.custom_call @Sharding(%a) {backend_config = \"\", mhlo.sharding = "
      "\"{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}\"} : (tensor<4x8xf32>) -> tensor<4x8xf32>\n"
      "return %0 : tensor<4x8xf32>\n}\n}\n");
  ASSERT_TRUE(p.module) << p.Messages();
  EXPECT_EQ(p.InstNamed("0").op, ir::OpKind::ShardingConstraint);
  EXPECT_EQ(mesh::Describe(p.module->tables->meshes[p.module->mesh]), "axis_0=2 x axis_1=4");
}

TEST(Reader, ManualRegionsKnowTheirAxes) {
  Program p(
      Main("%0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{\"x\"}, {}]>] out_shardings=[<@mesh, [{\"x\"}, "
           "{}]>] manual_axes={\"x\"} (%m: tensor<2x8xf32>) {\n"
           "  %1 = stablehlo.negate %m : tensor<2x8xf32>\n  sdy.return %1 : tensor<2x8xf32>\n"
           "} : (tensor<4x8xf32>) -> tensor<4x8xf32>\nreturn %0 : tensor<4x8xf32>"));
  ASSERT_TRUE(p.module) << p.Messages();
  const ir::Function& body = p.module->functions[p.Entry().bodies(p.InstNamed("0"))[0]];
  ASSERT_EQ(body.manual_axes.size(), 1U);
  EXPECT_EQ(body.manual_axes[0].axis, 0);
  EXPECT_EQ(body.enclosing, p.module->entry);
}

TEST(Reader, LocationsByAliasNameAndCallSite) {
  Program p("#loc = loc(unknown)\n" +
            Main("%0 = stablehlo.add %a, %b : tensor<4x8xf32> loc(#loc4)\n"
                 "%1 = stablehlo.add %0, %b : tensor<4x8xf32> loc(\"jit(f)/mul\"(\"g.py\":7:1 to :9))\n"
                 "return %1 : tensor<4x8xf32> loc(#loc)") +
            "#loc1 = loc(\"f.py\":3:4)\n#loc2 = loc(\"loss\"(#loc1))\n"
            "#loc3 = loc(callsite(#loc2 at \"main.py\":1:1))\n#loc4 = loc(\"jit(f)/add\"(#loc3))\n");
  ASSERT_TRUE(p.module) << p.Messages();
  const ir::SourceInfo& add = p.module->tables->sources[p.InstNamed("0").source];
  EXPECT_EQ(add, (ir::SourceInfo{"f.py", 3, 4, "loss", "jit(f)/add"}));
  EXPECT_EQ(p.module->tables->sources[p.InstNamed("1").source], (ir::SourceInfo{"g.py", 7, 1, "", "jit(f)/mul"}));
}

TEST(Reader, LiteralsInAllSpellings) {
  Program p(
      "func.func @main() -> tensor<2xf32> {\n"
      "%a = stablehlo.constant dense<[1.0, -2.5]> : tensor<2xf32>\n"
      "%b = stablehlo.constant dense<\"0x0000803F000000C0\"> : tensor<2xf32>\n"
      "%c = stablehlo.constant dense<0xFF800000> : tensor<f32>\n"
      "%d = stablehlo.constant dense<[[true, false]]> : tensor<1x2xi1>\n"
      "%e = stablehlo.constant dense<(1.0,2.0)> : tensor<2xcomplex<f32>>\n"
      "%f = stablehlo.constant dense<18446744073709551615> : tensor<ui64>\n"
      "%g = stablehlo.constant dense_resource<w> : tensor<2xf32>\n"
      "%h = stablehlo.constant dense<> : tensor<0xf32>\n"
      "return %a : tensor<2xf32>\n}\n"
      "{-#\n  dialect_resources: {\n    builtin: {\n      w: \"0x040000000000803F00000040\"\n    }\n  }\n#-}\n");
  ASSERT_TRUE(p.module) << p.Messages();
  auto value = [&](llvm::StringRef name) { return p.module->attrs<ops::ConstantAttrs>(p.InstNamed(name)).value; };
  EXPECT_EQ(value("a").GetReal(1), -2.5);
  EXPECT_EQ(value("b").GetReal(0), 1.0);
  EXPECT_EQ(value("b").GetReal(1), -2.0);
  EXPECT_EQ(value("c").GetReal(0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(value("d").GetInt(0), 1);
  EXPECT_EQ(value("e").GetComplex(1), (std::complex<double>(1, 2)));
  EXPECT_EQ(static_cast<uint64_t>(value("f").GetInt(0)), ~uint64_t{0});
  EXPECT_EQ(value("g").GetReal(1), 2.0);
  EXPECT_EQ(value("h").size(), 0);
}

TEST(Reader, UnknownOpsAreKeptAsText) {
  Program p(
      Main("%0 = \"stablehlo.map\"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({\n"
           "^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
           "  %1 = stablehlo.add %p, %q : tensor<f32>\n"
           "  stablehlo.return %1 : tensor<f32>\n}) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>\n"
           "%2 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<4x8xf32>) -> tensor<i32>\n"
           "return %0 : tensor<4x8xf32>"));
  ASSERT_TRUE(p.module) << p.Messages();
  EXPECT_EQ(p.module->attrs<ops::OpaqueAttrs>(p.InstNamed("0")).name, "stablehlo.map");
  EXPECT_EQ(p.module->attrs<ops::OpaqueAttrs>(p.InstNamed("2")).text, "%0, dim = 0");
  EXPECT_EQ(p.module->functions.size(), 2U);
}

TEST(Reader, SquareIsAProduct) {
  EXPECT_THAT(
      Program(Main("%0 = chlo.square %a : tensor<4x8xf32> -> tensor<4x8xf32>\nreturn %0 : tensor<4x8xf32>")).Dump(),
      HasSubstr("  0: f32[4,8] = multiply(a, a)\n"));
}

// --- What is wrong ----------------------------------------------------------------------------------------------------

TEST(Errors, SeveralInOneRun) {
  Program p(
      Main("%0 = stablehlo.frobnicate %a : tensor<4x8xf32>\n"
           "%1 = stablehlo.add %0, %zz : tensor<4x8xf32>\n"
           "%2 = stablehlo.add %1, %b : tensor<4x8xf32>\n"
           "%2 = stablehlo.negate %2 : tensor<4x8xf32>\nreturn %2 : tensor<4x8xf32>"));
  EXPECT_EQ(p.Messages(),
            "4: unknown op `stablehlo.frobnicate` [unknown-op]\n5: %zz is not defined [undefined-value]\n");
}

TEST(Errors, ContradictingShapes) {
  Program p(Main("%0 = stablehlo.add %a, %b : tensor<4x9xf32>\nreturn %0 : tensor<4x9xf32>"));
  EXPECT_EQ(p.Messages(), "4: %a is f32[4,8], used as f32[4,9] [shape]\n");
  EXPECT_EQ(p.diags.exit_code(), 4);
}

TEST(Errors, TruncatedFile) {
  std::string whole = Main("%0 = stablehlo.add %a, %b : tensor<4x8xf32>\nreturn %0 : tensor<4x8xf32>");
  Program p(whole.substr(0, whole.find("return")));
  EXPECT_EQ(p.Messages(), "5: the file ends where `}` is expected [truncated]\n");
  EXPECT_EQ(p.diags.exit_code(), 3);
}

// Every prefix of a text is an error that is told, and no crash.
TEST(Errors, EveryPrefixIsRefused) {
  std::string whole = Main(
      "%c = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi32> loc(\"x\"(\"f.py\":1:2))\n"
      "%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<4x8xf32>, "
      "tensor<4x8xf32>) -> tensor<4x4xf32>\n"
      "%1 = sdy.sharding_constraint %a <@mesh, [{\"x\"}, {}]> : tensor<4x8xf32>\n"
      "return %1 : tensor<4x8xf32>");
  ASSERT_TRUE(Program(whole).module) << Program(whole).Messages();
  for (size_t n = 0; n + 3 < whole.size(); ++n) {
    Program p(whole.substr(0, n));
    EXPECT_FALSE(p.module) << n;
    EXPECT_FALSE(p.Messages().empty()) << n;
  }
}

TEST(Errors, DynamicDims) {
  Program p("func.func @main(%a: tensor<4x?xf32>) -> tensor<4xf32> {\n return %a : tensor<4xf32>\n}\n");
  EXPECT_THAT(p.Messages(), HasSubstr("dim of unknown size [unsupported-feature]"));
  EXPECT_EQ(p.diags.exit_code(), 5);
}

TEST(Errors, DeviceCountsThatDisagree) {
  Program p(
      "module @m attributes {mhlo.num_partitions = 4 : i32} {\n  sdy.mesh @mesh = <[\"x\"=8]>\n"
      "  func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n    return %a : tensor<8xf32>\n  }\n}\n");
  EXPECT_EQ(p.Messages(), "1: mhlo.num_partitions is 4, but the mesh x=8 has 8 devices [device-count]\n");
}

TEST(Errors, DeepNestingIsRefused) {
  std::string deep = "module @m attributes {a.b = " + std::string(100000, '[') + "} {}";
  EXPECT_THAT(Program(deep).Messages(), HasSubstr("[too-deep]"));
  std::string regions;
  for (int i = 0; i < 300; ++i) {
    regions += "%v" + std::to_string(i) + " = \"stablehlo.case\"(%c) ({\n";
  }
  EXPECT_THAT(Program(Main("%c = stablehlo.constant dense<0> : tensor<i32>\n" + regions)).Messages(),
              HasSubstr("[too-deep]"));
}

TEST(Errors, EmptyTextsAndDeepCalls) {
  EXPECT_THAT(Program(" \n").Messages(), HasSubstr("the file is empty"));
  std::string calls = "func.func @main() {\n  return\n}\n";
  for (int i = 0; i < 400; ++i) {
    calls = "func.func @f" + std::to_string(i) + "() {\n  call @" + (i == 0 ? "main" : "f" + std::to_string(i - 1)) +
            "() : () -> ()\n  return\n}\n" + calls;
  }
  calls = "module {\n" + calls + "}\n";
  size_t at = calls.find("@main() {");
  calls.replace(at, 5, "@last");
  at = calls.find("@main");
  calls.replace(at, 5, "@last");
  at = calls.find("@f399");
  calls.replace(at, 5, "@main");
  EXPECT_THAT(Program(calls).Messages(), HasSubstr("calls are nested deeper than"));
}

TEST(Errors, MissingFunctionRecursionAndEntry) {
  EXPECT_THAT(Program("func.func @main() {\n  call @f() : () -> ()\n  return\n}\n").Messages(),
              HasSubstr("2: function @f is not defined"));
  EXPECT_THAT(Program("func.func @main() {\n  call @main() : () -> ()\n  return\n}\n").Messages(),
              HasSubstr("calls itself [unsupported-feature]"));
  EXPECT_THAT(Program("module @m {\n}\n").Messages(), HasSubstr("[no-entry]"));
  EXPECT_THAT(Program("  // nothing\n").Messages(), HasSubstr("[no-input]"));
}

TEST(Errors, WrongLiterals) {
  auto with = [](const std::string& literal) {
    return Program("func.func @main() {\n  %c = stablehlo.constant dense<" + literal +
                   "> : tensor<2x2xi8>\n  return\n}\n")
        .Messages();
  };
  EXPECT_THAT(with("[[1, 2], [3]]"), HasSubstr("expected 2 elements along dim 1, found 1 [literal]"));
  EXPECT_THAT(with("[1, 2]"), HasSubstr("[literal]"));
  EXPECT_THAT(with("300"), HasSubstr("expected a number of type i8 [literal]"));
  EXPECT_THAT(with("\"0x0102\""), HasSubstr("[literal]"));
}

TEST(Errors, WrongShardings) {
  EXPECT_THAT(Program(Main("%0 = sdy.sharding_constraint %a <@mesh, [{\"z\"}, {}]> : tensor<4x8xf32>\n"
                           "return %0 : tensor<4x8xf32>"))
                  .Messages(),
              HasSubstr("4: "));
  Program rank(
      Main("%0 = stablehlo.add %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{\"x\"}]>]>} : "
           "tensor<4x8xf32>\nreturn %0 : tensor<4x8xf32>"));
  EXPECT_EQ(rank.diags.exit_code(), 4) << rank.Messages();
}

}  // namespace
}  // namespace spmdc::text::stablehlo
