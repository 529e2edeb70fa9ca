// Interpolation of numbers at points of one axis: by what functions, and from values to their coefficients.
//
// What is chosen   by what the points carry, in this order:
//   periodic       equal points once around (with or without the end that repeats the first): sines and cosines; other
//                  points once around: splines of points repeated on both sides;
//   polynomial     where the Lebesgue constant of the points over the axis and over themselves is at most kLebesgue, as
//                  for the zeros and extremes of Chebyshev polynomials, those of Legendre polynomials, or a few equal
//                  ones: written in Chebyshev polynomials;
//   spline         else: of degree 5 (less where there are fewer points), its knots the averages of 5 consecutive
//                  coordinates (de Boor, A Practical Guide to Splines (2001), chapter XIII (9)); error O(h^6).
// Error            on a line of values: of a spline the largest deviation at left-out points of the spline through
// every
//                  second one, divided by how many times smaller that is than the deviation of the spline through every
//                  fourth, at most 16 (its order promises 2^6 on equal points); or the noise, where it is larger: what
//                  the deviation with every fourth point left out exceeds a quarter of the first one by. Of a series
//                  what its last coefficients say of those that it leaves out, as of a geometric sequence, and what it
//                  misses at the points.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/axis.hpp"
#include "expression/tensor_series.hpp"

namespace gwrm {

inline constexpr double kLebesgue = 10.0;
inline constexpr int kSplineDegree = 5;

class AxisInterpolation {
 public:
  // points ascend. CaseError, whose text says what is wrong, where they do not cover the axis, or are not once around
  // a periodic one.
  AxisInterpolation(const Axis& axis, bool periodic, std::span<const double> points);

  const std::shared_ptr<const expression::AxisFunctions>& functions() const { return functions_; }
  // "a polynomial of degree 16", "splines of degree 5": how the values between the points come about.
  const std::string& text() const { return text_; }

  // Lines of values, one a column; of coefficients.
  Matrix coefficients(const Matrix& values) const;
  // The largest estimated error of the lines.
  double error(const Matrix& values) const;

 private:
  enum class Kind { waves, polynomial, spline };
  void take_waves();
  void take_polynomial(double lower, double upper);
  void take_spline(std::vector<double> points);
  Matrix repeated(const Matrix& values) const;  // those of the points that the functions take
  double deviation(const Matrix& values, bool (*is_kept)(Index point)) const;

  Kind kind_ = Kind::spline;
  Axis axis_;
  std::vector<double> points_;
  std::vector<Index> taken_;  // which point each of the interpolation's is
  bool repeats_first_ = false;
  std::shared_ptr<const expression::AxisFunctions> functions_;
  std::string text_;
};

}  // namespace gwrm
