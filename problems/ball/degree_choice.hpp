// Degrees r, l, m that the case leaves to the program: high enough for the data to begin with, raised by the tails of
// the answer, then by its verdict.
//
// Data      l and m: what is above them is below the bound, in the root mean square over each given function; r: the
// last
//           two coefficients are.
// Tails     the last two coefficients along r and l, the last order that the answer has along m, relative to all of the
//           field in the run. l is raised where equations couple harmonics, m where they couple orders: diffusion keeps
//           those that the data have.
// Bound     a tenth of verification.tolerance.
// Rounds    each is a run from the start with r or l higher by two fifths. Where data contradict the equations
//           coefficients fall slowly, and r is left where a round has gained less than a factor of three: the verdict
//           decides then.
#pragma once

#include <functional>
#include <optional>

#include "problems/ball/ball_march.hpp"

namespace gwrm::ball {

// Those of the case where it gives them.
Degrees first_degrees(const BallModel& model);

class DegreeSearch {
 public:
  // `fits`: whether there is memory for the degrees.
  DegreeSearch(const BallModel& model, std::function<bool(const Degrees&)> fits);

  // Higher degrees for the next round; nothing: these suffice, or cannot be raised.
  std::optional<Degrees> by_tails(const BallSpace& space, const BallSolution& solution);
  // After a verdict against the answer. of_data: the space does not hold the data, whose harmonics diffusion does not
  // couple: l and m are raised by the tails too, and twice as high.
  std::optional<Degrees> by_verdict(const BallSpace& space, const BallSolution& solution, bool of_data);
  // Of windows, for the next round; what verdicts have multiplied it by.
  double window_tolerance() const { return window_tolerance_ * tightening_; }
  double tightening() const { return tightening_; }
  void tighten(double factor) { tightening_ = factor; }

 private:
  struct Tails {
    double r = 0.0, l = 0.0, m = 0.0;
  };
  // coupled: 0 of what the equations do not couple.
  Tails tails_of(const BallSpace& space, const BallSolution& solution, bool coupled) const;
  // twice: l and m by as much as they are, not a third of it.
  std::optional<Degrees> raised(const BallSpace& space, const BallSolution& solution, bool r, bool l, bool m,
                                bool twice = false);

  const BallModel& model_;
  std::function<bool(const Degrees&)> fits_;
  double bound_, window_tolerance_, tightening_ = 1.0;
  double last_tail_r_ = 0.0;  // of the round before, where that raised r
  bool slow_in_r_ = false;
  int n_rounds_ = 0, n_verdicts_ = 0;
};

}  // namespace gwrm::ball
