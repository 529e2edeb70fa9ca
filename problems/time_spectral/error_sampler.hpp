// The estimated error of the sampled fields as fields on the output grid: |F(V) - F(U)| of each expression F under
// output.fields, U the polynomials of the run and V the finer ones of the error estimate (error_estimate.hpp).
//
// V is sampled as U is, part after part, each at the times of the grid that lie in it; the error of a field is in the
// units of the field, not divided by its size, and rounding is in it as far as U and V round differently.
// Collocated parameters: V is known at the points where U was solved. Between them the error is that of the polynomials
// through these points, the same that U is: what the polynomial in the parameters leaves out is not in it (the tails
// along the parameters tell that).
// NaN: behind the time at which the estimate was given up, and for fields that look at other times than their own
// (integrals over t, u(t=0)) where time has windows: V is not kept.
#pragma once

#include <vector>

#include "problems/time_spectral/sampling.hpp"

namespace gwrm {

class ErrorSampler {
 public:
  ErrorSampler(const Case& the_case, const Model& model);

  void add(const Solution& finer);  // V over the next stretch of time, at the run's points of the parameters
  // Puts the error of each field of the outcome behind these: the grid is the outcome's.
  void deliver(RunOutcome& outcome);

 private:
  Sampler finer_;
};

}  // namespace gwrm
