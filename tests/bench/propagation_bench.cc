// How long propagation takes by the number of ops, on a mesh of 65,536 devices.
//
//   build/release/spmdc_propagation_bench
//
// items_per_second counts ops; it should not fall with their number.
#include <benchmark/benchmark.h>

#include "llvm/Support/FormatVariadic.h"
#include "propagate/propagate.h"
#include "source/source_manager.h"
#include "text/stablehlo/reader.h"

namespace spmdc {
namespace {

using Mode = propagate::Options::Mode;

// Layers of four ops; only arguments are annotated, so that everything has to be decided.
std::string Layers(int64_t ops) {
  std::string text =
      "sdy.mesh @mesh = <[\"data\"=256, \"model\"=256]>\n"
      "func.func public @main(%x: tensor<262144x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"data\"}, {}]>}, "
      "%w: tensor<1024x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {\"model\"}]>}, %b: tensor<1024xf32>) -> "
      "tensor<262144x1024xf32> {\n";
  std::string x = "%x";
  for (int64_t i = 0; i < ops / 4; ++i) {
    text += llvm::formatv(
        "  %d{0} = stablehlo.dot_general {1}, %w, contracting_dims = [1] x [0] : (tensor<262144x1024xf32>, "
        "tensor<1024x1024xf32>) -> tensor<262144x1024xf32>\n"
        "  %c{0} = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<1024xf32>) -> tensor<262144x1024xf32>\n"
        "  %a{0} = stablehlo.add %d{0}, %c{0} : tensor<262144x1024xf32>\n"
        "  %t{0} = stablehlo.tanh %a{0} : tensor<262144x1024xf32>\n",
        i, x);
    x = "%t" + std::to_string(i);
  }
  return text + "  return " + x + " : tensor<262144x1024xf32>\n}\n";
}

void Propagate(benchmark::State& state, Mode mode) {
  source::SourceManager sources;
  diag::Engine diags(&sources);
  std::optional<ir::Module> module = text::stablehlo::Read(sources.Add("layers.mlir", Layers(state.range(0))), diags);
  propagate::Options options;
  options.mode = mode;
  for (auto _ : state) {
    std::optional<ir::Module> out = propagate::Propagate(*module, options, diags);
    benchmark::DoNotOptimize(out);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

BENCHMARK_CAPTURE(Propagate, shardy, Mode::Shardy)
    ->Arg(10000)
    ->Arg(100000)
    ->Arg(1000000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Propagate, sdy, Mode::Sdy)->Arg(10000)->Arg(100000)->Arg(1000000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Propagate, gspmd, Mode::Gspmd)->Arg(10000)->Arg(100000)->Arg(1000000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace spmdc
