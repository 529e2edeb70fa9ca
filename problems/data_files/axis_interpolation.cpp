#include "problems/data_files/axis_interpolation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "basis/axis_basis.hpp"
#include "core/errors.hpp"
#include "core/matrix_storage.hpp"

// Behind the storage that all matrices have.
#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <unsupported/Eigen/Splines>

namespace gwrm {
namespace {

using Rows = expression::AxisFunctions::Rows;

constexpr double kSamePlace = 1e-9;        // of the length of an axis
constexpr Index kMostOfPolynomial = 1025;  // points
constexpr Index kRepeatedPoints = 24;      // on either side of a period: the influence of a value on a quintic spline
                                           // falls by 0.43 from point to point, to 2e-9
constexpr int kSamplesPerPoint = 4;

std::vector<double> refined(std::span<const double> points, double lower, double upper) {
  std::vector<double> all{lower, upper};
  for (std::size_t i = 0; i < points.size(); ++i) {
    all.push_back(points[i]);
    for (int k = 1; i + 1 < points.size() && k < kSamplesPerPoint; ++k)
      all.push_back(points[i] + (points[i + 1] - points[i]) * k / kSamplesPerPoint);
  }
  std::sort(all.begin(), all.end());
  std::vector<double> inside;
  for (double z : all)
    if (z >= lower && z <= upper && (inside.empty() || z > inside.back())) inside.push_back(z);
  return inside;
}

// The functions of a basis on one subdomain.
class SeriesFunctions : public expression::AxisFunctions {
 public:
  SeriesFunctions(const AxisDescription& description, std::vector<double> sampling)
      : basis_(make_basis(description)), sampling_(std::move(sampling)) {}
  Index size() const override { return basis_->n_coefficients(); }
  Rows rows(std::span<const double> points, int order) const override {
    return {basis_->rows_at(0, points, order), std::vector<Index>(points.size(), 0)};
  }
  int highest_order() const override { return kHighestOrder; }
  std::string why_no_higher_order() const override {
    return fmt::format("no more than {} derivatives of data are formed", kHighestOrder);
  }
  std::vector<double> sampling() const override { return sampling_; }

 private:
  static constexpr int kHighestOrder = 8;
  std::shared_ptr<const AxisBasis> basis_;
  std::vector<double> sampling_;
};

// B-splines of averaged knots. Positions are mapped to [0, 1], where Eigen's knots lie.
class SplineFunctions : public expression::AxisFunctions {
 public:
  SplineFunctions(std::span<const double> points, std::vector<double> sampling)
      : first_(points.front()),
        length_(points.back() - points.front()),
        degree_(std::min<int>(kSplineDegree, static_cast<int>(points.size()) - 1)),
        size_(std::ssize(points)),
        sampling_(std::move(sampling)) {
    Spline::KnotVectorType positions(size_);
    for (Index i = 0; i < size_; ++i) positions(i) = (points[static_cast<std::size_t>(i)] - first_) / length_;
    positions(size_ - 1) = 1.0;
    Eigen::KnotAveraging(positions, degree_, knots_);
  }
  Index size() const override { return size_; }
  Rows rows(std::span<const double> points, int order) const override {
    Rows result{Matrix(std::ssize(points), degree_ + 1), {}};
    const double factor = std::pow(length_, -order);
    for (Index p = 0; p < std::ssize(points); ++p) {
      const double u = std::clamp((points[static_cast<std::size_t>(p)] - first_) / length_, 0.0, 1.0);
      result.values.row(p) = factor * Spline::BasisFunctionDerivatives(u, order, degree_, knots_).row(order).matrix();
      result.first.push_back(Spline::Span(u, degree_, knots_) - degree_);
    }
    return result;
  }
  int degree() const { return degree_; }
  int highest_order() const override { return std::max(degree_ - 1, 0); }
  std::string why_no_higher_order() const override {
    return fmt::format("splines of degree {} have {} continuous ones", degree_, highest_order());
  }
  std::vector<double> sampling() const override { return sampling_; }

 private:
  using Spline = Eigen::Spline<double, 1>;
  double first_, length_;
  int degree_;
  Index size_;
  Spline::KnotVectorType knots_;
  std::vector<double> sampling_;
};

// The largest sum |l_i| of the Lagrange polynomials of the points, halfway between neighbours and at the ends.
double lebesgue_constant(std::span<const double> points, double lower, double upper) {
  const std::size_t n = points.size();
  std::vector<double> logarithms(n, 0.0);  // of the barycentric weights
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (j != i) logarithms[i] -= std::log(std::abs(points[i] - points[j]));
  std::vector<double> places{lower, upper};
  for (std::size_t i = 0; i + 1 < n; ++i) places.push_back(0.5 * (points[i] + points[i + 1]));
  double largest = 1.0;
  for (double z : places) {
    double node = 0.0;
    bool at_point = false;
    for (double point : points) {
      at_point = at_point || std::abs(z - point) <= 1e-14 * (upper - lower);
      node += std::log(std::abs(z - point));
    }
    if (at_point) continue;
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += std::exp(node + logarithms[i] - std::log(std::abs(z - points[i])));
    largest = std::max(largest, sum);
  }
  return largest;
}

// What a series leaves out, from its last coefficients: groups of `group` (sines and cosines of two wavenumbers, two
// degrees: one of each parity) fall like a geometric sequence, whose sum behind the last is a r/(1 - r).
double truncation(const Vector& sizes, Index group) {
  constexpr double kLeastRatio = 0.03, kLargestRatio = 0.9;  // one group may be small by chance; noise does not fall
  if (sizes.size() < 2 * group) return sizes.tail(std::min(group, sizes.size())).maxCoeff();
  const double last = sizes.tail(group).maxCoeff(), before = sizes.tail(2 * group).head(group).maxCoeff();
  if (last == 0.0) return 0.0;
  const double ratio = std::clamp(last / before, kLeastRatio, kLargestRatio);
  return last * ratio / (1.0 - ratio);
}

bool are_equal(std::span<const double> points, double slack) {
  const double step = (points.back() - points.front()) / static_cast<double>(points.size() - 1);
  for (std::size_t i = 0; i < points.size(); ++i)
    if (std::abs(points[i] - points.front() - static_cast<double>(i) * step) > slack) return false;
  return true;
}

}  // namespace

AxisInterpolation::AxisInterpolation(const Axis& axis, bool periodic, std::span<const double> points)
    : axis_(axis), points_(points.begin(), points.end()) {
  const double length = axis.upper - axis.lower, slack = kSamePlace * length;
  if (points_.size() < 2)
    throw CaseError(
        fmt::format("{} has one coordinate in the file: at least 2 are needed, or leave that dimension out "
                    "of it",
                    axis.name));
  for (Index i = 0; i < std::ssize(points_); ++i) taken_.push_back(i);
  if (periodic) {
    repeats_first_ = std::abs(points_.back() - points_.front() - length) <= slack;
    if (repeats_first_) {
      points_.pop_back();
      taken_.pop_back();
    }
    const double n = static_cast<double>(points_.size()), step = length / n;
    if (points_.back() - points_.front() >= length - slack)
      throw CaseError(
          fmt::format("{} is periodic with the length {:g}, and its coordinates in the file, {:g} to {:g}, "
                      "are more than once around",
                      axis.name, length, points.front(), points.back()));
    const bool equal =
        points_.size() > 1 && are_equal(points_, slack) && std::abs(points_[1] - points_[0] - step) <= slack;
    if (equal) {
      take_waves();
      return;
    }
    double widest = points_.front() + length - points_.back();
    double mean_step = (points_.back() - points_.front()) / std::max(1.0, n - 1.0);
    for (std::size_t i = 0; i + 1 < points_.size(); ++i) widest = std::max(widest, points_[i + 1] - points_[i]);
    if (points_.size() < 4 || points_.front() + length - points_.back() > 2.0 * std::max(mean_step, 0.0) + slack)
      throw CaseError(
          fmt::format("{} is periodic with the length {:g}, and its coordinates in the file, {:g} to {:g}, "
                      "do not go once around",
                      axis.name, length, points.front(), points.back()));
    std::vector<double> around;
    const Index own = std::ssize(points_), extra = std::min(kRepeatedPoints, own);
    taken_.clear();
    for (Index i = -extra; i < own + extra; ++i) {
      const Index from = (i + own) % own;
      taken_.push_back(from);
      around.push_back(points_[static_cast<std::size_t>(from)] + (i < 0 ? -length : i >= own ? length : 0.0));
    }
    // The axis itself may begin elsewhere on the circle.
    const double turn = length * std::floor((axis.lower - around[static_cast<std::size_t>(extra)]) / length);
    for (double& z : around) z += turn;
    while (around.back() < axis.upper) {  // points that begin just behind the axis
      std::vector<double> more(around.end() - own, around.end());
      for (Index i = 0; i < own; ++i) taken_.push_back(taken_[taken_.size() - static_cast<std::size_t>(own)]);
      for (double z : more) around.push_back(z + length);
    }
    take_spline(std::move(around));
    return;
  }
  const double lower = std::min(axis.lower, points_.front()), upper = std::max(axis.upper, points_.back());
  const bool covers = points_.front() <= axis.lower + slack && points_.back() >= axis.upper - slack;
  if (std::ssize(points_) <= kMostOfPolynomial && lebesgue_constant(points_, lower, upper) <= kLebesgue) {
    take_polynomial(lower, upper);
    return;
  }
  if (!covers)
    throw CaseError(
        fmt::format("{} is in [{:g}, {:g}], and its coordinates in the file are {:g} to {:g}: they have to "
                    "cover the dimension",
                    axis.name, axis.lower, axis.upper, points_.front(), points_.back()));
  take_spline(points_);
}

void AxisInterpolation::take_waves() {
  kind_ = Kind::waves;
  const int highest = (static_cast<int>(points_.size()) - 1) / 2;
  functions_ = std::make_shared<const SeriesFunctions>(
      AxisDescription{highest, {axis_.lower, axis_.upper}, MapKind::linear, kFourier}, [&] {
        std::vector<double> all;
        const int n = 2 * kSamplesPerPoint * (highest + 1);
        for (int i = 0; i <= n; ++i) all.push_back(axis_.lower + (axis_.upper - axis_.lower) * i / n);
        return all;
      }());
  text_ = fmt::format("sines and cosines up to wavenumber {}", highest);
}

void AxisInterpolation::take_polynomial(double lower, double upper) {
  kind_ = Kind::polynomial;
  const int degree = static_cast<int>(points_.size()) - 1;
  functions_ = std::make_shared<const SeriesFunctions>(
      AxisDescription{degree, {lower, upper}, MapKind::linear, kChebyshev}, refined(points_, axis_.lower, axis_.upper));
  text_ = fmt::format("a polynomial of degree {}", degree);
}

void AxisInterpolation::take_spline(std::vector<double> points) {
  kind_ = Kind::spline;
  auto splines = std::make_shared<const SplineFunctions>(points, refined(points, axis_.lower, axis_.upper));
  text_ = fmt::format("splines of degree {}", splines->degree());
  functions_ = std::move(splines);
  points_ = std::move(points);
}

Matrix AxisInterpolation::repeated(const Matrix& values) const {
  Matrix result(std::ssize(taken_), values.cols());
  for (Index i = 0; i < result.rows(); ++i) result.row(i) = values.row(taken_[static_cast<std::size_t>(i)]);
  return result;
}

Matrix AxisInterpolation::coefficients(const Matrix& all) const {
  if (repeats_first_) {
    const double size = all.cwiseAbs().maxCoeff();
    const double gap = (all.row(0) - all.row(all.rows() - 1)).cwiseAbs().maxCoeff();
    constexpr double kSameValue = 1e-6;
    if (gap > kSameValue * size)
      throw CaseError(
          fmt::format("{} is periodic, and the values at its two ends in the file differ by {:.3g} of their "
                      "size",
                      axis_.name, gap / size));
  }
  const Matrix values = repeated(all);
  const Rows rows = functions_->rows(points_, 0);
  const Index n = functions_->size();
  if (kind_ == Kind::waves) {  // orthogonal on equal points
    Vector squares = rows.values.colwise().squaredNorm();
    return squares.cwiseInverse().asDiagonal() * (rows.values.transpose() * values);
  }
  if (kind_ == Kind::polynomial) return rows.values.partialPivLu().solve(values);
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < rows.values.rows(); ++i)
    for (Index w = 0; w < rows.values.cols(); ++w)
      entries.emplace_back(static_cast<int>(i), static_cast<int>(rows.first[static_cast<std::size_t>(i)] + w),
                           rows.values(i, w));
  Eigen::SparseMatrix<double, Eigen::ColMajor> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SparseLU<Eigen::SparseMatrix<double, Eigen::ColMajor>> factors(matrix);
  if (factors.info() != Eigen::Success) throw CaseError("no spline goes through the points along " + axis_.name);
  using Columns = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>;
  const Columns right = values;
  const Columns solved = factors.solve(right);
  return solved;
}

// Of the interpolant through the first and the last point and those that are kept, at the others.
double AxisInterpolation::deviation(const Matrix& values, bool (*is_kept)(Index point)) const {
  std::vector<double> kept, left_out;
  std::vector<Index> kept_at, left_out_at;
  for (Index i = 0; i < std::ssize(points_); ++i) {
    const bool keep = i == 0 || i + 1 == std::ssize(points_) || is_kept(i);
    (keep ? kept : left_out).push_back(points_[static_cast<std::size_t>(i)]);
    (keep ? kept_at : left_out_at).push_back(i);
  }
  if (left_out.empty() || kept.size() < 2) return values.cwiseAbs().maxCoeff();
  AxisInterpolation coarse = *this;
  coarse.taken_ = kept_at;
  coarse.repeats_first_ = false;
  coarse.take_spline(kept);
  const Matrix coefficients = coarse.coefficients(values);
  const Rows rows = coarse.functions_->rows(left_out, 0);
  double largest = 0.0;
  for (Index p = 0; p < rows.values.rows(); ++p) {
    RowVector difference = -values.row(left_out_at[static_cast<std::size_t>(p)]);
    for (Index w = 0; w < rows.values.cols(); ++w)
      difference += rows.values(p, w) * coefficients.row(rows.first[static_cast<std::size_t>(p)] + w);
    largest = std::max(largest, difference.cwiseAbs().maxCoeff());
  }
  return largest;
}

double AxisInterpolation::error(const Matrix& all) const {
  if (kind_ == Kind::spline) {
    constexpr double kLargestGain = 16.0;  // a quarter of 2^6: unequal points gain less
    // At a point that is left out between neighbours the polynomial through the six next ones misses 36 h^6 u^(6)/720,
    // through every second one 225 h^6 u^(6)/720: 0.16 times. Noise is as large for both.
    constexpr double kSmoothShare = 0.25, kOfNoise = 1.0 / (1.0 - kSmoothShare);
    const Matrix values = repeated(all);
    const double second = deviation(values, [](Index i) { return i % 2 == 0; }),
                 fourth = deviation(values, [](Index i) { return i % 4 == 0; }),
                 between = deviation(values, [](Index i) { return i % 4 != 2; });
    if (second == 0.0) return 0.0;
    const double noise = kOfNoise * std::max(0.0, between - kSmoothShare * second);
    return std::max(noise, second / std::clamp(fourth / second, 1.0, kLargestGain));
  }
  const Matrix a = coefficients(all);
  const Matrix missed = functions_->rows(points_, 0).values * a - repeated(all);
  return truncation(a.cwiseAbs().rowwise().maxCoeff(), kind_ == Kind::waves ? 4 : 2) + missed.cwiseAbs().maxCoeff();
}

}  // namespace gwrm
