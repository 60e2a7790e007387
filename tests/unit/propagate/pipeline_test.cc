// Whole programs. Expected shardings were obtained from Shardy (mode sdy) or follow from what the modes promise.
#include "programs.h"

namespace spmdc::propagate::testing {
namespace {

using Mode = Options::Mode;

const std::string kMesh = "sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]>\n";

// An argument or result type with a sharding.
std::string Typed(const std::string& type, const std::string& sharding) {
  return type + " {sdy.sharding = #sdy.sharding<@mesh, " + sharding + ">}";
}
std::string Main(const std::string& args, const std::string& results, const std::string& body) {
  return kMesh + "func.func @main(" + args + ") -> " + results + " {\n" + body + "\n}\n";
}
const std::string kT = "tensor<8x16xf32>";

TEST(Propagate, ThroughAContractionInBothDirections) {
  Propagated p(Main("%a: " + Typed("tensor<8x16xf32>", "[{\"x\"}, {}]") + ", %b: tensor<16x32xf32>",
                    "(" + Typed("tensor<8x32xf32>", "[{?}, {\"y\"}]") + ")",
                    "  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, "
                    "tensor<16x32xf32>) -> tensor<8x32xf32>\n"
                    "  %1 = stablehlo.tanh %0 : tensor<8x32xf32>\n  return %1 : tensor<8x32xf32>"),
               Mode::Sdy);
  EXPECT_EQ(p["0"], "x,y");
  EXPECT_EQ(p["1"], "x,y");
  EXPECT_EQ(p["b"], ",y");
  EXPECT_EQ(p.Result(0), "x,y");
  EXPECT_EQ(p.Origins("0"), "y from result 0; x from arg 0");
}

TEST(Propagate, ConstantsAreSplitPerUse) {
  Propagated p(
      Main("%a: " + Typed(kT, "[{\"x\"}, {}]") + ", %b: " + Typed(kT, "[{}, {\"x\"}]"), "(" + kT + ", " + kT + ")",
           "  %c = stablehlo.constant dense<1.0> : tensor<8x16xf32>\n"
           "  %0 = stablehlo.add %a, %c : tensor<8x16xf32>\n"
           "  %1 = stablehlo.add %b, %c : tensor<8x16xf32>\n"
           "  return %0, %1 : tensor<8x16xf32>, tensor<8x16xf32>"),
      Mode::Sdy);
  EXPECT_EQ(p["0"], "x,");
  EXPECT_EQ(p["1"], ",x");
  // Of the copies, the first use's is reported.
  EXPECT_EQ(p["c"], "x,");
}

TEST(Propagate, ClosedConstraintsHoldForTheirOperand) {
  auto program = [](const std::string& sharding) {
    return Main("%a: " + kT, "(" + kT + ")",
                "  %0 = stablehlo.tanh %a : tensor<8x16xf32>\n"
                "  %1 = sdy.sharding_constraint %0 <@mesh, " +
                    sharding +
                    "> : tensor<8x16xf32>\n"
                    "  return %0 : tensor<8x16xf32>");
  };
  Propagated closed(program("[{\"x\"}, {}]"), Mode::Sdy);
  EXPECT_EQ(closed["0"], "x,");
  EXPECT_EQ(closed.Origins("0"), "x from constraint 1");
  Propagated both(Main("%a: " + kT, "(" + kT + ", " + kT + ")",
                       "  %0 = sdy.sharding_constraint %a <@mesh, [{\"x\"}, {}]> : tensor<8x16xf32>\n"
                       "  %1 = sdy.sharding_constraint %a <@mesh, [{}, {\"x\"}]> : tensor<8x16xf32>\n"
                       "  return %0, %1 : tensor<8x16xf32>, tensor<8x16xf32>"),
                  Mode::Sdy);
  EXPECT_EQ(both["0"], "x,");
  EXPECT_EQ(both["1"], ",x");
}

TEST(Propagate, CopiesOfACalledFunctionAreShardedApart) {
  std::string text =
      Main("%a: " + Typed(kT, "[{\"x\"}, {}]") + ", %b: " + Typed(kT, "[{}, {\"y\"}]"), "(" + kT + ", " + kT + ")",
           "  %0 = call @f(%a) : (tensor<8x16xf32>) -> tensor<8x16xf32>\n"
           "  %1 = call @f(%b) : (tensor<8x16xf32>) -> tensor<8x16xf32>\n"
           "  return %0, %1 : tensor<8x16xf32>, tensor<8x16xf32>") +
      "func.func private @f(%p: tensor<8x16xf32>) -> tensor<8x16xf32> {\n"
      "  %t = stablehlo.tanh %p : tensor<8x16xf32>\n  return %t : tensor<8x16xf32>\n}\n";
  for (Mode mode : {Mode::Sdy, Mode::Shardy}) {
    Propagated p(text, mode);
    EXPECT_EQ(p.Find("t", 0), "x,");
    EXPECT_EQ(p.Find("t", 1), ",y");
    EXPECT_EQ(p["0"], "x,");
    EXPECT_EQ(p["1"], ",y");
    ASSERT_EQ(p.out->functions.size(), 3U);
  }
}

TEST(Propagate, LoopCarriesAreOneSharding) {
  Propagated p(Main("%a: " + Typed(kT, "[{\"x\"}, {}]"), "(" + Typed(kT, "[{?}, {\"y\"}]") + ")",
                    "  %c = stablehlo.constant dense<0> : tensor<i32>\n"
                    "  %0:2 = stablehlo.while(%i = %c, %v = %a) : tensor<i32>, tensor<8x16xf32>\n"
                    "   cond {\n"
                    "    %n = stablehlo.constant dense<3> : tensor<i32>\n"
                    "    %l = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
                    "    stablehlo.return %l : tensor<i1>\n"
                    "   } do {\n"
                    "    %o = stablehlo.constant dense<1> : tensor<i32>\n"
                    "    %j = stablehlo.add %i, %o : tensor<i32>\n"
                    "    %w = stablehlo.tanh %v : tensor<8x16xf32>\n"
                    "    stablehlo.return %j, %w : tensor<i32>, tensor<8x16xf32>\n"
                    "   }\n"
                    "  return %0#1 : tensor<8x16xf32>"),
               Mode::Sdy);
  EXPECT_EQ(p["w"], "x,y");
  EXPECT_EQ(p["v"], "x,y");
  EXPECT_EQ(p["0#1"], "x,y");
  EXPECT_EQ(p["a"], "x,");
}

TEST(Propagate, InsideManualRegionsOnlyFreeAxes) {
  Propagated p(Main("%a: " + Typed(kT, "[{\"x\", ?}, {\"y\", ?}]"), "(" + kT + ")",
                    "  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{\"x\", ?}, {?}]>] "
                    "out_shardings=[<@mesh, [{\"x\", ?}, {?}]>] manual_axes={\"x\"} (%p: tensor<4x16xf32>) {\n"
                    "    %t = stablehlo.tanh %p : tensor<4x16xf32>\n"
                    "    sdy.return %t : tensor<4x16xf32>\n"
                    "  } : (tensor<8x16xf32>) -> tensor<8x16xf32>\n"
                    "  return %0 : tensor<8x16xf32>"),
               Mode::Sdy);
  EXPECT_EQ(p["p"], ",y");
  EXPECT_EQ(p["t"], ",y");
  EXPECT_EQ(p["0"], "x,y");
}

TEST(Propagate, LowerPrioritiesComeLater) {
  auto program = [](const std::string& first, const std::string& second) {
    return Main("%a: " + Typed("tensor<8x8xf32>", first) + ", %b: " + Typed("tensor<8x8xf32>", second),
                "(tensor<8x8xf32>)", "  %0 = stablehlo.add %a, %b : tensor<8x8xf32>\n  return %0 : tensor<8x8xf32>");
  };
  Propagated p(program("[{\"x\", ?}p1, {?}]", "[{\"y\", ?}, {?}]"), Mode::Sdy);
  EXPECT_EQ(p["0"], "y,");
  Propagated q(program("[{\"x\", ?}, {?}]", "[{\"y\", ?}p1, {?}]"), Mode::Sdy);
  EXPECT_EQ(q["0"], "x,");
}

TEST(Propagate, BoundariesAreCutToWhatDivides) {
  std::string mesh = "sdy.mesh @mesh = <[\"dp\"=8]>\n";
  Propagated p(mesh + "func.func @main(%a: " + Typed("tensor<14x3xf32>", "[{\"dp\"}, {}]") +
                   ") -> (tensor<14x3xf32>) {\n" +
                   "  %0 = stablehlo.tanh %a : tensor<14x3xf32>\n  return %0 : tensor<14x3xf32>\n}\n",
               Mode::Shardy);
  EXPECT_EQ(p.Arg(0), "dp:(1)2,");
  EXPECT_EQ(p["0"], "dp,");
  // The result is open: no part of an axis.
  EXPECT_EQ(p.Result(0), ",");
}

TEST(Propagate, NoneTakesWhatIsAnnotated) {
  Propagated p(Main("%a: " + Typed(kT, "[{\"x\", ?}, {}]"), "(" + kT + ")",
                    "  %0 = stablehlo.tanh %a : tensor<8x16xf32>\n"
                    "  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {\"y\"}]> : tensor<8x16xf32>\n"
                    "  return %1 : tensor<8x16xf32>"),
               Mode::None);
  EXPECT_EQ(p["a"], "x,");
  EXPECT_EQ(p["0"], ",");
  EXPECT_EQ(p["1"], ",y");
}

TEST(Propagate, AnnotationsOnResultsOfOpsAreLostAsInXla) {
  std::string text =
      Main("%a: " + kT, "(" + kT + ")",
           "  %0 = stablehlo.tanh %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{\"x\"}, {}]>]>} : "
           "tensor<8x16xf32>\n  return %0 : tensor<8x16xf32>");
  Propagated sdy(text, Mode::Sdy);
  EXPECT_EQ(sdy["0"], "x,");
  EXPECT_EQ(sdy.Origins("0"), "x from value 0");
  EXPECT_EQ(sdy.warnings(), 0U);
  Propagated shardy(text, Mode::Shardy);
  EXPECT_EQ(shardy["0"], ",");
  EXPECT_EQ(shardy.warnings(), 1U);
}

TEST(Propagate, GroupsAreShardedAlike) {
  std::string text =
      Main("%a: " + Typed("tensor<8x8xf32>", "[{\"x\", ?}, {?}]") + ", %b: tensor<8x8xf32>", "(tensor<8x8xf32>)",
           "  %0 = stablehlo.tanh %a : tensor<8x8xf32>\n"
           "  %1 = stablehlo.tanh %b : tensor<8x8xf32>\n"
           "  sdy.sharding_group %0 group_id=3 : tensor<8x8xf32>\n"
           "  sdy.sharding_group %1 group_id=3 : tensor<8x8xf32>\n"
           "  return %1 : tensor<8x8xf32>");
  for (Mode mode : {Mode::Sdy, Mode::Shardy}) {
    Propagated p(text, mode);
    EXPECT_EQ(p["1"], "x,");
    EXPECT_EQ(p["b"], "x,");
    EXPECT_EQ(p.Origins("1"), "x from arg 0");
  }
}

TEST(Propagate, ChloIsAWallToShardyAlone) {
  std::string text =
      Main("%a: " + Typed(kT, "[{\"x\"}, {}]"), "(" + kT + ")",
           "  %0 = chlo.square %a : tensor<8x16xf32> -> tensor<8x16xf32>\n  return %0 : tensor<8x16xf32>");
  EXPECT_EQ(Propagated(text, Mode::Sdy)["0"], ",");
  EXPECT_EQ(Propagated(text, Mode::Shardy)["0"], "x,");
}

// XLA turns a broadcast that only adds dims of size 1 into a reshape, which goes first: y of the operand is there before x
// comes back from the result.
TEST(Propagate, BroadcastsAreWhatXlaMakesOfThem) {
  std::string text =
      Main("%a: " + Typed("tensor<8x16xf32>", "[{}, {\"x\"}]") + ", %b: " + Typed("tensor<16xf32>", "[{\"y\"}]"),
           "(tensor<8x16xf32>)",
           "  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>\n"
           "  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<8x16xf32>\n"
           "  %2 = stablehlo.add %a, %1 : tensor<8x16xf32>\n  return %2 : tensor<8x16xf32>");
  EXPECT_EQ(Propagated(text, Mode::Sdy)["0"], ",x");
  Propagated p(text, Mode::Shardy);
  EXPECT_EQ(p["0"], ",y");
  EXPECT_EQ(p["1"], ",x");
}

// What nobody uses is dropped first: it does not take part, but has an answer.
TEST(Propagate, UnusedValuesTakeNoPart) {
  std::string text = Main("%a: tensor<8x8xf32>, %b: " + Typed("tensor<8x8xf32>", "[{\"x\"}, {}]"), "(tensor<8x8xf32>)",
                          "  %0 = stablehlo.add %a, %b : tensor<8x8xf32>\n"
                          "  %1 = stablehlo.tanh %a : tensor<8x8xf32>\n  return %1 : tensor<8x8xf32>");
  EXPECT_EQ(Propagated(text, Mode::Sdy)["1"], "x,");
  Propagated p(text, Mode::Shardy);
  EXPECT_EQ(p["1"], ",");
  EXPECT_EQ(p["0"], ",");
}

const char* const kBody =
    "  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> "
    "tensor<8x32xf32>\n"
    "  %1 = stablehlo.reshape %0 : (tensor<8x32xf32>) -> tensor<8x4x8xf32>\n"
    "  %2 = stablehlo.transpose %1, dims = [1, 0, 2] : (tensor<8x4x8xf32>) -> tensor<4x8x8xf32>\n"
    "  %3 = stablehlo.tanh %2 : tensor<4x8x8xf32>\n  return %3 : tensor<4x8x8xf32>";

std::string Net(const std::string& a, const std::string& b) {
  return Main("%a: " + Typed("tensor<8x16xf32>", a) + ", %b: " + Typed("tensor<16x32xf32>", b), "(tensor<4x8x8xf32>)",
              kBody);
}

TEST(Propagate, UserShardingsStay) {
  for (const char* a : {"[{\"x\"}, {}]", "[{}, {\"y\"}]", "[{\"y\"}, {\"x\"}]", "[{\"x\", \"y\"}, {}]"}) {
    for (const char* b : {"[{\"x\"}, {}]", "[{}, {\"y\"}]", "[{\"y\", ?}, {\"x\"}]", "[{}, {\"y\", \"x\"}]"}) {
      Propagated none(Net(a, b), Mode::None);
      for (Mode mode : {Mode::Sdy, Mode::Shardy}) {
        Propagated p(Net(a, b), mode);
        EXPECT_EQ(p["a"], none["a"]) << a << b;
        EXPECT_EQ(p["b"], none["b"]) << a << b;
      }
    }
  }
}

// Everything closed: propagating again decides the same.
TEST(Propagate, AgainChangesNothing) {
  for (Mode mode : {Mode::Sdy, Mode::Shardy}) {
    Propagated once(Net("[{\"x\"}, {}]", "[{}, {\"y\", ?}]"), mode);
    Propagated twice(Net("[{\"x\"}, {}]", "[{}, {\"y\", ?}]"), mode);
    twice.Run(ir::Module(*once.out), Mode::Sdy);
    for (const char* name : {"a", "b", "0", "1", "2", "3"}) {
      EXPECT_EQ(once[name], twice[name]);
    }
  }
}

// Names of values and of axes are not looked at.
TEST(Propagate, NamesDoNotMatter) {
  std::string text = Net("[{\"x\"}, {\"y\"}]", "[{?}, {\"y\", ?}]");
  Propagated p(text, Mode::Shardy);
  for (const auto& [from, to] : {std::pair("%0", "%zz"), std::pair("%a", "%q9"), std::pair("@mesh", "@grid")}) {
    std::string renamed = text;
    for (size_t at = renamed.find(from); at != std::string::npos; at = renamed.find(from, at + 1)) {
      renamed.replace(at, std::string(from).size(), to);
    }
    Propagated q(renamed, Mode::Shardy);
    EXPECT_EQ(p["1"], q["1"]);
    EXPECT_EQ(p["3"], q["3"]);
    EXPECT_EQ(p.Result(0), q.Result(0));
  }
}

// Custom calls: the rule that the text gives, the one that their target has, or a wall.
TEST(Propagate, CustomCallsFollowTheirRules) {
  auto call = [](const std::string& target, const std::string& attributes) {
    return "  %0 = stablehlo.custom_call @" + target + "(%a) " + attributes +
           " : (tensor<8x16xf32>) -> tensor<8x16xf32>\n  return %0 : tensor<8x16xf32>";
  };
  std::string args = "%a: " + Typed(kT, "[{\"x\"}, {\"y\"}]"), results = "(" + kT + ")";
  std::string rule = "{sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, k]) {i=8, j=16, k=16}, custom>}";
  for (Mode mode : {Mode::Shardy, Mode::Sdy}) {
    EXPECT_EQ(Propagated(Main(args, results, call("unheard_of", rule)), mode)["0"], "x,");
    EXPECT_EQ(Propagated(Main(args, results, call("unheard_of", "{}")), mode)["0"], ",");
    EXPECT_EQ(Propagated(Main(args, results, call("LayoutConstraint", "{}")), mode)["0"], "x,y");
  }
  EXPECT_EQ(Propagated(Main(args, results, call("unheard_of", rule)), Mode::Gspmd)["0"], ",");
}

// Shardy's results: an identity that shardings pass one way only.
TEST(Propagate, BarriersLetShardingsThroughOneWay) {
  auto program = [](const std::string& direction) {
    return Main("%a: " + Typed(kT, "[{\"x\"}, {?}]"), "(" + Typed(kT, "[{?}, {\"y\"}]") + ")",
                "  %0 = stablehlo.tanh %a : tensor<8x16xf32>\n"
                "  %1 = sdy.propagation_barrier %0 allowed_direction=" +
                    direction +
                    " : tensor<8x16xf32>\n"
                    "  %2 = stablehlo.tanh %1 : tensor<8x16xf32>\n  return %2 : tensor<8x16xf32>");
  };
  for (Mode mode : {Mode::Shardy, Mode::Sdy}) {
    Propagated forward(program("FORWARD"), mode), backward(program("BACKWARD"), mode), none(program("NONE"), mode);
    EXPECT_EQ(forward["0"] + " " + forward["1"] + " " + forward.Result(0), "x, x,y x,y");
    EXPECT_EQ(backward["0"] + " " + backward["1"] + " " + backward.Result(0), "x,y ,y ,y");
    EXPECT_EQ(none["0"] + " " + none["1"] + " " + none.Result(0), "x, ,y ,y");
  }
}

// GSPMD spreads shardings through convolutions forward only, unless the windows are those of a product of matrices.
TEST(Propagate, ConvolutionsInTheClassicAlgorithm) {
  auto program = [](const std::string& image, const std::string& kernel, const std::string& size) {
    return Main(
        "%a: " + Typed("tensor<8x16x16x4xf32>", image) + ", %k: " + Typed("tensor<" + size + "x4x8xf32>", kernel),
        "(tensor<8x16x16x8xf32>)",
        "  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = "
        "{pad = " +
            std::string(size == "1x1" ? "[[0, 0], [0, 0]]" : "[[1, 1], [1, 1]]") +
            "} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x16x16x4xf32>, tensor<" + size +
            "x4x8xf32>) -> tensor<8x16x16x8xf32>\n  return %0 : tensor<8x16x16x8xf32>");
  };
  EXPECT_EQ(Propagated(program("[{\"x\"}, {\"y\"}, {}, {}]", "[{}, {}, {}, {}]", "3x3"), Mode::Gspmd)["0"], "x,y,,");
  EXPECT_EQ(Propagated(program("[{}, {}, {}, {}]", "[{}, {}, {}, {\"y\"}]", "3x3"), Mode::Gspmd)["0"], ",,,y");
  Propagated back(program("[{?}, {?}, {?}, {?}]", "[{}, {}, {}, {\"y\"}]", "3x3"), Mode::Gspmd);
  EXPECT_EQ(back["a"], ",,,");
  EXPECT_EQ(Propagated(program("[{\"x\"}, {}, {}, {}]", "[{}, {}, {}, {\"y\"}]", "1x1"), Mode::Gspmd)["0"], "x,,,y");
}

TEST(Propagate, AFunctionThatCallsItselfIsRefused) {
  source::SourceManager sources;
  diag::Engine diags(&sources);
  source::FileId file =
      sources.Add("test.mlir", Main("%a: " + kT, "(" + kT + ")",
                                    "  %0 = call @f(%a) : (tensor<8x16xf32>) -> tensor<8x16xf32>\n"
                                    "  return %0 : tensor<8x16xf32>") +
                                   "func.func private @f(%p: tensor<8x16xf32>) -> tensor<8x16xf32> {\n"
                                   "  %t = call @f(%p) : (tensor<8x16xf32>) -> tensor<8x16xf32>\n"
                                   "  return %t : tensor<8x16xf32>\n}\n");
  std::optional<ir::Module> read = text::stablehlo::Read(file, diags);
  if (read.has_value()) {
    EXPECT_FALSE(Propagate(*read, Options(), diags).has_value());
  }
  EXPECT_NE(diags.exit_code(), 0);
}

TEST(Propagate, AGroupIsShardedAlikeInTheClassicAlgorithmToo) {
  Propagated p(Main("%a: " + Typed(kT, "[{\"x\"}, {}]") + ", %b: " + kT, "(" + kT + ", " + kT + ")",
                    "  %0 = stablehlo.tanh %a : tensor<8x16xf32>\n"
                    "  %1 = stablehlo.tanh %b : tensor<8x16xf32>\n"
                    "  sdy.sharding_group %0 group_id=3 : tensor<8x16xf32>\n"
                    "  sdy.sharding_group %1 group_id=3 : tensor<8x16xf32>\n"
                    "  return %0, %1 : tensor<8x16xf32>, tensor<8x16xf32>"),
               Mode::Gspmd);
  EXPECT_EQ(p["0"], "x,");
  EXPECT_EQ(p["1"], "x,");
  EXPECT_EQ(p.Arg(1), "x,");
}

TEST(Propagate, AsXlaOpsThatDoNothingAreNotThere) {
  // Through the pad, the constraint would come too late: the fft has what its operand has by then.
  std::string text = Main("%a: " + Typed(kT, "[{\"x\"}, {}]"), "(tensor<8x9xcomplex<f32>>)",
                          "  %z = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>\n"
                          "  %0 = stablehlo.fft %a, type = RFFT, length = [16] : (tensor<8x16xf32>) -> "
                          "tensor<8x9xcomplex<f32>>\n"
                          "  %1 = stablehlo.pad %0, %z, low = [0, 0], high = [0, 0], interior = [0, 0] : "
                          "(tensor<8x9xcomplex<f32>>, tensor<complex<f32>>) -> tensor<8x9xcomplex<f32>>\n"
                          "  %2 = sdy.sharding_constraint %1 <@mesh, [{\"y\", ?}, {?}]> : tensor<8x9xcomplex<f32>>\n"
                          "  return %2 : tensor<8x9xcomplex<f32>>");
  EXPECT_EQ(Propagated(text, Mode::Shardy)["0"], "y,");
  EXPECT_EQ(Propagated(text, Mode::Sdy)["0"], "x,");
}

TEST(Propagate, AsXlaOpsThatUndoOthersAreNotThere) {
  const std::string t = "tensor<8x16xf32>";
  auto program = [&](const std::string& there, const std::string& between, const std::string& back) {
    return Main("%a: " + Typed(t, "[{\"x\"}, {}]"), "(" + Typed(t, "[{?}, {\"y\"}]") + ")",
                "  %0 = stablehlo." + there + " : (" + t + ") -> " + between + "\n  %1 = stablehlo." + back + " : (" +
                    between + ") -> " + t + "\n  %2 = stablehlo.tanh %1 : " + t + "\n  return %2 : " + t);
  };
  // Between the two, `y` would not fit.
  Propagated reshaped(program("reshape %a", "tensor<32x4xf32>", "reshape %0"), Mode::Shardy);
  EXPECT_EQ(reshaped["1"], reshaped["a"]);
  EXPECT_EQ(reshaped["2"], "x,y");
  Propagated transposed(program("transpose %a, dims = [1, 0]", "tensor<16x8xf32>", "transpose %0, dims = [1, 0]"),
                        Mode::Shardy);
  EXPECT_EQ(transposed["2"], "x,y");
  EXPECT_EQ(transposed["0"], ",x");
  // One that is not undone stays.
  Propagated turned(program("transpose %a, dims = [1, 0]", "tensor<16x8xf32>", "reshape %0"), Mode::Shardy);
  EXPECT_EQ(turned["0"], ",x");
}

TEST(Propagate, AsXlaEqualConstantsAreOneInTheirGroup) {
  std::string text = Main("%a: " + Typed(kT, "[{\"x\"}, {}]") + ", %b: " + kT, "(" + kT + ", " + kT + ")",
                          "  %c = stablehlo.constant dense<1.0> : " + kT +
                              "\n"
                              "  %s = stablehlo.constant dense<1.0> : tensor<f32>\n"
                              "  %d = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> " +
                              kT +
                              "\n"
                              "  %t = stablehlo.tanh %b : " +
                              kT +
                              "\n"
                              "  sdy.sharding_group %c group_id=0 : " +
                              kT +
                              "\n"
                              "  sdy.sharding_group %t group_id=0 : " +
                              kT +
                              "\n"
                              "  %0 = stablehlo.add %a, %d : " +
                              kT +
                              "\n"
                              "  %1 = stablehlo.add %t, %c : " +
                              kT +
                              "\n"
                              "  return %0, %1 : " +
                              kT + ", " + kT);
  EXPECT_EQ(Propagated(text, Mode::Shardy)["t"], "x,");
  EXPECT_EQ(Propagated(text, Mode::Sdy)["t"], ",");
}

TEST(Propagate, ManualResultsThatNobodyUsesAreWhereTheTextSays) {
  std::string text =
      Main("%a: " + kT, "(" + kT + ")",
           "  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{\"x\"}, {}]>] out_shardings=[<@mesh, [{\"x\"}, "
           "{}]>] manual_axes={\"x\"} (%b: tensor<4x16xf32>) {\n"
           "    %1 = stablehlo.tanh %b : tensor<4x16xf32>\n    sdy.return %1 : tensor<4x16xf32>\n  } : (" +
               kT + ") -> " + kT + "\n  return %a : " + kT);
  EXPECT_EQ(Propagated(text, Mode::Shardy)["0"], "x,");
}

TEST(Propagate, ClassicContractionsPassCopiesOn) {
  // The product keeps no axis of %a, and knows it: %b may follow.
  Propagated p(Main("%a: " + Typed("tensor<16xf32>", "[{\"x\"}]") + ", %b: tensor<16x3xf32>", "(tensor<3xf32>)",
                    "  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<16xf32>, "
                    "tensor<16x3xf32>) -> tensor<3xf32>\n"
                    "  return %0 : tensor<3xf32>"),
               Mode::Gspmd);
  EXPECT_EQ(p["0"], "");
  EXPECT_EQ(p["b"], "x,");
}

TEST(Propagate, NoneKeepsWhatIsGivenThoughItDoesNotDivide) {
  std::string text = Main("%a: " + Typed("tensor<3x16xf32>", "[{\"x\"}, {\"y\":(1)2, ?}]"), "(tensor<3x16xf32>)",
                          "  %0 = stablehlo.tanh %a : tensor<3x16xf32>\n  return %0 : tensor<3x16xf32>");
  EXPECT_EQ(Propagated(text, Mode::None).Arg(0), "x,y:(1)2");
  EXPECT_EQ(Propagated(text, Mode::Shardy).Arg(0), ",");
}

TEST(Propagate, WhatIsHandedToACallWaitsForTheNextRun) {
  // The product has what %b has by the time the call's arguments are decided.
  const std::string t = "tensor<16x16xf32>";
  Propagated p(
      Main("%a: " + Typed(t, "[{\"y\"}, {}]") + ", %b: " + t, "(" + t + ", " + Typed(t, "[{?}, {\"x\"}]") + ")",
           "  %1 = stablehlo.transpose %b, dims = [1, 0] : (" + t + ") -> " + t +
               "\n  %2 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (" + t + ", " + t + ") -> " + t +
               "\n  %3 = call @f(%2, %1) : (" + t + ", " + t + ") -> " + t +
               "\n  %4 = sdy.sharding_constraint %b <@mesh, [{\"y\"}, {?}]> : " + t + "\n  return %3, %4 : " + t +
               ", " + t) +
          "func.func private @f(%p: " + t + ", %q: " + t + ") -> " + t + " {\n  %t = stablehlo.multiply %p, %q : " + t +
          "\n  return %t : " + t + "\n}\n",
      Mode::Sdy);
  EXPECT_EQ(p["2"], ",x");
  EXPECT_EQ(p["t"], "x,");
}

TEST(Propagate, ClassicSortsKeepASplitDimThatCanMove) {
  auto sorted = [](const std::string& type) {
    return Propagated(Main("%a: " + Typed(type, "[{}, {\"y\"}]"), "(" + type + ")",
                           "  %0 = \"stablehlo.sort\"(%a) <{dimension = 1 : i64, is_stable = true}> ({\n"
                           "  ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
                           "    %l = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
                           "    stablehlo.return %l : tensor<i1>\n  }) : (" +
                               type + ") -> " + type + "\n  return %0 : " + type),
                      Mode::Gspmd)["0"];
  };
  EXPECT_EQ(sorted("tensor<8x16xf32>"), ",y");
  EXPECT_EQ(sorted("tensor<3x16xf32>"), ",");
}

}  // namespace
}  // namespace spmdc::propagate::testing
