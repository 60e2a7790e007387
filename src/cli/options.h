// The options of every command: one table, which the parser, --help and the man page are made from.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace spmdc::cli {

// What a command line says, before anything is looked at. Names as in the table of options.cc.
struct Options {
  std::string file;  // "-" is standard input
  std::string from = "auto";
  std::string specs;  // a specs file
  std::string mesh;
  std::vector<std::string> in, out;
  std::string propagation = "shardy";
  std::string program = "auto";
  std::string stop_after;
  std::string emit;
  std::string output;
  bool json = false;
  std::string entry;
  int64_t devices = 0;  // 0: as the program says
  std::string diagnostics = "text";
  std::string color = "auto";
  bool time = false;
  bool quiet = false;
  std::string replica_groups = "auto";
  // run
  bool check = false;
  int64_t seed = 0;
  std::vector<std::string> input;
  std::string inputs;
  std::string save;
  int64_t iterations = 1;
  bool no_anchor = false;
  // check
  std::string golden;
  bool update = false;
  // explain
  bool all = false;
  std::vector<std::string> value;
  bool rules = false;
  bool trace_propagation = false;
  bool compare_propagation = false;
  // decode
  std::string shape;
  // The names of those that the command line gives a value.
  std::vector<std::string> given;
};

// One bit a command, for the table's column of commands.
enum CommandBit : unsigned { kCompile = 1, kExplain = 2, kRun = 4, kCheck = 8, kSpecs = 16, kDecode = 32, kAll = 63 };

struct CommandInfo {
  CommandBit bit;
  llvm::StringLiteral name;
  llvm::StringLiteral summary;  // a phrase, for the list of commands
  llvm::StringLiteral text;     // sentences
  llvm::StringLiteral operand = "FILE";
};

// Where an option's value goes; the type says what it may be.
using Target =
    std::variant<bool Options::*, int64_t Options::*, std::string Options::*, std::vector<std::string> Options::*>;

struct OptionInfo {
  llvm::StringLiteral name;      // "--mesh"
  llvm::StringLiteral letter;    // "-o" or empty
  llvm::StringLiteral argument;  // "FILE"; "a|b|c" takes one of these words; empty for a flag
  llvm::StringLiteral text;      // a sentence without its period
  unsigned commands;
  Target target;
  int64_t least = 0;  // of a number
};

llvm::ArrayRef<CommandInfo> Commands();
llvm::ArrayRef<OptionInfo> AllOptions();
const CommandInfo* FindCommand(llvm::StringRef name);

// Why a command line is wrong, and what to write instead.
struct UsageError {
  std::string message;
  std::string help;
};

// Puts the text of an option's value ("--devices", "8") where it belongs; what is wrong with it, or an empty string.
std::string SetOption(llvm::StringRef name, const std::string& text, Options& options);

// Reads the arguments behind a command's name.
std::variant<Options, UsageError> ParseOptions(const CommandInfo& command, llvm::ArrayRef<std::string> args);

std::string Version();
std::string Help();                            // of the tool
std::string Help(const CommandInfo& command);  // of one command
std::string ManPage();                         // man/spmdc.1, in roff

}  // namespace spmdc::cli
