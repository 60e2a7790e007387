// Lines and columns of the texts of one compilation, found by binary search in a table made on demand.
#include "source/source_manager.h"

#include <algorithm>

namespace spmdc::source {

FileId SourceManager::Add(std::string name, std::string text) {
  return files_.Add({std::move(name), std::make_unique<std::string>(std::move(text)), {}});
}

llvm::StringRef SourceManager::name(FileId file) const { return files_[file].name; }
llvm::StringRef SourceManager::text(FileId file) const { return *files_[file].text; }

llvm::StringRef SourceManager::text(Span span) const {
  return span.valid() ? text(span.file).slice(span.begin, span.end) : llvm::StringRef();
}

const std::vector<uint32_t>& SourceManager::line_starts(const File& file) const {
  if (file.line_starts.empty()) {
    file.line_starts.push_back(0);
    const std::string& text = *file.text;
    for (size_t i = text.find('\n'); i != std::string::npos; i = text.find('\n', i + 1)) {
      file.line_starts.push_back(static_cast<uint32_t>(i + 1));
    }
  }
  return file.line_starts;
}

LineColumn SourceManager::Locate(FileId file, uint32_t offset) const {
  const auto& starts = line_starts(files_[file]);
  auto it = std::upper_bound(starts.begin(), starts.end(), offset);
  return {static_cast<uint32_t>(it - starts.begin()), offset - *(it - 1) + 1};
}

llvm::StringRef SourceManager::Line(FileId file, uint32_t line) const {
  const auto& starts = line_starts(files_[file]);
  if (line == 0 || line > starts.size()) {
    return {};
  }
  return text(file).substr(starts[line - 1]).split('\n').first.rtrim('\r');
}

}  // namespace spmdc::source
