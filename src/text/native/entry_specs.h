// What is said beside the file: another mesh in place of its own, and where the entry's arguments and results are.
#pragma once

#include "specs/matcher.h"
#include "text/native/evaluator.h"

namespace spmdc::text::native {

// While the entry is traced.
struct EntrySpecs {
  explicit EntrySpecs(const specs::Specs& specs) : args(specs.args, "argument"), results(specs.results, "result") {}
  specs::Matcher args, results;
  MeshObj* mesh = nullptr;  // that specs without a mesh's name are on
  bool failed = false;      // a spec was refused; told, and reading goes on to the next one
};

// The mesh that stands in for one that the file makes: of those that are said, the one with the same axes. Null: none does.
// After an error the evaluator has failed.
MeshObj* StandIn(Evaluator& ev, const mesh::Mesh& made);
// The mesh of the entry: the file's, if it is one of those that are said or none is; else the first of those. May be null.
MeshObj* EntryMesh(Evaluator& ev, MeshObj* of_file);

// The sharding that an entry asks for, None where it leaves the value open or is wrong (`failed` is set then).
Value SaidSharding(Evaluator& ev, const specs::Entry& entry, const ir::Type& type, const std::string& what);
// Behind the last leaf: whether all specs were about something, and right. False, and the evaluator has failed, if not.
bool FinishSpecs(Evaluator& ev, specs::Matcher& matcher);

}  // namespace spmdc::text::native
