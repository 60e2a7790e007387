// The suite of typing: small native programs, with the result types that JAX gives them or the refusal, its line and kind.
#include <nlohmann/json.hpp>

#include "llvm/ADT/STLExtras.h"
#include "suites/suite.h"
#include "support/starts_with.h"

namespace spmdc::suites {
namespace {

using Json = nlohmann::json;

std::string WithoutBlanks(llvm::StringRef text) {
  std::string out;
  llvm::copy_if(text, std::back_inserter(out), [](char c) { return c != ' '; });
  return out;
}

std::vector<std::string> ResultTypes(const Json& report) {
  std::vector<std::string> types;
  if (!report.contains("functions") || report.at("functions").empty()) {
    return types;
  }
  Json entry;
  for (const Json& function : report.value("functions", Json::array())) {
    if (entry.is_null() || function.at("name") == "main") {
      entry = function;
    }
  }
  for (const Json& result : entry.value("results", Json::array())) {
    types.push_back(WithoutBlanks(result.at("type").get<std::string>()));
  }
  return types;
}

// What is not as JAX has it: nothing, the types or the refusal, the line, the kind.
std::string Difference(const Json& expect, int code, const Json& report) {
  if (expect.at("ok").get<bool>()) {
    std::vector<std::string> want;
    for (const Json& type : expect.at("result_types")) {
      want.push_back(WithoutBlanks(type.get<std::string>()));
    }
    return code == 0 && ResultTypes(report) == want ? "" : "wrong: exit code " + std::to_string(code);
  }
  std::string kind = expect.at("kind").get<std::string>();
  bool lacking = expect.at("error") == "NotImplementedError" || kind == "name" || kind == "attribute";
  if (code != 3 && code != 4 && !(lacking && code == 5)) {
    return "wrong: exit code " + std::to_string(code);
  }
  Json diagnostics = report.value("diagnostics", Json::array());
  Json first = diagnostics.empty() ? Json::object() : diagnostics[0];
  if (first.value("line", Json()) != expect.at("line")) {
    return "line";
  }
  std::string have = first.value("code", "");
  return have == kind ? "" : "kind: " + have + " instead of " + kind;
}

Verdict JudgeTyping(llvm::StringRef line) {
  Json one = Json::parse(line.str());
  Verdict verdict;
  verdict.name = one.at("name").get<std::string>();
  std::string out, err;
  int code =
      RunTool({"compile", "--stop-after=types", "--emit=json", "-"}, one.at("program").get<std::string>(), out, err);
  Json report = Json::parse(out, nullptr, /*allow_exceptions=*/false);
  verdict.why = Difference(one.at("expect"), code, report.is_object() ? report : Json::object());
  verdict.good = verdict.why.empty();
  verdict.checks = 1;
  verdict.right = verdict.good || !StartsWith(llvm::StringRef(verdict.why), "wrong") ? 1 : 0;
  return verdict;
}

}  // namespace
}  // namespace spmdc::suites

int main(int argc, char** argv) { return spmdc::suites::RunSuite(argc, argv, spmdc::suites::JudgeTyping); }
