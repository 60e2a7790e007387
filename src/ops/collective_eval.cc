// Collectives on host arrays.
#include "ops/collective_eval.h"

#include "ops/array_copy.h"
#include "ops/combine.h"

namespace spmdc::ops {
namespace {

using tensor::Dims;
using tensor::Literal;

std::vector<Literal> Dense(llvm::ArrayRef<const Literal*> operands) {
  std::vector<Literal> dense;
  for (const Literal* operand : operands) {
    dense.push_back(operand->Materialize());
  }
  return dense;
}

// Piece k of n of a dim.
Literal PieceOf(const Literal& whole, int64_t dim, int64_t k, int64_t n) {
  Dims dims(whole.dims().begin(), whole.dims().end());
  auto d = static_cast<size_t>(dim);
  dims[d] /= n;
  Dims start(dims.size(), 0);
  start[d] = k * dims[d];
  Literal piece = Literal::Unwritten(whole.dtype(), dims);
  CopyBox(whole, start, piece, Dims(dims.size(), 0), dims);
  return piece;
}

Literal Join(llvm::ArrayRef<Literal> pieces, int64_t dim) {
  Dims box(pieces[0].dims().begin(), pieces[0].dims().end());
  auto d = static_cast<size_t>(dim);
  Dims dims = box, start(box.size(), 0);
  dims[d] *= static_cast<int64_t>(pieces.size());
  Literal joined = Literal::Unwritten(pieces[0].dtype(), dims);
  for (const Literal& piece : pieces) {
    CopyBox(piece, Dims(box.size(), 0), joined, start, box);
    start[d] += box[d];
  }
  return joined;
}

}  // namespace

std::vector<Literal> EvalCollective(const op::Collective& c, llvm::ArrayRef<const Literal*> operands) {
  size_t n = operands.size();
  auto count = static_cast<int64_t>(n);
  std::vector<Literal> results;
  switch (c.kind) {
    case op::CollectiveKind::AllReduce:
      results.assign(n, CombineAll(c.monoid, operands));
      return results;
    case op::CollectiveKind::ReduceScatter: {
      Literal sum = CombineAll(c.monoid, operands).Materialize();
      for (int64_t k = 0; k < count; ++k) {
        results.push_back(PieceOf(sum, c.dim, k, count));
      }
      return results;
    }
    case op::CollectiveKind::AllGather:
      results.assign(n, Join(Dense(operands), c.dim));
      return results;
    case op::CollectiveKind::AllToAll: {
      std::vector<Literal> dense = Dense(operands);
      for (int64_t k = 0; k < count; ++k) {
        std::vector<Literal> received;
        for (const Literal& from : dense) {
          received.push_back(PieceOf(from, c.dim, k, count));
        }
        results.push_back(Join(received, c.concat_dim));
      }
      return results;
    }
    case op::CollectiveKind::Permute:
      break;
  }
  SPMDC_CHECK(false, "a permute has no groups");
  return results;
}

Literal EvalPermute(const op::Collective& c, llvm::ArrayRef<const Literal*> operands, int64_t device) {
  for (const auto& [from, to] : c.pairs) {
    if (to == device) {
      return *operands[static_cast<size_t>(from)];
    }
  }
  const Literal& own = *operands[static_cast<size_t>(device)];
  return Literal(own.dtype(), own.dims());
}

}  // namespace spmdc::ops
