// Attributes of instructions: one plain struct per op family, listed field by field for printers, readers and comparison.
//
//   struct TransposeAttrs {
//     tensor::Dims permutation;
//     void Visit(ir::FieldVisitor& v) { v.Field("permutation", permutation); }
//   };
//
// Instances are immutable once added, live in the compilation's AttrsTable and are addressed by id.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "mesh/sharding.h"
#include "support/check.h"
#include "support/ids.h"
#include "support/store.h"
#include "tensor/literal.h"

namespace spmdc::ir {

using AttrsId = Id<struct AttrsTag>;

// Walks the fields of an attribute struct. A printer reads the values it is given; a reader replaces them.
class FieldVisitor {
 public:
  virtual ~FieldVisitor() = default;
  virtual void Field(llvm::StringRef name, bool& value) = 0;
  virtual void Field(llvm::StringRef name, int64_t& value) = 0;
  virtual void Field(llvm::StringRef name, double& value) = 0;
  virtual void Field(llvm::StringRef name, std::string& value) = 0;
  virtual void Field(llvm::StringRef name, tensor::Dims& value) = 0;
  virtual void Field(llvm::StringRef name, std::vector<tensor::Dims>& value) = 0;
  virtual void Field(llvm::StringRef name, tensor::DType& value) = 0;
  virtual void Field(llvm::StringRef name, tensor::Literal& value) = 0;
  virtual void Field(llvm::StringRef name, mesh::MeshId& value) = 0;
  virtual void Field(llvm::StringRef name, mesh::AxisList& value) = 0;
  virtual void Field(llvm::StringRef name, mesh::ShardingId& value) = 0;
  virtual void Field(llvm::StringRef name, llvm::SmallVector<mesh::ShardingId, 4>& value) = 0;
  // An enumeration: value is an index into names.
  virtual void Enum(llvm::StringRef name, int& value, llvm::ArrayRef<llvm::StringRef> names) = 0;

  // For enum classes whose enumerators count from 0.
  template <typename E>
  void EnumField(llvm::StringRef name, E& value, llvm::ArrayRef<llvm::StringRef> names) {
    int index = static_cast<int>(value);
    Enum(name, index, names);
    value = static_cast<E>(index);
  }
};

class AttrsHolder {
 public:
  virtual ~AttrsHolder() = default;
  virtual void Visit(FieldVisitor& visitor) = 0;
  virtual std::unique_ptr<AttrsHolder> Clone() const = 0;
  // One address per attribute struct: what it is.
  virtual const void* tag() const = 0;
};

template <typename T>
class TypedAttrs final : public AttrsHolder {
 public:
  explicit TypedAttrs(T v) : value(std::move(v)) {}
  void Visit(FieldVisitor& visitor) override { value.Visit(visitor); }
  std::unique_ptr<AttrsHolder> Clone() const override { return std::make_unique<TypedAttrs>(value); }
  const void* tag() const override { return &kTag; }
  static constexpr char kTag = 0;
  T value;
};

// How an op makes an empty attribute struct for a reader to fill; null for ops without attributes.
using MakeAttrs = std::unique_ptr<AttrsHolder> (*)();
template <typename T>
std::unique_ptr<AttrsHolder> NewAttrs() {
  return std::make_unique<TypedAttrs<T>>(T{});
}

class AttrsTable {
 public:
  template <typename T>
  AttrsId Add(T value) {
    return items_.Add(std::make_unique<TypedAttrs<T>>(std::move(value)));
  }
  AttrsId AddHolder(std::unique_ptr<AttrsHolder> holder) { return items_.Add(std::move(holder)); }
  template <typename T>
  const T& Get(AttrsId id) const {
    const AttrsHolder& holder = *items_[id];
    SPMDC_CHECK(holder.tag() == &TypedAttrs<T>::kTag, "attributes of another op");
    return static_cast<const TypedAttrs<T>&>(holder).value;
  }
  // A copy to print, change or compare.
  std::unique_ptr<AttrsHolder> Copy(AttrsId id) const { return items_[id]->Clone(); }

 private:
  Store<AttrsId, std::unique_ptr<AttrsHolder>> items_;
};

// The fields as `name=value` text in order: equal text means equal attributes (of one table).
std::string FieldsText(AttrsHolder& attrs);

}  // namespace spmdc::ir
