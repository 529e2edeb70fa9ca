// Whether finer subdomains still make the modes of an automatic run better.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "problems/eigenvalue/mode_checks.hpp"

namespace gwrm {

// Asked after every round. Better are more modes, or as many with half of the worst error. What does not become better
// may have been found by chance on subdomains that resolve nothing, or be at the end of double precision: rounding is
// amplified by the condition number of a mode, and no degree helps.
class RefinementGain {
 public:
  explicit RefinementGain(double tolerance) : tolerance_(tolerance) {}

  // neighbours: of the matrices, in the order that is asked for; n_wanted: of them. Empty if there is hope, else why
  // there is none.
  std::string why_over(const std::vector<JudgedMode>& modes, const std::vector<Mode>& neighbours, int n_wanted);

 private:
  double tolerance_;
  std::size_t n_modes_ = 0;
  double worst_ = 0.0;
  int n_rounds_without_ = 0;
};

}  // namespace gwrm
