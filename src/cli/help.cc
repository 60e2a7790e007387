// The same table as text: --help for a terminal, the man page in roff.
#include <algorithm>

#include "cli/options.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace spmdc::cli {
namespace {

constexpr size_t kWidth = 100;

struct ExitCodeRow {
  int code;
  llvm::StringLiteral meaning;
};

constexpr ExitCodeRow kExitCodes[] = {
    {0, "fine"},
    {1, "a check that was asked for failed"},
    {2, "the command line is wrong"},
    {3, "the input's text is wrong or cannot be read"},
    {4, "a type, sharding or spec is wrong"},
    {5, "an op or feature is not supported"},
    {6, "the numbers differ"},
    {7, "devices wait for each other, or their groups do not match"},
    {70, "an error of spmdc's own"},
};

// Words filled into lines of kWidth columns, all but the first indented.
std::string Fill(llvm::StringRef text, size_t indent, size_t column) {
  std::string out;
  llvm::SmallVector<llvm::StringRef, 32> words;
  text.split(words, ' ');
  for (llvm::StringRef word : words) {
    if (column > indent && column + 1 + word.size() > kWidth) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

std::string Row(const std::string& left, llvm::StringRef right, size_t indent) {
  std::string row = "  " + left;
  if (row.size() + 2 > indent) {
    row += "\n" + std::string(indent, ' ');
  } else {
    row += std::string(indent - row.size(), ' ');
  }
  return row + Fill(right, indent, indent) + "\n";
}

std::string Spelled(const OptionInfo& option) {
  std::string text = option.letter.empty() ? "" : option.letter.str() + ", ";
  return text + option.name.str() + (option.argument.empty() ? "" : "=" + option.argument.str());
}

// Text in roff: a dash is a minus sign, a backslash and a leading dot are spelled out.
std::string Roff(llvm::StringRef text) {
  std::string out;
  for (char c : text) {
    if (c == '-') {
      out += "\\-";
    } else if (c == '\\') {
      out += "\\e";
    } else {
      out += c;
    }
  }
  return out.empty() || (out[0] != '.' && out[0] != '\'') ? out : "\\&" + out;
}

}  // namespace

std::string Version() { return "spmdc " SPMDC_VERSION "\n"; }

std::string Help() {
  std::string out =
      "spmdc: compiler and inspector for sharded tensor programs\n\nUsage: spmdc COMMAND [OPTION...] FILE\n\n";
  out += "FILE is a program in the native language, HLO text or StableHLO text; - is standard input.\n\nCommands:\n";
  for (const CommandInfo& command : Commands()) {
    out += Row(command.name.str(), command.summary, 12);
  }
  out += "\n`spmdc COMMAND --help` lists a command's options. `spmdc --version` prints the version.\n\nExit codes:\n";
  for (const ExitCodeRow& row : kExitCodes) {
    out += Row(std::to_string(row.code), row.meaning, 6);
  }
  return out;
}

std::string Help(const CommandInfo& command) {
  std::string out = "Usage: spmdc " + command.name.str() + " [OPTION...] " + command.operand.str() + "\n\n" +
                    Fill(command.text, 0, 0) + "\n\nOptions:\n";
  for (const OptionInfo& option : AllOptions()) {
    if ((option.commands & command.bit) != 0) {
      out += Row(Spelled(option), option.text, 34);
    }
  }
  return out;
}

std::string ManPage() {
  std::string out = ".\\\" The manual page of spmdc, made by `spmdc --print-man` from the option table; do not edit.\n";
  out += ".TH SPMDC 1 \"\" \"spmdc " SPMDC_VERSION "\" \"User Commands\"\n.SH NAME\n";
  out += "spmdc \\- compiler and inspector for sharded tensor programs\n.SH SYNOPSIS\n";
  for (const CommandInfo& command : Commands()) {
    out += ".B spmdc " + Roff(command.name) + "\n[\\fIOPTION\\fR...] \\fI" + Roff(command.operand) + "\\fR\n.br\n";
  }
  out +=
      ".SH DESCRIPTION\nspmdc derives what communication a sharded tensor program needs, shows why, proves that the "
      "partitioned program computes the same numbers, and runs it.\n\\fIFILE\\fR is a program in the native language, "
      "HLO text or StableHLO text; \\- is standard input.\n.SH COMMANDS\n";
  for (const CommandInfo& command : Commands()) {
    out += ".TP\n.B " + Roff(command.name) + "\n" + Roff(command.text) + "\n";
  }
  out += ".SH OPTIONS\n";
  for (const OptionInfo& option : AllOptions()) {
    out += ".TP\n.B " + Roff(Spelled(option)) + "\n" + Roff(option.text) + ".\n";
    if (option.commands != kAll) {
      llvm::SmallVector<llvm::StringRef, 4> names;
      for (const CommandInfo& command : Commands()) {
        if ((option.commands & command.bit) != 0) {
          names.push_back(command.name);
        }
      }
      out += "For " + llvm::join(names, ", ") + ".\n";
    }
  }
  out +=
      ".TP\n.B \\-\\-help\nPrint the options of a command.\n.TP\n.B \\-\\-version\nPrint the version.\n.SH EXIT "
      "STATUS\n";
  for (const ExitCodeRow& row : kExitCodes) {
    out += ".TP\n.B " + std::to_string(row.code) + "\n" + Roff(row.meaning) + ".\n";
  }
  return out;
}

}  // namespace spmdc::cli
