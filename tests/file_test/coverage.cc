// Looking for the catalogue's names in golden files.
#include "file_test/coverage.h"

#include <map>
#include <set>

#include "cli/options.h"
#include "diag/engine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace spmdc::file_test {
namespace {

const llvm::StringLiteral kOps[] = {
#define SPMDC_OP(name, mnemonic) mnemonic,
#include "ir/op_kind.def"
#undef SPMDC_OP
};

bool IsWordChar(char c) { return llvm::isAlnum(c) || c == '_'; }

// The words of a text.
void AddWords(llvm::StringRef text, std::set<std::string>& words) {
  for (size_t i = 0; i < text.size();) {
    size_t begin = i;
    while (i < text.size() && IsWordChar(text[i])) {
      ++i;
    }
    if (i > begin) {
      words.insert(text.slice(begin, i).str());
    } else {
      ++i;
    }
  }
}

// The kinds in brackets at the ends of standard error lines.
void AddKinds(llvm::StringRef transcript, std::set<std::string>& seen) {
  llvm::SmallVector<llvm::StringRef, 32> lines;
  transcript.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    size_t open = line.rfind('[');
    if (!line.empty() && line.back() == ']' && open != llvm::StringRef::npos) {
      seen.insert("kind:" + line.slice(open + 1, line.size() - 1).str());
    }
  }
}

// Commands and options, an option's value both behind "=" and as the next word.
void AddCommandLine(llvm::StringRef line, std::set<std::string>& seen) {
  std::vector<std::string> words = SplitCommand(line).value_or(std::vector<std::string>());
  for (size_t i = 0; i < words.size(); ++i) {
    std::string word = words[i];
    if (i == 0) {
      seen.insert("command:" + word);
    }
    for (const cli::OptionInfo& option : cli::AllOptions()) {
      if (!option.letter.empty() && word == option.letter) {
        word = option.name.str();
      }
    }
    std::string name = llvm::StringRef(word).split('=').first.str();
    seen.insert("option:" + name);
    seen.insert("option:" + word);
    if (i + 1 < words.size()) {
      seen.insert("option:" + word + "=" + words[i + 1]);
    }
  }
}

}  // namespace

std::vector<std::string> Catalogue() {
  std::vector<std::string> names;
  for (diag::Kind kind : diag::AllKinds()) {
    names.push_back("kind:" + diag::Code(kind).str());
  }
  for (const cli::CommandInfo& command : cli::Commands()) {
    names.push_back("command:" + command.name.str());
  }
  const cli::Options defaults;
  for (const cli::OptionInfo& option : cli::AllOptions()) {
    names.push_back("option:" + option.name.str());
    auto* text = std::get_if<std::string cli::Options::*>(&option.target);
    llvm::SmallVector<llvm::StringRef, 8> values;
    option.argument.split(values, '|');
    for (llvm::StringRef value : values) {
      if (values.size() > 1 && text != nullptr && value != defaults.*(*text)) {
        names.push_back("option:" + option.name.str() + "=" + value.str());
      }
    }
  }
  for (llvm::StringRef op : kOps) {
    names.push_back("op:" + op.str());
  }
  return names;
}

std::vector<std::string> Uncovered(llvm::ArrayRef<std::string> catalogue, llvm::ArrayRef<GoldenFile> files) {
  std::set<std::string> seen;
  std::set<std::string> words;
  for (const GoldenFile& file : files) {
    AddWords(file.program, words);
    for (const Command& command : file.commands) {
      AddCommandLine(command.line, seen);
      AddKinds(command.transcript, seen);
      AddWords(command.transcript, words);
    }
  }
  for (const std::string& word : words) {
    seen.insert("op:" + word);
  }
  std::vector<std::string> uncovered;
  for (const std::string& name : catalogue) {
    if (seen.count(name) == 0) {
      uncovered.push_back(name);
    }
  }
  return uncovered;
}

std::string CheckExemptions(llvm::StringRef list, llvm::ArrayRef<std::string> catalogue,
                            llvm::ArrayRef<std::string> uncovered) {
  std::string wrong;
  std::set<std::string> exempt;
  llvm::SmallVector<llvm::StringRef, 64> lines;
  list.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    if (line.trim().empty() || line[0] == '#') {
      continue;
    }
    auto [name, reason] = line.trim().split(' ');
    exempt.insert(name.str());
    if (reason.trim().empty()) {
      wrong += name.str() + ": exempt without a reason\n";
    }
    if (!llvm::is_contained(catalogue, name.str())) {
      wrong += name.str() + ": exempt, but there is no such thing\n";
    } else if (!llvm::is_contained(uncovered, name.str())) {
      wrong += name.str() + ": exempt, but a golden file shows it; take it off the list\n";
    }
  }
  for (const std::string& name : uncovered) {
    if (exempt.count(name) == 0) {
      wrong += name + ": in no golden file\n";
    }
  }
  return wrong;
}

}  // namespace spmdc::file_test
