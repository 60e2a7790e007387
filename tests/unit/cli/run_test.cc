// Tests of whole runs of the tool on files in memory.
#include "cli/run.h"

#include <gtest/gtest.h>

#include <random>

#include "run/npy.h"

namespace spmdc::cli {
namespace {

struct Ran {
  int exit_code;
  std::string out, err;
};

struct RunTest : testing::Test {
  RunTest() {
    files.KeepWritesInMemory();
    files.Put("p.spmd",
              "mesh = make_mesh((4,), ('x',), axis_types=(Auto,))\n"
              "def main(a: f32[8] @ P('x')):\n"
              "    return a + a\n");
  }
  Ran RunTool(std::vector<std::string> args) {
    Ran ran;
    llvm::raw_string_ostream out(ran.out), err(ran.err);
    Io io{.out = out, .err = err, .files = files};
    ran.exit_code = cli::Run(args, io);
    files = io.files;
    return ran;
  }
  Files files;
};

TEST_F(RunTest, SavedResultsAreInputsOfTheNextRun) {
  Ran first = RunTool({"run", "p.spmd", "--save=out"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  ASSERT_TRUE(files.in_memory().count("out/out0.npy"));
  std::string saved = files.in_memory().at("out/out0.npy");

  Ran second = RunTool({"run", "--check", "p.spmd", "--input=a=out/out0.npy", "--save=again"});
  ASSERT_EQ(second.exit_code, 0) << second.err;
  EXPECT_NE(files.in_memory().at("again/out0.npy"), saved);
  EXPECT_EQ(files.in_memory().at("again/out0.npy").size(), saved.size());
}

TEST_F(RunTest, AnInputThatIsNotThereIsNamed) {
  Ran ran = RunTool({"run", "p.spmd", "--input=a=nowhere.npy"});
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_NE(ran.err.find("cannot read 'nowhere.npy'"), std::string::npos) << ran.err;
}

// Numbers of many digits, which round in every sum.
std::string ManyDigits(uint32_t seed, llvm::ArrayRef<int64_t> dims) {
  std::minstd_rand random(seed);
  tensor::Literal literal(tensor::DType::F32, dims);
  for (float& number : literal.mutable_data<float>()) {
    number = static_cast<float>(random() % 100003) / 500015.0f - 0.1f;
  }
  return run::WriteNpy(literal);
}

TEST_F(RunTest, RoundingOfPartialSumsIsNoDifference) {
  files.Put("sums.spmd",
            "mesh = make_mesh((4, 2), ('x', 'y'))\n"
            "def main(a: f32[256@x, 64], b: f32[256@x, 64@y], c: f32[256@x, 64], d: f32[256@x, 64@y]):\n"
            "    p = einsum('bi,bo->io', a, b, out_sharding=P(None, 'y', unreduced={'x'}))\n"
            "    q = einsum('bi,bo->io', c, d, out_sharding=P(None, 'y', unreduced={'x'}))\n"
            "    return reshard(p + q, P('x', 'y'))\n");
  for (uint32_t seed = 1; seed <= 5; ++seed) {
    std::vector<std::string> args = {"run", "--check", "sums.spmd"};
    for (const char* name : {"a", "b", "c", "d"}) {
      files.Put(std::string(name) + ".npy", ManyDigits(seed * 7 + static_cast<uint32_t>(name[0]), {256, 64}));
      args.push_back(std::string("--input=") + name + "=" + name + ".npy");
    }
    Ran ran = RunTool(args);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
  }
}

TEST_F(RunTest, EveryIterationIsTold) {
  Ran ran = RunTool({"run", "--check", "p.spmd", "--iterations=3", "-o", "told.txt"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  llvm::StringRef told = files.in_memory().at("told.txt");
  EXPECT_EQ(told.count("same numbers on 4 devices"), 3u) << told.str();
}

}  // namespace
}  // namespace spmdc::cli
