#include "basis/fourier_basis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <map>
#include <mutex>
#include <numbers>
#include <tuple>

#include "core/errors.hpp"
#include "core/remembered.hpp"
#include "core/vector_clones.hpp"
#include "kernels/transform/fourier_series.hpp"
#include "kernels/transform/roots_of_unity.hpp"

namespace gwrm {
namespace {

constexpr long double kTurn = 2.0L * std::numbers::pi_v<long double>;

// d^m/dtheta^m sin(k theta) = k^m sin(k theta + m pi/2), of the cosine likewise: each is one of the two again, with a
// sign.
struct Turned {
  bool swaps;  // sine and cosine
  double of_sine, of_cosine;
};
Turned turned(int order) {
  constexpr std::array<Turned, 4> all{{{false, 1, 1}, {true, 1, -1}, {false, -1, -1}, {true, -1, 1}}};
  return all[static_cast<std::size_t>(order % 4)];
}

// The functions 1, sin theta, cos theta, .. after `order` derivatives with respect to theta; unit(k) is
// exp(i k theta).
template <class Unit, class Row>
void fill_row(Index degree, int order, const Unit& unit, Row row) {
  const Turned by = turned(order);
  row(0) = order == 0 ? 1.0 : 0.0;
  for (Index k = 1; k <= degree; ++k) {
    const std::complex<double> e = unit(k);
    const double size = std::pow(static_cast<double>(k), order);
    row(2 * k - 1) = size * by.of_sine * (by.swaps ? e.real() : e.imag());
    row(2 * k) = size * by.of_cosine * (by.swaps ? e.imag() : e.real());
  }
}

// On theta_i = (2 i + 1) pi / n, where k theta_i is one of 2 n angles.
Matrix values_on_grid(int degree, Index n, int order) {
  std::vector<std::complex<double>> roots;
  for (Index j = 0; j < 2 * n; ++j) roots.push_back(half_turns(j, n));
  Matrix values(n, 2 * Index{degree} + 1);
  for (Index i = 0; i < n; ++i)
    fill_row(
        degree, order, [&](Index k) { return roots[static_cast<std::size_t>(k * (2 * i + 1) % (2 * n))]; },
        values.row(i));
  return values;
}

std::shared_ptr<const Matrix> reference_values(int degree, Index n, int order) {
  static Remembered<Matrix, int, Index, int> memory;
  return memory.get({degree, n, order}, [&] { return values_on_grid(degree, n, order); });
}

// a_0 = (1/n) sum f_i, the others (2/n) sum f_i phi_k(theta_i).
std::shared_ptr<const Matrix> reference_coefficients(int degree, Index n) {
  static Remembered<Matrix, int, Index> memory;
  return memory.get({degree, n}, [&] {
    Matrix rows = values_on_grid(degree, n, 0).transpose() * (2.0 / static_cast<double>(n));
    rows.row(0) /= 2.0;
    return rows;
  });
}

// A fast transform in place of the matrix, where it is faster.
std::shared_ptr<const FourierSeries> fast_series(FourierSeries::Kind kind, int degree, Index n, int order) {
  if (!FourierSeries::is_faster_than_matrix(degree) || n <= 2 * degree) return nullptr;
  static std::mutex mutex;
  static std::map<std::tuple<FourierSeries::Kind, int, Index, int>, std::shared_ptr<const FourierSeries>> known;
  const std::lock_guard lock(mutex);
  std::shared_ptr<const FourierSeries>& series = known[{kind, degree, n, order}];
  if (series == nullptr) series = std::make_shared<const FourierSeries>(kind, degree, n, order);
  return series;
}

// exp(i k theta) for theta = `position` of a turn, the whole turns taken off before the sine is.
std::complex<double> unit_at(Index k, long double position) {
  const long double turns = static_cast<long double>(k) * position;
  const long double angle = kTurn * (turns - std::nearbyint(turns));
  return {static_cast<double>(std::cos(angle)), static_cast<double>(std::sin(angle))};
}

// theta of a point, in two parts of a double each: 2 pi (z - lower) / length less whole turns. What each operation
// rounds away goes to `rest`.
struct Angle {
  double theta, rest;
};
GWRM_INLINE Angle angle_of(double z, double lower, double length) {
  constexpr double kHigh = static_cast<double>(kTurn), kLow = static_cast<double>(kTurn - kHigh);
  constexpr double kInteger = 0x1.8p52;  // added and taken off it rounds to an integer
  const double distance = z - lower, moved = distance - z;
  const double lost = (z - (distance - moved)) - (lower + moved);
  const double turns = distance / length;
  const double rest = (std::fma(-turns, length, distance) + lost) / length;
  const double fraction = turns - ((turns + kInteger) - kInteger);
  const double theta = fraction * kHigh;
  return {theta, std::fma(fraction, kHigh, -theta) + (fraction * kLow + rest * kHigh)};
}

GWRM_VECTOR_CLONES void all_angles(std::span<const double> z, double lower, double length, double* theta) {
  for (std::size_t i = 0; i < z.size(); ++i) {
    const Angle angle = angle_of(z[i], lower, length);
    theta[i] = angle.theta + angle.rest;
  }
}

constexpr std::size_t kPointsAtOnce = 16;  // at once in fast_rows
using PointValues = std::array<double, kPointsAtOnce>;

// exp(i (k + 1) theta) = exp(i k theta) exp(i theta): an error of half a unit in the last place each time.
GWRM_VECTOR_CLONES void rotated_rows(Index degree, int order, double slope, const PointValues& cosine,
                                     const PointValues& sine, std::size_t count, Index stride, double* rows) {
  const Turned by = turned(order);
  PointValues c = cosine, s = sine;
  for (std::size_t i = 0; i < count; ++i) rows[i] = order == 0 ? 1.0 : 0.0;
  for (Index k = 1; k <= degree; ++k) {
    const double size = std::pow(static_cast<double>(k) * slope, order);
    double* const of_sine = rows + (2 * k - 1) * stride;
    double* const of_cosine = of_sine + stride;
    for (std::size_t i = 0; i < count; ++i) of_sine[i] = size * by.of_sine * (by.swaps ? c[i] : s[i]);
    for (std::size_t i = 0; i < count; ++i) of_cosine[i] = size * by.of_cosine * (by.swaps ? s[i] : c[i]);
    for (std::size_t i = 0; i < kPointsAtOnce; ++i) {
      const double next = c[i] * cosine[i] - s[i] * sine[i];
      s[i] = s[i] * cosine[i] + c[i] * sine[i];
      c[i] = next;
    }
  }
}

}  // namespace

FourierBasis::FourierBasis(const AxisDescription& d) : AxisBasis(d) {
  if (d.n_subdomains() != 1 || d.map != MapKind::linear)
    throw ShapeError("a Fourier series needs an undivided axis and a linear map");
}

double FourierBasis::factor(int order) const {
  return std::pow(static_cast<double>(kTurn / static_cast<long double>(length())), order);
}

Index FourierBasis::n_points(int n_factors) const {
  const Index least = Index{n_factors + 1} * degree() + 1;
  return FourierSeries::is_faster_than_matrix(degree()) ? smooth_length(least) : least;
}

AxisGrid FourierBasis::grid(Index n) const {
  AxisGrid result{Vector(n), Vector::Constant(n, length() / static_cast<double>(n))};
  for (Index i = 0; i < n; ++i)
    result.points(i) = lower() + length() * (static_cast<double>(i) + 0.5) / static_cast<double>(n);
  return result;
}

bool FourierBasis::is_grid(std::span<const double> points) const {
  const Vector own = grid(static_cast<Index>(points.size())).points;
  return points.size() > 1 && std::equal(points.begin(), points.end(), own.data());
}

Vector FourierBasis::mean_weights(Index n) const {
  return Vector::Constant(n, 1.0 / static_cast<double>(n));
}

BlockMatrix FourierBasis::synthesis(Index n, int order) const {
  BlockMatrix result(n, n_coefficients());
  result.blocks.push_back({0,
                           0,
                           reference_values(degree(), n, order),
                           factor(order),
                           {},
                           fast_series(FourierSeries::Kind::synthesis, degree(), n, order)});
  return result;
}

BlockMatrix FourierBasis::analysis(Index n) const {
  BlockMatrix result(n_coefficients(), n);
  result.blocks.push_back(
      {0, 0, reference_coefficients(degree(), n), 1.0, {}, fast_series(FourierSeries::Kind::analysis, degree(), n, 0)});
  return result;
}

std::vector<double> FourierBasis::derivative_factors(int order) const {
  std::vector<double> factors(static_cast<std::size_t>(n_coefficients()), 0.0);
  const Turned by = turned(order);
  if (order == 0) factors.front() = 1.0;
  for (Index k = 1; k <= degree(); ++k) {
    const double size = std::pow(static_cast<double>(k), order) * factor(order);
    double* of_wavenumber = factors.data() + 2 * k - 1;  // sine, cosine
    of_wavenumber[0] = size * (by.swaps ? by.of_cosine : by.of_sine);
    of_wavenumber[1] = size * (by.swaps ? by.of_sine : by.of_cosine);
  }
  return factors;
}

Matrix FourierBasis::derivative(int order) const {
  Matrix result = Matrix::Zero(n_coefficients(), n_coefficients());
  const std::vector<double> factors = derivative_factors(order);
  for (Index i = 0; i < n_coefficients(); ++i) {
    const Index other = i == 0 ? 0 : i % 2 == 1 ? i + 1 : i - 1;
    result(i, order % 2 == 0 ? i : other) = factors[static_cast<std::size_t>(i)];
  }
  return result;
}

Matrix FourierBasis::rows_at(Index, std::span<const double> points, int order) const {
  Matrix values(static_cast<Index>(points.size()), n_coefficients());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const long double position = (static_cast<long double>(points[i]) - lower()) / length();
    fill_row(
        degree(), order, [&](Index k) { return unit_at(k, position); }, values.row(static_cast<Index>(i)));
  }
  return values * factor(order);
}

bool FourierBasis::fast_rows(Index, std::span<const double> points, int order, Index stride, double* rows) const {
  for (std::size_t first = 0; first < points.size(); first += kPointsAtOnce) {
    const std::size_t count = std::min(kPointsAtOnce, points.size() - first);
    PointValues cosine{}, sine{};
    for (std::size_t i = 0; i < count; ++i) {
      const Angle angle = angle_of(points[first + i], lower(), length());
      const double c = std::cos(angle.theta), s = std::sin(angle.theta);
      cosine[i] = c - s * angle.rest;
      sine[i] = s + c * angle.rest;
    }
    rotated_rows(degree(), order, factor(1), cosine, sine, count, stride, rows + first);
  }
  return true;
}

void FourierBasis::angles(std::span<const double> z, double* theta) const {
  all_angles(z, lower(), length(), theta);
}

Matrix FourierBasis::at_positions(std::span<const double> xi) const {
  Matrix values(static_cast<Index>(xi.size()), n_coefficients());
  for (std::size_t i = 0; i < xi.size(); ++i) {
    const long double position = (static_cast<long double>(xi[i]) + 1.0L) / 2.0L;
    fill_row(
        degree(), 0, [&](Index k) { return unit_at(k, position); }, values.row(static_cast<Index>(i)));
  }
  return values;
}

RowVector FourierBasis::integral_row() const {
  RowVector sums = RowVector::Zero(n_coefficients());
  sums(0) = length();
  return sums;
}

BlockMatrix FourierBasis::jump(int) const {
  return BlockMatrix(0, n_coefficients());
}

std::vector<double> FourierBasis::mean_square() const {
  std::vector<double> shares(static_cast<std::size_t>(n_coefficients()), 0.5);
  shares.front() = 1.0;
  return shares;
}

double FourierBasis::slope_bound() const {
  return factor(1) * degree();
}

}  // namespace gwrm
