// Golden files: a program and, in trailing comments, commands with everything they print.
//
//   x = ...                                  the program
//   # RUN: compile %s --emit=spmd            a command; %s is this file. `< %s` makes a file the standard input
//   #| line                                  its standard output
//   #! line                                  its standard error
//   # EXIT: 4                                its exit code, if not 0
//
// Files in HLO or StableHLO write // where native ones write #. The tool reads the text before the first RUN line, so a
// program may end anywhere. A line `# --- name.ext` before it ends this file and starts another one, in memory, called
// name.ext. A file whose name starts with fail_ has a command that exits with another code than 0; others have none.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/run.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace spmdc::file_test {

// The tool under test, in process.
using Tool = std::function<int(llvm::ArrayRef<std::string> args, cli::Io& io)>;

struct Command {
  std::string line;                   // as written behind RUN:
  std::vector<std::string> comments;  // lines before RUN that are neither output nor command, kept as they are
  std::string transcript;             // the lines below RUN, as written
};

struct GoldenFile {
  std::string path;    // from the repository's root, with slashes
  std::string marker;  // "#" or "//"
  std::string program;
  std::vector<Command> commands;
  std::vector<std::string> tail;  // comments below the last command
};

// A file's text taken apart, or why it is no golden file ("line 7: ...").
struct ParseResult {
  GoldenFile file;
  std::optional<std::string> error;
};
ParseResult Parse(std::string path, llvm::StringRef text);

// The program's text split at its `# --- name` lines; the first part is the file itself.
std::vector<std::pair<std::string, std::string>> Parts(const GoldenFile& file);
// A command line split as a shell does: blanks, quotes, backslashes. None if a quote is open.
std::optional<std::vector<std::string>> SplitCommand(llvm::StringRef line);

// What a run of all commands gives: the file's text as it should be, and what is wrong with it as it is.
struct Outcome {
  std::string updated;  // the whole file with fresh transcripts
  std::string failure;  // for people: which command, a diff, how to try and how to accept; empty if all is as written
};
// binary is the path of the running test program, for the commands that a failure prints.
Outcome Run(const GoldenFile& file, const Tool& tool, llvm::StringRef binary);

}  // namespace spmdc::file_test
