// Every message of the readers of text is in a story: what they say is looked up in the golden files.
//
// A message is what stands in quotes where a reader fails: Fail(kind, span, "a part of an axis is written x:(1)2, got " + text).
// The longest piece of it, if it is more than a word, has to be in some golden file, or in messages_exempt.txt with a reason.
#include <map>
#include <set>

#include "gtest/gtest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "support/starts_with.h"

namespace spmdc::file_test {
namespace {

constexpr char kExempt[] = "tests/file_test/messages_exempt.txt";

std::string Contents(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

std::vector<std::string> FilesBelow(llvm::StringRef folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end; it != end && !error; it.increment(error)) {
    if (it->type() == llvm::sys::fs::file_type::regular_file) {
      files.push_back(it->path());
    }
  }
  llvm::sort(files);
  return files;
}

// The strings in a piece of code, escapes replaced; neighbours that only blanks part are one.
std::vector<std::string> Strings(llvm::StringRef code) {
  std::vector<std::string> strings;
  bool joins = false;
  for (size_t i = 0; i < code.size(); ++i) {
    if (code[i] == '\'' && i + 2 < code.size()) {
      i += code[i + 1] == '\\' ? 3 : 2;
      joins = false;
    } else if (code[i] == '"') {
      std::string text;
      for (++i; i < code.size() && code[i] != '"'; ++i) {
        i += code[i] == '\\' ? 1 : 0;
        text += code[i];
      }
      if (joins) {
        strings.back() += text;
      } else {
        strings.push_back(text);
      }
      joins = true;
    } else {
      joins = joins && llvm::isSpace(code[i]);
    }
  }
  return strings;
}

// What stands in the parentheses that open at the start of `code`.
llvm::StringRef Arguments(llvm::StringRef code) {
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < code.size(); ++i) {
    char c = code[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"' && !(i > 0 && code[i - 1] == '\'')) {
      quoted = !quoted;
    } else if (!quoted && (c == '(' || c == ')')) {
      depth += c == '(' ? 1 : -1;
      if (depth == 0) {
        return code.slice(1, i);
      }
    }
  }
  return "";
}

// Code with plain strings for raw ones, R"(a "b")".
std::string WithoutRawStrings(llvm::StringRef code) {
  std::string plain;
  for (size_t at = code.find("R\"("); at != llvm::StringRef::npos; at = code.find("R\"(")) {
    plain += code.take_front(at).str() + "\"";
    code = code.drop_front(at + 3);
    for (char c : code.take_front(code.find(")\""))) {
      plain += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
    plain += "\"";
    code = code.drop_front(std::min(code.find(")\""), code.size() - 2) + 2);
  }
  return plain + code.str();
}

// The messages of a file, and the line of each.
std::map<std::string, size_t> MessagesOf(const std::string& file) {
  llvm::StringRef code = file;
  std::map<std::string, size_t> messages;
  for (llvm::StringRef call : {"Fail", "FailAt", "FailExpected", "Error", "FailIn"}) {
    for (size_t at = code.find(call); at != llvm::StringRef::npos; at = code.find(call, at + 1)) {
      bool whole = (at == 0 || !llvm::isAlnum(code[at - 1])) && StartsWith(code.substr(at + call.size()), "(");
      std::string longest;
      for (const std::string& text :
           whole ? Strings(Arguments(code.substr(at + call.size()))) : std::vector<std::string>()) {
        longest = text.size() > longest.size() ? text : longest;
      }
      std::string message = llvm::StringRef(longest).trim().str();
      if (message.find(' ') != std::string::npos) {
        messages.try_emplace(message, code.take_front(at).count('\n') + 1);
      }
    }
  }
  return messages;
}

std::set<std::string> Exempt() {
  std::set<std::string> exempt;
  llvm::SmallVector<llvm::StringRef, 32> lines;
  std::string list = Contents(kExempt);
  llvm::StringRef(list).split(lines, '\n');
  for (llvm::StringRef line : lines) {
    if (!line.empty() && line.front() != '#') {
      auto [message, reason] = line.split(" | ");
      EXPECT_FALSE(reason.trim().empty()) << kExempt << ": without a reason: " << line.str();
      exempt.insert(message.str());
    }
  }
  return exempt;
}

TEST(Messages, AreInStories) {
  std::string stories;
  for (const std::string& file : FilesBelow("testdata")) {
    stories += Contents(file);
  }
  std::vector<std::string> sources;
  for (llvm::StringRef folder : {"src/text/hlo", "src/text/stablehlo", "src/text/json", "src/specs", "src/mesh"}) {
    llvm::append_range(sources, FilesBelow(folder));
  }
  std::set<std::string> exempt = Exempt(), left = exempt;
  size_t count = 0;
  for (const std::string& file : sources) {
    for (const auto& [message, line] : MessagesOf(WithoutRawStrings(Contents(file)))) {
      ++count;
      left.erase(message);
      bool told = llvm::StringRef(stories).contains(message);
      EXPECT_TRUE(told || exempt.count(message) != 0)
          << file << ":" << line << ": no story has the message \"" << message
          << "\": write a wrong program that gets it, beside a right one (testdata/messages)";
      EXPECT_FALSE(told && exempt.count(message) != 0)
          << kExempt << ": a story has the message \"" << message << "\": take it off the list";
    }
  }
  EXPECT_GT(count, 200U);
  for (const std::string& message : left) {
    ADD_FAILURE() << kExempt << ": no reader says \"" << message << "\"";
  }
}

}  // namespace
}  // namespace spmdc::file_test
