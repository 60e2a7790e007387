// The texts of one compilation: their names, bytes and line tables. Every Span points into one of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "source/span.h"
#include "support/store.h"

namespace spmdc::source {

// A position as people count: both from 1; columns count bytes.
struct LineColumn {
  uint32_t line = 0;
  uint32_t column = 0;
};

class SourceManager {
 public:
  // name is what messages print (the path as given, "<stdin>", "<prelude>"). A text holds less than 4 GiB.
  FileId Add(std::string name, std::string text);

  llvm::StringRef name(FileId file) const;
  llvm::StringRef text(FileId file) const;
  llvm::StringRef text(Span span) const;
  LineColumn Locate(FileId file, uint32_t offset) const;
  LineColumn Locate(Span span) const { return span.valid() ? Locate(span.file, span.begin) : LineColumn{}; }
  // The text of a line (counted from 1) without its end.
  llvm::StringRef Line(FileId file, uint32_t line) const;
  size_t size() const { return files_.size(); }

 private:
  struct File {
    std::string name;
    std::unique_ptr<std::string> text;          // stable address: StringRefs into it are handed out
    mutable std::vector<uint32_t> line_starts;  // made at the first question
  };
  const std::vector<uint32_t>& line_starts(const File& file) const;
  Store<FileId, File> files_;
};

}  // namespace spmdc::source
