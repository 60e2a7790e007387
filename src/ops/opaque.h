// Attributes of ops this tool does not know: what the text said.
#pragma once

#include <memory>

#include "ir/attrs.h"
#include "ir/type.h"

namespace spmdc::ops {

struct OpaqueAttrs {
  std::string name;  // "stablehlo.custom_call", "cosine-v2", ...
  std::string text;  // everything behind the operands, as it stands
  std::vector<ir::Type> result_types;
  void Visit(ir::FieldVisitor& v) {
    v.Field("name", name);
    v.Field("text", text);
    for (ir::Type& type : result_types) {
      v.Field("dtype", type.dtype);
      v.Field("dims", type.dims);
    }
  }
};

}  // namespace spmdc::ops
