// Products through the points by small matrix products on the tensor cores; see matrix_transform.cuh for the formulas.
// d dimensions take 2 d kernels: d - 1 forward, product and last along the last dimension, d - 1 backward.
#include "kernels/product/product_cuda.cuh"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "kernels/product/matrix_transform.cuh"
#include "kernels/transform/chebyshev_matrices.hpp"

namespace gwrm::cuda {
namespace {

// Large tiles read less, small ones spread over more multiprocessors; where even those are few, more warps share a
// tile.
using Large = TransformTile<2, 4, 2, 2, 1, 8, 4, 2>;    // 64 x 64
using Middle = TransformTile<1, 4, 2, 2, 1, 8, 4, 3>;   // 32 x 64
using Small = TransformTile<1, 2, 2, 2, 2, 16, 3, 2>;   // 32 x 32
using Shared = TransformTile<1, 2, 2, 2, 4, 32, 3, 1>;  // 32 x 32

// What share of the tensor cores' speed a multiprocessor reaches that is full of them, from the times of 64 products of
// 64 to 400 coefficients squared, and of single ones.
constexpr double kLargeSpeed = 0.55, kMiddleSpeed = 0.50, kSmallSpeed = 0.36, kSharedSpeed = 0.30;
constexpr int kMultiprocessors = 132;

template <Stage stage, class T>
dim3 grid_of(const TransformShape& s) {
  constexpr int columns = stage == Stage::product ? T::columns / 2 : T::columns;
  return dim3(blocks_for(s.pairs_out, T::rows), blocks_for(s.columns, columns), stage == Stage::forward ? 2 : 1);
}

// In units of one multiply-add per multiprocessor; a multiprocessor that is not full reaches less.
template <Stage stage, class T>
double expected_time(const TransformShape& s, double speed) {
  const dim3 grid = grid_of<stage, T>(s);
  const double n_blocks = static_cast<double>(grid.x) * grid.y * grid.z;
  const double filled = std::min(n_blocks / kMultiprocessors, static_cast<double>(T::resident));
  const double at_once = kMultiprocessors * std::max(1.0, filled);
  return std::ceil(n_blocks / at_once) * std::max(1.0, filled) * T::rows * T::columns /
         (speed * std::max(1.0, filled) / T::resident);
}

template <Stage stage, class T, typename In, typename Out>
void launch_with(cudaStream_t stream, const In* x, const In* second, Out* y, const LaneEntries* matrix,
                 const TransformShape& s, bool wide_in) {
  constexpr std::size_t bytes = sizeof(TransformBuffers<stage, T, In>);
  int device = 0;
  GWRM_DEVICE(cudaGetDevice(&device));
  static thread_local int prepared = -1;  // a device has attributes of its own
  if (prepared != device) {
    for (const auto kernel : {transform_kernel<stage, T, false, In, Out>, transform_kernel<stage, T, true, In, Out>})
      GWRM_DEVICE(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
    prepared = device;
  }
  const auto kernel = wide_in ? transform_kernel<stage, T, true, In, Out> : transform_kernel<stage, T, false, In, Out>;
  launch_early(stream, kernel, grid_of<stage, T>(s), T::threads, bytes, 1, x, second, y, matrix, s);
}

template <Stage stage, typename In, typename Out>
void launch_transform(cudaStream_t stream, const In* x, const In* second, Out* y, const LaneEntries* matrix,
                      const TransformShape& s, bool wide_in) {
  const double large = expected_time<stage, Large>(s, kLargeSpeed);
  const double middle = expected_time<stage, Middle>(s, kMiddleSpeed);
  const double small = expected_time<stage, Small>(s, kSmallSpeed);
  const double shared = expected_time<stage, Shared>(s, kSharedSpeed);
  const double best = std::min({large, middle, small, shared});
  if (best == shared)
    launch_with<stage, Shared>(stream, x, second, y, matrix, s, wide_in);
  else if (best == small)
    launch_with<stage, Small>(stream, x, second, y, matrix, s, wide_in);
  else if (best == middle)
    launch_with<stage, Middle>(stream, x, second, y, matrix, s, wide_in);
  else
    launch_with<stage, Large>(stream, x, second, y, matrix, s, wide_in);
}

// A matrix of either parity in the order in which the lanes read it: see LaneEntries.
struct LaneMatrix {
  int pairs_out, pairs_in, n_tiles, n_steps;
  std::vector<LaneEntries> entries;

  static int padded(int count, int unit) { return (count + unit - 1) / unit * unit; }

  // entry(parity, row, column) for rows < pairs_out, columns < pairs_in.
  template <class Entry>
  LaneMatrix(int n_out, int n_in, Entry entry)
      : pairs_out(n_out),
        pairs_in(n_in),
        n_tiles(padded((n_out + 15) / 16, kTilePadding)),
        n_steps(padded((n_in + 3) / 4, kStepPadding)) {
    const auto at = [&](int parity, int row, int column) {
      return row < n_out && column < n_in ? entry(parity, row, column) : 0.0;
    };
    for (int tile = 0; tile < n_tiles; ++tile)
      for (int step = 0; step < n_steps; ++step)
        for (int parity = 0; parity < 2; ++parity)
          for (int lane = 0; lane < 32; ++lane) {
            const int row = 16 * tile + lane / 4, column = 4 * step + lane % 4;
            entries.push_back({at(parity, row, column), at(parity, row + 8, column)});
          }
  }
};

struct DimensionTransform {
  int n, n_points;
  LaneMatrix to_points, to_coefficients;

  static DimensionTransform of(Index extent) {
    const int n = static_cast<int>(extent), n_half = static_cast<int>((product_points(extent) + 1) / 2);
    const Matrix cosines = values_from_coefficients(2 * n_half, n - 1);
    const Matrix inverse = coefficients_from_values(n - 1, 2 * n_half);
    // The odd half of an odd number of coefficients is one shorter.
    return {n, 2 * n_half,
            LaneMatrix(n_half, (n + 1) / 2,
                       [&](int parity, int j, int k) { return 2 * k + parity < n ? cosines(j, 2 * k + parity) : 0.0; }),
            LaneMatrix((n + 1) / 2, n_half, [&](int parity, int k, int j) {
              return 2 * k + parity < n ? inverse(2 * k + parity, j) : 0.0;
            })};
  }
};

template <typename Real>
class MatrixProduct final : public ProductPlan<Real> {
 public:
  MatrixProduct(const Context& context, const Shape& shape, Index batch) : handles_(*context.device()), batch_(batch) {
    std::size_t n_entries = 0;
    for (Index extent : shape) {
      transforms_.push_back(DimensionTransform::of(extent));
      n_entries += transforms_.back().to_points.entries.size() + transforms_.back().to_coefficients.entries.size();
    }
    LaneEntries* target = memory_.reserve<LaneEntries>(n_entries);
    for (const DimensionTransform& transform : transforms_)
      for (const LaneMatrix* matrix : {&transform.to_points, &transform.to_coefficients}) {
        handles_.upload(target, matrix->entries.data(), matrix->entries.size());
        matrices_.push_back(target);
        target += matrix->entries.size();
      }
    GWRM_DEVICE(cudaStreamSynchronize(handles_.stream));
    largest_ = batch;
    for (const DimensionTransform& transform : transforms_) largest_ *= transform.n_points;
    if (largest_ > std::numeric_limits<int>::max() / 2)
      throw ShapeError("chebyshev_product: a batch of " + std::to_string(batch) +
                       " such series has more than 2^30 points");
  }

  std::size_t workspace_bytes() const override { return 4 * static_cast<std::size_t>(largest_) * sizeof(double); }

  void multiply(const Real* a, const Real* b, Real* c, void* workspace) const override {
    double *from = static_cast<double*>(workspace), *to = from + 2 * largest_;  // both factors, then the product
    const int last = static_cast<int>(transforms_.size()) - 1;
    if (last == 0) {
      run<Stage::product>(0, a, b, from);
      run<Stage::last>(0, from, from, c);
      return;
    }
    run<Stage::forward>(0, a, b, from);
    for (int d = 1; d < last; ++d) {
      run<Stage::forward>(d, from, from + size_before(d), to);
      std::swap(from, to);
    }
    run<Stage::product>(last, from, from + size_before(last), to);
    run<Stage::last>(last, to, to, from);
    for (int d = last - 1; d > 0; --d) {
      run<Stage::backward>(d, from, from, to);
      std::swap(from, to);
    }
    run<Stage::backward>(0, from, from, c);
  }

 private:
  template <Stage stage, typename In, typename Out>
  void run(int d, const In* x, const In* second, Out* y) const {
    const bool backward = stage == Stage::last || stage == Stage::backward;
    TransformShape s = shape(d, backward);
    const auto aligned = [](const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0; };
    const bool in_rows = stage == Stage::product || stage == Stage::last;
    const int contiguous_in = in_rows ? s.n_in : s.inner, contiguous_out = in_rows ? s.n_out : s.inner;
    // Copies of two numbers keep within a row and are aligned.
    const bool wide_in = contiguous_in % 2 == 0 && aligned(x) && aligned(second);
    s.wide_out = contiguous_out % 2 == 0 && aligned(y);
    const std::size_t number = 2 * at(d) + (backward ? 1 : 0);
    launch_transform<stage>(handles_.stream, x, second, y, matrices_[number], s, wide_in);
  }

  // Along dimension d those before it are points and those behind it coefficients, on both ways.
  TransformShape shape(int d, bool backward) const {
    const DimensionTransform& transform = transforms_[d];
    const LaneMatrix& matrix = backward ? transform.to_coefficients : transform.to_points;
    TransformShape s{};
    s.n_in = backward ? transform.n_points : transform.n;
    s.n_out = backward ? transform.n : transform.n_points;
    s.inner = 1;
    for (std::size_t e = at(d) + 1; e < transforms_.size(); ++e) s.inner *= transforms_[e].n;
    s.columns = static_cast<int>(batch_) * s.inner;
    for (std::size_t e = 0; e < at(d); ++e) s.columns *= transforms_[e].n_points;
    s.pairs_in = matrix.pairs_in;
    s.pairs_out = matrix.pairs_out;
    s.n_steps = matrix.n_steps;
    return s;
  }

  // Numbers of one factor on the way to the points, before dimension d.
  Index size_before(int d) const {
    const TransformShape s = shape(d, false);
    return static_cast<Index>(s.columns) * s.n_in;
  }

  DeviceHandles& handles_;
  Index batch_;
  Index largest_ = 0;
  std::vector<DimensionTransform> transforms_;
  std::vector<const LaneEntries*> matrices_;
  DeviceBuffer memory_;
};

}  // namespace

template <typename Real>
ProductPlanPointer<Real> matrix_product(const Context& context, const Shape& shape, Index batch) {
  return std::make_unique<MatrixProduct<Real>>(context, shape, batch);
}
template ProductPlanPointer<double> matrix_product(const Context&, const Shape&, Index);
template ProductPlanPointer<float> matrix_product(const Context&, const Shape&, Index);

}  // namespace gwrm::cuda
