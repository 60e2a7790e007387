// Reading attributes of ops from keywords.
#include "text/native/flat_fields.h"

#include <limits>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "mesh/sdy_sharding.h"
#include "text/native/numpy.h"
#include "text/native/sharding_api.h"
#include "text/native/tracer.h"
#include "text/native/tree.h"

namespace spmdc::text::native {

ShardingObj* ParseSharding(Evaluator& ev, const Value& v) {
  std::optional<std::string> text = ev.ToStr(v, "a sharding");
  if (!text) {
    return nullptr;
  }
  std::replace(text->begin(), text->end(), '\'', '"');
  MeshObj* mesh = nullptr;
  auto& meshes = ev.tracer().tables().meshes;
  auto lookup = [&](llvm::StringRef name) -> std::optional<mesh::MeshId> {
    Value found = ev.file_env()->vars.lookup(ev.ast().Intern(name));
    if (!found.is(VK::Mesh)) {
      return std::nullopt;
    }
    mesh = &found.as<MeshObj>();
    return meshes.Intern(mesh->mesh);
  };
  auto intern = [&](mesh::Mesh made) { return meshes.Intern(std::move(made)); };
  auto* out = ev.heap().New<ShardingObj>();
  size_t end = 0;
  auto error = mesh::ParseSdySharding(
      *text, lookup, intern, [&](mesh::MeshId id) -> const mesh::Mesh& { return meshes[id]; }, out->sharding, end);
  if (error || end != text->size()) {
    ev.Fail(diag::Kind::ShardingText,
            "'" + Text(v) + "' is no sharding: " + (error ? error->message : "something stands behind it"));
    return nullptr;
  }
  out->mesh = mesh != nullptr ? mesh : ev.tracer().MeshValue(out->sharding.mesh);
  out->spec = SpecOf(out->mesh->mesh, out->sharding);
  out->exact = true;
  return out;
}

namespace {

// Fills attributes from keywords; fields that are not given keep their defaults.
class KeywordReader final : public ir::FieldVisitor {
 public:
  KeywordReader(Evaluator& ev, llvm::ArrayRef<std::pair<llvm::StringRef, Value>> keywords)
      : ev_(ev), keywords_(keywords), used_(keywords.size()) {}

  // Refuses keywords that are no field. False after a diagnostic.
  bool Finish(llvm::StringRef op) {
    for (size_t i = 0; ok_ && i < keywords_.size(); ++i) {
      if (!used_[i]) {
        ev_.Fail(diag::Kind::Arguments, "'" + op.str() + "' has no attribute '" + keywords_[i].first.str() + "'");
        return false;
      }
    }
    return ok_;
  }

  void Field(llvm::StringRef name, bool& out) override {
    if (const Value* v = Find(name)) {
      ok_ &= ev_.ToBool(*v, "an attribute", false, out);
    }
  }
  void Field(llvm::StringRef name, int64_t& out) override {
    if (const Value* v = Find(name)) {
      std::optional<int64_t> n = ev_.ToInt(*v, "an attribute");
      ok_ &= n.has_value();
      out = n.value_or(0);
    }
  }
  void Field(llvm::StringRef name, double& out) override {
    if (const Value* v = Find(name)) {
      ok_ &= (v->is_number() && !v->is(VK::Complex)) || Refuse(name, "a number");
      out = ok_ ? v->as_float() : 0;
    }
  }
  void Field(llvm::StringRef name, std::string& out) override {
    if (const Value* v = Find(name)) {
      std::optional<std::string> text = ev_.ToStr(*v, "an attribute");
      ok_ &= text.has_value();
      out = text.value_or("");
    }
  }
  void Field(llvm::StringRef name, tensor::Dims& out) override {
    if (const Value* v = Find(name)) {
      out.clear();
      ok_ &= ev_.ToInts(*v, "an attribute", out);
    }
  }
  void Field(llvm::StringRef name, std::vector<tensor::Dims>& out) override {
    out.clear();
    for (const Value& item : List(name)) {
      out.emplace_back();
      ok_ = ok_ && ev_.ToInts(item, "an attribute", out.back());
    }
  }
  void Field(llvm::StringRef name, tensor::DType& out) override {
    if (const Value* v = Find(name)) {
      std::optional<tensor::DType> dtype = ev_.ToDType(*v);
      ok_ &= dtype.has_value();
      out = dtype.value_or(out);
    }
  }
  void Field(llvm::StringRef name, tensor::Literal& out) override {
    if (const Value* v = Find(name)) {
      std::optional<tensor::Literal> literal = ToLiteral(ev_, *v, std::nullopt);
      ok_ &= literal.has_value();
      out = literal.value_or(out);
    }
  }
  void Field(llvm::StringRef name, mesh::MeshId& out) override {
    if (const Value* v = Find(name)) {
      ok_ &= v->is(VK::Mesh) || Refuse(name, "a mesh");
      out = ok_ ? ev_.tracer().tables().meshes.Intern(v->as<MeshObj>().mesh) : out;
    }
  }
  void Field(llvm::StringRef name, mesh::AxisList& out) override {
    out.clear();
    for (const Value& item : List(name)) {
      tensor::Dims parts;
      ok_ = ok_ && ev_.ToInts(item, "an axis", parts) && (parts.size() == 3 || Refuse(name, "axes"));
      if (ok_) {
        out.push_back({static_cast<int32_t>(parts[0]), parts[1], parts[2]});
      }
    }
  }
  void Field(llvm::StringRef name, mesh::ShardingId& out) override {
    if (const Value* v = Find(name)) {
      out = Sharding(*v);
    }
  }
  void Field(llvm::StringRef name, llvm::SmallVector<mesh::ShardingId, 4>& out) override {
    out.clear();
    for (const Value& item : List(name)) {
      out.push_back(Sharding(item));
    }
  }
  void Enum(llvm::StringRef name, int& out, llvm::ArrayRef<llvm::StringRef> names) override {
    if (const Value* v = Find(name)) {
      const auto* found = v->is(VK::Str) ? llvm::find(names, llvm::StringRef(Text(*v))) : names.end();
      ok_ &= found != names.end() || Refuse(name, "one of " + llvm::join(names, ", "));
      out = ok_ ? static_cast<int>(found - names.begin()) : out;
    }
  }

 private:
  const Value* Find(llvm::StringRef name) {
    for (size_t i = 0; ok_ && i < keywords_.size(); ++i) {
      if (keywords_[i].first == name || keywords_[i].first == (name + "_").str()) {
        used_[i] = true;
        return &keywords_[i].second;
      }
    }
    return nullptr;
  }
  std::vector<Value> List(llvm::StringRef name) {
    std::vector<Value> items;
    if (const Value* v = Find(name)) {
      ok_ &= ev_.Iterate(*v, items);
    }
    return items;
  }
  mesh::ShardingId Sharding(const Value& v) {
    if (v.none()) {
      return {};
    }
    ShardingObj* sharding = ok_ ? ParseSharding(ev_, v) : nullptr;
    ok_ &= sharding != nullptr;
    return ok_ ? ev_.tracer().tables().shardings.Intern(sharding->sharding) : mesh::ShardingId();
  }
  bool Refuse(llvm::StringRef name, const std::string& wanted) {
    return !ev_.Fail(diag::Kind::Arguments, "the attribute '" + name.str() + "' must be " + wanted).failed();
  }

  Evaluator& ev_;
  llvm::ArrayRef<std::pair<llvm::StringRef, Value>> keywords_;
  std::vector<bool> used_;
  bool ok_ = true;
};

}  // namespace

bool ReadFields(Evaluator& ev, llvm::StringRef op, llvm::ArrayRef<std::pair<llvm::StringRef, Value>> keywords,
                ir::AttrsHolder* attrs) {
  KeywordReader reader(ev, keywords);
  if (attrs != nullptr) {
    attrs->Visit(reader);
  }
  return reader.Finish(op);
}

}  // namespace spmdc::text::native
