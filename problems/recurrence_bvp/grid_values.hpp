// Expressions of the solution at points of the grid: what the output's fields and known values are made of.
#pragma once

#include <vector>

#include "expression/lowering.hpp"
#include "kernels/recurrence/recurrence_solver.hpp"
#include "problems/recurrence_bvp/bvp_model.hpp"
#include "problems/recurrence_bvp/grid_source.hpp"

namespace gwrm {

class GridValues {
 public:
  GridValues(const BvpModel& model, const GridSolution& solution, SourceAt source);

  std::vector<double> solution(const std::vector<Index>& points) const;
  std::vector<double> source(const std::vector<Index>& points) const { return source_(points); }
  // u', by differences of fourth order over steps of at least 2^-14 of the interval (shorter ones would only show
  // rounding).
  std::vector<double> slope(const std::vector<Index>& points) const;

  // A lowered expression of x, u, dx(u), dx(u,2), each as it is or at a fixed point, which is taken at the nearest
  // point of the grid. CaseError (at `text`) for anything else.
  std::vector<double> evaluate(const expression::Expr e, const SourceText& text,
                               const std::vector<Index>& points) const;

  Index nearest(double x) const;

 private:
  std::vector<double> atom(const expression::Atom& atom, const SourceText& text,
                           const std::vector<Index>& points) const;

  const BvpModel& model_;
  const GridSolution& solution_;
  SourceAt source_;
};

}  // namespace gwrm
