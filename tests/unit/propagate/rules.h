// Rules and shardings written down briefly for tests.
//
//   MakeRule("ij,k->i,jk", {{'i', 4}, {'j', 2}, {'k', 6}})      operands separated by `;`
//   MakeSharding(mesh, "x y?,{}")                                dims separated by `,`, axes by blanks, `?` for open
#pragma once

#include <map>
#include <string>

#include "llvm/ADT/StringExtras.h"
#include "op/rule.h"
#include "propagate/basic.h"

namespace spmdc::propagate::testing {

inline mesh::Mesh MakeMesh(std::initializer_list<std::pair<const char*, int64_t>> axes) {
  mesh::Mesh mesh;
  mesh.name = "mesh";
  for (const auto& [name, size] : axes) {
    mesh.axes.push_back({name, size, mesh::AxisType::Auto});
  }
  return mesh;
}

inline op::TensorFactors MakeTensor(llvm::StringRef dims, const std::map<char, int32_t>& index) {
  op::TensorFactors tensor;
  llvm::SmallVector<llvm::StringRef, 4> parts;
  if (!dims.empty()) {
    dims.split(parts, ',');
  }
  for (llvm::StringRef part : parts) {
    auto& dim = tensor.dims.emplace_back();
    for (char c : part) {
      dim.push_back(index.at(c));
    }
  }
  return tensor;
}

inline op::Rule MakeRule(llvm::StringRef text, std::initializer_list<std::pair<char, int64_t>> factors) {
  op::Rule rule;
  std::map<char, int32_t> index;
  for (const auto& [name, size] : factors) {
    index[name] = static_cast<int32_t>(rule.factors.size());
    rule.factors.push_back({size, op::FactorKind::Map, false});
  }
  auto [operands, results] = text.split("->");
  llvm::SmallVector<llvm::StringRef, 4> parts;
  operands.split(parts, ';');
  for (llvm::StringRef part : parts) {
    rule.operands.push_back(MakeTensor(part, index));
  }
  parts.clear();
  results.split(parts, ';');
  for (llvm::StringRef part : parts) {
    rule.results.push_back(MakeTensor(part, index));
  }
  return rule;
}

inline mesh::AxisRef MakeAxis(const mesh::Mesh& mesh, llvm::StringRef text) {
  auto [name, part] = text.split(':');
  mesh::AxisRef axis = mesh::Whole(mesh, *mesh.FindAxis(name));
  if (!part.empty()) {
    auto [pre, size] = part.drop_front().split(')');
    pre.getAsInteger(10, axis.pre);
    size.getAsInteger(10, axis.size);
  }
  return axis;
}

inline mesh::Sharding MakeSharding(const mesh::Mesh& mesh, llvm::StringRef text) {
  mesh::Sharding sharding;
  sharding.mesh = mesh::MeshId{0};
  llvm::SmallVector<llvm::StringRef, 4> dims;
  text.split(dims, ',');
  for (llvm::StringRef dim : dims) {
    mesh::DimSharding& to = sharding.dims.emplace_back();
    to.open = dim.consume_back("?");
    dim.consume_front("{}");
    llvm::SmallVector<llvm::StringRef, 4> axes;
    dim.split(axes, ' ', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef axis : axes) {
      to.axes.push_back(MakeAxis(mesh, axis));
    }
  }
  return sharding;
}

// The dims as MakeSharding reads them.
inline std::string Show(const mesh::Mesh& mesh, const mesh::Sharding& sharding) {
  std::string text;
  for (const mesh::DimSharding& dim : sharding.dims) {
    text += (&dim == sharding.dims.begin() ? "" : ",") +
            llvm::join(llvm::map_range(dim.axes, [&](mesh::AxisRef axis) { return mesh::ToString(mesh, axis); }), " ");
    text += dim.open ? "?" : "";
  }
  return text;
}

}  // namespace spmdc::propagate::testing
