#include "output/parameter_quantiles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "basis/axis_basis.hpp"
#include "basis/orthogonal_basis.hpp"

namespace gwrm {
namespace {

constexpr Index kMostSamples = 4096, kFewestSamples = 256;
constexpr Index kMaxWeights = Index{1} << 20;  // 8 MB
constexpr Index kCasesAtOnce = 256;

// Without a distribution: uniform, or log-uniform on a log map.
double quantile_of(const AxisDescription& axis, double p) {
  if (const auto distribution = distribution_of(axis)) return distribution->quantile(p);
  const double lower = axis.edges.front(), upper = axis.edges.back();
  return axis.map == MapKind::log ? lower * std::pow(upper / lower, p) : lower + (upper - lower) * p;
}

// The positive root of g^(d+1) = g + 1, by its fixed point.
double generalised_golden_ratio(int d) {
  double g = 2.0;
  for (int step = 0; step < 100; ++step) g = std::pow(1.0 + g, 1.0 / (d + 1));
  return g;
}

// Between the sorted samples, which stand for the probabilities (j + 1/2)/n.
double between(const std::vector<double>& sorted, double p, bool cubic) {
  const Index n = std::ssize(sorted);
  const double position = std::clamp(p * static_cast<double>(n) - 0.5, 0.0, static_cast<double>(n - 1));
  const Index j = std::min(static_cast<Index>(position), n - 2);
  const double s = position - static_cast<double>(j);
  const auto value = [&](Index i) { return sorted[static_cast<std::size_t>(i)]; };
  if (!cubic || j == 0 || j + 2 >= n) return (1.0 - s) * value(j) + s * value(j + 1);
  const double interpolated =
      -s * (s - 1.0) * (s - 2.0) / 6.0 * value(j - 1) + (s + 1.0) * (s - 1.0) * (s - 2.0) / 2.0 * value(j) -
      (s + 1.0) * s * (s - 2.0) / 2.0 * value(j + 1) + (s + 1.0) * s * (s - 1.0) / 6.0 * value(j + 2);
  return std::clamp(interpolated, value(j), value(j + 1));
}

}  // namespace

QuantileSamples::QuantileSamples(const std::vector<AxisDescription>& axes, const std::vector<Index>& n_points)
    : one_parameter_(axes.size() == 1) {
  Index n_grid = 1;
  for (const Index n : n_points) n_grid *= n;
  Index n_samples = kMostSamples;
  while (n_samples * n_grid > kMaxWeights && n_samples > kFewestSamples) n_samples /= 2;
  if (axes.empty() || n_samples * n_grid > kMaxWeights) return;
  const double ratio = generalised_golden_ratio(static_cast<int>(axes.size()));
  weights_ = Matrix::Ones(n_samples, 1);
  double step = 1.0;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    step /= ratio;
    std::vector<double> samples;
    for (Index i = 0; i < n_samples; ++i) {
      const double turn = 0.5 + static_cast<double>(i + 1) * step;
      const double p = one_parameter_ ? (static_cast<double>(i) + 0.5) / static_cast<double>(n_samples)
                                      : std::max(turn - std::floor(turn), 0.25 / static_cast<double>(n_samples));
      samples.push_back(quantile_of(axes[a], p));
    }
    AxisDescription through_points = axes[a];
    through_points.degree = static_cast<int>(n_points[a]) - 1;
    const auto basis = make_basis(through_points);
    const Matrix own = basis->rows_at(0, samples, 0) * basis->analysis(n_points[a]).dense();
    Matrix product(n_samples, weights_.cols() * n_points[a]);
    for (Index s = 0; s < n_samples; ++s)
      for (Index q = 0; q < weights_.cols(); ++q)
        product.row(s).segment(q * n_points[a], n_points[a]) = weights_(s, q) * own.row(s);
    weights_ = std::move(product);
  }
}

Matrix QuantileSamples::quantiles(const Matrix& values, std::span<const double> probabilities) const {
  Matrix result = Matrix::Constant(std::ssize(probabilities), values.cols(), std::numeric_limits<double>::quiet_NaN());
  if (weights_.size() == 0) return result;
  std::vector<double> sorted(static_cast<std::size_t>(weights_.rows()));
  for (Index first = 0; first < values.cols(); first += kCasesAtOnce) {
    const Index n = std::min(kCasesAtOnce, values.cols() - first);
    const Matrix samples = weights_ * values.middleCols(first, n);
    for (Index c = 0; c < n; ++c) {
      if (!values.col(first + c).allFinite()) continue;
      for (Index s = 0; s < samples.rows(); ++s) sorted[static_cast<std::size_t>(s)] = samples(s, c);
      std::sort(sorted.begin(), sorted.end());
      for (std::size_t q = 0; q < probabilities.size(); ++q)
        result(static_cast<Index>(q), first + c) = between(sorted, probabilities[q], one_parameter_);
    }
  }
  return result;
}

}  // namespace gwrm
