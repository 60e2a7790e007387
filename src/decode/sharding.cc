// Shardings as HLO, Shardy and JAX write them, and the types that stand beside them.
#include "decode/reading.h"
#include "llvm/ADT/STLExtras.h"
#include "mesh/sdy_sharding.h"
#include "specs/placement.h"
#include "specs/spec_text.h"
#include "support/plural.h"

namespace spmdc::decode {
namespace {

// What follows up to the parenthesis or bracket that closes the one at its begin; all of it where none does.
llvm::StringRef Balanced(llvm::StringRef text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' || text[i] == '[' ? 1 : text[i] == ')' || text[i] == ']' ? -1 : 0;
    if (depth == 0) {
      return text.take_front(i + 1);
    }
  }
  return text;
}

bool NeedsMesh(Reading& r) {
  return r.beside.mesh.has_value() || r.in.Fail("the axes' mesh is not in the text: --mesh says it, as x=4,y=2");
}

void Place(Reading& r, mesh::Mesh mesh, mesh::Sharding sharding) {
  r.out.placed.push_back({"", std::move(mesh), std::move(sharding), std::nullopt});
}

size_t RankOf(const Reading& r, const mesh::TileSharding& leaf) {
  return leaf.kind == mesh::TileSharding::Kind::Tiled ? leaf.tiles.size() - leaf.subgroups.size()
         : leaf.named                                 ? leaf.named->second.dims.size()
         : r.beside.shape                             ? r.beside.shape->dims.size()
                                                      : 0;
}

// How many devices a leaf is over; nothing where it leaves that open.
std::optional<int64_t> DevicesOf(const mesh::TileSharding& leaf) {
  return leaf.named                                     ? std::optional(leaf.named->first.size())
         : leaf.kind == mesh::TileSharding::Kind::Tiled ? mesh::CheckedProduct(leaf.tiles)
                                                        : std::nullopt;
}

// Whether the leaf is over as many devices as the options say, if they do. What is over all of them needs to know how many.
bool CheckDevices(Reading& r, const mesh::TileSharding& leaf, bool known, size_t begin) {
  using Kind = mesh::TileSharding::Kind;
  int64_t asked = r.beside.DeviceCount();
  auto there_are = [&] { return Counted(asked, "device") + (r.beside.mesh ? " in --mesh" : ""); };
  int64_t own = DevicesOf(leaf).value_or(asked);
  if (asked > 0 && own != asked) {
    return r.in.FailAt(begin, "the sharding is over " + Counted(own, "device") + ", and there are " + there_are());
  }
  if (asked > 0 && leaf.kind == Kind::Maximal && leaf.device >= asked) {
    return r.in.FailAt(begin, "device " + std::to_string(leaf.device) + " holds it, and there are " + there_are());
  }
  bool over_all = leaf.kind == Kind::Manual || leaf.kind == Kind::Unreduced;
  return known || asked > 0 || !over_all ||
         r.in.FailAt(begin, "it is over all devices, and the text does not say how many there are: --devices does");
}

// The mesh that shows leaves as axes: the one that was said, one that serves all of them, or each its own.
std::vector<mesh::Mesh> MeshesFor(const Reading& r, llvm::ArrayRef<mesh::TileSharding> leaves) {
  std::vector<mesh::Mesh> meshes;
  if (r.beside.mesh) {
    meshes.push_back(*r.beside.mesh);
  }
  int64_t devices = std::max<int64_t>(r.beside.devices, 1);
  llvm::SmallVector<const mesh::TileSharding*, 4> all;
  for (const mesh::TileSharding& leaf : leaves) {
    all.push_back(&leaf);
    devices = std::max(devices, leaf.named ? leaf.named->first.size() : mesh::CheckedProduct(leaf.tiles).value_or(1));
  }
  if (auto common = leaves.size() > 1 ? mesh::CommonMesh(all, devices) : std::nullopt) {
    meshes.push_back(std::move(*common));
  }
  return meshes;
}

bool PlaceLeaf(Reading& r, const mesh::TileSharding& leaf, llvm::ArrayRef<mesh::Mesh> meshes, size_t begin) {
  size_t rank = RankOf(r, leaf);
  if (!CheckDevices(r, leaf, !meshes.empty(), begin)) {
    return false;
  }
  for (const mesh::Mesh& mesh : meshes) {
    if (auto sharding = mesh::ToNamed(leaf, mesh, {}, rank)) {
      Place(r, mesh, std::move(*sharding));
      return true;
    }
  }
  if (r.beside.mesh && leaf.kind == mesh::TileSharding::Kind::Tiled) {
    return r.in.FailAt(begin, "no axes of the mesh " + mesh::Describe(*r.beside.mesh) + " make these tiles");
  }
  mesh::Mesh own = mesh::MeshOf(leaf, std::max<int64_t>(r.beside.devices, 1));
  auto sharding = mesh::ToNamed(leaf, own, {}, rank);
  if (!sharding) {
    return r.in.FailAt(begin, "no mesh has axes for these tiles");
  }
  Place(r, std::move(own), std::move(*sharding));
  return true;
}

bool ReadHlo(Reading& r) {
  size_t begin = r.in.position(), end = 0;
  llvm::SmallVector<mesh::TileSharding, 1> leaves;
  bool is_tuple = false;
  std::optional<mesh::TextError> error = mesh::ParseHloSharding(r.Rest(), leaves, is_tuple, end);
  if (!r.Took(error, end)) {
    return false;
  }
  std::vector<mesh::Mesh> meshes = MeshesFor(r, leaves);
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (!PlaceLeaf(r, leaves[i], meshes, begin)) {
      return false;
    }
    r.out.placed.back().what = is_tuple ? "element " + std::to_string(i) : "";
  }
  return true;
}

bool ReadSdy(Reading& r) {
  if (!r.in.Peek("<@") ? false : !NeedsMesh(r)) {
    return false;
  }
  mesh::Mesh mesh = r.beside.mesh.value_or(mesh::Mesh());
  mesh::Sharding sharding;
  size_t end = 0;
  auto lookup = [&](llvm::StringRef) { return std::optional<mesh::MeshId>(mesh::MeshId{0}); };
  auto intern = [&](mesh::Mesh own) {
    mesh = std::move(own);
    mesh::NormalizeDeviceIds(mesh);
    return mesh::MeshId{0};
  };
  auto mesh_of = [&](mesh::MeshId) -> const mesh::Mesh& { return mesh; };
  std::optional<mesh::TextError> error = mesh::ParseSdySharding(r.Rest(), lookup, intern, mesh_of, sharding, end);
  if (!r.Took(error, end)) {
    return false;
  }
  Place(r, std::move(mesh), std::move(sharding));
  return true;
}

// `<[<@mesh, [...]>, <...>]>`
bool ReadSdyList(Reading& r) {
  if (!r.in.Expect("<") || !r.in.Expect("[")) {
    return false;
  }
  for (size_t i = 0; !r.in.Eat("]"); ++i) {
    if (!ReadSdy(r)) {
      return false;
    }
    r.out.placed.back().what = "result " + std::to_string(i);
    if (!r.in.Eat(",") && !r.in.Peek("]")) {
      return r.in.Fail("expected ',' or ']', found " + r.in.Found());
    }
  }
  return r.in.Expect(">");
}

// `SdyArray([{'x'}, {}, {'y', ?}])`
bool ReadSdyArray(Reading& r) {
  mesh::Sharding sharding;
  mesh::AxisList used;
  if (!NeedsMesh(r) || !r.in.Expect("(") || !r.in.Expect("[")) {
    return false;
  }
  while (!r.in.Eat("]")) {
    mesh::DimSharding& dim = sharding.dims.emplace_back();
    if (!r.in.Expect("{") || !mesh::ParseAxisList(r.in, *r.beside.mesh, dim.axes, &dim.open, used)) {
      return false;
    }
    if (!r.in.Eat(",") && !r.in.Peek("]")) {
      return r.in.Fail("expected ',' or ']', found " + r.in.Found());
    }
  }
  Place(r, *r.beside.mesh, std::move(sharding));
  return r.in.Expect(")");
}

// `P('x', None)` on a mesh.
bool ReadSpec(Reading& r, const mesh::Mesh& mesh) {
  size_t begin = r.in.position();
  size_t word = r.Rest().find('(');
  llvm::StringRef text =
      r.Rest().take_front(word == llvm::StringRef::npos ? word : word + Balanced(r.Rest().drop_front(word)).size());
  auto placement = specs::ParsePlacement({text, r.At(begin, begin + text.size())}, diag::Kind::ShardingText, r.diags);
  if (!placement) {
    return false;
  }
  tensor::Dims dims(placement->dims.size(), 1);
  if (r.beside.shape && r.beside.shape->dims.size() > dims.size()) {
    dims.resize(r.beside.shape->dims.size(), 1);
  }
  auto sharding = specs::MakeSharding(*placement, mesh, {}, {"the array", dims}, r.diags);
  if (!sharding) {
    return false;
  }
  r.in.Advance(text.size());
  Place(r, mesh, std::move(*sharding));
  return true;
}

// `(4, 2)` or `('x', 'y')`: the values of a tuple of Python, behind its parenthesis.
template <typename Read>
bool ReadTuple(mesh::TextCursor& in, Read read) {
  if (!in.Expect("(")) {
    return false;
  }
  while (!in.Eat(")")) {
    if (!read() || (!in.Eat(",") && !in.Peek(")"))) {
      return in.Fail("expected ',' or ')', found " + in.Found());
    }
  }
  return true;
}

// `('x': 4, 'y': 2, axis_types=(Auto, Auto))` or `(axis_sizes=(4, 2), axis_names=('x', 'y'), ...)`, behind `Mesh`.
bool ReadMesh(Reading& r, mesh::Mesh& mesh) {
  mesh.name = "mesh";
  size_t begin = r.in.position();
  llvm::SmallVector<int64_t, 4> sizes;
  std::vector<std::string> names;
  if (!r.in.Expect("(")) {
    return false;
  }
  while (!r.in.Eat(")")) {
    bool read = true;
    if (r.in.EatWord("axis_sizes")) {
      read = r.in.Expect("=") && ReadTuple(r.in, [&] { return r.in.Int(sizes.emplace_back(), 1, "an axis size"); });
    } else if (r.in.EatWord("axis_names")) {
      read = r.in.Expect("=") && ReadTuple(r.in, [&] { return r.in.Name(names.emplace_back(), "an axis name"); });
    } else if (r.in.Peek("'")) {
      read = r.in.Name(names.emplace_back(), "an axis name") && r.in.Expect(":") &&
             r.in.Int(sizes.emplace_back(), 1, "an axis size");
    } else {
      std::string name;
      read = r.in.Name(name, "an axis such as 'x': 4") && r.in.Expect("=");
      read = read && (r.in.Peek("(") ? (r.in.Advance(Balanced(r.Rest()).size()), true) : r.in.Name(name, "a value"));
    }
    if (!read || (!r.in.Eat(",") && !r.in.Peek(")"))) {
      return r.in.Fail("expected ',' or ')', found " + r.in.Found());
    }
  }
  if (names.size() != sizes.size()) {
    return r.in.FailAt(begin, "the mesh has " + std::to_string(names.size()) + " names of axes and " +
                                  std::to_string(sizes.size()) + " sizes");
  }
  for (size_t i = 0; i < names.size(); ++i) {
    mesh.axes.push_back({names[i], sizes[i]});
  }
  std::string wrong = mesh::Verify(mesh);
  return wrong.empty() || r.in.FailAt(begin, wrong, mesh::TextError::What::MeshShape);
}

// `, memory_kind=device)`: what a sharding says besides, up to its end.
bool PassOverFields(Reading& r) {
  std::string word;
  while (r.in.Eat(",")) {
    r.in.Name(word, "a name");
    r.in.Expect("=");
    r.in.Name(word, "a value");
  }
  return r.in.Expect(")");
}

// `(mesh=Mesh(...), spec=P(...), memory_kind=device)`
bool ReadNamedSharding(Reading& r) {
  mesh::Mesh mesh;
  if (!r.in.Expect("(")) {
    return false;
  }
  if (r.in.EatWord("mesh")) {
    r.in.Expect("=");
  }
  if ((!r.in.EatWord("Mesh") && !r.in.EatWord("AbstractMesh")) || !ReadMesh(r, mesh)) {
    return r.in.Fail("expected Mesh('x': 4, ...), found " + r.in.Found());
  }
  if (r.beside.mesh && !mesh::SameDevices(*r.beside.mesh, mesh)) {
    return r.in.Fail("the sharding is on the mesh " + mesh::Describe(mesh) + ", and --mesh says " +
                     mesh::Describe(*r.beside.mesh));
  }
  if (r.beside.devices > 0 && r.beside.devices != mesh.size()) {
    return r.in.Fail("the mesh " + mesh::Describe(mesh) + " has " + Counted(mesh.size(), "device") +
                     ", and there are " + std::to_string(r.beside.devices));
  }
  r.in.Expect(",");
  if (r.in.EatWord("spec")) {
    r.in.Expect("=");
  }
  if (r.in.failed() || !ReadSpec(r, mesh)) {
    return false;
  }
  return PassOverFields(r);
}

// `(device=CpuDevice(id=3), memory_kind=device)`
bool ReadSingleDevice(Reading& r) {
  llvm::StringRef all = Balanced(r.Rest());
  size_t at = all.find("id=");
  int64_t device = 0;
  if (at == llvm::StringRef::npos || all.drop_front(at + 3).take_while(llvm::isDigit).getAsInteger(10, device)) {
    return r.in.Fail("expected the id of a device, as in (device=CpuDevice(id=3))");
  }
  r.in.Advance(all.size());
  mesh::TileSharding leaf;
  leaf.kind = mesh::TileSharding::Kind::Maximal;
  leaf.device = device;
  return PlaceLeaf(r, leaf, {}, r.in.position());
}

struct Form {
  llvm::StringLiteral word;
  bool (*read)(Reading& r);
};

bool ReadSpecOnMesh(Reading& r) { return NeedsMesh(r) && ReadSpec(r, *r.beside.mesh); }

bool ReadGspmd(Reading& r) {
  if (!r.in.Expect("(") || !ReadHlo(r)) {
    return false;
  }
  return PassOverFields(r);
}

// Those that a word tells; what is read is what stands behind it, but of specs, which read their own word.
constexpr Form kForms[] = {
    {"#sdy.sharding_per_value", ReadSdyList},   {"#sdy.sharding", ReadSdy},
    {"NamedSharding", ReadNamedSharding},       {"GSPMDSharding", ReadGspmd},
    {"SingleDeviceSharding", ReadSingleDevice}, {"SdyArray", ReadSdyArray},
};

}  // namespace

// `from sharding {...} to {...} efficiently for HLO operation %x = f32[8,4]{1,0} copy(...)`: XLA's word for a move that it
// makes by way of whole arrays.
bool ReadMove(Reading& r) {
  r.in.Advance(r.Rest().find(kMove));
  if (!r.in.Expect(kMove) || !ReadHlo(r)) {
    return false;
  }
  r.out.placed.back().what = "from";
  if (!r.in.EatWord("to") || !ReadHlo(r)) {
    return r.in.Fail("expected to and a sharding, found " + r.in.Found());
  }
  r.out.placed.back().what = "to";
  std::optional<Shape> shape;
  size_t type = r.Rest().find(" = ");
  if (type != llvm::StringRef::npos) {
    r.in.Advance(type + 3);
    if (AtType(r) && !ReadType(r, shape)) {
      return false;
    }
  }
  for (Placed& placed : r.out.placed) {
    bool fits = shape && (placed.mesh.maximal || placed.sharding.dims.size() == shape->dims.size());
    placed.shape = fits ? shape : std::nullopt;
  }
  r.in.Advance(r.Rest().size());
  return true;
}

bool AtSharding(Reading& r) {
  auto begins = [&](llvm::StringRef word) { return r.in.Peek(word); };
  return (begins("{") && !AtGroups(r)) || begins("<") || begins("P(") || begins("PartitionSpec(") ||
         llvm::any_of(kForms, [&](const Form& form) { return begins(form.word); });
}

bool ReadSharding(Reading& r) {
  for (const Form& form : kForms) {
    if (r.in.EatWord(form.word)) {
      return form.read(r);
    }
  }
  return r.in.Peek("{")    ? ReadHlo(r)
         : r.in.Peek("<[") ? ReadSdyList(r)
         : r.in.Peek("<")  ? ReadSdy(r)
                           : ReadSpecOnMesh(r);
}

namespace {

std::optional<tensor::DType> ElementType(llvm::StringRef word) {
  if (std::optional<tensor::DType> type = tensor::FromHloName(word)) {
    return type;
  }
  for (tensor::DType type : tensor::AllDTypes()) {
    if (tensor::NumpyName(type) == word) {
      return type;
    }
  }
  return std::nullopt;
}

// `@x`, `@(x,y)` behind the size of a dim, in JAX's types.
bool ReadAxesOfDim(Reading& r, mesh::DimSharding& dim, mesh::AxisList& used) {
  const mesh::Mesh& mesh = *r.beside.mesh;
  bool several = r.in.Eat("(");
  do {
    size_t begin = r.in.position();
    mesh::AxisRef ref;
    if (!mesh::ParseAxisRef(r.in, mesh, ref)) {
      return false;
    }
    if (mesh::Overlaps(ref, used)) {
      return r.in.FailAt(begin, "axis '" + mesh::ToString(mesh, ref) + "' is used twice",
                         mesh::TextError::What::DuplicateAxis);
    }
    used.push_back(ref);
    mesh::Append(dim.axes, mesh::AxisList{ref});
  } while (several && r.in.Eat(","));
  return !several || r.in.Expect(")");
}

// `{V:x, U:(y,z)}` behind the brace.
bool ReadSetsOfType(Reading& r, mesh::Sharding& sharding, mesh::AxisList& used) {
  while (!r.in.Eat("}")) {
    mesh::AxisList* set = r.in.Eat("V:")   ? &sharding.varying
                          : r.in.Eat("U:") ? &sharding.unreduced
                          : r.in.Eat("R:") ? &sharding.reduced
                                           : nullptr;
    mesh::DimSharding dim;
    if (set == nullptr) {
      return r.in.Fail("expected V:, U: or R: and axes, found " + r.in.Found());
    }
    if (!ReadAxesOfDim(r, dim, used)) {
      return false;
    }
    *set = mesh::AsSet(dim.axes);
    r.in.Eat(",");
  }
  return true;
}

// `[8@x,4]{U:y}` or `[8,4]{1,0}` behind the element type.
bool ReadBracketed(Reading& r, Shape& shape) {
  mesh::Sharding sharding;
  mesh::AxisList used;
  bool named = false;
  if (!r.in.Expect("[")) {
    return false;
  }
  while (!r.in.Eat("]")) {
    r.in.Eat("<=");  // a bounded dim
    if (!r.in.Int(shape.dims.emplace_back(), 0, "the size of a dim")) {
      return false;
    }
    mesh::DimSharding& dim = sharding.dims.emplace_back();
    if (r.in.Eat("@")) {
      named = true;
      if (!NeedsMesh(r) || !ReadAxesOfDim(r, dim, used)) {
        return false;
      }
    }
    if (!r.in.Eat(",") && !r.in.Peek("]")) {
      return r.in.Fail("expected ',' or ']', found " + r.in.Found());
    }
  }
  llvm::StringRef behind = r.Rest();
  if (StartsWith(behind, "{V:") || StartsWith(behind, "{U:") || StartsWith(behind, "{R:")) {
    named = true;
    r.in.Eat("{");
    if (!NeedsMesh(r) || !ReadSetsOfType(r, sharding, used)) {
      return false;
    }
  } else if (behind.size() > 1 && behind[0] == '{' &&
             (llvm::isDigit(behind[1]) || behind[1] == '}' || behind[1] == ':')) {
    r.in.Advance(std::min(behind.find('}'), behind.size() - 1) + 1);  // a layout
  }
  if (named) {
    Place(r, *r.beside.mesh, std::move(sharding));
    r.out.placed.back().shape = shape;
  }
  return true;
}

// `<8x4xf32>` behind `tensor`.
bool ReadTensor(Reading& r, Shape& shape) {
  if (!r.in.Expect("<")) {
    return false;
  }
  while (!r.Rest().empty() && llvm::isDigit(r.Rest()[0])) {
    if (!r.in.Int(shape.dims.emplace_back(), 0, "the size of a dim") || !r.in.Expect("x")) {
      return false;
    }
  }
  llvm::StringRef word = r.Rest().take_while([](char c) { return c != '>'; });
  std::optional<tensor::DType> type = tensor::FromStablehloName(word);
  if (!type) {
    return r.in.Fail("'" + word.str() + "' is no element type");
  }
  shape.dtype = tensor::HloName(*type).str();
  r.in.Advance(word.size());
  return r.in.Expect(">");
}

}  // namespace

bool AtType(Reading& r) {
  llvm::StringRef rest = r.Rest();
  llvm::StringRef word = rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  return (StartsWith(rest.drop_front(word.size()), "[") && ElementType(word)) || StartsWith(rest, "tensor<") ||
         StartsWith(rest, "ShapedArray(");
}

bool ReadType(Reading& r, std::optional<Shape>& shape) {
  shape = Shape();
  if (r.in.EatWord("tensor")) {
    return ReadTensor(r, *shape);
  }
  bool shaped = r.in.Eat("ShapedArray(");
  llvm::StringRef word = r.Rest().take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  std::optional<tensor::DType> type = ElementType(word);
  if (!type) {
    return r.in.Fail("'" + word.str() + "' is no element type");
  }
  shape->dtype = tensor::HloName(*type).str();
  r.in.Advance(word.size());
  return ReadBracketed(r, *shape) && (!shaped || r.in.Expect(")"));
}

}  // namespace spmdc::decode
