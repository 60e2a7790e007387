// The random programs: one function a family, each adding a few instructions to what is known so far.
#include "property/generator.h"

#include <numeric>

#include "llvm/ADT/STLExtras.h"
#include "ops/constant.h"
#include "ops/control.h"
#include "ops/dot.h"
#include "ops/elementwise.h"
#include "ops/gather.h"
#include "ops/reduce.h"
#include "ops/shape.h"
#include "ops/sharding.h"

namespace spmdc::property {

using ir::OpKind;
using tensor::Dims;
using tensor::DType;

uint64_t Random::Next() {
  uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

Generator::Generator(uint64_t seed, diag::Engine& diags)
    : random_(seed * 0x2545f4914f6cdd1dU + 1), diags_(diags), module_(std::make_shared<ir::Tables>()) {}

mesh::Mesh Generator::RandomMesh() {
  static const std::vector<int64_t> kSizes = {1, 2, 2, 3, 4, 4, 6};
  mesh::Mesh mesh;
  mesh.name = "mesh";
  int64_t axes = 1 + random_.Below(3);
  for (int64_t i = 0; i < axes; ++i) {
    int64_t size = random_.Pick(kSizes);
    mesh.axes.push_back(
        {std::string(1, static_cast<char>('x' + i)), mesh.size() * size > 12 ? 1 : size, mesh::AxisType::Auto});
  }
  if (random_.OneIn(3)) {
    mesh.device_ids.resize(static_cast<size_t>(mesh.size()));
    std::iota(mesh.device_ids.begin(), mesh.device_ids.end(), 0);
    for (size_t i = mesh.device_ids.size(); i > 1; --i) {
      std::swap(mesh.device_ids[i - 1], mesh.device_ids[static_cast<size_t>(random_.Below(static_cast<int64_t>(i)))]);
    }
    mesh::NormalizeDeviceIds(mesh);
  }
  return mesh;
}

// Hands out each axis, or a digit of it, to some dim or to none.
mesh::Sharding Generator::RandomSharding(llvm::ArrayRef<int64_t> dims, bool may_be_uneven) {
  const mesh::Mesh& mesh = module_.tables->meshes[mesh_];
  mesh::Sharding sharding = mesh::Replicated(mesh_, dims.size());
  std::vector<mesh::AxisRef> uses;
  for (int32_t a = 0; a < static_cast<int32_t>(mesh.axes.size()); ++a) {
    int64_t size = mesh.axes[static_cast<size_t>(a)].size;
    int64_t digit = size == 4 || size == 6 ? 2 : size;
    if (digit != size && random_.OneIn(2)) {
      uses.push_back({a, 1, digit});
      uses.push_back({a, digit, size / digit});
    } else {
      uses.push_back({a, 1, size});
    }
  }
  for (size_t i = uses.size(); i > 1; --i) {
    std::swap(uses[i - 1], uses[static_cast<size_t>(random_.Below(static_cast<int64_t>(i)))]);
  }
  for (const mesh::AxisRef& use : uses) {
    if (dims.empty() || random_.OneIn(3)) {
      continue;
    }
    size_t d = static_cast<size_t>(random_.Below(static_cast<int64_t>(dims.size())));
    int64_t shards = mesh::ShardCount(sharding.dims[d]) * use.size;
    if (dims[d] % shards == 0 || (may_be_uneven && dims[d] > 1)) {
      mesh::Append(sharding.dims[d].axes, use);
    }
  }
  for (mesh::DimSharding& dim : sharding.dims) {
    dim.open = random_.OneIn(4);
  }
  return sharding;
}

ir::ValueId Generator::AddArg(DType dtype, llvm::ArrayRef<int64_t> dims) {
  ir::Value value;
  value.type = module_.tables->types.Intern(ir::ArrayType(dtype, dims));
  value.name = "a" + std::to_string(names_++);
  ir::BoundaryInfo info;
  info.name = value.name;
  if (!random_.OneIn(4)) {
    value.sharding = module_.tables->shardings.Intern(RandomSharding(dims, false));
    info.sharding = value.sharding;
    info.pinned = true;
  }
  return module_.functions[module_.entry].AddArg(std::move(value), std::move(info));
}

void Generator::Keep(ir::ValueId value) {
  if (!value.valid()) {
    return;
  }
  const ir::Type& type = b_->type(value);
  if (type.num_elements() <= 4096 && type.rank() <= 4) {
    floats_.push_back({value, type.dims});
  }
}

ir::ValueId Generator::Zero() {
  return b_->Add1(OpKind::Constant, {}, b_->Attrs(ops::ConstantAttrs{tensor::Literal::Number(DType::F32, {}, 0)}));
}

ir::FuncId Generator::Combiner(OpKind kind, DType dtype) {
  ir::Function body;
  body.name = "combine" + std::to_string(names_++);
  body.enclosing = module_.entry;
  ir::Value scalar;
  scalar.type = module_.tables->types.Intern(ir::ArrayType(dtype, {}));
  scalar.name = "p";
  body.AddArg(scalar, {});
  scalar.name = "q";
  body.AddArg(scalar, {});
  ir::FuncId id = module_.functions.Add(std::move(body));
  op::Builder inner(module_, id, diags_);
  ir::Function& f = module_.functions[id];
  ir::ValueId result = inner.Add1(kind, {f.args[0], f.args[1]});
  module_.functions[id].results.push_back(result);
  module_.functions[id].result_info.emplace_back();
  return id;
}

ir::Module Generator::Make() {
  mesh_ = module_.tables->meshes.Intern(RandomMesh());
  module_.name = "generated";
  module_.mesh = mesh_;
  module_.num_devices = module_.tables->meshes[mesh_].size();
  ir::Function main;
  main.name = "main";
  module_.entry = module_.functions.Add(std::move(main));
  b_ = std::make_unique<op::Builder>(module_, module_.entry, diags_);
  static const std::vector<int64_t> kSizes = {1, 2, 3, 4, 5, 6, 7, 8, 12, 12};
  for (int i = 0; i < 3; ++i) {
    sizes_.push_back(random_.Pick(kSizes));
  }
  int64_t args = 2 + random_.Below(2);
  for (int64_t i = 0; i < args; ++i) {
    Dims dims;
    int64_t rank = 1 + random_.Below(3);
    for (int64_t d = 0; d < rank; ++d) {
      dims.push_back(random_.Pick(sizes_));
    }
    Keep(AddArg(DType::F32, dims));
  }
  int64_t insts = 2 + random_.Below(7);
  for (int64_t i = 0; i < insts; ++i) {
    AddRandomInst();
  }
  ir::Function& f = module_.functions[module_.entry];
  int64_t results = 1 + random_.Below(2);
  for (int64_t i = 0; i < results; ++i) {
    const Known& known = i == 0 ? floats_.back() : PickFloat();
    f.results.push_back(known.value);
    ir::BoundaryInfo info;
    if (random_.OneIn(2)) {
      info.sharding = module_.tables->shardings.Intern(RandomSharding(known.dims, false));
      info.pinned = true;
    }
    f.result_info.push_back(info);
  }
  return std::move(module_);
}

void Generator::AddRandomInst() {
  static constexpr void (Generator::*kFamilies[])() = {
      &Generator::Unary,       &Generator::Binary,      &Generator::Select,
      &Generator::Broadcast,   &Generator::Reshape,     &Generator::Transpose,
      &Generator::Dot,         &Generator::Dot,         &Generator::Reduce,
      &Generator::Reduce,      &Generator::Gather,      &Generator::Scatter,
      &Generator::Gather,      &Generator::Gather,      &Generator::Scatter,
      &Generator::Scatter,     &Generator::Pieces,      &Generator::IotaAndConstant,
      &Generator::Constraint,  &Generator::Constraint,  &Generator::Barrier,
      &Generator::Loop,        &Generator::Branch,      &Generator::Pieces,
      &Generator::Pieces,      &Generator::Windows,     &Generator::Windows,
      &Generator::Convolution, &Generator::Order,       &Generator::ArgMax,
      &Generator::Windows,     &Generator::Windows,     &Generator::Windows,
      &Generator::Windows,     &Generator::Convolution,
  };
  (this->*kFamilies[random_.Below(std::size(kFamilies))])();
}

void Generator::Unary() {
  static const std::vector<OpKind> kKinds = {OpKind::Negate, OpKind::Tanh, OpKind::Abs, OpKind::Exponential,
                                             OpKind::Sine};
  ir::ValueId x = PickFloat().value;
  Keep(b_->Add1(random_.Pick(kKinds), {x}));
}

void Generator::Binary() {
  static const std::vector<OpKind> kKinds = {OpKind::Add, OpKind::Subtract, OpKind::Multiply, OpKind::Maximum};
  const Known x = PickFloat();
  ir::ValueId y = x.value;
  for (const Known& other : floats_) {
    if (other.dims == x.dims && (y == x.value || random_.OneIn(2))) {
      y = other.value;
    }
  }
  Keep(b_->Add1(random_.Pick(kKinds), {x.value, y}));
}

void Generator::Select() {
  const Known x = PickFloat();
  ir::ValueId y = b_->Add1(OpKind::Negate, {x.value});
  ir::ValueId p = b_->Add1(OpKind::Compare, {x.value, y}, b_->Attrs(ops::CompareAttrs{ops::Direction::Gt, {}}));
  Keep(b_->Add1(OpKind::Select, {p, x.value, y}));
}

void Generator::Broadcast() {
  const Known x = PickFloat();
  Dims dims, map;
  for (size_t d = 0; d < x.dims.size(); ++d) {
    if (random_.OneIn(3) && dims.size() + x.dims.size() - d < 4) {
      dims.push_back(random_.Pick(sizes_));
    }
    map.push_back(static_cast<int64_t>(dims.size()));
    dims.push_back(x.dims[d] == 1 && random_.OneIn(2) ? random_.Pick(sizes_) : x.dims[d]);
  }
  if (dims.size() < 4) {
    dims.push_back(random_.Pick(sizes_));
  }
  Keep(b_->Add1(OpKind::BroadcastInDim, {x.value}, b_->Attrs(ops::BroadcastInDimAttrs{dims, map})));
}

// Merges two neighbouring dims, splits one, or both.
void Generator::Reshape() {
  const Known x = PickFloat();
  Dims dims = x.dims;
  if (dims.size() >= 2 && random_.OneIn(2)) {
    size_t d = static_cast<size_t>(random_.Below(static_cast<int64_t>(dims.size()) - 1));
    dims[d] *= dims[d + 1];
    dims.erase(dims.begin() + static_cast<int64_t>(d) + 1);
  }
  if (!dims.empty() && dims.size() < 4 && random_.OneIn(2)) {
    size_t d = static_cast<size_t>(random_.Below(static_cast<int64_t>(dims.size())));
    for (int64_t divisor : {3, 2, 4, 5}) {
      if (dims[d] % divisor == 0 && dims[d] > divisor) {
        dims[d] /= divisor;
        dims.insert(dims.begin() + static_cast<int64_t>(d), divisor);
        break;
      }
    }
  }
  Keep(b_->Add1(OpKind::Reshape, {x.value}, b_->Attrs(ops::ReshapeAttrs{dims})));
}

void Generator::Transpose() {
  const Known x = PickFloat();
  Dims permutation(x.dims.size());
  std::iota(permutation.begin(), permutation.end(), 0);
  for (size_t i = permutation.size(); i > 1; --i) {
    std::swap(permutation[i - 1], permutation[static_cast<size_t>(random_.Below(static_cast<int64_t>(i)))]);
  }
  Keep(b_->Add1(OpKind::Transpose, {x.value}, b_->Attrs(ops::TransposeAttrs{permutation})));
}

// Pairs dims of equal size as contracting or batch dims; a new argument where nothing fits.
void Generator::Dot() {
  const Known x = PickFloat();
  Known y = PickFloat();
  if (random_.OneIn(2) && !x.dims.empty()) {
    y.dims = {x.dims.back(), random_.Pick(sizes_)};
    y.value = Fresh(y.dims);
  }
  ops::DotGeneralAttrs attrs;
  attrs.result_dtype = DType::F32;
  llvm::SmallVector<bool, 4> used(y.dims.size());
  for (size_t i = 0; i < x.dims.size(); ++i) {
    for (size_t j = 0; j < y.dims.size(); ++j) {
      if (used[j] || x.dims[i] != y.dims[j] || random_.OneIn(3)) {
        continue;
      }
      used[j] = true;
      bool batch = random_.OneIn(3);
      (batch ? attrs.lhs_batch : attrs.lhs_contracting).push_back(static_cast<int64_t>(i));
      (batch ? attrs.rhs_batch : attrs.rhs_contracting).push_back(static_cast<int64_t>(j));
      break;
    }
  }
  if (x.dims.size() + y.dims.size() - attrs.lhs_batch.size() - 2 * attrs.lhs_contracting.size() <= 4) {
    Keep(b_->Add1(OpKind::DotGeneral, {x.value, y.value}, b_->Attrs(std::move(attrs))));
  }
}

void Generator::Reduce() {
  struct Choice {
    OpKind kind;
    double seed;
  };
  static const std::vector<Choice> kChoices = {
      {OpKind::Add, 0}, {OpKind::Add, 0.5}, {OpKind::Maximum, -1e30}, {OpKind::Minimum, 0.25}};
  const Known x = PickFloat();
  ops::ReduceAttrs attrs;
  for (size_t d = 0; d < x.dims.size(); ++d) {
    if (random_.OneIn(2)) {
      attrs.dims.push_back(static_cast<int64_t>(d));
    }
  }
  Choice choice = random_.Pick(kChoices);
  ir::ValueId seed = b_->Add1(OpKind::Constant, {},
                              b_->Attrs(ops::ConstantAttrs{tensor::Literal::Number(DType::F32, {}, choice.seed)}));
  Keep(b_->Add1(OpKind::Reduce, {x.value, seed}, b_->Attrs(std::move(attrs)), {Combiner(choice.kind, DType::F32)}));
}

void Generator::IotaAndConstant() {
  const Known x = PickFloat();
  if (x.dims.empty()) {
    return;
  }
  int64_t dim = random_.Below(static_cast<int64_t>(x.dims.size()));
  ir::ValueId made;
  if (random_.OneIn(2)) {
    made = b_->Add1(OpKind::Iota, {}, b_->Attrs(ops::IotaAttrs{DType::F32, x.dims, dim}));
  } else {
    std::vector<double> numbers(static_cast<size_t>(tensor::NumElements(x.dims)));
    for (double& number : numbers) {
      number = static_cast<double>(random_.Below(9)) - 4;
    }
    made = b_->Add1(OpKind::Constant, {},
                    b_->Attrs(ops::ConstantAttrs{tensor::Literal::Numbers(DType::F32, x.dims, numbers)}));
  }
  Keep(b_->Add1(random_.OneIn(2) ? OpKind::Add : OpKind::Multiply, {x.value, made}));
}

namespace {

// Row numbers in [0, rows), and now and then one outside.
ir::ValueId Indices(op::Builder& b, Random& random, int64_t count, int64_t rows) {
  std::vector<int64_t> values(static_cast<size_t>(count));
  for (int64_t& v : values) {
    v = random.OneIn(10) ? rows + random.Below(3) - 1 : random.Below(rows);
  }
  return b.Add1(OpKind::Constant, {},
                b.Attrs(ops::ConstantAttrs{tensor::Literal::Integers(DType::S32, {count, 1}, values)}));
}

}  // namespace

// Rows of a table by their numbers, as an embedding is read.
void Generator::Gather() {
  Known x = PickFloat();
  if (random_.OneIn(2)) {
    x.dims = {random_.Pick(sizes_), random_.Pick(sizes_)};
    x.value = Fresh(x.dims);
  }
  if (x.dims.empty()) {
    return;
  }
  int64_t count = random_.Pick(sizes_);
  ops::GatherAttrs attrs;
  attrs.collapsed_slice_dims = {0};
  attrs.start_index_map = {0};
  attrs.index_vector_dim = 1;
  attrs.slice_sizes = x.dims;
  attrs.slice_sizes[0] = 1;
  for (size_t d = 1; d < x.dims.size(); ++d) {
    attrs.offset_dims.push_back(static_cast<int64_t>(d));
  }
  ir::ValueId indices = ConstrainedIndices(count, x.dims[0]);
  Keep(b_->Add1(OpKind::Gather, {x.value, indices}, b_->Attrs(std::move(attrs))));
}

// Rows added into a table, as an embedding's gradient is made.
void Generator::Scatter() {
  const Known updates = PickFloat();
  if (updates.dims.empty()) {
    return;
  }
  Dims table = updates.dims;
  table[0] = random_.Pick(sizes_);
  ir::ValueId zeros = b_->Add1(OpKind::BroadcastInDim, {Zero()}, b_->Attrs(ops::BroadcastInDimAttrs{table, {}}));
  if (random_.OneIn(2)) {
    zeros = Fresh(table);
  }
  ops::ScatterAttrs attrs;
  attrs.inserted_window_dims = {0};
  attrs.scatter_dims_to_operand_dims = {0};
  attrs.index_vector_dim = 1;
  for (size_t d = 1; d < updates.dims.size(); ++d) {
    attrs.update_window_dims.push_back(static_cast<int64_t>(d));
  }
  ir::ValueId indices = ConstrainedIndices(updates.dims[0], table[0]);
  OpKind kind = random_.OneIn(3) ? OpKind::Maximum : OpKind::Add;
  Keep(b_->Add1(OpKind::Scatter, {zeros, indices, updates.value}, b_->Attrs(std::move(attrs)),
                {Combiner(kind, DType::F32)}));
}

ir::ValueId Generator::ConstrainedIndices(int64_t count, int64_t rows) {
  ir::ValueId indices = Indices(*b_, random_, count, rows);
  if (random_.OneIn(2)) {
    return indices;
  }
  mesh::Sharding sharding = RandomSharding({count, 1}, true);
  sharding.dims[1].axes.clear();
  return b_->Add1(OpKind::ShardingConstraint, {indices},
                  b_->Attrs(ops::ShardingConstraintAttrs{module_.tables->shardings.Intern(sharding)}));
}

ir::ValueId Generator::Fresh(llvm::ArrayRef<int64_t> dims) {
  if (dims.empty()) {
    return Zero();
  }
  ir::ValueId counter =
      b_->Add1(OpKind::Iota, {}, b_->Attrs(ops::IotaAttrs{DType::F32, Dims(dims.begin(), dims.end()), 0}));
  ir::ValueId value = b_->Add1(OpKind::Cosine, {counter});
  mesh::Sharding sharding = RandomSharding(dims, true);
  return b_->Add1(OpKind::ShardingConstraint, {value},
                  b_->Attrs(ops::ShardingConstraintAttrs{module_.tables->shardings.Intern(sharding)}));
}

void Generator::Constraint() {
  const Known x = PickFloat();
  mesh::Sharding sharding = RandomSharding(x.dims, true);
  Keep(b_->Add1(OpKind::ShardingConstraint, {x.value},
                b_->Attrs(ops::ShardingConstraintAttrs{module_.tables->shardings.Intern(sharding)})));
}

void Generator::Barrier() {
  const Known x = PickFloat();
  const Known y = PickFloat();
  auto both = b_->Add(OpKind::OptimizationBarrier, {x.value, y.value});
  if (both) {
    Keep((*both)[0]);
    Keep((*both)[1]);
  }
}

ir::FuncId Generator::Body(llvm::ArrayRef<ir::Type> args, llvm::StringRef name,
                           llvm::function_ref<void(op::Builder&, ir::Function&)> fill) {
  ir::Function body;
  body.name = name.str() + std::to_string(names_++);
  body.enclosing = module_.entry;
  for (const ir::Type& type : args) {
    ir::Value value;
    value.type = module_.tables->types.Intern(type);
    value.name = "p" + std::to_string(body.args.size());
    body.AddArg(std::move(value), {});
  }
  ir::FuncId id = module_.functions.Add(std::move(body));
  op::Builder inner(module_, id, diags_);
  fill(inner, module_.functions[id]);
  module_.functions[id].result_info.resize(module_.functions[id].results.size());
  return id;
}

// Three rounds of x = tanh(x + x), counted by a carried scalar.
void Generator::Loop() {
  const Known x = PickFloat();
  ir::Type scalar = ir::ArrayType(DType::S32, {});
  ir::Type array = ir::ArrayType(DType::F32, x.dims);
  auto number = [](op::Builder& b, int64_t n) {
    return b.Add1(OpKind::Constant, {}, b.Attrs(ops::ConstantAttrs{tensor::Literal::Integer(DType::S32, {}, n)}));
  };
  ir::FuncId condition = Body({scalar, array}, "condition", [&](op::Builder& b, ir::Function& f) {
    ir::ValueId i = f.args[0];
    ir::ValueId less = b.Add1(OpKind::Compare, {i, number(b, 3)}, b.Attrs(ops::CompareAttrs{ops::Direction::Lt, {}}));
    module_.functions[b.function()].results.push_back(less);
  });
  ir::FuncId step = Body({scalar, array}, "step", [&](op::Builder& b, ir::Function& f) {
    ir::ValueId i = f.args[0], v = f.args[1];
    ir::ValueId next = b.Add1(OpKind::Add, {i, number(b, 1)});
    ir::ValueId twice = b.Add1(OpKind::Tanh, {b.Add1(OpKind::Add, {v, v})});
    module_.functions[b.function()].results = {next, twice};
  });
  auto results = b_->Add(OpKind::While, {number(*b_, 0), x.value}, b_->Attrs(ops::WhileAttrs{2}), {condition, step});
  if (results) {
    Keep((*results)[1]);
  }
}

// Chooses between x and -x by whether a sum is positive.
void Generator::Branch() {
  const Known x = PickFloat();
  ops::ReduceAttrs all;
  for (size_t d = 0; d < x.dims.size(); ++d) {
    all.dims.push_back(static_cast<int64_t>(d));
  }
  ir::ValueId top =
      b_->Add1(OpKind::Reduce, {x.value, Zero()}, b_->Attrs(std::move(all)), {Combiner(OpKind::Maximum, DType::F32)});
  ir::ValueId positive = b_->Add1(OpKind::Compare, {top, Zero()}, b_->Attrs(ops::CompareAttrs{ops::Direction::Gt, {}}));
  ir::ValueId index = b_->Add1(OpKind::Convert, {positive}, b_->Attrs(ops::ConvertAttrs{DType::S32}));
  ir::Type array = ir::ArrayType(DType::F32, x.dims);
  llvm::SmallVector<ir::FuncId, 2> bodies;
  for (OpKind kind : {OpKind::Negate, OpKind::Cosine}) {
    bodies.push_back(Body({array}, "branch", [&](op::Builder& b, ir::Function& f) {
      ir::ValueId v = f.args[0];
      ir::ValueId result = b.Add1(kind, {v});
      module_.functions[b.function()].results.push_back(result);
    }));
  }
  Keep(b_->Add1(OpKind::Case, {index, x.value}, {}, bodies));
}

}  // namespace spmdc::property
