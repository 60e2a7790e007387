// What "better" means when an instruction can be sharded in several ways: one interface for all policies.
#pragma once

#include <cstdint>
#include <tuple>

namespace spmdc::plan {

struct Cost {
  int64_t wire_bytes = 0;  // sent by one device for this instruction's operands and results
  int64_t collectives = 0;
  double points = 0;        // of the iteration space, on one device
  int64_t local_bytes = 0;  // of the operands and results it makes
};

class Policy {
 public:
  virtual ~Policy() = default;
  // Whether a is strictly better than b; a tie keeps the earlier candidate (the program's own order).
  virtual bool Better(const Cost& a, const Cost& b) const = 0;
};

// Fewest bytes on the wire, then fewest collectives, then least work, then least memory.
class FewestBytes final : public Policy {
 public:
  bool Better(const Cost& a, const Cost& b) const override {
    return std::tie(a.wire_bytes, a.collectives, a.points, a.local_bytes) <
           std::tie(b.wire_bytes, b.collectives, b.points, b.local_bytes);
  }
};

}  // namespace spmdc::plan
