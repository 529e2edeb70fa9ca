// The matrices of a linear eigenvalue problem in the coefficients of its unknowns, P(l) = P_0 + l P_1 + l^2 P_2.
//
// Rows       those of the steady window (weighted_residual/window/window_system.hpp): equations, conditions,
// continuity. P_k        from the case in which the eigenvalue is one more unknown, so that its residual F(v, l) = P(l)
// v is
//            differentiated in it by the rules of the expressions, not by differences:
//                P_0 v = F(v, 0),   P_1 v = dF/dl (v, 0),   P_2 v = (dF/dl (v, 1) - dF/dl (v, 0))/2.
//            A difference of P(1) and P(0) would leave the rounding of P_0, N^4 of it, in P_1.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "core/matrix.hpp"
#include "problems/time_spectral/window.hpp"

namespace gwrm {

class Pencil {
 public:
  // model: with the eigenvalue as its last unknown, a number (eigenvalue_case.hpp).
  Pencil(const Context& context, const Model& model, const SystemPlan& plan,
         const std::vector<AxisDescription>& subdomains);

  Index size() const { return n_; }
  bool is_quadratic() const { return quadratic_; }
  // Why it is none: the row that has something without unknowns, or the eigenvalue in another way; empty: it is one.
  std::string flaw() const;

  Eigen::VectorXd apply(int power, const Eigen::VectorXd& v) const;
  // P(l) v and P'(l) v.
  Eigen::VectorXcd apply(std::complex<double> l, const Eigen::VectorXcd& v) const;
  Eigen::VectorXcd apply_derivative(std::complex<double> l, const Eigen::VectorXcd& v) const;
  Eigen::MatrixXd matrix(int power) const;

  // The mean square of unknown i's function over the domain, about: AxisBasis::mean_square.
  const Eigen::VectorXd& shares() const { return shares_; }
  const WindowSystem& system() const { return window_.system; }
  // Which row of the pencil is the system's row: not the eigenvalue's own.
  Index row_of(Index row_of_system) const { return row_of_system - (row_of_system > own_row_ ? 1 : 0); }
  // v as unknowns of the system, the eigenvalue 0.
  std::vector<double> unknowns(const Eigen::VectorXd& v) const;

 private:
  Eigen::VectorXd without_own_row(const std::vector<double>& f) const;
  Eigen::VectorXd derivative(const Eigen::VectorXd& v, double l) const;

  mutable Window window_;  // evaluations write into its memory
  Index n_ = 0, own_row_ = 0;
  bool quadratic_ = false;
  Eigen::VectorXd shares_;
};

}  // namespace gwrm
