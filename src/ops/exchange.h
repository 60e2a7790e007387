// Moving parts of blocks between the devices that share a dim: what slices, pads, joins and windows along a sharded dim
// need of their neighbours.
//
// A dim of N elements lies in `count` blocks of t. Device k needs the elements [starts[k], starts[k] + length), of which
// those outside of [0, N) do not exist. Each device's part of each block is an edge from the block's owner; edges are
// grouped into permutes (a device sends and receives once in each), and where all of it costs as much as the whole dim,
// the dim is gathered instead.
#pragma once

#include "op/op_def.h"

namespace spmdc::ops {

struct Blocked {
  int64_t size = 0, count = 1, block = 0;
};
Blocked BlocksOf(int64_t size, int64_t count);

struct Need {
  llvm::SmallVector<int64_t, 8> starts;  // one per device
  int64_t length = 0;
  // Elements of the dim outside of these are not asked for: the places where they would go are unspecified.
  int64_t begin = 0, end = INT64_MAX;
  // Where what device k asks for ends, if before `length`; empty: nowhere before.
  llvm::SmallVector<int64_t, 8> ends;
};
// starts[k] = first + k * step.
Need EvenNeed(int64_t count, int64_t first, int64_t step, int64_t length);

// Of a dim whose element q stands at place q * step, with nothing between: what devices need that look at the `length`
// places from first + k * stride on. The elements, as many as the fullest stretch has.
Need DilatedNeed(int64_t count, int64_t first, int64_t stride, int64_t length, int64_t step);

// One permute: every source sends `length` elements of its block.
struct Strip {
  int64_t length = 0;
  llvm::SmallVector<std::pair<int64_t, int64_t>, 8> pairs;  // {source, target}, block numbers
  llvm::SmallVector<int64_t, 8> offsets;                    // per device: where in its block what it sends begins
  llvm::SmallVector<int64_t, 8> places;  // per device: where in what it needs the strip goes, kNowhere if it gets none
};
inline constexpr int64_t kNowhere = INT64_MAX;

// How the devices come by what they need.
struct ExchangePlan {
  enum class Way : uint8_t {
    Shift,    // starts[k] = k * t + r: strips of the blocks at fixed distances, side by side
    Permute,  // strips placed one by one
    Gather,   // everybody gets the whole dim
  };
  Way way = Way::Shift;
  llvm::SmallVector<Strip, 4> strips;  // Shift: from the lowest distance up, own block and gaps not among them
  int64_t sent = 0;                    // elements along the dim that one device sends
  int64_t collectives = 0;
};
ExchangePlan PlanExchange(const Blocked& from, const Need& need);

// One dim of one operand of an instruction, with the axes that split it.
struct DimExchange {
  int64_t dim = 0;
  mesh::AxisList axes;
  Blocked from;
  Need need;
};
// What exchanging these dims of an array, one behind the other, costs a device that holds `local_dims` of it.
op::Exchanged PriceExchanges(llvm::ArrayRef<int64_t> local_dims, tensor::DType dtype,
                             llvm::ArrayRef<DimExchange> exchanges);

// What this device needs of x along the dim, x's block in its place: `length` elements. What does not exist is unspecified.
ir::ValueId EmitExchange(op::LocalizeContext& cx, ir::ValueId x, mesh::MeshId mesh, const DimExchange& exchange);
// values[k] on device k along the axes, as a scalar of the given type.
ir::ValueId EmitPerDevice(op::LocalizeContext& cx, mesh::MeshId mesh, llvm::ArrayRef<mesh::AxisRef> axes,
                          llvm::ArrayRef<int64_t> values, tensor::DType dtype);
// An exchanged array with `fill`, a scalar, where an element does not exist.
ir::ValueId EmitFillOutside(op::LocalizeContext& cx, ir::ValueId x, mesh::MeshId mesh, const DimExchange& exchange,
                            ir::ValueId fill);

// Two exchanged arrays in one, where this device's block has places of both: `earlier` up to place begins[k], `later` from
// there on. `length` places along the dim.
ir::ValueId EmitJoin(op::LocalizeContext& cx, mesh::MeshId mesh, const DimExchange& exchange, ir::ValueId earlier,
                     ir::ValueId later, llvm::ArrayRef<int64_t> begins);

// Exchanges what DilatedNeed says and lays it out: `length` places from first + k * stride on for device k, with `fill`
// between the elements and where none exist.
ir::ValueId EmitDilated(op::LocalizeContext& cx, ir::ValueId x, mesh::MeshId mesh, const DimExchange& exchange,
                        ir::ValueId fill, int64_t first, int64_t stride, int64_t length, int64_t step);

}  // namespace spmdc::ops
