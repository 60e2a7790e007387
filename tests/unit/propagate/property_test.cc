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

// Square arrays through elementwise ops, transposes and contractions; every statement names the operands it uses.
struct Program {
  struct Statement {
    std::string result;
    std::vector<std::string> operands;
    std::string op;  // with %0, %1 for the operands
  };
  std::vector<std::string> args, results;  // shardings; empty: none
  std::vector<Statement> statements;
  std::vector<size_t> returned;

  std::string Text(const std::string& prefix) const {
    std::string text = "sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]>\nfunc.func @main(";
    for (size_t i = 0; i < args.size(); ++i) {
      text += (i == 0 ? "%" : ", %") + prefix + "a" + std::to_string(i) + ": " + Type(args[i]);
    }
    text += ") -> (";
    for (size_t i = 0; i < returned.size(); ++i) {
      text += (i == 0 ? "" : ", ") + Type(results[i]);
    }
    text += ") {\n";
    for (const Statement& s : statements) {
      std::string op = s.op;
      for (size_t i = 0; i < s.operands.size(); ++i) {
        std::string place = "%" + std::to_string(i);
        for (size_t at = op.find(place); at != std::string::npos; at = op.find(place, at + 1)) {
          op.replace(at, place.size(), "%" + prefix + s.operands[i]);
        }
      }
      text += "  %" + prefix + s.result + " = " + op + "\n";
    }
    text += "  return ";
    for (size_t i = 0; i < returned.size(); ++i) {
      text += (i == 0 ? "%" : ", %") + prefix + "v" + std::to_string(returned[i]);
    }
    text += " : ";
    for (size_t i = 0; i < returned.size(); ++i) {
      text += i == 0 ? "tensor<16x16xf32>" : ", tensor<16x16xf32>";
    }
    return text + "\n}\n";
  }

 private:
  static std::string Type(const std::string& sharding) {
    return "tensor<16x16xf32>" + (sharding.empty() ? "" : " {sdy.sharding = #sdy.sharding<@mesh, " + sharding + ">}");
  }
};

Program Make(uint64_t seed) {
  const std::vector<std::string> shardings = {
      "", "", "[{\"x\"}, {}]", "[{}, {\"y\"}]", "[{\"y\"}, {\"x\"}]", "[{\"x\", \"y\"}, {}]", "[{}, {\"x\", ?}]"};
  const std::string t = "tensor<16x16xf32>";
  const std::vector<std::pair<size_t, std::string>> ops = {
      {1, "stablehlo.tanh %0 : " + t},
      {2, "stablehlo.add %0, %1 : " + t},
      {2, "stablehlo.multiply %0, %1 : " + t},
      {1, "stablehlo.transpose %0, dims = [1, 0] : (" + t + ") -> " + t},
      {2, "stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (" + t + ", " + t + ") -> " + t},
      {1, "sdy.sharding_constraint %0 <@mesh, [{\"y\"}, {}]> : " + t},
  };
  Random random(seed);
  Program program;
  std::vector<std::string> names;
  for (size_t i = 0; i < 3; ++i) {
    program.args.push_back(shardings[random.Below(shardings.size())]);
    names.push_back("a" + std::to_string(i));
  }
  for (size_t i = 0; i < 12; ++i) {
    const auto& [count, op] = ops[random.Below(ops.size())];
    Program::Statement statement = {"v" + std::to_string(i), {}, op};
    for (size_t k = 0; k < count; ++k) {
      statement.operands.push_back(names[random.Below(names.size())]);
    }
    names.push_back(statement.result);
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
      return llvm::none_of(left, [&](const Program::Statement& other) { return other.result == name; });
    });
  };
  while (!left.empty()) {
    size_t i = random.Below(left.size());
    if (ready(left[i])) {
      permuted.statements.push_back(left[i]);
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return permuted;
}

class EveryMode : public ::testing::TestWithParam<Mode> {};

TEST_P(EveryMode, NamesDoNotCount) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Program program = Make(seed);
    Propagated plain(program.Text(""), GetParam()), renamed(program.Text("other_"), GetParam());
    for (const Program::Statement& s : program.statements) {
      EXPECT_EQ(plain[s.result], renamed["other_" + s.result]) << "seed " << seed << ", " << s.result;
    }
  }
}

TEST_P(EveryMode, AClosedProgramStaysAsItIs) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Propagated p(Make(seed).Text(""), GetParam());
    std::vector<std::string> once;
    for (size_t i = 0; i < 3; ++i) {
      once.push_back(p.Arg(i));
      once.push_back(p.Result(i));
    }
    const ir::Module closed = *p.out;
    p.Run(closed, GetParam());
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(once[2 * i], p.Arg(i)) << "seed " << seed << ", argument " << i;
      EXPECT_EQ(once[2 * i + 1], p.Result(i)) << "seed " << seed << ", result " << i;
    }
  }
}

TEST_P(EveryMode, ClosedAnnotationsAreKept) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Program program = Make(seed);
    Propagated p(program.Text(""), GetParam());
    for (size_t i = 0; i < program.args.size(); ++i) {
      if (program.args[i] == "[{\"x\"}, {}]") {
        EXPECT_EQ(p.Arg(i), "x,") << "seed " << seed;
      }
    }
    for (const Program::Statement& s : program.statements) {
      if (s.op.find("constraint") != std::string::npos) {
        EXPECT_TRUE(p[s.result] == "y,") << "seed " << seed << ", " << s.result << ": " << p[s.result];
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
      EXPECT_EQ(plain[s.result], permuted[s.result]) << "seed " << seed << ", " << s.result;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Propagate, FromTheResults, ::testing::Values(Mode::Shardy, Mode::Gspmd));

}  // namespace
}  // namespace spmdc::propagate::testing
