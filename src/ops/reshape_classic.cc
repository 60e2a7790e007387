// A reshape of blocks: dims from the left are matched, split and joined as far as the counts of blocks divide.
//
// GSPMD tries all dims at once, then fewer; what a run of dims gives is joined with what the runs before gave. A run fails
// where blocks are uneven, so that one uneven dim does not spoil the others.
#include "ops/reshape_classic.h"

#include <numeric>

namespace spmdc::ops {

namespace {

struct Piece {
  int64_t size = 1;
  mesh::AxisList axes;
  int64_t blocks() const { return mesh::Product(axes); }
};

// The major digits of a list, so that they make `count` blocks; nothing if a digit would have to be cut unevenly.
std::optional<mesh::AxisList> TakeMajor(mesh::AxisList& axes, int64_t count) {
  mesh::AxisList taken, rest;
  for (mesh::AxisRef axis : axes) {
    int64_t common = std::gcd(axis.size, count);
    if (count == 1 || common == axis.size) {
      (count == 1 ? rest : taken).push_back(axis);
      count = count == 1 ? 1 : count / common;
      continue;
    }
    if (common != count) {
      return std::nullopt;
    }
    taken.push_back({axis.axis, axis.pre, common});
    rest.push_back({axis.axis, axis.pre * common, axis.size / common});
    count = 1;
  }
  axes = std::move(rest);
  return count == 1 ? std::optional<mesh::AxisList>(std::move(taken)) : std::nullopt;
}

class Matcher {
 public:
  Matcher(std::vector<Piece> source, llvm::ArrayRef<int64_t> target)
      : source_(source.rbegin(), source.rend()), sizes_(target.rbegin(), target.rend()), rank_(target.size()) {}

  // The axes of each target dim; nothing if the blocks do not fit, or none does.
  std::optional<std::vector<mesh::AxisList>> Run() {
    while (!source_.empty() && !sizes_.empty() && AnyAxis()) {
      SkipUnsharded();
      if (source_.empty() || sizes_.empty()) {
        break;
      }
      Step step = MatchOne();
      if (step == Step::Fail) {
        return std::nullopt;
      }
      if (step == Step::Stop) {
        break;
      }
    }
    bool any = false;
    for (const mesh::AxisList& axes : result_) {
      any = any || !axes.empty();
    }
    result_.resize(rank_);
    return any ? std::optional<std::vector<mesh::AxisList>>(std::move(result_)) : std::nullopt;
  }

 private:
  enum class Step : uint8_t { Go, Stop, Fail };

  bool AnyAxis() const {
    for (const Piece& piece : source_) {
      if (piece.blocks() != 1) {
        return true;
      }
    }
    return false;
  }

  // Source dims without axes are one; target dims that divide it have none either.
  void SkipUnsharded() {
    int64_t product = 1;
    while (!source_.empty() && source_.back().blocks() == 1) {
      product *= source_.back().size;
      source_.pop_back();
    }
    while (!sizes_.empty() && sizes_.back() > 1 && product % sizes_.back() == 0) {
      product /= sizes_.back();
      sizes_.pop_back();
      Append({});
    }
    if (product != 1) {
      source_.push_back({product, {}});
    }
  }

  Step MatchOne() {
    Piece s = std::move(source_.back());
    source_.pop_back();
    int64_t size = sizes_.back();
    sizes_.pop_back();
    if (s.size == size) {
      Append(s.axes);
    } else if (size == 1) {
      Append({});
      source_.push_back(std::move(s));
    } else if (s.size == 1) {
      // Axes on a dim of size 1 have no place to go.
      sizes_.push_back(size);
    } else if (s.blocks() == 1) {
      if (source_.empty() || source_.back().blocks() != 1) {
        return Step::Stop;
      }
      source_.back().size *= s.size;
      sizes_.push_back(size);
    } else {
      return Split(std::move(s), size);
    }
    return Step::Go;
  }

  Step Split(Piece s, int64_t size) {
    if (s.size % s.blocks() != 0) {
      return Step::Fail;
    }
    int64_t common = std::gcd(s.blocks(), size);
    if (common == 1) {
      return Step::Stop;
    }
    std::optional<mesh::AxisList> taken = TakeMajor(s.axes, common);
    if (!taken) {
      return Step::Fail;
    }
    Append(*taken);
    open_ = true;
    source_.push_back({s.size / common, std::move(s.axes)});
    sizes_.push_back(size / common);
    return Step::Go;
  }

  // Adds to the target dim that is being filled, or starts the next one.
  void Append(const mesh::AxisList& axes) {
    if (!open_) {
      result_.emplace_back();
    }
    mesh::Append(result_.back(), axes);
    open_ = false;
  }

  std::vector<Piece> source_;   // the next one last
  std::vector<int64_t> sizes_;  // of target dims, the next one last
  size_t rank_;
  std::vector<mesh::AxisList> result_;
  bool open_ = false;
};

// Whether a list of axes per dim joins what is there: dims that both have agree, and no axis is used twice.
bool Join(const std::vector<mesh::AxisList>& more, mesh::Sharding& into) {
  mesh::Sharding joined = into;
  bool grows = false;
  for (size_t d = 0; d < more.size(); ++d) {
    mesh::AxisList& axes = joined.dims[d].axes;
    if (!more[d].empty() && !axes.empty() && axes != more[d]) {
      return false;
    }
    grows = grows || (axes.empty() && !more[d].empty());
    axes = axes.empty() ? more[d] : axes;
  }
  mesh::AxisList used;
  for (const mesh::DimSharding& dim : joined.dims) {
    if (mesh::Overlaps(dim.axes, used)) {
      return false;
    }
    used.append(dim.axes.begin(), dim.axes.end());
  }
  into = grows ? std::move(joined) : into;
  return grows;
}

}  // namespace

std::optional<mesh::Sharding> CarryThroughReshape(const op::ClassicCarry& carry) {
  const tensor::Dims& source = carry.type(carry.from).dims;
  const tensor::Dims& target = carry.type(carry.to).dims;
  mesh::Sharding result = mesh::Replicated(carry.sharding.mesh, target.size());
  result.varying = carry.sharding.varying;
  for (size_t begin = 0; begin < source.size();) {
    size_t next = begin + 1;
    for (size_t end = source.size(); end > begin; --end) {
      std::vector<Piece> pieces;
      for (size_t d = 0; d < source.size(); ++d) {
        bool in = d >= begin && d < end;
        pieces.push_back({source[d], in ? carry.sharding.dims[d].axes : mesh::AxisList()});
      }
      auto matched = Matcher(std::move(pieces), target).Run();
      if (matched && Join(*matched, result)) {
        next = end;
        break;
      }
    }
    begin = next;
  }
  return result;
}

}  // namespace spmdc::ops
