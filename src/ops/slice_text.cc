// slice, pad, concatenate, reverse in HLO, StableHLO and the flat native form.
#include "ops/slice_text.h"

#include "ops/dims.h"
#include "ops/slice.h"

namespace spmdc::ops {
namespace {

std::string NumberText(int64_t value) { return std::to_string(value); }

// Takes one integer off the front of a text.
bool TakeInt(llvm::StringRef& text, int64_t& value) { return !text.consumeInteger(10, value); }

}  // namespace

// --- slice ---

// `slice={[0:4], [0:8:2]}`.
void PrintHloSlice(op::HloPrinter& p) {
  const auto& attrs = p.attrs<SliceAttrs>();
  std::string text;
  for (size_t d = 0; d < attrs.starts.size(); ++d) {
    text += (d == 0 ? "[" : ", [") + NumberText(attrs.starts[d]) + ":" + NumberText(attrs.limits[d]);
    text += attrs.strides[d] == 1 ? "]" : ":" + NumberText(attrs.strides[d]) + "]";
  }
  p.Attr("slice", "{" + text + "}");
}

namespace {

bool ParseBounds(llvm::StringRef text, SliceAttrs& attrs) {
  text = text.trim();
  if (!text.consume_front("{") || !text.consume_back("}")) {
    return false;
  }
  text = text.trim();
  while (!text.empty()) {
    int64_t start = 0, limit = 0, stride = 1;
    if (!text.consume_front("[") || !TakeInt(text, start) || !text.consume_front(":") || !TakeInt(text, limit) ||
        (text.consume_front(":") && !TakeInt(text, stride)) || !text.consume_front("]")) {
      return false;
    }
    attrs.starts.push_back(start);
    attrs.limits.push_back(limit);
    attrs.strides.push_back(stride);
    text = text.ltrim();
    if (text.consume_front(",")) {
      text = text.ltrim();
    } else if (!text.empty()) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool ReadHloSlice(op::HloReader& r, ir::AttrsId& id) {
  SliceAttrs attrs;
  auto text = r.Text("slice");
  if (!text || !ParseBounds(*text, attrs)) {
    return r.Fail("slice", "expected bounds like {[0:4], [0:8:2]}");
  }
  id = r.module().tables->attrs.Add(std::move(attrs));
  return true;
}

// `%x [0:4, 0:8:2] : types`.
bool ParseSlice(op::StablehloReader& r) {
  SliceAttrs attrs;
  if (!r.Operand() || !r.Expect("[")) {
    return false;
  }
  while (!r.TryToken("]")) {
    if (!attrs.starts.empty() && !r.Expect(",")) {
      return false;
    }
    auto start = r.Int();
    auto limit = start && r.Expect(":") ? r.Int() : std::nullopt;
    if (!limit) {
      return false;
    }
    std::optional<int64_t> stride = 1;
    if (r.TryToken(":")) {
      stride = r.Int();
    }
    if (!stride) {
      return false;
    }
    attrs.starts.push_back(*start);
    attrs.limits.push_back(*limit);
    attrs.strides.push_back(*stride);
  }
  r.SetAttrs(r.module().tables->attrs.Add(std::move(attrs)));
  return r.ColonTypes();
}

bool GenericSlice(op::StablehloReader& r) {
  r.SetAttrs(r.module().tables->attrs.Add(
      SliceAttrs{r.attr("start_indices").ints(), r.attr("limit_indices").ints(), r.attr("strides").ints()}));
  return true;
}

void PrintMlirSlice(op::StablehloPrinter& p) {
  const auto& attrs = p.attrs<SliceAttrs>();
  std::string text;
  for (size_t d = 0; d < attrs.starts.size(); ++d) {
    text += (d == 0 ? "" : ", ") + NumberText(attrs.starts[d]) + ":" + NumberText(attrs.limits[d]);
    text += attrs.strides[d] == 1 ? "" : ":" + NumberText(attrs.strides[d]);
  }
  p.Pretty(p.Operand(0) + " [" + text + "]");
}

// --- pad ---

// `padding=0_1x2_0_1`: low, high and (where there is some) interior of each dim.
void PrintHloPad(op::HloPrinter& p) {
  const auto& attrs = p.attrs<PadAttrs>();
  std::string text;
  for (size_t d = 0; d < attrs.low.size(); ++d) {
    text += (d == 0 ? "" : "x") + NumberText(attrs.low[d]) + "_" + NumberText(attrs.high[d]);
    text += attrs.interior[d] == 0 ? "" : "_" + NumberText(attrs.interior[d]);
  }
  p.Attr("padding", text);
}

bool ReadHloPad(op::HloReader& r, ir::AttrsId& id) {
  PadAttrs attrs;
  auto text = r.Text("padding");
  llvm::StringRef rest = text ? llvm::StringRef(*text).trim() : llvm::StringRef();
  while (!rest.empty()) {
    int64_t low = 0, high = 0, interior = 0;
    bool good = (attrs.low.empty() || rest.consume_front("x")) && TakeInt(rest, low) && rest.consume_front("_") &&
                TakeInt(rest, high) && (!rest.consume_front("_") || TakeInt(rest, interior));
    if (!good) {
      return r.Fail("padding", "expected low_high or low_high_interior for each dim, joined by x");
    }
    attrs.low.push_back(low);
    attrs.high.push_back(high);
    attrs.interior.push_back(interior);
  }
  id = r.module().tables->attrs.Add(std::move(attrs));
  return true;
}

// `%x, %value, low = [0], high = [1], interior = [0] : types`.
bool ParsePad(op::StablehloReader& r) {
  PadAttrs attrs;
  if (!r.Operand() || !r.Expect(",") || !r.Operand()) {
    return false;
  }
  for (auto [name, list] : {std::pair<llvm::StringRef, tensor::Dims*>("low", &attrs.low),
                            {"high", &attrs.high},
                            {"interior", &attrs.interior}}) {
    if (!r.Expect(",") || !r.Expect(name) || !r.Expect("=")) {
      return false;
    }
    auto values = r.IntList();
    if (!values) {
      return false;
    }
    *list = *values;
  }
  r.SetAttrs(r.module().tables->attrs.Add(std::move(attrs)));
  return r.ColonTypes();
}

bool GenericPad(op::StablehloReader& r) {
  r.SetAttrs(r.module().tables->attrs.Add(PadAttrs{
      r.attr("edge_padding_low").ints(), r.attr("edge_padding_high").ints(), r.attr("interior_padding").ints()}));
  return true;
}

void PrintMlirPad(op::StablehloPrinter& p) {
  const auto& attrs = p.attrs<PadAttrs>();
  p.Pretty(p.Operand(0) + ", " + p.Operand(1) + ", low = " + op::MlirInts(attrs.low) +
           ", high = " + op::MlirInts(attrs.high) + ", interior = " + op::MlirInts(attrs.interior));
}

// `padding_config=((0, 1, 0), (2, 0, 1))`.
void PrintNativePad(op::NativePrinter& p) {
  const auto& attrs = p.attrs<PadAttrs>();
  std::string text;
  for (size_t d = 0; d < attrs.low.size(); ++d) {
    text += (d == 0 ? "(" : ", (") + NumberText(attrs.low[d]) + ", " + NumberText(attrs.high[d]) + ", " +
            NumberText(attrs.interior[d]) + ")";
  }
  p.Keyword("padding_config", "(" + text + (attrs.low.size() == 1 ? ",)" : ")"));
}

// --- concatenate ---

void PrintHloConcatenate(op::HloPrinter& p) { p.Ints("dimensions", {p.attrs<ConcatenateAttrs>().dim}); }

bool ReadHloConcatenate(op::HloReader& r, ir::AttrsId& id) {
  auto dims = r.Ints("dimensions");
  if (!dims || dims->size() != 1) {
    return r.Fail("dimensions", "expected one dim, like {0}");
  }
  id = r.module().tables->attrs.Add(ConcatenateAttrs{(*dims)[0]});
  return true;
}

// `%a, %b, dim = 1 : types`.
bool ParseConcatenate(op::StablehloReader& r) {
  while (!r.TryToken("dim")) {
    if (!r.Operand() || !r.Expect(",")) {
      return false;
    }
  }
  std::optional<int64_t> dim = r.Expect("=") ? r.Int() : std::nullopt;
  if (!dim) {
    return false;
  }
  r.SetAttrs(r.module().tables->attrs.Add(ConcatenateAttrs{*dim}));
  return r.ColonTypes();
}

bool GenericConcatenate(op::StablehloReader& r) {
  r.SetAttrs(r.module().tables->attrs.Add(ConcatenateAttrs{r.attr("dimension").integer}));
  return true;
}

void PrintMlirConcatenate(op::StablehloPrinter& p) {
  std::string text;
  for (size_t i = 0; i < p.inst().num_operands; ++i) {
    text += p.Operand(i) + ", ";
  }
  p.Pretty(text + "dim = " + NumberText(p.attrs<ConcatenateAttrs>().dim));
}

// `lax.concatenate((a, b), dimension=0)`.
void PrintNativeConcatenate(op::NativePrinter& p) {
  std::string text;
  for (size_t i = 0; i < p.inst().num_operands; ++i) {
    text += (i == 0 ? "" : ", ") + p.Operand(i);
  }
  p.Args("(" + text + (p.inst().num_operands == 1 ? ",)" : ")"));
  p.Keyword("dimension", NumberText(p.attrs<ConcatenateAttrs>().dim));
}

// --- reverse ---

void PrintHloReverse(op::HloPrinter& p) { p.Ints("dimensions", p.attrs<ReverseAttrs>().dims); }

bool ReadHloReverse(op::HloReader& r, ir::AttrsId& id) {
  auto dims = r.Ints("dimensions");
  if (!dims) {
    return r.Fail("dimensions", "expected the reversed dims, like {0,1}");
  }
  id = r.module().tables->attrs.Add(ReverseAttrs{*dims});
  return true;
}

// `%x, dims = [0, 1] : type`.
bool ParseReverse(op::StablehloReader& r) {
  if (!r.Operand() || !r.Expect(",") || !r.Expect("dims") || !r.Expect("=")) {
    return false;
  }
  auto dims = r.IntList();
  if (!dims) {
    return false;
  }
  r.SetAttrs(r.module().tables->attrs.Add(ReverseAttrs{*dims}));
  return r.ColonTypes();
}

bool GenericReverse(op::StablehloReader& r) {
  r.SetAttrs(r.module().tables->attrs.Add(ReverseAttrs{r.attr("dimensions").ints()}));
  return true;
}

void PrintMlirReverse(op::StablehloPrinter& p) {
  p.Pretty(p.Operand(0) + ", dims = " + op::MlirInts(p.attrs<ReverseAttrs>().dims));
}

}  // namespace spmdc::ops
