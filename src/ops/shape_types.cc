// Sharding in types of ops that only rearrange. The reshape rule is JAX's, case by case.
#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "op/op_def.h"
#include "ops/dims.h"
#include "ops/shape.h"
#include "ops/typing.h"

namespace spmdc::ops {

// Mapped dims keep their axes, also where a dim of size 1 is stretched; new dims have none.
bool BroadcastTypes(op::ExplicitContext& cx) {
  if (const mesh::Sharding* asked = OutSharding(cx)) {
    return GiveSharding(cx, *asked);
  }
  const auto& attrs = cx.infer.attrs<BroadcastInDimAttrs>();
  mesh::Sharding x = cx.operand(0), result = x;
  result.dims = cx.replicated_result(0).dims;
  for (size_t i = 0; i < x.dims.size(); ++i) {
    result.dims[static_cast<size_t>(attrs.broadcast_dims[i])] = x.dims[i];
  }
  return GiveSharding(cx, std::move(result));
}

bool TransposeTypes(op::ExplicitContext& cx) {
  const auto& attrs = cx.infer.attrs<TransposeAttrs>();
  mesh::Sharding x = cx.operand(0), result = x;
  for (size_t d = 0; d < attrs.permutation.size(); ++d) {
    result.dims[d] = x.dims[static_cast<size_t>(attrs.permutation[d])];
  }
  return GiveSharding(cx, std::move(result));
}

// --- reshape ---------------------------------------------------------------------------------------------------------

namespace {

using Sizes = llvm::ArrayRef<int64_t>;
using DimAxes = llvm::SmallVector<mesh::AxisList, 4>;

// For each dim of the shorter shape, the run of dims of the longer one that it is made of.
using Runs = llvm::SmallVector<tensor::Dims, 4>;
enum class Match : uint8_t { No, Yes, TooMany };

int64_t Product(Sizes sizes) {
  int64_t product = 1;
  for (int64_t size : sizes) {
    product *= size;
  }
  return product;
}

// The run of `fine` from j on that makes up one dim of size `whole`, with the ones behind it unless `next`, the dim that
// follows in the coarse shape, claims them. Empty if there is none.
tensor::Dims TakeRun(int64_t whole, std::optional<int64_t> next, Sizes fine, size_t j) {
  tensor::Dims run = {fine[j]};
  for (;;) {
    size_t following = j + run.size();
    bool one_follows = following < fine.size() && fine[following] == 1;
    if (Product(run) == whole && !one_follows) {
      return run;
    }
    if (Product(run) > whole || following >= fine.size()) {
      return {};
    }
    if (Product(run) == whole && next && fine[following] == *next) {
      return run;
    }
    run.push_back(fine[following]);
  }
}

// Whether `fine` is `coarse` with exactly one dim split into several.
Match SplitsOneDim(Sizes coarse, Sizes fine, Runs& runs) {
  if (fine.size() <= coarse.size()) {
    return Match::No;
  }
  size_t trailing_ones = 0;
  while (!coarse.empty() && coarse.back() == 1 && fine.back() == 1) {
    ++trailing_ones;
    coarse = coarse.drop_back();
    fine = fine.drop_back();
  }
  int splits = 0;
  size_t i = 0;
  for (size_t j = 0; j < fine.size(); j += runs.back().size(), ++i) {
    if (i >= coarse.size()) {
      return Match::No;
    }
    if (coarse[i] == fine[j]) {
      runs.push_back({fine[j]});
      continue;
    }
    if (++splits > 1) {
      return Match::TooMany;
    }
    tensor::Dims run =
        TakeRun(coarse[i], i + 1 < coarse.size() ? std::optional<int64_t>(coarse[i + 1]) : std::nullopt, fine, j);
    if (run.empty()) {
      return Match::No;
    }
    runs.push_back(std::move(run));
  }
  for (size_t k = 0; k < trailing_ones; ++k) {
    runs.push_back({1});
  }
  return i == coarse.size() ? Match::Yes : Match::No;
}

// Deals axes, major to minor, to dims of the given sizes: a dim takes axes until it is split to single elements. False if
// an axis does not divide what is left of its dim, or stays over.
bool DealAxes(llvm::ArrayRef<mesh::AxisRef> axes, Sizes sizes, DimAxes& out) {
  for (int64_t left : sizes) {
    mesh::AxisList& mine = out.emplace_back();
    while (left > 1 && !axes.empty()) {
      if (left % axes.front().size != 0) {
        return false;
      }
      left /= axes.front().size;
      mine.push_back(axes.front());
      axes = axes.drop_front();
    }
  }
  return axes.empty();
}

class ExplicitReshape {
 public:
  ExplicitReshape(mesh::Sharding x, Sizes from, Sizes to) : x_(std::move(x)), from_(from), to_(to) {}

  // The axes of the result's dims, or nothing where JAX's rule gives none.
  std::optional<DimAxes> Run() {
    if (llvm::all_of(x_.dims, [](const mesh::DimSharding& dim) { return dim.axes.empty(); })) {
      return DimAxes(to_.size());
    }
    if (WithoutOnes(from_) == WithoutOnes(to_)) {
      return MoveOnes();
    }
    Runs runs;
    Match match = SplitsOneDim(from_, to_, runs);
    if (match == Match::Yes) {
      return Split(runs);
    }
    runs.clear();
    if (match == Match::No && SplitsOneDim(to_, from_, runs) == Match::Yes) {
      return Merge(runs);
    }
    return std::nullopt;
  }

 private:
  static tensor::Dims WithoutOnes(Sizes sizes) {
    tensor::Dims rest;
    llvm::copy_if(sizes, std::back_inserter(rest), [](int64_t size) { return size != 1; });
    return rest;
  }

  // Only dims of size 1 come and go.
  DimAxes MoveOnes() const {
    DimAxes out;
    size_t next = 0;
    for (int64_t size : to_) {
      mesh::AxisList& mine = out.emplace_back();
      if (size != 1) {
        while (from_[next] == 1) {
          ++next;
        }
        mine = x_.dims[next++].axes;
      }
    }
    return out;
  }

  std::optional<DimAxes> Split(const Runs& runs) const {
    DimAxes out;
    for (size_t d = 0; d < runs.size(); ++d) {
      const mesh::AxisList& axes = x_.dims[d].axes;
      if (runs[d].size() == 1) {
        out.push_back(axes);
      } else if (!DealAxes(axes, runs[d], out)) {
        return std::nullopt;
      }
    }
    return out;
  }

  std::optional<DimAxes> Merge(const Runs& runs) const {
    DimAxes out;
    size_t next = 0;
    for (size_t d = 0; d < runs.size(); ++d) {
      mesh::AxisList axes;
      bool gap = false;
      for (size_t k = 0; k < runs[d].size(); ++k) {
        const mesh::AxisList& more = x_.dims[next++].axes;
        if (gap && !more.empty()) {
          return std::nullopt;
        }
        gap = more.empty();
        axes.append(more.begin(), more.end());
      }
      if (runs[d].size() == 1) {
        out.push_back(std::move(axes));
      } else if (!DealAxes(axes, {to_[d]}, out)) {
        return std::nullopt;
      }
    }
    return out;
  }

  mesh::Sharding x_;
  Sizes from_, to_;
};

// With out_sharding=, the sums that are still spread over devices must stay so.
bool CheckAskedSets(op::ExplicitContext& cx, const mesh::Sharding& x, const mesh::Sharding& asked) {
  for (auto [word, had, wanted] :
       {std::tuple("unreduced", &x.unreduced, &asked.unreduced), std::tuple("reduced", &x.reduced, &asked.reduced)}) {
    if (*had != *wanted) {
      return cx.Fail(diag::Kind::UnreducedUse,
                     std::string("out_sharding must be ") + word + " over the same mesh axes as the operand; got " +
                         mesh::ToSpec(cx.mesh(), asked) + " for " + mesh::ToSpec(cx.mesh(), x));
    }
  }
  return true;
}

}  // namespace

bool ReshapeTypes(op::ExplicitContext& cx) {
  mesh::Sharding x = cx.operand(0);
  if (const mesh::Sharding* asked = OutSharding(cx)) {
    return CheckAskedSets(cx, x, *asked) && GiveSharding(cx, *asked);
  }
  const tensor::Dims& to = cx.infer.attrs<ReshapeAttrs>().dims;
  std::optional<DimAxes> axes = ExplicitReshape(x, cx.infer.operands[0].dims, to).Run();
  if (!axes) {
    return cx.Fail(
        diag::Kind::OutShardingNeeded,
        "the sharding of " + cx.infer.Show(cx.infer.operands[0]) + " does not carry over to the sizes " + ShowList(to),
        "say where the result is to be with out_sharding=, or reshard the operand first");
  }
  mesh::Sharding result = x;
  result.dims = cx.replicated_result(0).dims;
  for (size_t d = 0; d < axes->size(); ++d) {
    result.dims[d].axes = (*axes)[d];
  }
  return GiveSharding(cx, std::move(result));
}

}  // namespace spmdc::ops
