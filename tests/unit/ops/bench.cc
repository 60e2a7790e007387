// The bench: building, evaluating, partitioning, comparing.
#include "bench.h"

#include "llvm/ADT/StringExtras.h"
#include "partition/partition.h"

namespace spmdc::ops::test {
namespace {

Values EvaluateInst(const ir::Module& module, const ir::Function& f, const ir::Inst& inst,
                    llvm::ArrayRef<tensor::Literal> values, int64_t device) {
  llvm::SmallVector<const tensor::Literal*, 4> operands;
  for (ir::ValueId v : f.operands(inst)) {
    operands.push_back(&values[static_cast<size_t>(v.index)]);
  }
  if (op::Def(inst.op).region == op::Region::Call) {
    Values args;
    for (const tensor::Literal* operand : operands) {
      args.push_back(*operand);
    }
    return Evaluate(module, f.bodies(inst)[0], args, device);
  }
  op::EvalContext cx(module, f, inst, operands, device, [&](ir::FuncId body, llvm::ArrayRef<tensor::Literal> args) {
    return Evaluate(module, body, args, device);
  });
  SPMDC_CHECK(op::Def(inst.op).eval != nullptr && op::Def(inst.op).eval(cx), "no evaluation");
  return std::move(cx.results);
}

}  // namespace

Values Evaluate(const ir::Module& module, ir::FuncId function, llvm::ArrayRef<tensor::Literal> args, int64_t device) {
  const ir::Function& f = module.functions[function];
  std::vector<tensor::Literal> values(f.values.size());
  for (size_t i = 0; i < args.size(); ++i) {
    values[static_cast<size_t>(f.args[i].index)] = args[i].Materialize();
  }
  for (const ir::Inst& inst : f.insts) {
    Values results = EvaluateInst(module, f, inst, values, device);
    for (size_t i = 0; i < results.size(); ++i) {
      values[static_cast<size_t>(f.result(inst, i).index)] = results[i];
    }
  }
  Values results;
  for (ir::ValueId v : f.results) {
    results.push_back(values[static_cast<size_t>(v.index)]);
  }
  return results;
}

std::vector<Values> EvaluateDevices(const ir::Module& module, const std::vector<Values>& args) {
  const ir::Function& f = module.functions[module.entry];
  size_t n = args.size();
  std::vector<std::vector<tensor::Literal>> values(n, std::vector<tensor::Literal>(f.values.size()));
  for (size_t d = 0; d < n; ++d) {
    for (size_t i = 0; i < f.args.size(); ++i) {
      values[d][static_cast<size_t>(f.args[i].index)] = args[d][i].Materialize();
    }
  }
  for (const ir::Inst& inst : f.insts) {
    auto first = static_cast<size_t>(f.result(inst).index);
    auto* describe = op::Def(inst.op).collective;
    if (describe == nullptr) {
      for (size_t d = 0; d < n; ++d) {
        Values results = EvaluateInst(module, f, inst, values[d], static_cast<int64_t>(d));
        std::move(results.begin(), results.end(), values[d].begin() + static_cast<int64_t>(first));
      }
      continue;
    }
    op::Collective collective = describe(module, f, inst);
    auto operand = static_cast<size_t>(f.operands(inst)[0].index);
    for (size_t d = 0; d < n; ++d) {
      llvm::SmallVector<int64_t, 8> group;
      if (collective.kind != op::CollectiveKind::Permute) {
        group = op::GroupOf(*module.tables, collective.groups, static_cast<int64_t>(n), static_cast<int64_t>(d));
        SPMDC_CHECK(!group.empty(), "a device in no group");
      }
      std::vector<const tensor::Literal*> operands;
      for (size_t k = 0; k < (group.empty() ? n : group.size()); ++k) {
        operands.push_back(&values[group.empty() ? k : static_cast<size_t>(group[k])][operand]);
      }
      if (group.empty()) {
        values[d][first] = EvalPermute(collective, operands, static_cast<int64_t>(d));
        continue;
      }
      std::vector<tensor::Literal> results = EvalCollective(collective, operands);
      values[d][first] = results[static_cast<size_t>(llvm::find(group, static_cast<int64_t>(d)) - group.begin())];
    }
  }
  std::vector<Values> results(n);
  for (size_t d = 0; d < n; ++d) {
    for (ir::ValueId v : f.results) {
      results[d].push_back(values[d][static_cast<size_t>(v.index)]);
    }
  }
  return results;
}

Bench::Bench(mesh::Mesh mesh) : main(module.functions.Add(ir::Function())), builder(module, main, diags) {
  mesh_id = tables->meshes.Intern(mesh);
  module.entry = main;
  module.mesh = mesh_id;
  module.num_devices = tables->meshes[mesh_id].size();
  function().name = "main";
}

mesh::Mesh Bench::MakeMesh(llvm::ArrayRef<std::pair<llvm::StringRef, int64_t>> axes) {
  mesh::Mesh mesh;
  mesh.name = "mesh";
  for (const auto& [name, size] : axes) {
    mesh.axes.push_back({name.str(), size});
  }
  return mesh;
}

mesh::AxisList Bench::Axes(llvm::StringRef names) {
  const mesh::Mesh& mesh = tables->meshes[mesh_id];
  mesh::AxisList list;
  llvm::SmallVector<llvm::StringRef, 4> parts;
  names.split(parts, ',', -1, false);
  for (llvm::StringRef part : parts) {
    auto [name, rest] = part.split(':');
    mesh::AxisRef ref = mesh::Whole(mesh, *mesh.FindAxis(name));
    if (!rest.empty()) {
      rest.consume_front("(");
      rest.consumeInteger(10, ref.pre);
      rest.consume_front(")");
      rest.consumeInteger(10, ref.size);
    }
    mesh::Append(list, ref);
  }
  return list;
}

mesh::Sharding Bench::Sharded(llvm::ArrayRef<llvm::StringRef> dims, llvm::StringRef unreduced, mesh::Monoid kind) {
  mesh::Sharding sharding = mesh::Replicated(mesh_id, dims.size());
  for (size_t d = 0; d < dims.size(); ++d) {
    sharding.dims[d].axes = Axes(dims[d]);
  }
  sharding.unreduced = mesh::AsSet(Axes(unreduced));
  sharding.unreduced_kind = kind;
  return sharding;
}

ir::ValueId Bench::Arg(tensor::DType dtype, llvm::ArrayRef<int64_t> dims) {
  ir::Value value;
  value.type = tables->types.Intern(ir::ArrayType(dtype, dims));
  value.name = "a" + std::to_string(function().args.size());
  return function().AddArg(std::move(value), {});
}

ir::ValueId Bench::TypedArg(tensor::DType dtype, llvm::ArrayRef<int64_t> dims, const mesh::Sharding& sharding) {
  ir::ValueId v = Arg(dtype, dims);
  function().values[v].type = tables->types.Intern(ir::ArrayType(dtype, dims, tables->shardings.Intern(sharding)));
  return v;
}

ir::ValueId Bench::Place(ir::ValueId v, const mesh::Sharding& sharding) {
  SPMDC_CHECK(v.valid(), FirstError());
  function().values[v].sharding = tables->shardings.Intern(sharding);
  return v;
}

ir::FuncId Bench::Body(ir::OpKind op, tensor::DType dtype) {
  ir::Function body;
  body.name = "body";
  ir::Value scalar;
  scalar.type = tables->types.Intern(ir::ArrayType(dtype, {}));
  for (const char* name : {"x", "y"}) {
    scalar.name = name;
    body.AddArg(scalar, {});
  }
  ir::FuncId id = module.functions.Add(std::move(body));
  ir::Function& f = module.functions[id];
  op::Builder inner(module, id, diags);
  f.results.push_back(op == ir::OpKind::Opaque ? f.args[1] : inner.Add1(op, {f.args[0], f.args[1]}));
  f.result_info.emplace_back();
  return id;
}

std::string Bench::Show(ir::ValueId v) const {
  return v.valid() ? ir::ToString(*tables, module.type(function(), v)) : FirstError();
}

std::string Bench::FirstError() const { return diags.all().empty() ? "no error" : diags.all()[0].message; }

tensor::Literal Random(std::mt19937& random, tensor::DType dtype, llvm::ArrayRef<int64_t> dims, int64_t low,
                       int64_t high) {
  llvm::SmallVector<int64_t, 0> values;
  for (int64_t i = 0, n = tensor::NumElements(dims); i < n; ++i) {
    values.push_back(low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1)));
  }
  return tensor::Literal::Integers(dtype, dims, values);
}

namespace {

// Visits the elements of a device's block that are real: f(index in the block, index in the whole).
void ForEachReal(const mesh::Mesh& mesh, const mesh::Sharding& sharding, llvm::ArrayRef<int64_t> dims, int64_t position,
                 llvm::function_ref<void(int64_t, int64_t)> f) {
  auto range = mesh::ShardRange(mesh, sharding, dims, position);
  auto local = mesh::LocalDims(sharding, dims);
  tensor::Dims extents, index(dims.size(), 0);
  for (auto [begin, end] : range) {
    extents.push_back(end - begin);
  }
  if (tensor::NumElements(extents) == 0) {
    return;
  }
  tensor::Dims local_strides = tensor::Strides(local), strides = tensor::Strides(dims);
  do {
    int64_t in_block = 0, in_whole = 0;
    for (size_t d = 0; d < dims.size(); ++d) {
      in_block += index[d] * local_strides[d];
      in_whole += (index[d] + range[d].first) * strides[d];
    }
    f(in_block, in_whole);
  } while (!index.empty() && tensor::NextIndex(index, extents));
}

}  // namespace

tensor::Literal Shard(const mesh::Mesh& mesh, const mesh::Sharding& sharding, const tensor::Literal& whole,
                      int64_t position) {
  tensor::Literal block = tensor::Literal::Integer(whole.dtype(), mesh::LocalDims(sharding, whole.dims()),
                                                   whole.dtype() == tensor::DType::Pred ? 1 : 99)
                              .Materialize();
  ForEachReal(mesh, sharding, whole.dims(), position, [&](int64_t in_block, int64_t in_whole) {
    if (tensor::IsFloat(whole.dtype())) {
      block.SetReal(in_block, whole.GetReal(in_whole));
    } else {
      block.SetInt(in_block, whole.GetInt(in_whole));
    }
  });
  return block;
}

std::string ComparePartitioned(Bench& bench, llvm::ArrayRef<tensor::Literal> args) {
  if (bench.diags.has_errors()) {
    return bench.FirstError();
  }
  auto out = partition::Partition(bench.module, bench.diags);
  if (!out) {
    return bench.FirstError();
  }
  const mesh::Mesh& mesh = bench.tables->meshes[bench.mesh_id];
  auto sharding = [&](ir::ValueId v) -> const mesh::Sharding& {
    return bench.tables->shardings[bench.function().values[v].sharding];
  };
  std::vector<Values> blocks(static_cast<size_t>(mesh.size()));
  for (int64_t p = 0; p < mesh.size(); ++p) {
    for (size_t i = 0; i < args.size(); ++i) {
      const mesh::Sharding& on = sharding(bench.function().args[i]);
      blocks[static_cast<size_t>(mesh.DeviceAt(p))].push_back(Shard(bench.tables->meshes[on.mesh], on, args[i], p));
    }
  }
  Values expected = Evaluate(bench.module, bench.main, args);
  std::vector<Values> got = EvaluateDevices(*out, blocks);
  std::string wrong;
  for (size_t r = 0; r < expected.size(); ++r) {
    const mesh::Sharding& on = sharding(bench.function().results[r]);
    const mesh::Mesh& result_mesh = bench.tables->meshes[on.mesh];
    for (int64_t p = 0; p < result_mesh.size(); ++p) {
      const tensor::Literal& block = got[static_cast<size_t>(result_mesh.DeviceAt(p))][r];
      ForEachReal(result_mesh, on, expected[r].dims(), p, [&](int64_t in_block, int64_t in_whole) {
        double want = expected[r].GetReal(in_whole), have = block.GetReal(in_block);
        if (wrong.empty() && want != have) {
          wrong = "result " + std::to_string(r) + " on device " + std::to_string(result_mesh.DeviceAt(p)) +
                  ", element " + std::to_string(in_whole) + ": " + std::to_string(have) + ", expected " +
                  std::to_string(want);
        }
      });
    }
  }
  return wrong;
}

}  // namespace spmdc::ops::test
