// The scheduler: runs devices from collective to collective, and sees to it that all members of a group mean the same one.
//
// In rounds: every device that can run runs to its next collective, in order of device number; then the groups that are
// complete exchange. A device that arrives somewhere else than the others expect, and devices that all wait, are reported
// with who waits where. What is computed does not depend on the number of threads: devices share nothing within a round.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "run/device.h"

namespace spmdc::run {

struct RunStats {
  int64_t collectives = 0;  // executions, as the device with the most of them counts
  double wire_bytes = 0;    // that this device sends, by the ring formulas of op::WireBytes
};

class Scheduler {
 public:
  // `devices` are those of this process, in order of id, started. threads: at most so many at a time, this one included.
  Scheduler(const Program& program, std::vector<Device*> devices, Collectives& collectives, int threads);

  // Runs all devices to their ends. False with the failure that comes first in the program.
  bool Run(Failure& failure);
  RunStats stats() const;

 private:
  enum class State : uint8_t { Ready, Waiting, Finished };
  struct Member {
    Device* device;
    State state = State::Ready;
    Stop stop = Stop::Finished;
    RunStats stats;
  };
  // Where members wait for each other: the instruction, the iteration, the group by its smallest member.
  using Place = std::tuple<ir::FuncId, ir::InstId, Path, int64_t>;
  struct Meeting {
    llvm::SmallVector<size_t, 8> waiting;  // indices into members_
    size_t expected = 0;                   // members of the group in this process
  };

  void RunReady(llvm::ArrayRef<size_t> ready);
  bool FirstFailure(llvm::ArrayRef<size_t> ready, Failure& failure) const;
  bool Arrive(size_t index, Failure& failure);
  bool Exchange(std::vector<Meeting> complete, Failure& failure);
  void Count(Member& member) const;
  Failure Mismatch(const Member& a, const Member& b, const std::string& what) const;
  Failure Deadlocked() const;
  std::string Instruction(const Arrival& arrival) const;
  Member* Find(int64_t device);
  const Member* Find(int64_t device) const { return const_cast<Scheduler*>(this)->Find(device); }

  const Program& program_;
  std::vector<Member> members_;
  Collectives& collectives_;
  int threads_;
  double last_round_seconds_ = 0;
  std::map<Place, Meeting> meetings_;
  std::vector<Meeting> complete_;
};

}  // namespace spmdc::run
