// How many windows an automatic run still has before it. A moving kink or shock that only tiny windows can follow would
// let a run creep on for days: better it stops while its message is still news.
#pragma once

#include <array>
#include <cstddef>

namespace gwrm {

class WindowPace {
 public:
  void see(double length) { lengths_[n_seen_++ % lengths_.size()] = length; }

  // Windows for the time `rest`, at the mean length of the last 16. 0 before there are so many, while they still grow,
  // as they do behind initial values that clash with the boundary conditions, and while they shrink, as they do before
  // a solution becomes infinite: that ends by itself.
  double windows_for(double rest) const {
    if (n_seen_ < lengths_.size()) return 0.0;
    double early = 0.0, late = 0.0;  // sums of the older and of the newer half
    for (std::size_t i = 0; i < lengths_.size(); ++i)
      (i < lengths_.size() / 2 ? early : late) += lengths_[(n_seen_ + i) % lengths_.size()];
    const bool steady = late < kChange * early && early < kChange * late;
    return steady ? rest * static_cast<double>(lengths_.size()) / (early + late) : 0.0;
  }

 private:
  static constexpr double kChange = 1.2;  // from one half to the other: a factor of ten in a hundred windows

  std::array<double, 16> lengths_{};
  std::size_t n_seen_ = 0;
};

}  // namespace gwrm
