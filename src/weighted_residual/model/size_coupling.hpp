// How large the others make an unknown: tells one that is small by its units, a displacement of 1e-6 m beside a stress
// of 1e9 Pa, from one that is zero but for rounding, as the pressure of a flow along walls.
//
// Every row that determines an unknown f - its equation, the conditions that close that, its initial value - is a sum
// of terms c_i D_i u_i, |D_i u_i| ~ |u_i|/(l_1^m_1 l_2^m_2 ..), l the lengths of the axes, m the orders. Rounding of
// the others and of the data makes of f
//
//     eps (sum of the terms of the others and of the data)/(largest term of f)
//
// in the units of f, whatever these are. Coefficients are magnitudes at unknowns of the given sizes and a few points.
#pragma once

#include <memory>
#include <vector>

#include "expression/frechet.hpp"
#include "weighted_residual/model/model.hpp"

namespace gwrm {

class SizeCoupling {
 public:
  // Makes expressions in the pool of the model, which it keeps; all else may be done by several threads.
  explicit SizeCoupling(const Model& model);

  // Which unknowns are small by their units alone: no larger than `share` of the largest one, and larger than that of
  // what the others make of them. All other small ones may be an error of this share; they count in the rows of others
  // as what they may be, as the pressure of a flow along walls, which rounding makes, for the velocity across.
  // sizes: largest magnitudes. Derivatives in t are those of a window of `length`; 0: over all times.
  std::vector<bool> small_by_units(const std::vector<double>& sizes, double share, double length = 0.0) const;
  // Those that are nothing but rounding: a share of 1e-12, and not by their units.
  std::vector<bool> zero_to_rounding(const std::vector<double>& sizes) const;

 private:
  struct Term {
    int field = -1;       // -1: data
    double factor = 1.0;  // of the leaf: lengths of integrals over those of derivatives
    expression::Expr coefficient = nullptr;
    int time_order = 0;
  };
  using Row = std::vector<Term>;

  void add_terms(Row& row, expression::LinearExpr linear, expression::Expr factor, double lengths) const;
  Row row_of(expression::Expr residual) const;
  double magnitude(const Term& term, const std::vector<double>& sizes, double windows) const;
  // Of one unknown, by its rows: at least its size. windows: the whole time over that of the derivatives.
  double made_of(std::size_t field, const std::vector<double>& sizes, double windows) const;

  std::shared_ptr<expression::Pool> pool_;
  std::vector<Axis> axes_;
  int time_ = -1;
  std::vector<std::vector<Row>> rows_;  // per unknown
};

}  // namespace gwrm
