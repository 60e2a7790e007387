// Lowering of dynamic slices along sharded dims.
//
// Of a dim of N elements a device holds a block of t, from offset o = index * t. The slice of u elements starts at s, which
// is clamped to [0, N - u] first, as the op does: an owner decided from the raw start could be nobody. A device looks at
// the window of w = min(u, t) elements of its block that is nearest to the slice: it begins at c = clamp(s - o, 0, t - w),
// and the window's element j is element j - (s - o - c) of the slice.
//
//   dynamic_slice         the window, shifted by s - o - c with zeros moving in; the sum over the devices is the slice
//   dynamic_update_slice  the window of the operand with those elements replaced that the update has, written back
//
// Both touch O(u) elements, whatever the size of the block.
#include "ops/dynamic_slice_localize.h"

#include <algorithm>

#include "ops/emit.h"
#include "ops/emit_pieces.h"
#include "ops/gather.h"

namespace spmdc::ops {
namespace {

using ir::OpKind;

// A sharded dim that the slice cuts.
struct CutDim {
  int64_t dim = 0;
  int64_t slice = 0;   // u
  int64_t block = 0;   // t
  int64_t window = 0;  // w
  ir::ValueId shift;   // s - o - c, cut to [-u, w]: there the window has nothing of the slice
};

class Windows {
 public:
  // `first_start` is the operand that holds the start of dim 0; `sizes` are the slice's.
  Windows(op::LocalizeContext& cx, size_t first_start, llvm::ArrayRef<int64_t> sizes) : cx_(cx), b_(cx.builder()) {
    starts_.assign(cx.operands().begin() + static_cast<int64_t>(first_start), cx.operands().end());
    sizes_.assign(sizes.begin(), sizes.end());
    const mesh::Sharding& sharding = cx.operand_sharding(0);
    for (size_t d = 0; d < sizes.size(); ++d) {
      int64_t whole = cx.global_operand(0).dims[d];
      if (sizes[d] == whole) {
        sizes_[d] = cx.local_operand(0).dims[d];  // taken whole: the start is clamped to 0 here as there
      } else if (mesh::ShardCount(sharding.dims[d]) > 1) {
        Cut(d, whole, sharding);
      }
    }
    UniteStartTypes();
  }

  llvm::ArrayRef<CutDim> cuts() const { return cuts_; }
  llvm::ArrayRef<ir::ValueId> starts() const { return starts_; }
  llvm::ArrayRef<int64_t> sizes() const { return sizes_; }

  // The window of an array of the operand's dims.
  ir::ValueId Read(ir::ValueId x) const {
    llvm::SmallVector<ir::ValueId, 5> operands = {x};
    operands.append(starts_.begin(), starts_.end());
    return b_.Add1(OpKind::DynamicSlice, operands, b_.Attrs(DynamicSliceAttrs{sizes_}));
  }

 private:
  void Cut(size_t d, int64_t whole, const mesh::Sharding& sharding) {
    CutDim cut{static_cast<int64_t>(d), sizes_[d], cx_.local_operand(0).dims[d], 0, {}};
    cut.window = std::min(cut.slice, cut.block);
    tensor::DType dtype = IndexType(cut.block * mesh::ShardCount(sharding.dims[d]));
    ir::ValueId start = EmitConvert(b_, EmitClamp(b_, starts_[d], 0, whole - cut.slice), dtype);
    ir::ValueId index = cx_.ShardIndex(sharding.mesh, sharding.dims[d].axes, dtype);
    ir::ValueId local = b_.Add1(OpKind::Subtract, {start, EmitMultiplyConstant(b_, index, cut.block)});
    starts_[d] = EmitClamp(b_, local, 0, cut.block - cut.window);
    ir::ValueId shift = b_.Add1(OpKind::Subtract, {local, starts_[d]});
    cut.shift = EmitClamp(b_, shift, -cut.slice, cut.window);
    sizes_[d] = cut.window;
    cuts_.push_back(cut);
  }

  // All starts of a dynamic slice have one type: the widest that a dim needs.
  void UniteStartTypes() {
    if (cuts_.empty()) {
      return;
    }
    tensor::DType dtype = tensor::DType::S32;
    for (size_t d = 0; d < starts_.size(); ++d) {
      if (IndexType(cx_.global_operand(0).dims[d]) == tensor::DType::S64 ||
          b_.type(starts_[d]).dtype == tensor::DType::S64) {
        dtype = tensor::DType::S64;
      }
    }
    for (size_t d = 0; d < starts_.size(); ++d) {
      if (b_.type(starts_[d]).dtype != dtype) {
        int64_t room = cx_.local_operand(0).dims[d] - sizes_[d];
        starts_[d] = EmitConvert(b_, EmitClamp(b_, starts_[d], 0, room), dtype);
      }
    }
  }

  op::LocalizeContext& cx_;
  op::Builder& b_;
  llvm::SmallVector<ir::ValueId, 4> starts_;
  tensor::Dims sizes_;
  llvm::SmallVector<CutDim, 2> cuts_;
};

// x moved by `by` along a dim: element i of the result, of `size` elements, is x[i + by], zero outside of x. `by` is within
// [-size, x's size].
ir::ValueId EmitShift(op::Builder& b, ir::ValueId x, int64_t dim, ir::ValueId by, int64_t size) {
  ir::ValueId padded = EmitPadZeros(b, x, dim, size, size);
  return EmitDynamicSlice(b, padded, dim, EmitAddConstant(b, by, size), size);
}

}  // namespace

bool LocalizeDynamicSlice(op::LocalizeContext& cx) {
  op::Builder& b = cx.builder();
  Windows windows(cx, 1, cx.attrs<DynamicSliceAttrs>().sizes);
  ir::ValueId result = windows.Read(cx.operands()[0]);
  for (const CutDim& cut : windows.cuts()) {
    if (cut.slice == 1) {
      // One element: it is in the block or it is not.
      ir::ValueId own = EmitCompare(b, Direction::Eq, cut.shift, EmitScalar(b, b.type(cut.shift).dtype, 0));
      result = EmitKeepIf(b, own, result, tensor::Literal(b.type(result).dtype, {}));
      continue;
    }
    // Slice element i is window element i + shift.
    result = EmitShift(b, result, cut.dim, cut.shift, cut.slice);
  }
  cx.Results({result});
  return true;
}

bool LocalizeDynamicUpdateSlice(op::LocalizeContext& cx) {
  op::Builder& b = cx.builder();
  ir::ValueId operand = cx.operands()[0], piece = cx.operands()[1];
  Windows windows(cx, 2, cx.global_operand(1).dims);
  ir::ValueId own;
  for (const CutDim& cut : windows.cuts()) {
    // Window element j is update element j - shift.
    ir::ValueId back = b.Add1(OpKind::Negate, {cut.shift});
    tensor::DType dtype = b.type(back).dtype;
    ir::ValueId zero = EmitScalar(b, dtype, 0), end = EmitScalar(b, dtype, cut.slice);
    ir::ValueId position = back;
    if (cut.window > 1) {
      tensor::Dims dims = tensor::Dims(windows.sizes().begin(), windows.sizes().end());
      ir::ValueId count = EmitIota(b, dtype, dims, cut.dim);
      position = b.Add1(OpKind::Add, {count, EmitBroadcast(b, back, dims)});
      zero = EmitBroadcast(b, zero, dims);
      end = EmitBroadcast(b, end, dims);
    }
    ir::ValueId inside = b.Add1(
        OpKind::And, {EmitCompare(b, Direction::Ge, position, zero), EmitCompare(b, Direction::Lt, position, end)});
    if (cut.slice > 1) {
      piece = EmitShift(b, piece, cut.dim, back, cut.window);
    }
    if (own.valid() && b.type(own).rank() != b.type(inside).rank()) {
      ir::ValueId& scalar = b.type(own).rank() == 0 ? own : inside;
      scalar = EmitBroadcast(b, scalar, windows.sizes());
    }
    own = own.valid() ? b.Add1(OpKind::And, {own, inside}) : inside;
  }
  if (own.valid()) {
    piece = b.Add1(OpKind::Select, {own, piece, windows.Read(operand)});
  }
  llvm::SmallVector<ir::ValueId, 6> operands = {operand, piece};
  operands.append(windows.starts().begin(), windows.starts().end());
  cx.Results({b.Add1(OpKind::DynamicUpdateSlice, operands)});
  return true;
}

}  // namespace spmdc::ops
