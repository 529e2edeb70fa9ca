#include "kernels/transform/time_mode_transform.hpp"

#include <algorithm>

#include "core/parallel_loop.hpp"
#include "core/vector_clones.hpp"

namespace gwrm {
namespace {

constexpr Index kColumnsAtOnce = 512;            // columns: two rows of them stay in the first-level cache
constexpr double kTimeModeWorkForThreads = 2e5;  // multiply-adds

// re + i im = sum_j (f_re[j] + i f_im[j]) x[j, :]
GWRM_VECTOR_CLONES void sum_times(const double* f_re, const double* f_im, Index n_times, const double* x, Index width,
                                  Index count, double* y) {
  double re[kColumnsAtOnce], im[kColumnsAtOnce];
  std::fill_n(re, count, 0.0);
  std::fill_n(im, count, 0.0);
  for (Index j = 0; j < n_times; ++j) {
    const double a = f_re[j], b = f_im[j], *row = x + j * width;
    for (Index i = 0; i < count; ++i) {
      re[i] += a * row[i];
      im[i] += b * row[i];
    }
  }
  for (Index i = 0; i < count; ++i) {
    y[2 * i] = re[i];
    y[2 * i + 1] = im[i];
  }
}

// x[:] = sum_k b[2k] Re y[k, :] + b[2k+1] Im y[k, :]
GWRM_VECTOR_CLONES void sum_modes(const double* b, Index n_modes, const double* y, Index distance, Index count,
                                  double* x) {
  std::fill_n(x, count, 0.0);
  for (Index k = 0; k < n_modes; ++k) {
    const double re = b[2 * k], im = b[2 * k + 1], *row = y + 2 * k * distance;
    for (Index i = 0; i < count; ++i) x[i] += re * row[2 * i] + im * row[2 * i + 1];
  }
}

}  // namespace

void to_time_modes(const Matrix& forward, const double* x, Index width, std::complex<double>* y, Index distance,
                   int n_threads) {
  const Index n_modes = forward.rows() / 2, n_times = forward.cols();
  const bool in_threads = n_threads > 1 && static_cast<double>(forward.size() * width) > kTimeModeWorkForThreads;
  for_each_index((width + kColumnsAtOnce - 1) / kColumnsAtOnce, in_threads, n_threads, [&](Index part) {
    const Index first = part * kColumnsAtOnce;
    for (Index k = 0; k < n_modes; ++k)
      sum_times(&forward(2 * k, 0), &forward(2 * k + 1, 0), n_times, x + first, width,
                std::min(kColumnsAtOnce, width - first), reinterpret_cast<double*>(y + k * distance + first));
  });
}

void from_time_modes(const Matrix& backward, const std::complex<double>* y, Index distance, Index width, double* x,
                     int n_threads) {
  const Index n_modes = backward.cols() / 2, n_times = backward.rows();
  const bool in_threads = n_threads > 1 && static_cast<double>(backward.size() * width) > kTimeModeWorkForThreads;
  for_each_index((width + kColumnsAtOnce - 1) / kColumnsAtOnce, in_threads, n_threads, [&](Index part) {
    const Index first = part * kColumnsAtOnce;
    for (Index j = 0; j < n_times; ++j)
      sum_modes(&backward(j, 0), n_modes, reinterpret_cast<const double*>(y + first), distance,
                std::min(kColumnsAtOnce, width - first), x + j * width + first);
  });
}

}  // namespace gwrm
