#include "problems/eigenvalue/curve_series.hpp"

#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "basis/axis_basis.hpp"
#include "problems/time_spectral/finer_comparison.hpp"

namespace gwrm {
namespace {

constexpr double kRunOfDouble = 0.125;  // of the points: beyond so many beside each other they are taken as they are

using Number = std::complex<double>;

// Values of the basis at points of the parameter: points x coefficients.
Eigen::MatrixXd rows_at(const AxisDescription& along, const std::vector<double>& at) {
  return make_basis(along)->rows_at(0, at, 0);
}

Number product(const Eigen::VectorXcd& a, const Eigen::VectorXcd& b, const Eigen::VectorXd& shares) {
  return (a.conjugate().array() * shares.array() * b.array()).sum();
}

bool is_real(const Curve& curve) {
  return !any_complex(curve.modes);
}

// The mode by the factor, its left mode such that their product stays.
void multiply(Mode& mode, Number factor) {
  mode.vector *= factor;
  mode.left_functions /= std::conj(factor);
}

// Real and of one sign, or of one phase, along the curve.
void choose_factors(const Eigen::VectorXd& shares, Curve& curve) {
  Eigen::VectorXcd mean = Eigen::VectorXcd::Zero(shares.size());
  const Mode* before = nullptr;
  for (std::size_t p = 0; p < curve.modes.size(); ++p) {
    const Eigen::VectorXcd& v = curve.modes[p].vector;
    multiply(curve.modes[p], 1.0 / std::sqrt(product(v, v, shares).real()));
    if (before != nullptr) {
      const Number turned = product(before->vector, v, shares);
      if (turned != 0.0) multiply(curve.modes[p], std::abs(turned) / turned);
    }
    mean += v;
    if (!curve.is_double[p]) before = &curve.modes[p];
  }
  if (is_real(curve)) {
    for (Mode& mode : curve.modes)
      for (Eigen::VectorXcd* functions : {&mode.vector, &mode.left_functions}) functions->imag().setZero();
    return;
  }
  for (Mode& mode : curve.modes) {
    const Number turned = product(mean, mode.vector, shares);
    if (turned != 0.0) multiply(mode, std::abs(turned) / turned);
  }
}

// Where some point has none, but for those that are filled, there are no left modes along the curve.
void keep_left_if_complete(Curve& curve) {
  bool complete = true;
  for (std::size_t p = 0; p < curve.modes.size(); ++p)
    complete = complete && (curve.is_double[p] || curve.modes[p].left_functions.size() > 0);
  for (std::size_t p = 0; p < curve.modes.size(); ++p)
    if (!complete || curve.is_double[p]) curve.modes[p].left_functions.resize(0);
}

// Long runs are no points of crossing.
void keep_short_runs(std::vector<bool>& flags) {
  const auto most = static_cast<std::size_t>(kRunOfDouble * static_cast<double>(flags.size()));
  for (std::size_t begin = 0; begin < flags.size();) {
    std::size_t end = begin;
    while (end < flags.size() && flags[end] == flags[begin]) ++end;
    if (flags[begin] && end - begin > std::max<std::size_t>(most, 1))
      std::fill(flags.begin() + static_cast<std::ptrdiff_t>(begin), flags.begin() + static_cast<std::ptrdiff_t>(end),
                false);
    begin = end;
  }
}

// Where the eigenvalue is double: the polynomial through the other points.
void fill_double(const std::vector<CurvePoint>& points, const AxisDescription& along, Curve& curve) {
  std::vector<double> good;
  for (std::size_t p = 0; p < points.size(); ++p)
    if (!curve.is_double[p]) good.push_back(points[p].at);
  if (good.size() == points.size()) return;
  AxisDescription fit = along;
  fit.degree = std::min(along.degree + along.degree / 2, static_cast<int>(good.size()) - 1);
  const Index n = curve.modes.front().vector.size();
  const std::size_t first = static_cast<std::size_t>(std::find(curve.is_double.begin(), curve.is_double.end(), false) -
                                                     curve.is_double.begin());
  const Index n_left = first < points.size() ? curve.modes[first].left_functions.size() : 0;
  Eigen::MatrixXcd data(static_cast<Index>(good.size()), n + n_left + 1);
  Index row = 0;
  for (std::size_t p = 0; p < points.size(); ++p) {
    if (curve.is_double[p]) continue;
    data.row(row).head(n) = curve.modes[p].vector.transpose();
    data.row(row).segment(n, n_left) = curve.modes[p].left_functions.transpose();
    data(row++, n + n_left) = curve.modes[p].value;
  }
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(rows_at(fit, good));
  const Eigen::MatrixXd re = qr.solve(Eigen::MatrixXd(data.real())), im = qr.solve(Eigen::MatrixXd(data.imag()));
  for (std::size_t p = 0; p < points.size(); ++p) {
    if (!curve.is_double[p]) continue;
    const Eigen::MatrixXd at = rows_at(fit, {points[p].at});
    const Eigen::VectorXcd filled = (at * re).transpose() + Number(0.0, 1.0) * (at * im).transpose();
    curve.modes[p].vector = filled.head(n);
    curve.modes[p].left_functions = filled.segment(n, n_left);
    curve.modes[p].value = filled(n + n_left);
  }
}

ModeSeries series_of(const std::vector<CurvePoint>& points, const AxisDescription& along, const Curve& curve) {
  const auto basis = make_basis(along);
  const Index n = basis->n_coefficients();
  const Matrix analysis = basis->analysis(n).dense();
  const Vector nodes = basis->grid(n).points;
  const Mode& any = curve.modes.front();
  Mode zero{0.0, Eigen::VectorXcd::Zero(any.vector.size()), 0.0};
  zero.left_functions = Eigen::VectorXcd::Zero(any.left_functions.size());
  ModeSeries series(static_cast<std::size_t>(n), zero);
  for (Index j = 0; j < n; ++j) {
    const auto point =
        std::find_if(points.begin(), points.end(), [&](const CurvePoint& p) { return p.is_node && p.at == nodes(j); });
    const Mode& mode = curve.modes[static_cast<std::size_t>(point - points.begin())];
    for (Index m = 0; m < n; ++m) {
      series[static_cast<std::size_t>(m)].value += analysis(m, j) * mode.value;
      series[static_cast<std::size_t>(m)].vector += analysis(m, j) * mode.vector;
      series[static_cast<std::size_t>(m)].left_functions += analysis(m, j) * mode.left_functions;
    }
  }
  return series;
}

void scale(const Pencil& pencil, Curve& curve) {
  Number factor = 1.0;
  double size = 0.0;
  std::vector<std::vector<double>> in_space;
  for (const AxisDescription& axis : pencil.system().discretisation().subdomains()) in_space.push_back(places(axis));
  for (const Mode& mode : curve.modes)
    for (int f = 0; f + 1 < static_cast<int>(pencil.system().model().fields.size()); ++f)
      for (const Number value : mode_values(pencil, mode.vector, f, in_space))
        if (std::abs(value) > (1.0 + 1e-6) * size) size = std::abs(value), factor = value;
  for (Mode& mode : curve.modes) multiply(mode, 1.0 / factor);
}

}  // namespace

void make_series(const std::vector<CurvePoint>& points, const AxisDescription& along, const Pencil& pencil,
                 Curve& curve) {
  keep_short_runs(curve.is_double);
  keep_left_if_complete(curve);
  choose_factors(pencil.shares(), curve);
  fill_double(points, along, curve);
  scale(pencil, curve);
  curve.series = series_of(points, along, curve);
}

Mode at_parameter(const AxisDescription& along, const ModeSeries& series, double at) {
  const Eigen::MatrixXd row = rows_at(along, {at});
  Mode result{0.0, Eigen::VectorXcd::Zero(series.front().vector.size()), 0.0};
  for (std::size_t m = 0; m < series.size(); ++m) {
    result.value += row(0, static_cast<Index>(m)) * series[m].value;
    result.vector += row(0, static_cast<Index>(m)) * series[m].vector;
  }
  return result;
}

}  // namespace gwrm
