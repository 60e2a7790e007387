// The halves are ops of no kind: who talks to whom is read from their text.
#include "cost/started.h"

#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/Sequence.h"
#include "mesh/axes.h"
#include "mesh/hlo_sharding.h"
#include "op/eval.h"
#include "op/op_def.h"
#include "ops/opaque.h"

namespace spmdc::cost {
namespace {

const ops::OpaqueAttrs* TextOf(const ir::Module& module, const ir::Inst& inst) {
  bool is_text = op::Def(inst.op).make_attrs == ir::NewAttrs<ops::OpaqueAttrs>;
  return is_text ? &module.attrs<ops::OpaqueAttrs>(inst) : nullptr;
}

// The value of `, name=value`, with what follows.
llvm::StringRef Behind(llvm::StringRef text, llvm::StringRef name) {
  size_t at = text.find(", " + name.str() + "=");
  return at == llvm::StringRef::npos ? llvm::StringRef() : text.substr(at + name.size() + 3);
}

std::optional<op::CollectiveKind> StartedKind(llvm::StringRef opcode) {
  using Kind = op::CollectiveKind;
  for (Kind kind : {Kind::AllReduce, Kind::AllGather, Kind::ReduceScatter, Kind::AllToAll, Kind::Permute}) {
    if (opcode == op::Name(kind).str() + "-start") {
      return kind;
    }
  }
  return std::nullopt;
}

// `{{0,1},{1,0}}`
std::vector<std::pair<int64_t, int64_t>> Pairs(llvm::StringRef text) {
  std::vector<std::pair<int64_t, int64_t>> pairs;
  text.consume_front("{");
  std::pair<int64_t, int64_t> pair;
  while (text.consume_front("{") && !text.consumeInteger(10, pair.first) && text.consume_front(",") &&
         !text.consumeInteger(10, pair.second) && text.consume_front("}")) {
    pairs.push_back(pair);
    text.consume_front(",");
  }
  return pairs;
}

}  // namespace

std::optional<op::Groups> WrittenGroups(const ir::Module& module, const ir::Inst& inst) {
  const ops::OpaqueAttrs* attrs = TextOf(module, inst);
  llvm::StringRef text = attrs == nullptr ? llvm::StringRef() : Behind(attrs->text, "replica_groups");
  llvm::SmallVector<llvm::SmallVector<int64_t, 8>, 8> lists;
  size_t end = 0;
  if (text.empty() || mesh::ParseReplicaGroups(text, module.num_devices, lists, end) || lists.empty()) {
    return std::nullopt;
  }
  op::Groups groups;
  groups.lists.assign(lists.begin(), lists.end());
  return groups;
}

std::optional<op::Collective> StartedCollective(const ir::Module& module, const ir::Function& function,
                                                const ir::Inst& inst) {
  const ops::OpaqueAttrs* attrs = TextOf(module, inst);
  std::optional<op::CollectiveKind> kind = attrs == nullptr ? std::nullopt : StartedKind(attrs->name);
  if (!kind) {
    return std::nullopt;
  }
  op::Collective started;
  started.kind = *kind;
  started.pairs = Pairs(Behind(attrs->text, "source_target_pairs"));
  llvm::StringRef channel = Behind(attrs->text, "channel_id");
  channel.consumeInteger(10, started.channel);
  llvm::StringRef dims = Behind(attrs->text, "dimensions");
  dims.consume_front("{");
  dims.consumeInteger(10, started.dim);
  auto bodies = function.bodies(inst);
  if (!bodies.empty()) {
    started.monoid = op::RecognizeMonoid(module, bodies[0], 0);
  }
  if (std::optional<op::Groups> groups = WrittenGroups(module, inst)) {
    started.groups = std::move(*groups);
  } else if (module.mesh.valid()) {
    started.groups.mesh = module.mesh;  // no groups: one of all devices
    started.groups.axes = mesh::AllAxes(module.tables->meshes[module.mesh]);
  } else {
    auto all = llvm::seq<int64_t>(0, module.num_devices);
    started.groups.lists.emplace_back(all.begin(), all.end());
  }
  return started;
}

bool StartsComputation(const ir::Module& module, const ir::Inst& inst) {
  const ops::OpaqueAttrs* attrs = TextOf(module, inst);
  return attrs != nullptr && attrs->name == "async-start";
}

}  // namespace spmdc::cost
