// Rounds, the rendezvous table, and what is said when devices miss each other.
#include "run/virtual_devices.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "llvm/ADT/STLExtras.h"

namespace spmdc::run {

namespace {

// Starting threads takes longer than this: shorter rounds run in one.
constexpr double kSecondsWorthThreads = 5e-4;

// Calls work(0..count-1), each thread a fixed share of neighbours.
void ForEach(size_t count, int threads, llvm::function_ref<void(size_t)> work) {
  size_t shares = std::min(count, static_cast<size_t>(std::max(threads, 1)));
  auto run_share = [&](size_t share) {
    for (size_t i = share * count / shares; i < (share + 1) * count / shares; ++i) {
      work(i);
    }
  };
  std::vector<std::thread> others;
  for (size_t share = 1; share < shares; ++share) {
    others.emplace_back(run_share, share);
  }
  if (shares > 0) {
    run_share(0);
  }
  for (std::thread& thread : others) {
    thread.join();
  }
}

std::string List(llvm::ArrayRef<int64_t> devices) {
  std::string text;
  for (size_t i = 0; i < devices.size() && i < 16; ++i) {
    text += (i ? "," : "") + std::to_string(devices[i]);
  }
  return "{" + text + (devices.size() > 16 ? ",..." : "") + "}";
}

}  // namespace

Scheduler::Scheduler(const Program& program, std::vector<Device*> devices, Collectives& collectives, int threads)
    : program_(program), collectives_(collectives), threads_(threads) {
  llvm::sort(devices, [](const Device* a, const Device* b) { return a->id() < b->id(); });
  for (Device* device : devices) {
    members_.push_back({device, State::Ready, Stop::Finished, {}});
  }
}

Scheduler::Member* Scheduler::Find(int64_t device) {
  auto it = llvm::partition_point(members_, [&](const Member& m) { return m.device->id() < device; });
  return it != members_.end() && it->device->id() == device ? &*it : nullptr;
}

bool Scheduler::Run(Failure& failure) {
  for (;;) {
    std::vector<size_t> ready;
    bool waiting = false;
    for (size_t i = 0; i < members_.size(); ++i) {
      if (members_[i].state == State::Ready) {
        ready.push_back(i);
      }
      waiting |= members_[i].state == State::Waiting;
    }
    if (ready.empty()) {
      if (waiting) {
        failure = Deadlocked();
      }
      return !waiting;
    }
    RunReady(ready);
    if (FirstFailure(ready, failure)) {
      return false;
    }
    for (size_t i : ready) {
      if (!Arrive(i, failure)) {
        return false;
      }
    }
    if (!Exchange(std::move(complete_), failure)) {
      return false;
    }
    complete_.clear();
  }
}

void Scheduler::RunReady(llvm::ArrayRef<size_t> ready) {
  auto start = std::chrono::steady_clock::now();
  int threads = last_round_seconds_ > kSecondsWorthThreads ? threads_ : 1;
  ForEach(ready.size(), threads, [&](size_t i) {
    Member& member = members_[ready[i]];
    member.stop = member.device->Run();
  });
  last_round_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The failure that comes first: after the fewest instructions, then on the lowest device.
bool Scheduler::FirstFailure(llvm::ArrayRef<size_t> ready, Failure& failure) const {
  const Member* first = nullptr;
  for (size_t i : ready) {
    const Member& member = members_[i];
    if (member.stop == Stop::Failed && (!first || member.device->step() < first->device->step())) {
      first = &member;
    }
  }
  if (first) {
    failure = first->device->failure();
  }
  return first != nullptr;
}

bool Scheduler::Arrive(size_t index, Failure& failure) {
  Member& member = members_[index];
  if (member.stop == Stop::Finished) {
    member.state = State::Finished;
    return true;
  }
  member.state = State::Waiting;
  const Arrival& arrival = member.device->arrival();
  int64_t smallest = *std::min_element(arrival.group.begin(), arrival.group.end());
  Meeting& meeting = meetings_[{arrival.func, arrival.inst, arrival.path, smallest}];
  if (meeting.waiting.empty()) {
    for (int64_t other : arrival.group) {
      meeting.expected += collectives_.is_local(other) ? 1 : 0;
      // Two devices that wait for each other in different places wait for ever.
      const Member* peer = Find(other);
      if (peer && peer != &member && peer->state == State::Waiting &&
          llvm::is_contained(peer->device->arrival().group, member.device->id())) {
        failure = Mismatch(*peer, member, "in different collectives");
        return false;
      }
    }
  } else {
    const Member& first = members_[meeting.waiting[0]];
    const Arrival& expected = first.device->arrival();
    if (expected.group != arrival.group) {
      failure = Mismatch(first, member, "with different groups");
      return false;
    }
    if (expected.bytes != arrival.bytes || expected.dtype != arrival.dtype) {
      failure = Mismatch(first, member, "with different amounts of data");
      return false;
    }
  }
  meeting.waiting.push_back(index);
  if (meeting.waiting.size() == meeting.expected) {
    complete_.push_back(std::move(meeting));
    meetings_.erase({arrival.func, arrival.inst, arrival.path, smallest});
  }
  return true;
}

bool Scheduler::Exchange(std::vector<Meeting> complete, Failure& failure) {
  std::vector<Failure> failures(complete.size());
  std::vector<char> good(complete.size(), 0);
  int threads = last_round_seconds_ > kSecondsWorthThreads ? threads_ : 1;
  ForEach(complete.size(), threads, [&](size_t i) {
    // In member order.
    llvm::SmallVector<Device*, 8> local;
    for (int64_t device : members_[complete[i].waiting[0]].device->arrival().group) {
      if (Member* member = Find(device)) {
        Count(*member);
        local.push_back(member->device);
      }
    }
    good[i] = static_cast<char>(collectives_.Execute(local, failures[i]));
  });
  for (size_t i = 0; i < complete.size(); ++i) {
    if (!good[i]) {
      failure = std::move(failures[i]);
      return false;
    }
    for (size_t index : complete[i].waiting) {
      members_[index].state = State::Ready;
    }
  }
  return true;
}

void Scheduler::Count(Member& member) const {
  const Arrival& arrival = member.device->arrival();
  if (!arrival.what) {
    return;
  }
  ++member.stats.collectives;
  const ir::Module& module = program_.module();
  const ir::Function& function = module.functions[arrival.func];
  const ir::Inst& inst = function.insts[arrival.inst];
  int64_t result_bytes = 0;
  for (size_t r = 0; r < inst.num_results; ++r) {
    result_bytes += module.type(function, function.result(inst, r)).bytes();
  }
  bool moves = arrival.what->kind != op::CollectiveKind::Permute ||
               llvm::any_of(arrival.what->pairs, [](const auto& pair) { return pair.first != pair.second; });
  if (moves) {
    member.stats.wire_bytes +=
        op::WireBytes(arrival.what->kind, static_cast<int64_t>(arrival.group.size()), arrival.bytes, result_bytes);
  }
}

RunStats Scheduler::stats() const {
  RunStats most;
  for (const Member& member : members_) {
    most.collectives = std::max(most.collectives, member.stats.collectives);
    most.wire_bytes = std::max(most.wire_bytes, member.stats.wire_bytes);
  }
  return most;
}

std::string Scheduler::Instruction(const Arrival& arrival) const {
  const ir::Function& function = program_.module().functions[arrival.func];
  const ir::Inst& inst = function.insts[arrival.inst];
  std::string text = arrival.what ? op::Name(arrival.what->kind).str() : "the end of the manual region";
  if (inst.num_results > 0) {
    text += " `" + function.values[function.result(inst)].name + "`";
  }
  return text + Describe(arrival.path);
}

Failure Scheduler::Mismatch(const Member& a, const Member& b, const std::string& what) const {
  auto place = [&](const Member& m) {
    return "device " + std::to_string(m.device->id()) + " waits in " + Instruction(m.device->arrival()) +
           " with the group " + List(m.device->arrival().group) + " for " + std::to_string(m.device->arrival().bytes) +
           " bytes";
  };
  auto span = [&](const Member& m) {
    const Arrival& arrival = m.device->arrival();
    return program_.module().functions[arrival.func].insts[arrival.inst].span;
  };
  Failure failure;
  failure.kind = diag::Kind::GroupMismatch;
  failure.span = span(b);
  failure.message = "devices " + std::to_string(a.device->id()) + " and " + std::to_string(b.device->id()) +
                    " wait for each other " + what;
  failure.notes.push_back({span(a), place(a)});
  failure.notes.push_back({span(b), place(b)});
  return failure;
}

Failure Scheduler::Deadlocked() const {
  constexpr size_t kMaxNotes = 8;
  Failure failure;
  failure.kind = diag::Kind::Deadlock;
  size_t waiting = 0;
  for (const auto& [place, meeting] : meetings_) {
    const Arrival& arrival = members_[meeting.waiting[0]].device->arrival();
    source::Span span = program_.module().functions[arrival.func].insts[arrival.inst].span;
    llvm::SmallVector<int64_t, 8> here;
    for (size_t index : meeting.waiting) {
      here.push_back(members_[index].device->id());
    }
    waiting += here.size();
    std::string missing;
    for (int64_t device : arrival.group) {
      const Member* peer = Find(device);
      if (!peer || llvm::is_contained(here, device)) {
        continue;
      }
      missing += (missing.empty() ? "" : ", ") + std::to_string(device) +
                 (peer->state == State::Finished ? std::string(" (has finished)")
                                                 : " (is in " + Instruction(peer->device->arrival()) + ")");
    }
    if (failure.notes.empty()) {
      failure.span = span;
    }
    if (failure.notes.size() < kMaxNotes) {
      llvm::sort(here);
      failure.notes.push_back({span, std::string(here.size() == 1 ? "device " : "devices ") + List(here) + " in " +
                                         Instruction(arrival) + ": missing " + missing});
    }
  }
  failure.message = std::to_string(waiting) + " of " + std::to_string(members_.size()) +
                    (waiting == 1 ? " devices waits" : " devices wait") + " in collectives that nobody else comes to";
  return failure;
}

}  // namespace spmdc::run
