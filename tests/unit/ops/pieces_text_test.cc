// Spellings of slices, gathers, control flow and collectives: what is written in HLO is read back as the same attributes.
#include <gtest/gtest.h>

#include <map>

#include "bench.h"
#include "mesh/hlo_sharding.h"
#include "ops/collective.h"
#include "ops/control.h"
#include "ops/gather.h"
#include "ops/sharding.h"
#include "ops/slice.h"

namespace spmdc::ops::test {
namespace {

using ir::OpKind;
using tensor::DType;

std::string Braces(llvm::ArrayRef<int64_t> values) {
  std::string text;
  for (int64_t v : values) {
    text += (text.empty() ? "" : ",") + std::to_string(v);
  }
  return "{" + text + "}";
}

// Collects attributes, as `name=text, ...` and by name.
class Printer final : public op::HloPrinter {
 public:
  explicit Printer(const Bench& bench) : bench_(bench) {}
  const ir::Module& module() const override { return bench_.module; }
  const ir::Function& function() const override { return bench_.function(); }
  const ir::Inst& inst() const override {
    return bench_.function().insts[ir::InstId{static_cast<int32_t>(bench_.function().insts.size()) - 1}];
  }
  void Attr(llvm::StringRef name, std::string text) override {
    all += (all.empty() ? "" : ", ") + name.str() + "=" + text;
    by_name[name.str()] = std::move(text);
  }
  void Ints(llvm::StringRef name, llvm::ArrayRef<int64_t> values) override { Attr(name, Braces(values)); }
  void Body(llvm::StringRef name, ir::FuncId body) override { Attr(name, std::to_string(body.index)); }
  void Bodies(llvm::StringRef name, llvm::ArrayRef<ir::FuncId> bodies) override {
    std::string text;
    for (ir::FuncId body : bodies) {
      text += (text.empty() ? "" : ",") + std::to_string(body.index);
    }
    Attr(name, "{" + text + "}");
  }
  void Raw(std::string text) override { all += text; }
  void Operands(std::string) override {}
  void Opcode(std::string) override {}
  std::string ReplicaGroups(mesh::MeshId mesh, llvm::ArrayRef<mesh::AxisRef> axes) override {
    return mesh::ReplicaGroups(bench_.tables->meshes[mesh], axes, mesh::GroupForm::List);
  }

  std::string all;
  std::map<std::string, std::string> by_name;

 private:
  const Bench& bench_;
};

// Answers from what a printer collected.
class Reader final : public op::HloReader {
 public:
  Reader(Bench& bench, std::map<std::string, std::string> attrs) : bench_(bench), attrs_(std::move(attrs)) {}
  ir::Module& module() override { return bench_.module; }
  llvm::ArrayRef<ir::Type> operands() const override { return types; }
  llvm::ArrayRef<ir::Type> results() const override { return {}; }
  llvm::StringRef operand_text() const override { return ""; }
  bool Has(llvm::StringRef name) const override { return attrs_.count(name.str()) != 0; }
  std::optional<std::string> Text(llvm::StringRef name) override {
    return Has(name) ? std::optional<std::string>(attrs_[name.str()]) : std::nullopt;
  }
  std::optional<llvm::SmallVector<int64_t, 4>> Ints(llvm::StringRef name) override {
    if (!Has(name)) {
      return std::nullopt;
    }
    llvm::SmallVector<int64_t, 4> values;
    llvm::StringRef rest = llvm::StringRef(attrs_[name.str()]).drop_front().drop_back();
    while (!rest.empty()) {
      rest.consumeInteger(10, values.emplace_back());
      rest.consume_front(",");
    }
    return values;
  }
  std::optional<int64_t> Int(llvm::StringRef name) override {
    int64_t value = 0;
    return Has(name) && !llvm::StringRef(attrs_[name.str()]).getAsInteger(10, value) ? std::optional<int64_t>(value)
                                                                                     : std::nullopt;
  }
  std::optional<bool> Bool(llvm::StringRef name) override {
    return Has(name) ? std::optional<bool>(attrs_[name.str()] == "true") : std::nullopt;
  }
  std::optional<op::Groups> ReplicaGroups() override {
    llvm::SmallVector<llvm::SmallVector<int64_t, 8>, 8> groups;
    size_t end = 0;
    if (!Has("replica_groups") ||
        mesh::ParseReplicaGroups(attrs_["replica_groups"], bench_.module.num_devices, groups, end)) {
      Fail("replica_groups", "malformed");
      return std::nullopt;
    }
    return GroupsOfLists(*bench_.module.tables, {groups.begin(), groups.end()});
  }
  // Two devices that change places.
  std::optional<std::vector<tensor::Dims>> SourceTargetPairs() override {
    if (attrs_["source_target_pairs"] != "{{0,1},{1,0}}") {
      Fail("source_target_pairs", "malformed");
      return std::nullopt;
    }
    return std::vector<tensor::Dims>{{0, 1}, {1, 0}};
  }
  int64_t Channel() override { return Int("channel_id").value_or(0); }
  std::optional<tensor::Literal> ParseLiteral(llvm::StringRef, const ir::Type&) override { return std::nullopt; }
  std::optional<ir::FuncId> Body(llvm::StringRef name) override {
    auto index = Int(name);
    return index ? std::optional<ir::FuncId>(ir::FuncId{static_cast<int32_t>(*index)}) : std::nullopt;
  }
  std::optional<std::vector<ir::FuncId>> Bodies(llvm::StringRef name) override {
    auto ids = Ints(name);
    if (!ids) {
      return std::nullopt;
    }
    std::vector<ir::FuncId> all;
    for (int64_t id : *ids) {
      all.push_back(ir::FuncId{static_cast<int32_t>(id)});
    }
    return all;
  }
  void UseBodies(llvm::ArrayRef<ir::FuncId> used) override { bodies.assign(used.begin(), used.end()); }
  bool Fail(llvm::StringRef name, std::string message) override {
    error = name.str() + ": " + message;
    return false;
  }

  llvm::SmallVector<ir::Type, 2> types;
  std::vector<ir::FuncId> bodies;
  std::string error;

 private:
  Bench& bench_;
  std::map<std::string, std::string> attrs_;
};

// Prints the last instruction, reads that back, and says what was printed; or what went wrong.
std::string RoundTrip(Bench& bench) {
  if (bench.diags.has_errors()) {
    return bench.FirstError();
  }
  Printer printer(bench);
  const ir::Inst inst = printer.inst();
  const op::OpDef& def = op::Def(inst.op);
  if (def.print_hlo != nullptr) {
    def.print_hlo(printer);
  }
  Reader reader(bench, printer.by_name);
  for (ir::ValueId v : bench.function().operands(inst)) {
    reader.types.push_back(bench.module.type(bench.function(), v));
  }
  ir::AttrsId attrs;
  if (def.read_hlo != nullptr && !def.read_hlo(reader, attrs)) {
    return reader.error;
  }
  if (inst.attrs.valid() &&
      ir::FieldsText(*bench.tables->attrs.Copy(attrs)) != ir::FieldsText(*bench.tables->attrs.Copy(inst.attrs))) {
    return "read back as " + ir::FieldsText(*bench.tables->attrs.Copy(attrs));
  }
  if (llvm::ArrayRef<ir::FuncId>(reader.bodies) != bench.function().bodies(inst)) {
    return "other bodies";
  }
  return printer.all;
}

constexpr std::pair<llvm::StringRef, int64_t> kTwoByFour[] = {{"x", 2}, {"y", 4}};

TEST(HloText, Pieces) {
  Bench bench(kTwoByFour);
  ir::ValueId x = bench.Arg(DType::F32, {8, 4}), zero = bench.Arg(DType::F32, {}), i = bench.Arg(DType::S32, {});
  bench.Add(OpKind::Slice, {x}, SliceAttrs{{1, 0}, {8, 4}, {3, 1}});
  EXPECT_EQ(RoundTrip(bench), "slice={[1:8:3], [0:4]}");
  bench.Add(OpKind::Pad, {x, zero}, PadAttrs{{-1, 0}, {1, 2}, {0, 1}});
  EXPECT_EQ(RoundTrip(bench), "padding=-1_1x0_2_1");
  bench.Add(OpKind::Concatenate, {x, x}, ConcatenateAttrs{1});
  EXPECT_EQ(RoundTrip(bench), "dimensions={1}");
  bench.Add(OpKind::Reverse, {x}, ReverseAttrs{{0, 1}});
  EXPECT_EQ(RoundTrip(bench), "dimensions={0,1}");
  bench.Add(OpKind::DynamicSlice, {x, i, i}, DynamicSliceAttrs{{2, 4}});
  EXPECT_EQ(RoundTrip(bench), "dynamic_slice_sizes={2,4}");
}

TEST(HloText, GatherAndScatter) {
  Bench bench(kTwoByFour);
  ir::ValueId x = bench.Arg(DType::F32, {8, 4}), ids = bench.Arg(DType::S32, {8, 2, 1});
  GatherAttrs gather;
  gather.collapsed_slice_dims = gather.start_index_map = {1};
  gather.operand_batching_dims = gather.start_indices_batching_dims = {0};
  gather.index_vector_dim = 2;
  gather.slice_sizes = {1, 1};
  gather.indices_are_sorted = true;
  bench.Add(OpKind::Gather, {x, ids}, gather);
  EXPECT_EQ(RoundTrip(bench),
            "offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={0}, "
            "start_indices_batching_dims={0}, index_vector_dim=2, slice_sizes={1,1}, indices_are_sorted=true");
  ScatterAttrs scatter;
  scatter.update_window_dims = {1};
  scatter.inserted_window_dims = scatter.scatter_dims_to_operand_dims = {0};
  scatter.index_vector_dim = 1;
  scatter.unique_indices = true;
  ir::FuncId body = bench.Body(OpKind::Add, DType::F32);
  bench.Add(OpKind::Scatter, {x, bench.Arg(DType::S32, {3, 1}), bench.Arg(DType::F32, {3, 4})}, scatter, {body});
  EXPECT_EQ(RoundTrip(bench),
            "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
            "unique_indices=true, to_apply=1");
}

TEST(HloText, Collectives) {
  Bench bench(kTwoByFour);
  ir::ValueId x = bench.Arg(DType::F32, {8, 4});
  CollectiveAttrs attrs;
  attrs.groups.mesh = bench.mesh_id;
  attrs.groups.axes = bench.Axes("x");
  attrs.channel = 3;
  ir::FuncId body = bench.Body(OpKind::Add, DType::F32);
  bench.Add(OpKind::AllReduce, {x}, attrs, {body});
  EXPECT_EQ(RoundTrip(bench),
            "channel_id=3, replica_groups={{0,4},{1,5},{2,6},{3,7}}, use_global_device_ids=true, to_apply=1");
  attrs.dim = attrs.concat_dim = 1;
  bench.Add(OpKind::AllGather, {x}, attrs);
  EXPECT_EQ(RoundTrip(bench),
            "channel_id=3, replica_groups={{0,4},{1,5},{2,6},{3,7}}, dimensions={1}, use_global_device_ids=true");
  // Groups that no axes make stay lists.
  CollectiveAttrs lists;
  lists.groups.lists = {{0, 3}, {1, 2}, {4, 7}, {5, 6}};
  lists.dim = lists.concat_dim = 0;
  lists.channel = 4;
  bench.Add(OpKind::AllToAll, {x}, lists);
  EXPECT_EQ(RoundTrip(bench), "channel_id=4, replica_groups={{0,3},{1,2},{4,7},{5,6}}, dimensions={0}");
  PermuteAttrs pairs;
  pairs.pairs = {{0, 1}, {1, 0}};
  pairs.channel = 5;
  bench.Add(OpKind::CollectivePermute, {x}, pairs);
  EXPECT_EQ(RoundTrip(bench), "channel_id=5, source_target_pairs={{0,1},{1,0}}");
}

TEST(HloText, MalformedAttributes) {
  Bench bench(kTwoByFour);
  ir::AttrsId attrs;
  for (auto [kind, name, text] : {std::tuple<OpKind, const char*, const char*>{OpKind::Slice, "slice", "{[0:4}"},
                                  {OpKind::Slice, "slice", "{[0]}"},
                                  {OpKind::Pad, "padding", "1x2"},
                                  {OpKind::Concatenate, "dimensions", "{0,1}"},
                                  {OpKind::Gather, "offset_dims", "{}"},
                                  {OpKind::AllReduce, "replica_groups", "{{0}}"},
                                  {OpKind::CollectivePermute, "source_target_pairs", "{{0}}"}}) {
    Reader reader(bench, {{name, text}, {"channel_id", kind == OpKind::AllReduce ? "?" : "1"}});
    EXPECT_FALSE(op::Def(kind).read_hlo(reader, attrs)) << text;
    EXPECT_NE(reader.error, "");
  }
}

// Collects a call.
class Native final : public op::NativePrinter {
 public:
  explicit Native(const Bench& bench) : bench_(bench) {
    const op::OpDef& def = op::Def(inst().op);
    callee = def.native_name.str();
    for (size_t i = 0; i < inst().num_operands; ++i) {
      args += (i == 0 ? "" : ", ") + Operand(i);
    }
    def.print_native(*this);
  }
  const ir::Module& module() const override { return bench_.module; }
  const ir::Function& function() const override { return bench_.function(); }
  const ir::Inst& inst() const override {
    return bench_.function().insts[ir::InstId{static_cast<int32_t>(bench_.function().insts.size()) - 1}];
  }
  void Callee(std::string name) override { callee = std::move(name); }
  void Args(std::string text) override { args = std::move(text); }
  std::string Operand(size_t i) const override { return function().values[function().operands(inst())[i]].name; }
  void Keyword(llvm::StringRef name, std::string text) override { keywords += ", " + name.str() + "=" + text; }
  void Tuple(llvm::StringRef name, llvm::ArrayRef<int64_t> values) override {
    std::string text;
    for (int64_t v : values) {
      text += (text.empty() ? "" : ", ") + std::to_string(v);
    }
    Keyword(name, "(" + text + (values.size() == 1 ? ",)" : ")"));
  }
  std::string Body(ir::FuncId body) override { return module().functions[body].name; }
  std::string text() const { return callee + "(" + args + keywords + ")"; }

  std::string callee, args, keywords;

 private:
  const Bench& bench_;
};

TEST(NativeText, JaxNames) {
  Bench bench(kTwoByFour);
  ir::ValueId x = bench.Arg(DType::F32, {8, 4}), zero = bench.Arg(DType::F32, {}), i = bench.Arg(DType::S32, {});
  bench.Add(OpKind::Pad, {x, zero}, PadAttrs{{-1, 0}, {1, 2}, {0, 1}});
  EXPECT_EQ(Native(bench).text(), "lax.pad(a0, a1, padding_config=((-1, 1, 0), (0, 2, 1)))");
  bench.Add(OpKind::Concatenate, {x, x}, ConcatenateAttrs{1});
  EXPECT_EQ(Native(bench).text(), "lax.concatenate((a0, a0), dimension=1)");
  bench.Add(OpKind::DynamicSlice, {x, i, i}, DynamicSliceAttrs{{2, 4}});
  EXPECT_EQ(Native(bench).text(), "lax.dynamic_slice(a0, (a2, a2), slice_sizes=(2, 4), allow_negative_indices=False)");
  CollectiveAttrs attrs;
  attrs.groups.mesh = bench.mesh_id;
  attrs.groups.axes = bench.Axes("x");
  ir::FuncId body = bench.Body(OpKind::Maximum, DType::F32);
  bench.Add(OpKind::AllReduce, {x}, attrs, {body});
  EXPECT_EQ(Native(bench).text(), "lax.pmax(a0, axis_name='x')");
  attrs.groups.axes = bench.Axes("y:(1)2");
  bench.Add(OpKind::ReduceScatter, {x}, attrs, {body});
  EXPECT_EQ(Native(bench).text(),
            "spmdc.reduce_scatter(a0, axis_name=\"y:(1)2\", monoid='max', scatter_dimension=0, tiled=True)");
  mesh::Sharding sharding = bench.Sharded({"x,y", ""});
  sharding.dims[1].open = true;
  bench.Add(OpKind::ShardingConstraint, {x}, ShardingConstraintAttrs{bench.tables->shardings.Intern(sharding)});
  EXPECT_EQ(Native(bench).text(), "lax.with_sharding_constraint(a0, P(('x', 'y'), P.UNCONSTRAINED))");
  sharding.dims[0].priority = 1;
  bench.Add(OpKind::ShardingConstraint, {x}, ShardingConstraintAttrs{bench.tables->shardings.Intern(sharding)});
  EXPECT_EQ(Native(bench).text(), "spmdc.constraint(a0, \"<@mesh, [{'x', 'y'}p1, {?}]>\")");
}

}  // namespace
}  // namespace spmdc::ops::test
