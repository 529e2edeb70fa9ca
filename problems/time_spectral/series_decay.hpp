// How a series goes on behind the last level that a run has: what is said about higher degrees rests on it.
//
// S(l)     what ends behind level l, the sum of the magnitudes of all coefficients there (series_losses.hpp); it never
//          grows with l. m: the last level up to which it is taken to be right.
// fall     -d(log S)/dl, the mean over a stretch of levels.
// law      of powers, S(l) = S(m) (l/m)^-p, p from the last half: where the fall over the last half of the levels is
//          less than 3/4 of that over the quarter before it (halves for a power, is the same for a geometric series),
//          and it slows down within the last half, too. Else geometric, S(l) = S(m) exp(-(l - m) fall), with the fall
//          over the last quarter where that is the smaller one, else the root of the product of both: entire functions
//          fall ever faster.
// Source: L. N. Trefethen, Approximation Theory and Approximation Practice (2013), chapters 7 and 8.
#pragma once

#include <vector>

namespace gwrm {

class SeriesDecay {
 public:
  enum class Law { geometric, powers };

  // losses: S(0), S(1), .., the last of them 0; n_unsure: the last levels that are not measured, m the one before.
  // At least one level has to be left.
  SeriesDecay(std::vector<double> losses, int n_unsure);

  Law law() const { return law_; }
  double power() const { return power_; }  // p, whatever the law
  double behind(double level) const;       // S, measured or as it goes on
  // The lowest level behind which no more than `allowed` is left; infinity where S does not fall.
  double level_for(double allowed) const;

 private:
  double fall(int from, int to) const;

  std::vector<double> losses_;  // up to m
  int last_;                    // m
  Law law_ = Law::geometric;
  double fall_ = 0.0, power_ = 0.0;
};

}  // namespace gwrm
