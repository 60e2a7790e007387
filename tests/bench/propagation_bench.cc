// How long propagation takes by the number of ops, and how much memory, on a mesh of 65,536 devices.
//
//   build/release/spmdc_propagation_bench
//
// The pass alone: from a program to a new one with shardings and origins. items_per_second counts ops; peak_MB is what the
// process holds at most while the pass runs, both programs included. `Growth` gives the time per op at 1,000,000 ops over
// that at 10,000: below 1.3 the pass counts as linear. compare_with_shardy measures Shardy's pass on the same program.
// Last seen, on cores that others used too: growth 1.2 in mode shardy and 1.1 in gspmd, which takes twice as long; 59 times
// the memory for a hundred times the ops; Shardy's pass takes 53 times as long as ours at 10,000 ops.
#include <benchmark/benchmark.h>

#include <ctime>
#include <fstream>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "op/builder.h"
#include "ops/dot.h"
#include "ops/shape.h"
#include "propagate/propagate.h"
#include "source/source_manager.h"

namespace spmdc {
namespace {

using Mode = propagate::Options::Mode;

// A chain of layers, each x = tanh(x @ w + b); only arguments are annotated, so that everything has to be decided.
class Layers {
 public:
  explicit Layers(int64_t ops) : module_(std::make_shared<ir::Tables>()), diags_(&sources_) {
    module_.entry = module_.functions.Add({});
    mesh::Mesh mesh = {"mesh", {{"data", 256}, {"model", 256}}};
    module_.mesh = module_.tables->meshes.Intern(mesh);
    module_.num_devices = mesh.size();
    entry().name = "main";
    ir::ValueId x = AddArg("x", {262144, 1024}, {{{0, 1, 256}}, {}});
    ir::ValueId w = AddArg("w", {1024, 1024}, {{}, {{1, 1, 256}}});
    ir::ValueId b = AddArg("b", {1024}, {{}});
    entry().insts.reserve(static_cast<size_t>(ops));
    entry().values.reserve(static_cast<size_t>(ops) + 3);
    for (int64_t i = 0; i < ops / 4; ++i) {
      x = AddLayer(x, w, b, std::to_string(i));
    }
    entry().results.push_back(x);
    entry().result_info.emplace_back();
  }

  std::optional<ir::Module> Propagate(Mode mode) {
    propagate::Options options;
    options.mode = mode;
    return propagate::Propagate(module_, options, diags_);
  }

 private:
  ir::Function& entry() { return module_.functions[module_.entry]; }

  ir::ValueId AddArg(llvm::StringRef name, llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<mesh::AxisList> axes) {
    mesh::Sharding sharding = mesh::Replicated(module_.mesh, dims.size());
    for (size_t d = 0; d < dims.size(); ++d) {
      sharding.dims[d].axes = axes[d];
    }
    ir::BoundaryInfo info;
    info.sharding = name == "b" ? mesh::ShardingId() : module_.tables->shardings.Intern(sharding);
    ir::Value value;
    value.type = module_.tables->types.Intern(ir::ArrayType(tensor::DType::F32, dims));
    value.name = name.str();
    return entry().AddArg(std::move(value), std::move(info));
  }

  ir::ValueId AddLayer(ir::ValueId x, ir::ValueId w, ir::ValueId b, const std::string& number) {
    op::Builder builder(module_, module_.entry, diags_);
    ops::DotGeneralAttrs dot;
    dot.lhs_contracting = {1};
    dot.rhs_contracting = {0};
    ir::ValueId product =
        builder.Add1(ir::OpKind::DotGeneral, {x, w}, builder.Attrs(std::move(dot)), {}, {}, "d" + number);
    ops::BroadcastInDimAttrs stretch;
    stretch.dims = builder.type(product).dims;
    stretch.broadcast_dims = {1};
    ir::ValueId bias =
        builder.Add1(ir::OpKind::BroadcastInDim, {b}, builder.Attrs(std::move(stretch)), {}, {}, "c" + number);
    ir::ValueId sum = builder.Add1(ir::OpKind::Add, {product, bias}, {}, {}, {}, "a" + number);
    return builder.Add1(ir::OpKind::Tanh, {sum}, {}, {}, {}, "t" + number);
  }

  ir::Module module_;
  source::SourceManager sources_;
  diag::Engine diags_;
};

// The most memory that the process held since the last ResetPeak.
void ResetPeak() { std::ofstream("/proc/self/clear_refs") << "5"; }
double PeakMegabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    llvm::StringRef field = line;
    if (field.consume_front("VmHWM:")) {
      uint64_t kilobytes = 0;
      field = field.ltrim();
      field.consumeInteger(10, kilobytes);
      return static_cast<double>(kilobytes) / 1024;
    }
  }
  return 0;
}

void Propagate(benchmark::State& state, Mode mode) {
  Layers program(state.range(0));
  ResetPeak();
  for (auto _ : state) {
    std::optional<ir::Module> out = program.Propagate(mode);
    benchmark::DoNotOptimize(out);
  }
  state.counters["peak_MB"] = PeakMegabytes();
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

// Processor seconds an op, over all runs.
double SecondsPerOp(int64_t ops, Mode mode, int runs) {
  Layers program(ops);
  std::clock_t start = std::clock();
  for (int i = 0; i < runs; ++i) {
    std::optional<ir::Module> out = program.Propagate(mode);
    benchmark::DoNotOptimize(out);
  }
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / static_cast<double>(ops * runs);
}

void Growth(benchmark::State& state, Mode mode) {
  for (auto _ : state) {
    // As many ops in all.
    double few = SecondsPerOp(10000, mode, 200);
    double many = SecondsPerOp(1000000, mode, 2);
    state.counters["growth"] = many / few;
  }
}

BENCHMARK_CAPTURE(Propagate, shardy, Mode::Shardy)
    ->Arg(10000)
    ->Arg(100000)
    ->Arg(1000000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Propagate, sdy, Mode::Sdy)->Arg(10000)->Arg(100000)->Arg(1000000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Propagate, gspmd, Mode::Gspmd)->Arg(10000)->Arg(100000)->Arg(1000000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Growth, shardy, Mode::Shardy)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Growth, gspmd, Mode::Gspmd)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace spmdc
