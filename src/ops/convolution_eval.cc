// convolution on host arrays: what each result sees of the input laid out as rows, times the kernel as a matrix, a group at a
// time.
#include "llvm/ADT/STLExtras.h"
#include "ops/array_copy.h"
#include "ops/convolution.h"
#include "ops/dot_eval.h"
#include "ops/matmul.h"
#include "ops/strided.h"
#include "ops/typed.h"

namespace spmdc::ops {
namespace {

using tensor::Dims;
using tensor::Literal;

// Dims and strides of a copy, dim by dim.
struct View {
  Dims dims, strides;
  int64_t offset = 0;
  void Add(int64_t dim, int64_t stride) {
    dims.push_back(dim);
    strides.push_back(stride);
  }
  Literal Copy(const Literal& x) const { return CopyStrided(x, dims, strides, offset); }
};

class ConvolutionEvaluator {
 public:
  explicit ConvolutionEvaluator(op::EvalContext& cx)
      : attrs_(cx.attrs<ConvolutionAttrs>()),
        result_(cx.dtype(attrs_.result_dtype)),
        sum_(SumType(cx.operand(0), cx.operand(1), result_)),
        dims_(cx.result_type().dims.begin(), cx.result_type().dims.end()),
        kernel_(ConvertLiteral(cx.operand(1), sum_).Materialize()),
        windows_(attrs_.Windows(kernel_.dims())) {
    Literal input = ConvertLiteral(cx.operand(0), sum_).Materialize();
    llvm::SmallVector<WindowDim, 4> around(input.dims().size());
    for (size_t i = 0; i < windows_.size(); ++i) {
      around[static_cast<size_t>(attrs_.input.spatial[i])] = windows_[i];
    }
    input_ = UnderWindows(input, Literal(sum_, {}), around);
    groups_ = std::max(attrs_.feature_groups, attrs_.batch_groups);
  }

  Literal Run() {
    Literal result(sum_, dims_);
    if (result.size() == 0) {
      return FromCompute(std::move(result), result_);
    }
    MatrixSizes sizes;
    sizes.batch = groups_;
    sizes.columns = Size(kernel_.dims(), attrs_.kernel.feature) / groups_;
    sizes.k = Size(kernel_.dims(), attrs_.kernel.batch);
    for (const WindowDim& w : windows_) {
      sizes.k *= w.size;
    }
    sizes.rows = result.size() / (sizes.batch * sizes.columns);
    Literal product = MultiplyMatrices(Rows(), Matrix(), sizes);
    return FromCompute(Arrange(product), result_);
  }

 private:
  static int64_t Size(llvm::ArrayRef<int64_t> dims, int64_t dim) { return dims[static_cast<size_t>(dim)]; }

  // [group, batch, output spatial..., window..., features of the group].
  Literal Rows() const {
    Dims steps = tensor::Strides(input_.dims());
    int64_t batch = Size(dims_, attrs_.output.batch), features = Size(kernel_.dims(), attrs_.kernel.batch);
    int64_t batch_step = Size(steps, attrs_.input.batch), feature_step = Size(steps, attrs_.input.feature);
    View view;
    view.Add(groups_, attrs_.batch_groups > 1 ? batch * batch_step : features * feature_step);
    view.Add(batch, batch_step);
    for (size_t i = 0; i < windows_.size(); ++i) {
      view.Add(Size(dims_, attrs_.output.spatial[i]), windows_[i].stride * Size(steps, attrs_.input.spatial[i]));
    }
    for (size_t i = 0; i < windows_.size(); ++i) {
      int64_t step = windows_[i].dilation * Size(steps, attrs_.input.spatial[i]);
      if (attrs_.reversed[i] != 0) {
        view.offset += (windows_[i].size - 1) * step;
        step = -step;
      }
      view.Add(windows_[i].size, step);
    }
    view.Add(features, feature_step);
    return view.Copy(input_);
  }

  // [group, window..., input features, output features of the group].
  Literal Matrix() const {
    Dims steps = tensor::Strides(kernel_.dims());
    int64_t columns = Size(kernel_.dims(), attrs_.kernel.feature) / groups_;
    View view;
    view.Add(groups_, columns * Size(steps, attrs_.kernel.feature));
    for (int64_t d : attrs_.kernel.spatial) {
      view.Add(Size(kernel_.dims(), d), Size(steps, d));
    }
    view.Add(Size(kernel_.dims(), attrs_.kernel.batch), Size(steps, attrs_.kernel.batch));
    view.Add(columns, Size(steps, attrs_.kernel.feature));
    return view.Copy(kernel_);
  }

  // From [group, batch, spatial..., features of the group] to the result's dims.
  Literal Arrange(const Literal& product) const {
    int64_t columns = Size(dims_, attrs_.output.feature) / groups_, rest = columns;
    Dims from(dims_.size());
    for (size_t i = windows_.size(); i-- > 0;) {
      from[static_cast<size_t>(attrs_.output.spatial[i])] = rest;
      rest *= Size(dims_, attrs_.output.spatial[i]);
    }
    from[static_cast<size_t>(attrs_.output.batch)] = rest;
    int64_t group = rest * Size(dims_, attrs_.output.batch);
    Literal result(sum_, dims_);
    Dims to = tensor::Strides(dims_), box = dims_;
    auto feature = static_cast<size_t>(attrs_.output.feature);
    from[feature] = 1;
    box[feature] = columns;
    int64_t width = tensor::ByteWidth(sum_);
    for (int64_t g = 0; g < groups_; ++g) {
      CopyElements(product.raw().data() + g * group * width, from,
                   result.mutable_raw() + g * columns * to[feature] * width, to, box, width);
    }
    return result;
  }

  const ConvolutionAttrs& attrs_;
  tensor::DType result_, sum_;
  Dims dims_;
  Literal kernel_, input_;
  llvm::SmallVector<WindowDim, 4> windows_;
  int64_t groups_ = 1;
};

}  // namespace

bool EvalConvolution(op::EvalContext& cx) {
  cx.results.push_back(ConvolutionEvaluator(cx).Run());
  return true;
}

}  // namespace spmdc::ops
