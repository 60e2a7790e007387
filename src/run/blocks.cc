// Copying boxes between arrays row by row, and poison.
#include "run/blocks.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "llvm/ADT/STLExtras.h"
#include "op/eval.h"
#include "ops/combine.h"

namespace spmdc::run {

using tensor::Dims;
using tensor::Literal;

Box BoxOf(const Range& range) {
  Box box;
  for (const auto& [begin, end] : range) {
    box.start.push_back(begin);
    box.extent.push_back(end - begin);
  }
  return box;
}

std::optional<int64_t> PositionOf(const mesh::Mesh& mesh, int64_t device) {
  if (mesh.device_ids.empty()) {
    return device >= 0 && device < mesh.size() ? std::optional<int64_t>(device) : std::nullopt;
  }
  const auto* it = llvm::find(mesh.device_ids, device);
  return it == mesh.device_ids.end() ? std::nullopt : std::optional<int64_t>(it - mesh.device_ids.begin());
}

bool ForEachRow(llvm::ArrayRef<int64_t> a_dims, llvm::ArrayRef<int64_t> a_start, llvm::ArrayRef<int64_t> b_dims,
                llvm::ArrayRef<int64_t> b_start, llvm::ArrayRef<int64_t> extent,
                llvm::function_ref<bool(int64_t, int64_t, int64_t)> row) {
  if (tensor::NumElements(extent) == 0) {
    return true;
  }
  // Trailing dims that are whole in both arrays belong to the row.
  size_t rank = extent.size();
  size_t outer = rank;
  int64_t length = 1;
  while (outer > 0) {
    --outer;
    length *= extent[outer];
    if (extent[outer] != a_dims[outer] || extent[outer] != b_dims[outer]) {
      break;
    }
  }
  Dims a_strides = tensor::Strides(a_dims);
  Dims b_strides = tensor::Strides(b_dims);
  Dims index(outer, 0);
  do {
    int64_t a = 0;
    int64_t b = 0;
    for (size_t d = 0; d < rank; ++d) {
      int64_t i = d < outer ? index[d] : 0;
      a += (a_start[d] + i) * a_strides[d];
      b += (b_start[d] + i) * b_strides[d];
    }
    if (!row(a, b, length)) {
      return false;
    }
  } while (tensor::NextIndex(index, extent.take_front(outer)));
  return true;
}

void CopyBox(const Literal& from, llvm::ArrayRef<int64_t> from_start, Literal& to, llvm::ArrayRef<int64_t> to_start,
             llvm::ArrayRef<int64_t> extent) {
  SPMDC_CHECK(from.dtype() == to.dtype(), "a box copied between element types");
  const char* source = from.raw().data();
  char* target = to.mutable_raw();
  int64_t width = tensor::ByteWidth(from.dtype());
  ForEachRow(from.dims(), from_start, to.dims(), to_start, extent, [&](int64_t a, int64_t b, int64_t count) {
    std::memcpy(target + b * width, source + a * width, static_cast<size_t>(count * width));
    return true;
  });
}

Literal BlockOf(const Literal& whole, const mesh::Mesh& mesh, const mesh::Sharding& sharding, int64_t position) {
  Dims local = mesh::LocalDims(sharding, whole.dims());
  if (mesh::Coordinate(mesh, sharding.unreduced, position) != 0) {
    Literal identity = op::Identity(sharding.unreduced_kind, whole.dtype());
    llvm::ArrayRef<char> element = identity.raw();
    return Literal::Splat(whole.dtype(), local, {element.begin(), element.end()}).Materialize();
  }
  if (llvm::ArrayRef<int64_t>(local) == whole.dims()) {
    return whole;
  }
  Literal block(whole.dtype(), local);
  Box box = BoxOf(mesh::ShardRange(mesh, sharding, whole.dims(), position));
  CopyBox(whole, box.start, block, Dims(local.size(), 0), box.extent);
  Poison(block, box.extent);
  return block;
}

Literal JoinBlocks(llvm::ArrayRef<PlacedBlock> blocks, const mesh::Mesh& mesh, const mesh::Sharding& sharding,
                   llvm::ArrayRef<int64_t> dims) {
  int64_t count = mesh::Product(sharding.unreduced);
  if (count == 1 && blocks[0].block->dims() == dims) {
    return *blocks[0].block;
  }
  std::vector<Literal> terms;
  for (int64_t i = 0; i < count; ++i) {
    terms.emplace_back(blocks[0].block->dtype(), dims);
  }
  for (const PlacedBlock& placed : llvm::reverse(blocks)) {  // of copies the first is left
    Box box = BoxOf(mesh::ShardRange(mesh, sharding, dims, placed.position));
    Literal& term = terms[static_cast<size_t>(mesh::Coordinate(mesh, sharding.unreduced, placed.position))];
    CopyBox(*placed.block, Dims(dims.size(), 0), term, box.start, box.extent);
  }
  if (count == 1) {
    return terms[0];
  }
  std::vector<const Literal*> all;
  for (const Literal& term : terms) {
    all.push_back(&term);
  }
  return ops::CombineAll(sharding.unreduced_kind, all);
}

namespace {

// Element `i` of the poison: integers alternate between far out of any range, a plausible small number and a negative one,
// so that a leak through an index shows whether or not out-of-range indices are ignored.
void PoisonElement(Literal& block, int64_t i) {
  switch (tensor::Class(block.dtype())) {
    case tensor::DClass::Float:
    case tensor::DClass::Complex: {
      double nan = std::numeric_limits<double>::quiet_NaN();
      block.SetComplex(i, {nan, nan});
      return;
    }
    case tensor::DClass::Pred:
      block.SetInt(i, 1 - i % 2);
      return;
    default:
      block.SetInt(i, i % 3 == 0 ? 0x5A5A5A5A : i % 3 == 1 ? 1 : -7);
  }
}

}  // namespace

void Poison(Literal& block, llvm::ArrayRef<int64_t> true_extent) {
  // The padding is a union of slabs: behind the extent in dim d, within it in the dims before.
  for (size_t d = 0; d < true_extent.size(); ++d) {
    Dims start(true_extent.size(), 0);
    Dims extent(block.dims().begin(), block.dims().end());
    std::copy(true_extent.begin(), true_extent.begin() + static_cast<ptrdiff_t>(d), extent.begin());
    start[d] = true_extent[d];
    extent[d] -= true_extent[d];
    ForEachRow(block.dims(), start, block.dims(), start, extent, [&](int64_t a, int64_t, int64_t count) {
      for (int64_t i = a; i < a + count; ++i) {
        PoisonElement(block, i);
      }
      return true;
    });
  }
}

}  // namespace spmdc::run
