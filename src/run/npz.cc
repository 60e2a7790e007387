// Zip archives as NumPy writes them: the central directory at the end tells where members are. Format: PKWARE's APPNOTE.
#include <zlib.h>

#include "llvm/Support/Endian.h"
#include "run/npy.h"

namespace spmdc::run {

namespace {

using llvm::support::endian::read16le;
using llvm::support::endian::read32le;
using llvm::support::endian::read64le;

constexpr uint32_t kDirectoryEnd = 0x06054b50;
constexpr uint32_t kDirectoryEntry = 0x02014b50;
constexpr uint32_t kMember = 0x04034b50;
constexpr size_t kDirectoryEndSize = 22;
constexpr size_t kDirectoryEntrySize = 46;
constexpr size_t kMemberSize = 30;
constexpr uint32_t kInZip64 = 0xFFFFFFFF;

struct Member {
  std::string name;
  uint16_t method = 0;
  uint64_t stored_size = 0, size = 0, offset = 0;
};

// Sizes that do not fit 32 bits stand in an extra field of id 1, those that overflowed in order.
void ReadZip64(llvm::StringRef extra, Member& member) {
  while (extra.size() >= 4) {
    uint16_t id = read16le(extra.data());
    size_t size = read16le(extra.data() + 2);
    llvm::StringRef field = extra.drop_front(4).take_front(size);
    extra = extra.drop_front(4 + field.size());
    if (id != 1) {
      continue;
    }
    for (uint64_t* value : {&member.size, &member.stored_size, &member.offset}) {
      if (*value == kInZip64 && field.size() >= 8) {
        *value = read64le(field.data());
        field = field.drop_front(8);
      }
    }
  }
}

// The entry of the central directory at the front of `rest`; moves behind it.
std::optional<Member> ReadEntry(llvm::StringRef& rest) {
  if (rest.size() < kDirectoryEntrySize || read32le(rest.data()) != kDirectoryEntry) {
    return std::nullopt;
  }
  Member member;
  member.method = read16le(rest.data() + 10);
  member.stored_size = read32le(rest.data() + 20);
  member.size = read32le(rest.data() + 24);
  size_t name = read16le(rest.data() + 28);
  size_t extra = read16le(rest.data() + 30);
  size_t comment = read16le(rest.data() + 32);
  member.offset = read32le(rest.data() + 42);
  rest = rest.drop_front(kDirectoryEntrySize);
  if (rest.size() < name + extra + comment) {
    return std::nullopt;
  }
  member.name = rest.take_front(name).str();
  ReadZip64(rest.drop_front(name).take_front(extra), member);
  rest = rest.drop_front(name + extra + comment);
  return member;
}

// Deflate gives at most 1032 bytes for one.
constexpr uint64_t kMaxDeflateRatio = 1032;

std::optional<std::string> Inflate(llvm::StringRef packed, uint64_t size) {
  if (size > packed.size() * kMaxDeflateRatio + kMaxDeflateRatio || size > UINT32_MAX || packed.size() > UINT32_MAX) {
    return std::nullopt;
  }
  std::string bytes(static_cast<size_t>(size), '\0');
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
    return std::nullopt;
  }
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  int status = inflate(&stream, Z_FINISH);
  bool complete = status == Z_STREAM_END && stream.avail_out == 0;
  inflateEnd(&stream);
  return complete ? std::optional<std::string>(std::move(bytes)) : std::nullopt;
}

std::optional<std::string> ReadMember(llvm::StringRef bytes, const Member& member, std::string& error) {
  if (member.offset > bytes.size() || bytes.size() - member.offset < kMemberSize ||
      read32le(bytes.data() + member.offset) != kMember) {
    return Unreadable(error, "has no '" + member.name + "' where its directory says");
  }
  const char* at = bytes.data() + member.offset;
  uint64_t skip = kMemberSize + read16le(at + 26) + uint64_t{read16le(at + 28)};
  uint64_t left = bytes.size() - member.offset;
  if (skip > left || member.stored_size > left - skip) {
    return Unreadable(error, "ends within '" + member.name + "'");
  }
  llvm::StringRef stored(at + skip, static_cast<size_t>(member.stored_size));
  if (member.method == 0) {
    return stored.str();
  }
  if (member.method != 8) {
    return Unreadable(
        error, "has '" + member.name + "' packed by method " + std::to_string(member.method) + ", which is not read");
  }
  auto inflated = Inflate(stored, member.size);
  if (!inflated) {
    return Unreadable(error, "has '" + member.name + "' damaged");
  }
  return inflated;
}

}  // namespace

std::optional<std::vector<NamedArray>> ReadNpz(llvm::StringRef bytes, std::string& error) {
  // The end record is the last thing but a comment of at most 64 KiB.
  size_t end = llvm::StringRef::npos;
  for (size_t back = kDirectoryEndSize; back <= bytes.size() && back <= kDirectoryEndSize + 0xFFFF; ++back) {
    if (read32le(bytes.data() + bytes.size() - back) == kDirectoryEnd) {
      end = bytes.size() - back;
      break;
    }
  }
  if (end == llvm::StringRef::npos) {
    return Unreadable(error, "is no .npz file");
  }
  uint64_t count = read16le(bytes.data() + end + 10);
  uint64_t start = read32le(bytes.data() + end + 16);
  if (start > end) {
    return Unreadable(error, "has its directory outside of itself");
  }
  llvm::StringRef rest = bytes.slice(static_cast<size_t>(start), end);
  std::vector<NamedArray> arrays;
  for (uint64_t i = 0; i < count; ++i) {
    auto member = ReadEntry(rest);
    if (!member) {
      return Unreadable(error, "has a damaged directory");
    }
    auto content = ReadMember(bytes, *member, error);
    if (!content) {
      return std::nullopt;
    }
    llvm::StringRef name = member->name;
    name.consume_back(".npy");
    arrays.push_back({name.str(), std::move(*content)});
  }
  return arrays;
}

}  // namespace spmdc::run
