// docs/diagnostics.md is true: every wrong program on the page gets its kind, every right one passes.
#include "cli/run.h"
#include "gtest/gtest.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "support/starts_with.h"

namespace spmdc {
namespace {

constexpr char kPage[] = "docs/diagnostics.md";

// A fenced program, and its language as the fence names it.
struct Program {
  llvm::StringRef language, text;
};

// What the page says about one kind: the wrong program, and a right one, or the line that stands in place of the wrong
// program's.
struct Section {
  std::string kind;
  std::vector<std::string> command = {"compile"};  // what it is run with, less the file
  Program wrong, right;
  llvm::StringRef right_line;
};

// The next fenced block behind `text`'s start; moves `text` behind it.
Program TakeProgram(llvm::StringRef& text) {
  auto [before, rest] = text.split("```");
  auto [language, body] = rest.split('\n');
  auto [program, after] = body.split("```");
  text = after;
  return {language, program};
}

// "With `spmdc run --check FILE`:" as {"run", "--check"}.
std::vector<std::string> CommandOf(llvm::StringRef prose) {
  size_t at = prose.find("With `spmdc ");
  if (at == llvm::StringRef::npos) {
    return {"compile"};
  }
  llvm::StringRef line = prose.substr(at + strlen("With `spmdc ")).split('`').first;
  llvm::SmallVector<llvm::StringRef> words;
  line.split(words, ' ', -1, false);
  std::vector<std::string> command;
  for (llvm::StringRef word : words) {
    if (word != "FILE") {
      command.push_back(word.str());
    }
  }
  return command;
}

Section ReadSection(llvm::StringRef text) {
  Section section;
  section.kind = text.split('`').second.split('`').first.str();
  llvm::StringRef prose = text.split("```").first;
  if (prose.size() == text.size() || prose.contains("For example")) {
    return section;
  }
  section.command = CommandOf(prose);
  section.wrong = TakeProgram(text);
  llvm::StringRef right = text.split("Right:").second;
  if (StartsWith(right, " `")) {
    section.right_line = right.split('`').second.split('`').first;
  } else if (right.contains("```")) {
    section.right = TakeProgram(right);
  }
  return section;
}

std::vector<Section> ReadPage(llvm::StringRef page) {
  std::vector<Section> sections;
  llvm::SmallVector<llvm::StringRef> parts;
  page.split(parts, "\n### ");
  for (llvm::StringRef part : llvm::ArrayRef<llvm::StringRef>(parts).drop_front()) {
    sections.push_back(ReadSection(part.split("\n## ").first));
  }
  return sections;
}

struct Outcome {
  int exit_code = 0;
  std::string err;
};

Outcome RunSection(const Section& section, llvm::StringRef language, std::string text) {
  std::string from = language == "python" ? "spmd" : language == "mlir" ? "stablehlo" : "hlo";
  std::vector<std::string> args = section.command;
  args.push_back("--from=" + from);
  args.push_back("-");
  // The page leaves out the module, in the same line so that the lines count as shown.
  std::string input = language == "mlir" ? "module { " + text + "}\n" : text;
  Outcome outcome;
  std::string ignored;
  llvm::raw_string_ostream out(ignored), err(outcome.err);
  cli::Io io{.out = out, .err = err, .stdin_text = std::move(input)};
  outcome.exit_code = cli::Run(args, io);
  return outcome;
}

// The line, from 1, that the first message of the kind points at; 0 if none does.
size_t LineOf(llvm::StringRef messages, llvm::StringRef kind) {
  llvm::SmallVector<llvm::StringRef> lines;
  messages.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    size_t number = 0;
    if (EndsWith(line, ("[" + kind + "]").str()) && line.consume_front("<stdin>:") &&
        !line.consumeInteger(10, number)) {
      return number;
    }
  }
  return 0;
}

// `text` with its line `number` replaced; the indentation stays.
std::string ReplaceLine(llvm::StringRef text, size_t number, llvm::StringRef replacement) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  llvm::StringRef old = lines[number - 1];
  std::string line = (old.take_while([](char c) { return c == ' '; }) + replacement).str();
  lines[number - 1] = line;
  return llvm::join(lines, "\n");
}

TEST(DiagnosticsPage, WrongProgramsHaveTheirKindAndRightOnesPass) {
  auto page = llvm::MemoryBuffer::getFile(kPage);
  ASSERT_TRUE(page) << kPage;
  size_t checked = 0;
  for (const Section& section : ReadPage((*page)->getBuffer())) {
    if (section.wrong.text.empty()) {
      continue;  // one that no program shows: a missing file, an option
    }
    SCOPED_TRACE(section.kind);
    ++checked;
    Outcome wrong = RunSection(section, section.wrong.language, section.wrong.text.str());
    EXPECT_NE(wrong.err.find("[" + section.kind + "]"), std::string::npos) << wrong.err;
    std::string right = section.right.text.str();
    if (!section.right_line.empty()) {
      size_t line = LineOf(wrong.err, section.kind);
      ASSERT_NE(line, 0u) << wrong.err;
      right = ReplaceLine(section.wrong.text, line, section.right_line);
    }
    ASSERT_FALSE(right.empty()) << "no right program";
    Outcome passed = RunSection(section, section.wrong.language, right);
    EXPECT_EQ(passed.exit_code, 0) << passed.err << right;
    EXPECT_EQ(passed.err.find("[" + section.kind + "]"), std::string::npos) << passed.err;
  }
  EXPECT_GT(checked, 60u) << "the page is not read as it is written";
}

}  // namespace
}  // namespace spmdc
