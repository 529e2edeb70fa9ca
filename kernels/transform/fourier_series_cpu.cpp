#include <omp.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "core/buffer.hpp"
#include "core/errors.hpp"
#include "core/thread_errors.hpp"
#include "core/vector_clones.hpp"
#include "kernels/transform/fourier_lines.hpp"
#include "kernels/transform/fourier_series.hpp"
#include "kernels/transform/roots_of_unity.hpp"

namespace gwrm {
namespace {

constexpr int kPair = 2 * cpu::kLanes;  // real lines at once
constexpr double kWorthThreads = 1e5;   // numbers: below, waking threads may take longer

std::shared_ptr<const FourierPlan> plan_of(Index length) {
  static std::mutex mutex;
  static std::map<Index, std::shared_ptr<const FourierPlan>> known;
  const std::lock_guard lock(mutex);
  std::shared_ptr<const FourierPlan>& plan = known[length];
  if (plan == nullptr) plan = std::make_shared<const FourierPlan>(length);
  return plan;
}

// The i-th of sixteen real lines is the real part of lane i or the imaginary part of lane i - 8. From and to rows of
// numbers: entry k of line i at first[i] + k * stride, the lines next to each other or anywhere.
struct Rows {
  Index first[kPair];
  Index stride;
  int count;      // lines there are
  bool adjacent;  // first[i] = first[0] + i
};

GWRM_INLINE void read_row(const Rows& rows, const double* x, Index k, double* re, double* im) {
  const double* const row = x + k * rows.stride;
  double all[kPair];
  if (rows.adjacent && rows.count == kPair) {
    for (int i = 0; i < kPair; ++i) all[i] = row[rows.first[0] + i];
  } else {
    for (int i = 0; i < kPair; ++i) all[i] = i < rows.count ? row[rows.first[i]] : 0.0;
  }
  for (int i = 0; i < cpu::kLanes; ++i) {
    re[i] = all[i];
    im[i] = all[i + cpu::kLanes];
  }
}

GWRM_INLINE void write_row(const Rows& rows, const double* re, const double* im, double* y, Index k) {
  double* const row = y + k * rows.stride;
  if (rows.adjacent && rows.count == kPair) {
    for (int i = 0; i < cpu::kLanes; ++i) row[rows.first[0] + i] = re[i];
    for (int i = 0; i < cpu::kLanes; ++i) row[rows.first[0] + cpu::kLanes + i] = im[i];
    return;
  }
  for (int i = 0; i < rows.count; ++i) row[rows.first[i]] = i < cpu::kLanes ? re[i] : im[i - cpu::kLanes];
}

// X_k = h_k(f) + i h_k(g), X_{n-k} = conj h_k(f) + i conj h_k(g) with h_k = w_k (c_k - i s_k) of the two lines of a
// lane.
GWRM_VECTOR_CLONES void spectra(Index degree, Index n, const double* w, double factor, const Rows& rows,
                                const double* x, double* re, double* im) {
  constexpr int lanes = cpu::kLanes;
  double s_re[lanes], s_im[lanes], c_re[lanes], c_im[lanes];
  read_row(rows, x, 0, re, im);
  for (int i = 0; i < lanes; ++i) re[i] *= factor * w[0];
  for (int i = 0; i < lanes; ++i) im[i] *= factor * w[0];
  for (Index k = 1; k <= degree; ++k) {
    read_row(rows, x, 2 * k - 1, s_re, s_im);
    read_row(rows, x, 2 * k, c_re, c_im);
    const double a = factor * w[2 * k], b = factor * w[2 * k + 1];
    double *low_re = re + k * lanes, *low_im = im + k * lanes;
    double *high_re = re + (n - k) * lanes, *high_im = im + (n - k) * lanes;
    for (int i = 0; i < lanes; ++i) {
      const double f_re = a * c_re[i] + b * s_re[i], f_im = b * c_re[i] - a * s_re[i];
      const double g_re = a * c_im[i] + b * s_im[i], g_im = b * c_im[i] - a * s_im[i];
      low_re[i] = f_re - g_im;
      low_im[i] = f_im + g_re;
      high_re[i] = f_re + g_im;
      high_im[i] = g_re - f_im;
    }
  }
  for (Index k = degree + 1; k < n - degree; ++k)
    for (int i = 0; i < lanes; ++i) re[k * lanes + i] = im[k * lanes + i] = 0.0;
}

// c_k - i s_k = w_k F_k, 2 F_k = X_k + conj X_{n-k} and 2 i G_k = X_k - conj X_{n-k} of the two lines.
GWRM_VECTOR_CLONES void coefficients(Index degree, Index n, const double* w, double factor, const Rows& rows,
                                     const double* re, const double* im, double* y) {
  constexpr int lanes = cpu::kLanes;
  double s_re[lanes], s_im[lanes], c_re[lanes], c_im[lanes];
  for (int i = 0; i < lanes; ++i) {
    c_re[i] = factor * w[0] * re[i];
    c_im[i] = factor * w[0] * im[i];
  }
  write_row(rows, c_re, c_im, y, 0);
  for (Index k = 1; k <= degree; ++k) {
    const double a = 0.5 * factor * w[2 * k], b = 0.5 * factor * w[2 * k + 1];
    const double *low_re = re + k * lanes, *low_im = im + k * lanes;
    const double *high_re = re + (n - k) * lanes, *high_im = im + (n - k) * lanes;
    for (int i = 0; i < lanes; ++i) {
      const double f_re = low_re[i] + high_re[i], f_im = low_im[i] - high_im[i];
      const double g_re = low_im[i] + high_im[i], g_im = high_re[i] - low_re[i];
      c_re[i] = a * f_re - b * f_im;
      s_re[i] = -(a * f_im + b * f_re);
      c_im[i] = a * g_re - b * g_im;
      s_im[i] = -(a * g_im + b * g_re);
    }
    write_row(rows, s_re, s_im, y, 2 * k - 1);
    write_row(rows, c_re, c_im, y, 2 * k);
  }
}

GWRM_VECTOR_CLONES void read_values(Index n, const Rows& rows, const double* x, double* re, double* im) {
  for (Index j = 0; j < n; ++j) read_row(rows, x, j, re + j * cpu::kLanes, im + j * cpu::kLanes);
}
GWRM_VECTOR_CLONES void write_values(Index n, const Rows& rows, const double* re, const double* im, double* y) {
  for (Index j = 0; j < n; ++j) write_row(rows, re + j * cpu::kLanes, im + j * cpu::kLanes, y, j);
}

struct Workspace {
  Buffer first, second;
};
Workspace& workspace() {
  thread_local Workspace own;
  return own;
}

cpu::Planes planes(Buffer& buffer, Index length) {
  double* const memory = buffer.reserve(2 * length * cpu::kLanes);
  return {memory, memory + length * cpu::kLanes};
}

}  // namespace

// Where sixteen lines lie among the coefficients and among the values.
struct FourierSeries::Lines {
  Rows coefficients, values;
};

FourierSeries::FourierSeries(Kind kind, Index degree, Index n, int order)
    : kind_(kind), degree_(degree), order_(order) {
  if (degree < 0 || n <= 2 * degree || order < 0 || (kind == Kind::analysis && order > 0))
    throw ShapeError("a Fourier series of degree " + std::to_string(degree) +
                     " takes more than twice as many points, " + std::to_string(n) +
                     " given, and only its synthesis derivatives");
  plan_ = plan_of(n);
  // Synthesis: (i k)^m exp(i pi k / n) / 2, twice that for k = 0, where both halves of the spectrum meet.
  // Analysis: 2 exp(-i pi k / n) / n, half of that for k = 0.
  const std::complex<double> turn[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  for (Index k = 0; k <= degree; ++k) {
    const std::complex<double> shift = half_turns(k, n);
    std::complex<double> w;
    if (kind == Kind::synthesis)
      w = (k == 0 ? 1.0 : 0.5) * std::pow(static_cast<double>(k), order) * turn[order % 4] * shift;
    else
      w = (k == 0 ? 1.0 : 2.0) / static_cast<double>(n) * std::conj(shift);
    factors_.push_back(w.real());
    factors_.push_back(w.imag());
  }
}

void FourierSeries::synthesis(const Lines& lines, double factor, const double* x, double* y) const {
  const cpu::Planes a = planes(workspace().first, plan_->work_length());
  const cpu::Planes b = planes(workspace().second, plan_->work_length());
  spectra(degree_, n_points(), factors_.data(), factor, lines.coefficients, x, a.re, a.im);
  const cpu::Planes f = cpu::fourier_lines(*plan_, cpu::kLanes, a.exchanged(), b.exchanged()).exchanged();
  write_values(n_points(), lines.values, f.re, f.im, y);
}

void FourierSeries::analysis(const Lines& lines, double factor, const double* x, double* y) const {
  const cpu::Planes a = planes(workspace().first, plan_->work_length());
  const cpu::Planes b = planes(workspace().second, plan_->work_length());
  read_values(n_points(), lines.values, x, a.re, a.im);
  const cpu::Planes f = cpu::fourier_lines(*plan_, cpu::kLanes, a, b);
  coefficients(degree_, n_points(), factors_.data(), factor, lines.coefficients, f.re, f.im, y);
}

void FourierSeries::apply(double factor, const double* x, Index outer, Index inner, double* y) const {
  const Index n_lines = outer * inner, n_groups = (n_lines + kPair - 1) / kPair;
  const bool in_threads = static_cast<double>(n_lines * n_points()) > kWorthThreads && n_groups > 1 &&
                          omp_get_max_threads() > 1 && omp_in_parallel() == 0;
  const auto rows_of = [&](Index group, Index extent) {
    Rows rows{};
    rows.stride = inner;
    rows.count = static_cast<int>(std::min<Index>(kPair, n_lines - group * kPair));
    for (int i = 0; i < rows.count; ++i) {
      const Index line = group * kPair + i;
      rows.first[i] = line / inner * extent * inner + line % inner;
    }
    rows.adjacent = rows.first[rows.count - 1] == rows.first[0] + rows.count - 1;
    return rows;
  };
  ThreadErrors errors;
#pragma omp parallel for schedule(static) if (in_threads)
  for (Index group = 0; group < n_groups; ++group)
    errors.run([&] {
      const Lines lines{rows_of(group, n_coefficients()), rows_of(group, n_points())};
      if (kind_ == Kind::synthesis)
        synthesis(lines, factor, x, y);
      else
        analysis(lines, factor, x, y);
    });
  errors.rethrow();
}

}  // namespace gwrm
