#include "basis/time_basis.hpp"

#include "basis/chebyshev.hpp"
#include "basis/radau.hpp"
#include "kernels/transform/chebyshev_matrices.hpp"

namespace gwrm {

TimeBasis::TimeBasis(Weighting weighting, Index degree, Index padded_points, int max_integrals, double start,
                     double end, double length)
    : start_(start), end_(end), length_(length) {
  if (weighting == Weighting::radau)
    build_radau(degree, max_integrals);
  else
    build_chebyshev(degree, padded_points, max_integrals);
}

void TimeBasis::build_radau(Index degree, int max_integrals) {
  nodal_ = true;
  const Radau& rule = radau(degree);
  const double half = length_ / 2.0;
  points_ = (rule.nodes.array() + 1.0) * half + start_;
  points_(degree - 1) = end_;
  weights_ = half * rule.weights;
  test_ = Matrix::Identity(degree, degree);

  // Interpolant through the nodes, of degree K - 1, and its integral of degree K.
  Matrix interpolant = Matrix::Zero(degree + 1, degree);
  interpolant.topRows(degree) = rule.coefficients;
  const Matrix integrated = half * integral_matrix(degree - 1) * rule.coefficients;
  const Vector ones = Vector::Ones(degree);

  values_ = {Matrix::Identity(degree, degree)};
  coefficients_ = {interpolant};
  state_values_ = {ones};
  state_coefficients_ = {Vector::Unit(degree + 1, 0)};
  for (int j = 1; j <= max_integrals; ++j) {
    coefficients_.push_back(integrated * values_.back());
    state_coefficients_.push_back(integrated * state_values_.back());
    values_.push_back(half * rule.integration * values_.back());
    state_values_.push_back(half * rule.integration * state_values_.back());
  }
}

void TimeBasis::build_chebyshev(Index degree, Index padded_points, int max_integrals) {
  const AxisMap map(start_, end_);
  const double half = length_ / 2.0;
  const Matrix evaluate = values_from_coefficients(padded_points, degree);
  points_ = map.from_reference(gauss_points(padded_points));
  weights_ = quadrature_weights(AxisMap(0.0, length_), padded_points);
  test_ = coefficients_from_values(degree, padded_points);

  const Matrix integrate = half * integral_matrix(degree).topRows(degree + 1);
  coefficients_ = {Matrix::Identity(degree + 1, degree + 1)};
  state_coefficients_ = {Vector::Unit(degree + 1, 0)};
  for (int j = 0; j <= max_integrals; ++j) {
    if (j > 0) {
      coefficients_.push_back(integrate * coefficients_.back());
      state_coefficients_.push_back(integrate * state_coefficients_.back());
    }
    values_.push_back(evaluate * coefficients_.back());
    state_values_.push_back(evaluate * state_coefficients_.back());
  }
}

Vector TimeBasis::points_of_last_half(Index n) const {
  const double half = length_ / 2.0;
  return (end_ - half / 2.0) + (half / 2.0) * gauss_points(n).array();
}

RowVector TimeBasis::row_at(double t, int j) const {
  const Matrix& a = coefficients(j);
  return basis_row(a.rows() - 1, AxisMap(start_, end_).to_reference(t)) * a;
}

double TimeBasis::state_at(double t, int j) const {
  const Vector& a = state_coefficients(j);
  return basis_row(a.size() - 1, AxisMap(start_, end_).to_reference(t)).dot(a);
}

}  // namespace gwrm
