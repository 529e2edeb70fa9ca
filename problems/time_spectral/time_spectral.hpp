// problem: time_spectral - PDEs and ODEs by the Generalized Weighted Residual Method: Chebyshev series in time, space
// and parameters, Newton for the coefficients, window after window, point after point of the collocated parameters.
#pragma once

#include "problems/problem.hpp"
#include "system/model.hpp"

namespace gwrm {

class TimeSpectral : public Problem {
 public:
  explicit TimeSpectral(const Case& problem);
  Summary summary() const override;
  RunOutcome run(const Context& context, const ProgressSink& progress,
                 const std::function<bool()>& interrupted) override;

 private:
  Case case_;
  Model model_;
};

}  // namespace gwrm
