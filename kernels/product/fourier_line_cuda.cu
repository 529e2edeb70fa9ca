// Products of long series in one dimension by Fourier transforms in two steps, P = N1 N2 points: with k = k1 N2 + k2
// and j = j1 + N1 j2,
//   sum_k V_k w_P^{j k} = sum_k2 w_N2^{j2 k2} w_P^{j1 k2} sum_k1 w_N1^{j1 k1} V_k,
// and the same sums over j2 and then over j1 on the way back. Three kernels:
//   columns  k2: V of both series as one complex, its transforms over k1, times w_P^{j1 k2}
//   rows     j1: transforms over k2 to the points, products, transforms over j2 of two rows as one complex, which are
//            taken apart, times w_P^{j1 k2}; of real products half of the k2 are enough
//   columns  k2 <= N2 / 2: transforms over j1, and the coefficients: t = e_k D_k gives c_k = 2 Re t / P and
//            c_{P-k} = 2 Im t / P
// V, D and e as in kernels/product/fourier_spectrum.cuh.
#include "kernels/product/fourier_spectrum.cuh"

#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/product/chebyshev_product.hpp"
#include "kernels/product/fourier.cuh"

namespace gwrm::cuda {
namespace {

constexpr int kRows = 2;     // of a block
constexpr int kColumns = 2;  // the same
constexpr int kLongestStep = 1000;

struct LineShape {
  FourierLength columns, rows;  // N1, N2
  const double2 *column_roots, *row_roots;
  const double2* half_turns;  // exp(i pi k / (2 P)), k = 0 .. P / 2
  const double2* turns;       // w_P^m, m < P
  int n, points;              // P = N1 N2
  double scale;               // of the products: 1 / (2 P)
};

// Blocks of (columns side by side) x (shares of each), one item of the batch per blockIdx.y.
template <typename Real>
__global__ void __launch_bounds__(kFourierThreads)
    line_forward_kernel(const Real* a, const Real* b, double2* y, const __grid_constant__ LineShape s) {
  extern __shared__ double2 fourier_memory[];
  const int side = static_cast<int>(threadIdx.x), n_side = static_cast<int>(blockDim.x);
  FourierMemory memory(fourier_memory, s.columns, n_side);
  const FourierShare share{static_cast<int>(threadIdx.y), static_cast<int>(blockDim.y),
                           side * fourier_line(s.columns, n_side)};
  const int column = static_cast<int>(blockIdx.x) * n_side + side, n_columns = s.rows.length;
  const bool mine = column < n_columns;
  a += static_cast<long long>(blockIdx.y) * s.n;
  b += static_cast<long long>(blockIdx.y) * s.n;
  y += static_cast<long long>(blockIdx.y) * s.points;
  admit_successor();
  fetch_roots(memory.roots, s.column_roots, s.columns.n_roots);
  await_predecessor();
  constexpr int kAtOnce = 4;  // loads on their way together
  for (int start = share.first; start < s.columns.length; start += kAtOnce * share.step) {
    double2 near[kAtOnce], far[kAtOnce], turn[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int k = (start + i * share.step) * n_columns + column, mirrored = s.points - k;
      const bool inside = mine && k < s.points;
      near[i] = inside && k < s.n ? double2{static_cast<double>(a[k]), static_cast<double>(b[k])} : double2{0.0, 0.0};
      far[i] = inside && mirrored < s.n ? double2{static_cast<double>(a[mirrored]), static_cast<double>(b[mirrored])}
                                        : double2{0.0, 0.0};
      turn[i] = inside ? s.half_turns[min(k, mirrored)] : double2{0.0, 0.0};
    }
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const int row = start + i * share.step, k = row * n_columns + column;
      if (row >= s.columns.length) break;
      const double2 e = 2 * k <= s.points ? turn[i] : times_i(conjugate(turn[i]));
      memory.from[share.start + row] = k == 0 ? 2.0 * near[i] : times(e, near[i] - times_i(far[i]));
    }
  }
  await_copies<0>();
  __syncthreads();
  AnyLength::transform(memory, share, s.columns);
#pragma unroll 4
  for (int j = share.first; j < s.columns.length; j += share.step)
    if (mine) y[j * n_columns + column] = times(s.turns[j * column], memory.from[share.start + j]);
}

// Blocks of (shares of a row) x (two rows).
__global__ void __launch_bounds__(kFourierThreads)
    line_product_kernel(const double2* x, double2* y, const __grid_constant__ LineShape s) {
  extern __shared__ double2 fourier_memory[];
  const int n_columns = s.rows.length, line = fourier_line(s.rows, kRows), n_shares = static_cast<int>(blockDim.x);
  const int own = static_cast<int>(threadIdx.x), side = static_cast<int>(threadIdx.y);
  FourierMemory memory(fourier_memory, s.rows, kRows);
  FourierShare share{own, n_shares, side * line};
  const int row = static_cast<int>(blockIdx.x) * kRows + side, n_half = n_columns / 2 + 1;
  const bool mine = row < s.columns.length;
  x += static_cast<long long>(blockIdx.y) * s.points;
  y += static_cast<long long>(blockIdx.y) * s.columns.length * n_half;
  admit_successor();
  fetch_roots(memory.roots, s.row_roots, s.rows.n_roots);
  await_predecessor();
  for (int k = own; k < n_columns; k += n_shares)
    copy_async<16>(memory.from + share.start + k, x + (mine ? row : 0) * n_columns + k, mine);
  close_copies();
  await_copies<0>();
#pragma unroll 1
  for (int way = 0; way < 2; ++way) {
    __syncthreads();
    AnyLength::transform(memory, share, s.rows);
    if (way == 1) break;
    share = {own + side * n_shares, 2 * n_shares, 0};
    for (int j = share.first; j < n_columns; j += share.step) {
      double2* place = memory.from + share.start + j;
      const double2 upper = place[0], lower = place[line];
      place[0] = {s.scale * (upper.x * upper.y), s.scale * (lower.x * lower.y)};
    }
  }
  // Of z = p + i q both transforms: (Z_k + conj Z_-k) / 2 and (Z_k - conj Z_-k) / (2 i).
  const int upper_row = row - side;
#pragma unroll 2
  for (int k = share.first; k < n_half; k += share.step) {
    const double2 z = memory.from[share.start + k],
                  mirrored = conjugate(memory.from[share.start + k == 0 ? 0 : n_columns - k]);
    const double2 sum = z + mirrored, difference = z - mirrored;
    const double2 of_upper = 0.5 * sum, of_lower = 0.5 * double2{difference.y, -difference.x};
    y[upper_row * n_half + k] = times(s.turns[upper_row * k], of_upper);
    if (upper_row + 1 < s.columns.length)
      y[(upper_row + 1) * n_half + k] = times(s.turns[(upper_row + 1) * k], of_lower);
  }
}

template <typename Real>
__global__ void __launch_bounds__(kFourierThreads)
    line_backward_kernel(const double2* x, Real* c, const __grid_constant__ LineShape s) {
  extern __shared__ double2 fourier_memory[];
  const int side = static_cast<int>(threadIdx.x), n_side = static_cast<int>(blockDim.x);
  FourierMemory memory(fourier_memory, s.columns, n_side);
  const FourierShare share{static_cast<int>(threadIdx.y), static_cast<int>(blockDim.y),
                           side * fourier_line(s.columns, n_side)};
  const int column = static_cast<int>(blockIdx.x) * n_side + side, n_columns = s.rows.length;
  const int n_half = n_columns / 2 + 1;
  const bool mine = column < n_half;
  x += static_cast<long long>(blockIdx.y) * s.columns.length * n_half;
  c += static_cast<long long>(blockIdx.y) * s.n;
  admit_successor();
  fetch_roots(memory.roots, s.column_roots, s.columns.n_roots);
  await_predecessor();
  for (int j = share.first; j < s.columns.length; j += share.step)
    copy_async<16>(memory.from + share.start + j, x + j * n_half + (mine ? column : 0), mine);
  close_copies();
  await_copies<0>();
  __syncthreads();
  AnyLength::transform(memory, share, s.columns);
  // Columns that are their own mirror image have both k and P - k.
  const bool alone = column == 0 || 2 * column == n_columns;
#pragma unroll 4
  for (int row = share.first; row < s.columns.length; row += share.step) {
    const int k = row * n_columns + column, mirrored = s.points - k;
    const bool has_k = mine && k < s.n, has_mirrored = mine && !alone && mirrored < s.n;
    if (!has_k && !has_mirrored) continue;
    const double2 turn = s.half_turns[min(k, mirrored)];
    const double2 e = 2 * k <= s.points ? turn : times_i(conjugate(turn));
    const double2 t = times(e, memory.from[share.start + row]);
    if (has_k) c[k] = static_cast<Real>(k == 0 ? 0.5 * t.x : t.x);
    if (has_mirrored) c[mirrored] = static_cast<Real>(t.y);
  }
}

// N1 >= N2 with the least product from `least` on, and of those the closest to each other; {0, 0} if there is none.
std::pair<int, int> two_steps(int least) {
  std::pair<int, int> best{0, 0};
  for (int n2 = 16; n2 <= kLongestStep; ++n2) {
    if (factors_of(n2).n_steps == 0) continue;
    int n1 = std::max(n2, (least + n2 - 1) / n2);
    while (n1 <= kLongestStep && factors_of(n1).n_steps == 0) ++n1;
    if (n1 > kLongestStep) continue;
    if (best.first == 0 || n1 * n2 <= best.first * best.second) best = {n1, n2};
  }
  return best;
}

template <typename Real>
class FourierLine final : public ProductPlan<Real> {
 public:
  FourierLine(const Context& context, int n, Index batch) : handles_(*context.device()), batch_(batch) {
    const auto [n1, n2] = two_steps(static_cast<int>(product_points(n)));
    shape_ = {factors_of(n1), factors_of(n2), nullptr, nullptr, nullptr, nullptr, n, n1 * n2, 0.5 / (n1 * n2)};
    upload_roots();
    const int bytes = static_cast<int>(std::max(column_bytes(), row_bytes()));
    for (const auto kernel :
         {reinterpret_cast<const void*>(line_forward_kernel<Real>), reinterpret_cast<const void*>(line_product_kernel),
          reinterpret_cast<const void*>(line_backward_kernel<Real>)})
      GWRM_DEVICE(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  }

  std::size_t workspace_bytes() const override { return sizeof(double2) * (n_forward() + n_backward()); }

  void multiply(const Real* a, const Real* b, Real* c, void* workspace) const override {
    auto* forward = static_cast<double2*>(workspace);
    double2* backward = forward + n_forward();
    const LineShape& s = shape_;
    const dim3 columns(kColumns, static_cast<unsigned>(fourier_shares(s.columns, kColumns)));
    const dim3 rows(static_cast<unsigned>(fourier_shares(s.rows, kRows)), kRows);
    for (Index item = 0; item < batch_; item += kMaxItems) {
      const auto n_items = static_cast<unsigned>(std::min(kMaxItems, batch_ - item));
      const auto grid = [&](int size, int at_once) { return dim3(blocks_for(size, at_once), n_items); };
      launch_early(handles_.stream, line_forward_kernel<Real>, grid(s.rows.length, kColumns), columns, column_bytes(),
                   1, a + item * s.n, b + item * s.n, forward, s);
      launch_early(handles_.stream, line_product_kernel, grid(s.columns.length, kRows), rows, row_bytes(), 1, forward,
                   backward, s);
      launch_early(handles_.stream, line_backward_kernel<Real>, grid(s.rows.length / 2 + 1, kColumns), columns,
                   column_bytes(), 1, backward, c + item * s.n, s);
    }
  }

 private:
  static constexpr Index kMaxItems = 64;  // at a time: the numbers in between are not much more than the cache

  std::size_t column_bytes() const { return FourierMemory::bytes(shape_.columns, kColumns); }
  std::size_t row_bytes() const { return FourierMemory::bytes(shape_.rows, kRows); }
  std::size_t n_items() const { return static_cast<std::size_t>(std::min(kMaxItems, batch_)); }
  std::size_t n_forward() const { return n_items() * static_cast<std::size_t>(shape_.points); }
  std::size_t n_backward() const {
    return n_items() * static_cast<std::size_t>(shape_.columns.length) *
           static_cast<std::size_t>(shape_.rows.length / 2 + 1);
  }

  void upload_roots() {
    std::vector<std::complex<double>> roots = fourier_roots(shape_.columns);
    const auto row_roots = fourier_roots(shape_.rows);
    roots.insert(roots.end(), row_roots.begin(), row_roots.end());
    for (int k = 0; k <= shape_.points / 2; ++k) roots.push_back(root_of_unity(k, 4LL * shape_.points));
    for (int m = 0; m < shape_.points; ++m) roots.push_back(root_of_unity(m, shape_.points));
    double2* target = roots_.reserve<double2>(roots.size());
    handles_.upload(target, reinterpret_cast<const double2*>(roots.data()), roots.size());
    GWRM_DEVICE(cudaStreamSynchronize(handles_.stream));
    shape_.column_roots = target;
    shape_.row_roots = shape_.column_roots + shape_.columns.n_roots;
    shape_.half_turns = shape_.row_roots + shape_.rows.n_roots;
    shape_.turns = shape_.half_turns + shape_.points / 2 + 1;
  }

  DeviceHandles& handles_;
  Index batch_;
  LineShape shape_{};
  DeviceBuffer roots_;
};

}  // namespace

bool fourier_line_serves(Index n_coefficients) {
  return n_coefficients <= 2 * kLongestStep * kLongestStep / 3 - kLongestStep;
}

template <typename Real>
ProductPlanPointer<Real> fourier_line_product(const Context& context, const Shape& shape, Index batch) {
  return std::make_unique<FourierLine<Real>>(context, extents_of(shape).n[0], batch);
}
template ProductPlanPointer<double> fourier_line_product(const Context&, const Shape&, Index);
template ProductPlanPointer<float> fourier_line_product(const Context&, const Shape&, Index);

}  // namespace gwrm::cuda
