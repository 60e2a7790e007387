// Taking golden files apart, running their commands, and putting them together again.
#include "file_test/golden.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "support/diff.h"

namespace spmdc::file_test {
namespace {

bool HasPrefix(llvm::StringRef text, llvm::StringRef prefix) { return text.take_front(prefix.size()) == prefix; }

std::string Marker(llvm::StringRef path) {
  llvm::StringRef extension = path.substr(path.rfind('.') == llvm::StringRef::npos ? path.size() : path.rfind('.'));
  return extension == ".spmd" || extension == ".py" ? "#" : "//";
}

llvm::StringRef FileName(llvm::StringRef path) { return path.substr(path.rfind('/') + 1); }

// The text as transcript lines.
std::string Quote(const std::string& marker, char sign, llvm::StringRef text) {
  std::string out;
  bool ends_in_newline = text.empty() || text.back() == '\n';
  while (!text.empty()) {
    llvm::StringRef line;
    std::tie(line, text) = text.split('\n');
    out += marker + sign + (line.empty() ? "" : " " + line.str()) + "\n";
  }
  return ends_in_newline ? out : out + marker + sign + "(no newline at the end)\n";
}

// The text with %s replaced by the file's path.
std::string Substitute(std::string text, const std::string& path) {
  for (size_t at = text.find("%s"); at != std::string::npos; at = text.find("%s", at + path.size())) {
    text.replace(at, 2, path);
  }
  return text;
}

struct CommandResult {
  std::string transcript;
  int exit_code = 0;
  std::string error;  // of the RUN line itself
};

// The arguments with %s replaced; the name behind a `<` goes to input.
std::string Prepare(const GoldenFile& file, const Command& command, std::vector<std::string>& args,
                    std::string& input) {
  std::optional<std::vector<std::string>> words = SplitCommand(command.line);
  if (!words) {
    return "the RUN line has an open quote";
  }
  for (size_t i = 0; i < words->size(); ++i) {
    std::string word = Substitute((*words)[i], file.path);
    if (i > 0 && (*words)[i - 1] == "<") {
      input = word;
    } else if (word != "<") {
      args.push_back(word);
    }
  }
  return "";
}

CommandResult RunCommand(const GoldenFile& file, const Command& command, const Tool& tool, cli::Files& files) {
  CommandResult result;
  std::vector<std::string> args;
  std::string input;
  result.error = Prepare(file, command, args, input);
  if (!result.error.empty()) {
    return result;
  }
  std::string out;
  std::string err;
  llvm::raw_string_ostream out_stream(out);
  llvm::raw_string_ostream err_stream(err);
  cli::Io io{.out = out_stream, .err = err_stream, .files = files, .stdin_text = std::string()};
  if (!input.empty()) {
    llvm::ErrorOr<std::string> text = files.Read(input);
    if (!text) {
      result.error = "the RUN line reads " + input + ": " + text.getError().message();
      return result;
    }
    io.stdin_text = *text;
  }
  result.exit_code = tool(args, io);
  files = io.files;  // later commands see what this one wrote
  out_stream.flush();
  err_stream.flush();
  result.transcript = Quote(file.marker, '|', out) + Quote(file.marker, '!', err);
  if (result.exit_code != 0) {
    result.transcript += file.marker + " EXIT: " + std::to_string(result.exit_code) + "\n";
  }
  return result;
}

}  // namespace

ParseResult Parse(std::string path, llvm::StringRef text) {
  ParseResult result;
  GoldenFile& file = result.file;
  file.marker = Marker(path);
  file.path = std::move(path);
  const std::string run = file.marker + " RUN:";
  std::vector<std::string> comments;
  int number = 0;
  while (!text.empty()) {
    llvm::StringRef line;
    std::tie(line, text) = text.split('\n');
    ++number;
    if (HasPrefix(line, run)) {
      file.commands.push_back({line.drop_front(run.size()).trim().str(), std::move(comments), ""});
      comments.clear();
    } else if (file.commands.empty()) {
      file.program += line.str() + "\n";
    } else if (HasPrefix(line, file.marker + "|") || HasPrefix(line, file.marker + "!") ||
               HasPrefix(line, file.marker + " EXIT:")) {
      if (!comments.empty()) {
        result.error = "line " + std::to_string(number) + ": output stands below a comment, not below its RUN line";
        return result;
      }
      file.commands.back().transcript += line.str() + "\n";
    } else if (line.empty() || HasPrefix(line, file.marker)) {
      comments.push_back(line.str());
    } else {
      result.error = "line " + std::to_string(number) + ": program text below a RUN line";
      return result;
    }
  }
  file.tail = std::move(comments);
  if (file.commands.empty()) {
    result.error = "no line starts with '" + run + "'";
  }
  return result;
}

std::vector<std::pair<std::string, std::string>> Parts(const GoldenFile& file) {
  std::vector<std::pair<std::string, std::string>> parts = {{file.path, ""}};
  const std::string split = file.marker + " --- ";
  llvm::StringRef text = file.program;
  while (!text.empty()) {
    llvm::StringRef line;
    std::tie(line, text) = text.split('\n');
    if (HasPrefix(line, split)) {
      parts.emplace_back(line.drop_front(split.size()).trim().str(), "");
    } else {
      parts.back().second += line.str() + "\n";
    }
  }
  return parts;
}

std::optional<std::vector<std::string>> SplitCommand(llvm::StringRef line) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    char c = line[i];
    if (quote == 0 && (c == ' ' || c == '\t')) {
      in_word = false;
      continue;
    }
    if (!in_word) {
      words.emplace_back();
      in_word = true;
    }
    if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
      words.back() += line[++i];
    } else {
      words.back() += c;
    }
  }
  if (quote != 0) {
    return std::nullopt;
  }
  return words;
}

Outcome Run(const GoldenFile& file, const Tool& tool, llvm::StringRef binary) {
  Outcome outcome;
  outcome.updated = file.program;
  cli::Files files;
  files.KeepWritesInMemory();
  std::vector<std::pair<std::string, std::string>> parts = Parts(file);
  for (const auto& [name, text] : parts) {
    files.Put(name, text);
  }
  llvm::StringRef folder = binary.take_front(binary.rfind('/') + 1);
  bool failed = false;
  for (size_t i = 0; i < file.commands.size(); ++i) {
    const Command& command = file.commands[i];
    CommandResult result = RunCommand(file, command, tool, files);
    failed |= result.exit_code != 0;
    for (const std::string& comment : command.comments) {
      outcome.updated += comment + "\n";
    }
    if (!result.error.empty()) {
      result.transcript = command.transcript;
    }
    outcome.updated += file.marker + " RUN: " + command.line + "\n" + result.transcript;
    std::string diff = UnifiedDiff(command.transcript, result.transcript);
    if (!result.error.empty() || !diff.empty()) {
      outcome.failure += file.path + ", RUN " + std::to_string(i + 1) + ": " + command.line + "\n";
      outcome.failure += result.error.empty() ? diff : result.error + "\n";
      if (parts.size() == 1) {
        outcome.failure += "try:    " + folder.str() + "spmdc " + Substitute(command.line, file.path) + "\n";
      }
      outcome.failure += "accept: " + binary.str() + " --update " + file.path + "\n";
    }
  }
  for (const std::string& comment : file.tail) {
    outcome.updated += comment + "\n";
  }
  bool named_fail = HasPrefix(FileName(file.path), "fail_");
  if (failed != named_fail) {
    outcome.failure += file.path + ": " +
                       (named_fail ? "is named fail_ but every command exits with 0\n"
                                   : "a command fails, so the file's name must start with fail_\n");
  }
  return outcome;
}

}  // namespace spmdc::file_test
