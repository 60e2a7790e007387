// Benchmark of the readers: bytes of text a second, beside counting the lines of the same text.
//
//   spmdc_text_bench                                     a program made for it, in both languages
//   SPMDC_BENCH_FILES=a.mlir:b.hlo spmdc_text_bench      somebody's files
//
// Timed is what makes a checked program of a text in memory; freeing the program is not.
// `peak/text`: how many bytes of memory reading takes at most for each byte of text, the text and the program that is made
// of it included. For figures to compare, on a machine that does nothing else:
//
//   taskset -c 1 spmdc_text_bench --benchmark_min_time=1 --benchmark_repetitions=5 --benchmark_report_aggregates_only
#include <malloc.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "bench/files.h"
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

// A text as a compilation holds it.
struct Source {
  explicit Source(const std::string& text) : file(sources.Add("bench", text)) {}

  std::optional<ir::Module> Read() const {
    diag::Engine diags(&sources);
    return IsHlo(sources.text(file)) ? hlo::Read(file, diags) : stablehlo::Read(file, diags);
  }

  source::SourceManager sources;
  source::FileId file;
};

// A number of bytes that the system says of this process: `VmRSS:` what is resident, `VmHWM:` the most that was.
double Memory(llvm::StringRef name) {
  auto status = llvm::MemoryBuffer::getFileAsStream("/proc/self/status");
  double kibibytes = 0;
  if (status) {
    llvm::StringRef line = (*status)->getBuffer().split(name).second.split('\n').first;
    line.trim(" \tkB").getAsDouble(kibibytes);
  }
  return kibibytes * 1024;
}

// The most memory that reading a text takes, over what there was before.
double PeakOf(const std::string& text) {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";  // VmHWM counts from here
  double before = Memory("VmRSS:");
  Source source(text);
  benchmark::DoNotOptimize(source.Read());
  return Memory("VmHWM:") - before;
}

void Parse(benchmark::State& state, const std::string& text) {
  double peak = PeakOf(text);
  Source source(text);
  for (auto _ : state) {
    std::optional<ir::Module> module = source.Read();
    state.PauseTiming();
    module.reset();
    state.ResumeTiming();
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
  state.counters["peak/text"] = peak / static_cast<double>(text.size());
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
  if (std::optional<ir::Module> module = Source(layers).Read()) {
    Register("hlo", hlo::Write(*module, {}));
  }
  bench::ForEachFile([](const bench::File& file) { Register(file.name, file.text); });
  return true;
}

[[maybe_unused]] const bool kRegistered = RegisterAll();

}  // namespace
}  // namespace spmdc::text
