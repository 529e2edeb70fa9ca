// A case of problem: recurrence_bvp understood: -u'' + k^2 u = f on [a, b], a grid of n equal intervals, and conditions
//   u_left u(a) + slope_left u'(a) + u_right u(b) + slope_right u'(b) + integral int u dx = value.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "case/case.hpp"
#include "expression/expression.hpp"
#include "expression/tape.hpp"
#include "problems/recurrence_bvp/recurrence_case.hpp"

namespace gwrm {

struct EndCondition {
  SourceText text;
  double u_left = 0.0, slope_left = 0.0, u_right = 0.0, slope_right = 0.0, integral = 0.0;
  double value = 0.0;
};

// The grid x_0 = a, ..., x_n = b.
struct EqualGrid {
  double lower = 0.0, upper = 1.0;
  Index intervals = 0;

  Index n_points() const { return intervals + 1; }
  double step() const { return (upper - lower) / static_cast<double>(intervals); }
  double point(Index i) const { return i == intervals ? upper : lower + step() * static_cast<double>(i); }
};

// The first output of a tape at `count` points; one that varies nowhere is repeated.
void evaluate_points(const expression::Tape& tape, const std::vector<Array>& leaves, Index count, double* values);

// An expression of x alone at many points.
class PointExpression {
 public:
  // `e` is lowered and holds no unknown.
  PointExpression(const expression::Pool& pool, expression::Expr e);
  void evaluate(const double* x, Index count, double* values) const;
  double at(double x) const;

 private:
  expression::Tape tape_;
};

struct BvpModel {
  std::shared_ptr<expression::Pool> pool;
  Axis axis;
  EqualGrid grid;
  std::string unknown;
  double reaction = 0.0;
  int order = 2;
  expression::Expr source = nullptr;  // null: a dataset
  expression::Expr exact = nullptr;   // null: none
  std::vector<EndCondition> conditions;
};

// CaseError for everything that is not linear, not at an end, or not a function of x; Error with status not_finite for
// conditions and exact solutions that are not numbers.
BvpModel build_bvp_model(const Case& the_case);

// An expression of the solution, lowered; CaseError at `text`, also for integrals, which points of a grid do not have.
expression::Expr parse_answer(const BvpModel& model, const SourceText& text);

}  // namespace gwrm
