// Collecting and ordering diagnostics.
#include "diag/engine.h"

#include <algorithm>

#include "llvm/ADT/SmallVector.h"

namespace spmdc::diag {
namespace {

struct KindInfo {
  llvm::StringRef code;
  int exit_code;
};

const KindInfo kKinds[] = {
#define DIAG_KIND(name, code, exit) {code, exit},
#include "diag/kinds.def"
#undef DIAG_KIND
};

const Kind kAllKinds[] = {
#define DIAG_KIND(name, code, exit) Kind::name,
#include "diag/kinds.def"
#undef DIAG_KIND
};

}  // namespace

llvm::StringRef Code(Kind kind) { return kKinds[static_cast<size_t>(kind)].code; }
int ExitCode(Kind kind) { return kKinds[static_cast<size_t>(kind)].exit_code; }
llvm::ArrayRef<Kind> AllKinds() { return kAllKinds; }

namespace {

// A message may echo names and types of any length: of a very long one its two ends are told.
constexpr size_t kLongestMessage = 1200;

std::string CutInTheMiddle(std::string message) {
  if (message.size() <= kLongestMessage) {
    return message;
  }
  // Not within a character of several bytes.
  auto inside = [&](size_t at) { return (static_cast<unsigned char>(message[at]) & 0xC0) == 0x80; };
  size_t head = kLongestMessage * 2 / 3, tail = message.size() - kLongestMessage / 3;
  while (head > 0 && inside(head)) {
    --head;
  }
  while (tail < message.size() && inside(tail)) {
    ++tail;
  }
  return message.substr(0, head) + " ... " + message.substr(tail);
}

}  // namespace

Handle Engine::Emit(Kind kind, Severity severity, source::Span span, std::string message) {
  all_.push_back({kind, severity, span, CutInTheMiddle(std::move(message)), {}, {}});
  errors_ += severity == Severity::Error ? 1 : 0;
  return {&all_, all_.size() - 1};
}

std::vector<const Diagnostic*> Engine::Sorted() const {
  std::vector<const Diagnostic*> sorted;
  for (const Diagnostic& d : all_) {
    sorted.push_back(&d);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic* a, const Diagnostic* b) {
    return std::pair(a->span.file.index, a->span.begin) < std::pair(b->span.file.index, b->span.begin);
  });
  // Copies of one function say the same of the same place.
  std::vector<const Diagnostic*> once;
  auto says_the_same = [](const Diagnostic* a, const Diagnostic* b) {
    return a->kind == b->kind && a->severity == b->severity && a->span == b->span && a->message == b->message;
  };
  for (const Diagnostic* d : sorted) {
    bool told = false;
    for (auto it = once.rbegin(); it != once.rend() && (*it)->span.begin == d->span.begin && !told; ++it) {
      told = says_the_same(*it, d);
    }
    if (!told) {
      once.push_back(d);
    }
  }
  return once;
}

int Engine::exit_code() const {
  for (const Diagnostic* d : Sorted()) {
    if (d->severity == Severity::Error) {
      return ExitCode(d->kind);
    }
  }
  return 0;
}

namespace {

// Whether two letters that stand side by side have changed places: one slip, where edit distance counts two.
bool IsSwapped(llvm::StringRef word, llvm::StringRef candidate) {
  if (word.size() != candidate.size()) {
    return false;
  }
  size_t i = 0;
  while (i < word.size() && word[i] == candidate[i]) {
    ++i;
  }
  return i + 1 < word.size() && word[i] == candidate[i + 1] && word[i + 1] == candidate[i] &&
         word.drop_front(i + 2) == candidate.drop_front(i + 2);
}

}  // namespace

std::string Nearest(llvm::StringRef word, llvm::ArrayRef<std::string> candidates) {
  std::string best;
  unsigned best_distance = (static_cast<unsigned>(word.size()) + 1) / 3 + 1;  // one letter is near to nothing
  for (const std::string& candidate : candidates) {
    if (word.equals_insensitive(candidate)) {
      return candidate;
    }
    // Words that differ more in length are farther than that.
    size_t longer = std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size());
    if (longer >= best_distance) {
      continue;
    }
    unsigned distance = IsSwapped(word, candidate) ? 1 : word.edit_distance(candidate, true, best_distance);
    // People miss letters further on, seldom the first and another one.
    bool alike = distance < 2 || candidate.front() == word.front();
    if (distance < best_distance && alike) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace spmdc::diag
