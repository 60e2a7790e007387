// Types in annotations: `f32[8@x, 4]`, `"f32[8@(x,y),4]{V:z}"`, and the check of a value against one.
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "specs/spec_text.h"
#include "support/starts_with.h"
#include "text/native/numpy.h"
#include "text/native/sharding_api.h"
#include "text/native/tracer.h"

namespace spmdc::text::native {
namespace {

mesh::SpecEntry EntryOf(llvm::ArrayRef<std::string> axes) {
  mesh::SpecEntry entry;
  entry.axes.assign(axes.begin(), axes.end());
  entry.tuple = axes.size() > 1;
  return entry;
}

}  // namespace

// `f32[...]`: in a dim `n @ axis`, axis names are names, not variables.
Value Evaluator::EvalTypeSubscript(tensor::DType dtype, const Expr& e, Env* env) {
  auto* form = heap_.New<TypeFormObj>();
  form->dtype = dtype;
  std::vector<ExprId> parts;
  const Expr& index = ast_[e.b];
  if (index.kind == ExprKind::Tuple) {
    parts.assign(ast_.Items(index).begin(), ast_.Items(index).end());
  } else {
    parts.push_back(e.b);
  }
  mesh::PartitionSpec spec;
  bool sharded = false;
  for (ExprId id : parts) {
    const Expr* part = &ast_[id];
    mesh::SpecEntry entry;
    if (part->kind == ExprKind::Binary && part->oper() == Operator::MatMul) {
      std::vector<std::string> axes;
      const Expr& names = ast_[part->b];
      std::vector<ExprId> list{part->b};
      if (names.kind == ExprKind::Tuple) {
        list.assign(ast_.Items(names).begin(), ast_.Items(names).end());
      }
      for (ExprId name : list) {
        const Expr& n = ast_[name];
        if (n.kind != ExprKind::Name && n.kind != ExprKind::String) {
          set_span(n.span);
          return TypeError("a mesh axis or a tuple of mesh axes must follow `@` in a dim of a type");
        }
        axes.push_back(n.kind == ExprKind::Name ? ast_.text(n.name()).str() : ast_.text(n.string()));
      }
      entry = EntryOf(axes);
      sharded = true;
      id = part->a;
    }
    Value size = Eval(id, env);
    if (size.failed()) {
      return size;
    }
    set_span(e.span);
    std::vector<Value> sizes{size};
    if (size.is_sequence()) {  // f32[()], f32[shape]
      sizes = Items(size);
    }
    for (const Value& s : sizes) {
      std::optional<int64_t> n = ToInt(s, "a dim of a type");
      if (!n) {
        return Value::Error();
      }
      if (*n < 0) {
        return Fail(diag::Kind::Annotation,
                    "a dim of a type must be an integer of at least 0, got " + std::to_string(*n));
      }
      form->dims.push_back(*n);
      spec.entries.push_back(entry);
    }
  }
  if (sharded) {
    form->spec = heap_.Spec(std::move(spec));
  }
  return Value::Object(VK::TypeForm, form);
}

// dtype[dims]{V:x, U:(y,z), R:w}; every dim n, n@axis or n@(axis,axis).
namespace {

// `P('data', None)` of a type in quotes.
std::optional<mesh::PartitionSpec> SpecFromText(const source::SourceManager& sources, llvm::StringRef text) {
  diag::Engine ignored(&sources);
  std::optional<specs::Placement> placement = specs::ParsePlacement({text, {}, false}, diag::Kind::Python, ignored);
  if (!placement || placement->undecided) {
    return std::nullopt;
  }
  auto names = [](llvm::ArrayRef<specs::AxisUse> uses) {
    llvm::SmallVector<std::string, 1> out;
    for (const specs::AxisUse& use : uses) {
      out.push_back(use.name);
    }
    return out;
  };
  mesh::PartitionSpec spec;
  for (const specs::DimPlacement& dim : placement->dims) {
    if (dim.open || llvm::any_of(dim.axes, [](const specs::AxisUse& use) { return use.size != 0; })) {
      return std::nullopt;
    }
    spec.entries.push_back(EntryOf(names(dim.axes)));
  }
  spec.unreduced = names(placement->unreduced);
  spec.reduced = names(placement->reduced);
  llvm::sort(spec.unreduced);
  llvm::sort(spec.reduced);
  return spec;
}

}  // namespace

Value Evaluator::TypeFromText(llvm::StringRef text) {
  auto fail = [&] {
    return Fail(
        diag::Kind::Python, "'" + text.str() + "' is not a type",
        "in quotes a type stands as JAX prints it, 'f32[8@data,4]', or with a spec, \"f32[8, 4] @ P('data', None)\"");
  };
  auto* form = heap_.New<TypeFormObj>();
  llvm::StringRef rest = text.trim();
  form->weak = rest.consume_front("~");
  size_t open = rest.find('[');
  size_t close = rest.find(']');
  std::optional<tensor::DType> dtype = tensor::FromHloName(rest.substr(0, open));
  for (tensor::DType named : tensor::AllDTypes()) {
    dtype = rest.substr(0, open) == tensor::NumpyName(named) ? named : dtype;
  }
  for (tensor::DType key : tensor::KeyDTypes()) {
    dtype = rest.substr(0, open) == tensor::HloName(key) ? key : dtype;
  }
  if (!dtype || open == llvm::StringRef::npos || close == llvm::StringRef::npos || close < open) {
    return fail();
  }
  form->dtype = *dtype;
  std::string dims;
  for (char c : rest.slice(open + 1, close)) {
    dims += c == ' ' ? "" : std::string(1, c);
  }
  mesh::PartitionSpec spec;
  for (llvm::StringRef left = dims; !left.empty(); left.consume_front(",")) {
    int64_t size = 0;
    if (left.consumeInteger(10, size) || size < 0) {
      return fail();
    }
    form->dims.push_back(size);
    llvm::SmallVector<llvm::StringRef, 2> names;
    if (left.consume_front("@")) {
      llvm::StringRef axes =
          StartsWith(left, "(") ? left.substr(1, left.find(')') - 1) : left.substr(0, left.find(','));
      left = left.drop_front(std::min(left.size(), axes.size() + (StartsWith(left, "(") ? 2 : 0)));
      axes.split(names, ',', -1, false);
    }
    std::vector<std::string> list;
    for (llvm::StringRef n : names) {
      list.push_back(n.str());
    }
    spec.entries.push_back(EntryOf(list));
    if (!left.empty() && !StartsWith(left, ",")) {
      return fail();
    }
  }
  rest = rest.drop_front(close + 1).trim();
  if (rest.consume_front("@")) {
    std::optional<mesh::PartitionSpec> said = SpecFromText(diags_->sources(), rest.trim());
    bool twice = llvm::any_of(spec.entries, [](const mesh::SpecEntry& entry) { return !entry.axes.empty(); });
    if (!said || twice) {
      return fail();
    }
    form->spec = heap_.Spec(std::move(*said));
    form->placed_by_spec = true;
    return Value::Object(VK::TypeForm, form);
  }
  if (rest.consume_front("{") && rest.consume_back("}")) {
    while (!rest.empty()) {
      auto [letter, after] = rest.split(':');
      bool tuple = StartsWith(after, "(");
      llvm::StringRef names = tuple ? after.substr(1, after.find(')') - 1) : after.substr(0, after.find(','));
      rest = after.drop_front(std::min(after.size(), names.size() + (tuple ? 2 : 0)));
      rest.consume_front(",");
      rest = rest.ltrim();
      llvm::SmallVector<llvm::StringRef, 2> list;
      names.split(list, ',', -1, false);
      for (llvm::StringRef n : list) {
        if (letter == "V") {
          form->varying.push_back(n.trim().str());
          form->has_varying = true;
        } else if (letter == "U" || letter == "R") {
          (letter == "U" ? spec.unreduced : spec.reduced).push_back(n.trim().str());
        } else {
          return fail();
        }
      }
    }
    llvm::sort(spec.unreduced);
    llvm::sort(spec.reduced);
  } else if (!rest.empty()) {
    return fail();
  }
  bool says_spec = !spec.unreduced.empty() || !spec.reduced.empty() ||
                   llvm::any_of(spec.entries, [](const mesh::SpecEntry& entry) { return !entry.axes.empty(); });
  if (says_spec) {
    form->spec = heap_.Spec(std::move(spec));
  }
  return Value::Object(VK::TypeForm, form);
}

Value Evaluator::EvalAnnotation(ExprId id, Env* env) {
  Value annotation = Eval(id, env);
  if (annotation.is(VK::Str)) {
    set_span(ast_[id].span);
    return TypeFromText(native::Text(annotation));
  }
  return annotation;
}

namespace {

// The Explicit axes that a spec gives a dim, by name, in order.
std::vector<std::string> Explicit(const mesh::Mesh& mesh, llvm::ArrayRef<std::string> axes) {
  std::vector<std::string> out;
  for (const std::string& axis : axes) {
    std::optional<int32_t> i = mesh.FindAxis(axis);
    if (i && mesh.axes[static_cast<size_t>(*i)].type == mesh::AxisType::Explicit) {
      out.push_back(axis);
    }
  }
  return out;
}

bool SameSharding(Evaluator& ev, const AvalObj& aval, const TypeFormObj& want) {
  if (aval.mesh == nullptr || !aval.mesh->mesh.has_explicit_axes()) {
    return true;
  }
  const mesh::Mesh& mesh = aval.mesh->mesh;
  mesh::PartitionSpec spec;
  if (want.spec.given()) {
    spec = want.spec.is(VK::Spec) ? want.spec.as<SpecObj>().spec : want.spec.as<ShardingObj>().spec;
  }
  mesh::Sharding have = aval.type.sharding.valid() ? ev.tracer().tables().shardings[aval.type.sharding]
                                                   : mesh::Replicated({}, aval.type.rank());
  mesh::PartitionSpec own = SpecOf(mesh, have);
  for (size_t d = 0; d < own.entries.size(); ++d) {
    std::vector<std::string> wanted =
        d < spec.entries.size() ? Explicit(mesh, spec.entries[d].axes) : std::vector<std::string>();
    if (llvm::ArrayRef<std::string>(wanted) != llvm::ArrayRef<std::string>(own.entries[d].axes)) {
      return false;
    }
  }
  return spec.unreduced == own.unreduced && spec.reduced == own.reduced;
}

bool SameVarying(Evaluator& ev, const AvalObj& aval, const TypeFormObj& want) {
  if (!want.has_varying) {
    return true;
  }
  std::vector<std::string> have;
  if (aval.type.sharding.valid()) {
    const mesh::Sharding& s = ev.tracer().tables().shardings[aval.type.sharding];
    for (const mesh::AxisRef& ref : s.varying) {
      have.push_back(mesh::ToString(ev.tracer().tables().meshes[s.mesh], ref));
    }
  }
  std::vector<std::string> wanted = want.varying;
  llvm::sort(have);
  llvm::sort(wanted);
  return have == wanted;
}

}  // namespace

bool Evaluator::CheckAnnotation(const Value& value, const Value& annotation) {
  auto fail = [&](const std::string& message) { return !Fail(diag::Kind::Annotation, message).failed(); };
  if (annotation.is(VK::Str)) {
    Value type = TypeFromText(native::Text(annotation));
    return !type.failed() && CheckAnnotation(value, type);
  }
  if (annotation.is_sequence() && value.is_sequence()) {
    if (Items(annotation).size() != Items(value).size()) {
      return fail("the annotation has " + std::to_string(Items(annotation).size()) + " elements, the value has " +
                  std::to_string(Items(value).size()));
    }
    for (size_t i = 0; i < Items(value).size(); ++i) {
      if (!CheckAnnotation(Items(value)[i], Items(annotation)[i])) {
        return false;
      }
    }
    return true;
  }
  if (annotation.is(VK::Dict) && value.is(VK::Dict)) {
    for (const auto& [key, type] : annotation.as<DictObj>().items) {
      Value found = Compare(Operator::In, key, value);
      if (found.failed() || !found.b || annotation.as<DictObj>().items.size() != value.as<DictObj>().items.size()) {
        return fail("the annotation and the value have different keys");
      }
      if (!CheckAnnotation(GetItem(value, key), type)) {
        return false;
      }
    }
    return true;
  }
  if (!annotation.is(VK::TypeForm) && !annotation.is(VK::DType)) {
    return true;
  }
  TypeFormObj want;
  if (annotation.is(VK::DType)) {
    want.dtype = annotation.dtype();
  } else {
    want = annotation.as<TypeFormObj>();
  }
  Value type = AvalOf(*this, value);
  if (type.failed()) {
    return false;
  }
  const auto& aval = type.as<AvalObj>();
  bool same = aval.type.dtype == Canonical(*this, want.dtype) && aval.type.dims == want.dims &&
              (flat_ && want.placed_by_spec ? true : SameSharding(*this, aval, want)) && SameVarying(*this, aval, want);
  return same || fail("the annotation says " + TypeFormText(want) + ", but the value has type " +
                      ShowType(*this, aval.type, aval.weak));
}

}  // namespace spmdc::text::native
