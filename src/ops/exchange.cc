// Grouping what devices need of each other's blocks into permutes.
#include "ops/exchange.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

namespace spmdc::ops {

Blocked BlocksOf(int64_t size, int64_t count) { return {size, count, mesh::LocalSize(size, count)}; }

Need EvenNeed(int64_t count, int64_t first, int64_t step, int64_t length) {
  Need need;
  need.length = length;
  for (int64_t k = 0; k < count; ++k) {
    need.starts.push_back(first + k * step);
  }
  return need;
}

namespace {

int64_t CeilDiv(int64_t a, int64_t b) { return a >= 0 ? (a + b - 1) / b : -(-a / b); }

}  // namespace

Need DilatedNeed(int64_t count, int64_t first, int64_t stride, int64_t length, int64_t step) {
  Need need;
  for (int64_t k = 0; k < count; ++k) {
    int64_t place = first + k * stride;
    need.starts.push_back(CeilDiv(place, step));
    need.ends.push_back(CeilDiv(place + length, step));
    need.length = std::max(need.length, need.ends.back() - need.starts.back());
  }
  if (step == 1) {
    need.ends.clear();
  }
  return need;
}

namespace {

// More edges a device than this are not worth counting: the dim is gathered.
constexpr int64_t kMaxDegree = 32;

struct Edge {
  int64_t source, target;
  int64_t begin, end;  // elements of the dim
  int64_t distance() const { return source - target; }
};

class Planner {
 public:
  Planner(const Blocked& from, const Need& need) : from_(from), need_(need) {}

  ExchangePlan Run() {
    if (from_.block == 0 || need_.length == 0) {
      return {};
    }
    int64_t whole = (from_.count - 1) * from_.block;
    if (CountEdges() > kMaxDegree * from_.count) {
      return Gather(whole);
    }
    ExchangePlan plan = IsShift() ? Shift() : Permute();
    // A strip of a shift is alike for all, and brings what bounds exclude too.
    if (plan.way == ExchangePlan::Way::Shift && IsBounded() && !plan.strips.empty()) {
      ExchangePlan exact = Permute();
      plan = exact.sent < plan.sent ? exact : plan;
    }
    return plan.sent > whole || (plan.sent == whole && plan.collectives > 1) ? Gather(whole) : plan;
  }

 private:
  static ExchangePlan Gather(int64_t whole) {
    ExchangePlan plan;
    plan.way = ExchangePlan::Way::Gather;
    plan.sent = whole;
    plan.collectives = 1;
    return plan;
  }

  static void Count(ExchangePlan& plan) {
    for (const Strip& strip : plan.strips) {
      plan.sent += strip.length;
    }
    plan.collectives = static_cast<int64_t>(plan.strips.size());
  }

  // The part of what device k needs that exists and is asked for.
  std::pair<int64_t, int64_t> Existing(size_t k) const {
    int64_t end = std::min(need_.end, from_.size), begin = std::clamp(need_.starts[k], need_.begin, end);
    int64_t stop = need_.ends.empty() ? need_.starts[k] + need_.length : need_.ends[k];
    return {begin, std::clamp(stop, begin, end)};
  }

  int64_t CountEdges() const {
    int64_t edges = 0;
    for (size_t k = 0; k < need_.starts.size(); ++k) {
      auto [begin, end] = Existing(k);
      edges += begin < end ? (end - 1) / from_.block - begin / from_.block + 1 : 0;
    }
    return edges;
  }

  bool IsBounded() const { return need_.begin > 0 || need_.end < from_.size || !need_.ends.empty(); }

  bool IsShift() const {
    for (size_t k = 0; k < need_.starts.size(); ++k) {
      if (need_.starts[k] - static_cast<int64_t>(k) * from_.block != need_.starts[0]) {
        return false;
      }
    }
    return true;
  }

  // All parts that cross from one device to another.
  std::vector<Edge> Edges() const {
    std::vector<Edge> edges;
    for (size_t k = 0; k < need_.starts.size(); ++k) {
      auto [begin, end] = Existing(k);
      for (int64_t at = begin; at < end;) {
        int64_t source = at / from_.block, stop = std::min(end, (source + 1) * from_.block);
        if (source != static_cast<int64_t>(k)) {
          edges.push_back({source, static_cast<int64_t>(k), at, stop});
        }
        at = stop;
      }
    }
    return edges;
  }

  // One strip for each distance at which somebody needs something; its bounds within the block are the same everywhere.
  ExchangePlan Shift() const {
    ExchangePlan plan;
    std::vector<Edge> edges = Edges();
    llvm::stable_sort(edges, [](const Edge& a, const Edge& b) { return a.distance() < b.distance(); });
    for (const Edge& edge : edges) {
      int64_t first = need_.starts[0], distance = edge.distance();
      if (plan.strips.empty() ||
          plan.strips.back().pairs.back().first - plan.strips.back().pairs.back().second != distance) {
        Strip& strip = plan.strips.emplace_back();
        int64_t begin = std::max(first, distance * from_.block);
        strip.length = std::min(first + need_.length, (distance + 1) * from_.block) - begin;
        strip.offsets.assign(need_.starts.size(), begin - distance * from_.block);
        strip.places.assign(need_.starts.size(), begin - first);
      }
      plan.strips.back().pairs.emplace_back(edge.source, edge.target);
    }
    Count(plan);
    return plan;
  }

  // Long edges first, each into the first permute in which both ends are free.
  ExchangePlan Permute() const {
    ExchangePlan plan;
    plan.way = ExchangePlan::Way::Permute;
    std::vector<Edge> edges = Edges();
    llvm::stable_sort(edges, [](const Edge& a, const Edge& b) {
      return std::make_tuple(b.end - b.begin, a.distance()) < std::make_tuple(a.end - a.begin, b.distance());
    });
    size_t devices = need_.starts.size();
    std::vector<std::vector<bool>> sends, receives;
    for (const Edge& edge : edges) {
      auto source = static_cast<size_t>(edge.source), target = static_cast<size_t>(edge.target);
      size_t s = 0;
      while (s < plan.strips.size() && (sends[s][source] || receives[s][target])) {
        ++s;
      }
      if (s == plan.strips.size()) {
        Strip& strip = plan.strips.emplace_back();
        strip.length = edge.end - edge.begin;
        strip.offsets.assign(devices, 0);
        strip.places.assign(devices, kNowhere);
        sends.emplace_back(devices);
        receives.emplace_back(devices);
      }
      sends[s][source] = receives[s][target] = true;
      Place(plan.strips[s], edge);
    }
    for (Strip& strip : plan.strips) {
      llvm::sort(strip.pairs);
      MakeEven(strip);
    }
    Count(plan);
    return plan;
  }

  // A strip may be longer than an edge: it begins early enough to end within the block, and every element of it goes where
  // it belongs all the same.
  void Place(Strip& strip, const Edge& edge) const {
    int64_t offset = std::min(edge.begin - edge.source * from_.block, from_.block - strip.length);
    strip.pairs.emplace_back(edge.source, edge.target);
    strip.offsets[static_cast<size_t>(edge.source)] = offset;
    auto target = static_cast<size_t>(edge.target);
    strip.places[target] = edge.source * from_.block + offset - need_.starts[target];
  }

  // Devices that send or receive nothing do as the others do, where that does no harm: fewer tables.
  void MakeEven(Strip& strip) const {
    int64_t offset = strip.offsets[static_cast<size_t>(strip.pairs[0].first)];
    int64_t place = strip.places[static_cast<size_t>(strip.pairs[0].second)];
    std::vector<bool> sends(need_.starts.size());
    for (const auto& [source, target] : strip.pairs) {
      sends[static_cast<size_t>(source)] = true;
    }
    for (size_t k = 0; k < need_.starts.size(); ++k) {
      if (!sends[k]) {
        strip.offsets[k] = offset;
      }
      auto [begin, end] = Existing(k);
      int64_t at = need_.starts[k] + place;
      if (strip.places[k] == kNowhere && (at >= end || at + strip.length <= begin)) {
        strip.places[k] = place;
      }
    }
  }

  const Blocked& from_;
  const Need& need_;
};

}  // namespace

ExchangePlan PlanExchange(const Blocked& from, const Need& need) { return Planner(from, need).Run(); }

op::Exchanged PriceExchanges(llvm::ArrayRef<int64_t> local_dims, tensor::DType dtype,
                             llvm::ArrayRef<DimExchange> exchanges) {
  op::Exchanged total;
  tensor::Dims dims(local_dims.begin(), local_dims.end());
  for (const DimExchange& exchange : exchanges) {
    ExchangePlan plan = PlanExchange(exchange.from, exchange.need);
    auto d = static_cast<size_t>(exchange.dim);
    dims[d] = plan.sent;
    total.bytes += tensor::NumElements(dims) * tensor::ByteWidth(dtype);
    total.collectives += plan.collectives;
    dims[d] = exchange.need.length;
  }
  return total;
}

}  // namespace spmdc::ops
