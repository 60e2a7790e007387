// Attributes of contractions, and what contractions of several kinds share.
#pragma once

#include "ir/attrs.h"
#include "op/text.h"

namespace spmdc::op {
class HloPrinter;
class HloReader;
class InferContext;
}  // namespace spmdc::op

namespace spmdc::ops {

// Result dims: batch, then left free, then right free.
struct DotGeneralAttrs {
  tensor::Dims lhs_contracting, rhs_contracting, lhs_batch, rhs_batch;
  tensor::DType result_dtype = tensor::DType::F32;
  std::string precision;  // as the text had it, e.g. "DEFAULT, DEFAULT"; printed again, never read
  std::string algorithm;  // likewise
  void Visit(ir::FieldVisitor& v) {
    v.Field("lhs_contracting", lhs_contracting);
    v.Field("rhs_contracting", rhs_contracting);
    v.Field("lhs_batch", lhs_batch);
    v.Field("rhs_batch", rhs_batch);
    v.Field("preferred_element_type", result_dtype);
    v.Field("precision", precision);
    v.Field("algorithm", algorithm);
  }
};

// The dims of an operand that are neither contracted nor batch.
tensor::Dims FreeDims(size_t rank, const tensor::Dims& contracting, const tensor::Dims& batch);
// Both operands' contracted and batch dims: within the operands, named once, paired in equal sizes.
bool CheckDotDims(op::InferContext& cx, const tensor::Dims& lhs_contracting, const tensor::Dims& rhs_contracting,
                  const tensor::Dims& lhs_batch, const tensor::Dims& rhs_batch);
// The precision that a text asks for, a word for each operand: "HIGHEST, DEFAULT". Empty for the default, spelled or not.
std::string PrecisionOf(llvm::StringRef words);
std::string PrecisionOf(const op::MlirAttr& precision_config);
// HLO's operand_precision, as these attributes keep it; printed where a text asked for more than the default.
std::string ReadHloPrecision(op::HloReader& reader);
void PrintHloPrecision(op::HloPrinter& printer, llvm::StringRef precision);

}  // namespace spmdc::ops
