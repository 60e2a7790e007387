// Random programs, partitioned and run: the per-device program computes what the global one does.
//
// SPMDC_CASES sets how many (2,000 by default), SPMDC_SEED the first seed; a failure prints its seed and its program.
#include <gtest/gtest.h>

#include <cstdlib>

#include "llvm/Support/raw_ostream.h"
#include "property/generator.h"
#include "property/pipeline.h"
#include "text/native/writer.h"

namespace spmdc::property {
namespace {

int64_t FromEnvironment(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::atoll(text) : otherwise;
}

// Every diagnostic must be a refusal that partition is allowed.
bool OnlyRefusals(const diag::Engine& diags) {
  for (const diag::Diagnostic& d : diags.all()) {
    if (d.severity == diag::Severity::Error && d.kind != diag::Kind::CannotPartition) {
      return false;
    }
  }
  return true;
}

TEST(Generated, PartitionedProgramsComputeTheSameNumbers) {
  int64_t cases = FromEnvironment("SPMDC_CASES", 2000), first = FromEnvironment("SPMDC_SEED", 1);
  Coverage coverage;
  int64_t refused = 0, failed = 0, values = 0, collectives = 0;
  for (int64_t seed = first; seed < first + cases; ++seed) {
    source::SourceManager sources;
    diag::Engine diags(&sources);
    Generator generator(static_cast<uint64_t>(seed), diags);
    ir::Module program = generator.Make();
    std::optional<Programs> programs;
    if (!diags.has_errors()) {
      programs = Compile(program, diags);
    }
    if (!programs && diags.has_errors() && OnlyRefusals(diags)) {
      ++refused;
      continue;
    }
    run::CheckResult result;
    if (programs && !diags.has_errors()) {
      Count(programs->planned, coverage);
      run::RunOptions options;
      options.threads = 1;
      result = run::CheckPartition(programs->global, programs->per_device,
                                   RandomInputs(program, static_cast<uint64_t>(seed)), options, diags);
      values += result.values;
      collectives += result.collectives;
    }
    if (!result.ok) {
      ++failed;
      ADD_FAILURE() << "seed " << seed << "\n" << diag::RenderText(diags, false) << text::native::Write(program);
      if (failed == 5) {
        break;
      }
    }
  }
  llvm::outs() << cases << " programs: " << refused << " refused by partition, " << failed << " wrong; " << values
               << " values compared, " << collectives << " collectives run\n"
               << Table(coverage);
  llvm::outs().flush();
  EXPECT_LT(refused * 10, cases) << "the generator makes too much that is refused";
  if (cases >= 2000) {
    for (op::FactorKind kind : {op::FactorKind::Map, op::FactorKind::New, op::FactorKind::Reduce, op::FactorKind::Index,
                                op::FactorKind::Piece, op::FactorKind::Window, op::FactorKind::Scan}) {
      for (size_t a = 0; a < std::size(kAspectNames); ++a) {
        EXPECT_GE((coverage[{kind, static_cast<Aspect>(a)}]), 20) << op::Name(kind).str() << " x " << kAspectNames[a];
      }
    }
  }
}

}  // namespace
}  // namespace spmdc::property
