// Reactions of the scalars of a case: R_i(u_1, u_2, .., t, place), and their derivatives by the expression layer.
#pragma once

#include <cstddef>
#include <vector>

#include "problems/ball/ball_model.hpp"

namespace gwrm::ball {

class Reactions {
 public:
  // CaseError where one holds a component of a vector.
  explicit Reactions(const BallModel& model);

  bool any() const { return !of_field_.empty(); }
  // The highest degree in the unknowns, that of no polynomial being taken as `at_most`.
  int degree(int at_most) const;
  // Fields of the case that any of them reads.
  const std::vector<std::size_t>& read() const { return read_; }

  struct Derivative {
    std::size_t of, by;  // fields: dR_of / du_by
    expression::Expr expr;
  };
  struct Reaction {
    std::size_t of;
    expression::Expr expr;
  };
  const std::vector<Reaction>& reactions() const { return of_field_; }
  const std::vector<Derivative>& derivatives() const { return derivatives_; }
  // At a time and points, from the values of the scalars there by field. Several threads may call.
  using ScalarValues = std::function<const std::vector<double>&(std::size_t field)>;
  std::vector<double> values(expression::Expr e, double time, const SpherePoints& points,
                             const ScalarValues& scalar) const;

 private:
  const BallExpressions& expressions_;
  std::vector<std::size_t> field_of_unknown_, read_;
  std::vector<Reaction> of_field_;
  std::vector<Derivative> derivatives_;
};

}  // namespace gwrm::ball
