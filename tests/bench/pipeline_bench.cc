// How long each stage takes on a chain of sharded layers, by the number of layers and by the number of devices.
//
//   build/release/spmdc_pipeline_bench --benchmark_filter=Stages
//   SPMDC_BENCH_FILES=a.mlir:b.hlo build/release/spmdc_pipeline_bench --benchmark_filter=Files     somebody's files
//
// items_per_second counts instructions of the StableHLO text; the counters are milliseconds of each stage in one run. What
// is timed begins with a text in memory and ends with another one; `compare_with_xla` times whole processes.
#include <benchmark/benchmark.h>

#include "bench/files.h"
#include "driver/compilation.h"
#include "llvm/Support/FormatVariadic.h"
#include "support/heap.h"
#include "text/hlo/writer.h"

namespace spmdc {
namespace {

constexpr int64_t kInstsPerLayer = 4;

// x = tanh(x @ w + b), over and over: w is split over `model`, x over `data`, so that every layer needs a collective.
std::string Layers(int64_t layers, int64_t devices) {
  std::string text = llvm::formatv("module {{\n  sdy.mesh @mesh = <[\"data\"={0}, \"model\"=2]>\n", devices / 2);
  text +=
      "  func.func public @main(%x: tensor<262144x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"data\"}, {}]>}, "
      "%w: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"model\"}, {}]>}, "
      "%b: tensor<64xf32>) -> tensor<262144x64xf32> {\n";
  std::string x = "%x";
  for (int64_t i = 0; i < layers; ++i) {
    text += llvm::formatv(
        "    %d{0} = stablehlo.dot_general {1}, %w, contracting_dims = [1] x [0] : (tensor<262144x64xf32>, "
        "tensor<64x64xf32>) -> tensor<262144x64xf32>\n"
        "    %c{0} = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<64xf32>) -> tensor<262144x64xf32>\n"
        "    %a{0} = stablehlo.add %d{0}, %c{0} : tensor<262144x64xf32>\n"
        "    %t{0} = stablehlo.tanh %a{0} : tensor<262144x64xf32>\n",
        i, x);
    x = "%t" + std::to_string(i);
  }
  return text + "    return " + x + " : tensor<262144x64xf32>\n  }\n}\n";
}

// From the text of a program to that of one device, again and again.
void Compile(benchmark::State& state, const std::string& name, const std::string& text) {
  std::vector<double> milliseconds(5, 0);
  for (auto _ : state) {
    driver::Compilation compilation(name, text, {});
    if (!compilation.Run(llvm::nulls())) {
      state.SkipWithError("the program does not compile");
      return;
    }
    std::string hlo = text::hlo::Write(*compilation.PerDevice(), {});
    benchmark::DoNotOptimize(hlo.data());
    for (const driver::StageTime& time : compilation.times()) {
      milliseconds[static_cast<size_t>(time.stage)] += time.milliseconds;
    }
  }
  for (size_t i = 0; i < milliseconds.size(); ++i) {
    state.counters[driver::Name(static_cast<driver::Stage>(i)).str()] =
        benchmark::Counter(milliseconds[i], benchmark::Counter::kAvgIterations);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}

void Stages(benchmark::State& state) {
  int64_t layers = state.range(0);
  Compile(state, "layers.mlir", Layers(layers, state.range(1)));
  state.SetItemsProcessed(state.iterations() * layers * kInstsPerLayer);
}
BENCHMARK(Stages)
    ->ArgNames({"layers", "devices"})
    ->Unit(benchmark::kMillisecond)
    ->Args({10, 8})
    ->Args({100, 8})
    ->Args({1000, 8})
    ->Args({10000, 8})
    ->Args({100, 65536});

bool RegisterFiles() {
  bench::ForEachFile([](const bench::File& file) {
    benchmark::RegisterBenchmark(("Files/" + file.name).c_str(), [file](benchmark::State& state) {
      Compile(state, file.path, file.text);
    })->Unit(benchmark::kMillisecond);
  });
  return true;
}

[[maybe_unused]] const bool kRegistered = RegisterFiles();

}  // namespace
}  // namespace spmdc

// The heap is the tool's.
int main(int argc, char** argv) {
  spmdc::ReserveHeap();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
