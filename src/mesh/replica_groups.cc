// Replica groups: from axes to HLO's three spellings, and back.
#include <algorithm>

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "mesh/digits.h"
#include "mesh/hlo_sharding.h"
#include "mesh/text_cursor.h"

namespace spmdc::mesh {
namespace {

using Group = llvm::SmallVector<int64_t, 8>;
using Groups = llvm::SmallVector<Group, 8>;

constexpr int64_t kMostAutoListedDevices = 32;

// Positions in the order group by group.
AxisList GroupOrder(const Mesh& mesh, llvm::ArrayRef<AxisRef> axes) {
  AxisList members = ToDigits(mesh, axes);
  AxisList order = OtherDigits(mesh.size(), members);
  Append(order, members);
  return order;
}

std::string ListText(const Groups& groups) {
  std::string text;
  for (const Group& group : groups) {
    text += text.empty() ? "{" : ",{";
    for (size_t i = 0; i < group.size(); ++i) {
      text += (i == 0 ? "" : ",") + std::to_string(group[i]);
    }
    text += "}";
  }
  return "{" + text + "}";
}

// `[4,2]<=[8]`; empty if the device order of the mesh allows no iota.
std::string IotaForm(const Mesh& mesh, llvm::ArrayRef<AxisRef> axes) {
  int64_t size = Product(axes);
  std::string shape = "[" + std::to_string(mesh.size() / size) + "," + std::to_string(size) + "]<=";
  if (mesh.device_ids.empty()) {
    return shape + IotaText(mesh.size(), GroupOrder(mesh, axes));
  }
  llvm::SmallVector<int64_t, 0> devices;
  for (const Group& group : ExpandGroups(mesh, axes)) {
    devices.append(group.begin(), group.end());
  }
  std::optional<AxisList> digits = DigitsOf(devices, mesh.size());
  return digits ? shape + IotaText(mesh.size(), *digits) : "";
}

}  // namespace

Groups ExpandGroups(const Mesh& mesh, llvm::ArrayRef<AxisRef> axes) {
  AxisList order = GroupOrder(mesh, axes);
  int64_t total = mesh.size();
  int64_t size = Product(axes);
  Groups groups;
  for (int64_t i = 0; i < total; ++i) {
    if (i % size == 0) {
      groups.emplace_back();
    }
    groups.back().push_back(mesh.DeviceAt(NumberAt(total, order, i)));
  }
  return groups;
}

std::string ReplicaGroups(const Mesh& mesh, llvm::ArrayRef<AxisRef> axes, GroupForm form) {
  if (form == GroupForm::Mesh) {
    return ToHloMesh(mesh) + " {" + ToHloAxes(mesh, axes) + "}";
  }
  if (form == GroupForm::Iota || (form == GroupForm::Auto && mesh.size() > kMostAutoListedDevices)) {
    if (std::string text = IotaForm(mesh, axes); !text.empty()) {
      return text;
    }
  }
  return ListText(ExpandGroups(mesh, axes));
}

std::optional<AxisList> LiftGroups(const Mesh& mesh, llvm::ArrayRef<Group> groups) {
  auto total = static_cast<size_t>(mesh.size());
  llvm::SmallVector<int64_t, 0> position_of(total, -1);
  for (size_t i = 0; i < total; ++i) {
    auto device = static_cast<size_t>(mesh.DeviceAt(static_cast<int64_t>(i)));
    if (device >= total) {
      return std::nullopt;
    }
    position_of[device] = static_cast<int64_t>(i);
  }
  // The group of the device at position 0 shows the digits; the others must then be as they say.
  Groups positions;
  for (const Group& group : groups) {
    Group& members = positions.emplace_back();
    for (int64_t device : group) {
      if (device < 0 || static_cast<size_t>(device) >= total) {
        return std::nullopt;
      }
      members.push_back(position_of[static_cast<size_t>(device)]);
    }
  }
  llvm::sort(positions);
  if (positions.empty() || positions.front().empty()) {
    return std::nullopt;
  }
  std::optional<AxisList> digits = DigitsOf(positions.front(), mesh.size());
  std::optional<AxisList> axes = digits ? FromDigits(mesh, *digits) : std::nullopt;
  if (!axes) {
    return std::nullopt;
  }
  Mesh in_order = mesh;
  in_order.device_ids.clear();
  Groups expected = ExpandGroups(in_order, *axes);
  llvm::sort(expected);
  return expected == positions ? axes : std::nullopt;
}

namespace {

// What the numbers of a text stand for: how many there are (0: not known) of what.
struct Counted {
  int64_t count;
  llvm::StringRef noun;

  std::string Number(int64_t n) const { return noun.str() + " " + std::to_string(n); }
  std::string ThereAre() const {
    return count == 0   ? "and " + std::to_string(kMostListedDevices) + " are the most that can be listed"
           : count == 1 ? "but there is 1 " + noun.str()
                        : "but there are " + std::to_string(count) + " " + noun.str() + "s";
  }
  bool Is(int64_t n) const { return count == 0 || n == count; }
};

bool ParseGroupLists(TextCursor& in, const Counted& counted, llvm::SmallVectorImpl<Group>& groups) {
  if (in.Eat("}")) {
    Group& all = groups.emplace_back();
    for (int64_t i = 0; i < counted.count; ++i) {
      all.push_back(i);
    }
    return true;
  }
  llvm::BitVector seen;
  do {
    size_t start = in.position();
    Group& group = groups.emplace_back();
    if (!in.Expect("{") || !in.IntList(group, 0, "a " + counted.noun.str() + " number", "}")) {
      return false;
    }
    for (int64_t number : group) {
      if (number >= (counted.count == 0 ? kMostListedDevices : counted.count)) {
        return in.FailAt(start, counted.Number(number) + " of a replica group, " + counted.ThereAre());
      }
      seen.resize(std::max(seen.size(), static_cast<unsigned>(number) + 1));
      if (seen.test(static_cast<unsigned>(number))) {
        return in.FailAt(start, counted.Number(number) + " is in the replica groups twice");
      }
      seen.set(static_cast<unsigned>(number));
    }
  } while (in.Eat(","));
  return in.Expect("}");
}

bool ParseGroupIota(TextCursor& in, const Counted& counted, llvm::SmallVectorImpl<Group>& groups) {
  size_t start = in.position();
  llvm::SmallVector<int64_t, 2> shape;
  if (!in.IntList(shape, 1, "a size", "]")) {
    return false;
  }
  if (shape.size() != 2 || !CheckedProduct(shape)) {
    return in.FailAt(start, "expected [number of groups, size of a group]");
  }
  size_t iota = 0;
  llvm::SmallVector<int64_t, 4> dims;
  llvm::SmallVector<int64_t, 4> transpose;
  if (!in.Expect("<=") || (iota = in.position(), !in.Expect("[")) || !ParseIota(in, dims, transpose)) {
    return false;
  }
  int64_t ids = *CheckedProduct(dims);
  if (ids != shape[0] * shape[1]) {
    return in.FailAt(iota,
                     "groups cover " + std::to_string(shape[0] * shape[1]) + " ids, iota has " + std::to_string(ids));
  }
  if (!counted.Is(ids) || ids > kMostListedDevices) {
    return in.FailAt(
        iota, "the replica groups list " + std::to_string(ids) + " " + counted.noun.str() + "s, " + counted.ThereAre());
  }
  AxisList digits = IotaDigits(dims, transpose);
  for (int64_t i = 0; i < ids; ++i) {
    if (i % shape[1] == 0) {
      groups.emplace_back();
    }
    groups.back().push_back(NumberAt(ids, digits, i));
  }
  return true;
}

bool ParseGroupMesh(TextCursor& in, const Counted& counted, llvm::SmallVectorImpl<Group>& groups) {
  size_t start = in.position();
  Mesh mesh;
  AxisList axes, used;
  if (!ParseHloMesh(in, mesh) || (in.Eat(","), !in.Expect("{")) || !ParseAxisList(in, mesh, axes, nullptr, used)) {
    return false;
  }
  if (!counted.Is(mesh.size()) || mesh.size() > kMostListedDevices) {
    return in.FailAt(
        start, "the mesh has " + std::to_string(mesh.size()) + " " + counted.noun.str() + "s, " + counted.ThereAre());
  }
  for (Group& group : ExpandGroups(mesh, axes)) {
    groups.push_back(std::move(group));
  }
  return true;
}

}  // namespace

std::optional<TextError> ParseReplicaGroups(llvm::StringRef text, int64_t count, llvm::SmallVectorImpl<Group>& groups,
                                            size_t& end, llvm::StringRef noun) {
  TextCursor in(text);
  Counted counted{count, noun};
  if (count > kMostListedDevices) {
    in.Fail("replica groups of more than " + std::to_string(kMostListedDevices) + " " + noun.str() + "s");
  } else if (in.Eat("{")) {
    ParseGroupLists(in, counted, groups);
  } else if (in.Eat("[")) {
    ParseGroupIota(in, counted, groups);
  } else if (in.EatWord("mesh")) {
    ParseGroupMesh(in, counted, groups);
  } else {
    in.Fail("expected replica groups, found " + in.Found());
  }
  end = in.end();
  return in.error();
}

}  // namespace spmdc::mesh
