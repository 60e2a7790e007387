// The stories of testdata, for tests that ask something of all of them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "support/starts_with.h"

namespace spmdc::text {

struct Story {
  std::string path, text;
};

// Those below a folder whose names end in `suffix`, in order of their paths.
inline std::vector<Story> Stories(const std::string& folder, llvm::StringRef suffix) {
  std::vector<Story> stories;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end; it != end && !error; it.increment(error)) {
    if (!EndsWith(llvm::StringRef(it->path()), suffix)) {
      continue;
    }
    if (auto buffer = llvm::MemoryBuffer::getFile(it->path())) {
      stories.push_back({it->path(), (*buffer)->getBuffer().str()});
    }
  }
  std::sort(stories.begin(), stories.end(), [](const Story& a, const Story& b) { return a.path < b.path; });
  return stories;
}

// The catalogue of a language as one text: every op that is read must stand in it.
inline std::string CatalogueText(llvm::StringRef suffix) {
  std::string all;
  for (const Story& story : Stories("testdata/catalogue", suffix)) {
    all += story.text;
  }
  return all;
}

}  // namespace spmdc::text
