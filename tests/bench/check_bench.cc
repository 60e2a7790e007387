// How long the check of a partitioned program takes, beside what oneDNN needs for the same products of matrices.
//
//   SPMDC_BENCH_FILES=a.mlir:b.mlir build/release/spmdc_check_bench
//
// The time is of the check with random inputs, as `run --check` makes it, on one thread. `onednn_ms` is the least that
// oneDNN alone took for the contractions of one run of the whole program and one of all devices, in f32 whatever type the
// program has, its kernels compiled before; `onednn_first_ms` is what the first time took, as in a process that does nothing
// else. The check runs the whole program up to three times, once in wider floats. `times` and `times_first` are the ratios.
#include <benchmark/benchmark.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "bench/files.h"
#include "driver/compilation.h"
#include "ops/dot.h"
#include "ops/onednn.h"
#include "run/boundary.h"
#include "run/inputs.h"

namespace spmdc {
namespace {

using Clock = std::chrono::steady_clock;

double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Counts products of matrices by their sizes: batch, rows, k, columns.
class Products final : public run::Observer {
 public:
  bool OnValue(const run::Event& event, run::Slot&, const tensor::Literal&, run::Failure&) override {
    ir::InstId def = event.function.values[event.value].def;
    if (def.valid() && event.function.insts[def].op == ir::OpKind::DotGeneral) {
      ++counts_[SizesOf(event.function, event.function.insts[def])];
    }
    return true;
  }
  void In(const ir::Module& module) { module_ = &module; }
  // Into a pipe and out of it.
  void WriteTo(int file) const {
    for (const auto& [sizes, count] : counts_) {
      std::array<int64_t, 5> row = {sizes[0], sizes[1], sizes[2], sizes[3], count};
      if (write(file, row.data(), sizeof(row)) != static_cast<ssize_t>(sizeof(row))) {
        return;
      }
    }
  }
  void ReadFrom(int file) {
    std::array<int64_t, 5> row{};
    while (read(file, row.data(), sizeof(row)) == static_cast<ssize_t>(sizeof(row))) {
      counts_[{row[0], row[1], row[2], row[3]}] = row[4];
    }
  }

  // Milliseconds of oneDNN for all of them; none where it cannot be opened.
  std::optional<double> Multiply() const {
    std::vector<float> a(Largest(0, 1, 2)), b(Largest(0, 2, 3)), c(Largest(0, 1, 3));
    Clock::time_point start = Clock::now();
    for (const auto& [sizes, count] : counts_) {
      for (int64_t i = 0; i < count; ++i) {
        if (!ops::MultiplyByOneDnn(a.data(), b.data(), c.data(), {sizes[0], sizes[1], sizes[2], sizes[3]})) {
          return std::nullopt;
        }
      }
    }
    return MillisecondsSince(start);
  }

 private:
  using Sizes = std::array<int64_t, 4>;

  Sizes SizesOf(const ir::Function& function, const ir::Inst& inst) const {
    const auto& attrs = module_->attrs<ops::DotGeneralAttrs>(inst);
    const ir::Type& lhs = module_->type(function, function.operands(inst)[0]);
    const ir::Type& rhs = module_->type(function, function.operands(inst)[1]);
    auto product = [](const ir::Type& type, llvm::ArrayRef<int64_t> dims) {
      int64_t size = 1;
      for (int64_t d : dims) {
        size *= type.dims[static_cast<size_t>(d)];
      }
      return size;
    };
    int64_t batch = product(lhs, attrs.lhs_batch), k = product(lhs, attrs.lhs_contracting);
    int64_t inner = std::max<int64_t>(batch * k, 1);
    return {batch, lhs.num_elements() / inner, k, rhs.num_elements() / inner};
  }

  size_t Largest(size_t i, size_t j, size_t k) const {
    int64_t largest = 1;
    for (const auto& [sizes, count] : counts_) {
      largest = std::max(largest, sizes[i] * sizes[j] * sizes[k]);
    }
    return static_cast<size_t>(largest);
  }

  const ir::Module* module_ = nullptr;
  std::map<Sizes, int64_t> counts_;
};

// Of one run of the whole program and one of all its devices.
Products ProductsOf(const ir::Module& global, const ir::Module& per_device, const run::Inputs& inputs,
                    const run::RunOptions& options) {
  Products products;
  products.In(global);
  run::Program whole(global);
  run::Interpreter::Options interpreting;
  interpreting.observer = &products;
  run::Interpreter interpreter(whole, interpreting);
  std::vector<run::Slot> args;
  for (const tensor::Literal& input : inputs) {
    args.push_back({input, {}, 0});
  }
  interpreter.Start(global.entry, std::move(args));
  interpreter.Run();
  products.In(per_device);
  run::Program parts(per_device);
  std::vector<run::Observer*> observers(static_cast<size_t>(per_device.num_devices), &products);
  run::DeviceGrid grid(parts, inputs, options, observers);
  run::Failure failure;
  grid.Run(failure);
  return products;
}

// The same, counted by another process, so that no kernel is compiled in this one.
Products ProductsElsewhere(const ir::Module& global, const ir::Module& per_device, const run::Inputs& inputs,
                           const run::RunOptions& options) {
  Products products;
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) {
    return products;
  }
  pid_t child = fork();
  if (child == 0) {
    ProductsOf(global, per_device, inputs, options).WriteTo(ends[1]);
    _exit(0);
  }
  close(ends[1]);
  products.ReadFrom(ends[0]);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return products;
}

// `first` is what oneDNN took the first time; it is kept, for a benchmark runs several times in one process.
void Check(benchmark::State& state, const std::string& path, const std::string& text, std::optional<double>& first) {
  driver::Compilation compilation(path, text, {});
  if (!compilation.Run(llvm::nulls())) {
    state.SkipWithError("the program does not compile");
    return;
  }
  const ir::Module& global = *compilation.Propagated();
  const ir::Module& per_device = *compilation.PerDevice();
  run::RunOptions options;
  options.threads = 1;
  options.random.assign(global.functions[global.entry].args.size(), 1);
  run::Inputs inputs = run::RandomInputs(global, 0);
  Products products = ProductsElsewhere(global, per_device, inputs, options);
  std::optional<double> least = products.Multiply();
  first = first ? first : least;
  for (int i = 0; i < 5 && least; ++i) {
    least = std::min(*least, *products.Multiply());
  }
  diag::Engine diags(nullptr);
  double check = 0;
  for (auto _ : state) {
    Clock::time_point start = Clock::now();
    if (!run::CheckPartition(global, per_device, inputs, options, diags).ok) {
      state.SkipWithError("the check fails");
      return;
    }
    check += MillisecondsSince(start);
  }
  if (least) {
    state.counters["onednn_ms"] = *least;
    state.counters["times"] = check / static_cast<double>(state.iterations()) / *least;
    state.counters["onednn_first_ms"] = *first;
    state.counters["times_first"] = check / static_cast<double>(state.iterations()) / *first;
  }
}

bool RegisterAll() {
  bench::ForEachFile([](const bench::File& file) {
    auto first = std::make_shared<std::optional<double>>();
    benchmark::RegisterBenchmark(("Check/" + file.name).c_str(), [file, first](benchmark::State& state) {
      Check(state, file.path, file.text, *first);
    })->Unit(benchmark::kMillisecond);
  });
  return true;
}

[[maybe_unused]] const bool kRegistered = RegisterAll();

}  // namespace
}  // namespace spmdc
