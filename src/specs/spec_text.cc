// Reading and writing of the short texts: a cursor, and one function a rule of the grammar.
#include "specs/spec_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "support/starts_with.h"

namespace spmdc::specs {
namespace {

class Reader {
 public:
  Reader(Text text, diag::Kind form, diag::Engine& diags) : text_(text), form_(form), diags_(diags) {}

  std::optional<MeshSpec> Mesh() {
    MeshSpec mesh;
    mesh.span = text_.At(0, text_.text.size());
    do {
      MeshAxis axis;
      if (!MeshAxisIn(axis)) {
        return std::nullopt;
      }
      if (mesh.axes.size() == kMostAxes) {
        Fail(axis.span, "a mesh has at most " + std::to_string(kMostAxes) + " axes");
        return std::nullopt;
      }
      mesh.axes.push_back(std::move(axis));
    } while (Take(","));
    return AtEnd("',' and another axis") ? std::optional(mesh) : std::nullopt;
  }

  std::optional<Placement> Spec() {
    Placement placement;
    size_t begin = Skip();
    bool good = true;
    if (TakeWord("null")) {
      placement.undecided = true;
    } else {
      good = SpecBody(placement);
    }
    placement.span = text_.At(begin, at_);
    return good && AtEnd("the end of the spec") ? std::optional(placement) : std::nullopt;
  }

 private:
  static bool IsWordByte(char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.' || c == '-' || (static_cast<unsigned char>(c) & 0x80U) != 0;
  }

  llvm::StringRef rest() const { return text_.text.drop_front(at_); }
  // Behind blanks; where that is.
  size_t Skip() {
    while (at_ < text_.text.size() && llvm::isSpace(text_.text[at_])) {
      ++at_;
    }
    return at_;
  }
  bool Take(llvm::StringRef token) {
    Skip();
    if (!StartsWith(rest(), token)) {
      return false;
    }
    at_ += token.size();
    return true;
  }
  llvm::StringRef Word() {
    Skip();
    return rest().take_while(IsWordByte);
  }
  bool TakeWord(llvm::StringRef word) {
    if (Word() != word) {
      return false;
    }
    at_ += word.size();
    return true;
  }
  bool Fail(source::Span span, std::string message) {
    diags_.Error(form_, span, std::move(message));
    return false;
  }
  bool FailExpected(llvm::StringRef what) {
    Skip();
    llvm::StringRef word = rest().take_while(IsWordByte);
    llvm::StringRef found = word.empty() ? rest().take_front(1) : word;
    return Fail(text_.At(at_, at_ + found.size()),
                "expected " + what.str() + ", found " + (found.empty() ? "the end" : "'" + found.str() + "'"));
  }
  bool AtEnd(llvm::StringRef otherwise) { return Skip() == text_.text.size() || FailExpected(otherwise); }

  // A number of at least 1.
  bool Number(int64_t& value, llvm::StringRef what) {
    Skip();
    llvm::StringRef word = rest().take_while([](char c) { return llvm::isDigit(c) || c == '-'; });
    if (word.empty()) {
      return FailExpected(what);
    }
    source::Span span = text_.At(at_, at_ + word.size());
    at_ += word.size();
    if (word.getAsInteger(10, value)) {
      return Fail(span, what.str() + " is no number that a mesh can have: " + word.str());
    }
    return value >= 1 || Fail(span, what.str() + " must be at least 1, got " + word.str());
  }

  // data=4:explicit
  bool MeshAxisIn(MeshAxis& axis) {
    if (!Name(axis.name, axis.span, "the name of a mesh axis") || (!Take("=") && !FailExpected("'=' and a size")) ||
        !Number(axis.size, "the size of axis '" + axis.name + "'")) {
      return false;
    }
    if (!Take(":")) {
      return true;
    }
    if (TakeWord("auto") || TakeWord("Auto")) {
      axis.type = mesh::AxisType::Auto;
    } else if (TakeWord("explicit") || TakeWord("Explicit")) {
      axis.type = mesh::AxisType::Explicit;
    } else {
      return FailExpected("auto or explicit");
    }
    return true;
  }

  // A word, or quoted text.
  bool Name(std::string& name, source::Span& span, llvm::StringRef what) {
    size_t begin = Skip();
    if (Take("'") || Take("\"")) {
      char quote = text_.text[at_ - 1];
      size_t close = text_.text.find(quote, at_);
      if (close == llvm::StringRef::npos) {
        return Fail(text_.At(begin, begin + 1), "the quote does not end");
      }
      name = text_.text.slice(at_, close).str();
      at_ = close + 1;
    } else {
      name = Word().str();
      at_ += name.size();
    }
    span = text_.At(begin, at_);
    if (name.empty()) {
      return at_ == begin ? FailExpected(what) : Fail(span, "the name of a mesh axis is empty");
    }
    return true;
  }

  // A sub-axis may stand within the quotes or behind them.
  bool Axis(AxisUse& use) {
    if (!Name(use.name, use.span, "a mesh axis")) {
      return false;
    }
    auto [name, part] = llvm::StringRef(use.name).split(":(");
    auto [pre, size] = part.split(')');
    if (!part.empty()) {
      if (pre.getAsInteger(10, use.pre) || size.getAsInteger(10, use.size) || use.pre < 1 || use.size < 1) {
        return Fail(use.span, "a part of an axis is written x:(1)2, got " + use.name);
      }
      use.name = name.str();
      return true;
    }
    if (!Take(":")) {
      return true;
    }
    if (!Take("(")) {
      return FailExpected("a part of the axis, as in x:(1)2");
    }
    if (!Number(use.pre, "the size of what is in front of the part")) {
      return false;
    }
    if (!Take(")")) {
      return FailExpected("')'");
    }
    if (!Number(use.size, "the size of the part")) {
      return false;
    }
    use.span.end = text_.At(0, at_).end;
    return true;
  }

  bool SpecBody(Placement& placement) {
    if (!TakeWord("P") && !TakeWord("PartitionSpec")) {
      return FailExpected("a spec such as P(data, _)");
    }
    if (!Take("(")) {
      return FailExpected("'('");
    }
    while (!Take(")")) {
      bool set = false;
      if (!Sets(placement, set)) {
        return false;
      }
      if (!set) {
        placement.dims.emplace_back();
        if (!Dim(placement.dims.back())) {
          return false;
        }
      }
      if (!Take(",") && (Skip(), !StartsWith(rest(), ")"))) {
        return FailExpected("',' or ')'");
      }
    }
    return true;
  }

  // unreduced={x}, reduced={x}, replicated={x}
  bool Sets(Placement& placement, bool& found) {
    for (auto [word, list] : {std::pair("unreduced", &placement.unreduced), std::pair("reduced", &placement.reduced),
                              std::pair("replicated", &placement.replicated)}) {
      llvm::StringRef ahead = rest().drop_front(Word().size()).ltrim();
      if (Word() != word || !StartsWith(ahead, "=")) {
        continue;
      }
      found = true;
      at_ += Word().size();
      Take("=");
      return (Take("{") || FailExpected("'{' and axes")) && Axes(*list, "}");
    }
    return true;
  }

  bool Axes(std::vector<AxisUse>& axes, llvm::StringRef close) {
    while (!Take(close)) {
      axes.emplace_back();
      if (!Axis(axes.back())) {
        return false;
      }
      if (!Take(",") && (Skip(), !StartsWith(rest(), close))) {
        return FailExpected("',' or '" + close.str() + "'");
      }
    }
    return true;
  }

  bool Dim(DimPlacement& dim) {
    size_t begin = Skip();
    bool good = true;
    if (TakeWord("_") || TakeWord("None")) {
      // whole
    } else if (Take("?") || TakeWord("P.UNCONSTRAINED") || TakeWord("PartitionSpec.UNCONSTRAINED") ||
               TakeWord("UNCONSTRAINED")) {
      dim.open = true;
    } else if (Take("(")) {
      good = Axes(dim.axes, ")");
    } else if (Take("[")) {
      good = Axes(dim.axes, "]");
    } else if (Word().empty() && !StartsWith(rest(), "'") && !StartsWith(rest(), "\"")) {
      good = FailExpected("an axis, a tuple of axes, _ or ?");
    } else {
      dim.axes.emplace_back();
      good = Axis(dim.axes.back());
    }
    dim.span = text_.At(begin, at_);
    return good;
  }

  Text text_;
  diag::Kind form_;
  diag::Engine& diags_;
  size_t at_ = 0;
};

}  // namespace

std::optional<MeshSpec> ParseMesh(Text text, diag::Kind form, diag::Engine& diags) {
  return Reader(text, form, diags).Mesh();
}

std::optional<Placement> ParsePlacement(Text text, diag::Kind form, diag::Engine& diags) {
  return Reader(text, form, diags).Spec();
}

std::optional<Entry> ParseOption(Text text, diag::Engine& diags) {
  // Names may hold `=`, within brackets; specs hold it only within their own.
  size_t spec = text.text.rfind("=P");
  spec = spec == llvm::StringRef::npos ? text.text.rfind("=null") : spec;
  spec = spec == llvm::StringRef::npos ? text.text.find('=') : spec;
  if (spec == llvm::StringRef::npos || text.text.take_front(spec).trim().empty()) {
    diags.Error(diag::Kind::BadOption, text.span, "expected NAME=SPEC, such as x=P(data,_)");
    return std::nullopt;
  }
  Entry entry;
  entry.pattern = text.text.take_front(spec).trim().str();
  size_t begin = text.text.find_first_not_of(" \t");
  entry.span = text.At(begin, begin + entry.pattern.size());
  entry.from_option = true;
  Text rest{text.text.drop_front(spec + 1), text.At(spec + 1, text.text.size()), text.exact};
  std::optional<Placement> placement = ParsePlacement(rest, diag::Kind::BadOption, diags);
  if (!placement) {
    return std::nullopt;
  }
  entry.placement = std::move(*placement);
  return entry;
}

namespace {

// A name that the grammar reads as one word or within quotes.
bool IsPlain(llvm::StringRef name) { return !name.empty() && name.find_first_of("'\"\\\n") == llvm::StringRef::npos; }

std::optional<std::string> AxisText(const mesh::Mesh& mesh, llvm::ArrayRef<mesh::AxisRef> axes) {
  std::string text;
  for (const mesh::AxisRef& ref : axes) {
    if (!IsPlain(mesh.axes[static_cast<size_t>(ref.axis)].name)) {
      return std::nullopt;
    }
    text += (text.empty() ? "'" : ", '") + mesh::ToString(mesh, ref) + "'";
  }
  return text;
}

}  // namespace

std::optional<std::string> SpecText(const mesh::Mesh& mesh, const mesh::Sharding& sharding) {
  std::vector<std::string> parts;
  for (const mesh::DimSharding& dim : sharding.dims) {
    std::optional<std::string> axes = AxisText(mesh, dim.axes);
    if (!axes || dim.priority != mesh::kNoPriority || (dim.open && !dim.axes.empty())) {
      return std::nullopt;
    }
    parts.push_back(dim.open               ? "UNCONSTRAINED"
                    : dim.axes.empty()     ? "None"
                    : dim.axes.size() == 1 ? *axes
                                           : "(" + *axes + ")");
  }
  for (auto [word, set] : {std::pair("unreduced", &sharding.unreduced), std::pair("reduced", &sharding.reduced)}) {
    std::optional<std::string> axes = AxisText(mesh, *set);
    if (!axes) {
      return std::nullopt;
    }
    if (!set->empty()) {
      parts.push_back(std::string(word) + "={" + *axes + "}");
    }
  }
  bool more = !sharding.replicated.empty() || !sharding.varying.empty() ||
              (!sharding.unreduced.empty() && sharding.unreduced_kind != mesh::Monoid::Sum);
  return more ? std::nullopt : std::optional("P(" + llvm::join(parts, ", ") + ")");
}

}  // namespace spmdc::specs
