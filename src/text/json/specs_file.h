// Specs files: the JSON of docs/specs.md (its schema: docs/specs.schema.json), read and written.
//
//   {"spmdc_specs": 1, "mesh": "data=4,model=2", "in": {"x": "P(data, _)"}, "out": {"0": "P(data, _)"}}
#pragma once

#include <string>
#include <vector>

#include "diag/engine.h"
#include "ir/module.h"
#include "specs/specs.h"

namespace spmdc::text::json {

// A member of "options": a command-line option without its dashes, and its value as one would write it there.
struct FileOption {
  std::string name, value;
  source::Span span;
};

struct SpecsFile {
  specs::Specs specs;
  std::vector<FileOption> options;
};

// What a file says; errors are told one by one, each where it stands. Nothing if there was any.
std::optional<SpecsFile> ReadSpecsFile(source::FileId file, diag::Engine& diags);

// A starting file for a program that has been read: its mesh, its arguments and results with their types and the shardings
// they have. Read back, it changes nothing: what it cannot say (a sharding on another mesh) it leaves out.
std::string WriteSpecsFile(const ir::Module& program);

}  // namespace spmdc::text::json
