// Replica groups and pairs: HLO's three spellings, MLIR's dense lists, Python's lists.
#include "decode/reading.h"
#include "llvm/ADT/STLExtras.h"
#include "mesh/hlo_sharding.h"

namespace spmdc::decode {
namespace {

// `[0, 1]`, `(0, 1)` or `{0,1}` behind the opening bracket.
bool ReadRow(mesh::TextCursor& in, llvm::StringRef close, Group& row) {
  while (!in.Eat(close)) {
    // MLIR and XLA fill short groups up with -1.
    if (in.Eat("-1")) {
      in.Eat(",");
      continue;
    }
    int64_t number = 0;
    if (!in.Int(number, 0, "a device number")) {
      return false;
    }
    row.push_back(number);
    if (!in.Eat(",") && !in.Peek(close)) {
      return in.Fail("expected ',' or '" + close.str() + "', found " + in.Found());
    }
  }
  return true;
}

llvm::StringRef CloserOf(mesh::TextCursor& in) {
  return in.Eat("[") ? "]" : in.Eat("(") ? ")" : in.Eat("{") ? "}" : "";
}

// `[[0, 1], [2, 3]]`, `((0, 1), (2, 3))`, `{{0,1},{2,3}}`: rows in brackets.
bool ReadRows(mesh::TextCursor& in, std::vector<Group>& rows) {
  llvm::StringRef close = CloserOf(in);
  if (close.empty()) {
    return in.Fail("expected a list of groups, found " + in.Found());
  }
  while (!in.Eat(close)) {
    llvm::StringRef inner = CloserOf(in);
    if (inner.empty()) {
      return in.Fail("expected a group such as [0, 1], found " + in.Found());
    }
    if (!ReadRow(in, inner, rows.emplace_back())) {
      return false;
    }
    if (!in.Eat(",") && !in.Peek(close)) {
      return in.Fail("expected ',' or '" + close.str() + "', found " + in.Found());
    }
  }
  return true;
}

// `: tensor<2x4xi64>` behind a dense list: the rows and columns.
bool ReadDenseType(mesh::TextCursor& in, int64_t& rows, int64_t& columns) {
  return in.Expect(":") && in.Expect("tensor") && in.Expect("<") && in.Int(rows, 0, "a number of groups") &&
         in.Expect("x") && in.Int(columns, 0, "the size of a group") && in.Expect("xi64") && in.Expect(">");
}

// The numbers of `"0x0000000000000000..."`, eight bytes each, the least significant first.
bool ReadHex(mesh::TextCursor& in, Group& numbers) {
  size_t start = in.position();
  std::string text;
  if (!in.Name(text, "numbers")) {
    return false;
  }
  llvm::StringRef digits = text;
  if (!digits.consume_front("0x") || digits.size() % 16 != 0) {
    return in.FailAt(start, "expected 0x and 16 hexadecimal digits for each number");
  }
  for (; !digits.empty(); digits = digits.drop_front(16)) {
    uint64_t number = 0;
    for (size_t i = 8; i-- > 0;) {
      unsigned byte = 0;
      if (digits.substr(2 * i, 2).getAsInteger(16, byte)) {
        return in.FailAt(start, "'" + digits.substr(2 * i, 2).str() + "' is no hexadecimal byte");
      }
      number = number << 8 | byte;
    }
    numbers.push_back(static_cast<int64_t>(number));
  }
  return true;
}

}  // namespace

// `<[[0, 1], [2, 3]]> : tensor<2x2xi64>`, `<0> : tensor<1x1xi64>`, behind `dense`.
bool ReadDense(mesh::TextCursor& in, std::vector<Group>& rows) {
  size_t start = in.position();
  bool lists = in.Expect("<") && in.Peek("[");
  Group flat;
  int64_t number = 0, count = 0, columns = 0;
  bool splat = !lists && !in.Peek("\"");
  bool read = lists ? ReadRows(in, rows) : splat ? in.Int(number, 0, "a device number") : ReadHex(in, flat);
  if (!read || !in.Expect(">") || !ReadDenseType(in, count, columns)) {
    return false;
  }
  if (lists) {
    return true;
  }
  if (splat) {
    flat.assign(count == 1 && columns == 1 ? 1 : 0, number);
  }
  if (count < 1 || columns < 1 || static_cast<int64_t>(flat.size()) / columns != count ||
      static_cast<int64_t>(flat.size()) % columns != 0) {
    return in.FailAt(start, "the type has " + std::to_string(count) + " rows of " + std::to_string(columns) +
                                " numbers, and " + std::to_string(flat.size()) + " are written");
  }
  for (size_t at = 0; at < flat.size(); at += static_cast<size_t>(columns)) {
    Group& row = rows.emplace_back();
    for (size_t i = at; i < at + static_cast<size_t>(columns); ++i) {
      if (flat[i] != -1) {
        row.push_back(flat[i]);
      }
    }
  }
  return true;
}

namespace {

// No device that is not there, if it is known how many are.
bool CheckThere(Reading& r, size_t start, llvm::ArrayRef<Group> rows, llvm::StringRef of) {
  int64_t count = r.beside.DeviceCount();
  for (const Group& row : rows) {
    for (int64_t device : row) {
      if (count > 0 && device >= count) {
        return r.in.FailAt(start, "device " + std::to_string(device) + " of a " + of.str() + ", but there are " +
                                      std::to_string(count) + " devices");
      }
    }
  }
  return true;
}

// No device twice.
bool CheckRows(Reading& r, size_t start, llvm::ArrayRef<Group> rows) {
  std::vector<int64_t> all;
  for (const Group& row : rows) {
    all.insert(all.end(), row.begin(), row.end());
  }
  llvm::sort(all);
  auto twice = std::adjacent_find(all.begin(), all.end());
  if (twice != all.end()) {
    return r.in.FailAt(start, "device " + std::to_string(*twice) + " is in the replica groups twice");
  }
  return CheckThere(r, start, rows, "replica group");
}

// Each device sends once and gets once.
bool CheckPairs(Reading& r, size_t start, llvm::ArrayRef<Group> rows) {
  for (size_t side : {0, 1}) {
    std::vector<int64_t> devices;
    for (const Group& row : rows) {
      if (row.size() != 2) {
        return r.in.FailAt(start, "a pair has a source and a target, got " + std::to_string(row.size()) + " numbers");
      }
      devices.push_back(row[side]);
    }
    llvm::sort(devices);
    auto twice = std::adjacent_find(devices.begin(), devices.end());
    if (twice != devices.end()) {
      return r.in.FailAt(start, "device " + std::to_string(*twice) + (side == 0 ? " sends twice" : " gets twice"));
    }
  }
  return CheckThere(r, start, rows, "pair");
}

bool ReadHloGroups(Reading& r, std::vector<Group>& rows, std::optional<mesh::Mesh>& mesh) {
  size_t begin = r.in.position(), end = 0;
  llvm::SmallVector<Group, 8> groups;
  std::optional<mesh::TextError> error = mesh::ParseReplicaGroups(r.Rest(), r.beside.devices, groups, end);
  if (!r.Took(error, end)) {
    return false;
  }
  mesh::TextCursor again(r.in.text().drop_front(begin));
  mesh::Mesh own;
  if (again.EatWord("mesh") && mesh::ParseHloMesh(again, own)) {
    mesh = std::move(own);
  }
  rows.assign(std::make_move_iterator(groups.begin()), std::make_move_iterator(groups.end()));
  if (rows.size() == 1 && rows[0].empty()) {
    return r.in.FailAt(begin, "one group of all devices: --devices says how many there are");
  }
  return true;
}

}  // namespace

bool AtGroups(Reading& r) {
  auto follows = [&](llvm::ArrayRef<llvm::StringRef> tokens) {
    mesh::TextCursor ahead = r.in;
    return llvm::all_of(tokens, [&](llvm::StringRef token) { return ahead.Eat(token); }) && !ahead.rest().empty() &&
           (llvm::isDigit(ahead.rest()[0]) || ahead.rest()[0] == '}' || ahead.rest()[0] == '-');
  };
  return r.in.Peek("dense") || r.in.Peek("mesh[") || follows({"{", "{"}) || follows({"{"}) || follows({"["}) ||
         follows({"[", "["}) || follows({"(", "("}) || follows({"[", "("}) || follows({"[", "{"});
}

bool ReadGroups(Reading& r, bool pairs) {
  size_t begin = r.in.position();
  std::vector<Group> rows;
  std::optional<mesh::Mesh> mesh = r.beside.mesh;
  // Python writes pairs as tuples in a list.
  pairs = pairs || r.in.Peek("[(");
  bool read = r.in.EatWord("dense")                                            ? ReadDense(r.in, rows)
              : pairs || r.in.Peek("[[") || r.in.Peek("((") || r.in.Peek("[{") ? ReadRows(r.in, rows)
                                                                               : ReadHloGroups(r, rows, mesh);
  if (!read || !(pairs ? CheckPairs(r, begin, rows) : CheckRows(r, begin, rows))) {
    return false;
  }
  Exchange& exchange = r.out.exchanges.emplace_back();
  exchange.is_pairs = pairs;
  if (pairs) {
    for (const Group& row : rows) {
      exchange.pairs.emplace_back(row[0], row[1]);
    }
    return true;
  }
  exchange.axes = AxesOf(rows, mesh ? &*mesh : nullptr);
  exchange.groups = std::move(rows);
  return true;
}

std::optional<std::pair<mesh::Mesh, mesh::AxisList>> AxesOf(llvm::ArrayRef<Group> groups, const mesh::Mesh* mesh) {
  size_t count = 0;
  for (const Group& group : groups) {
    if (group.size() != groups[0].size()) {
      return std::nullopt;
    }
    count += group.size();
  }
  if (count == 0) {
    return std::nullopt;
  }
  if (mesh != nullptr && mesh->size() == static_cast<int64_t>(count)) {
    if (std::optional<mesh::AxisList> axes = mesh::LiftGroups(*mesh, groups)) {
      return std::make_pair(*mesh, *axes);
    }
  }
  // Groups are tiles: of a dim along which they lie, and of one along which their members do.
  mesh::TileSharding tiles;
  tiles.kind = mesh::TileSharding::Kind::Tiled;
  tiles.tiles = {static_cast<int64_t>(groups.size()), static_cast<int64_t>(groups[0].size())};
  for (const Group& group : groups) {
    tiles.devices.append(group.begin(), group.end());
  }
  if (llvm::any_of(tiles.devices, [&](int64_t device) { return device >= static_cast<int64_t>(count); })) {
    return std::nullopt;
  }
  mesh::Mesh own = mesh::MeshOf(tiles, static_cast<int64_t>(count));
  std::optional<mesh::Sharding> sharding = mesh::ToNamed(tiles, own, {}, 2);
  return sharding ? std::optional(std::make_pair(own, sharding->dims[1].axes)) : std::nullopt;
}

}  // namespace spmdc::decode
