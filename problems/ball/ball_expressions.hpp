// The expressions of a case on a tensor grid of times, radii and angles.
//
// Names   t, r, theta, phi, the Cartesian x, y, z, the constants, and in what is said of the answer the unknowns:
// scalars
//         and the components of vectors, without derivatives.
// Values  [t][phi][theta][r], the last fastest, as on the grids of sphere_transform.hpp.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "case/case.hpp"
#include "expression/expression.hpp"
#include "problems/ball/scattered_fields.hpp"
#include "problems/ball/sphere_transform.hpp"

namespace gwrm::ball {

class BallExpressions {
 public:
  explicit BallExpressions(const Case& the_case);

  // What the unknown of this number is at the points.
  using UnknownValues = std::function<std::vector<double>(std::size_t unknown)>;

  expression::Expr parse(const SourceText& text) const;        // lowered; may hold unknowns
  expression::Expr parse_known(const SourceText& text) const;  // CaseError where it holds one
  // Of r alone.
  expression::Expr parse_radial(const SourceText& text) const;

  // The radii of `points` are in units of the sphere's.
  std::vector<double> values(expression::Expr e, const std::vector<double>& times, const SpherePoints& points,
                             const UnknownValues& unknown = {}) const;
  // The same at scattered points at one time.
  std::vector<double> values_at(expression::Expr e, double time, const BallPlaces& places,
                                const UnknownValues& unknown) const;
  // Error with the place where a value is not finite.
  std::vector<double> finite_values(const SourceText& text, double time, const SpherePoints& points) const;
  // Bits of t, phi, theta, r among those that the values vary along; x, y and z are all of the last three.
  bool varies(expression::Expr e, int axis) const;
  bool depends_on_azimuth(expression::Expr e) const;  // by phi, x or y, but for what unknowns do
  bool depends_on_time(expression::Expr e) const { return varies(e, 0); }

  expression::Pool& pool() const { return *pool_; }

 private:
  void check_derivatives(expression::Expr e, const SourceText& text) const;

  double radius_;
  std::unique_ptr<expression::Pool> pool_;
};

}  // namespace gwrm::ball
