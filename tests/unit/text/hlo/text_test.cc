// HLO text: what is written is read as the same program, and what XLA prints is understood.
#include <string>

#include "../program.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ops/control.h"
#include "ops/opaque.h"
#include "text/hlo/names.h"
#include "text/hlo/reader.h"
#include "text/hlo/writer.h"

namespace spmdc::text::hlo {
namespace {

using ::testing::HasSubstr;

struct Program : ReadProgram {
  explicit Program(std::string text) : ReadProgram(Read, "t.hlo", std::move(text)) {}
  std::string Text() const { return module ? Write(*module, {}) : Messages(); }
  const ir::Function& Entry() const { return module->functions[module->entry]; }
};

// Texts that come out as they went in.
void ExpectStable(const std::string& text) { EXPECT_EQ(Program(text).Text(), text); }

TEST(RoundTrip, TheSeedsPartitionedProgram) {
  ExpectStable(
      "HloModule jit_f, entry_computation_layout={(f32[64,256]{1,0}, f32[256,1024]{1,0})->f32[64,1024]{1,0}}, "
      "num_partitions=8\n\n"
      "add.f32 {\n  %x = f32[] parameter(0)\n  %y = f32[] parameter(1)\n  ROOT %add = f32[] add(%x, %y)\n}\n\n"
      "ENTRY main_spmd {\n"
      "  %x = f32[64,256]{1,0} parameter(0), sharding={devices=[4,2]<=[8]}, metadata={op_name=\"x\"}\n"
      "  %W = f32[256,1024]{1,0} parameter(1), sharding={devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}\n"
      "  %dot = f32[64,1024]{1,0} dot(%x, %W), lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
      "metadata={op_name=\"jit(f)/dot_general\" source_file=\"f.py\" source_line=3}\n"
      "  %all-reduce = f32[64,1024]{1,0} all-reduce(%dot), channel_id=1, replica_groups={{0,1},{2,3},{4,5},{6,7}}, "
      "use_global_device_ids=true, to_apply=add.f32, frontend_attributes={is_spmd_generated=\"true\"}\n"
      "  ROOT %tanh = f32[64,1024]{1,0} tanh(%all-reduce)\n"
      "}\n");
}

TEST(RoundTrip, LoopsKeepCarriedAndCapturedApart) {
  std::string text =
      "HloModule m, entry_computation_layout={(f32[4]{0}, s32[])->(s32[], f32[4]{0})}, num_partitions=2\n\n"
      "cond {\n  %param = (s32[], f32[4]{0}, s32[], f32[4]{0}) parameter(0)\n"
      "  %i = s32[] get-tuple-element(%param), index=0\n  %n = s32[] get-tuple-element(%param), index=2\n"
      "  ROOT %lt = pred[] compare(%i, %n), direction=LT\n}\n\n"
      "body {\n  %param = (s32[], f32[4]{0}, s32[], f32[4]{0}) parameter(0)\n"
      "  %i = s32[] get-tuple-element(%param), index=0\n  %s = f32[4]{0} get-tuple-element(%param), index=1\n"
      "  %n = s32[] get-tuple-element(%param), index=2\n  %w = f32[4]{0} get-tuple-element(%param), index=3\n"
      "  %next = s32[] add(%i, %n)\n  %sum = f32[4]{0} add(%s, %w)\n"
      "  ROOT %tuple = (s32[], f32[4]{0}, s32[], f32[4]{0}) tuple(%next, %sum, %n, %w)\n}\n\n"
      "ENTRY main_spmd {\n  %w = f32[4]{0} parameter(0)\n  %n = s32[] parameter(1)\n  %zero = s32[] constant(0)\n"
      "  %tuple = (s32[], f32[4]{0}, s32[], f32[4]{0}) tuple(%zero, %w, %n, %w)\n"
      "  %v0 = (s32[], f32[4]{0}, s32[], f32[4]{0}) while(%tuple), condition=cond, body=body\n"
      "  %v0.0 = s32[] get-tuple-element(%v0), index=0\n  %v0.1 = f32[4]{0} get-tuple-element(%v0), index=1\n"
      "  ROOT %tuple.1 = (s32[], f32[4]{0}) tuple(%v0.0, %v0.1)\n}\n";
  ExpectStable(text);
  Program p(text);
  ASSERT_TRUE(p.module);
  for (const ir::Inst& inst : p.Entry().insts) {
    if (inst.op == ir::OpKind::While) {
      EXPECT_EQ(p.module->attrs<ops::WhileAttrs>(inst).num_carried, 2);
      EXPECT_EQ(inst.num_operands, 4U);
    }
  }
}

TEST(RoundTrip, InstructionsThatAreAlike) {
  ExpectStable(
      "HloModule m, entry_computation_layout={(f32[2]{0})->(f32[2,2]{1,0}, f32[2,2]{1,0}, f32[2,2]{1,0}, "
      "f32[4,2]{1,0})}\n\n"
      "ENTRY main {\n"
      "  %a = f32[2]{0} parameter(0)\n"
      "  %b = f32[2,2]{1,0} broadcast(%a), dimensions={1}, metadata={op_name=\"p\"}\n"
      "  %c = f32[2,2]{1,0} broadcast(%a), dimensions={1}, metadata={op_name=\"q\"}, backend_config=\"x\"\n"
      "  %d = f32[2,2]{1,0} broadcast(%a), dimensions={0}\n"
      "  %e = f32[4,2]{1,0} broadcast(%a), dimensions={1}\n"
      "  ROOT %tuple = (f32[2,2]{1,0}, f32[2,2]{1,0}, f32[2,2]{1,0}, f32[4,2]{1,0}) tuple(%b, %c, %d, %e)\n"
      "}\n");
  EXPECT_THAT(Program("HloModule m\n\nENTRY main {\n  a = f32[2]{0} parameter(0)\n"
                      "  b = f32[2,2]{1,0} broadcast(a), dimensions={1}\n"
                      "  c = f32[2,2]{1,0} broadcast(b), dimensions={1}\n"
                      "  ROOT d = f32[2,2]{1,0} broadcast(a), dimensions={1}\n}\n")
                  .Messages(),
              HasSubstr("6: broadcast"));
}

TEST(RoundTrip, BranchesAndCalls) {
  ExpectStable(
      "HloModule m, entry_computation_layout={(s32[], f32[4]{0})->f32[4]{0}}\n\n"
      "left {\n  %param = (f32[4]{0}) parameter(0)\n  %a = f32[4]{0} get-tuple-element(%param), index=0\n"
      "  ROOT %neg = f32[4]{0} negate(%a)\n}\n\n"
      "right {\n  %param = (f32[4]{0}) parameter(0)\n  ROOT %a = f32[4]{0} get-tuple-element(%param), index=0\n}\n\n"
      "f {\n  %x = f32[4]{0} parameter(0)\n  ROOT %tuple = (f32[4]{0}, f32[4]{0}) tuple(%x, %x)\n}\n\n"
      "ENTRY main_spmd {\n  %i = s32[] parameter(0)\n  %a = f32[4]{0} parameter(1)\n"
      "  %tuple = (f32[4]{0}) tuple(%a)\n"
      "  %c = f32[4]{0} conditional(%i, %tuple, %tuple), branch_computations={left, right}\n"
      "  %r = (f32[4]{0}, f32[4]{0}) call(%c), to_apply=f\n  %r.1 = f32[4]{0} get-tuple-element(%r), index=1\n"
      "  ROOT %sum = f32[4]{0} add(%c, %r.1)\n}\n");
}

TEST(RoundTrip, SeveralResultsUnknownOpsAndConstants) {
  ExpectStable(
      "HloModule m, input_output_alias={ {0}: (0, {}, may-alias), {2}: (1, {}, may-alias) }, "
      "entry_computation_layout={(f32[2]{0}, s32[2]{0})->(f32[2]{0}, f32[], s32[2]{0})}, num_partitions=4\n\n"
      "greater {\n  %p = f32[] parameter(0)\n  %q = f32[] parameter(1)\n  %r = s32[] parameter(2)\n  %s = s32[] "
      "parameter(3)\n"
      "  ROOT %gt = pred[] compare(%p, %q), direction=GT\n}\n\n"
      "both {\n  %a = f32[] parameter(0)\n  %b = s32[] parameter(1)\n  %c = f32[] parameter(2)\n  %d = s32[] "
      "parameter(3)\n"
      "  %add = f32[] add(%a, %c)\n  %max = s32[] maximum(%b, %d)\n  ROOT %tuple = (f32[], s32[]) tuple(%add, "
      "%max)\n}\n\n"
      "ENTRY main_spmd {\n  %x = f32[2]{0} parameter(0)\n  %k = s32[2]{0} parameter(1)\n"
      "  %sort = (f32[2]{0}, s32[2]{0}) sort(%x, %k), dimensions={0}, is_stable=true, to_apply=greater\n"
      "  %sorted = f32[2]{0} get-tuple-element(%sort), index=0\n"
      "  %zero = f32[] constant(0)\n  %low = s32[] constant(-2147483648)\n"
      "  %reduce = (f32[], s32[]) reduce(%sorted, %k, %zero, %low), dimensions={0}, to_apply=both\n"
      "  %total = f32[] get-tuple-element(%reduce), index=0\n"
      "  %big = s32[2]{0} constant({...})\n  ROOT %tuple = (f32[2]{0}, f32[], s32[2]{0}) tuple(%x, %total, %big)\n}\n");
}

TEST(RoundTrip, GlobalProgramsCarryShardings) {
  ExpectStable(
      "HloModule m, entry_computation_layout={(f32[8,4]{1,0})->f32[8,4]{1,0}}, num_partitions=4\n\n"
      "ENTRY main {\n  %x = f32[8,4]{1,0} parameter(0), sharding={devices=[4,1]<=[4]}\n"
      "  %c = f32[8,4]{1,0} custom-call(%x), custom_call_target=\"Sharding\", sharding={devices=[1,2,2]<=[4] "
      "last_tile_dim_replicate}\n"
      "  %neg = f32[8,4]{1,0} negate(%c), sharding={replicated}\n"
      "  ROOT %copy = f32[8,4]{1,0} copy(%neg), sharding={devices=[2,2]<=[4]}\n}\n");
}

// Long form: percent signs, signatures, operand shapes, comments, tables of stack frames.
TEST(Reads, WhatXlaPrints) {
  Program p(
      "HloModule jit_f, entry_computation_layout={(f32[2]{0})->f32[2]{0}}, num_partitions=2\n\n"
      "FileNames\n1 \"f.py\"\n\nFunctionNames\n1 \"loss\"\n\nFileLocations\n"
      "1 {file_name_id=1 function_name_id=1 line=7 end_line=7 column=3 end_column=9}\n\n"
      "StackFrames\n1 {file_location_id=1 parent_frame_id=1}\n\n\n"
      "%region_0.1 (a.1: f32[], b.1: f32[]) -> f32[] {\n  %a.1 = f32[] parameter(0)\n  %b.1 = f32[] parameter(1)\n"
      "  ROOT %add.2 = f32[] add(%f32[] %a.1, %f32[] %b.1)\n}\n\n"
      "ENTRY %main.3_spmd (param: f32[2]) -> f32[2] {\n"
      "  %param = f32[2]{0:T(256)} parameter(0), sharding={replicated}\n"
      "  ROOT %all-reduce = f32[2]{0} all-reduce(%f32[2]{0} /*%index=0*/%param), channel_id=1, replica_groups={{0,1}}, "
      "use_global_device_ids=true, to_apply=%region_0.1, metadata={op_name=\"jit(f)/psum\" stack_frame_id=1}, "
      "backend_config={\"a\":\"b, c\"}\n}\n");
  EXPECT_EQ(p.Text(),
            "HloModule jit_f, entry_computation_layout={(f32[2]{0})->f32[2]{0}}, num_partitions=2\n\n"
            "FileNames\n1 \"f.py\"\n\nFunctionNames\n1 \"loss\"\n\nFileLocations\n"
            "1 {file_name_id=1 function_name_id=1 line=7 end_line=7 column=3 end_column=9}\n\n"
            "StackFrames\n1 {file_location_id=1 parent_frame_id=1}\n\n"
            "add.f32 {\n  %x = f32[] parameter(0)\n  %y = f32[] parameter(1)\n  ROOT %add = f32[] add(%x, %y)\n}\n\n"
            "ENTRY main.3_spmd {\n  %param = f32[2]{0:T(256)} parameter(0), sharding={replicated}\n"
            "  ROOT %all-reduce = f32[2]{0} all-reduce(%param), channel_id=1, replica_groups={{0,1}}, "
            "use_global_device_ids=true, to_apply=add.f32, metadata={op_name=\"jit(f)/psum\" "
            "stack_frame_id=1}, backend_config={\"a\":\"b, c\"}\n}\n");
  EXPECT_TRUE(p.module->per_device);
  EXPECT_EQ(p.module->tables->sources[p.Entry().insts.begin()->source].function, "loss");
}

TEST(Errors, EmptyTextsAndDeepCalls) {
  EXPECT_THAT(Program(" \n").Messages(), HasSubstr("the file is empty"));
  std::string calls = "HloModule m\n\nc0 {\n  ROOT p = f32[] parameter(0)\n}\n\n";
  for (int i = 1; i < 400; ++i) {
    calls += "c" + std::to_string(i) + " {\n  p = f32[] parameter(0)\n  ROOT r = f32[] call(p), to_apply=c" +
             std::to_string(i - 1) + "\n}\n\n";
  }
  calls += "ENTRY main {\n  p = f32[] parameter(0)\n  ROOT r = f32[] call(p), to_apply=c399\n}\n";
  EXPECT_THAT(Program(calls).Messages(), HasSubstr("computations are nested deeper than"));
}

TEST(Reads, FlagsChooseBranches) {
  Program p(
      "HloModule m\n\nt {\n  ROOT %a = f32[] parameter(0)\n}\n\nf {\n  %b = f32[] parameter(0)\n  ROOT %n = f32[] "
      "negate(b)\n}\n\n"
      "ENTRY main {\n  %p = pred[] parameter(0)\n  %x = f32[] parameter(1)\n  %y = f32[] parameter(2)\n"
      "  ROOT %c = f32[] conditional(%p, %x, %y), true_computation=t, false_computation=f\n}\n");
  ASSERT_TRUE(p.module) << p.Messages();
  EXPECT_THAT(p.Text(),
              HasSubstr("  %c.index = s32[] convert(%p)\n  %tuple = (f32[], f32[]) tuple(%y, %x)\n"
                        "  ROOT %c = f32[] conditional(%c.index, %tuple, %tuple), branch_computations={f, t}\n"));
}

TEST(Reads, LiteralsAsXlaPrintsThem) {
  auto constant = [](const std::string& shape, const std::string& literal) {
    return Program("HloModule m\n\nENTRY main {\n  ROOT %c = " + shape + " constant(" + literal + ")\n}\n").Text();
  };
  EXPECT_THAT(constant("f32[2]{0}", "{inf, -nan}"), HasSubstr("constant({inf, -nan})"));
  EXPECT_THAT(constant("c64[]", "(1, -2)"), HasSubstr("constant((1, -2))"));
  EXPECT_THAT(constant("pred[2,1]{1,0}", "{ {1}, { false } }"), HasSubstr("constant({ {1}, {0} })"));
  EXPECT_THAT(constant("s8[]", "200"), HasSubstr("expected a number of type s8 [literal]"));
  EXPECT_THAT(constant("s8[2]{0}", "{1}"), HasSubstr("expected 2 elements along dim 0, found 1 [literal]"));
}

TEST(Names, AreSpelledForHlo) {
  EXPECT_EQ(Spelling("0#1"), "v0.1");
  EXPECT_EQ(Spelling("true"), "true_");
  EXPECT_EQ(Spelling("s32"), "s32_");
  EXPECT_EQ(Spelling("p['w']"), "p__w__");
  NameSet names;
  EXPECT_EQ(names.Take("a"), "a");
  EXPECT_EQ(names.Take("a"), "a.1");
  EXPECT_EQ(names.Take("a.1"), "a.1.1");
}

TEST(Errors, AreToldAtTheirLine) {
  auto entry = [](const std::string& lines) {
    return Program("HloModule m\n\nENTRY main {\n  %x = f32[4]{0} parameter(0)\n" + lines + "}\n").Messages();
  };
  EXPECT_EQ(entry("  ROOT %a = f32[4]{0} add(%x, %y)\n"), "5: y is not defined above [undefined-value]\n");
  EXPECT_EQ(entry("  %x = f32[4]{0} negate(%x)\n"), "5: x is defined twice [redefinition]\n");
  EXPECT_EQ(entry("  ROOT %a = f33[4]{0} negate(%x)\n"), "5: expected a shape, found `f33[4]` [syntax]\n");
  EXPECT_THAT(entry("  ROOT %a = f32[5]{0} negate(%x)\n"), HasSubstr("5: negate: result 0 is declared f32[5]"));
  EXPECT_THAT(entry("  ROOT %a = f32[4]{0} all-reduce(%x), channel_id=1, replica_groups={{0}}, "
                    "use_global_device_ids=true, to_apply=f\n"),
              HasSubstr("computation f is not defined"));
  EXPECT_EQ(Program("HloModule m\n\nENTRY main {\n  %x = f32[4]{0} param").Messages(),
            "4: the file ends where `(` is expected [truncated]\n");
  EXPECT_THAT(Program("HloModule m\n\nf {\n  %x = f32[] parameter(0)\n  ROOT %r = f32[] call(%x), to_apply=f\n}\n\n"
                      "ENTRY e {\n  %x = f32[] parameter(0)\n  ROOT %r = f32[] call(%x), to_apply=f\n}\n")
                  .Messages(),
              HasSubstr("computation f calls itself [unsupported-feature]"));
}

TEST(Errors, EveryPrefixIsRefusedOrRead) {
  std::string whole =
      "HloModule m, num_partitions=2\n\nadd.f32 {\n  %x = f32[] parameter(0)\n  %y = f32[] parameter(1)\n"
      "  ROOT %add = f32[] add(%x, %y)\n}\n\nENTRY main_spmd {\n  %x = f32[4]{0} parameter(0), sharding={replicated}\n"
      "  ROOT %all-reduce = f32[4]{0} all-reduce(%x), channel_id=1, replica_groups={{0,1}}, "
      "use_global_device_ids=true, "
      "to_apply=add.f32\n}\n";
  ASSERT_TRUE(Program(whole).module) << Program(whole).Messages();
  for (size_t n = 0; n + 1 < whole.size(); ++n) {
    Program p(whole.substr(0, n));
    EXPECT_TRUE(p.module.has_value() != p.diags.has_errors()) << n;
  }
}

TEST(Fragment, LoneInstructionsAreAProgram) {
  Program p(
      "%ar = f32[16,8]{1,0} all-reduce(%dot), channel_id=1, replica_groups={{0,1},{2,3}}, use_global_device_ids=true, "
      "to_apply=%add\n"
      "%ag = f32[64,8]{1,0} all-gather(%ar), channel_id=2, replica_groups=[1,4]<=[4], dimensions={0}, "
      "use_global_device_ids=true\n"
      "%t = f32[3]{0} slice(f32[9]{0} %other), slice={[0:3]}\n");
  ASSERT_TRUE(p.module) << p.Messages();
  EXPECT_EQ(p.module->num_devices, 4);
  EXPECT_TRUE(p.module->per_device);
  ASSERT_EQ(p.Entry().args.size(), 2u);
  EXPECT_THAT(p.Text(), HasSubstr("%dot = f32[16,8]{1,0} parameter(0)"));
  EXPECT_THAT(p.Text(), HasSubstr("%other = f32[9]{0} parameter(1)"));
  EXPECT_THAT(p.Text(), HasSubstr("all-gather(%ar), channel_id=2, replica_groups=[1,4]<=[4], "));
}

TEST(Fragment, ComputationsWithoutAHeader) {
  Program p(
      "sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\n"
      "ENTRY %main (x: f32[4]) -> f32[] {\n  %x = f32[4]{0} parameter(0) %zero = f32[] constant(0)\n"
      "  ROOT %total = f32[] reduce(%x, %zero), dimensions={0}, to_apply=sum }\n");
  ASSERT_TRUE(p.module) << p.Messages();
  EXPECT_THAT(p.Text(), HasSubstr("f32[] reduce(%x, %zero), dimensions={0}, to_apply=add.f32"));
}

TEST(Fragment, AnOperandOfUnknownTypeIsTold) {
  EXPECT_THAT(
      Program("%dot = f32[16,8]{1,0} dot(%a, %b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n").Messages(),
      HasSubstr("a is not defined above"));
}

TEST(Values, GoOnBehindABlankOnlyWithABracket) {
  Program p(
      "HloModule m, num_partitions=4\nENTRY main_spmd { x = f32[4]{0} parameter(0) y = f32[16]{0} all-gather(x), "
      "channel_id=1, replica_groups=mesh['a'=4] {'a'}, dimensions={0}, use_global_device_ids=true ROOT z = f32[16]{0} "
      "negate(y) }\n");
  EXPECT_THAT(p.Text(), HasSubstr("replica_groups=mesh['a'=4] {'a'}, dimensions={0}"));
}

}  // namespace
}  // namespace spmdc::text::hlo
