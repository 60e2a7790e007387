// Where instructions come from: `metadata={op_name="..." source_file="..." source_line=3}`, or numbers of stack frames
// whose tables stand behind the header.
#include "text/hlo/reader_impl.h"

namespace spmdc::text::hlo {
std::string Unquote(llvm::StringRef quoted) {
  llvm::StringRef body = quoted.size() < 2 ? quoted : quoted.drop_front().drop_back();
  if (!body.contains('\\')) {
    return body.str();
  }
  std::string text;
  for (size_t i = 0; i < body.size(); ++i) {
    if (body[i] == '\\' && i + 1 < body.size()) {
      ++i;
      text += body[i] == 'n' ? '\n' : body[i];
    } else {
      text += body[i];
    }
  }
  return text;
}

namespace {

int64_t Number(llvm::StringRef text) {
  int64_t value = 0;
  text.getAsInteger(10, value);
  return value;
}

}  // namespace

ir::SourceId Reader::SourceOf(llvm::StringRef metadata) {
  auto [it, fresh] = source_of_text_.try_emplace(metadata);
  if (!fresh) {
    return it->second;
  }
  ir::SourceInfo info;
  size_t frame = 0;
  std::string others;
  ForEachField(metadata, [&](llvm::StringRef key, llvm::StringRef value) {
    if (key == "op_name") {
      info.op_name = Unquote(value);
    } else if (key == "source_file") {
      info.file = Unquote(value);
    } else if (key == "source_line") {
      info.line = Number(value);
    } else if (key == "source_column") {
      info.column = Number(value);
      others += (others.empty() ? "" : " ") + key.str() + "=" + value.str();  // writers leave it out elsewhere
    } else if (key == "stack_frame_id") {
      frame = static_cast<size_t>(std::max<int64_t>(Number(value), 0));
    } else {
      others += (others.empty() ? "" : " ") + key.str() + "=" + value.str();
    }
  });
  if (!others.empty()) {
    other_metadata_[metadata] = std::move(others);
  }
  if (info.file.empty() && frame > 0 && frame <= frames_.size()) {
    size_t at = frames_[frame - 1];
    if (at > 0 && at <= locations_.size()) {
      const Location& location = locations_[at - 1];
      auto name = [](const std::vector<std::string>& names, size_t i) {
        return i > 0 && i <= names.size() ? names[i - 1] : std::string();
      };
      info.file = name(file_names_, location.file);
      info.function = name(frame_functions_, location.function);
      info.line = location.line;
      info.column = location.column;
      info.frame = static_cast<int32_t>(frame);
    }
  }
  if (info != ir::SourceInfo()) {
    it->second = module_.tables->sources.Intern(std::move(info));
  }
  return it->second;
}

// One section: its name, then a numbered line each: `3 "file.py"`, `3 {file_name_id=1 line=5 ...}`.
void Reader::ReadStackTables(llvm::StringRef text) {
  auto [title, lines] = text.split('\n');
  title = title.trim();
  while (!lines.empty()) {
    llvm::StringRef line;
    std::tie(line, lines) = lines.split('\n');
    line = line.trim().split(' ').second.trim();
    if (line.empty()) {
      continue;
    }
    if (title == "FileNames") {
      file_names_.push_back(Unquote(line));
    } else if (title == "FunctionNames") {
      frame_functions_.push_back(Unquote(line));
    } else if (title == "FileLocations") {
      Location& location = locations_.emplace_back();
      ForEachField(line, [&](llvm::StringRef key, llvm::StringRef value) {
        int64_t number = std::max<int64_t>(Number(value), 0);
        if (key == "file_name_id") {
          location.file = static_cast<size_t>(number);
        } else if (key == "function_name_id") {
          location.function = static_cast<size_t>(number);
        } else if (key == "line") {
          location.line = number;
        } else if (key == "column") {
          location.column = number;
        }
      });
    } else {
      frames_.push_back(0);
      ForEachField(line, [&](llvm::StringRef key, llvm::StringRef value) {
        if (key == "file_location_id") {
          frames_.back() = static_cast<size_t>(std::max<int64_t>(Number(value), 0));
        }
      });
    }
  }
}

// What a partitioner inserted, in a text where its reason is not written.
ir::CauseId Reader::GeneratedCause() {
  if (module_.causes.empty()) {
    module_.causes.Add(ir::Cause());
  }
  return ir::CauseId{0};
}

}  // namespace spmdc::text::hlo
