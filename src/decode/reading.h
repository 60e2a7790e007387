// Between the parts of the reader of spellings.
#pragma once

#include "decode/decode.h"
#include "mesh/text_cursor.h"

namespace spmdc::decode {

// One spelling as it is read: the text, what is known, where errors go. An error is the cursor's, or has been told.
struct Reading {
  source::FileId file;
  const Beside& beside;
  diag::Engine& diags;
  mesh::TextCursor in;
  Decoded out;

  source::Span At(size_t begin, size_t end) const {
    return {file, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
  }
  // Goes on behind a part of this length that another reader took from here; false after its error, whose place it counted
  // from here.
  bool Took(const std::optional<mesh::TextError>& error, size_t length) {
    if (error) {
      return in.FailAt(in.position() + error->offset, error->message, error->what);
    }
    in.Advance(length);
    return true;
  }
  // The rest of the text, from its next token on.
  llvm::StringRef Rest() { return in.rest(); }
};

// Where a sharding may begin, and reads it; `shape` is the type that stands in front of it.
bool AtSharding(Reading& r);
bool ReadSharding(Reading& r);
// What stands in front of the two shardings of a move in XLA's messages; reads them, and the type of what is moved.
inline constexpr llvm::StringLiteral kMove = "from sharding ";
bool ReadMove(Reading& r);
// Where a type may begin: `f32[8,4]{1,0}`, `tensor<8x4xf32>`, `ShapedArray(float32[8@x,4])`. A type of JAX that names axes is
// a sharding too.
bool AtType(Reading& r);
bool ReadType(Reading& r, std::optional<Shape>& shape);
// Where groups may begin, and reads them; `pairs`: the text says that they are a permute's.
bool AtGroups(Reading& r);
bool ReadGroups(Reading& r, bool pairs);

// `<[[0, 1], [2, 3]]> : tensor<2x2xi64>`, `<0> : tensor<1x1xi64>`, numbers in hexadecimal digits, behind `dense`.
bool ReadDense(mesh::TextCursor& in, std::vector<Group>& rows);
// The axes of the groups on a mesh; without one, on the smallest that has them. Nothing where there is none.
std::optional<std::pair<mesh::Mesh, mesh::AxisList>> AxesOf(llvm::ArrayRef<Group> groups, const mesh::Mesh* mesh);

}  // namespace spmdc::decode
