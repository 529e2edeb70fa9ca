// Products of fields that evolve, and reactions, in their weak form; and their derivatives, which are exact: every
// product is bilinear.
//
// Advection  scalar: -U . grad Theta = -div(U Theta), tested with phi Y: <grad(phi Y), U Theta>; U does not leave
//            through the surface.
// Induction  magnetic: curl(U x B), tested as in ball_terms.hpp. At a perfect conductor U x B is along the normal.
// Inertia    velocity: -(U . grad) U = U x curl U - grad |U|^2/2, tested with curl(phi Y r) and curl curl(phi Y r),
//            divided by l (l+1), to which gradients are orthogonal.
// Lorentz    velocity: factor (curl B) x B, tested likewise.
// Reaction   scalar: R(u_1, ..), tested with phi Y.
// Given flow u: what it does beside U, linear in the fields, is ball_terms.hpp's.
// Curls      from tables of the radial functions (vector_fields.hpp): nothing is differentiated on points.
// Grid       Gauss nodes that integrate the products of two fields and a test function exactly; those of reactions that
//            are polynomials of the third degree at most, too.
// Cost       of a derivative: a synthesis of each field and curl, one analysis of each equation.
// Source     method/ball, section 6.
#pragma once

#include <memory>
#include <vector>

#include "problems/ball/grid_products.hpp"
#include "problems/ball/reactions.hpp"
#include "problems/ball/vector_fields.hpp"

namespace gwrm::ball {

class EvolvingTerms {
 public:
  EvolvingTerms(const BallModel& model, const BallSpace& space);

  bool any() const { return transform_ != nullptr; }

  // Fields on the points, by field of the case (a scalar in the first component); empty where no term reads them.
  struct Values {
    std::vector<Components> fields, curls;
  };
  Values on_points(const double* e) const;
  // Of the reactions at the values, in the order of Reactions::derivatives().
  std::vector<std::vector<double>> reaction_slopes(const Values& at, double time) const;

  // Adds <E_n Y, terms>, or their derivative at `at` along `v`, to moments in the order of the series. Several threads
  // may call.
  void add_moments(const Values& at, double time, double* moments) const;
  void add_derivative(const Values& at, const std::vector<std::vector<double>>& slopes, const Values& v,
                      double* moments) const;

  double largest_speed(const double* e) const;  // of the velocity, on the points
  // Parts whose fields the velocity carries.
  const std::vector<std::size_t>& carried() const { return carried_; }
  // What of them is formed on points, but reactions: a field of one set of values times one of another.
  GridProducts products() const;
  bool has_reactions() const { return reactions_.any(); }
  // Numbers that one Values takes.
  std::size_t n_numbers() const;

 private:
  using Products = std::vector<Components>;  // by field: what its equation is tested with; reactions apart
  void form(const Values& a, const Values& b, Products& products) const;
  void test(const Products& products, const std::vector<std::vector<double>>& reactions, double* moments) const;

  const BallModel& model_;
  const BallSpace& space_;
  double radius_;
  Reactions reactions_;
  int velocity_ = -1;  // the field that carries others
  bool advection_ = false, induction_ = false;
  std::vector<bool> read_, curl_read_;                      // by field
  std::vector<std::size_t> inertial_, magnetic_, carried_;  // fields with inertia, fields whose force acts, parts
  std::unique_ptr<SphereQuadrature> quadrature_;
  std::unique_ptr<SphereTransform> transform_;
};

}  // namespace gwrm::ball
