// The verified answer: everything here is evaluated from the finished polynomials alone, at points that the solver did
// not use.
//
// residual   left - right of each equation over the magnitudes of what it adds up: of both the root mean
//            square over space and parameters, and of that the mean over time
// tail       largest of the last two coefficients along an axis in any subdomain and window, relative to the largest
//            coefficient of the field; reported only if `exact` says that the field is zero
// initial    error of each initial value; boundary: of each condition, both relative to the size of what they hold; of
//            a condition that the initial values contradict the mean over time. Of a condition with derivatives D^m u
//            the mean over time of the misfit, relative to the largest |D^m u| at any time and anywhere. Beside a jump
//            of the data conditions are not judged until a little later (sudden_start.hpp)
// error_max, error_l2   against `exact`, relative to its maximum and L2 norm
// value      against the known values of the case, relative
#pragma once

#include <map>
#include <set>
#include <vector>

#include "case/case.hpp"
#include "core/communicator.hpp"
#include "output/left_out.hpp"
#include "output/report.hpp"
#include "output/solution.hpp"
#include "problems/time_spectral/side_corners.hpp"
#include "weighted_residual/model/model.hpp"

namespace gwrm {

// The lowered expression of a known value; CaseError if its point leaves out a dimension it varies along.
expression::Expr known_value_expression(const Model& model, const ReferenceValue& reference);

// mean_over_largest: the mean over time of an error, relative to the largest size.
enum class Norm { largest, mean_square, mean_in_time, mean_over_largest };

// An error and what it is relative to, in one part of the run or in several: the largest magnitudes, the integrals of
// squares over `volume`, or the integrals over time of the L2 norm over all else.
struct Measurement {
  Check check;  // its value is made at the end
  Norm norm = Norm::largest;
  double error = 0.0, size = 0.0;
  double volume = 0.0;   // what turns the integrals into means
  bool is_here = false;  // some part has something to say
  double least = 0.0;    // the size is this at least, in the same norm
  int field = -1;        // of a tail
};

// What the parts of a run have in common.
struct KnownOfResiduals {
  std::map<expression::Expr, expression::Expr> magnitudes;   // (verification.cpp)
  std::map<expression::Expr, expression::Expr> derivatives;  // those of conditions, anywhere
  std::set<expression::Expr> clashing;                       // conditions that the initial values contradict
};

// Takes the solution in parts, one after the other in time. Errors and sizes are those of the whole run: largest
// magnitudes, or the integral over all parts. Initial values are looked up in the first part, known values in the one
// that holds their time.
//
// ranks: all of them take the same parts, share the work and have the same result, whatever their number.
class RunVerification {
 public:
  RunVerification(const Case& the_case, const Model& model);
  void add(const Solution& part, bool is_last, Communicator* ranks = nullptr);
  Verification result() const;

 private:
  const Case& case_;
  const Model& model_;
  std::vector<Measurement> measurements_;
  const std::vector<SideCorner> corners_;
  std::vector<LeftOut> left_out_;
  KnownOfResiduals known_;
};

// Of a solution in one part.
Verification verify(const Case& the_case, const Model& model, const Solution& solution);

}  // namespace gwrm
