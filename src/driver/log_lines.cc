// A line of a log begins with a time, and names a place in a source file in front of `] `.
#include "driver/log_lines.h"

#include <algorithm>

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "support/starts_with.h"

namespace spmdc::driver {
namespace {

// `I0530 12:00:00...`, `2026-05-30 12:00:00...`
bool BeginsWithTime(llvm::StringRef line) {
  bool letter = !line.empty() && llvm::StringRef("IWEF").contains(line[0]);
  llvm::StringRef day = line.drop_front(letter ? 1 : 0).take_while([](char c) { return llvm::isDigit(c) || c == '-'; });
  return day.size() == (letter ? 4U : 10U) && StartsWith(line.drop_front(day.size() + (letter ? 1 : 0)), " ");
}

// How long what the logger put there is; 0 if the line is of no log.
size_t PrefixLength(llvm::StringRef line) {
  size_t end = BeginsWithTime(line) ? line.find("] ") : llvm::StringRef::npos;
  if (BeginsWithTime(line) && end == llvm::StringRef::npos && EndsWith(line, "]")) {
    end = line.size() - 1;
  }
  llvm::StringRef place = line.substr(0, end).rsplit(' ').second;
  bool known = end != llvm::StringRef::npos && (place.contains(".cc:") || place.contains(".h:"));
  return known ? std::min(end + 2, line.size()) : 0;
}

// The instruction that a message of the partitioner tells of; the message itself if it tells of none.
llvm::StringRef Told(llvm::StringRef message) {
  llvm::StringRef behind = message.split("for HLO operation ").second;
  return behind.empty() ? message : behind.substr(0, behind.find(". As the last resort"));
}

}  // namespace

std::string WithoutLogPrefixes(std::string text) {
  llvm::StringRef start = text;
  while (StartsWith(start, "//")) {
    start = start.split('\n').second;
  }
  if (PrefixLength(start.split('\n').first) == 0) {
    return text;
  }
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    llvm::StringRef line = llvm::StringRef(text).slice(begin, end);
    if (size_t prefix = PrefixLength(line); prefix > 0) {
      llvm::StringRef told = Told(line.drop_front(prefix));
      auto first = static_cast<size_t>(told.data() - text.data());
      std::fill(text.begin() + static_cast<ptrdiff_t>(first + told.size()), text.begin() + static_cast<ptrdiff_t>(end),
                ' ');
      std::fill(text.begin() + static_cast<ptrdiff_t>(begin), text.begin() + static_cast<ptrdiff_t>(first), ' ');
    }
    begin = end + 1;
  }
  return text;
}

}  // namespace spmdc::driver
