// Tests of virtual devices: collectives among them, and what is said when they miss each other.
#include "run/virtual_devices.h"

#include <gtest/gtest.h>

#include "maker.h"
#include "ops/control.h"
#include "run/host_device.h"
#include "run/run.h"

namespace spmdc::run {
namespace {

struct VirtualDevicesTest : testing::Test {
  VirtualDevicesTest() : diags(&sources), file(AddText(sources)), maker(tables, diags, file) {
    maker.module.num_devices = 4;
    main = maker.Function("main", /*entry=*/true);
  }

  // Every device gets its number as the argument, where there is one.
  bool Run(int64_t count, int threads = 1) {
    maker.module.num_devices = count;
    program.emplace(maker.module);
    std::vector<Device*> all;
    for (int64_t d = 0; d < count; ++d) {
      Interpreter::Options options;
      options.device = d;
      devices.push_back(std::make_unique<HostDevice>(*program, options));
      std::vector<Slot> args;
      if (!maker.module.functions[main].args.empty()) {
        args.push_back({Literal::Number(DType::F32, {}, static_cast<double>(d)).Materialize(), {}, 0});
      }
      devices.back()->interpreter().Start(main, std::move(args));
      all.push_back(devices.back().get());
    }
    scheduler.emplace(*program, all, collectives, threads);
    return scheduler->Run(failure);
  }
  double Result(int64_t device) {
    return devices[static_cast<size_t>(device)]->interpreter().results()[0].value.GetReal(0);
  }
  // A function of one f32[] that returns what `make` makes of it.
  template <typename Make>
  FuncId Branch(const std::string& name, Make make) {
    FuncId f = maker.Function(name);
    ValueId x = maker.Arg(f, DType::F32, {}, "x");
    ValueId result = make(f, x);
    maker.Return(f, {result});
    return f;
  }
  // Device 0 takes the first branch, the others the second.
  void Diverge(FuncId first, FuncId second) {
    ValueId x = maker.Arg(main, DType::F32, {}, "x");
    ValueId id = maker.Op(main, OpKind::PartitionId, {});
    ValueId index = maker.Op(main, OpKind::Convert, {id}, ops::ConvertAttrs{DType::S32});
    maker.Return(main, {maker.Op(main, OpKind::Case, {index, x}, {first, second})});
  }

  source::SourceManager sources;
  diag::Engine diags;
  source::FileId file;
  std::shared_ptr<ir::Tables> tables = std::make_shared<ir::Tables>();
  Maker maker;
  FuncId main;
  std::optional<Program> program;
  std::vector<std::unique_ptr<HostDevice>> devices;
  InProcessCollectives collectives;
  std::optional<Scheduler> scheduler;
  Failure failure;
};

// Members of groups keep lists of each other: the same devices in larger groups need more.
TEST_F(VirtualDevicesTest, BookkeepingGrowsWithDevicesAndGroups) {
  ValueId x = maker.Arg(main, DType::F32, {}, "x");
  maker.Return(main, {maker.AllReduce(main, x, {{0, 1}, {2, 3}})});
  double pairs = BookkeepingBytes(maker.module);
  EXPECT_GT(pairs, 4 * 4096.0);
  maker.Return(main, {maker.AllReduce(main, x, {{0, 1, 2, 3}})});
  EXPECT_GE(BookkeepingBytes(maker.module), pairs + 4 * 2 * 2 * sizeof(int64_t));
  double four = BookkeepingBytes(maker.module);
  maker.module.num_devices = 8;
  EXPECT_DOUBLE_EQ(BookkeepingBytes(maker.module), 2 * four);
}

TEST_F(VirtualDevicesTest, GroupsSumApart) {
  ValueId x = maker.Arg(main, DType::F32, {}, "x");
  maker.Return(main, {maker.AllReduce(main, x, {{0, 2}, {1, 3}})});
  ASSERT_TRUE(Run(4)) << failure.message;
  EXPECT_EQ(Result(0), 2);
  EXPECT_EQ(Result(1), 4);
  EXPECT_EQ(Result(2), 2);
  EXPECT_EQ(Result(3), 4);
  EXPECT_EQ(scheduler->stats().collectives, 1);
  EXPECT_EQ(scheduler->stats().wire_bytes, 4);  // 2 * (2-1)/2 of 4 bytes
}

TEST_F(VirtualDevicesTest, PermuteGivesZerosToWhomNobodySends) {
  ValueId x = maker.Arg(main, DType::F32, {}, "x");
  ops::PermuteAttrs attrs;
  attrs.pairs = {{1, 2}, {3, 1}};
  maker.Return(main, {maker.Op(main, OpKind::CollectivePermute, {x}, attrs)});
  ASSERT_TRUE(Run(4)) << failure.message;
  EXPECT_EQ(Result(0), 0);
  EXPECT_EQ(Result(1), 3);
  EXPECT_EQ(Result(2), 1);
  EXPECT_EQ(Result(3), 0);
}

// x = all_reduce(x) three times in a loop: the sum 0+1+2+3, then times 4 twice.
struct LoopTest : VirtualDevicesTest {
  void MakeLoop() {
    FuncId condition = maker.Function("condition");
    ValueId i = maker.Arg(condition, DType::S32, {}, "i");
    maker.Arg(condition, DType::F32, {}, "x");
    maker.Return(condition, {maker.Compare(condition, i, maker.Scalar(condition, DType::S32, 3), ops::Direction::Lt)});
    FuncId step = maker.Function("step");
    i = maker.Arg(step, DType::S32, {}, "i");
    ValueId x = maker.Arg(step, DType::F32, {}, "x");
    ValueId next = maker.Op(step, OpKind::Add, {i, maker.Scalar(step, DType::S32, 1)});
    maker.Return(step, {next, maker.AllReduce(step, x, {{0, 1, 2, 3}})});
    x = maker.Arg(main, DType::F32, {}, "x");
    ValueId zero = maker.Scalar(main, DType::S32, 0);
    ValueId first = maker.Op(main, OpKind::While, {zero, x}, ops::WhileAttrs{2}, {condition, step});
    maker.Return(main, {ValueId{first.index + 1}});
  }
};

TEST_F(LoopTest, IterationsMeetApart) {
  MakeLoop();
  ASSERT_TRUE(Run(4)) << failure.message;
  for (int64_t d = 0; d < 4; ++d) {
    EXPECT_EQ(Result(d), 6 * 4 * 4);
  }
  EXPECT_EQ(scheduler->stats().collectives, 3);
}

TEST_F(LoopTest, ThreadsChangeNothing) {
  MakeLoop();
  ASSERT_TRUE(Run(4, /*threads=*/3)) << failure.message;
  EXPECT_EQ(Result(2), 6 * 4 * 4);
}

TEST_F(VirtualDevicesTest, TwoDevicesInDifferentCollectivesAreAMismatch) {
  FuncId a = Branch("a", [&](FuncId f, ValueId x) { return maker.AllReduce(f, x, {{0, 1}}, "left"); });
  FuncId b = Branch("b", [&](FuncId f, ValueId x) { return maker.AllReduce(f, x, {{0, 1}}, "right"); });
  Diverge(a, b);
  ASSERT_FALSE(Run(2));
  EXPECT_EQ(failure.kind, diag::Kind::GroupMismatch);
  EXPECT_EQ(failure.message, "devices 0 and 1 wait for each other in different collectives");
  ASSERT_EQ(failure.notes.size(), 2U);
  EXPECT_EQ(failure.notes[0].text, "device 0 waits in all-reduce `left` with the group {0,1} for 4 bytes");
  EXPECT_EQ(failure.notes[1].text, "device 1 waits in all-reduce `right` with the group {0,1} for 4 bytes");
  EXPECT_EQ(diag::ExitCode(failure.kind), 7);
}

TEST_F(VirtualDevicesTest, WaitingForAFinishedDeviceIsADeadlock) {
  FuncId a = Branch("a", [&](FuncId f, ValueId x) { return maker.AllReduce(f, x, {{0, 1, 2}}, "all"); });
  FuncId b = Branch("b", [&](FuncId f, ValueId x) { return maker.Op(f, OpKind::Negate, {x}); });
  Diverge(a, b);
  ASSERT_FALSE(Run(3));
  EXPECT_EQ(failure.kind, diag::Kind::Deadlock);
  EXPECT_EQ(failure.message, "1 of 3 devices waits in collectives that nobody else comes to");
  ASSERT_EQ(failure.notes.size(), 1U);
  EXPECT_EQ(failure.notes[0].text, "device {0} in all-reduce `all`: missing 1 (has finished), 2 (has finished)");
}

TEST_F(VirtualDevicesTest, ALongerCircleIsADeadlockToo) {
  // 0 waits for 1 (in {0,1}), 1 for 2 (in {1,2}), 2 for 0 (in {0,2}).
  FuncId a = Branch("a", [&](FuncId f, ValueId x) { return maker.AllReduce(f, x, {{0, 1}}, "a"); });
  FuncId b = Branch("b", [&](FuncId f, ValueId x) { return maker.AllReduce(f, x, {{1, 2}}, "b"); });
  FuncId c = Branch("c", [&](FuncId f, ValueId x) { return maker.AllReduce(f, x, {{2, 0}}, "c"); });
  ValueId x = maker.Arg(main, DType::F32, {}, "x");
  ValueId id = maker.Op(main, OpKind::PartitionId, {});
  ValueId index = maker.Op(main, OpKind::Convert, {id}, ops::ConvertAttrs{DType::S32});
  maker.Return(main, {maker.Op(main, OpKind::Case, {index, x}, {a, b, c})});
  ASSERT_FALSE(Run(3));
  EXPECT_EQ(failure.kind, diag::Kind::Deadlock);
  ASSERT_EQ(failure.notes.size(), 3U);
  EXPECT_EQ(failure.notes[1].text, "device {1} in all-reduce `b`: missing 2 (is in all-reduce `c`)");
}

TEST_F(VirtualDevicesTest, ADeviceOutsideOfAllGroups) {
  ValueId x = maker.Arg(main, DType::F32, {}, "x");
  maker.Return(main, {maker.AllReduce(main, x, {{0, 1}})});
  ASSERT_FALSE(Run(3));
  EXPECT_EQ(failure.kind, diag::Kind::GroupMismatch);
  EXPECT_EQ(failure.message, "device 2 takes part, but is in none of the groups");
}

TEST_F(VirtualDevicesTest, AnEndlessLoopIsTold) {
  FuncId condition = maker.Function("condition");
  maker.Arg(condition, DType::F32, {}, "x");
  maker.Return(condition, {maker.Constant(condition, Literal::Integer(DType::Pred, {}, 1))});
  FuncId step = Branch("step", [&](FuncId f, ValueId v) { return maker.Op(f, OpKind::Negate, {v}); });
  ValueId x = maker.Arg(main, DType::F32, {}, "x");
  maker.Return(main, {maker.Op(main, OpKind::While, {x}, ops::WhileAttrs{1}, {condition, step})});
  Program one(maker.module);
  Interpreter::Options options;
  options.max_iterations = 10;
  Interpreter interpreter(one, options);
  interpreter.Start(main, {{Literal(DType::F32, {}), {}, 0}});
  EXPECT_EQ(interpreter.Run(), Stop::Failed);
  EXPECT_EQ(interpreter.failure().kind, diag::Kind::EndlessLoop);
}

TEST_F(VirtualDevicesTest, DeadValuesAreDropped) {
  ValueId x = maker.Arg(main, DType::F32, {}, "x");
  ValueId a = maker.Op(main, OpKind::Negate, {x});
  ValueId b = maker.Op(main, OpKind::Add, {a, x});
  ValueId c = maker.Op(main, OpKind::Multiply, {b, b});
  maker.Return(main, {c});
  Program one(maker.module);
  EXPECT_TRUE(one.dying(main, {0}).empty());
  EXPECT_EQ(one.dying(main, {1}).vec(), (std::vector<ValueId>{x, a}));
  EXPECT_EQ(one.dying(main, {2}).vec(), (std::vector<ValueId>{b}));
}

}  // namespace
}  // namespace spmdc::run
