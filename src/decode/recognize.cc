// The form of a spelling: `[KEY =] [TYPE] SHARDING`, `[KEY =] GROUPS`, `SHARDING : TYPE`.
#include "decode/reading.h"
#include "llvm/ADT/STLExtras.h"
#include "op/text.h"
#include "support/plural.h"

namespace spmdc::decode {
namespace {

// What attributes that hold shardings and groups are called.
constexpr llvm::StringLiteral kKeys[] = {
    "sharding",      "sdy.sharding",     "mhlo.sharding",  "out_sharding",      "in_sharding",         "in_shardings",
    "out_shardings", "xla.sdy.sharding", "replica_groups", "axis_index_groups", "source_target_pairs", "perm"};

// `sharding=` in front of the rest; the name, or nothing where there is none.
llvm::StringRef TakeKey(mesh::TextCursor& in) {
  for (llvm::StringRef key : kKeys) {
    mesh::TextCursor ahead = in;
    if (ahead.EatWord(key) && ahead.Eat("=")) {
      in = ahead;
      return key;
    }
  }
  return "";
}

// Files begin with lines that say what is in them.
void SkipComments(mesh::TextCursor& in) {
  while (in.Peek("//")) {
    in.Advance(in.rest().find('\n') == llvm::StringRef::npos ? in.rest().size() : in.rest().find('\n'));
  }
}

// Behind comments, a message of XLA's partitioner: one line that tells from which sharding to which something is moved.
bool IsMove(llvm::StringRef text) {
  auto [line, rest] = text.split('\n');
  for (llvm::StringRef next; !rest.empty();) {
    std::tie(next, rest) = rest.split('\n');
    if (!next.trim().empty() && !StartsWith(next.ltrim(), "//")) {
      return false;
    }
  }
  return line.contains((kMove + "{").str()) && line.contains("} to {");
}

bool ReadSpelling(Reading& r) {
  SkipComments(r.in);
  if (IsMove(r.Rest())) {
    return ReadMove(r);
  }
  llvm::StringRef key = TakeKey(r.in);
  bool pairs = key == "source_target_pairs" || key == "perm";
  std::optional<Shape> shape = r.beside.shape;
  if (AtType(r)) {
    if (!ReadType(r, shape)) {
      return false;
    }
    // A type that names axes is all there is.
    if (!r.out.placed.empty() && r.Rest().empty()) {
      return true;
    }
    key = TakeKey(r.in);
  }
  // MLIR writes HLO's shardings in quotes.
  llvm::StringRef quote = r.in.Peek("\"") ? "\"" : "";
  r.in.Eat("\"");
  bool sharding = AtSharding(r);
  if (!sharding && !AtGroups(r)) {
    return r.in.Fail("expected a sharding or replica groups, found " + r.in.Found());
  }
  if (!(sharding ? ReadSharding(r) : ReadGroups(r, pairs)) || (!quote.empty() && !r.in.Expect(quote))) {
    return false;
  }
  if (r.in.Eat(":") && !(AtType(r) ? ReadType(r, shape) : r.in.Fail("expected a type, found " + r.in.Found()))) {
    return false;
  }
  for (Placed& placed : r.out.placed) {
    size_t rank = placed.sharding.dims.size();
    if (shape && r.out.placed.size() == 1) {
      placed.shape = shape;
    }
    if (shape && r.out.placed.size() == 1 && !placed.mesh.maximal && rank != shape->dims.size()) {
      return r.in.FailAt(0, "the sharding has " + Counted(static_cast<int64_t>(rank), "dim") +
                                ", but the array has rank " + std::to_string(shape->dims.size()));
    }
  }
  return r.Rest().empty() || r.in.Fail("expected the end of the text, found " + r.in.Found());
}

}  // namespace

bool IsSpelling(llvm::StringRef text) {
  mesh::TextCursor in(text);
  SkipComments(in);
  if (!TakeKey(in).empty()) {
    return true;
  }
  llvm::StringRef rest = in.rest();
  if (IsMove(rest)) {
    return true;
  }
  if (StartsWith(rest, "{ lambda")) {
    return false;  // a program of JAX, before it is lowered
  }
  constexpr llvm::StringLiteral kBeginnings[] = {"{",
                                                 "[",
                                                 "(",
                                                 "<",
                                                 "\"{",
                                                 "#sdy.",
                                                 "dense<",
                                                 "dense_resource<",
                                                 "mesh[",
                                                 "P(",
                                                 "PartitionSpec(",
                                                 "NamedSharding(",
                                                 "GSPMDSharding(",
                                                 "SingleDeviceSharding(",
                                                 "SdyArray(",
                                                 "ShapedArray(",
                                                 "tensor<"};
  if (llvm::any_of(kBeginnings, [&](llvm::StringRef beginning) { return StartsWith(rest, beginning); })) {
    return true;
  }
  llvm::StringRef word = rest.take_while([](char c) { return llvm::isAlnum(c); });
  bool type = tensor::FromHloName(word).has_value() ||
              llvm::any_of(tensor::AllDTypes(), [&](tensor::DType t) { return tensor::NumpyName(t) == word; });
  return type && StartsWith(rest.drop_front(word.size()), "[");
}

std::optional<Decoded> DecodeSpelling(source::FileId file, const Beside& beside, diag::Engine& diags) {
  llvm::StringRef text = diags.sources().text(file).rtrim();
  Reading r{file, beside, diags, mesh::TextCursor(text), {}};
  size_t errors = diags.error_count();
  if (ReadSpelling(r) && !r.in.failed()) {
    return std::move(r.out);
  }
  if (diags.error_count() == errors) {
    mesh::TextError error = *r.in.error();
    size_t at = std::min(error.offset, text.size());
    diags.Error(op::KindOf(error), r.At(at, std::min(at + 1, text.size())), error.message);
  }
  return std::nullopt;
}

std::optional<Shape> ParseShape(source::FileId file, diag::Engine& diags) {
  Beside beside;
  Reading r{file, beside, diags, mesh::TextCursor(diags.sources().text(file).rtrim()), {}};
  std::optional<Shape> shape;
  if (!AtType(r)) {
    r.in.Fail("expected a type such as f32[8,4], found " + r.in.Found());
  } else if (ReadType(r, shape) && !r.Rest().empty()) {
    r.in.Fail("expected the end of the type, found " + r.in.Found());
  }
  if (r.in.failed()) {
    size_t at = r.in.error()->offset;
    diags.Error(diag::Kind::BadOption, r.At(at, at + 1), r.in.error()->message);
    return std::nullopt;
  }
  return diags.has_errors() ? std::nullopt : shape;
}

}  // namespace spmdc::decode
