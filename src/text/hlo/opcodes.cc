// The table of HLO's opcodes.
#include "text/hlo/opcodes.h"

#include <algorithm>
#include <iterator>

namespace spmdc::text::hlo {
namespace {

constexpr llvm::StringLiteral kOpcodes[] = {
    // clang-format off
    "abs", "acos", "acosh", "add", "add-dependency", "after-all", "all-gather", "all-gather-done", "all-gather-start",
    "all-reduce", "all-reduce-done", "all-reduce-start", "all-to-all", "and", "asin", "asinh", "async-done",
    "async-start", "async-update", "atan2", "atanh", "batch-norm-grad", "batch-norm-inference", "batch-norm-training",
    "bitcast", "bitcast-convert", "broadcast", "call", "cbrt", "ceil", "cholesky", "clamp", "collective-broadcast",
    "collective-permute", "collective-permute-done", "collective-permute-start", "compare", "complex", "concatenate",
    "conditional", "constant", "convert", "convolution", "copy", "copy-done", "copy-start", "cosh", "cosine",
    "count-leading-zeros", "custom-call", "divide", "domain", "dot", "dynamic-reshape", "dynamic-slice",
    "dynamic-update-slice", "erf", "exponential", "exponential-minus-one", "fft", "floor", "fusion", "gather",
    "get-dimension-size", "get-tuple-element", "imag", "infeed", "iota", "is-finite", "log", "log-plus-one",
    "logistic", "map", "maximum", "minimum", "mulhi", "multiply", "negate", "not", "opt-barrier", "or", "outfeed", "pad",
    "parameter", "partition-id", "popcnt", "power", "ragged-all-to-all", "ragged-dot", "real", "recv", "recv-done",
    "reduce", "reduce-precision", "reduce-scatter", "reduce-window", "remainder", "replica-id", "reshape", "reverse",
    "rng", "rng-bit-generator", "rng-get-and-update-state", "round-nearest-afz", "round-nearest-even", "rsqrt",
    "scaled-dot", "scan", "scatter", "select", "select-and-scatter", "send", "send-done", "set-dimension-size",
    "shift-left", "shift-right-arithmetic", "shift-right-logical", "sign", "sine", "sinh", "slice", "sort", "sqrt",
    "stochastic-convert", "subtract", "tan", "tanh", "topk", "transpose", "triangular-solve", "tuple", "while", "xor",
    // clang-format on
};

bool InTable(llvm::StringRef name) { return std::binary_search(std::begin(kOpcodes), std::end(kOpcodes), name); }

}  // namespace

llvm::ArrayRef<llvm::StringLiteral> Opcodes() { return kOpcodes; }

bool IsOpcode(llvm::StringRef name) {
  if (InTable(name)) {
    return true;
  }
  for (llvm::StringRef suffix : {"-start", "-update", "-done"}) {
    llvm::StringRef base = name;
    if (base.consume_back(suffix) && InTable(base)) {
      return true;
    }
  }
  return false;
}

}  // namespace spmdc::text::hlo
