// An expression of x at the points of an equal grid. Its calls of sin, cos and exp with affine arguments are made at
// every 64th point; the addition theorem gives the others,
//   sin(a + b) = sin a cos b + cos a sin b,  cos(a + b) = cos a cos b - sin a sin b,  exp(a + b) = exp(a) exp(b),
// within an error of two units in the last place of 1, or of the value of exp.
#pragma once

#include <array>
#include <vector>

#include "expression/affine_calls.hpp"
#include "expression/tape.hpp"
#include "problems/recurrence_bvp/bvp_model.hpp"

namespace gwrm {

class GridExpression {
 public:
  static constexpr std::size_t kMaxCalls = 16;

  // `e` is lowered and holds no unknown. Up to most_calls of its calls are replaced; 0: rounded as by the library.
  GridExpression(const expression::Pool& pool, expression::Expr e, const EqualGrid& grid,
                 std::size_t most_calls = kMaxCalls);

  // The values at `count` points from `first` on, the same for every division into such parts.
  void evaluate(Index first, Index count, double* values) const;
  // At ascending points; where they are no neighbours every call is made.
  std::vector<double> at(const std::vector<Index>& points) const;

 private:
  static constexpr Index kReach = 64;  // points that one call serves
  // Of slope * m steps, m = 0, 1, ..: cosines and sines, or exponentials and nothing.
  struct Steps {
    std::array<double, kReach> first{}, second{};
  };
  template <class Leaf>
  void run_tape(Index count, Leaf leaf, double* values) const;
  void evaluate_call(std::size_t k, Index first, Index count, double* values) const;

  EqualGrid grid_;
  std::vector<expression::AffineCall> calls_;
  std::vector<Steps> steps_;  // of each call
  expression::Tape tape_;
};

}  // namespace gwrm
