// How the last coefficients in time fall from one attempt at a window to a shorter one with the same start and the same
// subdomains (finer ones raise tails): like h^q.
//
//   q >= K/2          smooth: the next length follows from K (step_control.hpp)
//   0.35 < q < K/2    singular at the start: from q
//   q < 0.35          not a matter of the window's length. An unknown without dt that is so, where all others are
//                     resolved, no longer counts.
// Only from tails below 0.05 on, above which shorter windows may first have to find a scale.
#pragma once

#include <string>
#include <vector>

#include "basis/axis_description.hpp"

namespace gwrm {

class TimeAttempts {
 public:
  // tails: per unknown (Tails::time_of).
  void add(double start, double length, const std::vector<AxisDescription>& subdomains,
           const std::vector<double>& tails);
  // The smallest q of the unknowns whose tails are above `allowed`; 0: not known.
  double exponent(double allowed) const;
  // Per unknown: its tail is above `allowed` and has not fallen in windows that are a fifth as long or shorter.
  std::vector<bool> unmoved(double allowed) const;
  // "2.1e-03 in a window of 0.01, 2.0e-03 in one of 0.0004" of this unknown.
  std::string text(std::size_t unknown) const;

 private:
  struct Attempt {
    double length = 0.0;
    std::vector<double> tails;
  };
  double exponent_of(std::size_t unknown) const;

  double start_ = 0.0;
  std::vector<AxisDescription> subdomains_;
  std::vector<Attempt> all_;  // from this start on these subdomains
};

}  // namespace gwrm
