// Runs a fuzz target without libFuzzer: on each story of a folder, and on mutations of it made with a fixed seed.
//
//   spmdc_hlo_fuzz .hlo testdata [MUTATIONS]      stories ending in .hlo, each with MUTATIONS (20) mutations
//   spmdc_hlo_fuzz FILE                           one file as it stands
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "support/starts_with.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

void RunOne(const std::string& text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

std::string ReadFile(const std::string& path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    std::exit(2);
  }
  return (*buffer)->getBuffer().str();
}

std::vector<std::string> Stories(const std::string& folder, llvm::StringRef suffix) {
  std::vector<std::string> paths;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end; it != end && !error; it.increment(error)) {
    if (spmdc::EndsWith(llvm::StringRef(it->path()), suffix)) {
      paths.push_back(it->path());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// One change of the kinds that find faults in readers: a byte, a cut, a piece said twice, a number, a piece of another text.
void Mutate(std::string& text, const std::string& other, std::mt19937& random) {
  auto below = [&](size_t n) { return n == 0 ? size_t{0} : static_cast<size_t>(random()) % n; };
  size_t at = below(text.size());
  size_t length = below(std::min<size_t>(text.size() - at, 40)) + 1;
  switch (below(7)) {
    case 0:
      text.insert(at, 1, "%@#<>{}[](),:=\"x0-\n"[below(19)]);
      break;
    case 1:
      text.erase(at, length);
      break;
    case 2:
      text.insert(below(text.size()), text.substr(at, length));
      break;
    case 3:
      text.resize(at);
      break;
    case 4: {
      size_t digit = text.find_first_of("0123456789", at);
      if (digit != std::string::npos) {
        constexpr const char* kNumbers[] = {"0", "-1", "3", "9223372036854775807", "4294967296", "1000000000000"};
        text.replace(digit, 1, kNumbers[below(6)]);
      }
      break;
    }
    case 5:
      text[at] = static_cast<char>(random());
      break;
    default:
      if (!other.empty()) {
        text.insert(at, other.substr(below(other.size()), length * 3));
      }
      break;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2) {
    RunOne(ReadFile(argv[1]));
    return 0;
  }
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s SUFFIX FOLDER [MUTATIONS], or %s FILE\n", argv[0], argv[0]);
    return 2;
  }
  int mutations = argc > 3 ? std::atoi(argv[3]) : 20;
  std::vector<std::string> paths = Stories(argv[2], argv[1]);
  std::mt19937 random(1);
  std::string other;
  for (const std::string& path : paths) {
    std::string story = ReadFile(path);
    RunOne(story);
    for (int i = 0; i < mutations; ++i) {
      std::string text = story;
      for (unsigned n = 1 + static_cast<unsigned>(random()) % 3; n > 0 && !text.empty(); --n) {
        Mutate(text, other, random);
      }
      if (std::getenv("SPMDC_REPLAY_KEEP") != nullptr) {
        std::error_code error;
        llvm::raw_fd_ostream(std::getenv("SPMDC_REPLAY_KEEP"), error) << text;
      }
      RunOne(text);
    }
    other = std::move(story);
  }
  std::printf("%zu stories, each with %d mutations\n", paths.size(), mutations);
  return paths.empty() ? 1 : 0;
}
