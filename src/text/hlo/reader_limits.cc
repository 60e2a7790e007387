// How much a text may grow: a computation that several instructions name as their body becomes a function for each of them.
#include <bitset>

#include "llvm/ADT/STLExtras.h"
#include "text/hlo/reader_impl.h"

namespace spmdc::text::hlo {
namespace {

using Computations = llvm::StringMap<RawComputation*>;

// Counts the functions that are made of a computation. What `call` names is made once and counts for itself.
class Expansion {
 public:
  Expansion(const Computations& by_name, int64_t most) : by_name_(by_name), most_(most) {
    for (const auto& entry : by_name) {
      first_bytes_.set(static_cast<unsigned char>(entry.first().front()));
    }
  }

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
        int64_t named = SizeOfNamed(attr);
        size += inst.opcode == "call" ? 0 : named;
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
  // Of the computations that an attribute names: `%body`, `{%a, %b}`.
  int64_t SizeOfNamed(const RawAttr& attr) {
    if (attr.name == "metadata" || attr.name == "sharding" || attr.name == "frontend_attributes") {
      return 0;
    }
    int64_t size = 0;
    Lexer lex(attr.value);
    lex.Take('{');
    do {
      llvm::StringRef name = lex.Name();
      // Most attributes are numbers: no need to look those up.
      if (name.empty() || !first_bytes_[static_cast<unsigned char>(name.front())]) {
        return size;
      }
      auto it = by_name_.find(name);
      size += it == by_name_.end() ? 0 : SizeOf(*it->second);
    } while (lex.Take(','));
    return size;
  }

  const Computations& by_name_;
  std::bitset<256> first_bytes_;  // of the names
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
