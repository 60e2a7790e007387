// Benchmark of the readers: bytes of text a second, beside counting the lines of the same text.
//
//   spmdc_text_bench                                     a program made for it, in both languages
//   SPMDC_BENCH_FILES=a.mlir:b.hlo spmdc_text_bench      somebody's files
#include <algorithm>
#include <cstdlib>
#include <string>

#include "benchmark/benchmark.h"
#include "llvm/Support/MemoryBuffer.h"
#include "source/source_manager.h"
#include "support/starts_with.h"
#include "text/hlo/reader.h"
#include "text/hlo/writer.h"
#include "text/stablehlo/reader.h"

namespace spmdc::text {
namespace {

// Layers of a perceptron with its bias and activation, as JAX prints them.
std::string Layers(int layers) {
  std::string body, last = "%x";
  for (int i = 0; i < layers; ++i) {
    auto value = [&](int k) { return "%" + std::to_string(4 * i + k); };
    body += "    " + value(0) + " = stablehlo.dot_general " + last +
            ", %w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x256xf32>, "
            "tensor<256x256xf32>) -> tensor<64x256xf32>\n";
    body += "    " + value(1) +
            " = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<256xf32>) -> "
            "tensor<64x256xf32>\n";
    body += "    " + value(2) + " = stablehlo.add " + value(0) + ", " + value(1) + " : tensor<64x256xf32>\n";
    body += "    " + value(3) + " = stablehlo.tanh " + value(2) + " : tensor<64x256xf32>\n";
    last = value(3);
  }
  return "module {\n  sdy.mesh @mesh = <[\"data\"=4, \"model\"=2]>\n"
         "  func.func public @main(%x: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"data\"}, {}]>}, "
         "%w: tensor<256x256xf32>, %b: tensor<256xf32>) -> tensor<64x256xf32> {\n" +
         body + "    return " + last + " : tensor<64x256xf32>\n  }\n}\n";
}

bool IsHlo(llvm::StringRef text) { return StartsWith(text.ltrim(), "HloModule"); }

std::optional<ir::Module> ReadAny(const std::string& text) {
  source::SourceManager sources;
  diag::Engine diags(&sources);
  source::FileId file = sources.Add("bench", text);
  return IsHlo(text) ? hlo::Read(file, diags) : stablehlo::Read(file, diags);
}

void Parse(benchmark::State& state, const std::string& text) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(ReadAny(text));
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}

void CountLines(benchmark::State& state, const std::string& text) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(std::count(text.begin(), text.end(), '\n'));
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}

void Register(const std::string& name, const std::string& text) {
  benchmark::RegisterBenchmark(("parse/" + name).c_str(), [text](benchmark::State& state) { Parse(state, text); });
  benchmark::RegisterBenchmark(("lines/" + name).c_str(), [text](benchmark::State& state) { CountLines(state, text); });
}

bool RegisterAll() {
  std::string layers = Layers(5000);
  Register("stablehlo", layers);
  if (std::optional<ir::Module> module = ReadAny(layers)) {
    Register("hlo", hlo::Write(*module, {}));
  }
  const char* files = std::getenv("SPMDC_BENCH_FILES");
  llvm::StringRef rest = files == nullptr ? "" : files;
  while (!rest.empty()) {
    auto [path, behind] = rest.split(':');
    rest = behind;
    if (auto buffer = llvm::MemoryBuffer::getFile(path)) {
      Register(path.rsplit('/').second.str(), (*buffer)->getBuffer().str());
    }
  }
  return true;
}

[[maybe_unused]] const bool kRegistered = RegisterAll();

}  // namespace
}  // namespace spmdc::text
