// gather, scatter and dynamic slices in HLO, StableHLO and the flat native form.
#include "ops/gather_text.h"

#include "op/op_def.h"
#include "ops/gather.h"

namespace spmdc::ops {
namespace {

// What gather and scatter ask of an HLO text, by the names that their attributes have there.
struct HloField {
  llvm::StringRef name;
  tensor::Dims* values;
  bool required;
};

bool ReadLists(op::HloReader& r, llvm::ArrayRef<HloField> fields) {
  for (const HloField& field : fields) {
    auto values = r.Ints(field.name);
    if (!values && (field.required || r.Has(field.name))) {
      return r.Fail(field.name, "expected a list of dims, like {0,1}");
    }
    if (values) {
      *field.values = *values;
    }
  }
  return true;
}

bool ReadFlag(op::HloReader& r, llvm::StringRef name) { return r.Bool(name).value_or(false); }

// `#stablehlo.NAME<offset_dims = [1], ...>` of the lists that have elements and the vector dim.
std::string MlirNumbers(llvm::StringRef name, llvm::ArrayRef<std::pair<llvm::StringRef, const tensor::Dims*>> lists,
                        int64_t vector_dim) {
  std::string text = "#stablehlo." + name.str() + "<";
  for (const auto& [list, values] : lists) {
    text += values->empty() ? "" : list.str() + " = " + op::MlirInts(*values) + ", ";
  }
  return text + "index_vector_dim = " + std::to_string(vector_dim) + ">";
}

// Prints a flag where it is set.
void PrintFlag(op::HloPrinter& p, llvm::StringRef name, bool value) {
  if (value) {
    p.Attr(name, "true");
  }
}

}  // namespace

// --- gather ---

void PrintHloGather(op::HloPrinter& p) {
  const auto& attrs = p.attrs<GatherAttrs>();
  p.Ints("offset_dims", attrs.offset_dims);
  p.Ints("collapsed_slice_dims", attrs.collapsed_slice_dims);
  p.Ints("start_index_map", attrs.start_index_map);
  if (!attrs.operand_batching_dims.empty()) {
    p.Ints("operand_batching_dims", attrs.operand_batching_dims);
    p.Ints("start_indices_batching_dims", attrs.start_indices_batching_dims);
  }
  p.Attr("index_vector_dim", std::to_string(attrs.index_vector_dim));
  p.Ints("slice_sizes", attrs.slice_sizes);
  PrintFlag(p, "indices_are_sorted", attrs.indices_are_sorted);
}

bool ReadHloGather(op::HloReader& r, ir::AttrsId& id) {
  GatherAttrs attrs;
  if (!ReadLists(r, {{"offset_dims", &attrs.offset_dims, true},
                     {"collapsed_slice_dims", &attrs.collapsed_slice_dims, true},
                     {"start_index_map", &attrs.start_index_map, true},
                     {"operand_batching_dims", &attrs.operand_batching_dims, false},
                     {"start_indices_batching_dims", &attrs.start_indices_batching_dims, false},
                     {"slice_sizes", &attrs.slice_sizes, true}})) {
    return false;
  }
  auto vector_dim = r.Int("index_vector_dim");
  if (!vector_dim) {
    return r.Fail("index_vector_dim", "expected a dim of the indices");
  }
  attrs.index_vector_dim = *vector_dim;
  attrs.indices_are_sorted = ReadFlag(r, "indices_are_sorted");
  id = r.module().tables->attrs.Add(std::move(attrs));
  return true;
}

// `dimension_numbers = #stablehlo.gather<...>, slice_sizes = array<i64: 1, 8>`; fields that are empty or 0 are not written.
bool GenericGather(op::StablehloReader& r) {
  const op::MlirAttr& numbers = r.attr("dimension_numbers");
  if (!numbers) {
    return r.Fail(diag::Kind::Attribute, "dimension_numbers are missing");
  }
  GatherAttrs attrs;
  attrs.offset_dims = numbers["offset_dims"].ints();
  attrs.collapsed_slice_dims = numbers["collapsed_slice_dims"].ints();
  attrs.operand_batching_dims = numbers["operand_batching_dims"].ints();
  attrs.start_indices_batching_dims = numbers["start_indices_batching_dims"].ints();
  attrs.start_index_map = numbers["start_index_map"].ints();
  attrs.index_vector_dim = numbers["index_vector_dim"].integer;
  attrs.slice_sizes = r.attr("slice_sizes").ints();
  attrs.indices_are_sorted = r.attr("indices_are_sorted").integer != 0;
  r.SetAttrs(r.module().tables->attrs.Add(std::move(attrs)));
  return true;
}

void PrintMlirGather(op::StablehloPrinter& p) {
  const auto& attrs = p.attrs<GatherAttrs>();
  p.Property("dimension_numbers", MlirNumbers("gather",
                                              {{"offset_dims", &attrs.offset_dims},
                                               {"collapsed_slice_dims", &attrs.collapsed_slice_dims},
                                               {"operand_batching_dims", &attrs.operand_batching_dims},
                                               {"start_indices_batching_dims", &attrs.start_indices_batching_dims},
                                               {"start_index_map", &attrs.start_index_map}},
                                              attrs.index_vector_dim));
  p.Property("indices_are_sorted", attrs.indices_are_sorted ? "true" : "false");
  p.Ints("slice_sizes", attrs.slice_sizes);
}

namespace {

bool VectorDimIsLast(const op::NativePrinter& p, int64_t vector_dim, size_t indices) {
  const ir::Type& type = p.module().type(p.function(), p.function().operands(p.inst())[indices]);
  return vector_dim + 1 == static_cast<int64_t>(type.rank());
}

}  // namespace

// JAX's gather with the last dim of the indices as the vector dim; clamping is what `promise_in_bounds` comes to.
void PrintNativeGather(op::NativePrinter& p) {
  const auto& attrs = p.attrs<GatherAttrs>();
  bool last = VectorDimIsLast(p, attrs.index_vector_dim, 1);
  if (!last) {
    p.Callee("spmdc.gather");
  }
  p.Keyword("dimension_numbers",
            "lax.GatherDimensionNumbers(offset_dims=" + op::PythonTuple(attrs.offset_dims) +
                ", collapsed_slice_dims=" + op::PythonTuple(attrs.collapsed_slice_dims) +
                ", start_index_map=" + op::PythonTuple(attrs.start_index_map) +
                ", operand_batching_dims=" + op::PythonTuple(attrs.operand_batching_dims) +
                ", start_indices_batching_dims=" + op::PythonTuple(attrs.start_indices_batching_dims) + ")");
  p.Tuple("slice_sizes", attrs.slice_sizes);
  if (!last) {
    p.Keyword("index_vector_dim", std::to_string(attrs.index_vector_dim));
  }
  p.Keyword("indices_are_sorted", attrs.indices_are_sorted ? "True" : "False");
  p.Keyword("mode", "'promise_in_bounds'");
}

// --- scatter ---

void PrintHloScatter(op::HloPrinter& p) {
  const auto& attrs = p.attrs<ScatterAttrs>();
  p.Ints("update_window_dims", attrs.update_window_dims);
  p.Ints("inserted_window_dims", attrs.inserted_window_dims);
  p.Ints("scatter_dims_to_operand_dims", attrs.scatter_dims_to_operand_dims);
  if (!attrs.input_batching_dims.empty()) {
    p.Ints("input_batching_dims", attrs.input_batching_dims);
    p.Ints("scatter_indices_batching_dims", attrs.scatter_indices_batching_dims);
  }
  p.Attr("index_vector_dim", std::to_string(attrs.index_vector_dim));
  PrintFlag(p, "indices_are_sorted", attrs.indices_are_sorted);
  PrintFlag(p, "unique_indices", attrs.unique_indices);
  p.Body("to_apply", p.function().bodies(p.inst())[0]);
}

bool ReadHloScatter(op::HloReader& r, ir::AttrsId& id) {
  ScatterAttrs attrs;
  if (!ReadLists(r, {{"update_window_dims", &attrs.update_window_dims, true},
                     {"inserted_window_dims", &attrs.inserted_window_dims, true},
                     {"scatter_dims_to_operand_dims", &attrs.scatter_dims_to_operand_dims, true},
                     {"input_batching_dims", &attrs.input_batching_dims, false},
                     {"scatter_indices_batching_dims", &attrs.scatter_indices_batching_dims, false}})) {
    return false;
  }
  auto vector_dim = r.Int("index_vector_dim");
  auto body = r.Body("to_apply");
  if (!vector_dim || !body) {
    return r.Fail(vector_dim ? "to_apply" : "index_vector_dim", "is missing");
  }
  attrs.index_vector_dim = *vector_dim;
  attrs.indices_are_sorted = ReadFlag(r, "indices_are_sorted");
  attrs.unique_indices = ReadFlag(r, "unique_indices");
  r.UseBodies({*body});
  id = r.module().tables->attrs.Add(std::move(attrs));
  return true;
}

bool GenericScatter(op::StablehloReader& r) {
  const op::MlirAttr& numbers = r.attr("scatter_dimension_numbers");
  if (!numbers) {
    return r.Fail(diag::Kind::Attribute, "scatter_dimension_numbers are missing");
  }
  ScatterAttrs attrs;
  attrs.update_window_dims = numbers["update_window_dims"].ints();
  attrs.inserted_window_dims = numbers["inserted_window_dims"].ints();
  attrs.input_batching_dims = numbers["input_batching_dims"].ints();
  attrs.scatter_indices_batching_dims = numbers["scatter_indices_batching_dims"].ints();
  attrs.scatter_dims_to_operand_dims = numbers["scatter_dims_to_operand_dims"].ints();
  attrs.index_vector_dim = numbers["index_vector_dim"].integer;
  attrs.indices_are_sorted = r.attr("indices_are_sorted").integer != 0;
  attrs.unique_indices = r.attr("unique_indices").integer != 0;
  r.SetAttrs(r.module().tables->attrs.Add(std::move(attrs)));
  return true;
}

void PrintMlirScatter(op::StablehloPrinter& p) {
  const auto& attrs = p.attrs<ScatterAttrs>();
  p.Property("indices_are_sorted", attrs.indices_are_sorted ? "true" : "false");
  p.Property("scatter_dimension_numbers",
             MlirNumbers("scatter",
                         {{"update_window_dims", &attrs.update_window_dims},
                          {"inserted_window_dims", &attrs.inserted_window_dims},
                          {"input_batching_dims", &attrs.input_batching_dims},
                          {"scatter_indices_batching_dims", &attrs.scatter_indices_batching_dims},
                          {"scatter_dims_to_operand_dims", &attrs.scatter_dims_to_operand_dims}},
                         attrs.index_vector_dim));
  p.Property("unique_indices", attrs.unique_indices ? "true" : "false");
}

namespace {

// JAX's function for the body; empty if it has none.
llvm::StringRef JaxScatter(const op::NativePrinter& p) {
  ir::FuncId body = p.function().bodies(p.inst())[0];
  const ir::Function& f = p.module().functions[body];
  if (p.inst().num_results != 1 || !VectorDimIsLast(p, p.attrs<ScatterAttrs>().index_vector_dim, 1)) {
    return "";
  }
  if (f.results[0] == f.args[1]) {
    return "lax.scatter";
  }
  switch (op::RecognizeMonoid(p.module(), body, 0)) {
    case mesh::Monoid::Sum:
      return "lax.scatter_add";
    case mesh::Monoid::Product:
      return "lax.scatter_mul";
    case mesh::Monoid::Min:
      return "lax.scatter_min";
    case mesh::Monoid::Max:
      return "lax.scatter_max";
    default:
      return "";
  }
}

}  // namespace

// Updates outside are dropped: JAX's mode `drop`. What JAX has no function for is `spmdc.scatter(operands, indices,
// updates, body, ...)`.
void PrintNativeScatter(op::NativePrinter& p) {
  const auto& attrs = p.attrs<ScatterAttrs>();
  llvm::StringRef function = JaxScatter(p);
  if (!function.empty()) {
    p.Callee(function.str());
  } else {
    size_t n = p.inst().num_results;
    p.Callee("spmdc.scatter");
    p.Args("[" + p.Operands(0, n) + "], " + p.Operand(n) + ", [" + p.Operands(n + 1, 2 * n + 1) + "], " +
           p.Body(p.function().bodies(p.inst())[0]));
    p.Keyword("index_vector_dim", std::to_string(attrs.index_vector_dim));
  }
  p.Keyword("dimension_numbers",
            "lax.ScatterDimensionNumbers(update_window_dims=" + op::PythonTuple(attrs.update_window_dims) +
                ", inserted_window_dims=" + op::PythonTuple(attrs.inserted_window_dims) +
                ", scatter_dims_to_operand_dims=" + op::PythonTuple(attrs.scatter_dims_to_operand_dims) +
                ", operand_batching_dims=" + op::PythonTuple(attrs.input_batching_dims) +
                ", scatter_indices_batching_dims=" + op::PythonTuple(attrs.scatter_indices_batching_dims) + ")");
  p.Keyword("indices_are_sorted", attrs.indices_are_sorted ? "True" : "False");
  p.Keyword("unique_indices", attrs.unique_indices ? "True" : "False");
  p.Keyword("mode", "'drop'");
}

// --- dynamic slices ---

void PrintHloDynamicSlice(op::HloPrinter& p) { p.Ints("dynamic_slice_sizes", p.attrs<DynamicSliceAttrs>().sizes); }

bool ReadHloDynamicSlice(op::HloReader& r, ir::AttrsId& id) {
  DynamicSliceAttrs attrs;
  if (!ReadLists(r, {{"dynamic_slice_sizes", &attrs.sizes, true}})) {
    return false;
  }
  id = r.module().tables->attrs.Add(std::move(attrs));
  return true;
}

// `%x, %i, %j, sizes = [1, 8] : types`.
bool ParseDynamicSlice(op::StablehloReader& r) {
  while (!r.TryToken("sizes")) {
    if (!r.Operand() || !r.Expect(",")) {
      return false;
    }
  }
  std::optional<tensor::Dims> sizes = r.Expect("=") ? r.IntList() : std::nullopt;
  if (!sizes) {
    return false;
  }
  r.SetAttrs(r.module().tables->attrs.Add(DynamicSliceAttrs{*sizes}));
  return r.ColonTypes();
}

bool GenericDynamicSlice(op::StablehloReader& r) {
  r.SetAttrs(r.module().tables->attrs.Add(DynamicSliceAttrs{r.attr("slice_sizes").ints()}));
  return true;
}

void PrintMlirDynamicSlice(op::StablehloPrinter& p) {
  std::string text;
  for (size_t i = 0; i < p.inst().num_operands; ++i) {
    text += p.Operand(i) + ", ";
  }
  p.Pretty(text + "sizes = " + op::MlirInts(p.attrs<DynamicSliceAttrs>().sizes));
}

namespace {

// The starts as one tuple.
std::string Starts(const op::NativePrinter& p, size_t first) {
  size_t n = p.inst().num_operands;
  return "(" + p.Operands(first, n) + (n == first + 1 ? ",)" : ")");
}

}  // namespace

void PrintNativeDynamicSlice(op::NativePrinter& p) {
  p.Args(p.Operand(0) + ", " + Starts(p, 1));
  p.Tuple("slice_sizes", p.attrs<DynamicSliceAttrs>().sizes);
  p.Keyword("allow_negative_indices", "False");
}

void PrintNativeDynamicUpdateSlice(op::NativePrinter& p) {
  p.Args(p.Operand(0) + ", " + p.Operand(1) + ", " + Starts(p, 2));
  p.Keyword("allow_negative_indices", "False");
}

}  // namespace spmdc::ops
