// The short texts of specs, as options and strings of a specs file have them.
//
//   data=4:explicit,model=2        a mesh
//   P(data, _, (x, y:(1)2), ?)     where a value is; also in JAX's spelling, P('data', None, ('x', 'y'), P.UNCONSTRAINED)
//   x=P(data,_)                    an option: an entry, its pattern in front of the last `=` before the spec
#pragma once

#include <optional>
#include <string>

#include "diag/engine.h"
#include "specs/specs.h"

namespace spmdc::specs {

// A text and where its bytes stand. `exact`: byte for byte; otherwise (a string with escapes) the span is that of all.
struct Text {
  llvm::StringRef text;
  source::Span span;
  bool exact = true;

  source::Span At(size_t begin, size_t end) const {
    return exact ? source::Span{span.file, span.begin + static_cast<uint32_t>(begin),
                                span.begin + static_cast<uint32_t>(end)}
                 : span;
  }
};

// More axes than any machine has; checks are quadratic in them.
inline constexpr size_t kMostAxes = 64;

// Each reads the whole text; nothing after an error of the given kind (the form of an option, or of a file).
std::optional<MeshSpec> ParseMesh(Text text, diag::Kind form, diag::Engine& diags);
std::optional<Placement> ParsePlacement(Text text, diag::Kind form, diag::Engine& diags);
std::optional<Entry> ParseOption(Text text, diag::Engine& diags);

// `P('data', None)`, `P('x:(1)2', UNCONSTRAINED)`: a spec that ParsePlacement reads back; nothing where only the long form of a
// specs file says it all (priorities, open dims with axes, pinned axes).
std::optional<std::string> SpecText(const mesh::Mesh& mesh, const mesh::Sharding& sharding);

}  // namespace spmdc::specs
