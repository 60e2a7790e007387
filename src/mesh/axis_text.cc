// Readers of the pieces that sharding texts share: axis uses, axis lists, meshes, iotas.
#include "llvm/ADT/STLExtras.h"
#include "mesh/digits.h"
#include "mesh/text_cursor.h"

namespace spmdc::mesh {

bool ParseAxisRef(TextCursor& in, const Mesh& mesh, AxisRef& ref) {
  size_t start = in.position();
  std::string name;
  if (!in.Name(name, "an axis name")) {
    return false;
  }
  std::optional<int32_t> axis = mesh.FindAxis(name);
  if (!axis) {
    return in.FailAt(start, "axis '" + name + "' is not in the mesh " + Describe(mesh), TextError::What::UnknownAxis);
  }
  ref = Whole(mesh, *axis);
  if (!in.Eat(":")) {
    return true;
  }
  int64_t whole = ref.size;
  if (!in.Expect("(") || !in.Int(ref.pre, 1, "a pre-size") || !in.Expect(")") || !in.Int(ref.size, 1, "a size")) {
    return false;
  }
  if (ref.size < 2 || whole % ref.pre != 0 || whole / ref.pre % ref.size != 0) {
    return in.FailAt(start, "sub-axis '" + name + "':(" + std::to_string(ref.pre) + ")" + std::to_string(ref.size) +
                                " is no digit of an axis of size " + std::to_string(whole));
  }
  return true;
}

bool ParseAxisList(TextCursor& in, const Mesh& mesh, AxisList& list, bool* open, AxisList& used) {
  if (in.Eat("}")) {
    return true;
  }
  do {
    if (open != nullptr && in.Eat("?")) {
      *open = true;
      return in.Expect("}");
    }
    size_t start = in.position();
    AxisRef ref;
    if (!ParseAxisRef(in, mesh, ref)) {
      return false;
    }
    if (Overlaps(ref, used)) {
      return in.FailAt(start, "axis '" + ToString(mesh, ref) + "' is used twice", TextError::What::DuplicateAxis);
    }
    used.push_back(ref);
    Append(list, AxisList{ref});
  } while (in.Eat(","));
  return in.Expect("}");
}

bool ParseAxes(TextCursor& in, Mesh& mesh) {
  if (in.Eat("]")) {
    return true;
  }
  llvm::SmallVector<int64_t, 4> sizes;
  do {
    size_t start = in.position();
    Axis axis;
    if (!in.Name(axis.name, "an axis name") || !in.Expect("=") || !in.Int(axis.size, 1, "an axis size")) {
      return false;
    }
    if (mesh.FindAxis(axis.name)) {
      return in.FailAt(start, "axis '" + axis.name + "' is in the mesh twice", TextError::What::MeshShape);
    }
    sizes.push_back(axis.size);
    if (!CheckedProduct(sizes)) {
      return in.FailAt(start, "the mesh is too large", TextError::What::MeshShape);
    }
    mesh.axes.push_back(std::move(axis));
  } while (in.Eat(","));
  return in.Expect("]");
}

bool ParseMonoid(TextCursor& in, Monoid& monoid) {
  if (in.Peek("{")) {
    return true;
  }
  for (Monoid known : {Monoid::Sum, Monoid::Product, Monoid::Min, Monoid::Max, Monoid::And, Monoid::Or, Monoid::Xor}) {
    if (in.EatWord(Name(known))) {
      monoid = known;
      return true;
    }
  }
  return in.Fail("expected '{' or a reduction kind such as max, found " + in.Found());
}

bool ParseIota(TextCursor& in, llvm::SmallVectorImpl<int64_t>& dims, llvm::SmallVectorImpl<int64_t>& transpose) {
  size_t start = in.position();
  if (!in.IntList(dims, 1, "a dim of the iota", "]")) {
    return false;
  }
  if (dims.empty() || !CheckedProduct(dims)) {
    return in.FailAt(start, dims.empty() ? "the iota has no dims" : "the iota is too large");
  }
  start = in.position();
  if (!in.Eat("T(")) {
    return dims.size() == 1 || in.Fail("an iota of several dims says their order, as [4,2]T(1,0), found " + in.Found());
  }
  if (dims.size() == 1) {
    return in.FailAt(start, "an iota of one dim has no transpose");
  }
  if (!in.IntList(transpose, 0, "a dim number", ")")) {
    return false;
  }
  llvm::SmallVector<int64_t, 4> sorted(transpose.begin(), transpose.end());
  llvm::sort(sorted);
  for (size_t i = 0; i < sorted.size() || i < dims.size(); ++i) {
    if (sorted.size() != dims.size() || sorted[i] != static_cast<int64_t>(i)) {
      return in.FailAt(start, "the transpose is no permutation of the iota's " + std::to_string(dims.size()) + " dims");
    }
  }
  return true;
}

namespace {

// `0,2,1,3)` or `[4,16]T(1,0))`, behind the opening parenthesis.
bool ParseDeviceIds(TextCursor& in, Mesh& mesh) {
  size_t start = in.position();
  int64_t total = mesh.size();
  if (in.Eat("[")) {
    llvm::SmallVector<int64_t, 4> dims;
    llvm::SmallVector<int64_t, 4> transpose;
    if (!ParseIota(in, dims, transpose)) {
      return false;
    }
    if (*CheckedProduct(dims) != total) {
      return in.FailAt(start, "the mesh has " + std::to_string(total) + " devices, the iota has " +
                                  std::to_string(*CheckedProduct(dims)));
    }
    AxisList digits = IotaDigits(dims, transpose);
    if (digits.size() > 1 && total > kMostListedDevices) {
      return in.FailAt(start,
                       "a mesh in another order may have at most " + std::to_string(kMostListedDevices) + " devices");
    }
    for (int64_t i = 0; i < total && digits.size() > 1; ++i) {
      mesh.device_ids.push_back(NumberAt(total, digits, i));
    }
    return in.Expect(")");
  }
  if (!in.IntList(mesh.device_ids, 0, "a device number", ")")) {
    return false;
  }
  return CheckDeviceIds(in, start, mesh);
}

}  // namespace

bool CheckDeviceIds(TextCursor& in, size_t start, Mesh& mesh) {
  if (std::string error = Verify(mesh); !error.empty()) {
    return in.FailAt(start, error, TextError::What::MeshShape);
  }
  NormalizeDeviceIds(mesh);
  return true;
}

bool ParseHloMesh(TextCursor& in, Mesh& mesh) {
  mesh.name = "mesh";
  if (!in.Expect("[") || !ParseAxes(in, mesh)) {
    return false;
  }
  TextCursor ahead = in;
  if (ahead.Eat(",") && ahead.EatWord("device_ids")) {
    in = ahead;
    return in.Expect("=") && in.Expect("(") && ParseDeviceIds(in, mesh);
  }
  return true;
}

}  // namespace spmdc::mesh
