// What holds for every program: names do not count, nor does the order of independent statements; a closed program stays as
// it is; annotations are kept.
#include "llvm/ADT/STLExtras.h"
#include "programs.h"

namespace spmdc::propagate::testing {
namespace {

using Mode = Options::Mode;

// Small numbers that are the same everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 2654435761U + 1) {}
  size_t Below(size_t n) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<size_t>(state_ >> 33U) % n;
  }

 private:
  uint64_t state_;
};

// Square arrays through elementwise ops, transposes, contractions, loops, branches, calls and manual regions; every statement
// names the operands it uses.
struct Program {
  struct Statement {
    std::string result;
    std::vector<std::string> operands;
    std::string op;       // with %0, %1 for the operands, %@x for a name of the statement's own, %? for an argument's
    bool second = false;  // of two results the second is meant

    std::string name() const { return second ? result + "#1" : result; }
  };
  std::vector<std::string> args, results;  // shardings; empty: none
  std::vector<Statement> statements;
  std::vector<size_t> returned;

  std::string Text(const std::string& prefix) const {
    std::string text = "sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]>\nfunc.func @main(%" + prefix + "n: tensor<i32>, %" +
                       prefix + "p: tensor<i1>";
    for (size_t i = 0; i < args.size(); ++i) {
      text += ", %" + prefix + "a" + std::to_string(i) + ": " + Type(args[i]);
    }
    text += ") -> (";
    for (size_t i = 0; i < returned.size(); ++i) {
      text += (i == 0 ? "" : ", ") + Type(results[i]);
    }
    text += ") {\n";
    for (const Statement& s : statements) {
      std::string op = s.op;
      for (size_t i = 0; i < s.operands.size(); ++i) {
        Replace(op, "%" + std::to_string(i), "%" + prefix + s.operands[i]);
      }
      Replace(op, "%@", "%" + prefix + s.result + "_");
      Replace(op, "%?", "%" + prefix);
      text += "  %" + prefix + s.result + (s.second ? ":2 = " : " = ") + op + "\n";
    }
    text += "  return ";
    for (size_t i = 0; i < returned.size(); ++i) {
      text += (i == 0 ? "%" : ", %") + prefix + statements[returned[i]].name();
    }
    text += " : ";
    for (size_t i = 0; i < returned.size(); ++i) {
      text += i == 0 ? "tensor<16x16xf32>" : ", tensor<16x16xf32>";
    }
    return text + "\n}\nfunc.func private @called(%c: tensor<16x16xf32>) -> tensor<16x16xf32> {\n" +
           "  %d = stablehlo.transpose %c, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>\n" +
           "  return %d : tensor<16x16xf32>\n}\n";
  }

 private:
  static void Replace(std::string& text, const std::string& from, const std::string& to) {
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
  }
  static std::string Type(const std::string& sharding) {
    return "tensor<16x16xf32>" + (sharding.empty() ? "" : " {sdy.sharding = #sdy.sharding<@mesh, " + sharding + ">}");
  }
};

// What annotations say, and how a value that has exactly that is shown.
struct Annotation {
  std::string text, shown;
};
const std::vector<Annotation> kClosed = {
    {"[{\"x\"}, {}]", "x,"}, {"[{}, {\"y\"}]", ",y"}, {"[{\"y\"}, {\"x\"}]", "y,x"}, {"[{\"x\", \"y\"}, {}]", "x y,"}};

std::string ShownIfClosed(const std::string& text) {
  auto it = llvm::find_if(kClosed, [&](const Annotation& a) { return a.text == text; });
  return it == kClosed.end() ? "" : it->shown;
}

// One op on up to two arrays.
struct OpChoice {
  size_t operands = 1;
  std::string text;
  bool second = false;
};

const std::string kSquare = "tensor<16x16xf32>";

std::vector<OpChoice> StraightOps() {
  const std::string& t = kSquare;
  return {{1, "stablehlo.tanh %0 : " + t},
          {2, "stablehlo.add %0, %1 : " + t},
          {2, "stablehlo.multiply %0, %1 : " + t},
          {1, "stablehlo.transpose %0, dims = [1, 0] : (" + t + ") -> " + t},
          {2, "stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (" + t + ", " + t + ") -> " + t},
          {1, "sdy.sharding_constraint %0 <@mesh, [{\"y\"}, {}]> : " + t}};
}

std::vector<OpChoice> NestedOps() {
  const std::string& t = kSquare;
  std::vector<OpChoice> ops = StraightOps();
  ops.push_back({2,
                 "stablehlo.while(%@i = %?n, %@x = %0) : tensor<i32>, " + t +
                     "\n cond {\n  %@l = stablehlo.compare LT, %@i, %?n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
                     "  stablehlo.return %@l : tensor<i1>\n } do {\n  %@w = stablehlo.add %@x, %1 : " +
                     t + "\n  stablehlo.return %@i, %@w : tensor<i32>, " + t + "\n }",
                 true});
  ops.push_back({2, "\"stablehlo.if\"(%?p) ({\n  %@t = stablehlo.tanh %0 : " + t + "\n  stablehlo.return %@t : " + t +
                        "\n }, {\n  %@e = stablehlo.add %0, %1 : " + t + "\n  stablehlo.return %@e : " + t +
                        "\n }) : (tensor<i1>) -> " + t});
  ops.push_back({1, "call @called(%0) : (" + t + ") -> " + t});
  ops.push_back({1, "stablehlo.optimization_barrier %0 : " + t});
  ops.push_back({1,
                 "sdy.manual_computation(%0) in_shardings=[<@mesh, [{\"x\"}, {?}]>] out_shardings=[<@mesh, [{\"x\"}, "
                 "{?}]>] manual_axes={\"x\"} (%@b: tensor<8x16xf32>) {\n  %@m = stablehlo.tanh %@b : "
                 "tensor<8x16xf32>\n  sdy.return %@m : tensor<8x16xf32>\n } : (" +
                     t + ") -> " + t});
  return ops;
}

Program Make(uint64_t seed) {
  const std::vector<std::string> shardings = {
      "", "", kClosed[0].text, kClosed[1].text, kClosed[2].text, kClosed[3].text, "[{}, {\"x\", ?}]"};
  // Every other program has nested ops too.
  const std::vector<OpChoice> ops = seed % 2 == 0 ? StraightOps() : NestedOps();
  Random random(seed);
  Program program;
  std::vector<std::string> names;
  for (size_t i = 0; i < 3; ++i) {
    program.args.push_back(shardings[random.Below(shardings.size())]);
    names.push_back("a" + std::to_string(i));
  }
  for (size_t i = 0; i < 12; ++i) {
    const OpChoice& op = ops[random.Below(ops.size())];
    Program::Statement statement = {"v" + std::to_string(i), {}, op.text, op.second};
    for (size_t k = 0; k < op.operands; ++k) {
      statement.operands.push_back(names[random.Below(names.size())]);
    }
    names.push_back(statement.name());
    program.statements.push_back(std::move(statement));
  }
  program.returned = {9, 10, 11};
  for (size_t i = 0; i < program.returned.size(); ++i) {
    program.results.push_back(shardings[random.Below(shardings.size())]);
  }
  return program;
}

// The same statements in another order that is as good.
Program Permuted(const Program& program, uint64_t seed) {
  Random random(seed);
  Program permuted = program;
  permuted.statements.clear();
  std::vector<Program::Statement> left = program.statements;
  auto ready = [&](const Program::Statement& s) {
    return llvm::all_of(s.operands, [&](const std::string& name) {
      return llvm::none_of(left, [&](const Program::Statement& other) { return other.name() == name; });
    });
  };
  while (!left.empty()) {
    size_t i = random.Below(left.size());
    if (ready(left[i])) {
      permuted.statements.push_back(left[i]);
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  for (size_t& r : permuted.returned) {
    auto it = llvm::find_if(permuted.statements,
                            [&](const Program::Statement& s) { return s.result == program.statements[r].result; });
    r = static_cast<size_t>(it - permuted.statements.begin());
  }
  return permuted;
}

class EveryMode : public ::testing::TestWithParam<Mode> {
 protected:
  // What a program that is propagated again must keep. XLA forgets the shardings of ops before it hands a program to Shardy:
  // there it is the boundary.
  static std::vector<std::string> ToHold(const Propagated& p) {
    std::vector<std::string> all = GetParam() == Mode::Shardy ? std::vector<std::string>() : p.All();
    for (size_t i = 0; i < 3; ++i) {
      all.push_back(p.Arg(i + 2));
      all.push_back(p.Result(i));
    }
    return all;
  }
};

TEST_P(EveryMode, NamesDoNotCount) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Program program = Make(seed);
    Propagated plain(program.Text(""), GetParam()), renamed(program.Text("other_"), GetParam());
    EXPECT_EQ(plain.All(), renamed.All()) << "seed " << seed << "\n" << program.Text("");
  }
}

TEST_P(EveryMode, AClosedProgramStaysAsItIs) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Propagated p(Make(seed).Text(""), GetParam());
    std::vector<std::string> once = ToHold(p);
    const ir::Module closed = *p.out;
    p.Run(closed, GetParam());
    EXPECT_EQ(once, ToHold(p)) << "seed " << seed << "\n" << Make(seed).Text("");
  }
}

TEST_P(EveryMode, ClosedAnnotationsAreKept) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Program program = Make(seed);
    Propagated p(program.Text(""), GetParam());
    for (size_t i = 0; i < 3; ++i) {
      std::string arg = ShownIfClosed(program.args[i]), result = ShownIfClosed(program.results[i]);
      EXPECT_TRUE(arg.empty() || p.Arg(i + 2) == arg) << "seed " << seed << ", argument " << i << ": " << p.Arg(i + 2);
      EXPECT_TRUE(result.empty() || p.Result(i) == result)
          << "seed " << seed << ", result " << i << ": " << p.Result(i);
    }
    for (const Program::Statement& s : program.statements) {
      if (s.op.find("constraint") != std::string::npos) {
        EXPECT_EQ(p[s.result], "y,") << "seed " << seed << ", " << s.result;
      }
      if (s.op.find("manual") != std::string::npos) {
        // Manual axes first; free ones may follow, where the region is open.
        EXPECT_EQ(p[s.result].substr(0, 2), "x,") << "seed " << seed << ", " << s.result << ": " << p[s.result];
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Propagate, EveryMode, ::testing::Values(Mode::Shardy, Mode::Sdy, Mode::Gspmd, Mode::None));

class FromTheResults : public ::testing::TestWithParam<Mode> {};

TEST_P(FromTheResults, TheOrderOfIndependentStatementsDoesNotCount) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Program program = Make(seed);
    Propagated plain(program.Text(""), GetParam()), permuted(Permuted(program, seed).Text(""), GetParam());
    for (const Program::Statement& s : program.statements) {
      EXPECT_EQ(plain[s.name()], permuted[s.name()]) << "seed " << seed << ", " << s.name() << "\n" << program.Text("");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Propagate, FromTheResults, ::testing::Values(Mode::Shardy, Mode::Gspmd));

}  // namespace
}  // namespace spmdc::propagate::testing
