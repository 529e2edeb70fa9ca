// How many windows an automatic run still has before it. A moving kink or shock that only tiny windows can follow would
// let a run creep on for days: better it stops while its message is still news.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace gwrm {

class WindowPace {
 public:
  // n_watched: windows over which the pace has to be steady. A relaxation oscillation takes as many equal windows to
  // jump as its degree of stiffness asks for, and long ones afterwards: where windows cost next to nothing it pays to
  // wait longer before the run is given up.
  explicit WindowPace(std::size_t n_watched = 16) : lengths_(n_watched) {}

  void update(double length) { lengths_[n_seen_++ % lengths_.size()] = length; }

  // Windows for the time `rest`, at the mean length of those watched. 0 before there are so many, while they still
  // grow, as they do behind initial values that clash with the boundary conditions, and while they shrink, as they do
  // before a solution becomes infinite: that ends by itself.
  double windows_for(double rest) const {
    if (n_seen_ < lengths_.size()) return 0.0;
    double early = 0.0, late = 0.0;  // sums of the older and of the newer half
    for (std::size_t i = 0; i < lengths_.size(); ++i)
      (i < lengths_.size() / 2 ? early : late) += lengths_[(n_seen_ + i) % lengths_.size()];
    const double change = std::min(kMaxChange, std::pow(kChange, static_cast<double>(lengths_.size()) / 16.0));
    const bool steady = late < change * early && early < change * late;
    return steady ? rest * static_cast<double>(lengths_.size()) / (early + late) : 0.0;
  }

 private:
  static constexpr double kChange = 1.2;  // from eight windows to the next: a factor of ten in a hundred windows
  static constexpr double kMaxChange = 2.0;

  std::vector<double> lengths_;
  std::size_t n_seen_ = 0;
};

}  // namespace gwrm
