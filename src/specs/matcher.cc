// Matching of patterns: names are looked up, so that only globs cost a pass over the leaves.
#include "specs/matcher.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "support/plural.h"

namespace spmdc::specs {
namespace {

// How an entry is about a leaf; more is closer. Trees count from kTree up with the length of their names.
constexpr int kGlob = 1, kTree = 2, kExact = 1 << 30;

bool IsGlob(llvm::StringRef pattern) { return pattern.find_first_of("*?") != llvm::StringRef::npos; }

bool IsIndex(llvm::StringRef pattern) { return !pattern.empty() && llvm::all_of(pattern, llvm::isDigit); }

// `%arg0` is called `arg0`.
llvm::StringRef Bare(llvm::StringRef name) {
  name.consume_front("%");
  return name;
}

}  // namespace

bool MatchesGlob(llvm::StringRef glob, llvm::StringRef text) {
  size_t g = 0, t = 0;
  size_t star = llvm::StringRef::npos, resume = 0;  // behind the last `*`, and where its text ends so far
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = ++g;
      resume = t;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t])) {
      ++g;
      ++t;
    } else if (star != llvm::StringRef::npos) {
      g = star;
      t = ++resume;
    } else {
      return false;
    }
  }
  return glob.drop_front(g).find_first_not_of('*') == llvm::StringRef::npos;
}

Matcher::Matcher(llvm::ArrayRef<Entry> entries, std::string noun, bool trees)
    : entries_(entries), noun_(std::move(noun)), trees_(trees), used_(entries.size()) {
  for (size_t i = 0; i < entries.size(); ++i) {
    if (IsGlob(entries[i].pattern)) {
      globs_.push_back(i);
    } else {
      named_[Bare(entries[i].pattern)].push_back(i);
    }
  }
}

struct Matcher::Best {
  size_t entry = SIZE_MAX;
  int closeness = 0;
  size_t twice = SIZE_MAX;  // another entry that is as close
};

void Matcher::Consider(size_t entry, int closeness, Best& best) {
  used_[entry] = 1;
  if (best.entry == entry) {
    return;
  }
  auto rank = [&](size_t e, int close) { return std::pair(entries_[e].from_option, close); };
  bool better = best.entry == SIZE_MAX || rank(entry, closeness) > rank(best.entry, best.closeness);
  bool equal = best.entry != SIZE_MAX && rank(entry, closeness) == rank(best.entry, best.closeness);
  if (equal && closeness > kGlob) {
    best.twice = entry;
  } else if (better || equal) {
    best = {entry, closeness, SIZE_MAX};
  }
}

void Matcher::ConsiderNamed(llvm::StringRef name, int closeness, Best& best) {
  auto found = named_.find(name);
  if (found != named_.end()) {
    for (size_t entry : found->second) {
      Consider(entry, closeness, best);
    }
  }
}

void Matcher::ConsiderTrees(llvm::StringRef name, Best& best) {
  for (size_t end = name.find_first_of("[."); end != llvm::StringRef::npos; end = name.find_first_of("[.", end + 1)) {
    if (end > 0) {
      ConsiderNamed(name.take_front(end), kTree + static_cast<int>(std::min<size_t>(end, 1 << 20)), best);
    }
  }
}

const Entry* Matcher::Find(size_t index, llvm::ArrayRef<llvm::StringRef> names) {
  bool is_new = index == kNoIndex || index >= num_leaves_;
  Best best;
  if (index != kNoIndex) {
    has_indices_ = true;
    ConsiderNamed(std::to_string(index), kExact, best);
  }
  for (llvm::StringRef name : names) {
    // What consists of digits is an index, where there are any.
    if (index == kNoIndex || !IsIndex(name)) {
      ConsiderNamed(name, kExact, best);
    }
    if (trees_) {
      ConsiderTrees(name, best);
    }
    for (size_t entry : globs_) {
      if (MatchesGlob(Bare(entries_[entry].pattern), name)) {
        Consider(entry, kGlob, best);
      }
    }
    if (is_new) {
      names_.push_back(name.str());
    }
  }
  num_leaves_ = index == kNoIndex ? num_leaves_ + 1 : std::max(num_leaves_, index + 1);
  if (best.twice != SIZE_MAX && !llvm::is_contained(twice_, std::pair(best.twice, best.entry))) {
    twice_.push_back({best.twice, best.entry});
  }
  return best.entry == SIZE_MAX ? nullptr : &entries_[best.entry];
}

void Matcher::TellUnmatched(const Entry& entry, bool with_nearest, diag::Engine& diags) const {
  auto have = Counted(static_cast<int64_t>(num_leaves_), noun_);
  if (IsIndex(entry.pattern) && has_indices_) {
    diags
        .Error(diag::Kind::Arguments, entry.span,
               "there is no " + noun_ + " " + entry.pattern + ": the program has " + have)
        .Help("indices count from 0");
    return;
  }
  auto handle = diags.Error(diag::Kind::Arguments, entry.span,
                            IsGlob(entry.pattern) ? "no " + noun_ + " matches '" + entry.pattern + "'"
                                                  : "no " + noun_ + " is called '" + entry.pattern + "'");
  if (!with_nearest) {
    return;
  }
  std::string nearest = diag::Nearest(Bare(entry.pattern), names_);
  if (!nearest.empty()) {
    handle.Help("did you mean '" + nearest + "'?");
    return;
  }
  constexpr size_t kMost = 8;
  llvm::ArrayRef<std::string> shown = llvm::ArrayRef<std::string>(names_).take_front(kMost);
  handle.Help(shown.empty() ? "the program has " + have
                            : "the " + noun_ + "s are " + llvm::join(shown, ", ") +
                                  (names_.size() > kMost ? ", and so on; an index is good as well" : ""));
}

bool Matcher::Finish(diag::Engine& diags) {
  for (auto [second, first] : twice_) {
    diags
        .Error(
            diag::Kind::Arguments, entries_[second].span,
            "'" + entries_[second].pattern + "' is about the same " + noun_ + " as '" + entries_[first].pattern + "'")
        .Note(entries_[first].span, "said here before")
        .Help("leave one of them out");
  }
  // Behind many errors nobody reads on, and looking for names that are near takes time.
  constexpr size_t kEnough = 100;
  size_t told = 0;
  for (size_t i = 0; i < entries_.size() && told < kEnough; ++i) {
    if (used_[i] == 0) {
      TellUnmatched(entries_[i], ++told <= 20, diags);
    }
  }
  return twice_.empty() && told == 0;
}

}  // namespace spmdc::specs
