// How much a text may grow: a computation that several instructions name as their body becomes a function for each of them.
#include "llvm/ADT/STLExtras.h"
#include "support/starts_with.h"
#include "text/hlo/reader_impl.h"

namespace spmdc::text::hlo {
namespace {

using Computations = llvm::StringMap<RawComputation*>;

// The computations that an attribute names: `%body`, `{%a, %b}`.
void ForEachComputation(llvm::StringRef value, const Computations& by_name,
                        llvm::function_ref<void(const RawComputation&)> callback) {
  if (StartsWith(value, "\"")) {
    return;
  }
  llvm::SmallVector<llvm::StringRef, 4> names;
  value.trim("{}").split(names, ',');
  for (llvm::StringRef name : names) {
    name = name.trim();
    name.consume_front("%");
    auto it = by_name.find(name);
    if (it != by_name.end()) {
      callback(*it->second);
    }
  }
}

// Counts the functions that are made of a computation. What `call` names is made once and counts for itself.
class Expansion {
 public:
  Expansion(const Computations& by_name, int64_t most) : by_name_(by_name), most_(most) {}

  // The instruction with which a computation has too many, if there is one.
  const RawInst* culprit = nullptr;

  int64_t SizeOf(const RawComputation& computation) {
    auto [it, fresh] = size_.try_emplace(&computation, 1);
    if (!fresh || depth_ > kMaxNesting) {
      return it->second;  // recursion and depth are told where the functions are made
    }
    ++depth_;
    int64_t size = 1;
    for (const RawInst& inst : computation.insts) {
      for (const RawAttr& attr : inst.attrs) {
        ForEachComputation(attr.value, by_name_, [&](const RawComputation& named) {
          int64_t inner = SizeOf(named);
          size += inst.opcode == "call" ? 0 : inner;
        });
      }
      if (size > most_ && culprit == nullptr) {
        culprit = &inst;
      }
      if (culprit != nullptr) {
        break;
      }
    }
    --depth_;
    size_[&computation] = size;
    return size;
  }

 private:
  const Computations& by_name_;
  int64_t most_;
  int depth_ = 0;
  llvm::DenseMap<const RawComputation*, int64_t> size_;
};

}  // namespace

bool Reader::CheckExpansion(const RawComputation& entry) {
  int64_t most = 1 << 16;
  for (const auto& computation : computations_) {
    most += 4 * static_cast<int64_t>(computation->insts.size());
  }
  Expansion expansion(computation_of_name_, most);
  expansion.SizeOf(entry);
  return expansion.culprit == nullptr || Fail(diag::Kind::TooLarge, expansion.culprit->opcode,
                                              "the computations that this program names expand to too many copies");
}

}  // namespace spmdc::text::hlo
