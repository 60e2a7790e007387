// The report: what a compilation found out, as data. report_text.cc writes it for people, report_json.cc as the contract of
// docs/json-report.md says.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cost/communication.h"
#include "cost/memory.h"
#include "diag/engine.h"
#include "ir/module.h"

namespace spmdc::explain {

struct Place {
  int64_t line = 0;  // in the text; 0: nowhere
  int64_t column = 0;
};

struct Annotation {
  std::string value;  // "arg 0", "constraint v5", ...
  std::string name;   // of an argument; may be empty
  int64_t line = 0;
  std::string file;  // where that line is, if not in the program's text: a specs file, or an option
};

struct ReportedCollective {
  std::string id;  // c1, c2, ...: in program order
  std::string kind;
  std::string op;        // the name of the op that needs it
  std::string function;  // that the op stands in; empty for the entry
  Place place;
  std::optional<ir::SourceInfo> source;
  std::vector<std::string> mesh_axes;
  std::string dtype;
  std::string local_type;  // of one device's operand
  const cost::CollectiveCost* cost = nullptr;
  bool inserted = false;
  std::string cause;
  std::string reason;  // the cause without names: equal for what is needed for the same reason elsewhere
  std::vector<Annotation> annotations;
  std::string suggestion;  // what sends less, with its price; may be empty (explain/advice.h)
  int64_t tried = 0;       // how many changes were tried for it
};

// What a report is made of: the programs of one compilation, as far as they were reached.
struct Subject {
  const source::SourceManager& sources;
  const diag::Engine& diags;
  const ir::Module* last = nullptr;        // null: the text could not be read
  const ir::Module* propagated = nullptr;  // null: not reached
  const ir::Module* per_device = nullptr;  // null: not reached
  std::string propagation = "shardy";
  const ir::Module* typed = nullptr;  // before propagation; null: no advice is asked for
};

struct Report {
  Subject subject;
  // The program that values are reported of: the propagated one if there is one, else the last that was reached.
  const ir::Module* program = nullptr;
  // Nothing where the program was not partitioned.
  std::optional<cost::Communication> communication;
  std::optional<cost::Memory> memory;
  std::vector<ReportedCollective> collectives;
};

Report MakeReport(const Subject& subject);

// For people: shardings of the boundary, collectives with causes, totals, memory. Most bytes first, alike ones told once,
// the small rest only counted; with `all` every one of them in program order.
std::string ToText(const Report& report, bool all);
// Only values of these names, each with its type, sharding, who decided every axis, and a picture.
std::string ValuesText(const Report& report, llvm::ArrayRef<std::string> names);
// All of it without causes, and without lines and names from within the program: what stays as it is while the program
// communicates as it did.
std::string ToFacts(const Report& report);
// One JSON object, two spaces deep, and a newline.
std::string ToJson(const Report& report);

// Where a span is in the program's text; nowhere if it is in another one.
Place PlaceOf(const source::SourceManager& sources, source::Span span);
// The name of the text that a span is in, if that is not the program's.
std::string OtherFile(const source::SourceManager& sources, source::Span span);
// "line 3", "specs.json line 3", "--in": where an annotation stands. Empty for nowhere.
std::string WhereText(int64_t line, const std::string& other_file);
// The same of a span: `line 5`, `specs.json line 6`; empty where there is none.
std::string WhereText(const source::SourceManager& sources, source::Span span);

// `P('data', None)` of a sharding, or `-` where there is none.
std::string SpecOf(const ir::Module& module, mesh::ShardingId sharding, const ir::BoundaryInfo& info = {});

}  // namespace spmdc::explain
