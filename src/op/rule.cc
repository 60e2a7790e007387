// Rules as text, and the builder that ops write them with.
#include "op/rule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "op/op_def.h"
#include "op/rule_builder.h"

namespace spmdc::op {

llvm::StringRef Name(FactorKind kind) {
  static constexpr llvm::StringRef kNames[] = {"map", "new", "reduce", "window", "piece", "index", "whole", "scan"};
  return kNames[static_cast<size_t>(kind)];
}

bool TensorFactors::has(int32_t factor) const {
  return llvm::any_of(dims, [&](const auto& dim) { return llvm::is_contained(dim, factor); });
}

namespace {

// i, j, ..., z, then z1, z2, ...: Shardy's spelling of factors.
std::string FactorName(size_t index) {
  constexpr size_t kLetters = 'z' - 'i' + 1;
  return index < kLetters ? std::string(1, static_cast<char>('i' + index)) : "z" + std::to_string(index - kLetters + 1);
}

void PrintTensor(const TensorFactors& tensor, llvm::raw_ostream& os) {
  os << "[";
  for (size_t d = 0; d < tensor.dims.size(); ++d) {
    os << (d != 0 ? ", " : "");
    for (int32_t factor : tensor.dims[d]) {
      os << FactorName(static_cast<size_t>(factor));
    }
  }
  os << "]";
}

}  // namespace

void AppendKey(int64_t number, llvm::SmallVectorImpl<int32_t>& key) {
  key.push_back(static_cast<int32_t>(number));
  key.push_back(static_cast<int32_t>(number >> 32));
}

void AppendKey(const Rule& rule, llvm::SmallVectorImpl<int32_t>& key) {
  // Negative numbers are no factors: they part the lists.
  constexpr int32_t kTensors = -2, kTensor = -3, kDim = -4, kMonoids = -5;
  key.push_back(rule.custom ? 1 : 0);
  for (const Factor& factor : rule.factors) {
    AppendKey(factor.size, key);
    key.push_back(static_cast<int32_t>(factor.kind) * 4 + (factor.blocked ? 2 : 0) + (factor.self_combining ? 1 : 0));
    key.push_back(factor.follows);
  }
  for (llvm::ArrayRef<TensorFactors> tensors :
       {llvm::ArrayRef<TensorFactors>(rule.operands), llvm::ArrayRef<TensorFactors>(rule.results)}) {
    key.push_back(kTensors);
    for (const TensorFactors& tensor : tensors) {
      key.push_back(kTensor);
      for (const auto& dim : tensor.dims) {
        key.push_back(kDim);
        key.append(dim.begin(), dim.end());
      }
    }
  }
  for (const llvm::ArrayRef<mesh::Monoid> monoids :
       {llvm::ArrayRef<mesh::Monoid>(rule.result_monoid), llvm::ArrayRef<mesh::Monoid>(rule.operand_fill)}) {
    key.push_back(kMonoids);
    for (mesh::Monoid monoid : monoids) {
      key.push_back(static_cast<int32_t>(monoid));
    }
  }
}

std::string ToString(const Rule& rule) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "(";
  llvm::interleave(
      rule.operands, os, [&](const TensorFactors& t) { PrintTensor(t, os); }, ", ");
  os << ") -> (";
  llvm::interleave(
      rule.results, os, [&](const TensorFactors& t) { PrintTensor(t, os); }, ", ");
  os << ")";
  for (size_t f = 0; f < rule.factors.size(); ++f) {
    const Factor& factor = rule.factors[f];
    os << (f == 0 ? "  " : ", ") << FactorName(f) << "=" << factor.size << " " << Name(factor.kind)
       << (factor.blocked ? " blocked" : "");
  }
  os.flush();
  return text;
}

RuleBuilder::RuleBuilder(const ir::Module& m, llvm::ArrayRef<ir::Type> operand_types,
                         llvm::ArrayRef<ir::Type> result_types, ir::AttrsId attrs, llvm::ArrayRef<ir::FuncId> body_ids,
                         Rule& rule)
    : operands(operand_types), results(result_types), bodies(body_ids), module(m), attrs_(attrs), rule_(rule) {
  for (const ir::Type& type : operands) {
    rule_.operands.emplace_back().dims.resize(type.rank());
  }
  for (const ir::Type& type : results) {
    rule_.results.emplace_back().dims.resize(type.rank());
  }
  rule_.result_monoid.assign(results.size(), mesh::Monoid::Sum);
  rule_.operand_fill.assign(operands.size(), mesh::Monoid::Sum);
}

int32_t RuleBuilder::Factor(int64_t size, FactorKind kind, bool blocked) {
  rule_.factors.push_back({size, kind, blocked});
  return static_cast<int32_t>(rule_.factors.size()) - 1;
}

void RuleBuilder::Operand(size_t i, int64_t dim, int32_t factor) {
  if (dim != kNoDim) {
    rule_.operands[i].dims[static_cast<size_t>(dim)].push_back(factor);
  }
}

void RuleBuilder::Result(size_t i, int64_t dim, int32_t factor) {
  if (dim != kNoDim) {
    rule_.results[i].dims[static_cast<size_t>(dim)].push_back(factor);
  }
}

int32_t RuleBuilder::Factor(int64_t size, FactorKind kind, llvm::ArrayRef<int64_t> operand_dims,
                            llvm::ArrayRef<int64_t> result_dims, bool blocked) {
  int32_t factor = Factor(size, kind, blocked);
  for (size_t i = 0; i < operand_dims.size(); ++i) {
    Operand(i, operand_dims[i], factor);
  }
  for (size_t i = 0; i < result_dims.size(); ++i) {
    Result(i, result_dims[i], factor);
  }
  return factor;
}

void RuleBuilder::Elementwise() {
  const ir::Type& like = results.empty() ? operands[0] : results[0];
  for (size_t d = 0; d < like.rank(); ++d) {
    int32_t factor = Factor(like.dims[d], FactorKind::Map);
    for (size_t i = 0; i < operands.size(); ++i) {
      if (operands[i].rank() == like.rank()) {
        Operand(i, static_cast<int64_t>(d), factor);
      }
    }
    for (size_t i = 0; i < results.size(); ++i) {
      Result(i, static_cast<int64_t>(d), factor);
    }
  }
}

bool HasRule(ir::OpKind kind) { return Def(kind).rule != nullptr; }

Linear LinearOf(const ir::Module& module, const ir::Function& function, const ir::Inst& inst) {
  const OpDef& def = Def(inst.op);
  return def.linear_of != nullptr ? def.linear_of(module, function, inst) : def.linear;
}

Rule RuleOf(const ir::Module& module, const ir::Function& function, const ir::Inst& inst) {
  llvm::SmallVector<ir::Type, 4> operands, results;
  for (ir::ValueId v : function.operands(inst)) {
    operands.push_back(module.type(function, v));
  }
  for (size_t i = 0; i < inst.num_results; ++i) {
    results.push_back(module.type(function, function.result(inst, i)));
  }
  Rule rule;
  RuleBuilder builder(module, operands, results, inst.attrs, function.bodies(inst), rule);
  if (auto* hook = Def(inst.op).rule) {
    hook(builder);
  }
  return rule;
}

}  // namespace spmdc::op
