// A diff by the longest common subsequence of lines, after the common head and tail are taken off.
#include "support/diff.h"

#include <algorithm>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace spmdc {
namespace {

using Lines = llvm::SmallVector<llvm::StringRef, 0>;

// Beyond this many cells the middle is told as removed and added whole.
constexpr size_t kMaxCells = 4'000'000;

struct Edit {
  char sign;  // ' ', '-' or '+'
  llvm::StringRef line;
};

Lines Split(llvm::StringRef text) {
  Lines lines;
  while (!text.empty()) {
    llvm::StringRef line;
    std::tie(line, text) = text.split('\n');
    lines.push_back(line);
  }
  return lines;
}

void Whole(char sign, llvm::ArrayRef<llvm::StringRef> lines, std::vector<Edit>& edits) {
  for (llvm::StringRef line : lines) {
    edits.push_back({sign, line});
  }
}

void DiffMiddle(llvm::ArrayRef<llvm::StringRef> a, llvm::ArrayRef<llvm::StringRef> b, std::vector<Edit>& edits) {
  if ((a.size() + 1) * (b.size() + 1) > kMaxCells) {
    Whole('-', a, edits);
    Whole('+', b, edits);
    return;
  }
  // length[i][j]: of the longest common subsequence of a[i..] and b[j..].
  size_t width = b.size() + 1;
  std::vector<uint32_t> length((a.size() + 1) * width, 0);
  for (size_t i = a.size(); i-- > 0;) {
    for (size_t j = b.size(); j-- > 0;) {
      length[i * width + j] = a[i] == b[j] ? length[(i + 1) * width + j + 1] + 1
                                           : std::max(length[(i + 1) * width + j], length[i * width + j + 1]);
    }
  }
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i] == b[j]) {
      edits.push_back({' ', a[i++]});
      ++j;
    } else if (length[(i + 1) * width + j] >= length[i * width + j + 1]) {
      edits.push_back({'-', a[i++]});
    } else {
      edits.push_back({'+', b[j++]});
    }
  }
  Whole('-', a.drop_front(i), edits);
  Whole('+', b.drop_front(j), edits);
}

// The hunk of edits [begin, end), its header counting lines from the given ones.
std::string Hunk(llvm::ArrayRef<Edit> edits, size_t expected_line, size_t actual_line) {
  size_t expected = 0;
  size_t actual = 0;
  std::string body;
  for (const Edit& edit : edits) {
    expected += edit.sign != '+' ? 1 : 0;
    actual += edit.sign != '-' ? 1 : 0;
    body += edit.sign + edit.line.str() + "\n";
  }
  return "@@ -" + std::to_string(expected_line) + "," + std::to_string(expected) + " +" + std::to_string(actual_line) +
         "," + std::to_string(actual) + " @@\n" + body;
}

std::string Cut(const std::string& text, size_t max_lines) {
  Lines lines = Split(text);
  if (lines.size() <= max_lines) {
    return text;
  }
  std::string out;
  for (llvm::StringRef line : llvm::ArrayRef<llvm::StringRef>(lines).take_front(max_lines)) {
    out += line.str() + "\n";
  }
  return out + "... " + std::to_string(lines.size() - max_lines) + " more lines\n";
}

}  // namespace

std::string UnifiedDiff(llvm::StringRef expected, llvm::StringRef actual, size_t context, size_t max_lines) {
  Lines a = Split(expected);
  Lines b = Split(actual);
  size_t head = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head]) {
    ++head;
  }
  size_t tail = 0;
  while (tail < a.size() - head && tail < b.size() - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) {
    ++tail;
  }
  llvm::ArrayRef<llvm::StringRef> whole_a(a);
  std::vector<Edit> edits;
  Whole(' ', whole_a.take_front(head), edits);
  DiffMiddle(whole_a.drop_front(head).drop_back(tail),
             llvm::ArrayRef<llvm::StringRef>(b).drop_front(head).drop_back(tail), edits);
  Whole(' ', whole_a.take_back(tail), edits);

  std::string out;
  size_t expected_line = 1;
  size_t actual_line = 1;
  for (size_t i = 0; i < edits.size();) {
    // A hunk starts `context` lines before a change and goes on while the next change is near.
    size_t change = i;
    while (change < edits.size() && edits[change].sign == ' ') {
      ++change;
    }
    if (change == edits.size()) {
      break;
    }
    size_t begin = std::max(i, change - std::min(change, context));
    size_t last = change;
    for (size_t k = change; k < edits.size() && k <= last + 2 * context + 1; ++k) {
      last = edits[k].sign != ' ' ? k : last;
    }
    size_t end = std::min(edits.size(), last + context + 1);
    expected_line += begin - i;
    actual_line += begin - i;
    out += Hunk(llvm::ArrayRef<Edit>(edits).slice(begin, end - begin), expected_line, actual_line);
    for (size_t k = begin; k < end; ++k) {
      expected_line += edits[k].sign != '+' ? 1 : 0;
      actual_line += edits[k].sign != '-' ? 1 : 0;
    }
    i = end;
  }
  return Cut(out, max_lines);
}

}  // namespace spmdc
