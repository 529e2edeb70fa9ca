#include "kernels/transform/device_fourier_series.cuh"

#include <algorithm>

#include "kernels/device/asynchronous_copy.cuh"
#include "kernels/transform/fourier_transform.cuh"

namespace gwrm::cuda {
namespace {

constexpr int kMostLines = 8;                     // complex lines of a block
constexpr std::size_t kSharedMemory = 110 << 10;  // so that two blocks share a multiprocessor, where that is enough
constexpr std::size_t kMostSharedMemory = 220 << 10;

// Beside cuBLAS on an H200, 3 M + 1 points, all axes of planes of 12 times and of boxes of 6: 1.05 to 1.7 times as fast
// at degree 64, 0.9 to 1.9 times from 106 to 192, 1.7 to 3 times at 256; 0.6 to 0.9 times at 40 in boxes. On 256 points
// 1.06 to 1.3 times in planes, 0.7 to 1.1 times in boxes.
constexpr Index kFasterFrom = 129;  // coefficients
constexpr Index kSlowLength = 256;

struct SeriesShape {
  FourierLength f;
  const double2 *roots, *w;
  int degree;
  double factor;
  long long n_lines, inner;  // of real numbers
  int n_side;                // complex lines of a block
  bool by_rows;              // neighbouring threads go along a line, which lies in one piece; else from line to line
};

// Where the first number of a line lies, which has n numbers.
__device__ inline long long start_of(const SeriesShape& s, long long line, int n) {
  return line / s.inner * n * s.inner + line % s.inner;
}

// A pair of lines of a block, and this thread's share of its positions.
struct SeriesLines {
  FourierShare share;
  long long first;  // of its real lines
  bool here[2];     // whether they are there
  __device__ SeriesLines(const SeriesShape& s)
      : share{static_cast<int>(s.by_rows ? threadIdx.x : threadIdx.y),
              static_cast<int>(s.by_rows ? blockDim.x : blockDim.y), 0} {
    const int side = static_cast<int>(s.by_rows ? threadIdx.y : threadIdx.x);
    share.start = side * fourier_line(s.f, s.n_side);
    first = 2 * (blockIdx.x * static_cast<long long>(s.n_side) + side);
    here[0] = first < s.n_lines;
    here[1] = first + 1 < s.n_lines;
  }
};

// The roots and, of a block's lines, the buffers.
__device__ inline FourierMemory memory_of(double2* memory, const SeriesShape& s) {
  FourierMemory result(memory, s.f, s.n_side);
  const int n_threads = static_cast<int>(blockDim.x * blockDim.y);
  for (int i = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x); i < s.f.n_factors; i += n_threads)
    result.roots[i] = s.roots[i];
  return result;
}

// X_k = h_k + i g_k, X_{n-k} = conj h_k + i conj g_k with h_k = w_k (c_k - i s_k) of the first line, g_k of the second.
__global__ void __launch_bounds__(kFourierThreads)
    series_synthesis_kernel(const double* __restrict__ x, double* __restrict__ y,
                            const __grid_constant__ SeriesShape s) {
  extern __shared__ double2 fourier_memory[];
  FourierMemory memory = memory_of(fourier_memory, s);
  const SeriesLines lines(s);
  const int n = s.f.length, n_coefficients = 2 * s.degree + 1;
  double2* const to = memory.from + lines.share.start;
  const double* const a = x + (lines.here[0] ? start_of(s, lines.first, n_coefficients) : 0);
  const double* const b = x + (lines.here[1] ? start_of(s, lines.first + 1, n_coefficients) : 0);
  const auto at = [&](int k) {
    return double2{lines.here[0] ? a[k * s.inner] : 0.0, lines.here[1] ? b[k * s.inner] : 0.0};
  };
  for_own<0>(lines.share, n - s.degree, [&](int k) {
    if (k > s.degree) {
      to[k] = {0.0, 0.0};
      return;
    }
    const double2 c = at(2 * k), w{s.factor * s.w[k].x, s.factor * s.w[k].y};
    if (k == 0) {
      to[0] = {w.x * c.x, w.x * c.y};
      return;
    }
    const double2 sine = at(2 * k - 1);
    const double2 h = times(w, {c.x, -sine.x}), g = times(w, {c.y, -sine.y});
    to[k] = {h.x - g.y, h.y + g.x};
    to[n - k] = {h.x + g.y, g.x - h.y};
  });
  __syncthreads();
  AnyLength::transform(memory, lines.share, s.f);
  const double2* const from = memory.from + lines.share.start;
  double* const p = y + (lines.here[0] ? start_of(s, lines.first, n) : 0);
  double* const q = y + (lines.here[1] ? start_of(s, lines.first + 1, n) : 0);
  for_own<0>(lines.share, n, [&](int j) {
    const double2 value = from[j];
    if (lines.here[0]) p[j * s.inner] = value.x;
    if (lines.here[1]) q[j * s.inner] = value.y;
  });
}

// c_k - i s_k = w_k F_k, 2 F_k = X_k + conj X_{n-k}, 2 i G_k = X_k - conj X_{n-k} of the two lines; X_k of negative
// sign is number n - k of the transform.
__global__ void __launch_bounds__(kFourierThreads)
    series_analysis_kernel(const double* __restrict__ x, double* __restrict__ y,
                           const __grid_constant__ SeriesShape s) {
  extern __shared__ double2 fourier_memory[];
  FourierMemory memory = memory_of(fourier_memory, s);
  const SeriesLines lines(s);
  const int n = s.f.length, n_coefficients = 2 * s.degree + 1;
  double2* const to = memory.from + lines.share.start;
  const double* const a = x + (lines.here[0] ? start_of(s, lines.first, n) : 0);
  const double* const b = x + (lines.here[1] ? start_of(s, lines.first + 1, n) : 0);
  for_own<0>(lines.share, n, [&](int j) {
    to[j] = {lines.here[0] ? a[j * s.inner] : 0.0, lines.here[1] ? b[j * s.inner] : 0.0};
  });
  __syncthreads();
  AnyLength::transform(memory, lines.share, s.f);
  const double2* const from = memory.from + lines.share.start;
  double* const p = y + (lines.here[0] ? start_of(s, lines.first, n_coefficients) : 0);
  double* const q = y + (lines.here[1] ? start_of(s, lines.first + 1, n_coefficients) : 0);
  for_own<0>(lines.share, s.degree + 1, [&](int k) {
    const double2 w{s.factor * s.w[k].x, s.factor * s.w[k].y};
    if (k == 0) {
      if (lines.here[0]) p[0] = w.x * from[0].x;
      if (lines.here[1]) q[0] = w.x * from[0].y;
      return;
    }
    const double2 low = from[n - k], high = from[k];
    const double2 f = times(w, {0.5 * (low.x + high.x), 0.5 * (low.y - high.y)});
    const double2 g = times(w, {0.5 * (low.y + high.y), 0.5 * (high.x - low.x)});
    if (lines.here[0]) {
      p[2 * k * s.inner] = f.x;
      p[(2 * k - 1) * s.inner] = -f.y;
    }
    if (lines.here[1]) {
      q[2 * k * s.inner] = g.x;
      q[(2 * k - 1) * s.inner] = -g.y;
    }
  });
}

// Lines of a block: as many as two blocks on a multiprocessor have room and threads for.
int lines_of(const FourierLength& f, int n_shares) {
  int n = kMostLines;
  while (n > 1 && (FourierMemory::bytes(f, n) > kSharedMemory || n * n_shares > kFourierThreads)) n /= 2;
  return n;
}

}  // namespace

bool DeviceFourierSeries::serves(const FourierSeries& series) {
  return series.n_points() <= kLongestDeviceSeries && factors_of(static_cast<int>(series.n_points())).n_steps > 0;
}

bool DeviceFourierSeries::is_faster_than_matrix(const FourierSeries& series) {
  return series.n_coefficients() >= kFasterFrom && series.n_points() != kSlowLength && serves(series);
}

DeviceFourierSeries::DeviceFourierSeries(const FourierSeries& series, DeviceMatrices& matrices)
    : kind_(series.kind()),
      degree_(static_cast<int>(series.n_coefficients() / 2)),
      length_(factors_of(static_cast<int>(series.n_points()))) {
  const std::vector<std::complex<double>> roots = fourier_roots(length_);
  roots_ = matrices.add(roots.data(), roots.size());
  factors_ =
      matrices.add(reinterpret_cast<const std::complex<double>*>(series.factors().data()), series.factors().size() / 2);
}

void DeviceFourierSeries::apply(const DeviceHandles& handles, double factor, const double* x, Index outer, Index inner,
                                double* y) const {
  SeriesShape s;
  s.f = length_;
  s.roots = reinterpret_cast<const double2*>(roots_);
  s.w = reinterpret_cast<const double2*>(factors_);
  s.degree = degree_;
  s.factor = factor;
  s.n_lines = outer * inner;
  s.inner = inner;
  s.by_rows = inner == 1;
  if (s.n_lines == 0) return;
  const int n_shares = std::clamp(length_.length / length_.radix[0], 1, kFourierThreads);
  s.n_side = lines_of(length_, n_shares);
  const std::size_t bytes = FourierMemory::bytes(length_, s.n_side);
  const auto side = static_cast<unsigned>(s.n_side), shares = static_cast<unsigned>(n_shares);
  const auto n_blocks = static_cast<unsigned>((s.n_lines + 2 * s.n_side - 1) / (2 * s.n_side));
  const dim3 threads = s.by_rows ? dim3(shares, side) : dim3(side, shares);
  const auto launch = [&](auto* kernel) {
    GWRM_DEVICE(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(kMostSharedMemory)));
    kernel<<<n_blocks, threads, bytes, handles.stream>>>(x, y, s);
  };
  if (kind_ == FourierSeries::Kind::synthesis)
    launch(series_synthesis_kernel);
  else
    launch(series_analysis_kernel);
  GWRM_LAUNCHED(series_kernel);
}

}  // namespace gwrm::cuda
