// Faults planted one at a time into planned and per-device programs: each must be caught by the check.
//
// A fault is a change to the data of a program that a wrong rule, mask, group or reshard would have left there. For each,
// generated programs are tried until the fault finds a place; in every program where it changes something that matters, the
// check has to say so at least once.
#include <gtest/gtest.h>

#include <functional>

#include "op/op_def.h"
#include "op/verify.h"
#include "ops/collective.h"
#include "ops/constant.h"
#include "ops/elementwise.h"
#include "ops/gather.h"
#include "ops/reduce.h"
#include "partition/partition.h"
#include "property/generator.h"
#include "property/pipeline.h"

namespace spmdc::property {
namespace {

using ir::OpKind;

// Changes a per-device program; false if it found no place.
using Fault = std::function<bool(ir::Module&)>;

// Applies `change` to the first instruction of a kind for which it returns true.
bool ChangeFirst(ir::Module& module, OpKind kind, const std::function<bool(ir::Function&, ir::Inst&)>& change) {
  for (ir::Function& f : module.functions) {
    for (ir::Inst& inst : f.insts) {
      if (inst.op == kind && change(f, inst)) {
        return true;
      }
    }
  }
  return false;
}

template <typename T>
bool ChangeAttrs(ir::Module& module, OpKind kind, const std::function<bool(T&)>& change) {
  return ChangeFirst(module, kind, [&](ir::Function&, ir::Inst& inst) {
    T attrs = module.attrs<T>(inst);
    if (!change(attrs)) {
      return false;
    }
    inst.attrs = module.tables->attrs.Add(std::move(attrs));
    return true;
  });
}

// Everything that used a value uses another one.
void Replace(ir::Function& f, ir::ValueId from, ir::ValueId to) {
  for (ir::ValueId& v : f.operand_pool) {
    v = v == from ? to : v;
  }
  for (ir::ValueId& v : f.results) {
    v = v == from ? to : v;
  }
}

struct Planted {
  const char* name;
  Fault plant;
};

bool IsMask(const ir::Function& f, const ir::Inst& inst) {
  const ir::Value& p = f.values[f.operands(inst)[0]];
  return inst.cause.valid() && p.def.valid() && f.insts[p.def].op == OpKind::Compare;
}

const Planted kFaults[] = {
    {"all-reduce left out",
     [](ir::Module& m) {
       return ChangeFirst(m, OpKind::AllReduce, [](ir::Function& f, ir::Inst& inst) {
         Replace(f, f.result(inst), f.operands(inst)[0]);
         return true;
       });
     }},
    {"all-reduce over another axis",
     [](ir::Module& m) {
       return ChangeAttrs<ops::CollectiveAttrs>(m, OpKind::AllReduce, [&](ops::CollectiveAttrs& attrs) {
         const mesh::Mesh& mesh = m.tables->meshes[attrs.groups.mesh];
         for (int32_t a = 0; a < static_cast<int32_t>(mesh.axes.size()); ++a) {
           mesh::AxisRef axis = mesh::Whole(mesh, a);
           if (axis.size > 1 && !mesh::Overlaps(axis, attrs.groups.axes)) {
             attrs.groups.axes = {axis};
             return true;
           }
         }
         return false;
       });
     }},
    {"all-reduce of part of the group",
     [](ir::Module& m) {
       return ChangeAttrs<ops::CollectiveAttrs>(m, OpKind::AllReduce, [](ops::CollectiveAttrs& attrs) {
         mesh::AxisRef& last = attrs.groups.axes.back();
         if (last.size % 2 != 0 || last.size == 2) {
           return false;
         }
         last.size /= 2;
         return true;
       });
     }},
    {"all-gather in the wrong member order",
     [](ir::Module& m) {
       return ChangeAttrs<ops::CollectiveAttrs>(m, OpKind::AllGather, [](ops::CollectiveAttrs& attrs) {
         if (attrs.groups.axes.size() < 2) {
           return false;
         }
         std::swap(attrs.groups.axes[0], attrs.groups.axes[1]);
         return true;
       });
     }},
    {"mask left out",
     [](ir::Module& m) {
       return ChangeFirst(m, OpKind::Select, [](ir::Function& f, ir::Inst& inst) {
         if (!IsMask(f, inst)) {
           return false;
         }
         Replace(f, f.result(inst), f.operands(inst)[1]);
         return true;
       });
     }},
    {"mask one element too long",
     [](ir::Module& m) {
       return ChangeFirst(m, OpKind::Select, [&](ir::Function& f, ir::Inst& inst) {
         if (!IsMask(f, inst)) {
           return false;
         }
         ir::Inst& compare = f.insts[f.values[f.operands(inst)[0]].def];
         auto attrs = m.attrs<ops::CompareAttrs>(compare);
         if (attrs.direction != ops::Direction::Lt) {
           return false;
         }
         attrs.direction = ops::Direction::Le;
         compare.attrs = m.tables->attrs.Add(attrs);
         return true;
       });
     }},
    {"device number off by one",
     [](ir::Module& m) {
       // The first constant that a remainder by an axis size uses.
       return ChangeFirst(m, OpKind::Remainder, [&](ir::Function& f, ir::Inst& inst) {
         const ir::Value& divisor = f.values[f.operands(inst)[1]];
         ir::Inst& constant = f.insts[divisor.def];
         int64_t n = m.attrs<ops::ConstantAttrs>(constant).value.GetInt(0);
         constant.attrs =
             m.tables->attrs.Add(ops::ConstantAttrs{tensor::Literal::Integer(m.type(divisor).dtype, {}, n + 1)});
         return true;
       });
     }},
    {"slice of the neighbour's block",
     [](ir::Module& m) {
       return ChangeFirst(m, OpKind::DynamicSlice, [&](ir::Function& f, ir::Inst& inst) {
         // Every start becomes the first one's constant zero twin: all devices take the first block.
         for (size_t i = 1; i < inst.num_operands; ++i) {
           ir::ValueId start = f.operands(inst)[i];
           if (!f.values[start].def.valid() || f.insts[f.values[start].def].op == OpKind::Constant) {
             continue;
           }
           for (size_t j = 1; j < inst.num_operands; ++j) {
             ir::ValueId other = f.operands(inst)[j];
             if (f.values[other].def.valid() && f.insts[f.values[other].def].op == OpKind::Constant &&
                 f.values[other].type == f.values[start].type) {
               f.operand_pool[inst.first_operand + i] = other;
               return true;
             }
           }
         }
         return false;
       });
     }},
    {"permute to the wrong devices",
     [](ir::Module& m) {
       return ChangeAttrs<ops::PermuteAttrs>(m, OpKind::CollectivePermute, [](ops::PermuteAttrs& attrs) {
         bool moves = attrs.from != attrs.to;
         attrs.to = attrs.from;
         return moves;
       });
     }},
    {"reduction combined by another monoid",
     [](ir::Module& m) {
       return ChangeFirst(m, OpKind::AllReduce, [&](ir::Function& f, ir::Inst& inst) {
         ir::Function& body = m.functions[f.bodies(inst)[0]];
         ir::Inst& combine = body.insts[body.values[body.results[0]].def];
         combine.op = combine.op == OpKind::Maximum ? OpKind::Add : OpKind::Maximum;
         return true;
       });
     }},
    {"rule: reduced dims of a reduction exchanged",
     [](ir::Module& m) {
       return ChangeFirst(m, OpKind::Reduce, [&](ir::Function& f, ir::Inst& inst) {
         auto attrs = m.attrs<ops::ReduceAttrs>(inst);
         const ir::Type& in = m.type(f, f.operands(inst)[0]);
         if (attrs.dims.size() != 1 || in.rank() != 2 || in.dims[0] != in.dims[1] || in.dims[0] < 2) {
           return false;
         }
         attrs.dims[0] = 1 - attrs.dims[0];
         inst.attrs = m.tables->attrs.Add(std::move(attrs));
         return true;
       });
     }},
    {"all-to-all taken for a local copy",
     [](ir::Module& m) {
       return ChangeFirst(m, OpKind::AllToAll, [](ir::Function& f, ir::Inst& inst) {
         Replace(f, f.result(inst), f.operands(inst)[0]);
         return true;
       });
     }},
    {"rows of another block kept by a gather",
     [](ir::Module& m) {
       return ChangeFirst(m, OpKind::Gather, [&](ir::Function& f, ir::Inst& inst) {
         for (ir::Inst& user : f.insts) {
           if (user.op == OpKind::Select && f.operands(user)[1] == f.result(inst)) {
             Replace(f, f.result(user), f.result(inst));
             return true;
           }
         }
         return false;
       });
     }},
};

class PlantedFault : public ::testing::TestWithParam<size_t> {};

TEST_P(PlantedFault, IsCaught) {
  const Planted& fault = kFaults[GetParam()];
  int planted = 0, caught = 0;
  for (uint64_t seed = 1; seed <= 6000 && planted < 12; ++seed) {
    source::SourceManager sources;
    diag::Engine diags(&sources);
    Generator generator(seed, diags);
    ir::Module program = generator.Make();
    auto programs = Compile(program, diags);
    if (!programs || diags.has_errors() || !fault.plant(programs->per_device)) {
      continue;
    }
    ++planted;
    run::RunOptions options;
    options.threads = 1;
    run::CheckResult result =
        run::CheckPartition(programs->global, programs->per_device, RandomInputs(program, seed), options, diags);
    caught += result.ok ? 0 : 1;
  }
  EXPECT_GT(planted, 0) << "no program has a place for: " << fault.name;
  // Not every place matters: a mask over what is zero anyway, an index that stays in its block.
  EXPECT_GE(caught * 4, planted) << fault.name << ": planted " << planted << ", caught " << caught;
}

INSTANTIATE_TEST_SUITE_P(All, PlantedFault, ::testing::Range<size_t>(0, std::size(kFaults)));

}  // namespace
}  // namespace spmdc::property
