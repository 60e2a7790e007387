// Spellings of convolution: StableHLO's `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`, HLO's `b01f_01io->b01f`, JAX's
// ("N01C", "01IO", "N01C").
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "ops/convolution.h"
#include "ops/dot.h"

namespace spmdc::ops {
namespace {

// One array's dims by their letters.
bool SetDims(llvm::ArrayRef<std::string> labels, llvm::StringRef batch, llvm::StringRef feature, ConvDims& dims) {
  dims.spatial.assign(labels.size() < 2 ? 0 : labels.size() - 2, -1);
  for (size_t d = 0; d < labels.size(); ++d) {
    int64_t number = 0;
    if (labels[d] == batch) {
      dims.batch = static_cast<int64_t>(d);
    } else if (labels[d] == feature) {
      dims.feature = static_cast<int64_t>(d);
    } else if (llvm::StringRef(labels[d]).getAsInteger(10, number) || number < 0 ||
               number >= static_cast<int64_t>(dims.spatial.size())) {
      return false;
    } else {
      dims.spatial[static_cast<size_t>(number)] = static_cast<int64_t>(d);
    }
  }
  return !llvm::is_contained(dims.spatial, -1) && llvm::is_contained(labels, batch) &&
         llvm::is_contained(labels, feature);
}

std::vector<std::string> LabelList(const ConvDims& dims, llvm::StringRef batch, llvm::StringRef feature) {
  std::vector<std::string> labels(dims.spatial.size() + 2);
  labels[static_cast<size_t>(dims.batch)] = batch.str();
  labels[static_cast<size_t>(dims.feature)] = feature.str();
  for (size_t i = 0; i < dims.spatial.size(); ++i) {
    labels[static_cast<size_t>(dims.spatial[i])] = std::to_string(i);
  }
  return labels;
}

std::string Labels(const ConvDims& dims, llvm::StringRef batch, llvm::StringRef feature) {
  return llvm::join(LabelList(dims, batch, feature), "");
}

// --- StableHLO ---

// `[b, 0, 1, f]`.
bool ParseLabels(op::StablehloReader& r, llvm::StringRef batch, llvm::StringRef feature, ConvDims& dims) {
  std::vector<std::string> labels;
  if (!r.Expect("[")) {
    return false;
  }
  do {
    if (r.TryToken(batch)) {
      labels.push_back(batch.str());
    } else if (r.TryToken(feature)) {
      labels.push_back(feature.str());
    } else {
      auto number = r.Int();
      if (!number) {
        return false;
      }
      labels.push_back(std::to_string(*number));
    }
  } while (r.TryToken(","));
  return r.Expect("]") && (SetDims(labels, batch, feature, dims) ||
                           r.Fail(diag::Kind::Attribute, "dim_numbers does not name every dim once"));
}

bool ParseWindowField(op::StablehloReader& r, ConvolutionAttrs& attrs) {
  auto name = r.Word();
  if (!name || !r.Expect("=")) {
    return false;
  }
  auto value = r.Attribute();
  if (!value) {
    return false;
  }
  tensor::Dims* list = *name == "stride"       ? &attrs.strides
                       : *name == "lhs_dilate" ? &attrs.lhs_dilation
                       : *name == "rhs_dilate" ? &attrs.rhs_dilation
                       : *name == "reverse"    ? &attrs.reversed
                                               : nullptr;
  if (list != nullptr) {
    *list = value->ints();
    return true;
  }
  if (*name != "pad") {
    return r.Fail(diag::Kind::Attribute, "a window has no `" + *name + "`");
  }
  for (const op::MlirAttr& pair : value->items) {
    tensor::Dims pads = pair.ints();
    pads.resize(2, 0);
    attrs.low.push_back(pads[0]);
    attrs.high.push_back(pads[1]);
  }
  return true;
}

// What a text leaves out.
void FillDefaults(ConvolutionAttrs& attrs) {
  size_t n = attrs.input.spatial.size();
  for (tensor::Dims* list : {&attrs.strides, &attrs.lhs_dilation, &attrs.rhs_dilation}) {
    list->resize(list->empty() ? n : list->size(), 1);
  }
  for (tensor::Dims* list : {&attrs.low, &attrs.high, &attrs.reversed}) {
    list->resize(list->empty() ? n : list->size(), 0);
  }
}

}  // namespace

bool ParseConvolution(op::StablehloReader& r) {
  ConvolutionAttrs attrs;
  if (!r.Expect("(") || !r.Operand() || !r.Expect(",") || !r.Operand() || !r.Expect(")") || !r.Expect("dim_numbers") ||
      !r.Expect("=") || !ParseLabels(r, "b", "f", attrs.input) || !r.Expect("x") ||
      !ParseLabels(r, "i", "o", attrs.kernel) || !r.Expect("->") || !ParseLabels(r, "b", "f", attrs.output) ||
      !r.Expect(",") || !r.Expect("window") || !r.Expect("=") || !r.Expect("{")) {
    return false;
  }
  while (!r.TryToken("}")) {
    if (!ParseWindowField(r, attrs)) {
      return false;
    }
    r.TryToken(",");
  }
  FillDefaults(attrs);
  if (!r.ColonTypes() || r.result_types().size() != 1) {
    return false;
  }
  attrs.result_dtype = r.result_types()[0].dtype;
  auto count = [&](llvm::StringRef name) { return r.attr(name) ? r.attr(name).integer : 1; };
  attrs.feature_groups = count("feature_group_count");
  attrs.batch_groups = count("batch_group_count");
  attrs.precision = PrecisionOf(r.attr("precision_config"));
  r.SetAttrs(r.module().tables->attrs.Add(std::move(attrs)));
  return true;
}

namespace {

// `[b, 0, 1, f]`.
std::string MlirLabels(const ConvDims& dims, llvm::StringRef batch, llvm::StringRef feature) {
  return "[" + llvm::join(LabelList(dims, batch, feature), ", ") + "]";
}

}  // namespace

void PrintMlirConvolution(op::StablehloPrinter& p) {
  const auto& attrs = p.attrs<ConvolutionAttrs>();
  std::vector<std::string> pads, flips;
  for (size_t d = 0; d < attrs.low.size(); ++d) {
    pads.push_back(op::MlirInts({attrs.low[d], attrs.high[d]}));
    flips.push_back(attrs.reversed[d] != 0 ? "true" : "false");
  }
  std::string text = "(" + p.Operand(0) + ", " + p.Operand(1) + ") dim_numbers = " + MlirLabels(attrs.input, "b", "f") +
                     "x" + MlirLabels(attrs.kernel, "i", "o") + "->" + MlirLabels(attrs.output, "b", "f");
  text += ", window = {stride = " + op::MlirInts(attrs.strides) + ", pad = [" + llvm::join(pads, ", ") +
          "], lhs_dilate = " + op::MlirInts(attrs.lhs_dilation) + ", rhs_dilate = " + op::MlirInts(attrs.rhs_dilation) +
          ", reverse = [" + llvm::join(flips, ", ") + "]}";
  p.Pretty(text);
  p.Property("batch_group_count", std::to_string(attrs.batch_groups) + " : i64");
  p.Property("feature_group_count", std::to_string(attrs.feature_groups) + " : i64");
  if (!attrs.precision.empty()) {
    std::string list;
    for (llvm::StringRef one : llvm::split(attrs.precision, ", ")) {
      list += (list.empty() ? "#stablehlo<precision " : ", #stablehlo<precision ") + one.str() + ">";
    }
    p.Property("precision_config", "[" + list + "]");
  }
}

// --- HLO ---

void PrintHloConvolution(op::HloPrinter& p) {
  const auto& attrs = p.attrs<ConvolutionAttrs>();
  const ir::Type& kernel = p.module().type(p.function(), p.function().operands(p.inst())[1]);
  p.Attr("window", WindowText(attrs.Windows(kernel.dims), attrs.reversed));
  p.Attr("dim_labels",
         Labels(attrs.input, "b", "f") + "_" + Labels(attrs.kernel, "i", "o") + "->" + Labels(attrs.output, "b", "f"));
  if (attrs.feature_groups != 1) {
    p.Attr("feature_group_count", std::to_string(attrs.feature_groups));
  }
  if (attrs.batch_groups != 1) {
    p.Attr("batch_group_count", std::to_string(attrs.batch_groups));
  }
  PrintHloPrecision(p, attrs.precision);
}

bool ReadHloConvolution(op::HloReader& r, ir::AttrsId& id) {
  ConvolutionAttrs attrs;
  auto labels = r.Text("dim_labels");
  llvm::StringRef text = labels ? llvm::StringRef(*labels) : llvm::StringRef();
  auto take = [&](llvm::StringRef end, llvm::StringRef batch, llvm::StringRef feature, ConvDims& dims) {
    auto [part, rest] = text.split(end);
    text = rest;
    std::vector<std::string> letters;
    for (char c : part) {
      letters.emplace_back(1, c);
    }
    return SetDims(letters, batch, feature, dims);
  };
  if (!take("_", "b", "f", attrs.input) || !take("->", "i", "o", attrs.kernel) || !take(" ", "b", "f", attrs.output)) {
    return r.Fail("dim_labels", "expected letters like b01f_01io->b01f");
  }
  auto window = r.Text("window");
  if (auto windows = window ? ParseWindow(*window, &attrs.reversed) : std::nullopt) {
    for (const WindowDim& w : *windows) {
      attrs.strides.push_back(w.stride);
      attrs.low.push_back(w.low);
      attrs.high.push_back(w.high);
      attrs.lhs_dilation.push_back(w.base_dilation);
      attrs.rhs_dilation.push_back(w.dilation);
    }
  }
  FillDefaults(attrs);
  attrs.feature_groups = r.Int("feature_group_count").value_or(1);
  attrs.batch_groups = r.Int("batch_group_count").value_or(1);
  attrs.precision = ReadHloPrecision(r);
  attrs.result_dtype = r.results()[0].dtype;
  id = r.module().tables->attrs.Add(std::move(attrs));
  return true;
}

// --- Native ---

void PrintNativeConvolution(op::NativePrinter& p) {
  const auto& attrs = p.attrs<ConvolutionAttrs>();
  p.Args(p.Operand(0) + ", " + p.Operand(1));
  p.Tuple("window_strides", attrs.strides);
  std::string pads;
  for (size_t i = 0; i < attrs.low.size(); ++i) {
    pads += "(" + std::to_string(attrs.low[i]) + ", " + std::to_string(attrs.high[i]) + "), ";
  }
  p.Keyword("padding", "(" + llvm::StringRef(pads).rtrim().str() + ")");
  p.Tuple("lhs_dilation", attrs.lhs_dilation);
  p.Tuple("rhs_dilation", attrs.rhs_dilation);
  p.Keyword("dimension_numbers", "('" + Labels(attrs.input, "N", "C") + "', '" + Labels(attrs.kernel, "I", "O") +
                                     "', '" + Labels(attrs.output, "N", "C") + "')");
  p.Keyword("feature_group_count", std::to_string(attrs.feature_groups));
  p.Keyword("batch_group_count", std::to_string(attrs.batch_groups));
  if (llvm::is_contained(attrs.reversed, 1)) {
    p.Tuple("window_reversal", attrs.reversed);
  }
}

}  // namespace spmdc::ops
